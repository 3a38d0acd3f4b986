"""Finish a run: carry its decision out as one commit or one proposal, and build its ending.

The transaction id of the commit and the id of the proposal follow from the run's id, so any worker may repeat it. No
ending undoes what a run has changed outside of its workspace, so endings say so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.history.actor import actor_from_json
from draftsmith.history.diff import diff_of
from draftsmith.history.record import decode_record
from draftsmith.model.ids import ProposalId, RunId, WorkspaceId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.ports.proposals import ProposalStore
from draftsmith.ports.run_outcomes import OperationOut, OutcomeOut, RunErrorOut
from draftsmith.ports.runs import ConversationTurn, Ending, RunRequest, RunStatus, RunStore
from draftsmith.usecases.commits.staged_request import StagedRequest, transaction_id_of
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.proposals.proposal import Alternative, Proposal, alternative_id
from draftsmith.usecases.proposals.proposals import Proposals
from draftsmith.usecases.requests.identity import fingerprint
from draftsmith.usecases.runs.outcomes import empty_result, not_done
from draftsmith.usecases.runs.values import EXPLANATION_CHARS, Decision, assistant_for

_MOST_EVENTS: Final = 20_000  # that are searched for calls outside
_MOST_NAMED: Final = 5


@dataclass(frozen=True)
class RunFinisher:
    """Carries decisions out."""

    workspaces: Workspaces
    store: ProposalStore
    limits: WorkspaceLimits

    async def carry_out(
        self, workspace_id: WorkspaceId, run_id: RunId, request: RunRequest, decision: Decision
    ) -> Ending:
        """Commit or propose; the ending of the run, which says so if it was refused.

        Raises:
            StorageError: whether it was done is unknown; repeating it settles that.
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
            done = None
            if decision.do == "commit":  # perhaps by a worker that ended before it could write the ending
                done = await self.find_committed(workspace_id, run_id, request, decision)
            return done or failed_ending(run_id, request, error, decision.result)

    async def find_committed(
        self, workspace_id: WorkspaceId, run_id: RunId, request: RunRequest, decision: Decision | None = None
    ) -> Ending | None:
        """The ending of a run whose commit is in the log; None if there is no such commit.

        Without the decision, nobody knows what its operations did one by one: then there is the sentence of the commit.

        An earlier commit of another request with the same id is not a commit of this run.
        """
        entry = await self.workspaces.find_commit(workspace_id, transaction_id_of("run", run_id))
        if entry is None or entry.fingerprint != _fingerprint_of(request):
            return None
        record = decode_record(entry.body)
        outcome: OutcomeOut = {
            **(decision.result if decision else {**empty_result(), "summary": record.what}),
            "revision": entry.revision,
            "operations": _operations(decision) if decision else [],
            "diff": diff_of(record.steps, record.places),
            "warnings": list(record.warnings),
        }
        return record_ending(run_id, request, "applied", outcome)

    async def _commit(
        self, workspace_id: WorkspaceId, run_id: RunId, request: RunRequest, decision: Decision
    ) -> Ending:
        author = actor_from_json(request["actor"])
        commit = StagedRequest(
            batch_id=run_id,
            txid=transaction_id_of("run", run_id),
            fingerprint=_fingerprint_of(request),
            actor=assistant_for(author),
            scope=author.id,
            explanation=decision.explanation,
            source="assistant",
            base=decision.base,
            staged=decision.staged,
            limits=self.limits,
        )
        answer = await self.workspaces.submit(workspace_id, commit)
        if not answer["changed"]:
            return record_ending(run_id, request, "unchanged", {**decision.result, "revision": answer["revision"]})
        outcome: OutcomeOut = {
            **decision.result,
            "revision": answer["revision"],
            "operations": _operations(decision),
            "diff": answer["diff"],
            "warnings": answer["warnings"],
        }
        return record_ending(run_id, request, "applied", outcome)

    async def _propose(
        self, workspace_id: WorkspaceId, run_id: RunId, request: RunRequest, decision: Decision
    ) -> Ending:
        if decision.options:
            return await self._recommend(workspace_id, run_id, request, decision)
        proposal = Proposal(
            id=ProposalId(run_id),
            author=actor_from_json(request["actor"]),
            request=request["prompt"],
            reason=decision.reason,
            explanation=decision.explanation,
            summary=decision.result.get("summary") or "",
            base=decision.base,
            staged=decision.staged,
        )
        await Proposals(self.workspaces, self.store, self.limits).put(workspace_id, proposal)
        outcome: OutcomeOut = {
            **decision.result,
            "proposal": run_id,
            "reason": decision.reason,
            "operations": _operations(decision),
        }
        return record_ending(run_id, request, "proposed", outcome)

    async def _recommend(
        self, workspace_id: WorkspaceId, run_id: RunId, request: RunRequest, decision: Decision
    ) -> Ending:
        """Make a proposal of each alternative; doing it again changes nothing."""
        proposals = [
            Proposal(
                id=alternative_id(run_id, index),
                author=actor_from_json(request["actor"]),
                request=request["prompt"],
                reason=decision.reason,
                explanation=f"{option.title}. {decision.explanation}"[:EXPLANATION_CHARS],
                summary=option.summary,
                base=option.base,
                staged=option.staged,
                alternative=Alternative(
                    run_id, index, len(decision.options), option.title, tuple(option.gains), tuple(option.costs)
                ),
            )
            for index, option in enumerate(decision.options)
        ]
        store = Proposals(self.workspaces, self.store, self.limits)
        for proposal in proposals:
            await store.put(workspace_id, proposal)
        outcome: OutcomeOut = {
            **decision.result,
            "reason": decision.reason,
            "alternatives": [
                {"proposal": one.id, "title": option.title}
                for one, option in zip(proposals, decision.options, strict=True)
            ],
        }
        return record_ending(run_id, request, "proposed", outcome)


