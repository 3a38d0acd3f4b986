"""How many values a JSON text has and how deep they are nested, counted before anything is parsed.

A text of 30 MB can be one string or ten million lists: parsed, the second is a gigabyte and seconds of work. Counting
looks at commas and brackets outside strings, piece by piece as the text arrives, so that nobody else waits for it. Not
here: whether the text is JSON; what is not is refused where it is parsed.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Final

from draftsmith.errors import DraftsmithError

MAX_VALUES: Final = 1_000_000
MAX_DEPTH: Final = 100
"""Levels; our deepest form has 8, and what reads JSON after us gives up at 254."""
_SLICE: Final = 65_536
_MARKS: Final = b"[]{},"
_OTHERS: Final = bytes(sorted(set(range(256)) - set(_MARKS)))
_SIGNS: Final = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")


class JsonCounts:
    """Counts the values and levels of one text.

    Attributes:
        values: so far, empty lists and objects twice; names of fields do not count.
        level: lists and objects that are open at the end of what was counted.
    """

    def __init__(self, what: str = "body", max_values: int = MAX_VALUES) -> None:
        self.values, self.level = 1, 0
        self._what, self._max_values = what, max_values
        self._is_in_string = self._is_escaped = False

    def add(self, piece: bytes) -> None:
        """Count the next piece of the text.

        Raises:
            DraftsmithError: `body_too_large` for too many values, `malformed_json` for too many levels.
        """
        for start in range(0, len(piece), _SLICE):
            marks = self._outside_strings(piece[start : start + _SLICE]).translate(None, _OTHERS)
            if marks:
                self._count(marks)

    def _outside_strings(self, piece: bytes) -> bytes:
        if self._is_escaped:
            piece = piece[1:]
            self._is_escaped = False
        if b"\\" in piece:
            piece = piece.replace(b"\\\\", b"").replace(b'\\"', b"")
            self._is_escaped = piece.endswith(b"\\")
        parts = piece.split(b'"')
        outside = b"".join(parts[self._is_in_string :: 2])
        self._is_in_string ^= len(parts) % 2 == 0
        return outside

    def _count(self, marks: bytes) -> None:
        opened = marks.count(b"[") + marks.count(b"{")
        commas = marks.count(b",")
        self.values += opened + commas
        if self.values > self._max_values:
            message = f"A {self._what} may hold {self._max_values:,} values; this one holds more. Split it."
            raise DraftsmithError("body_too_large", message)
        if self.level + opened > MAX_DEPTH:
            steps = memoryview(marks.translate(_SIGNS, b",")).cast("b")
            if max(accumulate(steps, initial=self.level)) > MAX_DEPTH:
                raise DraftsmithError("malformed_json", f"The {self._what} is nested deeper than {MAX_DEPTH} levels.")
        self.level += 2 * opened - (len(marks) - commas)
