"""The view of a workspace inside an agent's program: one page, for programs that show such (MCP Apps, `ui://`).

The page is built with the editor and lies beside it; it is whole in itself, reaches no address, and asks for what it
shows by the same tools, through the program that shows it. Images of nodes and icons of technologies it reads as a
resource (`ui://draftsmith/images/{id}`), which no list has: no model needs it. Without a built editor there is no page,
and every answer of a tool has its link all the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import mcp_types as types

EXTENSION: Final = "io.modelcontextprotocol/ui"
MIME_TYPE: Final = "text/html;profile=mcp-app"
URI: Final = "ui://draftsmith/view"
_IMAGES: Final = "ui://draftsmith/images/"
FILE: Final = "agent/view.html"
SHOWN: Final = ("read_workspace", "edit", "proposals")
"""The tools whose answers the page shows."""
_NOTHING: Final[Mapping[str, Any]] = {"connectDomains": [], "resourceDomains": [], "frameDomains": []}
_META: Final[Mapping[str, Any]] = {"ui": {"csp": _NOTHING, "prefersBorder": True}}


class View:
    """The page as a resource, and the metadata that refers to it."""

    def __init__(self, static: Path | None) -> None:
        """Find it.

        Args:
            static: folder of the built editor; None if it was not built.
        """
        file = None if static is None else static / FILE
        self._text = file.read_text(encoding="utf-8") if file is not None and file.is_file() else None

    @property
    def is_there(self) -> bool:
        """Whether there is such a page here."""
        return self._text is not None

    def extensions(self) -> dict[str, dict[str, Any]]:
        """What the server says about it when a program connects."""
        return {EXTENSION: {"mimeTypes": [MIME_TYPE]}} if self.is_there else {}

    def meta_of(self, tool: str) -> dict[str, Any] | None:
        """What the description of a tool says besides, so that its answers are shown in the page."""
        if not self.is_there or tool not in SHOWN:
            return None
        return {"ui": {"resourceUri": URI, "visibility": ["model", "app"]}}

    def resources(self) -> list[types.Resource]:
        """The page as a resource, if it is there."""
        if not self.is_there:
            return []
        return [
            types.Resource(
                uri=URI,
                name="view",
                title="Draftsmith",
                description="Diagram and proposals of a workspace, for programs that show pages of servers.",
                mime_type=MIME_TYPE,
                meta=dict(_META),
            )
        ]

    def content_or_none(self, uri: str) -> types.TextResourceContents | None:
        """The page, for its address."""
        if self._text is None or uri != URI:
            return None
        return types.TextResourceContents(uri=URI, mime_type=MIME_TYPE, text=self._text, meta=dict(_META))


def workspace_of_images(uri: str) -> str | None:
    """The workspace whose images and icons an address names; None for another address."""
    return uri.removeprefix(_IMAGES) if uri.startswith(_IMAGES) else None
