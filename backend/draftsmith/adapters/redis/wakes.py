"""Wakes over the store's pub/sub; implements `ports.live.Wakes`.

One connection serves all workspaces of a worker; on a cluster with shard channels one for each node that has some of
them. A task finds a line for every workspace that has none, at once after it lost one and then with growing pauses.
Where slots are is asked anew whenever a node turned out to be the wrong one or was lost.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import structlog
from redis.asyncio import RedisCluster

from draftsmith.adapters.redis.connection import Client, RedisConnection
from draftsmith.adapters.redis.errors import STORE_ERRORS
from draftsmith.adapters.redis.keys import WorkspaceKeys
from draftsmith.adapters.redis.pubsub import PLAIN, QUIET_SECONDS, SHARDED, Line, Wire
from draftsmith.errors import StorageError
from draftsmith.model.ids import WorkspaceId

_FIRST_PAUSE: Final = 0.02
_LONGEST_PAUSE: Final = 2.0
_FAILURES_TOLD: Final = 10
_SENT_AT_ONCE: Final = 8
"""Sends of presence that may be under way; more would take connections from commits while the store hangs."""
_BEGIN_SECONDS: Final = 0.5
"""How long whoever begins to listen waits for it; what is said to others at once is then not said too early."""
_ONLY_NODE: Final = ""
_log = structlog.get_logger("draftsmith.store")


@dataclass(eq=False)
class _Ear:
    """Somebody who listens for a workspace.

    Attributes:
        keys: the names of its channels.
        line: where it was asked for; None while it has to be placed.
        is_heard: whether the line has it.
        failures: tries since it was heard last.
        not_before: when it may be placed, by the loop's clock.
        begun: set once it was heard for the first time, or is to be heard no more.
    """

    keys: WorkspaceKeys
    on_wake: Callable[[], None]
    on_presence: Callable[[bytes], None]
    line: Line | None = None
    is_heard: bool = False
    failures: int = 0
    not_before: float = 0.0
    begun: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def channels(self) -> Sequence[str]:
        """What to listen to; both are in the slot of the workspace."""
        return (self.keys.channel, self.keys.presence)


class RedisWakes:
    """What one worker hears of the workspaces of a store, and says."""

    def __init__(self, connection: RedisConnection, quiet_seconds: float = QUIET_SECONDS) -> None:
        self._connection, self._quiet = connection, quiet_seconds
        self._verbs = SHARDED if connection.features.sharded_publish else PLAIN
        self._ears: dict[str, _Ear] = {}
        self._by_channel: dict[str, tuple[_Ear, bool]] = {}
        self._lines: dict[str, tuple[Line, asyncio.Task[None]]] = {}
        self._client: Client | None = None
        self._is_map_stale = False
        self._work = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None
        self._is_closed = False
        self._sending = 0

    # -- what others call --------------------------------------------------------------------------------------------

    async def listen(
        self, workspace_id: WorkspaceId, on_wake: Callable[[], None], on_presence: Callable[[bytes], None]
    ) -> None:
        """Listen for word about a workspace from now on; see `ports.live.Wakes`."""
        if self._is_closed:
            return
        known = self._ears.get(workspace_id)
        if known is not None:
            known.on_wake, known.on_presence = on_wake, on_presence
            if known.is_heard:
                self._later(known, None)
            return
        ear = self._ears[workspace_id] = _Ear(WorkspaceKeys(workspace_id), on_wake, on_presence)
        self._by_channel[ear.keys.channel], self._by_channel[ear.keys.presence] = (ear, False), (ear, True)
        self._work.set()
        if self._keeper is None:
            self._keeper = asyncio.create_task(self._keep(), name="keep lines to the store")
        with suppress(TimeoutError):
            async with asyncio.timeout(_BEGIN_SECONDS):
                await ear.begun.wait()

    async def unlisten(self, workspace_id: WorkspaceId) -> None:
        """Listen no more."""
        ear = self._ears.pop(workspace_id, None)
        if ear is None:
            return
        ear.begun.set()
        for channel in ear.channels:
            del self._by_channel[channel]
        if ear.line is not None:
            ear.line.unsubscribe(ear.channels)

    async def send_presence(self, workspace_id: WorkspaceId, content: bytes) -> None:
        """Send to everybody who listens for the workspace, oneself too if one does."""
        if self._is_closed or self._sending >= _SENT_AT_ONCE:
            return
        self._sending += 1
        try:
            with suppress(StorageError):
                publish = self._connection.features.publish
                await self._connection.write.command(publish, WorkspaceKeys(workspace_id).presence, content)
        finally:
            self._sending -= 1

    async def close(self) -> None:
        """Let go of everything."""
        self._is_closed = True
        for ear in self._ears.values():
            ear.begun.set()
        self._ears.clear()
        self._by_channel.clear()
        tasks = {task for _, task in self._lines.values()} | ({self._keeper} if self._keeper else set())
        while tasks:
            for task in tasks:
                task.cancel()
            # Again and again, since the client library can lose a cancellation (see `redis_connection`).
            _, tasks = await asyncio.wait(tasks, timeout=0.2)
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    # -- what lines tell ---------------------------------------------------------------------------------------------

    def begun(self, line: Line, channels: Sequence[str]) -> None:
        """A workspace is listened to from now on."""
        ear = self._ear_of(line, channels[0])
        if ear is not None:
            ear.is_heard, ear.failures = True, 0
            ear.begun.set()
            self._later(ear, None)

    def refused(self, line: Line, channels: Sequence[str]) -> None:
        """The node does not serve a workspace; another may."""
        ear = self._ear_of(line, channels[0])
        if ear is not None:
            self._is_map_stale = True
            self._put_off(ear)

    def moved(self, line: Line, channel: str) -> None:
        """The node does not serve a workspace any more."""
        ear = self._ear_of(line, channel)
        if ear is not None:
            self._is_map_stale = True
            self._put_off(ear)

    def heard(self, channel: str, content: bytes) -> None:
        """Word came."""
        ear, is_presence = self._by_channel.get(channel, (None, False))
        if ear is not None:
            self._later(ear, content if is_presence else None)

    def _ear_of(self, line: Line, channel: str) -> _Ear | None:
        ear, _ = self._by_channel.get(channel, (None, False))
        return ear if ear is not None and ear.line is line else None

    def _later(self, ear: _Ear, content: bytes | None) -> None:
        """Tell an ear in a turn of the loop of its own, so that what goes wrong in it is nobody else's."""
        asyncio.get_running_loop().call_soon(self._tell, ear, content)

    def _tell(self, ear: _Ear, content: bytes | None) -> None:
        if ear.keys.channel not in self._by_channel:
            return
        if content is None:
            ear.on_wake()
        else:
            ear.on_presence(content)

    # -- lines -------------------------------------------------------------------------------------------------------

    def _put_off(self, ear: _Ear) -> None:
        """Have an ear placed anew, soon at first and then ever later."""
        pause = min(_FIRST_PAUSE * 2 ** min(ear.failures, 10), _LONGEST_PAUSE) * random.uniform(0.5, 1.0)  # noqa: S311  # no secret
        ear.line, ear.is_heard = None, False
        ear.failures += 1
        if ear.failures == _FAILURES_TOLD:
            _log.warning("no_word", detail="Other workers are not heard; their commits are noticed late.")
        ear.not_before = asyncio.get_running_loop().time() + pause
        self._work.set()

    async def _keep(self) -> None:
        """Place every ear that has no line, until closed."""
        loop = asyncio.get_running_loop()
        while True:
            homeless = [ear for ear in self._ears.values() if ear.line is None]
            due = [ear for ear in homeless if ear.not_before <= loop.time()]
            if due:
                await self._place(due)
                continue
            self._work.clear()
            soonest = min((ear.not_before for ear in homeless), default=None)
            with suppress(TimeoutError):
                async with asyncio.timeout_at(soonest):
                    await self._work.wait()

    async def _place(self, ears: Sequence[_Ear]) -> None:
        """Ask for channels where they are served."""
        try:
            client = await self._mapped()
            homes = [(ear, *self._home(client, ear)) for ear in ears]
        except (StorageError, *STORE_ERRORS):
            for ear in ears:
                self._put_off(ear)
            return
        for ear, node, make in homes:
            if ear.keys.channel not in self._by_channel:
                continue  # it has gone meanwhile
            ear.line = self._line(node, make)
            ear.line.subscribe(ear.channels)

    async def _mapped(self) -> Client:
        """The client, with a map of the cluster that is not known to be wrong."""
        async with asyncio.timeout(self._quiet):
            if self._client is None:
                self._client = await self._connection.subscriber()
            elif self._is_map_stale and isinstance(self._client, RedisCluster):
                await self._client.nodes_manager.initialize()
        self._is_map_stale = False
        return self._client

    def _home(self, client: Any, ear: _Ear) -> tuple[str, Callable[[], Wire]]:
        """Which node serves an ear's channels, and how to connect to it."""
        if not isinstance(client, RedisCluster):
            return _ONLY_NODE, client.connection_pool.make_connection
        # Plain messages go round the whole cluster, so for them any node will do.
        is_sharded = self._verbs is SHARDED
        node: Any = client.get_node_from_key(ear.keys.channel) if is_sharded else client.get_default_node()
        return node.name, lambda: node.connection_class(**node.connection_kwargs)

    def _line(self, node: str, make: Callable[[], Wire]) -> Line:
        if node in self._lines:
            return self._lines[node][0]
        line = Line(make(), self._verbs, self, self._quiet)
        task = asyncio.create_task(line.run(), name=f"line to the store {node}")
        self._lines[node] = line, task
        task.add_done_callback(lambda task: self._lost(node, line, task))
        return line

    def _lost(self, node: str, line: Line, task: asyncio.Task[None]) -> None:
        """Have everybody placed anew who was on a line that has ended."""
        if self._lines.get(node, (None,))[0] is line:
            del self._lines[node]
        if self._is_closed or task.cancelled():
            return
        if task.exception() is not None:
            _log.error("defect", exc_info=task.exception())
        self._is_map_stale = True
        for ear in self._ears.values():
            if ear.line is line:
                self._put_off(ear)
