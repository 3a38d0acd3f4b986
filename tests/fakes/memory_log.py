"""The commit log and the index in memory, with the semantics of the Redis adapters, for tests and for embedding.

No method awaits anything, so each is atomic, like the Redis scripts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from draftsmith.adapters.redis.replacement import meta_of_replacement
from draftsmith.history.commit import GENESIS, Draft, Entry, Head, chain_hash, entry_of
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
from tests.fakes.memory_states import Line, MemorySnapshots, MemoryStore

__all__ = ["MemoryCommitLog", "MemoryIndex", "MemoryStore"]

_MISSED = 256


class MemoryCommitLog(MemorySnapshots):
    """The logs of every workspace of one `MemoryStore`; implements `ports.CommitLog`."""

    async def create(
        self, workspace_id: WorkspaceId, epoch: str, first: Draft, summary: Mapping[str, Any]
    ) -> AppendSuccess | DuplicateTransactions | Conflict:
        """Create the workspace with `first` as revision 1."""
        line = self._store.lines.get(workspace_id)
        if line is not None:
            if line.txids.get(first.txid) == 1:
                return DuplicateTransactions(line.head, {first.txid: 1})
            return Conflict(line.head, ())
        ms = self._store.clock.now_ms()
        line = self._store.lines[workspace_id] = Line(Head(epoch, 0, GENESIS), dict(summary), ms, ms)
        line.add(entry_of(first, 1, chain_hash(GENESIS, first), ms))
        self._store.tell(workspace_id)
        return AppendSuccess(line.head, ms)

    async def append(
        self,
        workspace_id: WorkspaceId,
        expected: Head,
        drafts: Sequence[Draft],
        summary: Mapping[str, Any],
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
        line = self._store.lines.get(workspace_id)
        if line is None:
            return WorkspaceGone("absent")
        if line.deleted_ms is not None:
            return WorkspaceGone("deleted")
        if line.head.epoch != expected.epoch:
            return Conflict(line.head, ())
        known = {txid: line.txids[txid] for txid in txids if txid in line.txids}
        kept = {txid: line.answers[txid][1] for txid in txids if txid in line.answers}
        if known or kept:
            return DuplicateTransactions(line.head, known, kept)
        claims, sent = self._store.claims.get(workspace_id, {}), {**dict.fromkeys(txids, ""), **(connections or {})}
        elsewhere = {txid for txid in txids if sent[txid] and claims.get(txid, sent[txid]) != sent[txid]}
        if elsewhere:
            return ClaimedElsewhere(frozenset(elsewhere))
        if line.head != expected:
            return Conflict(line.head, line.between(expected.revision, line.head.revision)[:_MISSED])
        ms = self._store.clock.now_ms()
        if not drafts:
            line.keep(unchanged)
            return AppendSuccess(line.head, ms)
        lease = self._store.held(self._store.leases, workspace_id)
        if lease and lease.worker != worker:
            return LeaseHeld(int((lease.until - self._store.clock.monotonic()) * 1000))
        self._store.leases.pop(workspace_id, None)
        for draft in drafts:
            line.add(entry_of(draft, line.head.revision + 1, chain_hash(line.head.chain, draft), ms))
        line.keep(unchanged)
        line.summary, line.updated_ms = dict(summary), ms
        self._store.tell(workspace_id)
        return AppendSuccess(line.head, ms)

    async def claim(self, workspace_id: WorkspaceId, txids: Collection[str], connection: str) -> None:
        """Let no copy of these writes be appended that was sent over another connection; here for good."""
        self._store.claims.setdefault(workspace_id, {}).update(dict.fromkeys(txids, connection))

    async def lease(self, workspace_id: WorkspaceId, worker: str, ttl_ms: int) -> bool:
        """Try to acquire the lease, with which only `worker` may append for `ttl_ms`; the holder renews it."""
        lease = self._store.held(self._store.leases, workspace_id)
        if lease and lease.worker != worker:
            return False
        self._store.take(self._store.leases, workspace_id, worker, ttl_ms)
        return True

    async def meta(self, workspace_id: WorkspaceId) -> Meta | None:
        """Read the meta of the workspace; None if there is no such workspace."""
        line = self._store.lines.get(workspace_id)
        return line.meta() if line else None

    async def metas(self, ws: Sequence[str]) -> list[Meta | None]:
        """Read many metas, in the order of `ws`."""
        return [await self.meta(workspace_id) for workspace_id in ws]

    async def entries(self, workspace_id: WorkspaceId, after: int, upto: int, count: int = 500) -> list[Entry]:
        """Read at most `count` entries with `after < revision <= upto`, oldest first."""
        line = self._store.lines.get(workspace_id)
        return line.between(after, upto)[: max(count, 0)] if line else []

    async def entries_before(self, workspace_id: WorkspaceId, before: int, count: int) -> list[Entry]:
        """Read at most `count` entries with `revision < before`, newest first."""
        line = self._store.lines.get(workspace_id)
        return line.between(0, before - 1)[::-1][: max(count, 0)] if line else []

    async def find(self, workspace_id: WorkspaceId, txid: str) -> int | None:
        """The revision of the commit with a transaction id, or None."""
        line = self._store.lines.get(workspace_id)
        return line.txids.get(txid) if line else None

    async def find_answer(self, workspace_id: WorkspaceId, txid: str) -> KeptAnswer | None:
        """The kept answer of a write that changed nothing, or None."""
        line = self._store.lines.get(workspace_id)
        return line.answers[txid][1] if line and txid in line.answers else None

    async def trim(self, workspace_id: WorkspaceId, epoch: str, upto: int, count: int = 500) -> int:
        """Delete at most `count` entries up to `upto`; return the new base."""
        line = self._store.lines.get(workspace_id)
        if line is None:
            return 0
        if line.head.epoch != epoch or upto > line.snap_prev:
            return line.base
        dropped = line.between(0, upto)[: max(count, 0)]
        for entry in dropped:
            del line.txids[entry.txid]
            line.log_bytes -= len(entry.body)
            line.snap_bytes = max(line.snap_bytes - len(entry.body), 0)
        del line.entries[: len(dropped)]
        line.base += len(dropped)
        line.answers = {txid: kept for txid, kept in line.answers.items() if kept[0] > line.base}
        return line.base

    async def set_deleted(self, workspace_id: WorkspaceId, deleted: bool) -> bool:
        """Move the workspace to the trash or restore it; False if there is no such workspace."""
        line = self._store.lines.get(workspace_id)
        if line is None:
            return False
        if not deleted:
            line.deleted_ms = None
        elif line.deleted_ms is None:
            line.deleted_ms = self._store.clock.now_ms()
        self._store.tell(workspace_id)
        return True

    async def purge(self, workspace_id: WorkspaceId) -> None:
        """Delete all data of a workspace in the trash; does nothing if it is not there."""
        line = self._store.lines.get(workspace_id)
        if line is not None and line.deleted_ms is not None:
            del self._store.lines[workspace_id]
            for held in (self._store.leases, self._store.snapshotters, self._store.claims):
                held.pop(workspace_id, None)

    async def replace(
        self, workspace_id: WorkspaceId, blob: Blob, entries: Sequence[Entry], meta: Mapping[str, Any]
    ) -> None:
        """Install a whole workspace with a new epoch, atomically; it replaces the old one, if any.

        `meta` as in `replacement.meta_of_replacement`. Kept states after the new head are deleted: they belong
        to a discarded history. Idempotent.

        Raises:
            ValueError: the entries do not continue the state, or the epoch is that of another log.
        """
        target = meta_of_replacement(blob, entries, meta)
        old = self._store.lines.get(workspace_id)
        if old is not None and old.head.epoch == target.head.epoch:
            newest = old.between(target.head.revision - 1, target.head.revision)
            if old.head != target.head and not (newest and newest[0].chain == target.head.chain):
                raise ValueError(f"epoch {target.head.epoch} is in use by another log")
            return
        line = Line(
            Head(blob.epoch, target.base, GENESIS),
            target.summary,
            target.created_ms,
            target.updated_ms,
            base=target.base,
            snap=target.snap,
            snap_prev=target.snap_prev,
            deleted_ms=target.deleted_ms,
            snapshots={blob.revision: blob} if blob.revision else {},
        )
        for entry in entries:
            line.add(entry)
        line.head, line.snap_bytes = target.head, target.snap_bytes
        if old is not None:
            line.kept = {revision: kept for revision, kept in old.kept.items() if revision <= target.head.revision}
        self._store.lines[workspace_id] = line
        self._store.leases.pop(workspace_id, None)
        self._store.tell(workspace_id)


class MemoryIndex:
    """The index of workspaces in a `MemoryStore`; implements `ports.WorkspaceIndex`."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    async def add(self, workspace_id: WorkspaceId) -> None:
        """Register a workspace before it is created."""
        self._store.index.add(workspace_id)

    async def remove(self, workspace_id: WorkspaceId) -> None:
        """Unregister the workspace."""
        self._store.index.discard(workspace_id)

    async def all(self) -> list[str]:
        """All registered ids."""
        return list(self._store.index)

    async def scan(self) -> list[str]:
        """All workspaces that exist in the store."""
        return sorted(self._store.lines)
