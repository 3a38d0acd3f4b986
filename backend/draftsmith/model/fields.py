"""The fields of nodes and edges: their names, their defaults, and how they are read and set.

Snapshots, JSON, comparison and copies use these tables; what a caller may send is in
`transform.requests.operation_fields`. Every node and edge has a hidden `birth` in addition to its fields (`diagram`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import Any, Final, NotRequired, TypedDict, TypeVar, cast

from draftsmith.model.custom_types import CustomTypes
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.shapes import EdgeFieldsOut, EdgeOut, NodeFieldsOut, NodeOut

Point = Mapping[str, float]


class SparseNodeFields(TypedDict, total=False):
    """The fields of a node that are not empty."""

    type: str
    custom_type: str
    label: str
    description: str
    technology: str
    notes: str
    image: str
    color: str
    style: str
    properties: Mapping[str, str]
    position: Point
    size: Mapping[str, float]
    parent: NodeId
    locked: bool


class NodeAttributes(SparseNodeFields, total=False):
    """What a diagram holds of a node."""

    birth: int


class SparseNode(SparseNodeFields, total=False):
    """A node in export form."""

    id: NodeId


class SparseEdgeFields(TypedDict, total=False):
    """The fields of an edge that are not empty."""

    label: str
    kind: str
    direction: str
    description: str
    color: str
    style: str
    shape: str
    properties: Mapping[str, str]
    route: Sequence[Point]
    route_by: str
    label_at: float


class EdgeAttributes(SparseEdgeFields, total=False):
    """What a diagram holds of an edge."""

    birth: int


class SparseEdge(SparseEdgeFields, total=False):
    """An edge in export form."""

    id: EdgeId
    source: NodeId
    target: NodeId


class SparseDiagram(TypedDict):
    """A diagram in export form; `types` only where it has types of its own."""

    nodes: list[SparseNode]
    edges: list[SparseEdge]
    types: NotRequired[CustomTypes]


Stored = TypeVar("Stored", NodeAttributes, EdgeAttributes)

ORIGIN: Final[Point] = {"x": 0, "y": 0}
"""The position of a node that has none."""
NODE_DEFAULTS: Final[Mapping[str, object]] = NodeFieldsOut(
    type="other",
    label="",
    description="",
    technology="",
    notes="",
    image="",
    color="",
    style="",
    properties={},
    position={"x": 0, "y": 0},
    size=None,
    parent=None,
    locked=False,
)
NODE_FIELDS: Final = (*NODE_DEFAULTS, "custom_type")
"""Every field of a node. A custom type has no empty value: only nodes that have one say so."""
LOOKS = ("color", "style")
"""What is drawn otherwise than usual, of nodes and edges; an empty one is absent."""
LINE_LOOKS = (*LOOKS, "shape")
"""Those of an edge."""
NODE_TEXTS = ("description", "technology", "notes", "image", *LOOKS)
"""Optional texts of a node; an empty one is absent."""
EDGE_DEFAULTS: Final[Mapping[str, object]] = EdgeFieldsOut(
    label="",
    kind="sync",
    direction="forward",
    description="",
    color="",
    style="",
    shape="",
    properties={},
    route=None,
    route_by=None,
    label_at=None,
)
EDGE_TEXTS = ("description", *LINE_LOOKS)
"""Optional texts of an edge beside its label; an empty one is absent."""

DRAWN_FIELDS: Final = frozenset({"position", "size", "route", "route_by", "label_at"})
"""Fields that say where something is drawn, and not what it is."""


def set_fields(attributes: SparseNodeFields | SparseEdgeFields, values: Mapping[str, object]) -> None:
    """Set sparse fields in place; None removes a field, `properties.<key>` addresses one property."""
    fields = cast(dict[str, object], attributes)
    for field, value in values.items():
        if field.startswith("properties."):
            properties = {**attributes.get("properties", {}), field[11:]: value}
            if value is None:
                del properties[field[11:]]
            _set_field(fields, "properties", properties or None)
        else:
            _set_field(fields, field, value)


def _set_field(attributes: dict[str, object], field: str, value: object) -> None:
    if value is None:
        attributes.pop(field, None)
    else:
        attributes[field] = value


def field_of(attributes: SparseNodeFields | SparseEdgeFields, field: str) -> Any:
    """Read a sparse field; None if it is absent."""
    if field.startswith("properties."):
        return attributes.get("properties", {}).get(field[11:])
    return attributes.get(field)


def without_birth(attributes: Stored) -> Stored:
    """The fields of a node or edge without its birth."""
    return cast(Stored, {field: value for field, value in attributes.items() if field != "birth"})


def some_fields(attributes: Stored, names: Iterable[str]) -> Stored:
    """Those of the named fields that are not empty, in the order of the names."""
    stored = cast(Mapping[str, object], attributes)
    return cast(Stored, {field: stored[field] for field in names if field in stored})


def node_json(node_id: NodeId, attributes: SparseNodeFields) -> NodeOut:
    """The full JSON shape of a node, empty fields included, births left out; a custom type only where it has one."""
    fields = {field: attributes.get(field, empty) for field, empty in NODE_DEFAULTS.items()}
    custom = {"custom_type": attributes["custom_type"]} if "custom_type" in attributes else {}
    return cast(NodeOut, {"id": node_id, **fields, **custom})


def edge_json(edge_id: EdgeId, source: NodeId, target: NodeId, attributes: SparseEdgeFields) -> EdgeOut:
    """The full JSON shape of an edge, empty fields included, births left out."""
    fields = {field: attributes.get(field, empty) for field, empty in EDGE_DEFAULTS.items()}
    return cast(EdgeOut, {"id": edge_id, "source": source, "target": target, **fields})


def shorten_to(text: str, length: int) -> str:
    """A text that a field of so many characters can hold: itself, or its beginning with an ellipsis."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


