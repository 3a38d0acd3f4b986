"""Run an engine as a child process of a worker; implements `Engine`.

What each engine needs and does is not here (`layout_process`, `picture_process`, `chart_process`); nor how a process is
started, asked and ended (`question_process`).
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Final

import structlog

from draftsmith.adapters.server.child_environment import package_environment
from draftsmith.adapters.server.question_process import ProcessLost, QuestionProcess
from draftsmith.ports.engines import EngineFailed

IDLE_SECONDS: Final = 300.0
_TIMES_ASKED: Final = 2
SCRIPTS: Final[Mapping[str, str]] = MappingProxyType({"mini-racer": "py_mini_racer"})
"""The packages that a script of the built editor needs to be run, by their names, with the modules in them."""


def missing_for(static: Path | None, script: str, packages: Mapping[str, str] = SCRIPTS) -> str:
    """What an engine that runs a script of the built editor lacks on this machine; empty if nothing."""
    for package, module in packages.items():
        if find_spec(module) is None:
            return f"the package {package} is not installed (pip install 'draftsmith[layout]')"
    if static is None or not (static / script).is_file():
        return f"the built editor has no {script}"
    return ""


class EngineProcess:
    """One process, or none while it is not needed."""

    def __init__(self, module: str, *arguments: str, idle_seconds: float = IDLE_SECONDS) -> None:
        """Start nothing yet; `module` is what is run."""
        # -P: a file in the folder where the worker was started must not pass for one of our modules.
        command = [sys.executable, "-P", "-m", module, *arguments]
        self._process = QuestionProcess(command, package_environment(), idle_seconds)
        self._turn = asyncio.Lock()
        self._log = structlog.get_logger(module)

    @property
    def pid(self) -> int | None:
        """Of the process, while there is one."""
        return self._process.pid

    async def start(self) -> None:
        """Start the process before it is needed; see `Engine.start`."""
        try:
            await self._process.start()
        except ProcessLost as lost:
            self._log.warning("engine_not_started", reason=str(lost))

    async def run(self, question: bytes) -> bytes:
        """Ask the engine; see `Engine.run`."""
        async with self._turn:
            try:
                answer = await self._ask_with_retry(question)
                if not answer:
                    raise EngineFailed("the engine could not do it")
            except EngineFailed as failure:
                self._log.warning("engine_failed", reason=str(failure))
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
        raise EngineFailed(str(failure), is_too_costly=failure.has_used_all) from failure

    async def close(self) -> None:
        """End the process and wait for it."""
        await self._process.end()
