"""Resolve the layout of what is there into steps: by the engine if there is one, else in layers, group by group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from draftsmith.errors import Value
from draftsmith.model.diagram import Diagram, inner_origin
from draftsmith.model.ids import NodeId
from draftsmith.model.layered_layout import layered_positions
from draftsmith.model.routes import has_hand_route
from draftsmith.transform import costs
from draftsmith.transform.placement.layouts import arrange, arrange_boxes, route_of, warn_of_simple_layout
from draftsmith.transform.placement.placement import GAP, STEP_Y, coordinate
from draftsmith.transform.refusal import OperationRefused
from draftsmith.transform.requests import operations as ops
from draftsmith.transform.resolvers.checks import need_node, need_unlocked
from draftsmith.transform.resolvers.hand_routes import settle_hand_routes
from draftsmith.transform.set_fields import set_edge, set_node
from draftsmith.transform.transaction import Transaction


def layout_diagram(tx: Transaction, op: ops.LayoutDiagram) -> None:
    """Lay nodes out in layers along their edges; locked ones stay where they are."""
    diagram = tx.workspace.diagram
    if op.scope == "ids":
        ids = list(dict.fromkeys(op.ids or ()))
        for place, node_id in enumerate(ids):
            need_node(tx, node_id, f"/ids/{place}")
            need_unlocked(tx, node_id, f"/ids/{place}")
        if not ids:
            raise OperationRefused("field_missing", "/ids", "Name the nodes to lay out.")
        if len({diagram.parent(node_id) for node_id in ids}) > 1:
            message = "They stand in different groups; lay out one group at a time."
            about = [Value("node", node_id, "parent") for node_id in ids]
            raise OperationRefused("different_parents", "/ids", message, (), about)
        tx.work.spend(_layout_cost(diagram, ids), costs.LAYOUT)
        settle_hand_routes(tx, ids, redraw=op.redraw)
        _lay_out_in_place(tx, ids)
    elif op.scope == "new":
        tx.result.ids.extend(node_id for node_id in tx.new.waiting if node_id in diagram)  # done when the batch ends
    else:
        earlier = tx.new.laid_out
        if earlier is not None:
            message = f"A batch lays the whole diagram out once; operations[{earlier}] does that. Leave this out."
            raise OperationRefused("too_costly", "/scope", message)
        tx.new.laid_out = tx.result.index
        tx.work.spend(_layout_cost(diagram, diagram.node_ids()), costs.LAYOUT)
        _lay_out_all(tx, redraw=op.redraw)


def _layout_cost(diagram: Diagram, ids: Iterable[NodeId]) -> int:
    """Units for laying out some nodes: with their edges, and once for each group around them."""
    units = 0
    for node_id in ids:
        if node_id in diagram:
            around = sum(1 for _ in diagram.ancestors(node_id))
            inside = len(diagram.subtree(node_id)) if diagram.is_group(node_id) else 1
            units += costs.LAID_OUT * (1 + diagram.degree(node_id)) + costs.ANCESTOR * around + 50 * inside
    return units


def _lay_out_all(tx: Transaction, *, redraw: bool) -> None:
    """Lay out everything that is not locked, by the engine if there is one."""
    diagram = tx.workspace.diagram
    settle_hand_routes(tx, diagram.children(None), redraw=redraw)
    # Sorted: a copy of the diagram, or the same after a restart, has to ask the same question.
    found = None if tx.layouts is None else tx.layouts.arrangement(arrange(diagram, sorted(diagram.node_ids()), None))
    if found is None:
        warn_of_simple_layout(tx)
        _lay_out_simply(tx)
        return
    for node_id in sorted({*found.positions, *found.sizes}):
        if node_id in diagram and diagram.lock_on(node_id) is None:
            values: dict[str, object] = {"size": found.sizes[node_id]} if node_id in found.sizes else {}
            if node_id in found.positions:
                values["position"] = {axis: coordinate(at) for axis, at in found.positions[node_id].items()}
                tx.new.has_place(node_id)
            set_node(tx, node_id, values)
            tx.result.ids.append(node_id)
    for edge_id, route in sorted(found.routes.items()):
        is_locked = any(diagram.lock_on(end) for end in diagram.ends(edge_id) or ())
        if diagram.ends(edge_id) is not None and not is_locked and not has_hand_route(diagram.edge(edge_id)):
            set_edge(tx, edge_id, {"route": route_of(route)})


def _lay_out_simply(tx: Transaction) -> None:
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
    _put(tx, ids, _layered_positions(diagram, ids), corner)


def _lay_out_in_place(tx: Transaction, ids: list[NodeId]) -> None:
    """Lay out at the nodes' current place, or below everything else if other nodes are in the way."""
    diagram = tx.workspace.diagram
    places = _engine_positions(tx, ids) or _layered_positions(diagram, ids)
    corner = _corner(diagram, ids)
    right = max(x + diagram.size_of(node_id)[0] for node_id, (x, _) in places.items())
    bottom = max(y + diagram.size_of(node_id)[1] for node_id, (_, y) in places.items())
    parent = diagram.parent(ids[0])
    area = (corner[0], corner[1], corner[0] + right, corner[1] + bottom)
    is_free = diagram.places.is_free(diagram, parent, area, 0, set(ids))
    _put(tx, ids, places, corner if is_free else _below_others(diagram, ids))


def _engine_positions(tx: Transaction, ids: Sequence[NodeId]) -> dict[NodeId, tuple[float, float]] | None:
    """Positions by the engine, starting at (0, 0): groups are boxes whose content stays."""
    diagram = tx.workspace.diagram
    found = None
    if tx.layouts is not None:
        sizes = {one: diagram.size_of(one) for one in ids}
        found = tx.layouts.arrangement(arrange_boxes(sizes, _links_among(diagram, ids)))
    if found is None or not all(one in found.positions for one in ids):
        warn_of_simple_layout(tx)
        return None
    left, top = (min(found.positions[one][axis] for one in ids) for axis in ("x", "y"))
    return {one: (found.positions[one]["x"] - left, found.positions[one]["y"] - top) for one in ids}


def _layered_positions(diagram: Diagram, ids: Iterable[NodeId]) -> dict[NodeId, tuple[float, float]]:
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
        tx.new.has_place(node_id)
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
