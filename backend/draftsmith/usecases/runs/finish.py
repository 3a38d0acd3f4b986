"""How a run that has decided is carried out: one commit, or one proposal; by whoever gets to it, and only once.

The transaction id of the commit and the id of the proposal come from the run's id, so doing it again changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.history.actor import actor_from_json
from draftsmith.history.diff import diff_of
from draftsmith.history.record import decode_record
from draftsmith.model.ids import ProposalId, RunId, WorkspaceId
from draftsmith.model.limits import Limits
from draftsmith.ports.runs import Ending, RunStore
from draftsmith.usecases.commits.answers import key_reused
from draftsmith.usecases.commits.identity import fingerprint
from draftsmith.usecases.commits.staged_request import StagedRequest, transaction_id_of
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.proposals.proposal import Proposal, read_proposal
from draftsmith.usecases.runs.values import Decision, assistant_for

Json = Mapping[str, Any]
PROPOSAL_DAYS: Final = 14
DAY_MS: Final = 86_400_000


@dataclass(frozen=True)
class Settlement:
    """Carries decisions out."""

    workspaces: Workspaces
    store: RunStore
    limits: Limits

    async def carry_out(self, workspace_id: WorkspaceId, run_id: RunId, request: Json, decision: Decision) -> Ending:
        """Do what was decided; how the run ends.

        Raises:
            StorageError: whether it was done is unknown; doing it again settles it.
        """
        try:
            if decision.do == "propose":
                return await self._propose(workspace_id, run_id, request, decision)
            return await self._commit(workspace_id, run_id, request, decision)
        except StorageError:
            raise
        except DraftsmithError as error:
            if error.code == "outcome_unknown":
                raise
            # It may have been done before, by a worker that could not say so; what is refused now was not refused then.
            done = (
                await self.committed(workspace_id, run_id, request, decision.course)
                if decision.do == "commit"
                else None
            )
            return done or failed(run_id, request, error, decision.course)

    async def committed(self, workspace_id: WorkspaceId, run_id: RunId, request: Json, course: Json) -> Ending | None:
        """The end of a run that has made its commit although no end of it was written; None if there is no commit.

        A commit of another request under the same id, long ago, is none of this run.
        """
        entry = await self.workspaces.committed(workspace_id, transaction_id_of("run", run_id))
        if entry is None or entry.fingerprint != _mark_of(request):
            return None
        record = decode_record(entry.body)
        operations = [{"op": result["op"], "what": ""} for result in record.results]
        outcome = {
            "summary": record.what,
            "tools_used": [],
            "iterations": 0,
            "usage": {"input_tokens": 0, "output_tokens": 0},
            **course,
            "revision": entry.revision,
            "operations": operations,
            "diff": diff_of(record.steps, record.places),
            "warnings": list(record.warnings),
        }
        return ended(run_id, request, "applied", outcome)

    async def _commit(self, workspace_id: WorkspaceId, run_id: RunId, request: Json, decision: Decision) -> Ending:
        asker = actor_from_json(request["actor"])
        commit = StagedRequest(
            batch_id=run_id, txid=transaction_id_of("run", run_id), fingerprint=_mark_of(request),
            actor=assistant_for(asker), scope=asker.id, explanation=decision.explanation, source="assistant",
            base=decision.base, staged=decision.staged, limits=self.limits,
        )  # fmt: skip
        answer = await self.workspaces.submit(workspace_id, commit)
        if not answer["changed"]:
            return ended(run_id, request, "unchanged", {**decision.course, "revision": answer["revision"]})
        outcome = {
            **decision.course,
            "revision": answer["revision"],
            "operations": [{"op": one.op, "what": one.what} for one in decision.staged],
            "diff": answer["diff"],
            "warnings": answer["warnings"],
        }
        return ended(run_id, request, "applied", outcome)

    async def _propose(self, workspace_id: WorkspaceId, run_id: RunId, request: Json, decision: Decision) -> Ending:
        proposal = Proposal(
            ProposalId(run_id), actor_from_json(request["actor"]), str(request["prompt"]), decision.reason,
            decision.explanation, str(decision.course.get("summary", "")), decision.base, decision.staged,
        )  # fmt: skip
        if not await self.store.put_proposal(workspace_id, proposal.id, proposal.encode(), PROPOSAL_DAYS * DAY_MS):
            await self._check_same(workspace_id, proposal)
        operations = [{"op": one.op, "what": one.what} for one in decision.staged]
        outcome = {**decision.course, "proposal": run_id, "reason": decision.reason, "operations": operations}
        return ended(run_id, request, "proposed", outcome)

    async def _check_same(self, workspace_id: WorkspaceId, proposal: Proposal) -> None:
        """Refuse an id under which another run, no longer listed, has left a proposal.

        Raises:
            DraftsmithError: `key_reused`.
        """
        row = await self.store.proposal(workspace_id, proposal.id)
        try:
            is_same = row is None or _told_apart(read_proposal(row.content)) == _told_apart(proposal)
        except ValueError:
            is_same = False
        if not is_same:
            raise key_reused()


def _told_apart(proposal: Proposal) -> tuple[object, ...]:
    return proposal.asker.id, proposal.prompt, proposal.base


def _mark_of(request: Json) -> str:
    """What tells a repeat of a run from another one under the same id, also when the first is no longer listed."""
    return fingerprint([request["actor"]["id"], request["prompt"], request["workflow"], request["mode"]])


def failed(run_id: RunId, request: Json, error: DraftsmithError, course: Json) -> Ending:
    """The end of a run that changed nothing because something went wrong."""
    shown = {name: value for name, value in error.extra.items() if value not in (None, "")}
    problems = [problem.to_json() for problem in error.problems]
    reason = {"code": error.code, "detail": error.detail, "problems": problems, **shown}
    return ended(run_id, request, "failed", {**course, "error": reason})


def ended(run_id: RunId, request: Json, status: str, outcome: Json) -> Ending:
    """An end, with its event and its turn in the conversation."""
    talk = {
        "run": run_id,
        "actor": request["actor"],
        "workflow": request["workflow"],
        "prompt": request["prompt"],
        "label": request.get("label", ""),
        "status": status,
        "summary": str(outcome.get("summary", ""))[:4000],
        "revision": outcome.get("revision", request["base"]["revision"]),
        "detail": outcome["error"]["detail"] if "error" in outcome else outcome.get("reason", ""),
    }
    return Ending(status, outcome, [{"type": "end", "status": status, "outcome": outcome}], talk)
