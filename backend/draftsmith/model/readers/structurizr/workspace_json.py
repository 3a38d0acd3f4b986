"""The JSON that Structurizr's tools keep a workspace in, as a model.

Every value is looked at before it is used, so that a file of another shape gives what of it has the right one.
Not here: the DSL (`dsl`).
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import orjson

from draftsmith.model.layered_layout import Direction
from draftsmith.model.readers.limits import MAX_SOURCE, SHOWN
from draftsmith.model.readers.reading import SourceFile, UnreadableSource
from draftsmith.model.readers.structurizr.c4 import (
    OWN_TAGS,
    C4Document,
    C4Element,
    C4Environment,
    C4Facts,
    C4Kind,
    C4Model,
    C4Relationship,
    C4Style,
    C4View,
    GroupsByName,
)
from draftsmith.model.readers.structurizr.statements import MAX_BYTES

_JsonObject = Mapping[str, object]
_IDENTIFIER: Final = "structurizr.dsl.identifier"
_SEPARATOR: Final = "structurizr.groupSeparator"
_MAX_DEPTH: Final = 100
_PARTS: Final[Mapping[C4Kind, Sequence[tuple[str, C4Kind]]]] = {
    "software system": (("containers", "container"),),
    "container": (("components", "component"),),
    "deployment node": (
        ("children", "deployment node"),
        ("infrastructureNodes", "infrastructure node"),
        ("softwareSystemInstances", "instance"),
        ("containerInstances", "instance"),
    ),
}
"""What elements of a kind hold, by the key under which it stands."""
_OF_MODEL: Final[Sequence[tuple[str, C4Kind]]] = (
    ("customElements", "custom element"),
    ("people", "person"),
    ("softwareSystems", "software system"),
    ("deploymentNodes", "deployment node"),
)
_SETTINGS: Final = ("shape", "background", "color", "border", "opacity", "style", "dashed")
_FLOWS: Final[Mapping[str, Direction]] = {
    "TopBottom": "down",
    "BottomTop": "up",
    "LeftRight": "right",
    "RightLeft": "left",
}
_TAGS_OF_RELATIONSHIPS: Final = ("Relationship", "Synchronous", "Asynchronous")


def read_json(file: SourceFile, model: C4Model) -> None:
    """Read a workspace into a model.

    Raises:
        UnreadableSource: it is no JSON, or no workspace of Structurizr, or beyond a bound.
    """
    if len(file.content) > MAX_BYTES:
        raise UnreadableSource(f"it has more than {MAX_BYTES:,} bytes", file.path)
    try:
        content = orjson.loads(file.content.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError as error:
        raise UnreadableSource("it is not JSON", file.path, error.lineno) from None
    if not isinstance(content, dict) or not isinstance(content.get("model"), dict):
        raise UnreadableSource("it is no workspace of Structurizr", file.path)
    try:
        _JsonReader(file.path, model).read(content)
    except UnreadableSource as problem:
        raise UnreadableSource(problem.reason, file.path) from None


class _JsonReader:
    """Reads the parts of a workspace; `elements` are by their ids in the file."""

    def __init__(self, path: str, model: C4Model) -> None:
        self._path, self._model = path, model
        self._elements: dict[str, C4Element] = {}
        self._found: list[tuple[C4Element, C4Environment | None, _JsonObject]] = []
        self._groups = GroupsByName(model)
        self._separator = ""

    def read(self, content: _JsonObject) -> None:
        """Read all parts of a workspace."""
        model = _object(content, "model")
        self._model.name, self._model.description = _text(content, "name"), _text(content, "description")
        properties = _object(model, "properties")
        self._separator = _text(properties, _SEPARATOR)
        for key in properties:
            self._model.add_own_property(key, _text(properties, key))
        self._add_elements(model)
        for element, environment, source in self._found:
            self._add_relationships(element, environment, source)
            self._add_documents(_object(source, "documentation"), element)
        for environment in self._model.environments.values():
            environment.has_all = True
        self._add_documents(_object(content, "documentation"), None)
        views = _object(content, "views")
        for kind, listed in views.items():
            if kind.endswith("Views"):
                self._model.views += [_view(one) for one in _objects_of(listed)]
        styles = _object(_object(views, "configuration"), "styles")
        self._model.element_styles += _styles(styles, "elements")
        self._model.relationship_styles += _styles(styles, "relationships")

    def _add_elements(self, model: _JsonObject) -> None:
        """Add elements from the outermost inwards."""
        waiting: list[tuple[_JsonObject, C4Kind, C4Element | None, int]] = [
            (source, kind, None, 1) for key, kind in _OF_MODEL for source in _objects(model, key)
        ]
        for source, kind, parent, depth in waiting:  # grows during the iteration
            if depth > _MAX_DEPTH:
                raise UnreadableSource(f"deployment nodes are nested more than {_MAX_DEPTH} deep")
            element = self._element(source, kind, parent)
            if element is not None:
                waiting += [
                    (inner, inner_kind, element, depth + 1)
                    for key, inner_kind in _PARTS.get(kind, ())
                    for inner in _objects(source, key)
                ]

    def _element(self, source: _JsonObject, kind: C4Kind, parent: C4Element | None) -> C4Element | None:
        original, name = None, _text(source, "name")
        if kind == "instance":
            original = self._elements.get(_id(source, "softwareSystemId") or _id(source, "containerId"))
            if original is None:
                self._list(_id(source, "id"), "", "it is an instance of nothing that is in the file")
                return None
            name = original.name
        environment = None
        if kind in ("deployment node", "infrastructure node", "instance"):
            environment = self._model.environment(_text(source, "environment") or "Default")
        around = self._group(parent, _text(source, "group"), environment)
        element = C4Element(kind=kind, name=name, parent=around, original=original)
        _set_facts(element, source, OWN_TAGS[kind])
        if kind == "custom element":
            element.set_technology(_text(source, "metadata"))
        element.identifier = _identifier(source)
        instances = _id(source, "instances")
        if instances not in ("", "1"):
            element.add_property("instances", instances)
        for one in _objects(source, "perspectives"):
            self._list(
                _id(source, "id"), f"{_text(one, 'name')} {_text(one, 'description')}", "perspectives are not kept"
            )
        if _id(source, "id"):
            self._elements[_id(source, "id")] = element
        self._found.append((element, environment, source))
        self._model.add_element(element, environment)
        return element

    def _group(self, parent: C4Element | None, name: str, environment: C4Environment | None) -> C4Element | None:
        """The group that an element says it is in; the names of nested ones stand behind one another."""
        if not name:
            return parent
        names = name.split(self._separator) if self._separator else [name]
        for one in names[:_MAX_DEPTH]:
            parent = self._groups.group(parent, one.strip(), environment)
        return parent

    def _add_relationships(self, element: C4Element, environment: C4Environment | None, source: _JsonObject) -> None:
        """Add what begins at an element; what another relationship implies is left out in the model itself."""
        for one in _objects(source, "relationships"):
            if environment is None and _id(one, "linkedRelationshipId"):
                continue
            target = self._elements.get(_id(one, "destinationId"))
            if target is None:
                self._list(_id(one, "id"), _text(one, "description"), "it ends at nothing that is in the file")
                continue
            relationship = C4Relationship(source=element, target=target)
            _set_facts(relationship, one, _TAGS_OF_RELATIONSHIPS)
            relationship.identifier = _identifier(one)
            is_said = _text(one, "interactionStyle") == "Asynchronous" or "Asynchronous" in _text(one, "tags")
            relationship.is_asynchronous = is_said
            self._model.add_relationship(relationship, environment)

    def _add_documents(self, documentation: _JsonObject, of: C4Element | None) -> None:
        for key in ("sections", "decisions"):
            for one in _objects(documentation, key):
                text, title = _text(one, "content"), _text(one, "title")
                if _text(one, "format").lower() == "asciidoc":
                    self._list(key, title, "AsciiDoc is not read")
                elif text.strip():
                    headed = text if not title or title in text else f"# {title}\n\n{text}"
                    self._model.documents.append(C4Document(_text(one, "filename"), headed, of))
        for one in _objects(documentation, "images"):
            try:
                content = base64.b64decode(_text(one, "content"), validate=True)
            except (ValueError, binascii.Error):
                content = b""
            self._model.files[_text(one, "name")] = content

    def _list(self, place: str, text: str, reason: str) -> None:
        self._model.list_unread(self._path, place[:SHOWN], " ".join(text.split()), reason)


def _set_facts(facts: C4Facts, source: _JsonObject, own_tags: Sequence[str]) -> None:
    facts.describe(_text(source, "description"))
    facts.set_technology(_text(source, "technology"))
    facts.set_url(_text(source, "url"))
    facts.add_tags(_text(source, "tags"))
    facts.tags = [tag for tag in facts.tags if tag not in own_tags]
    for key, value in _object(source, "properties").items():
        if isinstance(value, str) and key != _IDENTIFIER:
            facts.add_property(key, value)


def _identifier(source: _JsonObject) -> str:
    """What the DSL calls something, where the file was made of DSL."""
    found = _text(_object(source, "properties"), _IDENTIFIER)
    return found if len(found) <= MAX_SOURCE else ""


def _view(source: _JsonObject) -> C4View:
    direction = _FLOWS.get(_text(_object(source, "automaticLayout"), "rankDirection"))
    return C4View(_text(source, "key")[:SHOWN], _text(source, "environment"), direction)


def _styles(styles: _JsonObject, key: str) -> Iterator[C4Style]:
    for one in _objects(styles, key):
        if _text(one, "colorScheme") != "Dark":
            settings = {name: str(one[name]) for name in _SETTINGS if isinstance(one.get(name), str | int | bool)}
            yield C4Style(_text(one, "tag"), settings)


def _object(source: _JsonObject, key: str) -> _JsonObject:
    """What stands under a key if it is an object, else an empty one."""
    found = source.get(key)
    return found if isinstance(found, dict) else {}


def _objects(source: _JsonObject, key: str) -> Iterator[_JsonObject]:
    """The objects in the list under a key; none if it is no list."""
    return _objects_of(source.get(key))


def _objects_of(listed: object) -> Iterator[_JsonObject]:
    return (one for one in listed if isinstance(one, dict)) if isinstance(listed, list) else iter(())


def _text(source: _JsonObject, key: str) -> str:
    """The text under a key; empty for anything else."""
    found = source.get(key)
    return found if isinstance(found, str) else ""


def _id(source: _JsonObject, key: str) -> str:
    """The text or whole number under a key, as a text."""
    found = source.get(key)
    return str(found) if isinstance(found, str | int) and not isinstance(found, bool) else ""
