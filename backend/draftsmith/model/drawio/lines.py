"""The edges of a page: their ends, which may be drawn rather than named, their direction, kind, label and bends.

Not here: which node shows an end (`sketch`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from draftsmith.model.drawio.cells import Cell, Point
from draftsmith.model.drawio.vertices import Vertex

_NEAR: Final = 8.0
_REACH: Final = 40  # pixels that a line may end before the shape at which it points
_STEP: Final = 8
# Ends that say something of the shape there, or nothing, but not where the line leads.
_NO_HEADS: Final = frozenset(
    (
        "none",
        "0",
        "oval",
        "dash",
        "baseDash",
        "cross",
        "box",
        "circle",
        "circlePlus",
        "halfCircle",
        "diamond",
        "diamondThin",
        "ERone",
        "ERmandOne",
        "ERmany",
        "ERoneToMany",
        "ERzeroToOne",
        "ERzeroToMany",
    )
)
_MAX_LOOKS: Final = 4_000_000


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """An edge of the drawing: numbers of the vertices at its ends, None where there is none; `lines` are its label."""

    cell: Cell
    source: int | None
    target: int | None
    lines: Sequence[str]

    @property
    def is_whole(self) -> bool:
        """Whether both ends are at a vertex."""
        return self.source is not None and self.target is not None

    @property
    def direction(self) -> str:
        """As the arrow heads say; `backward` where only the source has one."""
        style = self.cell.style
        # Without a word on it, draw.io draws a head at the target and none at the source.
        at_source = bool(style.get("startArrow")) and style.get("startArrow") not in _NO_HEADS
        at_target = style.get("endArrow") not in _NO_HEADS
        if at_source:
            return "both" if at_target else "backward"
        return "forward" if at_target else "none"

    @property
    def kind(self) -> str:
        """A dashed line is asynchronous, or with an open head, as UML draws it, a dependency."""
        style = self.cell.style
        if style.get("dashed") != "1":
            return "sync"
        return "dependency" if style.get("endArrow") in ("open", "openThin") else "async"


def lines_of(cells: Sequence[Cell], vertices: Sequence[Vertex]) -> Sequence[DrawnLine]:
    """The edges of a page; marks the vertices where they end."""
    numbers = {vertex.cell.id: number for number, vertex in enumerate(vertices)}
    edges = {cell.id for cell in cells if cell.is_edge}
    labels = _child_labels(cells, edges)
    finder = _EndFinder(vertices)
    found = []
    for cell in cells:
        if cell.is_edge:
            source = numbers.get(cell.source) if cell.source else finder.at(cell.begin)
            target = numbers.get(cell.target) if cell.target else finder.at(cell.end)
            found.append(DrawnLine(cell, source, target, [*cell.lines, *labels.get(cell.id, ())]))
    found = [line if line.is_whole else finder.with_ends_ahead(line) for line in found]
    for line in found:
        for end in (line.source, line.target):
            if end is not None and line.is_whole:
                vertices[end].is_end = True
    return found


def _child_labels(cells: Sequence[Cell], edges: set[str]) -> Mapping[str, Sequence[str]]:
    """The labels that are cells of their own, from the source's end to the target's, by edge."""
    found: dict[str, list[tuple[float, Sequence[str]]]] = {}
    for cell in cells:
        if not cell.is_edge and cell.parent in edges and cell.lines:
            found.setdefault(cell.parent, []).append((cell.box.x, cell.lines))
    return {edge: [line for _, lines in labels for line in lines] for edge, labels in found.items()}


class _EndFinder:
    """Finds the vertex at which a line ends that names none."""

    def __init__(self, vertices: Sequence[Vertex]) -> None:
        shown = [number for number, vertex in enumerate(vertices) if vertex.role in ("box", "picture")]
        self._vertices = vertices
        self._by_area = sorted(shown, key=lambda number: vertices[number].cell.box.area)
        self._looks = 0

    def at(self, point: Point | None) -> int | None:
        """The smallest vertex with a border near the point; None if there is none."""
        return None if point is None else next(self._candidates(point), None)

    def with_ends_ahead(self, line: DrawnLine) -> DrawnLine:
        """A line that ends a little before the vertices at which it points, at these: without any end, at pictures."""
        cell, source, target = line.cell, line.source, line.target
        points = [cell.begin or self._center(source), *cell.points, cell.end or self._center(target)]
        way = [point for point in points if point is not None]
        if len(way) < 2:
            return line
        if source is None and cell.begin is not None:
            source = self._ahead(way[::-1], line.target)
        if target is None and cell.end is not None:
            target = self._ahead(way, line.source)
        return replace(line, source=source, target=target)

    def _center(self, number: int | None) -> Point | None:
        return None if number is None else self._vertices[number].cell.box.center

    def _ahead(self, way: Sequence[Point], begins_at: int | None) -> int | None:
        """The vertex that a line would meet if it went on a little, other than the one at which it begins."""
        (x, y), (end_x, end_y) = way[-2:]
        length = math.hypot(end_x - x, end_y - y)
        for distance in range(_STEP, _REACH + 1, _STEP) if length > _REACH else ():
            by = distance / length
            found = self.at((end_x + (end_x - x) * by, end_y + (end_y - y) * by))
            if found is not None and found != begins_at:
                return found if begins_at is not None or self._vertices[found].role == "picture" else None
        return None

    def _candidates(self, point: Point) -> Iterator[int]:
        x, y = point
        for number in self._by_area:
            self._looks += 1
            if self._looks > _MAX_LOOKS:
                return
            box = self._vertices[number].cell.box
            if not (box.x - _NEAR <= x <= box.right + _NEAR and box.y - _NEAR <= y <= box.bottom + _NEAR):
                continue
            depth = min(x - box.x, box.right - x, y - box.y, box.bottom - y)
            if depth <= _NEAR or self._vertices[number].role == "picture":
                yield number
