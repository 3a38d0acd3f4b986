"""Which vertices become nodes, which groups, and which are a part of another one.

A box with an icon and a caption in it is one node, and so is a class with its rows; a box with nodes in it is a group.
Text that lies in a box is its label if it has none, else it is added to its description. Text in no box and text beside
the nodes of a group stand by themselves. Not here: edges (`lines`) and the fields of nodes (`reader`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from draftsmith.model.drawio.cells import Box, Cell
from draftsmith.model.drawio.own_cells import is_own
from draftsmith.model.drawio.shapes import ShapeFacts, is_embedded
from draftsmith.model.drawio.vertices import Vertex, outside_in
from draftsmith.model.vocabulary import GROUP

_CAPTION_BELOW: Final = 28
_CAPTION_BESIDE: Final = 16
_MAX_CAPTIONS: Final = 400  # texts in one holder in which captions are looked for
_FRAME: Final = 12  # times the area of the one node in it

_PORT: Final = 34  # pixels a side at most
_LONGEST_TITLE: Final = 60  # characters
_ROW: Final = 8  # pixels that the middles of what stands in one row are apart
_MAX_LOOKS: Final = 2_000_000
_IMAGE: Final = ShapeFacts("other", "", "Image")  # of which nothing but its bytes is known

State = Literal["node", "group", "part", "gone"]


@dataclass(slots=True)
class DrawnShape:
    """What becomes of a vertex.

    Attributes:
        state: a node, a group, a part of another one, or nothing.
        lines: of its label.
        more: of its description, from parts of it.
        facts: type and technology, maybe those of the icon in it.
        into: of a part: the number of what it is a part of.
        inner: the cell whose colour counts if its own has none.
        inside: of a node or group: the number of its group.
    """

    state: State
    lines: Sequence[str]
    facts: ShapeFacts
    more: list[str] = field(default_factory=list)
    into: int | None = None
    inner: int | None = None
    inside: int | None = None


@dataclass(slots=True)
class PageSketch:
    """The shapes of a page by number of their vertex, in drawing order."""

    vertices: Sequence[Vertex]
    shapes: list[DrawnShape] = field(default_factory=list)

    def node_of(self, number: int) -> int | None:
        """The number of the node or group that shows a vertex; None if nothing does."""
        seen: set[int] = set()
        current: int | None = number
        while current is not None and current not in seen:
            shape = self.shapes[current]
            if shape.state in ("node", "group"):
                return current
            seen.add(current)
            current = shape.into
        return None

    def picture_of(self, number: int) -> Cell | None:
        """The cell whose picture a node shows: its own, that of the node that it is drawn around, or an icon in one."""
        for around in (number, self.shapes[number].inner):
            if around is None:
                continue
            vertex = self.vertices[around]
            icons = (self.vertices[one] for one in vertex.members if self.shapes[one].state == "gone")
            for one in (vertex, *icons):
                if one.cell.style.get("image"):
                    return one.cell
        return None


def sketch(vertices: Sequence[Vertex]) -> PageSketch:
    """Decide what becomes of each vertex."""
    drawing = PageSketch(vertices)
    drawing.shapes = [DrawnShape("gone", vertex.cell.lines, vertex.facts) for vertex in vertices]
    _take_captions(drawing, [number for number, vertex in enumerate(vertices) if vertex.holder is None], None)
    for number in outside_in(vertices):
        _take_captions(drawing, vertices[number].members, number)
    _take_ports(drawing)
    order = outside_in(vertices)
    for number in reversed(order):
        _decide(drawing, number)
    for number in order:
        _settle(drawing, number)
    return drawing


def _decide(drawing: PageSketch, number: int) -> None:
    """Decide on a vertex; those in it have been decided on."""
    vertex, shape = drawing.vertices[number], drawing.shapes[number]
    if shape.state == "part":  # a caption or a port
        return
    kept = list(_nodes_in(drawing, number))
    if is_own(vertex.cell):
        shape.state = "group" if kept or vertex.cell.fields.get("type") == GROUP else "node"
        if shape.state == "node":
            _take_texts(drawing, number)
    elif not kept:
        _decide_leaf(drawing, number)
    elif len(kept) == 1 and not shape.lines and _is_card(drawing, number, kept[0]):
        _merge(drawing, number, kept[0])
    elif shape.lines or vertex.is_end or _texts_in(drawing, number) or (vertex.is_visible and len(kept) > 1):
        shape.state = "group"
        _take_title(drawing, number)


def _decide_leaf(drawing: PageSketch, number: int) -> None:
    vertex, shape = drawing.vertices[number], drawing.shapes[number]
    if vertex.is_row or (vertex.role in ("text", "rule") and not vertex.is_end):
        return
    _take_texts(drawing, number)
    if not shape.facts.type or shape.facts.type == "other":
        shape.facts = _icon_in(drawing, number) or shape.facts
    if vertex.role == "picture" and is_embedded(vertex.cell.style) and not shape.facts.name:
        shape.facts = _IMAGE
    if shape.lines or vertex.is_end or _is_known_picture(drawing, number):
        shape.state = "node"


def _is_card(drawing: PageSketch, number: int, inner: int) -> bool:
    """Whether a box without a label is just what one node is drawn on."""
    vertex, content = drawing.vertices[number], drawing.vertices[inner]
    if drawing.shapes[inner].state == "group" or is_own(content.cell):
        return False
    is_frame = vertex.cell.box.area > _FRAME * max(content.cell.box.area, 400)
    return vertex.is_end or content.cell.is_attached or not is_frame


def _merge(drawing: PageSketch, number: int, inner: int) -> None:
    shape, content = drawing.shapes[number], drawing.shapes[inner]
    shape.state, content.state = "node", "part"
    shape.lines, shape.more = content.lines, content.more
    if not shape.facts.type or shape.facts.type == "other":
        shape.facts = content.facts
    content.into = number
    shape.inner = inner if content.inner is None else content.inner
    _take_texts(drawing, number)


def _nodes_in(drawing: PageSketch, number: int) -> Iterator[int]:
    """The nodes and groups in a vertex, also those in invisible boxes in it."""
    for inner in drawing.vertices[number].members:
        state = drawing.shapes[inner].state
        if state in ("node", "group"):
            yield inner
        elif state == "gone":
            yield from _nodes_in(drawing, inner)


def _texts_in(drawing: PageSketch, number: int) -> list[int]:
    """The texts in a vertex that are no caption, from top to bottom."""
    found = [
        inner
        for inner in drawing.vertices[number].members
        if drawing.vertices[inner].role == "text"
        and drawing.shapes[inner].state == "gone"
        and drawing.shapes[inner].lines
    ]
    return sorted(found, key=lambda inner: _reading_order(drawing.vertices[inner].cell.box))


def _take_texts(drawing: PageSketch, number: int) -> None:
    """Make the texts in a vertex its label, if it has none, and its description."""
    shape = drawing.shapes[number]
    for inner in _texts_in(drawing, number):
        text = drawing.shapes[inner]
        text.state, text.into = "part", number
        if shape.lines:
            shape.more.extend(text.lines)
        else:
            shape.lines = text.lines


def _take_title(drawing: PageSketch, number: int) -> None:
    """Make the first text in a group its label, if it has none: if that is short, and no other stands in its row."""
    shape, texts = drawing.shapes[number], _texts_in(drawing, number)
    if not texts or shape.lines:
        return
    title = drawing.shapes[texts[0]]
    rows = [drawing.vertices[text].cell.box.center[1] for text in texts]
    is_alone = all(abs(row - rows[0]) > _ROW for row in rows[1:])
    if is_alone and len(" ".join(title.lines)) <= _LONGEST_TITLE:
        title.state, title.into = "part", number
        shape.lines = title.lines


def _icon_in(drawing: PageSketch, number: int) -> ShapeFacts | None:
    for inner in drawing.vertices[number].members:
        vertex, shape = drawing.vertices[inner], drawing.shapes[inner]
        if shape.state == "gone" and vertex.role == "picture" and vertex.facts.name:
            return vertex.facts
    return None


def _is_known_picture(drawing: PageSketch, number: int) -> bool:
    """Whether a picture without words stands for something by itself, rather than for the box that it is in."""
    vertex = drawing.vertices[number]
    is_known = vertex.facts.type not in ("", "other") or is_embedded(vertex.cell.style)
    if vertex.role != "picture" or not is_known or vertex.cell.is_attached:
        return False
    if vertex.holder is None:
        return True
    beside = [drawing.vertices[other] for other in drawing.vertices[vertex.holder].members]
    return sum(other.role == "picture" for other in beside) > 1


def _take_captions(drawing: PageSketch, numbers: Sequence[int], holder: int | None) -> None:
    """Give pictures without a label the text right below them, or beside them."""
    bare = [
        number for number in numbers if drawing.vertices[number].role == "picture" and not drawing.shapes[number].lines
    ]
    if holder is not None and len(bare) == 1 and drawing.shapes[holder].lines:
        return  # the icon of a box with a label
    texts = [
        number
        for number in numbers
        if drawing.vertices[number].role == "text"
        and drawing.shapes[number].lines
        and not drawing.vertices[number].is_end
        and not drawing.vertices[number].is_row
    ][:_MAX_CAPTIONS]
    for number in bare[:_MAX_CAPTIONS]:
        box = drawing.vertices[number].cell.box
        near = [(distance, text) for text in texts if (distance := _caption_distance(drawing, box, text)) is not None]
        if near:
            caption = min(near)[1]
            texts.remove(caption)
            drawing.shapes[caption].state, drawing.shapes[caption].into = "part", number
            drawing.shapes[number].lines = drawing.shapes[caption].lines


def _caption_distance(drawing: PageSketch, picture: Box, text: int) -> float | None:
    box = drawing.vertices[text].cell.box
    (middle, center), (x, y) = picture.center, box.center
    below, beside = box.y - picture.bottom, box.x - picture.right
    apart = min(max(picture.width, box.width) / 2, picture.width)  # a title that passes below is no caption
    if -6 <= below <= _CAPTION_BELOW and abs(x - middle) <= apart:
        return abs(below)
    if -4 <= beside <= _CAPTION_BESIDE and abs(y - center) <= max(picture.height, box.height) / 2:
        return abs(beside) + 1
    return None


def _take_ports(drawing: PageSketch) -> None:
    """Make small boxes without a label that are drawn on the border of a labelled one a part of it."""
    vertices, shapes = drawing.vertices, drawing.shapes
    hosts = [number for number, vertex in enumerate(vertices) if vertex.role == "box" and shapes[number].lines]
    hosts.sort(key=lambda number: vertices[number].cell.box.area)
    looks = 0
    for number, vertex in enumerate(vertices):
        box = vertex.cell.box
        is_labelled = bool(shapes[number].lines) or is_own(vertex.cell)
        if vertex.role != "box" or is_labelled or vertex.members or max(box.width, box.height) > _PORT:
            continue
        for host in hosts:
            looks += 1
            if looks > _MAX_LOOKS:
                return
            if vertices[host].cell.box.area > 4 * box.area and _is_on_border(box, vertices[host].cell.box):
                shapes[number].state, shapes[number].into = "part", host
                break


def _is_on_border(port: Box, host: Box) -> bool:
    """Whether a box lies partly in another one, and partly or nearly outside."""
    (x, y), slack = port.center, max(port.width, port.height) / 2 + 2
    distance = min(abs(x - host.x), abs(x - host.right), abs(y - host.y), abs(y - host.bottom))
    is_at = host.x - slack < x < host.right + slack and host.y - slack < y < host.bottom + slack
    return is_at and distance <= slack


def _settle(drawing: PageSketch, number: int) -> None:
    """Find the group of a node; what is nothing by itself is a part of what it lies in."""
    vertex, shape = drawing.vertices[number], drawing.shapes[number]
    around = None if vertex.holder is None else drawing.node_of(vertex.holder)
    if shape.state in ("node", "group"):
        shape.inside = around
    elif shape.state == "gone":
        if around is not None:
            shape.into = around
        if vertex.role == "text" and shape.lines:
            _keep_text(drawing, number, around)


def _keep_text(drawing: PageSketch, number: int, around: int | None) -> None:
    vertex, shape = drawing.vertices[number], drawing.shapes[number]
    if around is None or (drawing.shapes[around].state == "group" and not vertex.is_row):
        shape.state, shape.into, shape.inside = "node", None, around
    else:
        drawing.shapes[around].more.extend(shape.lines)


def _reading_order(box: Box) -> tuple[float, float]:
    return round(box.y), box.x
