"""Where a new node goes: the first free place of a grid, ring by ring around an anchor; nothing else moves.

The search is bounded (eight rings); in a crowd it ends below everything, which is always free. So placing costs the
same in a diagram of ten nodes and of ten thousand.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import lru_cache

from draftsmith.model.diagram import Diagram, inner_origin

FARTHEST = 1_000_000
STEP_X, STEP_Y = 260, 140
GAP = 24
_RINGS = 8
Spot = tuple[float, float]


def free_place(
    diagram: Diagram,
    parent: str | None,
    anchor: Spot | None,
    size: tuple[float, float],
    besides: Container[str] = (),
) -> Spot:
    """Find a free top left corner for a rectangle in a group, near an anchor corner.

    Args:
        diagram: read only.
        parent: the group, None for the top.
        anchor: corner to stay near; None begins at the group's inner corner.
        size: width and height in pixels.
        besides: nodes that are looked through, since they have no place yet.
    """
    places = diagram.places
    first = anchor or (inner_origin() if parent is not None else (0, 0))
    low = inner_origin() if parent is not None else (-FARTHEST, -FARTHEST)
    for column, row in _rings(_RINGS):
        x, y = first[0] + column * STEP_X, first[1] + row * STEP_Y
        if x < low[0] or y < low[1] or x > FARTHEST or y > FARTHEST:
            continue
        if places.is_free(diagram, parent, (x, y, x + size[0], y + size[1]), GAP, besides):
            return x, y
    _, bottom = places.extent(diagram, parent)
    return max(first[0], low[0]), max(bottom + GAP * 2, low[1])


def coordinate(value: float) -> float:
    """A coordinate as it is stored: within the range, two decimals, whole where it can be."""
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
