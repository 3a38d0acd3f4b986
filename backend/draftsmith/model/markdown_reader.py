"""Markdown as a format that is read (`model.readers`): text is the document, its first flowchart the diagram too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from draftsmith.model.markdown_import import from_markdown
from draftsmith.model.mermaid.format_reader import own_ids
from draftsmith.model.readers.alone import sets_of, text_of
from draftsmith.model.readers.document_room import reason_against_reading
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, SourceSet, UnreadableSource, UnreadPart

__all__ = ["read", "recognizes", "sets_of"]

_LOOKED_AT: Final = 65_536


def recognizes(file: SourceFile) -> bool:
    """Whether it is called as Markdown is and is a text: every text is Markdown."""
    return b"\x00" not in file.content[:_LOOKED_AT]


def read(sources: SourceSet) -> Sequence[ReadWorkspace]:
    """Read a document.

    Raises:
        UnreadableSource: it is not UTF-8, or is beyond a bound.
    """
    path = sources.root.path
    text = text_of(sources.root)
    if reason := reason_against_reading(text):
        raise UnreadableSource(reason, path)
    found = from_markdown(text)
    diagram, document = found.get("diagram"), found.get("document")
    diagram = diagram or {"nodes": [], "edges": []}
    return [
        ReadWorkspace(
            found.get("name", ""),
            diagram,
            document["text"] if document else "",
            [UnreadPart(path, f"line {one['line']}", one["text"], one["reason"]) for one in found["unread"]],
            own_ids(diagram),
            flow=found.get("flow", "right"),
        )
    ]
