"""What the wheel carries beside the package: the prompts and the built editor.

Only a real build takes them in. An editable install reads them where they lie, so that it works before the editor has
been built once.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CARRIED = {"prompts": "draftsmith/_prompts", "frontend/dist": "draftsmith/_static"}


class CarryPromptsAndEditor(BuildHookInterface):  # type: ignore[type-arg]  # its config type is hatchling's own affair
    """Adds each folder of `CARRIED` that exists to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Extend `build_data`; leaves an editable build alone."""
        if version == "editable":
            return
        for source, target in CARRIED.items():
            folder = Path(self.root, source)
            if folder.is_dir() and any(folder.iterdir()):
                build_data["force_include"][str(folder)] = target
