"""The fields of nodes and edges: their names, their defaults, and how they are read and set.

Snapshots, JSON, comparison and copies use these tables; what a caller may send is in
`transform.requests.operation_fields`. Every node and edge has a hidden `birth` in addition to its fields (`diagram`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.shapes import EdgeFieldsOut, EdgeOut, NodeFieldsOut, NodeOut

Attributes = dict[str, Any]
Point = Mapping[str, float]

NODE_DEFAULTS: Mapping[str, Any] = NodeFieldsOut(
    type="other",
    label="",
    description="",
    technology="",
    notes="",
    properties={},
    position={"x": 0, "y": 0},
    size=None,
    parent=None,
    locked=False,
)
NODE_TEXTS = ("description", "technology", "notes")
"""Optional texts of a node; an empty one is absent."""
EDGE_DEFAULTS: Mapping[str, Any] = EdgeFieldsOut(
    label="", kind="sync", direction="forward", description="", properties={}, route=None
)


def set_fields(attributes: Attributes, values: Mapping[str, object]) -> None:
    """Set sparse fields in place; None removes a field, `properties.<key>` addresses one property."""
    for field, value in values.items():
        if field.startswith("properties."):
            properties = {**attributes.get("properties", {}), field[11:]: value}
            if value is None:
                del properties[field[11:]]
            _set_field(attributes, "properties", properties or None)
        else:
            _set_field(attributes, field, value)


def _set_field(attributes: Attributes, field: str, value: Any) -> None:
    if value is None:
        attributes.pop(field, None)
    else:
        attributes[field] = value


def field_of(attributes: Mapping[str, Any], field: str) -> Any:
    """Read a sparse field; None if it is absent."""
    if field.startswith("properties."):
        return attributes.get("properties", {}).get(field[11:])
    return attributes.get(field)


def without_birth(attributes: Mapping[str, object]) -> Attributes:
    """The fields of a node or edge without its birth."""
    return {field: value for field, value in attributes.items() if field != "birth"}


def node_json(node_id: NodeId, attributes: Mapping[str, object]) -> NodeOut:
    """The full JSON shape of a node, empty fields included, births left out."""
    fields = {field: attributes.get(field, empty) for field, empty in NODE_DEFAULTS.items()}
    return cast(NodeOut, {"id": node_id, **fields})


def edge_json(edge_id: EdgeId, source: NodeId, target: NodeId, attributes: Mapping[str, object]) -> EdgeOut:
    """The full JSON shape of an edge, empty fields included, births left out."""
    fields = {field: attributes.get(field, empty) for field, empty in EDGE_DEFAULTS.items()}
    return cast(EdgeOut, {"id": edge_id, "source": source, "target": target, **fields})
