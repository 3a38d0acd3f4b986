"""What log entries did to the text, and what they compensate, for `transform.undo.text_runs`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from draftsmith.history.actor import actor_json
from draftsmith.history.commit import Entry
from draftsmith.history.record import decode_record
from draftsmith.transform.undo.text_run import TextCommit

_COMPENSATIONS = ("undo", "redo", "revert")


def text_commits(entries: Iterable[Entry]) -> list[TextCommit]:
    """Those that changed the text, in order."""
    return list(_text_commits(entries))


def _text_commits(entries: Iterable[Entry]) -> Iterator[TextCommit]:
    for entry in entries:
        record = decode_record(entry.body)
        step = record.text_step
        if step is None:
            continue
        reference = entry.ref_revision
        taken = (reference, max(reference, record.upto)) if reference and entry.kind in _COMPENSATIONS else None
        restored = reference if entry.kind == "restore" else None
        yield TextCommit(entry.revision, step, actor_json(entry.actor)["id"], taken, restored, entry.kind == "text")


def earliest_reference(commits: Sequence[TextCommit], revision: int) -> int:
    """The earliest revision that some of these commits speak of; that of the first one if none is earlier.

    Args:
        commits: all that changed the text, from `revision` or an earlier one to the head.
        revision: of the commit that is to be taken back. Where nothing after it takes text back, nothing else matters.
    """
    speaking = (
        one for one in commits if one.revision > revision or (one.revision == revision and one.restores is not None)
    )
    if not any(commit.reference for commit in speaking):
        return revision
    return min([revision, *(commit.reference for commit in commits if commit.reference is not None)])
