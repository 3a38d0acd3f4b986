"""Where the built editor is, with the layout engine in it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).parents[2]


def static_folder() -> Path | None:
    """The built editor: inside the wheel, or in the checkout beside the package."""
    for folder in (_PACKAGE / "_static", _PACKAGE.parents[1] / "frontend" / "dist"):
        if (folder / "index.html").is_file():
            return folder
    return None
