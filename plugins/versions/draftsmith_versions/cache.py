"""What was looked up, kept for a while in memory; every answer tells when it was fetched."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

from draftsmith.plugin import PluginError

T = TypeVar("T")
_AGES_WELL = {"source_away", "timeout", "rate_limited"}
"""Failures in whose place an old answer is given; what a source says itself, such as not_found, is told."""


@dataclass(frozen=True, slots=True)
class Kept(Generic[T]):
    """A value and when it was fetched; `failure`: why it is an old one."""

    value: T
    fetched: float
    age: float
    failure: str = ""

    def told(self) -> dict[str, Any]:
        """The age as it stands in answers."""
        at = datetime.fromtimestamp(self.fetched, UTC).isoformat(timespec="seconds")
        told: dict[str, Any] = {"fetched_at": at, "age_seconds": max(0, round(self.age))}
        return {**told, "outdated_because": self.failure} if self.failure else told


class Cache(Generic[T]):
    """Values by key, each fetched once at a time; the ones that were not asked for longest go first."""

    def __init__(self, seconds: float, most: int = 200, clock: Callable[[], float] = time.time) -> None:
        self._seconds, self._most, self._clock = seconds, most, clock
        self._kept: OrderedDict[str, tuple[T, float]] = OrderedDict()
        self._locks: dict[str, asyncio.Lock] = {}

    async def get(self, key: str, fetch: Callable[[], Awaitable[T]]) -> Kept[T]:
        """Give what is kept or fetch it; an older one where the source is away.

        Raises:
            PluginError: it could not be fetched, and nothing is kept.
        """
        async with self._locks.setdefault(key, asyncio.Lock()):
            try:
                return await self._get(key, fetch)
            finally:
                if key not in self._kept:
                    self._locks.pop(key, None)

    async def _get(self, key: str, fetch: Callable[[], Awaitable[T]]) -> Kept[T]:
        kept, now = self._kept.get(key), self._clock()
        if kept is not None and 0 <= now - kept[1] < self._seconds:
            self._kept.move_to_end(key)
            return Kept(kept[0], kept[1], now - kept[1])
        try:
            value = await fetch()
        except PluginError as error:
            if kept is None or error.code not in _AGES_WELL:
                raise
            return Kept(kept[0], kept[1], now - kept[1], error.message)
        self._kept[key] = (value, now)
        self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            oldest, _ = self._kept.popitem(last=False)
            self._locks.pop(oldest, None)
        return Kept(value, now, 0.0)
