"""Set fields of nodes and edges in a transaction, by steps that hold the old values as well.

Resolvers and the search for places use it. Not here: whether an operation may set them (`checks`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from draftsmith.model.fields import EdgeAttributes, NodeAttributes, Point, field_of
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.routes import HAND, has_hand_route
from draftsmith.transform import costs
from draftsmith.transform.refusal import OperationRefused
from draftsmith.transform.steps.base import Pair
from draftsmith.transform.steps.edge import SetEdge
from draftsmith.transform.steps.node import SetNode
from draftsmith.transform.transaction import Transaction


def set_node(tx: Transaction, node_id: NodeId, values: Mapping[str, object], *, stays: bool = False) -> None:
    """Set fields that differ. Routes at nodes that move on screen are dropped, or noted if they are by hand.

    `stays`: nothing moves on screen, unless the node waits for its place.
    """
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
    is_moved = not pairs.keys().isdisjoint(("parent", "position"))
    if is_moved and (not stays or node_id in tx.new.waiting):
        tx.moving.note_node(diagram, node_id)
    tx.do(SetNode(node_id, node["birth"], pairs, parents))
    if not stays and is_moved:
        drop_routes(tx, node_id)


def drop_routes(tx: Transaction, node_id: NodeId) -> None:
    """Drop the routes of edges at a moved node and its descendants; those by hand stay (`keep_routes`)."""
    diagram = tx.workspace.diagram
    inside = diagram.subtree(node_id)
    tx.work.spend(50 * (len(inside) - 1), costs.STEPS)
    for moved in inside:
        for edge_id in diagram.edges_at(moved):
            edge = diagram.edge(edge_id) or {}
            if "route" in edge and not has_hand_route(edge):
                set_edge(tx, edge_id, {"route": None})


def keep_routes(tx: Transaction) -> None:
    """Let the routes by hand follow their ends, after an operation has moved some."""
    for edge_id, route in tx.moving.take(tx.workspace.diagram):
        set_hand_route(tx, edge_id, route)
        tx.kept_routes[edge_id] = tx.result.index


def set_hand_route(tx: Transaction, edge_id: EdgeId, route: Sequence[Point]) -> None:
    """Set the route of an edge whose route stays one by hand."""
    set_edge(tx, edge_id, {"route": route, "route_by": HAND})


def set_edge(tx: Transaction, edge_id: EdgeId, values: Mapping[str, object]) -> None:
    """Set the fields of an edge that differ; not its ends. A route is by hand only if `values` say so."""
    edge = tx.workspace.diagram.edge(edge_id) or {}
    values = with_route_by(values)
    if "route" in values:
        tx.moving.forget(edge_id)
    pairs = {field: (field_of(edge, field), value) for field, value in values.items() if field_of(edge, field) != value}
    if pairs:
        check_property_count(edge, pairs)
        tx.do(SetEdge(edge_id, edge["birth"], pairs))


def with_route_by(values: Mapping[str, object]) -> Mapping[str, object]:
    """The values, with which a new route is no longer by hand unless they say so."""
    return {"route_by": None, **values} if "route" in values else values


def check_property_count(attributes: NodeAttributes | EdgeAttributes, pairs: Mapping[str, Pair]) -> None:
    """Refuse more properties than a node or edge may hold."""
    growth = sum(
        (new is not None) - (old is not None) for f, (old, new) in pairs.items() if f.startswith("properties.")
    )
    if growth > 0 and len(attributes.get("properties", {})) + growth > 50:
        raise OperationRefused("field_invalid", "/properties", "A node or edge holds at most 50 properties.")
