"""Names of people and keys as they are shown: one line, in its own direction."""

from __future__ import annotations

from typing import Final

_JOINERS: Final = "\u200c\u200d"
"""Between the letters of some scripts, and the parts of emoji; not printable by themselves."""


def shown_name(text: str) -> str:
    """A name without what would break out of its line: line ends, other control characters, changes of direction.

    Each becomes a blank; blanks are collapsed, and there are none at the ends. Empty where nothing else is in it.
    """
    return " ".join("".join(char if char.isprintable() or char in _JOINERS else " " for char in text).split())
