"""Resolve whole-state operations: compared with what is there, so that only what differs becomes a step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rapidfuzz.distance import Indel

from draftsmith.model.diagram import EDGE_DEFAULTS, field_of
from draftsmith.model.document import eol_of, with_lf
from draftsmith.model.ids import slug
from draftsmith.model.vocabulary import GROUP
from draftsmith.transform import operations as ops
from draftsmith.transform.changeset import ChangeSet, replacing
from draftsmith.transform.checks import check_type, need_node, need_unlocked, property_values
from draftsmith.transform.resolve_edges import (
    add_edge,
    move_ends,
    need_unlocked_ends,
    remove_edge,
    route_json,
    set_edge,
)
from draftsmith.transform.resolve_nodes import add_node, delete_nodes, lift, set_node
from draftsmith.transform.steps import Rename
from draftsmith.transform.transaction import Refused, Transaction


def replace_diagram(tx: Transaction, op: ops.ReplaceDiagram) -> None:
    """Make the diagram be this one. Order: new groups and nodes, changes, edges that go, nodes that go, new edges."""
    wanted = _with_ids(op.nodes)
    diagram = tx.workspace.diagram
    for place, (node_id, node) in enumerate(_parents_first(wanted)):
        if node_id not in diagram:
            _add(tx, node_id, node, place)
    for place, (node_id, node) in enumerate(wanted.items()):
        if node.model_fields_set - {"id"}:
            _update(tx, node_id, node, f"/nodes/{place}")
    matched = _match_edges(tx, op.edges)
    for spare in sorted(set(diagram.edge_ids()).difference(matched)):
        remove_edge(tx, spare)
    gone = sorted(node_id for node_id in diagram.node_ids() if node_id not in wanted)
    if gone:
        delete_nodes(tx, ops.DeleteNodes.model_construct(op="delete_nodes", ids=gone, bridge=False, children="up"))
    for place, (edge_id, edge) in enumerate(zip(matched, op.edges, strict=True)):
        _put_edge(tx, edge_id, edge, f"/edges/{place}")


def _with_ids(nodes: Sequence[ops.WholeNode]) -> dict[str, ops.WholeNode]:
    wanted: dict[str, ops.WholeNode] = {}
    for place, node in enumerate(nodes):
        node_id = node.id if node.id is not None else slug(node.label or "")
        if not node_id:
            raise Refused("field_missing", f"/nodes/{place}/id", "Give an id, or a label to make one from.")
        if node_id in wanted:
            raise Refused("node_exists", f"/nodes/{place}/id", f"'{node_id}' stands in the list twice.")
        wanted[node_id] = node
    return wanted


def _parents_first(wanted: Mapping[str, ops.WholeNode]) -> list[tuple[str, ops.WholeNode]]:
    """New nodes in an order in which every group comes before what stands in it."""
    ordered: dict[str, ops.WholeNode] = {}
    for start in wanted:
        chain: list[str] = []
        current: str | None = start
        while current is not None and current in wanted and current not in ordered:
            if current in chain:
                raise Refused("containment_cycle", "/nodes", f"The group '{current}' would stand in itself.")
            chain.append(current)
            current = wanted[current].parent
        for node_id in reversed(chain):
            ordered[node_id] = wanted[node_id]
    return list(ordered.items())


def _add(tx: Transaction, node_id: str, node: ops.WholeNode, place: int) -> None:
    for name in ("type", "label"):
        if getattr(node, name) is None:
            raise Refused("field_missing", f"/nodes/{place}/{name}", f"The new node '{node_id}' needs a {name}.")
    given = {name: getattr(node, name) for name in node.model_fields_set}
    add_node(tx, ops.NodeFields.model_construct(**_all_fields(given), id=node_id), f"/nodes/{place}")


def _all_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: given.get(name) for name in ops.NodeFields.model_fields if name != "id"}


def _update(tx: Transaction, node_id: str, node: ops.WholeNode, path: str) -> None:
    """Bring a node to what was given: omitted fields stay, null clears."""
    now = need_node(tx, node_id, path)
    values: dict[str, Any] = {}
    for name in node.model_fields_set - {"id", "parent", "properties"}:
        value = getattr(node, name)
        if value is None and name in ("type", "label", "position"):
            continue
        values[name] = value.model_dump() if isinstance(value, ops.Shape) else value or None
    if "properties" in node.model_fields_set:
        absent = {f"properties.{key}": None for key in now.get("properties", {})}
        values |= absent | property_values(now, node.properties or {})
    parent = node.parent if "parent" in node.model_fields_set else now.get("parent")
    _check_update(tx, node_id, values, now, path)
    if parent != now.get("parent"):
        need_unlocked(tx, node_id, path)
        lift(tx, node_id, _checked_parent(tx, node_id, parent, path), values.pop("position", None))
    if any(_differs(now, name, value) for name, value in values.items()):
        if not _is_unlocking(now, values):
            need_unlocked(tx, node_id, path)
        set_node(tx, node_id, values)
        tx.result.ids.append(node_id)


def _check_update(tx: Transaction, node_id: str, values: Mapping[str, Any], now: Mapping[str, Any], path: str) -> None:
    if values.get("type") is not None:
        check_type(values["type"], f"{path}/type")
        if now["type"] == GROUP != values["type"] and tx.workspace.diagram.has_children(node_id):
            raise Refused("group_not_empty", f"{path}/type", f"'{node_id}' is a group with children.")
    if "locked" in values and bool(values["locked"]) != bool(now.get("locked")) and not tx.by_person:
        raise Refused("lock_forbidden", f"{path}/locked", "Only a person may lock or unlock.")


def _is_unlocking(now: Mapping[str, Any], values: Mapping[str, Any]) -> bool:
    return bool(now.get("locked")) and "locked" in values and not values["locked"]


def _differs(now: Mapping[str, Any], name: str, value: Any) -> bool:
    return bool(field_of(now, name) != value)


def _checked_parent(tx: Transaction, node_id: str, parent: str | None, path: str) -> str | None:
    if parent is None:
        return None
    group = need_node(tx, parent, f"{path}/parent")
    if group["type"] != GROUP:
        raise Refused("not_a_group", f"{path}/parent", f"'{parent}' is not a group.")
    need_unlocked(tx, parent, f"{path}/parent")
    if node_id == parent or node_id in tx.workspace.diagram.ancestors(parent):
        raise Refused("containment_cycle", f"{path}/parent", f"'{parent}' stands in '{node_id}'.")
    return parent


def _match_edges(tx: Transaction, edges: Sequence[ops.EdgeFields]) -> list[str | None]:
    """For each wanted edge the one that it is: by id, else by ends, label and kind; None for a new one."""
    diagram = tx.workspace.diagram
    taken = {edge.id for edge in edges if edge.id is not None}
    matched: list[str | None] = []
    for edge in edges:
        found = edge.id if edge.id is not None and diagram.ends(edge.id) is not None else None
        if edge.id is None:
            equal = diagram.equal_edge(edge.source, edge.target, edge.label or "", edge.kind or "sync")
            found = equal if equal not in taken else None
            if found is not None:
                taken.add(found)
        matched.append(found)
    return matched


def _put_edge(tx: Transaction, edge_id: str | None, edge: ops.EdgeFields, path: str) -> None:
    if edge_id is None:
        add_edge(tx, edge, path)
        return
    now = tx.workspace.diagram.edge(edge_id) or {}
    values: dict[str, Any] = {}
    for name in edge.model_fields_set & {"label", "kind", "direction", "description"}:
        value = getattr(edge, name)
        values[name] = None if not value or value == EDGE_DEFAULTS[name] else value
    if "route" in edge.model_fields_set:
        values["route"] = route_json(edge.route) if edge.route else None
    if "properties" in edge.model_fields_set:
        values |= property_values(now, None) | property_values(now, edge.properties or {})
    moves = tx.workspace.diagram.ends(edge_id) != (edge.source, edge.target)
    if moves or any(_differs(now, name, value) for name, value in values.items()):
        need_node(tx, edge.source, f"{path}/source")
        need_node(tx, edge.target, f"{path}/target")
        need_unlocked_ends(tx, edge_id)
        move_ends(tx, edge_id, edge.source, edge.target)
        set_edge(tx, edge_id, values)
        tx.result.ids.append(edge_id)


def replace_document(tx: Transaction, op: ops.ReplaceDocument) -> None:
    """Make the document be this text; lines that are the same stay untouched."""
    document = tx.workspace.document
    new = with_lf(op.text)
    changes = line_changes(document.text, new)
    tx.result.match = {"rung": "whole", "section": "", "lines": [1, document.text.count("\n") + 1], "snippet": ""}
    tx.change_text(changes)
    eol = op.eol if op.eol is not None else eol_of(op.text) if "\r" in op.text else document.eol
    if eol != document.eol:
        tx.do(Rename("eol", document.eol, eol))


def line_changes(old: str, new: str) -> ChangeSet:
    """The changes, by whole lines, that lead from one text to the other."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    old_lines, new_lines = before[head : len(before) - tail], after[head : len(after) - tail]
    start = sum(map(len, before[:head]))
    offsets = [start]
    for line in old_lines:
        offsets.append(offsets[-1] + len(line))
    spans = [
        (offsets[code.src_start], offsets[code.src_end], "".join(new_lines[code.dest_start : code.dest_end]))
        for code in Indel.opcodes(old_lines, new_lines)
        if code.tag != "equal"
    ]
    return replacing(old, _joined(spans))


def _joined(spans: Sequence[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Neighbouring deletions and insertions as one replacement."""
    joined: list[tuple[int, int, str]] = []
    for start, end, text in spans:
        if joined and joined[-1][1] == start:
            joined[-1] = (joined[-1][0], end, joined[-1][2] + text)
        else:
            joined.append((start, end, text))
    return joined


def rename_workspace(tx: Transaction, op: ops.RenameWorkspace) -> None:
    """Give the workspace another name."""
    if op.name != tx.workspace.name:
        tx.do(Rename("name", tx.workspace.name, op.name))
