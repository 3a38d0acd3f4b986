"""Connections to Redis or Valkey, single or cluster, and the features of the server.

Two pools: one for everything that writes, which never repeats a command by itself (the commit path above resends and
can tell a repeat from a new commit; the client library cannot), and one for reads, which does. Not here: which keys
there are (`keys`), what the commands mean (`commit_log`, `snapshots`, `workspace_index`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import hiredis
from redis.asyncio import (
    Connection,
    ConnectionPool,
    Redis,
    RedisCluster,
    SSLConnection,
    UnixDomainSocketConnection,
)
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialWithJitterBackoff, NoBackoff

from draftsmith.adapters.redis.errors import STORE_ERRORS, storage_error
from draftsmith.adapters.redis.keys import PING
from draftsmith.adapters.redis.listing import RecentMarks
from draftsmith.adapters.redis.pool import Client, Pool, PoolLimits
from draftsmith.adapters.redis.risks import durability_of, risks_of
from draftsmith.adapters.redis.usable import STORE_ID, Usable, new_store_id
from draftsmith.errors import StorageError
from draftsmith.ports.store import DataLossRisk

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


class RedisConnection:
    """The connected store; implements `ports.Store`."""

    def __init__(
        self, url: str, features: Features, limits: PoolLimits, has_room: Callable[[], bool] | None = None
    ) -> None:
        """Connect when needed; `has_room` says whether the disk of a store on this machine has any left."""
        self.features = features
        self.store_id = ""
        self._url = url
        self._limits = limits
        never = Retry(NoBackoff(), 0)
        backoff = Retry(ExponentialWithJitterBackoff(base=0.01, cap=0.5), limits.read_retries)
        self._usable = Usable(has_room)
        socket = urlsplit(url).path if url.startswith("unix://") else None
        writer, reader = (
            _client(url, features, limits, limits.write_seconds, never),
            _client(url, features, limits, limits.read_seconds, backoff),
        )
        self.write = Pool(writer, limits, self._usable, writes=True, socket=socket)
        self.recent = RecentMarks(self.write)
        self.read = Pool(reader, limits, self._usable, writes=False, socket=socket)

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
        except BaseException:  # whoever waits for it has had enough
            await client.aclose()
            raise
        return client

    async def ping(self) -> None:
        """Write something that expires at once and read it, so that a full disk or a replica is noticed.

        Raises:
            StorageError: reads or writes do not work now.
        """
        await self.write.command("SET", PING, b"1", "PX", 1000)
        await self.read.command("GET", PING)

    async def begin(self) -> None:
        """Learn the id of the store, or give it one; from now on `check_same` compares with it."""
        found = await self.read.command("GET", STORE_ID)
        if found is not None:
            # Alone: where many commands at once are the first of a cluster's client, each makes its own connections to
            # ask for the slots, and they close one another's.
            await self.write.command("GET", STORE_ID)
        else:
            await self.write.command("SET", STORE_ID, new_store_id(), "NX")
            found = await self.read.command("GET", STORE_ID)
        self.store_id = "" if found is None else found.decode()

    async def check_same(self) -> None:
        """Compare the id of the store with what it was when this process began; see `ports.store.Store`."""
        found = await self.read.look("GET", STORE_ID)
        self._usable.is_emptied = (found or b"").decode() != self.store_id
        self._usable.check(None)

    async def risks(self) -> Sequence[DataLossRisk]:
        """What the store may lose as it is set now, on any primary node."""
        try:
            return risks_of(await durability_of(self.read.client))
        except STORE_ERRORS as error:
            raise storage_error(error) from error

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


async def connect(
    url: str, limits: PoolLimits | None = None, has_room: Callable[[], bool] | None = None
) -> RedisConnection:
    """Connect to `redis://`, `rediss://` or `unix://`; detects a cluster by itself.

    Args:
        url: the store's.
        limits: of both pools.
        has_room: whether the store's disk has room left, where it is on this machine and ours to judge.

    Raises:
        StorageError: `storage_down` if nobody answers; `storage_unsafe` if the server may evict our data.
    """
    limits = limits or PoolLimits()
    features = await _probe(url, limits)
    connection = RedisConnection(url, features, limits, has_room)
    try:
        await connection.begin()
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
    }
    if features.cluster:
        return RedisCluster.from_url(url, max_connections=limits.connections, **options)
    pool = ConnectionPool.from_url(url, **options)  # `Pool` limits how many are used at once, and waits for one
    pool.connection_class = _PACKED[pool.connection_class]
    return Redis.from_pool(pool)


def _pack(command: Iterable[Any]) -> bytes:
    """What is sent for a command; its name may be several words."""
    name, *arguments = command
    packed: bytes = hiredis.pack_command((*name.split(), *arguments))
    return packed


class _Packed:
    """A connection that packs commands in C, as the client's connections do that are not of asyncio.

    The client's own way in Python asks of each argument what it is, which takes a twentieth of a small write.
    """

    def pack_command(self, *args: Any) -> list[bytes]:
        """What is sent for one command."""
        return [_pack(args)]

    def pack_commands(self, commands: Iterable[Iterable[Any]]) -> list[bytes]:
        """What is sent for several commands, in one piece."""
        return [b"".join(map(_pack, commands))]


class _PackedTcpConnection(_Packed, Connection):
    pass


class _PackedTlsConnection(_Packed, SSLConnection):
    pass


class _PackedUnixConnection(_Packed, UnixDomainSocketConnection):
    pass


_PACKED: Final = {
    Connection: _PackedTcpConnection,
    SSLConnection: _PackedTlsConnection,
    UnixDomainSocketConnection: _PackedUnixConnection,
}
