"""What a caller may ask: one model for each operation, as docs/operations.md lists them.

Shape only: types, lengths, ranges. Whether an operation fits the workspace it meets is judged where it is resolved
(`resolve_*`), since that can differ from one moment to the next. A node type is a text here so that an unknown one
becomes a problem with candidates; the JSON Schema lists the known ones.
"""

from __future__ import annotations

import math
import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, WithJsonSchema

from draftsmith.model import ids
from draftsmith.model.document import with_lf
from draftsmith.model.vocabulary import NODE_TYPES

_MARKS = re.compile(r"\s*#{1,6}(?:[ \t]|$)")
# What Unicode calls White_Space, as the page does: `str.strip` would take control characters away as well.
_WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError("must be a finite number")
    rounded = round(value, 2)
    return int(rounded) if rounded == int(rounded) else rounded


def _no_nul(value: str) -> str:
    if "\x00" in value:
        raise ValueError("must not hold the NUL character")
    return value


def _title(value: str) -> str:
    if "\n" in value or "\r" in value:
        raise ValueError("must be one line")
    if _MARKS.match(value):
        raise ValueError("must be the bare title, without # marks; the level is a field of its own")
    if not value.strip():
        raise ValueError("must not be empty")
    return value.strip()


def _trimmed(value: str) -> str:
    """Without white space at both ends, as Unicode has it; the length is checked before, as the contract says it."""
    return value.strip(_WHITE_SPACE)


def _trimmed_name(value: str) -> str:
    if not _trimmed(value):
        raise ValueError("must not be empty")
    return _trimmed(value)


def _number(value: object) -> object:
    if isinstance(value, (bool, str)):
        raise ValueError("must be a number")
    return value


Coordinate = Annotated[float, BeforeValidator(_number), Field(ge=-1e6, le=1e6), AfterValidator(_finite)]
Extent = Annotated[float, BeforeValidator(_number), Field(ge=20, le=20_000), AfterValidator(_finite)]
NodeId = Annotated[ids.NodeId, StringConstraints(min_length=1, max_length=200)]
EdgeId = Annotated[ids.EdgeId, StringConstraints(min_length=1, max_length=200)]
NodeType = Annotated[
    str, StringConstraints(max_length=64), WithJsonSchema({"type": "string", "enum": list(NODE_TYPES)})
]
NodeLabel = Annotated[
    str, StringConstraints(min_length=1, max_length=120), AfterValidator(_trimmed_name), AfterValidator(_no_nul)
]
EdgeLabel = Annotated[str, StringConstraints(max_length=200), AfterValidator(_trimmed), AfterValidator(_no_nul)]
Technology = Annotated[str, StringConstraints(max_length=200), AfterValidator(_no_nul)]
LongText = Annotated[str, StringConstraints(max_length=10_000), AfterValidator(_no_nul)]
PropertyKey = Annotated[str, StringConstraints(min_length=1, max_length=64), AfterValidator(_no_nul)]
PropertyValue = Annotated[str, StringConstraints(max_length=1_000), AfterValidator(_no_nul)]
Properties = Annotated[dict[PropertyKey, PropertyValue], Field(max_length=50)]
PropertyPatch = Annotated[dict[PropertyKey, PropertyValue | None], Field(max_length=50)]
SectionPath = Annotated[str, StringConstraints(max_length=2_000)]
SectionTitle = Annotated[
    str, StringConstraints(min_length=1, max_length=300), AfterValidator(_title), AfterValidator(_no_nul)
]
Markdown = Annotated[str, AfterValidator(with_lf)]
WorkspaceName = Annotated[
    str, StringConstraints(min_length=1, max_length=200), AfterValidator(_trimmed_name), AfterValidator(_no_nul)
]
EdgeKind = Literal["sync", "async", "data", "dependency"]
Direction = Literal["forward", "both", "none"]
Level = Annotated[int, Field(ge=1, le=6)]


