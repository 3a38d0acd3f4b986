"""Lines, blocks and sentences of a text, in which marks and words are looked for."""

from __future__ import annotations

import pytest

from draftsmith.transform.matching.lines import line_after, line_before, line_end, line_start
from draftsmith.transform.matching.marked_words import Cutter, marks_of_words
from draftsmith.transform.matching.marks import context

_ENDS = ["\n", "\r\n", "\r"]


@pytest.mark.parametrize("end", _ENDS)
def test_lines_around_a_place(end: str) -> None:
    """Empty ones too, at both ends of a text and between others."""
    lines = ["", "a", "", "", "bc d", ""]
    start = 0
    for number, line in enumerate(lines):
        for at in range(start, start + len(line) + 1):
            assert line_start(end.join(lines), at) == start
            assert line_end(end.join(lines), at) == start + len(line)
        assert line_before(end.join(lines), start) == (lines[number - 1] if number else None)
        assert line_after(end.join(lines), start + len(line)) == next(iter(lines[number + 1 :]), None)
        start += len(line + end)


@pytest.mark.parametrize("end", _ENDS)
@pytest.mark.parametrize(
    "text, block",
    [
        ("One.\n\nTwo HERE\nand b.\n\nThree.\n", "Two HERE\nand b.\n"),
        ("HERE\nand b.\n\nThree.\n", "HERE\nand b.\n"),
        ("One.\n \t\nTwo\nHERE", "Two\nHERE"),
        ("- one\n- HERE\n  more\n- three\n", "- HERE\n  more\n"),
        ("1. one\n2. two\n   HERE\n3) three\n", "2. two\n   HERE\n"),
        ("> one\n>\n> two\n> HERE\n>\n> three\n", "> two\n> HERE\n"),
        ("# A\n\nTwo\nHERE\n# B\n", "Two\nHERE\n"),
        ("| a | b |\n| c | HERE |\n| d | e |\n", "| c | HERE |\n"),
        ("Two\nHERE\n```\ncode\n```\n", "Two\nHERE\n"),
    ],
)
def test_the_block_around_a_place(text: str, block: str, end: str) -> None:
    """Up to a blank line, or to one that begins another block; a mark has no partner beyond it."""
    text, block = text.replace("\n", end), block.replace("\n", end)
    at = text.index("HERE")
    first, last = context(text, at, at + len("HERE"))
    assert text[first:last] == block


def test_where_sentences_begin() -> None:
    """Behind what ends one, in an item, behind a blank line and in a cell; behind other signs none does."""
    text = "A1 a, b. *B1* c (d) e; B2\n- C1 f\n- C2\n\nD1 - g… *D2*\n3. D3 | D4! D5"
    words = Cutter("B").read(text, marks_of_words(text))
    first = [words.texts[at] for at, begins in zip(words.words, words.borders, strict=False) if begins]
    assert first == ["A1", "B1", "B2", "C1", "C2", "D1", "D2", "D3", "D4", "D5"]
