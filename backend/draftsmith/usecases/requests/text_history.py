"""What changed the text since a commit, read from the log, and what takes a range of one person's typing back.

Not here: how text is taken back (`transform.undo.retract`), which commits are (`undo_requests`, `typing_runs`).
"""

from __future__ import annotations

from collections.abc import Sequence

from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import actor_json
from draftsmith.history.commit import Entry
from draftsmith.history.text_commits import earliest_reference, text_commits
from draftsmith.transform.undo.retract import Retraction, range_retraction
from draftsmith.transform.undo.text_run import TextCommit
from draftsmith.usecases.replicas.log_reader import LogReader, in_thread_if_many

_EARLIER = 5_000  # commits before the one that is taken back; of older ones, text that came back counts as new


async def commits_since(entry: Entry, log: LogReader) -> tuple[list[TextCommit], int]:
    """Read the commits that changed the text, from an entry to the head, and as far before it as these speak of.

    Text that came back by the revert of an earlier commit can be told only if that one is replayed, too. Where a part
    of what is spoken of is no longer kept, none of it is read.

    Returns:
        The commits, oldest first, and the revision from which these are all.

    Raises:
        DraftsmithError: `trimmed`: what came after the entry is no longer kept.
    """
    first = entry.revision
    commits = await _read([entry, *await log.entries_after(first)], log)
    while (wanted := max(earliest_reference(commits, entry.revision), entry.revision - _EARLIER, 1)) < first:
        try:
            earlier = await log.following(wanted - 1, first - wanted)
        except DraftsmithError as error:
            if error.code != "trimmed":
                raise
            break
        commits, first = [*await _read(earlier, log), *commits], wanted
    return commits, first


async def typing_retraction(first: Entry, upto: int, log: LogReader) -> Retraction:
    """What takes back everything that the person who typed `first` typed from there up to a revision."""
    commits, since = await commits_since(first, log)
    typist, start = actor_json(first.actor)["id"], first.revision
    typed = [one.revision for one in commits if start <= one.revision <= upto and one.by == typist and one.is_typed]
    return await in_thread_if_many(len(commits), lambda: range_retraction(commits, typed, since))


async def _read(entries: Sequence[Entry], log: LogReader) -> list[TextCommit]:
    log.count(len(entries))
    return await in_thread_if_many(len(entries), lambda: text_commits(entries))
