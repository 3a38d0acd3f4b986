"""Buses: lines at which other lines end. An edge ends at a node, so such a line becomes a shape, as draw.io has one.

A file of its own, since it is decided on cells alone, before anything is a vertex or a line. Not here: other lines that
end at lines, such as the bones of a fishbone, which have no shape at their other end and have no counterpart.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from draftsmith.model.drawio.cells import Box, Cell, Point

_LEAST_LINES: Final = 3
_NEAR: Final = 8.0
_WIDTH: Final = 10.0
_MAX_LOOKS: Final = 2_000_000
_SHAPE: Final = "mxgraph.networks.bus"


def with_buses(cells: Sequence[Cell]) -> Sequence[Cell]:
    """The cells, of which straight lines are shapes at which three others end that come from shapes."""
    ends = list(_loose_ends(cells))
    looks = 0
    found = []
    for cell in cells:
        path = _straight_path(cell)
        looks += 0 if path is None else len(ends)
        is_bus = path is not None and looks <= _MAX_LOOKS and len(_ending_at(path, ends, cell)) >= _LEAST_LINES
        found.append(_as_shape(cell, *path) if path is not None and is_bus else cell)
    return found


def _straight_path(cell: Cell) -> tuple[Point, Point] | None:
    """Both ends of a line that names no shape, has no bend and runs across or down."""
    if not cell.is_edge or cell.source or cell.target or cell.points or cell.begin is None or cell.end is None:
        return None
    (x, y), (end_x, end_y) = cell.begin, cell.end
    return (cell.begin, cell.end) if min(abs(x - end_x), abs(y - end_y)) <= 1 else None


def _loose_ends(cells: Sequence[Cell]) -> Iterator[tuple[str, Point]]:
    """The ends of lines that name no shape, with the line's id, where the other end is at a shape."""
    boxes = [cell.box for cell in cells if not cell.is_edge and not cell.lines]
    looks = 0
    for cell in cells:
        for name, point, other, other_point in (
            (cell.source, cell.begin, cell.target, cell.end),
            (cell.target, cell.end, cell.source, cell.begin),
        ):
            if not cell.is_edge or name or point is None:
                continue
            looks += 0 if other else len(boxes)
            if other or (looks <= _MAX_LOOKS and other_point and any(_is_beside(other_point, box) for box in boxes)):
                yield cell.id, point


def _is_beside(point: Point, box: Box) -> bool:
    x, y = point
    is_in = box.x - _NEAR <= x <= box.right + _NEAR and box.y - _NEAR <= y <= box.bottom + _NEAR
    return is_in and min(abs(x - box.x), abs(x - box.right), abs(y - box.y), abs(y - box.bottom)) <= _NEAR


def _ending_at(path: tuple[Point, Point], ends: Sequence[tuple[str, Point]], bus: Cell) -> set[str]:
    """The ids of the lines that end at a line."""
    return {line for line, point in ends if line != bus.id and _distance(point, *path) <= _NEAR}


def _distance(point: Point, begin: Point, end: Point) -> float:
    """How far a point is from a line that runs across or down."""
    x, y = point
    left, right = sorted((begin[0], end[0]))
    top, bottom = sorted((begin[1], end[1]))
    return math.hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom))


def _as_shape(cell: Cell, begin: Point, end: Point) -> Cell:
    """A bus as the shape that draw.io has for it."""
    (left, right), (top, bottom) = sorted((begin[0], end[0])), sorted((begin[1], end[1]))
    across, down = (0.0, _WIDTH) if right - left > bottom - top else (_WIDTH, 0.0)
    box = Box(left - across / 2, top - down / 2, right - left + across, bottom - top + down)
    style = replace(cell.style, values={**cell.style.values, "shape": _SHAPE})
    return Cell(cell.id, cell.lines, style, cell.parent, False, box, fields=cell.fields)
