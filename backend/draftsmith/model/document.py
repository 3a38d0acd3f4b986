"""The document: Markdown text and the section outline derived from it.

Inside a workspace line ends are LF; `eol` records the original ones for the raw export. Positions in steps are UTF-16
code units (`utf16`).
"""

from __future__ import annotations

import re
from typing import Final

from draftsmith.model.markdown.sections import Outline, outline_of, update_outline
from draftsmith.model.utf16 import carry_units, from_units, from_units_in_order, is_bmp, units

__all__ = ["Document", "eol_of", "from_units", "from_units_in_order", "is_bmp", "units", "with_lf"]

LINE_ENDS_MIXED: Final = (
    "The text has line ends of several kinds, or CR alone. "
    "All of them are LF now, also in exports; nothing else differs."
)
"""What is told where such a text is taken in."""

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
            self._outline = update_outline(outline, start, end, new)
        carry_units(self.text, new, start, end)
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
