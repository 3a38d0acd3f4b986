"""Counters by day that gather on a worker and reach the store together, about once a second.

Not here: what is counted (`metering`, `quality`), and where it is kept (`ports.runs.UsageStore`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from draftsmith.errors import StorageError
from draftsmith.ports import Clock
from draftsmith.ports.runs import UsageStore

_GATHER_SECONDS: Final = 1.0
Fields = Mapping[str, int]


@dataclass
class DayCounters:
    """Counters of one worker, on their way to the store.

    Attributes:
        after_flush: awaited after what has gathered was brought to the store by itself.
    """

    store: UsageStore
    clock: Clock
    after_flush: Callable[[], Awaitable[None]] | None = None
    _waiting: dict[tuple[str, str], dict[str, int]] = field(default_factory=dict)
    _adding: asyncio.Task[None] | None = None
    _flushing: asyncio.Lock = field(default_factory=asyncio.Lock)

    def day(self, days_ago: int = 0) -> str:
        """A day (UTC), so many before today."""
        now = datetime.fromtimestamp(self.clock.now_ms() / 1000, UTC)
        return (now - timedelta(days=days_ago)).date().isoformat()

    def add(self, day: str, key: str, counts: Fields) -> None:
        """Count; what is counted is stored in the background. Counts of zero are left out."""
        add_to(self._waiting.setdefault((day, key), {}), {name: count for name, count in counts.items() if count})
        if self._adding is None:
            self._adding = asyncio.create_task(self._add_soon(), name="usage")

    def waiting(self, day: str) -> list[Fields]:
        """What has gathered for a day and is not in the store yet."""
        return [counts for (one, _), counts in self._waiting.items() if one == day]

    async def read(self, days: Sequence[str]) -> dict[str, dict[str, dict[str, int]]]:
        """`{day: {key: {field: count}}}` over all workers, with all that was counted here."""
        await self.flush()
        return await self.store.read(days)

    async def _add_soon(self) -> None:
        """Bring what has gathered to the store, all at once."""
        await self.clock.sleep(_GATHER_SECONDS)
        self._adding = None  # from here on nobody stops it
        await self.flush()
        if self.after_flush is not None:
            await self.after_flush()

    async def flush(self) -> None:
        """Bring what has gathered to the store now."""
        async with self._flushing:
            waiting, self._waiting = self._waiting, {}
            for (day, key), counts in waiting.items():
                try:
                    await self.store.add(day, key, counts)
                except StorageError:
                    continue  # the rows in the file have it

    async def close(self) -> None:
        """Bring everything to the store."""
        if self._adding is not None:
            self._adding.cancel()
            await asyncio.wait([self._adding])
        await self.flush()


def add_to(into: dict[str, int], fields: Fields) -> None:
    """Add counts to others."""
    for name, count in fields.items():
        into[name] = into.get(name, 0) + count
