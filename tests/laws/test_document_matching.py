"""Laws of splitting and editing any text: lossless, all or nothing, the same every time, and no work without bound."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from draftsmith.document import apply_edits, headings, split
from draftsmith.errors import DraftsmithError
from draftsmith.transform.matching.find_ladder import Finder, SearchBudgetExceeded, SearchRange
from tests.seeds import examples
from tests.strategies import documents as plain_documents

Edit = dict[str, Any]
BREAK = re.compile(r"\r\n|\n|\r")
NEW = "qqq new text qqq"
MARKS = frozenset("*_`[]~")  # a half pair at an end is widened or refused: unit/test_ends_of_a_match.py
WORDS = ["anvil", "badger", "copper", "dragon", "ember", "falcon", "garnet"]
OTHERS = ["quokka", "rhubarb", "saffron"]
FILTERED = [HealthCheck.filter_too_much]  # random quotes seldom stand exactly once
PIECES = [
    *(
        "# A",
        "## B",
        "###",
        "#",
        "#x",
        "---",
        "===",
        "-",
        "=",
        "title: x",
        "```",
        "~~~",
        "<!--",
        "-->",
        "<div>",
        "> ",
        "- ",
    ),
    *("\n", "\n", "\n\n", "\r\n", "\r", "\x00", "\x0b", "\x0c", "\x85", "\u2028", "\u2029", "\ufeff", "\u00a0", "\t"),
    *(
        "word ",
        "one two three",
        "**b**",
        "`c`",
        "[a](b)",
        "[a]: b",
        "|",
        "\\",
        "…",
        "“",
        "ß",
        "ﬁ",
        "İ",
        "é",
        "🚀",
        "漢",
    ),
    *("\ud800", "\udc00", " ", "    ", "&amp;", "_x_", "*", "1. ", "not ", "7.0 "),
]

odd_texts = st.one_of(st.lists(st.sampled_from(PIECES), max_size=30).map("".join), st.text(max_size=60))
line_ends = st.sampled_from(["\n", "\r\n", "\r"])
paths = st.one_of(st.sampled_from(["", "A", "# A", "# A ## B", "B", "Risks", "## Data"]), odd_texts)


@st.composite
def plain_texts(draw: st.DrawFn) -> str:
    """Documents as people write them, with one kind of line end."""
    return draw(plain_documents).replace("\n", draw(line_ends))


@st.composite
def edits_of(draw: st.DrawFn, text: str) -> list[Edit]:
    """Edits that mostly quote what is there, in a section that mostly is."""
    outline = [path for path, _, _ in sections(text)]
    found = []
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        quote = text[start : draw(st.integers(start, min(len(text), start + 40)))]
        section = draw(st.one_of(st.sampled_from(outline), paths) if outline else paths)
        edit: Edit = {
            "section": section,
            "find": draw(st.one_of(st.just(quote), odd_texts)),
            "replace": draw(odd_texts),
        }
        found.append(edit | draw(st.sampled_from([{}, {}, {"all": True}])))
    return found


def sections(text: str) -> list[tuple[str, int, int]]:
    """Path, from and to of every section's own text; the text before the first heading has an empty path."""
    pieces, found = split(text), headings(text)
    start = len("".join(pieces[: len(pieces) - len(found)]))
    result: list[tuple[str, int, int]] = [("", 0, start)]
    chain: list[tuple[int, str]] = []
    for heading, piece in zip(found, pieces[len(pieces) - len(found) :], strict=True):
        chain = [*(one for one in chain if one[0] < heading.level), (heading.level, heading.text)]
        path = " ".join(f"{'#' * level} {title}" for level, title in chain)
        result.append((path, start, start + len(piece)))
        start += len(piece)
    return result


def tried(text: str, edits: list[Edit]) -> tuple[str, Any]:
    """The text after the edits, or the whole refusal."""
    try:
        return "text", apply_edits(text, edits)
    except DraftsmithError as error:
        refusal = error
    assert refusal.code
    assert refusal.problems
    assert all(problem.code and problem.message for problem in refusal.problems)
    return "refused", [problem.to_json() for problem in refusal.problems]


def replaced(before: str, after: str, new: str) -> list[tuple[int, int]]:
    """All stretches of `before` that were replaced by `new`, if `after` came about like that."""
    kept = len(after) - len(new)
    return [
        (start, len(before) - (kept - start))
        for start in range(kept + 1)
        if after.startswith(new, start)
        and before[:start] == after[:start]
        and start <= len(before) - (kept - start)
        and before[len(before) - (kept - start) :] == after[start + len(new) :]
    ]


