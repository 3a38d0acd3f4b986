"""The change that an edit makes: the span that its find means, and the replacement that comes there.

A replacement of what was quoted exactly is taken verbatim, apart from line ends and line breaks at an end of the find
that it has not: an edit joins no two lines that were apart. Otherwise it is laid over what stands there (`overlay`).
Where a mark of emphasis, code or a link stands at an end of the find, it is taken as a pair or not at all: an edit
leaves no half pair behind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from dataclasses import replace as replaced
from functools import lru_cache

from draftsmith.transform.matching.ellipses import dots_of, has_dots_beyond
from draftsmith.transform.matching.equivalence import Form, form_of_find
from draftsmith.transform.matching.marked_words import addresses
from draftsmith.transform.matching.marks import (
    LONGEST,
    SIGNS,
    Pair,
    context,
    is_in_fence,
    known_marks_of,
    marks_of,
    with_partners,
)
from draftsmith.transform.matching.overlay import AmbiguousAlignment, LostMark, UnmatchedDots, laid_over
from draftsmith.transform.matching.search_range import Dots, TextMatch
from draftsmith.transform.matching.word_alignment import Pay

Splice = tuple[int, int, str]  # from, to, new text

_QUOTE_MARKS = re.compile(r"[ \t]*(>[ \t>]*)")
_LINE_END = re.compile(r"\r\n|\n|\r")
_OPENS = re.compile(r"[*_~`\[]+")
_CLOSES = re.compile(r"(?:(?<![*_~`])[*_~`]++|\](?:\([^()\s]*+\)?)?)\Z")
_BLANKS = re.compile(r"[ \t]+")


@dataclass(frozen=True, slots=True)
class FittedChange:
    """A change of the document, and the marks that it removes although the edit did not name them."""

    change: Splice
    lost_marks: Sequence[LostMark] = ()


def fit_replacement(text: str, found: TextMatch, find: str, replace: str, begins: int, pay: Pay) -> FittedChange | None:
    """The change for a match; None if it would leave half a pair of marks behind.

    Args:
        text: of the document.
        found: the match.
        find, replace: as asked.
        begins: where the section begins.
        pay: is told how many units of work come next.

    Raises:
        AmbiguousAlignment, UnmatchedDots: as `laid_over`.
    """
    if found.rung == "exact" and not SIGNS & set(find):
        return FittedChange(replacement(text, found, find, replace))
    first, last = context(text, found.start, found.end)
    is_code = is_in_fence(text, begins, found.start)
    if not SIGNS & set(text[first:last] + replace) or last - first > 3 * LONGEST or is_code:
        return _change(text, found, find, replace, pay, is_code=is_code)[0]
    before = known_marks_of(text[first:last])
    pairs = [one.move_by(first) for one in before.pairs]
    quoted = known_marks_of(text[found.start : found.end] if found.rung == "escapes" else find)
    may_stray = before.strays + known_marks_of(replace).strays - quoted.strays
    for start, end in _spans(text, found, find, pairs):
        made, marks = _change(text, replaced(found, start=start, end=end), find, replace, pay)
        change = made.change
        first, last = context(text, change[0], change[1])
        block = text[first : change[0]] + change[2] + text[change[1] : last]
        after, by = marks_of(block), change[0] - first
        if not after.strays - may_stray and {one.move_by(by) for one in marks} <= {*after.pairs, *addresses(block)}:
            return made
    return None


def fitted_everywhere(
    text: str, hits: Sequence[TextMatch], find: str, replace: str, begins: int, pay: Pay
) -> Iterator[FittedChange]:
    """The changes for all matches of a find.

    Raises:
        AmbiguousAlignment, UnmatchedDots: as `laid_over`.
    """
    for hit in hits:
        if hit.rung == "exact":
            yield FittedChange(replacement(text, hit, find, replace))
        else:
            yield _change(text, hit, find, replace, pay, is_code=is_in_fence(text, begins, hit.start))[0]


def _change(
    text: str, found: TextMatch, find: str, replace: str, pay: Pay, *, is_code: bool = False
) -> tuple[FittedChange, Sequence[Pair]]:
    """The change that replaces a span, and the marks in the new text that must be marks there."""
    start, end, new = replacement(text, found, find, replace)
    if found.rung == "exact":
        return FittedChange((start, end, new)), ()
    first, last = context(text, start, end)
    pairs = () if is_code else known_marks_of(text[first:last]).pairs
    inside = [one.move_by(first - start) for one in pairs if one.outer + first < end and start < one.outer_end + first]
    form = _form(found.rung, text[start:end], find)
    reads_marks = form == "B" and not is_code
    dots = [one.move_by(-start) for one in found.dots]
    stretch, quoted = text[start:end], find.strip()
    if found.rung == "fuzzy" and new != quoted and dots_of(new) and has_dots_beyond(quoted, stretch):
        raise UnmatchedDots(Dots(*dots_of(quoted)[0], start, end))
    try:
        made = laid_over(stretch, inside, quoted, new, dots=dots, form=form, reads_marks=reads_marks, pay=pay)
    except AmbiguousAlignment as unclear:
        raise AmbiguousAlignment(replaced(unclear.mark, at=start + unclear.mark.at)) from None
    except UnmatchedDots as unclear:
        raise UnmatchedDots(unclear.dots.move_by(start)) from None
    lost = [replaced(one, at=start + one.at) for one in made.lost_marks]
    is_empty = not new.strip()
    return FittedChange((start, end, new if is_empty else made.text), lost), () if is_empty else made.pairs


def _form(rung: str, stretch: str, find: str) -> Form:
    """The form in which a match is the same as its find, or nearly so; only in B, marks may differ."""
    if rung == "equivalent":
        return "A"
    if rung != "escapes":
        return "B"
    same, quoted = (form_of_find(text, "D").text.strip() for text in (stretch, find))
    return "D" if same == quoted else "E"


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
        if found.rung == "ellipsis" and widened is not None:
            yield widened
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
    """Return start, end and new text, without a look at marks, and verbatim but for white space.

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
