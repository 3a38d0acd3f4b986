"""The cells of a page: vertices with their boxes, and edges with their points, in pixels of the page.

A cell with data of its own is wrapped in an `object` (or `UserObject`), which has its id and label. Layers are cells
that are neither vertex nor edge. What is hidden is counted and left out with all that lies in it, as draw.io leaves it
out of pictures. Not here: what becomes of a cell (`sketch`).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from draftsmith.model.drawio.labels import label_lines
from draftsmith.model.drawio.markup import Element, UnreadableDrawing

MAX_CELLS: Final = 30_000
_FURTHEST: Final = 1_000_000.0
_MAX_POINTS: Final = 100
_PLACEHOLDER = re.compile(r"%([\w .-]{1,60})%")

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle: its top left corner and its size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of its right border."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y of its lower border."""
        return self.y + self.height

    @property
    def center(self) -> Point:
        """Its middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def area(self) -> float:
        """In square pixels."""
        return self.width * self.height

    def holds(self, other: Box, slack: float = 1) -> bool:
        """Whether another one lies in it, give or take `slack` pixels."""
        return (
            self.x - slack <= other.x
            and self.y - slack <= other.y
            and other.right <= self.right + slack
            and other.bottom <= self.bottom + slack
        )

    def united_with(self, other: Box) -> Box:
        """The smallest one that holds both."""
        left, top = min(self.x, other.x), min(self.y, other.y)
        return Box(left, top, max(self.right, other.right) - left, max(self.bottom, other.bottom) - top)

    def turned_by(self, degrees: float) -> Box:
        """The smallest one around it when it is turned about its middle."""
        if not degrees:
            return self
        angle, (x, y) = math.radians(degrees), self.center
        across, down = abs(math.cos(angle)), abs(math.sin(angle))
        width = round(self.width * across + self.height * down, 6)
        height = round(self.width * down + self.height * across, 6)
        return Box(x - width / 2, y - height / 2, width, height)


@dataclass(frozen=True, slots=True)
class Style:
    """The style of a cell: names without a value, and values by key."""

    names: Sequence[str]
    values: Mapping[str, str]

    def get(self, key: str) -> str:
        """A value, or the empty string."""
        return self.values.get(key, "")

    @property
    def shape(self) -> str:
        """The name of its shape, or the empty string for a rectangle."""
        return self.get("shape") or (self.names[0] if self.names else "")


@dataclass(frozen=True, slots=True)
class Cell:
    """A vertex or an edge.

    Attributes:
        id: as in the file.
        lines: of its label.
        parent: id of the cell in which it lies, or of its layer.
        box: of a vertex, on the page.
        is_attached: it is a part of its parent, placed relative to that.
        source, target: ids of an edge's ends, empty where it has none.
        begin, end: the points of an edge whose ends are at no cell.
        points: the bends of an edge.
        label_at: of an edge: where its label lies, from -1 at its source to 1; None where nothing is said.
        fields: of its object.
    """

    id: str
    lines: Sequence[str]
    style: Style
    parent: str
    is_edge: bool
    box: Box
    is_attached: bool = False
    source: str = ""
    target: str = ""
    begin: Point | None = None
    end: Point | None = None
    points: Sequence[Point] = ()
    label_at: float | None = None
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """Its label in one line."""
        return " ".join(self.lines)


@dataclass(frozen=True, slots=True)
class HiddenPart:
    """A layer or a shape that is hidden, with what lies in it.

    Attributes:
        id: as in the file.
        name: its label in one line.
        is_layer: it is a layer.
        count: of shapes and lines, itself included if it is one.
    """

    id: str
    name: str
    is_layer: bool
    count: int


@dataclass(frozen=True, slots=True)
class PageCells:
    """Vertices and edges of a page in the order of drawing, and what is hidden."""

    cells: Sequence[Cell]
    hidden_parts: Sequence[HiddenPart] = ()


def cells_of(model: Element) -> PageCells:
    """The cells of a page, in the order of the file.

    Raises:
        UnreadableDrawing: there are too many.
    """
    root = model.child("root")
    found: dict[str, _RawCell] = {}
    for raw in _raw_cells(root.children if root is not None else ()):
        if len(found) >= MAX_CELLS:
            raise UnreadableDrawing(f"the page has more than {MAX_CELLS:,} shapes and lines")
        found.setdefault(raw.id or f"cell {len(found) + 1}", raw)
    origins, hiders = _Origins(found), _hiders(found)
    drawn = {id_: raw for id_, raw in found.items() if raw.is_vertex or raw.is_edge}
    counts = Counter(hiders[id_] for id_ in drawn if hiders[id_])
    return PageCells(
        [origins.cell(id_, raw) for id_, raw in drawn.items() if not hiders[id_]],
        [HiddenPart(id_, found[id_].name, id_ not in drawn, count) for id_, count in counts.items()],
    )


@dataclass(frozen=True, slots=True)
class _RawCell:
    """A cell as it stands in the file."""

    id: str
    wrapper: Element
    element: Element

    @property
    def is_vertex(self) -> bool:
        return self.element.attributes.get("vertex") == "1"

    @property
    def is_edge(self) -> bool:
        return self.element.attributes.get("edge") == "1"

    @property
    def parent(self) -> str:
        return self.element.attributes.get("parent", "")

    @property
    def is_hidden(self) -> bool:
        return self.element.attributes.get("visible") == "0"

    @property
    def name(self) -> str:
        label = self.wrapper.attributes.get("label") or self.element.attributes.get("value", "")
        is_html = (self.is_vertex or self.is_edge) and "html=1" in self.element.attributes.get("style", "")
        return " ".join(label_lines(label, is_html=is_html))

    @property
    def geometry(self) -> Element:
        return self.element.child("mxGeometry") or Element("mxGeometry", {})

    @property
    def is_attached(self) -> bool:
        return self.geometry.attributes.get("relative") == "1"

    @property
    def size(self) -> Point:
        given = self.geometry.attributes
        return max(0.0, _number(given.get("width", ""))), max(0.0, _number(given.get("height", "")))


def _raw_cells(children: Sequence[Element]) -> Iterator[_RawCell]:
    for one in children:
        inner = one if one.tag == "mxCell" else one.child("mxCell")
        if inner is not None:
            yield _RawCell(one.attributes.get("id") or inner.attributes.get("id", ""), one, inner)


def _hiders(cells: Mapping[str, _RawCell]) -> Mapping[str, str]:
    """The outermost hidden cell in which each cell lies, itself included; empty for none.

    A line is hidden with a shape at which it ends, and its labels are with it.
    """
    found: dict[str, str] = {}
    for start in cells:
        way: list[str] = []
        current = start
        while current in cells and current not in found:
            way.append(current)
            found[current] = ""  # which ends a circle of parents
            current = cells[current].parent
        around = found.get(current, "")
        for one in reversed(way):
            around = found[one] = around or (one if cells[one].is_hidden else "")
    for key, raw in cells.items():
        if raw.is_edge and not found[key]:
            ends = (raw.element.attributes.get(name, "") for name in ("source", "target"))
            found[key] = next((found[end] for end in ends if found.get(end)), "")
    return {key: around or found.get(cells[key].parent, "") for key, around in found.items()}


class _Origins:
    """Finds the places of cells, whose positions are relative to the cells around them."""

    def __init__(self, cells: Mapping[str, _RawCell]) -> None:
        self._cells = cells
        self._corners: dict[str, Point] = {}

    def cell(self, cell_id: str, raw: _RawCell) -> Cell:
        """A cell with its place on the page."""
        style = _style(raw.element.attributes.get("style", ""))
        fields = {} if raw.wrapper is raw.element else dict(raw.wrapper.attributes)
        label = fields.get("label") or raw.element.attributes.get("value") or fields.get("value", "")
        if fields.get("placeholders") == "1":
            label = _PLACEHOLDER.sub(lambda match: fields.get(match[1], match[0]), label[:20_000])
        lines = label_lines(label, is_html=style.get("html") == "1")
        if not raw.is_edge:
            box = Box(*self._corner(cell_id), *raw.size).turned_by(_number(style.get("rotation")))
            return Cell(cell_id, lines, style, raw.parent, False, box, raw.is_attached, fields=fields)
        origin = self._corner(raw.parent)
        begin, end = (_point_as(raw.geometry, name, origin) for name in ("sourcePoint", "targetPoint"))
        given, along = raw.element.attributes, raw.geometry.attributes.get("x")
        label_at = None if along is None else _number(along)
        return Cell(
            cell_id, lines, style, raw.parent, True, Box(*origin, 0, 0), False, given.get("source", ""),
            given.get("target", ""), begin, end, _bends(raw.geometry, origin), label_at, fields,
        )  # fmt: skip

    def _corner(self, cell_id: str) -> Point:
        """The top left corner of a cell; that of the page for a layer."""
        way: list[str] = []
        seen: set[str] = set()
        current = cell_id
        while current in self._cells and current not in self._corners and current not in seen:
            way.append(current)
            seen.add(current)
            current = self._cells[current].parent
        corner = self._corners.get(current, (0.0, 0.0))
        for one in reversed(way):
            raw = self._cells[one]
            corner = self._corners[one] = self._moved_corner(raw, corner) if raw.is_vertex else corner
        return corner

    def _moved_corner(self, raw: _RawCell, around: Point) -> Point:
        given = raw.geometry.attributes
        x, y = _number(given.get("x", "")), _number(given.get("y", ""))
        if raw.is_attached:
            parent = self._cells.get(raw.parent)
            width, height = parent.size if parent is not None else (0.0, 0.0)
            offset = _point_as(raw.geometry, "offset", (0, 0)) or (0, 0)
            x, y = x * width + offset[0], y * height + offset[1]
        return _in_range(around[0] + x), _in_range(around[1] + y)


def _style(text: str) -> Style:
    names: list[str] = []
    values: dict[str, str] = {}
    for part in text.split(";"):
        key, sign, value = part.strip().partition("=")
        if sign:
            values[key] = value
        elif key:
            names.append(key)
    return Style(names, values)


def _point_as(geometry: Element, name: str, origin: Point) -> Point | None:
    found = next((one for one in geometry.children if one.attributes.get("as") == name), None)
    return None if found is None else _point(found, origin)


def _bends(geometry: Element, origin: Point) -> Sequence[Point]:
    array = next((one for one in geometry.children if one.attributes.get("as") == "points"), None)
    return [] if array is None else [_point(one, origin) for one in array.children[:_MAX_POINTS]]


def _point(element: Element, origin: Point) -> Point:
    x, y = (_number(element.attributes.get(axis, "")) for axis in "xy")
    return _in_range(origin[0] + x), _in_range(origin[1] + y)


def _number(text: str) -> float:
    try:
        value = float(text[:40] or 0)
    except ValueError:
        return 0.0
    return _in_range(value) if math.isfinite(value) else 0.0


def _in_range(value: float) -> float:
    return min(max(value, -_FURTHEST), _FURTHEST)
