"""Make a snapshot of a workspace, keep whole states on the way, and drop what is older than the policy keeps.

The log is replayed from the newest snapshot to its head, and so verified. Only then, and in this order: whole states
are kept that nothing could be built from once the log is trimmed, the snapshot is stored, old commits are dropped up
to the snapshot *before* (a worker that is loading that one still finds everything after it), and old states are
dropped. Stopping anywhere loses nothing, and two at once do no harm: the store confirms each step against the log. Not
here: how long what is kept (`usecases.retention`), when and in which process this runs (`adapters.snapshot_process`).
"""

from __future__ import annotations

from dataclasses import dataclass

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Head
from draftsmith.history.replica import LogDiverged, Replica, replica_from
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import Blob, Clock, CommitLog, Meta
from draftsmith.usecases.replicas.log_reader import PAGE, LogReader
from draftsmith.usecases.upkeep.retention import Policy, expired_states, is_due, policy_of, reason_to_keep

__all__ = ["Policy", "SnapshotReport", "is_due", "make_snapshot", "policy_of"]

_TRIES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotReport:
    """The result.

    Attributes:
        stored: `ok`; `unchanged`, there was nothing new; `old`, another one was faster; `deleted`, it is in the trash;
            or why the store refused: `ahead`, `diverged`, `trimmed`, `epoch`, `gone`.
        revision: where the log was read to.
        states_kept: states kept anew.
        dropped: kept states dropped.
        base: newest revision that has been trimmed away now.
        checkpoints_lost: checkpoints whose state could not be built any more.
    """

    stored: str
    revision: int
    states_kept: int = 0
    dropped: int = 0
    base: int = 0
    checkpoints_lost: tuple[str, ...] = ()


@dataclass(slots=True)
class _Replay:
    """A replay of one log.

    Attributes:
        replica: the state it has reached.
        start: the revision it began with.
        ms: when the newest replayed entry was made; None at revision 0.
        states_kept: how many states were kept on the way.
    """

    workspace_id: WorkspaceId
    replica: Replica
    start: int
    ms: int | None
    states_kept: int = 0

    def blob(self) -> Blob:
        """The state it has reached."""
        head = self.replica.head
        return Blob(head.epoch, head.revision, head.chain, self.ms or 0, self.replica.dump())


async def make_snapshot(log: CommitLog, workspace_id: WorkspaceId, policy: Policy, clock: Clock) -> SnapshotReport:
    """Snapshot a workspace and apply the rules of retention to it.

    Raises:
        CorruptEntry: an entry cannot be applied; nothing was stored or dropped, except for states kept before it.
        DraftsmithError: `workspace_not_found`; `frozen` if the log has a gap.
    """
    meta, replay = await _replay(log, workspace_id, policy, clock)
    if replay is None:
        return SnapshotReport(stored="deleted", revision=meta.head.revision, base=meta.base)
    blob = replay.blob()
    _check_readable(blob)
    kept, lost = await _keep_checkpoints(log, workspace_id, replay.replica)
    kept += replay.states_kept
    stored = "unchanged" if blob.revision <= meta.snap else await log.put_snapshot(workspace_id, blob)
    # Commits are dropped only where a snapshot is known to be good: made by us, or the one that was read.
    if stored not in ("ok", "old") and not (stored == "unchanged" and replay.start == meta.snap):
        return SnapshotReport(
            stored=stored, revision=blob.revision, states_kept=kept, base=meta.base, checkpoints_lost=lost
        )
    base = await _trim(log, workspace_id, policy, clock.now_ms())
    dropped = await _drop_expired(log, workspace_id, replay.replica, policy, clock.now_ms())
    return SnapshotReport(
        stored=stored, revision=blob.revision, states_kept=kept, dropped=dropped, base=base, checkpoints_lost=lost
    )


async def _replay(
    log: CommitLog, workspace_id: WorkspaceId, policy: Policy, clock: Clock
) -> tuple[Meta, _Replay | None]:
    """Replay to the head; None for a workspace in the trash."""
    for _ in range(_TRIES):
        meta = await log.meta(workspace_id)
        if meta is None:
            raise DraftsmithError("workspace_not_found", "There is no such workspace.")
        if meta.deleted_ms is not None:
            return meta, None
        try:
            replay = await _start(log, workspace_id, meta)
            await _advance(log, replay, meta.head, policy, clock.now_ms())
        except LogDiverged:
            continue  # trimmed or replaced between two reads
        return meta, replay
    raise DraftsmithError("frozen", "The log of this workspace has a gap; run `draftsmith recover --repair`.")


