"""The change that an edit makes: the span that its find means, and the replacement that comes there.

The replacement is taken verbatim, apart from line ends, outer white space that find and document share, and line breaks
at an end of the find that the replacement has not: an edit joins no two lines that were apart. Where a mark of
emphasis, code or a link stands at an end of the find, it is taken as a pair or not at all: an edit leaves no half pair
behind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from draftsmith.transform.marks import LONGEST, SIGNS, Pair, context, is_in_fence, marks_of
from draftsmith.transform.search_range import TextMatch
from draftsmith.transform.widening import with_partners

Splice = tuple[int, int, str]  # from, to, new text

_QUOTE_MARKS = re.compile(r"[ \t]*(>[ \t>]*)")
_LINE_END = re.compile(r"\r\n|\n|\r")
_OPENS = re.compile(r"[*_~`\[]+")
_CLOSES = re.compile(r"(?:(?<![*_~`])[*_~`]++|\](?:\([^()\s]*+\)?)?)\Z")
_BLANKS = re.compile(r"[ \t]+")


def fitted(text: str, found: TextMatch, find: str, replace: str, begins: int) -> Splice | None:
    """The change for a match; None if it would leave half a pair of marks behind.

    Args:
        text: of the document.
        found: the match.
        find, replace: as asked.
        begins: where the section begins.
    """
    if found.rung == "exact" and not SIGNS & set(find):
        return replacement(text, found, find, replace)
    first, last = context(text, found.start, found.end)
    if (
        not SIGNS & set(text[first:last] + replace)
        or last - first > 3 * LONGEST
        or is_in_fence(text, begins, found.start)
    ):
        return replacement(text, found, find, replace)
    before = marks_of(text[first:last])
    pairs = [one.moved(first) for one in before.pairs]
    quoted = marks_of(text[found.start : found.end] if found.rung == "escapes" else find)
    may_stray = before.strays + marks_of(replace).strays - quoted.strays
    for start, end in _spans(text, found, find, pairs):
        change = replacement(text, TextMatch(start, end, found.rung), find, replace)
        first, last = context(text, change[0], change[1])
        after = marks_of(text[first : change[0]] + change[2] + text[change[1] : last])
        if not after.strays - may_stray:
            return change
    return None


def _spans(text: str, found: TextMatch, find: str, pairs: list[Pair]) -> Iterator[tuple[int, int]]:
    """The spans that a match may mean, the likeliest first."""
    span = found.start, found.end
    widened = with_partners(*span, pairs)
    if found.rung in ("exact", "equivalent", "escapes"):
        if widened is not None and _splits_a_run(text, *span):
            yield widened
        yield span
    else:
        bare = find.strip()
        whole = marks_of(bare).pairs
        if any(one.outer == 0 and one.outer_end == len(bare) for one in whole):
            around = [(one.outer, one.outer_end) for one in pairs if (one.inner, one.inner_end) == span]
            yield from around
        yield span
        opens, closes = _OPENS.match(bare), _CLOSES.search(bare)
        start = span[0] - len(opens[0]) if opens is not None and text.endswith(opens[0], 0, span[0]) else span[0]
        end = span[1] + len(closes[0]) if closes is not None and text.startswith(closes[0], span[1]) else span[1]
        yield from dict.fromkeys([(start, end), (start, span[1]), (span[0], end)])
    if widened is not None:
        yield widened


def _splits_a_run(text: str, start: int, end: int) -> bool:
    """Whether a span begins or ends between two equal marks: a star of two stars is no mark of its own."""
    sides = text[max(0, start - 1) : start + 1], text[end - 1 : end + 1]
    return any(side in ("**", "__", "``", "~~") for side in sides)


def replacement(text: str, found: TextMatch, find: str, replace: str) -> Splice:
    """Return start, end and new text, without a look at marks.

    A find that did not match exactly is matched without its outer white space, so line breaks at its ends stay in the
    document; white space that find and replace share there is not doubled.
    """
    new = _with_line_ends(replace, text)
    if found.rung == "exact":
        return found.start, found.end, _with_line_breaks(text, found.start, found.end, new)
    start, end = _with_quote_marks(text, found.start, find), found.end
    lead, tail = find[: len(find) - len(find.lstrip())], find[len(find.rstrip()) :]
    if not new.strip():
        return _without_blank(text, start, end, lead, tail) if lead or tail else (start, end, new)
    if lead:
        new = _with_line_ends(replace[len(lead) :], text) if replace.startswith(lead) else new.lstrip()
    if tail:
        new = new[: len(new) - len(_with_line_ends(tail, text))] if replace.endswith(tail) else new.rstrip()
    return start, end, new


def _with_quote_marks(text: str, start: int, find: str) -> int:
    """Where a match begins if the find begins with quote marks: with those before it, which normal forms leave out."""
    if not find.lstrip().startswith(">"):
        return start
    line = _back_over(text, start, " \t>")
    marks = _QUOTE_MARKS.fullmatch(text, line, start) if _begins_line(text, line) else None
    return start if marks is None else marks.start(1)


def _back_over(text: str, at: int, characters: str) -> int:
    """Where the run of some characters begins that ends at a place."""
    while at and text[at - 1] in characters:
        at -= 1
    return at


def _begins_line(text: str, at: int) -> bool:
    return not at or text[at - 1] in "\r\n"


def _with_line_breaks(text: str, start: int, end: int, new: str) -> str:
    """The new text with the line breaks at the ends of the old one, where lines would be joined without them."""
    old = text[start:end]
    lead, tail = _outer_breaks(old)
    if new.strip():
        tail = "" if _LINE_END.search(new, len(new.rstrip())) else tail
        lead = "" if _LINE_END.search(new[: len(new) - len(new.lstrip())]) else lead
        return lead + new + tail
    is_joined = (
        bool(new or not _begins_line(text, start))
        and end < len(text)
        and text[end] not in "\r\n"
        and not _LINE_END.search(new)
    )
    longer = max(tail, lead, key=lambda gap: len(_LINE_END.findall(gap)))
    return new + longer if is_joined else new


def _outer_breaks(old: str) -> tuple[str, str]:
    """The white space at the beginning and at the end of a text, each empty unless it holds a line break."""
    lead, tail = old[: len(old) - len(old.lstrip())], old[len(old.rstrip()) :]
    if not old.strip():
        return "", old if _LINE_END.search(old) else ""
    return lead if _LINE_END.search(lead) else "", tail if _LINE_END.search(tail) else ""


def _without_blank(text: str, start: int, end: int, lead: str, tail: str) -> Splice:
    """Delete a span, with one of the blanks around it if the find has it, too."""
    words = _back_over(text, start, " \t")
    has_words = not _begins_line(text, words)
    if lead and not _LINE_END.search(lead) and has_words and (end == len(text) or not text[end].isalnum()):
        return words, end, ""
    after = re.compile(r"[ \t]+").match(text, end) if tail and not _LINE_END.search(tail) else None
    if after is not None and (not start or text[start - 1].isspace()):
        return start, after.end(), ""
    return start, end, ""


def _with_line_ends(new: str, text: str) -> str:
    """Convert line ends to those most frequent in the document."""
    if _LINE_END.search(new) is None:
        return new
    usual = _usual_line_end(text)
    if not usual or (usual == "\n" and "\r" not in new):
        return new
    return _LINE_END.sub(lambda _: usual, new)


@lru_cache(maxsize=4)
def _usual_line_end(text: str) -> str:
    """The most frequent line end; empty if there is none. Cached, since every hit of an edit asks."""
    if "\r" not in text:
        return "\n" if "\n" in text else ""
    crlf = text.count("\r\n")
    counts = {"\r\n": crlf, "\n": text.count("\n") - crlf, "\r": text.count("\r") - crlf}
    return max(counts, key=lambda end: counts[end]) if any(counts.values()) else ""
