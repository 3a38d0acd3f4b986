"""Publishes changes of access to every worker; implements `AccessChanges` over the store's pub/sub."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict
from typing import Final

import orjson

from draftsmith.access.records import AccessChange
from draftsmith.adapters.redis.access import names
from draftsmith.adapters.redis.connection import RedisConnection
from draftsmith.adapters.redis.errors import STORE_ERRORS
from draftsmith.adapters.redis.pubsub import PING_SECONDS, PubSubConnection
from draftsmith.adapters.redis.pubsub_nodes import PubSubNodes
from draftsmith.errors import StorageError

_AGAIN_S: Final = 0.2


class RedisAccessChanges:
    """The channel of changes; each worker that listens has one connection."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection

    async def tell(self, news: AccessChange) -> None:
        """Publish a change to all workers."""
        publish = self._connection.features.publish
        await self._connection.write.command(publish, names.NEWS, orjson.dumps(asdict(news)))

    async def listen(self) -> AsyncIterator[AccessChange | None]:
        """Yield changes as they are published; None at the start, and whenever one may have been missed."""
        subscription = _AccessSubscription(self._connection)
        try:
            await subscription.subscribe()
            while True:
                message = await subscription.messages.get()
                if isinstance(message, bytes):
                    yield AccessChange(**orjson.loads(message))
                elif message is _SUBSCRIBED:
                    yield None
                else:
                    await asyncio.sleep(_AGAIN_S)
                    await subscription.subscribe()
        finally:
            await subscription.close()


_SUBSCRIBED: Final = object()
_LOST: Final = object()


class _AccessSubscription:
    """The subscription of one listener, whatever connection it has at the time."""

    def __init__(self, connection: RedisConnection) -> None:
        self.messages: asyncio.Queue[object] = asyncio.Queue()
        self._nodes = PubSubNodes(connection, self, self._on_connection_lost, PING_SECONDS)

    async def subscribe(self) -> None:
        """Subscribe at the node that serves the channel; a failure counts as a lost connection."""
        try:
            await self._nodes.refresh()
            node, make = self._nodes.locate(names.NEWS)
        except (StorageError, *STORE_ERRORS):
            self.messages.put_nowait(_LOST)
            return
        self._nodes.connection(node, make).subscribe([names.NEWS])

    async def close(self) -> None:
        """Close the connection."""
        await self._nodes.close()

    def on_subscribed(self, connection: PubSubConnection, channels: Sequence[str]) -> None:
        """The subscription has begun."""
        self.messages.put_nowait(_SUBSCRIBED)

    def on_unsubscribed(self, connection: PubSubConnection, channel: str) -> None:
        """The node does not serve the channel any more."""
        self._nodes.is_map_stale = True
        self.messages.put_nowait(_LOST)

    def message_received(self, channel: str, content: bytes) -> None:
        """A message has arrived."""
        self.messages.put_nowait(content)

    def _on_connection_lost(self, connection: PubSubConnection) -> None:
        self.messages.put_nowait(_LOST)
