"""What the attributes of a graph in DOT say of nodes, groups and edges: texts, types, looks, kinds and directions.

Not here: where things are, and what lies in what (`reader`).
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from typing import Final

from draftsmith.model.dot.attributes import CLUSTER, KIND, LINE, LOOK, PROPERTY, TYPE, without_escapes
from draftsmith.model.dot.syntax import Attributes, DotCluster, DotEdge, DotGraph, DotNode
from draftsmith.model.drawio.labels import label_lines
from draftsmith.model.drawio.places import point_at
from draftsmith.model.drawio.shapes import color_of_fill, color_of_stroke
from draftsmith.model.fields import Point, SparseEdgeFields, SparseNodeFields, shorten_to
from draftsmith.model.images import ADDRESS
from draftsmith.model.readers.limits import (
    FURTHEST,
    MAX_DESCRIPTION,
    MAX_EDGE_LABEL,
    MAX_KEY,
    MAX_LABEL,
    MAX_PROPERTIES,
    MAX_PROPERTY,
    MAX_TECHNOLOGY,
)
from draftsmith.model.type_words import guess_type
from draftsmith.model.vocabulary import COLOR_STROKES, EDGE_KINDS, GROUP, NODE_TYPES, SHAPES, STYLES

_NUMBER = re.compile(r"[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})(?:[eE][+-]?\d{1,2})?")
_ENTITY = re.compile(r"&#?\w{1,40};")
_FIELD_MARKS = re.compile(r"(?<!\\)(?:<[^<>|]*>|[{}])")
_FIELD_END = re.compile(r"(?<!\\)\|")
_MAX_LINES_IN_LABEL: Final = 3
_MAX_BENDS: Final = 100
_OWN_COLORS: Final = {stroke: color for color, stroke in COLOR_STROKES.items()}
_RECORDS: Final = frozenset(("record", "Mrecord"))
_TYPE_OF_SHAPE: Final[Mapping[str, str]] = {
    "cylinder": "database", "note": "other", "diamond": "other", "point": "other", "folder": "storage",
    "cds": "queue",
}  # fmt: skip
_HUES: Final[Mapping[str, str]] = {
    **{color: color for color in COLOR_STROKES if color != "grey"},
    "gold": "yellow", "khaki": "yellow", "chiffon": "yellow", "olive": "green", "lime": "green", "chartreuse": "green",
    "cyan": "teal", "turquoise": "teal", "aqua": "teal", "navy": "blue", "indigo": "violet", "purple": "violet",
    "orchid": "violet", "lavender": "violet", "magenta": "pink", "salmon": "red", "tomato": "red", "crimson": "red",
    "coral": "orange", "peru": "orange", "brown": "orange",
}  # fmt: skip
_HUE = re.compile("|".join(sorted(_HUES, key=len, reverse=True)))
# In the order in which they decide: a border is dashed before it is thick.
_LOOKS: Final = ("dashed", "dotted", "bold")
_OPEN_HEADS: Final = frozenset(("vee", "open", "empty", "onormal", "oarrow", "halfopen"))


def node_fields(node: DotNode, graph: str) -> SparseNodeFields:
    """The fields of a node, without its place."""
    attributes, names = node.attributes, {"N": node.name, "G": graph}
    if TYPE in attributes:
        return _own_fields(attributes, _label(attributes, names) or node.name)
    shape = text_of(attributes, "shape", {})
    lines = _lines(attributes, names, is_record=shape in _RECORDS) or [node.name]
    goes_on = shape in _RECORDS or len(lines) > _MAX_LINES_IN_LABEL
    label = " ".join(lines[:1] if goes_on else lines)
    more = lines if len(label) > MAX_LABEL else lines[1:] if goes_on else []
    fields: SparseNodeFields = {
        "type": _TYPE_OF_SHAPE.get(shape) or guess_type(label, "", "service"),
        "label": shorten_to(label, MAX_LABEL) or "Unnamed",
    }
    if more:
        fields["description"] = shorten_to("\n".join(more), MAX_DESCRIPTION)
    _set_foreign_looks(fields, attributes)
    return fields


def cluster_fields(cluster: DotCluster, graph: str) -> SparseNodeFields:
    """The fields of a group, without its place."""
    attributes = cluster.attributes
    name = cluster.name.removeprefix(CLUSTER) or "Group"
    if TYPE in attributes:
        fields = _own_fields(attributes, _label(attributes, {"G": graph}) or name)
        fields["type"] = GROUP
        return fields
    label = " ".join(_lines(attributes, {"G": cluster.name}, is_record=False)) or name
    found: SparseNodeFields = {"type": GROUP, "label": shorten_to(label, MAX_LABEL) or "Group"}
    _set_foreign_looks(found, attributes)
    return found


def edge_fields(edge: DotEdge, graph: DotGraph) -> SparseEdgeFields:
    """The fields of an edge, without its bends."""
    attributes = edge.attributes
    names = {"G": graph.name, "T": edge.source, "H": edge.target, "E": f"{edge.source}->{edge.target}"}
    label = _label(attributes, names)
    if KIND not in attributes:
        parts = [label, *(text_of(attributes, name, names) for name in ("xlabel", "taillabel", "headlabel"))]
        label = " ".join(" ".join(parts).split())
    fields: SparseEdgeFields = {"direction": _direction(attributes, is_directed=graph.is_directed)}
    if label:
        fields["label"] = shorten_to(label, MAX_EDGE_LABEL)
    description = text_of(attributes, "description", {}) if KIND in attributes else label
    if description and (KIND in attributes or len(label) > MAX_EDGE_LABEL):
        fields["description"] = shorten_to(description, MAX_DESCRIPTION)
    kind = text_of(attributes, KIND, {})
    fields["kind"] = kind if kind in EDGE_KINDS else _drawn_kind(attributes)
    if kind not in EDGE_KINDS:
        _set_foreign_looks(fields, attributes)
        return fields
    _set_own_looks(fields, attributes)
    shape = text_of(attributes, LINE, {})
    if shape in SHAPES:
        fields["shape"] = shape
    if text_of(attributes, "route_by", {}) == "hand":
        fields["route_by"] = "hand"
    share = number_in(text_of(attributes, "label_at", {}))
    if share is not None:
        at = round(min(max(share, 0.0), 1.0), 2)
        fields["label_at"] = int(at) if at == int(at) else at
    return fields


def route_of(attributes: Attributes) -> Sequence[Point]:
    """The bends of an edge of ours."""
    if KIND not in attributes:
        return ()
    found: list[Point] = []
    for pair in text_of(attributes, "route", {}).split()[:_MAX_BENDS]:
        x, _, y = pair.partition(",")
        across, down = number_in(x), number_in(y)
        if across is not None and down is not None:
            found.append(point_at(across, down))
    return found


def text_of(attributes: Attributes, name: str, names: Mapping[str, str]) -> str:
    r"""What an attribute says, empty if it is not there; `names`: what `\N` and its kin stand for."""
    value = attributes.get(name)
    if value is None:
        return ""
    if value.is_markup:
        return "\n".join(label_lines(value.text, is_html=True))
    return without_escapes(value.text, names).replace("\x00", "")


def number_in(text: str) -> float | None:
    """A number that a text is, within what places may be; None if it is none."""
    found = _NUMBER.fullmatch(text.strip())
    return min(max(float(found[0]), -FURTHEST), FURTHEST) if found else None


def _label(attributes: Attributes, names: Mapping[str, str]) -> str:
    """What a label says, in which Graphviz reads entities of HTML."""
    value = attributes.get("label")
    said = text_of(attributes, "label", names)
    if value is None or value.is_markup:
        return said
    return _ENTITY.sub(lambda match: html.unescape(match[0]), said).replace("\x00", "")


def _lines(attributes: Attributes, names: Mapping[str, str], *, is_record: bool) -> Sequence[str]:
    """The lines of a label, of a record its fields."""
    value = attributes.get("label")
    if value is not None and is_record and not value.is_markup:
        fields = _FIELD_END.split(_FIELD_MARKS.sub(" ", value.text))
        said = "\n".join(
            _ENTITY.sub(lambda match: html.unescape(match[0]), without_escapes(one, names)) for one in fields
        )
    else:
        said = _label(attributes, names)
    return [*label_lines(said, is_html=False)]


def _own_fields(attributes: Attributes, label: str) -> SparseNodeFields:
    """The fields of a node that we wrote; `label` with its technology below it."""
    said = {name: text_of(attributes, name, {}) for name in ("technology", "description", "notes", "picture")}
    below = f"\n{said['technology']}"
    name = label.removesuffix(below) if said["technology"] else label
    node_type = text_of(attributes, TYPE, {})
    fields: SparseNodeFields = {
        "type": node_type if node_type in NODE_TYPES and node_type != GROUP else "other",
        "label": shorten_to(name.strip(), MAX_LABEL) or "Unnamed",
    }
    if said["technology"]:
        fields["technology"] = shorten_to(said["technology"], MAX_TECHNOLOGY)
    if said["description"]:
        fields["description"] = shorten_to(said["description"], MAX_DESCRIPTION)
    if said["notes"]:
        fields["notes"] = shorten_to(said["notes"], MAX_DESCRIPTION)
    if ADDRESS.fullmatch(said["picture"]):
        fields["image"] = said["picture"]
    if text_of(attributes, "locked", {}) == "true":
        fields["locked"] = True
    _set_own_looks(fields, attributes)
    return fields


def _set_own_looks(fields: SparseNodeFields | SparseEdgeFields, attributes: Attributes) -> None:
    color = _OWN_COLORS.get(text_of(attributes, "color", {}))
    if color:
        fields["color"] = color
    look = text_of(attributes, LOOK, {})
    if look in STYLES:
        fields["style"] = look
    properties = {
        without_escapes(name.removeprefix(PROPERTY), {})[:MAX_KEY]: text_of(attributes, name, {})[:MAX_PROPERTY]
        for name in attributes
        if name.startswith(PROPERTY) and len(name) > len(PROPERTY)
    }
    if properties:
        fields["properties"] = dict(list(properties.items())[:MAX_PROPERTIES])


def _set_foreign_looks(fields: SparseNodeFields | SparseEdgeFields, attributes: Attributes) -> None:
    styles = [part.strip() for part in text_of(attributes, "style", {}).split(",")]
    is_line = "direction" in fields
    color = ""
    if not is_line and ("filled" in styles or "bgcolor" in attributes):
        filled = (text_of(attributes, name, {}) for name in ("fillcolor", "bgcolor"))
        color = next((found for one in filled if (found := _color(one, is_filled=True))), "")
    color = color or _color(text_of(attributes, "color", {}), is_filled="filled" in styles)
    if color:
        fields["color"] = color
    look = next((look for look in _LOOKS if look in styles), "")
    if look and not (is_line and look == "dashed"):  # which is what an edge of its kind is drawn as
        fields["style"] = look
    properties = {
        name: said for name in ("URL", "href", "tooltip", "comment") if (said := text_of(attributes, name, {}).strip())
    }
    address = properties.pop("URL", "") or properties.pop("href", "")
    if address.startswith(("http://", "https://", "mailto:")):
        properties["link"] = address
    properties.pop("href", None)
    if properties:
        fields["properties"] = {name: said[:MAX_PROPERTY] for name, said in properties.items()}


def _color(text: str, *, is_filled: bool) -> str:
    """The nearest of the colours of nodes to a colour of Graphviz, by its number or its name."""
    first = text.partition(":")[0].partition(";")[0].strip().lower()
    if first.startswith("#"):
        return color_of_fill(first[:7]) if is_filled else color_of_stroke(first[:7])
    named = _HUE.findall(first[:64])
    return _HUES[named[-1]] if named else ""


def _direction(attributes: Attributes, *, is_directed: bool) -> str:
    """Where the arrow heads are; where only the source has one, the edge is turned round and has one at its target."""
    said = text_of(attributes, "dir", {}).lower()
    usual = "forward" if is_directed or said == "back" else "none"
    direction = said if said in ("forward", "both", "none") else usual
    is_bare = text_of(attributes, "arrowhead", {}) == "none" and KIND not in attributes
    return "none" if is_bare and direction == "forward" and said != "back" else direction


def _drawn_kind(attributes: Attributes) -> str:
    styles = [part.strip() for part in text_of(attributes, "style", {}).split(",")]
    if "dashed" not in styles:
        return "sync"
    return "dependency" if text_of(attributes, "arrowhead", {}) in _OPEN_HEADS else "async"