def _operations(decision: Decision) -> list[OperationOut]:
    return [{"op": one.op, "what": one.what} for one in decision.staged]


def _fingerprint_of(request: RunRequest) -> str:
    """What distinguishes a repeat of a run from another run of the same id, also when the first is no longer listed."""
    asked = [request["actor"]["id"], request["prompt"], request["workflow"], request["mode"]]
    more = [request.get("asked_edit_mode"), request.get("about")]
    return fingerprint([*asked, *(one for one in more if one)])


def failed_ending(run_id: RunId, request: RunRequest, error: DraftsmithError, result: OutcomeOut) -> Ending:
    """The ending of a run that changed nothing because of an error."""
    extra = {name: value for name, value in error.extra.items() if value not in (None, "")}
    problems = [problem.to_json() for problem in error.problems]
    reason = {"code": error.code, "detail": error.detail, "problems": problems, **extra}
    failure = cast(RunErrorOut, reason)
    return record_ending(run_id, request, "failed", {**result, "error": failure})


def record_ending(run_id: RunId, request: RunRequest, status: RunStatus, outcome: OutcomeOut) -> Ending:
    """An ending with its event and its turn in the conversation."""
    error = outcome.get("error")
    turn = ConversationTurn(
        run=run_id,
        actor=request["actor"],
        workflow=request["workflow"],
        prompt=request["prompt"],
        label=request.get("label", ""),
        status=status,
        summary=str(outcome.get("summary", ""))[:4000],
        revision=outcome.get("revision", request["base"].get("revision")),
        detail=error["detail"] if error else " ".join(filter(None, [outcome.get("reason"), not_done(outcome)])),
    )
    return Ending(status, outcome, [{"type": "end", "status": status, "outcome": outcome}], turn)


async def outside_note(store: RunStore, workspace_id: WorkspaceId, run_id: RunId) -> str:
    """Return a sentence about calls of plugins that were allowed, and may have been made; empty for none.

    Raises:
        StorageError: the events could not be read.
    """
    events = [event for _, event in await store.events(workspace_id, run_id, "0", _MOST_EVENTS)]
    allowed = [event["approval"] for event in events if event["type"] == "approval" and event["state"] == "yes"]
    if not allowed:
        return ""
    names = [f"{one['tool']} of {one['plugin']}" for one in allowed]
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"Outside of this workspace was called, after a yes, and stays: {', '.join(names[:_MOST_NAMED])}{more}."
