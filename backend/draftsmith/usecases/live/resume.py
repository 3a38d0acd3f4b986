"""Where a page continues when it connects: with the commits it has missed, or with the whole state."""

from __future__ import annotations

from typing import Final

from draftsmith.collab.client_messages import Resume
from draftsmith.collab.commit_message import commit_message
from draftsmith.collab.room import ResumePoint
from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import GENESIS, Head
from draftsmith.history.replica import Replica
from draftsmith.usecases.replicas.log_reader import LogReader

MAX_MISSED_COMMITS: Final = 2_000
MAX_MISSED_BYTES: Final = 2_000_000


async def resume_point(resume: Resume | None, replica: Replica, reader: LogReader) -> ResumePoint:
    """Find where a page can continue.

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
        if await chain_at(reader, position.revision) != position.chain:
            return ResumePoint(state_reason="diverged")
        if head.revision - position.revision > MAX_MISSED_COMMITS:
            return ResumePoint(state_reason="behind")
        missed = [commit_message(entry) for entry in await reader.entries_after(position.revision)]
    except DraftsmithError as error:
        if error.code != "trimmed":
            raise
        return ResumePoint(state_reason="trimmed")
    if sum(len(commit.commit) for commit in missed) > MAX_MISSED_BYTES:
        return ResumePoint(state_reason="behind")
    return ResumePoint(position, missed, "behind")


async def chain_at(reader: LogReader, revision: int) -> str:
    """The hash of the chain at a revision; raises as `LogReader.entry`."""
    return (await reader.entry(revision)).chain if revision else GENESIS