@given(odd_texts)
@settings(max_examples=examples(400), suppress_health_check=FILTERED)
def test_splitting_loses_nothing(text: str) -> None:
    """Whatever the text: its pieces are the text, and they begin where the headings are."""
    pieces, found = split(text), headings(text)
    assert "".join(pieces) == text
    assert all(pieces)
    lines = [heading.line for heading in found]
    assert lines == sorted(set(lines))
    assert all(1 <= heading.level <= 6 for heading in found)
    assert len(pieces) - len(found) in (0, 1)
    starts = [len("".join(pieces[:at])) for at in range(len(pieces) - len(found), len(pieces))]
    assert [len(BREAK.findall(text[:start])) + 1 for start in starts] == lines


@given(odd_texts, line_ends)
def test_line_ends_do_not_matter_to_headings(text: str, end: str) -> None:
    """The same headings on the same lines, whether the lines end in LF, CRLF or CR."""
    same = BREAK.sub(end, text)
    assert [(one.level, one.line, one.text) for one in headings(same)] == [
        (one.level, one.line, one.text) for one in headings(BREAK.sub("\n", text))
    ]


@given(odd_texts, st.data())
@settings(max_examples=examples(400), suppress_health_check=FILTERED)
def test_the_answer_is_the_same_every_time(text: str, data: st.DataObject) -> None:
    """An edit is a function of text and edits: the same text or the same refusal; what was given stays."""
    edits = data.draw(edits_of(text))
    given_edits = [dict(edit) for edit in edits]
    assert tried(text, edits) == tried(text, edits)
    assert edits == given_edits


@given(odd_texts, st.data())
@settings(max_examples=examples(400), suppress_health_check=FILTERED)
def test_nothing_outside_the_stretch_changes(text: str, data: st.DataObject) -> None:
    """Before and behind it every character stays; a quote that stands there once is what is replaced, no more."""
    assume("qqq" not in text)
    [edit] = data.draw(edits_of(text).map(lambda edits: edits[:1]))
    edit = {"section": edit["section"], "find": edit["find"], "replace": NEW}
    kind, after = tried(text, [edit])
    if kind == "refused":
        return
    spans = replaced(text, after, NEW)
    assert spans, "something outside the stretch changed"
    if edit["find"] in text and not MARKS & set(edit["find"]):
        _, middle, _ = without_outer_breaks(edit["find"])
        assert any(BREAK.sub("\n", text[a:b]) == BREAK.sub("\n", middle) for a, b in spans)


@given(plain_texts(), st.data())
@settings(max_examples=examples(400), suppress_health_check=FILTERED)
def test_an_edit_and_its_inverse_are_nothing(text: str, data: st.DataObject) -> None:
    """What was replaced by something unique can be put back, byte for byte."""
    start = data.draw(st.integers(0, max(0, len(text) - 1)))
    old = text[start : data.draw(st.integers(start, min(len(text), start + 30)))]
    there = next((path for path, a, b in sections(text) if a <= start and start + len(old) <= b), "")
    kind, after = tried(text, [{"section": there, "find": old, "replace": NEW}])
    if kind == "refused":
        return
    now = [path for path, a, b in sections(after) if NEW in after[a:b]]
    assume(now and [path for path, _, _ in sections(after)].count(now[0]) == 1 and NEW not in now[0])
    [(a, b), *_] = replaced(text, after, NEW)
    # New text takes the line ends of the document, so there must be some left, and no CRLF cut in two.
    assume(
        not BREAK.search(text[a:b]) or (BREAK.search(after) and set(BREAK.findall(after)) <= set(BREAK.findall(text)))
    )
    assert apply_edits(after, [{"section": now[0], "find": NEW, "replace": text[a:b]}]) == text


@given(plain_texts(), st.data())
@settings(max_examples=examples(300), suppress_health_check=FILTERED)
def test_one_edit_that_does_not_fit_stops_all(text: str, data: st.DataObject) -> None:
    """Good edits beside a bad one are not carried out; the problems say which one it was."""
    edits = data.draw(edits_of(text))
    at = data.draw(st.integers(0, len(edits)))
    bad = {"section": "", "find": "nobody has ever written this down, not even once", "replace": "x"}
    kind, problems = tried(text, [*edits[:at], bad, *edits[at:]])
    assert kind == "refused"
    assert at in {problem["index"] for problem in problems}


