"""History as people read it: one row a commit, or for what belongs together.

Edits of one person that stand next to one another, less than a minute apart, are one row. Typing of one person is one
row although others write in between, as long as no minute passes and the person does nothing else. A row stands where
its newest commit does. Whatever was explained stands alone.

Rows are gathered newest first, a page at a time. A row that reaches below the end of its page is gathered to its end;
the next page is told its commits so far (`PageCursor.open`) and passes over the rest. Not here: reading the log
(`usecases.upkeep.history`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from draftsmith.history.actor import actor_json
from draftsmith.history.commit import Entry, decode_body
from draftsmith.history.diff import diff_of
from draftsmith.history.record import Record, decode_record
from draftsmith.history.sentences import counts_of, sum_of_counts, typed_in
from draftsmith.history.shapes import CommitOut, CountsOut
from draftsmith.history.times import iso

GAP_MS = 60_000


def commit_json(entry: Entry, record: Record) -> CommitOut:
    """One commit in a list. `revert` is what to ask for to take it back: `{rev, upto}`, or None."""
    upto = entry.revision if entry.kind == "text" else None
    return {
        "revision": entry.revision,
        "at": iso(entry.ms),
        "since": iso(entry.ms),
        "actor": actor_json(entry.actor),
        "kind": entry.kind,
        "ref": entry.ref_revision,
        "what": record.what,
        "why": record.explanation,
        "source": record.source,
        "counts": counts_of(diff_of(record.steps, record.places)),
        "left_out": list(record.left_out),
        "revisions": [entry.revision],
        "revert": None if entry.kind in ("create", "checkpoint") else {"rev": entry.revision, "upto": upto},
    }


@dataclass(frozen=True, slots=True)
class PageCursor:
    """Where a page begins, and which rows of the page above are still open there.

    Attributes:
        before: the commits of the page are older.
        open: for each open row, the oldest of its commits so far; more of it may follow and was shown already.
    """

    before: int
    open: tuple[int, ...] = ()


@dataclass(slots=True)
class _Row:
    """A row to which older commits may still belong; `shown` is None for one of a page before."""

    kind: str
    since_ms: int
    oldest: int
    shown: CommitOut | None
    sections: dict[str, None]

    def takes(self, entry: Entry, is_explained: bool) -> bool:
        return entry.kind == self.kind and not is_explained and self.since_ms - entry.ms < GAP_MS

    def take(self, entry: Entry, content: Mapping[str, object]) -> None:
        self.since_ms, self.oldest = entry.ms, entry.revision
        self.sections |= _sections(content)
        if self.shown is None:
            return
        counts = _counts(entry, content)
        self.shown["since"] = iso(entry.ms)
        self.shown["revisions"].append(entry.revision)
        self.shown["counts"] = sum_of_counts(self.shown["counts"], counts)
        if self.kind == "text":
            self.shown["what"] = typed_in([*self.sections][::-1])
            self.shown["revert"] = {"rev": entry.revision, "upto": self.shown["revision"]}
        else:
            self.shown["revert"] = None  # several edits are taken back one by one


class Rows:
    """A page of rows in the making: give it commits newest first until it is full.

    Attributes:
        items: the rows, newest first.
        following: where the next page begins, once that is known.
    """

    def __init__(self, limit: int, above: Iterable[Entry] = ()) -> None:
        """Begin a page; `above`: the entries that `PageCursor.open` names."""
        self.items: list[CommitOut] = []
        self.following: PageCursor | None = None
        self._limit = limit
        self._open: dict[str, _Row] = {}
        for entry in above:
            self._open[_whose(entry)] = _Row(entry.kind, entry.ms, entry.revision, None, {})

    @property
    def is_full(self) -> bool:
        """Whether all rows are there, each to its end, and it is known where to go on."""
        return self.following is not None and all(row.shown is None for row in self._open.values())

    def add(self, entry: Entry) -> None:
        """Take the next older commit in."""
        self._close(entry)
        content = decode_body(entry.body)
        if content.get("hid"):
            return
        whose, is_explained = _whose(entry), bool(content.get("x"))
        for other in [name for name, row in self._open.items() if row.kind == "edit" and name != whose]:
            del self._open[other]
        row = self._open.get(whose)
        if row is not None and row.takes(entry, is_explained):
            row.take(entry, content)
            return
        self._open.pop(whose, None)
        if self.following is None and len(self.items) < self._limit:
            self._begin(entry, whose, is_explained, content)
        elif self.following is None:
            self.following = self._cursor(entry.revision + 1)

    def pass_over(self, entry: Entry) -> None:
        """Go by the next older commit, which is not among those that are wanted."""
        self._close(entry)

    def begin_no_more(self, before: int) -> None:
        """Begin no row with what is older than this revision; those that are open are gathered to their end."""
        if self.following is None:
            self.following = self._cursor(before)

    def _cursor(self, before: int) -> PageCursor:
        return PageCursor(before, tuple(sorted(row.oldest for row in self._open.values())))

    def _close(self, entry: Entry) -> None:
        """Close the rows that nothing so old can belong to."""
        for name in [name for name, row in self._open.items() if row.since_ms - entry.ms >= GAP_MS]:
            del self._open[name]

    def _begin(self, entry: Entry, whose: str, is_explained: bool, content: Mapping[str, object]) -> None:
        shown = commit_json(entry, decode_record(entry.body))
        self.items.append(shown)
        if entry.kind in ("edit", "text") and not is_explained:
            self._open[whose] = _Row(entry.kind, entry.ms, entry.revision, shown, _sections(content))


def _whose(entry: Entry) -> str:
    found: str = actor_json(entry.actor)["id"]
    return found


def _sections(content: Mapping[str, Any]) -> dict[str, None]:
    """The sections that a commit changed, as keys in order."""
    return {str(place[0]): None for place in content.get("d", ())}


def _counts(entry: Entry, content: Mapping[str, Any]) -> CountsOut:
    """How much a commit changed; of typed text without decoding the steps, since there are thousands of them."""
    if entry.kind == "text":
        changed = sum(isinstance(part, list) for step in content["f"] for part in step.get("c", ()))
        return {"added": 0, "changed": 0, "removed": 0, "text": changed}
    record = decode_record(entry.body)
    return counts_of(diff_of(record.steps, record.places))
