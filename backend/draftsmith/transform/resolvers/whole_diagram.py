"""Resolves `replace_diagram`: compares a whole diagram with the current one, so that only differences become steps.

The steps are ordered so that every valid diagram can be reached: unlock; nodes that become groups, new nodes, moves
from the outermost group inwards, fields, edges, removals, groups that become plain nodes, locks. An edge is matched by
id, else by ends, label and kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from draftsmith.errors import Value
from draftsmith.model.fields import (
    EDGE_DEFAULTS,
    EDGE_TEXTS,
    NODE_TEXTS,
    EdgeAttributes,
    Point,
    field_of,
    set_fields,
    without_birth,
)
from draftsmith.model.ids import EdgeId, NodeId, slug
from draftsmith.model.vocabulary import GROUP
from draftsmith.transform import costs
from draftsmith.transform.refusal import OperationRefused
from draftsmith.transform.requests import operations as ops
from draftsmith.transform.requests.operation_fields import EdgeFields, NodeFields, Shape, WholeNode
from draftsmith.transform.resolvers.checks import (
    need_group,
    need_node,
    need_unlocked,
    property_values,
    stands_in,
)
from draftsmith.transform.resolvers.custom_types import replace_types, with_types
from draftsmith.transform.resolvers.edges import (
    add_edge,
    drawn_values,
    move_ends,
    need_unlocked_ends,
    put_edge,
    remove_edge,
)
from draftsmith.transform.resolvers.names import with_ids_of_list
from draftsmith.transform.resolvers.nodes import add_node, delete_nodes, lift
from draftsmith.transform.set_fields import set_node, with_route_by
from draftsmith.transform.transaction import Transaction

_Identity = tuple[NodeId, NodeId, str, str]  # source, target, label, kind

_Wanted = dict[NodeId, tuple[str, WholeNode]]  # by id: where it stands in the request, and what it should be


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
    _replace_edges(tx, edges)
    gone = sorted(node_id for node_id in tx.workspace.diagram.node_ids() if node_id not in wanted)
    if gone:
        delete_nodes(tx, ops.DeleteNodes.model_construct(op="delete_nodes", ids=gone, bridge=False, children="up"))
    for node_id in order:
        _stop_being_group(tx, node_id, *wanted[node_id])
    _lock(tx, wanted, order)


def _with_ids(nodes: Sequence[WholeNode]) -> _Wanted:
    wanted: _Wanted = {}
    for place, node in enumerate(nodes):
        node_id = node.id if node.id is not None else NodeId(slug(node.label or ""))
        if not node_id:
            raise OperationRefused("field_missing", f"/nodes/{place}/id", "Give an id, or a label to make one from.")
        if node_id in wanted:
            raise OperationRefused("node_exists", f"/nodes/{place}/id", f"'{node_id}' stands in the list twice.")
        wanted[node_id] = (f"/nodes/{place}", node)
    return wanted


def _check_limits(tx: Transaction, op: ops.ReplaceDiagram, wanted: _Wanted) -> None:
    diagram, limits = tx.workspace.diagram, tx.limits
    if limits.nodes < len(wanted) > diagram.node_count:
        raise OperationRefused("limit_nodes", "/nodes", f"The workspace may hold {limits.nodes:,} nodes.")
    if limits.edges < len(op.edges) > diagram.edge_count:
        raise OperationRefused("limit_edges", "/edges", f"The workspace may hold {limits.edges:,} edges.")


def _outermost_first(tx: Transaction, wanted: _Wanted) -> list[NodeId]:
    """Return all wanted nodes, every group before its future children."""
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


def _unlock(tx: Transaction, wanted: _Wanted, order: Sequence[NodeId]) -> None:
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


def _lock(tx: Transaction, wanted: _Wanted, order: Sequence[NodeId]) -> None:
    """Lock innermost groups first, since a group's lock covers what stands in it."""
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


def _replace_edges(tx: Transaction, edges: Sequence[EdgeFields]) -> None:
    """Remove unmatched edges, change matched ones, then add new ones, those with ids first."""
    matched = _match_edges(tx, edges)
    identities = [_identity(tx, edge_id, edge) for edge_id, edge in zip(matched, edges, strict=True)]
    _check_edges(edges, identities)
    for spare in sorted(set(tx.workspace.diagram.edge_ids()).difference(matched)):
        remove_edge(tx, spare)
    _change_edges(tx, edges, matched, identities)
    new = [place for place, edge_id in enumerate(matched) if edge_id is None]
    for place in sorted(new, key=lambda one: edges[one].id is None):
        add_edge(tx, edges[place], f"/edges/{place}")


