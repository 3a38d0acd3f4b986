"""Find text in the document: by a phrase, by words, or by what comes near; each place as it is written there.

A place is a line, or the lines over which a phrase runs. Best first: the phrase as it was asked for, the phrase in
other letter case, lines that have all the words. Where there is none of these, the lines that have the most of the
words, rarer words counting more, other endings and one typing error forgiven. Blanks and accents never matter.

The work is a few passes over the text, whatever is asked for: words and phrases are limited, and so are the lines that
are compared.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import OSA

from draftsmith.assistant.tools.node_search import is_small
from draftsmith.model.markdown.sections import Outline, Section, line_starts

_QUOTED: Final = re.compile(r'"([^"]{2,})"|“([^“”]{2,})”')
_WORD: Final = re.compile(r"[^\W_]+")
_MARKS: Final = re.compile(r"[\u0300-\u036f]+")
_MOST_WORDS: Final = 24
_LONGEST: Final = 400  # characters of a phrase
MOST_PLACES: Final = 2_000
"""How many places are counted and compared at most."""
_NEAR_PLACES: Final = 500  # that are compared for one word
_LEAST_STEM, _LEAST_SLIP = 4, 5  # letters
_SHOWN: Final = 240  # characters of a place
_CUT: Final = 40  # characters within which a blank is looked for where a line is cut

Span = tuple[int, int]  # first and last line, 0-based


@dataclass(frozen=True, slots=True)
class TextLocation:
    """Where something was found.

    Attributes:
        section: the innermost one; None before the first heading.
        line: 1-based, of the first line.
        text: as it is written, line breaks included; a long line is cut at blanks, which `before` and `after` say.
    """

    section: Section | None
    line: int
    text: str
    before: bool = False
    after: bool = False


@dataclass(frozen=True, slots=True)
class TextMatches:
    """What was found: places, best first.

    Attributes:
        total: how many there are, the ones left out included; never more than is counted.
        partly: no line has the phrase or all the words; these have some.
        missing: words that stand nowhere.
    """

    places: Sequence[TextLocation]
    total: int
    partly: bool = False
    missing: Sequence[str] = ()


def find_text(outline: Outline, asked: str, limit: int = 10) -> TextMatches:
    """Find text in a document, once: see `TextSearch.find`."""
    return TextSearch(outline).find(asked, limit)


def quoted_phrases(asked: str) -> list[str]:
    """What stands in double quotes in a text, as it is written there."""
    return [" ".join((one or other).split())[:_LONGEST] for one, other in _QUOTED.findall(asked)][:_MOST_WORDS]


class TextSearch:
    """A document that is searched, once or several times."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._text = _Text(outline.text)

    def find(self, asked: str, limit: int = 10) -> TextMatches:
        """Find text.

        Args:
            asked: words, and phrases in double quotes.
            limit: how many places are given at most.
        """
        phrases = [_plain(phrase) for phrase in quoted_phrases(asked)]
        words = _query_words(_QUOTED.sub(" ", asked))
        whole = " ".join(asked.replace('"', " ").split())[:_LONGEST]
        found = list(dict.fromkeys([*_as_written(self._text, whole), *self._text.with_all([*phrases, *words])]))
        if found or not (phrases or words):
            return TextMatches([self._place(span, [whole, *words]) for span in found[:limit]], len(found))
        ranked, missing = _nearest(self._text, [*phrases, *words])
        near = [self._place((line, line), [*phrases, *words]) for line in ranked[:limit]]
        return TextMatches(near, len(ranked), partly=bool(ranked), missing=missing)

    def sections_with(self, word: str) -> set[int]:
        """The sections, by their indexes, in whose heading or text a word begins so; of the first places only."""
        starts = (self._text.offsets[span[0]] for span, _ in self._text.spans_of(word, _NEAR_PLACES))
        found = {self._outline.at(start) for start in starts}
        return {section.index for section in found if section is not None}

    def _place(self, span: Span, items: Sequence[str]) -> TextLocation:
        """A place with its text, cut around the first item that stands in it."""
        written = self._text.text_of(span)
        section = self._outline.at(self._text.offsets[span[0]])
        if len(written) <= _SHOWN:
            return TextLocation(section, span[0] + 1, written)
        low = written.lower()
        first = next((at for item in items if (at := low.find(item.lower())) >= 0), 0)
        begin = min(max(0, first - _SHOWN // 3), len(written) - _SHOWN)
        end = begin + _SHOWN
        blank = written.find(" ", begin, first) if begin else -1
        begin = blank + 1 if 0 <= blank < begin + _CUT else begin
        blank = written.rfind(" ", end - _CUT, end) if end < len(written) else -1
        end = blank if blank > first else end
        return TextLocation(section, span[0] + 1, written[begin:end], begin > 0, end < len(written))


class _Text:
    """A text for comparing: letter case, accents and blanks do not count; all its lines in one string."""

    def __init__(self, text: str) -> None:
        self.original = text
        self.offsets = line_starts(text) if text else []
        ends = [*self.offsets[1:], len(text)] if text else []
        lines = [" ".join(text[start:end].split()) for start, end in zip(self.offsets, ends, strict=True)]
        folded = lines if text.isascii() else [_plain(line) for line in lines]
        self.joined = " ".join(folded).lower() if text.isascii() else " ".join(folded)
        lengths = [len(line) + 1 for line in folded]
        self.starts = [0, *accumulate(lengths)][:-1] if lengths else []

    @cached_property
    def vocabulary(self) -> Sequence[str]:
        """Every word that stands in it."""
        return sorted(set(_WORD.findall(self.joined)))

    def line_of(self, at: int) -> int:
        """The line of an offset in `joined`."""
        return bisect_right(self.starts, at) - 1

    def text_of(self, span: Span) -> str:
        """Lines as they are written, without the last line break."""
        end = self.offsets[span[1] + 1] if span[1] + 1 < len(self.offsets) else len(self.original)
        return self.original[self.offsets[span[0]] : end].rstrip("\r\n")

    def has_border(self, start: int, end: int) -> bool:
        """Whether a stretch of `joined` begins and ends at borders of words."""
        joined = self.joined
        begins = start == 0 or not (joined[start - 1].isalnum() and joined[start].isalnum())
        return begins and (end >= len(joined) or not (joined[end - 1].isalnum() and joined[end].isalnum()))

    def spans_of(self, needle: str, most: int = MOST_PLACES) -> Iterator[tuple[Span, bool]]:
        """The first place in each line where a text begins, and whether one there stands between borders of words."""
        at = self.joined.find(needle) if needle else -1
        while at >= 0 and most > 0:
            most -= 1
            first, end = self.line_of(at), at + len(needle)
            after = self.starts[first + 1] if first + 1 < len(self.starts) else len(self.joined)
            is_whole = self.has_border(at, end)
            while not is_whole and (again := self.joined.find(needle, at + 1, after)) >= 0:
                at, end = again, again + len(needle)
                is_whole = self.has_border(at, end)
            yield (first, self.line_of(end - 1)), is_whole
            at = self.joined.find(needle, after)

    def with_all(self, items: Sequence[str]) -> list[Span]:
        """The lines that have every item, those first in which all are whole words."""
        if not items:
            return []
        rarest = min(items, key=self.joined.count)
        found: list[tuple[bool, Span]] = []
        for (line, last), _ in self.spans_of(rarest):
            start = self.starts[line]
            text = self.joined[start : self.starts[line + 1] if line + 1 < len(self.starts) else len(self.joined)]
            if last == line and all(item in text for item in items):
                found.append((not set(_WORD.findall(" ".join(items))) <= set(_WORD.findall(text)), (line, line)))
        return [span for _, span in sorted(found)]


def _as_written(text: _Text, whole_text: str) -> list[Span]:
    """Where a phrase stands between borders of words, first as it was written, then in other letter case."""
    places = [span for span, is_whole in text.spans_of(_plain(whole_text)) if is_whole]
    same = [span for span in places if whole_text in " ".join(text.text_of(span).split())]
    return list(dict.fromkeys([*same, *places]))


def _nearest(text: _Text, items: Sequence[str]) -> tuple[list[int], list[str]]:
    """The lines with the most of the items, best first, and the items of which nothing comes near."""
    scores: dict[int, int] = {}
    missing: list[str] = []
    for item in items:
        forms = _forms(text, item)
        if not forms:
            missing.append(item)
        lines: dict[int, int] = {}
        for form, share in forms:
            # As an inverse frequency: the fewer lines of all have a form, the more it says.
            weight = max(1, 1 + len(text.starts).bit_length() - text.joined.count(form).bit_length()) * share
            for (line, _), is_whole in text.spans_of(form, _NEAR_PLACES):
                lines[line] = max(lines.get(line, 0), weight if is_whole else weight // 2)
        for line, weight in lines.items():
            scores[line] = scores.get(line, 0) + weight
    best = max(scores.values(), default=0)
    ranked = sorted((line for line, score in scores.items() if 2 * score >= best), key=lambda at: (-scores[at], at))
    return ranked, missing


def _forms(text: _Text, item: str) -> list[tuple[str, int]]:
    """How an item stands in the text, and what that counts: 8 as it is, 4 its stem, 2 a word like it."""
    if item in text.joined:
        return [(item, 8)]
    stem = item[: max(_LEAST_STEM, len(item) - 3)]
    if len(item) > _LEAST_STEM and stem in text.joined:
        return [(stem, 4)]
    if len(item) < _LEAST_SLIP or not _WORD.fullmatch(item):
        return []
    like = process.extract(item, text.vocabulary, scorer=OSA.distance, score_cutoff=1, limit=3)
    return [(word, 2) for word, _, _ in like]


def _query_words(asked: str) -> list[str]:
    every = list(dict.fromkeys(_WORD.findall(_plain(asked))))
    return ([word for word in every if not is_small(word)] or every)[:_MOST_WORDS]


def _plain(text: str) -> str:
    """A text without letter case, accents and blanks in a row."""
    text = " ".join(text.split())
    if text.isascii():
        return text.lower()
    return _MARKS.sub("", unicodedata.normalize("NFKD", text)).lower()
