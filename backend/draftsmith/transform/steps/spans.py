"""Maps spans of a text over changes; commits, undo, carrying and clashes use it.

A span is `(start, end)`, in the same units as the changes. A change *reaches into* a span if it deletes part of it or
inserts inside it; text inserted at either border stays outside. The caller chooses the result for such a span: `exact`
gives None, `widened` includes the new text, `clipped` keeps the remainder.

Not here: changes over changes (`rebase`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from draftsmith.transform.steps.changeset import Change

Span = tuple[int, int]


class SpanMap:
    """Maps spans of a text over changes of it, each in O(log n) for n changes."""

    __slots__ = ("_changes", "_ends", "_starts")

    def __init__(self, changes: Iterable[Change]) -> None:
        """`changes`: from front to back, all for the same text."""
        self._changes = list(changes)
        self._starts = [change.start for change in self._changes]
        self._ends = [change.end for change in self._changes]

    def exact(self, start: int, end: int) -> Span | None:
        """The span of the same characters; None if a change reached into it. Insertions at an empty span follow it."""
        first, beyond = self._reaching(start, end)
        if first < beyond:
            return None
        shift = self._shift(min(first, beyond))
        return start + shift, end + shift

    def is_deleted(self, start: int, end: int) -> bool:
        """Whether a span is completely deleted; an empty one never is."""
        first, beyond = self._reaching(start, end)
        if not start < end or first >= beyond:
            return False
        return self._starts[first] <= start and end <= self._ends[first]

    def map_widening(self, start: int, end: int, *, adjacent: bool = False) -> Span:
        """The span including changes that reached into it. Text inserted at an empty span precedes it.

        Args:
            start, end: the span.
            adjacent: also include changes that only touch a border.
        """
        first, beyond = self._reaching(start, end, adjacent=adjacent)
        if first >= beyond:
            shift = self._shift(first)
            return start + shift, end + shift
        new_start = min(start + self._shift(first), self._changes[first].new_start)
        return new_start, max(end + self._shift(beyond), self._changes[beyond - 1].new_end)

    def map_clipping(self, start: int, end: int) -> Span | None:
        """The remainder of the span, with text inserted inside it; None if nothing remains.

        An empty span keeps its position. Text inserted there precedes it.
        """
        first, beyond = self._reaching(start, end)
        if first >= beyond:
            shift = self._shift(first)
            return start + shift, end + shift
        head, tail = self._changes[first], self._changes[beyond - 1]
        new_start = head.new_end if head.start < start else start + self._shift(first)
        new_end = tail.new_start if tail.end > end else end + self._shift(beyond)
        return (new_start, new_end) if new_start < new_end else None

    def _reaching(self, start: int, end: int, *, adjacent: bool = False) -> tuple[int, int]:
        """Which changes reach into a span: the first one and the first one beyond; none if they are not in order."""
        if adjacent:
            return bisect_left(self._ends, start), bisect_right(self._starts, end)
        return bisect_right(self._ends, start), bisect_left(self._starts, end)

    def _shift(self, count: int) -> int:
        """The offset by which the first `count` changes move the text after them."""
        return self._changes[count - 1].new_end - self._ends[count - 1] if count else 0
