"""What the assistant needs of a store: runs, their events, conversations, a switch, and counted usage.

Everything of a workspace lives in its slot and is metadata outside the revision. Values are JSON objects unless said
otherwise; the store does not look into them. One contract suite (`tests/contracts/test_run_store.py`) runs on every
adapter. Every method raises `StorageError` when the store cannot be reached; then a change may or may not have
happened, and repeating it settles that.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NotRequired, Protocol

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from draftsmith.history.shapes import ActorOut
from draftsmith.model.ids import RunId, WorkspaceId
from draftsmith.ports.approvals import Approval, ApprovalStore, Verdict
from draftsmith.ports.proposals import ProposalStore
from draftsmith.ports.run_events import RunEventFields
from draftsmith.ports.run_outcomes import OutcomeOut

Workflow = Literal["edit", "ask", "generate", "investigate", "recommend"]
Mode = Literal["auto", "apply", "propose"]
EditMode = Literal["tools", "regenerate"]
"""How a model edits: by operations, or by writing diagram or document anew as a whole."""
Rating = Literal["up", "down"]
RunStatus = Literal["running", "applied", "proposed", "answered", "unchanged", "failed", "cancelled"]
RUNNING: Final = "running"
SETTLING: Final = "settling"
"""It has decided to commit or to propose and is doing so; nobody can cancel it now, any worker may finish it."""
OPEN_STATUSES: Final = frozenset({RUNNING, SETTLING})
FINAL_STATUSES: Final = frozenset({"applied", "proposed", "answered", "unchanged", "failed", "cancelled"})


class RunRevision(TypedDict, total=False):
    """The revision that a run was started on; empty where it read no workspace."""

    epoch: str
    revision: int


class AboutFinding(TypedDict):
    """A finding that a change was asked for: the run that reported it, and its number there, from 0."""

    run: str
    finding: int


RangeOut = TypedDict("RangeOut", {"from": int, "to": int})


class FocusOut(TypedDict):
    """What was selected; `range` is a stretch of the document in UTF-16 units."""

    nodes: list[str]
    edges: list[str]
    section: str | None
    range: RangeOut | None


class RunRequest(TypedDict):
    """What a run was asked for, by whom and of whom; never changes.

    `focus` is the JSON of `context.focus.Focus`; `prompt_hash` is empty for providers that get no prompt. `edit_mode`
    is the one in use, absent in runs of earlier versions; `asked_edit_mode` is there where the request named one, and
    `about` where it was asked because of a finding.
    """

    workflow: Workflow
    mode: Mode
    prompt: str
    focus: FocusOut
    actor: ActorOut
    provider: str
    label: str
    model: str
    prompt_hash: str
    base: RunRevision
    edit_mode: NotRequired[EditMode]
    asked_edit_mode: NotRequired[EditMode]
    about: NotRequired[AboutFinding]


class ConversationTurn(TypedDict):
    """One run as the conversation of its workspace remembers it; `detail` says why it failed or was left to decide."""

    run: str
    actor: ActorOut
    workflow: Workflow
    prompt: str
    label: str
    status: RunStatus
    summary: str
    revision: int | None
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """A run as it stands in the store.

    Attributes:
        id: made by the caller, 26 characters.
        status: `running`, `settling`, or one of the final ones.
        request: what was asked, by whom, on which base.
        outcome: empty until it is over.
        staged: the encoded decision of a run that is `settling`; empty before.
        worker: the worker that runs it.
        alive_until_ms: by the store's clock; after that it counts as abandoned.
        created_ms: by the store's clock.
        updated_ms: by the store's clock.
        now_ms: the store's clock when this was read.
        rating: what the person who asked thinks of it; None where nothing was said.
        approval: the call that waits for a yes; None where none does.
        verdict: the answer to it that has come and was not taken yet.
    """

    id: RunId
    status: str
    request: RunRequest
    outcome: OutcomeOut
    staged: bytes
    worker: str
    alive_until_ms: int
    created_ms: int
    updated_ms: int
    now_ms: int
    rating: Rating | None = None
    approval: Approval | None = None
    verdict: Verdict | None = None

    @property
    def is_over(self) -> bool:
        """Whether it has a final status."""
        return self.status in FINAL_STATUSES

    @property
    def is_abandoned(self) -> bool:
        """Whether its worker has gone without finishing it."""
        return not self.is_over and self.now_ms > self.alive_until_ms


@dataclass(frozen=True, slots=True)
class RunStart:
    """The run was stored and may start."""


@dataclass(frozen=True, slots=True)
class AlreadyThere:
    """There is a run of this id; nothing was changed."""

    row: RunRow


@dataclass(frozen=True, slots=True)
class Busy:
    """Nothing was started: `whose` is `person` or `workspace`, and these runs are in the way."""

    whose: str
    runs: Sequence[RunId]


@dataclass(frozen=True, slots=True)
class SwitchedOff:
    """Nothing was started: the assistant is switched off in this workspace."""


StartOutcome = RunStart | AlreadyThere | Busy | SwitchedOff


@dataclass(frozen=True, slots=True)
class Switch:
    """How the assistant of a workspace is set: whether it is off, how models edit, and which provider answers.

    None: as the server is set.
    """

    is_off: bool = False
    edit_mode: EditMode | None = None
    provider: str | None = None


@dataclass(frozen=True, slots=True)
class GivenRating:
    """A rating of a run and the day (UTC) that it counts for."""

    rating: Rating
    day: str


@dataclass(frozen=True, slots=True)
class Ending:
    """What is written when a run is over, all in one step.

    Attributes:
        status: one of the final ones.
        outcome: what came of it.
        events: the last ones of its stream.
        turn: its turn in the conversation; None for none.
    """

    status: str
    outcome: OutcomeOut
    events: Sequence[RunEventFields] = ()
    turn: ConversationTurn | None = None


class RunStore(ProposalStore, ApprovalStore, Protocol):
    """Runs, events, conversations and proposals of every workspace."""

    async def start(
        self,
        workspace_id: WorkspaceId,
        run_id: RunId,
        request: RunRequest,
        worker: str,
        *,
        edits_for: str,
        ttl_ms: int,
        at_most: int,
    ) -> StartOutcome:
        """Start a run if it may: the switch is on, fewer than `at_most` are alive, none alive has the same `edits_for`.

        `edits_for`: the person whose one edit run this is; empty for runs that only read. Abandoned runs do not count.
        """
        ...

    async def heartbeat(self, workspace_id: WorkspaceId, run_id: RunId, worker: str, ttl_ms: int) -> str:
        """Keep a run alive for another `ttl_ms`; its status, empty if there is no such run.

        Prolongs nothing where it is over or belongs to another worker.
        """
        ...

    async def save_decision(self, workspace_id: WorkspaceId, run_id: RunId, staged: bytes, ttl_ms: int) -> str:
        """Go from `running` to `settling` with an encoded decision; the status that it has now.

        `settling` is returned only if this call, or an equal one before it (same bytes), made it so.
        """
        ...

    async def end(self, workspace_id: WorkspaceId, run_id: RunId, expected: Collection[str], ending: Ending) -> bool:
        """End a run whose status is among `expected`; whether it did. All of the ending is written in one step."""
        ...

    async def record(
        self, workspace_id: WorkspaceId, run_id: RunId, request: RunRequest, worker: str, ending: Ending
    ) -> bool:
        """Write a run that is over already, in one step; False (and nothing changed) if the id is known."""
        ...

    async def run(self, workspace_id: WorkspaceId, run_id: RunId) -> RunRow | None:
        """One run."""
        ...

    async def runs(self, workspace_id: WorkspaceId, *, before: str | None, count: int) -> list[RunRow]:
        """The newest runs first; `before`: the id of the last one seen; empty if that one is gone.

        Runs are kept 7 days after they are over.
        """
        ...

    async def open_runs(self, workspace_id: WorkspaceId) -> list[RunRow]:
        """All runs that are not over, abandoned ones included."""
        ...

    async def in_flight(self) -> list[tuple[WorkspaceId, RunId]]:
        """(workspace, run) of all that may not be over, of all workspaces; an index that is repaired as it is read."""
        ...

    async def add_events(self, workspace_id: WorkspaceId, run_id: RunId, events: Sequence[RunEventFields]) -> str:
        """Append to the event stream of a run; return the id of the last event.

        If there is no such run, or it is over, nothing is appended and the id is empty.
        """
        ...

    async def events(
        self, workspace_id: WorkspaceId, run_id: RunId, after: str, count: int
    ) -> list[tuple[str, RunEventFields]]:
        """Events after an id (`0` for all), oldest first. At most about 10,000 are kept of a run."""
        ...

    async def conversation(
        self, workspace_id: WorkspaceId, *, before: str | None, count: int
    ) -> list[tuple[str, ConversationTurn]]:
        """Turns of the conversation with their ids, newest first; at most about 500 are kept."""
        ...

    async def clear_conversation(self, workspace_id: WorkspaceId) -> None:
        """Forget the conversation; workspace, runs and proposals stay."""
        ...

    async def rate(self, workspace_id: WorkspaceId, run_id: RunId, rating: GivenRating | None) -> GivenRating | None:
        """Keep the rating of a run that is over, None takes it back; return the one before.

        The same rating again changes nothing, its day neither. Nothing happens if there is no such run.
        """
        ...

    async def switch_of(self, workspace_id: WorkspaceId) -> Switch:
        """The switch of a workspace; what was never set is as at first."""
        ...

    async def switch(self, workspace_id: WorkspaceId, *, off: bool) -> None:
        """Switch it off or on; runs that are alive go on."""
        ...

    async def set_edit_mode(self, workspace_id: WorkspaceId, edit_mode: EditMode | None) -> None:
        """Say how models edit there; None: as the server is set. Runs that are alive go on."""
        ...

    async def set_provider(self, workspace_id: WorkspaceId, provider: str | None) -> None:
        """Say which provider answers there; None: the server's. Runs that are alive go on."""
        ...

    async def purge(self, workspace_id: WorkspaceId, *, keeps_switch: bool = False) -> None:
        """Remove everything of a workspace that is gone."""
        ...


