"""Turn the shape of a pattern into operations for what is selected.

Roles are given by type, in the order of the selection, where who calls comes before who is called; a node whose type
fits no role keeps out of it. What is there already is taken, what is missing is made: an edge between two that are
connected is left out, and an `insert_between` without an edge becomes two. The operations are an ordinary batch;
nothing here changes anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final

from draftsmith.assistant.patterns.pattern import Pattern, Role, filled_in
from draftsmith.errors import DraftsmithError, Problem
from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import EdgeId, NodeId

MOST_SELECTED: Final = 50


@dataclass(frozen=True, slots=True)
class FilledPattern:
    """A pattern for a selection.

    Attributes:
        operations: a batch; empty where everything is there already.
        roles: role → the nodes that have it, those that the batch makes among them.
        new_ids: the ids that the batch makes.
        unused: selected nodes that have no role.
    """

    operations: list[dict[str, Any]]
    roles: Mapping[str, Sequence[str]]
    new_ids: Sequence[str]
    unused: Sequence[str]

    def has_selected(self, diagram: Diagram) -> bool:
        """Whether a node that is there has a role, so that the batch is connected to the diagram."""
        return any(one in diagram for members in self.roles.values() for one in members)


def fill_pattern(
    pattern: Pattern, diagram: Diagram, nodes: Sequence[NodeId], edges: Sequence[EdgeId] = ()
) -> FilledPattern:
    """Make the operations of a pattern for selected nodes, and for the ends of selected edges.

    Raises:
        DraftsmithError: `invalid_request`: a selected node or edge is not there, more than `MOST_SELECTED` are
            selected, or two nodes are connected by several edges of which none is selected.
    """
    selected = _selected_nodes(diagram, nodes, edges)
    filling = _Filling(diagram, frozenset(edges))
    used = filling.assign(pattern.roles, selected)
    for one in pattern.shape:
        each = one.get("for", [])
        loops = [each] if isinstance(each, str) else each
        for members in product(*(filling.roles[name] for name in loops)):
            filling.add(one, dict(zip(loops, members, strict=True)))
    unused = [one for one in selected if one not in used]
    return FilledPattern(filling.operations, filling.roles, filling.new_ids, unused)


def _selected_nodes(diagram: Diagram, nodes: Sequence[NodeId], edges: Sequence[EdgeId]) -> list[NodeId]:
    """The selected nodes and the ends of the selected edges; who calls comes before who is called."""
    problems = [
        Problem(-1, "", "node_not_found", f"/nodes/{index}", f"There is no node '{one}'.")
        for index, one in enumerate(nodes)
        if one not in diagram
    ]
    ends = [diagram.ends(one) for one in edges]
    problems += [
        Problem(-1, "", "edge_not_found", f"/edges/{index}", f"There is no edge '{edges[index]}'.")
        for index, pair in enumerate(ends)
        if pair is None
    ]
    if problems:
        raise DraftsmithError("invalid_request", problems[0].message, problems)
    found = list(dict.fromkeys([*nodes, *(one for pair in ends if pair is not None for one in pair)]))
    if len(found) > MOST_SELECTED:
        message = f"Select at most {MOST_SELECTED} nodes for a pattern; these are {len(found)}."
        raise DraftsmithError("invalid_request", message, [Problem(-1, "", "field_invalid", "/nodes", message)])
    return _callers_first(diagram, found)


def _callers_first(diagram: Diagram, found: Sequence[NodeId]) -> list[NodeId]:
    """The nodes, each after the selected ones that lead to it, as far as these form no circle; else as selected."""
    left, ordered = list(found), []
    while left:
        free = (one for one in left if not any(other in diagram.incoming(one) for other in left if other != one))
        first = next(free, left[0])
        left.remove(first)
        ordered.append(first)
    return ordered


@dataclass
class _Filling:
    """The operations that are made for one diagram, and what they will have changed in it."""

    diagram: Diagram
    chosen_edges: frozenset[EdgeId]
    operations: list[dict[str, Any]] = field(default_factory=list)
    roles: dict[str, Sequence[str]] = field(default_factory=dict)
    new_ids: list[str] = field(default_factory=list)
    _ids: dict[tuple[str, str], str] = field(default_factory=dict)
    _types: dict[str, str] = field(default_factory=dict)
    _connected: set[tuple[str, str]] = field(default_factory=set)
    _cut: set[EdgeId] = field(default_factory=set)

    def assign(self, roles: Sequence[Role], selected: Sequence[NodeId]) -> set[str]:
        """Give each role its nodes, and make those that are missing; the selected nodes that have one."""
        used: set[str] = set()
        self._types = {role.name: role.types[0] for role in roles}
        for role in roles:
            fitting = [one for one in selected if one not in used and self._fits(role, one)]
            members: list[str] = [*(fitting if role.is_many else fitting[:1])]
            used.update(members)
            self.roles[role.name] = members
        for role in roles:
            self.roles[role.name] = self.roles[role.name] or self._found_or_made(role, used, has_selection=bool(used))
        return used

    def _fits(self, role: Role, node_id: NodeId) -> bool:
        return self.diagram[node_id]["type"] in role.types

    def _found_or_made(self, role: Role, used: set[str], *, has_selection: bool) -> list[str]:
        """The neighbours that have a role, else a new node; none where its neighbours are there and are not such."""
        if role.of and has_selection:
            known = [NodeId(one) for one in self.roles[role.of] if one in self.diagram]
            near = [other for one in known for other in self._neighbours(role, one)]
            found = [one for one in dict.fromkeys(near) if one not in used and self._fits(role, one)]
            if found or known:
                return [*(found if role.is_many else found[:1])]
        beside = next((one for other in self.roles.values() for one in other), "")
        node_id = self._fresh(role.label)
        self.new_ids.append(node_id)
        place = {"near": beside} if beside else {}
        self.operations.append({"op": "add_node", "id": node_id, "type": role.types[0], "label": role.label, **place})
        return [node_id]

    def _neighbours(self, role: Role, node_id: NodeId) -> Sequence[NodeId]:
        diagram = self.diagram
        return [*(diagram.incoming(node_id) if role.side == "before" else diagram.outgoing(node_id))]

    def add(self, operation: Mapping[str, object], members: Mapping[str, str]) -> None:
        """Add what an operation of a shape comes to, with a member for each role that it is repeated for."""
        if not self._has_all(operation, members):
            return
        made = _name_made(operation)
        if made:
            node_id = self._fresh(made)
            self._ids[made, " ".join(members.values())] = node_id
            self.new_ids.append(node_id)
        for one in self._adapt(filled_in(operation, lambda name: self._id(name, members), self._type)):
            self.operations.append(one)

    def _has_all(self, operation: Mapping[str, object], members: Mapping[str, str]) -> bool:
        """Whether every role that an operation speaks of has a node."""
        empty = [name for name, some in self.roles.items() if not some and name not in members]
        text = str(operation)
        return not any(f"{{{name}}}" in text for name in empty)

    def _id(self, name: str, members: Mapping[str, str]) -> str:
        """The node that a name means here; what was made for these members comes before what was made once."""
        made = self._ids.get((name, " ".join(members.values()))) or self._ids.get((name, ""))
        return members.get(name) or made or self.roles[name][0]

    def _type(self, role: str) -> str:
        node = self.diagram.node(NodeId(self.roles[role][0]))
        return self._types[role] if node is None else str(node["type"])

    def _adapt(self, operation: dict[str, Any]) -> Iterator[dict[str, Any]]:
        op = operation["op"]
        source, target = operation.get("source", ""), operation.get("target", "")
        between = self._edges_between(source, target)
        if op == "add_edge":
            if between or (source, target) in self._connected or source == target:
                return
            self._connected.add((source, target))
            yield operation
        elif op == "delete_edge":
            self._cut.update(between)
            yield from ({"op": "delete_edge", "id": one} for one in between)
        elif op == "insert_between":
            yield from self._insert(operation, between)
        else:
            yield operation

    def _insert(self, operation: dict[str, Any], edges: Sequence[EdgeId]) -> Iterator[dict[str, Any]]:
        """A node between two: in their edge, or with two new edges where they have none."""
        source, target, node = operation["source"], operation["target"], operation["node"]
        chosen = [one for one in edges if one in self.chosen_edges] or list(edges)
        self._connected.update({(source, node["id"]), (node["id"], target)})
        if len(chosen) > 1:
            names = [self.diagram.label(NodeId(one)) or one for one in (source, target)]
            message = f"{names[0]} and {names[1]} are connected by {len(chosen)} lines; select the one that is meant."
            problem = Problem(-1, "", "edge_ambiguous", "/edges", message, tuple(chosen))
            raise DraftsmithError("invalid_request", message, [problem])
        if chosen:
            self._cut.add(chosen[0])
            attributes = self.diagram.edge(chosen[0]) or {}
            text = attributes.get("label")
            yield {**operation, **({"label": text} if text else {})}
            return
        yield {"op": "add_node", "near": source, **node}
        for one, other, said in ((source, node["id"], "in_label"), (node["id"], target, "out_label")):
            label = {"label": operation[said]} if said in operation else {}
            yield {"op": "add_edge", "source": one, "target": other, **label}

    def _edges_between(self, source: str, target: str) -> list[EdgeId]:
        if source not in self.diagram or target not in self.diagram:
            return []
        edges = self.diagram.edges_between(NodeId(source), NodeId(target))
        return [one for one in edges if one not in self._cut]

    def _fresh(self, name: str) -> str:
        """An id made from a name that nothing has."""
        first = "-".join(name.casefold().replace("_", " ").split())
        number, node_id = 1, first
        while node_id in self.diagram or node_id in self.new_ids:
            number += 1
            node_id = f"{first}-{number}"
        return node_id


def _name_made(operation: Mapping[str, Any]) -> str:
    """The name of the node that an operation of a shape makes; empty for none."""
    if operation["op"] == "add_node":
        return str(operation["id"])
    return str(operation["node"]["id"]) if operation["op"] == "insert_between" else ""
