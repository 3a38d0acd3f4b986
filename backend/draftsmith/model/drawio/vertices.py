"""The vertices of a page: what each of them is drawn as, and in which other one it lies.

Draw.io knows parents, but many drawings just lay boxes over a larger one; so a vertex lies in the smallest box that is
around it, and below it or without a fill, else in its parent. Not here: what becomes of them (`sketch`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from draftsmith.model.drawio.cells import Cell
from draftsmith.model.drawio.own_cells import is_own
from draftsmith.model.drawio.shapes import ShapeFacts, is_icon, shape_facts
from draftsmith.model.vocabulary import GROUP

Role = Literal["box", "picture", "text", "rule"]

_TEXTS: Final = frozenset(("text", "partialRectangle", "tableRow", "edgeLabel"))
_RULES: Final = frozenset(("line", "link", "crossbar", "curlyBracket", "bracket", "separator"))
_LAYOUTS_OF_ROWS: Final = frozenset(("stackLayout", "tableLayout"))
# Shapes that other vertices are drawn beside or onto, never in.
_HOLDING_NOTHING: Final = frozenset(
    (
        "ellipse", "rhombus", "triangle", "singleArrow", "doubleArrow", "flexArrow", "callout", "actor", "umlActor",
        "cross", "note", "note2", "waypoint", "endState", "startState", "image", "icon",
    )
)  # fmt: skip
_LEAST_AREA_AROUND: Final = 3_000
_LEAST_GROWTH: Final = 1.1
_MAX_LOOKS: Final = 3_000_000
_MAX_DEPTH: Final = 100


@dataclass(slots=True)
class Vertex:
    """A vertex and what is found out about it.

    Attributes:
        cell: as read.
        facts: what its shape says.
        role: a box, a picture, text, or a rule (a line that connects nothing).
        is_row: a line of text in a table or a class.
        is_end: an edge ends here.
        holder: number of the vertex in which it lies.
        members: numbers of those that lie in it.
    """

    cell: Cell
    facts: ShapeFacts
    role: Role
    is_row: bool = False
    is_end: bool = False
    holder: int | None = None
    members: list[int] = field(default_factory=list)

    @property
    def hides_nothing(self) -> bool:
        """Whether what lies behind a box can be seen through it, so that it may be drawn around what is there."""
        return "group" in self.cell.style.names[:1] or self.cell.style.get("fillColor") == "none"

    @property
    def is_visible(self) -> bool:
        """Whether something of a box can be seen beside its label."""
        style = self.cell.style
        is_bare = style.get("fillColor") == "none" and style.get("strokeColor") == "none"
        return "group" not in style.names[:1] and not is_bare


def vertices_of(cells: Sequence[Cell]) -> Sequence[Vertex]:
    """The vertices among the cells, without labels of edges; each with the one in which it lies, without circles."""
    edges = {cell.id for cell in cells if cell.is_edge}
    drawn = [cell for cell in cells if not cell.is_edge and cell.parent not in edges]
    by_id = {cell.id: cell for cell in drawn}
    parents = {cell.parent for cell in drawn if not cell.style.shape.startswith("text")}
    vertices = [
        Vertex(cell, shape_facts(cell.style), _role(cell, cell.id in parents), _is_row(cell, by_id)) for cell in drawn
    ]
    _find_holders(vertices)
    return vertices


def outside_in(vertices: Sequence[Vertex]) -> Sequence[int]:
    """The numbers of all vertices, each behind the one in which it lies."""
    order = [number for number, vertex in enumerate(vertices) if vertex.holder is None]
    for number in order:  # grows during the iteration
        order.extend(vertices[number].members)
    return order


def _role(cell: Cell, has_children: bool) -> Role:
    if is_own(cell):
        return "box"
    style = cell.style
    if style.shape in _TEXTS or "text" in style.names[:1] or "edgeLabel" in style.names:
        return "text"
    if style.shape in _RULES:
        return "rule"
    if is_icon(style):
        return "picture"
    is_bare = style.get("fillColor") == "none" and style.get("strokeColor") == "none"
    return "text" if is_bare and cell.lines and not has_children and not style.get("shape") else "box"


def _is_row(cell: Cell, by_id: Mapping[str, Cell]) -> bool:
    around = by_id.get(cell.parent)
    if around is None or is_own(cell) or (cell.style.shape not in _TEXTS and "text" not in cell.style.names[:1]):
        return False
    return around.style.get("childLayout") in _LAYOUTS_OF_ROWS or around.style.shape in ("table", "tableRow")


def _find_holders(vertices: Sequence[Vertex]) -> None:
    numbers = {vertex.cell.id: number for number, vertex in enumerate(vertices)}
    parents = [_parent(vertices, numbers, number) for number in range(len(vertices))]
    around = _boxes_around(vertices, parents)
    for number, vertex in enumerate(vertices):
        vertex.holder = around.get(number, parents[number])
    for number in _in_circles(vertices):
        vertices[number].holder = None
    _hold(vertices)
    depths = [0] * len(vertices)
    for number in outside_in(vertices):
        holder = vertices[number].holder
        if holder is not None and depths[holder] >= _MAX_DEPTH:
            holder = vertices[number].holder = vertices[holder].holder
        depths[number] = 0 if holder is None else depths[holder] + 1
    _hold(vertices)


def _hold(vertices: Sequence[Vertex]) -> None:
    """Tell each vertex which ones lie in it."""
    for vertex in vertices:
        vertex.members = []
    for number, vertex in enumerate(vertices):
        if vertex.holder is not None:
            vertices[vertex.holder].members.append(number)


def _parent(vertices: Sequence[Vertex], numbers: Mapping[str, int], number: int) -> int | None:
    """The nearest vertex in the chain of parents that is no text."""
    seen = {number}
    found = numbers.get(vertices[number].cell.parent)
    while found is not None and found not in seen and vertices[found].role in ("text", "rule"):
        seen.add(found)
        found = numbers.get(vertices[found].cell.parent)
    return None if found in seen else found


def _boxes_around(vertices: Sequence[Vertex], parents: Sequence[int | None]) -> Mapping[int, int]:
    """For vertices that are drawn over a box with the same parent: the smallest such box."""
    boxes: dict[int | None, list[int]] = {}
    for number, vertex in enumerate(vertices):
        if vertex.role == "box" and vertex.cell.box.area >= _LEAST_AREA_AROUND and not _holds_nothing(vertex):
            boxes.setdefault(parents[number], []).append(number)
    for same in boxes.values():
        same.sort(key=lambda number: vertices[number].cell.box.area)
    looks = 0
    found: dict[int, int] = {}
    for number, vertex in enumerate(vertices):
        if vertex.cell.is_attached or vertex.is_row or is_own(vertex.cell):
            continue
        box = vertex.cell.box
        for other in boxes.get(parents[number], ()):
            looks += 1
            if looks > _MAX_LOOKS:
                return found
            larger = vertices[other].cell.box
            is_behind = other < number or vertices[other].hides_nothing
            if is_behind and larger.area > box.area * _LEAST_GROWTH and larger.holds(box):
                found[number] = other
                break
    return found


def _holds_nothing(vertex: Vertex) -> bool:
    cell = vertex.cell
    return cell.fields.get("type") != GROUP if is_own(cell) else cell.style.shape in _HOLDING_NOTHING


def _in_circles(vertices: Sequence[Vertex]) -> Iterator[int]:
    """One of each circle of vertices that lie in one another."""
    done: set[int] = set()
    for start in range(len(vertices)):
        way: set[int] = set()
        current: int | None = start
        while current is not None and current not in done and current not in way:
            way.add(current)
            current = vertices[current].holder
        if current in way:
            yield current
        done |= way
