"""Counted usage in memory; implements `ports.runs.UsageStore`, for tests and for embedding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from draftsmith.adapters.process.system import SystemClock
from draftsmith.adapters.redis.assistant.run_limits import USAGE_KEPT_MS
from draftsmith.ports import Clock


class MemoryUsage:
    """Usage counters by day."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock: Clock = clock or SystemClock()
        self._days: dict[str, dict[str, dict[str, int]]] = {}
        self._expires_ms: dict[str, int] = {}

    async def add(self, day: str, key: str, counts: Mapping[str, int]) -> None:
        """Add to the counters of a key."""
        self._forget_expired()
        if not counts:
            return
        fields = self._days.setdefault(day, {}).setdefault(key, {})
        for name, count in counts.items():
            fields[name] = fields.get(name, 0) + count
        self._expires_ms[day] = self._clock.now_ms() + USAGE_KEPT_MS

    async def read(self, days: Sequence[str]) -> dict[str, dict[str, dict[str, int]]]:
        """`{day: {key: {field: count}}}`; days without any are absent."""
        self._forget_expired()
        return {
            day: {key: dict(fields) for key, fields in self._days[day].items()} for day in days if day in self._days
        }

    def _forget_expired(self) -> None:
        now = self._clock.now_ms()
        for day in [day for day, expires_ms in self._expires_ms.items() if expires_ms <= now]:
            del self._days[day], self._expires_ms[day]
