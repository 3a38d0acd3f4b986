"""What a workspace of Structurizr holds, however it is written.

Not here: how it is read (`dsl`, `workspace_json`), and what becomes of it (`workspaces`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from draftsmith.model.layered_layout import Direction
from draftsmith.model.readers.limits import (
    MAX_DESCRIPTION,
    MAX_KEY,
    MAX_NAME,
    MAX_PROPERTIES,
    MAX_PROPERTY,
    MAX_SOURCE,
    SHOWN,
)
from draftsmith.model.readers.reading import UnreadableSource, UnreadPart
from draftsmith.model.structurizr.own import PREFIX

MAX_ELEMENTS: Final = 5_000
MAX_RELATIONSHIPS: Final = 10_000
"""As many as a workspace may hold by default; a model with more is refused, not cut."""
MAX_ENVIRONMENTS: Final = 100
"""Each becomes a workspace."""
_LONGEST: Final = MAX_DESCRIPTION + 1
_MOST_TAGS: Final = 100
_MOST_OWN: Final = 100
_LONGEST_OWN: Final = 4 * MAX_DESCRIPTION  # with what is encoded in it

C4Kind = Literal[
    "person", "software system", "container", "component", "custom element", "group", "deployment node",
    "infrastructure node", "instance"
]  # fmt: skip


@dataclass(slots=True, eq=False, kw_only=True)
class C4Facts:
    """What elements, relationships and archetypes of both may say of themselves, cut to what can be kept of it.

    Attributes:
        tags: without Structurizr's own.
        own: what we wrote into properties (`model.structurizr.own`), without the prefix.
    """

    description: str = ""
    technology: str = ""
    url: str = ""
    tags: list[str] = field(default_factory=list)
    properties: dict[str, str] = field(default_factory=dict)
    own: dict[str, str] = field(default_factory=dict)

    def describe(self, text: str) -> None:
        """Set the description."""
        self.description = text[:_LONGEST]

    def set_technology(self, text: str) -> None:
        """Set the technology."""
        self.technology = text[:_LONGEST]

    def set_url(self, text: str) -> None:
        """Set the address of a page about it."""
        self.url = text[:_LONGEST]

    def add_tags(self, text: str) -> None:
        """Add the tags of a comma-separated list that are new."""
        for tag in map(str.strip, text[:_LONGEST].split(",")):
            if tag and tag not in self.tags and len(self.tags) < _MOST_TAGS:
                self.tags.append(tag)

    def add_property(self, key: str, text: str) -> None:
        """Set a property, or take what we wrote into one."""
        if key.startswith(PREFIX):
            if len(self.own) < _MOST_OWN:
                self.own[key.removeprefix(PREFIX)] = text[:_LONGEST_OWN]
            return
        if len(self.properties) < MAX_PROPERTIES or key in self.properties:
            self.properties[key[: MAX_KEY + 1]] = text[: MAX_PROPERTY + 1]

    def take_over(self, other: C4Facts) -> None:
        """Add what an archetype says; what is said of this one stays."""
        self.description = self.description or other.description
        self.technology = self.technology or other.technology
        self.url = self.url or other.url
        self.tags = [*other.tags, *(tag for tag in self.tags if tag not in other.tags)][:_MOST_TAGS]
        self.properties = {**other.properties, **self.properties}


@dataclass(slots=True, eq=False, kw_only=True)
class C4Element(C4Facts):
    """An element, a group, a deployment node, or an instance of an element on one.

    Attributes:
        parent: the element or group right around it.
        identifier: what the source calls it, with what its elements around are called; empty for none.
        original: what an instance is one of.
        deployment_groups: an instance is connected with those that share one of them, without any with all.
    """

    kind: C4Kind
    name: str
    parent: C4Element | None = None
    identifier: str = ""
    original: C4Element | None = None
    deployment_groups: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self.name = self.name[:MAX_NAME]


@dataclass(slots=True, eq=False, kw_only=True)
class C4Relationship(C4Facts):
    """A relationship; `is_asynchronous` where the source has a word for it that is no tag."""

    source: C4Element
    target: C4Element
    identifier: str = ""
    is_asynchronous: bool = False


@dataclass(slots=True, eq=False)
class C4Environment:
    """A deployment environment.

    Attributes:
        elements: deployment nodes, infrastructure nodes, groups and instances, each behind what is around it.
        relationships: those that are written for it.
        removed: pairs of elements or instances between which none are taken over from the model.
        has_all: the relationships of its instances are written down, and none are taken over.
    """

    name: str
    identifier: str = ""
    elements: list[C4Element] = field(default_factory=list)
    relationships: list[C4Relationship] = field(default_factory=list)
    removed: list[tuple[C4Element, C4Element]] = field(default_factory=list)
    has_all: bool = False


@dataclass(slots=True)
class C4Style:
    """How what has a tag is drawn: keywords in lower case, and what is said of them."""

    tag: str
    settings: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class C4View:
    """A view: its name, the deployment environment that it shows, and where its relationships lead when laid out."""

    name: str
    environment: str = ""
    flow: Direction | None = None


@dataclass(slots=True)
class C4Document:
    """A page of documentation or a decision; `of`: the element that it belongs to."""

    file: str
    text: str
    of: C4Element | None = None


@dataclass(slots=True)
class C4Model:
    """A workspace.

    Attributes:
        elements: each behind what is around it.
        is_implying: relationships hold for the elements around their ends, too.
        own: what we wrote into properties of the model, without the prefix.
        files: bytes of what documents may show, by path.
    """

    name: str = ""
    description: str = ""
    elements: list[C4Element] = field(default_factory=list)
    relationships: list[C4Relationship] = field(default_factory=list)
    environments: dict[str, C4Environment] = field(default_factory=dict)
    is_implying: bool = True
    own: dict[str, str] = field(default_factory=dict)
    element_styles: list[C4Style] = field(default_factory=list)
    relationship_styles: list[C4Style] = field(default_factory=list)
    views: list[C4View] = field(default_factory=list)
    documents: list[C4Document] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    unread: list[UnreadPart] = field(default_factory=list)

    def add_element(self, element: C4Element, environment: C4Environment | None = None) -> None:
        """Add an element to an environment, else to the model itself.

        Raises:
            UnreadableSource: there are more than a workspace may hold.
        """
        elements = self.elements if environment is None else environment.elements
        if len(elements) == MAX_ELEMENTS:
            raise UnreadableSource(f"it has more than {MAX_ELEMENTS:,} elements")
        elements.append(element)

    def add_relationship(self, relationship: C4Relationship, environment: C4Environment | None = None) -> None:
        """Add a relationship to an environment, else to the model itself.

        Raises:
            UnreadableSource: there are more than a workspace may hold.
        """
        relationships = self.relationships if environment is None else environment.relationships
        if len(relationships) == MAX_RELATIONSHIPS:
            raise UnreadableSource(f"it has more than {MAX_RELATIONSHIPS:,} relationships")
        relationships.append(relationship)

    def add_own_property(self, key: str, text: str) -> bool:
        """Take what we wrote into a property of the model; False for another."""
        if key.startswith(PREFIX):
            self.own[key.removeprefix(PREFIX)] = text[:_LONGEST_OWN]
        return key.startswith(PREFIX)

    def list_unread(self, file: str, place: str, text: str, reason: str) -> None:
        """List something that is not taken over."""
        self.unread.append(UnreadPart(file, place, text[:SHOWN], reason))

    def environment(self, name: str) -> C4Environment:
        """The environment of that name, which is made if there is none.

        Raises:
            UnreadableSource: there are too many.
        """
        name = name[:MAX_NAME]
        if name not in self.environments and len(self.environments) == MAX_ENVIRONMENTS:
            raise UnreadableSource(f"it has more than {MAX_ENVIRONMENTS:,} deployment environments")
        return self.environments.setdefault(name, C4Environment(name))


class GroupsByName:
    """Groups, which are one wherever their name stands at the same place."""

    def __init__(self, model: C4Model) -> None:
        self._model = model
        self._by_place: dict[tuple[C4Element | C4Environment | None, str], C4Element] = {}

    def group(self, parent: C4Element | None, name: str, environment: C4Environment | None = None) -> C4Element:
        """The group of that name there, which is made if there is none."""
        name = name[:MAX_NAME]
        key = (parent or environment, name)
        known = self._by_place.get(key)
        if known is None:
            known = self._by_place[key] = C4Element(kind="group", name=name, parent=parent)
            self._model.add_element(known, environment)
        return known


def path_of(element: C4Element, environment: str = "") -> str:
    """What an element without an identifier is called: its kind, and the names of all that it stands in.

    Empty if that is longer than what can be kept.
    """
    names = [element.name]
    length = len(environment) + len(element.name)
    current = element.parent
    while current is not None and length <= MAX_SOURCE:
        names.append(current.name)
        length += len(current.name) + 1
        current = current.parent
    if environment:
        names.append(environment)
    full = f"{element.kind}://{'/'.join(reversed(names))}"
    return full if len(full) <= MAX_SOURCE else ""


KINDS: Final[Mapping[str, C4Kind]] = {
    "person": "person",
    "softwaresystem": "software system",
    "container": "container",
    "component": "component",
    "element": "custom element",
    "group": "group",
    "enterprise": "group",
    "deploymentnode": "deployment node",
    "infrastructurenode": "infrastructure node",
    "softwaresysteminstance": "instance",
    "containerinstance": "instance",
    "instanceof": "instance",
}
"""Kinds of elements by their keyword in lower case."""
OWN_TAGS: Final[Mapping[C4Kind, tuple[str, ...]]] = {
    "person": ("Element", "Person"),
    "software system": ("Element", "Software System"),
    "container": ("Element", "Container"),
    "component": ("Element", "Component"),
    "custom element": ("Element",),
    "group": ("Group",),
    "deployment node": ("Element", "Deployment Node"),
    "infrastructure node": ("Element", "Infrastructure Node"),
    "instance": ("Software System Instance", "Container Instance"),
}
"""The tags that Structurizr gives by itself."""
