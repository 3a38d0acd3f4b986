"""Differences of texts by lines: they lead from one text to the other, and what is equal stays as it is."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from draftsmith.transform.steps.line_changes import MOST_PAIRS, Span, comparing_cost, line_changes

_MANY = 5_100  # so many lines of one text times so many of the other are beyond the bound


def with_spans(text: str, spans: Sequence[Span]) -> str:
    """A text with other text in place of some spans."""
    for start, end, new in reversed(spans):
        text = text[:start] + new + text[end:]
    return text


@pytest.mark.parametrize(
    "old, new, spans",
    [
        ("a\nb\nc\n", "a\nb\nc\n", []),
        ("", "a\nb\n", [(0, 0, "a\nb\n")]),
        ("a\nb\n", "", [(0, 4, "")]),
        ("a\nb\nc\n", "a\nx\nc\n", [(2, 4, "x\n")]),
        ("a\nb\nc\n", "a\nc\n", [(2, 4, "")]),
        ("a\nc\n", "a\nb\nc\n", [(2, 2, "b\n")]),
        ("a\nb\nc", "x\nb\ny", [(0, 2, "x\n"), (4, 5, "y")]),
        ("a\na\na\n", "a\na\n", [(4, 6, "")]),
        ("p\nx\ny\n", "q\nx\n", [(0, 2, "q\n"), (4, 6, "")]),
        ("a\nb\nc\nd\n", "b\nx\ny\nd\ne\n", [(0, 2, ""), (4, 6, "x\ny\n"), (8, 8, "e\n")]),
    ],
)
def test_lines_that_differ_are_replaced(old: str, new: str, spans: list[Span]) -> None:
    """None of those before, behind or between; each place once."""
    found = line_changes(old, new)
    assert (list(found.spans), found.is_complete) == (spans, True)


def _numbered_lines(*numbers: int) -> list[str]:
    return [f"line {number}\n" for number in numbers]


def test_a_long_text_is_divided_by_lines_that_stand_once_in_both() -> None:
    """Lines at its beginning, in the middle and at the end have gone, come, changed and moved; others stay."""
    before = [line for number in range(_MANY) for line in (*_numbered_lines(number), "\n")]
    after = list(before)
    after[-1:] = ["last\n"]
    after[9_000:9_002] = ["other\n", "\n", "more\n"]
    del after[6_000:6_004]
    after[4_000:4_000] = ["new\n"]
    moved = after[200]
    del after[200]
    after.insert(2_000, moved)
    after[0] = "first\n"
    old, new = "".join(before), "".join(after)
    assert old.count("\n") * new.count("\n") > MOST_PAIRS
    found = line_changes(old, new)
    assert found.is_complete
    assert with_spans(old, found.spans) == new
    assert len(found.spans) <= 9
    assert sum(end - start + len(text) for start, end, text in found.spans) < 200


def test_what_is_beyond_the_bound_in_one_piece_is_replaced_as_a_whole() -> None:
    """No line stands once in both; what is equal at the ends stays, and it is said that more may be equal."""
    before = ["head\n", *["a\n", "b\n"] * _MANY, "tail\n"]
    after = ["head\n", *["b\n", "c\n"] * _MANY, "tail\n"]
    old, new = "".join(before), "".join(after)
    found = line_changes(old, new)
    assert not found.is_complete
    assert list(found.spans) == [(5, len(old) - 5, new[5:-5])]


def test_comparing_costs_more_for_longer_texts_and_has_a_bound() -> None:
    """By lines of both multiplied, as long as each is compared with each."""
    short, long, longest = ("line\n" * count for count in (10, 1_000, 100_000))
    assert 0 < comparing_cost(short, short) < comparing_cost(short, long) < comparing_cost(long, long)
    assert comparing_cost(long, long) > 200 * comparing_cost(short, short)
    assert comparing_cost(longest, longest) < 1_000 * comparing_cost(long, long)
