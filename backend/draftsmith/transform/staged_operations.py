"""Staged operations: resolved once, against one state, to become a commit or a proposal.

Nodes and edges that they create have the birth `UNBORN` until their revision is known. Not here: carrying them over
later commits (`carry`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Final, TypedDict

from draftsmith.errors import ProblemOut
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.markdown.sections import Outline
from draftsmith.model.work import Work
from draftsmith.model.workspace import Workspace
from draftsmith.transform.placement.layouts import Layouts
from draftsmith.transform.requests.batch import Batch
from draftsmith.transform.resolve import conclude, open_transaction, run_operation
from draftsmith.transform.results import ResultOut
from draftsmith.transform.steps.shapes import AnyStep
from draftsmith.transform.steps.steps import Step, step_from_json, text_step_of
from draftsmith.transform.steps.text import TextHistory

UNBORN: Final = 2**53 - 1
"""Greater than every revision, so that staged nodes are the newest; exact in JavaScript."""

_PREFIX: Final = "/operations"
_BIRTHS = ("birth", "parent_birth", "parents", "ends", "old_ends", "new_ends")


class StagedJson(TypedDict):
    """The JSON form of a staged operation."""

    op: str
    asked: Mapping[str, object]
    what: str
    steps: list[AnyStep]
    result: ResultOut


@dataclass(frozen=True, slots=True)
class StagedOperation:
    """One operation with the steps it was resolved to.

    Attributes:
        op: its name.
        asked: the operation as requested.
        what: a sentence made from the steps.
        steps: in order; text steps are for the text that the operations before it leave.
        result: what it did, as in the answer of a batch.
        warnings: what it did otherwise than asked, as problems in JSON; told once, not stored.
    """

    op: str
    asked: Mapping[str, object]
    what: str
    steps: tuple[Step, ...]
    result: ResultOut
    warnings: tuple[ProblemOut, ...] = field(default=(), compare=False)

    def to_json(self) -> StagedJson:
        """The JSON form."""
        steps = [step.to_json() for step in self.steps]
        return {"op": self.op, "asked": self.asked, "what": self.what, "steps": steps, "result": self.result}


def staged_from_json(shape: StagedJson) -> StagedOperation:
    """Read what `StagedOperation.to_json` wrote.

    Raises:
        ValueError: it is damaged or of a newer release.
    """
    try:
        steps = tuple(step_from_json(step) for step in shape["steps"])
        return StagedOperation(shape["op"], shape["asked"], shape["what"], steps, shape["result"])
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"damaged operation: {error!r}") from error


def stage(
    workspace: Workspace,
    batch: Batch,
    asked: Sequence[Mapping[str, object]],
    limits: WorkspaceLimits,
    past: TextHistory | None = None,
    work: Work | None = None,
) -> list[StagedOperation]:
    """Resolve a batch of the assistant; its steps stay applied to the workspace.

    `what` is left empty: sentences are made above this stage (`history.sentences`). `past`: how the text came to be
    what it is.

    Raises:
        BatchRejected: with every problem; the workspace is as it was.
        NeedsMore: `work` is a trial, and it has ended; the workspace is as it was.
    """
    stager = Stager(workspace, batch, asked, limits, past=past, work=work)
    while not stager.is_done:
        stager.run()
    return stager.results()


Describe = Callable[[Sequence[Step], str, Outline | None, Workspace], str]
"""A sentence for applied steps: from the text before them with its sections if known, and the workspace after them."""


class Stager:
    """Resolves a batch of the assistant, or of a person who suggests it, in slices.

    Between two slices nothing of it is applied.

    The workspace must be the same whenever it goes on, and in the same state but for what is applied here.

    Attributes:
        tx: the transaction, never finished.
        is_done: whether every operation is resolved, and places are found for what is new.
    """

    def __init__(
        self,
        workspace: Workspace,
        batch: Batch,
        asked: Sequence[Mapping[str, object]],
        limits: WorkspaceLimits,
        *,
        describe: Describe | None = None,
        past: TextHistory | None = None,
        work: Work | None = None,
        layouts: Layouts | None = None,
        by_person: bool = False,
    ) -> None:
        self.tx = open_transaction(
            workspace, UNBORN, limits, by_person=by_person, past=past, work=work, layouts=layouts
        )
        self._batch, self._asked, self._describe = batch, asked, describe
        self._next = 0
        self._said: list[str] = []
        self.is_done = False

    @property
    def _is_at_end(self) -> bool:
        return self._next == len(self._batch.operations)

    def run(self, units: int = 0) -> None:
        """Resolve operations until at least so many units are spent; they are applied.

        Raises:
            BatchRejected: with every problem; the workspace is as it was.
            NeedsMore: the trial has ended; the workspace is as it was.
        """
        beyond = self.tx.work.spent + units
        while not self._is_at_end:
            self._run_one()
            if self.tx.work.spent >= beyond and (self.tx.new or not self._is_at_end):
                return
        ends = [*self.tx.ends]
        conclude(self.tx, _PREFIX)
        self._say_places(ends)
        self.is_done = True

    def _say_places(self, ends: Sequence[int]) -> None:
        """Describe operations again that have moved more, now that places are found; `ends` before that."""
        tx, document = self.tx, self.tx.workspace.document
        if self._describe is None or tx.ends == ends:
            return
        parts = [pairwise([0, *numbers]) for numbers in (ends, tx.ends)]
        for index, ((start, end), (new_start, new_end)) in enumerate(zip(*parts, strict=True)):
            steps = tx.steps[new_start:new_end]
            if end - start != new_end - new_start and text_step_of(steps) is None:
                self._said[index] = self._describe(steps, document.text, document.known_outline, tx.workspace)

    def _run_one(self) -> None:
        document, tx = self.tx.workspace.document, self.tx
        text, outline, count = document.text, document.known_outline, len(tx.ends)
        goes_on = run_operation(tx, self._next, self._batch.operations[self._next], _PREFIX)
        self._next = self._next + 1 if goes_on else len(self._batch.operations)
        if outline is None and tx.outline_before is not None and tx.outline_before.text is text:
            outline = tx.outline_before
        if self._describe is not None and len(tx.ends) > count:
            steps = tx.steps[tx.ends[-2] if count else 0 :]
            self._said.append(self._describe(steps, text, outline, tx.workspace))

    def results(self) -> list[StagedOperation]:
        """The operations, once all are resolved."""
        tx = self.tx
        starts = [0, *tx.ends[:-1]]
        warnings: dict[int, list[ProblemOut]] = {}
        for warning in tx.warnings:
            warnings.setdefault(warning.index, []).append(warning.to_json())
        said = self._said or [""] * len(tx.ends)
        return [
            StagedOperation(
                result.op,
                shape,
                what,
                tuple(tx.steps[start:end]),
                result.to_json(),
                tuple(warnings.get(result.index, ())),
            )
            for result, shape, what, start, end in zip(tx.results, self._asked, said, starts, tx.ends, strict=True)
        ]


def set_births(staged: Sequence[StagedOperation], revision: int) -> list[StagedOperation]:
    """The same operations with `UNBORN` replaced by a revision."""
    return [replace(one, steps=tuple(_with_revision(step, revision) for step in one.steps)) for one in staged]


def clear_births(steps: Sequence[Step], revision: int) -> tuple[Step, ...]:
    """The same steps of a transaction with its revision replaced by `UNBORN`."""
    return tuple(_with_revision(step, UNBORN, revision) for step in steps)


def _with_revision(step: Step, revision: int, instead_of: int = UNBORN) -> Step:
    found = {name: getattr(step, name) for name in _BIRTHS if hasattr(step, name)}
    changed = {name: _at(value, revision, instead_of) for name, value in found.items()}
    return step if changed == found else replace(step, **changed)


def _at(value: Any, revision: int, instead_of: int) -> Any:
    if isinstance(value, tuple):
        return tuple(_at(part, revision, instead_of) for part in value)
    return revision if value == instead_of else value
