"""Code spans of Markdown: a run of backticks, and the next run of the same length.

A search for each opener by itself would read a text with many openers as often as there are; here the runs are found
once, so that all questions together cost what the text is long. Backticks in HTML and in addresses count like others.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property

_TICKS = re.compile(r"`++")
_BLANK_LINE = re.compile(r"\n(?=[ \t]*+\r?\n)")
_NOT_LINE_END = re.compile(r"[^\n]")


class CodeSpans:
    """The code spans of a stretch of a text.

    Args:
        text: the whole text.
        start, end: the stretch; to its end by default.
        in_a_block: whether a span ends with its block, at a blank line.
    """

    def __init__(self, text: str, start: int = 0, end: int | None = None, *, in_a_block: bool = False) -> None:
        self._text, self._start, self._end = text, start, len(text) if end is None else end
        self._in_a_block = in_a_block

    @cached_property
    def _runs(self) -> list[tuple[int, int]]:
        return [found.span() for found in _TICKS.finditer(self._text, self._start, self._end)]

    @cached_property
    def _by_size(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for start, end in self._runs:
            found.setdefault(end - start, []).append(start)
        return found

    @cached_property
    def _blank_lines(self) -> list[int]:
        if not self._in_a_block:
            return []
        return [found.start() for found in _BLANK_LINE.finditer(self._text, self._start, self._end)]

    def inner(self, at: int) -> tuple[int, int] | None:
        """What is between the backticks that begin at a place and their partners; None if they have none.

        The place may be inside a run: then those before it are read as text.
        """
        begins = self._runs[bisect_right(self._runs, at, key=lambda run: run[0]) - 1][1]
        closers = self._by_size.get(begins - at, [])
        number = bisect_left(closers, begins)
        if number == len(closers):
            return None
        ends = closers[number]
        blank = bisect_left(self._blank_lines, begins)
        if blank < len(self._blank_lines) and self._blank_lines[blank] < ends:
            return None
        return begins, ends

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """All spans in order, backticks included; a backtick behind a backslash begins none."""
        done = self._start
        for start, end in self._runs:
            at = start + self._is_escaped(start, done)
            inner = self.inner(at) if done <= start and at < end else None
            if inner is not None:
                done = inner[1] + inner[0] - at
                yield at, done

    def _is_escaped(self, at: int, since: int) -> bool:
        """Whether an odd number of backslashes stands before a place, those before `since` left out."""
        first = at
        while first > since and self._text[first - 1] == "\\":
            first -= 1
        return (at - first) % 2 == 1


def without_code(text: str) -> str:
    """A text of the same length and lines, with blanks for its code spans; other blocks of code stay."""
    if "`" not in text:
        return text
    pieces: list[str] = []
    at = 0
    for start, end in CodeSpans(text):
        pieces += [text[at:start], _NOT_LINE_END.sub(" ", text[start:end])]
        at = end
    return "".join([*pieces, text[at:]])
