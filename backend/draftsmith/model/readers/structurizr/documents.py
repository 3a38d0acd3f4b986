"""The documentation and decisions of a Structurizr workspace as one document, with their images.

Pages stand behind one another as they are; those of an element begin with its name. AsciiDoc is not read.
"""

from __future__ import annotations

from draftsmith.model.readers.document_room import DocumentRoom
from draftsmith.model.readers.images import KeptImages
from draftsmith.model.readers.links import lead_links
from draftsmith.model.readers.paths import path_from
from draftsmith.model.readers.structurizr.c4 import C4Document, C4Model


def document_of(model: C4Model, images: KeptImages) -> str:
    """The description of the workspace and all pages, as far as there is room; the images that they show are kept."""
    parts = []
    if model.description:
        title = " ".join(model.name.split()) or "Workspace"
        parts.append(f"# {title}\n\n{model.description.strip()}\n".replace("\x00", ""))
    room = DocumentRoom()
    for part in parts:
        room.take(part)
    for page in model.documents:
        text = _page_text(page)
        reason = room.reason_against(text)  # before it is read
        if not reason:
            text = _with_images(page, text, model, images)
            reason = room.reason_against(text)
        if reason:
            model.list_unread(page.file, "", "", reason)
        else:
            room.take(text)
            parts.append(text)
    return "\n".join(parts)


def _page_text(page: C4Document) -> str:
    text = page.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    text = text.strip("\n")
    if page.of is not None and not text.startswith("# "):
        text = f"# {' '.join(page.of.name.split())}\n\n{text}"
    return f"{text}\n"


def _with_images(page: C4Document, text: str, model: C4Model, images: KeptImages) -> str:
    """The text of a page with links to the images that came along."""

    def aim_of(address: str) -> str | None:
        path = path_from(page.file, address)
        return images.address(path, model.files[path]) if path in model.files else None

    return lead_links(text, aim_of)
