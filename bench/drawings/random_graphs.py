"""Graphs drawn by chance: nested groups, 1.2 edges a node, mostly forward, names as people give them."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bench.drawings.graph import Graph

SIZES = ((10, 3), (30, 3), (60, 3), (100, 3), (200, 2), (500, 1), (1000, 1))
"""How many nodes, groups not counted, and how many graphs of them."""
EDGES_A_NODE = 1.2
_BACK = 0.08
_REACHES = ((0.75, 6), (0.95, 30))
"""How far most edges reach, in the order of the flow; the others may reach from anywhere to anywhere."""
_LABELLED = 0.4
_TYPES = ("service", "service", "service", "worker", "database", "queue", "cache", "api", "gateway", "web", "external",
          "storage", "function", "search")  # fmt: skip
_FIRST = ("Order", "Payment", "Customer", "Inventory", "Shipping", "Invoice", "Catalogue", "Search", "Session", "Fraud",
          "Notification", "Report", "Billing", "Price", "Returns", "Warehouse", "Identity", "Campaign")  # fmt: skip
_SECOND = ("service", "API", "worker", "database", "events", "gateway", "cache", "projection", "import", "scheduler",
           "read model", "adapter", "archive", "webhook receiver")  # fmt: skip
_LINES = ("reads", "writes", "calls", "publishes order placed", "REST, JSON", "gRPC", "change events", "nightly export",
          "looks up prices", "asks for a token", "SQL", "stores receipts", "retries after 30 s")  # fmt: skip


def random_graph(size: int, seed: int) -> Graph:
    """A graph of this many nodes; the same for the same seed."""
    chance = random.Random(f"{size}/{seed}")
    graph = Graph(f"random/{size}-{seed}")
    groups = _groups(graph, chance, size)
    order = _in_order_of_groups(graph, chance, groups, size)
    wanted = round(size * EDGES_A_NODE)
    for _ in range(wanted * 5):
        if len(graph.edges) >= wanted:
            break
        source = chance.randrange(size)
        drawn = chance.random()
        reach = next((reach for share, reach in _REACHES if drawn < share), size)
        target = source + chance.randint(1, reach) * (-1 if chance.random() < _BACK else 1)
        if 0 <= target < size:
            label = chance.choice(_LINES) if chance.random() < _LABELLED else ""
            graph.edge(order[source], order[target], label, chance.choice(("sync", "sync", "async", "data")))
    return graph.without_empty_groups()


def random_graphs() -> Iterator[Graph]:
    """All of them, the small ones first."""
    for size, count in SIZES:
        for seed in range(1, count + 1):
            yield random_graph(size, seed)


def _groups(graph: Graph, chance: random.Random, size: int) -> list[str | None]:
    """Groups up to three levels deep, about one for six nodes, each before those in it; first the place outside all."""
    depths: dict[str, int] = {}
    for number in range(size // 6):
        parents: list[str | None] = [None, *(id_ for id_, depth in depths.items() if depth < 3)]
        parent = chance.choice(parents)
        label = f"{chance.choice(_FIRST)} {chance.choice(('domain', 'team', 'zone'))}"
        id_ = graph.node(f"g{number}", "group", label, parent)
        depths[id_] = depths[parent] + 1 if parent else 1
    order: list[str | None] = []
    waiting: list[str | None] = [None]
    while waiting:
        order.append(waiting.pop())
        waiting.extend(id_ for id_ in depths if graph.nodes[id_]["parent"] == order[-1])
    return order


def _in_order_of_groups(graph: Graph, chance: random.Random, groups: list[str | None], size: int) -> list[str]:
    """The nodes in the order of their flow, in which those of a group follow one another, more or less."""
    chosen = [chance.choice(groups) for _ in range(size)]
    at = {group: number for number, group in enumerate(groups)}
    places = sorted(chosen, key=lambda one: at[one] + chance.gauss(0, 1))
    return [
        graph.node(f"n{number}", chance.choice(_TYPES), f"{chance.choice(_FIRST)} {chance.choice(_SECOND)}", parent)
        for number, parent in enumerate(places)
    ]
