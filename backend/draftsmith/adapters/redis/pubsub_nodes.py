"""The pub/sub connections of a worker: one to the server, or one to each node of a cluster that serves its channels."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

import structlog
from redis.asyncio import RedisCluster

from draftsmith.adapters.redis.connection import RedisConnection
from draftsmith.adapters.redis.pool import Client
from draftsmith.adapters.redis.pubsub import PLAIN, SHARDED, ClientConnection, PubSubConnection, PubSubHandler

_ONLY_NODE: Final = ""
_log = structlog.get_logger("draftsmith.store")

Lost = Callable[[PubSubConnection], None]


class PubSubNodes:
    """Opens connections where they are needed, and forgets those that have ended.

    Attributes:
        is_map_stale: whether the map of a cluster's slots is to be read again before it is used.
    """

    def __init__(self, store: RedisConnection, handler: PubSubHandler, on_lost: Lost, ping_seconds: float) -> None:
        """Open nothing yet; `on_lost` is called with each connection that has ended by itself."""
        self.is_map_stale = False
        self._store, self._handler, self._on_lost, self._ping_seconds = store, handler, on_lost, ping_seconds
        self._commands = SHARDED if store.features.sharded_publish else PLAIN
        self._client: Client | None = None
        self._connections: dict[str, tuple[PubSubConnection, asyncio.Task[None]]] = {}
        self._is_closed = False

    async def refresh(self) -> None:
        """Connect the client, and read the map of the slots again if it is stale; raises as the client does."""
        async with asyncio.timeout(self._ping_seconds):
            if self._client is None:
                self._client = await self._store.subscriber()
            elif self.is_map_stale and isinstance(self._client, RedisCluster):
                await self._client.nodes_manager.initialize()
        self.is_map_stale = False

    def locate(self, channel: str) -> tuple[str, Callable[[], ClientConnection]]:
        """The node that serves a channel, and how to connect to it; after `refresh`."""
        client: Any = self._client
        if not isinstance(client, RedisCluster):
            return _ONLY_NODE, client.connection_pool.make_connection
        # Plain messages reach every node of a cluster, so any node will do for them.
        is_sharded = self._commands is SHARDED
        node: Any = client.get_node_from_key(channel) if is_sharded else client.get_default_node()
        return node.name, lambda: node.connection_class(**node.connection_kwargs)

    def connection(self, node: str, make: Callable[[], ClientConnection]) -> PubSubConnection:
        """The connection to a node, opened unless it is open."""
        if node in self._connections:
            return self._connections[node][0]
        connection = PubSubConnection(make(), self._commands, self._handler, self._ping_seconds)
        task = asyncio.create_task(connection.run(), name=f"pub/sub connection {node}")
        self._connections[node] = connection, task
        task.add_done_callback(lambda task: self._on_task_done(node, connection, task))
        return connection

    def _on_task_done(self, node: str, connection: PubSubConnection, task: asyncio.Task[None]) -> None:
        if self._connections.get(node, (None,))[0] is connection:
            del self._connections[node]
        if self._is_closed or task.cancelled():
            return
        if task.exception() is not None:
            _log.error("defect", exc_info=task.exception())
        self.is_map_stale = True
        self._on_lost(connection)

    async def close(self) -> None:
        """Close all connections."""
        self._is_closed = True
        await cancel_all({task for _, task in self._connections.values()})
        if self._client is not None:
            await self._client.aclose()
            self._client = None


async def cancel_all(tasks: set[asyncio.Task[None]]) -> None:
    """Cancel tasks and wait for their end; again and again, since the client library can lose a cancellation."""
    while tasks:
        for task in tasks:
            task.cancel()
        _, tasks = await asyncio.wait(tasks, timeout=0.2)
