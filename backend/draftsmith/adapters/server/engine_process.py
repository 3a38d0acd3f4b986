"""The engines of a worker, each in a child process: the layout engine, Mermaid's parsers, and what draws pictures.

They implement `ports.engines.Engine`. Not here: what the processes do (`draftsmith.layouter`, `chart_parser` and
`renderer`), and how a process is started, asked and ended (`question_process`).
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

_CHARTS: Final = "charts/charts.js"
_LAYOUT: Final = "engine/layout.js"
IDLE_SECONDS: Final = 300.0
_TIMES_ASKED: Final = 2
_SCRIPT_PACKAGES: Final[Mapping[str, str]] = MappingProxyType({"mini-racer": "py_mini_racer"})
"""The packages that a script of the built editor needs to be run, by their names, with the modules in them."""


def _missing_for(static: Path | None, script: str, packages: Mapping[str, str] = _SCRIPT_PACKAGES) -> str:
    """Return what an engine that runs a script of the built editor lacks on this machine; empty if nothing."""
    for package, module in packages.items():
        if find_spec(module) is None:
            return f"the package {package} is not installed (pip install 'draftsmith[layout]')"
    if static is None or not (static / script).is_file():
        return f"the built editor has no {script}"
    return ""


class EngineProcess:
    """An engine in a process of its own, or in none while it is not needed."""

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


def missing_for_layout(static: Path | None) -> str:
    """Return what the layout engine lacks on this machine; empty if nothing."""
    return _missing_for(static, _LAYOUT)


def layout_in(static: Path) -> Path:
    """Return where the layout engine is in the built editor."""
    return static / _LAYOUT


class LayoutProcess(EngineProcess):
    """The layout engine."""

    def __init__(self, script: Path, idle_seconds: float = IDLE_SECONDS) -> None:
        """Start nothing yet."""
        super().__init__("draftsmith.layouter", str(script), idle_seconds=idle_seconds)


def missing_for_charts(static: Path | None) -> str:
    """Return what Mermaid's parsers lack on this machine; empty if nothing."""
    return _missing_for(static, _CHARTS)


def charts_in(static: Path) -> Path:
    """Return where the parsers are in the built editor."""
    return static / _CHARTS


class ChartProcess(EngineProcess):
    """Mermaid's parsers."""

    def __init__(self, script: Path, idle_seconds: float = IDLE_SECONDS) -> None:
        """Start nothing yet."""
        super().__init__("draftsmith.chart_parser", str(script), idle_seconds=idle_seconds)


def missing_for_pictures(static: Path | None) -> str:
    """Return what drawing pictures lacks on this machine; empty if nothing."""
    return _missing_for(static, "picture/picture.js", {**_SCRIPT_PACKAGES, "resvg-py": "resvg_py"})


def pictures_in(static: Path) -> Path:
    """Return the folder of what draws pictures, and of their font, in the built editor."""
    return static / "picture"


class PictureProcess(EngineProcess):
    """What draws pictures."""

    def __init__(self, folder: Path, idle_seconds: float = IDLE_SECONDS) -> None:
        """Start nothing yet; `folder` holds the script and the font."""
        super().__init__("draftsmith.renderer", str(folder), idle_seconds=idle_seconds)
