"""A store behind its ports, as the contract suites see it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from draftsmith.adapters.redis.commit_log import RedisCommitLog
from draftsmith.adapters.redis.connection import RedisConnection, connect
from draftsmith.adapters.redis.pool import PoolLimits
from draftsmith.adapters.redis.usable import STORE_ID
from draftsmith.adapters.redis.workspace_index import RedisIndex
from draftsmith.ports import CommitLog, WorkspaceIndex
from draftsmith.ports.store import StoreConnection
from tests.timeouts import TIMEOUT_SECONDS

PATIENT = PoolLimits(
    connect_seconds=TIMEOUT_SECONDS,
    write_seconds=TIMEOUT_SECONDS,
    read_seconds=TIMEOUT_SECONDS,
    queue_seconds=TIMEOUT_SECONDS,
)
"""For a store that answers, however slow the machine is."""


@dataclass
class Backend:
    """Any store."""

    store: StoreConnection
    log: CommitLog
    index: WorkspaceIndex


@dataclass
class RedisBackend(Backend):
    """A real server or cluster, and the connection to look behind the ports."""

    connection: RedisConnection
    url: str

    async def keys(self, w: str) -> set[str]:
        """Name every key of a workspace that is really there, without the workspace."""
        stem = f"ws:{{{w}}}:"
        found = [key async for key in self.connection.read.client.scan_iter(match=f"{stem}*")]
        return {key.decode().removeprefix(stem) for key in found}


async def emptied(backend: RedisBackend) -> None:
    """Empty a server, but for its id: others that run on it are to go on."""
    connection = backend.connection
    pipeline: Any = connection.write.client.pipeline(transaction=True)
    pipeline.execute_command("FLUSHALL")
    pipeline.execute_command("SET", STORE_ID, connection.store_id)
    await pipeline.execute()


@asynccontextmanager
async def open_redis(url: str, limits: PoolLimits = PATIENT) -> AsyncIterator[RedisBackend]:
    """Connect, and let go of every connection on the way out."""
    connection = await connect(url, limits)
    try:
        yield RedisBackend(connection, RedisCommitLog(connection), RedisIndex(connection), connection, url)
    finally:
        await connection.close()
