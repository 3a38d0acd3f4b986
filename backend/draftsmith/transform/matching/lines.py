"""Where lines begin and end around a place in a long text, and whether it cuts a word; the cost depends on the line."""

from __future__ import annotations

import re

from draftsmith.model.name_search import UNSPACED

_END = re.compile(r"[\r\n]")
_BREAK = re.compile(r"\r\n|\n|\r")


def line_start(text: str, at: int) -> int:
    """Where the line begins in which a place stands."""
    start = text.rfind("\n", 0, at) + 1
    return max(start, text.rfind("\r", start, at) + 1)


def line_end(text: str, at: int) -> int:
    """Where the text of the line ends in which a place stands, without its line end."""
    found = _END.search(text, at)
    return len(text) if found is None else found.start()


def line_before(text: str, first: int) -> str | None:
    """The line before the one that begins at `first`, without its line end; None if there is none."""
    if not first:
        return None
    stop = first - (2 if text.endswith("\r\n", 0, first) else 1)
    return text[line_start(text, stop) : stop]


def line_after(text: str, last: int) -> str | None:
    """The line after the one whose text ends at `last`, without its line end; None if there is none."""
    found = _BREAK.match(text, last)
    return None if found is None else text[found.end() : line_end(text, found.end())]


def is_in_word(text: str, at: int) -> bool:
    """Whether a place stands between two letters or digits of one word."""
    pair = text[at - 1 : at + 1] if at else ""
    return len(pair) == 2 and pair.isalnum() and not UNSPACED.search(pair)
