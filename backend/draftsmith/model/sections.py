"""Sections of a Markdown text, derived with markdown-it-py's block parser.

A section begins at a top-level heading (ATX or setext; headings inside quotes, lists and fences do not count) and
extends to the next heading of the same or a higher level. Its own text ends where its first subsection begins. Offsets
are code points of the given text, whatever its line ends; lines end at CR LF, LF or CR only.

After a change an outline is updated by parsing from the heading before the change to the first unchanged heading after
it: at a top-level heading every block is closed, so what follows cannot have changed.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from draftsmith.model.code_spans import without_code
from draftsmith.model.titles import plain_title

# YAML between two rules at the very start: its first line is a key or a comment, else they are thematic breaks.
_EOL = r"(?>\r\n|\n|\r)"
_FRONT_MATTER = re.compile(
    rf"\ufeff?---[ \t]*+{_EOL}(?:#|[\w\"'][^\r\n:]*+:(?=\s))[^\r\n]*+{_EOL}"
    rf"(?>[^\r\n]*+{_EOL})*?(?:---|\.\.\.)[ \t]*+(?:{_EOL}|\Z)"
)
_LINE_END = re.compile(r"\r\n|\n|\r")
_BOM = "\ufeff"


def _block_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


_PARSER = _block_parser()


@dataclass(frozen=True, slots=True)
class Section:
    """One section. `index` and `parent` are positions in the outline; offsets are code points.

    Attributes:
        level: 1 to 6.
        title: heading text as written, without marks.
        plain: title without emphasis, code and link marks.
        line: of the heading, 1-based.
        start, body: where the heading begins, and where the text after it does.
        own_end: where the first subsection begins, or `end`.
        end: where the next section of the same or a higher level begins.
    """

    index: int
    parent: int | None
    level: int
    title: str
    plain: str
    line: int
    start: int
    body: int
    own_end: int
    end: int


@dataclass(frozen=True)
class Outline:
    """All sections of `text`, in order."""

    text: str
    sections: tuple[Section, ...]
    preamble_end: int

    @cached_property
    def by_title(self) -> Mapping[str, Sequence[Section]]:
        """Sections by their titles, as written and without marks."""
        found: dict[str, list[Section]] = {}
        for section in self.sections:
            for title in {section.title, section.plain}:
                found.setdefault(title, []).append(section)
        return found

    @cached_property
    def matches(self) -> dict[Any, Any]:
        """A cache of search results in this text, for `transform.locate`; it lives as long as the outline."""
        return {}

    @cached_property
    def preamble(self) -> int:
        """Where the text before the first heading begins: after a front matter or byte order mark."""
        found = _FRONT_MATTER.match(self.text)
        return found.end() if found is not None else int(self.text.startswith(_BOM))

    def chain(self, section: Section) -> list[Section]:
        """The section and its ancestors, outermost first."""
        found = [section]
        while found[-1].parent is not None:
            found.append(self.sections[found[-1].parent])
        return found[::-1]

    def path(self, section: Section) -> str:
        """The full path, as operations accept it: `## Storage ### Orders`."""
        return " ".join(f"{'#' * part.level} {part.title}" for part in self.chain(section))

    def at(self, offset: int) -> Section | None:
        """The innermost section that contains an offset; None before the first heading."""
        place = bisect_right(self.sections, offset, key=lambda section: section.start)
        return self.sections[place - 1] if place else None

    def path_at(self, offset: int) -> str:
        """Path of the innermost section that contains an offset; empty before the first heading."""
        section = self.at(offset)
        return "" if section is None else self.path(section)

    def line_at(self, offset: int) -> int:
        """1-based line of an offset."""
        return line_breaks(self.text, 0, offset) + 1

    @cached_property
    def links(self) -> tuple[tuple[int, str], ...]:
        """Links to nodes outside code, as (line, node id): `[Orders](#node/orders)`."""
        return tuple(_node_links(_without_front_matter(self.text).removeprefix(_BOM), 1))

    def links_at(self, start: int, end: int) -> tuple[tuple[int, str], ...]:
        """The links in the sections that a span of the text overlaps."""
        first, last = self.at(start), self.at(end)
        if first is None or last is None:
            return self.links
        return tuple(_node_links(self.text[first.start : last.own_end], first.line))


Heading = tuple[int, str, int, int, int]  # level, title, line (1-based), start, body


def outline_of(text: str) -> Outline:
    """Derive the outline of a text."""
    return _outline(text, _headings(text, _without_front_matter(text), 0, 1))


def edited(outline: Outline, start: int, end: int, text: str) -> Outline:
    """Update an outline after a change in `[start, end)`; the cost depends on the sections touched only.

    Args:
        outline: of the text before.
        start, end: code points of the text before.
        text: the whole text after the change.
    """
    sections = outline.sections
    # The line before the change may become the title of an underlined heading, so its section is parsed again, too.
    first = bisect_left(sections, start, key=lambda section: section.start) - 1
    if first >= 0 and sections[first].body >= start:
        first -= 1
    if first < 0 or _front_matter_end(outline.text) != _front_matter_end(text):
        return outline_of(text)
    shift = len(text) - len(outline.text)
    begin, line = sections[first].start, sections[first].line
    last = bisect_right(sections, end, key=lambda section: section.start)
    while last < len(sections):
        known = sections[last]
        stop = known.body + shift
        found = _headings(text, text[begin:stop], begin, line)
        grown = line_breaks(text, begin, known.start + shift) + line - known.line
        if found and found[-1][0] == known.level and found[-1][3] == known.start + shift:
            kept = [_moved(section, shift, grown) for section in sections[last + 1 :]]
            return _outline(text, [*map(_heading, sections[:first]), *found, *kept])
        last = last * 2 + 1 - first
    found = _headings(text, text[begin:], begin, line)
    return _outline(text, [*map(_heading, sections[:first]), *found])


def _front_matter_end(text: str) -> int:
    found = _FRONT_MATTER.match(text) if text.startswith(("---", _BOM)) else None
    return -1 if found is None else found.end()


def _heading(section: Section) -> Heading:
    return section.level, section.title, section.line, section.start, section.body


def _moved(section: Section, shift: int, lines: int) -> Heading:
    return section.level, section.title, section.line + lines, section.start + shift, section.body + shift


def _headings(text: str, piece: str, offset: int, line: int) -> list[Heading]:
    """Top-level headings of a piece that begins at `offset` and `line` of a text, outside any block."""
    starts = line_starts(piece)
    found: list[Heading] = []
    # The parser would read a byte order mark as a letter before the first heading's `#`.
    for token, inline in pairwise(_PARSER.parse(piece if offset else piece.removeprefix(_BOM))):
        if token.type == "heading_open" and token.level == 0 and token.map is not None:
            title = " ".join(part.strip() for part in inline.content.split("\n")).strip()
            begins, after = token.map
            body = starts[after] if after < len(starts) else len(piece)
            found.append((int(token.tag[1]), title, line + begins, offset + starts[begins], offset + body))
    return found


def _outline(text: str, headings: Sequence[Heading]) -> Outline:
    total = len(text)
    offsets = [start for *_, start, _ in headings] + [total]
    if offsets[0] == 0 and text.startswith(_BOM):
        offsets[0] = 1
    sections: list[Section] = []
    open_at: list[int] = []
    ends = _ends([level for level, *_ in headings], offsets)
    for index, (level, title, line, _, body) in enumerate(headings):
        while open_at and sections[open_at[-1]].level >= level:
            open_at.pop()
        parent = open_at[-1] if open_at else None
        section = Section(
            index=index,
            parent=parent,
            level=level,
            title=title,
            plain=plain_title(title),
            line=line,
            start=offsets[index],
            body=body,
            own_end=offsets[index + 1],
            end=ends[index],
        )
        sections.append(section)
        open_at.append(index)
    return Outline(text, tuple(sections), offsets[0])


def line_starts(text: str) -> list[int]:
    """Start offsets of the lines of a text."""
    if "\r" in text:
        return [0, *(found.end() for found in _LINE_END.finditer(text))]
    lengths = map(len, text.split("\n"))
    return [0, *(at + number for number, at in enumerate(accumulate(lengths), 1))][:-1]


def line_breaks(text: str, start: int, end: int) -> int:
    """How many lines end in a span of a text."""
    if "\r" not in text:
        return text.count("\n", start, end)
    return text.count("\n", start, end) + text.count("\r", start, end) - text.count("\r\n", start, end)


def _ends(levels: list[int], offsets: list[int]) -> list[int]:
    """Where each section ends: at the next one of the same or a higher level."""
    ends = [offsets[-1]] * len(levels)
    waiting: list[int] = []
    for index, level in enumerate(levels):
        while waiting and levels[waiting[-1]] >= level:
            ends[waiting.pop()] = offsets[index]
        waiting.append(index)
    return ends


def _without_front_matter(text: str) -> str:
    """Blank the lines of a YAML front matter, so that offsets are kept and its `---` makes no heading."""
    found = _FRONT_MATTER.match(text)
    return text if found is None else re.sub(r"[^\r\n]", " ", found[0]) + text[found.end() :]


_NODE_LINK = re.compile(r"\]\(\s*+<?#node/([A-Za-z0-9_%-]+)")


def _node_links(text: str, line: int) -> Iterator[tuple[int, str]]:
    """Links in a piece of text that begins at a line."""
    if "#node/" not in text:
        return
    for token in _PARSER.parse(text):
        if token.type == "inline" and "#node/" in token.content:
            yield from _links_in(token, line)


def _links_in(token: Token, line: int) -> Iterator[tuple[int, str]]:
    line += (token.map or [0])[0]
    content = without_code(token.content)
    at = 0
    for found in _NODE_LINK.finditer(content):
        line += content.count("\n", at, found.start())
        at = found.start()
        yield line, found[1]
