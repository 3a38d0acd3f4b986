"""Runs, conversations and proposals in memory, with the semantics of Redis, for tests and for embedding.

No method awaits anything, so each is atomic, like the Redis scripts. Workers that share a store share one
`MemoryRuns`. The data of one workspace is an `AssistantData`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from draftsmith.adapters.process.system import SystemClock
from draftsmith.adapters.redis.assistant.run_limits import RUN_KEPT_MS
from draftsmith.adapters.redis.assistant.run_values import check_closing, check_ending, pack, unpack
from draftsmith.adapters.redis.assistant.stream_ids import parse_id
from draftsmith.model.ids import ProposalId, RunId, WorkspaceId
from draftsmith.ports import Clock
from draftsmith.ports.approvals import Approval, Verdict
from draftsmith.ports.proposals import ProposalRow
from draftsmith.ports.run_events import RunEventFields
from draftsmith.ports.runs import (
    OPEN_STATUSES,
    RUNNING,
    SETTLING,
    AlreadyThere,
    Busy,
    EditMode,
    Ending,
    GivenRating,
    RunRow,
    RunStart,
    StartOutcome,
    Switch,
    SwitchedOff,
)
from tests.fakes.memory_conversations import AssistantData, Proposal, Run


class MemoryRuns:
    """The assistant's data of all workspaces; implements `ports.runs.RunStore`."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock: Clock = clock or SystemClock()
        self._data: dict[str, AssistantData] = {}

    def _of(self, workspace_id: WorkspaceId) -> AssistantData:
        data = self._data.setdefault(workspace_id, AssistantData())
        data.forget_expired(self._clock.now_ms())
        return data

    async def start(
        self,
        workspace_id: WorkspaceId,
        run_id: RunId,
        request: Mapping[str, object],
        worker: str,
        *,
        edits_for: str,
        ttl_ms: int,
        at_most: int,
    ) -> StartOutcome:
        """Start a run if it is allowed; see `ports.runs.RunStore`."""
        data, now = self._of(workspace_id), self._clock.now_ms()
        if run_id in data.runs:
            return AlreadyThere(data.runs[run_id].row(run_id, now))
        if data.switch.is_off:
            return SwitchedOff()
        alive = {name: run for name, run in data.open_runs() if now <= run.alive_until_ms}
        mine = sorted(name for name, run in alive.items() if edits_for and run.edits_for == edits_for)
        if mine:
            return Busy("person", mine)
        if len(alive) >= at_most:
            return Busy("workspace", sorted(alive))
        data.add(run_id, Run(RUNNING, pack(request), worker, now + ttl_ms, now, now, edits_for=edits_for))
        return RunStart()

    async def heartbeat(self, workspace_id: WorkspaceId, run_id: RunId, worker: str, ttl_ms: int) -> str:
        """Extend a run's life by `ttl_ms`; return its status, empty if there is no such run."""
        run = self._of(workspace_id).runs.get(run_id)
        if run is None:
            return ""
        if run.status in OPEN_STATUSES and run.worker == worker:
            run.alive_until_ms = self._clock.now_ms() + ttl_ms
        return run.status

    async def save_decision(self, workspace_id: WorkspaceId, run_id: RunId, staged: bytes, ttl_ms: int) -> str:
        """Change the status from `running` to `settling` with the staged operations; return the current status.

        Empty if there is no such run, or if it is settling with other bytes.
        """
        run = self._of(workspace_id).runs.get(run_id)
        if run is None or (run.status == SETTLING and run.staged != staged):
            return ""
        now = self._clock.now_ms()
        if run.status == RUNNING:
            run.status, run.staged, run.updated_ms = SETTLING, staged, now
        if run.status == SETTLING:
            run.alive_until_ms = now + ttl_ms
        return run.status

    async def end(self, workspace_id: WorkspaceId, run_id: RunId, expected: Collection[str], ending: Ending) -> bool:
        """End a run whose status is in `expected`; return whether it was ended now. A run ends only once.

        Raises:
            ValueError: the status to end with is not a final one.
        """
        check_ending(ending)
        data = self._of(workspace_id)
        run = data.runs.get(run_id)
        if run is None or run.status not in OPEN_STATUSES.intersection(expected):
            return False
        self._finish(data, run, ending, self._clock.now_ms())
        return True

    async def record(
        self, workspace_id: WorkspaceId, run_id: RunId, request: Mapping[str, object], worker: str, ending: Ending
    ) -> bool:
        """Store a run that has already ended, atomically; False (and no change) if the id is known.

        Raises:
            ValueError: the status to end with is not a final one.
        """
        check_ending(ending)
        data, now = self._of(workspace_id), self._clock.now_ms()
        if run_id in data.runs:
            return False
        run = Run(ending.status, pack(request), worker, now, now, now)
        self._finish(data, run, ending, now)
        data.add(run_id, run)
        return True

    def _finish(self, data: AssistantData, run: Run, ending: Ending, now: int) -> None:
        outcome, events = pack(ending.outcome), [pack(event) for event in ending.events]
        turn = None if ending.turn is None else pack(ending.turn)
        run.status, run.outcome, run.staged = ending.status, outcome, b""
        run.updated_ms, run.expires_ms = now, now + RUN_KEPT_MS
        data.add_events(run, events, now)
        if turn is not None:
            data.add_turn(turn, now)

    async def run(self, workspace_id: WorkspaceId, run_id: RunId) -> RunRow | None:
        """One run."""
        run = self._of(workspace_id).runs.get(run_id)
        return run.row(run_id, self._clock.now_ms()) if run else None

    async def runs(self, workspace_id: WorkspaceId, *, before: str | None, count: int) -> list[RunRow]:
        """Runs, newest first; `before`: the id of the last one seen. Empty if that run no longer exists."""
        runs = self._of(workspace_id).runs
        names = list(reversed(runs))
        if before is not None:
            names = names[names.index(before) + 1 :] if before in runs else []
        now = self._clock.now_ms()
        return [runs[name].row(name, now) for name in names[: max(count, 0)]]

    async def open_runs(self, workspace_id: WorkspaceId) -> list[RunRow]:
        """All runs that have not ended, abandoned ones included; oldest first."""
        now = self._clock.now_ms()
        return [run.row(name, now) for name, run in self._of(workspace_id).open_runs()]

    async def in_flight(self) -> list[tuple[str, str]]:
        """(workspace, run) of all runs that have not ended, in all workspaces."""
        return [(workspace_id, name) for workspace_id, data in self._data.items() for name, _ in data.open_runs()]

    async def add_events(self, workspace_id: WorkspaceId, run_id: RunId, events: Sequence[RunEventFields]) -> str:
        """Append to the event stream of a run; return the id of the last event.

        If there is no such run, or it has ended, nothing is appended and the id is empty.
        """
        data = self._of(workspace_id)
        run = data.runs.get(run_id)
        if run is None or run.status not in OPEN_STATUSES:
            return ""
        return data.add_events(run, [pack(event) for event in events], self._clock.now_ms())

    async def events(
        self, workspace_id: WorkspaceId, run_id: RunId, after: str, count: int
    ) -> list[tuple[str, RunEventFields]]:
        """Events after an id (`0` for all), oldest first.

        Raises:
            DraftsmithError: `invalid_request`; `after` is no id.
        """
        place = parse_id(after)
        run = self._of(workspace_id).runs.get(run_id)
        found = [(name, unpack(event)) for name, event in (run.events if run else []) if parse_id(name) > place]
        return found[: max(count, 0)]

    async def conversation(
        self, workspace_id: WorkspaceId, *, before: str | None, count: int
    ) -> list[tuple[str, RunEventFields]]:
        """Turns of the conversation with their ids, newest first.

        Raises:
            DraftsmithError: `invalid_request`; `before` is no id.
        """
        place = None if before is None else parse_id(before)
        all_turns = self._of(workspace_id).turns
        turns = [(name, turn) for name, turn in all_turns if place is None or parse_id(name) < place]
        return [(name, unpack(turn)) for name, turn in turns[::-1][: max(count, 0)]]

    async def clear_conversation(self, workspace_id: WorkspaceId) -> None:
        """Delete the conversation; workspace, runs and proposals are kept."""
        self._of(workspace_id).turns.clear()

    async def put_proposal(
        self, workspace_id: WorkspaceId, proposal_id: ProposalId, content: bytes, ttl_ms: int
    ) -> bool:
        """Store an open proposal; False (and nothing changed) if the id is known."""
        data, now = self._of(workspace_id), self._clock.now_ms()
        if proposal_id in data.proposals:
            return False
        data.proposals[proposal_id] = Proposal(content, now, now + ttl_ms)
        return True

    async def proposal(self, workspace_id: WorkspaceId, proposal_id: ProposalId) -> ProposalRow | None:
        """One proposal; None if it does not exist or has expired."""
        found = self._of(workspace_id).proposals.get(proposal_id)
        return found.row(proposal_id) if found else None

    async def proposals(self, workspace_id: WorkspaceId) -> list[ProposalRow]:
        """All proposals, newest first; accepted and rejected ones until they expire."""
        return [proposal.row(name) for name, proposal in reversed(self._of(workspace_id).proposals.items())]

    async def close_proposal(
        self, workspace_id: WorkspaceId, proposal_id: ProposalId, status: str, outcome: Mapping[str, object]
    ) -> bool:
        """Close an open proposal as `accepted` or `rejected`; False if it was not open.

        Raises:
            ValueError: the outcome is another one.
        """
        check_closing(status)
        packed = pack(outcome)
        found = self._of(workspace_id).proposals.get(proposal_id)
        if found is None or found.status != "open":
            return False
        found.status, found.outcome = status, packed
        return True

    async def rate(self, workspace_id: WorkspaceId, run_id: RunId, given: GivenRating | None) -> GivenRating | None:
        """Keep the rating of a run that has ended, None takes it back; return the one before."""
        run = self._of(workspace_id).runs.get(run_id)
        if run is None or run.status in OPEN_STATUSES:
            return None
        before = run.rating
        if given is None or before is None or before.rating != given.rating:
            run.rating = given
        return before

    async def ask_approval(
        self, workspace_id: WorkspaceId, run_id: RunId, approval: Approval, *, worker: str, wait_ms: int
    ) -> bool:
        """Have a call wait for a yes; whether the run still runs, on this worker."""
        run = self._of(workspace_id).runs.get(run_id)
        if run is None or run.status != RUNNING or run.worker != worker:
            return False
        run.approval, run.verdict, run.asked_until_ms = approval, None, self._clock.now_ms() + wait_ms
        return True

    async def answer_approval(
        self, workspace_id: WorkspaceId, run_id: RunId, approval_id: str, verdict: Verdict
    ) -> Verdict | None:
        """Answer a call that waits; the answer that counts, None where none is waited for."""
        run = self._of(workspace_id).runs.get(run_id)
        if run is None or run.status != RUNNING or run.approval is None or run.approval.id != approval_id:
            return None
        if run.verdict is None and self._clock.now_ms() <= run.asked_until_ms:
            run.verdict = verdict
        return run.verdict

    async def close_approval(self, workspace_id: WorkspaceId, run_id: RunId, approval_id: str) -> Verdict | None:
        """End the waiting; the answer, None where there is none."""
        run = self._of(workspace_id).runs.get(run_id)
        if run is None or run.approval is None or run.approval.id != approval_id:
            return None
        verdict, run.approval, run.verdict = run.verdict, None, None
        return verdict

    async def switch_of(self, workspace_id: WorkspaceId) -> Switch:
        """The switch of a workspace."""
        return self._of(workspace_id).switch

    async def switch(self, workspace_id: WorkspaceId, *, off: bool) -> None:
        """Switch the assistant off or on; active runs continue."""
        data = self._of(workspace_id)
        data.switch = replace(data.switch, is_off=off)

    async def set_edit_mode(self, workspace_id: WorkspaceId, edit_mode: EditMode | None) -> None:
        """Say how models edit there; None: as the server is set."""
        data = self._of(workspace_id)
        data.switch = replace(data.switch, edit_mode=edit_mode)

    async def set_provider(self, workspace_id: WorkspaceId, provider: str | None) -> None:
        """Say which provider answers there; None: the server's."""
        data = self._of(workspace_id)
        data.switch = replace(data.switch, provider=provider)

    async def purge(self, workspace_id: WorkspaceId) -> None:
        """Delete all data of a deleted workspace."""
        self._data.pop(workspace_id, None)
