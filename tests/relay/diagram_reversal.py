"""How a scripted model takes an edit of a diagram back by another edit."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from tests.relay.diagram_edits import (
    FIELDS,
    ends_of,
    misspelt,
    plan_of,
    rewired,
    set_edge,
    set_node,
    without_edge,
    without_node,
)
from tests.relay.doors import State
from tests.relay.plan import DiagramChange, Fields, Op, Plan


def reversed_diagram(plan: Plan, before: State, after: State, rng: random.Random) -> Plan:
    """The edit that brings back the nodes and edges of a plan as they were."""
    named_nodes, named_edges = plan.diagram.nodes, plan.diagram.edges
    match plan.kind.split(" + ")[-1]:
        case "add_node":
            [name] = named_nodes
            return without_node(after, name, rng)
        case "update_node":
            [name] = named_nodes
            [op] = [op for op in plan.operations if op["op"] == "update_node"]
            old = {field: before.nodes[name][field] or None for field in FIELDS if field in op}
            return set_node(after, name, old, rng, "update_node")
        case "group_nodes":
            return _ungrouped(before, named_nodes, rng)
        case "insert_between":
            return _direct_again(plan, before, after, rng)
        case "add_edge":
            [name] = named_edges
            return without_edge(after, name, rng)
        case "update_edge":
            [name] = named_edges
            changed = ("label", "kind", "color", "style", "shape")
            return set_edge(after, name, {field: before.edges[name][field] for field in changed}, rng)
        case "rewire_edge":
            [name] = named_edges
            return rewired(after, name, before.edges[name]["target"], rng)
        case _:
            return _brought_back(plan, before)


def _brought_back(plan: Plan, before: State) -> Plan:
    """Nodes and edges that were deleted, with all their fields."""
    nodes = {name: before.nodes[name] for name in plan.diagram.nodes}
    edges = {name: before.edges[name] for name in plan.diagram.edges}
    operations: list[Op] = [{"op": "add_node", **_given(node)} for node in nodes.values()]
    operations += [{"op": "add_edge", **_given(edge)} for edge in edges.values()]
    kind = "add_node" if nodes else "add_edge"
    return plan_of(
        kind, "exact", operations, operations, DiagramChange(nodes, edges), ends_of(edges) | frozenset(nodes)
    )


def _direct_again(plan: Plan, before: State, after: State, rng: random.Random) -> Plan:
    """Take the node between two others out, and connect them as they were."""
    [name] = plan.diagram.nodes
    out = without_node(after, name, rng)
    old, *_ = plan.diagram.edges
    edge = before.edges[old]
    connect = {"op": "add_edge", **_given(edge)}
    return plan_of(
        "delete_node",
        out.noise,
        [*out.operations, connect],
        [*(out.careful or ()), connect],
        DiagramChange(out.diagram.nodes, {**out.diagram.edges, old: edge}),
        out.nodes | plan.nodes,
    )


def _given(item: Fields) -> dict[str, Any]:
    return {name: value for name, value in item.items() if value not in ("", None, {}, False)}


def _ungrouped(before: State, nodes: Mapping[str, Fields | None], rng: random.Random) -> Plan:
    name, *inside = nodes
    sent, noise = misspelt(name, rng)
    return plan_of(
        "ungroup_nodes",
        noise,
        [{"op": "ungroup_nodes", "id": sent}],
        [{"op": "ungroup_nodes", "id": name}],
        DiagramChange({name: None, **{one: before.nodes[one] for one in inside}}),
        frozenset(nodes),
    )
