"""The step on the workspace itself: its name and its line ends."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from draftsmith.model.ids import NodeId
from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps.base import BaseStep, Cell, Key, Pair, replaced_fields
from draftsmith.transform.steps.shapes import NameStep


@dataclass(frozen=True, slots=True)
class Rename(BaseStep):
    """Set the workspace's name (`name`) or remembered line ends (`eol`)."""

    field: Literal["name", "eol"]
    old: str
    new: str

    key: ClassVar[Key] = ("workspace", "", 0)

    def conflict(self, workspace: Workspace) -> str | None:
        """The old value must be there."""
        if self._now(workspace) == self.old:
            return None
        return f"the {'name' if self.field == 'name' else 'line end'} has been changed since"

    def _now(self, workspace: Workspace) -> str:
        return workspace.name if self.field == "name" else workspace.document.eol

    def write(self, workspace: Workspace) -> None:
        """Set it."""
        if self.field == "name":
            workspace.name = self.new
        else:
            workspace.document.eol = self.new

    def inverse(self) -> Rename:
        """Set it back."""
        return replace(self, old=self.new, new=self.old)

    def as_it_is_now(self, workspace: Workspace) -> Rename:
        """The same step over the value that is there now."""
        return replace(self, old=self._now(workspace))

    @property
    def pairs(self) -> Mapping[str, Pair]:
        """The field."""
        return {self.field: (self.old, self.new)}

    def without(self, fields: Container[str]) -> Rename | None:
        """Nothing, without its only field."""
        return None if self.field in fields else self

    def named_nodes(self) -> tuple[NodeId, ...]:
        """None."""
        return ()

    def overwrites(self) -> Iterator[Cell]:
        """The field, if it holds something."""
        return (("workspace", "", field) for field in replaced_fields(self.pairs))

    def writes(self) -> Iterator[Cell]:
        """The field."""
        yield "workspace", "", self.field

    def to_json(self) -> NameStep:
        """`{k: "name" | "eol", v: [old, new]}`."""
        return {"k": self.field, "v": (self.old, self.new)}


def read_rename(shape: NameStep) -> Rename:
    """Read `name` and `eol`."""
    return Rename(shape["k"], shape["v"][0], shape["v"][1])
