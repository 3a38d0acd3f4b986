"""Finds the one span that a quoted text means, by a series of rungs; a rung must match exactly once.

exact · equal normal form (A, D, B of `equivalence`, then B with contractions written out, then E) · ellipsis
(`ellipses`) · nearly the same words, and all but one word, both guarded (`near_words`). Two matches on a rung are
refused, the first is never taken. On every rung but `exact`, the links of the find lead where those of the text do.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cached_property
from typing import Literal

from draftsmith.transform import costs
from draftsmith.transform.matching import ellipses, near_words
from draftsmith.transform.matching.equivalence import (
    NormalForm,
    form_of_find,
    has_escapes,
    has_links_of,
    quotes_links,
    whole_links,
)
from draftsmith.transform.matching.lines import is_in_word
from draftsmith.transform.matching.marks import LONGEST, marks_of, with_partners
from draftsmith.transform.matching.near_words import Nearest
from draftsmith.transform.matching.search_range import Cost, SearchBudgetExceeded, SearchRange, TextMatch

__all__ = ["Finder", "SearchBudgetExceeded", "SearchRange", "TextMatch"]

Form = Literal["A", "B", "C", "D", "E"]
_BACK = 200  # units for the span of the text that a span of a form stands for
_AT_ONCE = 32  # hits that are paid for together
_RUNG_OF_FORM = {"A": "equivalent", "B": "marks", "C": "contractions", "D": "escapes", "E": "escapes"}
_ESCAPED_MARKS = re.compile(r"(?:\\[*_~`])+")
_WITH_MARKS = frozenset("ADE")  # forms in which marks are as in the text


class Finder:
    """Finds one quoted text."""

    def __init__(self, find: str, cost: Cost | None = None) -> None:
        self.find = find
        self._cost = cost or Cost()
        self._cost.spend(0, costs.FIND * len(find))

    @property
    def cost(self) -> int:
        """How many characters were read."""
        return self._cost.characters

    @property
    def rungs(self) -> tuple[Callable[[SearchRange], list[TextMatch]], ...]:
        """The rungs, most reliable first."""
        return (*self.same_words, self.ellipsis, self.nearly, self.but_for_one_word, self.ellipsis_inside)

    @property
    def same_words(self) -> tuple[Callable[[SearchRange], list[TextMatch]], ...]:
        """The rungs on which no word differs."""
        return (
            self.exact,
            self.same_blanks,
            self.same_without_escapes,
            self.same_marks,
            self.same_spoken,
            self.same_after_json,
        )

    def exact(self, place: SearchRange) -> list[TextMatch]:
        """Exact matches; the line ends may be the document's."""
        self._cost.spend(place.end - place.start, (place.end - place.start) // 16)
        for find in dict.fromkeys((self.find, *self._other_line_ends(place.text))):
            hits = self._all(place.text, find, place.start, place.end)
            hits = [hit for hit in hits if not _is_mark(place.text[hit + len(find) : hit + len(find) + 1])]
            if hits:
                return [TextMatch(hit, hit + len(find), "exact") for hit in hits]
        return []

    def _other_line_ends(self, text: str) -> list[str]:
        if "\n" not in self.find and "\r" not in self.find:
            return []
        lf = self.find.replace("\r\n", "\n").replace("\r", "\n")
        ends = [end for end in ("\r\n", "\r") if end in text] if "\r" in text else []
        return [lf, *(lf.replace("\n", end) for end in ends)]

    def same_blanks(self, place: SearchRange) -> list[TextMatch]:
        """Matches of form A: white space, wrapping, quotation marks and dashes may differ."""
        return self._matches_in_form(place, "A")

    def same_marks(self, place: SearchRange) -> list[TextMatch]:
        """Matches of form B: Markdown marks may differ, too."""
        return self._matches_in_form(place, "B")

    def same_spoken(self, place: SearchRange) -> list[TextMatch]:
        """Matches of form B with contractions written out on both sides."""
        return self._matches_in_form(place, "C")

    def same_without_escapes(self, place: SearchRange) -> list[TextMatch]:
        """Matches of form D: backslashes may be missing, and HTML entities may be written out."""
        return self._matches_in_form(place, "D") if self._has_escapes or place.has_escapes else []

    def same_after_json(self, place: SearchRange) -> list[TextMatch]:
        """Matches of form E: what is a line end or a tab in JSON may be the escape for it."""
        return self._matches_in_form(place, "E") if self._has_escapes or place.has_escapes else []

    @cached_property
    def _has_escapes(self) -> bool:
        return has_escapes(self.find)

    def _with_same_links(self, place: SearchRange, found: list[TextMatch]) -> list[TextMatch]:
        """The matches in which the links that the find quotes lead where it says."""
        if not found or not self._quotes_links:
            return found
        self._cost.spend(sum(one.end - one.start for one in found))  # each is read, and they may overlap
        stretches = [place.text[one.start : one.end] for one in found]
        same = {stretch: has_links_of(self.find, stretch) for stretch in dict.fromkeys(stretches)}
        return [one for one, stretch in zip(found, stretches, strict=True) if same[stretch]]

    @cached_property
    def _quotes_links(self) -> bool:
        return quotes_links(self.find)

    def _matches_in_form(self, place: SearchRange, form: Form) -> list[TextMatch]:
        """The places whose normal form equals that of the find."""
        find = self.find if form in _WITH_MARKS else _without_half_code(self.find)
        wanted = form_of_find(find, form).text.strip(" \n")
        if not wanted or (form != "A" and not any(map(str.isalnum, wanted))):
            return []
        self._read(place, form)
        made = _form_of(place, form)
        hits = self._all(made.text, wanted, 0, len(made.text))
        if len(hits) == 1 and not _is_whole(made, hits[0], hits[0] + len(wanted)):  # several are ambiguous all the same
            return []
        self._cost.spend(0, len(hits) * (_BACK + len(wanted)))
        spans = [_original_span(place, made, hit, hit + len(wanted), form) for hit in hits]
        if form not in _WITH_MARKS:
            spans = [span for span in spans if span is None or not _leaves_escaped_marks(place.text, *span, find)]
        found = [TextMatch(*span, _RUNG_OF_FORM[form]) for span in dict.fromkeys(spans) if span is not None]
        return self._with_same_links(place, found)

    def _read(self, place: SearchRange, form: Form) -> None:
        """Spend on a form of a range, and on those that it is made of."""
        length = place.end - place.start
        self._cost.spend(2 * length, length // 16, (place, "B" if form == "C" else form))
        if form == "C":
            self._cost.spend(0, 0, (place, "C"))

    def _all(self, text: str, find: str, start: int, end: int) -> list[int]:
        """Offsets of `find` in a range, overlapping ones included."""
        hits: list[int] = []
        at = text.find(find, start, end)
        step, more = 1, ""  # how far apart two hits are at least, and what must follow one for the next one there
        while at >= 0:
            if len(hits) % _AT_ONCE == 0:
                self._cost.spend(0, costs.HIT * (_AT_ONCE if hits else 1))
            hits.append(at)
            if more and text.startswith(more, at + len(find), end):
                at += step
                continue
            after = text.find(find, at + step, end)
            if not more and 0 <= after - at < len(find):  # they overlap: each would be compared as a whole
                step = _period(find)
                more = find[-step:]
            at = after
        return hits

    def ellipsis(self, place: SearchRange) -> list[TextMatch]:
        """A find with an ellipsis at its end (or start) that the text lacks: matches to the end (start) of the line."""
        return self._with_same_links(place, ellipses.at_an_end(self.find, place, self._search))

    def ellipsis_inside(self, place: SearchRange) -> list[TextMatch]:
        """A find with an ellipsis in the middle that the text lacks: matches from its beginning to its end."""
        return self._with_same_links(place, ellipses.in_the_middle(self.find, place, self._search))

    def _search(self, piece: str, place: SearchRange) -> list[TextMatch]:
        """The matches of a piece of the find on the first rung that has any and on which no word differs."""
        finder = Finder(piece, self._cost)
        return next((found for rung in finder.same_words if (found := rung(place))), [])

    def nearly(self, place: SearchRange) -> list[TextMatch]:
        """Nearly the same words: similar enough, ahead of all other places, equal in words that carry meaning."""
        return self._near_matches(place, near_words.nearly)

    def but_for_one_word(self, place: SearchRange) -> list[TextMatch]:
        """All words but one, which is a plain one."""
        return self._near_matches(place, near_words.but_for_one_word)

    def _near_matches(
        self, place: SearchRange, search: Callable[[str, SearchRange, Cost], tuple[int, int] | None]
    ) -> list[TextMatch]:
        found = None if ellipses.has_ellipsis(self.find) else search(self.find, place, self._cost)
        span = None if found is None else _original_span(place, place.form_b, *found, "B")
        if span is None:
            return []
        match = _without_outer_punctuation(place.text, self.find, TextMatch(*span, "fuzzy"))
        if ellipses.has_dots_beyond(self.find, place.text[match.start : match.end]):
            # Where it is the same span, it is known what they stand for.
            inside = self.ellipsis_inside(place)
            match = next((one for one in inside if (one.start, one.end) == (match.start, match.end)), match)
        return self._with_same_links(place, [match])

    def nearest(self, place: SearchRange) -> Nearest | None:
        """The most similar span, for the message, and its first difference; None if nothing is half as similar."""
        return near_words.nearest(self.find, place, self._cost)


def _form_of(place: SearchRange, form: Form) -> NormalForm:
    match form:
        case "A":
            return place.form_a
        case "B":
            return place.form_b
        case "C":
            return place.form_c
        case "D":
            return place.form_d
        case "E":
            return place.form_e


def _without_half_code(find: str) -> str:
    """A find without code ticks at its ends that have no partner in it."""
    bare = find.strip()
    if "`" not in (bare[:1], bare[-1:]) or len(bare) > LONGEST or not marks_of(bare).strays["`"]:
        return find
    return bare.lstrip("`") if bare.startswith("`") else bare.rstrip("`")


def _period(find: str) -> int:
    """By how much a text must be moved to agree with itself.

    Source: the failure function of Knuth, Morris and Pratt, "Fast pattern matching in strings", 1977.
    """
    borders = [0]
    for sign in find[1:]:
        size = borders[-1]
        while size and find[size] != sign:
            size = borders[size - 1]
        borders.append(size + (find[size] == sign))
    return len(find) - borders[-1]


def _is_whole(form: NormalForm, start: int, end: int) -> bool:
    """Whether a span of a normal form cuts no word in two: what differs in blanks or marks is never half a word."""
    if start in form.within or end in form.within or _is_mark(form.text[end : end + 1]):
        return False
    return not (is_in_word(form.text, start) or is_in_word(form.text, end))


def _is_mark(character: str) -> bool:
    """Whether a character is a mark on the one before it, which is another letter with it than without."""
    return bool(character) and not character.isascii() and unicodedata.combining(character) > 0


def _original_span(
    place: SearchRange, normal_form: NormalForm, start: int, end: int, form: Form
) -> tuple[int, int] | None:
    """The original span of a span of a normal form, with complete marks; None if it cuts a link or an escape."""
    first, last = normal_form.starts[start], normal_form.ends[end - 1]
    if form == "A":
        return place.start + first, place.start + last
    if form in _WITH_MARKS:
        begins = _with_escape(place.text, place.start + first)
        return None if begins is None else (begins, place.start + last)
    span = whole_links(first, last, normal_form.links)
    if span is None:
        return None
    first, last = place.start + span[0], place.start + span[1]
    return with_partners(first, last, place.pairs_around(first, last)) or (first, last)


def _leaves_escaped_marks(text: str, start: int, end: int, find: str) -> bool:
    """Whether a find has marks at an end that are letters in the text, and stay beside the span."""
    bare = find.strip()
    before, after = _ESCAPED_MARKS.search(text[max(0, start - 8) : start]), _ESCAPED_MARKS.match(text, end)
    return (before is not None and before.end() == min(8, start) and bare[0] in before[0]) or (
        after is not None and bare[-1] in after[0]
    )


def _with_escape(text: str, start: int) -> int | None:
    """Where a span begins that begins with an escaped character; None if a letter is escaped, as in a pattern."""
    begins = start
    while begins and text[begins - 1] == "\\":
        begins -= 1
    if (start - begins) % 2 == 0:
        return start
    return None if text[start].isalnum() else start - 1


def _without_outer_punctuation(text: str, find: str, found: TextMatch) -> TextMatch:
    """Leave out punctuation after the last word unless the find ends with some."""
    end = found.end
    if re.search(r"\w\Z", find.rstrip()):
        while end > found.start and text[end - 1] in ".,;:!?":
            end -= 1
    return TextMatch(found.start, end, found.rung)
