"""Restore workspaces from a backup, with their history and undo stacks, under a new epoch.

Everything is checked before anything is written: every sum, every chain, and that the states belong to their logs.
A workspace that has been worked on since is not overwritten unless that is asked for. Not here: the form of a backup
(`backup`), and frozen workspaces (`repair`).
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, Literal

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import GENESIS, Entry, Head, chain_hash
from draftsmith.history.replica import replica_from
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.images import ImageUnread, read_header
from draftsmith.ports import Blob, Clock, CommitLog, WorkspaceIndex
from draftsmith.ports.blobs import Blobs
from draftsmith.transform.requests.json_counts import JsonCounts
from draftsmith.usecases.requests.identity import check_id
from draftsmith.usecases.upkeep.backup import BackupState, SavedImage, SavedWorkspace, Source, entry_from_line

LEASE_MS = 60_000
MOST_BYTES: Final = 256 << 20
"""Of an unpacked commit: a whole of 32 MiB, what it replaces, and both once more escaped; no request can make more."""
MOST_VALUES: Final = 4_000_000
_PIECE: Final = 1 << 20  # that is unpacked at once


@dataclass(frozen=True, slots=True)
class RecoveryResult:
    """The result for one workspace of a backup.

    Attributes:
        saved: what the backup says of it.
        id: where it is now.
        outcome: `recovered`; `unchanged`, the same is there already; `newer`, what is there is newer and was left.
    """

    saved: SavedWorkspace
    id: WorkspaceId
    outcome: Literal["recovered", "unchanged", "newer"]


def check(source: Source, saved: Sequence[SavedWorkspace], on_progress: Callable[[int, SavedWorkspace], None]) -> None:
    """Check everything that a backup holds of some workspaces.

    Raises:
        DraftsmithError: `backup_damaged`.
    """
    for number, one in enumerate(saved, 1):
        if not _is_id(one.id):
            raise DraftsmithError("backup_damaged", f"The backup names a workspace {one.id!r}, which is no id.")
        _checked_log(source, one)
        for state in one.kept:
            source.read(state.file)
        for image in one.images:
            _checked_image(source, one, image)
        on_progress(number, one)


def _checked_log(source: Source, saved: SavedWorkspace) -> tuple[Blob, list[Entry]]:
    """The state and the log of a workspace, checked."""
    try:
        entries = [_entry(line) for line in source.lines(saved.log)]
        blob = _start(source, saved)
        _check_chain(saved, entries)
        _check_belongs(saved, blob, entries)
    except ValueError as error:
        raise DraftsmithError("backup_damaged", f"The backup of {_quoted_name(saved)} is damaged: {error}.") from error
    return blob, entries


def _entry(line: bytes) -> Entry:
    entry = entry_from_line(line)
    check_unpacked(entry.body)
    return entry


def check_unpacked(body: bytes, most_bytes: int = MOST_BYTES, most_values: int = MOST_VALUES) -> None:
    """Refuse the body of a commit that unpacks to too much.

    The commits of our own log were made under the limits of requests. Those of a backup that somebody else wrote may be
    a few bytes that unpack to gigabytes as soon as their workspace is opened, by a server that others use. A damaged
    body passes, since loading it freezes its workspace alone.

    Raises:
        ValueError: it is too large.
    """
    if body[:1] != b"z":
        return
    unpacking, rest, size = zlib.decompressobj(), body[1:], 0
    counts = JsonCounts("commit", most_values)
    try:
        while rest:
            piece = unpacking.decompress(rest, _PIECE)
            size += len(piece)
            counts.add(piece)
            if size > most_bytes:
                raise ValueError("a commit unpacks to more than any request can make")
            rest = unpacking.unconsumed_tail
    except DraftsmithError as error:
        raise ValueError("a commit holds more values than any request can make") from error
    except zlib.error:
        return


def _start(source: Source, saved: SavedWorkspace) -> Blob:
    """The snapshot; without one, revision 0."""
    if saved.snapshot is None:
        return Blob(saved.head.epoch, 0, GENESIS, saved.created_ms, b"")
    blob = _blob(source, saved.snapshot, saved.head.epoch)
    replica_from(blob.content, Head(blob.epoch, blob.revision, blob.chain))
    return blob


def _blob(source: Source, state: BackupState, epoch: str) -> Blob:
    return Blob(epoch, state.revision, state.chain, state.ms, source.read(state.file))


def _check_chain(saved: SavedWorkspace, entries: Sequence[Entry]) -> None:
    revision, chain = saved.base, GENESIS if saved.base == 0 else ""
    for entry in entries:
        # The hash before the first entry is known only at revision 0.
        revision, chain = revision + 1, chain_hash(chain, entry) if chain else entry.chain
        if (entry.revision, entry.chain) != (revision, chain):
            raise ValueError(f"revision {entry.revision} does not continue the log")
    if entries and (revision, chain) != (saved.head.revision, saved.head.chain):
        raise ValueError(f"the log ends at revision {revision}, not where the manifest says")
    if revision != saved.head.revision:
        raise ValueError("the log is missing")


def _check_belongs(saved: SavedWorkspace, blob: Blob, entries: Sequence[Entry]) -> None:
    if not saved.base <= blob.revision <= saved.head.revision:
        raise ValueError(f"no state goes with the log after revision {saved.base}")
    place = blob.revision - saved.base
    if place:
        joins = entries[place - 1].chain == blob.chain
    elif entries:
        joins = chain_hash(blob.chain, entries[0]) == entries[0].chain
    else:
        joins = blob.chain == saved.head.chain
    if not joins:
        raise ValueError(f"the state of revision {blob.revision} does not belong to the log")


def _checked_image(source: Source, saved: SavedWorkspace, image: SavedImage) -> bytes:
    """The bytes of an image, which are what the manifest says, and of its type."""
    content = source.read_image(image.file)
    try:
        is_its = read_header(content).type == image.type
    except ImageUnread:
        is_its = False
    if not is_its:
        message = f"The backup of {_quoted_name(saved)} is damaged: {image.file.name} is no {image.type}."
        raise DraftsmithError("backup_damaged", message)
    return content


async def recover(
    log: CommitLog,
    index: WorkspaceIndex,
    clock: Clock,
    source: Source,
    saved: SavedWorkspace,
    *,
    as_copy: bool,
    force: bool,
    blobs: Blobs | None = None,
) -> RecoveryResult:
    """Restore one workspace, under its id or as a copy.

    It gets a new epoch, so that workers and browsers that know another history of it load it anew.

    Raises:
        DraftsmithError: `backup_damaged`, and nothing was written; `busy`.
    """
    workspace_id = WorkspaceId(clock.new_id()) if as_copy else saved.id
    blob, entries = _checked_log(source, saved)
    async with writers_blocked(log, workspace_id, clock):
        outcome = None if force else await _existing(log, workspace_id, saved)
        if outcome is not None:
            return RecoveryResult(saved, workspace_id, outcome)
        epoch = clock.new_id()
        await index.add(workspace_id)
        if blobs is not None:
            await _put_images(blobs, workspace_id, source, saved)
        state = Blob(epoch, blob.revision, blob.chain, blob.ms, blob.content)
        await log.replace(workspace_id, state, entries, _replacement_meta(saved))
        await index.add(workspace_id)  # a sweep between the two may have taken the id for a leftover
    await _replace_kept(log, workspace_id, source, saved, epoch)
    return RecoveryResult(saved, workspace_id, "recovered")


async def _put_images(blobs: Blobs, workspace_id: WorkspaceId, source: Source, saved: SavedWorkspace) -> None:
    """Put the images of the backup beside those that are there; what a workspace had, it may have again."""
    for image in saved.images:
        content = _checked_image(source, saved, image)
        await blobs.put(workspace_id, image.file.sha256, image.type, content, most=2**31, most_bytes=2**62)


def _replacement_meta(saved: SavedWorkspace) -> dict[str, object]:
    return {
        "summary": saved.summary,
        "created_ms": saved.created_ms,
        "updated_ms": saved.updated_ms,
        "deleted_ms": saved.deleted_ms,
    }


async def _existing(
    log: CommitLog, workspace_id: WorkspaceId, saved: SavedWorkspace
) -> Literal["unchanged", "newer"] | None:
    """Why the existing workspace is not overwritten; None if it may be."""
    meta = await log.meta(workspace_id)
    if meta is None:
        return None
    is_same = (meta.head.revision, meta.head.chain) == (saved.head.revision, saved.head.chain)
    if is_same and (meta.deleted_ms is None) == (saved.deleted_ms is None):
        return "unchanged"
    is_newer = meta.updated_ms > saved.updated_ms or meta.head.revision > saved.head.revision
    return "newer" if is_newer and not is_same else None


@asynccontextmanager
async def writers_blocked(log: CommitLog, workspace_id: WorkspaceId, clock: Clock) -> AsyncIterator[None]:
    """Hold the lease (at most a minute), so that no worker appends between reading a log and replacing it.

    Raises:
        DraftsmithError: `busy`, if another one holds the lease and does not give it back.
    """
    holder = f"recover-{clock.new_id()}"
    deadline = clock.monotonic() + LEASE_MS / 1000
    while not await log.lease(workspace_id, holder, LEASE_MS):
        if clock.monotonic() > deadline:
            raise DraftsmithError("busy", f"Workspace {workspace_id} is busy; try again.")
        await clock.sleep(0.05)
    try:
        yield
    finally:
        await log.lease(workspace_id, holder, 1)  # released by letting it expire


async def _replace_kept(
    log: CommitLog, workspace_id: WorkspaceId, source: Source, saved: SavedWorkspace, epoch: str
) -> None:
    """Replace the kept states by those of the backup."""
    for revision, _, _ in await log.kept_states(workspace_id):
        await log.drop_kept(workspace_id, revision)
    for state in saved.kept:
        await log.keep(workspace_id, _blob(source, state, epoch), state.reason)


def _quoted_name(saved: SavedWorkspace) -> str:
    return f"“{saved.summary.get('name', '')}” ({saved.id})"


def _is_id(value: object) -> bool:
    try:
        check_id(str(value))
    except DraftsmithError:
        return False
    return True
