"""The changes from one text to another by whole lines, within a bound.

What is equal at both ends stays. Between them lines are compared one by one, which takes as much memory and time as the
lines of both multiplied. Beyond a bound, lines that stand exactly once in both divide the texts, and each part is
compared by itself; a part that is still beyond it is replaced as a whole.

Source: Bram Cohen's "patience diff" for lines that stand once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final

from rapidfuzz.distance import Indel

MOST_PAIRS: Final = 25_000_000
"""Lines of one text times lines of the other; a comparison of so many takes 3 MB."""

_ALL_PAIRS: Final = 4 * MOST_PAIRS
"""Of all parts together."""

Span = tuple[int, int, str]  # start, end, new text
_Part = tuple[int, int, int, int]  # lines: from and to in the old text, and in the new one


@dataclass(frozen=True, slots=True)
class LineChanges:
    """Spans of the old text, in code points and in order, with what comes there.

    Attributes:
        is_complete: no lines that differ were beyond the bound, so every equal line stays untouched.
    """

    spans: Sequence[Span]
    is_complete: bool


def line_changes(old: str, new: str) -> LineChanges:
    """Compare two texts."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    offsets = [0, *accumulate(map(len, before))]
    spans: list[Span] = []
    left, is_complete = _ALL_PAIRS, True
    for part in _parts(before, after):
        first, last, begin, end = part
        pairs = (last - first) * (end - begin)
        is_compared = pairs <= min(MOST_PAIRS, left)
        left -= pairs if is_compared else 0
        is_complete = is_complete and (is_compared or not pairs)
        for a, b, c, d in _differences(before, after, part) if is_compared else [part]:
            _add(spans, (offsets[a], offsets[b], "".join(after[c:d])))
    return LineChanges(spans, is_complete)


def comparing_cost(old: str, new: str) -> int:
    """The cost of comparing two texts by lines, in units of work."""
    before, after = old.count("\n") + 1, new.count("\n") + 1
    line = 25 if before * after <= MOST_PAIRS else 100
    return (len(old) + len(new)) // 16 + line * (before + after) + min(before * after, _ALL_PAIRS) // 10


def _differences(before: Sequence[str], after: Sequence[str], part: _Part) -> Iterator[_Part]:
    first, last, begin, end = part
    for code in Indel.opcodes(before[first:last], after[begin:end]):
        if code.tag != "equal":
            yield first + code.src_start, first + code.src_end, begin + code.dest_start, begin + code.dest_end


def _add(spans: list[Span], span: Span) -> None:
    """Add a span; adjacent deletions and insertions become one replacement."""
    start, end, text = span
    if spans and spans[-1][1] == start:
        spans[-1] = (spans[-1][0], end, spans[-1][2] + text)
    elif start < end or text:
        spans.append(span)


def _parts(before: Sequence[str], after: Sequence[str]) -> Iterator[_Part]:
    """The parts that may differ, between lines that are equal."""
    whole = _without_equal_ends(before, after, (0, len(before), 0, len(after)))
    first, last, begin, end = whole
    if (last - first) * (end - begin) <= MOST_PAIRS:
        yield whole
        return
    anchors = [(first - 1, begin - 1), *_anchors(before, after, whole), (last, end)]
    for (above, over), (below, under) in pairwise(anchors):
        part = _without_equal_ends(before, after, (above + 1, below, over + 1, under))
        if part[0] < part[1] or part[2] < part[3]:
            yield part


def _without_equal_ends(before: Sequence[str], after: Sequence[str], part: _Part) -> _Part:
    first, last, begin, end = part
    while first < last and begin < end and before[first] == after[begin]:
        first, begin = first + 1, begin + 1
    while first < last and begin < end and before[last - 1] == after[end - 1]:
        last, end = last - 1, end - 1
    return first, last, begin, end


def _anchors(before: Sequence[str], after: Sequence[str], part: _Part) -> list[tuple[int, int]]:
    """Lines that stand exactly once in either text, as many of them as are in the same order in both."""
    first, last, begin, end = part
    counts, new_counts = Counter(before[first:last]), Counter(after[begin:end])
    places = {after[at]: at for at in range(begin, end)}
    once = [
        (at, places[line])
        for at, line in enumerate(before[first:last], first)
        if counts[line] == 1 and new_counts[line] == 1
    ]
    return _longest_rising(once)


def _longest_rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest subsequence in which the second numbers rise as well; O(n log n)."""
    ends: list[int] = []  # of the best subsequence of each length: its last second number
    at: list[int] = []  # and its pair
    before: list[int] = []
    for index, (_, second) in enumerate(pairs):
        length = bisect_left(ends, second)
        before.append(at[length - 1] if length else -1)
        ends[length : length + 1] = [second]
        at[length : length + 1] = [index]
    found: list[tuple[int, int]] = []
    index = at[-1] if at else -1
    while index >= 0:
        found.append(pairs[index])
        index = before[index]
    return found[::-1]
