"""Somebody's newest run of typing of which anything is left to take back.

A run is what one person typed without a longer pause and without doing anything else, whoever wrote in between. The
editor's own history undoes typing while the page is open; a run is what undo takes after a reload. Not here: what takes
it back (`text_history`), the requests (`undo_requests`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import actor_json
from draftsmith.history.commit import Entry
from draftsmith.history.replica import Replica
from draftsmith.transform.undo.retract import Retraction
from draftsmith.usecases.replicas.log_reader import LogReader
from draftsmith.usecases.requests.text_history import typing_retraction

PAUSE_MS = 10_000  # shorter than for rows of the history: a key press should not take an hour of writing
_LOOKED_AT = 1_000  # commits that are searched for a run
_RUNS = 50  # runs that are tried, since each reads the text commits after it


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
        entries: Sequence[Entry] = await log.entries_after(max(after, replica.head.revision - _LOOKED_AT))
    except DraftsmithError as error:
        if error.code != "trimmed":
            raise
        entries = [entry for entry in replica.tail if entry.revision > after]
    for first, last in islice(_runs(entries, typist), _RUNS):
        found = await typing_retraction(first, last.revision, log)
        if not found.changes.is_empty:
            return TypingRun(first, last, found)
    return None


def _runs(entries: Sequence[Entry], typist: str) -> Iterator[tuple[Entry, Entry]]:
    """First and last entry of each run, newest first."""
    first: Entry | None = None
    last: Entry | None = None
    for entry in reversed(entries):
        is_own = actor_json(entry.actor)["id"] == typist
        if not is_own and entry.scope != typist:
            continue
        is_typing = entry.kind == "text"
        is_apart = first is not None and first.ms - entry.ms >= PAUSE_MS
        if first is not None and last is not None and (is_apart or not is_typing):
            yield first, last
            first = last = None
        if is_typing:
            first, last = entry, last or entry
    if first is not None and last is not None:
        yield first, last
