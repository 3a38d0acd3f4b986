"""Steps on edges: put in, take out, set fields (ends included)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from draftsmith.model.diagram import Diagram, field_of
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

Births = tuple[int, int]


def _end_misfit(diagram: Diagram, node_id: str, birth: int) -> str | None:
    node = diagram.node(node_id)
    if node is None:
        return f"the node '{node_id}' is gone"
    return None if node["birth"] == birth else f"the node '{node_id}' is another one than before"


@dataclass(frozen=True, slots=True)
class AddEdge:
    """Put an edge in; `ends` are the births of source and target."""

    id: str
    birth: int
    source: str
    target: str
    ends: Births
    fields: Mapping[str, Any]

    def misfit(self, workspace: Workspace) -> str | None:
        """The id must be free, both ends alive, no equal edge there."""
        diagram = workspace.diagram
        if diagram.ends(self.id) is not None:
            return f"the id '{self.id}' is taken"
        reason = _end_misfit(diagram, self.source, self.ends[0]) or _end_misfit(diagram, self.target, self.ends[1])
        if reason is not None:
            return reason
        return _equal_misfit(diagram, self.source, self.target, self.fields, "")

    def write(self, workspace: Workspace) -> None:
        """Put it in."""
        workspace.diagram.add_edge(self.id, self.source, self.target, {**self.fields, "birth": self.birth})

    def inverse(self) -> Step:
        """Take it out."""
        return RemoveEdge(self.id, self.birth, self.source, self.target, self.ends, self.fields)

    def to_json(self) -> dict[str, Any]:
        """`{k: "edge+", id, b: birth, s: source, t: target, eb: [births of the ends], e: fields}`."""
        return _edge_shape("edge+", self)


@dataclass(frozen=True, slots=True)
class RemoveEdge:
    """Take out an edge whose ends and fields are as on record."""

    id: str
    birth: int
    source: str
    target: str
    ends: Births
    fields: Mapping[str, Any]

    def misfit(self, workspace: Workspace) -> str | None:
        """The same incarnation, unchanged."""
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

    def inverse(self) -> Step:
        """Put it back."""
        return AddEdge(self.id, self.birth, self.source, self.target, self.ends, self.fields)

    def to_json(self) -> dict[str, Any]:
        """`{k: "edge-", id, b: birth, s: source, t: target, eb: [births of the ends], e: fields}`."""
        return _edge_shape("edge-", self)


@dataclass(frozen=True, slots=True)
class SetEdge:
    """Set fields of an edge; `source` and `target` move its ends, `old_ends` and `new_ends` are the births there."""

    id: str
    birth: int
    fields: Mapping[str, Pair]
    old_ends: Births | None = None
    new_ends: Births | None = None

    def misfit(self, workspace: Workspace) -> str | None:
        """The same incarnation, every field as expected, new ends alive, no equal edge."""
        diagram = workspace.diagram
        now, ends = diagram.edge(self.id), diagram.ends(self.id)
        if now is None or ends is None or now["birth"] != self.birth:
            return f"the edge '{self.id}' is gone"
        values = {**now, "source": ends[0], "target": ends[1]}
        for field, (old, _) in self.fields.items():
            if field_of(values, field) != old:
                return f"the {field} of edge '{self.id}' has been changed since"
        for field, (_, new) in self.fields.items():
            if not field.startswith("properties."):
                values[field] = new
        return self._ends_misfit(diagram, values)

    def _ends_misfit(self, diagram: Diagram, values: Mapping[str, Any]) -> str | None:
        source, target = values["source"], values["target"]
        if self.new_ends is not None:
            reason = _end_misfit(diagram, source, self.new_ends[0]) or _end_misfit(diagram, target, self.new_ends[1])
            if reason is not None:
                return reason
            if source == target:
                return f"the edge '{self.id}' would begin and end at '{source}'"
        if self.fields.keys().isdisjoint(("source", "target", "label", "kind")):
            return None
        return _equal_misfit(diagram, source, target, values, self.id)

    def write(self, workspace: Workspace) -> None:
        """Set them."""
        workspace.diagram.set_edge(self.id, {field: new for field, (_, new) in self.fields.items()})

    def inverse(self) -> Step:
        """Set them back."""
        return replace(self, fields=swapped(self.fields), old_ends=self.new_ends, new_ends=self.old_ends)

    def to_json(self) -> dict[str, Any]:
        """`{k: "edge=", id, b: birth, v: {field: [old, new]}, eb?: [old births, new births]}`."""
        shape: dict[str, Any] = {"k": "edge=", "id": self.id, "b": self.birth, "v": self.fields}
        if self.new_ends is not None:
            shape["eb"] = [self.old_ends, self.new_ends]
        return shape


def _equal_misfit(diagram: Diagram, source: str, target: str, fields: Mapping[str, Any], besides: str) -> str | None:
    label, kind = fields.get("label") or "", fields.get("kind") or "sync"
    equal = diagram.equal_edge(source, target, label, kind, besides)
    return None if equal is None else f"the edge '{equal}' is the same: {source} to {target}, '{label}', {kind}"


def _edge_shape(kind: str, step: AddEdge | RemoveEdge) -> dict[str, Any]:
    ends = {"s": step.source, "t": step.target, "eb": step.ends}
    return {"k": kind, "id": step.id, "b": step.birth, **ends, "e": step.fields}


@reads("edge+")
def _read_add(shape: Mapping[str, Any]) -> Step:
    return AddEdge(*_read_edge(shape))


@reads("edge-")
def _read_remove(shape: Mapping[str, Any]) -> Step:
    return RemoveEdge(*_read_edge(shape))


def _read_edge(shape: Mapping[str, Any]) -> tuple[str, int, str, str, Births, Mapping[str, Any]]:
    edge_id, source, target = (id_from_json(shape[name]) for name in ("id", "s", "t"))
    return edge_id, birth_from_json(shape["b"]), source, target, _births(shape["eb"]), fields_from_json(shape["e"])


@reads("edge=")
def _read_set(shape: Mapping[str, Any]) -> Step:
    ends = shape.get("eb")
    old, new = (None, None) if ends is None else (_births(ends[0]), _births(ends[1]))
    return SetEdge(id_from_json(shape["id"]), birth_from_json(shape["b"]), pairs_from_json(shape["v"]), old, new)


def _births(shape: Any) -> Births:
    return shape[0], shape[1]
