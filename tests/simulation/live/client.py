"""A client of `/live` over a real socket: connects, says what the session has to say, and comes again when it breaks.

Frames are read as they come; a connection that breaks, is refused or falls silent is made anew after a short pause,
for as long as the client is open.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import orjson
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.simulation.live.session import Session
from tests.timeouts import timeout

NEVER_AGAIN = frozenset({4400, 4401, 4403, 4404, 4409, 4410})
_OPEN_SECONDS = 10.0
_PING_SECONDS = 3.0
_OLDER = 0.25  # of the clients speak version 1


class LiveClient:
    """One page that is open on a workspace.

    Attributes:
        url: of the socket; may be changed, for the next connection.
        ended: why it has given up for good; None while it has not.
        closes: close codes that the server gave.
    """

    def __init__(self, url: str, headers: dict[str, str], rng: random.Random, new_id: Callable[[], str]) -> None:
        self.url = url
        self.session = Session(new_id)
        self.session.version = 1 if rng.random() < _OLDER else 2
        self.ended: str | None = None
        self.closes: list[int] = []
        self._headers, self._rng = headers, rng
        self._socket: ClientConnection | None = None
        self._is_open = True
        self._changed = asyncio.Event()
        self._task = asyncio.create_task(self._run(), name="live client")

    async def close(self) -> None:
        """Leave; what is pending stays in the session."""
        self._is_open = False
        self.drop()
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    def drop(self) -> None:
        """Break the connection without a word, as when a cable is pulled."""
        if self._socket is not None:
            self._socket.transport.abort()

    def reload(self) -> None:
        """Load the page anew."""
        self.session.reloaded()
        self.drop()

    def flush(self) -> None:
        """Send what the session has to say."""
        self._changed.set()

    async def wait_for(self, condition: Callable[[Session], object]) -> None:
        """Wait until the session is in a state; fail with what it is in."""
        try:
            async with timeout():
                while not condition(self.session):
                    self.check_alive()
                    await asyncio.sleep(0.01)
        except TimeoutError:
            raise AssertionError(f"waited in vain: {self.describe()}") from None

    def describe(self) -> str:
        """What it is in, for the message of a failed test."""
        one = self.session
        flying = one.pending_text.flying.message if one.pending_text.flying is not None else None
        return (
            f"{self.url} live={one.is_live} rev={one.replica.rev} pending={list(one.pending)[:3]} "
            f"of {len(one.pending)} flying={flying} "
            f"closes={self.closes[-3:]} ended={self.ended} faults={one.faults[:3]}"
        )

    def check_alive(self) -> None:
        """Fail if a defect has ended it."""
        if self._task.done() and not self._task.cancelled():
            self._task.result()
            raise AssertionError(f"the client has ended: {self.describe()}")

    # -- the connection ----------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        failures = 0
        while self._is_open and self.ended is None:
            before = self.session.states.total() + self.session.replica.rev
            with suppress(OSError, WebSocketException, TimeoutError):  # broken, refused or silent: come again
                await self._connection()
            self.session.disconnected()
            failures = failures + 1 if before == self.session.states.total() + self.session.replica.rev else 0
            await asyncio.sleep(self._rng.uniform(0.01, 0.05 * 2 ** min(failures, 4)))

    async def _connection(self) -> None:
        async with connect(
            self.url, additional_headers=self._headers, compression=None, max_size=None, proxy=None,
            open_timeout=_OPEN_SECONDS, ping_interval=_PING_SECONDS, ping_timeout=2 * _PING_SECONDS, close_timeout=1,
        ) as socket:  # fmt: skip
            self._socket = socket
            try:
                await socket.send(_text(self.session.hello()))
                async with asyncio.TaskGroup() as group:
                    speaking = group.create_task(self._speak(socket))
                    again = group.create_task(self._say_again())
                    await self._listen(socket)
                    speaking.cancel()
                    again.cancel()
            except* (OSError, WebSocketException):
                pass
            finally:
                self._socket = None
                self._note_end(socket.close_code)

    def _note_end(self, code: int | None) -> None:
        if code is not None:
            self.closes.append(code)
        if code in NEVER_AGAIN:
            self.ended = f"{code} {self.session.farewell}"

    async def _listen(self, socket: ClientConnection) -> None:
        async for raw in socket:
            self.session.receive(orjson.loads(raw))
            self._changed.set()

    async def _speak(self, socket: ClientConnection) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            while self.session.outbox:
                await socket.send(_text(self.session.outbox.pop(0)))

    async def _say_again(self) -> None:
        """What the server could not do now is said again after a while."""
        while True:
            await asyncio.sleep(self._rng.uniform(0.2, 0.5))
            self.session.say_again()
            self._changed.set()


def _text(message: dict[str, Any]) -> str:
    return orjson.dumps(message).decode()
