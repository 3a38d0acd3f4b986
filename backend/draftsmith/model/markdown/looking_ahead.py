"""Where a sign stands next in a text, for a scanner that goes forward.

A scanner asks at every opening sign for the closing one. Where there is none, each question by itself would read the
text to its end; a remembered answer makes all of them together cost what the text is long.
"""

from __future__ import annotations

import sys
from typing import Final

NOWHERE: Final = sys.maxsize


class LookingAhead:
    """The next places of signs in a text."""

    __slots__ = ("_found_ahead", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._found_ahead: dict[str, tuple[int, int]] = {}  # asked from, found at

    def find(self, sign: str, at: int) -> int:
        """Where `sign` begins at or after a place; NOWHERE if it does not."""
        asked, found = self._found_ahead.get(sign, (1, 0))
        if not asked <= at <= found:
            found = self._text.find(sign, at)
            found = NOWHERE if found < 0 else found
            self._found_ahead[sign] = at, found
        return found
