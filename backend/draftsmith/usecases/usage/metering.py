"""What the assistant uses: one row per model call, counted totals, and the limit of a day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypedDict

from draftsmith.assistant.loop import TurnReport
from draftsmith.errors import DraftsmithError
from draftsmith.ports import Clock
from draftsmith.ports.runs import UsageLog, UsageStore
from draftsmith.usecases.usage.counters import DayCounters
from draftsmith.usecases.usage.prices import CostedSum, Prices
from draftsmith.usecases.usage.quality import RunQuality
from draftsmith.usecases.usage.shapes import NamedCounts, UsageOut

_PARTS = ("provider", "model", "operation", "person")


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
        prices: what they cost, where somebody has said.
        quality: counts how runs went.
    """

    store: UsageStore
    log: UsageLog
    clock: Clock
    day_tokens: int = 0
    prices: Prices = field(default_factory=Prices)
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
        now = datetime.fromtimestamp(self.clock.now_ms() / 1000, UTC).isoformat(timespec="milliseconds")
        row = {
            "ts": now,
            "timestamp": now,
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
        groups: dict[str, dict[str, CostedSum]] = {part: {} for part in (*_PARTS, "mode", "model operation", "day")}
        total = CostedSum()
        for day in sorted(counted):
            groups["day"][day] = CostedSum()
            for key, fields in counted[day].items():
                named = dict(zip(_PARTS, key.split("|"), strict=True))
                cost = self.prices.cost(named["provider"], named["model"], fields)
                total.add(fields, cost)
                named["day"] = day
                named["mode"] = "regenerate" if named["operation"] == "regenerate" else "tools"
                if named["model"]:
                    named["model operation"] = named["operation"]
                for part, name in named.items():
                    groups[part].setdefault(name, CostedSum()).add(fields, cost)
        today, price = groups["day"].get(self._day(0), CostedSum()), self.prices.of_all
        return {
            "days": days,
            "limit": {"day_tokens": self.day_tokens, "used_today": _tokens(today.counts)},
            "price": None if price is None else price.to_json(),
            "total": total.to_json(),
            "by_day": {day: of.to_json() for day, of in groups["day"].items()},
            "by_provider": _with_names(groups["provider"]),
            "by_model": _with_names(groups["model"]),
            "by_operation": _with_names(groups["operation"]),
            "by_person": _with_names(groups["person"]),
            "by_mode": _with_names(groups["mode"]),
            "quality": await self.quality.sums(
                names, {name: of.to_json() for name, of in groups["model operation"].items()}
            ),
        }

    async def close(self) -> None:
        """Bring everything to the store."""
        await self._counters.close()

    def _day(self, days_ago: int) -> str:
        return self._counters.day(days_ago)


def _tokens(fields: Mapping[str, int]) -> int:
    return fields.get("input", 0) + fields.get("output", 0)


def _with_names(group: Mapping[str, CostedSum]) -> list[NamedCounts]:
    return [{"name": name, **of.to_json()} for name, of in sorted(group.items())]
