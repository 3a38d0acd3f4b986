"""A diagram as plain dictionaries that are copied whole, and what is left of it when a commit is taken back.

A commit is no list of steps here but two diagrams, before and after. Taking it back looks at each thing in which they
differ: a node or an edge that came, one that went, and fields that changed. Whatever of it still fits is done, until
nothing more does. Groups, locks and routes are not here.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Fields = dict[str, Any]

NODE = {"type": "service", "label": "", "description": "", "technology": "", "notes": "", "properties": {},
        "position": {"x": 0, "y": 0}, "size": None, "parent": None, "locked": False}  # fmt: skip
EDGE = {"label": "", "kind": "sync", "direction": "forward", "description": "", "properties": {}, "route": None}
# Fields of an edge that are taken back together where they cannot all be.
_PARTS = ({"source", "target"}, {"label", "kind"})


class Refused(Exception):
    """An operation does not fit."""


@dataclass
class Diagram:
    """Nodes and edges by id, each with all its fields and `birth`, the commit that made it; the workspace's name."""

    name: str = ""
    nodes: dict[str, Fields] = field(default_factory=dict)
    edges: dict[str, Fields] = field(default_factory=dict)

    def copy(self) -> Diagram:
        """A diagram of its own."""
        return copy.deepcopy(self)

    def shown(self) -> dict[str, Any]:
        """What anybody can read of it."""
        return {
            "name": self.name,
            "nodes": {key: _without_births(one) for key, one in self.nodes.items()},
            "edges": {key: _without_births(one) for key, one in self.edges.items()},
        }

    def edges_at(self, node: str) -> list[str]:
        """The edges that begin or end at a node."""
        return [key for key, one in self.edges.items() if node in (one["source"], one["target"])]

    def births_of_ends(self, edge: Fields) -> list[int]:
        """The births of the nodes at both ends."""
        return [self.nodes[edge[end]]["birth"] for end in ("source", "target")]

    def has_equal(self, edge: Fields, besides: str) -> bool:
        """Whether another edge has the same ends, label and kind."""
        return any(_identity(one) == _identity(edge) for key, one in self.edges.items() if key != besides)

    # -- operations --------------------------------------------------------------------------------------------------

    def do(self, op: Mapping[str, Any], revision: int) -> None:
        """Carry out an operation.

        Raises:
            Refused: it does not fit.
        """
        getattr(self, f"_{op['op']}")({key: value for key, value in op.items() if key != "op"}, revision)

    def _add_node(self, op: Fields, revision: int) -> None:
        key = op.pop("id")
        if key in self.nodes:
            raise Refused
        self.nodes[key] = {**copy.deepcopy(NODE), **op, "birth": revision}

    def _update_node(self, op: Fields, revision: int) -> None:
        node = self._node(op.pop("id"))
        _patch(node, op)

    def _move_nodes(self, op: Fields, revision: int) -> None:
        for key, position in op["positions"].items():
            self._node(key)["position"] = dict(position)

    def _delete_node(self, op: Fields, revision: int) -> None:
        self._node(op["id"])
        for key in self.edges_at(op["id"]):
            del self.edges[key]
        del self.nodes[op["id"]]

    def _add_edge(self, op: Fields, revision: int) -> None:
        key = op.pop("id")
        edge = {**copy.deepcopy(EDGE), **op, "birth": revision}
        if key in self.edges:
            raise Refused
        self._put(key, edge)

    def _update_edge(self, op: Fields, revision: int) -> None:
        key = op.pop("id")
        edge = copy.deepcopy(self._edge(key))
        _patch(edge, op)
        self._put(key, edge)

    def _rewire_edge(self, op: Fields, revision: int) -> None:
        edge = copy.deepcopy(self._edge(op["id"]))
        edge |= {end: op[f"new_{end}"] for end in ("source", "target") if f"new_{end}" in op}
        self._put(op["id"], edge)

    def _delete_edge(self, op: Fields, revision: int) -> None:
        self._edge(op["id"])
        del self.edges[op["id"]]

    def _rename_workspace(self, op: Fields, revision: int) -> None:
        self.name = op["name"]

    def _put(self, key: str, edge: Fields) -> None:
        self._node(edge["source"])
        self._node(edge["target"])
        if edge["source"] == edge["target"] or self.has_equal(edge, key):
            raise Refused
        self.edges[key] = edge

    def _node(self, key: str) -> Fields:
        if key not in self.nodes:
            raise Refused
        return self.nodes[key]

    def _edge(self, key: str) -> Fields:
        if key not in self.edges:
            raise Refused
        return self.edges[key]


@dataclass
class Left:
    """What was not taken back: ids that have to be told, and ids that may be, since it is so already."""

    told: list[str] = field(default_factory=list)
    may_tell: list[str] = field(default_factory=list)


def take_back(now: Diagram, before: Diagram, after: Diagram, *, force: bool) -> Left:
    """Take back, in place, what led from one diagram to another, as far as it fits."""
    left = Left()
    waiting = [*_things(now, before, after, left, force)]
    while done := [one for one in waiting if one[1]()]:
        waiting = [one for one in waiting if one not in done]
    left.told += [key for key, _ in waiting]
    return left


