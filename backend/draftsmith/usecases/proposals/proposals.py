"""Proposals: make, list, accept, reject, and their JSON. Whether one fits is computed whenever it is read (`fit`).

Accepting is one commit whose transaction id follows from the proposal's, so accepting twice is accepting once.
Accepting one of several alternatives withdraws the others. Not here: runs, which make most proposals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

import structlog

from draftsmith.errors import DraftsmithError, Problem
from draftsmith.history.actor import Actor, actor_json
from draftsmith.history.diff import is_nothing
from draftsmith.history.record import decode_record
from draftsmith.history.shapes import ActorOut
from draftsmith.history.times import iso
from draftsmith.model.ids import ProposalId, WorkspaceId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.ports.proposal_shapes import DecisionOut, ProposalOut, ProposalStatus
from draftsmith.ports.proposals import ProposalRow, ProposalStore
from draftsmith.transform.results import ResultOut
from draftsmith.transform.undo.dependencies import dependencies, with_what_they_need
from draftsmith.usecases.commits.answers import key_reused
from draftsmith.usecases.commits.staged_request import StagedRequest
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.prepare.queue import Answer
from draftsmith.usecases.proposals.fit import Fit, fit_of
from draftsmith.usecases.proposals.proposal import (
    Proposal,
    read_proposal,
)
from draftsmith.usecases.proposals.shapes import AcceptAnswer, ProposalFull, ProposedOperation
from draftsmith.usecases.requests.from_input import source_of

PROPOSAL_DAYS: Final = 14
MOST_OPEN: Final = 100
"""Open proposals of a workspace, beyond which nothing more can be suggested."""
MOST_OPEN_OF_ONE: Final = 20
DAY_MS: Final = 86_400_000
_TURNS: Final = 500
"""So often an accept looks again while an alternative is being committed on its worker: ten seconds."""
_TURN_S: Final = 0.02
_log: Final = structlog.get_logger("draftsmith.runs")


@dataclass(frozen=True)
class Proposals:
    """The proposals of all workspaces."""

    workspaces: Workspaces
    store: ProposalStore
    limits: WorkspaceLimits

    async def put(self, workspace_id: WorkspaceId, proposal: Proposal) -> None:
        """Store an open proposal for `PROPOSAL_DAYS`; doing it again changes nothing.

        Raises:
            DraftsmithError: `key_reused` if its id belongs to another proposal.
            StorageError: whether it was stored is unknown.
        """
        if await self.store.put_proposal(workspace_id, proposal.id, proposal.encode(), PROPOSAL_DAYS * DAY_MS):
            return
        row = await self.store.proposal(workspace_id, proposal.id)
        try:
            is_repeat = row is None or read_proposal(row.content).is_repeat_of(proposal)
        except ValueError:
            is_repeat = False
        if not is_repeat:
            raise key_reused()

    async def is_repeated(
        self, workspace_id: WorkspaceId, proposal_id: ProposalId, author: Actor, fingerprint: str
    ) -> bool:
        """Whether this suggestion was made before.

        Raises:
            DraftsmithError: `key_reused` if another one was made under its id.
        """
        row = await self.store.proposal(workspace_id, proposal_id)
        if row is None:
            return False
        known = _read(row)
        if (known.author.id, known.fingerprint) != (author.id, fingerprint):
            raise key_reused()
        return True

    async def check_open_limit(self, workspace_id: WorkspaceId, author: Actor) -> None:
        """Refuse one more where many are open already: each is carried along whenever somebody writes.

        Raises:
            DraftsmithError: `too_many_proposals`.
        """
        rows = [row for row in await self.store.proposals(workspace_id) if row.status == "open"]
        own = sum(_is_by(row, author) for row in rows)
        if own >= MOST_OPEN_OF_ONE:
            raise _too_many(
                f"{own} proposals of yours are open in this workspace; withdraw some, or wait for an answer."
            )
        if len(rows) >= MOST_OPEN:
            raise _too_many(f"{len(rows)} proposals are open in this workspace; accept or discard some first.")

    async def list(self, workspace_id: WorkspaceId) -> list[ProposalOut]:
        """All that are kept, newest first, without their steps."""
        await self.workspaces.meta(workspace_id)
        summaries = []
        for row in await self.store.proposals(workspace_id):
            try:
                proposal = read_proposal(row.content)
            except ValueError as error:  # of a newer release; the others are listed all the same
                _log.warning("proposal_unreadable", workspace=workspace_id, proposal=row.id, reason=str(error))
                continue
            summaries.append(_summary_json(*await self._current(workspace_id, row, proposal)))
        return summaries

    async def get(self, workspace_id: WorkspaceId, proposal_id: ProposalId) -> ProposalFull:
        """One, with every operation: its steps, what it builds on, whether it fits now and if not why.

        Raises:
            DraftsmithError: `proposal_not_found`.
        """
        row = await self._row(workspace_id, proposal_id)
        row, proposal, fit = await self._current(workspace_id, row, _read(row))
        diff = None if fit is None else fit.diff
        return {**_summary_json(row, proposal, fit), "operations": _operations_json(proposal, fit), "diff": diff}

    async def accept(
        self,
        workspace_id: WorkspaceId,
        proposal_id: ProposalId,
        actor: Actor,
        operations: Sequence[int] | None,
        *,
        dry_run: bool = False,
        scope: str | None = None,
    ) -> AcceptAnswer:
        """Commit a proposal, or some of its operations with what they build on; the answer of a write.

        It stands on the undo stack of whoever accepts, or of the `scope` that is named.

        The answer's `operations` are the indexes that were taken. Alternatives to it are withdrawn.

        Raises:
            DraftsmithError: `proposal_not_found`, `proposal_closed`, `proposal_conflict`, `invalid_request`.
        """
        row = await self._row(workspace_id, proposal_id)
        proposal = _read(row)
        if row.status == "rejected" or proposal.alternative is not None:
            row = await self._synced_with_log(workspace_id, row, proposal)
        if row.status in ("rejected", "withdrawn"):
            raise _closed_error(row)
        chosen = _chosen_indexes(proposal, operations)
        commit = StagedRequest(
            batch_id=proposal_id, txid=proposal.txid, fingerprint=proposal.commit_fingerprint,
            actor=actor, scope=actor.id if scope is None else scope, dry_run=dry_run,
            explanation=_explanation(proposal, actor),
            source="assistant" if proposal.origin == "assistant" else source_of(actor),
            conflict="proposal_conflict",
            base=proposal.base, staged=proposal.staged, limits=self.limits, chosen=chosen,
        )  # fmt: skip
        if row.status == "open" or dry_run:
            answer = await self._submit(workspace_id, commit, row, proposal)
        else:
            answer = await self._repeated_answer(workspace_id, commit, row)
        if dry_run:
            return {**answer, "operations": chosen}
        if answer["replayed"]:  # by somebody else, or by a worker that ended before it could write the row
            row = await self._synced_with_log(workspace_id, row, proposal)
            if answer["changed"] or row.status != "open":
                return {**answer, "operations": cast("list[int]", row.outcome.get("operations", chosen))}
            # It changed nothing, so no commit says that it was accepted.
        outcome = _decision(answer["revision"], chosen, proposal, actor.to_json())
        await self._close_accepted(workspace_id, proposal, outcome)
        return {**answer, "operations": chosen}

    async def _submit(
        self, workspace_id: WorkspaceId, commit: StagedRequest, row: ProposalRow, proposal: Proposal
    ) -> Answer:
        """The answer of the commit; refused if an alternative was accepted first, which the log decides.

        Raises:
            DraftsmithError: as `accept`.
        """
        try:
            return await self._submitted_in_turn(workspace_id, commit)
        except DraftsmithError as error:
            if error.code != "key_reused" or proposal.alternative is None:
                raise
        row = await self._synced_with_log(workspace_id, row, proposal)
        if row.status == "open":  # the other one changed nothing, so there is no commit to read who it was from
            await self.store.close_proposal(workspace_id, row.id, "withdrawn", {"by": commit.actor.to_json()})
            row = await self._row(workspace_id, row.id)
        raise _closed_error(row)

    async def _submitted_in_turn(self, workspace_id: WorkspaceId, commit: StagedRequest) -> Answer:
        """The answer of the commit, once no alternative is being committed on this worker.

        Such a one has the transaction id while it is queued, and may still fail or come second; only what is in the
        log, or was answered without a commit, has been accepted.

        Raises:
            DraftsmithError: as `Workspaces.submit`; `key_reused` if an alternative was accepted, `busy` if that is not
                known after ten seconds.
        """
        for _ in range(_TURNS):
            try:
                return await self.workspaces.submit(workspace_id, commit)
            except DraftsmithError as error:
                if error.code != "key_reused" or not commit.fingerprint or await self._is_taken(workspace_id, commit):
                    raise
            await self.workspaces.clock.sleep(_TURN_S)
        raise DraftsmithError("busy", "Another of the alternatives is being accepted; look again in a moment.")

    async def _is_taken(self, workspace_id: WorkspaceId, commit: StagedRequest) -> bool:
        """Whether another request was carried out under its transaction id."""
        entry = await self.workspaces.find_commit(workspace_id, commit.txid)
        made = entry or await self.workspaces.log.find_answer(workspace_id, commit.txid)
        return made is not None and made.fingerprint != commit.fingerprint

    async def _close_accepted(self, workspace_id: WorkspaceId, proposal: Proposal, outcome: DecisionOut) -> None:
        """Close an accepted proposal, and withdraw the alternatives to it; doing it again changes nothing.

        A worker that ends in between leaves them open; then whoever reads them next finds the commit in the log.
        """
        await self.store.close_proposal(workspace_id, proposal.id, "accepted", outcome)
        for other in proposal.other_ids:
            withdrawn: DecisionOut = {"by": outcome["by"], "instead": proposal.id}
            await self.store.close_proposal(workspace_id, other, "withdrawn", withdrawn)

    async def _synced_with_log(self, workspace_id: WorkspaceId, row: ProposalRow, proposal: Proposal) -> ProposalRow:
        """The row as the log has decided, also where the row could not be written at that time.

        Accepted if the log holds its commit; withdrawn if it was open and the log holds that of an alternative.
        """
        if row.status in ("accepted", "withdrawn"):
            return row
        entry = await self.workspaces.find_commit(workspace_id, proposal.txid)
        if entry is None:
            return row
        if not proposal.is_accepted_by(entry.fingerprint):
            instead: DecisionOut = {
                "by": actor_json(entry.actor),
                "instead": proposal.alternative_of(entry.fingerprint),
            }
            await self.store.close_proposal(workspace_id, row.id, "withdrawn", instead)
            return await self._row(workspace_id, row.id)
        taken = _accepted_indexes(proposal, decode_record(entry.body).results)
        outcome = _decision(entry.revision, taken, proposal, actor_json(entry.actor))
        await self._close_accepted(workspace_id, proposal, outcome)
        stored = await self._row(workspace_id, row.id)
        return stored if stored.status == "accepted" else replace(row, status="accepted", outcome=outcome)

    async def _current(
        self, workspace_id: WorkspaceId, row: ProposalRow, proposal: Proposal
    ) -> tuple[ProposalRow, Proposal, Fit | None]:
        """The proposal as it is now: closed, or open with its fit."""
        if row.status == "open" and proposal.alternative is not None:
            row = await self._synced_with_log(workspace_id, row, proposal)
        if row.status in ("accepted", "withdrawn"):
            return row, proposal, None
        fit = await fit_of(self.workspaces, workspace_id, proposal) if row.status == "open" else None
        if fit is None or fit.conflicts or is_nothing(fit.diff):  # perhaps because it has been committed already
            row = await self._synced_with_log(workspace_id, row, proposal)
        return row, proposal, fit if row.status == "open" else None

    async def _repeated_answer(self, workspace_id: WorkspaceId, commit: StagedRequest, row: ProposalRow) -> Answer:
        """The answer of the commit that an accepted proposal has become; one that changed nothing has no commit."""
        if await self.workspaces.log.find(workspace_id, commit.txid) is None:
            raise _closed_error(row)
        return await self._submitted_in_turn(workspace_id, commit)

    async def reject(self, workspace_id: WorkspaceId, proposal_id: ProposalId, actor: Actor) -> ProposalFull:
        """Close a proposal without applying it; doing it twice does nothing more.

        Raises:
            DraftsmithError: `proposal_not_found`; `proposal_closed` if it was accepted.
        """
        row = await self._row(workspace_id, proposal_id)
        row = await self._synced_with_log(workspace_id, row, _read(row))
        if row.status in ("accepted", "withdrawn"):
            raise _closed_error(row)
        await self.store.close_proposal(workspace_id, proposal_id, "rejected", {"by": actor.to_json()})
        # Somebody may have accepted it at the same time; the log decides.
        row = await self._synced_with_log(workspace_id, await self._row(workspace_id, proposal_id), _read(row))
        if row.status != "rejected":
            raise _closed_error(row)
        return await self.get(workspace_id, proposal_id)

    async def _row(self, workspace_id: WorkspaceId, proposal_id: ProposalId) -> ProposalRow:
        await self.workspaces.meta(workspace_id)
        row = await self.store.proposal(workspace_id, proposal_id)
        if row is None:
            raise DraftsmithError("proposal_not_found", "There is no such proposal; proposals are kept for 14 days.")
        return row


def _explanation(proposal: Proposal, actor: Actor) -> str:
    """What the history says of an accepted proposal; it names who suggested it, since the commit is the other's."""
    if proposal.origin == "assistant" or proposal.author.id == actor.id:
        return proposal.explanation
    return ": ".join(filter(None, [f"Suggested by {proposal.author.name}", proposal.explanation]))


