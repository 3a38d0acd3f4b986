"""The ways in which a graph is drawn, each as a diagram with places: by the product's own interface, and by layouts."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bench.drawings.d2 import D2, LAYOUTS
from bench.drawings.engine import Engine
from bench.drawings.graph import Diagram, Graph, moved
from tests.integration.client import Api

COLUMNS = {
    "batch": "one batch without places",
    "layout": "then layout_diagram",
    "between": "then three insert_between",
    "tidy": "Tidy from scratch",
    "right": "plain ELK, right",
    "down": "plain ELK, down",
    "d2": "D2, dagre",
    "d2_elk": "D2, ELK",
    "author": "its author",
}
OF_OTHERS = ("d2", "d2_elk", "author")
"""Columns that are not there for every graph."""
INSERTED = 3
_ONE_BATCH = 500
"""Operations; a larger graph comes as a whole."""


@dataclass
class Drawn:
    """A graph in one column.

    Attributes:
        diagram: with places.
        before: what was there before, where something was.
        seconds: how long it took, as far as the column is timed.
    """

    diagram: Diagram
    before: Diagram | None = None
    seconds: float = 0.0


@dataclass
class Row:
    """A graph in all columns; a column that could not be drawn says why."""

    graph: Graph
    drawn: dict[str, Drawn] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def add(self, column: str, draw: Callable[[], Drawn | None]) -> None:
        """Draw a column; what does not work is noted."""
        try:
            drawn = draw()
        except Exception as error:  # noqa: BLE001  # one graph that cannot be drawn says something, and hides no other
            self.failed[column] = f"{type(error).__name__}: {error}"[:300]
        else:
            if drawn is not None:
                self.drawn[column] = drawn


def draw_over_rest(api: Api, row: Row) -> None:
    """The columns that the product draws when it is asked over HTTP."""
    workspace = api.create(name=row.graph.name)
    row.add("batch", lambda: _batch(api, workspace, row.graph))
    if "batch" not in row.drawn:
        return
    layout = {"op": "layout_diagram", "scope": "all"}
    row.add("layout", lambda: _after(api, workspace, [layout], None))
    if "layout" in row.drawn:
        row.add("between", lambda: _between(api, workspace, row))


def draw_by_engine(engine: Engine, row: Row) -> None:
    """The columns that a layout makes of the graph alone, and its author's."""
    empty = row.graph.diagram()

    def tidied() -> Drawn:
        operation = engine.tidy(empty)["operation"]
        return Drawn(moved(empty, operation), None, engine.seconds)

    def plain(direction: str) -> Drawn:
        operation = engine.plain(empty, direction)["operation"]
        return Drawn(moved(empty, operation), None, engine.seconds)

    row.add("right", lambda: plain("RIGHT"))
    row.add("down", lambda: plain("DOWN"))
    row.add("tidy", tidied)
    row.add("author", lambda: Drawn(row.graph.author) if row.graph.author else None)


def draw_by_d2(d2: D2, row: Row) -> None:
    """The columns of D2, with each of its layout engines."""
    for column, layout in LAYOUTS.items():
        row.add(column, partial(_drawn_by_d2, d2, row.graph, layout))


def _drawn_by_d2(d2: D2, graph: Graph, layout: str) -> Drawn:
    return Drawn(d2.draw(graph, layout))


def _batch(api: Api, workspace: str, graph: Graph) -> Drawn:
    operations = graph.operations()
    if len(operations) > _ONE_BATCH:
        fields = [{name: value for name, value in one.items() if name != "op"} for one in operations]
        count = len(graph.nodes)
        operations = [{"op": "replace_diagram", "nodes": fields[:count], "edges": fields[count:]}]
    return _after(api, workspace, operations, None)


def _between(api: Api, workspace: str, row: Row) -> Drawn:
    """Three nodes, one after the other, each in an edge that was there and is alone between its ends."""
    before = row.drawn["layout"].diagram
    chance = random.Random(row.graph.name)
    pairs = [(edge["source"], edge["target"]) for edge in before["edges"]]
    alone = [edge for edge, pair in zip(before["edges"], pairs, strict=True) if pairs.count(pair) == 1]
    edges = chance.sample(alone, min(INSERTED, len(alone)))
    for number, edge in enumerate(edges):
        node = {"id": f"between-{number}", "type": "cache", "label": f"Cache between {number + 1}"}
        address = {"source": edge["source"], "target": edge["target"], "label": edge["label"]}
        operation = {"op": "insert_between", **{key: value for key, value in address.items() if value}, "node": node}
        after = _after(api, workspace, [operation], before)
    return after


def _after(api: Api, workspace: str, operations: list[dict[str, Any]], before: Diagram | None) -> Drawn:
    """What is there after a batch."""
    api.batch(workspace, *operations)
    return Drawn(api.ask("GET", f"/workspaces/{workspace}")["diagram"], before)
