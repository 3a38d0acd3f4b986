"""Run the layout engine as a child process of a worker; implements `LayoutEngine`.

What the process does is not here: `draftsmith.layouter`; how it is started, asked and ended: `question_process`.
"""

from __future__ import annotations

import asyncio
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import structlog

from draftsmith.adapters.server.child_environment import package_environment
from draftsmith.adapters.server.question_process import ProcessLost, QuestionProcess
from draftsmith.ports.layout import LayoutFailed

IDLE_SECONDS: Final = 300.0
_TIMES_ASKED: Final = 2
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

    def __init__(self, script: Path, idle_seconds: float = IDLE_SECONDS) -> None:
        """Start nothing yet."""
        # -P: a file in the folder where the worker was started must not pass for one of our modules.
        command = [sys.executable, "-P", "-m", "draftsmith.layouter", str(script)]
        self._process = QuestionProcess(command, package_environment(), idle_seconds)
        self._turn = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """Of the process, while there is one."""
        return self._process.pid

    async def start(self) -> None:
        """Start the process before it is needed; see `LayoutEngine.start`."""
        try:
            await self._process.start()
        except ProcessLost as lost:
            _log.warning("layouter_not_started", reason=str(lost))

    async def run(self, question: bytes) -> bytes:
        """Ask the engine; see `LayoutEngine.run`."""
        async with self._turn:
            try:
                answer = await self._ask_with_retry(question)
                if not answer:
                    raise LayoutFailed("the engine could not do it")
            except LayoutFailed as failure:
                _log.warning("layout_failed", reason=str(failure))
                raise
        return answer

    async def _ask_with_retry(self, question: bytes) -> bytes:
        """The answer of the engine; asked once more where its process ended, perhaps by no fault of the question."""
        for _ in range(_TIMES_ASKED):
            try:
                return await self._process.ask(question)
            except ProcessLost as lost:
                failure = lost
                if lost.has_used_all:
                    break
        raise LayoutFailed(str(failure), is_too_costly=failure.has_used_all) from failure

    async def close(self) -> None:
        """End the process and wait for it."""
        await self._process.end()
