"""Edits of a diagram and their reversal, with ids as models get them wrong; expectations are plain dictionaries."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from tests.relay.doors import State
from tests.relay.plan import ANY, DiagramChange, Fields, Op, Plan

_NODES = [
    ("web", "web", "Web shop", ""),
    ("gateway", "gateway", "API gateway", "Envoy"),
    ("orders", "service", "Orders", "Python 3.12"),
    ("orders-db", "database", "Orders DB", "PostgreSQL 17"),
    ("payments", "service", "Payments", "Python 3.12"),
    ("session-store", "cache", "Session store", "Memcached"),
    ("mailer", "worker", "Mailer", ""),
    ("mail-queue", "queue", "Mail queue", "RabbitMQ"),
    ("search-index", "search", "Search index", "OpenSearch"),
    ("metrics", "monitoring", "Metrics", "Prometheus"),
]
_EDGES = [
    ("web", "gateway", "requests", "sync"), ("gateway", "orders", "orders", "sync"),
    ("gateway", "payments", "charges", "sync"), ("orders", "orders-db", "reads", "data"),
    ("orders", "orders-db", "writes", "data"), ("orders", "mail-queue", "mails", "async"),
    ("mail-queue", "mailer", "mails", "async"), ("gateway", "session-store", "sessions", "data"),
    ("orders", "search-index", "documents", "async"), ("orders", "metrics", "latency", "async"),
]  # fmt: skip
_FIELDS = ("label", "technology", "description", "notes")
_ID_NOISE_SHARE = 0.35


def diagram() -> dict[str, Any]:
    """The diagram that every relay begins with."""
    nodes = [
        {
            "id": one,
            "type": kind,
            "label": label,
            "technology": technology,
            "position": {"x": at % 4 * 300, "y": at // 4 * 200},
        }
        for at, (one, kind, label, technology) in enumerate(_NODES)
    ]
    edges = [
        {"id": f"edge-{at}", "source": source, "target": target, "label": label, "kind": kind}
        for at, (source, target, label, kind) in enumerate(_EDGES)
    ]
    return {"nodes": nodes, "edges": edges}


def diagram_plan(state: State, rng: random.Random, step: int) -> Plan:
    """An edit of some kind."""
    return rng.choice(_KINDS)(state, rng, step)


def misspelt(name: str, rng: random.Random) -> tuple[str, str]:
    """An id as it is sent, and what is wrong with it; what is wrong can be seen."""
    if rng.random() > _ID_NOISE_SHARE:
        return name, "exact"
    at = rng.randrange(len(name) - 1)
    swapped = name[:at] + name[at + 1] + name[at] + name[at + 2 :]
    ways = [(name.upper(), "id in capitals"), (f"{name}-service", "id: longer")]
    if swapped != name and swapped[0].isalnum():
        ways.append((swapped, "id: typing error"))
    return rng.choice(ways)


def _plan(
    kind: str, noise: str, first: list[Op], careful: list[Op], diagram: DiagramChange, nodes: frozenset[str]
) -> Plan:
    return Plan(kind, noise, first, careful, diagram=diagram, nodes=nodes)


def _ends(edges: Mapping[str, Fields]) -> frozenset[str]:
    return frozenset(str(edge[end]) for edge in edges.values() for end in ("source", "target"))


def _add_node(state: State, rng: random.Random, step: int) -> Plan:
    """A node, and an edge to it."""
    name, target = f"step-{step}", rng.choice(sorted(state.nodes))
    sent, noise = misspelt(target, rng)
    fields = {"type": "service", "label": f"Service of step {step}", "technology": "Go 1.24"}
    edge = {"source": name, "target": target, "label": "calls"}
    made = _node(name, **fields, position=ANY)
    drawn = _edge(f"{name}--{target}", **edge)
    return _plan(
        "add_node",
        noise,
        [{"op": "add_node", "id": name, **fields}, {"op": "add_edge", **edge, "target": sent}],
        [{"op": "add_node", "id": name, **fields}, {"op": "add_edge", **edge}],
        DiagramChange({name: made}, {drawn["id"]: drawn}),
        frozenset([name, target]),
    )


def _node(name: str, **fields: Any) -> dict[str, Any]:
    empty = {
        "description": "",
        "technology": "",
        "notes": "",
        "properties": {},
        "size": None,
        "parent": None,
        "locked": False,
    }
    return {"id": name, **empty, **fields}


def _edge(name: str, **fields: Any) -> dict[str, Any]:
    empty = {"label": "", "kind": "sync", "direction": "forward", "description": "", "properties": {}, "route": None}
    return {"id": name, **empty, **fields}


def _update_node(state: State, rng: random.Random, step: int) -> Plan:
    name = rng.choice(sorted(state.nodes))
    new = {field: f"{field} of step {step}" for field in rng.sample(_FIELDS, rng.randint(1, 3))}
    return _set_node(state, name, new, rng, "update_node")


def _set_node(state: State, name: str, new: Fields, rng: random.Random, kind: str) -> Plan:
    sent, noise = misspelt(name, rng)
    after = {**state.nodes[name], **{field: value or "" for field, value in new.items()}}
    return _plan(
        kind,
        noise,
        [{"op": "update_node", "id": sent, **new}],
        [{"op": "update_node", "id": name, **new}],
        DiagramChange({name: after}),
        frozenset([name]),
    )


def _delete_node(state: State, rng: random.Random, step: int) -> Plan:
    return _without_node(state, rng.choice(sorted(state.nodes)), rng)


def _without_node(state: State, name: str, rng: random.Random) -> Plan:
    sent, noise = misspelt(name, rng)
    gone = {one: edge for one, edge in state.edges.items() if name in (edge["source"], edge["target"])}
    return _plan(
        "delete_node",
        noise,
        [{"op": "delete_node", "id": sent}],
        [{"op": "delete_node", "id": name}],
        DiagramChange({name: None}, dict.fromkeys(gone)),
        _ends(gone) | {name},
    )


def _add_edge(state: State, rng: random.Random, step: int) -> Plan:
    source, target = rng.sample(sorted(state.nodes), 2)
    fields = {"source": source, "target": target, "label": f"flow of step {step}", "kind": "async"}
    sent, noise = misspelt(source, rng)
    name = f"step-{step}-edge"
    return _plan(
        "add_edge",
        noise,
        [{"op": "add_edge", "id": name, **fields, "source": sent}],
        [{"op": "add_edge", "id": name, **fields}],
        DiagramChange({}, {name: _edge(name, **fields)}),
        frozenset([source, target]),
    )


def _update_edge(state: State, rng: random.Random, step: int) -> Plan:
    """Addressed by its ends, which several edges may share."""
    name = rng.choice(sorted(state.edges))
    return _set_edge(state, name, {"label": f"label of step {step}", "kind": "dependency"}, rng)


def _set_edge(state: State, name: str, new: Fields, rng: random.Random) -> Plan:
    edge = state.edges[name]
    twins = sum((one["source"], one["target"]) == (edge["source"], edge["target"]) for one in state.edges.values())
    sent, noise = misspelt(edge["source"], rng)
    noise = noise if twins == 1 else "ends of several edges"
    return _plan(
        "update_edge",
        noise,
        [{"op": "update_edge", "source": sent if twins == 1 else edge["source"], "target": edge["target"], **new}],
        [{"op": "update_edge", "id": name, **new}],
        DiagramChange({}, {name: {**edge, **new}}),
        frozenset([edge["source"], edge["target"]]),
    )


def _delete_edge(state: State, rng: random.Random, step: int) -> Plan:
    return _without_edge(state, rng.choice(sorted(state.edges)), rng)


def _without_edge(state: State, name: str, rng: random.Random) -> Plan:
    edge = state.edges[name]
    sent, noise = misspelt(name, rng)
    return _plan(
        "delete_edge",
        noise,
        [{"op": "delete_edge", "id": sent}],
        [{"op": "delete_edge", "id": name}],
        DiagramChange({}, {name: None}),
        frozenset([edge["source"], edge["target"]]),
    )


def _rewire(state: State, rng: random.Random, step: int) -> Plan:
    name = rng.choice(sorted(state.edges))
    edge = state.edges[name]
    target = rng.choice(sorted(state.nodes.keys() - {edge["source"], edge["target"]}))
    return _rewired(state, name, target, rng)


def _rewired(state: State, name: str, target: str, rng: random.Random) -> Plan:
    edge = state.edges[name]
    sent, noise = misspelt(target, rng)
    return _plan(
        "rewire_edge",
        noise,
        [{"op": "rewire_edge", "id": name, "new_target": sent}],
        [{"op": "rewire_edge", "id": name, "new_target": target}],
        DiagramChange({}, {name: {**edge, "target": target}}),
        frozenset([edge["source"], edge["target"], target]),
    )


_KINDS: list[Callable[[State, random.Random, int], Plan]] = [
    _add_node, _update_node, _update_node, _delete_node, _add_edge, _update_edge, _delete_edge, _rewire,
]  # fmt: skip


def reversed_diagram(plan: Plan, before: State, after: State, rng: random.Random) -> Plan:
    """The edit that brings back the nodes and edges of a plan as they were."""
    named_nodes, named_edges = plan.diagram.nodes, plan.diagram.edges
    match plan.kind.split(" + ")[-1]:
        case "add_node":
            [name] = named_nodes
            return _without_node(after, name, rng)
        case "update_node":
            [name] = named_nodes
            [op] = [op for op in plan.operations if op["op"] == "update_node"]
            old = {field: before.nodes[name][field] or None for field in _FIELDS if field in op}
            return _set_node(after, name, old, rng, "update_node")
        case "add_edge":
            [name] = named_edges
            return _without_edge(after, name, rng)
        case "update_edge":
            [name] = named_edges
            return _set_edge(after, name, {field: before.edges[name][field] for field in ("label", "kind")}, rng)
        case "rewire_edge":
            [name] = named_edges
            return _rewired(after, name, before.edges[name]["target"], rng)
        case _:
            return _brought_back(plan, before)


def _brought_back(plan: Plan, before: State) -> Plan:
    """Nodes and edges that were deleted, with all their fields."""
    nodes = {name: before.nodes[name] for name in plan.diagram.nodes}
    edges = {name: before.edges[name] for name in plan.diagram.edges}
    operations: list[Op] = [{"op": "add_node", **_given(node)} for node in nodes.values()]
    operations += [{"op": "add_edge", **_given(edge)} for edge in edges.values()]
    kind = "add_node" if nodes else "add_edge"
    return _plan(kind, "exact", operations, operations, DiagramChange(nodes, edges), _ends(edges) | frozenset(nodes))


def _given(item: Fields) -> dict[str, Any]:
    return {name: value for name, value in item.items() if value not in ("", None, {}, False)}
