"""The text of a heading as it reads, for its address: of links the words, of code the content, no image and no HTML.

One pass over the title, in time that grows with its length whatever stands in it. Stars, backticks and brackets have no
part in an address, so only what they do to other signs is followed. The page has the same in `headingText.ts`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from typing import Final, NamedTuple

from markdown_it.common.utils import normalizeReference, unescapeAll

from draftsmith.model.markdown.code_spans import CodeSpans

_MARK: Final = re.compile(
    r"\\[!-/:-@\[-`{-~]|`++|!?\[|\]|<|&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});|_++"
)
_AUTOLINK: Final = re.compile(r"<([A-Za-z][A-Za-z0-9+.\-]{1,31}:[^\s<>]*+|[^\s<>@:\\/]++@[^\s<>@:\\/]++)>")
_HTML: Final = re.compile(
    r"<[A-Za-z][A-Za-z0-9\-]*+(?>(?:\s++[A-Za-z_:][\w.:\-]*+(?:\s*+=\s*+(?:[^\"'=<>`\s]++|'[^']*+'|\"[^\"]*+\"))?)*)\s*+/?>"
    r"|</[A-Za-z][A-Za-z0-9\-]*+\s*+>|<!--(?>(?:(?!--)[^<])*)-->",
    re.ASCII,
)
_TARGET: Final = re.compile(
    r"\(\s*+(?:<[^<>\n]*+>|(?>(?:[^\s()\\]|\\.|\((?>(?:[^\s()\\]|\\.)*)\))*))"
    r"(?:\s++(?:\"(?>(?:[^\"\\]|\\.)*)\"|'(?>(?:[^'\\]|\\.)*)'|\((?>(?:[^()\\]|\\.)*)\)))?\s*+\)"
)
_LABEL: Final = re.compile(r"\[([^\[\]]++)\]")


class _Bracket(NamedTuple):
    """An open one: an image's or a link's, with how many pieces and runs there were before it."""

    is_image: bool
    pieces: int
    runs: int


class _TitleReader:
    """One title on its way."""

    def __init__(self, title: str, labels: Collection[str]) -> None:
        self._title, self._labels, self._code = title, labels, CodeSpans(title)
        self._parts: list[str] = []
        self._runs: list[int] = []  # pieces of underscores that may open emphasis
        self._open: list[_Bracket] = []
        self._inside = 0  # so many of the open brackets hold a link, and are none themselves

    def text(self) -> str:
        """Read it."""
        title, at = self._title, 0
        while (found := _MARK.search(title, at)) is not None:
            self._parts.append(title[at : found.start()])
            at = self._take_mark(found)
        return "".join([*self._parts, title[at:]])

    def _take_mark(self, found: re.Match[str]) -> int:
        """Take a mark; where it goes on."""
        mark, start, end = found[0], found.start(), found.end()
        kept = mark
        if mark[0] == "\\":
            kept = mark[1]
        elif mark[0] == "&":
            kept = unescapeAll(mark)
        elif mark[0] == "`":
            inner = self._code.inner(start)
            if inner is not None:
                kept, end = self._title[slice(*inner)], inner[1] + end - start
                is_padded = kept.startswith(" ") and kept.endswith(" ") and kept.strip(" ")
                kept = kept[1:-1] if is_padded else kept
        elif mark == "<":
            kept, end = self._angle(start)
        elif mark[0] == "_":
            return self._underscores(start, end)
        elif mark == "]":
            return self._close(end)
        else:
            self._open.append(_Bracket(mark[0] == "!", len(self._parts), len(self._runs)))
        self._parts.append(kept)
        return end

    def _angle(self, start: int) -> tuple[str, int]:
        link = _AUTOLINK.match(self._title, start)
        if link is not None:
            return link[1], link.end()
        tag = _HTML.match(self._title, start)
        return ("<", start + 1) if tag is None else ("", tag.end())

    def _close(self, end: int) -> int:
        """Take a closing bracket."""
        opened = self._open.pop() if self._open else None
        is_inside, self._inside = len(self._open) < self._inside, min(self._inside, len(self._open))
        target = None if opened is None or (is_inside and not opened.is_image) else self._target(end)
        if opened is None or target is None:
            self._parts.append("]")
            return end
        del self._runs[opened.runs :]
        if opened.is_image:
            del self._parts[opened.pieces :]
        else:
            self._inside = len(self._open)
        return target

    def _target(self, end: int) -> int | None:
        """Where the address or the label behind a closing bracket ends; None if there is none."""
        found = _TARGET.match(self._title, end)
        if found is None:
            found = _LABEL.match(self._title, end)
            if found is None or normalizeReference(found[1]) not in self._labels:
                return None
        return found.end()

    def _underscores(self, start: int, end: int) -> int:
        """Take a run: what has a partner is emphasis, the rest is text."""
        before, after = _kind(self._title[start - 1 : start]), _kind(self._title[end : end + 1])
        is_left = after != " " and (after != "." or before != "")
        is_right = before != " " and (before != "." or after != "")
        left = end - start
        if is_right and (not is_left or after == "."):
            lowest = self._open[-1].runs if self._open else 0
            while left and len(self._runs) > lowest:
                opener = self._runs[-1]
                taken = min(left, len(self._parts[opener]))
                self._parts[opener] = self._parts[opener][taken:]
                left -= taken
                if not self._parts[opener]:
                    self._runs.pop()
        self._parts.append("_" * left)
        if left and is_left and (not is_right or before == "."):
            self._runs.append(len(self._parts) - 1)
        return end


def _kind(character: str) -> str:
    """A blank for white space and the borders, a dot for punctuation and symbols, nothing for anything else."""
    if not character or character.isspace():
        return " "
    return "." if unicodedata.category(character)[0] in "PS" else ""


def heading_text(title: str, labels: Collection[str] = ()) -> str:
    """The text of a title; `labels`: of the reference definitions that it may use, normalized as markdown-it does."""
    return _TitleReader(title, labels).text()
