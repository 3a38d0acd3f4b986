"""The list of workspaces in Redis; implements `ports.WorkspaceIndex`."""

from __future__ import annotations

from draftsmith.adapters.redis_connection import RedisConnection
from draftsmith.adapters.redis_errors import STORE_ERRORS, storage_error
from draftsmith.adapters.redis_keys import ANY_META, INDEX, workspace_of_meta

_SCAN_STEP = 1000


class RedisIndex:
    """One set of ids, in a slot of its own."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection

    async def add(self, w: str) -> None:
        """Write down that `w` is about to exist."""
        await self._connection.write.command("SADD", INDEX, w)

    async def remove(self, w: str) -> None:
        """Forget `w`."""
        await self._connection.write.command("SREM", INDEX, w)

    async def all(self) -> list[str]:
        """Every id written down."""
        return [w.decode() for w in await self._connection.read.command("SMEMBERS", INDEX)]

    async def scan(self) -> list[str]:
        """Walk the keys of every node; a workspace made or removed meanwhile may or may not be listed."""
        found: set[str] = set()
        try:
            async for key in self._connection.read.client.scan_iter(match=ANY_META, count=_SCAN_STEP):
                found.add(workspace_of_meta(key))
        except STORE_ERRORS as error:
            raise storage_error(error) from error
        return sorted(found)
