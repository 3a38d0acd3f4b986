"""Resolve operations on nodes into steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from draftsmith.errors import Existence, Value
from draftsmith.model.custom_types import type_id_for
from draftsmith.model.fields import (
    LINE_LOOKS,
    NODE_TEXTS,
    EdgeAttributes,
    NodeAttributes,
    size_for,
    some_fields,
    without_birth,
    written_on,
)
from draftsmith.model.ids import NodeId, is_id, slug, unique
from draftsmith.model.vocabulary import ANNOTATIONS, GROUP, GROUP_PADDING, GROUP_TITLE
from draftsmith.transform import costs
from draftsmith.transform.placement.placement import coordinate
from draftsmith.transform.refusal import OperationRefused
from draftsmith.transform.requests import operations as ops
from draftsmith.transform.requests.operation_fields import NodeFields, Point, Size
from draftsmith.transform.resolvers.checks import (
    need_group,
    need_node,
    need_unlocked,
    property_values,
)
from draftsmith.transform.resolvers.custom_types import ChosenType, chosen_type
from draftsmith.transform.resolvers.edges import put_edge, remove_edge
from draftsmith.transform.set_fields import set_node
from draftsmith.transform.steps.node import InsertNode, RemoveNode
from draftsmith.transform.transaction import Transaction


def add_node(
    tx: Transaction,
    op: NodeFields,
    path: str = "",
    *,
    is_of_whole: bool = False,
) -> NodeId:
    """Add a node with an id and a parent; return the id. Without a position it waits for its place (`tx.new`).

    `is_of_whole`: it is one of a whole diagram, whose caller has checked the limit on nodes, and which is as it says: a
    note or text without a size has none. Of any other one the size is made from what is written on it.
    """
    node_id = _new_id(tx, op, path)
    chosen = chosen_type(tx, op.type, f"{path}/type")
    if op.locked and not tx.by_person:
        raise OperationRefused("lock_forbidden", f"{path}/locked", "Only a person may lock or unlock.")
    if not is_of_whole and tx.workspace.diagram.node_count >= tx.limits.nodes:
        raise OperationRefused("limit_nodes", path, f"The workspace may hold {tx.limits.nodes:,} nodes.")
    if op.near is not None:
        near = need_node(tx, op.near, f"{path}/near")
    parent = op.parent if op.parent is not None else (near.get("parent") if op.near is not None else None)
    birth = None
    if parent is not None:
        birth = need_group(tx, parent, f"{path}/parent")["birth"]
        need_unlocked(tx, parent, f"{path}/parent")
    fields = _fields(op, chosen)
    if chosen.base in ANNOTATIONS and op.size is None and not is_of_whole:
        fields["size"] = size_for(chosen.base, written_on(fields))
    fields["position"] = tx.new.spot() if op.position is None else _point(op.position)
    if parent is not None:
        fields["parent"] = parent
    tx.do(InsertNode(node_id, tx.revision, fields, birth))
    if op.position is None:
        tx.new.wait(node_id, tx.result.index, op.near)
    tx.result.ids.append(node_id)
    return node_id


def _new_id(tx: Transaction, op: NodeFields, path: str) -> NodeId:
    diagram = tx.workspace.diagram
    if op.id is None:
        base = slug(op.label)
        return (
            NodeId(unique(base, diagram))
            if base
            else _numbered_id(tx, op.type if is_id(op.type) else type_id_for(op.type))
        )
    if not is_id(op.id):
        near = slug(op.id)
        message = f"'{op.id[:80]}' is no id: lower-case letters, digits, '_' and '-', at most 64, starting with one."
        raise OperationRefused("id_invalid", f"{path}/id", message, (near,) if near else ())
    if op.id in diagram:
        message = f"There is a node '{op.id}' already; use update_node, or leave the id out."
        raise OperationRefused(
            "node_exists", f"{path}/id", message, (unique(op.id, diagram),), [Existence("node", op.id)]
        )
    return op.id


def _numbered_id(tx: Transaction, kind: str) -> NodeId:
    number = 1
    while f"{kind}-{number}" in tx.workspace.diagram:
        number += 1
    return NodeId(f"{kind}-{number}")


def _fields(op: NodeFields, chosen: ChosenType) -> NodeAttributes:
    optional = {name: value for name in (*NODE_TEXTS, "locked") if (value := getattr(op, name))}
    fields = cast(NodeAttributes, {"type": chosen.base, "label": op.label, **optional})
    if chosen.custom is not None:
        fields["custom_type"] = chosen.custom
    if op.properties:
        fields["properties"] = dict(op.properties)
    if op.size is not None:
        fields["size"] = _size(op.size)
    return fields


def update_node(tx: Transaction, op: ops.UpdateNode) -> None:
    """Set the given fields of a node."""
    node = need_node(tx, op.id, "/id")
    _check_lock_change(tx, op, node)
    values: dict[str, object] = {}
    for name in op.given_fields("type", "label", *NODE_TEXTS, "position", "size", "locked"):
        value = getattr(op, name)
        if value is None and name in ("type", "label", "position", "locked"):
            raise OperationRefused("field_invalid", f"/{name}", f"'{name}' cannot be cleared.")
        values[name] = _json_value(value) or None
    if op.type is not None:
        chosen = chosen_type(tx, op.type, "/type")
        values |= {"type": chosen.base, "custom_type": chosen.custom}
        if chosen.base != GROUP and node["type"] == GROUP and tx.workspace.diagram.has_children(op.id):
            message = f"'{op.id}' is a group with children; ungroup it, or move them, first."
            inside = [Value("node", child, "parent") for child in tx.workspace.diagram.children(op.id)]
            raise OperationRefused("group_not_empty", "/type", message, (), inside)
    if op.given_fields("properties"):
        values |= property_values(node, op.properties)
    if op.position is not None:
        tx.new.has_place(op.id)
    set_node(tx, op.id, values)
    tx.result.ids.append(op.id)


def _check_lock_change(tx: Transaction, op: ops.UpdateNode, node: NodeAttributes) -> None:
    changes_lock = "locked" in op.model_fields_set and bool(op.locked) != bool(node.get("locked"))
    if changes_lock and not tx.by_person:
        raise OperationRefused("lock_forbidden", "/locked", "Only a person may lock or unlock.")
    if changes_lock and node.get("locked"):  # unlocking, possibly with other changes
        outer = node.get("parent")
        if outer is not None:
            need_unlocked(tx, outer, "/id")
        return
    need_unlocked(tx, op.id, "/id")


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


def _bridges(tx: Transaction, doomed: Iterable[NodeId]) -> list[tuple[NodeId, NodeId, EdgeAttributes]]:
    """Edges from predecessors of deleted nodes to successors reached through these, labelled as the last edge."""
    diagram = tx.workspace.diagram
    gone = set(doomed)
    entered: dict[NodeId, list[NodeId]] = {}  # predecessor → deleted nodes that it points to
    for node_id in sorted(gone):
        for source in diagram.incoming(node_id):
            if source not in gone:
                entered.setdefault(source, []).append(node_id)
    found: dict[tuple[NodeId, NodeId], EdgeAttributes] = {}
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
                found.setdefault((source, target), some_fields(attributes, ("label", "kind", "direction", *LINE_LOOKS)))
        if len(found) > tx.limits.edges:
            raise OperationRefused(
                "limit_edges", "", f"The workspace may hold {tx.limits.edges:,} edges; bridges need more."
            )
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
    """Move a node into another group; without a position it keeps its place on screen, if it has one already."""
    diagram = tx.workspace.diagram
    node = diagram[node_id]
    if position is not None:
        tx.new.has_place(node_id)
        set_node(tx, node_id, {"parent": parent, "position": dict(position)})
        return
    if node_id not in tx.new.waiting and any(group in tx.new.waiting for group in diagram.ancestors(node_id)):
        tx.new.wait(node_id, tx.result.index)
    if node_id in tx.new.waiting:
        set_node(tx, node_id, {"parent": parent, "position": tx.new.spot()}, stays=True)
        return
    old = diagram.origin_of(node.get("parent"))
    x, y = node["position"]["x"] + old[0], node["position"]["y"] + old[1]
    if parent is not None:
        _frame(tx, parent, (x, y))
    new = diagram.origin_of(parent)
    place = {"x": coordinate(x - new[0]), "y": coordinate(y - new[1])}
    set_node(tx, node_id, {"parent": parent, "position": place}, stays=True)


def _frame(tx: Transaction, group: NodeId, place: tuple[float, float]) -> None:
    """Put groups that wait for their place around a place on screen; they are fitted when the batch ends."""
    diagram = tx.workspace.diagram
    waiting = [one for one in (group, *diagram.ancestors(group)) if one in tx.new.waiting]
    for number, one in reversed(list(enumerate(waiting, 1))):
        origin = diagram.origin_of(diagram.parent(one))
        x, y = place[0] - number * GROUP_PADDING - origin[0], place[1] - number * GROUP_TITLE - origin[1]
        tx.new.frames[one] = tx.new.waiting.pop(one)
        set_node(tx, one, {"position": {"x": coordinate(x), "y": coordinate(y)}})


def _point(point: Point) -> dict[str, float]:
    return {"x": point.x, "y": point.y}


def _size(size: Size) -> dict[str, float]:
    return {"width": size.width, "height": size.height}


def _json_value(value: Any) -> Any:
    if isinstance(value, Point):
        return _point(value)
    return _size(value) if isinstance(value, Size) else value
