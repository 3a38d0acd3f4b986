"""What log entries did to the text, and what they compensate, for `transform.text_runs`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from draftsmith.history.actor import actor_json
from draftsmith.history.commit import Entry
from draftsmith.history.record import decode_record
from draftsmith.transform.text_runs import TextCommit

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
    """The earliest revision that commits after `revision` compensate; `revision` if none is earlier."""
    later = [commit for commit in commits if commit.revision > revision]
    taken = [commit.takes_back[0] for commit in later if commit.takes_back is not None]
    restored = [commit.restores + 1 for commit in later if commit.restores is not None]
    return min([revision, *taken, *restored])
