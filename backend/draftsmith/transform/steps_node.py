"""Steps on nodes: put in, take out, set fields (place and parent included)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from draftsmith.model.diagram import Diagram, field_of
from draftsmith.model.vocabulary import GROUP
from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps import (
    Pair,
    Step,
    birth_from_json,
    fields_from_json,
    id_from_json,
    pairs_from_json,
    reads,
    swapped,
)


def _parent_misfit(diagram: Diagram, parent: str | None, birth: int | None) -> str | None:
    if parent is None:
        return None
    group = diagram.node(parent)
    if group is None:
        return f"the group '{parent}' is gone"
    if group["birth"] != birth:
        return f"the group '{parent}' is another one than before"
    return None if group.get("type") == GROUP else f"'{parent}' is no group any more"


@dataclass(frozen=True, slots=True)
class AddNode:
    """Put a node in, with all its fields; `parent_birth` tells the group on record from a later one."""

    id: str
    birth: int
    fields: Mapping[str, Any]
    parent_birth: int | None

    def misfit(self, workspace: Workspace) -> str | None:
        """The id must be free and the group alive."""
        if self.id in workspace.diagram:
            return f"the id '{self.id}' is taken"
        return _parent_misfit(workspace.diagram, self.fields.get("parent"), self.parent_birth)

    def write(self, workspace: Workspace) -> None:
        """Put it in."""
        workspace.diagram.add_node(self.id, {**self.fields, "birth": self.birth})

    def inverse(self) -> Step:
        """Take it out."""
        return RemoveNode(self.id, self.birth, self.fields, self.parent_birth)

    def to_json(self) -> dict[str, Any]:
        """`{k: "node+", id, b: birth, n: fields, pb?: birth of the parent}`."""
        return _node_shape("node+", self)


@dataclass(frozen=True, slots=True)
class RemoveNode:
    """Take out a node that has neither edges nor children; its fields must be as on record."""

    id: str
    birth: int
    fields: Mapping[str, Any]
    parent_birth: int | None

    def misfit(self, workspace: Workspace) -> str | None:
        """The same incarnation, unchanged, with nothing left at it."""
        diagram = workspace.diagram
        now = diagram.node(self.id)
        if now is None or now["birth"] != self.birth:
            return f"the node '{self.id}' is gone"
        if diagram.degree(self.id):
            return f"the node '{self.id}' has edges"
        if diagram.has_children(self.id):
            return f"the group '{self.id}' is not empty"
        if now != {**self.fields, "birth": self.birth}:
            return f"the node '{self.id}' has been changed since"
        return None

    def write(self, workspace: Workspace) -> None:
        """Take it out."""
        workspace.diagram.remove_node(self.id)

    def inverse(self) -> Step:
        """Put it back."""
        return AddNode(self.id, self.birth, self.fields, self.parent_birth)

    def to_json(self) -> dict[str, Any]:
        """`{k: "node-", id, b: birth, n: fields, pb?: birth of the parent}`."""
        return _node_shape("node-", self)


@dataclass(frozen=True, slots=True)
class SetNode:
    """Set fields of a node. With `parent` among them, `parents` holds the births of the old and the new group."""

    id: str
    birth: int
    fields: Mapping[str, Pair]
    parents: tuple[int | None, int | None] = (None, None)

    def misfit(self, workspace: Workspace) -> str | None:
        """The same incarnation, every field as expected, no circle of groups."""
        diagram = workspace.diagram
        now = diagram.node(self.id)
        if now is None or now["birth"] != self.birth:
            return f"the node '{self.id}' is gone"
        for field, (old, _) in self.fields.items():
            if field_of(now, field) != old:
                return f"{_named(field)} of '{self.id}' has been changed since"
        if "type" in self.fields and now.get("type") == GROUP and diagram.has_children(self.id):
            return f"the group '{self.id}' is not empty"
        return self._containment_misfit(diagram)

    def _containment_misfit(self, diagram: Diagram) -> str | None:
        if "parent" not in self.fields:
            return None
        parent = self.fields["parent"][1]
        reason = _parent_misfit(diagram, parent, self.parents[1])
        if reason is None and parent is not None and (parent == self.id or self.id in diagram.ancestors(parent)):
            return f"the group '{self.id}' would stand in itself"
        return reason

    def write(self, workspace: Workspace) -> None:
        """Set them."""
        workspace.diagram.set_node(self.id, {field: new for field, (_, new) in self.fields.items()})

    def inverse(self) -> Step:
        """Set them back."""
        return replace(self, fields=swapped(self.fields), parents=self.parents[::-1])

    def to_json(self) -> dict[str, Any]:
        """`{k: "node=", id, b: birth, v: {field: [old, new]}, pb?: [old, new]}`."""
        shape: dict[str, Any] = {"k": "node=", "id": self.id, "b": self.birth, "v": self.fields}
        if "parent" in self.fields:
            shape["pb"] = self.parents
        return shape


def _node_shape(kind: str, step: AddNode | RemoveNode) -> dict[str, Any]:
    shape: dict[str, Any] = {"k": kind, "id": step.id, "b": step.birth, "n": step.fields}
    if step.parent_birth is not None:
        shape["pb"] = step.parent_birth
    return shape


def _named(field: str) -> str:
    return f"the property '{field[11:]}'" if field.startswith("properties.") else f"the {field}"


@reads("node+")
def _read_add(shape: Mapping[str, Any]) -> Step:
    return AddNode(*_read_node(shape))


@reads("node-")
def _read_remove(shape: Mapping[str, Any]) -> Step:
    return RemoveNode(*_read_node(shape))


def _read_node(shape: Mapping[str, Any]) -> tuple[str, int, Mapping[str, Any], int | None]:
    return id_from_json(shape["id"]), birth_from_json(shape["b"]), fields_from_json(shape["n"]), shape.get("pb")


@reads("node=")
def _read_set(shape: Mapping[str, Any]) -> Step:
    old, new = shape.get("pb", (None, None))
    return SetNode(id_from_json(shape["id"]), birth_from_json(shape["b"]), pairs_from_json(shape["v"]), (old, new))
