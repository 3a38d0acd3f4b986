"""What an agent has been shown of a workspace, and at which revision: its marks.

A mark is a short text that names one thing, with the revision at which it was shown. Later showings replace earlier
ones. What was never shown has no mark. Marks of sections go by their paths, so a section that was renamed or moved
counts as not shown. Not here: which changes need them (`fence`).

There are marks for the lines of all nodes (`LINES`, each with its outgoing edges) and for the whole document (`TEXT`);
for one line, for a node with everything about it and its edges, for one edge, for one field; for the own text of a
section with its heading, and for what one commit changed in the document.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from draftsmith.model.markdown.sections import Outline, Section

LINES: Final = "lines"
TEXT: Final = "text"

Marks = Mapping[str, int]
"""Revision by mark."""


def line_mark(node_id: str) -> str:
    """The mark of a node's line."""
    return _mark("line", node_id)


def node_mark(node_id: str) -> str:
    """The mark of a whole node."""
    return _mark("node", node_id)


def edge_mark(edge_id: str) -> str:
    """The mark of a whole edge."""
    return _mark("edge", edge_id)


def field_mark(part: str, key: str, field: str) -> str:
    """The mark of one field of a node or an edge."""
    return _mark("field", part, key, field)


def commit_mark(revision: int) -> str:
    """The mark of what a commit changed in the document."""
    return _mark("commit", str(revision))


def section_marks(outline: Outline) -> Iterator[tuple[Section | None, str]]:
    """Each section with its mark, and first (None) the text before the first heading.

    Sections with equal paths are told apart by their order.
    """
    yield None, _mark("section", "0", "")
    counted = Counter[str]()
    for section in outline.sections:
        path = outline.path(section)
        yield section, _mark("section", str(counted[path]), path)
        counted[path] += 1


def _mark(kind: str, *names: str) -> str:
    """A letter for the kind and a hash, so that the store holds nothing of what is in a workspace."""
    text = "\x00".join([kind, *names])
    return kind[0] + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def is_of_section(mark: str) -> bool:
    """Whether a mark is that of a section, or of what a commit changed in the document."""
    return mark[0] in "sc"
