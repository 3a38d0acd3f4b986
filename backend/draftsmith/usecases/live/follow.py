"""The commits of a workspace as they come, for programs that only follow: from a revision on, or from now on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Final

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Entry, Head, chain_hash
from draftsmith.history.record import Record, decode_record
from draftsmith.usecases.live.resume import chain_at
from draftsmith.usecases.live.room import OpenRoom
from draftsmith.usecases.live.slot import RoomSlot
from draftsmith.usecases.replicas.log_reader import PAGE, LogReader

Followed = AsyncGenerator[tuple[Entry, Record] | None, None]
_KEEPALIVE_S: Final = 15.0


async def follow(slot: RoomSlot, after: tuple[str, int] | None) -> Followed:
    """Yield the commits after a revision of an epoch, or from now on.

    None is yielded first, when following has begun, and then whenever nothing else was for some seconds.

    Raises:
        DraftsmithError: `trimmed`; `stale_base` where the history is another one (now); as reads.
    """
    room, replica, reader = await slot.open()
    at = replica.head if after is None else await _position(reader, replica.head, after)
    yield None
    with room.subscribe() as event:
        while True:
            event.clear()
            entries = await _next(room, at)
            for entry in entries:
                at = _advance(at, entry)
                yield entry, decode_record(entry.body)
            if room.close_reason is not None:
                if room.close_reason.again_ms is None:
                    raise DraftsmithError(room.close_reason.code, room.close_reason.detail)
                return
            if not entries and not await _wait(event):
                yield None


async def _position(reader: LogReader, head: Head, after: tuple[str, int]) -> Head:
    epoch, revision = after
    if epoch != head.epoch or revision > head.revision:
        raise _another_history(head)
    return Head(epoch, revision, head.chain if revision == head.revision else await chain_at(reader, revision))


async def _next(room: OpenRoom, at: Head) -> Sequence[Entry]:
    """The next commits, some of them."""
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
    if entry.revision != at.revision + 1:
        raise DraftsmithError("trimmed", f"Revision {at.revision + 1} is older than what is kept.")
    if chain_hash(at.chain, entry) != entry.chain:
        raise _another_history(at)
    return Head(at.epoch, entry.revision, entry.chain)


def _another_history(head: Head) -> DraftsmithError:
    message = "The history is another one now; read the workspace again."
    return DraftsmithError("stale_base", message, extra={"revision": head.revision, "changes": []})


async def _wait(event: asyncio.Event) -> bool:
    """Wait for the event; False if it was not set for some seconds."""
    try:
        async with asyncio.timeout(_KEEPALIVE_S):
            await event.wait()
    except TimeoutError:
        return False
    return True
