"""One pub/sub connection to one node of the store: it asks for channels, one workspace at a time, and hears.

It lives until it breaks or is closed and is then never used again; `redis_wakes` decides what comes after. That the
other side is still there is seen by asking it whenever it has been quiet for a while, since a way that was cut without
a word looks like silence.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import ResponseError

from draftsmith.adapters.redis.errors import STORE_ERRORS, is_closed_under_us

Wire = Any
"""A connection of the client library, which types its connections only in part."""
QUIET_SECONDS: Final = 5.0
"""How long a line may be quiet before it is asked for a sign of life, and then how long that may take."""


@dataclass(frozen=True, slots=True)
class Verbs:
    """The words of a kind of channel: what is sent, and what is heard. The answer to a verb is the verb."""

    subscribe: str
    unsubscribe: str
    unsubscribed: bytes
    message: bytes


SHARDED: Final = Verbs("SSUBSCRIBE", "SUNSUBSCRIBE", b"sunsubscribe", b"smessage")
PLAIN: Final = Verbs("SUBSCRIBE", "UNSUBSCRIBE", b"unsubscribe", b"message")


class Hearer(Protocol):
    """Who is told what a line hears; nothing here waits."""

    def begun(self, line: Line, channels: Sequence[str]) -> None:
        """These channels are listened to from now on."""
        ...

    def refused(self, line: Line, channels: Sequence[str]) -> None:
        """The node does not serve these channels; another may."""
        ...

    def moved(self, line: Line, channel: str) -> None:
        """The node does not serve a channel any more."""
        ...

    def heard(self, channel: str, content: bytes) -> None:
        """A message came."""
        ...


@dataclass(eq=False)
class _Question:
    answer: bytes
    open: set[str]
    is_granted: asyncio.Future[bool] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Line:
    """One connection; `run` is its whole life."""

    def __init__(self, wire: Wire, verbs: Verbs, hearer: Hearer, quiet_seconds: float = QUIET_SECONDS) -> None:
        self._wire, self._verbs, self._hearer, self._quiet = wire, verbs, hearer, quiet_seconds
        self._questions: asyncio.Queue[tuple[str, Sequence[str]]] = asyncio.Queue()
        self._asked: _Question | None = None

    def subscribe(self, channels: Sequence[str]) -> None:
        """Ask for channels, which must all be of one slot."""
        self._questions.put_nowait((self._verbs.subscribe, channels))

    def unsubscribe(self, channels: Sequence[str]) -> None:
        """Listen to them no more."""
        self._questions.put_nowait((self._verbs.unsubscribe, channels))

    async def run(self) -> None:
        """Connect, ask and hear until the line breaks."""
        try:
            async with asyncio.timeout(self._quiet):
                await self._wire.connect()
            async with asyncio.TaskGroup() as group:
                group.create_task(self._ask(), name="ask for channels")
                group.create_task(self._hear(), name="hear channels")
        except* STORE_ERRORS:
            pass
        except* RuntimeError as errors:
            if errors.subgroup(lambda error: not (isinstance(error, RuntimeError) and is_closed_under_us(error))):
                raise
        finally:
            with suppress(*STORE_ERRORS, RuntimeError):
                await self._wire.disconnect(nowait=True)

    async def _ask(self) -> None:
        while True:
            verb, channels = await self._questions.get()
            self._asked = asked = _Question(verb.lower().encode(), set(channels))
            await self._send(verb, *channels)
            async with asyncio.timeout(self._quiet):
                is_granted = await asked.is_granted
            self._asked = None
            if verb == self._verbs.subscribe:
                (self._hearer.begun if is_granted else self._hearer.refused)(self, channels)

    async def _send(self, *parts: str) -> None:
        # Sending on a connection that has been lost would make another one, on which nothing is listened to.
        if not self._wire.is_connected:
            raise NoConnection("the line was lost")
        await self._wire.send_command(*parts, check_health=False)

    async def _hear(self) -> None:
        is_waiting = False
        while True:
            try:
                reply = await self._wire.read_response(timeout=self._quiet, disconnect_on_error=False)
            except ResponseError:
                is_waiting = False
                self._answered(is_granted=False)
                continue
            if reply is not None:
                is_waiting = False
                self._take(reply)
            elif is_waiting:
                raise NoConnection("the line is silent")
            else:
                is_waiting = True
                await self._send("PING")

    def _take(self, reply: Any) -> None:
        if not isinstance(reply, list) or len(reply) < 3:
            return  # a sign of life
        kind, channel, content = reply[0], reply[1].decode(), reply[2]
        if kind == self._verbs.message:
            self._hearer.heard(channel, content)
            return
        asked = self._asked
        if asked is not None and kind == asked.answer and channel in asked.open:
            asked.open.discard(channel)
            if not asked.open:
                self._answered(is_granted=True)
        elif kind == self._verbs.unsubscribed:
            self._hearer.moved(self, channel)

    def _answered(self, *, is_granted: bool) -> None:
        if self._asked is not None and not self._asked.is_granted.done():
            self._asked.is_granted.set_result(is_granted)
