"""Laws of the history's rows: what belongs together is one row, and pages lose no commit and show none twice."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import orjson
from hypothesis import given
from hypothesis import strategies as st

from draftsmith.history.commit import Entry, Kind
from draftsmith.history.commit_filter import CommitFilter
from draftsmith.history.record import Record
from draftsmith.history.rows import GAP_MS, PageCursor, Rows
from draftsmith.transform.steps.changeset import of_parts
from draftsmith.transform.steps.text import ChangeText

PEOPLE = ["ada", "bob", "cleo"]
SECTIONS = ["# Plan", "# Plan ## Risks", "# Plan ## Data", "# Plan ## Next", ""]


@dataclass(frozen=True)
class Made:
    """One commit of a made-up history."""

    who: str
    kind: Kind
    gap_ms: int
    why: str = ""
    section: str = ""
    hidden: int = 0


made = st.builds(
    Made,
    who=st.sampled_from(PEOPLE),
    kind=st.sampled_from(["text", "text", "text", "text", "edit", "edit", "undo", "checkpoint"]),
    gap_ms=st.sampled_from([0, 1_000, 1_000, 25_000, GAP_MS - 1, GAP_MS, 200_000, -5_000]),
    why=st.sampled_from(["", "", "", "", "Because."]),
    section=st.sampled_from(SECTIONS),
    hidden=st.sampled_from([0, 0, 0, 0, 0, 1]),
)
histories = st.lists(made, max_size=30)


def entries_of(history: list[Made]) -> list[Entry]:
    """The log of a history, oldest first."""
    found = []
    ms = 10**12
    for revision, one in enumerate(history, 1):
        ms += one.gap_ms
        steps = [ChangeText(of_parts([(0, "x"), (revision, None)]), ("",))] if one.kind == "text" else []
        body = Record(steps, "What", one.why, hidden=one.hidden, places=[[one.section, 1, 1]] if steps else []).encode()
        actor = orjson.dumps({"id": one.who, "name": one.who.title(), "kind": "person"}).decode()
        found.append(Entry(revision, "c", ms, f"t{revision}", "f", actor, "", one.kind, "", body))
    return found


def page(entries: list[Entry], place: PageCursor, limit: int) -> Rows:
    """A page, read as the store is read."""
    rows = Rows(limit, [entry for entry in entries if entry.revision in place.open])
    for entry in reversed([entry for entry in entries if entry.revision < place.before]):
        if rows.is_full:
            break
        rows.add(entry)
    return rows


def all_rows(entries: list[Entry]) -> list[dict[str, Any]]:
    return page(entries, PageCursor(len(entries) + 1), 1_000).items


@given(histories, st.lists(st.integers(1, 4), min_size=1, max_size=5))
def test_pages_are_the_whole_in_pieces(history: list[Made], limits: list[int]) -> None:
    """However the pages are cut, and whatever the clock did: the rows of the whole, none twice, none lost, in order."""
    entries = entries_of(history)
    found: list[dict[str, Any]] = []
    place: PageCursor | None = PageCursor(len(entries) + 1)
    number = 0
    while place is not None:
        limit = limits[number % len(limits)]
        rows = page(entries, place, limit)
        assert len(rows.items) == limit or rows.following is None
        found += rows.items
        place = None if rows.following is None else PageCursor(rows.following.before, tuple(rows.following.open))
        number += 1
    assert found == all_rows(entries)


@given(histories)
def test_every_commit_that_is_shown_is_in_one_row(history: list[Made]) -> None:
    """Rows hold all visible commits once, stand where their newest one does, and count what all of them changed."""
    entries = entries_of(history)
    rows = all_rows(entries)
    shown = [revision for revision, one in enumerate(history, 1) if not one.hidden]
    assert sorted(revision for row in rows for revision in row["revisions"]) == shown
    assert [row["revision"] for row in rows] == sorted((row["revision"] for row in rows), reverse=True)
    for row in rows:
        mine = [history[revision - 1] for revision in row["revisions"]]
        assert row["revisions"] == sorted(row["revisions"], reverse=True)
        assert row["counts"]["text"] == sum(one.kind == "text" for one in mine)
        assert {(one.who, one.kind) for one in mine} == {(row["actor"]["id"], row["kind"])}
        assert len(mine) == 1 or not any(one.why for one in mine)


@given(histories)
def test_a_row_of_typing_is_what_its_range_takes_back(history: list[Made]) -> None:
    """The range that a row names holds exactly the row's commits, of all that this person typed in it."""
    entries = entries_of(history)
    for row in all_rows(entries):
        asked, kind = row["revert"], row["kind"]
        if kind == "checkpoint" or (kind == "edit" and len(row["revisions"]) > 1):
            assert asked is None
        elif kind != "text":
            assert asked == {"rev": row["revision"], "upto": None}
        else:
            typed = [
                revision
                for revision in range(asked["rev"], asked["upto"] + 1)
                if history[revision - 1].kind == "text" and history[revision - 1].who == row["actor"]["id"]
                if not history[revision - 1].hidden
            ]
            assert typed[::-1] == row["revisions"]


