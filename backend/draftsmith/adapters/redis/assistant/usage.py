"""Counted usage in Redis; implements `ports.runs.UsageStore`. One hash per day, which expires."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import orjson

from draftsmith.adapters.redis import scripts
from draftsmith.adapters.redis.assistant.run_limits import USAGE_KEPT_MS
from draftsmith.adapters.redis.connection import RedisConnection
from draftsmith.adapters.redis.keys import usage_of_day
from draftsmith.adapters.redis.pool import Argument


class RedisUsage:
    """The counters of every day that is kept, over all workers."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection

    async def add(self, day: str, key: str, counts: Mapping[str, int]) -> None:
        """Add to the counters of a key, in one step. After a `StorageError` they may have been added."""
        if not counts:
            return
        arguments: list[Argument] = [USAGE_KEPT_MS]
        for name, count in counts.items():
            arguments += [orjson.dumps([key, name]), count]
        await self._connection.write.script(scripts.ADD_USAGE, [usage_of_day(day)], arguments)

    async def read(self, days: Sequence[str]) -> dict[str, dict[str, dict[str, int]]]:
        """`{day: {key: {field: count}}}`; days without any are absent."""
        if not days:
            return {}
        found = await self._connection.read.commands([("HGETALL", usage_of_day(day)) for day in days])
        return {day: _by_key(counters) for day, counters in zip(days, found, strict=True) if counters}


def _by_key(counters: Mapping[bytes, bytes]) -> dict[str, dict[str, int]]:
    keys: dict[str, dict[str, int]] = {}
    for place, count in counters.items():
        key, name = orjson.loads(place)
        keys.setdefault(key, {})[name] = int(count)
    return keys
