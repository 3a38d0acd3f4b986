"""Where quotations stand in what a person wrote: double, typographic, single ones and code ticks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from draftsmith.model.markdown.looking_ahead import NOWHERE, LookingAhead

_OPENS = re.compile(r"[\"“„«`]|(?<!\w)['‘]")
_CLOSES = {'"': '"', "“": "”", "„": "“”", "«": "»", "`": "`", "'": "'", "‘": "’"}
_HOLDS_SOMETHING = "`'‘"
_WORD = re.compile(r"\w")


def quotations(text: str) -> Iterator[tuple[int, int]]:
    """The quotations of a text in order, marks included; one that is not closed is none."""
    ahead = LookingAhead(text)
    at = 0
    while (found := _OPENS.search(text, at)) is not None:
        end = _end(text, found.start(), found[0], ahead)
        if end is None:
            at = found.end()
        else:
            yield found.start(), end
            at = end


def _end(text: str, start: int, opens: str, ahead: LookingAhead) -> int | None:
    """Where a quotation ends that begins at a place; None if none begins there."""
    closes = min(ahead.find(sign, start + 1) for sign in _CLOSES[opens])
    if closes == NOWHERE or (opens in _HOLDS_SOMETHING and closes == start + 1):
        return None
    if opens in "'‘" and _WORD.match(text, closes + 1):
        return None
    return closes + 1
