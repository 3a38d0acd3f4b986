"""Resolve operations on edges into steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from draftsmith.errors import EdgesBetween, Existence, Value
from draftsmith.model.diagram import NO_ENDS
from draftsmith.model.fields import EDGE_DEFAULTS, EDGE_TEXTS, EdgeAttributes, field_of, set_fields, without_birth
from draftsmith.model.ids import EdgeId, NodeId, is_edge_id
from draftsmith.model.ids import edge_id as make_edge_id
from draftsmith.model.routes import has_hand_route
from draftsmith.transform import costs
from draftsmith.transform.placement.placement import coordinate
from draftsmith.transform.refusal import OperationRefused
from draftsmith.transform.requests import operations as ops
from draftsmith.transform.requests.operation_fields import EdgeFields, EdgeParts, Point
from draftsmith.transform.resolvers.checks import need_node, need_unlocked, no_edge, property_values
from draftsmith.transform.set_fields import check_property_count, set_edge, with_route_by
from draftsmith.transform.steps.base import Pair
from draftsmith.transform.steps.edge import InsertEdge, RemoveEdge, SetEdge
from draftsmith.transform.transaction import Transaction


def add_edge(tx: Transaction, op: EdgeFields, path: str = "") -> EdgeId:
    """Connect two nodes; return the edge's id. The ends may be locked: adding edges is always allowed."""
    need_node(tx, op.source, f"{path}/source")
    need_node(tx, op.target, f"{path}/target")
    if op.source == op.target:
        raise OperationRefused("self_loop", f"{path}/target", f"'{op.source}' cannot be connected with itself.")
    texts = {name: value for name in ("label", *EDGE_TEXTS) if (value := getattr(op, name))}
    for name in ("kind", "direction"):
        value = getattr(op, name)
        if value is not None and value != EDGE_DEFAULTS[name]:
            texts[name] = value
    fields = cast(EdgeAttributes, texts)
    if op.properties:
        fields["properties"] = dict(op.properties)
    set_fields(fields, drawn_values(op))
    made = put_edge(tx, op.source, op.target, fields, op.id, path)
    tx.result.ids.append(made)
    return made


def put_edge(
    tx: Transaction,
    source: NodeId,
    target: NodeId,
    fields: EdgeAttributes,
    wanted_id: EdgeId | None = None,
    path: str = "",
) -> EdgeId:
    """Insert an edge between existing nodes; return its id."""
    diagram = tx.workspace.diagram
    if diagram.edge_count >= tx.limits.edges:
        raise OperationRefused("limit_edges", path, f"The workspace may hold {tx.limits.edges:,} edges.")
    tx.work.spend(costs.PARALLEL_EDGE * len(diagram.edges_between(source, target)), costs.PARALLEL)
    edge_id = wanted_id if wanted_id is not None else make_edge_id(source, target, _EdgeIds(tx))
    if wanted_id is not None:
        _check_given(tx, wanted_id, f"{path}/id")
    _check_unequal(tx, source, target, fields.get("label", ""), fields.get("kind", "sync"), path)
    births = diagram.birth(source), diagram.birth(target)
    tx.do(InsertEdge(edge_id, tx.revision, source, target, births, fields))
    return edge_id


class _EdgeIds:
    """The set of edge ids in use, for generating a new one."""

    def __init__(self, tx: Transaction) -> None:
        self._diagram = tx.workspace.diagram

    def __contains__(self, edge_id: object) -> bool:
        return isinstance(edge_id, str) and self._diagram.ends(EdgeId(edge_id)) is not None


def _check_given(tx: Transaction, edge_id: EdgeId, path: str) -> None:
    if not is_edge_id(edge_id):
        message = f"'{edge_id[:80]}' is no edge id: lower-case letters, digits, '_' and '-', at most 140."
        raise OperationRefused("id_invalid", path, message)
    if tx.workspace.diagram.ends(edge_id) is not None:
        message = f"There is an edge '{edge_id}' already; use update_edge, or leave the id out."
        raise OperationRefused("edge_exists", path, message, (), [Existence("edge", edge_id)])


