"""What the nodes of a diagram are in the C4 model: people, systems, containers, components, and groups of these.

C4 has three levels that hold one another, and a diagram as many as it likes. A group is a system where it stands alone,
a container in a system; deeper ones are groups of components, which hold them but are no end of a relationship. A group
of people or other companies' systems, at which no edge ends, is a group as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from draftsmith.model.ids import NodeId
from draftsmith.model.shapes import DiagramOut, NodeOut
from draftsmith.model.vocabulary import GROUP

Keyword = Literal["person", "softwareSystem", "container", "component", "group"]
_KEYWORDS: Final[Sequence[Keyword]] = ("softwareSystem", "container", "component")
_OUTSIDE: Final = frozenset(("user", "external"))


@dataclass(slots=True)
class ModelElement:
    """A node as an element of a model.

    Attributes:
        node: what it is in the diagram.
        keyword: of the statement.
        name: as its neighbours of the same level are not called.
        stand_in: of a group that is no element: what the element is called that stands for it, as the end of edges, or
            since nothing else is in it; empty for none.
        parts: what stands in it.
    """

    node: NodeOut
    keyword: Keyword
    name: str = ""
    stand_in: str = ""
    parts: list[ModelElement] = field(default_factory=list)


def elements_of(diagram: DiagramOut) -> Sequence[ModelElement]:
    """The elements that stand in no other, with all that is in them, in the order of the diagram."""
    members: dict[NodeId | None, list[NodeOut]] = {}
    for node in diagram["nodes"]:
        members.setdefault(node["parent"], []).append(node)
    ends = {end for edge in diagram["edges"] for end in (edge["source"], edge["target"])}
    top: list[ModelElement] = []
    # What is to be made, where it goes, its level, and the names that are taken there.
    names_at_top = _Names()
    waiting = [(node, top, 0, names_at_top) for node in members.get(None, ())]
    for node, around, level, names in waiting:  # grows during the iteration
        inner = members.get(node["id"], ())
        element = ModelElement(node, _keyword(node, inner, level, node["id"] in ends))
        element.name = names.free_name(node, "group" if element.keyword == "group" else "element")
        if element.keyword == "group" and (node["id"] in ends or not inner):
            element.stand_in = names.free_name(node, "element")
        around.append(element)
        if element.keyword == "group":
            # The elements in a group share names with those around it, groups do not.
            own = names.inside_group()
            waiting += [(one, element.parts, level, own) for one in inner]
        elif inner:
            own = _Names()
            waiting += [(one, element.parts, level + 1, own) for one in inner]
    return top


def holders_of(diagram: DiagramOut) -> Mapping[NodeId, frozenset[NodeId]]:
    """All groups around each node, with which it cannot have a relationship."""
    found: dict[NodeId, frozenset[NodeId]] = {}
    parents = {node["id"]: node["parent"] for node in diagram["nodes"]}
    for start in parents:
        way: list[NodeId] = []
        current: NodeId | None = start
        while current is not None and current not in found:
            way.append(current)
            current = parents[current]
        for one in reversed(way):
            parent = parents[one]
            found[one] = frozenset() if parent is None else found[parent] | {parent}
    return found


def groups_around(top: Sequence[ModelElement]) -> Mapping[NodeId, Sequence[NodeId]]:
    """For each node the groups around it that are no elements, from the outermost, up to the next element."""
    found: dict[NodeId, Sequence[NodeId]] = {}
    waiting: list[tuple[ModelElement, Sequence[NodeId]]] = [(one, ()) for one in top]
    for element, around in waiting:  # grows during the iteration
        own = element.node["id"]
        found[own] = around
        inside = (*around, own) if element.keyword == "group" else ()
        waiting += [(one, inside) for one in element.parts]
    return found


def _keyword(node: NodeOut, inner: Sequence[NodeOut], level: int, is_end: bool) -> Keyword:
    if node["type"] != GROUP:
        return "person" if node["type"] == "user" and level == 0 else _KEYWORDS[level]
    if level == len(_KEYWORDS) - 1:
        return "group"
    is_outside = any(one["type"] in _OUTSIDE for one in inner)
    return "group" if level == 0 and is_outside and not is_end else _KEYWORDS[level]


class _Names:
    """Names that are taken: elements of one level may not be called alike, nor groups of one place."""

    def __init__(self, elements: set[str] | None = None) -> None:
        self._elements: set[str] = set() if elements is None else elements
        self._groups: set[str] = set()

    def inside_group(self) -> _Names:
        """Those in a group of this place."""
        return _Names(self._elements)

    def free_name(self, node: NodeOut, kind: Literal["element", "group"]) -> str:
        """What a node is called, with its id where that is taken; takes it."""
        taken = self._groups if kind == "group" else self._elements
        label = " ".join(node["label"].split()) or node["id"]
        name = label if label.lower() not in taken else f"{label} ({node['id']})"
        taken.add(name.lower())
        return name
