"""The document: Markdown text and the section outline derived from it.

Inside a workspace line ends are LF; `eol` records the original ones for the raw export. Positions in steps are UTF-16
code units, as in the browser's editor; Python's are code points. They differ only after characters outside the BMP.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from draftsmith.model.sections import Outline, edited, outline_of

_LONG = 10_000
_BREAKS = re.compile(r"\r\n?|\n")


class Document:
    """Text, original line ends and a cached outline."""

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
        """Use an outline that was made elsewhere; ignored if it is of another text."""
        if outline.text is self.text:
            self._outline = outline

    @property
    def known_outline(self) -> Outline | None:
        """The outline of the current text if it is cached, else None."""
        return self._outline if self._outline is not None and self._outline.text is self.text else None

    def change(self, new: str, start: int, end: int) -> None:
        """Set a text that differs from this one only in `[start, end)`, and update the cached outline.

        Args:
            new: the whole new text.
            start, end: code points of the old text.
        """
        outline = self.known_outline
        if outline is not None:
            self._outline = edited(outline, start, end, new)
        self.text = new

    def raw(self) -> str:
        """The text with the original line ends, as the export writes it; `mixed` is written as LF."""
        return self.text.replace("\n", "\r\n") if self.eol == "crlf" else self.text


def eol_of(text: str) -> str:
    """Return the kind of line ends in a text: lf, crlf or mixed; lf if there are none."""
    kinds = set(_BREAKS.findall(text))
    if kinds <= {"\n"}:
        return "lf"
    return "crlf" if kinds == {"\r\n"} else "mixed"


def with_lf(text: str) -> str:
    """The text with every line end turned into LF."""
    return _BREAKS.sub("\n", text) if "\r" in text else text


def is_bmp(text: str) -> bool:
    """Whether offsets in code points and in UTF-16 units are equal: no character is outside the BMP."""
    return text.isascii() or len(wide(text)) == 2 * len(text)


def wide(text: str) -> bytes:
    """The text in UTF-16; cached for long texts, because one change needs it several times."""
    return _kept_wide(text) if len(text) > _LONG else text.encode("utf-16-le", "surrogatepass")


@lru_cache(maxsize=4)
def _kept_wide(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


def from_units(text: str) -> Callable[[int], int]:
    """Return a function from UTF-16 offsets in a text to code points; it encodes the text at most once.

    The function raises UnicodeDecodeError for an offset inside a surrogate pair.
    """
    if is_bmp(text):
        return int
    raw = wide(text)
    return lambda at: len(raw[: 2 * at].decode("utf-16-le"))


def from_units_in_order(text: str) -> Callable[[int], int]:
    """As `from_units`, for offsets in ascending order; the text is scanned only once."""
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
