"""The JSON shapes of runs, of the conversation and of usage. Types alone."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from draftsmith.errors import ProblemOut
from draftsmith.history.shapes import ActorOut, DiffOut
from draftsmith.ports.runs import Mode, RunStatus, Workflow

RangeOut = TypedDict("RangeOut", {"from": int, "to": int})


class RunErrorOut(TypedDict):
    """Why a run failed, in the codes of docs/assistant.md; further members depend on the code."""

    code: str
    detail: str
    problems: list[ProblemOut]


class OperationOut(TypedDict):
    """One operation of a run, in words."""

    op: str
    what: str


class TokensOut(TypedDict):
    """Tokens of a run."""

    input_tokens: int
    output_tokens: int


class OutcomeOut(TypedDict):
    """What came of a run; which members there are depends on its status."""

    summary: NotRequired[str | None]
    tools_used: NotRequired[list[str] | None]
    iterations: NotRequired[int | None]
    usage: NotRequired[TokensOut | None]
    detail: NotRequired[str | None]
    revision: NotRequired[int | None]
    operations: NotRequired[list[OperationOut] | None]
    diff: NotRequired[DiffOut | None]
    warnings: NotRequired[list[ProblemOut] | None]
    proposal: NotRequired[str | None]
    reason: NotRequired[str | None]
    suggestions: NotRequired[list[str] | None]
    error: NotRequired[RunErrorOut | None]


class FocusOut(TypedDict):
    """What was selected; `range` is a stretch of the document in UTF-16 units."""

    nodes: list[str]
    edges: list[str]
    section: str | None
    range: RangeOut | None


class RunOut(TypedDict):
    """A request to the assistant; `outcome` is null while it runs. `base_revision`: what it began on."""

    id: str
    status: RunStatus
    workflow: Workflow
    mode: Mode
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


class PriceOut(TypedDict):
    """What a million tokens cost, sent and received, as whoever runs the server has said."""

    input: float
    output: float
    currency: str


class DayLimit(TypedDict):
    """The limit of a day, and what is used of it."""

    day_tokens: int
    used_today: int


class Counts(TypedDict):
    """Counted model calls: `calls`, `failed`, tokens, `duration_ms`; what was never counted is absent.

    `cost` is there only where a price is known.
    """

    calls: NotRequired[int]
    failed: NotRequired[int]
    input: NotRequired[int]
    cache_read: NotRequired[int]
    cache_write: NotRequired[int]
    output: NotRequired[int]
    thinking: NotRequired[int]
    duration_ms: NotRequired[int]
    cost: NotRequired[float | None]


class NamedCounts(Counts):
    """Counts of one provider, model, operation or person."""

    name: str


class UsageOut(TypedDict):
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
