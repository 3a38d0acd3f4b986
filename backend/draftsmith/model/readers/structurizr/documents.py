"""The documentation and decisions of a Structurizr workspace as one document, with their images.

Pages stand behind one another as they are; those of an element begin with its name. AsciiDoc is not read.
"""

from __future__ import annotations

from draftsmith.model.limits import WorkspaceLimits
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
    most = WorkspaceLimits().document_chars
    length = sum(len(part) + 1 for part in parts)
    for page in model.documents:
        text = _page_text(page, model, images)
        if length + len(text) + 1 > most:
            model.list_unread(page.file, "", "", f"a document has at most {most:,} characters")
        else:
            length += len(text) + 1
            parts.append(text)
    return "\n".join(parts)


def _page_text(page: C4Document, model: C4Model, images: KeptImages) -> str:
    def aim_of(address: str) -> str | None:
        path = path_from(page.file, address)
        return images.address(path, model.files[path]) if path in model.files else None

    text = page.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    text = lead_links(text.strip("\n"), aim_of)
    if page.of is not None and not text.startswith("# "):
        text = f"# {' '.join(page.of.name.split())}\n\n{text}"
    return f"{text}\n"