@given(plain_texts(), st.data())
@settings(max_examples=examples(300), suppress_health_check=FILTERED)
def test_a_quote_that_stands_there_once_is_found(text: str, data: st.DataObject) -> None:
    """Word for word, once in a section's own text, under a path that is the only one of its kind: applied.

    Line breaks at its ends stay, since the new text has none.
    """
    known = sections(text)
    path, start, end = data.draw(st.sampled_from(known))
    own = text[start:end]
    at = data.draw(st.integers(0, len(own)))
    find = own[at : data.draw(st.integers(at, min(len(own), at + 30)))]
    once = sum(own.startswith(find, place) for place in range(len(own))) == 1
    assume(find.strip() and once and [one for one, _, _ in known].count(path) == 1)
    assume(not find.startswith("\n") or not text[: start + at].endswith("\r"))
    assume(not MARKS & set(find))
    lead, _, tail = without_outer_breaks(find)
    assert apply_edits(text, [{"section": path, "find": find, "replace": NEW}]) == (
        text[: start + at] + lead + NEW + tail + text[start + at + len(find) :]
    )


def without_outer_breaks(find: str) -> tuple[str, str, str]:
    """A quote in three: the white space at its ends as far as it holds a line break, and what is between."""
    lead, tail = find[: len(find) - len(find.lstrip())], find[len(find.rstrip()) :]
    lead, tail = lead if BREAK.search(lead) else "", tail if BREAK.search(tail) else ""
    return lead, find[len(lead) : len(find) - len(tail)], tail


@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=4, max_size=12), min_size=1, max_size=3), st.data())
@settings(max_examples=examples(300))
def test_the_first_difference_of_a_refusal_is_the_first(paragraphs: list[list[str]], data: st.DataObject) -> None:
    """What stands before the word that is named is how the find begins, wherever the find ends or has other words."""
    words = data.draw(st.sampled_from(paragraphs))
    first = data.draw(st.integers(0, len(words) - 4))
    quoted = words[first : data.draw(st.integers(first + 4, len(words)))]
    at = data.draw(st.integers(0, len(quoted)))
    new = data.draw(st.lists(st.sampled_from(OTHERS), max_size=4))
    quoted[at : at + data.draw(st.integers(0, 1))] = new
    text, finder = "\n\n".join(map(" ".join, paragraphs)), Finder(" ".join(quoted))
    place = SearchRange(text, 0, len(text))
    nearest = finder.nearest(place)
    assume(nearest is not None and not any(rung(place) for rung in finder.rungs))
    assert nearest is not None
    has, wants = text[nearest.differs.start : nearest.differs.end], nearest.wants.split()
    before = text[: nearest.differs.start].split()
    ends = [before[len(before) - size :] for size in range(len(quoted))]
    assert any(end + wants == quoted[: size + len(wants)] for size, end in enumerate(ends))
    assert [has] != wants


UNITS = {
    "one word": "a ",
    "near words": "the quick brown fox does jump over a lazy dog again ",
    "stars": "*a **b ",
    "ticks": "`a ``b ",
    "brackets": "[a](b [c] ",
    "open brackets": "[",
    "backslashes": "\\*",
    "dots": "some words... ",
    "quotes": "> ",
    "items": "- a\n",
    "headings": "# a b\n\n",
    "dashes": "-- ",
    "blanks": " \n ",
    "comments": "<!-- a ",
    "rows": "| a | b |\n",
}


@pytest.mark.parametrize("unit", UNITS.values(), ids=list(UNITS))
def test_no_text_is_slow(unit: str) -> None:
    """Eight times the text costs about eight times the work, or is refused: no unbounded square."""
    finds = [
        "the quick brown fox may jump over the lazy dog again soon",
        "*" * 40,
        "a " * 200 + "b",
        "some words...",
        "[[[[",
    ]

    def cost(find: str, size: int) -> int:
        text = "# Top\n\n" + unit * (size // len(unit))
        finder, place = Finder(find), SearchRange(text, 0, len(text))
        for rung in finder.rungs:
            with suppress(SearchBudgetExceeded):
                rung(place)
        tried(text, [{"section": "Top", "find": find, "replace": "x"}])
        return finder.cost

    # Work is counted, not timed: eight times the text costs at most about eight times as much.
    for find in finds:
        assert cost(find, 32_000) <= 10 * cost(find, 4_000) + 10_000
