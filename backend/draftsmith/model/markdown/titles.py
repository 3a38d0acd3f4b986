"""Titles of sections as people read them: without the marks of Markdown."""

from __future__ import annotations

import re
from functools import lru_cache

from draftsmith.model.markdown.looking_ahead import NOWHERE, LookingAhead

_MARK = re.compile(r"\\[!-/:-@\[-`{-~]|!?\[|[*`]++|<!--")
_MARK_WITHOUT_LINKS = re.compile(r"\\[!-/:-@\[-`{-~]|[*`]++|<!--")


@lru_cache(maxsize=4096)
def plain_title(title: str) -> str:
    """A heading's text without emphasis, code, link and escape marks, blanks collapsed."""
    ahead = LookingAhead(title)
    # Without a link no bracket is a mark, and a title may be nothing but brackets.
    mark = _MARK if "](" in title else _MARK_WITHOUT_LINKS
    pieces: list[str] = []
    at = 0
    while (found := mark.search(title, at)) is not None:
        pieces.append(title[at : found.start()])
        kept, at = _strip_mark(title, found, ahead)
        pieces.append(kept)
    return " ".join("".join([*pieces, title[at:]]).split())


def _strip_mark(title: str, found: re.Match[str], ahead: LookingAhead) -> tuple[str, int]:
    """What is kept of a mark and what it belongs to, and where that ends."""
    mark, end = found[0], found.end()
    if mark[0] == "\\":
        return mark[1], end
    if mark[0] in "*`":
        return "", end
    if mark == "<!--":
        closes = ahead.find("-->", end)
        return ("", closes + 3) if closes < ahead.find("\n", end) else (mark, end)
    label = ahead.find("]", end)
    closes = ahead.find(")", label + 2) if title.startswith("](", label) else NOWHERE
    return (title[end:label], closes + 1) if closes != NOWHERE else (mark, end)
