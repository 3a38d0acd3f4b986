"""What draws pictures as a child process of a worker; what the process does is in `draftsmith.renderer`."""

from __future__ import annotations

from pathlib import Path

from draftsmith.adapters.server.engine_process import IDLE_SECONDS, SCRIPTS, EngineProcess, missing_for


def missing_for_pictures(static: Path | None) -> str:
    """What pictures lack on this machine; empty if nothing."""
    return missing_for(static, "picture/picture.js", {**SCRIPTS, "resvg-py": "resvg_py"})


def pictures_in(static: Path) -> Path:
    """The folder of what draws pictures, and of their font, in the built editor."""
    return static / "picture"


class PictureProcess(EngineProcess):
    """One process, or none while it is not needed."""

    def __init__(self, folder: Path, idle_seconds: float = IDLE_SECONDS) -> None:
        """Start nothing yet; `folder` holds the script and the font."""
        super().__init__("draftsmith.renderer", str(folder), idle_seconds=idle_seconds)
