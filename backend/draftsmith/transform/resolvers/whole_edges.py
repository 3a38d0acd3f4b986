"""The edges of `replace_diagram`: which current edges are kept, how they change, and in which order.

An edge is matched by id, else by ends, label and kind. Not here: nodes (`whole_diagram`).
"""

from __future__ import annotations

from collections.abc import Sequence

from draftsmith.model.fields import EDGE_DEFAULTS, EDGE_TEXTS, EdgeAttributes, field_of, set_fields, without_birth
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.transform import costs
from draftsmith.transform.refusal import OperationRefused
from draftsmith.transform.requests.operation_fields import EdgeFields
from draftsmith.transform.resolvers.checks import property_values
from draftsmith.transform.resolvers.edges import (
    add_edge,
    move_ends,
    need_unlocked_ends,
    put_edge,
    remove_edge,
    route_json,
)
from draftsmith.transform.transaction import Transaction

Identity = tuple[NodeId, NodeId, str, str]  # source, target, label, kind


def replace_edges(tx: Transaction, edges: Sequence[EdgeFields]) -> None:
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
    identities: Sequence[Identity],
) -> None:
    """Set the fields and ends of a kept edge that differ from the wanted ones."""
    diagram = tx.workspace.diagram
    waiting = {place: edge_id for place, edge_id in enumerate(matched) if edge_id is not None}
    aside: dict[int, EdgeAttributes] = {}
    while waiting:
        tx.work.spend(costs.PARALLEL_EDGE * len(waiting), costs.STEPS)
        ready = [place for place in waiting if diagram.equal_edge(*identities[place], waiting[place]) is None]
        for place in ready:
            _change_edge(tx, waiting.pop(place), edges[place], f"/edges/{place}")
        if not ready:  # a cycle of exchanges: one edge is removed and added again as a new one
            place, edge_id = waiting.popitem()
            aside[place] = without_birth(diagram.edge(edge_id) or {})
            remove_edge(tx, edge_id)
            tx.result.removed.remove(edge_id)
    for place, fields in aside.items():
        source, target, _, _ = identities[place]
        set_fields(fields, {"route": None, **_values(edges[place], fields)})
        tx.result.ids.append(put_edge(tx, source, target, fields, matched[place], f"/edges/{place}"))


def _match_edges(tx: Transaction, edges: Sequence[EdgeFields]) -> list[EdgeId | None]:
    """The current edge for each wanted one: by id, else by ends, label and kind; None for a new one."""
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


def _identity(tx: Transaction, edge_id: EdgeId | None, edge: EdgeFields) -> Identity:
    """The final identity of an edge: an omitted label or kind is kept."""
    now = (tx.workspace.diagram.edge(edge_id) if edge_id is not None else None) or {}
    label = edge.label if "label" in edge.model_fields_set else now.get("label")
    kind = edge.kind if "kind" in edge.model_fields_set else now.get("kind")
    return edge.source, edge.target, label or "", kind or "sync"


def _check_edges(edges: Sequence[EdgeFields], identities: Sequence[Identity]) -> None:
    ids: set[EdgeId] = set()
    seen: dict[Identity, int] = {}
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
    """The given fields in stored form."""
    values: dict[str, object] = {}
    for name in edge.given_fields("label", "kind", "direction", *EDGE_TEXTS):
        value = getattr(edge, name)
        values[name] = None if not value or value == EDGE_DEFAULTS[name] else value
    if "route" in edge.model_fields_set:
        values["route"] = route_json(edge.route) if edge.route else None
    if "properties" in edge.model_fields_set:
        values |= property_values(now, None) | property_values(now, edge.properties or {})
    return values
