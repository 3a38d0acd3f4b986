"""What the fields of operations hold: types, lengths, ranges; and the fields that several operations share.

The bodies of the REST API and the tools of models are made of them as well. A node type is a text so that an unknown
one becomes a problem with candidates; the JSON Schema names the built-in ones. Not here: the operations (`operations`),
and whether a value fits the workspace it meets (`resolvers`).
"""

from __future__ import annotations

import math
import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, WithJsonSchema

from draftsmith.model import ids
from draftsmith.model.custom_types import MAX_TYPE_NAME
from draftsmith.model.document import with_lf
from draftsmith.model.images import ADDRESS
from draftsmith.model.vocabulary import GROUP, NODE_TYPES

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


def _trim(value: str) -> str:
    """Without white space at both ends, as Unicode has it; the length is checked before, as the contract says it."""
    return value.strip(_WHITE_SPACE)


def _trimmed_name(value: str) -> str:
    if not _trim(value):
        raise ValueError("must not be empty")
    return _trim(value)


def _number(value: object) -> object:
    if isinstance(value, (bool, str)):
        raise ValueError("must be a number")
    return value


def _image_address(value: str) -> str:
    if value and ADDRESS.fullmatch(value) is None:
        raise ValueError("must be images/{sha256}.{ext} of an image that was put (png, jpg, gif, webp or svg)")
    return value


# Limits stand right behind the type: behind a validator, JSON Schema would not know them for what they are.
Coordinate = Annotated[float, Field(ge=-1e6, le=1e6), BeforeValidator(_number), AfterValidator(_finite)]
Extent = Annotated[float, Field(ge=20, le=20_000), BeforeValidator(_number), AfterValidator(_finite)]
Share = Annotated[float, Field(ge=0, le=1), BeforeValidator(_number), AfterValidator(_finite)]
NodeId = Annotated[ids.NodeId, StringConstraints(min_length=1, max_length=200)]
EdgeId = Annotated[ids.EdgeId, StringConstraints(min_length=1, max_length=200)]
NodeType = Annotated[
    str,
    StringConstraints(max_length=64),
    WithJsonSchema({"type": "string", "description": f"{' '.join(NODE_TYPES)}, or one of the workspace's own"}),
]
BaseType = Annotated[
    str,
    StringConstraints(max_length=64),
    WithJsonSchema({"type": "string", "enum": [one for one in NODE_TYPES if one != GROUP]}),
]
NodeLabel = Annotated[
    str, StringConstraints(min_length=1, max_length=120), AfterValidator(_trimmed_name), AfterValidator(_no_nul)
]
EdgeLabel = Annotated[str, StringConstraints(max_length=200), AfterValidator(_trim), AfterValidator(_no_nul)]
TypeName = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_TYPE_NAME),
    AfterValidator(_trimmed_name),
    AfterValidator(_no_nul),
]
TypeIcon = Annotated[str, StringConstraints(max_length=60), AfterValidator(_no_nul)]
Technology = Annotated[str, StringConstraints(max_length=200), AfterValidator(_no_nul)]
LongText = Annotated[str, StringConstraints(max_length=10_000), AfterValidator(_no_nul)]
ImageAddress = Annotated[str, StringConstraints(max_length=200), AfterValidator(_image_address)]
PropertyKey = Annotated[str, StringConstraints(min_length=1, max_length=64), AfterValidator(_no_nul)]
PropertyValue = Annotated[str, StringConstraints(max_length=1_000), AfterValidator(_no_nul)]
Properties = Annotated[dict[PropertyKey, PropertyValue], Field(max_length=50)]
PropertyPatch = Annotated[dict[PropertyKey, PropertyValue | None], Field(max_length=50)]
SectionPath = Annotated[str, StringConstraints(max_length=2_000)]
SectionTitle = Annotated[
    str, StringConstraints(min_length=1, max_length=300), AfterValidator(_title), AfterValidator(_no_nul)
]
Find = Annotated[str, StringConstraints(max_length=100_000)]
Markdown = Annotated[str, AfterValidator(with_lf)]
WorkspaceName = Annotated[
    str, StringConstraints(min_length=1, max_length=200), AfterValidator(_trimmed_name), AfterValidator(_no_nul)
]
Color = Literal["", "red", "orange", "yellow", "green", "teal", "blue", "violet", "pink", "grey"]
Style = Literal["", "solid", "dashed", "dotted", "bold", "muted"]
LineShape = Literal["", "straight", "curved"]
EdgeKind = Literal["sync", "async", "data", "dependency"]
Direction = Literal["forward", "both", "none"]
RouteBy = Literal["", "hand"]
Level = Annotated[int, Field(ge=1, le=6)]


class Shape(BaseModel):
    """Strict: unknown fields are refused, numbers are numbers, texts are texts."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    def given_fields(self, *names: str) -> list[str]:
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
    image: ImageAddress | None = None
    color: Color | None = None
    style: Style | None = None
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


class WholeNode(NodeParts):
    """A node of a whole diagram; an omitted field is kept, null clears."""

    custom_type: NodeId | None = None
    id: NodeId | None = None
    properties: Properties | None = None
    parent: NodeId | None = None


class TypeDefinition(Shape):
    """A type of one's own in a whole diagram, as an export has it."""

    name: TypeName
    base: BaseType
    icon: TypeIcon | None = None
    color: Color | None = None


TypeDefinitions = Annotated[dict[NodeId, TypeDefinition], Field(max_length=1_000)]


class EdgeParts(Shape):
    """Fields that a new edge and a change both take."""

    label: EdgeLabel | None = None
    kind: EdgeKind | None = None
    direction: Direction | None = None
    description: LongText | None = None
    color: Color | None = None
    style: Style | None = None
    shape: LineShape | None = None
    route: Route | None = None
    route_by: RouteBy | None = None
    label_at: Share | None = None


class EdgeFields(EdgeParts):
    """What a new edge may carry."""

    id: EdgeId | None = None
    source: NodeId
    target: NodeId
    properties: Properties | None = None


class EdgeChange(EdgeParts):
    """What may be changed of an edge beside its ends; null clears."""

    properties: PropertyPatch | None = None
