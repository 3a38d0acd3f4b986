"""Run a preparer as a child process of a worker; implements `Preparer`.

It is started when it is first needed, ended when it was not needed for a while, killed when what it does is cancelled,
and dies with the worker (`process.parent_death`). Both sides are of one release and of one user, so what they send is
pickled. What the process does is not here: `draftsmith.preparer`.
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Mapping
from typing import Any, Final, Literal

import structlog

from draftsmith.adapters.process import uncollected
from draftsmith.adapters.process.parent_death import with_parent_death_signal
from draftsmith.adapters.process.supervise import describe_exit
from draftsmith.adapters.server.child_environment import child_environment
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.commits.elsewhere import PreparerLost
from draftsmith.usecases.commits.preparation import Preparation
from draftsmith.usecases.commits.request import Request

LENGTH_BYTES: Final = 8
"""Each message is its length, big endian, and a pickled value."""

IDLE_SECONDS: Final = 300.0
_MOST_KIB: Final = 400 * 1024
"""A process that has ever used more is replaced by a fresh one, so that memory is given back."""

Reply = tuple[Literal["done", "refused", "failed"], Any, int]
"""What came of it, the value or the error, and the most memory the process has used so far, KiB."""

_log = structlog.get_logger("draftsmith.preparers")


class PreparerProcess:
    """One process, or none while it is not needed."""

    def __init__(self, store_url: str, environment: Mapping[str, str] | None = None) -> None:
        """Start nothing yet; `environment`: its own, this process's if not given."""
        self._environment = child_environment(store_url, environment)
        self._process: asyncio.subprocess.Process | None = None
        self._end: asyncio.TimerHandle | None = None

    async def prepare(self, workspace_id: WorkspaceId, request: Request[Any], epoch: str = "") -> Preparation:
        """Prepare a request; see `Preparer.prepare`."""
        if self._end is not None:
            self._end.cancel()
            self._end = None
        process = await self._started()
        try:
            kind, value, most_kib = await _ask(process, (workspace_id, request, epoch))
        except BaseException as error:
            await self._kill(process)
            if isinstance(error, asyncio.IncompleteReadError | OSError):
                _log.warning("preparer_lost", workspace=workspace_id, reason=describe_exit(process.returncode or 0))
                raise PreparerLost from error
            raise
        if most_kib > _MOST_KIB or kind == "failed":
            await self._kill(process)
        else:
            self._end = asyncio.get_running_loop().call_later(IDLE_SECONDS, process.kill)
        if kind == "done":
            preparation: Preparation = value
            return preparation
        if kind == "refused":
            raise DraftsmithError(*value)
        _log.error("preparer_failed", workspace=workspace_id, reason=value)
        raise DraftsmithError("internal", "Something went wrong here; the server's log says what.")

    async def close(self) -> None:
        """End the process and wait for it."""
        if self._end is not None:
            self._end.cancel()
        if self._process is not None:
            await self._kill(self._process)

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is not None and self._process.returncode is None:
            return self._process
        # -P: a file in the folder where the worker was started must not pass for one of our modules.
        command = with_parent_death_signal(uncollected.command("draftsmith.preparer"))
        pipe = asyncio.subprocess.PIPE
        try:
            self._process = await asyncio.create_subprocess_exec(
                *command, stdin=pipe, stdout=pipe, env=self._environment
            )
        except OSError as error:
            _log.warning("preparer_not_started", reason=str(error))
            raise PreparerLost from error
        return self._process

    async def _kill(self, process: asyncio.subprocess.Process) -> None:
        if self._process is process:
            self._process = None
        if process.returncode is None:
            process.kill()
        if process.stdin is not None:
            process.stdin.close()
        await process.wait()


async def _ask(process: asyncio.subprocess.Process, question: tuple[WorkspaceId, Request[Any], str]) -> Reply:
    """Send a question and wait for the reply.

    Raises:
        IncompleteReadError, OSError: the process has ended.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    raw = pickle.dumps(question, pickle.HIGHEST_PROTOCOL)
    process.stdin.write(len(raw).to_bytes(LENGTH_BYTES, "big") + raw)
    await process.stdin.drain()
    length = int.from_bytes(await process.stdout.readexactly(LENGTH_BYTES), "big")
    reply: Reply = pickle.loads(await process.stdout.readexactly(length))  # noqa: S301  # our own process
    return reply
