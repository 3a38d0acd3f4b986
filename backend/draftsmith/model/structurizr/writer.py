"""A diagram as a workspace of Structurizr DSL: a model of C4 with its views and styles.

Identifiers are our ids, and what C4 has no word for stands in properties that begin with `draftsmith.` (`own`), places
included, which Structurizr finds by itself. An edge between a node and a group that it stands in is a comment, since
Structurizr refuses such a relationship, and a property. Not here: the document.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Final

from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import NodeId, unique
from draftsmith.model.shapes import EdgeOut, NodeOut
from draftsmith.model.structurizr.levels import ModelElement, elements_of, groups_around, holders_of
from draftsmith.model.structurizr.own import (
    EXACT,
    GROUPS,
    INSIDE,
    LANDSCAPE,
    OF_EDGE,
    OF_GROUP,
    PREFIX,
    SEPARATOR,
    STAND_IN,
    TAGS_OF_KINDS,
    encoded_value,
    is_shown,
    plain_text,
    quoted_text,
    read_line,
    read_text,
)
from draftsmith.model.vocabulary import COLOR_STROKES
from draftsmith.model.workspace import diagram_json

_STAND_IN: Final = "_group"
_SHAPES: Final[Mapping[str, str]] = {
    "client": "Window", "web": "WebBrowser", "mobile": "MobileDevicePortrait", "user": "Person",
    "external": "Hexagon", "function": "Circle", "database": "Cylinder", "cache": "Cylinder", "storage": "Folder",
    "search": "Cylinder", "queue": "Pipe", "stream": "Pipe", "worker": "Component",
}  # fmt: skip
_LINES_OF_KINDS: Final[Mapping[str, str]] = {
    "Asynchronous": "style dashed", "Data": "thickness 4", "Dependency": "style dotted",
}  # fmt: skip
_HAS_TECHNOLOGY: Final = frozenset(("container", "component"))
_RESERVED: Final = frozenset(("this",))
_EMPTY: Final = ' ""'


def _without_empty_end(statement: str) -> str:
    while statement.endswith(_EMPTY):
        statement = statement.removesuffix(_EMPTY)
    return statement


def to_structurizr(name: str, diagram: Diagram) -> str:
    """Write a diagram as a workspace of that name.

    Elements and relationships stand in the order of the export form, so equal diagrams give equal text.
    """
    return "\n".join(_WorkspaceWriting(diagram).lines(name)) + "\n"


class _WorkspaceWriting:
    """Writes one workspace."""

    def __init__(self, diagram: Diagram) -> None:
        self._content = diagram_json(diagram)
        self._top = elements_of(self._content)
        self._all = list(_walk(self._top))
        self._identifiers = self._new_identifiers()
        self._holders = holders_of(self._content)
        self._groups = groups_around(self._top)

    def lines(self, name: str) -> Iterator[str]:
        """The whole, line by line."""
        yield f"workspace {quoted_text(name or 'Diagram')} {{"
        yield "    model {"
        yield from _properties(self._properties_of_model(), "        ")
        yield from self._element_lines()
        yield from self._relationship_lines()
        yield "    }"
        yield "    views {"
        yield from self._view_lines()
        yield from self._style_lines()
        yield "    }"
        yield "}"

    def _new_identifiers(self) -> Mapping[NodeId, str]:
        """What each node is called in relationships; a group that is no element, what stands for it there."""
        taken = {node["id"] for node in self._content["nodes"]} | _RESERVED
        found: dict[NodeId, str] = {}
        for element in self._all:
            own = element.node["id"]
            found[own] = own
            if element.keyword == "group":
                found[own] = unique(own + _STAND_IN, taken)
            elif own in _RESERVED:
                found[own] = unique(f"n_{own}", taken)
            taken.add(found[own])
        return found

    def _element_lines(self) -> Iterator[str]:
        """Elements and what stands in them. Walks without recursion."""
        open_blocks: list[Iterator[ModelElement]] = [iter(self._top)]
        while open_blocks:
            element = next(open_blocks[-1], None)
            indent = "    " * (len(open_blocks) + 1)
            if element is None:
                open_blocks.pop()
                if open_blocks:
                    yield indent[4:] + "}"
                continue
            if element.keyword == "group":
                yield f"{indent}group {quoted_text(_group_name(element))} {{"
                yield from self._stand_in(element, indent + "    ")
            else:
                yield f"{indent}{self._identifiers[element.node['id']]} = {self._statement(element)} {{"
                yield from _properties(self._properties_of(element), indent + "    ")
            open_blocks.append(iter(element.parts))

    def _stand_in(self, group: ModelElement, indent: str) -> Iterator[str]:
        """The element at which the edges of a group end that is none itself."""
        if group.stand_in:
            identifier = self._identifiers[group.node["id"]]
            yield f'{indent}{identifier} = component {quoted_text(group.stand_in)} "" "" "group" {{'
            own = {STAND_IN: group.node["id"], GROUPS: " ".join([*self._groups[group.node["id"]], group.node["id"]])}
            yield from _properties(_own_properties(own), indent + "    ")
            yield f"{indent}}}"

    def _statement(self, element: ModelElement) -> str:
        node = element.node
        words = [element.keyword, quoted_text(element.name), quoted_text(node["description"])]
        if element.keyword in _HAS_TECHNOLOGY:
            words.append(quoted_text(node["technology"]))
        tags = [node["type"], *([node["color"]] if node["color"] else [])]
        return " ".join([*words, quoted_text(",".join(tags))])

    def _properties_of_model(self) -> Mapping[str, str]:
        """The separator of names of groups, and what Structurizr has no place for: of groups and of refused edges."""
        found: dict[str, str] = {}
        for element in self._all:
            if element.keyword == "group":
                found["structurizr.groupSeparator"] = SEPARATOR
                node = element.node
                own = {**self._own_facts(element), **_exact(node["properties"], node["properties"])}
                found |= _own_properties(own, f"{OF_GROUP}{node['id']}.")
        for edge in self._content["edges"]:
            if self._is_refused(edge):
                ends = {"source": edge["source"], "target": edge["target"], "kind": edge["kind"]}
                own = {**ends, **_own_facts_of_edge(edge, ""), **_exact(edge["properties"], edge["properties"])}
                found |= _own_properties(own, f"{OF_EDGE}{edge['id']}.")
        return found

    def _is_refused(self, edge: EdgeOut) -> bool:
        return edge["source"] in self._holders[edge["target"]] or edge["target"] in self._holders[edge["source"]]

    def _properties_of(self, element: ModelElement) -> Mapping[str, str]:
        return {**_own_properties(self._own_facts(element)), **_with_exact(element.node["properties"])}

    def _own_facts(self, element: ModelElement) -> Mapping[str, str | None]:
        """What is not said of a node by its statement, by the names of fields."""
        node, is_group = element.node, element.keyword == "group"
        name = _group_name(element) if is_group else element.name
        has_description = not is_group and read_text(node["description"]) == node["description"]
        has_technology = element.keyword in _HAS_TECHNOLOGY and read_line(node["technology"]) == node["technology"]
        return {
            "id": "" if is_group or self._identifiers[node["id"]] == node["id"] else node["id"],
            "type": node["type"],
            "label": None if read_line(name) == node["label"] else node["label"],
            "description": "" if has_description else node["description"],
            "technology": "" if has_technology else node["technology"],
            "notes": node["notes"],
            "image": node["image"],
            "color": node["color"],
            "style": node["style"],
            GROUPS: "" if is_group else " ".join(self._groups[node["id"]]),
            **_place_of(node),
        }

    def _relationship_lines(self) -> Iterator[str]:
        used_ids = {*self._identifiers.values(), *_RESERVED}
        said: set[tuple[NodeId, NodeId, str]] = set()
        for edge in self._content["edges"]:
            source, target = edge["source"], edge["target"]
            label = " ".join(edge["label"].split())
            ends = f"{self._identifiers[source]} -> {self._identifiers[target]}"
            if self._is_refused(edge):
                yield f"        # {ends} {quoted_text(label)} is left out: one of them stands in the other"
                continue
            if (source, target, label.lower()) in said:
                label = f"{label} ({edge['kind']})".strip()
            said.add((source, target, label.lower()))
            has_identifier = edge["id"] not in used_ids
            identifier = f"{edge['id']} = " if has_identifier else ""
            used_ids.add(edge["id"])
            tags = [*_tags_for(TAGS_OF_KINDS, edge["kind"]), *([edge["color"]] if edge["color"] else [])]
            statement = f'        {identifier}{ends} {quoted_text(label)} "" {quoted_text(",".join(tags))}'
            own = {"id": "" if has_identifier else edge["id"], **_own_facts_of_edge(edge, label)}
            said_more = list(_properties({**_own_properties(own), **_with_exact(edge["properties"])}, "            "))
            yield from [f"{statement} {{", *said_more, "        }"] if said_more else [_without_empty_end(statement)]

    def _view_lines(self) -> Iterator[str]:
        def view(words: str) -> Iterator[str]:
            yield f"        {words} {{"
            yield "            include *"
            yield "            autoLayout lr"
            yield "        }"

        yield from view(f'systemLandscape "{LANDSCAPE}"')
        for element in self._all:
            has_parts = any(one.keyword != "group" or one.stand_in for one in _walk(element.parts))
            if has_parts and element.keyword == "softwareSystem":
                yield from view(f'container {self._identifiers[element.node["id"]]} "{INSIDE}{element.node["id"]}"')
            elif has_parts and element.keyword == "container":
                yield from view(f'component {self._identifiers[element.node["id"]]} "{INSIDE}{element.node["id"]}"')

    def _style_lines(self) -> Iterator[str]:
        types = {node["type"] for node in self._content["nodes"]}
        yield "        styles {"
        for node_type, shape in _SHAPES.items():
            if node_type in types:
                yield from _style("element", node_type, f"shape {shape}")
        for color, stroke in COLOR_STROKES.items():
            if any(node["color"] == color for node in self._content["nodes"]):
                yield from _style("element", color, f'stroke "{stroke}"')
            if any(edge["color"] == color for edge in self._content["edges"]):
                yield from _style("relationship", color, f'color "{stroke}"')
        for tag, line in _LINES_OF_KINDS.items():
            if any(TAGS_OF_KINDS.get(edge["kind"]) == tag for edge in self._content["edges"]):
                yield from _style("relationship", tag, line)
        yield "        }"


def _style(what: str, tag: str, said: str) -> Iterator[str]:
    yield f"            {what} {quoted_text(tag)} {{"
    yield f"                {said}"
    yield "            }"


def _walk(elements: Sequence[ModelElement]) -> Iterator[ModelElement]:
    """The elements and all in them, each before what is in it."""
    waiting = list(reversed(elements))
    while waiting:
        element = waiting.pop()
        yield element
        waiting.extend(reversed(element.parts))


def _group_name(group: ModelElement) -> str:
    return group.name.replace(SEPARATOR, "|")


def _own_facts_of_edge(edge: EdgeOut, label: str) -> Mapping[str, str | None]:
    """What is not said of an edge by its statement, in which it has that label."""
    bends = " ".join(f"{point['x']!r},{point['y']!r}" for point in edge["route"] or ())
    return {
        "kind": edge["kind"] if edge["kind"] != "sync" else "",
        "direction": edge["direction"] if edge["direction"] != "forward" else "",
        "label": edge["label"] if edge["label"] != read_line(label) else None,
        "description": edge["description"],
        "color": edge["color"],
        "style": edge["style"],
        "shape": edge["shape"],
        "route": bends,
        "route_by": edge["route_by"] or "",
        "label_at": "" if edge["label_at"] is None else repr(edge["label_at"]),
    }


def _place_of(node: NodeOut) -> Mapping[str, str]:
    place, size = node["position"], node["size"]
    return {
        "position": f"{place['x']!r},{place['y']!r}",
        "size": "" if size is None else f"{size['width']!r},{size['height']!r}",
        "locked": "yes" if node["locked"] else "",
    }


def _own_properties(own: Mapping[str, str | None], of: str = "") -> dict[str, str]:
    """Facts as properties of ours, without those that say nothing."""
    return {
        f"{PREFIX}{of}{name}": encoded_value(value)
        for name, value in own.items()
        if value or (value is not None and (name == "label" or name.startswith(EXACT)))
    }


def _exact(properties: Mapping[str, str], wanted: Container[str]) -> dict[str, str]:
    return {EXACT + encoded_value(key): value for key, value in properties.items() if key in wanted}


def _with_exact(properties: Mapping[str, str]) -> dict[str, str]:
    """Properties under their own names, and once more as they are where Structurizr changes or refuses them."""
    shown = {key: value for key, value in properties.items() if is_shown(key, value)}
    as_read = {plain_text(key).strip(): plain_text(value) for key, value in shown.items()}
    changed = {key for key, value in properties.items() if as_read.get(key) != value}
    return {**shown, **_own_properties(_exact(properties, changed))}


def _properties(said: Mapping[str, str], indent: str) -> Iterator[str]:
    """A block of properties."""
    if said:
        yield f"{indent}properties {{"
        for key, value in said.items():
            yield f"{indent}    {quoted_text(key.strip())} {quoted_text(value)}"
        yield f"{indent}}}"


def _tags_for(table: Mapping[str, str], key: str) -> Sequence[str]:
    return [table[key]] if key in table else []
