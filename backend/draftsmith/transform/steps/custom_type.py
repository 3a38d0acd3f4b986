"""The step on a type of nodes that a workspace has beside the built-in ones: define it, change it, remove it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from draftsmith.model.custom_types import CustomType
from draftsmith.model.ids import NodeId
from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps.base import BaseStep, Cell, Key, Pair
from draftsmith.transform.steps.shapes import TypeStep

_FIELDS = ("name", "base", "icon", "color")
_NEEDED = ("name", "base")


@dataclass(frozen=True, slots=True)
class SetType(BaseStep):
    """Set the definition of a type; None is that there is no such type."""

    id: str
    old: CustomType | None
    new: CustomType | None

    @property
    def key(self) -> Key:
        """The type."""
        return "type", self.id, 0

    def conflict(self, workspace: Workspace) -> str | None:
        """The old definition must be there."""
        if self._now(workspace) == self.old:
            return None
        return f"the type '{self.id}' has been changed since"

    def _now(self, workspace: Workspace) -> CustomType | None:
        return workspace.diagram.types.get(self.id)

    def write(self, workspace: Workspace) -> None:
        """Set it."""
        if self.new != self._now(workspace):
            workspace.diagram.set_type(self.id, self.new)

    def inverse(self) -> SetType:
        """Set it back."""
        return replace(self, old=self.new, new=self.old)

    def as_it_is_now(self, workspace: Workspace) -> SetType:
        """The same step over the definition that is there now."""
        return replace(self, old=self._now(workspace))

    @property
    def pairs(self) -> Mapping[str, Pair]:
        """The definition, as one field."""
        return {"": (self.old, self.new)}

    def without(self, fields: Container[str]) -> SetType | None:
        """Nothing, without its only field."""
        return None if "" in fields else self

    def named_nodes(self) -> tuple[NodeId, ...]:
        """None."""
        return ()

    def overwrites(self) -> Iterator[Cell]:
        """Of a definition that was there, the parts that change and held something; of one that is removed, all."""
        if self.old is None:
            return
        if self.new is None:
            yield "type", self.id, "*"
            return
        yield from (cell for cell in self.writes() if self.old.get(cell[2]))

    def writes(self) -> Iterator[Cell]:
        """That it exists, with a removal every part; otherwise the parts of its definition that change."""
        if self.old is None or self.new is None:
            yield "type", self.id, ""
            if self.new is None:
                yield "type", self.id, "*"
            return
        for field in _FIELDS:
            if self.old.get(field) != self.new.get(field):
                yield "type", self.id, field

    def needs(self) -> Iterator[Cell]:
        """The type, where it is changed."""
        if self.old is not None and self.new is not None:
            yield "type", self.id, ""

    def to_json(self) -> TypeStep:
        """`{k: "type", id, v: [old, new]}`."""
        return {"k": "type", "id": self.id, "v": (self.old, self.new)}


def read_type(shape: TypeStep) -> SetType:
    """Read `type`."""
    type_id, (old, new) = shape["id"], shape["v"]
    if not isinstance(type_id, str):
        raise TypeError("an id is a text")
    return SetType(type_id, _definition(old), _definition(new))


def _definition(shape: Any) -> CustomType | None:
    """Check what a log says, which is used as it is."""
    if shape is None:
        return None
    texts = isinstance(shape, dict) and all(isinstance(one, str) for one in shape.values())
    if not texts or not all(name in shape for name in _NEEDED):
        raise TypeError(f"no type is {shape!r}")
    found: CustomType = shape
    return found
