"""The paragraphs of a text: its blocks, cut at blank lines, with their normal forms and words.

Forms and words of a paragraph depend on its text alone, so those of a range are those of its paragraphs one after the
other. Recent ones are cached by their text: after an edit, only the paragraphs that it has changed are read.

No cut is made where a mark could reach across: before white space and quote marks, which belong to a blank line, before
what may stand for white space, and behind a link whose target or title is still open (`is_open`; such a range stays one
piece).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Final, TypeVar, overload

from draftsmith.transform.matching import wording
from draftsmith.transform.matching.equivalence import (
    BORDER,
    Link,
    NormalForm,
    expand_contractions,
    has_escapes,
    normal_form,
)
from draftsmith.transform.matching.marks import block_starts

_KEPT: Final = 1_024
_LONGEST: Final = 1_000
"""Characters of a piece that is kept."""

_CUT: Final = re.compile(r"\n\n(?=[^\s>\\&])")
_OPEN: Final = re.compile(
    r"\](?:\(\s*+(?:\Z|[^()\s]*+(?>(?:\([^()\s]*+\)[^()\s]*+)?)\s*+(?:\Z|\"[^\"]*+(?:\Z|\"\s*+\Z)))|\[[^\[\]]*+\Z)"
)
_WORD: Final = re.compile(rf"{BORDER}|[^\s]+")

_Value = TypeVar("_Value")


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

    def move_by(self, by: int) -> Word:
        """The same word further on."""
        return Word(self.bare, self.start + by, self.end + by)


@dataclass
class Paragraph:
    """One paragraph with its normal forms and words; all offsets are relative to it."""

    text: str

    @cached_property
    def form_a(self) -> NormalForm:
        """Form A."""
        return normal_form(self.text, "A")

    @cached_property
    def form_b(self) -> NormalForm:
        """Form B."""
        return normal_form(self.text, "B")

    @cached_property
    def form_c(self) -> NormalForm:
        """Form B with contractions written out."""
        return expand_contractions(self.form_b)

    @cached_property
    def form_d(self) -> NormalForm:
        """Form A without escapes."""
        return normal_form(self.text, "D") if has_escapes(self.text) else self.form_a

    @cached_property
    def form_e(self) -> NormalForm:
        """Form A without escapes, with those for line ends and tabs as blanks."""
        return normal_form(self.text, "E") if has_escapes(self.text) else self.form_a

    @cached_property
    def words(self) -> list[Word]:
        """The words of form B."""
        return words_of(self.form_b)

    @cached_property
    def lows(self) -> list[str]:
        """The words for comparing."""
        return [word.low for word in self.words]

    @cached_property
    def blocks(self) -> list[int]:
        """Where the blocks of marks begin."""
        return block_starts(self.text)

    @cached_property
    def is_open(self) -> bool:
        """Whether a link at its end may go on behind it."""
        return _OPEN.search(self.text) is not None


class Paragraphs:
    """The paragraphs of a text, in order.

    Attributes:
        all: the pieces.
        begins: where each begins.
    """

    def __init__(self, text: str) -> None:
        self.begins = [0, *(found.end() for found in _CUT.finditer(text))]
        ends = [*self.begins[1:], len(text)]
        self.all = [_piece(text[start:end]) for start, end in zip(self.begins, ends, strict=True)]
        if any(piece.is_open for piece in self.all[:-1]):
            self.begins, self.all = [0], [Paragraph(text)]

    def form(self, of: Callable[[Paragraph], NormalForm]) -> NormalForm:
        """A normal form of the whole text."""
        forms = [of(piece) for piece in self.all]
        if len(forms) == 1:
            return forms[0]
        text = "".join([form.text for form in forms])
        return NormalForm(
            text,
            ChainedSequence([form.starts for form in forms], self.begins, _add),
            ChainedSequence([form.ends for form in forms], self.begins, _add),
            ChainedSequence([form.links for form in forms], self.begins, _link_moved),
            ChainedSequence([form.codes for form in forms], self.begins, _span_moved),
            frozenset(at + begin for form, begin in zip(forms, _begins(forms), strict=True) for at in form.within),
        )

    @cached_property
    def words(self) -> Sequence[Word]:
        """The words of form B, with their spans in it."""
        begins = _begins([piece.form_b for piece in self.all])
        return ChainedSequence([piece.words for piece in self.all], begins, Word.move_by)

    @cached_property
    def lows(self) -> list[str]:
        """The words of form B for comparing."""
        return [low for piece in self.all for low in piece.lows]

    def block_at(self, offset: int) -> tuple[int, int]:
        """From where to where the block of marks reaches that a place is in."""
        number = bisect_right(self.begins, offset) - 1
        piece, begin = self.all[number], self.begins[number]
        at = bisect_right(piece.blocks, offset - begin)
        return begin + piece.blocks[at - 1], begin + (piece.blocks[at] if at < len(piece.blocks) else len(piece.text))


class ChainedSequence(Sequence[_Value]):
    """Sequences one after the other, of values that are moved by as much as their part is."""

    __slots__ = ("_begins", "_length", "_moved", "_parts", "_shifts")

    def __init__(
        self, parts: Sequence[Sequence[_Value]], shifts: Sequence[int], moved: Callable[[_Value, int], _Value]
    ) -> None:
        self._parts, self._shifts, self._moved = parts, shifts, moved
        *self._begins, self._length = accumulate(map(len, parts), initial=0)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> _Value: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[_Value]: ...

    def __getitem__(self, index: int | slice) -> _Value | Sequence[_Value]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(self._length))]
        at = index if index >= 0 else self._length + index
        if not 0 <= at < self._length:
            raise IndexError(index)
        number = bisect_right(self._begins, at) - 1
        return self._moved(self._parts[number][at - self._begins[number]], self._shifts[number])


def words_of(form: NormalForm) -> list[Word]:
    """The words of a text in form B."""
    return list(_words_of(form.text))


def _words_of(text: str) -> Iterator[Word]:
    """The words of a text in form B; a border between blocks is an empty word."""
    for found in _WORD.finditer(text):
        if found[0] == BORDER:
            yield Word("", found.start(), found.end())
        else:
            yield Word(next(iter(wording.plain_words(found[0])), found[0]), found.start(), found.end())


def _piece(text: str) -> Paragraph:
    return _cached_paragraph(text) if len(text) <= _LONGEST else Paragraph(text)


@lru_cache(maxsize=_KEPT)
def _cached_paragraph(text: str) -> Paragraph:
    return Paragraph(text)


def _begins(forms: Sequence[NormalForm]) -> list[int]:
    return [*accumulate((len(form.text) for form in forms), initial=0)][:-1]


def _add(value: int, by: int) -> int:
    return value + by


def _span_moved(span: tuple[int, int], by: int) -> tuple[int, int]:
    return span[0] + by, span[1] + by


def _link_moved(link: Link, by: int) -> Link:
    outer, inner, inner_end, outer_end, around = link
    return outer + by, inner + by, inner_end + by, outer_end + by, around + by
