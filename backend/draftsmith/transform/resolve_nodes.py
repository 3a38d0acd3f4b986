"""Resolve operations on nodes into steps."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

from draftsmith.errors import Existence, Value
from draftsmith.model.fields import NODE_TEXTS, field_of, without_birth
from draftsmith.model.ids import NodeId, is_id, slug, unique
from draftsmith.model.vocabulary import GROUP, NODE_HEIGHT, NODE_WIDTH
from draftsmith.transform import costs
from draftsmith.transform import operations as ops
from draftsmith.transform.checks import (
    check_property_count,
    check_type,
    need_group,
    need_node,
    need_unlocked,
    property_values,
)
from draftsmith.transform.operation_fields import NodeFields, Point, Size
from draftsmith.transform.placement import coordinate, free_place
from draftsmith.transform.refusal import Refused
from draftsmith.transform.resolve_edges import put_edge, remove_edge, set_edge
from draftsmith.transform.steps_node import InsertNode, RemoveNode, SetNode
from draftsmith.transform.transaction import Transaction


def add_node(
    tx: Transaction,
    op: NodeFields,
    path: str = "",
    beside: Sequence[NodeId] = (),
    *,
    is_counted: bool = True,
    waits_at: Mapping[str, float] | None = None,
) -> NodeId:
    """Add a node with an id, a position (near `near`, else beside the given nodes) and a parent; return the id.

    `is_counted`: whether the limit on nodes is checked here, and not by the caller for all nodes. `waits_at`: where it
    stands until the caller finds it a position.
    """
    node_id = _new_id(tx, op, path)
    check_type(op.type, f"{path}/type")
    if op.locked and not tx.by_person:
        raise Refused("lock_forbidden", f"{path}/locked", "Only a person may lock or unlock.")
    if is_counted and tx.workspace.diagram.node_count >= tx.limits.nodes:
        raise Refused("limit_nodes", path, f"The workspace may hold {tx.limits.nodes:,} nodes.")
    if op.near is not None:
        near = need_node(tx, op.near, f"{path}/near")
    parent = op.parent if op.parent is not None else (near.get("parent") if op.near is not None else None)
    birth = None
    if parent is not None:
        birth = need_group(tx, parent, f"{path}/parent")["birth"]
        need_unlocked(tx, parent, f"{path}/parent")
    fields = _fields(op)
    if op.position is not None:
        fields["position"] = _point(op.position)
    elif waits_at is not None:
        fields["position"] = dict(waits_at)
    else:
        others = [op.near] if op.near is not None else [*beside, *tx.neighbours.get(node_id, ())]
        fields["position"] = place_beside(tx, others, parent, _drawn(op.size))
    if parent is not None:
        fields["parent"] = parent
    tx.do(InsertNode(node_id, tx.revision, fields, birth))
    if op.position is None:
        tx.unplaced.append(node_id)
    tx.result.ids.append(node_id)
    return node_id


def _new_id(tx: Transaction, op: NodeFields, path: str) -> NodeId:
    diagram = tx.workspace.diagram
    if op.id is None:
        base = slug(op.label)
        return NodeId(unique(base, diagram)) if base else _numbered(tx, op.type)
    if not is_id(op.id):
        near = slug(op.id)
        message = f"'{op.id[:80]}' is no id: lower-case letters, digits, '_' and '-', at most 64, starting with one."
        raise Refused("id_invalid", f"{path}/id", message, (near,) if near else ())
    if op.id in diagram:
        message = f"There is a node '{op.id}' already; use update_node, or leave the id out."
        raise Refused("node_exists", f"{path}/id", message, (unique(op.id, diagram),), [Existence("node", op.id)])
    return op.id


def _numbered(tx: Transaction, kind: str) -> NodeId:
    number = 1
    while f"{kind}-{number}" in tx.workspace.diagram:
        number += 1
    return NodeId(f"{kind}-{number}")


def _fields(op: NodeFields) -> dict[str, Any]:
    fields: dict[str, Any] = {"type": op.type, "label": op.label}
    for name in (*NODE_TEXTS, "locked"):
        value = getattr(op, name)
        if value:
            fields[name] = value
    if op.properties:
        fields["properties"] = dict(op.properties)
    if op.size is not None:
        fields["size"] = _size(op.size)
    return fields


def place_beside(
    tx: Transaction,
    others: Sequence[NodeId],
    parent: NodeId | None,
    size: tuple[float, float],
    besides: Container[NodeId] = (),
    *,
    goes_below: bool = False,
) -> dict[str, float]:
    """The first free position beside the first of `others` that has a position, else beside the newest in the group.

    `besides` have no position yet: they are neither anchors nor obstacles. `goes_below`: no free place is looked for,
    the position is below everything.
    """
    diagram = tx.workspace.diagram
    anchor = None
    for other in [*others, diagram.newest_child(parent, besides)]:
        if other is not None and other in diagram and other not in besides and other != parent:
            anchor = _corner_beside(tx, other, parent)
            break
    if parent is not None:
        tx.work.spend(10 * diagram.child_count(parent), costs.PLACES)
    x, y = free_place(diagram, parent, anchor, size, besides, work=tx.work, goes_below=goes_below)
    return {"x": coordinate(x), "y": coordinate(y)}


def _drawn(size: Size | None) -> tuple[float, float]:
    return (NODE_WIDTH, NODE_HEIGHT) if size is None else (size.width, size.height)


def _corner_beside(tx: Transaction, other: NodeId, parent: NodeId | None) -> tuple[float, float]:
    """Right of a node, in coordinates of `parent`; for a node of another group, right of that group."""
    diagram = tx.workspace.diagram
    chain = [other, *diagram.ancestors(other)]
    sibling = next((i for i in chain if diagram.parent(i) == parent), other)
    node = diagram[sibling]
    frame, target = diagram.origin_of(node.get("parent")), diagram.origin_of(parent)
    width, _ = diagram.size_of(sibling)
    x = node["position"]["x"] + frame[0] - target[0]
    y = node["position"]["y"] + frame[1] - target[1]
    return x + width + 80, y


def update_node(tx: Transaction, op: ops.UpdateNode) -> None:
    """Set the given fields of a node."""
    node = need_node(tx, op.id, "/id")
    _check_lock_change(tx, op, node)
    values: dict[str, Any] = {}
    for name in op.given("type", "label", *NODE_TEXTS, "position", "size", "locked"):
        value = getattr(op, name)
        if value is None and name in ("type", "label", "position", "locked"):
            raise Refused("field_invalid", f"/{name}", f"'{name}' cannot be cleared.")
        values[name] = _json_value(value) or None
    if op.type is not None:
        check_type(op.type, "/type")
        if op.type != GROUP and node["type"] == GROUP and tx.workspace.diagram.has_children(op.id):
            message = f"'{op.id}' is a group with children; ungroup it, or move them, first."
            inside = [Value("node", child, "parent") for child in tx.workspace.diagram.children(op.id)]
            raise Refused("group_not_empty", "/type", message, (), inside)
    if op.given("properties"):
        values |= property_values(node, op.properties)
    set_node(tx, op.id, values)
    tx.result.ids.append(op.id)


def _check_lock_change(tx: Transaction, op: ops.UpdateNode, node: Mapping[str, Any]) -> None:
    changes_lock = "locked" in op.model_fields_set and bool(op.locked) != bool(node.get("locked"))
    if changes_lock and not tx.by_person:
        raise Refused("lock_forbidden", "/locked", "Only a person may lock or unlock.")
    if changes_lock and node.get("locked"):  # unlocking, possibly with other changes
        outer = node.get("parent")
        if outer is not None:
            need_unlocked(tx, outer, "/id")
        return
    need_unlocked(tx, op.id, "/id")


def set_node(tx: Transaction, node_id: NodeId, values: Mapping[str, Any], *, stays: bool = False) -> None:
    """Set fields that differ. Routes at nodes that move on screen are dropped; `stays`: nothing moves on screen."""
    diagram = tx.workspace.diagram
    node = diagram[node_id]
    pairs = {field: (field_of(node, field), value) for field, value in values.items() if field_of(node, field) != value}
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


def delete_nodes(tx: Transaction, op: ops.DeleteNode | ops.DeleteNodes) -> None:
    """Delete nodes: first move up or delete children, then delete edges and nodes, then add bridges."""
    diagram = tx.workspace.diagram
    single = isinstance(op, ops.DeleteNode)
    wanted = [op.id] if isinstance(op, ops.DeleteNode) else list(dict.fromkeys(op.ids))
    for place, node_id in enumerate(wanted):
        path = "/id" if single else f"/ids/{place}"
        need_node(tx, node_id, path)
        need_unlocked(tx, node_id, path)
    doomed = dict.fromkeys(wanted)
    if op.children == "delete":
        doomed = dict.fromkeys(inner for node_id in wanted for inner in diagram.subtree(node_id))
    for node_id in doomed:
        need_unlocked(tx, node_id, "")
    bridges = _bridges(tx, doomed) if op.bridge else []
    for node_id in sorted(doomed, key=lambda one: -sum(1 for _ in diagram.ancestors(one))):
        _delete_one(tx, node_id, doomed)
    for source, target, fields in bridges:
        if diagram.equal_edge(source, target, fields.get("label", ""), fields.get("kind", "sync")) is None:
            tx.result.ids.append(put_edge(tx, source, target, fields))


def _bridges(tx: Transaction, doomed: Iterable[NodeId]) -> list[tuple[NodeId, NodeId, dict[str, Any]]]:
    """Edges from predecessors of deleted nodes to successors reached through these, labelled as the last edge."""
    diagram = tx.workspace.diagram
    gone = set(doomed)
    entered: dict[NodeId, list[NodeId]] = {}  # predecessor → deleted nodes that it points to
    for node_id in sorted(gone):
        for source in diagram.incoming(node_id):
            if source not in gone:
                entered.setdefault(source, []).append(node_id)
    found: dict[tuple[NodeId, NodeId], dict[str, Any]] = {}
    for source in sorted(entered):
        inside = dict.fromkeys(entered[source])
        walk = list(inside)
        for node_id in walk:  # grows during the iteration
            tx.work.spend(costs.PARALLEL_EDGE * (1 + 2 * len(diagram.outgoing(node_id))), costs.BRIDGES)
            further = [target for target in diagram.outgoing(node_id) if target in gone and target not in inside]
            inside.update(dict.fromkeys(further))
            walk.extend(further)
        ways = sorted(
            (target, key, attributes)
            for node_id in inside
            for target, between in diagram.outgoing(node_id).items()
            for key, attributes in between.items()
            if target not in gone
        )
        for target, _, attributes in ways:
            if source != target:
                kept: dict[str, Any] = {f: attributes[f] for f in ("label", "kind", "direction") if f in attributes}
                found.setdefault((source, target), kept)
        if len(found) > tx.limits.edges:
            raise Refused("limit_edges", "", f"The workspace may hold {tx.limits.edges:,} edges; bridges need more.")
    return [(source, target, fields) for (source, target), fields in found.items()]


def _delete_one(tx: Transaction, node_id: NodeId, doomed: Mapping[NodeId, None]) -> None:
    diagram = tx.workspace.diagram
    for child in diagram.children(node_id):
        if child not in doomed:
            need_unlocked(tx, child, "")
            lift(tx, child, diagram.parent(node_id))
    for edge_id in dict.fromkeys(diagram.edges_at(node_id)):
        remove_edge(tx, edge_id)
    fields = without_birth(diagram[node_id])
    tx.do(RemoveNode(node_id, diagram.birth(node_id), fields, diagram.group_birth(fields.get("parent"))))
    tx.result.removed.append(node_id)


def lift(tx: Transaction, node_id: NodeId, parent: NodeId | None, position: Mapping[str, float] | None = None) -> None:
    """Move a node into another group; without a position it keeps its place on screen."""
    diagram = tx.workspace.diagram
    node = diagram[node_id]
    if position is not None:
        set_node(tx, node_id, {"parent": parent, "position": dict(position)})
        return
    old, new = diagram.origin_of(node.get("parent")), diagram.origin_of(parent)
    x, y = node["position"]["x"] + old[0] - new[0], node["position"]["y"] + old[1] - new[1]
    set_node(tx, node_id, {"parent": parent, "position": {"x": coordinate(x), "y": coordinate(y)}}, stays=True)


def _point(point: Point) -> dict[str, float]:
    return {"x": point.x, "y": point.y}


def _size(size: Size) -> dict[str, float]:
    return {"width": size.width, "height": size.height}


def _json_value(value: Any) -> Any:
    if isinstance(value, Point):
        return _point(value)
    return _size(value) if isinstance(value, Size) else value
