"""The rooms of a worker: which workspaces are open, how pages join, how programs follow, and how all of that ends.

A program that follows gets the commits of a workspace as they come, without a connection of its own in the room.

Not here: what happens in a room (`room`), one page (`connection`), the socket (`api.live`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from typing import Final

from draftsmith.access.roles import Role
from draftsmith.collab.client_messages import Hello, Resume
from draftsmith.collab.commit_message import commit_message
from draftsmith.collab.protocol import close_reason
from draftsmith.collab.room import Join, ResumePoint
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.history.commit import GENESIS, Entry, Head, chain_hash
from draftsmith.history.record import Record, decode_record
from draftsmith.history.replica import Replica
from draftsmith.model.ids import RunId, WorkspaceId
from draftsmith.usecases.live.connection import Connection
from draftsmith.usecases.live.dependencies import Dependencies
from draftsmith.usecases.live.room import OpenRoom
from draftsmith.usecases.replicas.log_reader import PAGE, LogReader
from draftsmith.usecases.requests.identity import check_id, identify

_MOST_MISSED_COMMITS: Final = 2_000
_MOST_MISSED_BYTES: Final = 2_000_000
_KEEPALIVE_S: Final = 15.0
_LEAVE_S: Final = 5.0
_RESTARTING: Final = "The server is stopping; another takes over in a moment."


class _RoomSlot:
    """The place of one workspace among the rooms: the first user opens the room, the last one closes it.

    Attributes:
        users: how many pages and followers use it, or are about to.
        room: the room; None while it is closed.
    """

    def __init__(self, workspace_id: WorkspaceId, dependencies: Dependencies) -> None:
        self.workspace_id = workspace_id
        self.users = 0
        self.room: OpenRoom | None = None
        self._dependencies = dependencies
        self._lock = asyncio.Lock()
        self._opening: asyncio.Task[None] | None = None
        self._closed_resyncs = 0

    @property
    def resyncs(self) -> int:
        """How many whole states were sent to pages that had one already."""
        return self._closed_resyncs + (0 if self.room is None else self.room.room.shared.resyncs)

    async def open(self) -> tuple[OpenRoom, Replica, LogReader]:
        """Open the room unless it is open; return it, the workspace as new as the log, and a reader of its log.

        Raises:
            DraftsmithError: as reads.
        """
        if self.room is None:
            if self._opening is None:  # one for all who wait, so that an absent store delays each of them only once
                self._opening = asyncio.create_task(self._open(), name=f"open {self.workspace_id}")
                self._opening.add_done_callback(self._on_opened)
            await asyncio.shield(self._opening)
        replica, reader = await self._dependencies.workspaces.log_reader(self.workspace_id)
        assert self.room is not None, "a room with users stays open"
        self.room.close_reason = None  # the workspace may have been in the trash
        return self.room, replica, reader

    async def _open(self) -> None:
        async with self._lock:
            if self.room is not None:
                return
            workspaces = self._dependencies.workspaces
            workspaces.watch(self.workspace_id, lambda _: None)  # keeps it in memory
            try:
                replica, _ = await workspaces.log_reader(self.workspace_id)
            except BaseException:
                workspaces.unwatch(self.workspace_id)
                raise
            self.room = OpenRoom(self.workspace_id, self._dependencies, replica)
            await self.room.start()

    def _on_opened(self, opening: asyncio.Task[None]) -> None:
        self._opening = None
        if not opening.cancelled():
            opening.exception()  # retrieved here in case nobody waits for it any more

    async def close_if_unused(self) -> None:
        """Close the room, if it has no users."""
        async with self._lock:
            if self.users or self.room is None:
                return
            room, self.room = self.room, None
            self._closed_resyncs += room.room.shared.resyncs
            await room.close()


class Live:
    """All rooms of one worker."""

    def __init__(self, dependencies: Dependencies) -> None:
        self._dependencies = dependencies
        self._slots: dict[WorkspaceId, _RoomSlot] = {}
        self._closing_tasks: set[asyncio.Task[None]] = set()
        self._is_closing = False
        self._closed_resyncs = 0
        self._no_rooms = asyncio.Event()
        dependencies.assistant.listen(self._runs_changed)

    async def join(self, workspace_id: WorkspaceId, actor: Actor, hello: Hello, role: Role = "owner") -> Connection:
        """Connect a page to a workspace's room; `role` is what it may do.

        Writes that it has sent over another connection, and was not answered, are taken from this one from now on.

        Raises:
            DraftsmithError: as reads; `restarting` while this worker stops.
        """
        slot = self._acquire(workspace_id)
        try:
            room, replica, reader = await slot.open()
            connection = Connection(room, actor, lambda: self._release(slot))
            clock, workspaces = self._dependencies.clock, self._dependencies.workspaces
            pending = {identify(actor, write_id, clock).txid: write_id for write_id in hello.pending}
            if pending:
                await workspaces.log.claim(workspace_id, pending, connection.member)
            resume = await _resume_point(hello.resume, replica, reader)
            frozen = workspaces.writer(workspace_id).frozen_reason
            room.join(connection, Join(resume, pending, role, frozen=frozen, version=hello.v))
            return connection
        except BaseException:
            await self._release(slot)
            raise

    async def follow(
        self, workspace_id: WorkspaceId, after: tuple[str, int] | None
    ) -> AsyncIterator[tuple[Entry, Record] | None]:
        """Yield commits as they come, after a revision of an epoch or from now on.

        None is yielded first, when following has begun, and then whenever nothing else was for some seconds. Ends when
        this worker stops.

        Raises:
            DraftsmithError: `trimmed`; `stale_base` where the history is another one (now); as reads.
        """
        slot = self._acquire(workspace_id)
        try:
            async with aclosing(_follow(slot, after)) as entries:
                async for entry in entries:
                    yield entry
        finally:
            await self._release(slot)

    async def asker_of(self, workspace_id: WorkspaceId, run: RunId) -> str:
        """The id of whoever asked for a run.

        Raises:
            DraftsmithError: `run_not_found`.
        """
        found = await self._dependencies.assistant.run(workspace_id, run)
        return found["actor"]["id"]

    def rename(self, actor: Actor) -> None:
        """A person has a new name; every room of this worker in which they are is told."""
        for slot in self._slots.values():
            if slot.room is not None:
                slot.room.room.rename(actor, self._dependencies.clock.now_ms())
                slot.room.schedule()

    @property
    def room_count(self) -> int:
        """How many rooms are open."""
        return len(self._slots)

    @property
    def resyncs(self) -> int:
        """How many whole states were sent to pages that had one already, since this worker started."""
        return self._closed_resyncs + sum(slot.resyncs for slot in self._slots.values())

    async def close(self) -> None:
        """Disconnect everybody because this worker stops, and close each room when they have left."""
        self._is_closing = True
        for slot in self._slots.values():
            if slot.room is not None:
                slot.room.disconnect_all(close_reason("restarting", _RESTARTING, 500))
        if self._slots:
            try:
                async with asyncio.timeout(_LEAVE_S):
                    await self._no_rooms.wait()
            except TimeoutError:  # the end of the process disconnects whoever has not left by now
                for slot in list(self._slots.values()):
                    slot.users = 0
                    await slot.close_if_unused()
        if self._closing_tasks:
            await asyncio.wait(self._closing_tasks)

    def _acquire(self, workspace_id: WorkspaceId) -> _RoomSlot:
        check_id(workspace_id)
        if self._is_closing:
            raise DraftsmithError("restarting", _RESTARTING)
        slot = self._slots.get(workspace_id)
        if slot is None:
            slot = self._slots[workspace_id] = _RoomSlot(workspace_id, self._dependencies)
        slot.users += 1
        self._no_rooms.clear()
        return slot

    async def _release(self, slot: _RoomSlot) -> None:
        """Give up the use of a room; closing it then is brought to its end even if the caller is cancelled."""
        slot.users -= 1
        if slot.users <= 0:
            closing = asyncio.create_task(self._close(slot), name=f"close {slot.workspace_id}")
            self._closing_tasks.add(closing)
            closing.add_done_callback(self._closing_tasks.discard)
            await asyncio.shield(closing)

    async def _close(self, slot: _RoomSlot) -> None:
        await slot.close_if_unused()
        if not slot.users and self._slots.get(slot.workspace_id) is slot:
            del self._slots[slot.workspace_id]
            self._closed_resyncs += slot.resyncs
        if not self._slots:
            self._no_rooms.set()

    def _runs_changed(self, workspace_id: WorkspaceId) -> None:
        """Something has happened to a run."""
        slot = self._slots.get(workspace_id)
        if slot is not None and slot.room is not None:
            slot.room.run_updates.request_read()


async def _resume_point(resume: Resume | None, replica: Replica, reader: LogReader) -> ResumePoint:
    """Find where a page can continue: with the commits it has missed, or with the whole state.

    Raises:
        StorageError: the log cannot be read.
    """
    if resume is None:
        return ResumePoint()
    head = replica.head
    position = Head(resume.epoch, resume.rev, resume.h)
    if position == head:
        return ResumePoint(position)
    if position.epoch != head.epoch or position.revision >= head.revision:
        return ResumePoint(state_reason="diverged")
    try:
        if await _chain_at(reader, position.revision) != position.chain:
            return ResumePoint(state_reason="diverged")
        if head.revision - position.revision > _MOST_MISSED_COMMITS:
            return ResumePoint(state_reason="behind")
        missed = [commit_message(entry) for entry in await reader.entries_after(position.revision)]
    except DraftsmithError as error:
        if error.code != "trimmed":
            raise
        return ResumePoint(state_reason="trimmed")
    if sum(len(commit.commit) for commit in missed) > _MOST_MISSED_BYTES:
        return ResumePoint(state_reason="behind")
    return ResumePoint(position, missed, "behind")


async def _chain_at(reader: LogReader, revision: int) -> str:
    """Return the hash of the chain at a revision; raise as `LogReader.entry`."""
    return (await reader.entry(revision)).chain if revision else GENESIS


async def _follow(slot: _RoomSlot, after: tuple[str, int] | None) -> AsyncGenerator[tuple[Entry, Record] | None, None]:
    """Yield what `Live.follow` yields, from the room of a slot."""
    room, replica, reader = await slot.open()
    at = replica.head if after is None else await _followed_from(reader, replica.head, after)
    yield None
    with room.subscribe() as event:
        while True:
            event.clear()
            entries = await _next_entries(room, at)
            for entry in entries:
                at = _advance(at, entry)
                yield entry, decode_record(entry.body)
            if room.close_reason is not None:
                if room.close_reason.again_ms is None:
                    raise DraftsmithError(room.close_reason.code, room.close_reason.detail)
                return
            if not entries and not await _wait(event):
                yield None


async def _followed_from(reader: LogReader, head: Head, after: tuple[str, int]) -> Head:
    """Return the head that is followed from: a revision of an epoch, with its hash."""
    epoch, revision = after
    if epoch != head.epoch or revision > head.revision:
        raise _another_history(head)
    return Head(epoch, revision, head.chain if revision == head.revision else await _chain_at(reader, revision))


async def _next_entries(room: OpenRoom, at: Head) -> Sequence[Entry]:
    """Return some of the commits after a head, oldest first; none if there are none yet."""
    workspaces = room.dependencies.workspaces
    replica, reader = await workspaces.log_reader(room.workspace_id, is_fresh=False)
    if replica.head.epoch != at.epoch or replica.head.revision < at.revision:
        raise _another_history(replica.head)
    known = replica.tail_after(at.revision)
    if known is not None:
        return known
    page = await workspaces.log.entries(room.workspace_id, at.revision, replica.head.revision, PAGE)
    return page or [await reader.entry(at.revision + 1)]


def _advance(at: Head, entry: Entry) -> Head:
    """Return the head after an entry, which must be the next one of the same history."""
    if entry.revision != at.revision + 1:
        raise DraftsmithError("trimmed", f"Revision {at.revision + 1} is older than what is kept.")
    if chain_hash(at.chain, entry) != entry.chain:
        raise _another_history(at)
    return Head(at.epoch, entry.revision, entry.chain)


def _another_history(head: Head) -> DraftsmithError:
    message = "The history is another one now; read the workspace again."
    return DraftsmithError("stale_base", message, extra={"revision": head.revision, "changes": []})


async def _wait(event: asyncio.Event) -> bool:
    """Wait for the event; return False if it was not set for some seconds."""
    try:
        async with asyncio.timeout(_KEEPALIVE_S):
            await event.wait()
    except TimeoutError:
        return False
    return True
