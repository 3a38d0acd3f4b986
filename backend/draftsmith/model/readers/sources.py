"""What a node or an edge was read from, kept with it as a property, so that a second import recognizes it.

The property `source_id` is `reader:file#id`: the format, the name of the file that the set is called after, and what
the source itself calls the thing. People see it, may clear it, and it is exported and undone like any other property.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeVar, cast

from draftsmith.model.fields import SparseDiagram, SparseEdge, SparseNode
from draftsmith.model.readers.limits import MAX_PROPERTIES, MAX_SOURCE
from draftsmith.model.readers.reading import ReadWorkspace
from draftsmith.model.shapes import EdgeOut, NodeOut

Element = TypeVar("Element", SparseNode, SparseEdge)
Shape = TypeVar("Shape", NodeOut, EdgeOut)
SOURCE: Final = "source_id"
"""The property."""
_MAX_FILE: Final = 200


@dataclass(frozen=True, slots=True)
class SourceMark:
    """What something was read from.

    Attributes:
        reader: the name of the format.
        file: the name of the file, without folders.
        id: what the source calls it.
    """

    reader: str
    file: str
    id: str

    def __str__(self) -> str:
        return f"{self.reader}:{self.file}#{self.id}"


def mark_of(properties: Mapping[str, str]) -> SourceMark | None:
    """The mark among the properties of a node or an edge; None if there is none."""
    reader, colon, rest = properties.get(SOURCE, "").partition(":")
    file, hash_, source_id = rest.partition("#")
    return SourceMark(reader, file, source_id) if colon and hash_ and source_id else None


def with_marks(found: ReadWorkspace, reader: str, path: str) -> SparseDiagram:
    """The diagram that was read, with a mark on what the source names for good.

    An edge that the source does not name is known by its ends, where it names these. Something that is named like
    another one gets no mark.

    Args:
        found: as read; it is not changed.
        reader: the name of the format.
        path: of the root of the set.
    """
    file = path.rpartition("/")[2].replace("#", "_")[:_MAX_FILE]
    sources = cast(Mapping[str, str], found.sources)
    of_nodes: dict[str, str] = {node["id"]: sources.get(node["id"], "") for node in found.diagram["nodes"]}
    of_edges: dict[str, str] = {
        edge["id"]: sources.get(edge["id"]) or _by_ends(edge, of_nodes) for edge in found.diagram["edges"]
    }
    marks = (_marks(of_nodes, reader, file), _marks(of_edges, reader, file))
    marked: SparseDiagram = {
        "nodes": [_with_mark(node, marks[0].get(node["id"])) for node in found.diagram["nodes"]],
        "edges": [_with_mark(edge, marks[1].get(edge["id"])) for edge in found.diagram["edges"]],
    }
    return {**found.diagram, **marked}


def _by_ends(edge: SparseEdge, of_nodes: Mapping[str, str]) -> str:
    """What an edge is called by the names of its ends, its kind and its label; empty if an end has none."""
    source, target = of_nodes.get(edge["source"], ""), of_nodes.get(edge["target"], "")
    if not (source and target):
        return ""
    return f"{source} > {target} {edge.get('kind', 'sync')} {edge.get('label', '')}".rstrip()


def _marks(names: Mapping[str, str], reader: str, file: str) -> dict[str, SourceMark]:
    """The marks of what has a name of its own."""
    counts = Counter(names.values())
    return {
        one: SourceMark(reader, file, name)
        for one, name in names.items()
        if name and counts[name] == 1 and len(name) <= MAX_SOURCE
    }


def _with_mark(element: Element, mark: SourceMark | None) -> Element:
    if mark is None:
        return element  # which may carry one already: exports do
    given: Mapping[str, str] = element.get("properties", {})
    kept = [(key, value) for key, value in given.items() if key != SOURCE][: MAX_PROPERTIES - 1]
    return cast(Element, {**element, "properties": {**dict(kept), SOURCE: str(mark)}})


def without_mark(shape: Shape) -> Shape:
    """The JSON form of a node or an edge for models, whom the mark tells nothing."""
    if SOURCE not in shape["properties"]:
        return shape
    properties = {key: value for key, value in shape["properties"].items() if key != SOURCE}
    return cast(Shape, {**shape, "properties": properties})
