"""The edges of a page: their ends, which may be drawn rather than named, their direction, kind, label and bends.

Not here: which node shows an end (`sketch`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from draftsmith.model.drawio.cells import Cell, Point
from draftsmith.model.drawio.vertices import Vertex

_NEAR: Final = 8.0
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
    for line in found:
        for end in (line.source, line.target):
            if end is not None and line.source is not None and line.target is not None:
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
