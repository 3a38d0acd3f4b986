"""A text as segments, each with its headings in places relative to it, and how headings are found in them.

After a change all segments but those around it are the same values. What is asked of them costs a little for each
segment and what is in the one that is meant, so a key in a text with 60,000 headings makes none of the other headings
anew. Not here: how a text is cut (`blocks`), sections (`sections`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, Final, NamedTuple, TypeVar

LEAST: Final = 1_000
"""Characters of a segment: a change costs about two segments to read, and as little as possible for each other one."""

LEAST_OF_SHORT: Final = 250
SHORT: Final = 40_000
"""Up to so many characters, segments are shorter: what there is to read again counts, and there are few others."""

NO_LEVEL: Final = 7


class HeadingSpan(NamedTuple):
    """A top-level heading: its title as written and without marks; line (0 is the first) and offsets are relative."""

    level: int
    title: str
    plain: str
    line: int
    start: int
    body: int

    def move_by(self, lines: int, shift: int) -> HeadingSpan:
        """The same heading elsewhere."""
        return HeadingSpan(self.level, self.title, self.plain, self.line + lines, self.start + shift, self.body + shift)


@dataclass(frozen=True)
class Segment:
    """A stretch of the text: characters, line ends, headings, and the highest of their levels (7 without any).

    `inner`: the headings in quotes and lists. They begin no section, but have addresses (`anchors`).
    """

    length: int
    breaks: int
    headings: tuple[HeadingSpan, ...] = ()
    highest: int = NO_LEVEL
    inner: tuple[HeadingSpan, ...] = ()

    @cached_property
    def all_headings(self) -> Sequence[HeadingSpan]:
        """All headings, those in quotes and lists included, in order."""
        if not self.inner:
            return self.headings
        return sorted((*self.headings, *self.inner), key=lambda heading: heading.start)

    @cached_property
    def by_title(self) -> Mapping[str, Sequence[int]]:
        """The numbers of its headings by their titles, as written and without marks."""
        return numbers_by({heading.title, heading.plain} for heading in self.headings)

    @cached_property
    def notes(self) -> dict[Any, Any]:
        """A cache of what others make of its headings; it lives as long as the segment, so most of it through edits."""
        return {}


_Name = TypeVar("_Name", bound=Hashable)


def numbers_by(names: Iterable[Iterable[_Name]]) -> Mapping[_Name, Sequence[int]]:
    """By each name, the numbers of those that have it, in order."""
    found: dict[_Name, list[int]] = {}
    for number, own in enumerate(names):
        for name in own:
            found.setdefault(name, []).append(number)
    return found


def segment(length: int, breaks: int, headings: Iterable[HeadingSpan], inner: Iterable[HeadingSpan] = ()) -> Segment:
    """Make a segment."""
    found = tuple(headings)
    highest = min((heading.level for heading in found), default=NO_LEVEL)
    return Segment(length, breaks, found, highest, tuple(inner))


def join_segments(one: Segment, other: Segment) -> Segment:
    """Two consecutive segments as one."""
    headings, inner = (
        (heading.move_by(one.breaks, one.length) for heading in some) for some in (other.headings, other.inner)
    )
    length, breaks = one.length + other.length, one.breaks + other.breaks
    return segment(length, breaks, (*one.headings, *headings), (*one.inner, *inner))


def unread_segment(text: str) -> Segments:
    """A text that has not been read, as one segment without headings."""
    return Segments((Segment(len(text), 0),))


class HeadingPosition(NamedTuple):
    """A heading: the number of its segment, and its own in there."""

    segment: int
    number: int


@dataclass(frozen=True)
class Segments:
    """All segments of a text, in order; there is at least one. `least`: characters of each, if there are borders."""

    all: tuple[Segment, ...]
    least: int = LEAST

    @cached_property
    def ends(self) -> Sequence[int]:
        """Where each segment ends."""
        return list(accumulate(one.length for one in self.all))

    @cached_property
    def lines(self) -> Sequence[int]:
        """Line ends up to the end of each segment."""
        return list(accumulate(one.breaks for one in self.all))

    @cached_property
    def counts(self) -> Sequence[int]:
        """Headings up to the end of each segment."""
        return list(accumulate(len(one.headings) for one in self.all))

    @cached_property
    def _higher(self) -> dict[int, Sequence[int]]:
        return {}

    def _higher_before(self, level: int) -> Sequence[int]:
        """For each segment, the nearest one before it with a heading above a level; -1 where there is none."""
        known = self._higher.get(level)
        if known is None:
            found, last = [], -1
            for number, one in enumerate(self.all):
                found.append(last)
                if one.highest < level:
                    last = number
            known = self._higher[level] = found
        return known

    @cached_property
    def longest(self) -> int:
        """Characters of the longest segment."""
        return max(one.length for one in self.all)

    def begin(self, number: int) -> int:
        """Where a segment begins; the one after the last begins where the text ends."""
        return self.ends[number - 1] if number else 0

    def number_at(self, offset: int) -> int:
        """The segment that an offset lies in; the last one for the end of the text."""
        return min(bisect_right(self.ends, offset), len(self.all) - 1)

    def heading(self, place: HeadingPosition) -> HeadingSpan:
        """A heading, its line and offsets counted from the begin of the text."""
        lines = self.lines[place.segment - 1] if place.segment else 0
        return self.all[place.segment].headings[place.number].move_by(lines, self.begin(place.segment))

    def local_heading(self, place: HeadingPosition) -> HeadingSpan:
        """A heading as its segment has it, for its level and titles; nothing is counted."""
        return self.all[place.segment].headings[place.number]

    def with_title(self, titles: Collection[str]) -> list[HeadingPosition]:
        """The headings with one of some titles, as written or without marks; one look at each segment for all."""
        found: list[HeadingPosition] = []
        for at, one in enumerate(self.all):
            if one.headings and not one.by_title.keys().isdisjoint(titles):
                numbers = {number for title in titles for number in one.by_title.get(title, ())}
                found += (HeadingPosition(at, number) for number in sorted(numbers))
        return found

    def index(self, place: HeadingPosition) -> int:
        """How many headings there are before this one."""
        return (self.counts[place.segment - 1] if place.segment else 0) + place.number

    def place(self, index: int) -> HeadingPosition:
        """The heading with so many before it."""
        number = bisect_right(self.counts, index)
        return HeadingPosition(number, index - (self.counts[number - 1] if number else 0))

    def count_before(self, offset: int) -> int:
        """How many headings begin before an offset."""
        number = self.number_at(offset)
        headings = self.all[number].headings
        within = bisect_left(headings, offset - self.begin(number), key=lambda heading: heading.start)
        return self.index(HeadingPosition(number, within))

    def ancestors(self, place: HeadingPosition) -> Iterator[HeadingPosition]:
        """The headings of the sections that a heading's section is in, innermost first."""
        level = self.all[place.segment].headings[place.number].level
        at, before = place
        while level > 1 and at >= 0:
            one = self.all[at]
            if one.highest < level:
                for number in range(before - 1, -1, -1):
                    if one.headings[number].level < level:
                        yield HeadingPosition(at, number)
                        level = one.headings[number].level
            at = self._higher_before(level)[at] if level > 1 else -1
            before = len(self.all[at].headings)

    def end_of(self, place: HeadingPosition) -> int:
        """Where a heading's section ends: at the next heading of the same or a higher level."""
        level = self.all[place.segment].headings[place.number].level
        after = place.number + 1
        for at in range(place.segment, len(self.all)):
            one = self.all[at]
            if one.highest <= level:
                for heading in one.headings[after:]:
                    if heading.level <= level:
                        return self.begin(at) + heading.start
            after = 0
        return self.ends[-1]

    def chain(self, place: HeadingPosition) -> list[HeadingSpan]:
        """A heading and those of the sections that its section is in, outermost first, as their segments have them."""
        return [self.local_heading(one) for one in (place, *self.ancestors(place))][::-1]

    def path(self, place: HeadingPosition) -> str:
        """The titles of a heading's section and those that it is in: `## Storage ### Orders`."""
        return " ".join([f"{'#' * heading.level} {heading.title}" for heading in self.chain(place)])

    def headings(self) -> Iterator[HeadingSpan]:
        """All headings."""
        lines = begin = 0
        for one in self.all:
            for heading in one.headings:
                yield heading.move_by(lines, begin)
            lines, begin = lines + one.breaks, begin + one.length
