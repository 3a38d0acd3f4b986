"""Finds the place of a block of new nodes beside what it is connected to; a single node is a block of one.

Places around the neighbours are rated without looking at the rest first, and looked at from the best on: whether they
are free, whether straight connections to the neighbours would run through others, whether the block would lie on
connections, whether the group's frame would grow over others. If what is free is much worse than what is best,
siblings may be moved aside (`make_room`). Ratings are in pixels: a worse place costs what a longer connection costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from operator import itemgetter
from typing import Final, NamedTuple

from draftsmith.model.diagram import Diagram, inner_origin
from draftsmith.model.fields import EdgeAttributes
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.places import BY_PLACE, Rect
from draftsmith.model.vocabulary import GROUP_PADDING
from draftsmith.model.work import Work
from draftsmith.transform import costs
from draftsmith.transform.placement.make_room import GAP_ALONG, GroupSiblings, PushBounds, SiblingPush
from draftsmith.transform.placement.place_rating import LEAST, NeighbourLink, Rating, Spot
from draftsmith.transform.placement.placement import FARTHEST, GAP
from draftsmith.transform.placement.surroundings import (
    MOST_OBSTACLES,
    Flow,
    grow_rect,
    is_crossed,
    middle,
    overlap,
    shift_rect,
)

_LINE, _COVERED, _COVERED_ROUTE, _MOST_COVERED, _GROWTH = 150, 60, 90, 300, 0.3
_MOVING, _EACH_MOVED = 100, 5
_MOST_MOVED: Final = 40
_MOST_LOOKED_AT: Final = 40
_AROUND: Final = 4  # links around which places are looked for
_MOST_LINES: Final = 80
_MOST_EDGES: Final = 40
"""Edges of one neighbour that are looked at."""
_REACH: Final = 120

Near = Sequence[tuple[NodeId, Rect]]
"""Siblings around, with their rectangles."""


class DrawnConnection(NamedTuple):
    """A connection as it is drawn, about: its points, and what it costs to stand on it."""

    points: Sequence[Spot]
    cost: float

    def runs_through(self, boxes: Sequence[Rect]) -> bool:
        """Whether it runs through some rectangle."""
        for start, end in pairwise(self.points):
            for box in boxes:
                if is_crossed(box, start, end):
                    return True
        return False


class BlockPlacement(NamedTuple):
    """A place for a block, and what moves aside for it."""

    spot: Spot
    pushed: SiblingPush | None = None


@dataclass(slots=True)
class Search:
    """The search for the place of one block.

    Attributes:
        group: where the block goes, None for the top.
        size: of the block.
        boxes: its members' rectangles, from the block's corner.
        links: its connections, the most important first.
        covers: whether a frame of so much would be over others: what that costs.
    """

    diagram: Diagram
    group: NodeId | None
    size: Spot
    boxes: Sequence[Rect]
    links: Sequence[NeighbourLink]
    flow: Flow
    room: GroupSiblings
    work: Work
    covers: Callable[[Rect], float]
    rating: Rating = field(init=False)

    def __post_init__(self) -> None:
        self.rating = Rating(self.links, self.flow)

    def best(self) -> BlockPlacement | None:
        """The best place; None if none is free around the neighbours and nothing can be moved aside."""
        near = self._near_siblings()
        if near is None:
            return None
        lines = self._lines(dict(near))
        ideal = self._ideal()
        if ideal is not None and self._is_free(ideal, near) and not self._in_the_way(ideal, near, lines):
            return BlockPlacement(ideal)
        rate = self.rating.of
        rated = sorted([(rate(spot), *spot) for spot in set(self._spots()) if self._is_inside(spot)])
        self.work.spend(60 * len(rated) * len(self.links), costs.PLACES)
        found: BlockPlacement | None = None
        least = float("inf")
        looked = 0
        each = 4 * len(near) + 10 * sum(len(line.points) for line in lines)
        for base, x, y in rated:
            if base >= least or looked >= _MOST_LOOKED_AT:
                break
            looked += 1
            self.work.spend(each, costs.PLACES)
            if not self._is_free((x, y), near):
                continue
            cost = base + self._in_the_way((x, y), near, lines)
            if cost < least:
                found, least = BlockPlacement((x, y)), cost
        if least > GAP_ALONG[0] * len(self.links) + _MOVING and any(link.way for link in self.links):
            for axis, spot in self._spots_with_room():
                moved = self._with_room(spot, near, axis, least)
                if moved is not None and moved[0] < least:
                    least, found = moved[0], BlockPlacement(spot, moved[1])
        return found

    # -- places ------------------------------------------------------------------------------------------------------

    def _ideal(self) -> Spot | None:
        """The one place beside a single neighbour that is better than all others, which then need no rating.

        It is the next one in the direction of flow: nowhere else is the distance as small with nothing against it.
        """
        if len(self.links) != 1 or not self.links[0].way or self._frame_of(self.links[0]) != self.links[0].other:
            return None
        member, other, _, way = self.links[0]
        axis, sign = self.flow
        is_after = way * sign < 0
        along = other[axis + 2] + GAP_ALONG[axis] if is_after else other[axis] - GAP_ALONG[axis] - self.size[axis]
        cross = middle(other)[1 - axis] - middle(member)[1 - axis]
        spot = (round(along), round(cross)) if axis == 0 else (round(cross), round(along))
        return spot if self._is_inside(spot) and self.rating.of(spot) == LEAST else None

    def _is_free(self, spot: Spot, siblings: Near) -> bool:
        return not any(overlap(rect, place) for rect in self._at(spot, GAP) for _, place in siblings)

    def _spots(self) -> Iterator[Spot]:
        """Corners around the neighbours, and between them."""
        width, height = self.size
        steps_x, steps_y = (width + GAP) / 2, (height + GAP) / 2
        for link in self.links[:_AROUND]:
            frame = self._frame_of(link)
            (cx, cy), (mx, my) = middle(link.other), middle(link.member)
            across, down = GAP_ALONG
            for x, number in product((frame[2] + across, frame[0] - across - width), (0, -1, 1, -2, 2, -3, 3)):
                yield round(x), round(cy - my + number * steps_y)
            for y, number in product((frame[3] + down, frame[1] - down - height), (0, -1, 1, -2, 2, -3, 3)):
                yield round(cx - mx + number * steps_x), round(y)
        if len(self.links) > 1:
            middles = [(middle(link.other), middle(link.member)) for link in self.links]
            x = sum(there[0] - own[0] for there, own in middles) / len(middles)
            y = sum(there[1] - own[1] for there, own in middles) / len(middles)
            for column, row in product((0, -1, 1, -2, 2), repeat=2):
                yield round(x + column * steps_x), round(y + row * steps_y)

    def _spots_with_room(self) -> Iterator[tuple[int, Spot]]:
        """Corners beside neighbours, whatever stands there, and the axis along which that makes room.

        In the direction of flow, and across it, where less may have to move.
        """
        seen: set[tuple[int, Spot]] = set()
        for link, axis in product(self.links[:_AROUND], (0, 1)):
            if link.sibling is None:
                continue
            frame, own = self._frame_of(link), middle(link.member)
            cross = middle(link.other)[1 - axis] - own[1 - axis]
            is_after = axis != self.flow.axis or link.way * self.flow.sign <= 0
            along = frame[axis + 2] + GAP_ALONG[axis] if is_after else frame[axis]
            spot = (round(along), round(cross)) if axis == 0 else (round(cross), round(along))
            if (axis, spot) not in seen and self._is_inside(spot):
                seen.add((axis, spot))
                yield axis, spot

    def _frame_of(self, link: NeighbourLink) -> Rect:
        """The neighbour, or what of the group holds it."""
        if link.sibling is None:
            return link.other
        position, (width, height) = self.diagram.position(link.sibling), self.diagram.size_of(link.sibling)
        x, y = position["x"], position["y"]
        return x, y, x + width, y + height

    def _is_inside(self, spot: Spot) -> bool:
        low_x, low_y = inner_origin() if self.group is not None else (-FARTHEST, -FARTHEST)
        return low_x <= spot[0] <= FARTHEST - self.size[0] and low_y <= spot[1] <= FARTHEST - self.size[1]

    # -- rating ------------------------------------------------------------------------------------------------------

    def _in_the_way(self, spot: Spot, siblings: Near, lines: Sequence[DrawnConnection]) -> float:
        """What connections through others, the block on connections, and the frame over others cost."""
        boxes = self._at(spot)
        covered = sum(line.cost for line in lines if line.runs_through(boxes))
        return self._through(spot, siblings, {}) + min(covered, _MOST_COVERED) + self._growth([self._area(spot)])

    def _through(self, spot: Spot, siblings: Near, moved: Mapping[NodeId, Spot]) -> float:
        """What straight connections through others cost."""
        cost = 0.0
        for link in self.links[:_AROUND]:
            by = moved.get(link.sibling, (0.0, 0.0)) if link.sibling is not None else (0.0, 0.0)
            start, end = middle(shift_rect(link.member, *spot)), middle(shift_rect(link.other, *by))
            around = (min(start[0], end[0]), min(start[1], end[1]), max(start[0], end[0]), max(start[1], end[1]))
            for one, place in siblings:
                if one != link.sibling and overlap(around, place) and is_crossed(place, start, end):
                    cost += _LINE
        return cost

    def _growth(self, placed: Sequence[Rect]) -> float:
        """What it costs that the frame grows with what is placed."""
        if self.group is None:
            return 0
        width, height = self.diagram.size_of(self.group)
        right, bottom = (max(rect[side] for rect in placed) + GROUP_PADDING for side in (2, 3))
        more = max(0, right - width) + max(0, bottom - height)
        if not more:
            return 0
        return _GROWTH * more + self.covers((0, 0, max(width, right), max(height, bottom)))

    def _with_room(self, spot: Spot, siblings: Near, axis: int, least: float) -> tuple[float, SiblingPush] | None:
        """What a place costs for which others move aside along an axis, and how they move.

        None if they cannot, or if it is no better than `least` by the moves and the connections to what stays alone.
        """
        stay = [link for link in self.links if link.sibling is None or self._frame_of(link)[axis + 2] <= spot[axis]]
        left = least - self.rating.of(spot, stay)
        if left <= 0:
            return None
        each = _EACH_MOVED if self.rating.is_between else 3 * _EACH_MOVED
        bounds = PushBounds(_MOST_MOVED, left - _MOVING, each)
        pushed = self.room.push([self._area(spot)], axis, (), bounds, GAP_ALONG[axis])
        if pushed is None:
            return None
        moved = {one: self._distance_of(one, rect) for one, rect in pushed.rects.items()}
        there = [(one, pushed.rects.get(one, place)) for one, place in siblings]
        cost = self.rating.of_moved(spot, moved) + self._through(spot, there, moved)
        cost += self._growth([self._area(spot), *pushed.rects.values()])
        return cost + (_MOVING if moved else 0) + pushed.cost(each), pushed

    def _distance_of(self, node_id: NodeId, rect: Rect) -> Spot:
        position = self.diagram.position(node_id)
        return rect[0] - position["x"], rect[1] - position["y"]

    # -- what is there -----------------------------------------------------------------------------------------------

    def _at(self, spot: Spot, gap: float = 0) -> list[Rect]:
        """What the block takes up: of several nodes, all the area between them too."""
        if gap or len(self.boxes) == 1:
            return [grow_rect(self._area(spot), gap)]
        return [shift_rect(box, *spot) for box in self.boxes]

    def _area(self, spot: Spot) -> Rect:
        return spot[0], spot[1], spot[0] + self.size[0], spot[1] + self.size[1]

    def _near_siblings(self) -> Near | None:
        """The siblings around the neighbours; None for too many."""
        wide = _REACH + 2.6 * max(self.size)
        found: dict[NodeId, Rect] = {}
        for link in self.links[:_AROUND]:
            hits = self.room.hits(grow_rect(self._frame_of(link), wide), ())
            if hits is None:
                return None
            found.update(hits)
        if len(self.links) > 1:
            middles = [middle(link.other) for link in self.links]
            x, y = sum(x for x, _ in middles) / len(middles), sum(y for _, y in middles) / len(middles)
            hits = self.room.hits(grow_rect((x, y, x, y), 2 * max(self.size) + GAP * 4), ())
            if hits is None:
                return None
            found.update(hits)
        return sorted(found.items(), key=BY_PLACE) if len(found) <= MOST_OBSTACLES else None

    def _lines(self, siblings: Mapping[NodeId, Rect]) -> list[DrawnConnection]:
        """Connections of siblings around: along their routes, the others straight if both ends are around."""
        x, y = self.diagram.origin_of(self.group)
        middles = {one: middle(place) for one, place in siblings.items()}
        lines: dict[EdgeId, DrawnConnection] = {}
        for one in siblings:
            for edge_id, source, target, attributes in self._edges_at(one):
                if edge_id in lines:
                    continue
                route, first, last = attributes.get("route"), middles.get(source), middles.get(target)
                if route:
                    bends = [(point["x"] - x, point["y"] - y) for point in route]
                    whole = [*([first] if first else []), *bends, *([last] if last else [])]
                    lines[edge_id] = DrawnConnection(whole, _COVERED_ROUTE)
                elif first and last:
                    lines[edge_id] = DrawnConnection([first, last], _COVERED)
            if len(lines) > _MOST_LINES:
                break
        return list(lines.values())[:_MOST_LINES]

    def _edges_at(self, node_id: NodeId) -> list[tuple[EdgeId, NodeId, NodeId, EdgeAttributes]]:
        """Edges at a node with their ends, the first by id."""
        found = [
            (edge_id, node_id, other, attributes)
            for other, between in self.diagram.outgoing(node_id).items() for edge_id, attributes in between.items()
        ]  # fmt: skip
        found += [
            (edge_id, other, node_id, attributes)
            for other, between in self.diagram.incoming(node_id).items() for edge_id, attributes in between.items()
        ]  # fmt: skip
        return sorted(found, key=itemgetter(0))[:_MOST_EDGES]