class UsageStore(Protocol):
    """Counted usage over all workers, by day; kept 90 days.

    A day is `YYYY-MM-DD` (UTC) for model calls and `quality:YYYY-MM-DD` for how well batches fit.
    """

    async def add(self, day: str, key: str, counts: Mapping[str, int]) -> None:
        """Add to the counters of a key; counts may be below zero, keys and fields are any short texts."""
        ...

    async def read(self, days: Sequence[str]) -> dict[str, dict[str, dict[str, int]]]:
        """`{day: {key: {field: count}}}`; days without any are absent."""
        ...


class UsageLog(Protocol):
    """Where one row per model call goes: JSONL, one file per worker. Never prompt texts."""

    def write(self, row: Mapping[str, object]) -> None:
        """Append a row; failing to is logged and never stops a run."""
        ...


class DebugRecord(Protocol):
    """The debug record of one run."""

    def write(self, line: str) -> None:
        """Append an object, written as one line of JSON; never raises."""
        ...


class DebugLog(Protocol):
    """Debug records of runs, where the operator wants them: limited in size, in number and in time."""

    @property
    def until_ms(self) -> int | None:
        """When recording ends; None where nothing is recorded."""
        ...

    def open(self, run_id: RunId, workspace_id: WorkspaceId) -> DebugRecord | None:
        """Begin the record of a run in a workspace; None where nothing is, or nothing can be, which is logged."""
        ...

    def tidy(self) -> None:
        """Remove what was kept long enough; cheap."""
        ...


