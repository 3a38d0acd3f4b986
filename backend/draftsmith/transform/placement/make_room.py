"""Make room for a rectangle: push overlapping siblings along an axis, and those that they overlap then.

Pushes only lead right or down, since a group cannot grow to the other sides. What is locked, and a group with something
locked in it, stays; what is pushed passes over it. Gaps up to the usual one are kept. Not here: when room is made, and
the steps for it (`place_new`).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Container, Iterable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Final, NamedTuple

from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.places import Rect
from draftsmith.model.work import Work
from draftsmith.transform import costs
from draftsmith.transform.placement.surroundings import MOST_OBSTACLES, is_movable, overlap, shift_rect

GAP_ALONG: Final = (80, 60)
"""The usual gap across and down."""

LINE_MOVED: Final = 45
"""What it costs that a line moves with one of its ends: so many pixels may connections be longer instead."""

_NOBODY: Final = ""
_PER_PIXEL, _MOST_FOR_DISTANCE = 0.1, 150
_EACH_LINE: Final = 20
"""Units for each node and line that are read to count lines."""
_LEAST_GAP, _NEAR, _BESIDE = 40, 24, 12


@dataclass(slots=True)
class SiblingPush:
    """Where siblings go: the new rectangle of each, the lines that move with them, and how far all move together."""

    rects: dict[NodeId, Rect] = field(default_factory=dict)
    lines: set[EdgeId] = field(default_factory=set)
    distance: float = 0.0

    def cost(self, each: float = 0.0) -> float:
        """What it costs that they move: `each` for a sibling, their lines, and how far they go."""
        return (
            each * len(self.rects) + LINE_MOVED * len(self.lines) + min(_PER_PIXEL * self.distance, _MOST_FOR_DISTANCE)
        )


class PushBounds(NamedTuple):
    """Where a push gives up: how many siblings may move, and what that may cost, with `each` for one of them."""

    most: int
    cost: float = math.inf
    each: float = 0.0


class GroupSiblings:
    """The siblings in one group, where some may be pushed aside."""

    def __init__(self, diagram: Diagram, group: NodeId | None, waiting: Container[NodeId], work: Work) -> None:
        self._diagram, self._group, self._waiting, self._work = diagram, group, waiting, work
        self._lines: dict[NodeId, frozenset[EdgeId]] = {}

    def push(
        self, starts: Iterable[Rect], axis: int, stays: Collection[NodeId], bounds: PushBounds, start_gap: float
    ) -> SiblingPush | None:
        """Push what overlaps some rectangles; None if something locked is in their way or a bound is reached.

        Args:
            starts: rectangles that stay, with `start_gap` to what is pushed by them.
            axis: 0 pushes right, 1 down.
            stays: siblings that are not in the way.
            bounds: how many may move, and at what cost.
        """
        done = SiblingPush()
        fixed = list(starts)
        pushers: list[tuple[float, Rect, str]] = [(rect[axis], rect, _NOBODY) for rect in fixed]
        while pushers:  # the first along the axis comes first, so that hardly any is pushed twice
            _, rect, pusher = heappop(pushers)
            if pusher != _NOBODY and done.rects[NodeId(pusher)] != rect:
                continue
            old = None if pusher == _NOBODY else self._original(NodeId(pusher))
            for other, place in self._in_the_way(rect, axis, done, {*stays, NodeId(pusher)}):
                gap = start_gap if old is None else _gap_kept(old, self._original(other), axis)
                if not overlap(_with_gap(rect, axis, _NEAR if old is None else gap), place):
                    continue
                if not is_movable(self._diagram, other):
                    if old is None and overlap(rect, place):
                        return None
                    continue
                done.rects.setdefault(other, place)
                done.lines |= self._lines_of(other)
                if len(done.rects) > bounds.most or done.cost(bounds.each) >= bounds.cost:  # both only grow from here
                    return None
                new = self._past_locked(_moved_to(place, axis, rect[axis + 2] + gap), axis, stays, fixed)
                done.distance += new[axis] - place[axis]
                done.rects[other] = new
                heappush(pushers, (new[axis], new, other))
        return done

    def hits(self, rect: Rect, stays: Container[NodeId]) -> list[tuple[NodeId, Rect]] | None:
        """The siblings that overlap a rectangle; None for too many to be told."""
        count = self._diagram.places.group_count(self._group)
        self._work.spend(costs.SPOT + costs.ANCESTOR * count, costs.PLACES)
        found = self._diagram.places.within(self._diagram, self._group, rect, MOST_OBSTACLES)
        if found is None:
            return None
        return [(one, place) for one, place in found if one not in stays and one not in self._waiting]

    def lines_at(self, siblings: Iterable[NodeId]) -> int:
        """How many lines move if some siblings do, with all inside them."""
        return len(frozenset[EdgeId]().union(*map(self._lines_of, siblings)))

    def _lines_of(self, sibling: NodeId) -> frozenset[EdgeId]:
        known = self._lines.get(sibling)
        if known is None:
            inside = self._diagram.subtree(sibling)
            self._work.spend(_EACH_LINE * (len(inside) + sum(map(self._diagram.degree, inside))), costs.PLACES)
            known = frozenset(edge_id for one in inside for edge_id in self._diagram.edges_at(one))
            self._lines[sibling] = known
        return known

    def _in_the_way(
        self, rect: Rect, axis: int, push: SiblingPush, stays: Container[NodeId]
    ) -> list[tuple[NodeId, Rect]]:
        wide = _with_gap(rect, axis, GAP_ALONG[axis])
        found = [(one, place) for one, place in self.hits(wide, stays) or () if one not in push.rects]
        found += [(one, place) for one, place in push.rects.items() if one not in stays and overlap(wide, place)]
        return found

    def _original(self, node_id: NodeId) -> Rect:
        position, (width, height) = self._diagram.position(node_id), self._diagram.size_of(node_id)
        x, y = position["x"], position["y"]
        return x, y, x + width, y + height

    def _past_locked(self, rect: Rect, axis: int, stays: Container[NodeId], fixed: Iterable[Rect]) -> Rect:
        """A pushed rectangle beyond everything on its way that cannot be pushed."""
        for _ in range(MOST_OBSTACLES):
            walls = [place for one, place in self.hits(rect, stays) or () if not is_movable(self._diagram, one)]
            walls += [place for place in fixed if overlap(rect, place)]
            if not walls:
                break
            rect = _moved_to(rect, axis, max(wall[axis + 2] for wall in walls) + _LEAST_GAP)
        return rect


def _gap_kept(old: Rect, place: Rect, axis: int) -> float:
    """The gap that is kept between what pushes and what is pushed."""
    before = place[axis] - old[axis + 2]
    return min(max(before, _LEAST_GAP), GAP_ALONG[axis])


def _with_gap(rect: Rect, axis: int, gap: float) -> Rect:
    if axis == 0:
        return rect[0], rect[1] - _BESIDE, rect[2] + gap, rect[3] + _BESIDE
    return rect[0] - _BESIDE, rect[1], rect[2] + _BESIDE, rect[3] + gap


def _moved_to(rect: Rect, axis: int, start: float) -> Rect:
    start = max(math.ceil(start), rect[axis])
    return shift_rect(rect, start - rect[axis], 0) if axis == 0 else shift_rect(rect, 0, start - rect[axis])
