"""The conversation of each workspace with the assistant in Redis, and the switch; a part of `ports.runs.RunStore`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from draftsmith.adapters.redis.assistant.run_values import unpack
from draftsmith.adapters.redis.assistant.stream_ids import last_before
from draftsmith.adapters.redis.connection import RedisConnection
from draftsmith.adapters.redis.keys import WorkspaceKeys
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports.runs import ConversationTurn, EditMode, Switch

_EDIT_MODES: Final[Mapping[bytes | None, EditMode]] = {b"tools": "tools", b"regenerate": "regenerate"}


class RedisConversations:
    """The conversations of every workspace of one store."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection

    async def conversation(
        self, workspace_id: WorkspaceId, *, before: str | None, count: int
    ) -> list[tuple[str, ConversationTurn]]:
        """Turns of the conversation with their ids, newest first.

        Raises:
            DraftsmithError: `invalid_request`; `before` is no id.
        """
        end = "+" if before is None else last_before(before)
        if count < 1:
            return []
        key = WorkspaceKeys(workspace_id).conversation
        found = await self._connection.read.command("XREVRANGE", key, end, "-", "COUNT", count)
        return [(name.decode(), cast(ConversationTurn, unpack(fields[b"t"]))) for name, fields in found]

    async def clear_conversation(self, workspace_id: WorkspaceId) -> None:
        """Forget the conversation; workspace, runs and proposals stay."""
        await self._connection.write.command("UNLINK", WorkspaceKeys(workspace_id).conversation)

    async def switch_of(self, workspace_id: WorkspaceId) -> Switch:
        """The switch of a workspace; an edit mode that a later version may have set counts as none."""
        keys = WorkspaceKeys(workspace_id)
        names = keys.runs_off, keys.edit_mode, keys.provider
        off, mode, provider = await self._connection.read.command("MGET", *names)
        return Switch(off is not None, _EDIT_MODES.get(mode), provider and provider.decode())

    async def switch(self, workspace_id: WorkspaceId, *, off: bool) -> None:
        """Switch the assistant off or on; runs that are alive go on."""
        key = WorkspaceKeys(workspace_id).runs_off
        await self._connection.write.command(*(("SET", key, b"1") if off else ("UNLINK", key)))

    async def set_edit_mode(self, workspace_id: WorkspaceId, edit_mode: EditMode | None) -> None:
        """Say how models edit there; None: as the server is set."""
        key = WorkspaceKeys(workspace_id).edit_mode
        await self._connection.write.command(*(("SET", key, edit_mode) if edit_mode else ("UNLINK", key)))

    async def set_provider(self, workspace_id: WorkspaceId, provider: str | None) -> None:
        """Say which provider answers there; None: the server's."""
        key = WorkspaceKeys(workspace_id).provider
        await self._connection.write.command(*(("SET", key, provider) if provider else ("UNLINK", key)))
