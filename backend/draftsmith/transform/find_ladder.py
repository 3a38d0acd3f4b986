"""Finds the one span that a quoted text means, by a series of rungs; a rung must match exactly once.

exact · equal normal form (A, then B of `equivalence`) · ellipsis · nearly the same words, guarded (`wording`). Two
matches on a rung are refused, the first is never taken. The budget is a number of characters, not a time, so a result
never depends on speed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz import fuzz

from draftsmith.transform import wording
from draftsmith.transform.equivalence import BORDER, Form, NormalForm, link_targets, normal_form, whole_marks

BUDGET = 40_000_000
_ELLIPSIS_LEAST = 12  # characters of the rest of a find with an ellipsis
_FUZZY_WORDS = 6
_WINDOW = 4  # words by which a window may be longer or shorter than the find
_ENOUGH, _MARGIN = 88, 5  # per cent similar, and ahead of the runner-up
_ELLIPSIS = re.compile(r"\s*(?:\.\.\.|…)\s*")


@dataclass(frozen=True, slots=True)
class TextMatch:
    """A span of text, code points, and the rung that found it."""

    start: int
    end: int
    rung: str


@dataclass(frozen=True, slots=True)
class Nearest:
    """The most similar text: its span, its first word that differs, and the find's word there."""

    match: TextMatch
    differs: TextMatch
    wants: str


class TooCostly(Exception):
    """The search would read more characters than the budget allows."""


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

    def match(self, start: int, end: int) -> TextMatch:
        """The original span of a span of form B."""
        form = self.form_b
        return TextMatch(self.start + form.starts[start], self.start + form.ends[end - 1], "nearest")

    @cached_property
    def words(self) -> list[tuple[str, int, int]]:
        """Words of form B as (bare word, start, end); a border has an empty word."""
        return list(_words(self.form_b.text))


def _words(text: str) -> Iterator[tuple[str, int, int]]:
    for found in re.finditer(rf"{BORDER}|[^\s]+", text):
        if found[0] == BORDER:
            yield "", found.start(), found.end()
        else:
            yield next(iter(wording.words(found[0])), found[0]), found.start(), found.end()


