"""Places a new node at the first free spot of a grid, in rings around an anchor; nothing else moves.

The search is bounded (eight rings); if no spot is free, the node goes below everything. So the cost does not depend on
the size of the diagram.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import lru_cache

from draftsmith.model.diagram import Diagram, inner_origin
from draftsmith.model.ids import NodeId
from draftsmith.model.work import Work
from draftsmith.transform import costs

FARTHEST = 1_000_000
STEP_X, STEP_Y = 260, 140
GAP = 24
_RINGS = 8
Spot = tuple[float, float]


def free_place(
    diagram: Diagram,
    parent: NodeId | None,
    anchor: Spot | None,
    size: tuple[float, float],
    besides: Container[NodeId] = (),
    *,
    work: Work | None = None,
    goes_below: bool = False,
) -> Spot:
    """Find a free top left corner for a rectangle in a group, near an anchor corner.

    Args:
        diagram: read only.
        parent: the group, None for the top.
        anchor: corner to stay near; None begins at the group's inner corner.
        size: width and height in pixels.
        besides: nodes that are ignored, because they have no position yet.
        work: what the search is spent on.
        goes_below: whether to go below everything without a search.
    """
    inner = inner_origin() if parent is not None else (0, 0)
    first = anchor or inner
    starts = (first, inner) if _is_far(first) else (first,)
    for start in () if goes_below else starts:
        spot = _free_around(diagram, parent, start, size, besides, work)
        if spot is not None:
            return spot
    if work is not None and (not goes_below or diagram.places.group_count(parent)):
        work.spend(10 * diagram.child_count(parent), costs.PLACES)
    _, bottom = diagram.places.extent(diagram, parent)
    return (max(first[0], inner[0]), max(bottom + GAP * 2, inner[1])) if parent else (first[0], bottom + GAP * 2)


def _free_around(
    diagram: Diagram,
    parent: NodeId | None,
    start: Spot,
    size: tuple[float, float],
    besides: Container[NodeId],
    work: Work | None,
) -> Spot | None:
    one = costs.SPOT + costs.ANCESTOR * diagram.places.group_count(parent)
    low = inner_origin() if parent is not None else (-FARTHEST, -FARTHEST)
    for column, row in _rings(_RINGS):
        if work is not None:
            work.spend(one, costs.PLACES)
        x, y = start[0] + column * STEP_X, start[1] + row * STEP_Y
        is_inside = low[0] <= x <= FARTHEST and low[1] <= y <= FARTHEST
        if is_inside and diagram.places.is_free(diagram, parent, (x, y, x + size[0], y + size[1]), GAP, besides):
            return x, y
    return None


def _is_far(spot: Spot) -> bool:
    """Whether a spot is so near the largest coordinate that the spot below everything may exceed it."""
    return max(abs(spot[0]), abs(spot[1])) > FARTHEST / 2


def coordinate(value: float) -> float:
    """A coordinate as stored: within the range, at most two decimals, an integer where possible."""
    rounded = round(min(max(value, -FARTHEST), FARTHEST), 2)
    return int(rounded) if rounded == int(rounded) else rounded


@lru_cache(maxsize=1)
def _rings(count: int) -> tuple[tuple[int, int], ...]:
    return tuple(_walk(count))


def _walk(count: int) -> Iterator[tuple[int, int]]:
    """Grid offsets by distance: right of the anchor first, then below, above, left."""
    yield 0, 0
    for ring in range(1, count + 1):
        cells = [
            (column, row)
            for column in range(-ring, ring + 1)
            for row in range(-ring, ring + 1)
            if max(abs(column), abs(row)) == ring
        ]
        yield from sorted(cells, key=lambda cell: (abs(cell[0]) + abs(cell[1]), cell[0] < 0, abs(cell[1]), -cell[1]))
