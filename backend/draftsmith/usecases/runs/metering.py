"""What the assistant uses: one row per model call, counted totals, and the limit of a day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypedDict, cast

from draftsmith.assistant.loop import TurnReport
from draftsmith.errors import DraftsmithError
from draftsmith.ports import Clock
from draftsmith.ports.runs import UsageLog, UsageStore
from draftsmith.usecases.runs.counters import DayCounters, add_to
from draftsmith.usecases.runs.quality import RunQuality
from draftsmith.usecases.runs.shapes import Counts, NamedCounts, PriceOut, UsageOut

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
        quality: counts how runs went.
    """

    store: UsageStore
    log: UsageLog
    clock: Clock
    day_tokens: int = 0
    price: Price | None = None
    quality: RunQuality = field(init=False)

    def __post_init__(self) -> None:
        self._counters = DayCounters(self.store, self.clock)
        self.quality = RunQuality(self._counters, self.log)
        self._counters.after_flush = self.quality.check

    async def check_day(self) -> None:
        """Refuse a run where the day's tokens are used up.

        Raises:
            DraftsmithError: `day_tokens`.
        """
        if not self.day_tokens:
            return
        today = self._day(0)
        counted = (await self.store.read([today])).get(today, {})
        used = sum(_tokens(fields) for fields in [*counted.values(), *self._counters.waiting(today)])
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
        self._counters.add(self._day(0), key, counts)
        if facts["model"]:
            self.quality.count_call(facts["operation"], counts)

    async def flush(self) -> None:
        """Bring what has gathered to the store now."""
        await self._counters.flush()

    async def totals(self, days: int) -> UsageOut:
        """Totals of the last days, by provider, model, operation and person, and all together."""
        names = [self._day(back) for back in range(days)]
        counted = await self._counters.read(names)
        groups: dict[str, dict[str, dict[str, int]]] = {part: {} for part in (*_PARTS, "mode", "model operation")}
        total: dict[str, int] = {}
        by_day = {}
        for day in sorted(counted):
            of_day: dict[str, int] = {}
            for key, fields in counted[day].items():
                add_to(total, fields)
                add_to(of_day, fields)
                named = dict(zip(_PARTS, key.split("|"), strict=True))
                named["mode"] = "regenerate" if named["operation"] == "regenerate" else "tools"
                if named["model"]:
                    named["model operation"] = named["operation"]
                for part, name in named.items():
                    add_to(groups[part].setdefault(name, {}), fields)
            by_day[day] = of_day
        of_models = {name: self._costed(fields) for name, fields in groups["model operation"].items()}
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
            "by_mode": self._named(groups["mode"]),
            "quality": await self.quality.sums(names, of_models),
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
        await self._counters.close()

    def _day(self, back: int) -> str:
        return self._counters.day(back)


def _tokens(fields: Mapping[str, int]) -> int:
    return fields.get("input", 0) + fields.get("output", 0)
