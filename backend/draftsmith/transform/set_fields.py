"""Set fields of nodes and edges in a transaction, by steps that hold the old values as well.

Resolvers and the search for places use it. Not here: whether an operation may set them (`checks`).
"""

from __future__ import annotations

from collections.abc import Mapping

from draftsmith.model.fields import EdgeAttributes, NodeAttributes, field_of
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.transform import costs
from draftsmith.transform.refusal import OperationRefused
from draftsmith.transform.steps.base import Pair
from draftsmith.transform.steps.edge import SetEdge
from draftsmith.transform.steps.node import SetNode
from draftsmith.transform.transaction import Transaction


def set_node(tx: Transaction, node_id: NodeId, values: Mapping[str, object], *, stays: bool = False) -> None:
    """Set fields that differ. Routes at nodes that move on screen are dropped; `stays`: nothing moves on screen."""
    diagram = tx.workspace.diagram
    node = diagram[node_id]
    pairs: dict[str, Pair] = {
        field: (field_of(node, field), value) for field, value in values.items() if field_of(node, field) != value
    }
    if not pairs:
        return
    check_property_count(node, pairs)
    parents: tuple[int | None, int | None] = (None, None)
    if "parent" in pairs:
        old, new = pairs["parent"]
        parents = diagram.group_birth(old), diagram.group_birth(new)
    tx.do(SetNode(node_id, node["birth"], pairs, parents))
    if not stays and not pairs.keys().isdisjoint(("parent", "position")):
        _drop_routes(tx, node_id)


def _drop_routes(tx: Transaction, node_id: NodeId) -> None:
    """Drop the routes of edges at a moved node and its descendants."""
    diagram = tx.workspace.diagram
    inside = diagram.subtree(node_id)
    tx.work.spend(50 * (len(inside) - 1), costs.STEPS)
    for moved in inside:
        for edge_id in diagram.edges_at(moved):
            if "route" in (diagram.edge(edge_id) or ()):
                set_edge(tx, edge_id, {"route": None})


def set_edge(tx: Transaction, edge_id: EdgeId, values: Mapping[str, object]) -> None:
    """Set the fields of an edge that differ; not its ends."""
    edge = tx.workspace.diagram.edge(edge_id) or {}
    pairs = {field: (field_of(edge, field), value) for field, value in values.items() if field_of(edge, field) != value}
    if pairs:
        check_property_count(edge, pairs)
        tx.do(SetEdge(edge_id, edge["birth"], pairs))


def check_property_count(attributes: NodeAttributes | EdgeAttributes, pairs: Mapping[str, Pair]) -> None:
    """Refuse more properties than a node or edge may hold."""
    growth = sum(
        (new is not None) - (old is not None) for f, (old, new) in pairs.items() if f.startswith("properties.")
    )
    if growth > 0 and len(attributes.get("properties", {})) + growth > 50:
        raise OperationRefused("field_invalid", "/properties", "A node or edge holds at most 50 properties.")
