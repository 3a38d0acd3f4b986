"""Steps: the smallest applied changes; resolved, exact, invertible. Only this package makes them.

A step says what was there before as well as what comes, so it can be checked against the state it meets (`misfit`),
inverted without that state, and written into the log as JSON. Checks are structural only (ids live with the birth on
record, the parent is alive, no circle of groups, no equal edge, nothing left behind on a delete, fields as expected);
rules that may change between releases are judged before a step is made and never when a log is replayed.

JSON, discriminator `k`: `node+`, `node-`, `node=`, `edge+`, `edge-`, `edge=`, `text`, `name`, `eol`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from draftsmith.model.workspace import Workspace

Pair = tuple[Any, Any]  # (old, new); None where the field is absent


class StepMisfit(Exception):
    """A step does not fit the state it met; the state is as it was. `reason` is a sentence."""

    def __init__(self, step: Step, reason: str) -> None:
        super().__init__(reason)
        self.step, self.reason = step, reason


class Step(Protocol):
    """One applied change."""

    def misfit(self, workspace: Workspace) -> str | None:
        """Why it does not fit, as a sentence; None if it does."""
        ...

    def write(self, workspace: Workspace) -> None:
        """Change the workspace; the step has been checked to fit."""
        ...

    def inverse(self) -> Step:
        """The step that leads back."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        ...


def apply(step: Step, workspace: Workspace) -> None:
    """Check and write one step.

    Raises:
        StepMisfit: it does not fit; nothing has changed.
    """
    reason = step.misfit(workspace)
    if reason is not None:
        raise StepMisfit(step, reason)
    step.write(workspace)


def take_back(steps: Sequence[Step], workspace: Workspace) -> None:
    """Undo steps that are applied, newest first."""
    for step in reversed(steps):
        step.inverse().write(workspace)


@dataclass(frozen=True, slots=True)
class Rename:
    """Set the workspace's name (`name`) or remembered line ends (`eol`)."""

    field: str
    old: str
    new: str

    def misfit(self, workspace: Workspace) -> str | None:
        """The old value must be there."""
        now = workspace.name if self.field == "name" else workspace.document.eol
        if now == self.old:
            return None
        return f"the {'name' if self.field == 'name' else 'line end'} has been changed since"

    def write(self, workspace: Workspace) -> None:
        """Set it."""
        if self.field == "name":
            workspace.name = self.new
        else:
            workspace.document.eol = self.new

    def inverse(self) -> Step:
        """Set it back."""
        return replace(self, old=self.new, new=self.old)

    def to_json(self) -> dict[str, Any]:
        """`{k: "name" | "eol", v: [old, new]}`."""
        return {"k": self.field, "v": [self.old, self.new]}


Reader = Callable[[Mapping[str, Any]], Step]
_READERS: dict[str, Reader] = {}


def reads(*kinds: str) -> Callable[[Reader], Reader]:
    """Register the reader of step kinds."""

    def register(reader: Reader) -> Reader:
        for kind in kinds:
            _READERS[kind] = reader
        return reader

    return register


def step_from_json(shape: Mapping[str, Any]) -> Step:
    """Read a step.

    Raises:
        ValueError: no step of this release has that form.
    """
    reader = _READERS.get(shape.get("k", ""))
    if reader is None:
        raise ValueError(f"unknown step kind {shape.get('k')!r}")
    try:
        return reader(shape)
    except (KeyError, TypeError, IndexError) as error:
        raise ValueError(f"damaged step of kind {shape['k']!r}: {error!r}") from error


@reads("name", "eol")
def _read_rename(shape: Mapping[str, Any]) -> Step:
    return Rename(shape["k"], shape["v"][0], shape["v"][1])


def pairs_from_json(shape: Mapping[str, Any]) -> dict[str, Pair]:
    """Read `{field: [old, new]}`."""
    pairs = {field: (pair[0], pair[1]) for field, pair in shape.items()}
    for field, pair in pairs.items():
        for value in pair:
            _check_value(field, value)
    return pairs


def fields_from_json(shape: Mapping[str, Any]) -> Mapping[str, Any]:
    """Read `{field: value}`."""
    for field, value in shape.items():
        _check_value(field, value)
    return shape


def id_from_json(shape: Any) -> str:
    """Read the id of a node or edge."""
    if not isinstance(shape, str):
        raise TypeError("an id is a text")
    return shape


def birth_from_json(shape: Any) -> int:
    """Read a birth."""
    if not isinstance(shape, int):
        raise TypeError("a birth is a revision")
    return shape


_NUMBERS = {"position": ("x", "y"), "size": ("width", "height")}


def _check_value(field: str, value: Any) -> None:
    """What the diagram computes with must be what it says, or a damaged step would be found half way through it."""
    if field in _NUMBERS:
        fits = value is None or all(isinstance(value[name], int | float) for name in _NUMBERS[field])
    elif field in ("source", "target"):
        fits = isinstance(value, str)
    elif field == "parent":
        fits = value is None or isinstance(value, str)
    else:
        fits = field != "properties" or value is None or isinstance(value, dict)
    if not fits:
        raise TypeError(f"'{field}' cannot be {value!r}")


def swapped(fields: Mapping[str, Pair]) -> dict[str, Pair]:
    """Old and new exchanged."""
    return {field: (new, old) for field, (old, new) in fields.items()}
