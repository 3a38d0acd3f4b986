"""Lays out a block of new nodes within itself: by the layout engine if there is one and it is worth it, else simply.

The engine is asked for a block with everything in its groups, as it lays out across their frames. Not here: where the
block goes (`block_place`), and the small layout (`model.layered_layout`).
"""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from draftsmith.model.fields import Point
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.layered_layout import EdgeHints, layered_positions
from draftsmith.model.places import Rect
from draftsmith.transform import costs
from draftsmith.transform.placement.late_steps import LateSteps
from draftsmith.transform.placement.layouts import LEAST_NODES, arrange, route_of, warn_of_simple_layout
from draftsmith.transform.placement.new_blocks import Block
from draftsmith.transform.placement.surroundings import Flow, middle, rect_in
from draftsmith.transform.transaction import Transaction

Spot = tuple[float, float]
_Key = TypeVar("_Key")

_LETTER, _PADDING, _WIDEST = 6.9, 14, 176
"""A label's letters, what is around them, and how wide it becomes: those of `frontend/src/model/drawing/labels.ts`."""
_BESIDE_LABEL: Final = 12


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A block's members, from (0, 0) on, and the routes of edges among them, from there too."""

    places: Mapping[NodeId, Spot]
    routes: Mapping[EdgeId, Sequence[Point] | None] = field(default_factory=dict)

    def with_lines(self) -> LaidOut:
        """The same, from (0, 0) on with the lines that run around the members."""
        bends = [point for route in self.routes.values() for point in route or ()]
        by = tuple(max(0.0, -min((point[axis] for point in bends), default=0.0)) for axis in ("x", "y"))
        places = {one: (x + by[0], y + by[1]) for one, (x, y) in self.places.items()}
        return LaidOut(places, {edge: shift_route(route, (by[0], by[1])) for edge, route in self.routes.items()})

    def size(self, boxes: Sequence[Rect]) -> Spot:
        """How far the members' rectangles and the lines reach."""
        bends = [point for route in self.routes.values() for point in route or ()]
        right = max([*(box[2] for box in boxes), *(point["x"] for point in bends)])
        return right, max([*(box[3] for box in boxes), *(point["y"] for point in bends)])


