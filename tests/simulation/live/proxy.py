"""A faulty proxy between browsers and workers: bytes are delayed, stall, or are cut off in the middle of a frame."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tests.faults.ways import reset
from tests.listening import listening

Target = tuple[str, int]


@dataclass
class Odds:
    """How often what happens, per piece of traffic; times are the longest, in seconds."""

    delay: float = 0.0
    delay_seconds: float = 0.05
    stall: float = 0.0
    stall_seconds: float = 1.0
    cut: float = 0.0


class FaultyProxy:
    """One client's way to whichever worker it meets; chance decides what goes wrong, by the odds.

    Attributes:
        odds: may be changed at any time.
        is_shut: nobody gets through, as in a tunnel or with a lid closed.
        is_deaf: what the server sends is lost, and what the client sends is not.
        harm: what was done, counted by the name of the odds.
    """

    def __init__(self, targets: Callable[[], Sequence[Target]], rng: random.Random) -> None:
        self.odds = Odds()
        self.is_shut = self.is_deaf = False
        self.harm: dict[str, int] = {}
        self.port = 0
        self._targets, self._rng = targets, rng
        self._clients: set[asyncio.StreamWriter] = set()

    def calm(self) -> None:
        """From now on a good way."""
        self.odds, self.is_shut, self.is_deaf = Odds(), False, False

    def shut(self) -> None:
        """Break every connection, and let none through."""
        self.is_shut = True
        self.drop()

    def drop(self) -> None:
        """Break every connection; new ones get through."""
        for writer in list(self._clients):
            reset(writer)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Look after one connection."""
        self._clients.add(writer)
        try:
            await self._pass_on(reader, writer)
        except* (OSError, asyncio.CancelledError):
            pass  # a broken way is what this is for
        finally:
            reset(writer)
            self._clients.discard(writer)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        targets = self._targets()
        if self.is_shut or not targets:
            return
        from_server, to_server = await asyncio.open_connection(*self._rng.choice(targets))
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._pump(reader, to_server, writer))
                group.create_task(self._pump(from_server, writer, to_server, is_answer=True))
        finally:
            to_server.transport.abort()

    async def _pump(
        self,
        source: asyncio.StreamReader,
        sink: asyncio.StreamWriter,
        back: asyncio.StreamWriter,
        *,
        is_answer: bool = False,
    ) -> None:
        while data := await source.read(1 << 16):
            if is_answer and self.is_deaf:
                continue
            if self._happens("delay"):
                await asyncio.sleep(self._rng.uniform(0, self.odds.delay_seconds))
            if self._happens("stall"):
                await asyncio.sleep(self._rng.uniform(0, self.odds.stall_seconds))
            if self._happens("cut"):
                sink.write(data[: self._rng.randint(0, len(data))])
                await asyncio.sleep(0)
                break
            sink.write(data)
            await sink.drain()
        reset(sink)
        reset(back)

    def _happens(self, name: str) -> bool:
        if self._rng.random() >= getattr(self.odds, name):
            return False
        self.harm[name] = self.harm.get(name, 0) + 1
        return True


@asynccontextmanager
async def faulty_proxy(targets: Callable[[], Sequence[Target]], rng: random.Random) -> AsyncIterator[FaultyProxy]:
    """Open such a way; harmless until its odds are set."""
    proxy = FaultyProxy(targets, rng)
    async with listening(proxy.serve) as proxy.port:
        yield proxy
