"""Resolve operations on patterns, groups and layout into steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from draftsmith.errors import Value
from draftsmith.model.diagram import Diagram, inner_origin
from draftsmith.model.ids import NodeId
from draftsmith.model.layered import layered_positions
from draftsmith.model.vocabulary import GROUP, GROUP_PADDING, GROUP_TITLE
from draftsmith.transform import costs
from draftsmith.transform import operations as ops
from draftsmith.transform.checks import need_group, need_node, need_unlocked, stands_in
from draftsmith.transform.faults import pointer
from draftsmith.transform.nearest import no_edge
from draftsmith.transform.operation_fields import NodeFields, Point
from draftsmith.transform.placement import GAP, STEP_Y, coordinate
from draftsmith.transform.refusal import Refused
from draftsmith.transform.resolve_edges import (
    find_edge,
    need_unlocked_ends,
    put_edge,
    remove_edge,
    route_json,
    set_edge,
)
from draftsmith.transform.resolve_nodes import add_node, delete_nodes, lift, set_node
from draftsmith.transform.transaction import Transaction


def insert_between(tx: Transaction, op: ops.InsertBetween) -> None:
    """Insert a node between two connected ones: two edges replace the direct one."""
    direct = find_edge(tx, None, op.source, op.target, op.label)
    edge = tx.workspace.diagram.edge(direct) or {}
    kept: dict[str, Any] = {field: edge[field] for field in ("kind", "direction") if field in edge}
    if isinstance(op.node, str):
        need_node(tx, op.node, "/node")
        if op.node in (op.source, op.target):
            raise Refused("self_loop", "/node", f"'{op.node}' is an end of this edge already.")
        node_id = op.node
    else:
        fields = op.node
        parents = {tx.workspace.diagram.parent(end) for end in (op.source, op.target)}
        if fields.parent is None and fields.near is None and len(parents) == 1:
            fields = fields.model_copy(update={"parent": parents.pop()})
        node_id = add_node(tx, fields, "/node", beside=(op.source,))
    label = edge.get("label", "")
    remove_edge(tx, direct)
    for source, target, given in ((op.source, node_id, op.in_label), (node_id, op.target, op.out_label)):
        text = given if given is not None else label
        fields_of_edge = {**kept, "label": text} if text else kept
        tx.result.ids.append(put_edge(tx, source, target, fields_of_edge))


def move_nodes(tx: Transaction, op: ops.MoveNodes) -> None:
    """Set positions, sizes and routes."""
    for node_id in dict.fromkeys([*op.positions, *(op.sizes or ())]):
        field = "positions" if node_id in op.positions else "sizes"
        place = pointer([field, node_id])
        need_node(tx, node_id, place)
        need_unlocked(tx, node_id, place)
        values: dict[str, Any] = {}
        if node_id in op.positions:
            values["position"] = _point(op.positions[node_id])
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
        raise Refused("different_parents", "/ids", message, (), [Value("node", node_id, "parent") for node_id in ids])
    left = min(diagram.position(i)["x"] for i in ids) - GROUP_PADDING
    top = min(diagram.position(i)["y"] for i in ids) - GROUP_TITLE
    corner = Point(x=max(left, -1e6), y=max(top, -1e6))
    fields = NodeFields(
        id=op.id, type=GROUP, label=op.label, description=op.description, position=corner, parent=next(iter(parents))
    )
    group = add_node(tx, fields)
    for node_id in ids:
        lift(tx, node_id, group)
        tx.result.ids.append(node_id)


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
            raise Refused("containment_cycle", f"/ids/{place}", message, (), stands_in(tx, op.group, node_id))
        given = (op.positions or {}).get(node_id)
        lift(tx, node_id, op.group, None if given is None else _point(given))
        tx.result.ids.append(node_id)


def layout_diagram(tx: Transaction, op: ops.LayoutDiagram) -> None:
    """Lay nodes out in layers along their edges; locked ones stay where they are."""
    diagram = tx.workspace.diagram
    if op.scope == "ids":
        ids = list(dict.fromkeys(op.ids or ()))
        for place, node_id in enumerate(ids):
            need_node(tx, node_id, f"/ids/{place}")
            need_unlocked(tx, node_id, f"/ids/{place}")
        if not ids:
            raise Refused("field_missing", "/ids", "Name the nodes to lay out.")
        if len({diagram.parent(node_id) for node_id in ids}) > 1:
            message = "They stand in different groups; lay out one group at a time."
            about = [Value("node", node_id, "parent") for node_id in ids]
            raise Refused("different_parents", "/ids", message, (), about)
        tx.work.spend(_layout_cost(diagram, ids), costs.LAYOUT)
        _lay_out_in_place(tx, ids)
    elif op.scope == "new":
        fresh: dict[NodeId | None, list[NodeId]] = {}
        for node_id in tx.unplaced:
            if node_id in diagram and diagram.lock_on(node_id) is None:
                fresh.setdefault(diagram.parent(node_id), []).append(node_id)
        tx.work.spend(_layout_cost(diagram, tx.unplaced), costs.LAYOUT)
        for parent in _inside_out(diagram, fresh):
            _lay_out(tx, fresh[parent], _below_others(diagram, fresh[parent]))
    else:
        if tx.laid_out is not None:
            message = f"A batch lays the whole diagram out once; operations[{tx.laid_out}] does that. Leave this out."
            raise Refused("too_costly", "/scope", message)
        tx.laid_out = tx.result.index
        tx.work.spend(_layout_cost(diagram, diagram.node_ids()), costs.LAYOUT)
        _lay_out_all(tx)


def _layout_cost(diagram: Diagram, ids: Iterable[NodeId]) -> int:
    """Units for laying out some nodes: with their edges, and once for each group around them."""
    units = 0
    for node_id in ids:
        if node_id in diagram:
            around = sum(1 for _ in diagram.ancestors(node_id))
            inside = len(diagram.subtree(node_id)) if diagram.is_group(node_id) else 1
            units += costs.LAID_OUT * (1 + diagram.degree(node_id)) + costs.ANCESTOR * around + 50 * inside
    return units


def _lay_out_all(tx: Transaction) -> None:
    """Lay out the innermost groups first, because the size of a group depends on its children."""
    diagram = tx.workspace.diagram
    for group in _inside_out(diagram, [None, *(i for i in diagram.node_ids() if diagram.has_children(i))]):
        free = sorted(i for i in diagram.children(group) if diagram.lock_on(i) is None)
        if free:
            has_locked = len(free) < len(diagram.children(group))
            corner = inner_origin() if group is not None else (0.0, 0.0)
            _lay_out(tx, free, _below_others(diagram, free) if has_locked else corner)


def _inside_out(diagram: Diagram, groups: Iterable[NodeId | None]) -> list[NodeId | None]:
    """Innermost groups first, the diagram itself (None) last."""

    def depth(group: NodeId | None) -> tuple[int, str]:
        return (1, "") if group is None else (-sum(1 for _ in diagram.ancestors(group)), group)

    return sorted(groups, key=depth)


def _lay_out(tx: Transaction, ids: list[NodeId], corner: tuple[float, float]) -> None:
    diagram = tx.workspace.diagram
    _put(tx, ids, _layered(diagram, ids), corner)


def _lay_out_in_place(tx: Transaction, ids: list[NodeId]) -> None:
    """Lay out at the nodes' current place, or below everything else if other nodes are in the way."""
    diagram = tx.workspace.diagram
    places = _layered(diagram, ids)
    corner = _corner(diagram, ids)
    right = max(x + diagram.size_of(node_id)[0] for node_id, (x, _) in places.items())
    bottom = max(y + diagram.size_of(node_id)[1] for node_id, (_, y) in places.items())
    parent = diagram.parent(ids[0])
    area = (corner[0], corner[1], corner[0] + right, corner[1] + bottom)
    is_free = diagram.places.is_free(diagram, parent, area, 0, set(ids))
    _put(tx, ids, places, corner if is_free else _below_others(diagram, ids))


