"""The document: Markdown text, which is the truth, and the section outline derived from it.

Inside a workspace line ends are LF; `eol` remembers what came in, for the raw export. Positions in steps are UTF-16
code units, as in the browser's editor; Python's are code points. They agree unless the text holds astral characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from draftsmith.model.sections import Outline, edited, outline_of

_LONG = 10_000
_BREAKS = re.compile(r"\r\n?|\n")


class Document:
    """Text, remembered line ends and a cached outline."""

    __slots__ = ("_outline", "eol", "text")

    def __init__(self, text: str = "", eol: str = "lf") -> None:
        self.text = text
        self.eol = eol
        self._outline: Outline | None = None

    @property
    def outline(self) -> Outline:
        """The sections of the current text."""
        if self._outline is None or self._outline.text is not self.text:
            self._outline = outline_of(self.text)
        return self._outline

    def take_outline(self, outline: Outline) -> None:
        """Take over an outline that was made elsewhere; one of another text is left aside."""
        if outline.text is self.text:
            self._outline = outline

    @property
    def known_outline(self) -> Outline | None:
        """The outline of the current text if it was needed before; else None."""
        return self._outline if self._outline is not None and self._outline.text is self.text else None

    def change(self, new: str, start: int, end: int) -> None:
        """Set another text that differs from this one only in `[start, end)`, and bring the outline along.

        Args:
            new: the whole new text.
            start, end: code points of the old text.
        """
        outline = self.known_outline
        if outline is not None:
            self._outline = edited(outline, start, end, new)
        self.text = new

    def raw(self) -> str:
        """The text with the remembered line ends, as the export writes it; `mixed` is written as LF."""
        return self.text.replace("\n", "\r\n") if self.eol == "crlf" else self.text


def eol_of(text: str) -> str:
    """Tell which line ends a text has: lf, crlf or mixed; a text without any has lf."""
    kinds = set(_BREAKS.findall(text))
    if kinds <= {"\n"}:
        return "lf"
    return "crlf" if kinds == {"\r\n"} else "mixed"


def with_lf(text: str) -> str:
    """The text with every line end turned into LF."""
    return _BREAKS.sub("\n", text) if "\r" in text else text


def is_bmp(text: str) -> bool:
    """Whether code points and UTF-16 units agree."""
    return text.isascii() or len(wide(text)) == 2 * len(text)


def wide(text: str) -> bytes:
    """The text in UTF-16; that of a long text is kept for a while, since one change asks for it several times."""
    return _kept_wide(text) if len(text) > _LONG else text.encode("utf-16-le", "surrogatepass")


@lru_cache(maxsize=4)
def _kept_wide(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


def from_units(text: str) -> Callable[[int], int]:
    """Turns offsets in UTF-16 units of a text into code points; encodes the text once, and only if it has to.

    The function given raises UnicodeDecodeError for an offset inside a surrogate pair.
    """
    if is_bmp(text):
        return int
    raw = wide(text)
    return lambda at: len(raw[: 2 * at].decode("utf-16-le"))


def from_units_in_order(text: str) -> Callable[[int], int]:
    """As `from_units`, for offsets that never go back: however many are asked for, the text is walked along once."""
    if is_bmp(text):
        return int
    raw = wide(text)
    at = points = 0

    def point(unit: int) -> int:
        nonlocal at, points
        points += len(raw[2 * at : 2 * unit].decode("utf-16-le"))
        at = unit
        return points

    return point


def units(text: str) -> int:
    """Length in UTF-16 code units."""
    return len(text) if text.isascii() else len(wide(text)) // 2
