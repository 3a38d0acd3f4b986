"""Whole states in Redis: snapshots, from which a workspace is loaded, and kept states, which outlive the log.

A state is written piece by piece under a staged name that expires, then a script checks it against the log and
renames it. So nobody reads half a state, a writer that is refused or dies leaves nothing behind for long, and it cannot
damage a good state of the same revision. States are compressed: the store holds them in memory, hundreds of a busy
workspace, and their JSON shrinks to about a tenth. A part of `ports.CommitLog`; the rest is `commit_log`.
"""

from __future__ import annotations

import hashlib
import secrets
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from draftsmith.adapters.redis import scripts
from draftsmith.adapters.redis.connection import RedisConnection
from draftsmith.adapters.redis.keys import WorkspaceKeys
from draftsmith.adapters.redis.pool import Argument
from draftsmith.errors import StorageError
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import Blob

_PIECE = 256 * 1024
_STAGED_SECONDS = 3600
_READ_AGAIN = 8


class RedisSnapshots:
    """The states of every workspace of one store."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection

    async def snapshot(self, workspace_id: WorkspaceId, revision: int) -> Blob | None:
        """Read the snapshot of exactly `revision`; None if it is not there or damaged."""
        return await self._read_state(WorkspaceKeys(workspace_id).snapshot(revision), revision)

    async def put_snapshot(self, workspace_id: WorkspaceId, blob: Blob) -> str:
        """Store a snapshot and move the pointer, if the log confirms it; see `ports.CommitLog`."""
        keys = WorkspaceKeys(workspace_id)
        async with self._staging(keys, "snap") as (staged,):
            await self.write_state(staged, blob)
            for _ in range(_READ_AGAIN):
                before = await self._connection.read.command("HGET", keys.meta, "snap_prev") or b"0"
                answer = await self._connection.write.script(
                    scripts.PUT_SNAPSHOT,
                    [keys.meta, keys.log, staged, keys.snapshot(blob.revision), keys.snapshot(int(before))],
                    [blob.epoch, blob.revision, blob.chain, before],
                )
                if answer != b"moved":
                    return _decode_answer(answer)
        raise StorageError("The workspace's snapshots keep changing; try again.")

    async def keep(self, workspace_id: WorkspaceId, blob: Blob, reason: str) -> None:
        """Keep a whole state for good; nothing happens if there is no such workspace of this epoch any more.

        A state kept already for a reason of longer life (checkpoint, then day, then hour) keeps that reason.
        """
        keys = WorkspaceKeys(workspace_id)
        async with self._staging(keys, "kept") as (staged,):
            await self.write_state(staged, blob)
            answer = await self._connection.write.script(
                scripts.KEEP,
                [keys.meta, staged, keys.kept, keys.kept_state(blob.revision)],
                [blob.revision, blob.ms, reason, blob.chain, blob.epoch],
            )
            _decode_answer(answer)

    async def kept_states(self, workspace_id: WorkspaceId) -> list[tuple[int, int, str]]:
        """List kept states as (revision, ms, reason), oldest first."""
        listed = await self._connection.read.command("HGETALL", WorkspaceKeys(workspace_id).kept)
        states = []
        for revision, value in listed.items():
            ms, reason = value.decode().split(" ", 1)
            states.append((int(revision), int(ms), reason))
        return sorted(states)

    async def read_kept(self, workspace_id: WorkspaceId, revision: int) -> Blob | None:
        """Read a kept state; None if it is not there or damaged."""
        return await self._read_state(WorkspaceKeys(workspace_id).kept_state(revision), revision)

    async def drop_kept(self, workspace_id: WorkspaceId, revision: int) -> None:
        """Drop a kept state; nothing happens if it is not there."""
        keys = WorkspaceKeys(workspace_id)
        await self._connection.write.script(scripts.DROP_KEPT, [keys.kept, keys.kept_state(revision)], [revision])

    async def lock_snapshotter(self, workspace_id: WorkspaceId, worker: str, ttl_ms: int) -> bool:
        """Lock the making of a snapshot; refused while the lock is held, also to its holder."""
        key = WorkspaceKeys(workspace_id).snaplock
        return bool(await self._connection.write.command("SET", key, worker, "NX", "PX", ttl_ms))

    @asynccontextmanager
    async def _staging(self, keys: WorkspaceKeys, *what: str) -> AsyncIterator[tuple[str, ...]]:
        """Name staged values; on an error they are removed at once if possible, else they expire."""
        nonce = secrets.token_hex(8)
        names = tuple(keys.temporary(name, nonce) for name in what)
        try:
            yield names
        except BaseException:
            with suppress(StorageError):
                await self._connection.write.command("UNLINK", *names)
            raise

    async def write_state(self, staged: str, blob: Blob) -> None:
        """Write a state under a staged name, compressed, at most 256 KiB at a time."""
        content = zlib.compress(blob.content, 1)
        pieces = range(0, len(content), _PIECE)
        digest = hashlib.sha256(blob.content).hexdigest()
        commands: list[list[Argument]] = [
            ["HSET", staged, "n", len(pieces), "sha", digest, "len", len(blob.content)],
            ["HSET", staged, "epoch", blob.epoch, "chain", blob.chain, "ms", blob.ms],
            ["EXPIRE", staged, _STAGED_SECONDS],
        ]
        for number, start in enumerate(pieces):
            commands.append(["HSET", staged, number, content[start : start + _PIECE]])
        for command in commands:
            await self._connection.write.command(*command)

    async def _read_state(self, key: str, revision: int) -> Blob | None:
        stored = await self._connection.read.command("HGETALL", key)
        try:
            content = zlib.decompress(b"".join(stored[b"%d" % number] for number in range(int(stored[b"n"]))))
            if hashlib.sha256(content).hexdigest().encode() != stored[b"sha"]:
                return None
            return Blob(stored[b"epoch"].decode(), revision, stored[b"chain"].decode(), int(stored[b"ms"]), content)
        except (KeyError, ValueError, zlib.error):
            return None


def _decode_answer(answer: bytes) -> str:
    if answer == b"lost":
        raise StorageError("The store has lost a state that was just written; try again.")
    return answer.decode()
