"""Rates the places of a block of new nodes by its connections alone: how far, how askew and in which direction.

Some thirty places are rated for each block, so what is the same for all of them is computed once. Ratings are in
pixels: a worse place costs what a longer connection costs. Not here: what stands at or around a place (`block_place`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from draftsmith.model.ids import NodeId
from draftsmith.model.places import Rect
from draftsmith.transform.placement.make_room import GAP_ALONG
from draftsmith.transform.placement.surroundings import Flow, shift_rect

_SECOND, _SECOND_BETWEEN, _BESIDE, _AGAINST = 80, 200, 350, 700
"""What it costs to stand across the flow on the right side (of one neighbour, or of two that it stands between), across
it on the wrong side, and against it."""
_ACROSS, _DOWN = GAP_ALONG
_NOT_BESIDE: Final = _ACROSS - _DOWN
"""What it costs to stand above or below: with the usual gap as much as beside."""
LEAST: Final = _ACROSS
"""What a place costs at least that keeps the usual gap to a single neighbour."""

Spot = tuple[float, float]


class NeighbourLink(NamedTuple):
    """A connection of a block with a neighbour that has a place.

    Attributes:
        member: the rectangle of the block's end, from the block's corner.
        other: the neighbour's rectangle, in the coordinates of the block's group.
        sibling: what of that group is or holds the neighbour; None if it stands elsewhere.
        way: 1 if it leads to the neighbour, -1 if it comes from it, 0 for no direction.
    """

    member: Rect
    other: Rect
    sibling: NodeId | None
    way: int


class Rating:
    """Rates places for a block with some connections.

    Attributes:
        is_between: whether some connections lead to neighbours and some come from them.
    """

    def __init__(self, links: Sequence[NeighbourLink], flow: Flow) -> None:
        self._links, self._flow = links, flow
        self.is_between = any(link.way > 0 for link in links) and any(link.way < 0 for link in links)
        self._second = _SECOND_BETWEEN if self.is_between else _SECOND

    def of(self, spot: Spot, links: Sequence[NeighbourLink] | None = None) -> float:
        """What a place costs where everything else stays; by some of the connections alone, where they are given."""
        x, y = spot
        cost = 0.0
        for (left, top, right, bottom), other, _, way in self._links if links is None else links:
            own = left + x, top + y, right + x, bottom + y
            cost += _distance(own, other)
            cost += self._against(own, other, way)
        return cost

    def of_moved(self, spot: Spot, moved: Mapping[NodeId, Spot]) -> float:
        """What a place costs where siblings move by so much."""
        links = [
            link
            if link.sibling is None or link.sibling not in moved
            else link._replace(other=shift_rect(link.other, *moved[link.sibling]))
            for link in self._links
        ]
        rating = Rating(links, self._flow)
        return rating.of(spot)

    def _against(self, own: Rect, other: Rect, way: int) -> float:
        axis, sign = self._flow
        before, after = own[axis + 2] <= other[axis], own[axis] >= other[axis + 2]
        if sign < 0:
            before, after = after, before
        if (way > 0 and before) or (way < 0 and after):
            return 0
        cross = 1 - axis
        above, below = own[cross + 2] <= other[cross], own[cross] >= other[cross + 2]
        if way == 0:
            return 0 if after else 20 if below else 60 if before else 80
        bad, second = (after, above) if way > 0 else (before, below)
        if bad:
            return _BESIDE if second else _AGAINST
        return self._second if second else _BESIDE


def _distance(own: Rect, other: Rect) -> float:
    """How far apart two rectangles are, and how askew; the usual gap costs no less than a smaller one."""
    left, top, right, bottom = own
    other_left, other_top, other_right, other_bottom = other
    gap_x = left - other_right if left > other_right else other_left - right if other_left > right else 0
    gap_y = top - other_bottom if top > other_bottom else other_top - bottom if other_top > bottom else 0
    if not gap_x and not gap_y:
        return 400
    askew_x = abs((left + right) / 2 - (other_left + other_right) / 2)
    askew_y = abs((top + bottom) / 2 - (other_top + other_bottom) / 2)
    if gap_x and gap_y:
        return 60 + gap_x + gap_y + 0.15 * (askew_x + askew_y)
    if gap_x:
        return (gap_x if gap_x > _ACROSS else _ACROSS + max(0, _ACROSS - gap_x)) + 0.5 * askew_y
    return (gap_y if gap_y > _DOWN else _DOWN + max(0, _DOWN - gap_y)) + 0.5 * askew_x + _NOT_BESIDE
