"""Commands on nodes and groups."""

from __future__ import annotations

from functools import partial
from typing import Final

from draftsmith.assistant.builtin.forms import Clause, Edit, Form, Op, listed
from draftsmith.assistant.builtin.new_names import doubt, no_names
from draftsmith.assistant.builtin.phrases import check_no_group, guess
from draftsmith.assistant.builtin.refusal import Unclear
from draftsmith.model.vocabulary import GROUP, NODE_TYPES

CALLERS: Final = frozenset({"client", "web", "mobile", "user"})
"""Types that call and are not called; an arrow between one of them and something else begins at it."""


def _add(clause: Clause) -> Edit:
    new = clause.new()
    return Edit([{"op": "add_node", **new.fields()}], f"Adds '{new.label}'.")


def _add_to_group(clause: Clause) -> Edit:
    new, group = clause.new(), clause.group("group")
    says = f"Adds '{new.label}' to the group {clause.names.quoted(group)}."
    return Edit([{"op": "add_node", **new.fields(), "parent": group}], says)


def _add_near(clause: Clause) -> Edit:
    new, near = clause.new(), clause.node("near")
    says = f"Adds '{new.label}' near {clause.names.quoted(near)}."
    return Edit([{"op": "add_node", **new.fields(), "near": near}], says)


def _add_connected(clause: Clause) -> Edit:
    new, other = clause.new(), clause.node("a")
    check_no_group(new)
    made = clause.new_id(new)
    ends = (made, other) if new.type in CALLERS else (other, made)
    arrow = (
        f"{new.label} → {clause.names.labels[other]}"
        if ends[0] == made
        else f"{clause.names.labels[other]} → {new.label}"
    )
    add: Op = {"op": "add_node", "id": made, **new.fields()}
    return Edit(
        [add, {"op": "add_edge", "source": ends[0], "target": ends[1]}], f"Adds '{new.label}' and connects {arrow}."
    )


def _rename(clause: Clause) -> Edit:
    node, label = clause.node("a", exact=True), clause.name("label")
    there = [other for other in clause.names.exactly(label) if other != node]
    if there:
        raise Unclear("exists", f"There is a node called '{label}' already; two of one name are hard to tell apart.")
    if clause.names.labels[node] == label:
        raise Unclear("same", f"It is called '{label}' already.")
    _check_label(label)
    return Edit(
        [{"op": "update_node", "id": node, "label": label}], f"Renames {clause.names.quoted(node)} to '{label}'."
    )


def _check_label(label: str) -> None:
    if not label or len(label) > 120 or "\x00" in label:
        raise Unclear("name_unclear", "A name has 1 to 120 characters.")


def _change_type(clause: Clause) -> Edit:
    node, slot = clause.node("a"), clause.slots["type"]
    wanted = "" if doubt(slot.raw, no_names) else guess(slot.text.strip())
    if clause.names.types[node] == GROUP:
        raise Unclear("not_possible", f"{clause.names.quoted(node)} is a group; dissolve it to get rid of it.")
    if not wanted or wanted == GROUP:
        known = ", ".join(kind for kind in NODE_TYPES if kind != GROUP)
        instead = tuple((slot.start, slot.end, kind) for kind in ("service", "database"))
        raise Unclear("type_unknown", f"'{slot.text}' is no type that a node can be given. Types: {known}.", instead)
    says = f"Changes the type of {clause.names.quoted(node)} to {wanted}."
    return Edit([{"op": "update_node", "id": node, "type": wanted}], says)


def _change_text(field: str, most: int, clause: Clause) -> Edit:
    node = clause.node("a")
    text = clause.prose("text") if field == "description" else clause.name("text", field)
    if len(text) > most or "\x00" in text:
        raise Unclear("name_unclear", f"A {field} has at most {most:,} characters.")
    says = f"Sets the {field} of {clause.names.quoted(node)} to '{text}'."
    return Edit([{"op": "update_node", "id": node, field: text}], says)


def _remove(bridge: bool, clause: Clause) -> Edit:
    ids, diagram = clause.nodes("nodes", exact=True), clause.workspace.diagram
    operation: Op = {"op": "delete_node", "id": ids[0]} if len(ids) == 1 else {"op": "delete_nodes", "ids": ids}
    edges = list(dict.fromkeys(edge for node_id in ids for edge in sorted(diagram.edges_at(node_id))))
    says = [f"Removes {listed([clause.names.quoted(node_id) for node_id in ids])}."]
    if edges:
        what = "This connection goes" if len(edges) == 1 else "These connections go"
        says.append(f"{what} too: {listed([clause.arrow(edge) for edge in edges])}.")
    if bridge:
        says.append("What called it is connected with what it called.")
    if any(diagram.has_children(node_id) for node_id in ids):
        says.append("What stands in the group stays.")
    return Edit([operation | {"bridge": True} if bridge else operation], " ".join(says))


