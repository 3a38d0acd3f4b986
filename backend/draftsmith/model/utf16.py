"""Positions in UTF-16 code units, as in the browser's editor, against Python's code points.

They differ only behind characters outside the BMP. A long text that has some is measured once in stretches; a changed
text takes over what is known of the one before (`carry_units`), so a key costs what it changes and one stretch.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final

_LONG: Final = 10_000
_STRETCH: Final = 1_000  # code points that are measured together
_KEPT: Final = 8  # texts whose measure is kept; a change needs the one before and the one after


class Measure:
    """Code points and units of the stretches of a text; for a text without wide characters there is none."""

    __slots__ = ("points", "sizes", "total", "units")

    def __init__(self, sizes: Sequence[tuple[int, int]]) -> None:
        self.sizes = sizes
        self.points = [0, *accumulate(points for points, _ in sizes)]
        self.units = [0, *accumulate(units for _, units in sizes)]
        self.total = self.units.pop()
        self.points.pop()

    def point(self, text: str, unit: int) -> int:
        """The code point at an offset in units.

        Raises:
            UnicodeDecodeError: the offset is inside a surrogate pair.
        """
        number = bisect_right(self.units, unit) - 1
        at = self.points[number]
        raw = _encode(text[at : at + self.sizes[number][0]])
        return at + len(raw[: 2 * (unit - self.units[number])].decode("utf-16-le"))

    def unit(self, text: str, point: int) -> int:
        """The offset in units of a code point."""
        number = bisect_right(self.points, point) - 1
        return self.units[number] + len(_encode(text[self.points[number] : point])) // 2

    def after_edit(self, start: int, end: int, text: str) -> Measure:
        """The measure of a text that differs only in `[start, end)`, in code points of the text before."""
        first = max(0, bisect_right(self.points, start) - 1)
        last = max(bisect_left(self.points, end), first + 1)
        beyond = self.points[last] if last < len(self.points) else self.points[-1] + self.sizes[-1][0]
        length = self.points[-1] + self.sizes[-1][0]
        middle = text[self.points[first] : beyond + len(text) - length]
        return Measure([*self.sizes[:first], *_sizes(middle), *self.sizes[last:]])


_known: tuple[tuple[str, Measure | None], ...] = ()


def is_bmp(text: str) -> bool:
    """Whether offsets in code points and in units are equal: no character is outside the BMP."""
    return measure_of(text) is None


def units(text: str) -> int:
    """Length in UTF-16 code units."""
    measure = measure_of(text)
    return len(text) if measure is None else measure.total


def from_units(text: str) -> Callable[[int], int]:
    """Return a function from offsets in units to code points.

    The function raises UnicodeDecodeError for an offset inside a surrogate pair.
    """
    measure = measure_of(text)
    return int if measure is None else lambda unit: measure.point(text, unit)


def from_units_in_order(text: str) -> Callable[[int], int]:
    """As `from_units`, for offsets in ascending order, of which there may be many."""
    measure = measure_of(text)
    if measure is None:
        return int
    beyond = at = points = 0
    raw = b""

    def point(unit: int) -> int:
        nonlocal beyond, raw, at, points
        if unit >= beyond:
            number = bisect_right(measure.units, unit) - 1
            at, points = measure.units[number], measure.points[number]
            raw = _encode(text[points : points + measure.sizes[number][0]])
            beyond = at + measure.sizes[number][1]
        passed, raw = raw[: 2 * (unit - at)], raw[2 * (unit - at) :]
        at, points = unit, points + len(passed.decode("utf-16-le"))
        return points

    return point


def to_units(text: str) -> Callable[[int], int]:
    """Return a function from code points to offsets in units."""
    measure = measure_of(text)
    return int if measure is None else lambda point: measure.unit(text, point)


def measure_of(text: str) -> Measure | None:
    """The measure of a text; None if it has no character outside the BMP. Kept for long texts."""
    if text.isascii():
        return None
    if len(text) <= _LONG:
        return _measure(text)
    for known, measure in _known:
        if known is text:
            return measure
    return _keep(text, _measure(text))


def carry_units(old: str, new: str, start: int, end: int) -> None:
    """Measure a text from what is known of the one before; they differ only in `[start, end)` of the old one."""
    if new.isascii() or len(new) <= _LONG or any(known is new for known, _ in _known):
        return
    if not (old.isascii() or any(known is old for known, _ in _known)):
        return
    measure = measure_of(old)
    inserted = new[start : end + len(new) - len(old)]
    if measure is not None:
        measure = measure.after_edit(start, end, new)
        measure = measure if measure.total != len(new) else None
    elif not _has_wide(inserted):
        measure = None
    else:
        measure = _measure(new)
    _keep(new, measure)


def _keep(text: str, measure: Measure | None) -> Measure | None:
    global _known  # noqa: PLW0603 -- one assignment: threads may lose what is kept, but never see half of it
    _known = ((text, measure), *_known[: _KEPT - 1])
    return measure


def _measure(text: str) -> Measure | None:
    return Measure([*_sizes(text)]) if _has_wide(text) else None


def _has_wide(text: str) -> bool:
    return not text.isascii() and len(_encode(text)) != 2 * len(text)


def _sizes(text: str) -> list[tuple[int, int]]:
    # Of one stretch to just below two, so that keys typed into one do not leave more and more short ones.
    size = -(-len(text) // max(1, len(text) // _STRETCH))
    pieces = [text[at : at + size] for at in range(0, len(text), size or 1)]
    return [(len(piece), len(piece) if piece.isascii() else len(_encode(piece)) // 2) for piece in pieces]


def _encode(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")
