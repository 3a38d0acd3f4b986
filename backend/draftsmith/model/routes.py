"""Routes by hand: how the bends of a line follow when its ends move, and whether they still fit.

A route is a list of bends, relative to the diagram; a line leads from the border of its source along them to the border
of its target. A route by hand (`route_by`) is kept when an end moves: the segment at that end moves with it, and the
others stay. Twin of the page's `model/drawing/keptRoutes.ts`. Not here: routes that are found (`transform.placement`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, Literal

from draftsmith.model.diagram import NO_ENDS, Diagram
from draftsmith.model.fields import Point, SparseEdgeFields
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.vocabulary import GROUP_TITLE

HAND: Final = "hand"
"""The value of `route_by`."""
STRAIGHT: Final = "straight"
"""The value of `shape` of a line without right angles."""
MOST_BENDS: Final = 100
_FARTHEST: Final = 1e6
_BEFORE_TITLE, _LETTER, _AFTER_TITLE = 33, 7.4, 9
"""What the title of a group takes, in pixels: as in the page's `model/drawing/drawing.ts`."""

Box = tuple[float, float, float, float]  # left, top, width, height
Ends = tuple[Box, Box]
Axis = Literal["x", "y"]


def has_hand_route(edge: SparseEdgeFields | None) -> bool:
    """Whether somebody has bent the line of an edge by hand; `route_by` without a route is as if absent."""
    return edge is not None and edge.get("route_by") == HAND and bool(edge.get("route"))


def end_boxes(diagram: Diagram, edge_id: EdgeId) -> Ends:
    """The boxes of source and target of an edge that is there."""
    source, target = diagram.ends(edge_id) or NO_ENDS
    return box_of(diagram, source), box_of(diagram, target)


def box_of(diagram: Diagram, node_id: NodeId) -> Box:
    """The box of a node in the diagram, as it is drawn."""
    return *diagram.origin_of(node_id), *diagram.size_of(node_id)


def kept_route(route: Sequence[Point], before: Ends, after: Ends, *, straight: bool = False) -> list[Point]:
    """The bends after the ends have moved, at most `MOST_BENDS`.

    Where both ends move, all bends move by the mean of the two; alike, it is the same line elsewhere. What is left of
    each move shifts the segment at that end, along the border it leads to, so that a right-angled line stays one. Where
    the line goes straight on from that segment, it gets a bend.
    A `straight` line has no right angles to keep: its bends stay, and the segments at its ends turn.
    """
    by_x, by_y = _common_move(before, after)
    bends = [_point(bend["x"] + by_x, bend["y"] + by_y) for bend in route]
    if straight:
        return bends
    (source_x, source_y, *source), (target_x, target_y, *target) = before
    there: Ends = (
        (source_x + by_x, source_y + by_y, source[0], source[1]),
        (target_x + by_x, target_y + by_y, target[0], target[1]),
    )
    bends = _with_end(bends, there[0], after[0], there[1])
    return _with_end(bends[::-1], there[1], after[1], after[0])[::-1]


def line_along(route: Sequence[Point], ends: Ends) -> list[Point]:
    """The points of a line, ends included: without bends that lie under the node at their end."""
    source, target = ends
    first, last = 0, len(route)
    while first < last and _covers(source, route[first], target):
        first += 1
    while last > first and _covers(target, route[last - 1], source):
        last -= 1
    # Between two bends of which each lies under a node, the line leads from one to the other.
    start = border_towards(source, route[first]) if first < len(route) else None
    end = border_towards(target, route[last - 1] if last > 0 else start or route[0])
    return [start or border_towards(source, end), *route[first:last], end]


def border_towards(box: Box, point: Point) -> Point:
    """The point on a border that faces a point: straight across where possible, else towards the middle."""
    left, top, width, height = box
    x, y = point["x"], point["y"]
    is_beside, is_above = top < y < top + height, left < x < left + width
    if is_beside and not is_above:
        return {"x": left if x < left else left + width, "y": y}
    if is_above and not is_beside:
        return {"x": x, "y": top if y < top else top + height}
    middle_x, middle_y = left + width / 2, top + height / 2
    dx, dy = x - middle_x, y - middle_y
    share = min(1 / max(abs(dx) / (width / 2), abs(dy) / (height / 2), 1e-9), 1)
    return {"x": middle_x + dx * share, "y": middle_y + dy * share}


def is_strained(diagram: Diagram, edge_id: EdgeId, titles: Iterable[Box]) -> bool:
    """Whether the line of an edge with a route leads through one of its own nodes, or through a title."""
    ends = end_boxes(diagram, edge_id)
    line = line_along((diagram.edge(edge_id) or {}).get("route", ()), ends)
    own = [ends[at] for at in (0, 1) if not _holds_box(ends[at], ends[1 - at])]
    obstacles = [*(_inside(box) for box in own), *titles]
    return any(_crosses(*segment, box) for segment in pairwise(line) for box in obstacles)


def title_boxes(diagram: Diagram) -> Iterator[Box]:
    """The titles of all groups, as they are drawn."""
    for group in diagram.groups():
        left, top, width, _ = box_of(diagram, group)
        letters = _BEFORE_TITLE + len(diagram.label(group)) * _LETTER + _AFTER_TITLE
        yield left, top, min(width, letters), GROUP_TITLE - 8


