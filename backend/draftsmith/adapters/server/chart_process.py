"""Mermaid's parsers as a child process of a worker; what the process does is in `draftsmith.chart_parser`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from draftsmith.adapters.server.engine_process import IDLE_SECONDS, EngineProcess, missing_for

_SCRIPT: Final = "charts/charts.js"


def missing_for_charts(static: Path | None) -> str:
    """What Mermaid's parsers lack on this machine; empty if nothing."""
    return missing_for(static, _SCRIPT)


def charts_in(static: Path) -> Path:
    """Where the parsers are in the built editor."""
    return static / _SCRIPT


class ChartProcess(EngineProcess):
    """One process, or none while it is not needed."""

    def __init__(self, script: Path, idle_seconds: float = IDLE_SECONDS) -> None:
        """Start nothing yet."""
        super().__init__("draftsmith.chart_parser", str(script), idle_seconds=idle_seconds)
