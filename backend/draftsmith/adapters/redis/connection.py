"""Connections to Redis or Valkey, single or cluster, and the features of the server.

Two pools: one for everything that writes, which never repeats a command by itself (the commit path above resends and
can tell a repeat from a new commit; the client library cannot), and one for reads, which does. Not here: which keys
there are (`keys`), what the commands mean (`commit_log`, `snapshots`, `workspace_index`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol, cast

from redis.asyncio import BlockingConnectionPool, Redis, RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialWithJitterBackoff, NoBackoff
from redis.exceptions import NoScriptError, ResponseError

from draftsmith.adapters.redis.errors import STORE_ERRORS, is_closed_under_us, storage_error
from draftsmith.adapters.redis.keys import PING
from draftsmith.adapters.redis.pipeline import AutoPipeline, Command
from draftsmith.adapters.redis.scripts import Script
from draftsmith.errors import StorageError

Argument = str | bytes | int
Client = Redis | RedisCluster
_PROTOCOL = 2
"""Pinned: with 3 the client library gives some replies another shape and listens for pushes we do not need."""
_REWRITE_POLL_SECONDS = 0.2
_REWRITE_POLLS = 300


@dataclass(frozen=True, slots=True)
class Features:
    """What the server supports, found by its commands and not by its version, which differs between forks.

    Attributes:
        cluster: it is a node of a cluster.
        sharded_publish: it has SPUBLISH and SSUBSCRIBE.
        waitaof: it has WAITAOF.
    """

    cluster: bool
    sharded_publish: bool
    waitaof: bool

    @property
    def publish(self) -> str:
        """The command that publishes on a workspace's channel."""
        return "SPUBLISH" if self.sharded_publish else "PUBLISH"


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolLimits:
    """How long to wait and how many connections to hold, per pool.

    Attributes:
        connections: most connections at once; further callers wait for one.
        connect_seconds: for a connection to be made.
        write_seconds: for the answer to a write.
        read_seconds: for the answer to a read.
        queue_seconds: for a free connection.
        read_retries: how often a failed read is repeated.
    """

    connections: int = 32
    connect_seconds: float = 2.0
    write_seconds: float = 2.0
    read_seconds: float = 5.0
    queue_seconds: float = 5.0
    read_retries: int = 3


class _Pipeline(Protocol):
    """The part of the client library's pipelines that we use."""

    def execute_command(self, *args: Any) -> Any: ...
    async def execute(self, raise_on_error: bool = True) -> list[Any]: ...
    async def reset(self) -> None: ...


class Pool:
    """A client with a limit on concurrent use.

    The limit is our own because a cluster's client has none that waits.
    """

    def __init__(self, client: Client, limits: PoolLimits) -> None:
        self.client = client
        self._free = asyncio.Semaphore(limits.connections)
        self._queue_seconds = limits.queue_seconds
        # A cluster's client sends a pipeline node by node and follows moved slots by sending again; we do that above.
        self._scripts = None if isinstance(client, RedisCluster) else AutoPipeline(self._round_trip)

    @asynccontextmanager
    async def _slot(self) -> AsyncIterator[None]:
        if self._free.locked():
            try:
                async with asyncio.timeout(self._queue_seconds):
                    await self._free.acquire()
            except TimeoutError as error:
                raise StorageError("All connections to the store are in use; try again.") from error
        else:
            await self._free.acquire()
        task = asyncio.current_task()
        before = task.cancelling() if task is not None else 0
        try:
            yield
            # Python 3.11's wait_for, with which the client sends, loses a cancellation that comes as it ends.
            if task is not None and task.cancelling() > before:
                raise asyncio.CancelledError
        except STORE_ERRORS as error:
            raise storage_error(error) from error
        except RuntimeError as error:
            if not is_closed_under_us(error):
                raise
            raise storage_error(error) from error
        finally:
            self._free.release()

    async def command(self, *parts: Argument) -> Any:
        """Send one command; its reply as bytes, numbers and lists of them.

        Raises:
            StorageError: `storage_down` or `storage_full`; the command may have been carried out.
        """
        async with self._slot():
            return await cast(Awaitable[Any], self.client.execute_command(*parts))

    async def commands(self, commands: Sequence[Sequence[Argument]]) -> list[Any]:
        """Send commands in one go, without a transaction; their replies in order.

        Raises:
            StorageError: one of them failed; others may have been carried out.
        """
        async with self._slot():
            pipeline = cast(_Pipeline, self.client.pipeline(transaction=False))
            try:
                for parts in commands:
                    pipeline.execute_command(*parts)
                return await pipeline.execute()
            finally:
                await pipeline.reset()

    async def script(self, script: Script, keys: Sequence[str], arguments: Sequence[Argument]) -> Any:
        """Run a script; keys must all be of one workspace.

        A server that has forgotten its scripts (restart, failover, SCRIPT FLUSH) is given the source again. That is
        the one repeat that is safe here: it says NOSCRIPT before it does anything.

        Raises:
            StorageError: `storage_down` or `storage_full`; the script may have run.
        """
        try:
            try:
                return await self._send("EVALSHA", script.sha, len(keys), *keys, *arguments)
            except NoScriptError:
                return await self._send("EVAL", script.source, len(keys), *keys, *arguments)
        except STORE_ERRORS as error:
            raise storage_error(error) from error

    async def _send(self, *parts: Argument) -> Any:
        if self._scripts is not None:
            return await self._scripts.send(parts)
        (reply,) = await self._round_trip([parts])
        if isinstance(reply, Exception):
            raise reply
        return reply

    async def _round_trip(self, commands: Sequence[Command]) -> list[Any]:
        """Send commands in one write; their replies, errors among them as values."""
        async with self._slot():
            if len(commands) == 1:
                try:
                    return [await cast(Awaitable[Any], self.client.execute_command(*commands[0]))]
                except ResponseError as error:
                    return [error]
            pipeline = cast(_Pipeline, self.client.pipeline(transaction=False))
            try:
                for parts in commands:
                    pipeline.execute_command(*parts)
                return await pipeline.execute(raise_on_error=False)
            finally:
                await pipeline.reset()

    async def close(self) -> None:
        """Close every connection."""
        if self._scripts is not None:
            await self._scripts.wait_in_flight()
        await self.client.aclose()


