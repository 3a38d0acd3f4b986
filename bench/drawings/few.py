"""Graphs of three to five nodes, which the worker places itself, beside what the engine makes of them.

`python -m bench.drawings.few 300` prints the sums of what the judge counts for so many graphs made by chance.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from typing import Any

from bench.drawings.engine import Engine
from bench.drawings.graph import Diagram, Graph, moved
from bench.drawings.scores import MEASURES
from tests.builders import run, workspace_of

_GROUPED, _INSIDE, _BACK = 0.3, 0.6, 0.1
_NAMES = ("Web shop", "Orders", "Billing", "Database", "Mail")
_LABELS = ("", "", "", "", "calls", "reads", "requests", "HTTPS", "publishes events", "sends receipts by mail")


def few_nodes(seed: int) -> Graph:
    """Three to five nodes, one of them a group in a third of the graphs, hardly more edges than hold them together."""
    chance = random.Random(seed)
    graph = Graph(f"few/{seed}")
    names = chance.sample(_NAMES, chance.randint(3, 5))
    group = graph.node("group", "group", "Backend") if chance.random() < _GROUPED else None
    if group is not None:
        names.pop()
    ids = [graph.node(one, "service", one, group if chance.random() < _INSIDE else None) for one in names]
    for _ in range(chance.randint(len(ids) - 1, len(ids) + 1)):
        source, target = sorted(chance.sample(range(len(ids)), 2), reverse=chance.random() < _BACK)
        graph.edge(ids[source], ids[target], chance.choice(_LABELS))
    return graph.without_empty_groups()


def placed_by_worker(graph: Graph) -> Diagram:
    """The graph as one batch leaves it in an empty workspace, where nobody asks the engine."""
    workspace = workspace_of()
    run(workspace, *graph.operations(), revision=2)
    diagram = workspace.diagram
    nodes = [
        {**one, "position": diagram.position(one["id"]), "size": diagram[one["id"]].get("size")}
        for one in graph.diagram()["nodes"]
    ]
    return {**graph.diagram(), "nodes": nodes}


def judged(engine: Engine, graph: Graph) -> tuple[dict[str, Any], dict[str, Any]]:
    """The scores of a graph as the worker places it, and as the engine lays it out."""
    empty = graph.diagram()
    tidied = moved(empty, engine.tidy(empty)["operation"])
    return engine.judge(placed_by_worker(graph))["score"], engine.judge(tidied)["score"]


def _rows(count: int) -> Iterator[str]:
    with Engine() as engine:
        scores = [judged(engine, few_nodes(seed)) for seed in range(count)]
    for name, words in MEASURES.items():
        worker, tidied = (sum(pair[side].get(name) or 0 for pair in scores) for side in (0, 1))
        yield f"| {words} | {worker:,.0f} | {tidied:,.0f} |"


if __name__ == "__main__":
    print("\n".join(["| | worker | engine |", "|---|---|---|", *_rows(int(sys.argv[1]))]))
