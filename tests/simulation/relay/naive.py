"""What a text must be after an edit, by splicing strings: no part of the product is asked.

Offsets are code points of the text that was read. A `Change` lists the ways in which one stretch may come out; all but
these stretches has to stay, byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

Way = tuple[int, int, str]
"""From, to, and what stands there instead."""


def with_lf(text: str) -> str:
    """The text as a workspace keeps it: lines end with LF."""
    return re.sub(r"\r\n?", "\n", text)


@dataclass(frozen=True)
class Change:
    """One stretch that an edit names: the ways in which it may come out."""

    ways: tuple[Way, ...]

    def moved(self, splices: Sequence[Way]) -> Change:
        """The same stretch after splices elsewhere."""
        return Change(tuple((moved(start, splices), moved(end, splices), new) for start, end, new in self.ways))


def one_way(start: int, end: int, new: str) -> Change:
    """A change that can come out in one way only."""
    return Change(((start, end, new),))


def moved(offset: int, splices: Sequence[Way]) -> int:
    """Where an offset is after splices in their order, none of which touches it."""
    for start, end, new in splices:
        if offset >= end:
            offset += len(new) - (end - start)
    return offset


def spliced(text: str, splices: Sequence[Way]) -> str:
    """The text after splices, each in the text that the one before it leaves."""
    for start, end, new in splices:
        text = text[:start] + new + text[end:]
    return text


@dataclass(frozen=True)
class Result:
    """One way for all changes together.

    Attributes:
        text: the whole text.
        stretches: where what was written stands in it, in order, with what stood there before.
    """

    text: str
    stretches: tuple[Way, ...]


def results(text: str, changes: Sequence[Change]) -> Iterator[Result]:
    """Every text that the changes may lead to."""
    for ways in product(*(change.ways for change in changes)):
        pieces: list[str] = []
        stretches: list[Way] = []
        at = length = 0
        for start, end, new in sorted(ways):
            pieces += [text[at:start], new]
            length += start - at
            stretches.append((length, length + len(new), text[start:end]))
            length += len(new)
            at = end
        yield Result("".join([*pieces, text[at:]]), tuple(stretches))


def difference(before: str, after: str) -> str:
    """Where two texts differ, for a person to look at."""
    start = next(
        (at for at, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after))
    )
    back = 0
    while back < min(len(before), len(after)) - start and before[-1 - back] == after[-1 - back]:
        back += 1
    old, new = before[start : len(before) - back], after[start : len(after) - back]
    return f"{old!r} -> {new!r} after {before[max(0, start - 40) : start]!r}"
