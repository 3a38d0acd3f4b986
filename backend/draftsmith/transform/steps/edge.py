"""Steps on edges: insert, remove, set fields (ends included)."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, cast

from draftsmith.model.diagram import Diagram
from draftsmith.model.fields import EdgeAttributes, SparseEdge, SparseEdgeFields, field_of, without_birth
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps.base import (
    NO_PAIRS,
    BaseStep,
    Cell,
    EdgeIdentity,
    Key,
    Pair,
    birth_from_json,
    check_fields,
    edge_id_from_json,
    node_id_from_json,
    pairs_from_json,
    pairs_without,
    replaced_fields,
    swap_pairs,
)
from draftsmith.transform.steps.shapes import EdgeFieldsStep, EdgeStep

Births = tuple[int, int]
_ENDS = ("source", "target")
_IDENTITY = (("source", None), ("target", None), ("label", ""), ("kind", "sync"))  # field, what an absent one means
_IDENTIFYING = frozenset(name for name, _ in _IDENTITY)


def _ends_conflict(diagram: Diagram, source: NodeId, target: NodeId, births: Births) -> str | None:
    for node_id, birth in ((source, births[0]), (target, births[1])):
        node = diagram.node(node_id)
        if node is None:
            return f"the node '{node_id}' is gone"
        if node["birth"] != birth:
            return f"the node '{node_id}' is another one than before"
    return None


@dataclass(frozen=True, slots=True)
class _EdgeStep(BaseStep):
    """What all steps on an edge have."""

    id: EdgeId
    birth: int

    @property
    def key(self) -> Key:
        """The edge, with its birth."""
        return "edge", self.id, self.birth

    @property
    def ids(self) -> tuple[EdgeId, ...]:
        """The edge."""
        return (self.id,)


@dataclass(frozen=True, slots=True)
class InsertEdge(_EdgeStep):
    """Insert an edge; `ends` are the births of source and target."""

    source: NodeId
    target: NodeId
    ends: Births
    fields: EdgeAttributes

    inserts: ClassVar[bool] = True
    pairs: ClassVar[Mapping[str, Pair]] = NO_PAIRS

    def conflict(self, workspace: Workspace) -> str | None:
        """The id must be free, both ends alive, no equal edge there."""
        diagram = workspace.diagram
        if diagram.ends(self.id) is not None:
            return f"the id '{self.id}' is taken"
        reason = _ends_conflict(diagram, self.source, self.target, self.ends)
        if reason is not None:
            return reason
        return _equal_conflict(diagram, self.source, self.target, self.fields)

    def write(self, workspace: Workspace) -> None:
        """Put it in."""
        workspace.diagram.add_edge(self.id, self.source, self.target, {**self.fields, "birth": self.birth})

    def inverse(self) -> RemoveEdge:
        """Take it out."""
        return RemoveEdge(self.id, self.birth, self.source, self.target, self.ends, self.fields)

    def writes(self) -> Iterator[Cell]:
        """That it exists."""
        yield "edge", self.id, ""

    def needs(self) -> Iterator[Cell]:
        """Both ends."""
        yield "node", self.source, ""
        yield "node", self.target, ""

    @property
    def placed_edge(self) -> EdgeId | None:
        """The edge."""
        return self.id

    def named_nodes(self) -> tuple[NodeId, ...]:
        """Both ends."""
        return self.source, self.target

    def overwrites(self) -> Iterator[Cell]:
        """Nothing."""
        return iter(())

    def identity_made(self) -> EdgeIdentity:
        """The whole."""
        return _identity(self)

    def to_json(self) -> EdgeStep:
        """`{k: "edge+", id, b: birth, s: source, t: target, eb: [births of the ends], e: fields}`."""
        return _edge_shape("edge+", self)


@dataclass(frozen=True, slots=True)
class RemoveEdge(_EdgeStep):
    """Remove an edge whose ends and fields equal the recorded ones."""

    source: NodeId
    target: NodeId
    ends: Births
    fields: EdgeAttributes

    removes: ClassVar[bool] = True
    pairs: ClassVar[Mapping[str, Pair]] = NO_PAIRS

    def conflict(self, workspace: Workspace) -> str | None:
        """The edge must have the recorded birth, ends and fields."""
        now = workspace.diagram.edge(self.id)
        if now is None or now["birth"] != self.birth:
            return f"the edge '{self.id}' is gone"
        same_ends = workspace.diagram.ends(self.id) == (self.source, self.target)
        if not same_ends or now != {**self.fields, "birth": self.birth}:
            return f"the edge '{self.id}' has been changed since"
        return None

    def write(self, workspace: Workspace) -> None:
        """Take it out."""
        workspace.diagram.remove_edge(self.id)

    def inverse(self) -> InsertEdge:
        """Put it back."""
        return InsertEdge(self.id, self.birth, self.source, self.target, self.ends, self.fields)

    def as_it_is_now(self, workspace: Workspace) -> RemoveEdge:
        """The same step with the edge's current ends and fields; births are kept, as for nodes."""
        diagram = workspace.diagram
        now, ends = diagram.edge(self.id), diagram.ends(self.id)
        if now is None or ends is None or now["birth"] != self.birth:
            return self
        births = diagram.birth(ends[0]), diagram.birth(ends[1])
        return replace(self, source=ends[0], target=ends[1], ends=births, fields=without_birth(now))

    def writes(self) -> Iterator[Cell]:
        """That it exists, and with it every field."""
        yield "edge", self.id, ""
        yield "edge", self.id, "*"

    def frees(self) -> Iterator[Cell]:
        """Both ends."""
        yield "node", self.source, "*edges"
        yield "node", self.target, "*edges"

    @property
    def routed_edge(self) -> EdgeId | None:
        """The edge, if it has a route."""
        return self.id if "route" in self.fields else None

    def ends_given_up(self) -> tuple[EdgeId, Mapping[str, NodeId]]:
        """Both ends."""
        return self.id, {"source": self.source, "target": self.target}

    def named_nodes(self) -> tuple[NodeId, ...]:
        """Both ends."""
        return self.source, self.target

    def overwrites(self) -> Iterator[Cell]:
        """Every field."""
        yield "edge", self.id, "*"

    def identity_given_up(self) -> EdgeIdentity:
        """The whole."""
        return _identity(self)

    def touched_nodes(self, diagram: Diagram) -> list[NodeId]:
        """Both ends."""
        return list(diagram.ends(self.id) or ())

    def to_json(self) -> EdgeStep:
        """`{k: "edge-", id, b: birth, s: source, t: target, eb: [births of the ends], e: fields}`."""
        return _edge_shape("edge-", self)


