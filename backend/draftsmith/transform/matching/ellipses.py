"""Rungs for a find with an ellipsis that the text lacks: the dots stand for the rest of a line, or for words between.

At an end, the line must be a block by itself, else nobody can say how far the dots reach. In the middle, what stands
before and after the dots must stand in that order, in one block, at one place only. No blank at an end of a line
belongs to the dots.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from draftsmith.transform.matching.equivalence import BORDER, normal_form
from draftsmith.transform.matching.lines import line_after, line_before, line_end, line_start
from draftsmith.transform.matching.search_range import SearchRange, TextMatch

Search = Callable[[str, SearchRange], Sequence[TextMatch]]  # by the rungs that change no words

_LEAST = 12  # characters of the rest of a find with an ellipsis at an end
_LEAST_PIECE = 5  # characters of each piece of one with an ellipsis in the middle
_MOST = 20  # places of a piece
_LONGEST = 2_000  # characters that dots in the middle may stand for
_DOTS = r"(?:\[(?:\.\.\.|…)\]|\((?:\.\.\.|…)\)|\.\.\.|…)"
_AT_START = re.compile(rf"\s*+{_DOTS}\s*+")
_SORTS_OF_DOTS = ("[...]", "[…]", "(...)", "(…)", "...", "…")
_RUN = r"(?:\.\ ?\.\ ?\.\.?|…)(?!\.)"
_INNER_DOTS = rf"(?:\[\ ?{_RUN}\ ?\]|\(\ ?{_RUN}\ ?\)|(?<!\.){_RUN})"
_BETWEEN = re.compile(
    rf"(?<=\S)[ \t]*+(?:\n[ \t]*+)?{_INNER_DOTS}(?:\ ?{_INNER_DOTS}){{0,3}}[ \t]*+(?:\n[ \t]*+)?(?=\S)"
)
_ITEM = re.compile(r"[ \t]*(?:>[ \t]*)*(?:[-*+]|\d{1,9}[.)])[ \t]|[ \t]*#{1,6}[ \t]|[ \t]*\|")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]")
_BREAK = re.compile(r"\r\n|\n|\r")
_CONTENT = re.compile(r"[ \t]*(?:>[ \t]*)*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+|#{1,6}[ \t]+)?(?:\[[ xX]\][ \t]+)?")


def has_ellipsis(find: str) -> bool:
    """Whether a find begins or ends with an ellipsis."""
    return _AT_START.match(find) is not None or _end_dots(find) is not None


def _end_dots(text: str) -> int | None:
    """Where the ellipsis at the end of a text begins, blanks after it apart; None if there is none."""
    bare = text.rstrip()
    return next((len(bare) - len(dots) for dots in _SORTS_OF_DOTS if bare.endswith(dots)), None)


def at_an_end(find: str, place: SearchRange, search: Search) -> list[TextMatch]:
    """Matches of a find with an ellipsis at its end (or start), to the end (from the start) of their line."""
    tail, head = _end_dots(find), _AT_START.match(find)
    if (tail is None) == (head is None):  # neither, or both
        return []
    rest = (find[:tail] if tail is not None else find[head.end() if head else 0 :]).strip()
    if len(rest) < _LEAST or "\n" in rest:
        return []
    spans = [_to_line_border(place, one, ends=tail is not None) for one in search(rest, place)]
    return [span for span in spans if span is not None]


def in_the_middle(find: str, place: SearchRange, search: Search) -> list[TextMatch]:
    """Matches of a find with an ellipsis in the middle: from its beginning to its end, in one block.

    Each piece may stand there several times, if they stand in order in one block only once; one word alone may not.
    """
    pieces = [piece.strip() for piece in _BETWEEN.split(find.strip())]
    if len(pieces) < 2 or has_ellipsis(find) or any(_is_short(piece) for piece in pieces):
        return []
    spans: list[tuple[int, int]] = [(place.start, place.start)]
    for number, piece in enumerate(pieces):
        hits = search(piece, place)
        is_one_word = len(piece.split()) < 2
        if len(hits) > _MOST or (is_one_word and sum(hit.start >= spans[0][1] for hit in hits) > 1):
            return []
        spans = [
            (start if number else hit.start, hit.end)
            for start, end in spans
            for hit in hits
            if hit.start >= end and (not number or _is_one_block(place.text, start, hit.end))
        ]
        if not 0 < len(spans) <= _MOST:
            return []
    return [TextMatch(*spans[0], "ellipsis")] if len(spans) == 1 else []


def _is_short(piece: str) -> bool:
    return len(piece) < _LEAST_PIECE or not any(map(str.isalpha, piece))


def _is_one_block(text: str, start: int, end: int) -> bool:
    """Whether a span stays in one paragraph or item."""
    if end - start > _LONGEST or BORDER in normal_form(text[start:end], "B").text:
        return False
    return not any(_ITEM.match(line) for line in _BREAK.split(text[start:end])[1:])


def _to_line_border(place: SearchRange, found: TextMatch, *, ends: bool) -> TextMatch | None:
    """Extend a span to the end (or start) of its line; None unless that line is a separate block.

    Dots that stand in the text right there are what is meant.
    """
    text = place.text
    first, last = line_start(text, found.start), line_end(text, found.end)
    if ends:
        dots = _AT_START.match(text, found.end, last)
        if dots is not None:
            return TextMatch(found.start, found.end + len(dots[0].rstrip()), "ellipsis")
    else:
        begins = _end_dots(text[first : found.start])
        if begins is not None:
            return _from(found, first + begins)
    if not (_is_alone(text, first, last) and place.start <= first and last <= place.end):
        return None
    if ends:
        line = text[found.end : last]
        return TextMatch(found.start, found.end + len(line.rstrip(" \t")), "ellipsis")
    content = _CONTENT.match(text, first, last)
    return _from(found, content.end() if content is not None else first)


def _from(found: TextMatch, start: int) -> TextMatch:
    return TextMatch(start, found.end, "ellipsis")


def _is_alone(text: str, first: int, last: int) -> bool:
    """Whether a line is a separate block: next to blank lines, other list items or headings."""
    before, after = line_before(text, first), line_after(text, last)
    begins = _ITEM.match(text, first, last) is not None
    is_first = before is None or not before.strip() or begins or _HEADING.match(before) is not None
    return is_first and (after is None or not after.strip() or _ITEM.match(after) is not None)
