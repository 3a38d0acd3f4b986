"""Folders of workspaces, all in one hash; implements `FolderStore`.

There are at most `MOST_FOLDERS`, which are read as one and written only where none has changed since: whoever writes
has checked the whole tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from draftsmith.access.folders import MOST_DEPTH, Folder, FolderId, FolderTree, folder_from_json
from draftsmith.adapters.redis import scripts
from draftsmith.adapters.redis.access import names
from draftsmith.adapters.redis.connection import RedisConnection
from draftsmith.adapters.redis.pool import Argument


@dataclass(frozen=True)
class RedisFolders:
    """The folders of one store."""

    connection: RedisConnection

    async def all(self) -> FolderTree:
        """All of them."""
        # The version first: what is written in between makes a write with it fail, never pass.
        version, texts = await self.connection.read.commands([("GET", names.FOLDERS_VERSION), ("HVALS", names.FOLDERS)])
        return FolderTree(map(folder_of, texts), int(version or 0))

    async def chain(self, folder_id: FolderId) -> list[Folder]:
        """A folder and those around it."""
        arguments: list[Argument] = ["f", MOST_DEPTH, folder_id]
        [texts] = await self.connection.read.script(scripts.READ_FACTS, [names.FOLDERS], arguments)
        return list(map(folder_of, texts))

    async def write(self, folders: Sequence[Folder], removed: Sequence[FolderId] = (), *, version: int) -> bool:
        """Write some and remove others."""
        arguments: list[Argument] = [version, len(folders)]
        for folder in folders:
            arguments += [folder.id, orjson.dumps(folder.to_json())]
        arguments += removed
        keys, write = [names.FOLDERS, names.FOLDERS_VERSION], self.connection.write
        is_done = bool(await write.script(scripts.WRITE_FOLDERS, keys, arguments))
        if is_done:
            for folder_id in removed:
                await write.command("UNLINK", names.folder_audit(folder_id))
        return is_done


def folder_of(text: bytes) -> Folder:
    """Read a folder."""
    return folder_from_json(orjson.loads(text))