def _read(row: ProposalRow) -> Proposal:
    try:
        return read_proposal(row.content)
    except ValueError as error:
        message = "This proposal cannot be read by this release of the server."
        raise DraftsmithError("proposal_not_found", message) from error


def _is_by(row: ProposalRow, author: Actor) -> bool:
    try:
        return read_proposal(row.content).author.id == author.id
    except ValueError:  # of a newer release
        return False


def _too_many(detail: str) -> DraftsmithError:
    return DraftsmithError("too_many_proposals", detail)


def _accepted_indexes(proposal: Proposal, results: Sequence[ResultOut]) -> list[int]:
    """The indexes of the operations whose results a commit has, in order."""
    taken: list[int] = []
    waiting = [{**result, "index": 0} for result in results][::-1]
    for index, one in enumerate(proposal.staged):
        if waiting and {**one.result, "index": 0} == waiting[-1]:
            waiting.pop()
            taken.append(index)
    return taken


def _decision(revision: int, indexes: Sequence[int], proposal: Proposal, by: ActorOut) -> DecisionOut:
    return {"revision": revision, "operations": list(indexes), "of": len(proposal.staged), "by": by}


def _chosen_indexes(proposal: Proposal, operations: Sequence[int] | None) -> list[int]:
    count = len(proposal.staged)
    if operations is None:
        return list(range(count))
    wrong = [index for index in operations if not 0 <= index < count]
    if wrong or not operations:
        message = f"Name operations from 0 to {count - 1}." if wrong else "Name at least one operation, or none at all."
        raise DraftsmithError("invalid_request", message, [Problem(-1, "", "field_invalid", "/operations", message)])
    return with_what_they_need(proposal.staged, operations)