@dataclass(frozen=True, slots=True)
class SetEdge(_EdgeStep):
    """Set fields of an edge; `source` and `target` move its ends, `old_ends` and `new_ends` are the births there."""

    fields: Mapping[str, Pair]
    old_ends: Births | None = None
    new_ends: Births | None = None

    def conflict(self, workspace: Workspace) -> str | None:
        """The edge must have the recorded birth and old values; new ends must exist, and no equal edge."""
        diagram = workspace.diagram
        values = self.current(diagram)
        if values is None:
            return f"the edge '{self.id}' is gone"
        for field, (old, _) in self.fields.items():
            if field_of(values, field) != old:
                return f"the {field} of edge '{self.id}' has been changed since"
        changed = {field: new for field, (_, new) in self.fields.items() if not field.startswith("properties.")}
        return self._identity_conflict(diagram, cast(SparseEdge, {**values, **changed}))

    def _identity_conflict(self, diagram: Diagram, values: SparseEdge) -> str | None:
        source, target = values["source"], values["target"]
        if self.new_ends is not None:
            reason = _ends_conflict(diagram, source, target, self.new_ends)
            if reason is not None:
                return reason
            if source == target:
                return f"the edge '{self.id}' would begin and end at '{source}'"
        if self.fields.keys().isdisjoint(("source", "target", "label", "kind")):
            return None
        return _equal_conflict(diagram, source, target, values, self.id)

    def write(self, workspace: Workspace) -> None:
        """Set them."""
        workspace.diagram.set_edge(self.id, {field: new for field, (_, new) in self.fields.items()})

    def inverse(self) -> SetEdge:
        """Set them back."""
        return replace(self, fields=swap_pairs(self.fields), old_ends=self.new_ends, new_ends=self.old_ends)

    def current(self, diagram: Diagram) -> SparseEdge | None:
        """The current fields of the edge, ends included; None if it was removed or has another birth."""
        now, ends = diagram.edge(self.id), diagram.ends(self.id)
        if now is None or ends is None or now["birth"] != self.birth:
            return None
        return cast(SparseEdge, {**now, "source": ends[0], "target": ends[1]})

    def with_fields(self, diagram: Diagram, fields: Mapping[str, Pair]) -> SetEdge:
        """The step with other fields: recorded births for the new ends, current ones for the old ends."""
        ends = diagram.ends(self.id)
        if ends is None or self.new_ends is None or fields.keys().isdisjoint(_ENDS):
            return replace(self, fields=fields, old_ends=None, new_ends=None)
        now = diagram.birth(ends[0]), diagram.birth(ends[1])
        source = self.new_ends[0] if "source" in fields else now[0]
        target = self.new_ends[1] if "target" in fields else now[1]
        return replace(self, fields=fields, old_ends=now, new_ends=(source, target))

    @property
    def pairs(self) -> Mapping[str, Pair]:
        """All its fields, ends included."""
        return self.fields

    def without(self, fields: Container[str]) -> SetEdge | None:
        """Set the others."""
        left = pairs_without(self.fields, fields)
        return replace(self, fields=left) if left else None

    @property
    def tied_fields(self) -> tuple[str, ...]:
        """Fields that are set together or not at all: both ends and the route."""
        ends = tuple(name for name in _ENDS if name in self.fields)
        return (*ends, "route") if ends and "route" in self.fields else ends

    @property
    def placed_edge(self) -> EdgeId | None:
        """The edge, if it gets a route."""
        return self.id if "route" in self.fields and self.fields["route"][1] else None

    @property
    def routed_edge(self) -> EdgeId | None:
        """The edge, if its route is set or dropped."""
        return self.id if "route" in self.fields else None

    def ends_given_up(self) -> tuple[EdgeId, Mapping[str, NodeId]] | None:
        """The ends that it moves; None if it moves none."""
        old = {end: self.fields[end][0] for end in _ENDS if end in self.fields}
        return (self.id, old) if old else None

    def named_nodes(self) -> tuple[NodeId, ...]:
        """The ends it leaves and its new ones."""
        return tuple(node_id for end in _ENDS for node_id in self.fields.get(end, ()))

    def overwrites(self) -> Iterator[Cell]:
        """Each field that holds something."""
        return (("edge", self.id, field) for field in replaced_fields(self.fields))

    @property
    def only_drops_route(self) -> bool:
        """Whether it does nothing else."""
        return self.fields.keys() == {"route"} and self.fields["route"][1] is None

    def writes(self) -> Iterator[Cell]:
        """Each field."""
        for field in self.fields:
            yield "edge", self.id, field

    def needs(self) -> Iterator[Cell]:
        """The edge and its new ends."""
        yield "edge", self.id, ""
        for end in _ENDS:
            if end in self.fields:
                yield "node", self.fields[end][1], ""

    def frees(self) -> Iterator[Cell]:
        """The ends it leaves."""
        for end in _ENDS:
            if end in self.fields:
                yield "node", self.fields[end][0], "*edges"

    def identity_made(self) -> EdgeIdentity | None:
        """What it says of it."""
        return self._identity(1)

    def identity_given_up(self) -> EdgeIdentity | None:
        """What it says of it."""
        return self._identity(0)

    def _identity(self, which: int) -> EdgeIdentity | None:
        """Before (0) or after (1); None if it sets other fields."""
        if _IDENTIFYING.isdisjoint(self.fields):
            return None
        source, target, label, kind = (
            self.fields[name][which] or absent if name in self.fields else None for name, absent in _IDENTITY
        )
        births = (self.old_ends, self.new_ends)[which] or (None, None)
        return source, target, label, kind, *births

    def touched_nodes(self, diagram: Diagram) -> list[NodeId]:
        """Both ends, as they are before."""
        return list(diagram.ends(self.id) or ())

    def to_json(self) -> EdgeFieldsStep:
        """`{k: "edge=", id, b: birth, v: {field: [old, new]}, eb?: [old births, new births]}`."""
        shape: EdgeFieldsStep = {"k": "edge=", "id": self.id, "b": self.birth, "v": self.fields}
        if self.new_ends is not None:
            shape["eb"] = (self.old_ends, self.new_ends)
        return shape


