"""Takes text changes back in a document that others have edited meanwhile and since.

One commit is taken back change by change, a range of typing push by push; the newest come first. What a change inserted
goes, what it deleted comes back, unless others have changed it since: then it is left as it is and reported. Text that
others wrote is always kept. Characters have an identity (`text_runs`), so what has gone or come back already, by
whichever undo, redo, revert or restore, is not taken out or brought back again.

Not here: which commits these are, and reading them (`usecases.commits.undo_requests`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from draftsmith.transform.results import LeftOut
from draftsmith.transform.steps.changeset import ChangeSet
from draftsmith.transform.undo.text_run import TextCommit
from draftsmith.transform.undo.text_runs import TextRuns
from draftsmith.transform.undo.text_taken_back import BACK, CHANGED, GONE, ChangeLeftOut, Retracting

_LISTED, _SHOWN = 50, 80


@dataclass(frozen=True, slots=True)
class Retraction:
    """The changes that take text back, for the text at the head, and parts that were left out, as `{what, why}`."""

    changes: ChangeSet
    left_out: list[LeftOut]


def retraction(commits: Sequence[TextCommit], revision: int, since: int | None = None) -> Retraction:
    """Compute the changes that take one commit back, as far as others have not changed its text.

    Args:
        commits: all that changed the text, oldest first, from that commit or an earlier one to the head.
        revision: of the commit.
        since: from which revision on these are all; that of the first one by default.
    """
    runs = TextRuns(commits, frozenset((revision,)), since)
    work = Retracting(runs, (revision,), is_range=False)
    work.run()
    missed = work.missed[::-1]
    if revision not in runs.by_identity:  # whose places are not those of its step
        commit = next(commit for commit in commits if commit.revision == revision)
        inserted = [change.inserted for change in commit.step.changes.changes()]
        texts = list(zip(inserted, commit.step.deleted, strict=True))
        missed = [ChangeLeftOut(one.unit, one.why, *texts[one.unit.change]) for one in missed]
    return Retraction(work.changes(), [_left_out_json(one) for one in missed])


def range_retraction(commits: Sequence[TextCommit], typed: Collection[int], since: int | None = None) -> Retraction:
    """Compute the changes that take back what one person typed.

    Args:
        commits, since: as for `retraction`.
        typed: the revisions that are taken back.
    """
    work = Retracting(TextRuns(commits, since=since), typed, is_range=True)
    work.run()
    return Retraction(work.changes(), _in_words(work.missed[::-1]))


def _left_out_json(one: ChangeLeftOut) -> LeftOut:
    """A change of one commit that is left out, in words."""
    if one.why == CHANGED:
        return {"what": f"a change of the document: “{_shorten(one.deleted or 'the added text')}”", "why": one.why}
    if one.why == GONE:
        return {"what": f"taking out “{_shorten(one.inserted)}”", "why": one.why}
    return {"what": f"bringing back “{_shorten(one.deleted)}”", "why": one.why}


def _in_words(missed: Sequence[ChangeLeftOut]) -> list[LeftOut]:
    """Describe the parts left out; adjacent ones are joined, and only the number of very many is given."""
    joined: list[tuple[ChangeLeftOut, int]] = []
    for one in sorted(missed, key=lambda other: other.place):
        last, end = joined[-1] if joined else (None, 0)
        is_like = last is not None and last.why == one.why and bool(last.inserted) == bool(one.inserted)
        if last is not None and is_like and end == one.place[0]:
            both = ChangeLeftOut(last.unit, one.why, last.inserted + one.inserted, last.deleted + one.deleted)
            joined[-1] = both, one.place[1]
        else:
            joined.append((one, one.place[1]))
    said: list[LeftOut] = [{"what": _what(one), "why": one.why} for one, _ in joined[:_LISTED]]
    if len(joined) > _LISTED:
        said.append({"what": f"{len(joined) - _LISTED} more places in the document", "why": CHANGED})
    return said


def _what(one: ChangeLeftOut) -> str:
    if one.why == BACK:
        return f"bringing back “{_shorten(one.deleted)}”"
    if one.inserted and one.deleted:
        return f"the typed text “{_shorten(one.inserted)}”, which stood in for “{_shorten(one.deleted)}”"
    return f"the typed text “{_shorten(one.inserted)}”" if one.inserted else f"bringing back “{_shorten(one.deleted)}”"


def _shorten(text: str) -> str:
    """A text for use in a sentence: on one line and shortened."""
    line = " ".join(text.split()) or "␣"
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