def _change_edges(
    tx: Transaction,
    edges: Sequence[EdgeFields],
    matched: Sequence[EdgeId | None],
    identities: Sequence[_Identity],
) -> None:
    """Set the fields and ends of the kept edges that differ from the wanted ones."""
    diagram = tx.workspace.diagram
    waiting = {place: edge_id for place, edge_id in enumerate(matched) if edge_id is not None}
    deferred: dict[int, EdgeAttributes] = {}
    while waiting:
        tx.work.spend(costs.PARALLEL_EDGE * len(waiting), costs.STEPS)
        ready = [place for place in waiting if diagram.equal_edge(*identities[place], waiting[place]) is None]
        for place in ready:
            _change_edge(tx, waiting.pop(place), edges[place], f"/edges/{place}")
        if not ready:  # a cycle of exchanges: one edge is removed and added again as a new one
            place, edge_id = waiting.popitem()
            deferred[place] = without_birth(diagram.edge(edge_id) or {})
            remove_edge(tx, edge_id)
            tx.result.removed.remove(edge_id)
    for place, fields in deferred.items():
        source, target, _, _ = identities[place]
        set_fields(fields, with_route_by({"route": None, **_values(edges[place], fields)}))
        tx.result.ids.append(put_edge(tx, source, target, fields, matched[place], f"/edges/{place}"))


def _match_edges(tx: Transaction, edges: Sequence[EdgeFields]) -> list[EdgeId | None]:
    """Return the current edge for each wanted one: by id, else by ends, label and kind; None for a new one."""
    diagram = tx.workspace.diagram
    taken = {edge.id for edge in edges if edge.id is not None}
    matched: list[EdgeId | None] = []
    for edge in edges:
        found = edge.id if edge.id is not None and diagram.ends(edge.id) is not None else None
        if edge.id is None:
            equal = diagram.equal_edge(edge.source, edge.target, edge.label or "", edge.kind or "sync")
            found = equal if equal not in taken else None
            if found is not None:
                taken.add(found)
        matched.append(found)
    return matched


def _identity(tx: Transaction, edge_id: EdgeId | None, edge: EdgeFields) -> _Identity:
    """Return the final identity of an edge: an omitted label or kind is kept."""
    now = (tx.workspace.diagram.edge(edge_id) if edge_id is not None else None) or {}
    label = edge.label if "label" in edge.model_fields_set else now.get("label")
    kind = edge.kind if "kind" in edge.model_fields_set else now.get("kind")
    return edge.source, edge.target, label or "", kind or "sync"


def _check_edges(edges: Sequence[EdgeFields], identities: Sequence[_Identity]) -> None:
    ids: set[EdgeId] = set()
    seen: dict[_Identity, int] = {}
    for place, (edge, identity) in enumerate(zip(edges, identities, strict=True)):
        path = f"/edges/{place}"
        if edge.source == edge.target:
            raise OperationRefused("self_loop", f"{path}/target", f"'{edge.source}' cannot be connected with itself.")
        if edge.id is not None and edge.id in ids:
            raise OperationRefused("edge_exists", f"{path}/id", f"'{edge.id}' stands in the list twice.")
        if identity in seen:
            message = f"It has the same ends, label and kind as the edge at {seen[identity]} in the list."
            raise OperationRefused("edge_duplicate", path, message)
        if edge.id is not None:
            ids.add(edge.id)
        seen[identity] = place


def _change_edge(tx: Transaction, edge_id: EdgeId, edge: EdgeFields, path: str) -> None:
    now = tx.workspace.diagram.edge(edge_id) or {}
    values = _values(edge, now)
    moves = tx.workspace.diagram.ends(edge_id) != (edge.source, edge.target)
    if moves or any(field_of(now, name) != value for name, value in values.items()):
        need_unlocked_ends(tx, edge_id, path)
        move_ends(tx, edge_id, edge.source, edge.target, values)
        tx.result.ids.append(edge_id)


def _values(edge: EdgeFields, now: EdgeAttributes) -> dict[str, object]:
    """Return the fields that an edge names, in stored form."""
    values: dict[str, object] = {}
    for name in edge.given_fields("label", "kind", "direction", *EDGE_TEXTS):
        value = getattr(edge, name)
        values[name] = None if not value or value == EDGE_DEFAULTS[name] else value
    values |= drawn_values(edge)
    if "properties" in edge.model_fields_set:
        values |= property_values(now, None) | property_values(now, edge.properties or {})
    return values
