"""Somebody who listens, for the contract suite of wakes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from draftsmith.ports.live import Wakes
from tests.timeouts import timeout


class Ear:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.wakes = 0
        self.presence: list[bytes] = []
        self._news = asyncio.Event()

    def wake(self) -> None:
        self.wakes += 1
        self._news.set()

    def hear(self, content: bytes) -> None:
        self.presence.append(content)
        self._news.set()

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until what it was told makes something so."""
        async with timeout():
            while not is_so():
                self._news.clear()
                await self._news.wait()

    async def woken(self, since: int = 0) -> None:
        """Wait until it was woken more often than so."""
        await self.until(lambda: self.wakes > since)


async def ear_at(wakes: Wakes, w: str) -> Ear:
    """Somebody who listens for a workspace and is heard from now on."""
    ear = Ear()
    await wakes.listen(w, ear.wake, ear.hear)
    await ear.woken()
    return ear


async def told_in_between(wakes: Wakes, ear: Ear, w: str) -> list[bytes]:
    """What an ear has been told until now: everything before a mark sent by the same way, once that has come."""
    mark = b"mark %d" % len(ear.presence)
    await wakes.send_presence(w, mark)
    await ear.until(lambda: mark in ear.presence)
    return ear.presence[: ear.presence.index(mark)]
