"""The JSON shapes of usage. Types alone."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12


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
