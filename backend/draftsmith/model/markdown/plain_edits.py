"""Edits inside a line of words, which change no block, so that nothing has to be read again.

What a block parser makes of a line depends on what it begins with; a line whose first mark is a letter begins nothing.
Its other characters matter only where it may end an HTML block (`-->`), belongs to a link reference definition that a
line above has begun, or may be the head of a table (`|`). So text typed behind that letter only moves what follows,
however long the block is.
"""

from __future__ import annotations

import re
from typing import Final

from draftsmith.model.markdown.segments import Segment, Segments

_MARKS: Final = r"(?>(?>[ \t>]|(?:[-*+]|\d{1,9}[.)])[ \t])*)"
"""What may stand before the text of a line: quotes and list items."""
_BEGUN: Final = re.compile(_MARKS + r"[^\W\d_]")
_BRACKET: Final = re.compile(r"(?:^|\r)" + _MARKS + r"\[", re.MULTILINE)
"""A line that may begin a link reference definition."""
_SWALLOWS: Final = re.compile(
    r"^[ \t>*+\-\d.)]*+(?:```|~~~|<[!?]|<(?:script|pre|style|textarea))|-->|\?>|\]\]>|</(?:script|pre|style|textarea)",
    re.MULTILINE | re.IGNORECASE,
)
_MATTERS: Final = re.compile(r"[\r\n<>\[\]|]")


def is_plain(segments: Segments, text: str, start: int, end: int, inserted: str) -> bool:
    """Whether to replace `[start, end)` of `text` by `inserted` leaves all blocks and titles as they are."""
    if _MATTERS.search(text, start, end) or _MATTERS.search(inserted):
        return False
    number = segments.number_at(start)
    begin = segments.begin(number)
    line = max(text.rfind("\n", begin, start), text.rfind("\r", begin, start), begin - 1) + 1
    begun = _BEGUN.match(text, line, start)
    if begun is None or _BRACKET.search(text, max(text.rfind("\n\n", begin, line), begin), line) is not None:
        return False
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    if any(text.find(mark, begun.end(), stop) >= 0 for mark in "<>|"):
        return False
    at = start - begin
    return not any(heading.start <= at < heading.body for heading in segments.all[number].all_headings)


def swallows(segments: Segments, text: str, start: int, end: int, inserted: str) -> bool:
    """Whether the lines touched, as they were or will be, may begin or end a block that goes on for ever."""
    begin = segments.begin(segments.number_at(start))
    line = max(text.rfind("\n", begin, start), text.rfind("\r", begin, start), begin - 1) + 1
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    lines = text[line:stop], text[line:start] + inserted + text[end:stop]
    return any(_SWALLOWS.search(one) is not None for one in lines)


def shift_segments(segments: Segments, start: int, shift: int) -> Segments:
    """The segments after a plain edit at `start` that has made the text longer by `shift`."""
    number = segments.number_at(start)
    one, at = segments.all[number], start - segments.begin(number)
    headings, inner = (
        tuple(heading.move_by(0, shift) if heading.start > at else heading for heading in some)
        for some in (one.headings, one.inner)
    )
    grown = Segment(one.length + shift, one.breaks, headings, one.highest, inner)
    return Segments((*segments.all[:number], grown, *segments.all[number + 1 :]), segments.least)
