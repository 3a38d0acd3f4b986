"""Commands on connections, and those that put something into a connection."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from draftsmith.assistant.builtin.forms import Clause, Edit, Form, Op, listed
from draftsmith.assistant.builtin.name_words import CONNECTIONS
from draftsmith.assistant.builtin.phrases import New, check_no_group
from draftsmith.assistant.builtin.refusal import Unclear
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.vocabulary import EDGE_KINDS

VERBS: Final = {
    "calls": ("calls", ""),
    "reads from": ("reads", "data"),
    "writes to": ("writes", "data"),
    "publishes to": ("publishes", "async"),
    "subscribes to": ("subscribes", "async"),
}
"""Sentences that state a connection: the verb → label and kind; an empty kind is the default, sync."""


def _connect(clause: Clause) -> Edit:
    source, target = clause.two()
    slots = clause.slots
    label = clause.quotation("label", "the label") if "label" in slots else ""
    kind = slots["kind"].text.lower() if "kind" in slots else ""
    if kind and kind not in EDGE_KINDS:
        instead = tuple((slots["kind"].start, slots["kind"].end, name) for name in ("async", "data"))
        reason = f"'{slots['kind'].text}' is no kind of connection; the kinds are {', '.join(EDGE_KINDS)}."
        raise Unclear("kind_unknown", reason, instead)
    return _edge(clause, source, target, label, kind)


def _state(verb: str, clause: Clause) -> Edit:
    return _edge(clause, *clause.two(), *VERBS[verb])


def _edge(clause: Clause, source: NodeId, target: NodeId, label: str, kind: str) -> Edit:
    if len(label) > 200 or "\x00" in label:
        raise Unclear("name_unclear", "The label of a connection has at most 200 characters.")
    shown, other = clause.names.quoted(source), clause.names.quoted(target)
    if clause.workspace.diagram.equal_edge(source, target, label.strip(), kind or "sync") is not None:
        reason = f"{shown} is connected to {other} like that already."
        raise Unclear(
            "connected",
            reason,
            hints=(f"reverse the connection from {clause.names.call(source)} to {clause.names.call(target)}",),
        )
    operation: Op = {"op": "add_edge", "source": source, "target": target}
    operation |= {name: value for name, value in (("label", label), ("kind", kind)) if value}
    how = f" ('{label}')" if label else ""
    return Edit([operation], f"Connects {shown} to {other}{how}.")


def _disconnect(clause: Clause) -> Edit:
    one, other = clause.two(exact=True)
    return _cut(clause, one, other, [*clause.edges(one, other), *clause.edges(other, one)])


def _disconnect_one_way(clause: Clause) -> Edit:
    source, target = clause.two(exact=True)
    return _cut(clause, source, target, clause.edges(source, target))


def _cut(clause: Clause, one: NodeId, other: NodeId, edges: list[EdgeId]) -> Edit:
    if not edges:
        raise not_connected(clause, one, other)
    operations = [{"op": "delete_edge", **clause.address(edge)} for edge in edges]
    return Edit(operations, f"Removes {listed([clause.arrow(edge) for edge in edges])}.")


def _reverse(clause: Clause) -> Edit:
    source, target = clause.two(exact=True)
    edges = clause.edges(source, target)
    if not edges:
        raise not_connected(clause, source, target)
    ends = {"new_source": target, "new_target": source}
    operations = [{"op": "rewire_edge", **clause.address(edge), **ends} for edge in edges]
    return Edit(operations, f"Reverses {listed([clause.arrow(edge) for edge in edges])}.")


def not_connected(clause: Clause, one: NodeId, other: NodeId) -> Unclear:
    """Nothing goes from one node to the other; says so if something goes the other way."""
    names = clause.names
    if clause.edges(other, one):
        reason = f"Nothing goes from {names.quoted(one)} to {names.quoted(other)}; the connection goes the other way."
        hint = f"the connection from {names.call(other)} to {names.call(one)}"
        return Unclear("not_connected", reason, hints=(f"reverse {hint}", f"remove {hint}"))
    reason = f"{names.quoted(one)} and {names.quoted(other)} are not connected."
    return Unclear("not_connected", reason, hints=(f"connect {names.call(one)} to {names.call(other)}",))


# -- into a connection -----------------------------------------------------------------------------------------------


def _between(is_new: bool, clause: Clause) -> Edit:
    source, target = clause.two()
    if not clause.edges(source, target) and clause.edges(target, source):
        source, target = target, source
    there = [] if is_new else clause.names.exactly(clause.slots["new"].text)
    if len(there) == 1 and there[0] not in (source, target):
        return _put_between(clause, there[0], clause.names.labels[there[0]], None, (source, target))
    try:
        new = clause.new()
    except Unclear as unclear:
        if clause.slots["new"].text.lower().split()[-1] not in CONNECTIONS:
            raise
        hint = f"connect {clause.names.call(source)} to {clause.names.call(target)}"
        raise Unclear(unclear.kind, unclear.reason, unclear.instead, (hint,)) from None
    check_no_group(new)
    return _put_between(clause, clause.new_id(new), new.label, new, (source, target))


def _put_between(clause: Clause, middle: NodeId, label: str, new: New | None, ends: tuple[NodeId, NodeId]) -> Edit:
    source, target = ends
    edges, names = clause.edges(source, target), clause.names
    says = f"Puts '{label}' between {names.quoted(source)} and {names.quoted(target)}."
    if len(edges) == 1:
        node: Any = middle if new is None else new.fields()
        return Edit([{"op": "insert_between", "source": source, "target": target, "node": node}], says)
    operations: list[Op] = [] if new is None else [{"op": "add_node", "id": middle, **new.fields(), "near": source}]
    if not edges:
        operations.append({"op": "add_edge", "source": source, "target": middle})
        operations.append({"op": "add_edge", "source": middle, "target": target})
        return Edit(operations, f"{says} They were not connected before.")
    for edge in edges:
        kept = clause.workspace.diagram.edge(edge) or {}
        fields: Op = {field: kept[field] for field in ("label", "kind", "direction") if field in kept}
        operations.append({"op": "rewire_edge", "id": edge, "new_target": middle})
        operations.append({"op": "add_edge", "source": middle, "target": target, **fields})
    return Edit(operations, f"{says} All {len(edges)} connections go through it.")


def _before(clause: Clause) -> Edit:
    return _beside(clause, clause.node("a"), is_before=True)


def _after(clause: Clause) -> Edit:
    return _beside(clause, clause.node("a"), is_before=False)


def _beside(clause: Clause, node: NodeId, *, is_before: bool) -> Edit:
    """Put a new node before (after) one, so that all that came to it (went from it) goes through the new one."""
    new, diagram = clause.new(), clause.workspace.diagram
    check_no_group(new)
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
    where = "before" if is_before else "after"
    through = ""
    if edges:
        what = "what came to it" if is_before else "what went from it"
        through = f" Now {what} goes through '{new.label}': {listed([clause.arrow(edge) for edge in edges])}."
    return Edit(operations, f"Puts '{new.label}' {where} {clause.names.quoted(node)}.{through}")


def _several(clause: Clause, node: NodeId, edges: list[EdgeId]) -> Unclear:
    """Several connections go from a node, and only one is meant."""
    names, what = clause.names, clause.slots["new"].text
    reason = f"{len(edges)} connections go from {names.quoted(node)}: {listed([clause.arrow(edge) for edge in edges])}."
    others = dict.fromkeys((clause.workspace.diagram.ends(edge) or (node, node))[1] for edge in edges)
    hints = tuple(f"add {what} between {names.call(node)} and {names.call(other)}" for other in others)
    return Unclear("ambiguous", f"{reason} Say into which of them it is to go.", hints=hints)


EDGE_FORMS: Final = (
    Form("add_between", "add {new:new} [in ]between {a:node} and {b:node}", partial(_between, True), pair="edge"),
    Form(
        "put_between",
        "(put|insert|place) {new:new} [in ]between {a:node} and {b:node}",
        partial(_between, False),
        pair="edge",
    ),
    Form("add_before", "(add|put|insert|place) {new:new} (before|in front of) {a:node}", _before),
    Form("add_after", "(add|put|insert|place) {new:new} (after|behind) {a:node}", _after),
    Form(
        "connect",
        "(connect|link) {a:node} (to|with) {b:node}"
        "[ with [the ]label {label:text}][ as [an |a ]{kind:kind}[ connection]]",
        _connect,
        pair="free",
    ),
    Form(
        "disconnect",
        "disconnect {a:node} from {b:node}",
        _disconnect,
        is_risky=True,
        pair="edge",
    ),
    Form(
        "remove_connection_between",
        "(remove|delete) the (connection|connections) between {a:node} and {b:node}",
        _disconnect,
        is_risky=True,
        pair="edge",
    ),
    Form(
        "remove_connection",
        "(remove|delete) the (connection|connections) from {a:node} to {b:node}",
        _disconnect_one_way,
        is_risky=True,
        pair="edge",
    ),
    Form("reverse", "reverse the connection from {a:node} to {b:node}", _reverse, pair="edge"),
    *(
        Form(f"state_{verb.split()[0]}", f"{{a:node}} {verb} {{b:node}}", partial(_state, verb), pair="free")
        for verb in VERBS
    ),
)
