"""What the assistant uses: one row per model call, counted totals, and the limit of a day."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TypedDict, cast

from draftsmith.assistant.loop import TurnReport
from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.ports import Clock
from draftsmith.ports.runs import UsageLog, UsageStore
from draftsmith.usecases.runs.shapes import Counts, NamedCounts, PriceOut, UsageOut

_GATHER_SECONDS = 1.0
_PARTS = ("provider", "model", "operation", "person")


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, sent and received.

    What is read from a cache or written to it counts as sent like all else; a provider that takes less for the one and
    more for the other sends a somewhat different bill.
    """

    input: float
    output: float
    currency: str = "USD"

    def of(self, fields: Mapping[str, int]) -> float:
        """What counted tokens cost, to a millionth of the currency."""
        return round((fields.get("input", 0) * self.input + fields.get("output", 0) * self.output) / 1_000_000, 6)

    def to_json(self) -> PriceOut:
        """`{input, output, currency}`."""
        return {"input": self.input, "output": self.output, "currency": self.currency}


class UsageFacts(TypedDict):
    """What a model call was for, in its row of usage; `operation` is the workflow of the prompts."""

    provider: str
    model: str
    operation: str
    person: str
    workspace: str
    run_id: str
    prompt_hash: str
    tool_errors: int


@dataclass
class Metering:
    """Counts model calls.

    Attributes:
        day_tokens: tokens in and out that all runs of a day (UTC) may use together; 0 for no limit.
        price: what they cost; None if nobody has said.
    """

    store: UsageStore
    log: UsageLog
    clock: Clock
    day_tokens: int = 0
    price: Price | None = None
    _waiting: dict[tuple[str, str], dict[str, int]] = field(default_factory=dict)
    _adding: asyncio.Task[None] | None = None
    _flushing: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def check_day(self) -> None:
        """Refuse a run where the day's tokens are used up.

        Raises:
            DraftsmithError: `day_tokens`.
        """
        if not self.day_tokens:
            return
        today = self._day(0)
        counted = (await self.store.read([today])).get(today, {})
        waiting = [counts for (day, _), counts in self._waiting.items() if day == today]
        used = sum(_tokens(fields) for fields in [*counted.values(), *waiting])
        if used >= self.day_tokens:
            now = datetime.fromtimestamp(self.clock.now_ms() / 1000, UTC)
            seconds = 86_400 - (now.hour * 3600 + now.minute * 60 + now.second)
            message = (
                f"Today's {self.day_tokens:,} tokens are used up (ASSISTANT_DAY_TOKENS); "
                f"it goes on at midnight UTC, in {max(seconds // 60, 1)} minutes."
            )
            raise DraftsmithError("day_tokens", message, extra={"retry_after": seconds})

    def count(self, report: TurnReport, facts: UsageFacts) -> None:
        """Write the row of one turn; its counters are stored in the background."""
        usage = report.usage
        row = {
            "ts": datetime.fromtimestamp(self.clock.now_ms() / 1000, UTC).isoformat(timespec="milliseconds"),
            **facts,
            "turn": report.turn,
            "status": report.status,
            "stop": report.stop,
            "input_tokens": usage.input,
            "cache_read": usage.cache_read,
            "cache_write": usage.cache_write,
            "output_tokens": usage.output,
            "thinking_tokens": usage.thinking,
            "ttft_ms": report.first_ms,
            "duration_ms": report.duration_ms,
            "retries": report.retries,
            "request_id": usage.request_id,
            "tool_calls": report.calls,
        }
        self.log.write(row)
        counts = {
            "calls": 1,
            "failed": int(report.status != "ok"),
            "input": usage.input,
            "cache_read": usage.cache_read,
            "cache_write": usage.cache_write,
            "output": usage.output,
            "thinking": usage.thinking,
            "duration_ms": report.duration_ms,
        }
        named: Mapping[str, object] = facts
        key = "|".join(str(named[part]).replace("|", "/") for part in _PARTS)
        _add_to(
            self._waiting.setdefault((self._day(0), key), {}), {name: count for name, count in counts.items() if count}
        )
        if self._adding is None:
            self._adding = asyncio.create_task(self._add_soon(), name="usage")

    async def _add_soon(self) -> None:
        """Bring what has gathered to the store, all at once."""
        await self.clock.sleep(_GATHER_SECONDS)
        self._adding = None  # from here on nobody stops it
        await self.flush()

    async def flush(self) -> None:
        """Bring what has gathered to the store now."""
        async with self._flushing:
            waiting, self._waiting = self._waiting, {}
            for (day, key), counts in waiting.items():
                try:
                    await self.store.add(day, key, counts)
                except StorageError:
                    continue  # the rows in the file have it

    async def totals(self, days: int) -> UsageOut:
        """Totals of the last days, by provider, model, operation and person, and all together."""
        await self.flush()
        names = [self._day(back) for back in range(days)]
        counted = await self.store.read(names)
        groups: dict[str, dict[str, dict[str, int]]] = {part: {} for part in _PARTS}
        total: dict[str, int] = {}
        by_day = {}
        for day in sorted(counted):
            of_day: dict[str, int] = {}
            for key, fields in counted[day].items():
                _add_to(total, fields)
                _add_to(of_day, fields)
                for part, name in zip(_PARTS, key.split("|"), strict=True):
                    _add_to(groups[part].setdefault(name, {}), fields)
            by_day[day] = of_day
        return {
            "days": days,
            "limit": {"day_tokens": self.day_tokens, "used_today": _tokens(by_day.get(self._day(0), {}))},
            "price": None if self.price is None else self.price.to_json(),
            "total": self._costed(total),
            "by_day": {day: self._costed(of) for day, of in by_day.items()},
            "by_provider": self._named(groups["provider"]),
            "by_model": self._named(groups["model"]),
            "by_operation": self._named(groups["operation"]),
            "by_person": self._named(groups["person"]),
        }

    def _named(self, group: Mapping[str, Mapping[str, int]]) -> list[NamedCounts]:
        return [{"name": name, **self._costed(fields)} for name, fields in sorted(group.items())]

    def _costed(self, fields: Mapping[str, int]) -> Counts:
        """Counts, with what they cost where that is known."""
        counts = cast(Counts, dict(fields))
        if self.price is not None:
            counts["cost"] = self.price.of(fields)
        return counts

    async def close(self) -> None:
        """Bring everything to the store."""
        if self._adding is not None:
            self._adding.cancel()
            await asyncio.wait([self._adding])
        await self.flush()

    def _day(self, back: int) -> str:
        now = datetime.fromtimestamp(self.clock.now_ms() / 1000, UTC)
        return (now - timedelta(days=back)).date().isoformat()


def _add_to(into: dict[str, int], fields: Mapping[str, int]) -> None:
    for name, count in fields.items():
        into[name] = into.get(name, 0) + count


def _tokens(fields: Mapping[str, int]) -> int:
    return fields.get("input", 0) + fields.get("output", 0)
