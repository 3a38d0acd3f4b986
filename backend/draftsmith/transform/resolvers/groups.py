"""Resolve operations on patterns, groups and places into steps. Not here: layouts (`layout`)."""

from __future__ import annotations

from collections.abc import Sequence

from draftsmith.errors import Value
from draftsmith.model.diagram import Diagram
from draftsmith.model.fields import LINE_LOOKS, EdgeAttributes, some_fields
from draftsmith.model.ids import NodeId
from draftsmith.model.vocabulary import GROUP, GROUP_PADDING, GROUP_TITLE
from draftsmith.transform.refusal import OperationRefused
from draftsmith.transform.requests import operations as ops
from draftsmith.transform.requests.faults import pointer
from draftsmith.transform.requests.operation_fields import NodeFields, Point
from draftsmith.transform.resolvers.checks import need_group, need_node, need_unlocked, no_edge, stands_in
from draftsmith.transform.resolvers.edges import (
    find_edge,
    need_unlocked_ends,
    put_edge,
    remove_edge,
    route_json,
)
from draftsmith.transform.resolvers.nodes import add_node, delete_nodes, lift
from draftsmith.transform.set_fields import set_edge, set_node
from draftsmith.transform.transaction import Transaction


def insert_between(tx: Transaction, op: ops.InsertBetween) -> None:
    """Insert a node between two connected ones: two edges replace the direct one."""
    direct = find_edge(tx, None, op.source, op.target, op.label)
    edge = tx.workspace.diagram.edge(direct) or {}
    kept = some_fields(edge, ("kind", "direction", *LINE_LOOKS))
    if isinstance(op.node, str):
        need_node(tx, op.node, "/node")
        if op.node in (op.source, op.target):
            raise OperationRefused("self_loop", "/node", f"'{op.node}' is an end of this edge already.")
        node_id = op.node
    else:
        fields = op.node
        if fields.parent is None and fields.near is None:
            fields = fields.model_copy(update={"parent": _group_of_both(tx.workspace.diagram, op.source, op.target)})
        node_id = add_node(tx, fields, "/node")
    label = edge.get("label", "")
    remove_edge(tx, direct)
    for source, target, given in ((op.source, node_id, op.in_label), (node_id, op.target, op.out_label)):
        text = given if given is not None else label
        fields_of_edge: EdgeAttributes = {**kept, "label": text} if text else kept
        tx.result.ids.append(put_edge(tx, source, target, fields_of_edge))


def _group_of_both(diagram: Diagram, one: NodeId, other: NodeId) -> NodeId | None:
    """The innermost group around two nodes; None for the top."""
    around = set(diagram.ancestors(other))
    return next((group for group in diagram.ancestors(one) if group in around), None)


def move_nodes(tx: Transaction, op: ops.MoveNodes) -> None:
    """Set positions, sizes and routes."""
    for node_id in dict.fromkeys([*op.positions, *(op.sizes or ())]):
        field = "positions" if node_id in op.positions else "sizes"
        place = pointer([field, node_id])
        need_node(tx, node_id, place)
        need_unlocked(tx, node_id, place)
        values: dict[str, object] = {}
        if node_id in op.positions:
            values["position"] = _point(op.positions[node_id])
            tx.new.has_place(node_id)
        if op.sizes is not None and node_id in op.sizes:
            size = op.sizes[node_id]
            values["size"] = None if size is None else {"width": size.width, "height": size.height}
        set_node(tx, node_id, values)
        tx.result.ids.append(node_id)
    for edge_id, route in (op.routes or {}).items():
        path = pointer(["routes", edge_id])
        if tx.workspace.diagram.ends(edge_id) is None:
            raise no_edge(tx.workspace.diagram, edge_id, path, tx.work)
        need_unlocked_ends(tx, edge_id, path)
        set_edge(tx, edge_id, {"route": route_json(route) if route else None})
        tx.result.ids.append(edge_id)


def group_nodes(tx: Transaction, op: ops.GroupNodes) -> None:
    """Create a group around nodes of one parent; nothing moves on screen."""
    diagram = tx.workspace.diagram
    ids = list(dict.fromkeys(op.ids))
    for place, node_id in enumerate(ids):
        need_node(tx, node_id, f"/ids/{place}")
        need_unlocked(tx, node_id, f"/ids/{place}")
    parents = {diagram.parent(node_id) for node_id in ids}
    if len(parents) > 1:
        names = ", ".join(sorted(parent or "the top" for parent in parents))
        message = f"They stand in different groups ({names}); move them first."
        raise OperationRefused(
            "different_parents", "/ids", message, (), [Value("node", node_id, "parent") for node_id in ids]
        )
    corner = _frame_corner(diagram, [node_id for node_id in ids if node_id not in tx.new.waiting])
    fields = NodeFields(
        id=op.id, type=GROUP, label=op.label, description=op.description, position=corner, parent=next(iter(parents))
    )
    group = add_node(tx, fields)
    if corner is not None:
        tx.new.frames[group] = tx.result.index
    for node_id in ids:
        lift(tx, node_id, group)
        tx.result.ids.append(node_id)


def _frame_corner(diagram: Diagram, ids: Sequence[NodeId]) -> Point | None:
    """The corner of a frame around nodes; None without any."""
    if not ids:
        return None
    left = min(diagram.position(i)["x"] for i in ids) - GROUP_PADDING
    top = min(diagram.position(i)["y"] for i in ids) - GROUP_TITLE
    return Point(x=max(left, -1e6), y=max(top, -1e6))


def ungroup_nodes(tx: Transaction, op: ops.UngroupNodes) -> None:
    """Dissolve a group; its children move to its parent and keep their position on screen."""
    need_group(tx, op.id, "/id")
    tx.result.ids.extend(tx.workspace.diagram.children(op.id))
    delete_nodes(tx, ops.DeleteNode(op="delete_node", id=op.id))


def move_to_group(tx: Transaction, op: ops.MoveToGroup) -> None:
    """Move nodes into a group, or out of every group."""
    diagram = tx.workspace.diagram
    if op.group is not None:
        need_group(tx, op.group, "/group")
        need_unlocked(tx, op.group, "/group")
    for place, node_id in enumerate(dict.fromkeys(op.ids)):
        need_node(tx, node_id, f"/ids/{place}")
        need_unlocked(tx, node_id, f"/ids/{place}")
        if op.group is not None and (node_id == op.group or node_id in diagram.ancestors(op.group)):
            message = f"'{op.group}' stands in '{node_id}'; a group cannot stand in itself."
            raise OperationRefused("containment_cycle", f"/ids/{place}", message, (), stands_in(tx, op.group, node_id))
        given = (op.positions or {}).get(node_id)
        lift(tx, node_id, op.group, None if given is None else _point(given))
        tx.result.ids.append(node_id)


def _point(point: Point) -> dict[str, float]:
    return {"x": point.x, "y": point.y}