@given(histories)
def test_typing_belongs_together_whoever_writes_in_between(history: list[Made]) -> None:
    """Two pushes of one person are in one row if less than a minute and no other commit of theirs lies in between."""
    entries = entries_of([one if one.gap_ms >= 0 else Made(one.who, one.kind, 0) for one in history])
    visible = [entry for entry, one in zip(entries, history, strict=True) if not one.hidden or one.gap_ms < 0]
    row_of = {revision: row["revision"] for row in all_rows(entries) for revision in row["revisions"]}
    for who in PEOPLE:
        own = [entry for entry in visible if orjson.loads(entry.actor)["id"] == who]
        for older, newer in pairwise(own):
            if older.kind == newer.kind == "text":
                explained = any(b'"x":' in entry.body for entry in (older, newer))
                near = newer.ms - older.ms < GAP_MS
                assert (row_of[older.revision] == row_of[newer.revision]) == (near and not explained)


def test_a_row_says_where_was_typed() -> None:
    """A few sections by name, the newest last; many by number; none as the document."""

    def said(*sections: str) -> str:
        rows = all_rows(entries_of([Made("ada", "text", 1_000, section=section) for section in sections]))
        assert len(rows) == 1
        text: str = rows[0]["what"]
        return text

    assert said("# Plan", "# Plan", "# Plan ## Risks") == "Typed in “Plan”, “Risks”"
    assert said(*SECTIONS) == "Typed in 4 sections"
    assert said("", "") == "Typed in the document"
    assert said("# Plan") == "What"


@given(histories, st.integers(1, 4), st.integers(1, 6), st.sampled_from(PEOPLE))
def test_rows_of_one_person_are_found_however_little_is_looked_at(
    history: list[Made], limit: int, looked_at: int, who: str
) -> None:
    """Of those that are wanted none is lost and none shown twice, also where a page ends before it is full."""
    entries = entries_of(history)
    wanted = CommitFilter(actor=who)
    found: list[int] = []
    place: PageCursor | None = PageCursor(len(entries) + 1)
    while place is not None:
        rows = Rows(limit, [entry for entry in entries if entry.revision in place.open])
        older = [entry for entry in reversed(entries) if entry.revision < place.before]
        for number, entry in enumerate(older, 1):
            (rows.add if wanted.matches(entry) else rows.pass_over)(entry)
            if number >= looked_at:
                rows.begin_no_more(entry.revision)
            if rows.is_full:
                break
        found += [revision for row in rows.items for revision in row["revisions"]]
        assert rows.following is None or rows.following.before <= place.before
        place = rows.following
    assert sorted(found) == [
        e.revision for e, made in zip(entries, history, strict=True) if made.who == who and not made.hidden
    ]