class Shape(BaseModel):
    """Strict: unknown fields are refused, numbers are numbers, texts are texts."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    def given(self, *names: str) -> list[str]:
        """Which of some fields were given, null included, in that order."""
        return [name for name in names if name in self.model_fields_set]


class Point(Shape):
    """Top left corner in pixels, relative to the parent's."""

    x: Coordinate
    y: Coordinate


class Size(Shape):
    """Width and height in pixels."""

    width: Extent
    height: Extent


Route = Annotated[list[Point], Field(max_length=100)]
NodeIds = Annotated[list[NodeId], Field(min_length=1, max_length=500)]


class NodeParts(Shape):
    """Fields that a new node, a change and a node of a whole diagram all take; a new one needs type and label."""

    type: NodeType | None = None
    label: NodeLabel | None = None
    description: LongText | None = None
    technology: Technology | None = None
    notes: LongText | None = None
    position: Point | None = None
    size: Size | None = None
    locked: bool | None = None


class NodeFields(NodeParts):
    """What a new node may carry."""

    type: NodeType
    label: NodeLabel
    id: NodeId | None = None
    properties: Properties | None = None
    near: NodeId | None = None
    parent: NodeId | None = None


class NodeChange(NodeParts):
    """What may be changed of a node; null clears."""

    properties: PropertyPatch | None = None


class AddNode(NodeFields):
    """Add a node."""

    op: Literal["add_node"]


class UpdateNode(NodeChange):
    """Change the given fields of a node; null clears."""

    op: Literal["update_node"]
    id: NodeId


class DeleteNode(Shape):
    """Delete a node and its edges."""

    op: Literal["delete_node"]
    id: NodeId
    bridge: bool = False
    children: Literal["up", "delete"] = "up"


class DeleteNodes(Shape):
    """Delete several nodes and their edges."""

    op: Literal["delete_nodes"]
    ids: NodeIds
    bridge: bool = False
    children: Literal["up", "delete"] = "up"


class MoveNodes(Shape):
    """Set places, sizes and routes."""

    op: Literal["move_nodes"]
    positions: Annotated[dict[NodeId, Point], Field(max_length=10_000)]
    sizes: Annotated[dict[NodeId, Size | None], Field(max_length=10_000)] | None = None
    routes: Annotated[dict[EdgeId, Route | None], Field(max_length=20_000)] | None = None


class EdgeParts(Shape):
    """Fields that a new edge and a change both take."""

    label: EdgeLabel | None = None
    kind: EdgeKind | None = None
    direction: Direction | None = None
    description: LongText | None = None
    route: Route | None = None


class EdgeFields(EdgeParts):
    """What a new edge may carry."""

    id: EdgeId | None = None
    source: NodeId
    target: NodeId
    properties: Properties | None = None


class EdgeChange(EdgeParts):
    """What may be changed of an edge beside its ends; null clears."""

    properties: PropertyPatch | None = None


class AddEdge(EdgeFields):
    """Connect two nodes."""

    op: Literal["add_edge"]


class UpdateEdge(EdgeChange):
    """Change the given fields of an edge; null clears."""

    op: Literal["update_edge"]
    id: EdgeId | None = None
    source: NodeId | None = None
    target: NodeId | None = None
    current_label: EdgeLabel | None = None


class DeleteEdge(Shape):
    """Delete an edge."""

    op: Literal["delete_edge"]
    id: EdgeId | None = None
    source: NodeId | None = None
    target: NodeId | None = None
    label: EdgeLabel | None = None


class RewireEdge(Shape):
    """Let an edge begin or end elsewhere."""

    op: Literal["rewire_edge"]
    id: EdgeId | None = None
    source: NodeId | None = None
    target: NodeId | None = None
    label: EdgeLabel | None = None
    new_source: NodeId | None = None
    new_target: NodeId | None = None


class InsertBetween(Shape):
    """Put a node between two that are connected; the direct edge goes."""

    op: Literal["insert_between"]
    source: NodeId
    target: NodeId
    label: EdgeLabel | None = None
    node: NodeId | NodeFields
    in_label: EdgeLabel | None = None
    out_label: EdgeLabel | None = None


