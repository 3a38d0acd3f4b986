"""Reads the log behind a replica: recent entries from memory, older ones from the store. Loads replicas, too."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Generator, Sequence
from contextlib import suppress
from typing import TypeVar

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Entry, Head
from draftsmith.history.record import Record, reading_record
from draftsmith.history.replica import CorruptEntry, LogDiverged, Replica, reading_replica, rewind
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.work import NeedsMore
from draftsmith.model.workspace import Workspace, copying
from draftsmith.ports import CommitLog, Meta
from draftsmith.transform.steps.text import ChangeText
from draftsmith.usecases.replicas.slices import in_slices

T = TypeVar("T")
PAGE = 500
_MANY = 100  # entries from which on a read builds old states in a thread
_LARGE_BODY = 4_096  # bytes of entries that are taken in without a pause; they unpack to twenty times as much
_ENTRY_BYTES = 256  # what an entry costs beside its body, in bytes of one
_REWIND = 20_000  # entries that are taken back one by one; beyond, a kept state is the better start


class LogReader:
    """Reads the log of one workspace up to the head of a replica, for one request."""

    def __init__(self, log: CommitLog, workspace_id: WorkspaceId, replica: Replica, most: int | None = None) -> None:
        """Read nothing yet; `most`: entries whose bodies may be read while everybody waits, None for any number."""
        self._log, self._workspace_id, self._replica = log, workspace_id, replica
        self._most, self._counted = most, 0

    def count(self, entries: int) -> None:
        """Count entries whose bodies the request is about to read, in addition to all before.

        Raises:
            NeedsMore: they are too many to be read while everybody else waits.
        """
        self._counted += entries
        if self._most is not None and self._counted > self._most:
            raise NeedsMore("reading many commits")

    async def entry(self, revision: int) -> Entry:
        """One entry.

        Raises:
            DraftsmithError: `revision_unknown` above the head or below 1, `trimmed` if it is no longer kept.
        """
        head = self._replica.head.revision
        if not 1 <= revision <= head:
            raise DraftsmithError("revision_unknown", f"There is no revision {revision}; the newest is {head}.")
        tail = self._replica.tail
        if tail and tail[0].revision <= revision:
            return tail[revision - tail[0].revision]
        found = await self._log.entries(self._workspace_id, revision - 1, revision, 1)
        if not found or found[0].revision != revision:
            raise await self._trimmed_error(revision)
        return found[0]

    async def entries_after(self, revision: int) -> Sequence[Entry]:
        """All entries after a revision up to the replica's head, oldest first; raises as `entry`."""
        known = self._replica.tail_after(revision)
        return known if known is not None else await self._read(revision, self._replica.head.revision)

    async def following(self, revision: int, most: int) -> Sequence[Entry]:
        """The entries after a revision, oldest first, at most so many; raises as `entry`."""
        known = self._replica.tail_after(revision)
        if known is not None:
            return known[:most]
        return await self._read(revision, min(revision + most, self._replica.head.revision))

    async def upto(self, revision: int, most: int) -> Sequence[Entry]:
        """The newest entries up to a revision, oldest first, at most so many; fewer where older ones are not kept."""
        after = max(0, revision - most)
        known = self._replica.tail_after(after)
        if known is not None:
            return known[: revision - after]
        found = await self._log.entries(self._workspace_id, after, revision, most)
        return found if found and found[-1].revision == revision else []

    async def _read(self, after: int, upto: int) -> list[Entry]:
        found: list[Entry] = []
        while after < upto:
            page = await self._log.entries(self._workspace_id, after, upto, PAGE)
            if not page or page[0].revision != after + 1:
                raise await self._trimmed_error(after)
            found += page
            after = page[-1].revision
        return found

    async def state(self, revision: int) -> Workspace:
        """The workspace as it was at a revision: taken back from the head, or built up from a kept state."""
        head = self._replica.head.revision
        if not 1 <= revision <= head:
            raise DraftsmithError("revision_unknown", f"There is no revision {revision}; the newest is {head}.")
        ways = [self._rewound, self._replay_to]
        for way in ways if head - revision <= _REWIND else reversed(ways):
            try:
                return await way(revision)
            except (CorruptEntry, LogDiverged, ValueError):
                continue  # a damaged entry, long before the head; the other way may not meet it
            except DraftsmithError as error:
                if error.code != "trimmed":
                    raise
        raise await self._trimmed_error(revision)

    async def _rewound(self, revision: int) -> Workspace:
        """From the head backwards. If the head moves while older entries are read, the newer ones are read, too."""
        entries = list(await self.entries_after(revision))
        while entries and entries[-1].revision < self._replica.head.revision:
            entries += await self.entries_after(entries[-1].revision)
        newest_first = entries[::-1]
        copy = await in_slices(copying(self._replica.workspace))
        return await in_thread_if_many(len(entries), lambda: rewind(copy, newest_first))

    async def _replay_to(self, revision: int) -> Workspace:
        """From the nearest kept state at or below, forwards over the entries that are still kept."""
        kept = [number for number, _, _ in await self._log.kept_states(self._workspace_id) if number <= revision]
        blob = await self._log.read_kept(self._workspace_id, kept[-1]) if kept else None
        if blob is None:
            raise await self._trimmed_error(revision)
        replica = await in_slices(reading_replica(blob.content, Head(blob.epoch, blob.revision, blob.chain)))
        if blob.revision < revision:
            entries = await self._read(blob.revision, revision)
            await advance_unseen(replica, entries)
        return replica.workspace

    async def _trimmed_error(self, revision: int) -> DraftsmithError:
        kept = sorted({number for number, _, _ in await self._log.kept_states(self._workspace_id)})
        nearest = min(kept, key=lambda number: abs(number - revision), default=None)
        hint = f" The nearest revision that is kept is {nearest}." if nearest is not None else ""
        message = f"Revision {revision} is older than what is kept.{hint}"
        return DraftsmithError("trimmed", message, extra={"nearest": nearest})


