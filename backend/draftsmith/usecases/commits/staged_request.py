"""Commit staged operations: the request of a run that has finished, or of a proposal that was accepted."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from draftsmith.errors import DraftsmithError
from draftsmith.history.changed_lines import changed_lines_of
from draftsmith.history.diff import diff_of, is_nothing, places_of
from draftsmith.history.replica import Replica
from draftsmith.history.sentences import sentence_of
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.work import Work
from draftsmith.model.workspace import Workspace
from draftsmith.transform.results import ConflictOut, ResultOut
from draftsmith.transform.staged_operations import StagedOperation, set_births
from draftsmith.transform.steps.applied_steps import AppliedSteps
from draftsmith.transform.steps.cancelling_steps import leave_out_cancelled
from draftsmith.transform.steps.text import ChangeText
from draftsmith.transform.undo.carry import CarryResult, carry
from draftsmith.usecases.commits.at_head import Base, check_base, check_joins, composed_if_many, have_text
from draftsmith.usecases.replicas.log_reader import LogReader, reading_text_steps
from draftsmith.usecases.replicas.slices import in_slices
from draftsmith.usecases.requests.costs import COMMITS, ELEMENTS
from draftsmith.usecases.requests.request import PreparedTransaction, Request, warnings_of
from draftsmith.usecases.requests.size_limits import check_limits, sizes_of


def transaction_id_of(kind: Literal["run", "proposal", "alternatives"], identity: str) -> str:
    """The transaction id of the commit of a run, a proposal or a group of alternatives; it has at most one."""
    return hashlib.sha256(f"{kind}:{identity}".encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True, kw_only=True)
class StagedRequest(Request[Sequence[ChangeText]]):
    """Rebase staged operations onto the head and commit them; refused if one conflicts with later commits.

    Attributes:
        base: what they were staged on.
        staged: in order.
        chosen: indexes of those to take, closed under what they build on; all if None.
        conflict: the code of the refusal.
    """

    base: Base
    staged: Sequence[StagedOperation]
    limits: WorkspaceLimits
    chosen: Collection[int] | None = None
    conflict: str = "run_conflict"

    def is_heavy(self, replica: Replica) -> bool:
        """Whether many steps are carried, or over many commits."""
        steps = sum(len(one.steps) for one in self.staged)
        return steps > ELEMENTS or replica.head.revision - self.base.revision > COMMITS

    async def fetch(self, replica: Replica, log: LogReader) -> Sequence[ChangeText]:
        """Read how the text has changed since the base, if that matters.

        Raises:
            DraftsmithError: `self.conflict`, if the base is of another history or no longer kept.
        """
        check_base(replica, self.base, self.conflict)
        if not have_text(one for index, one in enumerate(self.staged) if self.chosen is None or index in self.chosen):
            return ()
        try:
            entries = await log.entries_after(self.base.revision)
        except DraftsmithError as error:
            if error.code != "trimmed":
                raise
            message = "More has happened since than is kept, so changes of the document no longer fit."
            raise DraftsmithError(self.conflict, message, extra={"conflicts": []}) from error
        check_joins(self.base, entries, self.conflict)
        return await composed_if_many(await in_slices(reading_text_steps(entries)))

    def prepare(
        self,
        replica: Replica,
        evidence: Sequence[ChangeText],
        ahead: Sequence[PreparedTransaction] = (),
        work: Work | None = None,
    ) -> PreparedTransaction:
        """Apply the chosen operations, all or none.

        Raises:
            DraftsmithError: `self.conflict` with what clashes; `limit_nodes`, `limit_edges`, `limit_document`.
        """
        workspace = replica.workspace
        before = sizes_of(workspace)
        revision = replica.head.revision + len(ahead) + 1
        done = carry(workspace, set_births(self.staged, revision), evidence, self.chosen)
        try:
            self._check(workspace, done, before)
        except DraftsmithError:
            done.roll_back(workspace)
            raise
        steps = leave_out_cancelled(workspace, done.steps, done.steps)
        places = places_of(done.text, done.text_before, done.outline_before)
        diff = diff_of(steps, places)
        results: list[ResultOut] = [{**one.result, "index": number} for number, one in enumerate(done.operations)]
        warnings = warnings_of(workspace, steps)
        record = None
        if not is_nothing(diff):
            what = sentence_of(diff, workspace.diagram, steps)
            record = self._record(what, steps=steps, places=places, results=results, warnings=warnings)
        if self.dry_run:  # to be shown beside what is there
            diff = {**diff, "document": changed_lines_of(done.text, done.text_before, done.outline_before)}
        return PreparedTransaction(
            applied=AppliedSteps(steps), record=record, diff=diff, results=results, warnings=warnings
        )

    def _check(self, workspace: Workspace, carried: CarryResult, before: Mapping[str, int]) -> None:
        if carried.clashes:
            raise clash_refusal(self.conflict, clash_list(self.staged, carried))
        check_limits(workspace, before, self.limits, "The workspace has grown meanwhile")


def clash_list(staged: Sequence[StagedOperation], carried: CarryResult) -> list[ConflictOut]:
    """List the staged operations that no longer fit: `[{index, op, what, why}]`."""
    return [
        {"index": clash.index, "op": staged[clash.index].op, "what": staged[clash.index].what, "why": clash.why}
        for clash in carried.clashes
    ]


def clash_refusal(code: str, conflicts: Sequence[ConflictOut]) -> DraftsmithError:
    """The error for staged operations that conflict with later commits."""
    first = conflicts[0]
    more = f" (and {len(conflicts) - 1} more)" if len(conflicts) > 1 else ""
    message = f"Others changed the same things meanwhile: “{first['what'] or first['op']}” no longer fits, "
    return DraftsmithError(code, f"{message}since {first['why']}{more}.", extra={"conflicts": list(conflicts)})
