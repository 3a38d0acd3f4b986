"""What the use cases need from the outside world, as interfaces and the values that cross them.

Adapters implement these; one contract suite (`tests/contracts`) runs on each. Every method that talks to a store
raises `StorageError` when the store cannot be reached or does not answer in time; for `append` and `create` that
means: the outcome is unknown, and sending the same drafts again settles it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from draftsmith.history.commit import Draft, Entry, Head
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.workspace import WorkspaceSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class Meta:
    """What the store knows of a workspace beside its log.

    The log holds exactly the revisions `base + 1 … head.revision`; `base <= snap_prev <= snap <= head.revision`.

    Attributes:
        head: where the log ends.
        base: newest revision that has been trimmed away.
        snap: revision of the newest snapshot, 0 for none.
        snap_prev: revision of the snapshot before it, 0 for none.
        summary: small JSON object about the head state, for lists: `{name, nodes, edges, chars}`.
        created_ms: when it was created, milliseconds since 1970 by the store's clock.
        updated_ms: when its newest entry was appended.
        deleted_ms: when it was put into the trash; None while it is not.
        log_bytes: bytes of the bodies in the log, for retention.
        snap_bytes: how many of them the newest snapshot covers, for telling when the next one is due. Those of commits
            that came while it was being made are counted too.
    """

    head: Head
    base: int
    snap: int
    snap_prev: int
    summary: WorkspaceSummary
    created_ms: int
    updated_ms: int
    deleted_ms: int | None
    log_bytes: int
    snap_bytes: int = 0


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """The answer to a write that changed nothing and so has no entry; kept, so that a repeat is answered alike.

    Attributes:
        txid: the transaction id of the write.
        fingerprint: hash of its request.
        body: the answer, encoded; opaque to the store.
    """

    txid: str
    fingerprint: str
    body: bytes


@dataclass(frozen=True, slots=True)
class AppendSuccess:
    """All drafts are in the log; `head` is after the last."""

    head: Head
    ms: int


@dataclass(frozen=True, slots=True)
class DuplicateTransactions:
    """Some transaction ids are in the log already; nothing was appended or kept now.

    Attributes:
        known: the revisions that they became.
        answers: the kept answers of those that changed nothing.
    """

    head: Head
    known: Mapping[str, int]
    answers: Mapping[str, KeptAnswer] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ClaimedElsewhere:
    """Another connection has claimed some of the writes (`CommitLog.claim`); nothing was appended or kept.

    Attributes:
        txids: the transaction ids of those.
    """

    txids: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conflict:
    """The log has moved; nothing was appended. `missed`: what came after the expected revision, at most 256."""

    head: Head
    missed: Sequence[Entry]


@dataclass(frozen=True, slots=True)
class LeaseHeld:
    """Another worker holds a lease of the log; nothing was appended. Try again after `ttl_ms`."""

    ttl_ms: int


@dataclass(frozen=True, slots=True)
class WorkspaceGone:
    """There is no such workspace (`absent`) or it is in the trash (`deleted`); nothing was appended."""

    reason: str


AppendOutcome = AppendSuccess | DuplicateTransactions | ClaimedElsewhere | Conflict | LeaseHeld | WorkspaceGone


@dataclass(frozen=True, slots=True)
class Blob:
    """A stored whole state: what it is the state of, and its bytes."""

    epoch: str
    revision: int
    chain: str
    ms: int
    content: bytes


class CommitLog(Protocol):
    """The durable log of each workspace, its snapshots and its kept states."""

    async def create(
        self, workspace_id: WorkspaceId, epoch: str, first: Draft, summary: Mapping[str, object]
    ) -> AppendSuccess | DuplicateTransactions | Conflict:
        """Create the workspace with `first` as revision 1, in one atomic step.

        Known: it exists and its revision 1 has the same transaction id. Conflict: it exists otherwise.
        """
        ...

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
        """Append all drafts or none, if the log ends at `expected`, no id is known and nobody else holds the lease.

        With no drafts it only compares: Appended means that `expected` is the head. A differing epoch is a Conflict
        without `missed`. Holding the lease as `worker`, an append that gets through gives the lease back.

        `unchanged` are answers that are true of the state after the drafts. They are kept in the same step, under the
        same conditions but the lease, as long as the entry of that revision is, and at most the newest thousands.

        `connections` are those over which pages have sent the writes, by transaction id. Where another connection has
        claimed one, the outcome is ClaimedElsewhere.
        """
        ...

    async def claim(self, workspace_id: WorkspaceId, txids: Collection[str], connection: str) -> None:
        """Let no copy of these writes be appended that was sent over another connection, for an hour.

        A later claim of another connection takes precedence. Writes without a connection are not concerned.
        """
        ...

    async def lease(self, workspace_id: WorkspaceId, worker: str, ttl_ms: int) -> bool:
        """Ask that only `worker` may append for `ttl_ms`; whether it was granted. It is only ever an optimisation."""
        ...

    async def meta(self, workspace_id: WorkspaceId) -> Meta | None:
        """Read the meta of the workspace; None if there is no such workspace."""
        ...

    async def metas(self, workspace_ids: Sequence[WorkspaceId]) -> list[Meta | None]:
        """Read many metas in one go, in the order asked."""
        ...

    async def entries(self, workspace_id: WorkspaceId, after: int, upto: int, count: int = 500) -> list[Entry]:
        """Read at most `count` entries with `after < revision <= upto`, oldest first.

        The first one may be later than `after + 1` if the log was trimmed; callers check.
        """
        ...

    async def entries_before(self, workspace_id: WorkspaceId, before: int, count: int) -> list[Entry]:
        """Read at most `count` entries with `revision < before`, newest first."""
        ...

    async def find(self, workspace_id: WorkspaceId, txid: str) -> int | None:
        """The revision that a transaction id became, or None."""
        ...

    async def find_answer(self, workspace_id: WorkspaceId, txid: str) -> KeptAnswer | None:
        """The kept answer of a write that changed nothing, or None."""
        ...

    async def snapshot(self, workspace_id: WorkspaceId, revision: int) -> Blob | None:
        """Read the snapshot of exactly `revision`; None if it is not there or damaged."""
        ...

    async def put_snapshot(self, workspace_id: WorkspaceId, blob: Blob) -> str:
        """Store a snapshot and move the pointer, if the log confirms its epoch, revision and hash.

        Returns `ok`, `old` (pointer is already as new), `ahead`, `diverged`, `trimmed`, `epoch` or `gone`; only `ok`
        stores anything. Snapshots older than `snap_prev` are removed.
        """
        ...

    async def trim(self, workspace_id: WorkspaceId, epoch: str, upto: int, count: int = 500) -> int:
        """Drop at most `count` entries with `revision <= upto`, their ids and the answers kept there; the new base.

        Refuses to go above `snap_prev` (then nothing is dropped and the old base is returned).
        """
        ...

    async def keep(self, workspace_id: WorkspaceId, blob: Blob, reason: str) -> None:
        """Keep a whole state for good; `reason` is `hour`, `day` or `checkpoint:<id>`.

        A reason of longer life stays (checkpoint, day, hour). Nothing happens if the workspace
        is gone or of another epoch now.
        """
        ...

    async def kept_states(self, workspace_id: WorkspaceId) -> list[tuple[int, int, str]]:
        """List kept states as (revision, ms, reason), oldest first."""
        ...

    async def read_kept(self, workspace_id: WorkspaceId, revision: int) -> Blob | None:
        """Read a kept state."""
        ...

    async def drop_kept(self, workspace_id: WorkspaceId, revision: int) -> None:
        """Drop a kept state; nothing happens if it is not there."""
        ...

    async def lock_snapshotter(self, workspace_id: WorkspaceId, worker: str, ttl_ms: int) -> bool:
        """Ask to be the one who makes the snapshot; only saves work, never needed for safety."""
        ...

    async def set_deleted(self, workspace_id: WorkspaceId, deleted: bool) -> bool:
        """Put the workspace into the trash or take it out; False if there is no such workspace."""
        ...

    async def purge(self, workspace_id: WorkspaceId) -> None:
        """Remove everything of a workspace that is in the trash; keeps one that is not."""
        ...

    async def replace(
        self, workspace_id: WorkspaceId, blob: Blob, entries: Sequence[Entry], meta: Mapping[str, object]
    ) -> None:
        """Install a whole workspace with a new epoch (recover, repair): snapshot `blob` and its log.

        `entries` have no gap. They may begin before the revision of `blob`, which keeps their history, and then reach
        it at least.
        """
        ...


class Snapshots(Protocol):
    """Makes snapshots beside the workers."""

    def start(self, workspace_id: WorkspaceId) -> None:
        """Have a snapshot made soon; returns at once. Asking again while it waits or runs changes nothing."""
        ...


class WorkspaceIndex(Protocol):
    """Which workspaces there are. Lives in another slot than they do, so it is repaired, never trusted alone."""

    async def add(self, workspace_id: WorkspaceId) -> None:
        """Write down that the workspace is about to exist; called before it is created."""
        ...

    async def remove(self, workspace_id: WorkspaceId) -> None:
        """Forget the workspace; called after it is gone."""
        ...

    async def all(self) -> list[WorkspaceId]:
        """Every id written down, in no order."""
        ...

    async def scan(self) -> list[WorkspaceId]:
        """Every workspace that really exists, found by walking the store; slow, for repair."""
        ...


class Clock(Protocol):
    """Time and chance, so that nothing below the use cases has either."""

    def now_ms(self) -> int:
        """Milliseconds since 1970; for display only, never for order."""
        ...

    def monotonic(self) -> float:
        """Seconds from an arbitrary start; for deadlines."""
        ...

    def new_id(self) -> str:
        """A new ULID: 26 characters of Crockford base 32, lower case."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...
