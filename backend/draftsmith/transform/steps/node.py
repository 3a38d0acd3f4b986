"""Steps on nodes: insert, remove, set fields (position and parent included)."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, cast

from draftsmith.model.diagram import Diagram
from draftsmith.model.fields import NodeAttributes, field_of, without_birth
from draftsmith.model.ids import NodeId
from draftsmith.model.vocabulary import GROUP
from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps.base import (
    NO_PAIRS,
    BaseStep,
    Cell,
    Incarnation,
    Key,
    Pair,
    birth_from_json,
    check_fields,
    node_id_from_json,
    pairs_from_json,
    pairs_without,
    replaced_fields,
    swap_pairs,
)
from draftsmith.transform.steps.shapes import NodeFieldsStep, NodeStep

_PLACE = ("parent", "position")  # a position means nothing without the parent it is relative to


def _parent_conflict(diagram: Diagram, parent: NodeId | None, birth: int | None) -> str | None:
    if parent is None:
        return None
    group = diagram.node(parent)
    if group is None:
        return f"the group '{parent}' is gone"
    if group["birth"] != birth:
        return f"the group '{parent}' is another one than before"
    return None if group.get("type") == GROUP else f"'{parent}' is no group any more"


@dataclass(frozen=True, slots=True)
class _NodeStep(BaseStep):
    """What all steps on a node have."""

    id: NodeId
    birth: int

    @property
    def key(self) -> Key:
        """The node, with its birth."""
        return "node", self.id, self.birth

    @property
    def ids(self) -> tuple[NodeId, ...]:
        """The node."""
        return (self.id,)


@dataclass(frozen=True, slots=True)
class InsertNode(_NodeStep):
    """Insert a node with all its fields; `parent_birth` distinguishes its group from a later one with the same id."""

    fields: NodeAttributes
    parent_birth: int | None

    inserts: ClassVar[bool] = True
    pairs: ClassVar[Mapping[str, Pair]] = NO_PAIRS

    def conflict(self, workspace: Workspace) -> str | None:
        """The id must be free and the group alive."""
        if self.id in workspace.diagram:
            return f"the id '{self.id}' is taken"
        return _parent_conflict(workspace.diagram, self.fields.get("parent"), self.parent_birth)

    def write(self, workspace: Workspace) -> None:
        """Put it in."""
        workspace.diagram.add_node(self.id, {**self.fields, "birth": self.birth})

    def inverse(self) -> RemoveNode:
        """Take it out."""
        return RemoveNode(self.id, self.birth, self.fields, self.parent_birth)

    @property
    def new_parent(self) -> NodeId | None:
        """The group it comes into."""
        return self.fields.get("parent")

    @property
    def placed_node(self) -> NodeId:
        """The node."""
        return self.id

    def placed_at(self, position: Mapping[str, float]) -> InsertNode:
        """Insert it there."""
        return replace(self, fields={**self.fields, "position": position})

    @property
    def node_growth(self) -> int:
        """One more."""
        return 1

    def named_nodes(self) -> tuple[NodeId, ...]:
        """The group it comes into."""
        return () if self.new_parent is None else (self.new_parent,)

    def overwrites(self) -> Iterator[Cell]:
        """Nothing."""
        return iter(())

    def writes(self) -> Iterator[Cell]:
        """That it exists."""
        yield "node", self.id, ""

    def needs(self) -> Iterator[Cell]:
        """The group it comes into, and its custom type."""
        if self.new_parent is not None:
            yield "node", self.new_parent, ""
        if "custom_type" in self.fields:
            yield "type", self.fields["custom_type"], ""

    def touched_nodes(self, diagram: Diagram) -> list[NodeId]:
        """The group it comes into."""
        return [] if self.new_parent is None else [self.new_parent]

    def lock_put_on(self) -> Incarnation | None:
        """The node's, if it comes locked."""
        return (self.id, self.birth) if self.fields.get("locked") else None

    def to_json(self) -> NodeStep:
        """`{k: "node+", id, b: birth, n: fields, pb?: birth of the parent}`."""
        return _node_shape("node+", self)


