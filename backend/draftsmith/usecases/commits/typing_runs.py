"""Somebody's newest run of typing that stands, to be taken back.

A run is what one person typed without a longer pause and without doing anything else, whoever wrote in between. The
editor's own history undoes typing while the page is open; a run is what undo takes after a reload. Not here: how typing
is taken out of a text that others have edited (`transform.retract`), the requests (`undo_requests`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import actor_json
from draftsmith.history.commit import Entry
from draftsmith.history.replica import Replica
from draftsmith.history.undo_status import undo_status_of
from draftsmith.transform.retract import Retraction
from draftsmith.usecases.commits.log_reader import LogReader, in_thread_if_many
from draftsmith.usecases.commits.text_history import typed_retraction

PAUSE_MS = 10_000  # shorter than for rows of the history: a key press should not take an hour of writing
_LOOKED_AT = 1_000  # commits that are searched for a run


@dataclass(frozen=True, slots=True)
class TypingRun:
    """A run of typing, by its first and last commit, and what takes it back from the head."""

    first: Entry
    last: Entry
    retraction: Retraction


async def newest_run(replica: Replica, log: LogReader, typist: str, after: int = 0) -> TypingRun | None:
    """The newest run of somebody's typing of which anything is left to take back; None if there is none.

    Args:
        after: only what was typed after this revision; the newest 1,000 commits at most are searched.
    """
    try:
        entries: Sequence[Entry] = await log.after(max(after, replica.head.revision - _LOOKED_AT))
    except DraftsmithError as error:
        if error.code != "trimmed":
            raise
        entries = [entry for entry in replica.tail if entry.revision > after]
    for first, last in await in_thread_if_many(len(entries), lambda: list(_runs(entries, typist))):
        found = await typed_retraction(first, last.revision, log)
        if not found.changes.is_empty:
            return TypingRun(first, last, found)
    return None


def _runs(entries: Sequence[Entry], typist: str) -> Iterator[tuple[Entry, Entry]]:
    """First and last entry of each run that was not taken back as a whole, newest first."""
    taken = _taken_back(entries, typist)
    first: Entry | None = None
    last: Entry | None = None
    for entry in reversed(entries):
        is_own = actor_json(entry.actor)["id"] == typist
        if not is_own and entry.scope != typist:
            continue
        is_typing = entry.kind == "text" and not any(entry.revision in revisions for revisions in taken)
        is_apart = first is not None and first.ms - entry.ms >= PAUSE_MS
        if first is not None and last is not None and (is_apart or not is_typing):
            yield first, last
            first = last = None
        if is_typing:
            first, last = entry, last or entry
    if first is not None and last is not None:
        yield first, last


def _taken_back(entries: Sequence[Entry], typist: str) -> list[range]:
    """The revisions of typing that undos and reverts have taken back and that nobody brought back since."""
    start = entries[0].revision if entries else 0
    found: list[range] = []
    for place, entry in enumerate(entries):
        revision = entry.ref_revision
        if entry.kind not in ("undo", "revert") or revision is None or not start <= revision < entry.revision:
            continue
        named = entries[revision - start]
        if named.kind != "text" or actor_json(named.actor)["id"] != typist:
            continue
        if undo_status_of(entry, entries[place + 1 :]) is None:
            found.append(range(revision, entry.revision))
    return found
