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
FIELDS = ("label", "technology", "description", "notes")
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


def plan_of(
    kind: str, noise: str, first: list[Op], careful: list[Op], diagram: DiagramChange, nodes: frozenset[str]
) -> Plan:
    return Plan(kind, noise, first, careful, diagram=diagram, nodes=nodes)


def ends_of(edges: Mapping[str, Fields]) -> frozenset[str]:
    return frozenset(str(edge[end]) for edge in edges.values() for end in ("source", "target"))


def _add_node(state: State, rng: random.Random, step: int) -> Plan:
    """A node, and an edge to it."""
    name, target = f"step-{step}", rng.choice(sorted(state.nodes))
    sent, noise = misspelt(target, rng)
    fields = {"type": "service", "label": f"Service of step {step}", "technology": "Go 1.24"}
    edge = {"source": name, "target": target, "label": "calls"}
    made = node_of(id=name, **fields, position=ANY)
    drawn = edge_of(id=f"{name}--{target}", **edge)
    return plan_of(
        "add_node",
        noise,
        [{"op": "add_node", "id": name, **fields}, {"op": "add_edge", **edge, "target": sent}],
        [{"op": "add_node", "id": name, **fields}, {"op": "add_edge", **edge}],
        DiagramChange({name: made}, {drawn["id"]: drawn}),
        frozenset([name, target]),
    )


def node_of(**fields: Any) -> dict[str, Any]:
    """A node with all its fields, as readers see it."""
    empty = {
        "description": "",
        "technology": "",
        "notes": "",
        "image": "",
        "color": "",
        "style": "",
        "properties": {},
        "size": None,
        "parent": None,
        "locked": False,
    }
    return {**empty, **fields}


def edge_of(**fields: Any) -> dict[str, Any]:
    """An edge with all its fields, as readers see it."""
    empty = {
        "label": "",
        "kind": "sync",
        "direction": "forward",
        "description": "",
        "color": "",
        "style": "",
        "shape": "",
    }
    empty |= {"properties": {}, "route": None, "route_by": None, "label_at": None}
    return {**empty, **fields}


def _update_node(state: State, rng: random.Random, step: int) -> Plan:
    name = rng.choice(sorted(state.nodes))
    new = {field: f"{field} of step {step}" for field in rng.sample(FIELDS, rng.randint(1, 3))}
    return set_node(state, name, new, rng, "update_node")


def set_node(state: State, name: str, new: Fields, rng: random.Random, kind: str) -> Plan:
    sent, noise = misspelt(name, rng)
    after = {**state.nodes[name], **{field: value or "" for field, value in new.items()}}
    return plan_of(
        kind,
        noise,
        [{"op": "update_node", "id": sent, **new}],
        [{"op": "update_node", "id": name, **new}],
        DiagramChange({name: after}),
        frozenset([name]),
    )


def _delete_node(state: State, rng: random.Random, step: int) -> Plan:
    return without_node(state, rng.choice(sorted(state.nodes)), rng)


def without_node(state: State, name: str, rng: random.Random) -> Plan:
    sent, noise = misspelt(name, rng)
    gone = {one: edge for one, edge in state.edges.items() if name in (edge["source"], edge["target"])}
    return plan_of(
        "delete_node",
        noise,
        [{"op": "delete_node", "id": sent}],
        [{"op": "delete_node", "id": name}],
        DiagramChange({name: None}, dict.fromkeys(gone)),
        ends_of(gone) | {name},
    )


def _add_edge(state: State, rng: random.Random, step: int) -> Plan:
    source, target = rng.sample(sorted(state.nodes), 2)
    fields = {"source": source, "target": target, "label": f"flow of step {step}", "kind": "async"}
    sent, noise = misspelt(source, rng)
    name = f"step-{step}-edge"
    return plan_of(
        "add_edge",
        noise,
        [{"op": "add_edge", "id": name, **fields, "source": sent}],
        [{"op": "add_edge", "id": name, **fields}],
        DiagramChange({}, {name: edge_of(id=name, **fields)}),
        frozenset([source, target]),
    )


