"""The layout engine as a child process of a worker; what the process does is in `draftsmith.layouter`."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from draftsmith.adapters.server.engine_process import IDLE_SECONDS, EngineProcess


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


class LayoutProcess(EngineProcess):
    """One process, or none while it is not needed."""

    def __init__(self, script: Path, idle_seconds: float = IDLE_SECONDS) -> None:
        """Start nothing yet."""
        super().__init__("draftsmith.layouter", str(script), idle_seconds=idle_seconds)