def _replace(clause: Clause) -> Edit:
    node, new = clause.node("a", exact=True), None
    slot = clause.slots["new"]
    try:
        new = clause.new()
    except Unclear as unclear:
        if unclear.kind == "exists":
            reason = (
                f"'{slot.text}' is in the diagram already; connect it and remove {clause.names.quoted(node)} instead."
            )
            raise Unclear("exists", reason) from None
        raise
    if clause.names.types[node] == GROUP or new.type == GROUP:
        raise Unclear("not_possible", "A group cannot be replaced by something else, or the reverse.")
    fields = {"label": new.label, "type": new.type, "technology": new.technology or None}
    says = f"Replaces {clause.names.quoted(node)} with '{new.label}'; its connections and its place stay."
    return Edit([{"op": "update_node", "id": node, **fields}], says)


def _group(clause: Clause) -> Edit:
    ids, label = clause.nodes("nodes"), clause.name("label")
    _check_label(label)
    if clause.names.exactly(label):
        raise Unclear("exists", f"There is a node called '{label}' already; give the group another name.")
    if len({clause.workspace.diagram.parent(node_id) for node_id in ids}) > 1:
        raise Unclear("not_possible", "They stand in different groups; move them into one first.")
    says = f"Groups {listed([clause.names.quoted(node_id) for node_id in ids])} as '{label}'."
    return Edit([{"op": "group_nodes", "label": label, "ids": ids}], says)


def _ungroup(clause: Clause) -> Edit:
    group = clause.group("group", exact=True)
    says = f"Dissolves the group {clause.names.quoted(group)}; what stands in it stays where it is."
    return Edit([{"op": "ungroup_nodes", "id": group}], says)


def _move_in(clause: Clause) -> Edit:
    ids, group = clause.nodes("nodes"), clause.group("group")
    if group in ids or not set(ids).isdisjoint(clause.workspace.diagram.ancestors(group)):
        raise Unclear("not_possible", "A group cannot stand in itself.")
    says = f"Moves {listed([clause.names.quoted(node_id) for node_id in ids])} into {clause.names.quoted(group)}."
    return Edit([{"op": "move_to_group", "ids": ids, "group": group}], says)


def _move_out(clause: Clause) -> Edit:
    ids, diagram = clause.nodes("nodes"), clause.workspace.diagram
    groups = {diagram.parent(node_id) for node_id in ids}
    if "group" in clause.slots:
        groups.add(clause.group("group"))
    group = groups.pop() if len(groups) == 1 else None
    if group is None:
        raise Unclear("not_possible", "They do not all stand in that one group.")
    outer = diagram.parent(group)
    says = f"Moves {listed([clause.names.quoted(node_id) for node_id in ids])} out of {clause.names.quoted(group)}."
    return Edit([{"op": "move_to_group", "ids": ids, "group": outer}], says)


def _lay_out(clause: Clause) -> Edit:
    return Edit([{"op": "layout_diagram", "scope": "all"}], "Lays out the whole diagram; locked nodes stay.")


NODE_FORMS: Final = (
    Form("add_to_group", "(add|create) {new:new} (to|in|into) [the ]group {group:group}", _add_to_group),
    Form("add_near", "(add|create|put|place) {new:new} (near|beside|next to) {near:node}", _add_near),
    Form("add_connected", "(add|create) {new:new} [and ]connected (to|with) {a:node}", _add_connected),
    Form("add", "(add|create) {new:new}", _add),
    Form("rename", "rename {a:node} (to|as) {label:label}", _rename, is_risky=True),
    Form("change_type", "(change|set) the type of {a:node} to [an |a ]{type:type}", _change_type, is_risky=True),
    Form(
        "change_technology",
        "(change|set) the technology of {a:node} to {text:technology}",
        partial(_change_text, "technology", 200),
        is_risky=True,
    ),
    Form(
        "change_description",
        "(change|set) the description of {a:node} to {text:text}",
        partial(_change_text, "description", 10_000),
        is_risky=True,
    ),
    Form(
        "remove_bridged",
        "(remove|delete) {nodes:nodes} and bridge (it|them|the gap)",
        partial(_remove, True),
        is_risky=True,
    ),
    Form("remove_unbridged", "(remove|delete) {nodes:nodes} without bridging", partial(_remove, False), is_risky=True),
    Form("remove", "(remove|delete|drop) {nodes:nodes}", partial(_remove, False), is_risky=True),
    Form("replace", "replace {a:node} (with|by) {new:new}", _replace, is_risky=True),
    Form("group", "group {nodes:nodes} (as|into) {label:label}", _group),
    Form("ungroup", "ungroup {group:group}", _ungroup, is_risky=True),
    Form("move_out", "move {nodes:nodes} out of (its|their|the) (group|groups)", _move_out),
    Form("move_out_of", "move {nodes:nodes} out of [the ][group ]{group:group}", _move_out),
    Form("move_in", "move {nodes:nodes} (into|to) [the ][group ]{group:group}", _move_in),
    Form("lay_out", "(lay out|tidy up|tidy|arrange) (the diagram|everything)", _lay_out, is_risky=True),
)