class ProviderKeyStore(Protocol):
    """The key of the model provider that was entered in the page: a file of mode 0600 in the data folder."""

    def read(self) -> str | None:
        """The key; None if there is none. Cheap enough to be asked for each run, and sees what other workers saved."""
        ...

    def save(self, key: str) -> None:
        """Keep it, readable by the owner only."""
        ...

    def delete(self) -> None:
        """Forget it."""
        ...


class TrialResult(TypedDict):
    """What came of a step of trying a model; `code` is empty where it succeeded, `detail` is for people."""

    ok: bool
    code: str
    detail: str
    facts: Mapping[str, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class EnteredServer:
    """A server of models that an administrator entered in the page.

    Attributes:
        address: its address, with the path of its API.
        model: the model that answers.
        trials: what came of each step of trying it, by its name.
    """

    address: str
    model: str
    trials: Mapping[str, TrialResult] = field(default_factory=dict)


class EnteredServerStore(Protocol):
    """Where the server of models that was entered in the page is kept: a file of mode 0600 in the data folder."""

    def read(self) -> EnteredServer | None:
        """The server; None if there is none. Cheap enough to be asked for each run, and sees what others saved."""
        ...

    def save(self, server: EnteredServer) -> None:
        """Keep it, readable by the owner only."""
        ...

    def delete(self) -> None:
        """Forget it."""
        ...
