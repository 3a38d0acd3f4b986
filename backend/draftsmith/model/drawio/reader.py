"""Drawings of draw.io as diagrams: a workspace for each page, and a list of what of it is not kept.

Reading is bounded in every dimension, and what cannot be read says why. Colours, places, sizes and bends are kept;
where the drawing's boxes are smaller than nodes are, it is stretched. What we wrote ourselves (`own_cells`) comes in as
it was, with its ids. Not here: writing (`writer`).
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypedDict, cast

from draftsmith.model.drawio.buses import with_buses
from draftsmith.model.drawio.cells import Box, Cell, HiddenPart, PageCells, cells_of
from draftsmith.model.drawio.files import PageSource, pages_of
from draftsmith.model.drawio.lines import DrawnLine, lines_of
from draftsmith.model.drawio.markup import UnreadableDrawing
from draftsmith.model.drawio.own_cells import (
    EDGE_PREFIX,
    LEAST_EXTENT,
    NODE_PREFIX,
    is_own,
    own_edge_fields,
    own_node_fields,
)
from draftsmith.model.drawio.places import factors_apart, fitted_boxes, stretch_for, written_box
from draftsmith.model.drawio.shapes import color_of, color_of_stroke, is_embedded, line_color_of, node_type_of
from draftsmith.model.drawio.sketch import DrawnShape, PageSketch, sketch
from draftsmith.model.drawio.vertices import Vertex, vertices_of
from draftsmith.model.fields import (
    Point,
    SparseDiagram,
    SparseEdgeFields,
    SparseNode,
    shorten_to,
    split_text,
)
from draftsmith.model.ids import EdgeId, NodeId, is_edge_id, is_id
from draftsmith.model.images import ImageUnread
from draftsmith.model.readers.building import DiagramBuilding, EdgeLeft
from draftsmith.model.readers.images import KeptImages, embedded_content
from draftsmith.model.readers.limits import (
    FURTHEST,
    LARGEST,
    MAX_DEPTH,
    MAX_DESCRIPTION,
    MAX_EDGE_LABEL,
    MAX_KEY,
    MAX_LABEL,
    MAX_TECHNOLOGY,
    MAX_UNREAD,
    SHOWN,
    properties_within,
)
from draftsmith.model.vocabulary import ANNOTATIONS, GROUP, NODE_HEIGHT, NODE_WIDTH

__all__ = ["DrawioPage", "PageSource", "UnreadCell", "UnreadableDrawing", "page_of_cells", "pages_of", "read_page"]

_MAX_LINES_IN_LABEL: Final = 3
_MAX_TRIES: Final = 10  # to stretch a page until groups that have grown are apart
_BADGE: Final = 48  # pixels a side at most
_MAX_LETTERS_OF_BADGE: Final = 3
_OWN_FIELDS: Final = frozenset(
    ("id", "label", "value", "placeholders", "c4Name", "c4Type", "c4Technology", "c4Description", "c4Application")
)
_MAKERS: Final = frozenset(("amazon", "aws", "azure", "cloud", "google", "microsoft"))
_NOTES: Final = ("note", "callout", "annotation")
_WEB: Final = ("http://", "https://", "//")
_STEREOTYPE = re.compile(r"(?:<<|«).*(?:>>|»)")  # which UML writes above a name
# Others run something (`javascript:`), or lead to another page of the file.
_LINK = re.compile(r"https?://|mailto:")
_UNLABELLED: Final = {
    "box": "a box without a label in which no line ends is not kept",
    "picture": "a picture without a label in which no line ends is not kept",
    "rule": "a rule, which connects nothing, is not kept",
    "text": "empty text is not kept",
}


class UnreadCellOut(TypedDict):
    """The JSON form of a shape or line that was not taken over."""

    cell: str
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class UnreadCell:
    """A shape or a line that is not kept: its id in the file, its label (at most 200 characters), and why."""

    cell: str
    text: str
    reason: str

    def to_json(self) -> UnreadCellOut:
        """The JSON form."""
        return {"cell": self.cell, "text": self.text, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class DrawioPage:
    """A page: its diagram in the export form, and what is not in it.

    Attributes:
        name: as in the file.
        diagram: nodes and edges.
        unread: what is neither.
        sources: page and id in the file of what became a node or an edge.
        images: bytes of the images that nodes show, by name.
    """

    name: str
    diagram: SparseDiagram
    unread: Sequence[UnreadCell]
    sources: Mapping[NodeId | EdgeId, str] = field(default_factory=dict)
    images: Mapping[str, bytes] = field(default_factory=dict)


def read_page(source: PageSource) -> DrawioPage:
    """Read a page.

    Raises:
        UnreadableDrawing: it cannot be unpacked or read, or is beyond a bound.
    """
    return page_of_cells(cells_of(source.model()), source.name, source.id)


def page_of_cells(page_cells: PageCells, name: str, page: str) -> DrawioPage:
    """What the cells of a page are, whichever program has drawn them; `page`: its id in the file."""
    cells = with_buses(page_cells.cells)
    vertices = vertices_of(cells)
    lines = lines_of(cells, vertices)
    drawing = sketch(vertices)
    writing = _DiagramWriter(drawing, page, _own_ids(cells), any(is_own(vertex.cell) for vertex in vertices))
    writing.add_nodes()
    for line in lines:
        writing.add_edge(line)
    writing.list_gone()
    for part in page_cells.hidden_parts:
        writing.list_hidden(part)
    built = writing.building
    return DrawioPage(name, built.diagram(), writing.unread_cells(), built.sources, writing.images.images)


@dataclass(slots=True)
class _DiagramWriter:
    """Writes nodes and edges.

    Attributes:
        drawing: what the vertices are.
        page: its id in the file.
        own_ids: those that cells of ours bring, by the ids of the cells.
        is_own: the page has nodes of ours, whose places are exact.
        ids: by number of the vertex.
    """

    drawing: PageSketch
    page: str
    own_ids: Mapping[str, str]
    is_own: bool
    unread: list[UnreadCell] = field(default_factory=list)
    ids: dict[int, NodeId] = field(default_factory=dict)
    factors: tuple[float, float] = (1.0, 1.0)
    images: KeptImages = field(default_factory=KeptImages)
    building: DiagramBuilding = field(init=False)
    _unshown: dict[tuple[str, str], list[Cell]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        own = self.own_ids.values()
        self.building = DiagramBuilding(own, own, end="shape")

    def add_nodes(self) -> None:
        """Write all nodes, each behind its group."""
        shapes = self.drawing.shapes
        _keep_to_depth(shapes)
        numbers = _groups_first(shapes)
        groups = {number for number in numbers if shapes[number].state == "group"}
        boxes = {number: self.drawing.vertices[number].cell.box for number in numbers}
        fields = {number: self._fields(number) for number in numbers}
        written = {number for number in numbers if fields[number]["type"] in ANNOTATIONS}
        holders = {number: shapes[number].inside for number in numbers}
        drawn = {number: box for number, box in boxes.items() if number not in written}
        if not self.is_own:
            self.factors = stretch_for([box for number, box in drawn.items() if number not in groups])
        placed = self._placed_boxes(boxes, holders, groups, fields)
        for _ in range(_MAX_TRIES):
            factors = factors_apart(drawn, placed, holders, groups, self.factors)
            if self.is_own or factors == self.factors:
                break
            self.factors = factors
            placed = self._placed_boxes(boxes, holders, groups, fields)
        for number in numbers:
            self._add_node(number, fields[number], placed)

    def _fields(self, number: int) -> SparseNode:
        """The fields of a node without id and place."""
        vertex, shape = self.drawing.vertices[number], self.drawing.shapes[number]
        if self._is_own(number):
            return _own_node(vertex, shape)
        node = _node_fields(vertex, shape, self.drawing)
        picture = self.drawing.picture_of(number)
        if picture is not None and node["type"] not in (GROUP, *ANNOTATIONS):
            address = self._image(picture)
            if address:
                node["image"] = address
        return node

    def _image(self, picture: Cell) -> str:
        """The address of an image that is kept; empty for another, which is listed unless it is one of a library."""
        image = picture.style.get("image")
        if image.startswith(_WEB):
            reason = "its image is at another server, and nothing is fetched"
            self._unshown.setdefault((reason, image[:SHOWN]), []).append(picture)
        if not is_embedded(picture.style):
            return ""
        try:
            return self.images.address_of(embedded_content(image))
        except ImageUnread as problem:
            self._list(picture, f"its image is not kept: {problem}")
            return ""

    def _placed_boxes(
        self,
        boxes: Mapping[int, Box],
        holders: Mapping[int, int | None],
        groups: Container[int],
        fields: Mapping[int, SparseNode],
    ) -> Mapping[int, Box]:
        """The boxes of all nodes with the factors that there are."""
        known: dict[int, Box] = {}
        for number, box in boxes.items():
            if self._is_own(number):
                known[number] = box
            elif fields[number]["type"] in ANNOTATIONS:
                style = self.drawing.vertices[number].cell.style
                known[number] = written_box(box, self.factors, style, fields[number])
        return fitted_boxes(boxes, holders, groups, self.factors, known)

    def _add_node(self, number: int, node: SparseNode, placed: Mapping[int, Box]) -> None:
        vertex, shape = self.drawing.vertices[number], self.drawing.shapes[number]
        box, parent, (left, top) = placed[number], None, (0.0, 0.0)
        if shape.inside is not None:
            parent = self.ids[shape.inside]
            left, top = placed[shape.inside].x, placed[shape.inside].y
        node["position"] = self._point(box.x - left, box.y - top)
        if shape.state == "group" or (box.width, box.height) != (NODE_WIDTH, NODE_HEIGHT):
            node["size"] = {"width": self._extent(box.width), "height": self._extent(box.height)}
        own_id = self.own_ids.get(vertex.cell.id)
        self.ids[number] = self.building.add_node(
            node, self._source(vertex.cell), own_id=None if own_id is None else NodeId(own_id), parent=parent
        )

    def add_edge(self, line: DrawnLine) -> None:
        """Write an edge, or list why it is not kept."""
        shown = [None if end is None else self.drawing.node_of(end) for end in (line.source, line.target)]
        source, target = (None if end is None else self.ids[end] for end in shown)
        fields = own_edge_fields(line.cell, line.lines, line.kind) if is_own(line.cell) else _edge_fields(line)
        points = [self._point(x * self.factors[0], y * self.factors[1]) for x, y in line.cell.points]
        direction = line.direction
        if direction == "backward":
            source, target, direction = target, source, "forward"
            points.reverse()
            if "label_at" in fields:
                fields["label_at"] = round(1 - fields["label_at"], 2)
        fields["direction"] = direction
        if points:
            fields["route"] = points
        try:
            self.building.add_edge(
                (source, target), fields, self._source(line.cell), self.own_ids.get(line.cell.id, "")
            )
        except EdgeLeft as left:
            self._list(line.cell, left.reason)

    def _source(self, cell: Cell) -> str:
        """What the file calls a cell for good."""
        return f"{self.page}/{cell.id}" if self.page and cell.id else cell.id

    def list_gone(self) -> None:
        """List the vertices that are shown by nothing."""
        for vertex, shape in zip(self.drawing.vertices, self.drawing.shapes, strict=True):
            is_in_node = shape.into is not None and self.drawing.shapes[shape.into].state == "node"
            if (
                shape.state == "gone"
                and not is_in_node
                and not (vertex.role == "text" and shape.lines)
                and not vertex.members
            ):
                self._unshown.setdefault((_UNLABELLED[vertex.role], ""), []).append(vertex.cell)

    def list_hidden(self, part: HiddenPart) -> None:
        """List a hidden layer or shape."""
        more = part.count if part.is_layer else part.count - 1
        inner = "1 shape or line" if more == 1 else f"{more:,} shapes and lines"
        reason = f"this {'layer' if part.is_layer else 'shape'} is hidden{f', with {inner}' if more else ''}"
        self.unread.append(UnreadCell(part.id[:MAX_KEY], part.name[:SHOWN], reason))

    def unread_cells(self) -> Sequence[UnreadCell]:
        """What is not kept: what has words one by one, the rest by its reason."""
        found = list(self.unread)
        for (reason, text), cells in self._unshown.items():
            more = f" (and {len(cells) - 1:,} more like it)" if len(cells) > 1 else ""
            found.append(UnreadCell(cells[0].id[:MAX_KEY], text, reason + more))
        kept = found[:MAX_UNREAD]
        if len(found) > MAX_UNREAD:
            kept.append(UnreadCell("", "", f"and {len(found) - MAX_UNREAD:,} more shapes and lines"))
        return kept

    def _list(self, cell: Cell, reason: str) -> None:
        self.unread.append(UnreadCell(cell.id[:MAX_KEY], cell.label[:SHOWN], reason))

    def _is_own(self, number: int) -> bool:
        return is_own(self.drawing.vertices[number].cell)

    def _point(self, x: float, y: float) -> Point:
        return {axis: self._coordinate(min(max(value, -FURTHEST), FURTHEST)) for axis, value in (("x", x), ("y", y))}

    def _extent(self, length: float) -> float:
        least = LEAST_EXTENT if self.is_own else NODE_HEIGHT / 2
        return self._coordinate(min(max(length, least), LARGEST))

    def _coordinate(self, value: float) -> float:
        exact = round(value, 2)
        return round(value) if not self.is_own or exact == round(value) else exact


def _own_ids(cells: Sequence[Cell]) -> Mapping[str, str]:
    """The ids that cells of ours bring, those of nodes each once and those of edges each once."""
    found: dict[str, str] = {}
    taken: set[tuple[bool, str]] = set()
    for cell in cells:
        own = cell.id.removeprefix(EDGE_PREFIX if cell.is_edge else NODE_PREFIX)
        is_valid = is_edge_id(own) if cell.is_edge else is_id(own)
        if is_own(cell) and is_valid and (cell.is_edge, own) not in taken:
            taken.add((cell.is_edge, own))
            found[cell.id] = own
    return found


def _groups_first(shapes: Sequence[DrawnShape]) -> Sequence[int]:
    """The numbers of nodes and groups in drawing order, each behind its group."""
    members: dict[int | None, list[int]] = {}
    for number, shape in enumerate(shapes):
        if shape.state in ("node", "group"):
            members.setdefault(shape.inside, []).append(number)
    order = list(members.get(None, ()))
    for number in order:  # grows during the iteration
        order.extend(members.get(number, ()))
    return order


def _keep_to_depth(shapes: Sequence[DrawnShape]) -> None:
    """Take nodes that are nested too deeply into the group that is the last one allowed."""
    depths: dict[int | None, int] = {None: 0}
    for number in _groups_first(shapes):
        shape = shapes[number]
        if depths[shape.inside] > MAX_DEPTH and shape.inside is not None:
            shape.inside = shapes[shape.inside].inside
        depths[number] = depths[shape.inside] + 1


def _own_node(vertex: Vertex, shape: DrawnShape) -> SparseNode:
    """As `_node_fields`, of a node of ours; text that somebody put into it is added to its description."""
    fields = own_node_fields(vertex.cell, "other")
    node = cast(SparseNode, {**fields, "type": GROUP if shape.state == "group" else fields["type"]})
    if shape.more:
        node["description"] = shorten_to(
            "\n".join([fields.get("description", ""), *shape.more]).strip(), MAX_DESCRIPTION
        )
    return node


def _node_fields(vertex: Vertex, shape: DrawnShape, drawing: PageSketch) -> SparseNode:
    """Type and texts of a node, its colour and its properties; without id and place."""
    cell = vertex.cell
    label, more, technology = _node_texts(cell, shape)
    node_type = _node_type(vertex, shape, label)
    if node_type in ANNOTATIONS and shape.lines:
        label, rest = split_text("\n".join(shape.lines))
        more = [*rest.splitlines(), *shape.more]
    node: SparseNode = {"type": node_type, "label": label}
    if more:
        node["description"] = shorten_to("\n".join(more), MAX_DESCRIPTION)
    if technology and node_type != GROUP:
        node["technology"] = shorten_to(technology, MAX_TECHNOLOGY)
    color = color_of(cell.style)
    if vertex.role == "text" and node_type == "text":
        color = color_of_stroke(cell.style.get("fontColor")) or color
    if not color and shape.inner is not None:
        color = color_of(drawing.vertices[shape.inner].cell.style)
    if color:
        node["color"] = color
    properties = _properties(cell)
    if properties:
        node["properties"] = properties
    return node


def _node_type(vertex: Vertex, shape: DrawnShape, label: str) -> str:
    """The type of a node: a number beside others is a text, and so is text at which a line ends that says no type."""
    if shape.state == "group":
        return GROUP
    if any(word in vertex.cell.style.shape.lower() for word in _NOTES):
        return "note"
    if not vertex.is_end and (vertex.role == "text" or _is_badge(vertex, shape)):
        return "text"
    found = node_type_of(vertex.cell, shape.facts, label)
    return "text" if vertex.role == "text" and found == "other" else found


def _is_badge(vertex: Vertex, shape: DrawnShape) -> bool:
    """Whether a box is as small as its one number or letter, or a patch of colour beside its label, as in a legend."""
    box = vertex.cell.box
    is_beside = vertex.cell.style.get("labelPosition") in ("left", "right")
    is_short = len(" ".join(shape.lines)) <= _MAX_LETTERS_OF_BADGE
    return (
        vertex.role == "box" and max(box.width, box.height) <= _BADGE and bool(shape.lines) and (is_short or is_beside)
    )


def _node_texts(cell: Cell, shape: DrawnShape) -> tuple[str, list[str], str]:
    """Label, lines of the description, and technology."""
    fields = cell.fields
    technology = fields.get("c4Technology", "").strip() or shape.facts.technology
    if fields.get("c4Name", "").strip():
        description = " ".join(fields.get("c4Description", "").split())
        return (
            shorten_to(" ".join(fields["c4Name"].split()), MAX_LABEL),
            [description] if description else [],
            technology,
        )
    lines = list(shape.lines)
    product = shape.facts.name.lower() if shape.facts.technology else ""
    if len(lines) > 1 and product:
        besides = [line for line in lines if line.lower() != product]
        lines = lines if _MAKERS.issuperset(" ".join(besides).lower().split()) else besides
    if len(lines) > 1 and _STEREOTYPE.fullmatch(lines[0]):
        lines = [lines[1], lines[0], *lines[2:]]
    name = " ".join(lines[:1] if len(lines) > _MAX_LINES_IN_LABEL else lines)
    more = lines[1:] if len(lines) > _MAX_LINES_IN_LABEL else []
    if len(name) > MAX_LABEL:
        more = [*lines]
    default = "Group" if shape.state == "group" else shape.facts.name or "Unnamed"
    return shorten_to(name, MAX_LABEL) or shorten_to(default, MAX_LABEL), [*more, *shape.more], technology


def _edge_texts(line: DrawnLine) -> tuple[str, str]:
    """Label and description of an edge."""
    fields = line.cell.fields
    if fields.get("c4Description", "").strip():
        technology = " ".join(fields.get("c4Technology", "").split())
        full = " ".join(fields["c4Description"].split()) + (f" [{technology}]" if technology else "")
    else:
        full = " ".join(line.lines)
    label = shorten_to(full, MAX_EDGE_LABEL)
    return label, shorten_to(full, MAX_DESCRIPTION) if len(full) > MAX_EDGE_LABEL else ""


def _edge_fields(line: DrawnLine) -> SparseEdgeFields:
    """Kind and texts of an edge, its colour and its properties; without its direction and its bends."""
    fields: SparseEdgeFields = {"kind": line.kind}
    label, description = _edge_texts(line)
    if label:
        fields["label"] = label
    if description:
        fields["description"] = description
    color = line_color_of(line.cell.style)
    if color:
        fields["color"] = color
    properties = _properties(line.cell)
    if properties:
        fields["properties"] = properties
    return fields


def _properties(cell: Cell) -> Mapping[str, str]:
    """The data of a cell's object, links and tooltips included."""
    fields = cell.fields.items()
    return properties_within(
        {key: value for key, value in fields if key not in _OWN_FIELDS and (key != "link" or _LINK.match(value))}
    )
