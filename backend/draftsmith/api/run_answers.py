"""What goes out over HTTP about the assistant, as models: for OpenAPI and its tests, like `answers`."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from draftsmith.api.answers import ActorOut, DiffOut, Out, ProblemOut, WriteAnswer

RunStatus = Literal["running", "applied", "proposed", "answered", "unchanged", "failed", "cancelled"]


class KeyState(Out):
    """Where the key of the model provider comes from, and whether one may be entered here; never the key."""

    source: Literal["environment", "page", "none"]
    may_enter: bool


class CheckOut(Out):
    """What came of trying the model provider; `code` is empty where it answers."""

    ok: bool
    code: str
    detail: str
    facts: dict[str, Any]


class SendsOut(Out):
    """What leaves this machine when the assistant is asked, and to whom."""

    where: str
    what: list[str]


class LimitsOut(Out):
    """Where runs are stopped; 0 stands for no limit. `used_today`: tokens that all runs of this day (UTC) have used."""

    turns: int
    seconds: float
    run_tokens: int
    day_tokens: int
    used_today: int


class PriceOut(Out):
    """What a million tokens cost, sent and received, as whoever runs the server has said."""

    input: float
    output: float
    currency: str


class AssistantOut(Out):
    """Who answers here, within which limits. `check` is null until this worker has tried the connection."""

    provider: Literal["anthropic", "builtin", "off"]
    label: str
    model: str
    ask_model: str
    models: dict[str, str]
    edit_mode: Literal["tools", "regenerate"]
    key: KeyState
    check: CheckOut | None
    sends: SendsOut
    limits: LimitsOut
    price: PriceOut | None
    workflows: list[str]
    modes: list[str]


class SwitchOut(Out):
    """Whether the assistant may be used in a workspace."""

    enabled: bool


class DayLimit(Out):
    """The limit of a day, and what is used of it."""

    day_tokens: int
    used_today: int


class Counts(BaseModel):
    """Counted model calls: `calls`, `failed`, tokens, `duration_ms`; what was never counted is absent.

    `cost` is there only where a price is known.
    """

    model_config = ConfigDict(extra="forbid")
    calls: int = 0
    failed: int = 0
    input: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    thinking: int = 0
    duration_ms: int = 0
    cost: float | None = None


class NamedCounts(Counts):
    """Counts of one provider, model, operation or person."""

    name: str


class UsageOut(Out):
    """Model calls of the last days (UTC)."""

    days: int
    total: Counts
    by_day: dict[str, Counts]
    limit: DayLimit
    price: PriceOut | None
    by_provider: list[NamedCounts]
    by_model: list[NamedCounts]
    by_operation: list[NamedCounts]
    by_person: list[NamedCounts]


class CompletionOut(Out):
    """How a command may go on: the whole text, what is added, and what that is."""

    text: str
    label: str
    kind: str


class CompletionList(Out):
    """Completions, likeliest first."""

    items: list[CompletionOut]
    next_cursor: None = None


class RunErrorOut(BaseModel):
    """Why a run failed, in the codes of docs/assistant.md; further members depend on the code."""

    model_config = ConfigDict(extra="allow")
    code: str
    detail: str
    problems: list[ProblemOut]


class OperationOut(Out):
    """One operation of a run, in words."""

    op: str
    what: str


class TokensOut(Out):
    """Tokens of a run."""

    input_tokens: int
    output_tokens: int


class OutcomeOut(Out):
    """What came of a run; which members there are depends on its status."""

    summary: str | None = None
    tools_used: list[str] | None = None
    iterations: int | None = None
    usage: TokensOut | None = None
    detail: str | None = None
    revision: int | None = None
    operations: list[OperationOut] | None = None
    diff: DiffOut | None = None
    warnings: list[ProblemOut] | None = None
    proposal: str | None = None
    reason: str | None = None
    suggestions: list[str] | None = None
    error: RunErrorOut | None = None


class RangeOut(BaseModel):
    """A stretch of the document, `{from, to}` in UTF-16 units."""

    model_config = ConfigDict(extra="allow")


class FocusOut(Out):
    """What was selected."""

    nodes: list[str]
    edges: list[str]
    section: str | None
    range: RangeOut | None


class RunOut(Out):
    """A request to the assistant; `outcome` is null while it runs. `base_revision`: what it began on."""

    id: str
    status: RunStatus
    workflow: Literal["edit", "ask", "generate"]
    mode: Literal["auto", "apply", "propose"]
    prompt: str
    focus: FocusOut
    actor: ActorOut
    provider: str
    label: str
    model: str
    prompt_hash: str
    base_revision: int | None
    outcome: OutcomeOut | None
    created_at: str
    updated_at: str


class RunList(Out):
    """A page of runs, newest first."""

    items: list[RunOut]
    next_cursor: str | None


class TalkOut(Out):
    """One turn of a workspace's conversation with the assistant."""

    id: str
    at: str
    run: str
    actor: ActorOut
    workflow: Literal["edit", "ask", "generate"]
    prompt: str
    label: str
    status: RunStatus
    summary: str
    revision: int | None
    detail: str


class TalkList(Out):
    """A page of the conversation, newest first."""

    items: list[TalkOut]
    next_cursor: str | None


class ConflictOut(Out):
    """An operation that no longer fits, and why."""

    index: int
    op: str
    what: str
    why: str


class DecisionOut(Out):
    """Who closed a proposal; where it was accepted, as which revision and which of its operations."""

    by: ActorOut
    revision: int | None = None
    operations: list[int] | None = None
    of: int | None = None


class ProposalOut(Out):
    """What the assistant would do; `fit` is empty once it is closed."""

    id: str
    run: str
    status: Literal["open", "accepted", "rejected"]
    fit: Literal["", "fits", "conflicts"]
    conflicts: list[ConflictOut]
    reason: str
    prompt: str
    explanation: str
    summary: str
    actor: ActorOut
    count: int
    what: list[str]
    base_revision: int
    outcome: DecisionOut | None
    created_at: str
    expires_at: str


class ProposalList(Out):
    """All proposals that are kept, newest first."""

    items: list[ProposalOut]
    next_cursor: None = None


class ProposedOperation(Out):
    """One operation of a proposal: as it was asked for, its steps, what it builds on, whether it fits now."""

    index: int
    op: str
    what: str
    asked: Any
    steps: list[dict[str, Any]]
    depends_on: list[int]
    fits: bool
    why: str


class ProposalFull(ProposalOut):
    """A proposal with its operations, and what they would change now; no `diff` once it is closed."""

    operations: list[ProposedOperation]
    diff: DiffOut | None


class AcceptAnswer(WriteAnswer):
    """As of any write, and which operations were taken."""

    operations: list[int]
