"""Recognises an edit that was made before: its find is gone, its replacement stands there, and a commit made it so.

The span of the replacement is traced back through the text steps of earlier commits, newest first. A commit made the
replacement if the text of the span read as the find before it and is the replacement after it. That the replacement
stands there is not enough: somebody may have written it otherwise, and the find may be mistyped. It is worth saying
(`stands_as_if_made`), but only of a text that hardly stands there by chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from rapidfuzz import fuzz

from draftsmith.model.document import from_units_in_order, units, with_lf
from draftsmith.model.name_search import words_of
from draftsmith.transform.matching.equivalence import link_targets, normal_form
from draftsmith.transform.matching.lines import is_in_word
from draftsmith.transform.steps.changeset import Change
from draftsmith.transform.steps.text import ChangeText, TextHistory

LEAST = 20  # characters of a replacement; a shorter one may stand there by chance
_LONGEST = 100_000  # characters of a traced text
_LEAST_WORDS: Final = 5  # of a replacement that is worth saying that it stands there
_MOST_TIMES: Final = 2  # what stands there more often is a common phrase
_FOUND_READ: Final = 2_000  # characters of a find that are compared with what stands there
_OWN_PLACE: Final = 75  # of 100, from which on a longer find is what stands around its replacement
_MOST_READ = 100_000  # characters of finds and earlier texts that one trace compares


class ReplacementTrace:
    """Follows a replacement back through the changes of a text, newest first.

    Attributes:
        is_made: whether one of the changes that were marked as kept has made it.
    """

    __slots__ = ("_characters_left", "_end", "_find", "_replace", "_start", "_stretch", "is_made")

    def __init__(self, text: str, start: int, find: str, replace: str) -> None:
        """`start`: where the replacement stands in `text`, in code points."""
        self._find, self._replace = with_lf(find), with_lf(replace)
        self._start = units(text[:start])
        self._end = self._start + units(self._replace)
        self._stretch = self._replace
        self._characters_left = _MOST_READ
        self.is_made = False

    @property
    def is_over(self) -> bool:
        """Whether nothing older can change the answer."""
        return self.is_made or self._characters_left < 0 or self._start >= self._end or len(self._stretch) > _LONGEST

    def step_back(self, step: ChangeText, *, is_kept: bool) -> None:
        """Go back over one change: the newest one that has not been gone over."""
        if self.is_over:
            return
        undone = list(step.inverse().changes.changes())
        inside = [one for one in undone if one.start < self._end and self._start < one.end]
        inside.sort(key=lambda one: one.start)
        beside = [[one for one in undone if one.start == one.end == border] for border in (self._start, self._end)]
        is_within = all(self._start <= one.start and one.end <= self._end for one in inside)
        if is_kept and is_within and self._stretch == self._replace:
            self.is_made = any(self._reads_as_find(changes) for changes in _with_some(inside, *beside))
        self._move(undone, inside, is_within=is_within)

    def _reads_as_find(self, changes: Sequence[Change]) -> bool:
        if not changes or self._characters_left < 0:
            return False
        text = self._text_before(changes)
        self._characters_left -= len(self._find) + len(text)
        return reads_as(self._find, text)

    def _text_before(self, changes: Sequence[Change]) -> str:
        """The traced text with some changes taken back."""
        point = from_units_in_order(self._stretch)
        pieces, at = [], 0
        for change in changes:
            start, end = point(change.start - self._start), point(change.end - self._start)
            pieces += [self._stretch[at:start], change.inserted]
            at = end
        return "".join([*pieces, self._stretch[at:]])

    def _move(self, undone: Sequence[Change], inside: Sequence[Change], *, is_within: bool) -> None:
        """Go on with the text before; a change that reaches beyond the span ends the trace."""
        if not is_within:
            self._end = self._start
            return
        self._stretch = self._text_before(inside)
        shift = sum(_growth(one) for one in undone if one.end <= self._start and one not in inside)
        self._start += shift
        self._end = self._start + units(self._stretch)


def _growth(change: Change) -> int:
    return change.new_end - change.new_start - (change.end - change.start)


def _with_some(inside: list[Change], before: list[Change], after: list[Change]) -> Iterator[list[Change]]:
    """The changes inside a span, without and with what was taken out at either border."""
    for first, last in product([[], before] if before else [[]], [[], after] if after else [[]]):
        yield [*first, *inside, *last]


def reads_as(find: str, text: str) -> bool:
    """Whether a find is a text but for blanks, quotation marks, dashes and Markdown marks; never other words."""
    if find == text:
        return True
    if link_targets(find) and link_targets(find) != link_targets(text):
        return False
    wanted = normal_form(find, "B").text.strip(" \n")
    return bool(wanted) and wanted == normal_form(text, "B").text.strip(" \n")


def tracing_cost(past: TextHistory, find: str, replace: str) -> int:
    """Units for `was_made`."""
    steps = (*past.pending, *past.kept_changes)
    compared = min(_MOST_READ, 4 * (len(find) + len(replace)))
    return sum(200 + 60 * len(step.changes.parts) for step in steps) + 20 * compared


def was_made(text: str, start: int, find: str, replace: str, past: TextHistory) -> bool:
    """Whether a kept change made a replacement that stands in a text at `start` (code points)."""
    trace = ReplacementTrace(text, start, find, replace)
    for step in past.pending:
        trace.step_back(step, is_kept=False)
    for step in past.kept_changes:
        trace.step_back(step, is_kept=True)
        if trace.is_over:
            break
    return trace.is_made


def stands_as_if_made(text: str, find: str, replace: str) -> bool:
    """Whether a replacement stands in a text as if the edit had been made: a hint, where its find does not stand there.

    It has to be long enough in characters and words, and to stand there as whole words, once or twice. A text that is
    cut out of the find does not count where the find, mistyped, is still there around it.
    """
    wanted = with_lf(replace).strip()
    if len(wanted) < LEAST or len(words_of(wanted)) < _LEAST_WORDS:
        return False
    places = []
    at = text.find(wanted)
    while at >= 0:
        if not (is_in_word(text, at) or is_in_word(text, at + len(wanted))):
            places.append(at)
        if len(places) > _MOST_TIMES:
            return False
        at = text.find(wanted, at + 1)
    return any(not _is_in_own_place(text, at, wanted, with_lf(find)) for at in places)


def _is_in_own_place(text: str, at: int, wanted: str, find: str) -> bool:
    """Whether what stands around a replacement is the longer find, but for slips."""
    more = len(find) - len(wanted)
    if more <= 0:
        return False
    around = text[max(0, at - more) : at + len(wanted) + more]
    return fuzz.partial_ratio(find[:_FOUND_READ], around[: 3 * _FOUND_READ]) >= _OWN_PLACE
