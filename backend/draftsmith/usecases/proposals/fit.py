"""How a proposal fits what is there now: found by carrying it to the head, never by a flag that could be stale."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from draftsmith.errors import DraftsmithError
from draftsmith.history.changed_lines import changed_lines_of
from draftsmith.history.diff import diff_of
from draftsmith.history.replica import Replica
from draftsmith.history.shapes import DiffOut
from draftsmith.model.ids import WorkspaceId
from draftsmith.transform.results import ConflictOut
from draftsmith.transform.steps.text import ChangeText
from draftsmith.transform.undo.carry import carry
from draftsmith.transform.undo.dependencies import dependencies
from draftsmith.usecases.commits.at_head import at_head, have_text
from draftsmith.usecases.commits.staged_request import clash_list
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.proposals.proposal import Proposal


@dataclass(frozen=True, slots=True)
class Fit:
    """How a proposal fits the head: conflicts `{index, op, what, why}`, and the diff of the rest."""

    conflicts: Sequence[ConflictOut]
    diff: DiffOut


async def fit_of(workspaces: Workspaces, workspace_id: WorkspaceId, proposal: Proposal) -> Fit:
    """How a proposal fits the head: it is carried there, compared, and reverted."""
    try:
        return await at_head(
            workspaces,
            workspace_id,
            proposal.base,
            "proposal_conflict",
            lambda *head: _fit_at(proposal, *head),
            reads_text=have_text(proposal.staged),
        )
    except DraftsmithError as error:
        if error.code == "trimmed":
            return await _fit_without_text(workspaces, workspace_id, proposal)
        if error.code != "proposal_conflict":
            raise
        return Fit(_outdated_conflicts(proposal, range(len(proposal.staged))), diff_of(()))


async def _fit_without_text(workspaces: Workspaces, workspace_id: WorkspaceId, proposal: Proposal) -> Fit:
    """How the rest fits where the history of the text is no longer kept."""
    needs = dependencies(proposal.staged)
    texts = {index for index, one in enumerate(proposal.staged) if have_text([one])}
    outdated = [index for index in range(len(needs)) if index in texts or needs[index] & texts]
    rest = [index for index in range(len(needs)) if index not in outdated]
    fit = await at_head(
        workspaces, workspace_id, proposal.base, "proposal_conflict",
        lambda replica, later: _fit_at(proposal, replica, later, rest), reads_text=False,
    )  # fmt: skip
    return Fit(
        sorted([*fit.conflicts, *_outdated_conflicts(proposal, outdated)], key=lambda one: one["index"]), fit.diff
    )


def _outdated_conflicts(proposal: Proposal, indexes: Iterable[int]) -> list[ConflictOut]:
    """Conflicts of operations whose base is no longer known."""
    named = [(index, proposal.staged[index]) for index in indexes]
    why = "too much has happened since"
    return [{"index": index, "op": one.op, "what": one.what, "why": why} for index, one in named]


def _fit_at(
    proposal: Proposal, replica: Replica, later: Sequence[ChangeText], chosen: Collection[int] | None = None
) -> Fit:
    workspace = replica.workspace
    done = carry(workspace, proposal.staged, later, chosen)
    try:
        diff = diff_of(done.steps)
        diff["document"] = changed_lines_of(done.text, done.text_before, done.outline_before)
        return Fit(clash_list(proposal.staged, done), diff)
    finally:
        done.roll_back(workspace)
