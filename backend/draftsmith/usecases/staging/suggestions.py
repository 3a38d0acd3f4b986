"""Suggestions: proposals that somebody makes themselves, without asking the assistant.

Staged like the operations of a run, so that they are shown, carried along and accepted in part like its proposals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from draftsmith.errors import BatchRejected, DraftsmithError, Problem
from draftsmith.history.diff import is_nothing
from draftsmith.model.ids import ProposalId, WorkspaceId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.proposals.proposal import Proposal
from draftsmith.usecases.proposals.proposals import Proposals
from draftsmith.usecases.proposals.shapes import ProposalFull
from draftsmith.usecases.requests.batch_request import BatchRequest
from draftsmith.usecases.requests.identity import derived_id
from draftsmith.usecases.staging.staging import StagingArea

_TRIES: Final = 5  # while others commit between the check and the staging


@dataclass(frozen=True)
class Suggestions:
    """What people and programs suggest, in all workspaces.

    Attributes:
        on_made: called with a workspace when there is a new one.
    """

    workspaces: Workspaces
    proposals: Proposals
    limits: WorkspaceLimits
    on_made: Callable[[WorkspaceId], None]

    async def make(
        self,
        workspace_id: WorkspaceId,
        batch: BatchRequest,
        asked: Sequence[Mapping[str, object]],
        reason: str = "",
    ) -> ProposalFull:
        """Check a batch as if it were to be run now, and keep it as a proposal.

        Args:
            workspace_id: where.
            batch: its dry run; the same one again is answered with the proposal that it has made.
            asked: its operations as they were sent.
            reason: why it waits for a yes; empty where somebody suggests it.

        Raises:
            DraftsmithError: as a batch that is run; `key_reused`, `too_many_proposals`, `busy`.
        """
        proposal_id = ProposalId(derived_id("proposal", batch.txid))
        _check_kinds(batch)
        # Without an id of the caller's it is a request of its own.
        is_repeat = bool(batch.fingerprint) and await self.proposals.is_repeated(
            workspace_id, proposal_id, batch.actor, batch.fingerprint
        )
        if not is_repeat:
            await self.proposals.check_open_limit(workspace_id, batch.actor)
            area = await self._stage(workspace_id, batch, asked)
            assert area.base is not None
            proposal = Proposal(
                id=proposal_id, author=batch.actor, request="", reason=reason,
                explanation=batch.explanation, summary="",
                base=area.base, staged=area.operations, origin="person",
                fingerprint=batch.fingerprint or batch.txid,
            )  # fmt: skip
            await self.proposals.put(workspace_id, proposal)
            self.on_made(workspace_id)
        return await self.proposals.get(workspace_id, proposal_id)

    async def find_repeated(self, workspace_id: WorkspaceId, batch: BatchRequest) -> ProposalFull | None:
        """The proposal that the same request has made before; None if it has made none.

        Raises:
            DraftsmithError: `key_reused`, if another request has made one under this id.
        """
        proposal_id = ProposalId(derived_id("proposal", batch.txid))
        if not await self.proposals.is_repeated(workspace_id, proposal_id, batch.actor, batch.fingerprint):
            return None
        return await self.proposals.get(workspace_id, proposal_id)

    async def _stage(
        self, workspace_id: WorkspaceId, batch: BatchRequest, asked: Sequence[Mapping[str, object]]
    ) -> StagingArea:
        """The operations as they were resolved at the state at which the whole batch was found to fit its base."""
        for _ in range(_TRIES):
            checked = await self.workspaces.submit(workspace_id, batch)
            if checked["diff"] is not None and is_nothing(checked["diff"]):
                message = "Everything is as this would make it already; there is nothing to propose."
                raise DraftsmithError(
                    "invalid_request", message, [Problem(-1, "", "field_invalid", "/operations", message)]
                )
            area = StagingArea(self.workspaces, workspace_id, self.limits, by_person=batch.actor.is_person)
            await area.add(asked)
            if batch.base is None or (area.base is not None and area.base.revision == checked["revision"]):
                return area
        raise DraftsmithError("busy", "Too many others are writing here; nothing was proposed. Try again.")


def _check_kinds(batch: BatchRequest) -> None:
    """Refuse what cannot wait for a yes."""
    problems = [
        Problem(
            index, operation.op, "field_invalid", f"/operations/{index}/op",
            "Keys as they are typed cannot be proposed; send edit_section or replace_section.",
        )
        for index, operation in enumerate(batch.batch.operations)
        if operation.op == "edit_text"
    ]  # fmt: skip
    if problems:
        raise BatchRejected(problems)
