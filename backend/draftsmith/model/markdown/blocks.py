"""Cuts a Markdown text into segments, and after a change reads only those around it again.

A segment begins where markdown-it-py's block parser begins a top-level block or an item of a top-level list: what it
reads from there on depends on nothing before. Nor does any block before look beyond the first line of a segment
(`_is_border`): that line follows a blank one, or begins with a mark that ends every paragraph. (Blocks look at the
first line after them that is not blank; only a link reference definition looks on, to the end of its paragraph.)

So a change is read from the last segment whose first line lies before it, to the first old border behind it at which
the parser begins a block again and which still is a border: it is then where it was, and what follows is the same.

Nothing is read after an edit inside a line of words, which changes no block (`is_plain`). What the block parser makes
of a line depends on what it begins with; a line whose first mark is a letter begins nothing. Its other characters
matter only where it may end an HTML block (`-->`), belongs to a link reference definition that a line above has begun,
or may be the head of a table (`|`). So text typed behind that letter only moves what follows, however long its block.
Not here: the values (`segments`), sections (`sections`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from typing import Final, NamedTuple

from draftsmith.model.markdown.block_parser import PARSER
from draftsmith.model.markdown.segments import LEAST, HeadingSpan, Segment, Segments, join_segments, segment
from draftsmith.model.markdown.titles import plain_title

BOM: Final = "\ufeff"
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_ENDS_PARAGRAPHS: Final = re.compile(r"#{1,6}(?=[ \t\r\n]|\Z)|[-+*][ \t]|>|~~~")
_MARKS: Final = r"(?>(?>[ \t>]|(?:[-*+]|\d{1,9}[.)])[ \t])*)"
"""What may stand before the text of a line: quotes and list items."""
_BEGINS_NOTHING: Final = re.compile(_MARKS + r"[^\W\d_]")
_BEGINS_DEFINITION: Final = re.compile(r"(?:^|\r)" + _MARKS + r"\[", re.MULTILINE)
"""A line that may begin a link reference definition."""
_SWALLOWS: Final = re.compile(
    r"^[ \t>*+\-\d.)]*+(?:```|~~~|<[!?]|<(?:script|pre|style|textarea))|-->|\?>|\]\]>|</(?:script|pre|style|textarea)",
    re.MULTILINE | re.IGNORECASE,
)
_MAY_CHANGE_BLOCKS: Final = re.compile(r"[\r\n<>\[\]|]")


class SegmentSplice(NamedTuple):
    """The segments after a change, and how many characters were handed to the parser for it."""

    segments: Segments
    read: int


class _BlockOutline(NamedTuple):
    """What the parser says of a piece: where blocks and items begin, and the headings; relative to the piece.

    `inner`: the headings in quotes and lists.
    """

    borders: list[int]
    headings: list[HeadingSpan]
    inner: list[HeadingSpan]


def segments_of(text: str, front: int, least: int = LEAST) -> Segments:
    """Cut a text into segments of at least so many characters; `front`: where its front matter ends, or -1."""
    return Segments(tuple(_cut(text, 0, len(text), _read(text, 0, len(text), front), least)), least)


def splice_segments(old: Segments, start: int, end: int, text: str, front: int) -> SegmentSplice:
    """Make the segments after a change in `[start, end)`.

    Args:
        old: the segments before.
        start, end: code points of the text before.
        text: the whole text after.
        front: where its front matter ends, or -1; before the change it ended there, too, if the change is behind it.
    """
    shift = len(text) - old.ends[-1]
    first = _first_read(old, start, text)
    begin = old.begin(first)
    behind = bisect_left(old.ends, end) + 1  # the first segment that begins behind the change
    last, read = behind, 0
    while True:
        stop = _line_end(text, old.begin(last) + shift) if last < len(old.all) else len(text)
        reading = _read(text, begin, stop, front)
        read += stop - begin
        again = _next_common_begin(reading.borders, old, behind, text, begin, stop)
        if again < len(old.all) or stop == len(text):
            break
        last = max(last + 1, bisect_left(old.ends, stop - shift + stop - begin))
    made = [*_cut(text, begin, old.begin(again) + shift, reading, old.least)]
    if made[-1].length < old.least and again < len(old.all):
        made[-1] = join_segments(made[-1], old.all[again])
        again += 1
    return SegmentSplice(Segments((*old.all[:first], *made, *old.all[again:]), old.least), read)


def is_plain(segments: Segments, text: str, start: int, end: int, inserted: str) -> bool:
    """Whether to replace `[start, end)` of `text` by `inserted` leaves all blocks and titles as they are."""
    if _MAY_CHANGE_BLOCKS.search(text, start, end) or _MAY_CHANGE_BLOCKS.search(inserted):
        return False
    number = segments.number_at(start)
    begin = segments.begin(number)
    line = max(text.rfind("\n", begin, start), text.rfind("\r", begin, start), begin - 1) + 1
    begun = _BEGINS_NOTHING.match(text, line, start)
    if begun is None or _BEGINS_DEFINITION.search(text, max(text.rfind("\n\n", begin, line), begin), line) is not None:
        return False
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    if any(text.find(mark, begun.end(), stop) >= 0 for mark in "<>|"):
        return False
    at = start - begin
    return not any(heading.start <= at < heading.body for heading in segments.all[number].all_headings)


def may_swallow(segments: Segments, text: str, start: int, end: int, inserted: str) -> bool:
    """Whether the lines of an edit, before or after it, may begin or end a block that goes on to the text's end."""
    begin = segments.begin(segments.number_at(start))
    line = max(text.rfind("\n", begin, start), text.rfind("\r", begin, start), begin - 1) + 1
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    lines = text[line:stop], text[line:start] + inserted + text[end:stop]
    return any(_SWALLOWS.search(one) is not None for one in lines)


