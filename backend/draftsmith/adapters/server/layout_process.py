"""The layout engine as a child process of a worker; what the process does is in `draftsmith.layouter`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from draftsmith.adapters.server.engine_process import IDLE_SECONDS, EngineProcess, missing_for

_SCRIPT: Final = "engine/layout.js"


def missing_for_layout(static: Path | None) -> str:
    """What the layout engine lacks on this machine; empty if nothing."""
    return missing_for(static, _SCRIPT)


def script_in(static: Path) -> Path:
    """Where the engine is in the built editor."""
    return static / _SCRIPT


class LayoutProcess(EngineProcess):
    """One process, or none while it is not needed."""

    def __init__(self, script: Path, idle_seconds: float = IDLE_SECONDS) -> None:
        """Start nothing yet."""
        super().__init__("draftsmith.layouter", str(script), idle_seconds=idle_seconds)
