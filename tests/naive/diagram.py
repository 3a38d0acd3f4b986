"""A diagram as plain dictionaries that are copied whole, and the operations on it.

Positions are given with every operation that needs one. Locks, routes and layout are not here.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Fields = dict[str, Any]

NODE = {"type": "service", "custom_type": None, "label": "", "description": "", "technology": "", "notes": "",
        "image": "", "color": "", "style": "", "properties": {}, "position": {"x": 0, "y": 0}, "size": None,
        "parent": None, "locked": False}  # fmt: skip
EDGE = {"label": "", "kind": "sync", "direction": "forward", "description": "", "color": "", "style": "",
        "properties": {}, "shape": "", "route": None, "route_by": None, "label_at": None}  # fmt: skip


KNOWN = ("add_node", "update_node", "delete_node", "delete_nodes", "move_nodes", "move_to_group", "ungroup_nodes",
         "add_edge", "update_edge", "rewire_edge", "delete_edge", "define_type", "delete_type",
         "rename_workspace")  # fmt: skip
"""The operations that can be carried out here."""


class Refused(Exception):
    """An operation does not fit."""


@dataclass
class Diagram:
    """Nodes and edges by id, each with all its fields and `birth`, the commit that made it; name and own types."""

    name: str = ""
    nodes: dict[str, Fields] = field(default_factory=dict)
    edges: dict[str, Fields] = field(default_factory=dict)
    types: dict[str, Fields] = field(default_factory=dict)

    def copy(self) -> Diagram:
        """A diagram of its own."""
        return copy.deepcopy(self)

    def shown(self) -> dict[str, Any]:
        """What anybody can read of it."""
        return {
            "name": self.name,
            "types": self.types,
            "nodes": {key: _without_births(one) for key, one in self.nodes.items()},
            "edges": {key: _without_births(one) for key, one in self.edges.items()},
        }

    def edges_at(self, node: str) -> list[str]:
        """The edges that begin or end at a node."""
        return [key for key, one in self.edges.items() if node in (one["source"], one["target"])]

    def children(self, group: str) -> list[str]:
        """The nodes that stand in a group."""
        return [key for key, one in self.nodes.items() if one["parent"] == group]

    def is_inside(self, node: str, group: str | None) -> bool:
        """Whether a node is this group, or stands in it, at whatever depth."""
        above: str | None = node
        while above is not None and above != group:
            above = self.nodes[above]["parent"]
        return above is not None

    def birth(self, node: str | None) -> int | None:
        """The commit that made a node; None if there is none."""
        return birth_in(self.nodes, node)

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
        self._check_group(op.get("parent"))
        self.nodes[key] = {**copy.deepcopy(NODE), **op, **self._chosen(op["type"]), "birth": revision}

    def _update_node(self, op: Fields, revision: int) -> None:
        node = self._node(op.pop("id"))
        if "type" in op and node["type"] == "group":
            raise Refused
        _patch(node, op)
        if "type" in op:
            node |= self._chosen(op["type"])

    def _move_nodes(self, op: Fields, revision: int) -> None:
        for key, position in op["positions"].items():
            self._node(key)["position"] = dict(position)

    def _move_to_group(self, op: Fields, revision: int) -> None:
        self._check_group(op["group"])
        for key in op["ids"]:
            self._node(key)
            if any(self.is_inside(key, other) for other in op["ids"] if other != key):
                raise Refused
        for key in op["ids"]:
            node = self._node(key)
            if op["group"] is not None and self.is_inside(op["group"], key):
                raise Refused
            node |= {"parent": op["group"], "position": dict(op["positions"][key])}

    def _delete_node(self, op: Fields, revision: int) -> None:
        node = self._node(op["id"])
        for key in self.children(op["id"]):
            child = self.nodes[key]
            place = {axis: child["position"][axis] + node["position"][axis] for axis in "xy"}
            child |= {"parent": node["parent"], "position": place}
        for key in self.edges_at(op["id"]):
            del self.edges[key]
        del self.nodes[op["id"]]

    def _delete_nodes(self, op: Fields, revision: int) -> None:
        for key in op["ids"]:
            self._delete_node({"id": key}, revision)

    def _ungroup_nodes(self, op: Fields, revision: int) -> None:
        self._check_group(op["id"])
        self._delete_node(op, revision)

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

    def _define_type(self, op: Fields, revision: int) -> None:
        key, base = op["id"], op["type"]
        if any(one["name"] == op["label"] for other, one in self.types.items() if other != key):
            raise Refused
        old = self.types.get(key, {"base": base})["base"]
        looks = {"icon": op.get("technology"), "color": op.get("color")}
        self.types[key] = {"name": op["label"], "base": base} | {name: one for name, one in looks.items() if one}
        for node in self.nodes.values():
            if (node["custom_type"], node["type"]) == (key, old):
                node["type"] = base

    def _delete_type(self, op: Fields, revision: int) -> None:
        if op["id"] not in self.types:
            raise Refused
        del self.types[op["id"]]
        for node in self.nodes.values():
            if node["custom_type"] == op["id"]:
                node["custom_type"] = None

    def _chosen(self, name: str) -> Fields:
        """The fields that say of which type a node is."""
        known = self.types.get(name)
        return {"type": name, "custom_type": None} if known is None else {"type": known["base"], "custom_type": name}

    def _rename_workspace(self, op: Fields, revision: int) -> None:
        self.name = op["name"]

    def _put(self, key: str, edge: Fields) -> None:
        self._node(edge["source"])
        self._node(edge["target"])
        if edge["source"] == edge["target"] or self.has_equal(edge, key):
            raise Refused
        self.edges[key] = edge

    def _check_group(self, key: str | None) -> None:
        if key is not None and self._node(key)["type"] != "group":
            raise Refused

    def _node(self, key: str) -> Fields:
        if key not in self.nodes:
            raise Refused
        return self.nodes[key]

    def _edge(self, key: str) -> Fields:
        if key not in self.edges:
            raise Refused
        return self.edges[key]


def _patch(fields: Fields, op: Mapping[str, Any]) -> None:
    for name, value in op.items():
        if name != "properties":
            fields[name] = "" if value is None and name != "size" else value
            continue
        for key, text in (dict.fromkeys(fields[name]) if value is None else value).items():
            set_value(fields, f"properties.{key}", text)


def value_of(fields: Fields, name: str) -> Any:
    """A field, or one property as `properties.<key>`."""
    return fields["properties"].get(name[11:]) if name.startswith("properties.") else fields[name]


def set_value(fields: Fields, name: str, value: Any) -> None:
    """Set a field, or one property as `properties.<key>`; None removes a property."""
    if not name.startswith("properties."):
        fields[name] = value
    elif value is None:
        fields["properties"].pop(name[11:], None)
    else:
        fields["properties"][name[11:]] = value


def birth_in(things: Mapping[str, Fields], key: str | None) -> int | None:
    """The commit that made a node or an edge; None if there is none of this id."""
    return things[key]["birth"] if key in things else None


def _identity(edge: Fields) -> tuple[Any, ...]:
    return edge["source"], edge["target"], edge["label"], edge["kind"]


def _without_births(fields: Fields) -> Fields:
    hidden = ("birth", *(() if fields.get("custom_type") else ("custom_type",)))
    return {name: value for name, value in fields.items() if name not in hidden}
