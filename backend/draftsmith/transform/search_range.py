"""What is searched and what is found: a range of a text with its normal forms and words, and a match in it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from draftsmith.transform import wording
from draftsmith.transform.equivalence import BORDER, NormalForm, normal_form, spoken
from draftsmith.transform.marks import Pair, block_starts, pairs_of

BUDGET = 40_000_000


class TooCostly(Exception):
    """The search would read more characters than the budget allows."""


@dataclass
class Cost:
    """How many characters a search has read: a number and not a time, so that a result never depends on speed."""

    characters: int = 0

    def spend(self, characters: int) -> None:
        """Add to the cost.

        Raises:
            TooCostly: the budget is used up.
        """
        self.characters += characters
        if self.characters > BUDGET:
            raise TooCostly


@dataclass(frozen=True, slots=True)
class TextMatch:
    """A span of text, code points, and the rung that found it."""

    start: int
    end: int
    rung: str


@dataclass(frozen=True, slots=True)
class Word:
    """A word of form B: without outer punctuation, its span in the form; a border between blocks has an empty word."""

    bare: str
    start: int
    end: int

    @property
    def low(self) -> str:
        """For comparing."""
        return self.bare.casefold()


@dataclass
class SearchRange:
    """A range of a text that is searched; its normal forms and words are cached.

    Attributes:
        text: the whole text.
        start, end: the range.
    """

    text: str
    start: int
    end: int

    @cached_property
    def form_a(self) -> NormalForm:
        """Form A of the range."""
        return normal_form(self.text[self.start : self.end], "A")

    @cached_property
    def form_b(self) -> NormalForm:
        """Form B of the range."""
        return normal_form(self.text[self.start : self.end], "B")

    @cached_property
    def form_c(self) -> NormalForm:
        """Form B with contractions written out."""
        return spoken(self.form_b)

    @cached_property
    def words(self) -> list[Word]:
        """The words of form B."""
        return words_of(self.form_b)

    @cached_property
    def _blocks(self) -> list[int]:
        return [self.start + at for at in block_starts(self.text[self.start : self.end])]

    @cached_property
    def _pairs(self) -> dict[int, list[Pair]]:
        return {}

    def pairs_around(self, start: int, end: int) -> list[Pair]:
        """The pairs of marks in the blocks that a span of the text touches."""
        first, last = bisect_right(self._blocks, start) - 1, bisect_left(self._blocks, end)
        found: list[Pair] = []
        for number in range(max(0, first), last):
            if number not in self._pairs:
                stop = self._blocks[number + 1] if number + 1 < len(self._blocks) else self.end
                self._pairs[number] = pairs_of(self.text, self._blocks[number], stop)
            found += self._pairs[number]
        return found

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The span of the text for a span of form B."""
        return self.start + self.form_b.starts[start], self.start + self.form_b.ends[end - 1]

    def is_code(self, word: Word) -> bool:
        """Whether a word stands in code."""
        return is_code(self.form_b, word)


def words_of(form: NormalForm) -> list[Word]:
    """The words of a text in form B."""
    return list(_words(form.text))


def is_code(form: NormalForm, word: Word) -> bool:
    """Whether a word of a form stands between code ticks."""
    at = form.starts[word.start]
    number = bisect_right(form.codes, at, key=lambda span: span[0]) - 1
    return number >= 0 and at < form.codes[number][1]


def _words(text: str) -> Iterator[Word]:
    for found in re.finditer(rf"{BORDER}|[^\s]+", text):
        if found[0] == BORDER:
            yield Word("", found.start(), found.end())
        else:
            yield Word(next(iter(wording.words(found[0])), found[0]), found.start(), found.end())