async def _start(log: CommitLog, workspace_id: WorkspaceId, meta: Meta) -> _Replay:
    """Begin at the newest snapshot that can be read, else at revision 0."""
    for revision in (meta.snap, meta.snap_prev):
        blob = await log.snapshot(workspace_id, revision) if revision else None
        if blob is not None:
            try:
                replica = replica_from(blob.content, Head(blob.epoch, blob.revision, blob.chain))
            except ValueError:
                continue
            return _Replay(workspace_id, replica, blob.revision, blob.ms)
    return _Replay(workspace_id, Replica(meta.head.epoch), 0, None)


async def _advance(log: CommitLog, replay: _Replay, head: Head, policy: Policy, now_ms: int) -> None:
    """Replay up to a head, keeping the last state of each hour and day that is over."""
    replica, workspace_id = replay.replica, replay.workspace_id
    while replica.head.revision < head.revision:
        page = await log.entries(workspace_id, replica.head.revision, head.revision, PAGE)
        if not page:
            raise LogDiverged("the log ends before its head")
        for entry in page:
            reason = reason_to_keep(replay.ms, entry.ms, now_ms, policy) if replay.ms is not None else None
            if reason is not None:
                await log.keep(workspace_id, replay.blob(), reason)
                replay.states_kept += 1
            replica.advance(entry)
            replay.ms = entry.ms
    if replica.head != head:
        raise LogDiverged(f"replay leads to {replica.head}, the log says {head}")


def _check_readable(blob: Blob) -> None:
    """Refuse to store what could not be loaded again; commits are dropped on the strength of it."""
    again = replica_from(blob.content, Head(blob.epoch, blob.revision, blob.chain))
    if again.dump() != blob.content:
        raise DraftsmithError("internal", f"The state of revision {blob.revision} does not survive being stored.")


async def _keep_checkpoints(log: CommitLog, workspace_id: WorkspaceId, replica: Replica) -> tuple[int, tuple[str, ...]]:
    """Keep the state of each checkpoint that has none yet; how many, and those that are too old to be built."""
    reasons = {revision: reason for revision, _, reason in await log.kept_states(workspace_id)}
    past = LogReader(log, workspace_id, replica)
    lost: list[str] = []
    count = 0
    for name, checkpoint in sorted(replica.checkpoints.items()):
        revision = checkpoint["revision"]
        if reasons.get(revision, "").startswith("checkpoint:"):
            continue
        try:
            blob = await log.read_kept(workspace_id, revision) or await _state_at(past, replica, revision)
        except DraftsmithError as error:
            if error.code != "trimmed":
                raise
            lost.append(name)
            continue
        reasons[revision] = f"checkpoint:{name}"
        await log.keep(workspace_id, blob, reasons[revision])
        count += 1
    return count, tuple(lost)


async def _state_at(past: LogReader, replica: Replica, revision: int) -> Blob:
    """The state of a revision that is still in the log; its stacks are empty, as nobody undoes from an old state."""
    entry = await past.entry(revision)
    old = Replica(replica.head.epoch)
    old.workspace = await past.state(revision)
    old.head = Head(replica.head.epoch, revision, entry.chain)
    return Blob(old.head.epoch, revision, entry.chain, entry.ms, old.dump())


async def _trim(log: CommitLog, workspace_id: WorkspaceId, policy: Policy, now_ms: int) -> int:
    """Drop commits by the rules; the new base."""
    meta = await log.meta(workspace_id)
    if meta is None:
        return 0
    upto, base = await _trimmable(log, workspace_id, meta, policy, now_ms), meta.base
    while base < upto:
        reached = await log.trim(workspace_id, meta.head.epoch, upto)
        if reached <= base:
            break
        base = reached
    return base


async def _trimmable(log: CommitLog, workspace_id: WorkspaceId, meta: Meta, policy: Policy, now_ms: int) -> int:
    """The newest commit that may go, counted from the oldest; the base if none may."""
    limit = min(meta.snap_prev, meta.head.revision - policy.min_entries)
    upto, size = meta.base, meta.log_bytes
    while upto < limit:
        page = await log.entries(workspace_id, upto, limit, PAGE)
        if not page:
            break
        for entry in page:
            if not policy.is_too_much(now_ms - entry.ms, meta.head.revision - upto, size):
                return upto
            upto, size = entry.revision, size - len(entry.body)
    return upto


async def _drop_expired(
    log: CommitLog, workspace_id: WorkspaceId, replica: Replica, policy: Policy, now_ms: int
) -> int:
    held = {checkpoint["revision"] for checkpoint in replica.checkpoints.values()}
    # States newer than what was read may be of checkpoints that are newer too.
    seen = [state for state in await log.kept_states(workspace_id) if state[0] <= replica.head.revision]
    gone = expired_states(seen, held, now_ms, policy)
    for revision in gone:
        await log.drop_kept(workspace_id, revision)
    return len(gone)
