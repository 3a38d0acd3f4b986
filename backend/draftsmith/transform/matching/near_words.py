"""Rungs for a find in nearly the same words, guarded by `wording`; and the nearest text, for a refusal.

Both rungs need a place whose first and last word are those of the find, and none that is nearly as good elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from draftsmith.model.markdown.segments import Segments, unread_segment
from draftsmith.transform.matching import wording
from draftsmith.transform.matching.equivalence import form_of_find
from draftsmith.transform.matching.marks import is_in_fence
from draftsmith.transform.matching.paragraphs import Word, words_of
from draftsmith.transform.matching.search_range import Cost, SearchRange, TextMatch, is_code

_LEAST = 6  # words
_WINDOW = 4  # words by which a window may be longer or shorter than the find
_ENOUGH, _MARGIN = 88, 5  # per cent similar, and ahead of the runner-up
_MOST_WORDS = 5_000  # of a find that is compared word by word
_FURTHER = 8  # words that must agree beside one that does not
_FOLDED: Final = "folded text"

Span = tuple[int, int]  # in form B of a range


@dataclass(frozen=True, slots=True)
class Nearest:
    """The most similar text: its span, its first word that differs, and the find's word there."""

    match: TextMatch
    differs: TextMatch
    wants: str


def nearly(find: str, place: SearchRange, cost: Cost) -> Span | None:
    """Find the place with nearly the same words: similar enough, and equal in words that carry meaning."""
    wanted = [word.bare for word in words_of(form_of_find(find, "B"))]
    if len([word for word in wanted if word]) < _LEAST:
        return None
    if len(wanted) > _MOST_WORDS:
        return None
    cost.spend(0, 0, (place, "B"))
    cost.spend(0, 0, (place, "words"))
    best, runner_up = _best_windows(place, wanted, cost)
    if best is None or best[0] < _ENOUGH or runner_up > best[0] - _MARGIN:
        return None
    _, first, last = best
    there = [word.bare for word in place.words[first:last]]
    if not wording.agree([word for word in wanted if word], [word for word in there if word]):
        return None
    return place.words[first].start, place.words[last - 1].end


def but_for_one_word(find: str, place: SearchRange, cost: Cost) -> Span | None:
    """Find the one place that differs in one plain word, while at least eight others agree; None in code and tables."""
    form = form_of_find(find, "B")
    wanted = words_of(form)
    size = len(wanted)
    low = [word.low for word in wanted]
    if sum(any(map(str.isalpha, word)) for word in low) <= _FURTHER or "|" in find:
        return None
    cost.spend(0, 0, (place, "B"))
    cost.spend(0, place.end - place.start, (place, "words"))
    lows = place.lows
    cost.spend(len(lows) + size * sum(word == low[0] for word in lows))
    found = [(first, gaps) for first in range(len(lows) - size + 1) if (gaps := _gaps(lows, first, low)) is not None]
    if len(found) != 1 or len(found[0][1]) != 1:
        return None
    first, [gap] = found[0]
    here, there = wanted[gap], place.words[first + gap]
    if is_code(form, here) or place.is_code(there) or not wording.is_plain_exchange(here.bare, there.bare):
        return None
    if not wording.are_synonyms(here.bare, there.bare) and _stands_in(place, here.bare, cost):
        return None  # a word that the document has itself names something of its own
    span = place.words[first].start, place.words[first + size - 1].end
    start, end = place.original(*span)
    is_running_text = "|" not in place.text[start:end] and not is_in_fence(place.text, place.start, start)
    return span if is_running_text else None


def _stands_in(place: SearchRange, word: str, cost: Cost) -> bool:
    """Whether a word stands anywhere in the whole text, in whatever case and number."""
    cost.spend(len(place.text), len(place.text))
    return stands_in(place.segments or unread_segment(place.text), place.text, word)


def _gaps(words: Sequence[str], first: int, low: Sequence[str]) -> list[int] | None:
    """Return where a window differs from the find; None unless its ends agree and at most two words between do not."""
    size = len(low)
    if words[first] != low[0] or words[first + size - 1] != low[-1]:
        return None
    gaps: list[int] = []
    for at in range(1, size - 1):
        if words[first + at] != low[at]:
            gaps.append(at)
            if len(gaps) > 2:
                return None
    return gaps