async def in_thread_if_many(entries: int, work: Callable[[], T]) -> T:
    """Do a read that no write waits for, of what nobody else holds; in a thread if there are many entries."""
    return await asyncio.to_thread(work) if entries > _MANY else work()


async def load_replica(log: CommitLog, workspace_id: WorkspaceId) -> Replica:
    """Load a workspace from its newest snapshot and the entries after it, which must have no gap.

    Raises:
        DraftsmithError: `workspace_not_found`.
        CorruptEntry: an entry cannot be applied.
    """
    for _ in range(5):
        meta = await _meta(log, workspace_id)
        try:
            return await _replay(log, workspace_id, await _begin(log, workspace_id, meta), meta.head)
        except LogDiverged:
            continue
    raise DraftsmithError("frozen", "The log of this workspace has a gap; run `draftsmith recover`.")


async def _meta(log: CommitLog, workspace_id: WorkspaceId) -> Meta:
    meta = await log.meta(workspace_id)
    if meta is None:
        raise DraftsmithError("workspace_not_found", "There is no such workspace.")
    return meta


async def _begin(log: CommitLog, workspace_id: WorkspaceId, meta: Meta) -> Replica:
    """The newest snapshot that can be read, else an empty workspace.

    Raises:
        LogDiverged: the log does not go back to what can be read; a snapshot may have moved on between two reads.
    """
    for revision in (meta.snap, meta.snap_prev):
        blob = await log.snapshot(workspace_id, revision) if revision else None
        if blob is not None:
            try:
                return await in_slices(reading_replica(blob.content, Head(blob.epoch, blob.revision, blob.chain)))
            except ValueError:
                continue  # damaged, or of a newer release
    if meta.base:
        raise LogDiverged("no snapshot can be read, and the log does not begin at the beginning")
    return Replica(meta.head.epoch)