@dataclass(frozen=True, slots=True)
class RemoveNode(_NodeStep):
    """Remove a node without edges and children; its fields must equal the recorded ones."""

    fields: NodeAttributes
    parent_birth: int | None

    removes: ClassVar[bool] = True
    pairs: ClassVar[Mapping[str, Pair]] = NO_PAIRS

    def conflict(self, workspace: Workspace) -> str | None:
        """The node must have the recorded birth and fields, and neither edges nor children."""
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

    def inverse(self) -> InsertNode:
        """Put it back."""
        return InsertNode(self.id, self.birth, self.fields, self.parent_birth)

    def as_it_is_now(self, workspace: Workspace) -> RemoveNode:
        """The same step with the node's current fields; births are kept, so it never fits another node."""
        diagram = workspace.diagram
        now = diagram.node(self.id)
        if now is None or now["birth"] != self.birth:
            return self
        return replace(self, fields=without_birth(now), parent_birth=diagram.group_birth(now.get("parent")))

    @property
    def removed_node(self) -> Incarnation:
        """The node."""
        return self.id, self.birth

    @property
    def node_growth(self) -> int:
        """One less."""
        return -1

    def named_nodes(self) -> tuple[NodeId, ...]:
        """The group it is in."""
        parent: NodeId | None = self.fields.get("parent")
        return () if parent is None else (parent,)

    def overwrites(self) -> Iterator[Cell]:
        """Every field."""
        yield "node", self.id, "*"

    def writes(self) -> Iterator[Cell]:
        """That it exists, and with it every field."""
        yield "node", self.id, ""
        yield "node", self.id, "*"

    def touched_nodes(self, diagram: Diagram) -> list[NodeId]:
        """The node."""
        return [self.id]

    def to_json(self) -> NodeStep:
        """`{k: "node-", id, b: birth, n: fields, pb?: birth of the parent}`."""
        return _node_shape("node-", self)