def _layered(diagram: Diagram, ids: Iterable[NodeId]) -> dict[NodeId, tuple[float, float]]:
    """Positions of the layered layout, starting at (0, 0)."""
    boxes = [(node_id, *diagram.size_of(node_id)) for node_id in ids]
    places = layered_positions(boxes, _links_among(diagram, ids), gap=(80, 48))
    left, top = min(x for x, _ in places.values()), min(y for _, y in places.values())
    return {node_id: (x - left, y - top) for node_id, (x, y) in places.items()}


def _put(
    tx: Transaction, ids: Iterable[NodeId], places: Mapping[NodeId, tuple[float, float]], corner: tuple[float, float]
) -> None:
    for node_id in ids:
        x, y = places[node_id]
        position = {"x": coordinate(corner[0] + x), "y": coordinate(corner[1] + y)}
        set_node(tx, node_id, {"position": position})
        tx.result.ids.append(node_id)


def _links_among(diagram: Diagram, ids: Iterable[NodeId]) -> list[tuple[NodeId, NodeId]]:
    """Edges between the boxes or their descendants, without repeats."""
    box_of = {inner: node_id for node_id in ids for inner in diagram.subtree(node_id)}
    links: dict[tuple[NodeId, NodeId], None] = {}
    for inner, box in box_of.items():
        for target in diagram.outgoing(inner):
            other = box_of.get(target)
            if other is not None and other != box:
                links[(box, other)] = None
    return sorted(links)


def _corner(diagram: Diagram, ids: Iterable[NodeId]) -> tuple[float, float]:
    positions: list[Mapping[str, float]] = [diagram.position(node_id) for node_id in ids]
    return min(p["x"] for p in positions), min(p["y"] for p in positions)


def _below_others(diagram: Diagram, ids: Iterable[NodeId]) -> tuple[float, float]:
    """A corner below everything else in the group, so that nothing overlaps."""
    laid = set(ids)
    parent = diagram.parent(next(iter(laid)))
    others = [node_id for node_id in diagram.children(parent) if node_id not in laid]
    if not others:
        return inner_origin() if parent is not None else (0.0, 0.0)
    left = min(diagram.position(i)["x"] for i in others)
    bottom = max(diagram.position(i)["y"] + diagram.size_of(i)[1] for i in others)
    return left, bottom + max(GAP, STEP_Y - 72)


def _point(point: Point) -> dict[str, float]:
    return {"x": point.x, "y": point.y}
