"""A model of Structurizr as workspaces: the static model one, each deployment environment another.

What holds others is a group, everything else a node. Documentation and decisions are one document.

Instances of a deployment environment are connected as the model says of their originals, and, where it implies, of what
is in these; then as is written for the environment. They are connected each with each, so what is looked at is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from draftsmith.model.fields import SparseEdgeFields, SparseNode, shorten_to
from draftsmith.model.ids import NodeId
from draftsmith.model.layered_layout import Direction
from draftsmith.model.readers.building import DiagramBuilding, EdgeLeft
from draftsmith.model.readers.document_room import DocumentRoom
from draftsmith.model.readers.images import KeptImages
from draftsmith.model.readers.limits import (
    MAX_DEPTH,
    MAX_DESCRIPTION,
    MAX_EDGE_LABEL,
    MAX_LABEL,
    MAX_NAME,
    MAX_TECHNOLOGY,
    properties_within,
    unread_within,
)
from draftsmith.model.readers.links import lead_links
from draftsmith.model.readers.paths import path_from
from draftsmith.model.readers.reading import ReadWorkspace, UnreadPart
from draftsmith.model.readers.structurizr.c4 import (
    MAX_RELATIONSHIPS,
    C4Document,
    C4Element,
    C4Environment,
    C4Facts,
    C4Model,
    C4Relationship,
    path_of,
)
from draftsmith.model.readers.structurizr.own_facts import (
    OwnWorkspace,
    refused_edge_fields,
    set_own_edge_fields,
    set_own_node_fields,
)
from draftsmith.model.readers.structurizr.styles import StyleSheet, is_asynchronous
from draftsmith.model.structurizr.own import is_own_view
from draftsmith.model.vocabulary import GROUP

KIND: Final = "c4"
"""The property that says what an element is called in the C4 model."""
_MAX_NAMED: Final = 20
_MAX_LOOKS: Final = 200_000
_Pair = tuple[C4Element, C4Element]


def workspaces_of(model: C4Model, file: str) -> list[ReadWorkspace]:
    """Make all workspaces of a model; what is not kept of the whole is listed with the first."""
    images = KeptImages()
    document = _document_of(model, images)
    styles = StyleSheet(model.element_styles, model.relationship_styles)
    own = OwnWorkspace(model)
    static = _C4DiagramWriter(file, styles, own)
    static.add_nodes(model.elements)
    static.add_edges(model.relationships)
    static.add_refused_edges()
    _list_views(model, file, own)
    found = []
    name = _name(model.name)
    for environment in model.environments.values():
        if environment.elements:
            found.append(_deployment(model, environment, file, styles, name))
        else:
            model.list_unread(file, f"environment {environment.name}", "", "there is nothing in this environment")
    first = ReadWorkspace(
        name,
        static.building.diagram(),
        document,
        unread_within([*model.unread, *images.unread, *static.unread]),
        static.building.sources,
        is_placed=static.is_placed(),
        images=images.images,
        flow=_flow(model, {""}),
    )
    return [first, *found]


def _deployment(model: C4Model, environment: C4Environment, file: str, styles: StyleSheet, name: str) -> ReadWorkspace:
    """Make the workspace of a deployment environment."""
    writing = _C4DiagramWriter(file, styles, OwnWorkspace(C4Model()), environment.name)
    connections = _InstanceConnections(model, environment)
    relationships = connections.relationships()
    writing.add_nodes(environment.elements)
    writing.add_nodes(_others_of(relationships, environment.elements))
    writing.add_edges(relationships)
    if connections.is_cut:
        model.list_unread(file, f"environment {environment.name}", "", "not all connections between instances are kept")
    return ReadWorkspace(
        _name(f"{name} – {environment.name}" if name else environment.name),
        writing.building.diagram(),
        "",
        unread_within(writing.unread),
        writing.building.sources,
        flow=_flow(model, {environment.name.lower(), environment.identifier.lower()} - {""}),
    )


def _flow(model: C4Model, environments: set[str]) -> Direction:
    """Return the direction of the first view that Structurizr lays out."""
    flows = (view.flow for view in model.views if view.flow and view.environment.lower() in environments)
    return next(flows, "right")


def _list_views(model: C4Model, file: str, own: OwnWorkspace) -> None:
    """List views as not drawn, except those that we wrote, which show what the diagram does."""
    views = [view for view in model.views if not (own.is_own and is_own_view(view.name))]
    if views:
        names = ", ".join(view.name for view in views[:_MAX_NAMED])
        counted = "a view is" if len(views) == 1 else f"{len(views):,} views are"
        model.list_unread(file, "views", names, f"{counted} not drawn, since the model is one diagram")


class _C4DiagramWriter:
    """Writes elements as nodes and groups, and relationships as edges."""

    def __init__(self, file: str, styles: StyleSheet, own: OwnWorkspace, environment: str = "") -> None:
        self._file, self._styles, self._own, self._environment = file, styles, own, environment
        self.building = DiagramBuilding(own.ids.values(), own.edge_ids, line="relationship", end="element")
        self._ids: dict[C4Element, NodeId] = {}
        self.unread: list[UnreadPart] = []

    def is_placed(self) -> bool:
        """Whether we wrote the workspace with places, and every node has one."""
        return self._own.is_own and all("position" in node for node in self.building.nodes.values())

    def add_nodes(self, elements: Sequence[C4Element]) -> None:
        """Write elements, each after the group around it."""
        wanted = set(elements)
        inner: dict[C4Element | None, list[C4Element]] = {}
        for element in elements:
            if element in self._own.stand_ins:
                continue
            inner.setdefault(element.parent if element.parent in wanted else None, []).append(element)
        waiting = [(element, None, 0) for element in inner.get(None, ())]
        groups: list[tuple[C4Element, NodeId | None, int]] = [*waiting]
        for element, group, depth in groups:  # grows during the iteration
            members = inner.get(element, ())
            if element.kind == "group" and not members and element not in self._own.ids:
                self._add_unread(element.name, "a group without elements is not kept")
                continue
            node_id = self._add_node(element, group, is_group=bool(members))
            around, within = (node_id, depth + 1) if depth < MAX_DEPTH else (group, depth)
            groups += [(member, around, within) for member in members]
        for stand_in, stood_for in self._own.stand_ins.items():
            if stood_for in self._ids:
                self._ids[stand_in] = self._ids[stood_for]

    def _add_node(self, element: C4Element, group: NodeId | None, *, is_group: bool) -> NodeId:
        original = element.original or element
        label = _line(element.name, MAX_LABEL) or "Unnamed"
        node: SparseNode = {
            "type": GROUP if is_group or element.kind == "group" else self._styles.type_of(element),
            "label": label,
        }
        description = _paragraphs(element.description or original.description)
        if description:
            node["description"] = description
        technology = _line(element.technology or original.technology, MAX_TECHNOLOGY)
        if technology:
            node["technology"] = technology
        color, border = self._styles.color_of(element), self._styles.border_of(element)
        if color:
            node["color"] = color
        if border:
            node["style"] = border
        kind = "" if element.kind == "group" else element.kind
        tags = [*original.tags, *(tag for tag in element.tags if tag not in original.tags)]
        properties = _properties(element, kind, tags, original.properties)
        if properties:
            node["properties"] = properties
        own = self._own.facts_of(element)
        if own:
            set_own_node_fields(node, element, own, self._own.ids[element])
        source = element.identifier or path_of(element, self._environment)
        own_id = self._own.ids.get(element)
        made = self._ids[element] = self.building.add_node(node, source, own_id=own_id, name=label, parent=group)
        return made

    def add_edges(self, relationships: Sequence[C4Relationship]) -> None:
        """Write relationships between what was written."""
        for relationship in relationships:
            source, target = self._ids.get(relationship.source), self._ids.get(relationship.target)
            description = " ".join(relationship.description.split())
            if source is None or target is None:
                self._add_unread(description, "an end of this relationship is not kept")
            elif source == target:
                self._add_unread(description, "both ends of this relationship are the same")
            else:
                self._add_edge(relationship, source, target, description)

    def _add_edge(self, relationship: C4Relationship, source: NodeId, target: NodeId, description: str) -> None:
        technology = " ".join(relationship.technology.split())
        full = f"{description} [{technology}]".lstrip() if technology else description
        label = _line(full, MAX_EDGE_LABEL)
        kind = "async" if is_asynchronous(relationship) else "sync"
        fields: SparseEdgeFields = {"kind": kind, "direction": "forward"}
        if label:
            fields["label"] = label
        if len(full) > MAX_EDGE_LABEL:
            fields["description"] = shorten_to(full, MAX_DESCRIPTION)
        color, style = self._styles.line_of(relationship)
        if color:
            fields["color"] = color
        if style:
            fields["style"] = style
        properties = _properties(relationship, "", relationship.tags, {})
        if properties:
            fields["properties"] = properties
        if self._own.is_own:
            set_own_edge_fields(fields, relationship)
        try:
            own_id = self._own.edge_id(relationship)
            self.building.add_edge((source, target), fields, relationship.identifier, own_id)
        except EdgeLeft as left:
            self._add_unread(full, left.reason)

    def add_refused_edges(self) -> None:
        """Write the edges of ours that Structurizr refuses, if their ends are still there."""
        nodes = self.building.nodes
        for own_id, facts in self._own.edges.items():
            begin, end = NodeId(facts["source"]), NodeId(facts["target"])
            if begin in nodes and end in nodes:
                with suppress(EdgeLeft):  # somebody has drawn the same
                    self.building.add_edge((begin, end), refused_edge_fields(facts), own_id=own_id)

    def _add_unread(self, text: str, reason: str) -> None:
        place = f"environment {self._environment}" if self._environment else "model"
        self.unread.append(UnreadPart(self._file, place, _line(text, MAX_NAME), reason))


def _properties(facts: C4Facts, kind: str, tags: Sequence[str], of_original: Mapping[str, str]) -> dict[str, str]:
    """Return what no field holds; properties of an element itself win over those of its original."""
    said = {KIND: kind, "tags": ", ".join(tags), "url": facts.url, **of_original, **facts.properties}
    return properties_within({_clean(key): _clean(value) for key, value in said.items()})


def _name(text: str) -> str:
    return _line(text, MAX_NAME)


def _line(text: str, most: int) -> str:
    """Return a text on one line, cut to a length."""
    return shorten_to(" ".join(_clean(text).split()), most)


def _paragraphs(text: str) -> str:
    return shorten_to(_clean(text).strip(), MAX_DESCRIPTION)


def _clean(text: str) -> str:
    return text.replace("\x00", "")


def _document_of(model: C4Model, images: KeptImages) -> str:
    """Return the description of the workspace and its pages, as far as there is room; images that they show are kept.

    Pages stand behind one another as they are; those of an element begin with its name. AsciiDoc is not read.
    """
    parts = []
    if model.description:
        title = " ".join(model.name.split()) or "Workspace"
        parts.append(f"# {title}\n\n{model.description.strip()}\n".replace("\x00", ""))
    room = DocumentRoom()
    for part in parts:
        room.take(part)
    for page in model.documents:
        text = _page_text(page)
        reason = room.reason_against(text)  # before it is read
        if not reason:
            text = _with_images(page, text, model, images)
            reason = room.reason_against(text)
        if reason:
            model.list_unread(page.file, "", "", reason)
        else:
            room.take(text)
            parts.append(text)
    return "\n".join(parts)


def _page_text(page: C4Document) -> str:
    text = page.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    text = text.strip("\n")
    if page.of is not None and not text.startswith("# "):
        text = f"# {' '.join(page.of.name.split())}\n\n{text}"
    return f"{text}\n"


def _with_images(page: C4Document, text: str, model: C4Model, images: KeptImages) -> str:
    """Return the text of a page with links to the images that came along."""

    def aim_of(address: str) -> str | None:
        path = path_from(page.file, address)
        return images.address(path, model.files[path]) if path in model.files else None

    return lead_links(text, aim_of)


class _InstanceConnections:
    """The relationships between the instances of an environment; `is_cut`: there are more than are looked at."""

    def __init__(self, model: C4Model, environment: C4Environment) -> None:
        self._model, self._environment = model, environment
        self._instances: dict[C4Element, list[C4Element]] = {}
        self._looks = 0
        self.is_cut = False
        for element in environment.elements:
            if element.original is not None:
                self._instances.setdefault(element.original, []).append(element)

    def relationships(self) -> list[C4Relationship]:
        """Return them, as many as a workspace may hold."""
        found = [] if self._environment.has_all else list(self._connections_of_instances())
        for relationship in self._environment.relationships:
            found += [
                replace(relationship, source=source, target=target)
                for source, target in self._pairs(relationship.source, relationship.target)
            ]
        self.is_cut = self.is_cut or len(found) > MAX_RELATIONSHIPS
        return found[:MAX_RELATIONSHIPS]

    def _connections_of_instances(self) -> Iterator[C4Relationship]:
        removed = {pair for ends in self._environment.removed for pair in self._pairs(*ends)}
        for relationship, source, target in self._relationships_of_originals():
            for one, other in self._pairs(source, target):
                if (one, other) not in removed and _shares_group(one, other):
                    yield replace(relationship, source=one, target=other, identifier="")

    def _relationships_of_originals(self) -> Iterator[tuple[C4Relationship, C4Element, C4Element]]:
        """Return relationships with the originals that they connect; an implied one only where there is none yet."""
        known: set[_Pair] = set()
        for relationship in self._model.relationships:
            source, target = self._deployed_around(relationship.source), self._deployed_around(relationship.target)
            if source is None or target is None or source is target:
                continue
            is_said = source is relationship.source and target is relationship.target
            if is_said or (self._model.is_implying and (source, target) not in known):
                known.add((source, target))
                yield relationship, source, target

    def _deployed_around(self, element: C4Element) -> C4Element | None:
        """Return the element, or the nearest around it that has instances; None if none has."""
        current: C4Element | None = element
        while current is not None and current not in self._instances:
            current = current.parent
        return current

    def _pairs(self, source: C4Element, target: C4Element) -> Iterator[_Pair]:
        """Return the instances of two elements, each with each; what has none stands for itself."""
        for one in self._instances.get(source, (source,)):
            for other in self._instances.get(target, (target,)):
                self._looks += 1
                if self._looks > _MAX_LOOKS:
                    self.is_cut = True
                    return
                if one is not other:
                    yield one, other


def _others_of(relationships: Sequence[C4Relationship], elements: Sequence[C4Element]) -> list[C4Element]:
    """Return the ends of relationships that are not among some elements."""
    known = set(elements)
    ends = (end for relationship in relationships for end in (relationship.source, relationship.target))
    return list(dict.fromkeys(end for end in ends if end not in known))


def _shares_group(one: C4Element, other: C4Element) -> bool:
    groups = one.deployment_groups, other.deployment_groups
    return groups == (frozenset(), frozenset()) or not groups[0].isdisjoint(groups[1])