def _equal_conflict(
    diagram: Diagram, source: NodeId, target: NodeId, fields: SparseEdgeFields, besides: EdgeId | None = None
) -> str | None:
    label, kind = fields.get("label") or "", fields.get("kind") or "sync"
    equal = diagram.equal_edge(source, target, label, kind, besides)
    return None if equal is None else f"the edge '{equal}' is the same: {source} to {target}, '{label}', {kind}"


def _identity(step: InsertEdge | RemoveEdge) -> EdgeIdentity:
    label, kind = step.fields.get("label") or "", step.fields.get("kind") or "sync"
    return step.source, step.target, label, kind, *step.ends


def _edge_shape(kind: Literal["edge+", "edge-"], step: InsertEdge | RemoveEdge) -> EdgeStep:
    return {
        "k": kind, "id": step.id, "b": step.birth, "s": step.source, "t": step.target, "eb": step.ends,
        "e": step.fields,
    }  # fmt: skip


def read_add(shape: EdgeStep) -> InsertEdge:
    """Read `edge+`."""
    return InsertEdge(*_read_edge(shape))


def read_remove(shape: EdgeStep) -> RemoveEdge:
    """Read `edge-`."""
    return RemoveEdge(*_read_edge(shape))


def _read_edge(shape: EdgeStep) -> tuple[EdgeId, int, NodeId, NodeId, Births, EdgeAttributes]:
    check_fields(shape["e"])
    source, target = node_id_from_json(shape["s"]), node_id_from_json(shape["t"])
    ends, fields = _births(shape["eb"]), cast(EdgeAttributes, shape["e"])
    return edge_id_from_json(shape["id"]), birth_from_json(shape["b"]), source, target, ends, fields


def read_set(shape: EdgeFieldsStep) -> SetEdge:
    """Read `edge=`."""
    ends = shape.get("eb")
    old, new = (None, None) if ends is None else (_births(ends[0]), _births(ends[1]))
    return SetEdge(edge_id_from_json(shape["id"]), birth_from_json(shape["b"]), pairs_from_json(shape["v"]), old, new)


def _births(shape: Any) -> Births:
    return shape[0], shape[1]