def _update_edge(state: State, rng: random.Random, step: int) -> Plan:
    """Addressed by its ends, which several edges may share."""
    name = rng.choice(sorted(state.edges))
    new = {"label": f"label of step {step}", "kind": "dependency", "color": "red", "style": "bold", "shape": "curved"}
    return set_edge(state, name, new, rng)


def set_edge(state: State, name: str, new: Fields, rng: random.Random) -> Plan:
    edge = state.edges[name]
    twins = sum((one["source"], one["target"]) == (edge["source"], edge["target"]) for one in state.edges.values())
    sent, noise = misspelt(edge["source"], rng)
    noise = noise if twins == 1 else "ends of several edges"
    return plan_of(
        "update_edge",
        noise,
        [{"op": "update_edge", "source": sent if twins == 1 else edge["source"], "target": edge["target"], **new}],
        [{"op": "update_edge", "id": name, **new}],
        DiagramChange({}, {name: {**edge, **new}}),
        frozenset([edge["source"], edge["target"]]),
    )


def _delete_edge(state: State, rng: random.Random, step: int) -> Plan:
    return without_edge(state, rng.choice(sorted(state.edges)), rng)


def without_edge(state: State, name: str, rng: random.Random) -> Plan:
    edge = state.edges[name]
    sent, noise = misspelt(name, rng)
    return plan_of(
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
    return rewired(state, name, target, rng)


def rewired(state: State, name: str, target: str, rng: random.Random) -> Plan:
    edge = state.edges[name]
    sent, noise = misspelt(target, rng)
    return plan_of(
        "rewire_edge",
        noise,
        [{"op": "rewire_edge", "id": name, "new_target": sent}],
        [{"op": "rewire_edge", "id": name, "new_target": target}],
        DiagramChange({}, {name: {**edge, "target": target}}),
        frozenset([edge["source"], edge["target"], target]),
    )


def _group(state: State, rng: random.Random, step: int) -> Plan:
    """Two nodes of the same group into a group of their own."""
    free = sorted(name for name, node in state.nodes.items() if node["parent"] is None and node["type"] != "group")
    ids = rng.sample(free, 2)
    sent, noise = misspelt(ids[1], rng)
    name, fields = f"group-{step}", {"label": f"Group of step {step}"}
    inside = {one: {**state.nodes[one], "parent": name, "position": ANY} for one in ids}
    return plan_of(
        "group_nodes",
        noise,
        [{"op": "group_nodes", "id": name, **fields, "ids": [ids[0], sent]}],
        [{"op": "group_nodes", "id": name, **fields, "ids": ids}],
        DiagramChange({name: node_of(id=name, type="group", **fields, position=ANY, size=ANY), **inside}),
        frozenset([name, *ids]),
    )


def _insert_between(state: State, rng: random.Random, step: int) -> Plan:
    """A node into an edge, which goes."""
    ends = [(edge["source"], edge["target"]) for edge in state.edges.values()]
    name = rng.choice(
        sorted(one for one, edge in state.edges.items() if ends.count((edge["source"], edge["target"])) == 1)
    )
    edge = state.edges[name]
    source, target = edge["source"], edge["target"]
    sent, noise = misspelt(source, rng)
    looks = {field: edge[field] for field in ("color", "style", "shape")}
    node = {"id": f"between-{step}", "type": "cache", "label": f"Between of step {step}"}
    new = {
        f"{one}--{other}": edge_of(id=f"{one}--{other}", source=one, target=other, label=ANY, kind=ANY, **looks)
        for one, other in ((source, node["id"]), (node["id"], target))
    }
    made = node_of(id=node["id"], type=node["type"], label=node["label"], position=ANY)
    operation = {"op": "insert_between", "target": target, "node": node}
    return plan_of(
        "insert_between",
        noise,
        [{**operation, "source": sent}],
        [{**operation, "source": source}],
        DiagramChange({node["id"]: made}, {name: None, **new}),
        frozenset([source, target, node["id"]]),
    )


_KINDS: list[Callable[[State, random.Random, int], Plan]] = [
    _add_node, _update_node, _update_node, _delete_node, _add_edge, _update_edge, _delete_edge, _rewire, _group,
    _insert_between,
]  # fmt: skip
