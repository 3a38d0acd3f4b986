"""Scripts of different workspaces that are asked for at the same time go to the server in one write.

Each is still a script of its own, all or none by itself; only the trip is shared. That saves most of the client
library's cost per command, and with `appendfsync always` the server makes one fsync for all of them. At most two trips
are under way, so what arrives meanwhile gathers. A trip that fails leaves every script of it unsettled, which is what a
lost reply means anyway: callers send the same again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

Command = Sequence[str | bytes | int]
Trip = Callable[[Sequence[Command]], Awaitable[list[Any]]]
AT_ONCE = 2
MOST = 64


class AutoPipeline:
    """Gathers commands and sends them by `trip`, which gives their replies in order; errors stand as values."""

    def __init__(self, trip: Trip) -> None:
        self._trip = trip
        self._waiting: deque[tuple[Command, asyncio.Future[Any]]] = deque()
        self._under_way: set[asyncio.Task[None]] = set()
        self._is_planned = False

    async def send(self, command: Command) -> Any:
        """The reply to a command.

        Cancelling the caller does not take the command back; others may be on the same trip.

        Raises:
            Exception: what the server or the connection said.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        self._waiting.append((command, future))
        if not self._is_planned and len(self._under_way) < AT_ONCE:
            self._is_planned = True
            loop.call_soon(self._set_off)  # after everybody who is ready in this turn has asked
        return await future

    def _set_off(self) -> None:
        self._is_planned = False
        if not self._waiting or len(self._under_way) >= AT_ONCE:
            return
        load = [self._waiting.popleft() for _ in range(min(MOST, len(self._waiting)))]
        task = asyncio.create_task(self._travel(load))
        self._under_way.add(task)
        task.add_done_callback(self._arrived)

    def _arrived(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        self._set_off()

    async def _travel(self, load: Sequence[tuple[Command, asyncio.Future[Any]]]) -> None:
        try:
            replies = await self._trip([command for command, _ in load])
        except BaseException as error:
            lost = error if isinstance(error, Exception) else ConnectionError("the connection was closed meanwhile")
            replies = [lost] * len(load)
            if not isinstance(error, Exception):
                raise
        finally:
            for (_, future), reply in zip(load, replies, strict=True):
                if future.done():
                    continue
                if isinstance(reply, Exception):
                    future.set_exception(reply)
                else:
                    future.set_result(reply)

    async def close(self) -> None:
        """Wait for what is under way."""
        if self._under_way:
            await asyncio.wait(self._under_way)