async def _replay(log: CommitLog, workspace_id: WorkspaceId, replica: Replica, head: Head) -> Replica:
    await follow_unseen(log, workspace_id, replica, head.revision)
    if replica.head.revision == head.revision and replica.head != head:
        raise LogDiverged(f"replay leads to {replica.head}, the log says {head}")
    return replica


async def follow(log: CommitLog, workspace_id: WorkspaceId, replica: Replica, upto: int) -> None:
    """Advance a replica along the log; whenever this waits, it holds a revision.

    Raises:
        LogDiverged: the log does not go on where the replica is.
        CorruptEntry: an entry cannot be applied; the replica stands before it.
    """
    async for page in _pages(log, workspace_id, replica, upto):
        await advance(replica, page)


async def follow_unseen(log: CommitLog, workspace_id: WorkspaceId, replica: Replica, upto: int) -> None:
    """As `follow`, for a replica that nobody else sees: while this waits, it may be half changed."""
    async for page in _pages(log, workspace_id, replica, upto):
        await advance_unseen(replica, page)


async def _pages(
    log: CommitLog, workspace_id: WorkspaceId, replica: Replica, upto: int
) -> AsyncIterator[Sequence[Entry]]:
    while replica.head.revision < upto:
        page = await log.entries(workspace_id, replica.head.revision, upto, PAGE)
        if not page:
            raise LogDiverged("the log ends before its head")
        yield page


def reading_text_steps(entries: Sequence[Entry]) -> Generator[None, None, list[ChangeText]]:
    """The changes of the text by some entries, oldest first, in slices of so many bytes.

    Raises:
        ValueError: an entry is damaged.
    """
    found: list[ChangeText] = []
    read = 0
    for entry in entries:
        record = yield from reading_record(entry.body)
        if record.text_step is not None:
            found.append(record.text_step)
        read += _ENTRY_BYTES + len(entry.body)
        if read > _LARGE_BODY:
            yield
            read = 0
    return found


async def advance(replica: Replica, entries: Sequence[Entry]) -> None:
    """Take entries in, a few at a time; large ones are read in slices and then applied at once. Raises as `follow`."""
    read = 0
    for entry in entries:
        record: Record | None = None
        if len(entry.body) > _LARGE_BODY:
            with suppress(ValueError):  # said below
                record = await in_slices(reading_record(entry.body))
        replica.advance(entry, record)
        read += _ENTRY_BYTES + len(entry.body)
        if read > _LARGE_BODY:
            await asyncio.sleep(0)
            read = 0


async def advance_unseen(replica: Replica, entries: Sequence[Entry]) -> None:
    """As `advance`, for a replica that nobody else sees: large entries are applied in slices too."""
    read = 0
    for entry in entries:
        if len(entry.body) > _LARGE_BODY:
            await in_slices(replica.advancing(entry))
        else:
            replica.advance(entry)
        read += _ENTRY_BYTES + len(entry.body)
        if read > _LARGE_BODY:
            await asyncio.sleep(0)
            read = 0


class FrozenReplica(Exception):
    """Loading met an entry that cannot be applied; `replica` stands before it and may be read."""

    def __init__(self, replica: Replica, corrupt: CorruptEntry) -> None:
        super().__init__(str(corrupt))
        self.replica, self.corrupt = replica, corrupt


async def load_or_freeze(log: CommitLog, workspace_id: WorkspaceId) -> Replica:
    """As `load_replica`, but stops before an entry that cannot be applied.

    Raises:
        FrozenReplica: with the replica before the bad entry.
    """
    try:
        return await load_replica(log, workspace_id)
    except CorruptEntry as corrupt:
        replica = await _begin(log, workspace_id, await _meta(log, workspace_id))
        try:
            await follow_unseen(log, workspace_id, replica, corrupt.revision)
        except CorruptEntry as again:
            raise FrozenReplica(replica, again) from corrupt
        return replica
