"""Addresses of headings, made as GitHub makes them, and the links of a document that lead to them.

The address of a heading is its text in lower case with hyphens for blanks, without all but letters, marks, decimal
digits, connectors and hyphens; of equal ones the second is `notes-1`, the next `notes-2`, passing over those that an
earlier heading has (the rule of github-slugger). Headings in quotes and lists have addresses, too. The page makes them
by the same rule (`frontend/src/model/text/anchors.ts`), which tests/fixtures/headings.json holds to be equal.

What a segment holds is kept with it, so after an edit only the segments around it are read again. Not here: links to
nodes (`sections`).
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from itertools import accumulate
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from markdown_it.common.utils import unescapeAll
from markdown_it.token import Token

from draftsmith.model.markdown.block_parser import PARSER
from draftsmith.model.markdown.blocks import BOM, line_breaks, line_starts, without_front_matter
from draftsmith.model.markdown.code_spans import without_code
from draftsmith.model.markdown.heading_text import heading_text
from draftsmith.model.markdown.segments import HeadingSpan, Segment, Segments
from draftsmith.model.markdown.tables import CELL_END

_MARKS: Final = re.compile(r"[\\\[<&]|(?<![^\W_])_|_(?![^\W_])|` ")
"""What may make the text of a title another than its characters; stars and single backticks have no part in it."""
_DROPPED: Final = re.compile(r"[^a-z0-9_\- ]")
_LETTERS: Final = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "Pc"})
_LETTERS_IN_SIGNS: Final = ((0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189))
"""Symbols that Unicode calls alphabetic: letters in circles and squares."""

_BASES, _LINKS, _NAMED = "anchors", "links to headings", "linked anchors"  # among the notes of a segment
_MAY_LINK: Final = re.compile(r"\](?:\(\s*+|:[\s>]*+)<?#(?!node/)")
_LINK: Final = re.compile(r"\]\(\s*+(?:<#([^<>\n]*+)>|#([^\s()<>]*+))(?=[\s)])")
_DEFINITION: Final = re.compile(r"\]:[\s>]*+(?:<#([^<>\n]*+)>|#(\S*+))")
_BRACKET: Final = re.compile(r"\\.|[\[\]]", re.DOTALL)
_TO_NODE: Final = "node/"
_HTML_IDS: Final = re.compile(r"<[a-zA-Z][^<>]*?\s(?:id|name)\s*+=\s*+[\"']?([^\"'\s<>]++)")
_TOP: Final = frozenset({"", "top"})
"""Where browsers go without a heading."""


class HeadingLink(NamedTuple):
    """A link to a heading, `[x](#notes)`, or a reference definition: where its address stands, without the sign."""

    start: int
    end: int
    line: int  # the first is 1
    address: str

    @property
    def name(self) -> str:
        """The address of the heading that is meant: decoded, and in lower case, as all addresses are."""
        return _decode_address(self.address)

    def move_by(self, lines: int, shift: int) -> HeadingLink:
        """The same link elsewhere."""
        return HeadingLink(self.start + shift, self.end + shift, self.line + lines, self.address)


@lru_cache(maxsize=4096)
def _decode_address(address: str) -> str:
    return unquote(unescapeAll(address)).lower()


@lru_cache(maxsize=4096)
def base_anchor(title: str, labels: frozenset[str] = frozenset()) -> str:
    """The address of a heading before equal ones are told apart; may be empty.

    Args:
        title: as it is written, with marks.
        labels: of the reference definitions that it may use.
    """
    text = heading_text(title, labels) if _MARKS.search(title) else title
    text = text.lower()
    if text.isascii():
        return _DROPPED.sub("", text).replace(" ", "-")
    return "".join(filter(_is_kept, text)).replace(" ", "-")


@lru_cache(maxsize=4096)
def _is_kept(character: str) -> bool:
    if character in " -" or unicodedata.category(character) in _LETTERS:
        return True
    return any(first <= ord(character) <= last for first, last in _LETTERS_IN_SIGNS)


class Numbers:
    """Tells equal addresses apart; all of them together cost what they are many."""

    def __init__(self) -> None:
        self._number_of_address: dict[str, int] = {}

    def next(self, base: str) -> str:
        """The address of the next heading."""
        given = self._number_of_address
        name, number = base, given.get(base, 0)
        while name in given:
            number += 1
            name = f"{base}-{number}"
        given[base] = number
        given.setdefault(name, 0)
        return name


class Anchors:
    """The addresses of all headings of a text, and the links to headings in it.

    Attributes:
        names: by heading, in order, those in quotes and lists included.
    """

    def __init__(self, text: str, segments: Segments, front: int) -> None:
        self._text, self._segments, self._front = text, segments, front
        self._counts: Sequence[int] = list(accumulate(len(one.all_headings) for one in segments.all))

    @cached_property
    def names(self) -> Sequence[str]:
        """See the class."""
        numbers = Numbers()
        return [
            numbers.next(self._with_labels(heading) if base is None else base)
            for one in self._segments.all
            for heading, base in zip(one.all_headings, _bases(one), strict=True)
        ]

    @cached_property
    def by_name(self) -> dict[str, int]:
        """The number of the heading that has an address; those without any are left out."""
        return {name: number for number, name in enumerate(self.names) if name}

    @cached_property
    def of_sections(self) -> Sequence[str]:
        """The addresses of the headings that begin sections."""
        if not any(one.inner for one in self._segments.all):
            return self.names
        is_top = (heading in one.headings for one in self._segments.all for heading in one.all_headings)
        return [name for name, is_one in zip(self.names, is_top, strict=True) if is_one]

    def heading(self, number: int) -> HeadingSpan:
        """A heading by its number, line and offsets counted from the begin of the text."""
        at = bisect_right(self._counts, number)
        before = self._counts[at - 1] if at else 0
        lines = self._segments.lines[at - 1] if at else 0
        return self._segments.all[at].all_headings[number - before].move_by(lines, self._segments.begin(at))

    def count_before(self, offset: int) -> int:
        """How many headings begin before an offset."""
        at = self._segments.number_at(offset)
        begin = self._segments.begin(at)
        within = sum(begin + heading.start < offset for heading in self._segments.all[at].all_headings)
        return (self._counts[at - 1] if at else 0) + within

    @property
    def count(self) -> int:
        """How many headings there are."""
        return self._counts[-1]

    def links(self, start: int = 0, end: int | None = None) -> Iterator[HeadingLink]:
        """The links to headings outside code, in the segments that a span touches, in order."""
        segments = self._segments
        last = len(segments.all) if end is None else segments.number_at(end) + 1
        for number in range(segments.number_at(start) if start else 0, last):
            lines = segments.lines[number - 1] if number else 0
            for link in self._links_of(number):
                yield link.move_by(lines, segments.begin(number))

    def links_named(self, names: Collection[str]) -> list[HeadingLink]:
        """The links that mean one of some addresses, in order; only segments that may have one are read."""
        found: list[HeadingLink] = []
        for number in self.naming(names):
            lines = self._segments.lines[number - 1] if number else 0
            begin = self._segments.begin(number)
            found += (one.move_by(lines, begin) for one in self._links_of(number) if one.name in names)
        return found

    def naming(self, names: Collection[str]) -> list[int]:
        """The segments that may have links which mean one of some addresses."""
        wanted = frozenset(names)
        return [number for number in range(len(self._segments.all)) if not self.named_in(number).isdisjoint(wanted)]

    def named_in(self, number: int) -> frozenset[str]:
        """The addresses that links in a segment may mean; some of these links may be none, in code for example."""
        one = self._segments.all[number]
        known: frozenset[str] | None = one.notes.get(_NAMED)
        if known is None:
            piece = self._piece(number)
            found = (*_LINK.finditer(piece), *_DEFINITION.finditer(piece))
            known = one.notes[_NAMED] = frozenset(
                _decode_address(each[1] if each[1] is not None else each[2]) for each in found
            )
        return known

    def marked_length(self, number: int) -> int:
        """The characters of titles with marks in a segment, which are read for their addresses."""
        titles = (heading.title for heading in self._segments.all[number].all_headings)
        return sum(len(title) for title in titles if _MARKS.search(title))

    def is_dead(self, link: HeadingLink) -> bool:
        """Whether a link leads to no heading, nor to an id of HTML, nor to the top."""
        return link.name not in _TOP and link.name not in self.by_name and link.name not in self._html_ids

    @cached_property
    def _html_ids(self) -> frozenset[str]:
        return frozenset(found.lower() for found in _HTML_IDS.findall(self._text))

    def _links_of(self, number: int) -> Sequence[HeadingLink]:
        one = self._segments.all[number]
        known: Sequence[HeadingLink] | None = one.notes.get(_LINKS)
        if known is None:
            known = one.notes[_LINKS] = tuple(_links_in(self._piece(number)))
        return known

    def _piece(self, number: int) -> str:
        """The text of a segment, offsets kept, without a front matter."""
        begin, end = self._segments.begin(number), self._segments.ends[number]
        piece = self._text[begin:end]
        if number:
            return piece
        piece = without_front_matter(piece, self._front)
        return f" {piece[1:]}" if piece.startswith(BOM) else piece

    def _with_labels(self, heading: HeadingSpan) -> str:
        return base_anchor(heading.title, self._labels)

    @cached_property
    def _labels(self) -> frozenset[str]:
        """The labels of all reference definitions."""
        found: set[str] = set()
        for number in range(len(self._segments.all)):
            piece = self._piece(number)
            if "]:" in piece:
                references: dict[str, object] = {}
                PARSER.parse(piece, {"references": references})
                found |= references.keys()
        return frozenset(found)


def _bases(one: Segment) -> Sequence[str | None]:
    """The addresses of a segment's headings before equal ones are told apart; None where labels have a part in it."""
    known: Sequence[str | None] | None = one.notes.get(_BASES)
    if known is None:
        titles = (heading.title for heading in one.all_headings)
        known = one.notes[_BASES] = [None if "][" in title else base_anchor(title) for title in titles]
    return known


