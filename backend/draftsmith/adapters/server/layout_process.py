"""Run the layout engine as a child process of a worker; implements `LayoutEngine`.

It is started when it is first needed, ended when it was not needed for a while, killed when an answer takes too long or
is not wanted any more, and dies with the worker. What the process does is not here: `draftsmith.layouter`.
"""

from __future__ import annotations

import asyncio
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import structlog

from draftsmith.adapters.process.parent_death import with_parent_death_signal
from draftsmith.adapters.process.supervise import describe_exit
from draftsmith.adapters.server.child_environment import package_environment
from draftsmith.ports.layout import LayoutFailed

IDLE_SECONDS: Final = 60.0
SECONDS: Final = 15.0
"""How long one answer may take, the start of the process included, and how long a question may wait for its turn."""

_LENGTH_BYTES: Final = 8  # as in `draftsmith.layouter`, which is not imported here
_log = structlog.get_logger("draftsmith.layouter")


def missing_for_layout(static: Path | None) -> str:
    """What the layout engine lacks on this machine; empty if nothing."""
    if find_spec("py_mini_racer") is None:
        return "the package mini-racer is not installed (pip install 'draftsmith[layout]')"
    if static is None or not script_in(static).is_file():
        return "the built editor has no engine/layout.js"
    return ""


def script_in(static: Path) -> Path:
    """Where the engine is in the built editor."""
    return static / "engine" / "layout.js"


class LayoutProcess:
    """One process, or none while it is not needed."""

    def __init__(self, script: Path, seconds: float = SECONDS, idle_seconds: float = IDLE_SECONDS) -> None:
        """Start nothing yet."""
        self._script, self._seconds, self._idle_seconds = script, seconds, idle_seconds
        self._turn = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None
        self._end: asyncio.TimerHandle | None = None

    async def run(self, question: bytes) -> bytes:
        """Ask the engine; see `LayoutEngine.run`."""
        try:
            async with asyncio.timeout(self._seconds):
                await self._turn.acquire()
        except TimeoutError:
            raise LayoutFailed("too many wait") from None
        try:
            answer = await self._asked(question)
        except LayoutFailed as failure:
            _log.warning("layout_failed", reason=str(failure))
            raise
        finally:
            self._turn.release()
        return answer

    async def close(self) -> None:
        """End the process and wait for it."""
        self._keep()
        if self._process is not None:
            await self._kill(self._process)

    @property
    def pid(self) -> int | None:
        """Of the process, while there is one."""
        return self._process.pid if self._process is not None and self._process.returncode is None else None

    async def _asked(self, question: bytes) -> bytes:
        self._keep()
        was_there = self.pid is not None
        process = await self._started()
        try:
            async with asyncio.timeout(self._seconds):
                answer = await _ask(process, question)
        except BaseException as error:
            await self._kill(process)
            if isinstance(error, TimeoutError):
                raise LayoutFailed("it takes too long") from None
            if not isinstance(error, asyncio.IncompleteReadError | OSError):
                raise
            if was_there:  # it may have been ended before it was asked, which is known a moment later
                return await self._asked(question)
            raise LayoutFailed(describe_exit(process.returncode or 0)) from error
        self._end = asyncio.get_running_loop().call_later(self._idle_seconds, self._end_idle, process)
        if not answer:
            raise LayoutFailed("the engine could not do it")
        return answer

    def _keep(self) -> None:
        if self._end is not None:
            self._end.cancel()
            self._end = None

    def _end_idle(self, process: asyncio.subprocess.Process) -> None:
        if process.returncode is None:
            process.kill()

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is not None and self._process.returncode is None:
            return self._process
        # -P: a file in the folder where the worker was started must not pass for one of our modules.
        command = [sys.executable, "-P", "-m", "draftsmith.layouter", str(self._script)]
        pipe = asyncio.subprocess.PIPE
        try:
            self._process = await asyncio.create_subprocess_exec(
                *with_parent_death_signal(command), stdin=pipe, stdout=pipe, env=package_environment()
            )
        except OSError as error:
            raise LayoutFailed(f"it cannot be started: {error}") from error
        return self._process

    async def _kill(self, process: asyncio.subprocess.Process) -> None:
        if self._process is process:
            self._process = None
        if process.returncode is None:
            process.kill()
        if process.stdin is not None:
            process.stdin.close()
        await process.wait()


async def _ask(process: asyncio.subprocess.Process, question: bytes) -> bytes:
    """Send a question and wait for the answer.

    Raises:
        IncompleteReadError, OSError: the process has ended.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(len(question).to_bytes(_LENGTH_BYTES, "big") + question)
    await process.stdin.drain()
    length = int.from_bytes(await process.stdout.readexactly(_LENGTH_BYTES), "big")
    return await process.stdout.readexactly(length)
