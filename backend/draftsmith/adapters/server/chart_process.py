"""Mermaid's parsers as a child process of a worker; what the process does is in `draftsmith.chart_parser`."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from draftsmith.adapters.server.engine_process import IDLE_SECONDS, EngineProcess


def missing_for_charts(static: Path | None) -> str:
    """What Mermaid's parsers lack on this machine; empty if nothing."""
    if find_spec("py_mini_racer") is None:
        return "the package mini-racer is not installed (pip install 'draftsmith[layout]')"
    if static is None or not charts_in(static).is_file():
        return "the built editor has no charts/charts.js"
    return ""


def charts_in(static: Path) -> Path:
    """Where the parsers are in the built editor."""
    return static / "charts" / "charts.js"


class ChartProcess(EngineProcess):
    """One process, or none while it is not needed."""

    def __init__(self, script: Path, idle_seconds: float = IDLE_SECONDS) -> None:
        """Start nothing yet."""
        super().__init__("draftsmith.chart_parser", str(script), idle_seconds=idle_seconds)