def _check_unequal(
    tx: Transaction, source: NodeId, target: NodeId, label: str, kind: str, path: str, own: EdgeId | None = None
) -> None:
    equal = tx.workspace.diagram.equal_edge(source, target, label, kind, own)
    if equal is not None:
        message = f"'{equal}' already goes from '{source}' to '{target}' with this label and kind."
        both = [equal, own] if own else [equal]
        about = [Value("edge", edge, field) for edge in both for field in ("source", "target", "label", "kind")]
        raise OperationRefused("edge_duplicate", path, message, (equal,), about)


def _label_and_kind(edge: EdgeAttributes, values: Mapping[str, object]) -> tuple[str, str]:
    """Label and kind of an edge once the values are set."""
    after = cast(EdgeAttributes, {**edge, **values})
    return after.get("label") or "", after.get("kind") or "sync"


def find_edge(
    tx: Transaction,
    edge_id: EdgeId | None,
    source: NodeId | None,
    target: NodeId | None,
    label: str | None,
    path: str = "",
) -> EdgeId:
    """Find the one edge that an address means.

    Raises:
        OperationRefused: `edge_address`, `edge_not_found` or `edge_ambiguous`.
    """
    diagram = tx.workspace.diagram
    if edge_id is not None:
        if diagram.ends(edge_id) is None:
            raise no_edge(diagram, edge_id, f"{path}/id", tx.work)
        return edge_id
    if source is None or target is None:
        raise OperationRefused("edge_address", path, "Name the edge by id, or by source and target.")
    need_node(tx, source, f"{path}/source")
    need_node(tx, target, f"{path}/target")
    found = diagram.edges_between(source, target)
    matching = [one for one in found if label is None or _edge(tx, one).get("label", "") == label]
    if len(matching) == 1:
        return matching[0]
    if matching:
        message = f"{len(matching)} edges go from '{source}' to '{target}'; name one by its id, or give its label."
        raise OperationRefused("edge_ambiguous", path, message, matching[:10], [EdgesBetween(source, target, label)])
    wrong_label = f" with the label '{label}'" if found else ""
    back = diagram.edges_between(target, source)
    hint = f" '{back[0]}' goes the other way." if back and not found else ""
    message = f"No edge goes from '{source}' to '{target}'{wrong_label}.{hint}"
    near = (found or back or _some_edges(tx, (source, target)))[:10]
    raise OperationRefused("edge_not_found", path, message, near, [EdgesBetween(source, target, label)])


def _some_edges(tx: Transaction, ends: Sequence[NodeId]) -> list[EdgeId]:
    diagram = tx.workspace.diagram
    return [edge for end in ends if end in diagram for edge in diagram.edges_at(end)][:5]


def _edge(tx: Transaction, edge_id: EdgeId) -> EdgeAttributes:
    return tx.workspace.diagram.edge(edge_id) or {}


def need_unlocked_ends(tx: Transaction, edge_id: EdgeId, path: str = "") -> None:
    """Raise `locked` if an end of the edge is locked."""
    for end in tx.workspace.diagram.ends(edge_id) or ():
        need_unlocked(tx, end, path)


def update_edge(tx: Transaction, op: ops.UpdateEdge) -> None:
    """Set the given fields of an edge."""
    edge_id = find_edge(tx, op.id, op.source, op.target, op.current_label)
    need_unlocked_ends(tx, edge_id)
    edge = _edge(tx, edge_id)
    values: dict[str, object] = {}
    for name in op.given_fields("label", "kind", "direction", *EDGE_TEXTS):
        value = getattr(op, name)
        if value is None and name in ("kind", "direction"):
            raise OperationRefused("field_invalid", f"/{name}", f"'{name}' cannot be cleared.")
        values[name] = None if not value or value == EDGE_DEFAULTS[name] else value
    values |= drawn_values(op)
    if "properties" in op.model_fields_set:
        values |= property_values(edge, op.properties)
    if "label" in values or "kind" in values:
        source, target = tx.workspace.diagram.ends(edge_id) or NO_ENDS
        _check_unequal(tx, source, target, *_label_and_kind(edge, values), "", edge_id)
    set_edge(tx, edge_id, values)
    tx.result.ids.append(edge_id)


def delete_edge(tx: Transaction, op: ops.DeleteEdge) -> None:
    """Delete an edge."""
    edge_id = find_edge(tx, op.id, op.source, op.target, op.label)
    need_unlocked_ends(tx, edge_id)
    remove_edge(tx, edge_id)


