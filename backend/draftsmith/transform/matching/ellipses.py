"""Rungs for a find with an ellipsis that the text lacks: the dots stand for the rest of a line, or for words between.

At an end, the line must be a block by itself, else nobody can say how far the dots reach. In the middle, what stands
before and after the dots must stand in that order, in one block, at one place only. No blank at an end of a line
belongs to the dots, and no word is cut in two but by dots that have no blank before or behind them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from draftsmith.transform.matching.equivalence import BORDER, normal_form
from draftsmith.transform.matching.lines import is_in_word, line_after, line_before, line_end, line_start
from draftsmith.transform.matching.search_range import Dots, SearchRange, TextMatch

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
_ANY_RUN = r"(?:…|\.\ ?\.\ ?\.)[.…]*+"
_ANY_DOTS = rf"(?:\[\ ?{_ANY_RUN}\ ?\]|\(\ ?{_ANY_RUN}\ ?\)|{_ANY_RUN})"
_DOTS_IN_TEXT = re.compile(rf"{_ANY_DOTS}(?>(?:\ ?{_ANY_DOTS})*)")
_ITEM = re.compile(r"[ \t]*(?:>[ \t]*)*(?:[-*+]|\d{1,9}[.)])[ \t]|[ \t]*#{1,6}[ \t]|[ \t]*\|")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]")
_BREAK = re.compile(r"\r\n|\n|\r")
_CONTENT = re.compile(r"[ \t]*(?:>[ \t]*)*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+|#{1,6}[ \t]+)?(?:\[[ xX]\][ \t]+)?")


def has_ellipsis(find: str) -> bool:
    """Whether a find begins or ends with an ellipsis."""
    return _AT_START.match(find) is not None or _end_dots(find) is not None


def dots_of(text: str) -> list[tuple[int, int]]:
    """Where dots stand in a text, each run with its brackets; several with blanks between them are one."""
    return [found.span() for found in _DOTS_IN_TEXT.finditer(text)]


def has_dots_beyond(find: str, stretch: str) -> bool:
    """Whether a find has more dots than the text that it means, so that some of them stand for words there."""
    return len(dots_of(find)) > len(dots_of(stretch))


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
    bare, ends = find.strip(), tail is not None
    border = len(rest) if ends else len(bare) - len(rest)
    first, last = (border, len(bare)) if ends else (0, border)
    found = []
    for hit in _hits(bare, (0, border) if ends else (border, len(bare)), place, search):
        span = _to_line_border(place, hit, ends=ends)
        if span is not None:
            start, end = (hit.end, span[1]) if ends else (span[0], hit.start)
            found.append(TextMatch(*span, "ellipsis", (Dots(first, last, start, end),)))
    return found


def in_the_middle(find: str, place: SearchRange, search: Search) -> list[TextMatch]:
    """Matches of a find with an ellipsis in the middle: from its beginning to its end, in one block.

    Each piece may stand there several times, if they stand in order in one block only once; one word alone may not.
    """
    bare = find.strip()
    between = list(_BETWEEN.finditer(bare))
    borders = [0, *(at for dots in between for at in dots.span()), len(bare)]
    pieces = list(zip(borders[::2], borders[1::2], strict=True))
    if not between or has_ellipsis(find) or any(_is_short(bare[first:last]) for first, last in pieces):
        return []
    ways: list[tuple[TextMatch, ...]] = [()]  # to find the pieces so far
    for piece in pieces:
        hits = _hits(bare, piece, place, search)
        is_one_word = len(bare[slice(*piece)].split()) < 2
        behind = ways[0][-1].end if ways[0] else place.start
        if len(hits) > _MOST or (is_one_word and sum(hit.start >= behind for hit in hits) > 1):
            return []
        ways = [(*way, hit) for way in ways for hit in hits if not way or _goes_on(place.text, way, hit)]
        if not 0 < len(ways) <= _MOST:
            return []
    if len(ways) > 1:
        return []
    [way] = ways
    both = zip(between, pairwise(way), strict=True)
    dots = tuple(Dots(*_bare_span(found), one.end, other.start) for found, (one, other) in both)
    return [TextMatch(way[0].start, way[-1].end, "ellipsis", dots)]


def _hits(find: str, piece: tuple[int, int], place: SearchRange, search: Search) -> list[TextMatch]:
    """The matches of a piece of a find, without those that cut a word where no dots of the find do."""
    first, last = piece
    may_begin, may_end = find[:first][-1:].strip(), find[last : last + 1].strip()
    hits = (hit for hit in search(find[first:last], place) if may_begin or not is_in_word(place.text, hit.start))
    return [hit for hit in hits if may_end or not is_in_word(place.text, hit.end)]


def _goes_on(text: str, way: tuple[TextMatch, ...], hit: TextMatch) -> bool:
    """Whether a match of a piece may follow those of the pieces before it."""
    return hit.start >= way[-1].end and _is_one_block(text, way[0].start, hit.end)


def _bare_span(found: re.Match[str]) -> tuple[int, int]:
    """The span of a match without white space around it."""
    return found.end() - len(found[0].lstrip()), found.start() + len(found[0].rstrip())


def _is_short(piece: str) -> bool:
    return len(piece) < _LEAST_PIECE or not any(map(str.isalpha, piece))


def _is_one_block(text: str, start: int, end: int) -> bool:
    """Whether a span stays in one paragraph or item."""
    if end - start > _LONGEST or BORDER in normal_form(text[start:end], "B").text:
        return False
    return not any(_ITEM.match(line) for line in _BREAK.split(text[start:end])[1:])


def _to_line_border(place: SearchRange, found: TextMatch, *, ends: bool) -> tuple[int, int] | None:
    """Extend a span to the end (or start) of its line; None unless that line is a separate block.

    Dots that stand in the text right there are what is meant. In a row of a table, unless the rest of the find begins
    (or ends) with the row, they stand for the rest of its last (or first) cell.
    """
    text = place.text
    first, last = line_start(text, found.start), line_end(text, found.end)
    if ends:
        dots = _AT_START.match(text, found.end, last)
        if dots is not None:
            return found.start, found.end + len(dots[0].rstrip())
    else:
        at = _end_dots(text[first : found.start])
        if at is not None:
            return first + at, found.end
    if not (_is_alone(text, first, last) and place.start <= first and last <= place.end):
        return None
    content = _CONTENT.match(text, first, last)
    begins = content.end() if content is not None else first
    before, behind = text[begins : found.start], text[found.end : last]
    if ends:
        rest, elided = before, behind.rstrip(" \t")
        cell = elided.removesuffix("|").rstrip(" \t")
    else:
        rest, elided = behind, before
        cell = elided.removeprefix("|").lstrip(" \t")
    if rest.strip():
        if "|" in cell:
            return None
        elided = cell
    return (found.start, found.end + len(elided)) if ends else (found.start - len(elided), found.end)


def _is_alone(text: str, first: int, last: int) -> bool:
    """Whether a line is a separate block: next to blank lines, other list items or headings."""
    before, after = line_before(text, first), line_after(text, last)
    begins = _ITEM.match(text, first, last) is not None
    is_first = before is None or not before.strip() or begins or _HEADING.match(before) is not None
    return is_first and (after is None or not after.strip() or _ITEM.match(after) is not None)