def nearest(find: str, place: SearchRange, cost: Cost) -> Nearest | None:
    """Find the most similar span, for the message, and its first difference; None if nothing is half as similar."""
    wanted = [word.bare for word in words_of(form_of_find(find, "B"))]
    target = " ".join(word.casefold() for word in wanted)
    cost.spend(0, 0, (place, "B"))
    cost.spend(0, place.end - place.start, (place, "words"))
    lows = place.lows
    if not (lows and wanted):
        return None
    cost.spend(len(lows) * len(target), max(1, len(lows) - len(wanted) + 1) * _comparing_cost(target, wanted))
    best, at = 0.0, 0
    for first in range(max(1, len(lows) - len(wanted) + 1)):
        ratio = fuzz.ratio(target, " ".join(lows[first : first + len(wanted)]), score_cutoff=max(50, best))
        if ratio > best:
            best, at = ratio, first
    if not best:
        return None
    window = place.words[at : at + len(wanted)]
    there, wants = _first_difference(place.words, at, wanted)
    return Nearest(_match(place, window[0].start, window[-1].end), _match(place, there.start, there.end), wants)


def _first_difference(words: Sequence[Word], at: int, wanted: list[str]) -> tuple[Word, str]:
    """Return the first word that differs in the window that begins at a word, and what the find has there.

    What the text has before the find, or behind it, is no difference. Where the text ends before the find does, both
    are told from their last common word.
    """
    if len(wanted) > _MOST_WORDS:
        return words[at], ""
    window = [word.bare for word in words[at : at + len(wanted)]]
    for is_same, hunk in groupby(Indel.opcodes(window, wanted), key=lambda code: code.tag == "equal"):
        if is_same:
            continue
        some = list(hunk)
        first, stop, begin, end = at + some[0].src_start, at + some[-1].src_end, some[0].dest_start, some[-1].dest_end
        if not begin and wanted[:end] == [word.bare for word in words[max(0, at - end) : at]]:
            begin = end  # it stands there before the window
        is_inserted = first == stop
        if begin == end and (is_inserted or not end):
            continue
        while begin < len(wanted) and first < len(words) and words[first].bare == wanted[begin]:
            first, begin = first + 1, begin + 1
        if begin == len(wanted):
            continue
        is_behind = first == len(words)
        asked = wanted[begin - is_behind : max(begin + 1, end if is_inserted else 0)]
        return words[first - is_behind], " ".join(word for word in asked if word)
    return words[at], ""


def _match(place: SearchRange, start: int, end: int) -> TextMatch:
    return TextMatch(*place.original(start, end), "nearest")


def _comparing_cost(target: str, wanted: Sequence[str]) -> int:
    """Return the units that it costs to compare a find with one window of as many words."""
    return 30 + len(wanted) + len(target) * len(target) // 1_300


def _best_windows(place: SearchRange, wanted: Sequence[str], cost: Cost) -> tuple[tuple[float, int, int] | None, float]:
    """Return the best window whose first and last words agree, and the best ratio of all windows apart from it."""
    size = len(wanted)
    lows = place.lows
    target = " ".join(word.casefold() for word in wanted)
    one = _comparing_cost(target, wanted)
    cost.spend(len(lows) * len(target), 2 * len(lows) + max(1, len(lows) - size + 1) * one)
    low = [word.casefold() for word in wanted]
    best: tuple[float, int, int] | None = None
    for first, word in enumerate(lows):
        if word != low[0]:
            continue
        for last in range(first + max(1, size - _WINDOW), min(len(lows), first + size + _WINDOW) + 1):
            if lows[last - 1] != low[-1]:
                continue
            cost.spend(len(target), one)
            ratio = fuzz.ratio(target, " ".join(lows[first:last]))
            if best is None or ratio > best[0]:
                best = ratio, first, last
    if best is None:
        return None, 0.0
    runner_up = 0.0
    for first in range(max(1, len(lows) - size + 1)):
        if first + size <= best[1] or first >= best[2]:
            ratio = fuzz.ratio(target, " ".join(lows[first : first + size]), score_cutoff=_ENOUGH - _MARGIN)
            runner_up = max(runner_up, ratio)
    return best, runner_up


def stands_in(segments: Segments, text: str, word: str) -> bool:
    """Whether a word stands in a text, in whatever case and number; no segment begins or ends within one.

    Each segment keeps its letters folded for as long as no edit changes it, so a search costs one look at each.
    """
    stem = word.removesuffix("s")
    pattern, wanted = re.compile(rf"\b{re.escape(stem)}s?\b", re.IGNORECASE), fold_case(stem)
    begin = 0
    for one in segments.all:
        end = begin + one.length
        known = one.notes.get(_FOLDED)
        if known is None:
            known = one.notes[_FOLDED] = fold_case(text[begin:end])
        if wanted in known and pattern.search(text, begin, end) is not None:
            return True
        begin = end
    return False


def fold_case(text: str) -> str:
    """Fold a text so that letters are equal which `re.IGNORECASE` takes for equal, the Turkish i among them."""
    return text.replace("\u0131", "i").replace("\u0130", "i").casefold()
