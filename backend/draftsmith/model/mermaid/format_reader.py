"""Mermaid as a format that is read (`model.readers`): a file is a set by itself and becomes one workspace."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from draftsmith.model.fields import SparseDiagram
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.mermaid.reader import from_mermaid
from draftsmith.model.readers.alone import head_of, sets_of, text_of
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, SourceSet, UnreadableSource, UnreadPart

__all__ = ["read", "recognizes", "sets_of"]

_LOOKED_AT: Final = 4_096
_OWN_ENDINGS: Final = (".mmd", ".mermaid")
_FLOWCHART: Final = re.compile(r"\s*(?:%%[^\n]*\n\s*)*(?:flowchart|graph)(?:-elk|-v2)?(?:[\s;]|\Z)")


def recognizes(file: SourceFile) -> bool:
    """Whether it is called as Mermaid is, whatever chart it holds, or begins as a flowchart does."""
    return file.path.lower().endswith(_OWN_ENDINGS) or _FLOWCHART.match(head_of(file, _LOOKED_AT)) is not None


def read(sources: SourceSet) -> Sequence[ReadWorkspace]:
    """Read a flowchart.

    Raises:
        UnreadableSource: it is another kind of chart, or nothing of it can be read.
    """
    path = sources.root.path
    found = from_mermaid(text_of(sources.root), is_placed=False)
    if found.fault is not None:
        raise UnreadableSource(found.fault.reason, path, found.fault.line)
    unread = [UnreadPart(path, f"line {one.line}", one.text, one.reason) for one in found.unread]
    return [ReadWorkspace("", found.diagram, unread=unread, sources=own_ids(found.diagram), flow=found.direction)]


def own_ids(diagram: SparseDiagram) -> Mapping[NodeId | EdgeId, str]:
    """The ids of nodes as what the source calls them, where whoever wrote it gave them."""
    return {node["id"]: node["id"] for node in diagram["nodes"]}
