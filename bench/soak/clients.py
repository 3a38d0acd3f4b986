"""Clients of the soak: each sends one batch after the other over a kept connection, and again until it is answered."""

from __future__ import annotations

import asyncio
import json
import random
import time
from array import array
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

from bench.load import batch_request, whole_answer
from bench.soak.belongings import Belongings
from tests.faults.load import AGAIN

_SENT_AGAIN = 0.005
"""The share of acknowledged batches that are sent once more, for nothing."""


@dataclass
class Tally:
    """What all clients together have seen.

    Attributes:
        told: acknowledged commits.
        cut: requests whose connection ended before their answer.
        found: commits that were acknowledged only to a repeat, since they had happened when the answer was lost.
        repeats: acknowledged batches that were sent once more.
        codes: refusals after which a client tries again, counted.
    """

    told: int = 0
    cut: int = 0
    found: int = 0
    repeats: int = 0
    codes: Counter[str] = field(default_factory=Counter)


class _Connection(asyncio.Protocol):
    def __init__(self) -> None:
        self._received = b""
        self._answer: asyncio.Future[tuple[int, bytes]] | None = None
        self.is_open = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is none by inheritance

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_open = False
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(ConnectionError("closed before the answer"))

    def data_received(self, data: bytes) -> None:
        self._received += data
        answer = whole_answer(self._received)
        if answer is not None and self._answer is not None and not self._answer.done():
            self._received = b""
            self._answer.set_result(answer)

    async def ask(self, request: bytes) -> tuple[int, bytes]:
        """Send a request and wait for the answer; `ConnectionError` where none comes."""
        if not self.is_open:
            raise ConnectionError("closed")
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._answer

    def close(self) -> None:
        self._transport.close()


class Client:
    """One client of one workspace.

    Attributes:
        w: the workspace.
        belongings: what it has there.
        told: the revision of each of its batches, in the order in which they were sent and acknowledged.
    """

    def __init__(
        self, seed: str, name: str, w: str, place: Callable[[], tuple[str, int]], tally: Tally, pause: float = 0.0
    ) -> None:
        """Do nothing yet; `place`: host and port of the server now, `pause`: seconds between two batches."""
        self.w, self.told = w, array("Q")
        self._seed, self._name, self._place, self._tally, self._pause = seed, name, place, tally, pause
        self._rng = random.Random(f"{seed}/{w}/{name}")
        self.belongings = Belongings(name, self._rng, writes_much=pause > 0)
        self._connection: _Connection | None = None

    def id_of(self, number: int) -> str:
        """The id under which its batch of that number is sent, and sent again."""
        return f"{self._seed}-{self._name}-{number:07}"

    async def run(self, goes_on: Callable[[], bool]) -> None:
        """Send batches while it goes on; each is settled before the next, and before the end."""
        while goes_on():
            number = len(self.told)
            body = {"id": self.id_of(number), "operations": self.belongings.next(number)}
            request = batch_request(self.w, json.dumps(body))
            answer = await self._settle(request)
            assert answer["changed"], f"{self.id_of(number)} changed nothing"
            self.told.append(answer["revision"])
            self._tally.told += 1
            self._tally.found += answer["replayed"]
            if self._rng.random() < _SENT_AGAIN:
                await self._repeat(request, answer["revision"])
            until = time.monotonic() + self._pause
            while self._pause and goes_on() and time.monotonic() < until:  # noqa: ASYNC110  # a number and a clock
                await asyncio.sleep(0.1)
        if self._connection is not None:
            self._connection.close()

    async def _repeat(self, request: bytes, revision: int) -> None:
        again = await self._settle(request)
        assert (again["replayed"], again["revision"]) == (True, revision), f"{self._name}: {again}, not {revision}"
        self._tally.repeats += 1

    async def _settle(self, request: bytes) -> dict[str, Any]:
        """Send a request until it is known what became of it."""
        while True:
            is_sent = False
            try:
                connection = await self._connected()
                is_sent = True
                status, body = await connection.ask(request)
            except OSError:
                self._tally.cut += is_sent
                await asyncio.sleep(self._rng.uniform(0.05, 0.3))
                continue
            answer: dict[str, Any] = json.loads(body)
            if status == 200:
                return answer
            code = str(answer.get("code"))
            if code not in AGAIN:
                raise AssertionError(f"{self._name} was answered {status}: {body.decode()[:1000]}")
            self._tally.codes[code] += 1
            await asyncio.sleep(self._rng.uniform(0.05, 0.3))

    async def _connected(self) -> _Connection:
        if self._connection is None or not self._connection.is_open:
            _, self._connection = await asyncio.get_running_loop().create_connection(_Connection, *self._place())
        return self._connection
