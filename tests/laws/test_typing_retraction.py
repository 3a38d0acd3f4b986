"""Laws of taking typed text back: exactly what somebody typed goes, whatever others did among it and after it.

Every character that is ever written is another one, so it can be told who wrote what is there and what is missing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from draftsmith.transform.steps.changeset import replacing
from draftsmith.transform.steps.spans import SpanMap
from draftsmith.transform.steps.text import ChangeText, edit_of, net_of
from draftsmith.transform.undo.retract import Retraction, range_retraction
from draftsmith.transform.undo.text_run import TextCommit


def _letters() -> list[str]:
    """Characters that differ, every third one of two UTF-16 units."""
    return [chr(0x1F300 + number) if number % 3 == 0 else chr(0x4E00 + number) for number in range(600)]


@dataclass
class Page:
    """A document while several people write.

    Attributes:
        text: as it is now.
        steps: all changes so far, with who made them.
        written: who wrote each character.
        deleted: who deleted each character, and when (number of the step).
    """

    text: str
    steps: list[tuple[str, ChangeText]] = field(default_factory=list)
    written: dict[str, tuple[str, int]] = field(default_factory=dict)
    deleted: dict[str, tuple[str, int]] = field(default_factory=dict)

    def write(self, who: str, cuts: list[tuple[int, int, str]]) -> None:
        changes = replacing(self.text, cuts)
        if changes.is_empty:
            return
        for start, end, new in cuts:
            self.deleted |= dict.fromkeys(self.text[start:end], (who, len(self.steps)))
            self.written |= dict.fromkeys(new, (who, len(self.steps)))
        self.steps.append((who, edit_of(self.text, changes)))
        self.text = changes.apply(self.text)


@st.composite
def pages(draw: st.DrawFn, most: int = 14) -> Page:
    """A short document in which Ada and others have made changes, mostly near one another."""
    letters = iter(_letters())
    page = Page("".join(next(letters) for _ in range(draw(st.integers(0, 8)))))
    for _ in range(draw(st.integers(1, most))):
        who = draw(st.sampled_from(["ada", "ada", "bob"]))
        ends = sorted(draw(st.lists(st.integers(0, len(page.text)), min_size=2, max_size=4)))
        cuts = []
        for start, end in zip(ends[::2], ends[1::2], strict=False):
            near = min(end, start + draw(st.sampled_from([0, 0, 1, 3])))
            cuts.append((start, near, "".join(next(letters) for _ in range(draw(st.integers(0, 3))))))
        page.write(who, cuts)
    return page


def taken_back(page: Page, first: int, last: int) -> tuple[Retraction, str]:
    """Take back what Ada did in steps `first` to `last`; what it is, and the document after it."""
    commits = [TextCommit(number, step, who) for number, (who, step) in enumerate(page.steps[first:], first + 1)]
    typed = [number for number in range(first + 1, last + 2) if page.steps[number - 1][0] == "ada"]
    found = range_retraction(commits, typed)
    return found, found.changes.apply(page.text)


@given(pages(), st.data())
def test_only_what_ada_did_in_the_range_is_taken_back(page: Page, data: st.DataObject) -> None:
    """Others' text stays, in its order, and so does hers of other times; with nothing left out, none of hers is left.

    What comes back is what she deleted in the range.
    """
    if not page.steps:
        return
    first = data.draw(st.integers(0, len(page.steps) - 1))
    last = data.draw(st.integers(first, len(page.steps) - 1))
    found, after = taken_back(page, first, last)

    def is_hers(event: tuple[str, int] | None) -> bool:
        return event is not None and event[0] == "ada" and first <= event[1] <= last

    gone = set(page.text) - set(after)
    back = set(after) - set(page.text)
    assert all(is_hers(page.written.get(letter)) for letter in gone)
    assert all(is_hers(page.deleted[letter]) for letter in back)
    assert len(after) == len(set(after)), "a character stands there twice"
    kept = [letter for letter in page.text if letter not in gone]
    assert [letter for letter in after if letter not in back] == kept, "others' text has been moved about"
    if not found.left_out:
        assert not any(is_hers(page.written.get(letter)) for letter in after)
        missing = {letter for letter, event in page.deleted.items() if is_hers(event)} - set(after)
        assert all(is_hers(page.written.get(letter)) for letter in missing)


@given(pages())
def test_alone_leads_back_to_the_start(page: Page) -> None:
    """Nobody else wrote: the document is what it was, and nothing is left out."""
    start = page.text
    for _, step in reversed(page.steps):
        start = step.inverse().changes.apply(start)
    commits = [TextCommit(number, step, "ada") for number, (_, step) in enumerate(page.steps, 1)]
    if not commits:
        return
    found = range_retraction(commits, range(1, len(commits) + 1))
    assert found.changes.apply(page.text) == start
    assert found.left_out == []


@given(pages())
def test_as_taking_back_one_by_one_where_nothing_is_in_the_way(page: Page) -> None:
    """Where every push of hers can be taken back by itself, newest first, the range does the same at once."""
    if not page.steps:
        return
    text, after = page.text, [step for _, step in page.steps]
    done: list[ChangeText] = []
    for number in reversed(range(len(page.steps))):
        who, step = page.steps[number]
        if who != "ada":
            continue
        inverse = step.inverse()
        since = net_of(text, inverse.changes.length, [*after[number + 1 :], *done])[0]
        now = SpanMap(since.changes())
        spans = [now.exact(change.start, change.end) for change in inverse.changes.changes()]
        if None in spans:
            return
        raw = text.encode("utf-16-le")
        places = [
            (len(raw[: 2 * span[0]].decode("utf-16-le")), len(raw[: 2 * span[1]].decode("utf-16-le")), change.inserted)
            for span, change in zip(spans, inverse.changes.changes(), strict=True)
            if span is not None
        ]
        done.append(edit_of(text, replacing(text, places)))
        text = done[-1].changes.apply(text)
    found, at_once = taken_back(page, 0, len(page.steps) - 1)
    assert at_once == text
    assert found.left_out == []


def test_many_left_outs_are_counted() -> None:
    """A hundred places that others wrote into: fifty are named, and the rest is counted; neighbours are one place."""
    page = Page("".join("-" for _ in range(100)))
    for number in range(100):
        page.write("ada", [(3 * number, 3 * number, "aa")])
    for number in range(100):
        page.write("bob", [(3 * number + number + 1, 3 * number + number + 1, "b")])
    found, after = taken_back(page, 0, 99)
    assert after == page.text
    assert len(found.left_out) == 51
    assert found.left_out[0]["what"] == "the typed text “aa”"
    assert found.left_out[-1]["what"] == "50 more places in the document"
