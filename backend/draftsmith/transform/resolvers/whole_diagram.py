"""Resolves `replace_diagram`: compares a whole diagram with the current one, so that only differences become steps.

The steps are ordered so that every valid diagram can be reached: unlock; nodes that become groups, new nodes, moves
from the outermost group inwards, fields, edges, removals, groups that become plain nodes, locks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from draftsmith.errors import Value
from draftsmith.model.fields import NODE_TEXTS, Point, field_of
from draftsmith.model.ids import NodeId, slug
from draftsmith.model.vocabulary import GROUP
from draftsmith.transform import costs
from draftsmith.transform.refusal import OperationRefused
from draftsmith.transform.requests import operations as ops
from draftsmith.transform.requests.operation_fields import NodeFields, Shape, WholeNode
from draftsmith.transform.resolvers.checks import (
    need_group,
    need_node,
    need_unlocked,
    property_values,
    stands_in,
)
from draftsmith.transform.resolvers.custom_types import replace_types, with_types
from draftsmith.transform.resolvers.names import with_ids_of_list
from draftsmith.transform.resolvers.nodes import add_node, delete_nodes, lift
from draftsmith.transform.resolvers.whole_edges import replace_edges
from draftsmith.transform.set_fields import set_node
from draftsmith.transform.transaction import Transaction

Wanted = dict[NodeId, tuple[str, WholeNode]]  # by id: where it stands in the request, and what it should be


def replace_diagram(tx: Transaction, op: ops.ReplaceDiagram) -> None:
    """Replace the diagram."""
    tx.work.spend(costs.STEP * (len(op.nodes) + len(op.edges)), costs.STEPS)
    wanted, edges = with_ids_of_list(tx, _with_ids(op.nodes), op.edges)
    _check_limits(tx, op, wanted)
    if op.types is not None:
        replace_types(tx, op.types)
    wanted = {node_id: (path, with_types(tx, node_id, node, path)) for node_id, (path, node) in wanted.items()}
    order = _outermost_first(tx, wanted)
    _unlock(tx, wanted, order)
    for node_id in order:
        _become_group(tx, node_id, *wanted[node_id])
    new = [node_id for node_id in order if node_id not in tx.workspace.diagram]
    made = set(new)
    for node_id in new:
        _add(tx, node_id, *wanted[node_id])
    for node_id in order:
        if node_id not in made:
            _move_and_set(tx, node_id, *wanted[node_id])
    replace_edges(tx, edges)
    gone = sorted(node_id for node_id in tx.workspace.diagram.node_ids() if node_id not in wanted)
    if gone:
        delete_nodes(tx, ops.DeleteNodes.model_construct(op="delete_nodes", ids=gone, bridge=False, children="up"))
    for node_id in order:
        _stop_being_group(tx, node_id, *wanted[node_id])
    _lock(tx, wanted, order)


def _with_ids(nodes: Sequence[WholeNode]) -> Wanted:
    wanted: Wanted = {}
    for place, node in enumerate(nodes):
        node_id = node.id if node.id is not None else NodeId(slug(node.label or ""))
        if not node_id:
            raise OperationRefused("field_missing", f"/nodes/{place}/id", "Give an id, or a label to make one from.")
        if node_id in wanted:
            raise OperationRefused("node_exists", f"/nodes/{place}/id", f"'{node_id}' stands in the list twice.")
        wanted[node_id] = (f"/nodes/{place}", node)
    return wanted


def _check_limits(tx: Transaction, op: ops.ReplaceDiagram, wanted: Wanted) -> None:
    diagram, limits = tx.workspace.diagram, tx.limits
    if limits.nodes < len(wanted) > diagram.node_count:
        raise OperationRefused("limit_nodes", "/nodes", f"The workspace may hold {limits.nodes:,} nodes.")
    if limits.edges < len(op.edges) > diagram.edge_count:
        raise OperationRefused("limit_edges", "/edges", f"The workspace may hold {limits.edges:,} edges.")


def _outermost_first(tx: Transaction, wanted: Wanted) -> list[NodeId]:
    """All wanted nodes, every group before its future children."""
    diagram = tx.workspace.diagram
    parents: dict[NodeId, NodeId | None] = {}
    for node_id, (_, node) in wanted.items():
        if "parent" in node.model_fields_set or node_id not in diagram:
            parents[node_id] = node.parent
        else:
            parents[node_id] = diagram.parent(node_id)
    ordered: dict[NodeId, None] = {}
    for start in wanted:
        chain: dict[NodeId, None] = {}
        current: NodeId | None = start
        while current is not None and current in wanted and current not in ordered:
            if current in chain:
                path = f"{wanted[current][0]}/parent"
                raise OperationRefused("containment_cycle", path, f"The group '{current}' would stand in itself.")
            chain[current] = None
            current = parents[current]
        ordered.update(dict.fromkeys(reversed(chain)))
    return list(ordered)


def _unlock(tx: Transaction, wanted: Wanted, order: Sequence[NodeId]) -> None:
    for node_id in order:
        path, node = wanted[node_id]
        now = tx.workspace.diagram.node(node_id)
        is_locked = now is not None and bool(now.get("locked"))
        if "locked" in node.model_fields_set and bool(node.locked) != is_locked:
            if not tx.by_person:
                raise OperationRefused("lock_forbidden", f"{path}/locked", "Only a person may lock or unlock.")
            if is_locked and now is not None:
                if now.get("parent") is not None:
                    need_unlocked(tx, now["parent"], path)
                set_node(tx, node_id, {"locked": None})
                tx.result.ids.append(node_id)


def _lock(tx: Transaction, wanted: Wanted, order: Sequence[NodeId]) -> None:
    """Innermost first, since a group's lock covers what stands in it."""
    for node_id in reversed(order):
        if wanted[node_id][1].locked and not tx.workspace.diagram[node_id].get("locked"):
            set_node(tx, node_id, {"locked": True})
            tx.result.ids.append(node_id)