def _closed_error(row: ProposalRow) -> DraftsmithError:
    revision = row.outcome.get("revision")
    done = f"accepted as revision {revision}; undo takes it back" if row.status == "accepted" else row.status
    if row.status == "withdrawn":
        done = "withdrawn, since another of the alternatives was accepted"
    return DraftsmithError(
        "proposal_closed",
        f"This proposal has been {done}.",
        extra={"proposal_status": row.status, "revision": revision},
    )


def _operations_json(proposal: Proposal, fit: Fit | None) -> list[ProposedOperation]:
    """Return every operation with its steps, what it builds on, and whether it fits."""
    reasons = {one["index"]: one["why"] for one in fit.conflicts} if fit is not None else {}
    needs = dependencies(proposal.staged)
    return [
        {
            "index": index,
            "op": one.op,
            "what": one.what,
            "asked": one.asked,
            "steps": [step.to_json() for step in one.steps],
            "depends_on": sorted(needs[index]),
            "fits": index not in reasons,
            "why": reasons.get(index, ""),
        }
        for index, one in enumerate(proposal.staged)
    ]


def _summary_json(row: ProposalRow, proposal: Proposal, fit: Fit | None) -> ProposalOut:
    """Return a proposal as it is listed, without its steps."""
    conflicts = [] if fit is None else list(fit.conflicts)
    return {
        "id": row.id,
        "run": _run_of(proposal),
        "origin": proposal.origin,
        "status": cast(ProposalStatus, row.status),
        "fit": "" if fit is None else ("conflicts" if conflicts else "fits"),
        "conflicts": conflicts,
        "reason": proposal.reason,
        "prompt": proposal.request,
        "explanation": proposal.explanation,
        "summary": proposal.summary,
        "actor": proposal.author.to_json(),
        "count": len(proposal.staged),
        "what": [one.what for one in proposal.staged],
        "base_revision": proposal.base.revision,
        "outcome": cast(DecisionOut, row.outcome) if row.outcome else None,
        "created_at": iso(row.created_ms),
        "expires_at": iso(row.expires_ms),
        "alternative": None if proposal.alternative is None else proposal.alternative.to_json(),
    }


def _run_of(proposal: Proposal) -> str:
    if proposal.alternative is not None:
        return proposal.alternative.group
    return proposal.id if proposal.origin == "assistant" else ""
