"""Access records and share links, in a workspace's slot; implements `WorkspaceAccessStore` and `ShareStore`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import orjson

from draftsmith.access.records import Share
from draftsmith.access.workspace_access import WorkspaceAccess, access_from_json
from draftsmith.adapters.redis import scripts
from draftsmith.adapters.redis.access import names
from draftsmith.adapters.redis.access.values import encode_share, share_of
from draftsmith.adapters.redis.connection import RedisConnection
from draftsmith.adapters.redis.keys import WorkspaceKeys
from draftsmith.model.ids import WorkspaceId

_USED_AGAIN_MS: Final = 60_000
_STEP: Final = 500


def _text(access: WorkspaceAccess) -> bytes:
    return orjson.dumps(access.to_json(), option=orjson.OPT_SORT_KEYS)


def record_of(text: bytes | None) -> WorkspaceAccess | None:
    """Read a record, where there is one."""
    return None if text is None else access_from_json(orjson.loads(text))


@dataclass(frozen=True)
class RedisWorkspaceAccess:
    """Who may what in every workspace."""

    connection: RedisConnection

    async def read(self, workspace_id: WorkspaceId) -> WorkspaceAccess | None:
        """The record of a workspace."""
        return record_of(await self.connection.read.small("GET", WorkspaceKeys(workspace_id).access))

    async def put(
        self, workspace_id: WorkspaceId, access: WorkspaceAccess, *, expected: WorkspaceAccess | None
    ) -> bool:
        """Write a record where it is still as expected."""
        before = b"" if expected is None else _text(expected)
        if access.application is not None:  # listed first: what is counted may be one too many, never one too few
            listed = names.application(access.application)
            await self.connection.write.command("HSET", listed, _field(access.external_id, workspace_id), workspace_id)
        await self.connection.recent.mark(workspace_id)
        key = WorkspaceKeys(workspace_id).access
        return bool(await self.connection.write.script(scripts.PUT_ACCESS, [key], [_text(access), before]))

    async def look(
        self, workspace_id: WorkspaceId, share_id: str | None = None
    ) -> tuple[WorkspaceAccess | None, Share | None]:
        """The record, and one of its links."""
        keys = WorkspaceKeys(workspace_id)
        if share_id is None:
            return record_of(await self.connection.read.small("GET", keys.access)), None
        commands = [("GET", keys.access), ("HGET", keys.shares, share_id)]
        record, share = await self.connection.read.commands(commands)
        return record_of(record), None if share is None else share_of(share, None)

    async def reserve(
        self, application: str, external_id: str | None, workspace_id: WorkspaceId, most: int
    ) -> WorkspaceId | None:
        """Give a workspace its place before it is made."""
        place: list[str | bytes | int] = [_field(external_id, workspace_id), workspace_id, most]
        found = await self.connection.write.script(scripts.RESERVE_WORKSPACE, [names.application(application)], place)
        return None if found is None else WorkspaceId(found.decode())

    async def release(self, application: str, external_id: str | None, workspace_id: WorkspaceId) -> None:
        """Give its place up, unless it was made."""
        if await self.read(workspace_id) is None:
            listed, field = names.application(application), _field(external_id, workspace_id)
            await self.connection.write.command("HDEL", listed, field)

    async def many(self, workspace_ids: Sequence[WorkspaceId]) -> list[WorkspaceAccess | None]:
        """The records of several."""
        found: list[WorkspaceAccess | None] = []
        for at in range(0, len(workspace_ids), _STEP):
            commands = [("GET", WorkspaceKeys(one).access) for one in workspace_ids[at : at + _STEP]]
            found += map(record_of, await self.connection.read.commands(commands))
        return found

    async def drop(self, workspace_id: WorkspaceId) -> None:
        """Forget the record, the links and the audit."""
        await self.connection.recent.mark(workspace_id)
        keys, write = WorkspaceKeys(workspace_id), self.connection.write
        access = await self.read(workspace_id)
        if access is not None and access.application is not None:
            listed = names.application(access.application)
            await write.command("HDEL", listed, _field(access.external_id, workspace_id))
        await write.command("UNLINK", keys.access, keys.shares, keys.picture_shares, keys.shares_used, keys.audit)


def _field(external_id: str | None, workspace_id: WorkspaceId) -> str:
    return f"id {workspace_id}" if external_id is None else f"name {external_id}"


@dataclass(frozen=True)
class RedisShares:
    """Share links. Those to pictures are kept apart: neither the gate nor an older release takes one for a role."""

    connection: RedisConnection

    async def of_token(self, token_hash: str) -> Share | None:
        """The link of a token."""
        found = await self.connection.read.command("GET", names.share_token(token_hash))
        if found is None:
            return None
        workspace_id, share_id = found.decode().split()
        return await self.read(WorkspaceId(workspace_id), share_id)

    async def put(self, token_hash: str, share: Share) -> None:
        """Make one; what leads to it comes last."""
        write, place = self.connection.write, f"{share.workspace_id} {share.id}"
        keys = WorkspaceKeys(WorkspaceId(share.workspace_id))
        await write.command("SADD", names.shares_by(share.made_by), place)
        kept = keys.shares if share.picture is None else keys.picture_shares
        await write.command("HSET", kept, share.id, encode_share(share))
        end = () if share.until_ms is None else ("PXAT", share.until_ms)
        await write.command("SET", names.share_token(token_hash), place, *end)

    async def all(self, workspace_id: WorkspaceId) -> list[Share]:
        """Those of a workspace."""
        keys = WorkspaceKeys(workspace_id)
        commands = [("HGETALL", keys.shares), ("HGETALL", keys.picture_shares), ("HGETALL", keys.shares_used)]
        roles, pictures, used = await self.connection.read.commands(commands)
        found = [*roles.items(), *pictures.items()]
        shares = [share_of(text, used.get(share_id)) for share_id, text in found]
        return sorted(shares, key=lambda share: (share.created_ms, share.id))

    async def read(self, workspace_id: WorkspaceId, share_id: str) -> Share | None:
        """One of them."""
        keys = WorkspaceKeys(workspace_id)
        commands = [("HGET", keys.shares, share_id), ("HGET", keys.picture_shares, share_id)]
        found = [text for text in await self.connection.read.commands(commands) if text is not None]
        return share_of(found[0], None) if found else None

    async def revoke(self, workspace_id: WorkspaceId, share_id: str) -> Share | None:
        """Revoke one. What its token leads to is not there any more, and stays so: ids are never used twice."""
        keys, share = WorkspaceKeys(workspace_id), await self.read(workspace_id, share_id)
        kept = keys.shares if share is None or share.picture is None else keys.picture_shares
        removed = await self.connection.write.command("HDEL", kept, share_id)
        await self.connection.write.command("HDEL", keys.shares_used, share_id)
        if share is None or not removed:
            return None
        await self.connection.write.command("SREM", names.shares_by(share.made_by), f"{workspace_id} {share_id}")
        return share

    async def revoke_made_by(self, principal_id: str) -> list[Share]:
        """Revoke all that somebody made."""
        revoked = []
        for place in await self.connection.read.command("SMEMBERS", names.shares_by(principal_id)):
            workspace_id, share_id = place.decode().split()
            revoked.append(await self.revoke(WorkspaceId(workspace_id), share_id))
        await self.connection.write.command("UNLINK", names.shares_by(principal_id))
        return [share for share in revoked if share is not None]

    async def note_use(self, workspace_id: WorkspaceId, share_id: str, now_ms: int) -> None:
        """Note that it was used, about once a minute."""
        key = WorkspaceKeys(workspace_id).shares_used
        last = await self.connection.read.command("HGET", key, share_id)
        if last is None or now_ms - int(last) >= _USED_AGAIN_MS:
            await self.connection.write.command("HSET", key, share_id, now_ms)