def shift_segments(segments: Segments, start: int, shift: int) -> Segments:
    """Return the segments after a plain edit at `start` that has made the text longer by `shift`."""
    number = segments.number_at(start)
    one, at = segments.all[number], start - segments.begin(number)
    headings, inner = (
        tuple(heading.move_by(0, shift) if heading.start > at else heading for heading in some)
        for some in (one.headings, one.inner)
    )
    grown = Segment(one.length + shift, one.breaks, headings, one.highest, inner)
    return Segments((*segments.all[:number], grown, *segments.all[number + 1 :]), segments.least)


def _first_read(old: Segments, start: int, text: str) -> int:
    """Return the last segment whose first line ends before a change, so that it begins a block there as before."""
    first = old.number_at(start)
    while first and _line_end(text, old.begin(first)) >= start:
        first -= 1
    return first


def _next_common_begin(borders: Sequence[int], old: Segments, behind: int, text: str, begin: int, stop: int) -> int:
    """Return the first old segment from `behind` on that begins before `stop` and where the parser begins a block."""
    shift = len(text) - old.ends[-1]
    known = set(borders)
    for number in range(behind, len(old.all)):
        at = old.begin(number) + shift
        if at >= stop:
            break
        if at - begin in known and _is_border(text, at):
            return number
    return len(old.all)


def _line_end(text: str, at: int) -> int:
    """Return where the line of an offset ends, with its line end."""
    found = _LINE_END.search(text, at)
    return len(text) if found is None else found.end()


def _is_border(text: str, at: int) -> bool:
    """Whether no block before the line at `at`, which begins one, looks beyond that line."""
    if _ENDS_PARAGRAPHS.match(text, at):
        return True
    before = at - 1 - (text[at - 2 : at] == "\r\n")  # where the line before ends
    while before > 0 and text[before - 1] in " \t":
        before -= 1
    return before <= 0 or text[before - 1] in "\r\n"


def _read(text: str, begin: int, stop: int, front: int) -> _BlockOutline:
    """Read a piece of a text that begins outside any block."""
    piece = text[begin:stop]
    source, skipped = piece, 0
    if begin == 0:
        # A front matter's `---` makes no heading, and a byte order mark is no letter before the first heading's `#`.
        source = without_front_matter(piece, front)
        skipped = int(source.startswith(BOM))
    starts = line_starts(piece)
    reading = _BlockOutline([], [], [])
    tokens = PARSER.parse(source[skipped:])
    for index, token in enumerate(tokens):
        # Whether the parser begins something there that depends on nothing before.
        is_top = not token.level or (token.level == 1 and token.type == "list_item_open")
        is_heading = token.type == "heading_open"
        if token.map is None or not (is_top or is_heading):
            continue
        begins, after = token.map
        start = starts[begins] or skipped
        if is_top:
            reading.borders.append(start)
        if is_heading:
            title = " ".join(part.strip() for part in tokens[index + 1].content.split("\n")).strip()
            body = starts[after] if after < len(starts) else len(piece)
            found = HeadingSpan(int(token.tag[1]), title, plain_title(title), begins, start, body)
            (reading.inner if token.level else reading.headings).append(found)
    return reading


def without_front_matter(text: str, front: int) -> str:
    """Blank the lines of a YAML front matter that ends at `front`, so that offsets are kept."""
    return text if front < 0 else re.sub(r"[^\r\n]", " ", text[:front]) + text[front:]


def _cut(text: str, begin: int, end: int, reading: _BlockOutline, least: int) -> Iterator[Segment]:
    """Cut what has been read from `begin` on into segments, up to `end`."""
    size = end - begin
    at = lines = 0
    rests = deque(reading.headings), deque(reading.inner)
    borders = (one for one in reading.borders if size - one >= least)
    for border in chain(borders, [size]):
        if border < size and (border - at < least or not _is_border(text, begin + border)):
            continue
        headings, inner = ([*_take_headings(rest, border, -lines, -at)] for rest in rests)
        breaks = line_breaks(text, begin + at, begin + border)
        yield segment(border - at, breaks, headings, inner)
        lines += breaks
        at = border


def _take_headings(headings: deque[HeadingSpan], stop: int, by_lines: int, by: int) -> Iterator[HeadingSpan]:
    """Take the headings that begin before `stop` from those that are left, and move them."""
    while headings and headings[0].start < stop:
        yield headings.popleft().move_by(by_lines, by)


def line_starts(text: str) -> list[int]:
    """Return the offsets at which the lines of a text begin."""
    if "\r" in text:
        return [0, *(found.end() for found in _LINE_END.finditer(text))]
    lengths = map(len, text.split("\n"))
    return [0, *(at + number for number, at in enumerate(accumulate(lengths), 1))][:-1]


def line_breaks(text: str, start: int, end: int) -> int:
    """Count the lines that end in a span of a text."""
    breaks = text.count("\n", start, end)
    if text.find("\r", start, end) < 0:
        return breaks
    return breaks + text.count("\r", start, end) - text.count("\r\n", start, end)
