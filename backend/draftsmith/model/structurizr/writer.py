"""A diagram as a workspace of Structurizr DSL: a model of C4 with its views and styles.

Identifiers are our ids, and what C4 has no word for stands in properties that begin with `draftsmith.`. An edge
between a node and a group that it stands in is a comment, since Structurizr refuses such a relationship. Not here:
places, which Structurizr finds by itself; the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import NodeId, unique
from draftsmith.model.shapes import EdgeOut
from draftsmith.model.structurizr.levels import ModelElement, elements_of, holders_of
from draftsmith.model.vocabulary import COLOR_STROKES
from draftsmith.model.workspace import diagram_json

PREFIX: Final = "draftsmith."
_SEPARATOR: Final = "¦"
_STAND_IN: Final = "_group"
_SHAPES: Final[Mapping[str, str]] = {
    "client": "Window", "web": "WebBrowser", "mobile": "MobileDevicePortrait", "user": "Person",
    "external": "Hexagon", "function": "Circle", "database": "Cylinder", "cache": "Cylinder", "storage": "Folder",
    "search": "Cylinder", "queue": "Pipe", "stream": "Pipe", "worker": "Component",
}  # fmt: skip
_TAGS_OF_KINDS: Final[Mapping[str, str]] = {"async": "Asynchronous", "data": "Data", "dependency": "Dependency"}
_LINES_OF_KINDS: Final[Mapping[str, str]] = {
    "Asynchronous": "style dashed", "Data": "thickness 4", "Dependency": "style dotted",
}  # fmt: skip
_HAS_TECHNOLOGY: Final = frozenset(("container", "component"))
_RESERVED: Final = frozenset(("this",))
# What a backslash before a letter, a quotation mark or another one means to Structurizr is no backslash.
_ESCAPE = re.compile(r'\\(?=["\\n\n]|\Z)')
_SUBSTITUTION = re.compile(r"\$(?=\{)")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\u0085\u2028\u2029]")
# Alone in quotation marks, too, Structurizr takes them for those of a block.
_BRACES: Final = frozenset(("{", "}", "{}"))
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

    def lines(self, name: str) -> Iterator[str]:
        """The whole, line by line."""
        yield f"workspace {_quoted_text(name or 'Diagram')} {{"
        yield "    model {"
        if any(one.keyword == "group" for one in self._all):
            yield "        properties {"
            yield f'            "structurizr.groupSeparator" "{_SEPARATOR}"'
            yield "        }"
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
                yield f"{indent}group {_quoted_text(element.name.replace(_SEPARATOR, '|'))} {{"
                yield from self._stand_in(element, indent + "    ")
            else:
                yield f"{indent}{self._identifiers[element.node['id']]} = {self._statement(element)} {{"
                yield from _properties(self._properties_of(element), indent + "    ")
            open_blocks.append(iter(element.parts))

    def _stand_in(self, group: ModelElement, indent: str) -> Iterator[str]:
        """The element at which the edges of a group end that is none itself."""
        if group.stand_in:
            identifier = self._identifiers[group.node["id"]]
            yield f'{indent}{identifier} = component {_quoted_text(group.stand_in)} "" "" "group" {{'
            yield from _properties(self._properties_of(group), indent + "    ")
            yield f"{indent}}}"

    def _statement(self, element: ModelElement) -> str:
        node = element.node
        words = [element.keyword, _quoted_text(element.name), _quoted_text(node["description"])]
        if element.keyword in _HAS_TECHNOLOGY:
            words.append(_quoted_text(node["technology"]))
        tags = [node["type"], *([node["color"]] if node["color"] else [])]
        return " ".join([*words, _quoted_text(",".join(tags))])

    def _properties_of(self, element: ModelElement) -> Mapping[str, str]:
        node = element.node
        own = {
            "type": node["type"],
            "label": node["label"] if node["label"] != (element.stand_in or element.name) else "",
            "technology": "" if element.keyword in _HAS_TECHNOLOGY else node["technology"],
            "notes": node["notes"],
            "color": node["color"],
            "style": node["style"],
        }
        return {**{PREFIX + key: value for key, value in own.items()}, **node["properties"]}

    def _relationship_lines(self) -> Iterator[str]:
        holders = holders_of(self._content)
        used_ids = {*self._identifiers.values(), *_RESERVED}
        said: set[tuple[NodeId, NodeId, str]] = set()
        for edge in self._content["edges"]:
            source, target = edge["source"], edge["target"]
            label = " ".join(edge["label"].split())
            ends = f"{self._identifiers[source]} -> {self._identifiers[target]}"
            if source in holders[target] or target in holders[source]:
                yield f"        # {ends} {_quoted_text(label)} is left out: one of them stands in the other"
                continue
            if (source, target, label.lower()) in said:
                label = f"{label} ({edge['kind']})".strip()
            said.add((source, target, label.lower()))
            identifier = f"{edge['id']} = " if edge["id"] not in used_ids else ""
            used_ids.add(edge["id"])
            tags = [*_tags_for(_TAGS_OF_KINDS, edge["kind"]), *([edge["color"]] if edge["color"] else [])]
            statement = f'        {identifier}{ends} {_quoted_text(label)} "" {_quoted_text(",".join(tags))}'
            said_more = list(_properties(_properties_of_edge(edge, label), "            "))
            yield from [f"{statement} {{", *said_more, "        }"] if said_more else [_without_empty_end(statement)]

    def _view_lines(self) -> Iterator[str]:
        def view(words: str) -> Iterator[str]:
            yield f"        {words} {{"
            yield "            include *"
            yield "            autoLayout lr"
            yield "        }"

        yield from view('systemLandscape "landscape"')
        for element in self._all:
            has_parts = any(one.keyword != "group" or one.stand_in for one in _walk(element.parts))
            if has_parts and element.keyword == "softwareSystem":
                yield from view(f'container {self._identifiers[element.node["id"]]} "inside-{element.node["id"]}"')
            elif has_parts and element.keyword == "container":
                yield from view(f'component {self._identifiers[element.node["id"]]} "inside-{element.node["id"]}"')

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
            if any(_TAGS_OF_KINDS.get(edge["kind"]) == tag for edge in self._content["edges"]):
                yield from _style("relationship", tag, line)
        yield "        }"


def _style(what: str, tag: str, said: str) -> Iterator[str]:
    yield f"            {what} {_quoted_text(tag)} {{"
    yield f"                {said}"
    yield "            }"


def _walk(elements: Sequence[ModelElement]) -> Iterator[ModelElement]:
    """The elements and all in them, each before what is in it."""
    waiting = list(reversed(elements))
    while waiting:
        element = waiting.pop()
        yield element
        waiting.extend(reversed(element.parts))


def _properties_of_edge(edge: EdgeOut, label: str) -> Mapping[str, str]:
    own = {
        "kind": edge["kind"] if edge["kind"] != "sync" else "",
        "direction": edge["direction"] if edge["direction"] != "forward" else "",
        "label": edge["label"] if edge["label"] != label else "",
        "description": edge["description"],
        "color": edge["color"],
        "style": edge["style"],
        "shape": edge["shape"],
    }
    return {**{PREFIX + key: value for key, value in own.items()}, **edge["properties"]}


def _properties(said: Mapping[str, str], indent: str) -> Iterator[str]:
    """A block of properties, without those that say nothing, which Structurizr refuses."""
    kept = {key.strip(): value for key, value in said.items() if key.strip() and value.strip()}
    if kept:
        yield f"{indent}properties {{"
        for key, value in kept.items():
            yield f"{indent}    {_quoted_text(key)} {_quoted_text(value)}"
        yield f"{indent}}}"


def _tags_for(table: Mapping[str, str], key: str) -> Sequence[str]:
    return [table[key]] if key in table else []


def _quoted_text(text: str) -> str:
    """A text in quotation marks, in which nothing is read as an escape or replaced by something else."""
    clean = _CONTROL.sub(" ", text.replace("\r\n", "\n"))
    plain = _SUBSTITUTION.sub("$ ", _ESCAPE.sub("/", clean))
    plain += " " if plain in _BRACES else ""
    return '"' + plain.replace('"', '\\"').replace("\n", "\\n") + '"'
