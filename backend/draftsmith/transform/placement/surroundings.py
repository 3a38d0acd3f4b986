"""Reading a drawing around a place: rectangles in the coordinates of a group, and the direction in which edges flow.

Everything is bounded and in an order that does not depend on how the diagram came to be. Not here: choosing a place
(`block_place`) and moving aside (`make_room`).
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Final, NamedTuple

from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import NodeId
from draftsmith.model.layered_layout import Direction
from draftsmith.model.places import Rect

MOST_OBSTACLES: Final = 300
_MOST_EDGES: Final = 12
"""Edges of one node that are looked at for the direction."""


class Flow(NamedTuple):
    """The direction in which edges flow: the axis (0: across, 1: down), and whether along or against it."""

    axis: int
    sign: int

    @property
    def direction(self) -> Direction:
        """As the layered layout calls it."""
        if self.axis == 0:
            return "right" if self.sign > 0 else "left"
        return "down" if self.sign > 0 else "up"


RIGHT: Final = Flow(0, 1)


def rect_in(diagram: Diagram, node_id: NodeId, group: NodeId | None, waiting: Container[NodeId]) -> Rect | None:
    """A node's rectangle in the coordinates of a group; None if it is not known where they stand to each other."""
    x = y = 0.0
    current: NodeId | None = node_id
    inside = chain_of(diagram, group)
    while current not in inside:
        assert current is not None
        if current in waiting:
            return None
        position = diagram.position(current)
        x, y, current = x + position["x"], y + position["y"], diagram.parent(current)
    for outer in inside[: inside.index(current)]:
        assert outer is not None
        if outer in waiting:
            return None
        position = diagram.position(outer)
        x, y = x - position["x"], y - position["y"]
    width, height = diagram.size_of(node_id)
    return x, y, x + width, y + height


def chain_of(diagram: Diagram, group: NodeId | None) -> list[NodeId | None]:
    """A group and those around it, the diagram itself (None) last."""
    return [None] if group is None else [group, *diagram.ancestors(group), None]


def sibling_in(diagram: Diagram, node_id: NodeId, group: NodeId | None) -> NodeId | None:
    """What stands directly in a group and is or holds a node; None for a node outside."""
    current: NodeId | None = node_id
    while current is not None:
        outer = diagram.parent(current)
        if outer == group:
            return current
        current = outer
    return None


def flow_around(diagram: Diagram, nodes: Iterable[NodeId], waiting: Container[NodeId]) -> Flow | None:
    """In which direction the edges at some nodes run on screen; None if that cannot be said."""
    votes = {Flow(axis, sign): 0.0 for axis in (0, 1) for sign in (1, -1)}
    for node_id in nodes:
        own = rect_in(diagram, node_id, None, waiting)
        if own is None:
            continue
        for target in sorted(diagram.outgoing(node_id))[:_MOST_EDGES]:
            other = rect_in(diagram, target, None, waiting)
            if other is not None:
                _vote(votes, own, other)
        for source in sorted(diagram.incoming(node_id))[:_MOST_EDGES]:
            other = rect_in(diagram, source, None, waiting)
            if other is not None:
                _vote(votes, other, own)
    best = max(votes, key=votes.__getitem__)
    return best if votes[best] > 0 else None


def _vote(votes: dict[Flow, float], source: Rect, target: Rect) -> None:
    """Vote by the gap between two rectangles along each axis: what lies beside one another has none."""
    for axis in (0, 1):
        ahead, behind = target[axis] - source[axis + 2], source[axis] - target[axis + 2]
        if ahead > 0:
            votes[Flow(axis, 1)] += min(ahead, 400)
        elif behind > 0:
            votes[Flow(axis, -1)] += min(behind, 400)


def is_movable(diagram: Diagram, node_id: NodeId) -> bool:
    """Whether a node may be moved aside: nothing in it or around it is locked."""
    if diagram.lock_on(node_id) is not None:
        return False
    return not diagram.is_group(node_id) or not any(diagram[one].get("locked") for one in diagram.subtree(node_id))


def overlap(one: Rect, other: Rect) -> bool:
    """Whether two rectangles have an area in common."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def grow_rect(rect: Rect, by: float) -> Rect:
    """A rectangle with a margin."""
    return rect[0] - by, rect[1] - by, rect[2] + by, rect[3] + by


def shift_rect(rect: Rect, dx: float, dy: float) -> Rect:
    """A rectangle elsewhere."""
    return rect[0] + dx, rect[1] + dy, rect[2] + dx, rect[3] + dy


def is_crossed(rect: Rect, start: tuple[float, float], end: tuple[float, float]) -> bool:
    """Whether a straight line runs through a rectangle (Liang and Barsky, 1984)."""
    first, last = 0.0, 1.0
    for axis in (0, 1):
        if start[axis] <= rect[axis] >= end[axis] or start[axis] >= rect[axis + 2] <= end[axis]:
            return False  # the whole line is on one side, as most are
    for axis in (0, 1):
        way = end[axis] - start[axis]
        low, high = rect[axis] - start[axis], rect[axis + 2] - start[axis]
        if way == 0:
            if low >= 0 or high <= 0:
                return False
            continue
        enter, leave = (low / way, high / way) if way > 0 else (high / way, low / way)
        first, last = max(first, enter), min(last, leave)
        if first >= last:
            return False
    return True


def middle(rect: Rect) -> tuple[float, float]:
    """The middle of a rectangle."""
    return (rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2