def _things(
    now: Diagram, before: Diagram, after: Diagram, left: Left, force: bool
) -> Iterator[tuple[str, Callable[[], bool]]]:
    """Each thing that a commit changed, with what tries to take it back and says whether it could."""
    for what in ("edges", "nodes"):
        old, new = getattr(before, what), getattr(after, what)
        for key in new:
            if _birth(new, key) != _birth(old, key):
                yield from _removal(now, what, key, new[key], left, force)
    if before.name != after.name:
        if now.name == after.name or force:
            now.name = before.name
        else:
            (left.may_tell if now.name == before.name else left.told).append("the name")
    for what in ("nodes", "edges"):
        old, new = getattr(before, what), getattr(after, what)
        for key in old:
            if _birth(new, key) != _birth(old, key):
                yield from _return(now, before, what, key, old[key], left)
            elif old[key] != new[key]:
                yield from _fields(now, before, what, key, _changes(old[key], new[key]), left, force)


def _removal(
    now: Diagram, what: str, key: str, made: Fields, left: Left, force: bool
) -> Iterator[tuple[str, Callable[[], bool]]]:
    """A node or an edge that the commit made goes, if it is as the commit left it and nothing hangs on it."""
    things = getattr(now, what)
    if _birth(things, key) != made["birth"]:
        left.may_tell.append(key)
        return

    def attempt() -> bool:
        if (things[key] != made and not force) or (what == "nodes" and now.edges_at(key)):
            return False
        del things[key]
        return True

    yield key, attempt


def _return(
    now: Diagram, before: Diagram, what: str, key: str, gone: Fields, left: Left
) -> Iterator[tuple[str, Callable[[], bool]]]:
    """A node or an edge that the commit deleted comes back, if its id is free and its ends are the same as then."""
    things = getattr(now, what)
    if _birth(things, key) == gone["birth"]:
        left.may_tell.append(key)
        return

    def attempt() -> bool:
        if key in things:
            return False
        if what == "edges":
            ends = [_birth(now.nodes, gone[end]) for end in ("source", "target")]
            if ends != before.births_of_ends(gone) or now.has_equal(gone, key):
                return False
        things[key] = copy.deepcopy(gone)
        return True

    yield key, attempt


def _fields(
    now: Diagram, before: Diagram, what: str, key: str, changed: Mapping[str, Any], left: Left, force: bool
) -> Iterator[tuple[str, Callable[[], bool]]]:
    """Fields that the commit set are set back where nobody has set them since; some of them together or not at all."""
    things = getattr(now, what)
    one = things.get(key)
    if one is None or one["birth"] != getattr(before, what)[key]["birth"]:

        def attempt() -> bool:
            return False  # unless the same commit brings it back, which it cannot: it only changed it

        yield key, attempt
        return
    wanted: Fields = {}
    for name, (old, new) in changed.items():
        current = _value(one, name)
        if current == old:
            left.may_tell.append(key)
        elif current == new or force:
            wanted[name] = old
        else:
            left.told.append(key)
    ends = {"source", "target"} & changed.keys()
    if not ends <= wanted.keys() | {name for name in ends if _value(one, name) == changed[name][0]}:
        left.told += [key for name in ends if wanted.pop(name, None) is not None]
    parts = [{name: wanted[name] for name in part if name in wanted} for part in _PARTS]
    parts.append({name: value for name, value in wanted.items() if not any(name in part for part in _PARTS)})
    yield from ((key, _setting(now, before, what, key, part)) for part in parts if part)


def _setting(now: Diagram, before: Diagram, what: str, key: str, values: Fields) -> Callable[[], bool]:
    def attempt() -> bool:
        new = copy.deepcopy(getattr(now, what)[key])
        for name, value in values.items():
            _set(new, name, value)
        if what == "edges":
            for end in {"source", "target"} & values.keys():
                if _birth(now.nodes, values[end]) != before.nodes[values[end]]["birth"]:
                    return False
            if new["source"] == new["target"] or now.has_equal(new, key):
                return False
        getattr(now, what)[key] = new
        return True

    return attempt


def _changes(old: Fields, new: Fields) -> dict[str, tuple[Any, Any]]:
    names = [name for name in old if name != "properties"]
    names += [f"properties.{name}" for name in old["properties"].keys() | new["properties"].keys()]
    pairs = {name: (_value(old, name), _value(new, name)) for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def _value(fields: Fields, name: str) -> Any:
    return fields["properties"].get(name[11:]) if name.startswith("properties.") else fields[name]


def _set(fields: Fields, name: str, value: Any) -> None:
    if not name.startswith("properties."):
        fields[name] = value
    elif value is None:
        fields["properties"].pop(name[11:], None)
    else:
        fields["properties"][name[11:]] = value


def _patch(fields: Fields, op: Mapping[str, Any]) -> None:
    for name, value in op.items():
        if name != "properties":
            fields[name] = "" if value is None else value
            continue
        for key, text in value.items():
            _set(fields, f"properties.{key}", text)


def _birth(things: Mapping[str, Fields], key: str) -> int | None:
    return things[key]["birth"] if key in things else None


def _identity(edge: Fields) -> tuple[Any, ...]:
    return edge["source"], edge["target"], edge["label"], edge["kind"]


def _without_births(fields: Fields) -> Fields:
    return {name: value for name, value in fields.items() if name != "birth"}
