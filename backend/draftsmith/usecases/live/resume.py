"""Where a page that connects goes on: with the commits that it has missed, or with the whole state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from draftsmith.collab.client_messages import Resume
from draftsmith.collab.recent import Lack
from draftsmith.collab.told import Told, told
from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import GENESIS, Head
from draftsmith.history.replica import Replica
from draftsmith.usecases.commits.log_reader import LogReader

MISSED_COMMITS: Final = 2_000
MISSED_BYTES: Final = 2_000_000


@dataclass(frozen=True, slots=True)
class Start:
    """Where it goes on.

    Attributes:
        place: what the page has, if it is of this history and commits lead on from there.
        missed: those commits, as far as they have been read.
        lack: why it is given the whole state, where there is no place.
    """

    place: Head | None
    missed: Sequence[Told]
    lack: Lack


async def start_of(resume: Resume | None, replica: Replica, past: LogReader) -> Start:
    """Look where a page can go on.

    Raises:
        StorageError: the log cannot be read.
    """
    if resume is None:
        return Start(None, (), "fresh")
    head = replica.head
    place = Head(resume.epoch, resume.rev, resume.h)
    if place == head:
        return Start(place, (), "fresh")
    if place.epoch != head.epoch or place.revision >= head.revision:
        return Start(None, (), "diverged")
    try:
        if await chain_at(past, place.revision) != place.chain:
            return Start(None, (), "diverged")
        if head.revision - place.revision > MISSED_COMMITS:
            return Start(None, (), "behind")
        missed = [told(entry) for entry in await past.after(place.revision)]
    except DraftsmithError as error:
        if error.code != "trimmed":
            raise
        return Start(None, (), "trimmed")
    if sum(len(one.commit) for one in missed) > MISSED_BYTES:
        return Start(None, (), "behind")
    return Start(place, missed, "behind")


async def chain_at(past: LogReader, revision: int) -> str:
    """The hash of the chain at a revision; raises as `LogReader.entry`."""
    return (await past.entry(revision)).chain if revision else GENESIS