def _links_in(text: str) -> list[HeadingLink]:
    """The links to headings in a piece of text."""
    if _MAY_LINK.search(text) is None:
        return []
    starts = [*line_starts(text), len(text)]
    env: dict[str, Any] = {}
    found: list[HeadingLink] = []
    for token in PARSER.parse(text, env):
        if token.type == "inline" and "](" in token.content:
            found += _links_of_token(token, text, starts)
    for reference in (*env.get("references", {}).values(), *env.get("duplicate_refs", [])):
        first, beyond = reference["map"]
        defined = _DEFINITION.search(text, starts[first], starts[beyond])
        group = 2 if defined is None or defined[1] is None else 1
        if defined is not None and not defined[group].startswith(_TO_NODE):
            line = first + line_breaks(text, starts[first], defined.start(group)) + 1
            found.append(HeadingLink(*defined.span(group), line, defined[group]))
    return sorted(found)


def _links_of_token(token: Token, text: str, starts: Sequence[int]) -> Iterator[HeadingLink]:
    """The links of a block's content, whose lines stand in the text behind marks of quotes and lists."""
    content = token.content
    pieces = CELL_END.split(content) if token.meta.get("is_row") else [content]
    prose = "|".join(map(without_code, pieces))
    first = (token.map or [0])[0]
    begins = line_starts(content)
    closing = _ends_of_words(prose)

    @cache
    def shift(row: int) -> int:
        """From a row's place in the content to its place in the text; once a row, which may hold thousands of links."""
        words = content[begins[row] : begins[row + 1] if row + 1 < len(begins) else len(content)].strip()
        line = text[starts[first + row] : starts[first + row + 1]]
        return starts[first + row] + line.rfind(words) - content.index(words, begins[row])

    for found in _LINK.finditer(prose):
        if found.start() not in closing:
            continue
        group = 1 if found[1] is not None else 2
        row = bisect_right(begins, found.start(group)) - 1
        at = found.start(group) + shift(row)
        address = found[group]
        if not address.startswith(_TO_NODE) and text.startswith(address, at):
            yield HeadingLink(at, at + len(address), first + row + 1, address)


def _ends_of_words(prose: str) -> set[int]:
    """The brackets that close another one, which belongs to no image."""
    found: set[int] = set()
    opened: list[int] = []
    for bracket in _BRACKET.finditer(prose):
        if bracket[0] == "[":
            opened.append(bracket.start())
        elif bracket[0] == "]" and opened and not prose.startswith("![", max(0, opened.pop() - 1)):
            found.add(bracket.start())
    return found