class GroupNodes(Shape):
    """Put nodes into a new group."""

    op: Literal["group_nodes"]
    id: NodeId | None = None
    label: NodeLabel
    ids: NodeIds
    description: LongText | None = None


class UngroupNodes(Shape):
    """Dissolve a group; its children stay where they are on screen."""

    op: Literal["ungroup_nodes"]
    id: NodeId


class MoveToGroup(Shape):
    """Move nodes into a group, or out of every group with null."""

    op: Literal["move_to_group"]
    ids: NodeIds
    group: NodeId | None
    positions: Annotated[dict[NodeId, Point], Field(max_length=500)] | None = None


class LayoutDiagram(Shape):
    """Lay out what is new, everything, or some nodes."""

    op: Literal["layout_diagram"]
    scope: Literal["new", "all", "ids"]
    ids: NodeIds | None = None


class EditSection(Shape):
    """Replace a quoted text in a section."""

    op: Literal["edit_section"]
    section: SectionPath
    find: str
    replace: Markdown
    all: bool = False


class ReplaceSection(Shape):
    """Replace a section's text below its heading."""

    op: Literal["replace_section"]
    section: SectionPath
    text: Markdown
    scope: Literal["body", "subtree"] = "body"


class AppendToSection(Shape):
    """Add to the end of a section's own text."""

    op: Literal["append_to_section"]
    section: SectionPath
    text: Markdown


class InsertSection(Shape):
    """Add a section."""

    op: Literal["insert_section"]
    title: SectionTitle
    text: Markdown | None = None
    before: SectionPath | None = None
    after: SectionPath | None = None
    into: SectionPath | None = None
    level: Level | None = None


class DeleteSection(Shape):
    """Delete a section with its subsections."""

    op: Literal["delete_section"]
    section: SectionPath


class MoveSection(Shape):
    """Move a section with its subsections; levels shift with it."""

    op: Literal["move_section"]
    section: SectionPath
    before: SectionPath | None = None
    after: SectionPath | None = None
    into: SectionPath | None = None


class RenameSection(Shape):
    """Change a section's heading."""

    op: Literal["rename_section"]
    section: SectionPath
    title: SectionTitle


class EditText(Shape):
    """Apply a ChangeSet made against a revision."""

    op: Literal["edit_text"]
    changes: list[Any]
    base_revision: Annotated[int, Field(ge=0)]


class WholeNode(NodeParts):
    """A node of a whole diagram; an omitted field is kept, null clears."""

    id: NodeId | None = None
    properties: Properties | None = None
    parent: NodeId | None = None


class ReplaceDiagram(Shape):
    """Make the diagram be this one; compared with what is there."""

    op: Literal["replace_diagram"]
    nodes: Annotated[list[WholeNode], Field(max_length=100_000)]
    edges: Annotated[list[EdgeFields], Field(max_length=200_000)]


class ReplaceDocument(Shape):
    """Make the document be this text; compared with what is there."""

    op: Literal["replace_document"]
    text: str
    eol: Literal["lf", "crlf", "mixed"] | None = None


class RenameWorkspace(Shape):
    """Give the workspace another name."""

    op: Literal["rename_workspace"]
    name: WorkspaceName


Operation = Annotated[
    AddNode
    | UpdateNode
    | DeleteNode
    | DeleteNodes
    | MoveNodes
    | AddEdge
    | UpdateEdge
    | DeleteEdge
    | RewireEdge
    | InsertBetween
    | GroupNodes
    | UngroupNodes
    | MoveToGroup
    | LayoutDiagram
    | EditSection
    | ReplaceSection
    | AppendToSection
    | InsertSection
    | DeleteSection
    | MoveSection
    | RenameSection
    | EditText
    | ReplaceDiagram
    | ReplaceDocument
    | RenameWorkspace,
    Field(discriminator="op"),
]
WHOLE_STATE = frozenset({"replace_diagram", "replace_document", "move_nodes"})
