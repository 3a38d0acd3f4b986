"""Workspaces in memory: the stored data of one, and the part of the commit log for snapshots and kept states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from draftsmith.adapters.process.system import SystemClock
from draftsmith.history.commit import Entry, Head
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import Blob, Clock, KeptAnswer, Meta

_MOST_ANSWERS, _MOST_ANSWER_BYTES = 4096, 4 << 20


@dataclass
class Lock:
    """The holder of a lock and its expiry on the monotonic clock."""

    worker: str
    until: float


@dataclass
class Line:
    """All data of one workspace: its log `base + 1 … head.revision` and its states.

    The lease and the snapshotter's lock are not here, because they may be acquired before a workspace exists.
    """

    head: Head
    summary: Mapping[str, Any]
    created_ms: int
    updated_ms: int
    base: int = 0
    snap: int = 0
    snap_prev: int = 0
    deleted_ms: int | None = None
    log_bytes: int = 0
    snap_bytes: int = 0
    entries: list[Entry] = field(default_factory=list)
    txids: dict[str, int] = field(default_factory=dict)
    answers: dict[str, tuple[int, KeptAnswer]] = field(default_factory=dict)
    snapshots: dict[int, Blob] = field(default_factory=dict)
    kept: dict[int, tuple[str, Blob]] = field(default_factory=dict)

    def add(self, entry: Entry) -> None:
        """Append an entry to the log."""
        self.entries.append(entry)
        self.txids[entry.txid] = entry.revision
        self.log_bytes += len(entry.body)
        self.head = Head(self.head.epoch, entry.revision, entry.chain)

    def keep(self, answers: Iterable[KeptAnswer]) -> None:
        """Keep answers that are true at the head; too many, or too many bytes, push out the oldest."""
        self.answers |= {answer.txid: (self.head.revision, answer) for answer in answers}
        while len(self.answers) > _MOST_ANSWERS or self._answer_bytes() > _MOST_ANSWER_BYTES:
            del self.answers[next(iter(self.answers))]

    def _answer_bytes(self) -> int:
        return sum(len(answer.body) for _, answer in self.answers.values())

    def between(self, after: int, upto: int) -> list[Entry]:
        """The entries with `after < revision <= upto` that are still there."""
        return self.entries[max(after - self.base, 0) : max(upto - self.base, 0)]

    def meta(self) -> Meta:
        """The workspace's `ports.Meta`."""
        return Meta(
            head=self.head,
            base=self.base,
            snap=self.snap,
            snap_prev=self.snap_prev,
            summary=dict(self.summary),
            created_ms=self.created_ms,
            updated_ms=self.updated_ms,
            deleted_ms=self.deleted_ms,
            log_bytes=self.log_bytes,
            snap_bytes=self.snap_bytes,
        )


class MemoryStore:
    """A store in the memory of the process; implements `ports.Store`.

    Adapters over one `MemoryStore` share its workspaces, like workers that share a server.
    """

    def __init__(self, clock: Clock | None = None) -> None:
        self.clock: Clock = clock or SystemClock()
        self.lines: dict[str, Line] = {}
        self.leases: dict[str, Lock] = {}
        self.claims: dict[str, dict[str, str]] = {}
        self.snapshotters: dict[str, Lock] = {}
        self.index: set[str] = set()
        self.listeners: list[Callable[[str, bytes | None], None]] = []

    def tell(self, workspace_id: WorkspaceId, content: bytes | None = None) -> None:
        """Notify every listener that the workspace has changed, or pass on content that a worker sent."""
        for listener in tuple(self.listeners):
            listener(workspace_id, content)

    def held(self, locks: dict[str, Lock], workspace_id: WorkspaceId) -> Lock | None:
        """The lock on the workspace, or None if there is none or it has expired."""
        lock = locks.get(workspace_id)
        return lock if lock and lock.until > self.clock.monotonic() else None

    def take(self, locks: dict[str, Lock], workspace_id: WorkspaceId, worker: str, ttl_ms: int) -> None:
        """Give the lock on the workspace to `worker`."""
        locks[workspace_id] = Lock(worker, self.clock.monotonic() + ttl_ms / 1000)

    async def ping(self) -> None:
        """Return at once; memory is always available."""

    async def close(self) -> None:
        """Do nothing; stored data can still be read."""


class MemorySnapshots:
    """The states of every workspace of one `MemoryStore`."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    async def snapshot(self, workspace_id: WorkspaceId, revision: int) -> Blob | None:
        """Read the snapshot of exactly `revision`; None if it is not there."""
        line = self._store.lines.get(workspace_id)
        return line.snapshots.get(revision) if line else None

    async def put_snapshot(self, workspace_id: WorkspaceId, blob: Blob) -> str:
        """Store a snapshot and move the pointer, if it matches the log; see `ports.CommitLog`."""
        line = self._store.lines.get(workspace_id)
        if line is None:
            return "gone"
        if line.head.epoch != blob.epoch:
            return "epoch"
        if blob.revision <= line.snap:
            return "old"
        if blob.revision > line.head.revision:
            return "ahead"
        if blob.revision <= line.base:
            return "trimmed"
        if line.between(blob.revision - 1, blob.revision)[0].chain != blob.chain:
            return "diverged"
        line.snap, line.snap_prev, line.snap_bytes = blob.revision, line.snap, line.log_bytes
        line.snapshots[blob.revision] = blob
        line.snapshots = {revision: state for revision, state in line.snapshots.items() if revision >= line.snap_prev}
        return "ok"

    async def keep(self, workspace_id: WorkspaceId, blob: Blob, reason: str) -> None:
        """Keep a whole state until it is dropped; does nothing if the workspace no longer has this epoch.

        A state already kept for a longer-lived reason (checkpoint, then day, then hour) keeps that reason.
        """
        line = self._store.lines.get(workspace_id)
        if line is None or line.head.epoch != blob.epoch:
            return
        old = line.kept.get(blob.revision)
        if old and old[1].chain == blob.chain and _life(old[0]) > _life(reason):
            return
        line.kept[blob.revision] = (reason, blob)

    async def kept_states(self, workspace_id: WorkspaceId) -> list[tuple[int, int, str]]:
        """List kept states as (revision, ms, reason), oldest first."""
        line = self._store.lines.get(workspace_id)
        kept = line.kept if line else {}
        return sorted((revision, blob.ms, reason) for revision, (reason, blob) in kept.items())

    async def read_kept(self, workspace_id: WorkspaceId, revision: int) -> Blob | None:
        """Read a kept state; None if it is not there."""
        line = self._store.lines.get(workspace_id)
        found = line.kept.get(revision) if line else None
        return found[1] if found else None

    async def drop_kept(self, workspace_id: WorkspaceId, revision: int) -> None:
        """Drop a kept state; does nothing if it does not exist."""
        line = self._store.lines.get(workspace_id)
        if line:
            line.kept.pop(revision, None)

    async def lock_snapshotter(self, workspace_id: WorkspaceId, worker: str, ttl_ms: int) -> bool:
        """Try to acquire the snapshot lock; False while it is held, also for its holder."""
        locks = self._store.snapshotters
        if self._store.held(locks, workspace_id):
            return False
        self._store.take(locks, workspace_id, worker, ttl_ms)
        return True


def _life(reason: str) -> int:
    if reason.startswith("checkpoint:"):
        return 3
    return 2 if reason == "day" else 1
