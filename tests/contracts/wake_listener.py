"""A listener for the contract suite of wakes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from draftsmith.ports.live import AppendWake, Wakes
from tests.timeouts import timeout


class WakeListener:
    """Keeps what it receives."""

    def __init__(self) -> None:
        self.wakes = 0
        self.appends: list[AppendWake] = []
        self.presence: list[bytes] = []
        self._changed = asyncio.Event()

    def wake(self, append: AppendWake | None) -> None:
        self.wakes += 1
        self.appends += [append] if append is not None else []
        self._changed.set()

    def receive(self, content: bytes) -> None:
        self.presence.append(content)
        self._changed.set()

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until a condition holds."""
        async with timeout():
            while not is_so():
                self._changed.clear()
                await self._changed.wait()

    async def woken(self, since: int = 0) -> None:
        """Wait until it was woken more often than so."""
        await self.until(lambda: self.wakes > since)


async def listen_at(wakes: Wakes, w: str) -> WakeListener:
    """A listener for a workspace whose subscription has begun."""
    listener = WakeListener()
    await wakes.listen(w, listener.wake, listener.receive)
    await listener.woken()
    return listener


async def presence_so_far(wakes: Wakes, listener: WakeListener, w: str) -> list[bytes]:
    """All presence that a listener was sent until now: everything before a mark, once that has arrived."""
    mark = b"mark %d" % len(listener.presence)
    await wakes.send_presence(w, mark)
    await listener.until(lambda: mark in listener.presence)
    return listener.presence[: listener.presence.index(mark)]
