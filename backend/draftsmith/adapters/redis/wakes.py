"""Wakes over the store's pub/sub; implements `ports.live.Wakes`.

One connection serves all workspaces of a worker; on a cluster with shard channels one for each node that has some of
them. A task gives a connection to every subscription that has none, at once after it lost one and then with growing
pauses. The map of a cluster's slots is read again whenever a node turned out to be the wrong one or was lost.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, TypeVar

import structlog

from draftsmith.adapters.redis.connection import RedisConnection
from draftsmith.adapters.redis.errors import STORE_ERRORS
from draftsmith.adapters.redis.keys import WorkspaceKeys
from draftsmith.adapters.redis.pubsub import PING_SECONDS, PubSubConnection
from draftsmith.adapters.redis.pubsub_nodes import PubSubNodes, cancel_all
from draftsmith.errors import StorageError
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports.live import AppendWake, OnWake

T = TypeVar("T")
_FIRST_PAUSE: Final = 0.02
_LONGEST_PAUSE: Final = 2.0
_FAILURES_LOGGED: Final = 10
_MAX_SENDING: Final = 8
"""Presence messages that may be under way; more would take connections from commits while the store hangs."""
_SUBSCRIBE_SECONDS: Final = 0.5
"""How long `listen` waits for its subscription, so that an answer to what the caller sends next is not missed."""
_log = structlog.get_logger("draftsmith.store")


@dataclass(eq=False)
class _Subscription:
    """The subscription to one workspace's channels.

    Attributes:
        keys: the names of the channels.
        connection: where it was requested; None while it has to be requested.
        is_active: whether the connection has confirmed it.
        failures: attempts since it was last confirmed.
        not_before: when it may be requested again, by the loop's clock.
        has_begun: set once it was confirmed for the first time, or is not wanted any more.
    """

    keys: WorkspaceKeys
    on_wake: OnWake
    on_presence: Callable[[bytes], None]
    connection: PubSubConnection | None = None
    is_active: bool = False
    failures: int = 0
    not_before: float = 0.0
    has_begun: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def channels(self) -> Sequence[str]:
        """Its channels; both are in the slot of the workspace."""
        return (self.keys.channel, self.keys.presence)


class RedisWakes:
    """The subscriptions of one worker to the workspaces of a store."""

    def __init__(
        self,
        store: RedisConnection,
        ping_seconds: float = PING_SECONDS,
        subscribe_seconds: float = _SUBSCRIBE_SECONDS,
    ) -> None:
        self._store, self._subscribe_seconds = store, subscribe_seconds
        self._nodes = PubSubNodes(store, self, self._connection_lost, ping_seconds)
        self._subscriptions: dict[WorkspaceId, _Subscription] = {}
        self._by_channel: dict[str, tuple[_Subscription, bool]] = {}  # and whether it is the channel for presence
        self._work = asyncio.Event()
        self._subscriber: asyncio.Task[None] | None = None
        self._is_closed = False
        self._sending = 0

    # -- the port ----------------------------------------------------------------------------------------------------

    async def listen(self, workspace_id: WorkspaceId, on_wake: OnWake, on_presence: Callable[[bytes], None]) -> None:
        """Listen for messages about a workspace from now on; see `ports.live.Wakes`."""
        if self._is_closed:
            return
        known = self._subscriptions.get(workspace_id)
        if known is not None:
            known.on_wake, known.on_presence = on_wake, on_presence
            if known.is_active:
                self._call_soon(known.on_wake, known, None)
            return
        new = self._subscriptions[workspace_id] = _Subscription(WorkspaceKeys(workspace_id), on_wake, on_presence)
        self._by_channel[new.keys.channel], self._by_channel[new.keys.presence] = (new, False), (new, True)
        self._work.set()
        if self._subscriber is None:
            self._subscriber = asyncio.create_task(self._subscribe_all(), name="subscribe to workspaces")
        with suppress(TimeoutError):
            async with asyncio.timeout(self._subscribe_seconds):
                await new.has_begun.wait()

    async def unlisten(self, workspace_id: WorkspaceId) -> None:
        """Listen no more."""
        subscription = self._subscriptions.pop(workspace_id, None)
        if subscription is None:
            return
        subscription.has_begun.set()
        for channel in subscription.channels:
            del self._by_channel[channel]
        if subscription.connection is not None:
            subscription.connection.unsubscribe(subscription.channels)

    async def send_presence(self, workspace_id: WorkspaceId, content: bytes) -> None:
        """Send to everybody who listens for the workspace, including this worker if it does."""
        if self._is_closed or self._sending >= _MAX_SENDING:
            return
        self._sending += 1
        try:
            with suppress(StorageError):
                publish = self._store.features.publish
                await self._store.write.command(publish, WorkspaceKeys(workspace_id).presence, content)
        finally:
            self._sending -= 1

    async def close(self) -> None:
        """Cancel all subscriptions and close all connections."""
        self._is_closed = True
        for subscription in self._subscriptions.values():
            subscription.has_begun.set()
        self._subscriptions.clear()
        self._by_channel.clear()
        await cancel_all({self._subscriber} if self._subscriber else set())
        await self._nodes.close()

    # -- called by connections ---------------------------------------------------------------------------------------

    def on_subscribed(self, connection: PubSubConnection, channels: Sequence[str]) -> None:
        """The subscription to a workspace has begun; what was sent before it was missed, so it counts as a wake."""
        subscription = self._subscription_at(connection, channels[0])
        if subscription is not None:
            subscription.is_active, subscription.failures = True, 0
            subscription.has_begun.set()
            self._call_soon(subscription.on_wake, subscription, None)

    def on_unsubscribed(self, connection: PubSubConnection, channel: str) -> None:
        """The node does not serve a workspace, or not any more; another may."""
        subscription = self._subscription_at(connection, channel)
        if subscription is not None:
            self._nodes.is_map_stale = True
            self._retry(subscription)

    def message_received(self, channel: str, content: bytes) -> None:
        """A message has arrived."""
        subscription, is_presence = self._by_channel.get(channel, (None, False))
        if subscription is None:
            return
        if is_presence:
            self._call_soon(subscription.on_presence, subscription, content)
        else:
            self._call_soon(subscription.on_wake, subscription, _append_wake(content))

    def _subscription_at(self, connection: PubSubConnection, channel: str) -> _Subscription | None:
        subscription, _ = self._by_channel.get(channel, (None, False))
        return subscription if subscription is not None and subscription.connection is connection else None

    def _call_soon(self, callback: Callable[[T], None], subscription: _Subscription, content: T) -> None:
        """Call a subscriber in a later turn of the loop, so that an exception there concerns nobody else."""
        asyncio.get_running_loop().call_soon(self._call, callback, subscription, content)

    def _call(self, callback: Callable[[T], None], subscription: _Subscription, content: T) -> None:
        if subscription.keys.channel in self._by_channel:
            callback(content)

    def _connection_lost(self, connection: PubSubConnection) -> None:
        for subscription in self._subscriptions.values():
            if subscription.connection is connection:
                self._retry(subscription)

    # -- subscribing -------------------------------------------------------------------------------------------------

    def _retry(self, subscription: _Subscription) -> None:
        """Have a subscription requested again, soon at first and then with growing pauses."""
        longest = min(_FIRST_PAUSE * 2 ** min(subscription.failures, 10), _LONGEST_PAUSE)
        pause = longest * random.uniform(0.5, 1.0)  # noqa: S311  # no secret
        subscription.connection, subscription.is_active = None, False
        subscription.failures += 1
        if subscription.failures == _FAILURES_LOGGED:
            _log.warning("not_subscribed", detail="Other workers are not heard; their commits are noticed late.")
        subscription.not_before = asyncio.get_running_loop().time() + pause
        self._work.set()

    async def _subscribe_all(self) -> None:
        """Request every subscription that has no connection, until closed."""
        loop = asyncio.get_running_loop()
        while True:
            missing = [one for one in self._subscriptions.values() if one.connection is None]
            due = [one for one in missing if one.not_before <= loop.time()]
            if due:
                await self._subscribe(due)
                continue
            self._work.clear()
            soonest = min((one.not_before for one in missing), default=None)
            with suppress(TimeoutError):
                async with asyncio.timeout_at(soonest):
                    await self._work.wait()

    async def _subscribe(self, subscriptions: Sequence[_Subscription]) -> None:
        """Request subscriptions at the nodes that serve their channels."""
        try:
            await self._nodes.refresh()
            located = [(one, *self._nodes.locate(one.keys.channel)) for one in subscriptions]
        except (StorageError, *STORE_ERRORS):
            for one in subscriptions:
                self._retry(one)
            return
        for one, node, make in located:
            if one.keys.channel not in self._by_channel:
                continue  # not wanted any more
            one.connection = self._nodes.connection(node, make)
            one.connection.subscribe(one.channels)


def _append_wake(content: bytes) -> AppendWake | None:
    """Read `<revision> <hash> <worker>`; None for what names no worker."""
    revision, _, rest = content.partition(b" ")
    _, _, worker = rest.partition(b" ")
    return AppendWake(int(revision), worker.decode()) if worker and revision.isdigit() else None