class Finder:
    """Finds one quoted text; `cost` counts the characters read."""

    def __init__(self, find: str) -> None:
        self.find = find
        self.cost = 0

    def spend(self, characters: int) -> None:
        """Add to the cost.

        Raises:
            TooCostly: the budget is used up.
        """
        self.cost += characters
        if self.cost > BUDGET:
            raise TooCostly

    @property
    def rungs(self) -> tuple[Callable[[SearchRange], list[TextMatch]], ...]:
        """The rungs, most reliable first."""
        return (self.exact, self.same_blanks, self.same_marks, self.ellipsis, self.nearly)

    # -- rungs -------------------------------------------------------------------------------------------------------

    def exact(self, place: SearchRange) -> list[TextMatch]:
        """Exact matches; the line ends may be the document's."""
        self.spend(place.end - place.start)
        for find in dict.fromkeys((self.find, *self._other_line_ends(place.text))):
            hits = _all(place.text, find, place.start, place.end)
            if hits:
                return [TextMatch(hit, hit + len(find), "exact") for hit in hits]
        return []

    def _other_line_ends(self, text: str) -> list[str]:
        if "\n" not in self.find and "\r" not in self.find:
            return []
        lf = self.find.replace("\r\n", "\n").replace("\r", "\n")
        ends = [end for end in ("\r\n", "\r") if end in text]
        return [lf, *(lf.replace("\n", end) for end in ends)]

    def same_blanks(self, place: SearchRange) -> list[TextMatch]:
        """Matches of form A: white space, wrapping, quotation marks and dashes may differ."""
        return self._equivalent(place, "A", "equivalent")

    def same_marks(self, place: SearchRange) -> list[TextMatch]:
        """Matches of form B: Markdown marks may differ, too; links in the find must have the same targets."""
        found = self._equivalent(place, "B", "marks")
        wanted = link_targets(self.find)
        if wanted:
            found = [one for one in found if link_targets(place.text[one.start : one.end]) == wanted]
        return found

    def _equivalent(self, place: SearchRange, form: Form, rung: str) -> list[TextMatch]:
        wanted = normal_form(self.find, form).text.strip(" \n")
        if not wanted or (form == "B" and not any(map(str.isalnum, wanted))):
            return []
        self.spend(2 * (place.end - place.start))
        made = place.form_a if form == "A" else place.form_b
        spans = [_back(place, made, hit, hit + len(wanted), form) for hit in _all(made.text, wanted, 0, len(made.text))]
        return [TextMatch(*span, rung) for span in dict.fromkeys(spans) if span is not None]

    def ellipsis(self, place: SearchRange) -> list[TextMatch]:
        """A find with an ellipsis at its end (or start) that the text lacks: matches to the end (start) of the line."""
        tail = _ELLIPSIS.search(self.find, max(0, len(self.find.rstrip()) - 4))
        head = _ELLIPSIS.match(self.find)
        ends = tail is not None and tail.end() == len(self.find)
        if ends == (head is not None):  # neither, or both
            return []
        rest = self.find[: tail.start()] if tail is not None and ends else self.find[head.end() if head else 0 :]
        if len(rest.strip()) < _ELLIPSIS_LEAST or "\n" in rest.strip():
            return []
        finder = Finder(rest.strip())
        for rung in (finder.exact, finder.same_blanks, finder.same_marks):
            found = rung(place)
            if found:
                self.spend(finder.cost)
                spans = [_to_line_border(place, one, ends=ends) for one in found]
                return [span for span in spans if span is not None]
        self.spend(finder.cost)
        return []

    def nearly(self, place: SearchRange) -> list[TextMatch]:
        """Nearly the same words: similar enough, ahead of all other places, equal in words that carry meaning."""
        wanted = [word for word, _, _ in _words(normal_form(self.find, "B").text)]
        is_cut = _ELLIPSIS.match(self.find) or self.find.rstrip().endswith(("...", "…"))
        if is_cut or len([word for word in wanted if word]) < _FUZZY_WORDS:
            return []
        best, runner_up = self._best_windows(place, wanted)
        if best is None or best[0] < _ENOUGH or runner_up > best[0] - _MARGIN:
            return []
        _, first, last = best
        there = [word for word, _, _ in place.words[first:last]]
        if not wording.agree([word for word in wanted if word], [word for word in there if word]):
            return []
        span = _back(place, place.form_b, place.words[first][1], place.words[last - 1][2], "B")
        return [] if span is None else [_without_outer_punctuation(place.text, self.find, TextMatch(*span, "fuzzy"))]

    def nearest(self, place: SearchRange) -> Nearest | None:
        """The most similar span, for the message, and its first difference; None if nothing is half as similar."""
        wanted = [word for word, _, _ in _words(normal_form(self.find, "B").text)]
        target = " ".join(word.casefold() for word in wanted)
        some = [word.casefold() for word, _, _ in place.words]
        if not (some and wanted):
            return None
        self.spend(len(some) * len(target))
        best, at = 0.0, 0
        for first in range(max(1, len(some) - len(wanted) + 1)):
            ratio = fuzz.ratio(target, " ".join(some[first : first + len(wanted)]), score_cutoff=max(50, best))
            if ratio > best:
                best, at = ratio, first
        if not best:
            return None
        window = place.words[at : at + len(wanted)]
        pairs = zip(window, wanted, strict=False)
        differs = next(((there, word) for there, word in pairs if there[0] != word), (window[0], ""))
        (_, start, end), wants = differs
        return Nearest(place.match(window[0][1], window[-1][2]), place.match(start, end), wants)

    def _best_windows(self, place: SearchRange, wanted: list[str]) -> tuple[tuple[float, int, int] | None, float]:
        """The best window whose first and last words agree, and the best ratio of all windows apart from it."""
        size = len(wanted)
        some = [word.casefold() for word, _, _ in place.words]
        target = " ".join(word.casefold() for word in wanted)
        self.spend(len(some) * len(target))
        low = [word.casefold() for word in wanted]
        best: tuple[float, int, int] | None = None
        for first, word in enumerate(some):
            if word != low[0]:
                continue
            for last in range(first + max(1, size - _WINDOW), min(len(some), first + size + _WINDOW) + 1):
                if some[last - 1] != low[-1]:
                    continue
                self.spend(len(target))
                ratio = fuzz.ratio(target, " ".join(some[first:last]))
                if best is None or ratio > best[0]:
                    best = ratio, first, last
        if best is None:
            return None, 0.0
        runner_up = 0.0
        for first in range(max(1, len(some) - size + 1)):
            if first + size <= best[1] or first >= best[2]:
                ratio = fuzz.ratio(target, " ".join(some[first : first + size]), score_cutoff=_ENOUGH - _MARGIN)
                runner_up = max(runner_up, ratio)
        return best, runner_up


