"""The spans of text that a batch wrote, and whether it wrote a place; each look costs little, however many."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate


@dataclass(slots=True)
class WrittenSpan:
    """A span of the document that this batch wrote, in code points; `created`: a section that it inserted."""

    start: int
    end: int
    created: bool


class WrittenPlaces:
    """The spans that a batch wrote, in no order, as they can be asked."""

    __slots__ = ("_created", "_other")

    def __init__(self, own_spans: Iterable[WrittenSpan]) -> None:
        spans = list(own_spans)
        self._created = _Reach([span for span in spans if span.created])
        self._other = _Reach([span for span in spans if not span.created])

    def meet(self, start: int, end: int) -> bool:
        """Whether a span overlaps one that was written, sections that the batch made apart."""
        furthest = self._other.end_before(end)
        return furthest is not None and start < furthest

    def are_created_at(self, offset: int) -> bool:
        """Whether an offset is in, or at a border of, a section that the batch made."""
        furthest = self._created.end_upto(offset)
        return furthest is not None and offset <= furthest


class _Reach:
    """How far spans reach that begin before a place."""

    __slots__ = ("_ends", "_starts")

    def __init__(self, spans: list[WrittenSpan]) -> None:
        spans.sort(key=lambda span: span.start)
        self._starts = [span.start for span in spans]
        self._ends = list(accumulate((span.end for span in spans), max))

    def end_before(self, at: int) -> int | None:
        count = bisect_left(self._starts, at)
        return self._ends[count - 1] if count else None

    def end_upto(self, at: int) -> int | None:
        count = bisect_right(self._starts, at)
        return self._ends[count - 1] if count else None
