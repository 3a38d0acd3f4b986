"""Staged operations: resolved once, against one state, to become a commit or a proposal.

Nodes and edges that they create have the birth `UNBORN` until their revision is known. Not here: carrying them over
later commits (`carry`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from draftsmith.errors import ProblemOut
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.workspace import Workspace
from draftsmith.transform.batch import Batch
from draftsmith.transform.repeated import Past
from draftsmith.transform.resolve import run_operations
from draftsmith.transform.shapes import ResultOut
from draftsmith.transform.steps import Step, step_from_json
from draftsmith.transform.transaction import Transaction

UNBORN: Final = 2**53 - 1
"""Greater than every revision, so that staged nodes are the newest; exact in JavaScript."""

_BIRTHS = ("birth", "parent_birth", "parents", "ends", "old_ends", "new_ends")


@dataclass(frozen=True, slots=True)
class Staged:
    """One operation with the steps it was resolved to.

    JSON: `{op, asked, what, steps, result}`.

    Attributes:
        op: its name.
        asked: the operation as requested.
        what: a sentence made from the steps.
        steps: in order; text steps are for the text that the operations before it leave.
        result: what it did, as in the answer of a batch.
        warnings: what it did otherwise than asked, as problems in JSON; told once, not stored.
    """

    op: str
    asked: Mapping[str, Any]
    what: str
    steps: tuple[Step, ...]
    result: ResultOut
    warnings: tuple[ProblemOut, ...] = field(default=(), compare=False)

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        steps = [step.to_json() for step in self.steps]
        return {"op": self.op, "asked": self.asked, "what": self.what, "steps": steps, "result": self.result}


def staged_from_json(shape: Mapping[str, Any]) -> Staged:
    """Read what `Staged.to_json` wrote.

    Raises:
        ValueError: it is damaged or of a newer release.
    """
    try:
        steps = tuple(step_from_json(step) for step in shape["steps"])
        return Staged(shape["op"], shape["asked"], shape["what"], steps, shape["result"])
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"damaged operation: {error!r}") from error


def stage(
    workspace: Workspace,
    batch: Batch,
    asked: Sequence[Mapping[str, Any]],
    limits: WorkspaceLimits,
    past: Past | None = None,
) -> list[Staged]:
    """Resolve a batch of the assistant; its steps stay applied to the workspace.

    `what` is left empty: sentences are made above this stage (`history.sentences`). `past`: how the text came to be
    what it is.

    Raises:
        BatchRejected: with every problem; the workspace is as it was.
    """
    tx = Transaction(workspace, UNBORN, limits, by_person=False, past=past)
    run_operations(tx, batch)
    starts = [0, *tx.ends[:-1]]
    warnings: dict[int, list[ProblemOut]] = {}
    for warning in tx.warnings:
        warnings.setdefault(warning.index, []).append(warning.to_json())
    return [
        Staged(
            result.op, shape, "", tuple(tx.steps[start:end]), result.to_json(), tuple(warnings.get(result.index, ()))
        )
        for result, shape, start, end in zip(tx.results, asked, starts, tx.ends, strict=True)
    ]


def born(staged: Sequence[Staged], revision: int) -> list[Staged]:
    """The same operations with `UNBORN` replaced by a revision."""
    return [replace(one, steps=tuple(_born(step, revision) for step in one.steps)) for one in staged]


def _born(step: Step, revision: int) -> Step:
    found = {name: getattr(step, name) for name in _BIRTHS if hasattr(step, name)}
    changed = {name: _at(value, revision) for name, value in found.items()}
    return step if changed == found else replace(step, **changed)


def _at(value: Any, revision: int) -> Any:
    if isinstance(value, tuple):
        return tuple(_at(part, revision) for part in value)
    return revision if value == UNBORN else value
