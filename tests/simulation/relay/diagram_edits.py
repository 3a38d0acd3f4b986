"""Edits of a diagram, drawn from the table of moves, with ids as models get them wrong.

What must come of one, the naive model says (`tests.simulation.naive.diagram`), and where the server chooses,
`EXPECTED`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

from tests.simulation.moves import names_of, operation
from tests.simulation.naive.diagram import EDGE, KNOWN, NODE, Diagram, Refused
from tests.simulation.player import Kind, Player, View
from tests.simulation.relay.doors import State
from tests.simulation.relay.plan import ANY, DiagramChange, Fields, Op, Plan

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
_MOST_TRIES = 100
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


class RelayPlayer(Player):
    """Draws what a scripted model means to do in a step; what it names and writes says in which."""

    always = frozenset({"id"})
    # Scripted models leave places and lines to the server, and mean edges by ids until they misquote them.
    never = frozenset({"position", "size", "parent", "near", "locked", "route", "route_by", "label_at", "sizes",
                       "routes", "bridge", "children", "ends", "in_label", "out_label"})  # fmt: skip
    errs = 0

    def __init__(self, rng: random.Random, state: State, step: int) -> None:
        view = View(
            nodes=sorted(state.nodes),
            groups=sorted(one for one, node in state.nodes.items() if node["type"] == "group"),
            edges=sorted(state.edges),
            ends=sorted({(edge["source"], edge["target"]) for edge in state.edges.values()}),
            types=("service", "worker", "cache", "database"),
        )
        super().__init__(rng, view)
        self._step = step

    def new_id(self, kind: Kind) -> str:
        """Return an id of this step."""
        return {"node": "step", "edge": "edge", "group": "group", "type": "type"}[kind] + f"-{self._step}"

    def text(self, field: str) -> str:
        """Return a text of this step."""
        return f"{field} of step {self._step}"


def diagram_plan(state: State, rng: random.Random, step: int) -> Plan:
    """An edit of some kind."""
    for _ in range(_MOST_TRIES):
        player = RelayPlayer(rng, state, step)
        drawn = operation(player, _DRAWN)
        operations = [] if drawn is None else [drawn]
        if drawn is not None and drawn["op"] == "add_node":
            edge = operation(player, ("add_edge",))
            operations += [_unnamed({**edge, "source": drawn["id"]})] if edge is not None else []
        try:
            plan = planned(state, operations, rng)
        except Refused:
            continue
        if plan.nodes and not _is_nothing(plan.diagram, state):
            return plan
    raise AssertionError("nothing fits this diagram")


def _unnamed(edge: Op) -> Op:
    return {name: value for name, value in edge.items() if name != "id"}


def _is_nothing(change: DiagramChange, state: State) -> bool:
    return all(state.nodes.get(one) == node for one, node in change.nodes.items()) and all(
        state.edges.get(one) == edge for one, edge in change.edges.items()
    )


def planned(state: State, operations: Sequence[Op], rng: random.Random, kind: str = "") -> Plan:
    """A plan of some operations as they are meant; what is sent first may misname one thing.

    Raises:
        Refused: they do not fit, or it is not known what must come of them.
    """
    change = _change(state, operations)
    sent, noise = _as_sent(state, operations, rng)
    nodes = ends_of(one for one in (*change.edges.values(), *map(state.edges.get, change.edges)) if one is not None)
    ids = [one for op in operations for one in (*(name for _, name in _names(op)), *op.get("positions", ()))]
    named = {one for one in ids if one in state.nodes}
    return Plan(
        kind or operations[0]["op"],
        noise,
        sent,
        list(operations),
        diagram=change,
        nodes=nodes | named | {*change.nodes},
    )


def ends_of(edges: Iterator[Fields] | Collection[Fields]) -> frozenset[str]:
    """The nodes that edges begin and end at."""
    return frozenset(str(edge[end]) for edge in edges for end in ("source", "target"))


# -- what must come of it ----------------------------------------------------------------------------------------------


def _change(state: State, operations: Sequence[Op]) -> DiagramChange:
    """What becomes of nodes and edges."""
    diagram = Diagram(
        nodes={one: _without_id(NODE, node) for one, node in state.nodes.items()},
        edges={one: _without_id(EDGE, edge) for one, edge in state.edges.items()},
    )
    for op in operations:
        if op["op"] in EXPECTED:
            EXPECTED[op["op"]](diagram, op)
        elif op["op"] == "add_node":
            diagram.do({"position": ANY, **op}, 1)
        elif op["op"] == "add_edge":
            diagram.do({"id": f"{op['source']}--{op['target']}", **op}, 1)
        else:
            diagram.do(op, 1)
    shown = diagram.shown()
    return DiagramChange(_differing(shown["nodes"], state.nodes), _differing(shown["edges"], state.edges))


def _without_id(empty: Fields, item: Fields) -> dict[str, Any]:
    return {
        **deepcopy(dict(empty)),
        **{name: deepcopy(value) for name, value in item.items() if name != "id"},
        "birth": 0,
    }


def _differing(after: Mapping[str, Fields], before: Mapping[str, Fields]) -> dict[str, Fields | None]:
    named = {one: {"id": one, **item} for one, item in after.items()}
    return {one: named.get(one) for one in (*named, *(set(before) - set(named))) if named.get(one) != before.get(one)}


def _group(diagram: Diagram, op: Op) -> None:
    """Nodes of the same group into a group of their own, which the server places."""
    parents = {diagram.nodes[one]["parent"] for one in op["ids"]}
    if op["id"] in diagram.nodes or len(parents) > 1 or any(diagram.nodes[one]["type"] == "group" for one in op["ids"]):
        raise Refused
    for one in op["ids"]:
        diagram.nodes[one] |= {"parent": op["id"], "position": ANY}
    fields = {name: value for name, value in op.items() if name in ("label", "description")}
    made = {"type": "group", "position": ANY, "size": ANY, "parent": parents.pop(), "birth": 1}
    diagram.nodes[op["id"]] = {**deepcopy(NODE), **fields, **made}


def _insert_between(diagram: Diagram, op: Op) -> None:
    """A new node into the only edge between two others, which goes; the new edges look like it."""
    source, target, node = op["source"], op["target"], op["node"]
    between = [one for one, edge in diagram.edges.items() if (edge["source"], edge["target"]) == (source, target)]
    if len(between) != 1 or not isinstance(node, dict) or node["type"] == "group":
        raise Refused
    diagram.do({"op": "add_node", "position": ANY, **node}, 1)
    edge = diagram.edges.pop(between[0])
    looks = {field: edge[field] for field in ("color", "style", "shape")}
    for one, other in ((source, node["id"]), (node["id"], target)):
        made = {"source": one, "target": other, "label": ANY, "kind": ANY, "birth": 1}
        diagram.edges[f"{one}--{other}"] = {**deepcopy(EDGE), **looks, **made}


EXPECTED: Mapping[str, Callable[[Diagram, Op], None]] = {"group_nodes": _group, "insert_between": _insert_between}
"""What operations come to that leave places to the server."""
_DRAWN = [
    # Types of the workspace's own are no part of a state as it is compared here; each group is taken back at once.
    name
    for name in names_of("diagram", without=("define_type", "delete_type", "move_to_group", "ungroup_nodes"))
    if name in KNOWN or name in EXPECTED
]


# -- how a model says it -----------------------------------------------------------------------------------------------


def _as_sent(state: State, operations: Sequence[Op], rng: random.Random) -> tuple[list[Op], str]:
    """The operations with one thing misnamed, or an edge meant by its ends; and what is wrong with that."""
    sent = deepcopy(list(operations))
    if sent[0]["op"] == "update_edge":
        edge = state.edges[sent[0].pop("id")]
        noise = "ends of several edges"
        named, alone = misspelt(edge["source"], rng)
        if sum(ends_of([one]) == ends_of([edge]) for one in state.edges.values()) == 1:
            noise = alone
        else:
            named = edge["source"]
        return [{**sent[0], "source": named, "target": edge["target"]}], noise
    places = [
        (op, place, name) for op in sent for place, name in _names(op) if name in state.nodes or name in state.edges
    ]
    if not places:
        return sent, "exact"
    op, place, name = rng.choice(places)
    named, noise = misspelt(name, rng)
    if isinstance(place, int):
        op["ids"][place] = named
    else:
        op[place] = named
    return sent, noise


def _names(op: Op) -> Iterator[tuple[str | int, str]]:
    """The nodes and edges that an operation names, and where: in a field or at a place of `ids`."""
    yield from enumerate(op.get("ids", ()))
    for field in ("id", "source", "target", "new_source", "new_target"):
        if field in op:
            yield field, op[field]


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