class BlockLayouts:
    """The inner layouts of one batch's blocks."""

    def __init__(self, tx: Transaction, own: Container[NodeId], late: LateSteps) -> None:
        """`own`: the nodes of the batch that had no position; nothing else is laid out."""
        self._tx, self._diagram, self._own, self._late = tx, tx.workspace.diagram, own, late

    def lay_out(self, block: Block, flow: Flow, index: int, *, is_outermost: bool) -> LaidOut:
        """Lay out a block; what stands in its groups gets its places, too, if the engine has found them.

        `is_outermost`: whether the block stands in a group that has a place.
        """
        members = block.members
        nodes = [inner for one in members for inner in self._diagram.subtree(one)]
        if is_outermost and len(nodes) >= LEAST_NODES and all(one in self._own for one in nodes):
            found = self._by_engine(members, nodes, index)
            if found is not None:
                return found
            warn_of_simple_layout(self._tx, index)
        self._tx.work.spend(costs.LAID_OUT * (len(members) + len(block.edges)), costs.LAYOUT)
        if len(members) == 1:
            return LaidOut({members[0]: (0, 0)})
        boxes = [(one, *self._diagram.size_of(one)) for one in members]
        self._tx.work.spend(costs.LAID_OUT * sum(map(self._diagram.degree, nodes)), costs.LAYOUT)
        drawn = self._edge_hints(members, flow, leads_out=not is_outermost)
        return LaidOut(layered_positions(boxes, block.edges, direction=flow.direction, gap=(80, 48), hints=drawn))

    def _edge_hints(self, members: Sequence[NodeId], flow: Flow, *, leads_out: bool) -> EdgeHints:
        """How the edges of a block are drawn: where they begin in its groups, and what room their labels need.

        `leads_out`: whether edges that lead out of the block are kept free of its members. They are where its frame is
        still to be placed, so that what is outside will stand before or behind it.
        """
        box_of = {inner: one for one in members for inner in self._diagram.subtree(one)}
        across = 1 - flow.axis
        labels: dict[tuple[NodeId, NodeId], list[str]] = {}
        starts: dict[tuple[NodeId, NodeId], list[float]] = {}
        leaving: dict[NodeId, list[float]] = {}
        entering: dict[NodeId, list[float]] = {}
        for inner, box in box_of.items():
            start = self._off_middle(inner, box)[across]
            for ways, out in ((self._diagram.outgoing(inner), leaving), (self._diagram.incoming(inner), entering)):
                for other, between in ways.items():
                    there = box_of.get(other)
                    if there is None and leads_out:
                        out.setdefault(box, []).append(start)
                    elif there is not None and there != box:
                        starts.setdefault((box, there), []).append(start)
                        if out is leaving:
                            ends = (box, there) if box < there else (there, box)
                            labels.setdefault(ends, []).extend(one.get("label") or "" for one in between.values())
        lengths = {ends: room_for(texts) for ends, texts in labels.items()} if flow.axis == 0 else {}
        return EdgeHints(lengths, _means(starts), _means(leaving), _means(entering))

    def _off_middle(self, inner: NodeId, box: NodeId) -> Spot:
        """How far the middle of a node is off the middle of what holds it."""
        rect, (width, height) = rect_in(self._diagram, inner, box, ()), self._diagram.size_of(box)
        if rect is None or inner == box:
            return 0, 0
        x, y = middle(rect)
        return x - width / 2, y - height / 2

    def _by_engine(self, members: Sequence[NodeId], nodes: Sequence[NodeId], index: int) -> LaidOut | None:
        if self._tx.layouts is None:
            return None
        self._tx.work.spend(costs.LAID_OUT * len(nodes), costs.LAYOUT)
        found = self._tx.layouts.arrangement(arrange(self._diagram, nodes, set(members)))
        if found is None or not all(one in found.positions for one in members):
            return None
        for one in nodes:
            if found.sizes.get(one) is not None and self._diagram.is_group(one):
                self._late.resize(one, found.sizes[one], index)
            if one in found.positions and one not in members:
                self._late.put(one, found.positions[one]["x"], found.positions[one]["y"], index)
        left, top = (min(found.positions[one][axis] for one in members) for axis in ("x", "y"))
        places = {one: (found.positions[one]["x"] - left, found.positions[one]["y"] - top) for one in members}
        routes = {
            edge: shift_route(route, (-left, -top)) for edge, route in found.routes.items() if self._diagram.ends(edge)
        }  # fmt: skip
        return LaidOut(places, routes)


def shift_route(route: Sequence[Point] | None, by: Spot) -> Sequence[Point] | None:
    """A route elsewhere; None for a straight one."""
    return route_of([{"x": point["x"] + by[0], "y": point["y"] + by[1]} for point in route] if route else None)


def room_for(labels: Sequence[str]) -> float:
    """How long the edges between two nodes are to be for their labels; an empty one is that of an edge without any.

    The label of a single edge may stand in two lines; two edges are close to each other, and of more than two edges the
    labels stand beside one another.
    """
    if len(labels) == 1:
        return _label_width(_halves(labels[0]))
    widths = [_label_width(len(label)) for label in labels]
    return max(widths) if len(labels) == 2 else sum(widths)


def _label_width(letters: int) -> float:
    """Pixels of a label with so many letters in a line, and what is kept free beside it."""
    return min(_WIDEST, math.ceil(letters * _LETTER) + _PADDING) + _BESIDE_LABEL if letters else 0


def _halves(label: str) -> int:
    """The letters of the longer line where a label is in two lines, or all in one if it is a single word."""
    words = label.split()
    halves = [max(len(" ".join(words[:at])), len(" ".join(words[at:]))) for at in range(1, len(words))]
    return min([len(label), *halves])


def _means(lists: Mapping[_Key, Sequence[float]]) -> dict[_Key, float]:
    return {key: sum(values) / len(values) for key, values in lists.items()}
