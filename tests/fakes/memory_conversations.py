"""The assistant's data of one workspace in memory: runs, their events, the conversation and proposals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from draftsmith.adapters.redis.assistant.run_limits import EVENTS_KEPT, RUNS_KEPT, RUNS_SLACK, TURNS_KEPT
from draftsmith.adapters.redis.assistant.run_values import unpack
from draftsmith.model.ids import ProposalId, RunId
from draftsmith.ports.approvals import Approval, Verdict
from draftsmith.ports.proposals import ProposalRow
from draftsmith.ports.runs import OPEN_STATUSES, GivenRating, RunRow, Switch


@dataclass
class Run:
    """A run, its JSON as bytes; `expires_ms` is None until it has ended."""

    status: str
    request: bytes
    worker: str
    alive_until_ms: int
    created_ms: int
    updated_ms: int
    edits_for: str = ""
    outcome: bytes = b"{}"
    staged: bytes = b""
    expires_ms: int | None = None
    events: list[tuple[str, bytes]] = field(default_factory=list)
    rating: GivenRating | None = None
    approval: Approval | None = None
    asked_until_ms: int = 0
    verdict: Verdict | None = None

    def row(self, run_id: RunId, now_ms: int) -> RunRow:
        """The run as a `ports.runs.RunRow`."""
        return RunRow(
            id=run_id,
            status=self.status,
            request=unpack(self.request),
            outcome=unpack(self.outcome),
            staged=self.staged,
            worker=self.worker,
            alive_until_ms=self.alive_until_ms,
            created_ms=self.created_ms,
            updated_ms=self.updated_ms,
            now_ms=now_ms,
            rating=self.rating.rating if self.rating else None,
            approval=self.approval,
            verdict=self.verdict,
        )


@dataclass
class Proposal:
    """A proposal, its outcome as bytes."""

    content: bytes
    created_ms: int
    expires_ms: int
    status: str = "open"
    outcome: bytes = b"{}"

    def row(self, proposal_id: ProposalId) -> ProposalRow:
        """The proposal as a `ports.proposals.ProposalRow`."""
        outcome = unpack(self.outcome)
        return ProposalRow(
            id=proposal_id,
            status=self.status,
            content=self.content,
            outcome=outcome,
            created_ms=self.created_ms,
            expires_ms=self.expires_ms,
        )


@dataclass
class AssistantData:
    """All data of one workspace; runs, turns and proposals are in insertion order."""

    runs: dict[str, Run] = field(default_factory=dict)
    turns: list[tuple[str, bytes]] = field(default_factory=list)
    proposals: dict[str, Proposal] = field(default_factory=dict)
    switch: Switch = field(default_factory=Switch)
    _last_id: tuple[int, int] = (0, 0)

    def forget_expired(self, now_ms: int) -> None:
        """Delete expired runs and proposals."""
        self.runs = {name: run for name, run in self.runs.items() if run.expires_ms is None or run.expires_ms > now_ms}
        self.proposals = {name: one for name, one in self.proposals.items() if one.expires_ms > now_ms}

    def open_runs(self) -> list[tuple[str, Run]]:
        """Runs that have not ended, oldest first."""
        return [(name, run) for name, run in self.runs.items() if run.status in OPEN_STATUSES]

    def add(self, run_id: RunId, run: Run) -> None:
        """Store a new run; above the limit, the oldest ended runs are deleted."""
        self.runs[run_id] = run
        if len(self.runs) <= RUNS_KEPT + RUNS_SLACK:
            return
        for name in list(self.runs)[: len(self.runs) - RUNS_KEPT]:
            if self.runs[name].status not in OPEN_STATUSES:
                del self.runs[name]

    def add_events(self, run: Run, events: Sequence[bytes], now_ms: int) -> str:
        """Append to the events of a run; return the id of the last one, empty if `events` is empty."""
        added = [(self._new_id(now_ms), event) for event in events]
        run.events = [*run.events, *added][-EVENTS_KEPT:]
        return added[-1][0] if added else ""

    def add_turn(self, turn: bytes, now_ms: int) -> None:
        """Append a turn to the conversation."""
        self.turns = [*self.turns, (self._new_id(now_ms), turn)][-TURNS_KEPT:]

    def _new_id(self, now_ms: int) -> str:
        ms, number = self._last_id
        self._last_id = (now_ms, 0) if now_ms > ms else (ms, number + 1)
        return f"{self._last_id[0]}-{self._last_id[1]}"
