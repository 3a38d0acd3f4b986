"""One pub/sub connection to one node of the store: it subscribes to channels, one workspace at a time, and receives.

It is used until it breaks or is closed, and never again; `wakes` decides what follows. A connection that has received
nothing for a while is pinged, because a network that fails silently looks the same as one without messages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ResponseError

from draftsmith.adapters.redis.errors import STORE_ERRORS, is_closed_under_us

ClientConnection = Any
"""A connection of the client library, which types its connections only in part."""
PING_SECONDS: Final = 5.0
"""How long a connection may receive nothing before it is pinged, and then how long the answer may take."""


@dataclass(frozen=True, slots=True)
class PubSubCommands:
    """The commands of a kind of channel, and the kinds of its replies. The reply to a command is the command."""

    subscribe: str
    unsubscribe: str
    unsubscribed: bytes
    message: bytes


SHARDED: Final = PubSubCommands("SSUBSCRIBE", "SUNSUBSCRIBE", b"sunsubscribe", b"smessage")
PLAIN: Final = PubSubCommands("SUBSCRIBE", "UNSUBSCRIBE", b"unsubscribe", b"message")


class PubSubHandler(Protocol):
    """Called by a connection with what it receives; no method waits."""

    def on_subscribed(self, connection: PubSubConnection, channels: Sequence[str]) -> None:
        """The subscription to these channels has begun."""
        ...

    def on_unsubscribed(self, connection: PubSubConnection, channel: str) -> None:
        """The node does not serve a channel, or not any more; another may."""
        ...

    def message_received(self, channel: str, content: bytes) -> None:
        """A message has arrived."""
        ...


@dataclass(eq=False)
class _Request:
    """A command that has not been answered for all of its channels."""

    reply: bytes
    open: set[str]
    is_granted: asyncio.Future[bool] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class PubSubConnection:
    """One connection; `run` is its whole life."""

    def __init__(
        self, client: ClientConnection, commands: PubSubCommands, handler: PubSubHandler, ping_seconds: float
    ) -> None:
        self._client, self._commands, self._handler, self._ping_seconds = client, commands, handler, ping_seconds
        self._requests: asyncio.Queue[tuple[str, Sequence[str]]] = asyncio.Queue()
        self._pending: _Request | None = None

    def subscribe(self, channels: Sequence[str]) -> None:
        """Subscribe to channels, which must all be of one slot."""
        self._requests.put_nowait((self._commands.subscribe, channels))

    def unsubscribe(self, channels: Sequence[str]) -> None:
        """Unsubscribe from channels."""
        self._requests.put_nowait((self._commands.unsubscribe, channels))

    async def run(self) -> None:
        """Connect, send requests and receive until the connection breaks."""
        try:
            async with asyncio.timeout(self._ping_seconds):
                await self._client.connect()
            async with asyncio.TaskGroup() as group:
                group.create_task(self._send_requests(), name="subscribe to channels")
                group.create_task(self._receive(), name="receive from channels")
        except* STORE_ERRORS:
            pass
        except* (RuntimeError, AttributeError) as errors:
            if errors.subgroup(lambda error: not is_closed_under_us(error)):
                raise
        finally:
            with suppress(*STORE_ERRORS, RuntimeError):
                await self._client.disconnect(nowait=True)

    async def _send_requests(self) -> None:
        while True:
            command, channels = await self._requests.get()
            self._pending = pending = _Request(command.lower().encode(), set(channels))
            await self._send(command, *channels)
            async with asyncio.timeout(self._ping_seconds):
                is_granted = await pending.is_granted
            self._pending = None
            if command == self._commands.subscribe and is_granted:
                self._handler.on_subscribed(self, channels)
            elif command == self._commands.subscribe:
                self._handler.on_unsubscribed(self, channels[0])

    async def _send(self, *parts: str) -> None:
        # Sending on a lost connection would make the library open another one, without our subscriptions.
        if not self._client.is_connected:
            raise RedisConnectionError("the connection was lost")
        await self._client.send_command(*parts, check_health=False)

    async def _receive(self) -> None:
        is_ping_sent = False
        while True:
            try:
                reply = await self._client.read_response(timeout=self._ping_seconds, disconnect_on_error=False)
            except ResponseError:
                is_ping_sent = False
                self._settle(is_granted=False)
                continue
            if reply is not None:
                is_ping_sent = False
                self._handle(reply)
            elif is_ping_sent:
                raise RedisConnectionError("no reply to a ping")
            else:
                is_ping_sent = True
                await self._send("PING")

    def _handle(self, reply: Any) -> None:
        if not isinstance(reply, list) or len(reply) < 3:
            return  # the reply to a ping
        kind, channel, content = reply[0], reply[1].decode(), reply[2]
        if kind == self._commands.message:
            self._handler.message_received(channel, content)
            return
        pending = self._pending
        if pending is not None and kind == pending.reply and channel in pending.open:
            pending.open.discard(channel)
            if not pending.open:
                self._settle(is_granted=True)
        elif kind == self._commands.unsubscribed:
            self._handler.on_unsubscribed(self, channel)

    def _settle(self, *, is_granted: bool) -> None:
        if self._pending is not None and not self._pending.is_granted.done():
            self._pending.is_granted.set_result(is_granted)
