"""How much of a drawing moves when one node comes into it, between two others or beside one.

`python -m bench.drawings.insertions 100` prints how many lines and nodes move in graphs of up to 100 nodes, which
Tidy has drawn; `SAMPLES=/folder` adds real files of other programs.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from bench.drawings.engine import Engine
from bench.drawings.graph import Diagram, Graph, Operation, moved
from bench.drawings.graphs import all_graphs
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.workspace import Workspace, diagram_json
from draftsmith.transform.placement.layouts import Layouts
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.transform.resolve import open_transaction, run_batch
from tests.builders import copy_of, workspace_of
from tests.drawings import rects_of

SIZES = ((5, 19), (20, 49), (50, 100))
_BETWEEN, _BESIDE = 4, 2
_TIMES_ASKED = 3
_NEW = "new-node"


@dataclass
class Inserted:
    """What one insertion has done.

    Attributes:
        lines: that were there and still are.
        moved_lines: of these, those with another route or with an end elsewhere.
        moved_nodes: groups not counted.
        after: the diagram with the new node.
    """

    lines: int
    moved_lines: int
    moved_nodes: int
    after: Diagram


def between(edge: dict[str, Any]) -> list[Operation]:
    """One node into an edge."""
    address = {name: edge[name] for name in ("source", "target", "label") if edge[name]}
    return [{"op": "insert_between", **address, "node": {"id": _NEW, "type": "gateway", "label": "Rate limiter"}}]


def beside(node: dict[str, Any], other: dict[str, Any]) -> list[Operation]:
    """One node after a node, and in its group, that leads on to another one."""
    parent = {"parent": node["parent"]} if node["parent"] else {}
    ends = [(node["id"], _NEW), (_NEW, other["id"])]
    return [
        {"op": "add_node", "id": _NEW, "type": "service", "label": "Audit log", **parent},
        *({"op": "add_edge", "source": source, "target": target} for source, target in ends),
    ]


def insert(engine: Engine, diagram: Diagram, operations: Sequence[Operation]) -> Inserted:
    """Run a batch on a diagram with places; the engine is asked what a worker asks it."""
    given = {name: [_without_nothing(one) for one in diagram[name]] for name in ("nodes", "edges")}
    before = workspace_of({"op": "replace_diagram", **given})
    after = _after(engine, before, operations)
    was, now = rects_of(before.diagram), rects_of(after.diagram)
    routes = {one["id"]: one["route"] for one in diagram_json(before.diagram)["edges"]}
    drawn = diagram_json(after.diagram)
    kept = [one for one in drawn["edges"] if one["id"] in routes]
    standing = {one for one in was if was[one] == now[one]}
    changed = [
        one for one in kept if one["route"] != routes[one["id"]] or not {one["source"], one["target"]} <= standing
    ]
    cards = [one for one in was if one not in standing and not before.diagram.is_group(one)]
    return Inserted(len(kept), len(changed), len(cards), {**drawn})


def _without_nothing(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in (None, "", {}, False)}


def _after(engine: Engine, before: Workspace, operations: Sequence[Operation]) -> Workspace:
    answers: dict[str, bytes | None] = {}
    for _ in range(_TIMES_ASKED):
        workspace, layouts = copy_of(before), Layouts(answers)
        tx = open_transaction(workspace, 2, WorkspaceLimits(), by_person=True, layouts=layouts)
        run_batch(tx, parse_batch(list(operations), WorkspaceLimits()))
        if not layouts.asks:
            return workspace
        for key, question in layouts.asks.items():
            answers[key] = orjson.dumps(engine.ask(**orjson.loads(question)))
    raise AssertionError("the batch asks again and again")


def _insertions(graph: Graph, diagram: Diagram) -> Iterator[tuple[str, list[Operation]]]:
    """Some, the same for the same graph, each by its kind."""
    chance = random.Random(graph.name)
    pairs = [(one["source"], one["target"]) for one in diagram["edges"]]
    alone = [one for one, pair in zip(diagram["edges"], pairs, strict=True) if pairs.count(pair) == 1]
    for edge in chance.sample(alone, min(_BETWEEN, len(alone))):
        yield "between", between(edge)
    cards = [one for one in diagram["nodes"] if one["type"] != "group"]
    for _ in range(_BESIDE):
        yield "beside", beside(*chance.sample(cards, 2))


def _rows(most: int) -> Iterator[str]:
    found: dict[tuple[str, tuple[int, int]], list[Inserted]] = {}
    with Engine() as engine:
        for graph in all_graphs():
            size = sum(one["type"] != "group" for one in graph.nodes.values())
            bounds = next((one for one in SIZES if one[0] <= size <= min(one[1], most)), None)
            if bounds is None:
                continue
            empty = graph.diagram()
            diagram = moved(empty, engine.tidy(empty)["operation"])
            for kind, operations in _insertions(graph, diagram):
                found.setdefault((kind, bounds), []).append(insert(engine, diagram, operations))
    for (kind, (least, largest)), several in sorted(found.items()):
        lines, changed, cards = (
            sum(getattr(one, name) for one in several) for name in ("lines", "moved_lines", "moved_nodes")
        )
        still = sum(one.moved_lines == 0 for one in several)
        title = f"{kind}, {least} to {largest} nodes"
        yield f"| {title} | {len(several)} | {changed:,} of {lines:,} | {cards:,} | {still} |"


if __name__ == "__main__":
    print("| Insertions | | Lines that move | Nodes that move | Nothing moves |\n|---|---|---|---|---|")
    print("\n".join(_rows(int(sys.argv[1]))))
