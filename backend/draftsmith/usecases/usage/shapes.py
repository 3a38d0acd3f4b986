"""The JSON shapes of usage. Types alone."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from draftsmith.ports.runs import EditMode


class PriceOut(TypedDict):
    """What a million tokens cost, sent and received, as whoever runs the server has said."""

    input: float
    output: float
    currency: str


class ModelPriceOut(PriceOut):
    """What a million tokens of one model cost."""

    provider: str
    model: str


class SummaryTokensOut(TypedDict):
    """Tokens that were sent and received."""

    input: int
    output: int


class SummaryError(TypedDict):
    """Why a model did not tell it; codes as in the outcomes of runs."""

    code: str
    detail: str


class SummaryOut(TypedDict):
    """What changed after a revision up to another, in a few sentences of plain text.

    `left_out`: how many of the oldest commits it does not tell of. Without a model, `model` is empty and the text is
    made from the commits' own sentences. `error` is there where the status is `failed`. `cost` and `currency` are null
    where no price is known.
    """

    status: Literal["told", "failed"]
    since: int
    until: int
    commits: int
    left_out: int
    text: str
    provider: str
    label: str
    model: str
    error: SummaryError | None
    tokens: SummaryTokensOut
    cost: float | None
    currency: str | None


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


class Ratings(TypedDict):
    """How many runs were liked, and how many not."""

    up: int
    down: int


class Quality(TypedDict):
    """How well batches of models fit.

    `refused_by_code` counts problems of refused batches; `repaired` counts refused batches that were corrected in the
    same run; `fallbacks` counts runs that wrote anew as a whole after three batches had not fit. `refused_share` is the
    share of batches that were refused, 0 to 1; `is_loud` says that of at least ten batches more than a tenth were
    refused, or that of at least ten runs more than a tenth failed. `ratings` count runs of built-in commands as well.
    """

    runs: int
    applied: int
    failed: int
    batches: int
    refused: int
    repaired: int
    fallbacks: int
    refused_by_code: dict[str, int]
    refused_share: float
    is_loud: bool
    ratings: Ratings


class WorkflowQuality(Quality):
    """How well batches of a workflow fit in one mode of editing, and the model calls that they took."""

    workflow: str
    edit_mode: EditMode
    calls: Counts


class OperationQuality(TypedDict):
    """How often an operation was staged, in how many batches it was refused, and the problems that it had there.

    Operations that there are not are counted together as `other`.
    """

    op: str
    staged: int
    refused: int
    refused_by_code: dict[str, int]


class QualityOut(TypedDict):
    """How well batches fit: today (UTC), and over all the days asked for, also by workflow and by operation."""

    today: Quality
    total: Quality
    by_workflow: list[WorkflowQuality]
    by_op: list[OperationQuality]


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
    by_mode: list[NamedCounts]
    quality: QualityOut
