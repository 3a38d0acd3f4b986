"""What commands on connections do, and those that put something into a connection."""

from __future__ import annotations

from typing import Any, Final

from draftsmith.assistant.builtin.clause import Clause, Edit, Op, name_list
from draftsmith.assistant.builtin.new_things import CONNECTIONS, New
from draftsmith.assistant.builtin.refusal import UnclearSentence
from draftsmith.model.fields import LINE_LOOKS, some_fields
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.vocabulary import DIRECTIONS, EDGE_KINDS

VERBS: Final = {
    "calls": "",
    "reads from": "data",
    "writes to": "data",
    "publishes to": "async",
    "subscribes to": "async",
}
"""Verbs that state a connection: the first word is its label; its kind, empty for the default."""
_DEFAULTS: Final = {"label": "", "kind": EDGE_KINDS[0], "direction": DIRECTIONS[0]}


def connect(clause: Clause, *, label: str = "", kind: str = "") -> Edit:
    """Connect two nodes, with a label and of a kind if they are said, or if the verb says them."""
    (source, target), names = clause.two(), clause.names
    kind = clause.choice("kind") if "kind" in clause.slots else kind
    label = clause.edge_label() if "label" in clause.slots else label
    if clause.diagram.equal_edge(source, target, label, kind or "sync") is not None:
        reason = f"{names.quote(source)} is connected to {names.quote(target)} like that already."
        hint = f"reverse the connection from {names.call(source)} to {names.call(target)}"
        raise UnclearSentence("connected", reason, hints=(hint,))
    operation: Op = {"op": "add_edge", "source": source, "target": target}
    operation |= {name: value for name, value in (("label", label), ("kind", kind)) if value}
    how = f" ('{label}')" if label else ""
    return Edit([operation], f"Connects {names.quote(source)} to {names.quote(target)}{how}.")


def disconnect(clause: Clause) -> Edit:
    """Remove what leads from one node to another."""
    return _cut(clause, _existing_edges(clause, *clause.two(exact=True)))


def disconnect_both_ways(clause: Clause) -> Edit:
    """Remove what connects two nodes, in both directions."""
    one, other = clause.two(exact=True)
    back = clause.diagram.edges_between(other, one)
    return _cut(clause, [*clause.diagram.edges_between(one, other), *back] or _existing_edges(clause, one, other))


def _cut(clause: Clause, edges: list[EdgeId]) -> Edit:
    operations = [{"op": "delete_edge", **clause.address(edge)} for edge in edges]
    return Edit(operations, f"Removes {_arrows(clause, edges)}.")


def reverse(clause: Clause) -> Edit:
    """Turn what leads from one node to another."""
    source, target = clause.two(exact=True)
    edges = _existing_edges(clause, source, target)
    ends = {"new_source": target, "new_target": source}
    operations = [{"op": "rewire_edge", **clause.address(edge), **ends} for edge in edges]
    return Edit(operations, f"Reverses {_arrows(clause, edges)}.")


def _existing_edges(clause: Clause, one: NodeId, other: NodeId) -> list[EdgeId]:
    """What leads from one node to another, of which there is something.

    Raises:
        UnclearSentence: `not_connected`; says so if something leads the other way.
    """
    names, edges = clause.names, clause.diagram.edges_between(one, other)
    if edges:
        return edges
    if clause.diagram.edges_between(other, one):
        reason = f"Nothing goes from {names.quote(one)} to {names.quote(other)}; the connection goes the other way."
        hint = f"the connection from {names.call(other)} to {names.call(one)}"
        raise UnclearSentence("not_connected", reason, hints=(f"reverse {hint}", f"remove {hint}"))
    reason = f"{names.quote(one)} and {names.quote(other)} are not connected."
    raise UnclearSentence("not_connected", reason, hints=(f"connect {names.call(one)} to {names.call(other)}",))


def _arrows(clause: Clause, edges: list[EdgeId]) -> str:
    return name_list([clause.arrow(edge) for edge in edges])


# -- what a connection says ------------------------------------------------------------------------------------------


def change(field: str, clause: Clause) -> Edit:
    """Give the connection from one node to another a label, a kind or a direction."""
    edge, *others = _existing_edges(clause, *clause.two())
    if others:
        arrows = "; ".join(clause.arrow(one) for one in (edge, *others))
        reason = f"There are {1 + len(others)} connections like that: {arrows}. Change the one you mean in the diagram."
        raise UnclearSentence("ambiguous", reason)
    value = clause.edge_label() if field == "label" else clause.choice(field)
    if ((clause.diagram.edge(edge) or {}).get(field) or _DEFAULTS[field]) == value:
        raise UnclearSentence("same", f"The {field} of {clause.arrow(edge)} is '{value}' already.")
    operation = {"op": "update_edge", **clause.address(edge), field: value}
    return Edit([operation], f"Changes the {field} of {clause.arrow(edge)} to '{value}'.")


