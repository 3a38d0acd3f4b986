"""What we wrote into a workspace of Structurizr, read again: ids, texts as they were, looks and places.

What somebody changes there is what counts: a name, a description, the tags of a colour or a kind, and what stands in
what. A text of ours is taken where the file still shows it as we wrote it. Written by `model.structurizr.writer`.
"""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from typing import Final, TypeVar

from draftsmith.model.fields import Point, SparseEdgeFields, SparseNode, SparseNodeFields, shorten_to
from draftsmith.model.ids import NodeId, is_edge_id, is_id
from draftsmith.model.images import ADDRESS
from draftsmith.model.readers.limits import (
    FURTHEST,
    LARGEST,
    MAX_DESCRIPTION,
    MAX_EDGE_LABEL,
    MAX_KEY,
    MAX_LABEL,
    MAX_PROPERTIES,
    MAX_PROPERTY,
    MAX_TECHNOLOGY,
)
from draftsmith.model.readers.structurizr.c4 import C4Element, C4Facts, C4Model, C4Relationship
from draftsmith.model.structurizr.own import (
    EXACT,
    GROUPS,
    OF_EDGE,
    OF_GROUP,
    SEPARATOR,
    STAND_IN,
    TAGS_OF_KINDS,
    decoded_value,
    is_shown,
    plain_text,
    read_line,
    read_text,
)
from draftsmith.model.vocabulary import COLOR_STROKES, DIRECTIONS, EDGE_KINDS, GROUP, NODE_TYPES, SHAPES, STYLES

Fields = TypeVar("Fields", SparseNodeFields, SparseEdgeFields)
Facts = Mapping[str, str]
_HAVE_TECHNOLOGY: Final = frozenset(("container", "component"))
_LEAST: Final = 20
_MOST_BENDS: Final = 100


class OwnWorkspace:
    """What we wrote into a model.

    Attributes:
        is_own: we wrote it.
        ids: of elements and groups.
        stand_ins: elements that only stand for a group.
        edges: those that Structurizr refuses, by id.
        edge_ids: those that edges of ours bring.
    """

    def __init__(self, model: C4Model) -> None:
        self.ids: dict[C4Element, NodeId] = {}
        self.stand_ins: dict[C4Element, C4Element] = {}
        self._taken_ids: set[str] = set()
        self._groups = _by_id(model.own, OF_GROUP)
        refused = _by_id(model.own, OF_EDGE)
        self.edges = {
            id_: facts for id_, facts in refused.items() if is_edge_id(id_) and {"source", "target"} <= facts.keys()
        }
        for element in model.elements:
            if "type" in element.own or STAND_IN in element.own:
                self._find_ids(element)
        self.is_own = bool(self.ids or self._groups)
        self.edge_ids = {*self.edges, *map(self.edge_id, model.relationships)} - {""}

    def facts_of(self, element: C4Element) -> Facts:
        """What we wrote of an element or a group; nothing for one that others added."""
        if element not in self.ids:
            return {}
        if element.kind == "group":
            return self._groups.get(self.ids[element], {})
        return {key: decoded_value(value) for key, value in element.own.items()}

    def edge_id(self, relationship: C4Relationship) -> str:
        """The id of an edge of ours; empty for none."""
        found = decoded_value(relationship.own.get("id", "")) or relationship.identifier
        return found if self.is_own and is_edge_id(found) else ""

    def _find_ids(self, element: C4Element) -> None:
        """Find the ids of an element and of the groups right around it."""
        groups: list[C4Element] = []
        around = element.parent
        while around is not None and around.kind == "group":
            groups.append(around)
            around = around.parent
        names = decoded_value(element.own.get(GROUPS, "")).split()
        if len(names) == len(groups):
            for group, name in zip(groups, reversed(names), strict=True):
                self._set_id(group, name)
        if STAND_IN in element.own and groups:
            self.stand_ins[element] = groups[0]
        elif "type" in element.own:
            self._set_id(element, decoded_value(element.own.get("id", "")) or element.identifier)

    def _set_id(self, element: C4Element, name: str) -> None:
        if element not in self.ids and is_id(name) and name not in self._taken_ids:
            self._taken_ids.add(name)
            self.ids[element] = NodeId(name)


def _by_id(own: Facts, start: str) -> dict[str, dict[str, str]]:
    """What was written of each group or edge into properties of the model."""
    found: dict[str, dict[str, str]] = {}
    for name, value in own.items():
        id_, _, key = name.removeprefix(start).partition(".")
        if name.startswith(start):
            found.setdefault(id_, {})[key] = decoded_value(value)
    return found


def set_own_node_fields(fields: SparseNode, element: C4Element, own: Facts, node_id: NodeId) -> None:
    """Set what we wrote of a node, as far as it is still so; what has members is a group."""
    is_group = element.kind == "group"
    if own.get("type") in NODE_TYPES and fields["type"] != GROUP:
        fields["type"] = own["type"]
    label = own.get("label", "")
    if label and _is_name_of(element, label, node_id):
        fields["label"] = shorten_to(label, MAX_LABEL)
    description = None if is_group else read_text(element.description)
    if own.get("description") and description in (None, read_text(own["description"])):
        fields["description"] = shorten_to(own["description"], MAX_DESCRIPTION)
    technology = read_line(element.technology) if element.kind in _HAVE_TECHNOLOGY else None
    if own.get("technology") and technology in (None, read_line(own["technology"])):
        fields["technology"] = shorten_to(own["technology"], MAX_TECHNOLOGY)
    if own.get("notes"):
        fields["notes"] = shorten_to(own["notes"], MAX_DESCRIPTION)
    if ADDRESS.fullmatch(own.get("image", "")):
        fields["image"] = own["image"]
    if own.get("locked"):
        fields["locked"] = True
    position, size = _numbers(own.get("position", "")), _numbers(own.get("size", ""))
    if len(position) == 2:
        fields["position"] = _point(position)
    if len(size) == 2:
        fields["size"] = {
            name: _plain_number(min(max(side, _LEAST), LARGEST))
            for name, side in zip(("width", "height"), size, strict=True)
        }
    color = own.get("color", "")
    color = color if is_group and color in COLOR_STROKES else _color_in(element.tags)
    _set_looks(fields, own, color or fields.get("color", ""))
    _set_properties(fields, None if is_group else element, own, {fields["type"], own.get("type", ""), *COLOR_STROKES})


