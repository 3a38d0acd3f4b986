"""Pairs of Markdown marks in running text: emphasis, code and links, by the rules of CommonMark.

They tell whether an edit would leave half a pair behind, and widen its span to both halves. Blocks are told apart by
blank lines and by lines that begin an item, a heading or a table row; a mark never pairs with one of another block.

Source: CommonMark 0.31, "Delimiter run" and "process emphasis".
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from draftsmith.model.markdown.code_spans import CodeSpans
from draftsmith.transform.matching.lines import line_end, line_start

SIGNS = frozenset("*_`[]~")
LONGEST = 4_000  # characters of a block; in a longer one, marks are not looked at
_BLOCK = re.compile(r"(?:[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]|[ \t>]*#{1,6}[ \t]|[ \t>]*\||[ \t>]*(?:```|~~~))")
_BREAK = re.compile(r"\r\n|\n|\r")
_TOKEN = re.compile(
    r"(?P<escaped>\\[!-/:-@\[-`{-~])"
    r"|(?P<ticks>`++)"
    r"|(?P<auto><[A-Za-z/!][^<>\s]*+(?>(?:\s[^<>]*+)?)>)"
    r"|(?P<open>!?\[)"
    r"|(?P<close>\](?P<target>"
    r"\(\s*+(?:<[^<>\r\n]*+>|[^\s()]*+(?>(?:\([^\s()]*+\)[^\s()]*+)*))(?:(?:(?<=\s)|\s++)(?:\"[^\"]*+\"|'[^']*+'))?\s*+\)"
    r"|\[[^\[\]]*+\])?)"
    r"|(?P<run>\*++|_++|~~)"
)
_FENCE = re.compile(r"```+|~~~+")  # begins with letters, so that the search for it is fast


@dataclass(frozen=True, slots=True)
class Pair:
    """Two marks and what stands between: where the first begins and ends, and where the second does."""

    outer: int
    inner: int
    inner_end: int
    outer_end: int

    def move_by(self, by: int) -> Pair:
        """The same pair further on."""
        return Pair(self.outer + by, self.inner + by, self.inner_end + by, self.outer_end + by)


@dataclass(slots=True)
class Marks:
    """The pairs of a text, and how many marks have no partner, by sign."""

    pairs: list[Pair] = field(default_factory=list)
    strays: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class _Run:
    """A run of marks; `size` of them, from `start` on, have no partner yet. `full`: its whole length."""

    sign: str
    start: int
    size: int
    full: int
    opens: bool
    closes: bool


def marks_of(text: str) -> Marks:
    """The marks of a text of one or more blocks; linear in its length."""
    found = Marks()
    for start, end in _blocks(text):
        _read_block(text[start:end], start, found)
    return found


known_marks_of = lru_cache(maxsize=16)(marks_of)
"""As `marks_of`, for texts that are asked for again; nobody changes what it returns."""


def context(text: str, start: int, end: int) -> tuple[int, int]:
    """The span of whole blocks that a span of a text touches, as far as they can be looked at."""
    first = line_start(text, start)
    least, most = start - LONGEST, end + LONGEST
    while first > max(0, least) and not _BLOCK.match(text, first):
        above = _line_before(text, first)
        if not text[above:first].strip(" \t>\r\n"):
            break
        first = above
    last = _line_end(text, end)
    while last < min(len(text), most):
        after = _line_end(text, last)
        if not text[last:after].strip(" \t>\r\n") or _BLOCK.match(text, last):
            break
        last = after
    return first, last


def is_in_fence(text: str, start: int, at: int) -> bool:
    """Whether a place is inside fenced or indented code; `start`: a place before it that is outside any block."""
    # Up to a power of two behind the place, so that for most of several places the same text is asked for again.
    stop = min(len(text), start + (1 << (at - start).bit_length()))
    fences = _fences(text[start:stop])
    number = bisect_left(fences, line_start(text, at) - start, key=lambda one: one[0])
    fence = fences[number - 1][1] if number else ""
    # On the line of a fence, of which only a part is before the place.
    if number < len(fences) and start + fences[number][0] < at:
        return bool(_fence_after(fence, text[start + fences[number][0] : at]))
    return bool(fence)


@lru_cache(maxsize=8)
def _fences(text: str) -> list[tuple[int, str]]:
    """The lines of a text that may begin or end a fenced block, and the fence that is open after each."""
    found: list[tuple[int, str]] = []
    fence = ""
    for run in _FENCE.finditer(text):
        begins = run.start()
        while begins > max(0, run.start() - 3) and text[begins - 1] == " ":
            begins -= 1
        if begins and text[begins - 1] not in "\r\n":
            continue
        fence = _fence_after(fence, text[begins : line_end(text, begins)])
        found.append((begins, fence))
    return found


def _fence_after(fence: str, line: str) -> str:
    """The fence that is open after a line; empty if none is."""
    mark = _FENCE.match(line.lstrip(" "))
    if mark is None:
        return fence
    if not fence:
        return mark[0]
    return "" if mark[0].startswith(fence) and not line.strip(" \t`~") else fence


def pairs_of(text: str, start: int, end: int) -> list[Pair]:
    """The pairs of marks in a span of a text, with offsets in the text; none if it is too long to be looked at."""
    if end - start > LONGEST:
        return []
    return [one.move_by(start) for one in marks_of(text[start:end]).pairs]


def block_starts(text: str) -> list[int]:
    """Where the blocks of a text begin."""
    return [start for start, _ in _blocks(text)]


def is_running_text(text: str) -> bool:
    """Whether a text is one block of running text: no item, heading, row, quote or code block."""
    return len(block_starts(text)) == 1 and not _BLOCK.match(text) and not text.lstrip().startswith(">")


def _line_before(text: str, first: int) -> int:
    return line_start(text, first - (2 if text.endswith("\r\n", 0, first) else 1))


def _line_end(text: str, at: int) -> int:
    """Behind the line end of the line in which a place stands."""
    found = _BREAK.search(text, at)
    return len(text) if found is None else found.end()


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    start = at = 0
    for found in _BREAK.finditer(text):
        is_blank = not text[at : found.end()].strip(" \t>\r\n")
        at = found.end()
        if is_blank or _BLOCK.match(text, at):
            yield start, at
            start = at
    yield start, len(text)


def _read_block(text: str, offset: int, marks: Marks) -> None:
    runs: list[_Run] = []
    brackets: list[tuple[int, int]] = []
    begins = _BLOCK.match(text)
    codes = CodeSpans(text)
    tokens = _TOKEN.finditer(text, begins.end() if begins is not None and "`" not in begins[0] else 0)
    while (found := next(tokens, None)) is not None:
        start, end = found.span()
        if found["ticks"] is not None:
            inner = codes.inner(start)
            if inner is None:
                marks.strays["`"] += 1
                continue
            code = Pair(start, *inner, inner[1] + end - start)
            marks.pairs.append(code.move_by(offset))
            tokens = _TOKEN.finditer(text, code.outer_end)
        elif found["open"] is not None:
            brackets.append((start, end))
        elif found["close"] is not None:
            _close_bracket(found, brackets, offset, marks)
        elif found["run"] is not None:
            opens, closes = _flanks(text, start, end)
            runs.append(_Run(text[start], start, end - start, end - start, opens, closes))
    marks.strays["["] += len(brackets)
    for pair in _emphasis(runs):
        marks.pairs.append(pair.move_by(offset))
    for run in runs:
        if run.size and (run.opens or run.closes):
            marks.strays[run.sign] += run.size
    marks.strays += Counter()  # drops zeros


def _close_bracket(found: re.Match[str], brackets: list[tuple[int, int]], offset: int, marks: Marks) -> None:
    if not brackets:
        marks.strays["]"] += 1
        return
    outer, inner = brackets.pop()
    if found["target"] is not None:
        marks.pairs.append(Pair(offset + outer, offset + inner, offset + found.start(), offset + found.end()))


def _flanks(text: str, start: int, end: int) -> tuple[bool, bool]:
    """Whether a run of marks can open and whether it can close."""
    before, after = text[start - 1 : start] or " ", text[end : end + 1] or " "
    left = not after.isspace() and (not _is_sign(after) or before.isspace() or _is_sign(before))
    right = not before.isspace() and (not _is_sign(before) or after.isspace() or _is_sign(after))
    if text[start] != "_":
        return left, right
    return left and (not right or _is_sign(before)), right and (not left or _is_sign(after))


def _is_sign(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def _emphasis(runs: list[_Run]) -> Iterator[Pair]:
    """Pair runs of marks; what is left of each stays in it."""
    bottoms: dict[tuple[str, bool, int], int] = {}  # below which no opener for such a closer is left
    openers: list[tuple[int, _Run]] = []  # by their places; what stands between two that are a pair is taken out
    for place, closer in enumerate(runs):
        kind = closer.sign, closer.opens, closer.full % 3
        while closer.closes and closer.size:
            at = _opener(openers, closer, bottoms.get(kind, 0))
            if at is None:
                bottoms[kind] = place
                break
            del openers[at + 1 :]
            opener = openers[at][1]
            size = 2 if min(opener.size, closer.size) >= 2 else 1
            inner, inner_end = opener.start + opener.size, closer.start
            yield Pair(inner - size, inner, inner_end, inner_end + size)
            opener.size -= size
            closer.size -= size
            closer.start += size
            if not opener.size:
                openers.pop()
        if closer.opens and closer.size:
            openers.append((place, closer))


def _opener(openers: list[tuple[int, _Run]], closer: _Run, bottom: int) -> int | None:
    """Where the nearest opener for a closer is among the open ones; None if there is none above the bottom."""
    for at in range(len(openers) - 1, -1, -1):
        if openers[at][0] < bottom:
            return None
        if _fit(openers[at][1], closer):
            return at
    return None


def _fit(opener: _Run, closer: _Run) -> bool:
    if opener.sign != closer.sign:
        return False
    is_both = opener.closes or closer.opens
    return not (is_both and (opener.full + closer.full) % 3 == 0 and (opener.full % 3 or closer.full % 3))


def with_partners(start: int, end: int, pairs: Sequence[Pair]) -> tuple[int, int] | None:
    """Widen a span to both halves of the pairs that it cuts; None unless they all stand at its borders."""
    for _ in range(len(pairs) + 1):
        cut = [one for one in pairs if _is_cut(start, end, one)]
        if not cut:
            return start, end
        known = start, end
        for one in cut:
            if one.outer <= start <= one.inner and one.inner_end <= end:
                start, end = one.outer, max(end, one.outer_end)
            elif one.inner_end <= end <= one.outer_end and start <= one.inner:
                start, end = min(start, one.outer), one.outer_end
        if known == (start, end):
            return None
    return None


def _is_cut(start: int, end: int, one: Pair) -> bool:
    """Whether a span holds some of a pair's marks and not all."""
    opens = start < one.inner and one.outer < end
    closes = start < one.outer_end and one.inner_end < end
    if not (opens or closes):
        return False
    return not (start <= one.outer and one.outer_end <= end)
