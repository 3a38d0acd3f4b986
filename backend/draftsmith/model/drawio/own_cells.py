"""How nodes and edges of ours stand in a drawing: the data of their objects and the styles of their cells.

An object of ours carries `draftsmith="1"`; by it a reader knows that its data are fields, and takes them as they are
rather than guessing from what is drawn. What draw.io changes by hand is taken from the drawing: labels, places, sizes,
colours, ends, bends, directions. Written by `writer`, read by `reader`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from typing import Final

from draftsmith.model.drawio.cells import Cell, Style
from draftsmith.model.drawio.labels import label_lines
from draftsmith.model.drawio.shapes import color_of, line_color_of
from draftsmith.model.fields import SparseEdgeFields, SparseNodeFields, shorten_to
from draftsmith.model.images import ADDRESS
from draftsmith.model.readers.limits import (
    MAX_DESCRIPTION,
    MAX_EDGE_LABEL,
    MAX_KEY,
    MAX_LABEL,
    MAX_PROPERTIES,
    MAX_PROPERTY,
    MAX_TECHNOLOGY,
)
from draftsmith.model.vocabulary import COLOR_STROKES, EDGE_KINDS, NODE_TYPES, SHAPES, STYLES

OWN: Final = "draftsmith"
"""The name of the attribute that an object of ours has."""
FORM: Final = "1"
NODE_PREFIX: Final = "node:"
EDGE_PREFIX: Final = "edge:"
"""Before an id that a cell cannot have as it is, since another cell has it."""
LEAST_EXTENT: Final = 20
DEFAULT_FILL: Final = "#ffffff"
DEFAULT_STROKE: Final = "#94a3b8"
DEFAULT_LINE: Final = "#475569"
FILLS: Final[Mapping[str, str]] = {
    "red": "#fee2e2", "orange": "#ffedd5", "yellow": "#fef9c3", "green": "#dcfce7", "teal": "#ccfbf1",
    "blue": "#dbeafe", "violet": "#ede9fe", "pink": "#fce7f3", "grey": "#f1f5f9",
}  # fmt: skip
_NODE_COLORS: Final = {
    (DEFAULT_FILL, DEFAULT_STROKE): "",
    **{(FILLS[color], stroke): color for color, stroke in COLOR_STROKES.items()},
}
_LINE_COLORS: Final = {DEFAULT_LINE: "", **{stroke: color for color, stroke in COLOR_STROKES.items()}}
# Names that mean something to draw.io or here, so that a property of this name is written otherwise.
_TAKEN: Final = frozenset(
    (
        "id", "label", "value", "placeholder", "placeholders", "src", OWN, "name", "type", "technology", "description",
        "notes", "image", "style", "kind", "shape", "route_by",
    )
)  # fmt: skip
_PLAIN_KEY = re.compile(r"(?!(?i:xml|c4))[A-Za-z][A-Za-z0-9_.-]*")
_ENCODED = re.compile(r"_x([0-9A-F]{4,6})_")
_UNSAFE_IN_KEY = re.compile(r"[^A-Za-z0-9_.-]|_(?=x)")
_WEB_ADDRESS = re.compile(r"https?://|mailto:")


def is_own(cell: Cell) -> bool:
    """Whether a cell is a node or an edge of ours."""
    return OWN in cell.fields


def attribute_name(key: str, value: str) -> str:
    """The name of the attribute for a property: its key, or that with what cannot stand there as `_x0020_`."""
    is_followed = key == "link" and not _WEB_ADDRESS.match(value)  # draw.io would open it
    if _PLAIN_KEY.fullmatch(key) and key not in _TAKEN and not is_followed and not _ENCODED.search(key):
        return key
    return _code_of(key[0]) + _UNSAFE_IN_KEY.sub(lambda match: _code_of(match[0]), key[1:])


def _code_of(character: str) -> str:
    return f"_x{ord(character):04X}_"


def _key_of(name: str) -> str:
    return _ENCODED.sub(lambda match: _character(match[1]) or match[0], name)


def _character(digits: str) -> str:
    code = int(digits, 16)
    return chr(code) if 0 < code < 0xD800 or 0xDFFF < code <= 0x10FFFF else ""


def shown_label(label: str, technology: str) -> str:
    """The label of a cell in HTML: what something is called, and below it the technology."""
    name = html.escape(label, quote=False).replace("\n", "<br>")
    below = html.escape(technology, quote=False)
    return f'{name}<br><font style="font-size: 11px">{below}</font>' if below.strip() else name


def label_shown(lines: Sequence[str], technology: str, name: str) -> str:
    """What something is called whose cell shows these lines; `name`, where the lines are as it is written for that."""
    if name and list(lines) == list(label_lines(shown_label(name, technology), is_html=True)):
        return name
    below = list(label_lines(html.escape(technology, quote=False), is_html=True))
    count = len(lines) - len(below) if below and list(lines[-len(below) :]) == below else len(lines)
    return " ".join(lines[:count])


def own_node_fields(cell: Cell, fallback: str) -> SparseNodeFields:
    """The fields of a node of ours, without its place.

    Args:
        cell: its cell.
        fallback: its type if it says none that there is.
    """
    said = cell.fields
    technology = said.get("technology", "")
    label = label_shown(cell.lines, technology, said.get("name", ""))
    fields: SparseNodeFields = {
        "type": said["type"] if said.get("type") in NODE_TYPES else fallback,
        "label": shorten_to(label.strip(), MAX_LABEL) or "Unnamed",
    }
    if technology:
        fields["technology"] = shorten_to(technology, MAX_TECHNOLOGY)
    if said.get("description"):
        fields["description"] = shorten_to(said["description"], MAX_DESCRIPTION)
    if said.get("notes"):
        fields["notes"] = shorten_to(said["notes"], MAX_DESCRIPTION)
    if ADDRESS.fullmatch(said.get("image", "")):
        fields["image"] = said["image"]
    if cell.style.get("locked") == "1":
        fields["locked"] = True
    _set_looks(fields, cell, _node_color(cell.style))
    return fields


def own_edge_fields(cell: Cell, lines: Sequence[str], drawn_kind: str) -> SparseEdgeFields:
    """The fields of an edge of ours, without its direction and its bends.

    Args:
        cell: its cell.
        lines: of its label, those of labels that are cells of their own included.
        drawn_kind: its kind if it says none that there is.
    """
    said = cell.fields
    fields: SparseEdgeFields = {"kind": said["kind"] if said.get("kind") in EDGE_KINDS else drawn_kind}
    label = shorten_to(label_shown(lines, "", said.get("name", "")).strip(), MAX_EDGE_LABEL)
    if label:
        fields["label"] = label
    if said.get("description"):
        fields["description"] = shorten_to(said["description"], MAX_DESCRIPTION)
    if said.get("shape") in SHAPES:
        fields["shape"] = said["shape"]
    if said.get("route_by") == "hand":
        fields["route_by"] = "hand"
    if cell.label_at is not None:
        fields["label_at"] = share_along(cell.label_at)
    stroke = cell.style.get("strokeColor")
    _set_looks(fields, cell, _LINE_COLORS[stroke] if stroke in _LINE_COLORS else line_color_of(cell.style))
    return fields


def share_along(label_at: float) -> float:
    """Which share of a line lies before its label, for where draw.io has it: from -1 at the source to 1."""
    share = round(min(max((label_at + 1) / 2, 0), 1), 2)
    return int(share) if share == int(share) else share


def _node_color(style: Style) -> str:
    pair = style.get("fillColor"), style.get("strokeColor")
    return _NODE_COLORS[pair] if pair in _NODE_COLORS else color_of(style)


def _set_looks(fields: SparseNodeFields | SparseEdgeFields, cell: Cell, color: str) -> None:
    if color:
        fields["color"] = color
    if cell.fields.get("style") in STYLES:
        fields["style"] = cell.fields["style"]
    properties = _own_properties(cell.fields)
    if properties:
        fields["properties"] = properties


def _own_properties(said: Mapping[str, str]) -> Mapping[str, str]:
    """The data that are no fields, empty ones included."""
    found = {_key_of(name)[:MAX_KEY]: value[:MAX_PROPERTY] for name, value in said.items() if name not in _TAKEN}
    return dict(list(found.items())[:MAX_PROPERTIES])
