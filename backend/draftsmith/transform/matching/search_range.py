"""What is searched and what is found: a range of a text with its normal forms and words, and a match in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from draftsmith.model.markdown.segments import Segments
from draftsmith.transform.costs import Searches
from draftsmith.transform.matching.equivalence import NormalForm, has_escapes
from draftsmith.transform.matching.marks import Pair, pairs_of
from draftsmith.transform.matching.paragraphs import Paragraphs, Word

BUDGET = 40_000_000


class SearchBudgetExceeded(Exception):
    """The search would read more characters than the budget allows."""


Payment = tuple[int, int, tuple["SearchRange", str] | None]
"""Characters of one search, units of the request, and what was read."""


class Cost:
    """How many characters a search has read: a number and not a time, so that a result never depends on speed.

    Attributes:
        characters: so far.
        payments: of what, so that a cached result costs what it cost at first.
    """

    __slots__ = ("_searches", "characters", "payments")

    def __init__(self, searches: Searches | None = None) -> None:
        self.characters = 0
        self.payments: list[Payment] = []
        self._searches = searches

    def spend(self, characters: int, units: int = 0, read: tuple[SearchRange, str] | None = None) -> None:
        """Add to the cost.

        Args:
            characters: of this search.
            units: of the request.
            read: a range and its form that is read.

        Raises:
            TooCostly: the budget of one search is used up.
        """
        self.characters += characters
        if self.characters > BUDGET:
            raise SearchBudgetExceeded
        self.payments.append((characters, units, read))
        if self._searches is not None:
            self._searches.pay(units)
            if read is not None:
                self._searches.read(*read)


@dataclass(frozen=True, slots=True)
class Dots:
    """Dots of a find that stand for what it does not quote.

    Attributes:
        first, last: where they stand in the find, without white space around it.
        start, end: the span of text that they stand for.
    """

    first: int
    last: int
    start: int
    end: int

    def move_by(self, offset: int) -> Dots:
        """The same in a text that begins elsewhere."""
        return Dots(self.first, self.last, self.start + offset, self.end + offset)


@dataclass(frozen=True, slots=True)
class TextMatch:
    """A span of text, code points, the rung that found it, and what the dots of the find stand for there."""

    start: int
    end: int
    rung: str
    dots: tuple[Dots, ...] = ()


@dataclass
class SearchRange:
    """A range of a text that is searched; its normal forms and words are cached.

    Attributes:
        text: the whole text.
        start, end: the range.
        segments: of the whole text, if it has been read.
    """

    text: str
    start: int
    end: int
    segments: Segments | None = None

    @cached_property
    def _paragraphs(self) -> Paragraphs:
        return Paragraphs(self.text[self.start : self.end])

    @cached_property
    def form_a(self) -> NormalForm:
        """Form A of the range."""
        return self._paragraphs.form(lambda piece: piece.form_a)

    @cached_property
    def form_b(self) -> NormalForm:
        """Form B of the range."""
        return self._paragraphs.form(lambda piece: piece.form_b)

    @cached_property
    def form_c(self) -> NormalForm:
        """Form B with contractions written out."""
        return self._paragraphs.form(lambda piece: piece.form_c)

    @cached_property
    def form_d(self) -> NormalForm:
        """Form A without escapes."""
        return self._paragraphs.form(lambda piece: piece.form_d)

    @cached_property
    def form_e(self) -> NormalForm:
        """Form A without escapes, with those for line ends and tabs as blanks."""
        return self._paragraphs.form(lambda piece: piece.form_e)

    @cached_property
    def has_escapes(self) -> bool:
        """Whether forms D and E may differ from form A."""
        return has_escapes(self.text[self.start : self.end])

    @property
    def words(self) -> Sequence[Word]:
        """The words of form B."""
        return self._paragraphs.words

    @property
    def lows(self) -> list[str]:
        """The words of form B for comparing."""
        return self._paragraphs.lows

    @cached_property
    def _pairs(self) -> dict[int, list[Pair]]:
        return {}

    def pairs_around(self, start: int, end: int) -> list[Pair]:
        """The pairs of marks in the blocks in which a span of the text begins and ends; no others reach over them."""
        found: list[Pair] = []
        for begin, stop in dict.fromkeys(
            self._paragraphs.block_at(at - self.start) for at in (start, max(start, end - 1))
        ):
            if begin not in self._pairs:
                self._pairs[begin] = pairs_of(self.text, self.start + begin, self.start + stop)
            found += self._pairs[begin]
        return found

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The span of the text for a span of form B."""
        return self.start + self.form_b.starts[start], self.start + self.form_b.ends[end - 1]

    def is_code(self, word: Word) -> bool:
        """Whether a word stands in code."""
        return is_code(self.form_b, word)


def is_code(form: NormalForm, word: Word) -> bool:
    """Whether a word of a form stands between code ticks."""
    at = form.starts[word.start]
    number = bisect_right(form.codes, at, key=lambda span: span[0]) - 1
    return number >= 0 and at < form.codes[number][1]
