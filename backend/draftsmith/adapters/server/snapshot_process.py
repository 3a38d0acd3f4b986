"""Run the snapshotter as a child process of a worker; implements `ports.Snapshots`.

One process at a time for each worker, for all workspaces that wait then, since starting it costs more than most
snapshots; by the store's lock, one for each workspace. It dies with the worker (`process.parent_death`), so nothing
is left behind however the worker ends. What the process does is not here: `draftsmith.snapshotter`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence

import structlog

from draftsmith.adapters.process import without_gc
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
_TOGETHER = 16
"""At most this many workspaces for one process. All are locked at its start, and the last lock should still be held
when its turn comes."""
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
        self._current: frozenset[WorkspaceId] = frozenset()
        self._rests: dict[WorkspaceId, float] = {}
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False
        self.processes = self.made = self.failed = 0

    def start(self, workspace_id: WorkspaceId) -> None:
        """Have a snapshot made soon; nothing happens if it waits, runs, was just made or has just failed."""
        if self._is_closed or workspace_id in self._waiting or workspace_id in self._current:
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
            taken = list(self._waiting)[:_TOGETHER]
            for workspace_id in taken:
                del self._waiting[workspace_id]
            self._current = frozenset(taken)
            try:
                await self._make(taken)
            except (StorageError, OSError) as error:
                for workspace_id in taken:
                    self.failed += 1
                    _log.warning("snapshot_not_started", workspace=workspace_id, reason=str(error))
                    self._set_pause(workspace_id, _AFTER_FAILURE_S)
            finally:
                self._current = frozenset()

    def _set_pause(self, workspace_id: WorkspaceId, seconds: float) -> None:
        now = self._now()
        if len(self._rests) >= _REMEMBERED:
            self._rests = {name: until for name, until in self._rests.items() if until > now}
        self._rests[workspace_id] = now + seconds

    async def _make(self, workspace_ids: Sequence[WorkspaceId]) -> None:
        """Make snapshots of those workspaces of which nobody else makes one."""
        locked = []
        for workspace_id in workspace_ids:
            if await self._log.lock_snapshotter(workspace_id, self._worker, LOCK_MS):
                locked.append(workspace_id)
            else:
                self._set_pause(workspace_id, _AFTER_REFUSAL_S)
        if not locked:
            return
        started = self._now()
        codes, said = await self._wait_for(locked)
        seconds = self._now() - started
        for workspace_id in locked:
            self._set_pause(workspace_id, self._log_outcome(workspace_id, codes[workspace_id], said, seconds))

    def _log_outcome(self, workspace_id: WorkspaceId, code: int | None, said: Sequence[str], seconds: float) -> float:
        """Log what became of a snapshot; the seconds until another of its workspace may be requested."""
        if code == 0:
            self.made += 1
            _log.info("snapshot_made", workspace=workspace_id, seconds=round(seconds, 3))
            return max(LOCK_MS / 1000 - seconds, 0.0)
        self.failed += 1
        reason = describe_exit(code) if code is not None else f"no end after {self._timeout_s:g} s"
        own = "\n".join(line for line in said if workspace_id in line) or "\n".join(said)
        _log.warning("snapshot_failed", workspace=workspace_id, reason=reason, said=own[-_TOLD_CHARS:])
        return _AFTER_FROZEN_S if code == _FROZEN else _AFTER_FAILURE_S

    async def _wait_for(
        self, workspace_ids: Sequence[WorkspaceId]
    ) -> tuple[Mapping[WorkspaceId, int | None], Sequence[str]]:
        """Run the process to its end; each workspace's code, None after the timeout, and the lines that it has said."""
        # -P: a file in the folder where the worker was started must not pass for one of our modules.
        process = await asyncio.create_subprocess_exec(
            *with_parent_death_signal(without_gc.command("draftsmith.snapshotter", *workspace_ids)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=self._environment,
        )
        self.processes += 1
        try:
            async with asyncio.timeout(self._timeout_s * len(workspace_ids)):
                told, said = await process.communicate()
        except TimeoutError:
            return dict.fromkeys(workspace_ids), ()
        finally:
            if process.returncode is None:
                process.kill()
                await process.communicate()
        codes = {WorkspaceId(one): int(code) for one, code in map(str.split, told.decode().splitlines())}
        # Those that it did not come to have ended as it did.
        ended = {one: codes.get(one, process.returncode) for one in workspace_ids}
        return ended, said.decode(errors="replace").splitlines()
