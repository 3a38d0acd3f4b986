"""What commands on nodes and groups do."""

from __future__ import annotations

from typing import Final

from draftsmith.assistant.builtin.clause import CHOICES, Clause, Edit, Op, name_list
from draftsmith.assistant.builtin.new_things import LABEL, check_text, guess, noun_type
from draftsmith.assistant.builtin.refusal import UnclearSentence
from draftsmith.model.custom_types import custom_type_named
from draftsmith.model.ids import NodeId
from draftsmith.model.vocabulary import GROUP

_CALLERS: Final = frozenset({"client", "web", "mobile", "user"})
"""Types that call and are not called; an arrow between one of them and something else begins at it."""


def add(clause: Clause) -> Edit:
    """Add a node; in a group, near another one or connected to it if that is said."""
    new, names = clause.new(), clause.names
    operation: Op = {"op": "add_node", **new.fields()}
    if "group" in clause.slots:
        group = clause.group()
        return Edit([operation | {"parent": group}], f"Adds '{new.label}' to the group {names.quote(group)}.")
    if "near" in clause.slots:
        near = clause.node("near")
        return Edit([operation | {"near": near}], f"Adds '{new.label}' near {names.quote(near)}.")
    if "node" not in clause.slots:
        return Edit([operation], f"Adds '{new.label}'.")
    other, made = clause.node(), clause.new_id(new)
    ends, labels = (other, made), (names.labels[other], new.label)
    if new.type in _CALLERS:
        ends, labels = ends[::-1], labels[::-1]
    edge: Op = {"op": "add_edge", "source": ends[0], "target": ends[1]}
    return Edit(
        [{"op": "add_node", "id": made, **new.fields()}, edge],
        f"Adds '{new.label}' and connects {' → '.join(labels)}.",
    )


def rename(clause: Clause) -> Edit:
    """Rename a node."""
    node, label = clause.node(exact=True), clause.name("label")
    check_text(label, *LABEL)
    if any(other != node for other in clause.names.exactly(label)):
        raise UnclearSentence(
            "exists", f"There is a node called '{label}' already; two of one name are hard to tell apart."
        )
    if clause.names.labels[node] == label:
        raise UnclearSentence("same", f"It is called '{label}' already.")
    return Edit(
        [{"op": "update_node", "id": node, "label": label}], f"Renames {clause.names.quote(node)} to '{label}'."
    )


def change_type(clause: Clause) -> Edit:
    """Change the type of a node."""
    node, slot = clause.node(), clause.slots["type"]
    own = clause.diagram.types
    wanted = custom_type_named(slot.text.strip(), own) or noun_type(slot.text.strip())
    if clause.names.types[node] == GROUP:
        raise UnclearSentence("not_possible", f"{clause.names.quote(node)} is a group; dissolve it to get rid of it.")
    if not wanted or wanted == GROUP:
        reason = f"'{slot.text}' is no type that a node can be given. Types: {', '.join([*CHOICES['type'], *own])}."
        raise UnclearSentence("type_unknown", reason, slot, (guess(slot.text) or "service", "database"))
    says = f"Changes the type of {clause.names.quote(node)} to {own[wanted]['name'] if wanted in own else wanted}."
    return Edit([{"op": "update_node", "id": node, "type": wanted}], says)


def change_technology(clause: Clause) -> Edit:
    """Change the technology of a node."""
    return _change_edit(clause, clause.node(), "technology", clause.technology())


def change_description(clause: Clause) -> Edit:
    """Change the description of a node."""
    node, text = clause.node(), clause.prose("text")
    check_text(text, "description", 10_000, least=0)
    return _change_edit(clause, node, "description", text)


def _change_edit(clause: Clause, node: NodeId, field: str, text: str) -> Edit:
    says = f"Sets the {field} of {clause.names.quote(node)} to '{text}'."
    return Edit([{"op": "update_node", "id": node, field: text}], says)