@dataclass(frozen=True, slots=True)
class SetNode(_NodeStep):
    """Set fields of a node. With `parent` among them, `parents` holds the births of the old and the new group."""

    fields: Mapping[str, Pair]
    parents: tuple[int | None, int | None] = (None, None)

    def conflict(self, workspace: Workspace) -> str | None:
        """The node must have the recorded birth and old values; groups must not form a cycle."""
        diagram = workspace.diagram
        now = self.current(diagram)
        if now is None:
            return f"the node '{self.id}' is gone"
        for field, (old, _) in self.fields.items():
            if field_of(now, field) != old:
                return f"{_field_name(field)} of '{self.id}' has been changed since"
        if "type" in self.fields and now.get("type") == GROUP and diagram.has_children(self.id):
            return f"the group '{self.id}' is not empty"
        return self._containment_conflict(diagram)

    def _containment_conflict(self, diagram: Diagram) -> str | None:
        if "parent" not in self.fields:
            return None
        parent = self.fields["parent"][1]
        reason = _parent_conflict(diagram, parent, self.parents[1])
        if reason is None and parent is not None and (parent == self.id or self.id in diagram.ancestors(parent)):
            return f"the group '{self.id}' would stand in itself"
        return reason

    def write(self, workspace: Workspace) -> None:
        """Set them."""
        workspace.diagram.set_node(self.id, {field: new for field, (_, new) in self.fields.items()})

    def inverse(self) -> SetNode:
        """Set them back."""
        return replace(self, fields=swap_pairs(self.fields), parents=self.parents[::-1])

    def current(self, diagram: Diagram) -> NodeAttributes | None:
        """The current fields of the node; None if it was removed or has another birth."""
        now = diagram.node(self.id)
        return now if now is not None and now["birth"] == self.birth else None

    def with_fields(self, diagram: Diagram, fields: Mapping[str, Pair]) -> SetNode:
        """The step with other fields: recorded births for the new group, current ones for the old group."""
        if "parent" not in fields:
            return replace(self, fields=fields, parents=(None, None))
        return replace(self, fields=fields, parents=(diagram.group_birth(fields["parent"][0]), self.parents[1]))

    @property
    def pairs(self) -> Mapping[str, Pair]:
        """All its fields."""
        return self.fields

    def without(self, fields: Container[str]) -> SetNode | None:
        """Set the others."""
        left = pairs_without(self.fields, fields)
        return replace(self, fields=left) if left else None

    @property
    def tied_fields(self) -> tuple[str, ...]:
        """Fields of it that are set together or not at all."""
        return tuple(name for name in _PLACE if name in self.fields) if "parent" in self.fields else ()

    @property
    def new_parent(self) -> NodeId | None:
        """The group it is moved to."""
        parent: NodeId | None = self.fields["parent"][1] if "parent" in self.fields else None
        return parent

    @property
    def moved_node(self) -> NodeId | None:
        """The node, if its place is set."""
        return None if self.fields.keys().isdisjoint(_PLACE) else self.id

    @property
    def placed_node(self) -> NodeId | None:
        """The node, if its position is set."""
        return self.id if "position" in self.fields else None

    def placed_at(self, position: Mapping[str, float]) -> SetNode:
        """Set that position."""
        return replace(self, fields={**self.fields, "position": (self.fields["position"][0], position)})

    def named_nodes(self) -> tuple[NodeId, ...]:
        """The group it leaves and the one it is moved to."""
        return tuple(parent for parent in self.fields.get("parent", ()) if parent is not None)

    def overwrites(self) -> Iterator[Cell]:
        """Each field that holds something."""
        return (("node", self.id, field) for field in replaced_fields(self.fields))

    def writes(self) -> Iterator[Cell]:
        """Each field."""
        for field in self.fields:
            yield "node", self.id, field

    def needs(self) -> Iterator[Cell]:
        """The node, the group it is moved to, and the custom type that it gets."""
        yield "node", self.id, ""
        if self.new_parent is not None:
            yield "node", self.new_parent, ""
        new_type = self.fields["custom_type"][1] if "custom_type" in self.fields else None
        if new_type is not None:
            yield "type", new_type, ""

    def frees(self) -> Iterator[Cell]:
        """The group it leaves."""
        if "parent" in self.fields and self.fields["parent"][0] is not None:
            yield "inside", self.fields["parent"][0], ""

    def touched_nodes(self, diagram: Diagram) -> list[NodeId]:
        """The node and the group it is moved to."""
        return [self.id] if self.new_parent is None else [self.id, self.new_parent]

    def guarding_nodes(self, diagram: Diagram) -> list[NodeId]:
        """As `touched_nodes`, but the node's own lock does not prevent unlocking it."""
        touched = self.touched_nodes(diagram)
        if "locked" not in self.fields:
            return touched
        parent = diagram.parent(self.id) if self.id in diagram else None
        return [one for one in (*touched, parent) if one is not None and one != self.id]

    def lock_put_on(self) -> Incarnation | None:
        """The node's, if it is locked."""
        return (self.id, self.birth) if "locked" in self.fields and self.fields["locked"][1] else None

    def to_json(self) -> NodeFieldsStep:
        """`{k: "node=", id, b: birth, v: {field: [old, new]}, pb?: [old, new]}`."""
        shape: NodeFieldsStep = {"k": "node=", "id": self.id, "b": self.birth, "v": self.fields}
        if "parent" in self.fields:
            shape["pb"] = self.parents
        return shape


def _node_shape(kind: Literal["node+", "node-"], step: InsertNode | RemoveNode) -> NodeStep:
    shape: NodeStep = {"k": kind, "id": step.id, "b": step.birth, "n": step.fields}
    if step.parent_birth is not None:
        shape["pb"] = step.parent_birth
    return shape


def _field_name(field: str) -> str:
    return f"the property '{field[11:]}'" if field.startswith("properties.") else f"the {field}"


def read_add(shape: NodeStep) -> InsertNode:
    """Read `node+`."""
    return InsertNode(*_read_node(shape))


def read_remove(shape: NodeStep) -> RemoveNode:
    """Read `node-`."""
    return RemoveNode(*_read_node(shape))


def _read_node(shape: NodeStep) -> tuple[NodeId, int, NodeAttributes, int | None]:
    check_fields(shape["n"])
    return (
        node_id_from_json(shape["id"]),
        birth_from_json(shape["b"]),
        cast(NodeAttributes, shape["n"]),
        shape.get("pb"),
    )


def read_set(shape: NodeFieldsStep) -> SetNode:
    """Read `node=`."""
    old, new = shape.get("pb", (None, None))
    return SetNode(node_id_from_json(shape["id"]), birth_from_json(shape["b"]), pairs_from_json(shape["v"]), (old, new))
