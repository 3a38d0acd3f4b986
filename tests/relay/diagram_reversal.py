"""How a scripted model takes an edit of a diagram back by another edit."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from tests.relay.diagram_edits import ends_of, planned
from tests.relay.doors import State
from tests.relay.plan import DiagramChange, Fields, Op, Plan


def reversed_diagram(plan: Plan, before: State, after: State, rng: random.Random) -> Plan | None:
    """The edit that brings back the nodes and edges of a plan as they were; None where only undo can."""
    kind = plan.kind.split(" + ")[-1]
    if kind in ("delete_node", "delete_nodes", "delete_edge"):
        return _brought_back(plan, before)
    meant = [one for one in plan.careful or () if one["op"] == kind]
    return planned(after, _BACK[kind](meant[0], plan, before), rng) if meant and kind in _BACK else None


def _unset(op: Op, old: Fields) -> Op:
    """The same fields as they were."""
    fields: Op = {name: old[name] or None for name in op if name not in ("op", "id", "properties", "kind", "direction")}
    fields |= {name: old[name] for name in ("kind", "direction") if name in op}
    if "properties" in op:
        keys = old["properties"] if op["properties"] is None else op["properties"]
        fields["properties"] = {key: old["properties"].get(key) for key in keys}
    return {"op": op["op"], "id": op["id"], **fields}


def _rewired_back(op: Op, plan: Plan, before: State) -> list[Op]:
    old = before.edges[op["id"]]
    ends = {f"new_{end}": old[end] for end in ("source", "target") if f"new_{end}" in op}
    return [{"op": "rewire_edge", "id": op["id"], **ends}]


def _moved_back(op: Op, plan: Plan, before: State) -> list[Op]:
    return [{"op": "move_nodes", "positions": {one: before.nodes[one]["position"] for one in op["positions"]}}]


def _direct_again(op: Op, plan: Plan, before: State) -> list[Op]:
    """Take the node between two others out, and connect them as they were."""
    [name] = plan.diagram.nodes
    [edge] = [before.edges[one] for one, new in plan.diagram.edges.items() if new is None]
    return [{"op": "delete_node", "id": name}, {"op": "add_edge", **_given(edge)}]


_BACK: Mapping[str, Callable[[Op, Plan, State], list[Op]]] = {
    "add_node": lambda op, plan, before: [{"op": "delete_node", "id": op["id"]}],
    "update_node": lambda op, plan, before: [_unset(op, before.nodes[op["id"]])],
    "move_nodes": _moved_back,
    "add_edge": lambda op, plan, before: [{"op": "delete_edge", "id": op["id"]}],
    "update_edge": lambda op, plan, before: [_unset(op, before.edges[op["id"]])],
    "rewire_edge": _rewired_back,
    "group_nodes": lambda op, plan, before: [{"op": "ungroup_nodes", "id": op["id"]}],
    "insert_between": _direct_again,
}


def _brought_back(plan: Plan, before: State) -> Plan:
    """Nodes and edges that were deleted, with all their fields."""
    nodes = {name: before.nodes[name] for name in plan.diagram.nodes}
    edges = {name: before.edges[name] for name in plan.diagram.edges}
    operations: list[Op] = [{"op": "add_node", **_given(node)} for node in nodes.values()]
    operations += [{"op": "add_edge", **_given(edge)} for edge in edges.values()]
    return Plan(
        "add_node" if nodes else "add_edge",
        "exact",
        operations,
        operations,
        diagram=DiagramChange(nodes, edges),
        nodes=ends_of(edges.values()) | frozenset(nodes),
    )


def _given(item: Fields) -> dict[str, Any]:
    return {name: value for name, value in item.items() if value not in ("", None, {}, False)}
