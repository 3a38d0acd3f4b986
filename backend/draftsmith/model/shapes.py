"""The JSON shapes of a workspace's parts in answers: every field is present, empty ones too, but those of own types.

Types only. OpenAPI and the page's types are generated from them, and mypy checks the functions that build them. Types,
kinds and directions are plain strings here, because a newer server may know more of them. Not here: what may be written
(`transform.requests.operation_fields`), and what is stored (`workspace.dump`).
"""

from __future__ import annotations

from typing import (
    Any,
    Literal,
    NotRequired,  # pydantic supports no other before Python 3.12
)

from typing_extensions import TypedDict

from draftsmith.model.custom_types import CustomType
from draftsmith.model.ids import EdgeId, NodeId


class PointOut(TypedDict):
    """Pixels."""

    x: float
    y: float


class SizeOut(TypedDict):
    """Pixels."""

    width: float
    height: float


class NodeFieldsOut(TypedDict):
    """What a node has beside its id; `custom_type` only where it has one, then `type` is what that is based on."""

    type: str
    custom_type: NotRequired[str]
    label: str
    description: str
    technology: str
    notes: str
    image: str
    color: str
    style: str
    properties: dict[str, str]
    position: PointOut
    size: SizeOut | None
    parent: NodeId | None
    locked: bool


class NodeOut(NodeFieldsOut):
    """A node."""

    id: NodeId


class EdgeFieldsOut(TypedDict):
    """What an edge has beside its id and its ends."""

    label: str
    kind: str
    direction: str
    description: str
    color: str
    style: str
    shape: str
    properties: dict[str, str]
    route: list[PointOut] | None
    route_by: str | None
    label_at: float | None


class EdgeOut(EdgeFieldsOut):
    """An edge."""

    id: EdgeId
    source: NodeId
    target: NodeId


class DiagramOut(TypedDict):
    """Nodes and edges, oldest first, those of one commit by id; `types` of its own by id, only where there are any."""

    nodes: list[NodeOut]
    edges: list[EdgeOut]
    types: NotRequired[dict[str, CustomType]]


class DocumentOut(TypedDict):
    """Text with LF line ends, and the line ends it came with."""

    text: str
    eol: Literal["lf", "crlf", "mixed"]


class ExportedImageOut(TypedDict):
    """An image in an export: its media type, and its bytes in base 64."""

    type: str
    data: str


class ExportOut(TypedDict):
    """The lossless export form; `images` by their SHA-256, where they were asked for and there are any."""

    format: Literal["draftsmith/1"]
    name: str
    diagram: dict[str, Any]
    document: DocumentOut
    images: NotRequired[dict[str, ExportedImageOut]]
