"""Sections of a Markdown text, derived with markdown-it-py's block parser.

A section begins at a top-level heading (ATX or setext; headings inside quotes, lists and fences do not count) and
extends to the next heading of the same or a higher level. Its own text ends where its first subsection begins. Offsets
are code points of the given text, whatever its line ends; lines end at CR LF, LF or CR only.

After a change an outline is updated by reading the blocks around it (`blocks`). Sections are made when they are asked
for: one from the headings around it, all of them once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from markdown_it.token import Token

from draftsmith.model.markdown.anchors import Anchors
from draftsmith.model.markdown.block_parser import PARSER
from draftsmith.model.markdown.blocks import (
    BOM,
    is_plain,
    line_breaks,
    line_starts,
    may_swallow,
    segments_of,
    shift_segments,
    splice_segments,
    without_front_matter,
)
from draftsmith.model.markdown.code_spans import without_code
from draftsmith.model.markdown.segments import LEAST, LEAST_OF_SHORT, SHORT, HeadingPosition, HeadingSpan, Segments

__all__ = ["Outline", "Section", "line_breaks", "line_starts", "outline_of", "rereading", "update_outline"]

# YAML between two rules at the very start: its first line is a key or a comment, else they are thematic breaks.
_EOL = r"(?>\r\n|\n|\r)"
_FRONT_MATTER = re.compile(
    rf"\ufeff?---[ \t]*+{_EOL}(?:#|[\w\"'][^\r\n:]*+:(?=\s))[^\r\n]*+{_EOL}"
    rf"(?>[^\r\n]*+{_EOL})*?(?:---|\.\.\.)[ \t]*+(?:{_EOL}|\Z)"
)
_OPENING = re.compile(rf"\ufeff?---[ \t]*+{_EOL}[^\r\n]*+(?:{_EOL}|\Z)")
_CLOSING = re.compile(r"[\r\n](?:---|\.\.\.)")
_FEW = 20  # sections that are made one by one


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
    """All sections of `text`, in order.

    Attributes:
        segments: the text in stretches, with the headings of each.
        front: where the front matter ends, or -1.
        read: characters that were handed to the parser to make this outline from the one before.
    """

    text: str
    segments: Segments = field(compare=False)
    front: int = field(default=-1, compare=False)
    read: int = field(default=0, compare=False)

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """All sections."""
        return _sections(self.segments)

    @property
    def count(self) -> int:
        """How many sections there are."""
        return self.segments.counts[-1]

    def section(self, index: int) -> Section:
        """One section by its position, without making the others."""
        if "sections" in self.__dict__:
            return self.sections[index]
        known = self._single_sections.get(index)
        if known is None:
            known = self._single_sections[index] = _section(self.segments, self.segments.place(index))
        return known

    @cached_property
    def _single_sections(self) -> dict[int, Section]:
        """The sections that were made one by one."""
        return {}

    def heading(self, index: int) -> HeadingSpan:
        """The heading of a section by its position, its line and offsets counted from the begin of the text."""
        return self.segments.heading(self.segments.place(index))

    def at_places(self, places: Sequence[HeadingPosition]) -> Sequence[Section]:
        """The sections of some headings; few of them are made without the others."""
        indices = [self.segments.index(place) for place in places]
        return [(self.sections[index] if len(indices) > _FEW else self.section(index)) for index in indices]

    def sections_between(self, first: int, beyond: int) -> Sequence[Section]:
        """The sections of a range of positions; few of them are made without the others."""
        if beyond - first > _FEW:
            return self.sections[first:beyond]
        return [self.section(index) for index in range(first, min(beyond, self.count))]

    def count_before(self, offset: int) -> int:
        """How many sections begin before an offset."""
        return self.segments.count_before(offset)

    @cached_property
    def preamble_end(self) -> int:
        """Where the first section begins, or the text ends."""
        return self.heading(0).start if self.count else self.segments.ends[-1]

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
        """A cache of search results in this text, for `transform.matching.locate`; it lives as long as the outline."""
        return {}

    @cached_property
    def anchors(self) -> Anchors:
        """The addresses of the headings, and the links to them."""
        return Anchors(self.text, self.segments, self.front)

    @property
    def preamble(self) -> int:
        """Where the text before the first heading begins: after a front matter or byte order mark."""
        return self.front if self.front >= 0 else int(self.text.startswith(BOM))

    def chain(self, section: Section) -> list[Section]:
        """The section and its ancestors, outermost first."""
        found = [section]
        while found[-1].parent is not None:
            found.append(self.section(found[-1].parent))
        return found[::-1]

    def path(self, section: Section) -> str:
        """The full path, as operations accept it: `## Storage ### Orders`."""
        return self.segments.path(self.segments.place(section.index))

    def at(self, offset: int) -> Section | None:
        """The innermost section that contains an offset; None before the first heading."""
        count = self.count_before(offset + 1)
        return self.section(count - 1) if count else None

    def path_at(self, offset: int) -> str:
        """Path of the innermost section that contains an offset; empty before the first heading."""
        count = self.count_before(offset + 1)
        return self.segments.path(self.segments.place(count - 1)) if count else ""

    def line_at(self, offset: int) -> int:
        """1-based line of an offset."""
        number = self.segments.number_at(offset)
        before = self.segments.lines[number - 1] if number else 0
        return before + line_breaks(self.text, self.segments.begin(number), offset) + 1

    @cached_property
    def links(self) -> tuple[tuple[int, str], ...]:
        """Links to nodes outside code, as (line, node id): `[Orders](#node/orders)`."""
        return tuple(_node_links(without_front_matter(self.text, self.front).removeprefix(BOM), 1))

    def links_at(self, start: int, end: int) -> tuple[tuple[int, str], ...]:
        """The links in the sections that a span of the text overlaps."""
        first, last = self.at(start), self.at(end)
        beyond = self.preamble_end if last is None else last.own_end
        if first is None:
            head = self.text[:beyond]
            return tuple(_node_links(without_front_matter(head, self.front).removeprefix(BOM), 1))
        return tuple(_node_links(self.text[first.start : beyond], first.line))


def outline_of(text: str, least: int | None = None) -> Outline:
    """Derive the outline of a text, cut into segments of at least so many characters; by default as its length asks."""
    front = _front_matter_end(text)
    least = (LEAST if len(text) > SHORT else LEAST_OF_SHORT) if least is None else least
    return Outline(text, segments_of(text, front, least), front, len(text))


def update_outline(outline: Outline, start: int, end: int, text: str) -> Outline:
    """Update an outline after a change in `[start, end)`; the cost depends on the blocks around it only.

    Once a text has outgrown the segments of a short one, it is cut anew.

    Args:
        outline: of the text before.
        start, end: code points of the text before.
        text: the whole text after.
    """
    if _is_outgrown(outline, len(text)):
        return outline_of(text)
    shift = len(text) - len(outline.text)
    front = _front_matter_after(outline, start, end, text)
    expected = outline.front + shift if 0 <= end <= outline.front else outline.front
    if front != expected:
        return outline_of(text, outline.segments.least)
    if start >= front and is_plain(outline.segments, outline.text, start, end, text[start : end + shift]):
        return Outline(text, shift_segments(outline.segments, start, shift), front)
    segments, read = splice_segments(outline.segments, start, end, text, front)
    return Outline(text, segments, front, read)


def rereading(outline: Outline, start: int, end: int, inserted: str) -> int:
    """About how many characters are read again if `[start, end)` is replaced."""
    segments, text = outline.segments, outline.text
    length = len(text) - (end - start) + len(inserted)
    if _is_outgrown(outline, length):
        return length
    if start >= outline.front and is_plain(segments, text, start, end, inserted):
        return 0
    begin = segments.begin(segments.number_at(start))
    if may_swallow(segments, text, start, end, inserted):
        return len(text) - begin
    return segments.ends[segments.number_at(end)] - begin


def _is_outgrown(outline: Outline, length: int) -> bool:
    """Whether a text of that length has become too long for the segments of a short one."""
    return outline.segments.least == LEAST_OF_SHORT and length > 2 * SHORT


def _front_matter_after(outline: Outline, start: int, end: int, text: str) -> int:
    """Where the front matter ends after a change; read again only if the change may have to do with that."""
    if 0 <= outline.front < start:
        return outline.front
    if outline.front < 0 and not _may_frame(text, start, end + len(text) - len(outline.text)):
        return -1
    return _front_matter_end(text)


def _may_frame(text: str, start: int, end: int) -> bool:
    """Whether new text in `[start, end)` may have made a front matter: in its first lines or with its last one."""
    if not text.startswith(("---", BOM)):
        return False
    opening = _OPENING.match(text)
    if opening is None or opening.end() >= start:
        return opening is not None
    begin = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start))  # there is one, that of the first line
    return _CLOSING.search(text, begin, end + 4) is not None


def _front_matter_end(text: str) -> int:
    found = _FRONT_MATTER.match(text) if text.startswith(("---", BOM)) else None
    return -1 if found is None else found.end()


def _section(segments: Segments, place: HeadingPosition) -> Section:
    """One section."""
    heading, index = segments.heading(place), segments.index(place)
    parent = next(segments.ancestors(place), None)
    own_end = segments.ends[-1]
    if index + 1 < segments.counts[-1]:
        own_end = segments.heading(segments.place(index + 1)).start
    level, title, plain, line, start, body = heading
    above = None if parent is None else segments.index(parent)
    return Section(index, above, level, title, plain, line + 1, start, body, own_end, segments.end_of(place))


def _sections(segments: Segments) -> tuple[Section, ...]:
    """All sections."""
    headings = [*segments.headings()]
    starts = [*(heading.start for heading in headings), segments.ends[-1]]
    ends = _ends([heading.level for heading in headings], starts)
    sections: list[Section] = []
    open_at: list[int] = []
    for index, (level, title, plain, line, start, body) in enumerate(headings):
        while open_at and sections[open_at[-1]].level >= level:
            open_at.pop()
        parent = open_at[-1] if open_at else None
        sections.append(
            Section(index, parent, level, title, plain, line + 1, start, body, starts[index + 1], ends[index])
        )
        open_at.append(index)
    return tuple(sections)


def _ends(levels: list[int], offsets: list[int]) -> list[int]:
    """Where each section ends: at the next one of the same or a higher level."""
    ends = [offsets[-1]] * len(levels)
    waiting: list[int] = []
    for index, level in enumerate(levels):
        while waiting and levels[waiting[-1]] >= level:
            ends[waiting.pop()] = offsets[index]
        waiting.append(index)
    return ends


_NODE_LINK = re.compile(r"\]\(\s*+<?#node/([A-Za-z0-9_%-]+)")


def _node_links(text: str, line: int) -> Iterator[tuple[int, str]]:
    """Links in a piece of text that begins at a line."""
    if "#node/" not in text:
        return
    for token in PARSER.parse(text):
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