def set_own_edge_fields(fields: SparseEdgeFields, relationship: C4Relationship) -> None:
    """Set what we wrote of an edge, as far as it is still so."""
    own = {key: decoded_value(value) for key, value in relationship.own.items()}
    kinds = (kind for kind, tag in TAGS_OF_KINDS.items() if tag in relationship.tags)
    fields["kind"] = next(kinds, "sync")
    label, shown = own.get("label"), " ".join(relationship.description.split())
    if label is not None and shown in (read_line(label), read_line(f"{' '.join(label.split())} ({fields['kind']})")):
        fields["label"] = shorten_to(label, MAX_EDGE_LABEL)
        fields.pop("description", None)
        if not label:
            fields.pop("label")
    _set_fields_of_line(fields, own, _color_in(relationship.tags) or fields.get("color", ""))
    _set_properties(fields, relationship, own, {*TAGS_OF_KINDS.values(), *COLOR_STROKES})


def refused_edge_fields(own: Facts) -> SparseEdgeFields:
    """The fields of an edge that Structurizr refuses, which stands in properties of the model alone."""
    fields: SparseEdgeFields = {"kind": own["kind"] if own.get("kind") in EDGE_KINDS else "sync"}
    if own.get("label"):
        fields["label"] = shorten_to(own["label"], MAX_EDGE_LABEL)
    color = own.get("color", "")
    _set_fields_of_line(fields, own, color if color in COLOR_STROKES else "")
    _set_properties(fields, None, own)
    return fields


def _set_fields_of_line(fields: SparseEdgeFields, own: Facts, color: str) -> None:
    fields["direction"] = own["direction"] if own.get("direction") in DIRECTIONS else "forward"
    if own.get("description"):
        fields["description"] = shorten_to(own["description"], MAX_DESCRIPTION)
    if own.get("shape") in SHAPES:
        fields["shape"] = own["shape"]
    points = [_numbers(one) for one in own.get("route", "").split()[:_MOST_BENDS]]
    route = [_point(point) for point in points if len(point) == 2]
    if route:
        fields["route"] = route
    if own.get("route_by") == "hand":
        fields["route_by"] = "hand"
    share = _numbers(own.get("label_at", ""))
    if len(share) == 1:
        fields["label_at"] = min(max(share[0], 0), 1)
    _set_looks(fields, own, color)


def _is_name_of(element: C4Element, label: str, node_id: NodeId) -> bool:
    """Whether an element is still called as we called the node of that label."""
    name = " ".join(label.split()) or node_id
    shown = read_line(element.name.replace(SEPARATOR, "|"))
    return shown in [read_line(one.replace(SEPARATOR, "|")) for one in (name, f"{name} ({node_id})")]


def _color_in(tags: Sequence[str]) -> str:
    return next((tag for tag in reversed(tags) if tag in COLOR_STROKES), "")


def _set_looks(fields: Fields, own: Facts, color: str) -> None:
    if color:
        fields["color"] = color
    else:
        fields.pop("color", None)
    if own.get("style") in STYLES:
        fields["style"] = own["style"]
    else:
        fields.pop("style", None)


def _set_properties(fields: Fields, facts: C4Facts | None, own: Facts, tags: Container[str] = ()) -> None:
    """The properties that people gave, as they were where the file could not show that; tags of others beside ours.

    Args:
        fields: of a node or an edge.
        facts: what the file says of it; None for what it has no place for.
        own: what we wrote.
        tags: ours.
    """
    said = C4Facts() if facts is None else facts
    found = {key.strip()[:MAX_KEY]: value[:MAX_PROPERTY] for key, value in said.properties.items() if key.strip()}
    exact = {decoded_value(key.removeprefix(EXACT)): value for key, value in own.items() if key.startswith(EXACT)}
    as_read = {key: plain_text(key).strip() for key in exact}
    hidden = {key for key, value in exact.items() if facts is None or not is_shown(key, value)}
    unchanged = {as_read[key] for key, value in exact.items() if found.get(as_read[key]) == plain_text(value)}
    for name in unchanged:
        found.pop(name)
    for key, value in exact.items():
        if key and (key in hidden or as_read[key] in unchanged):
            found[key[:MAX_KEY]] = value[:MAX_PROPERTY]
    if said.url:
        found.setdefault("url", said.url[:MAX_PROPERTY])
    others = [tag for tag in said.tags if tag not in tags]
    if others:
        found.setdefault("tags", ", ".join(others)[:MAX_PROPERTY])
    if found:
        fields["properties"] = dict(list(found.items())[:MAX_PROPERTIES])
    else:
        fields.pop("properties", None)


def _numbers(text: str) -> Sequence[float]:
    """The numbers of a list with commas; none if one is no number."""
    try:
        found = [float(part) for part in text[:100].split(",")] if text else []
    except ValueError:
        return []
    return found if all(map(math.isfinite, found)) else []


def _point(pair: Sequence[float]) -> Point:
    return {axis: _plain_number(min(max(value, -FURTHEST), FURTHEST)) for axis, value in zip("xy", pair, strict=True)}


def _plain_number(value: float) -> float:
    return int(value) if value == int(value) else value
