"""The commits of a workspace as they come, for whoever only follows: from a revision on, or from now on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Final

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Entry, Head, chain_hash
from draftsmith.history.record import Record, decode_record
from draftsmith.usecases.commits.log_reader import PAGE, LogReader
from draftsmith.usecases.live.resume import chain_at
from draftsmith.usecases.live.room import OpenRoom

Followed = AsyncGenerator[tuple[Entry, Record] | None, None]
_SIGN_S: Final = 15.0


async def follow(room: OpenRoom, after: tuple[str, int] | None) -> Followed:
    """Commits after a revision of an epoch, or from now on.

    None comes first, when it is known that it can be followed, and then now and then where nothing else does.

    Raises:
        DraftsmithError: `trimmed`; `stale_base` where the history is another one (now); as reads.
    """
    replica, past = await room.open()
    at = replica.head if after is None else await _place(past, replica.head, after)
    yield None
    with room.followed() as bell:
        while True:
            bell.clear()
            entries = await _next(room, at)
            for entry in entries:
                at = _onwards(at, entry)
                yield entry, decode_record(entry.body)
            if room.ended is not None:
                if room.ended.again_ms is None:
                    raise DraftsmithError(room.ended.code, room.ended.detail)
                return
            if not entries and not await _rings(bell):
                yield None


async def _place(past: LogReader, head: Head, after: tuple[str, int]) -> Head:
    epoch, revision = after
    if epoch != head.epoch or revision > head.revision:
        raise _another(head)
    return Head(epoch, revision, head.chain if revision == head.revision else await chain_at(past, revision))


async def _next(room: OpenRoom, at: Head) -> Sequence[Entry]:
    """The next commits, some of them."""
    workspaces = room.world.workspaces
    replica, past = await workspaces.log_reader(room.workspace_id, is_fresh=False)
    if replica.head.epoch != at.epoch or replica.head.revision < at.revision:
        raise _another(replica.head)
    known = replica.tail_after(at.revision)
    if known is not None:
        return known
    page = await workspaces.log.entries(room.workspace_id, at.revision, replica.head.revision, PAGE)
    return page or [await past.entry(at.revision + 1)]


def _onwards(at: Head, entry: Entry) -> Head:
    if entry.revision != at.revision + 1:
        raise DraftsmithError("trimmed", f"Revision {at.revision + 1} is older than what is kept.")
    if chain_hash(at.chain, entry) != entry.chain:
        raise _another(at)
    return Head(at.epoch, entry.revision, entry.chain)


def _another(head: Head) -> DraftsmithError:
    message = "The history is another one now; read the workspace again."
    return DraftsmithError("stale_base", message, extra={"revision": head.revision, "changes": []})


async def _rings(bell: asyncio.Event) -> bool:
    """Wait for the bell; False if it does not ring for long."""
    try:
        async with asyncio.timeout(_SIGN_S):
            await bell.wait()
    except TimeoutError:
        return False
    return True
