"""Pipelines scripts of different workspaces that are called at the same time.

Each is still a script of its own, atomic by itself; only the round trip is shared. That saves most of the client
library's cost per command, and with `appendfsync always` the server makes one fsync for all of them. At most two round
trips are in flight, so what is called meanwhile gathers. The outcome of every script in a failed round trip is unknown,
as after a lost reply: callers send the same again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

Command = Sequence[str | bytes | int]
RoundTrip = Callable[[Sequence[Command]], Awaitable[list[Any]]]
MAX_IN_FLIGHT = 2
MAX_BATCH = 64


class AutoPipeline:
    """Batches commands for `round_trip`, which returns their replies in order, errors as values."""

    def __init__(self, round_trip: RoundTrip) -> None:
        self._round_trip = round_trip
        self._waiting: deque[tuple[Command, asyncio.Future[Any]]] = deque()
        self._in_flight: set[asyncio.Task[None]] = set()
        self._is_scheduled = False

    async def send(self, command: Command) -> Any:
        """Send a command; its reply.

        Cancelling the caller does not cancel the command, which shares its round trip with others.

        Raises:
            Exception: the error of the server or the connection.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        self._waiting.append((command, future))
        if not self._is_scheduled and len(self._in_flight) < MAX_IN_FLIGHT:
            self._is_scheduled = True
            loop.call_soon(self._send_batch)  # after every task that is ready in this iteration of the loop
        return await future

    def _send_batch(self) -> None:
        self._is_scheduled = False
        if not self._waiting or len(self._in_flight) >= MAX_IN_FLIGHT:
            return
        batch = [self._waiting.popleft() for _ in range(min(MAX_BATCH, len(self._waiting)))]
        task = asyncio.create_task(self._execute(batch))
        self._in_flight.add(task)
        task.add_done_callback(self._on_done)

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._in_flight.discard(task)
        self._send_batch()

    async def _execute(self, batch: Sequence[tuple[Command, asyncio.Future[Any]]]) -> None:
        try:
            replies = await self._round_trip([command for command, _ in batch])
        except BaseException as error:
            lost = error if isinstance(error, Exception) else ConnectionError("the connection was closed meanwhile")
            replies = [lost] * len(batch)
            if not isinstance(error, Exception):
                raise
        finally:
            for (_, future), reply in zip(batch, replies, strict=True):
                if future.done():
                    continue
                if isinstance(reply, Exception):
                    future.set_exception(reply)
                else:
                    future.set_result(reply)

    async def wait_in_flight(self) -> None:
        """Wait for the round trips that are in flight now; commands that still wait for one are not waited for."""
        if self._in_flight:
            await asyncio.wait(self._in_flight)
