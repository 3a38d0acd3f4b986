"""What a caller may ask: one model for each operation, as docs/operations.md lists them.

Shape only; what fields may hold is in `operation_fields`. Whether an operation fits the workspace it meets is judged
where it is resolved (`resolvers`), since that can differ from one moment to the next.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from draftsmith.transform.requests.operation_fields import (
    BaseType,
    Color,
    EdgeChange,
    EdgeFields,
    EdgeId,
    EdgeLabel,
    Find,
    Level,
    LongText,
    Markdown,
    NodeChange,
    NodeFields,
    NodeId,
    NodeIds,
    NodeLabel,
    Point,
    Route,
    SectionPath,
    SectionTitle,
    Shape,
    Size,
    TypeDefinitions,
    TypeIcon,
    TypeName,
    WholeNode,
    WorkspaceName,
)


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
    redraw: bool = False


class EditSection(Shape):
    """Replace a quoted text in a section."""

    op: Literal["edit_section"]
    section: SectionPath
    find: Find
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


class DefineType(Shape):
    """Add a type of one's own, or replace it."""

    op: Literal["define_type"]
    id: NodeId | None = None
    label: TypeName
    type: BaseType
    technology: TypeIcon | None = None
    color: Color | None = None


class DeleteType(Shape):
    """Delete a type of one's own; its nodes are of its base then."""

    op: Literal["delete_type"]
    id: NodeId


class ReplaceDiagram(Shape):
    """Make the diagram be this one; compared with what is there."""

    op: Literal["replace_diagram"]
    nodes: Annotated[list[WholeNode], Field(max_length=100_000)]
    edges: Annotated[list[EdgeFields], Field(max_length=200_000)]
    types: TypeDefinitions | None = None


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
    | DefineType
    | DeleteType
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
