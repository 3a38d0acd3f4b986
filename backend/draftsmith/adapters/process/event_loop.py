"""How long the event loop of this process was held: nobody else was served meanwhile.

A task that sleeps for a moment sees how much later than that it wakes. What is shorter than the moment it sleeps is
seen in part only; what matters is much longer.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final

SLEEP_SECONDS: Final = 0.02
WINDOW_SECONDS: Final = 60


class LongestOf:
    """The longest of what was noted in the last minute, by the second."""

    def __init__(self) -> None:
        self._seconds: deque[tuple[int, float]] = deque()  # falling lengths

    def note(self, now: float, length: float) -> None:
        """Note one."""
        while self._seconds and self._seconds[-1][1] <= length:
            self._seconds.pop()
        self._seconds.append((int(now), length))
        self._drop_old(now)

    def longest(self, now: float) -> float:
        """The longest of the last minute; 0 if nothing was noted."""
        self._drop_old(now)
        return self._seconds[0][1] if self._seconds else 0.0

    def _drop_old(self, now: float) -> None:
        while self._seconds and self._seconds[0][0] <= now - WINDOW_SECONDS:
            self._seconds.popleft()


class EventLoopWatch:
    """Watches the running event loop until it is stopped."""

    def __init__(self, note: Callable[[float], object]) -> None:
        """Watch nothing yet; `note` is called with the seconds of every wait, short ones included."""
        self._note = note
        self._longest = LongestOf()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(self._run(), name="watch the event loop")

    @property
    def longest(self) -> float:
        """The longest stall of the last minute, seconds."""
        return self._longest.longest(asyncio.get_running_loop().time())

    async def stop(self) -> None:
        """End."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            before = loop.time()
            await asyncio.sleep(SLEEP_SECONDS)
            now = loop.time()
            late = max(0.0, now - before - SLEEP_SECONDS)
            self._note(late)
            self._longest.note(now, late)