def _become_group(tx: Transaction, node_id: NodeId, path: str, node: WholeNode) -> None:
    now = tx.workspace.diagram.node(node_id)
    if now is not None and node.type == GROUP != now["type"]:
        need_unlocked(tx, node_id, path)
        set_node(tx, node_id, {"type": GROUP})
        tx.result.ids.append(node_id)


def _stop_being_group(tx: Transaction, node_id: NodeId, path: str, node: WholeNode) -> None:
    now = tx.workspace.diagram[node_id]
    if node.type is not None and now["type"] == GROUP != node.type:
        if tx.workspace.diagram.has_children(node_id):
            inside = [Value("node", child, "parent") for child in tx.workspace.diagram.children(node_id)]
            raise OperationRefused(
                "group_not_empty", f"{path}/type", f"'{node_id}' is a group with children.", (), inside
            )
        need_unlocked(tx, node_id, path)
        set_node(tx, node_id, {"type": node.type})
        tx.result.ids.append(node_id)


def _add(tx: Transaction, node_id: NodeId, path: str, node: WholeNode) -> None:
    """Add a node."""
    for name in ("type", "label"):
        if getattr(node, name) is None:
            raise OperationRefused("field_missing", f"{path}/{name}", f"The new node '{node_id}' needs a {name}.")
    given: dict[str, Any] = {name: getattr(node, name, None) for name in NodeFields.model_fields}
    given |= {"id": node_id, "type": node.custom_type or node.type, "locked": None}
    fields = NodeFields.model_construct(_fields_set=None, **given)
    add_node(tx, fields, path, is_of_whole=True)


def _move_and_set(tx: Transaction, node_id: NodeId, path: str, node: WholeNode) -> None:
    """Set parent and fields of a node. A group's other type and locks are set elsewhere.

    Omitted fields are kept, and properties replaced as a whole. Null clears, but type, label and position are kept.
    """
    now = need_node(tx, node_id, path)
    values: dict[str, object] = {}
    for name in node.given_fields("type", "custom_type", "label", *NODE_TEXTS, "position", "size"):
        value = getattr(node, name)
        if (value is None and name in ("type", "label", "position")) or (name == "type" and now["type"] == GROUP):
            continue
        values[name] = value.model_dump() if isinstance(value, Shape) else value or None
    if "properties" in node.model_fields_set:
        values |= property_values(now, None) | property_values(now, node.properties or {})
    moves = "parent" in node.model_fields_set and node.parent != now.get("parent")
    if not moves and not any(field_of(now, name) != value for name, value in values.items()):
        return
    need_unlocked(tx, node_id, path)
    if moves:
        lift(
            tx,
            node_id,
            _checked_parent(tx, node_id, node.parent, path),
            cast(Point | None, values.pop("position", None)),
        )
    elif "position" in values:
        tx.new.has_place(node_id)
    set_node(tx, node_id, values)
    tx.result.ids.append(node_id)


def _checked_parent(tx: Transaction, node_id: NodeId, parent: NodeId | None, path: str) -> NodeId | None:
    if parent is None:
        return None
    need_group(tx, parent, f"{path}/parent")
    need_unlocked(tx, parent, f"{path}/parent")
    if node_id == parent or node_id in tx.workspace.diagram.ancestors(parent):
        about = stands_in(tx, parent, node_id)
        raise OperationRefused("containment_cycle", f"{path}/parent", f"'{parent}' stands in '{node_id}'.", (), about)
    return parent