def _all(text: str, find: str, start: int, end: int) -> list[int]:
    """Offsets of `find` in a range, overlapping ones included."""
    hits = []
    at = text.find(find, start, end)
    while at >= 0:
        hits.append(at)
        at = text.find(find, at + 1, end)
    return hits


def _back(place: SearchRange, made: NormalForm, start: int, end: int, form: Form) -> tuple[int, int] | None:
    """The original span of a span of a normal form, with complete marks; None if it cuts a link."""
    first, last = made.starts[start], made.ends[end - 1]
    if form == "A":
        return place.start + first, place.start + last
    piece = place.text[place.start : place.end]
    span = whole_marks(piece, first, last, made.links)
    return None if span is None else (place.start + span[0], place.start + span[1])


def _to_line_border(place: SearchRange, found: TextMatch, *, ends: bool) -> TextMatch | None:
    """Extend a span to the end (or start) of its line; None unless that line is a separate block."""
    text = place.text
    first = max(text.rfind("\n", 0, found.start), text.rfind("\r", 0, found.start)) + 1
    stop = re.compile(r"[\r\n]|\Z").search(text, found.end)
    last = stop.start() if stop is not None else len(text)
    if not (_is_alone(text, first, last) and place.start <= first and last <= place.end):
        return None
    content = re.compile(r"[ \t]*(?:>[ \t]*)*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+|#{1,6}[ \t]+)?").match(text, first, last)
    start = found.start if ends else (content.end() if content is not None else first)
    return TextMatch(start, last if ends else found.end, "ellipsis")


def _is_alone(text: str, first: int, last: int) -> bool:
    """Whether lines are a separate block: next to blank lines, other list items or headings."""
    before = re.split(r"\r\n|\n|\r", text[:first])[-2:-1]
    after = re.split(r"\r\n|\n|\r", text[last:], maxsplit=2)[1:2]
    line = text[first:last]
    begins = bool(re.match(r"[ \t]*(?:[-*+]|\d{1,9}[.)]|#{1,6}|\|)(?:[ \t]|$)?", line)) and not line[:1].isalnum()
    before_ok = (
        not before or not before[0].strip() or begins or re.match(r"[ \t]*(?:#{1,6}[ \t])", before[0]) is not None
    )
    after_ok = (
        not after or not after[0].strip() or re.match(r"[ \t]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|\|)", after[0])
    )
    return before_ok and bool(after_ok)


def _without_outer_punctuation(text: str, find: str, found: TextMatch) -> TextMatch:
    """Leave out punctuation after the last word unless the find ends with some."""
    end = found.end
    if find.rstrip()[-1:].isalnum():
        while end > found.start and text[end - 1] in ".,;:!?":
            end -= 1
    return TextMatch(found.start, end, found.rung)