# -- into a connection -----------------------------------------------------------------------------------------------


def add_between(clause: Clause) -> Edit:
    """Put a new node between two, into what connects them."""
    ends = _ends(clause)
    try:
        new = clause.new()
    except UnclearSentence as unclear:
        if not CONNECTIONS.isdisjoint(clause.slots["new"].text.lower().split()[-1:]):
            unclear.hints = ("connect {} to {}".format(*map(clause.names.call, ends)),)
        raise
    return _put_between(clause, clause.new_id(new), new.label, new, ends)


def put_between(clause: Clause) -> Edit:
    """Put a node between two others: one that is there, or a new one."""
    ends = _ends(clause)
    there = clause.names.exactly(clause.slots["new"].text)
    if len(there) == 1 and there[0] not in ends:
        return _put_between(clause, there[0], clause.names.labels[there[0]], None, ends)
    return add_between(clause)


def _ends(clause: Clause) -> tuple[NodeId, NodeId]:
    source, target = clause.two()
    is_other_way = not clause.diagram.edges_between(source, target) and clause.diagram.edges_between(target, source)
    return (target, source) if is_other_way else (source, target)


def _put_between(clause: Clause, middle: NodeId, label: str, new: New | None, ends: tuple[NodeId, NodeId]) -> Edit:
    source, target = ends
    edges, names = clause.diagram.edges_between(source, target), clause.names
    says = f"Puts '{label}' between {names.quote(source)} and {names.quote(target)}."
    if len(edges) == 1:
        node: Any = middle if new is None else new.fields()
        return Edit([{"op": "insert_between", "source": source, "target": target, "node": node}], says)
    operations: list[Op] = [] if new is None else [{"op": "add_node", "id": middle, **new.fields(), "near": source}]
    if not edges:
        operations.append({"op": "add_edge", "source": source, "target": middle})
        operations.append({"op": "add_edge", "source": middle, "target": target})
        return Edit(operations, f"{says} They were not connected before.")
    for edge in edges:
        fields: Op = {**some_fields(clause.diagram.edge(edge) or {}, ("label", "kind", "direction", *LINE_LOOKS))}
        operations.append({"op": "rewire_edge", "id": edge, "new_target": middle})
        operations.append({"op": "add_edge", "source": middle, "target": target, **fields})
    return Edit(operations, f"{says} All {len(edges)} connections go through it.")


def add_beside(clause: Clause) -> Edit:
    """Put a new node before (after) one, so that all that came to it (went from it) goes through the new one."""
    where, is_before = ("before", True) if "before" in clause.slots else ("after", False)
    node, new, diagram = clause.node(where), clause.new(), clause.diagram
    made = clause.new_id(new)
    ways = diagram.incoming(node) if is_before else diagram.outgoing(node)
    edges = sorted(edge for between in ways.values() for edge in between)
    if len(edges) > 1 and not is_before:
        raise _several(clause, node, edges)
    moved = "new_target" if is_before else "new_source"
    operations: list[Op] = [{"op": "add_node", "id": made, **new.fields(), "near": node}]
    operations += [{"op": "rewire_edge", **clause.address(edge), moved: made} for edge in edges]
    source, target = (made, node) if is_before else (node, made)
    operations.append({"op": "add_edge", "source": source, "target": target})
    what = "what came to it" if is_before else "what went from it"
    through = f" Now {what} goes through '{new.label}': {_arrows(clause, edges)}." if edges else ""
    return Edit(operations, f"Puts '{new.label}' {where} {clause.names.quote(node)}.{through}")


def _several(clause: Clause, node: NodeId, edges: list[EdgeId]) -> UnclearSentence:
    """Several connections go from a node, and only one is meant."""
    names, what = clause.names, clause.slots["new"].text
    reason = f"{len(edges)} connections go from {names.quote(node)}: {_arrows(clause, edges)}."
    others = dict.fromkeys((clause.diagram.ends(edge) or (node, node))[1] for edge in edges)
    hints = tuple(f"add {what} between {names.call(node)} and {names.call(other)}" for other in others)
    return UnclearSentence("ambiguous", f"{reason} Say into which of them it is to go.", hints=hints)
