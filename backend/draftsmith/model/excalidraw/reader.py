"""Excalidraw as a format that is read (`model.readers`): a file is a set by itself, and its scene a workspace.

The elements of a scene become cells of a page: shapes with texts, lines with ends, frames and groups. Text that is
bound to a shape or a line is its label. Excalidraw's groups have no box of their own; they get that of their members.
Not here: what becomes of cells (`model.drawio`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from draftsmith.model.drawio.cells import MAX_CELLS, Box, Cell, PageCells, Point, Style
from draftsmith.model.drawio.labels import label_lines
from draftsmith.model.drawio.markup import UnreadableDrawing
from draftsmith.model.drawio.reader import page_of_cells
from draftsmith.model.excalidraw.files import MARK, Scene, SceneElement, scene_in
from draftsmith.model.readers.alone import sets_of
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, SourceSet, UnreadableSource, UnreadPart

__all__ = ["read", "recognizes", "sets_of"]

_LOOKED_AT: Final = 65_536
_OWN_ENDINGS: Final = (".excalidraw", ".excalidraw.json")
_SHAPES: Final[Mapping[str, str]] = {
    "rectangle": "", "embeddable": "", "iframe": "", "diamond": "rhombus", "ellipse": "ellipse", "text": "text",
    "frame": "swimlane", "magicframe": "swimlane", "image": "image", "freedraw": "line",
}  # fmt: skip
_FRAMES: Final = frozenset(("frame", "magicframe"))
_LINES: Final = frozenset(("arrow", "line"))
# What an end of a line draws that says where it leads; others say something of the shape there.
_ARROWS: Final = frozenset(("arrow", "triangle", "triangle_outline"))
_GROUP: Final = "group:"
_MAX_POINTS: Final = 102
_MAX_GROUPS: Final = 30
_MAX_ID: Final = 200


def recognizes(file: SourceFile) -> bool:
    """Whether a file is a scene, or an SVG or PNG that carries one."""
    name = file.path.lower()
    if name.endswith(".png"):  # the text may stand behind the pixels
        return file.content.startswith(b"\x89PNG") and MARK in file.content
    head = file.content[:_LOOKED_AT]
    if name.endswith(".svg"):
        return MARK in head
    return name.endswith(_OWN_ENDINGS) or (b'"type"' in head and b'"excalidraw' in head and b'"elements"' in head)


def read(sources: SourceSet) -> Sequence[ReadWorkspace]:
    """Read a scene.

    Raises:
        UnreadableSource: it is none, or beyond a bound.
    """
    path = sources.root.path
    try:
        page = page_of_cells(PageCells(_cells_of(scene_in(sources.root.content))), "", "")
    except UnreadableDrawing as problem:
        raise UnreadableSource(problem.reason, path, problem.line) from None
    unread = [UnreadPart(path, cell.cell, cell.text, cell.reason) for cell in page.unread]
    return [ReadWorkspace("", page.diagram, unread=unread, sources=page.sources, is_placed=True, images=page.images)]


def _cells_of(scene: Scene) -> Sequence[Cell]:
    """Return the cells of a scene, those of its groups last.

    Raises:
        UnreadableDrawing: there are too many.
    """
    if len(scene.elements) > MAX_CELLS:
        raise UnreadableDrawing(f"the scene has more than {MAX_CELLS:,} elements")
    return _SceneReader(scene).cells()


class _SceneReader:
    """Reads the elements of one scene."""

    def __init__(self, scene: Scene) -> None:
        self._images = scene.images
        self._elements: dict[str, SceneElement] = {}
        for number, element in enumerate(scene.elements):
            self._elements.setdefault(element.text("id")[:_MAX_ID] or f"element {number + 1}", element)
        self._labels: dict[str, list[str]] = {}
        for element in self._elements.values():
            holder = element.text("containerId")
            if element.text("type") == "text" and holder in self._elements:
                self._labels.setdefault(holder, []).extend(_text_lines(element))
        self._boxes: dict[str, Box] = {}
        self._group_parents: dict[str, str] = {}

    def cells(self) -> Sequence[Cell]:
        """Return the cells of all elements and groups."""
        found: list[Cell] = []
        for key, element in self._elements.items():
            kind = element.text("type")
            if kind in _LINES:
                found.append(self._line(key, element))
            elif kind in _SHAPES and not (kind == "text" and element.text("containerId") in self._elements):
                found.append(self._shape(key, element, kind))
        if len(found) + len(self._group_parents) > MAX_CELLS:
            raise UnreadableDrawing(f"the scene has more than {MAX_CELLS:,} elements and groups")
        return [*found, *self._groups()]

    def _shape(self, key: str, element: SceneElement, kind: str) -> Cell:
        box = _box(element)
        lines: Sequence[str] = self._labels.get(key, [])
        if kind == "text":
            lines = _text_lines(element)
        elif kind in _FRAMES:
            lines = [" ".join(label_lines(element.text("name"), is_html=False)) or "Frame"]
        names = [_SHAPES[kind]] if _SHAPES[kind] else []
        values = _style_of(element)
        if kind == "image":
            values["image"] = self._images.get(element.text("fileId"), "")
        elif kind == "text":
            values |= {"align": element.text("textAlign") or "left", "verticalAlign": "top"}
        elif kind in _FRAMES:
            values.pop("strokeColor", None)  # which nobody chooses
        return Cell(key, lines, Style(names, values), self._parent(element, box), False, box, fields=_fields(element))

    def _line(self, key: str, element: SceneElement) -> Cell:
        points = _points(element)
        ends = [self._bound(element, name) for name in ("startBinding", "endBinding")]
        values = _style_of(element)
        is_arrow = element.text("type") == "arrow"
        for name, style in (("startArrowhead", "startArrow"), ("endArrowhead", "endArrow")):
            is_usual = is_arrow and name == "endArrowhead" and name not in element
            values[style] = "classic" if is_usual or element.text(name) in _ARROWS else "none"
        box = Box(min(x for x, _ in points), min(y for _, y in points), 0, 0)
        return Cell(
            key, self._labels.get(key, []), Style([], values), self._parent(element, box), True, box, False, ends[0],
            ends[1], points[0], points[-1], points[1:-1], None, _fields(element),
        )  # fmt: skip

    def _bound(self, element: SceneElement, name: str) -> str:
        """Return the shape that an end of a line is bound to; for a text in a shape, that shape."""
        end = element.part(name).text("elementId")
        found = self._elements.get(end)
        holder = found.text("containerId") if found is not None and found.text("type") == "text" else ""
        return holder if holder in self._elements else end if found is not None else ""

    def _parent(self, element: SceneElement, box: Box) -> str:
        """Return the innermost group or frame of an element; grow the boxes of the groups around it."""
        frame = element.text("frameId")
        outermost = frame if frame in self._elements else ""
        keys = [_GROUP + one[:_MAX_ID] for one in element.texts("groupIds")[:_MAX_GROUPS]]
        for key, around in zip(keys, [*keys[1:], outermost], strict=False):
            self._group_parents.setdefault(key, around)
            self._boxes[key] = self._boxes[key].united_with(box) if key in self._boxes else box
        return keys[0] if keys else outermost

    def _groups(self) -> Iterator[Cell]:
        for key, parent in self._group_parents.items():
            yield Cell(key, [], Style(["group"], {}), parent, False, self._boxes[key])


def _text_lines(element: SceneElement) -> Sequence[str]:
    """Return the lines of a text as they were typed, not as they were broken."""
    return label_lines(element.text("originalText") or element.text("text"), is_html=False)


def _box(element: SceneElement) -> Box:
    x, y, width, height = (element.number(name) for name in ("x", "y", "width", "height"))
    # A shape that was drawn from right to left, or upwards, has a size below nothing.
    box = Box(min(x, x + width), min(y, y + height), abs(width), abs(height))
    return box.turned_by(math.degrees(element.number("angle")))


def _points(element: SceneElement) -> Sequence[Point]:
    """Return the points of a line on the page, its ends included."""
    x, y = element.number("x"), element.number("y")
    found = [(x + across, y + down) for across, down in element.pairs("points")]
    if len(found) < 2:
        return [(x, y), (x, y)]
    return found if len(found) <= _MAX_POINTS else [*found[: _MAX_POINTS - 1], found[-1]]


def _style_of(element: SceneElement) -> dict[str, str]:
    """Return colours and dashes as draw.io names them."""
    values = {"strokeColor": element.text("strokeColor")}
    background = element.text("backgroundColor")
    if background and background != "transparent":
        values["fillColor"] = background
    if element.text("strokeStyle") in ("dashed", "dotted"):
        values["dashed"] = "1"
    return values


def _fields(element: SceneElement) -> Mapping[str, str]:
    link = element.text("link")
    return {"link": link} if link else {}
