"""Steps: the smallest applied changes; resolved, exact, invertible. Only this package makes them.

A step contains the old values as well as the new ones, so it can be checked against the current state (`conflict`),
inverted without a state, and logged as JSON. Checks are structural only (ids live with the birth on
record, the parent is alive, no circle of groups, no equal edge, nothing left behind on a delete, fields as expected);
rules that may change between releases are judged before a step is made and never when a log is replayed.

`Step` is a closed union. What a kind can say of itself is a method (`base`); what belongs to another stage is a `match`
there that ends in `assert_never`, so that mypy finds it for a new kind. The union and the table of JSON forms below are
the only two lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps import (
    custom_type,
    edge,
    node,
    text,
    workspace,
)
from draftsmith.transform.steps.changeset import one_after_another
from draftsmith.transform.steps.custom_type import SetType
from draftsmith.transform.steps.edge import InsertEdge, RemoveEdge, SetEdge
from draftsmith.transform.steps.node import InsertNode, RemoveNode, SetNode
from draftsmith.transform.steps.shapes import AnyStep
from draftsmith.transform.steps.text import ChangeText, edit_of
from draftsmith.transform.steps.workspace import Rename

Step = InsertNode | RemoveNode | SetNode | InsertEdge | RemoveEdge | SetEdge | ChangeText | Rename | SetType

_READERS: Final[Mapping[str, Callable[[Any], Step]]] = {
    "node+": node.read_add,
    "node-": node.read_remove,
    "node=": node.read_set,
    "edge+": edge.read_add,
    "edge-": edge.read_remove,
    "edge=": edge.read_set,
    "text": text.read_text,
    "name": workspace.read_rename,
    "eol": workspace.read_rename,
    "type": custom_type.read_type,
}


class StepConflict(Exception):
    """A step does not fit the state, which is unchanged. `reason` is a sentence."""

    def __init__(self, step: Step, reason: str) -> None:
        super().__init__(reason)
        self.step, self.reason = step, reason


def step_from_json(shape: AnyStep) -> Step:
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


def apply(step: Step, workspace: Workspace) -> None:
    """Check and apply one step.

    Raises:
        StepConflict: it does not fit; nothing has changed.
    """
    reason = step.conflict(workspace)
    if reason is not None:
        raise StepConflict(step, reason)
    step.write(workspace)


def roll_back(steps: Sequence[Step], workspace: Workspace) -> None:
    """Undo applied steps by their inverses, newest first."""
    for step in reversed(steps):
        step.inverse().write(workspace)


def text_steps(steps: Iterable[Step]) -> list[ChangeText]:
    """The steps that change the text."""
    return [step for step in steps if isinstance(step, ChangeText)]


def other_steps(steps: Iterable[Step]) -> list[Step]:
    """The steps that do not change the text."""
    return [step for step in steps if not isinstance(step, ChangeText)]


def text_step_of(steps: Iterable[Step]) -> ChangeText | None:
    """The step that changes the text, if any; a commit has at most one."""
    return next(iter(text_steps(steps)), None)


def join_text_steps(steps: Sequence[Step], text: str) -> list[Step]:
    """Join all changes of `text`, the text before, into one step at the end; changes that cancel out are left out."""
    texts = text_steps(steps)
    if len(texts) < 2:
        return list(steps)
    together = one_after_another([step.changes for step in texts])
    net = edit_of(text, together.trim(together.deleted_texts(text)))
    others = other_steps(steps)
    return others if net.changes.is_empty else [*others, net]
