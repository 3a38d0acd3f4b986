"""The list of workspaces in Redis; implements `ports.WorkspaceIndex`."""

from __future__ import annotations

from draftsmith.adapters.redis.connection import RedisConnection
from draftsmith.adapters.redis.errors import STORE_ERRORS, storage_error
from draftsmith.adapters.redis.keys import ANY_META, INDEX, workspace_of_meta
from draftsmith.model.ids import WorkspaceId

_SCAN_STEP = 1000


class RedisIndex:
    """One set of ids, in a slot of its own."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection

    async def add(self, workspace_id: WorkspaceId) -> None:
        """Add a workspace that is about to be created."""
        await self._connection.write.command("SADD", INDEX, workspace_id)

    async def remove(self, workspace_id: WorkspaceId) -> None:
        """Forget the workspace."""
        await self._connection.write.command("SREM", INDEX, workspace_id)

    async def all(self) -> list[WorkspaceId]:
        """Every id written down."""
        return [
            WorkspaceId(workspace_id.decode())
            for workspace_id in await self._connection.read.command("SMEMBERS", INDEX)
        ]

    async def scan(self) -> list[WorkspaceId]:
        """Walk the keys of every node; a workspace made or removed meanwhile may or may not be listed."""
        found: set[WorkspaceId] = set()
        try:
            async for key in self._connection.read.client.scan_iter(match=ANY_META, count=_SCAN_STEP):
                found.add(workspace_of_meta(key))
        except STORE_ERRORS as error:
            raise storage_error(error) from error
        return sorted(found)