def remove_edge(tx: Transaction, edge_id: EdgeId) -> None:
    """Remove an edge, unless one of its ends is locked."""
    need_unlocked_ends(tx, edge_id)
    diagram = tx.workspace.diagram
    source, target = diagram.ends(edge_id) or NO_ENDS
    fields = without_birth(_edge(tx, edge_id))
    births = diagram.birth(source), diagram.birth(target)
    tx.do(RemoveEdge(edge_id, _edge(tx, edge_id)["birth"], source, target, births, fields))
    tx.result.removed.append(edge_id)


def rewire_edge(tx: Transaction, op: ops.RewireEdge) -> None:
    """Change source or target of an edge; its route is dropped, unless it is by hand."""
    edge_id = find_edge(tx, op.id, op.source, op.target, op.label)
    if op.new_source is None and op.new_target is None:
        raise OperationRefused("field_missing", "/new_target", "Give new_source, new_target, or both.")
    need_unlocked_ends(tx, edge_id)
    move_ends(tx, edge_id, op.new_source, op.new_target)
    tx.result.ids.append(edge_id)


def move_ends(
    tx: Transaction,
    edge_id: EdgeId,
    new_source: NodeId | None,
    new_target: NodeId | None,
    values: Mapping[str, object] | None = None,
) -> None:
    """Move one or both ends of an edge, and set further fields in the same step."""
    diagram = tx.workspace.diagram
    old = diagram.ends(edge_id) or NO_ENDS
    new = (new_source if new_source is not None else old[0], new_target if new_target is not None else old[1])
    need_node(tx, new[0], "/new_source")
    need_node(tx, new[1], "/new_target")
    if new[0] == new[1]:
        kept = {"source": new_source, "target": new_target}
        about = [Value("edge", edge_id, field) for field, end in kept.items() if end is None]
        path = "/new_source" if new_target is None else "/new_target"
        raise OperationRefused("self_loop", path, f"'{new[0]}' cannot be connected with itself.", (), about)
    edge = _edge(tx, edge_id)
    pairs: dict[str, Pair] = {
        field: (was, to) for field, was, to in zip(("source", "target"), old, new, strict=True) if was != to
    }
    if not pairs:
        set_edge(tx, edge_id, values or {})
        return
    values = {**_drawn_at(tx, edge_id, old, new), **with_route_by(values or {})}
    if values.get("route") is not None:
        tx.moving.forget(edge_id)
    _check_unequal(tx, *new, *_label_and_kind(edge, values), "", edge_id)
    pairs |= {field: (field_of(edge, field), to) for field, to in values.items() if field_of(edge, field) != to}
    check_property_count(edge, pairs)
    births = [(diagram.birth(u), diagram.birth(v)) for u, v in (old, new)]
    tx.do(SetEdge(edge_id, edge["birth"], pairs, births[0], births[1]))


def _drawn_at(
    tx: Transaction, edge_id: EdgeId, old: tuple[NodeId, NodeId], new: tuple[NodeId, NodeId]
) -> dict[str, object]:
    """What ends elsewhere make of how an edge is drawn: turned around it is the same line, one by hand follows them."""
    edge, values = _edge(tx, edge_id), dict[str, object]()
    is_turned = new == old[::-1]
    if is_turned and "label_at" in edge:
        values["label_at"] = coordinate(1 - edge["label_at"])
    if not has_hand_route(edge):
        values["route"] = None
    elif is_turned:
        values["route"] = list(edge["route"])[::-1]
    else:
        tx.moving.note_edge(tx.workspace.diagram, edge_id)
    return values


def drawn_values(op: EdgeParts) -> dict[str, object]:
    """The given fields of how an edge is drawn, in stored form; None clears."""
    values: dict[str, object] = {}
    for name in op.given_fields("route", "route_by", "label_at"):
        value = getattr(op, name)
        values[name] = (route_json(value) if value else None) if name == "route" else None if value == "" else value
    return values


def route_json(route: Sequence[Point]) -> list[dict[str, float]]:
    """Bend points in stored form."""
    return [{"x": point.x, "y": point.y} for point in route]