def remove(clause: Clause, *, bridge: bool = False) -> Edit:
    """Remove nodes, and say what goes with them."""
    ids, diagram = clause.nodes(exact=True), clause.diagram
    operation: Op = {"op": "delete_node", "id": ids[0]} if len(ids) == 1 else {"op": "delete_nodes", "ids": ids}
    edges = list(dict.fromkeys(edge for node_id in ids for edge in sorted(diagram.edges_at(node_id))))
    says = [f"Removes {clause.labels_of(ids)}."]
    if edges:
        what = "This connection goes" if len(edges) == 1 else "These connections go"
        says.append(f"{what} too: {name_list([clause.arrow(edge) for edge in edges])}.")
    if bridge:
        says.append("What called it is connected with what it called.")
    if any(diagram.has_children(node_id) for node_id in ids):
        says.append("What stands in the group stays.")
    return Edit([operation | {"bridge": True} if bridge else operation], " ".join(says))


def replace(clause: Clause) -> Edit:
    """Change name, type and technology of a node in place."""
    node = clause.node(exact=True)
    try:
        new = clause.new()
    except UnclearSentence as unclear:
        if unclear.kind == "exists":
            there, gone = clause.slots["new"].text, clause.names.quote(node)
            reason = f"'{there}' is in the diagram already; connect it and remove {gone} instead."
            raise UnclearSentence("exists", reason) from None
        raise
    if clause.names.types[node] == GROUP or new.type == GROUP:
        raise UnclearSentence("not_possible", "A group cannot be replaced by something else, or the reverse.")
    fields = {"label": new.label, "type": new.type, "technology": new.technology or None}
    says = f"Replaces {clause.names.quote(node)} with '{new.label}'; its connections and its place stay."
    return Edit([{"op": "update_node", "id": node, **fields}], says)


def group(clause: Clause) -> Edit:
    """Group nodes."""
    ids, label = clause.nodes(), clause.name("label")
    check_text(label, *LABEL)
    if clause.names.exactly(label):
        raise UnclearSentence("exists", f"There is a node called '{label}' already; give the group another name.")
    if len({clause.diagram.parent(node_id) for node_id in ids}) > 1:
        raise UnclearSentence("not_possible", "They stand in different groups; move them into one first.")
    return Edit([{"op": "group_nodes", "label": label, "ids": ids}], f"Groups {clause.labels_of(ids)} as '{label}'.")


def ungroup(clause: Clause) -> Edit:
    """Dissolve a group."""
    there = clause.group(exact=True)
    says = f"Dissolves the group {clause.names.quote(there)}; what stands in it stays where it is."
    return Edit([{"op": "ungroup_nodes", "id": there}], says)


def move_in(clause: Clause) -> Edit:
    """Move nodes into a group."""
    ids, there = clause.nodes(), clause.group()
    if there in ids or not set(ids).isdisjoint(clause.diagram.ancestors(there)):
        raise UnclearSentence("not_possible", "A group cannot stand in itself.")
    says = f"Moves {clause.labels_of(ids)} into {clause.names.quote(there)}."
    return Edit([{"op": "move_to_group", "ids": ids, "group": there}], says)


def move_out(clause: Clause) -> Edit:
    """Move nodes out of the group in which they all stand."""
    ids, diagram = clause.nodes(), clause.diagram
    groups = {diagram.parent(node_id) for node_id in ids}
    if "group" in clause.slots:
        groups.add(clause.group())
    there = groups.pop() if len(groups) == 1 else None
    if there is None:
        raise UnclearSentence("not_possible", "They do not all stand in that one group.")
    says = f"Moves {clause.labels_of(ids)} out of {clause.names.quote(there)}."
    return Edit([{"op": "move_to_group", "ids": ids, "group": diagram.parent(there)}], says)


def lay_out(clause: Clause) -> Edit:
    """Lay out the diagram."""
    return Edit([{"op": "layout_diagram", "scope": "all"}], "Lays out the whole diagram; locked nodes stay.")