class MovingRoutes:
    """Routes by hand of edges whose ends are being moved, as they were before."""

    __slots__ = ("_before",)

    def __init__(self) -> None:
        self._before: dict[EdgeId, tuple[Sequence[Point], Ends]] = {}

    def __contains__(self, edge_id: object) -> bool:
        return edge_id in self._before

    def note_node(self, diagram: Diagram, node_id: NodeId) -> None:
        """Remember the routes at a node and at what stands in it, before it moves."""
        for inner in diagram.subtree(node_id):
            for edge_id in diagram.edges_at(inner):
                self.note_edge(diagram, edge_id)

    def note_edge(self, diagram: Diagram, edge_id: EdgeId) -> None:
        """Remember the route of an edge, if it is by hand and not known yet."""
        edge = diagram.edge(edge_id)
        if edge is not None and edge_id not in self._before and has_hand_route(edge):
            self._before[edge_id] = edge["route"], end_boxes(diagram, edge_id)

    def forget(self, edge_id: EdgeId) -> None:
        """Somebody has given the edge another route meanwhile."""
        self._before.pop(edge_id, None)

    def take(self, diagram: Diagram) -> list[tuple[EdgeId, list[Point]]]:
        """What has become of the routes, of edges that still have one by hand; forgets all."""
        known, self._before = self._before, {}
        return [
            (edge_id, kept_route(route, before, end_boxes(diagram, edge_id), straight=edge.get("shape") == STRAIGHT))
            for edge_id, (route, before) in sorted(known.items())
            if (edge := diagram.edge(edge_id)) is not None and has_hand_route(edge)
        ]


def _common_move(before: Ends, after: Ends) -> tuple[float, float]:
    """The mean of both moves; nothing if an end stays."""
    moves = [(new[0] - old[0], new[1] - old[1]) for old, new in zip(before, after, strict=True)]
    if (0, 0) in moves:
        return 0, 0
    return (moves[0][0] + moves[1][0]) / 2, (moves[0][1] + moves[1][1]) / 2


def _with_end(bends: Sequence[Point], old: Box, new: Box, other: Box) -> list[Point]:
    """The bends, the nearest first, after the node before them has moved; `other`: the node behind them."""
    first = bends[0]
    following = bends[1] if len(bends) > 1 else border_towards(other, first)
    axis = _across(first, following, old)
    if axis is None:
        return list(bends)
    at = _coordinate(_coordinate_after(first[axis], old, new, axis))
    if at == first[axis]:
        return list(bends)
    moved = _point(at, first["y"]) if axis == "x" else _point(first["x"], at)
    if following[axis] == first[axis] and len(bends) < MOST_BENDS:
        return [moved, *bends]
    rest = bends[1:]
    return [moved, *(rest[1:] if rest and rest[0] == moved else rest)]


def _across(first: Point, following: Point, box: Box) -> Axis | None:
    """The axis along which the end of a line can be shifted: across its first segment. None if that is slanted."""
    left, top, width, height = box
    is_beside, is_above = top < first["y"] < top + height, left < first["x"] < left + width
    if is_beside != is_above:
        return "y" if is_beside else "x"
    if is_beside and following["x"] == first["x"]:
        return "y"
    return "x" if is_beside and following["y"] == first["y"] else None


def _coordinate_after(at: float, old: Box, new: Box, axis: Axis) -> float:
    """A coordinate at the same place along a side that has moved, or the same share of one of another length."""
    start, length = (0, 2) if axis == "x" else (1, 3)
    if old[length] == new[length]:
        return at + (new[start] - old[start])
    return new[start] + (at - old[start]) * (new[length] / old[length])


def _covers(box: Box, point: Point, other: Box) -> bool:
    """Whether a bend lies under a node; not under a group that the line comes from within."""
    return _holds(box, point) and not _holds_box(box, other)


def _holds(box: Box, point: Point) -> bool:
    left, top, width, height = box
    return left <= point["x"] <= left + width and top <= point["y"] <= top + height


def _holds_box(box: Box, other: Box) -> bool:
    left, top, width, height = other
    return _holds(box, {"x": left + width / 2, "y": top + height / 2})


def _inside(box: Box) -> Box:
    return box[0] + 1, box[1] + 1, box[2] - 2, box[3] - 2


def _crosses(one: Point, other: Point, box: Box) -> bool:
    """Whether a segment leads through a box."""
    left, top, width, height = box
    enters, leaves = 0.0, 1.0
    for axis, low, high in (("x", left, left + width), ("y", top, top + height)):
        start, run = one[axis], other[axis] - one[axis]
        if run == 0:
            if not low < start < high:
                return False
            continue
        first, last = sorted(((low - start) / run, (high - start) / run))
        enters, leaves = max(enters, first), min(leaves, last)
    return enters < leaves


def _coordinate(value: float) -> float:
    at = round(min(max(value, -_FARTHEST), _FARTHEST), 2)
    return int(at) if at == int(at) else at


def _point(x: float, y: float) -> Mapping[str, float]:
    return {"x": _coordinate(x), "y": _coordinate(y)}