# What is written on a note or a text is its label and, in the lines below, its description: a subject and a body, as
# in a commit message. So it has a name wherever nodes have one.
_LONGEST_LABEL: Final = 120
_MOST_ROWS: Final = 600
_NOTE_COLUMNS, _TEXT_COLUMNS = 24, 40
"""Letters in a row, for letters as wide as most."""
_LETTER, _ROW = 8, 20
_NOTE_PADDING, _TEXT_PADDING = 24, 20


def written_on(node: SparseNodeFields) -> str:
    """The text that is drawn on a note or text."""
    label, description = node.get("label", ""), node.get("description", "")
    return f"{label}\n{description}" if description else label


def split_text(text: str) -> tuple[str, str]:
    """Label and description for a text: its first line, broken between words where it is too long, and the rest."""
    first, *others = text.strip().split("\n")
    if len(first) > _LONGEST_LABEL:
        blank = first.rfind(" ", 1, _LONGEST_LABEL + 1)
        end = blank if blank > 0 else _LONGEST_LABEL
        first, others = first[:end], [first[end:].strip(), *others]
    return first.rstrip(), "\n".join(others)


def size_for(node_type: str, text: str, width: float | None = None) -> dict[str, float]:
    """A size in which a text is likely to have room on a note or as a text; how wide its letters are is not known.

    `width`: of a note, or the most of a text, in place of the usual one.
    """
    lines = text.split("\n")
    is_note = node_type == "note"
    columns, padding = (_NOTE_COLUMNS, _NOTE_PADDING) if is_note else (_TEXT_COLUMNS, _TEXT_PADDING)
    if width is not None:
        columns = max(1, int((width - padding) // _LETTER))
    widest = columns if is_note else min(max(6, *map(len, lines)), columns)
    rows = min(sum(max(1, ceil(len(line) / columns)) for line in lines), _MOST_ROWS)
    return {"width": widest * _LETTER + padding, "height": max(rows * _ROW + padding, 72 if is_note else 40)}
