"""Run the snapshotter as a child process of a worker; implements `ports.Snapshots`.

One process at a time for each worker, and by the lock in the store one for each workspace. It dies with the worker
(`process.parent_death`), so nothing is left behind however the worker ends. What the process does is not here:
`draftsmith.snapshotter`.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Mapping

import structlog

from draftsmith.adapters.process.parent_death import with_parent_death_signal
from draftsmith.adapters.process.supervise import describe_exit
from draftsmith.adapters.server.child_environment import child_environment
from draftsmith.errors import StorageError
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import CommitLog

LOCK_MS = 10_000
"""Nobody gives the lock back, so this is also the shortest time between two snapshots of one workspace."""
_AFTER_REFUSAL_S = 3.0
_AFTER_FAILURE_S = 60.0
_AFTER_FROZEN_S = 600.0
_FROZEN = 3  # exit code of the snapshotter
_REMEMBERED = 1000
_TOLD_CHARS = 2000

_log = structlog.get_logger("draftsmith.snapshots")


class SnapshotStarter:
    """Has snapshots made in processes of their own, one after the other."""

    def __init__(
        self,
        log: CommitLog,
        worker: str,
        store_url: str,
        timeout_s: float = 120.0,
        environment: Mapping[str, str] | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare to start snapshotters.

        Args:
            log: asked for the lock.
            worker: the name of this worker.
            store_url: which store they work on.
            timeout_s: seconds until one that does not end is killed.
            environment: theirs; this process's own if not given.
            now: seconds, by a clock that is never set back.
        """
        self._log, self._worker, self._timeout_s, self._now = log, worker, timeout_s, now
        self._environment = child_environment(store_url, environment)
        self._waiting: dict[WorkspaceId, None] = {}
        self._current: WorkspaceId | None = None
        self._rests: dict[WorkspaceId, float] = {}
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False
        self.made = 0
        self.failed = 0

    def start(self, workspace_id: WorkspaceId) -> None:
        """Have a snapshot made soon; nothing happens if it waits, runs, was just made or has just failed."""
        if self._is_closed or workspace_id in self._waiting or workspace_id == self._current:
            return
        if self._rests.get(workspace_id, 0.0) > self._now():
            return
        self._waiting[workspace_id] = None
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run(), name="snapshots")

    @property
    def is_idle(self) -> bool:
        """Whether no snapshot is requested or being made."""
        return self._task is None or self._task.done()

    async def close(self) -> None:
        """Drop what is requested, stop the running process and wait for it."""
        self._is_closed = True
        self._waiting.clear()
        if self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        while self._waiting:
            workspace_id = self._current = next(iter(self._waiting))
            del self._waiting[workspace_id]
            try:
                self._rest(workspace_id, await self._make(workspace_id))
            except (StorageError, OSError) as error:
                self.failed += 1
                _log.warning("snapshot_not_started", workspace=workspace_id, reason=str(error))
                self._rest(workspace_id, _AFTER_FAILURE_S)
            finally:
                self._current = None

    def _rest(self, workspace_id: WorkspaceId, seconds: float) -> None:
        now = self._now()
        if len(self._rests) >= _REMEMBERED:
            self._rests = {name: until for name, until in self._rests.items() if until > now}
        self._rests[workspace_id] = now + seconds

    async def _make(self, workspace_id: WorkspaceId) -> float:
        """Make a snapshot if nobody else does; the seconds until another may be requested."""
        if not await self._log.lock_snapshotter(workspace_id, self._worker, LOCK_MS):
            return _AFTER_REFUSAL_S
        started = self._now()
        code, said = await self._wait_for(workspace_id)
        seconds = self._now() - started
        if code == 0:
            self.made += 1
            _log.info("snapshot_made", workspace=workspace_id, seconds=round(seconds, 3))
            return max(LOCK_MS / 1000 - seconds, 0.0)
        self.failed += 1
        reason = describe_exit(code) if code is not None else f"no end after {self._timeout_s:g} s"
        _log.warning("snapshot_failed", workspace=workspace_id, reason=reason, said=said[-_TOLD_CHARS:])
        return _AFTER_FROZEN_S if code == _FROZEN else _AFTER_FAILURE_S

    async def _wait_for(self, workspace_id: WorkspaceId) -> tuple[int | None, str]:
        """Run the process to its end; its return code, None after the timeout, and its output."""
        # -P: a file in the folder where the worker was started must not pass for one of our modules.
        process = await asyncio.create_subprocess_exec(
            *with_parent_death_signal([sys.executable, "-P", "-m", "draftsmith.snapshotter", workspace_id]),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env=self._environment,
        )
        try:
            async with asyncio.timeout(self._timeout_s):
                _, said = await process.communicate()
        except TimeoutError:
            return None, ""
        finally:
            if process.returncode is None:
                process.kill()
                await process.communicate()
        return process.returncode, said.decode(errors="replace").strip()
