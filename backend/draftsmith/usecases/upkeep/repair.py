"""Repair a frozen workspace: the good part of its log continues under a new epoch, the rest is set aside.

A workspace is frozen when an entry of its log cannot be applied, or the log has a gap. Everything before that is
right, as each entry proves by the chain. What comes after was made on top of what is lost, so it cannot be kept in
the log; the caller gets it to write it to a file.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import GENESIS, Entry, Head, chain_hash
from draftsmith.history.replica import CorruptEntry, LogDiverged, Replica, replica_from
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import Blob, Clock, CommitLog, Meta
from draftsmith.usecases.upkeep.backup import read_entries
from draftsmith.usecases.upkeep.recover import writers_blocked


@dataclass(frozen=True, slots=True)
class RepairResult:
    """The result.

    Attributes:
        revision: where the log ends now.
        previous_revision: where it ended before.
        reason: why it could not be read further.
        entries_left: what came after, as far as it could be read.
    """

    revision: int
    previous_revision: int
    reason: str
    entries_left: Sequence[Entry]


@dataclass(frozen=True, slots=True)
class _Prefix:
    """The good part: the state it begins with, the replica at its end, and why it ends there (empty: it is whole)."""

    blob: Blob
    replica: Replica
    reason: str


async def repair(
    log: CommitLog, workspace_id: WorkspaceId, clock: Clock, set_aside: Callable[[Sequence[Entry]], Awaitable[None]]
) -> RepairResult | None:
    """Repair a workspace; None if there is nothing to repair.

    Args:
        log: the store.
        workspace_id: which workspace.
        clock: for the new epoch.
        set_aside: writes down what cannot stay in the log; called before anything is changed, if there is any.

    Raises:
        DraftsmithError: `workspace_not_found`; `busy`; `unrecoverable` if no state and no beginning can be read.
    """
    async with writers_blocked(log, workspace_id, clock):
        return await _repair(log, workspace_id, clock, set_aside)


async def _repair(
    log: CommitLog, workspace_id: WorkspaceId, clock: Clock, set_aside: Callable[[Sequence[Entry]], Awaitable[None]]
) -> RepairResult | None:
    meta = await log.meta(workspace_id)
    if meta is None:
        raise DraftsmithError("workspace_not_found", "There is no such workspace.")
    entries = await read_entries(log, workspace_id, meta.base, meta.head.revision)
    prefix = await _good_prefix(log, workspace_id, meta, entries)
    head = prefix.replica.head
    if not prefix.reason and prefix.blob.revision == meta.snap:
        return None
    rest = [entry for entry in entries if entry.revision > head.revision]
    if rest:
        await set_aside(rest)
    kept = [entry for entry in entries if entry.revision <= head.revision]
    line = _joining_entries(prefix.blob, kept)
    facts = {
        "summary": prefix.replica.workspace.summary(),
        "created_ms": meta.created_ms,
        "updated_ms": meta.updated_ms,
        "deleted_ms": meta.deleted_ms,
    }
    old = prefix.blob
    await log.replace(workspace_id, Blob(clock.new_id(), old.revision, old.chain, old.ms, old.content), line, facts)
    return RepairResult(head.revision, meta.head.revision, prefix.reason or "the newest snapshot is damaged", rest)


async def _good_prefix(log: CommitLog, workspace_id: WorkspaceId, meta: Meta, entries: Sequence[Entry]) -> _Prefix:
    """The good part from the newest state that can be read; older ones cannot lead further."""
    for blob in await _starts(log, workspace_id, meta):
        try:
            return _replay(blob, meta, entries)
        except ValueError:
            continue
    raise DraftsmithError(
        "unrecoverable", f"No state of workspace {workspace_id} can be read; recover it from a backup."
    )


async def _starts(log: CommitLog, workspace_id: WorkspaceId, meta: Meta) -> list[Blob]:
    """Every state that the log may go on from, best first: kept states are last, since their stacks may be empty."""
    found = [await log.snapshot(workspace_id, revision) for revision in (meta.snap, meta.snap_prev) if revision]
    kept = [
        revision
        for revision, _, _ in await log.kept_states(workspace_id)
        if meta.base <= revision <= meta.head.revision
    ]
    found += [await log.read_kept(workspace_id, revision) for revision in reversed(kept)]
    blobs = [blob for blob in found if blob is not None]
    if meta.base == 0:
        blobs.append(Blob(meta.head.epoch, 0, GENESIS, meta.created_ms, b""))
    return blobs


def _replay(blob: Blob, meta: Meta, entries: Sequence[Entry]) -> _Prefix:
    """Go from a state as far as the log is good.

    Raises:
        ValueError: the state cannot be read, or does not belong to the log.
    """
    at = [entry for entry in entries if entry.revision == blob.revision]
    if at and at[0].chain != blob.chain:
        raise ValueError("the state is of another history")
    head = Head(blob.epoch, blob.revision, blob.chain)
    replica = replica_from(blob.content, head) if blob.revision else Replica(blob.epoch)
    try:
        for entry in entries:
            if entry.revision > blob.revision:
                replica.advance(entry)
    except (CorruptEntry, LogDiverged) as error:
        return _Prefix(blob, replica, str(error))
    reached, wanted = replica.head, meta.head
    if (reached.revision, reached.chain) != (wanted.revision, wanted.chain):
        return _Prefix(blob, replica, f"the log ends at revision {reached.revision} instead of {wanted.revision}")
    return _Prefix(blob, replica, "")


def _joining_entries(blob: Blob, entries: Sequence[Entry]) -> list[Entry]:
    """As much of the log before a state as joins it without a gap, and all that follows."""
    before: list[Entry] = []
    for entry in reversed([entry for entry in entries if entry.revision <= blob.revision]):
        if before:
            after = before[-1]
            joins = entry.revision == after.revision - 1 and chain_hash(entry.chain, after) == after.chain
        else:
            joins = (entry.revision, entry.chain) == (blob.revision, blob.chain)
        if not joins:
            break
        before.append(entry)
    return [*reversed(before), *(entry for entry in entries if entry.revision > blob.revision)]