class RedisConnection:
    """The connected store; implements `ports.Store`."""

    def __init__(self, url: str, features: Features, limits: PoolLimits) -> None:
        self.features = features
        self._url = url
        self._limits = limits
        never = Retry(NoBackoff(), 0)
        backoff = Retry(ExponentialWithJitterBackoff(base=0.01, cap=0.5), limits.read_retries)
        self.write = Pool(_client(url, features, limits, limits.write_seconds, never), limits)
        self.read = Pool(_client(url, features, limits, limits.read_seconds, backoff), limits)

    async def subscriber(self) -> Client:
        """Make a separate client for pub/sub connections, without read timeout. The caller closes it.

        Raises:
            StorageError: a cluster did not say where its slots are.
        """
        client = _client(self._url, self.features, self._limits, None, Retry(NoBackoff(), 0))
        try:
            # A cluster's client looks up the node of a channel without asking for the slots first.
            await client.initialize()
        except STORE_ERRORS as error:
            await client.aclose()
            raise storage_error(error) from error
        return client

    async def ping(self) -> None:
        """Write something that expires at once and read it, so that a full disk or a replica is noticed.

        Raises:
            StorageError: reads or writes do not work now.
        """
        await self.write.command("SET", PING, b"1", "PX", 1000)
        await self.read.command("GET", PING)

    async def rewrite_files(self) -> bool:
        """Have the store write its append-only file anew, without what was removed; whether it has.

        A cluster is many stores; there it is left to whoever operates it.
        """
        if self.features.cluster:
            return False
        try:
            await self.write.command("BGREWRITEAOF")
            for _ in range(_REWRITE_POLLS):
                told = await self.read.command("INFO", "persistence")
                if not told["aof_rewrite_in_progress"] and not told["aof_rewrite_scheduled"]:
                    return bool(told["aof_last_bgrewrite_status"] == "ok")
                await asyncio.sleep(_REWRITE_POLL_SECONDS)
        except StorageError:
            pass  # it may not be allowed, or be at it already
        return False

    async def close(self) -> None:
        """Close both pools."""
        await self.write.close()
        await self.read.close()


async def connect(url: str, limits: PoolLimits | None = None) -> RedisConnection:
    """Connect to `redis://`, `rediss://` or `unix://`; detects a cluster by itself.

    Raises:
        StorageError: `storage_down` if nobody answers; `storage_unsafe` if the server may evict our data.
    """
    limits = limits or PoolLimits()
    features = await _probe(url, limits)
    connection = RedisConnection(url, features, limits)
    try:
        await connection.ping()
    except BaseException:
        await connection.close()
        raise
    return connection


async def _probe(url: str, limits: PoolLimits) -> Features:
    client: Any = Redis.from_url(
        url,
        protocol=_PROTOCOL,
        retry=Retry(NoBackoff(), 0),
        socket_timeout=limits.read_seconds,
        socket_connect_timeout=limits.connect_seconds,
    )
    try:
        cluster = await client.execute_command("INFO", "cluster")
        memory = await client.execute_command("INFO", "memory")
        sharded, waitaof = await client.execute_command("COMMAND INFO", "SPUBLISH", "WAITAOF")
    except STORE_ERRORS as error:
        raise storage_error(error) from error
    finally:
        await client.aclose()
    policy = str(memory.get("maxmemory_policy", "noeviction"))
    if memory.get("maxmemory") and policy.startswith("allkeys"):
        raise StorageError(
            f"The store may throw our data away (maxmemory-policy {policy}); set it to noeviction.", "storage_unsafe"
        )
    return Features(bool(cluster.get("cluster_enabled")), bool(sharded), bool(waitaof))


def _client(url: str, features: Features, limits: PoolLimits, seconds: float | None, retry: Retry) -> Client:
    options: dict[str, Any] = {
        "protocol": _PROTOCOL,
        "decode_responses": False,
        "socket_timeout": seconds,
        "socket_connect_timeout": limits.connect_seconds,
        "retry": retry,
        "max_connections": limits.connections,
    }
    if features.cluster:
        return RedisCluster.from_url(url, **options)
    return Redis.from_pool(BlockingConnectionPool.from_url(url, timeout=limits.queue_seconds, **options))
