"""The commit log in Redis; with `snapshots` it implements `ports.CommitLog`.

Every change of a log is one Lua script and so one atomic step; see the comment at its top in `lua/`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import orjson

from draftsmith.adapters.redis import scripts
from draftsmith.adapters.redis.entries import (
    META_FIELDS,
    draft_arguments,
    entry_fields,
    entry_of_script,
    entry_of_stream,
    head_of,
    kept_answer_of,
    meta_of,
)
from draftsmith.adapters.redis.keys import WorkspaceKeys
from draftsmith.adapters.redis.pool import Argument
from draftsmith.adapters.redis.replacement import meta_of_replacement
from draftsmith.adapters.redis.snapshots import RedisSnapshots
from draftsmith.errors import StorageError
from draftsmith.history.commit import SCHEMA_VERSION, Draft, Entry, Head
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import (
    AppendOutcome,
    AppendSuccess,
    Blob,
    ClaimedElsewhere,
    Conflict,
    DuplicateTransactions,
    KeptAnswer,
    LeaseHeld,
    Meta,
    WorkspaceGone,
)

_MISSED = 256
_TRIM_STEP = 2000
"""Most entries a trim drops at once; the script passes their ids as arguments, of which Lua takes some thousands."""
_METAS_STEP = 256
_MOST_ANSWERS, _MOST_ANSWER_BYTES = 4096, 4 << 20
"""Kept answers of one workspace; more of them, or more bytes, push out the oldest."""
_CLAIM_MS = 3_600_000  # a copy that a worker has not appended by then was refused or given up long ago
MOST_CLAIMS = 8192
"""Claims of one workspace; beyond that the older ones go, nearly all of writes that have long been answered."""
_STAGE_BYTES = 1 << 20
_STAGED_SECONDS = 3600
_READ_AGAIN = 8


class RedisCommitLog(RedisSnapshots):
    """The logs of every workspace of one store."""

    async def create(
        self, workspace_id: WorkspaceId, epoch: str, first: Draft, summary: Mapping[str, object]
    ) -> AppendSuccess | DuplicateTransactions | Conflict:
        """Create the workspace with `first` as revision 1."""
        keys = WorkspaceKeys(workspace_id)
        await self._connection.recent.mark(workspace_id)
        await self._connection.check_same()  # nothing begins anew in a store that has lost what was there
        answer = await self._connection.write.script(
            scripts.CREATE,
            [keys.meta, keys.log, keys.txn],
            [
                epoch,
                orjson.dumps(summary),
                SCHEMA_VERSION,
                self._connection.features.publish,
                keys.channel,
                *draft_arguments(first),
            ],
        )
        head = head_of(*answer[1:4])
        match answer[0]:
            case b"appended":
                return AppendSuccess(head, int(answer[4]))
            case b"known":
                return DuplicateTransactions(head, {first.txid: 1})
        return Conflict(head, ())

    async def append(
        self,
        workspace_id: WorkspaceId,
        expected: Head,
        drafts: Sequence[Draft],
        summary: Mapping[str, object],
        worker: str,
        unchanged: Sequence[KeptAnswer] = (),
        connections: Mapping[str, str] | None = None,
    ) -> AppendOutcome:
        """Append all drafts or none, and keep what changed nothing; see `ports.CommitLog`.

        Raises:
            ValueError: two of them have the same transaction id.
        """
        txids = [*(draft.txid for draft in drafts), *(kept.txid for kept in unchanged)]
        if len(set(txids)) < len(txids):
            raise ValueError("two drafts with one transaction id")
        if drafts:
            await self._connection.recent.mark(workspace_id)
        keys = WorkspaceKeys(workspace_id)
        arguments: list[Argument] = [
            expected.epoch,
            expected.revision,
            expected.chain,
            worker,
            orjson.dumps(summary),
            self._connection.features.publish,
            keys.channel,
            _MISSED,
            _MOST_ANSWERS,
            _MOST_ANSWER_BYTES,
            len(drafts),
            len(unchanged),
        ]
        for draft in drafts:
            arguments += draft_arguments(draft)
        for kept in unchanged:
            arguments += [kept.txid, kept.fingerprint, kept.body]
        if connections:
            arguments += [connections.get(txid, "") for txid in txids]
        names = [keys.meta, keys.log, keys.txn, keys.lease, keys.answers, keys.answered, keys.claims]
        outcome = _outcome(await self._connection.write.script(scripts.APPEND, names, arguments))
        if outcome == WorkspaceGone("absent"):
            await self._connection.check_same()
        return outcome

    async def claim(self, workspace_id: WorkspaceId, txids: Collection[str], connection: str) -> None:
        """Let no copy of these writes be appended that was sent over another connection; see `ports.CommitLog`."""
        claims = WorkspaceKeys(workspace_id).claims
        write = self._connection.write
        claim: list[list[Argument]] = [["HSET", claims], ["PEXPIRE", claims, _CLAIM_MS]]
        for txid in txids:
            claim[0] += [txid, connection]
        count, *_ = await write.commands([["HLEN", claims], *claim])
        if count > MOST_CLAIMS:
            await write.commands([["UNLINK", claims], *claim])

    async def lease(self, workspace_id: WorkspaceId, worker: str, ttl_ms: int) -> bool:
        """Request that only `worker` may append for `ttl_ms`; a repeat prolongs its own lease."""
        return bool(
            await self._connection.write.script(scripts.LEASE, [WorkspaceKeys(workspace_id).lease], [worker, ttl_ms])
        )

    async def meta(self, workspace_id: WorkspaceId) -> Meta | None:
        """Read the meta of the workspace; None if there is no such workspace."""
        meta = meta_of(await self._connection.read.small("HMGET", WorkspaceKeys(workspace_id).meta, *META_FIELDS))
        if meta is None:
            await self._connection.check_same()
        return meta

    async def metas(self, workspace_ids: Sequence[WorkspaceId]) -> list[Meta | None]:
        """Read many metas, in the order asked."""
        found: list[Meta | None] = []
        read = self._connection.read
        for start in range(0, len(workspace_ids), _METAS_STEP):
            keys = [WorkspaceKeys(one).meta for one in workspace_ids[start : start + _METAS_STEP]]
            if self._connection.features.cluster:
                found += map(meta_of, await read.commands([("HMGET", key, *META_FIELDS) for key in keys]))
            else:  # one command, since the client takes 40 µs for each
                found += map(meta_of, await read.script(scripts.READ_METAS, keys, META_FIELDS))
        return found

    async def entries(self, workspace_id: WorkspaceId, after: int, upto: int, count: int = 500) -> list[Entry]:
        """Read at most `count` entries with `after < revision <= upto`, oldest first."""
        if upto <= after or count < 1:
            return []
        return await self._range("XRANGE", workspace_id, f"{max(after, 0) + 1}-0", f"{upto}-0", count)

    async def entries_before(self, workspace_id: WorkspaceId, before: int, count: int) -> list[Entry]:
        """Read at most `count` entries with `revision < before`, newest first."""
        if before <= 1 or count < 1:
            return []
        return await self._range("XREVRANGE", workspace_id, f"{before - 1}-0", "-", count)

    async def _range(self, command: str, workspace_id: WorkspaceId, start: str, end: str, count: int) -> list[Entry]:
        found = await self._connection.read.command(
            command, WorkspaceKeys(workspace_id).log, start, end, "COUNT", count
        )
        return [entry_of_stream(stream_id, fields) for stream_id, fields in found]

    async def find(self, workspace_id: WorkspaceId, txid: str) -> int | None:
        """The revision that a transaction id became, or None."""
        revision = await self._connection.read.command("HGET", WorkspaceKeys(workspace_id).txn, txid)
        return None if revision is None else int(revision)

    async def find_answer(self, workspace_id: WorkspaceId, txid: str) -> KeptAnswer | None:
        """The kept answer of a write that changed nothing, or None."""
        keys = WorkspaceKeys(workspace_id)
        place = await self._connection.read.command("HGET", keys.answered, txid)
        found = await self._connection.read.command("XRANGE", keys.answers, place, place) if place else []
        return kept_answer_of([part for pair in found[0][1].items() for part in pair]) if found else None

    async def trim(self, workspace_id: WorkspaceId, epoch: str, upto: int, count: int = 500) -> int:
        """Drop at most `count` entries (and never over 2,000) up to `upto`; the new base."""
        keys = WorkspaceKeys(workspace_id)
        answer = await self._connection.write.script(
            scripts.TRIM,
            [keys.meta, keys.log, keys.txn, keys.answers, keys.answered],
            [epoch, max(upto, 0), min(max(count, 0), _TRIM_STEP)],
        )
        return int(answer)

    async def set_deleted(self, workspace_id: WorkspaceId, deleted: bool) -> bool:
        """Put the workspace into the trash or take it out; False if there is no such workspace."""
        await self._connection.recent.mark(workspace_id)
        keys = WorkspaceKeys(workspace_id)
        arguments = ["1" if deleted else "0", self._connection.features.publish, keys.channel]
        return bool(await self._connection.write.script(scripts.SET_DELETED, [keys.meta], arguments))

    async def purge(self, workspace_id: WorkspaceId) -> None:
        """Remove everything of a workspace that is in the trash; keeps one that is not."""
        await self._connection.recent.mark(workspace_id)
        keys = WorkspaceKeys(workspace_id)
        for _ in range(_READ_AGAIN):
            snap, snap_prev, kept = await self._states(keys)
            names = [keys.meta, keys.kept, keys.log, keys.txn, keys.lease, keys.snaplock]
            names += [keys.answers, keys.answered, keys.claims]
            names += [keys.snapshot(int(revision)) for revision in (snap, snap_prev) if revision]
            names += [keys.kept_state(revision) for revision in kept]
            if await self._connection.write.script(scripts.PURGE, names, [snap, snap_prev, len(kept)]) != b"moved":
                return
        raise StorageError("The workspace keeps changing while it is removed; try again.")

    async def replace(
        self, workspace_id: WorkspaceId, blob: Blob, entries: Sequence[Entry], meta: Mapping[str, object]
    ) -> None:
        """Install a whole workspace with a new epoch, in one step; the old one, if any, goes.

        `meta` as in `replacement.meta_of_replacement`. Kept states after the new head are dropped: they belong
        to the replaced log. Doing it twice changes nothing.

        Raises:
            ValueError: the entries do not continue the state, or the epoch is that of another log.
        """
        keys, target = WorkspaceKeys(workspace_id), meta_of_replacement(blob, entries, meta)
        async with self._staging(keys, "log", "txn", "snap") as (log, txn, snap):
            if blob.revision:
                await self.write_state(snap, blob)
            await self._stage_entries(log, txn, entries)
            for _ in range(_READ_AGAIN):
                await self._connection.recent.mark(workspace_id)
                answer = await self._swap(keys, (log, txn, snap), target, blob.chain, len(entries))
                if answer[0] == b"ok":
                    return
                if answer[0] == b"same":
                    await self._connection.write.command("UNLINK", log, txn, snap)
                    await self._check_installed(workspace_id, target.head)
                    return
                if answer[0] == b"lost":
                    raise StorageError("The store has lost what was just written; try again.")
            raise StorageError("The workspace's snapshots keep changing; try again.")

    async def _swap(
        self, keys: WorkspaceKeys, staged: tuple[str, str, str], target: Meta, snap_chain: str, entries: int
    ) -> list[bytes]:
        snap, snap_prev, kept = await self._states(keys)
        late = [revision for revision in kept if revision > target.head.revision]
        names = [keys.meta, keys.log, keys.txn, keys.lease, keys.kept, *staged, keys.snapshot(target.snap)]
        names += [keys.snapshot(int(revision)) for revision in (snap, snap_prev) if revision]
        names += [keys.kept_state(revision) for revision in late]
        names += [keys.answers, keys.answered]  # they are true of the log that goes
        head = target.head
        arguments: list[Argument] = [head.epoch, head.revision, head.chain, target.snap]
        arguments += [snap_chain, SCHEMA_VERSION, orjson.dumps(target.summary)]
        arguments += [target.created_ms, target.updated_ms, "" if target.deleted_ms is None else target.deleted_ms]
        arguments += [target.log_bytes, entries, snap, snap_prev, self._connection.features.publish, keys.channel]
        arguments += [target.base, target.snap_bytes]
        answer: list[bytes] = await self._connection.write.script(scripts.REPLACE, names, [*arguments, *late])
        return answer

    async def _stage_entries(self, log: str, txn: str, entries: Sequence[Entry]) -> None:
        waiting: list[list[Argument]] = []
        size = 0
        for entry in entries:
            waiting.append(["XADD", log, f"{entry.revision}-0", *entry_fields(entry)])
            waiting.append(["HSET", txn, entry.txid, entry.revision])
            size += len(entry.body) + 256
            if size > _STAGE_BYTES or entry is entries[-1]:
                waiting += [["EXPIRE", log, _STAGED_SECONDS], ["EXPIRE", txn, _STAGED_SECONDS]]
                await self._connection.write.commands(waiting)
                waiting, size = [], 0

    async def _states(self, keys: WorkspaceKeys) -> tuple[bytes, bytes, list[int]]:
        snap, snap_prev = await self._connection.read.command("HMGET", keys.meta, "snap", "snap_prev")
        kept = await self._connection.read.command("HKEYS", keys.kept)
        return snap or b"", snap_prev or b"", [int(revision) for revision in kept]

    async def _check_installed(self, workspace_id: WorkspaceId, head: Head) -> None:
        """Check that an installed epoch is this replacement, perhaps with later commits, and not another log."""
        found = await self.meta(workspace_id)
        if found is not None and found.head == head:
            return
        newest = await self.entries(workspace_id, head.revision - 1, head.revision)
        if not newest or newest[0].chain != head.chain:
            raise ValueError(f"epoch {head.epoch} is in use by another log")


def _outcome(answer: list[Any]) -> AppendOutcome:
    match answer[0]:
        case b"appended":
            return AppendSuccess(head_of(*answer[1:4]), int(answer[4]))
        case b"known":
            pairs = answer[4]
            known = {txid.decode(): int(version) for txid, version in zip(pairs[::2], pairs[1::2], strict=True)}
            return DuplicateTransactions(
                head_of(*answer[1:4]), known, {kept.txid: kept for kept in map(kept_answer_of, answer[5])}
            )
        case b"conflict":
            return Conflict(head_of(*answer[1:4]), [entry_of_script(*entry) for entry in answer[4]])
        case b"claimed":
            return ClaimedElsewhere(frozenset(txid.decode() for txid in answer[1]))
        case b"leased":
            return LeaseHeld(max(int(answer[1]), 0))
    return WorkspaceGone(answer[0].decode())
