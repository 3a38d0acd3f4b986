"""Sections of a Markdown text, derived with markdown-it-py's block parser.

A section begins at a top-level heading (ATX or setext; headings inside quotes, lists and fences do not count) and runs
to the next heading of the same or a higher level. Its own text ends where its first subsection begins. All offsets are
in code points of the text given, which has LF line ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

_MARKUP = re.compile(r"\\([!-/:-@\[-`{-~])|!?\[([^\]]*)\]\([^)]*\)|[*`]+|<!--.*?-->")
# YAML between two rulers at the very start: its first line is a key or a comment, else the rulers are just rulers.
_FRONT_MATTER = re.compile(
    r"\ufeff?---[ \t]*\n(?:#|[\w\"'][^\n:]*:(?=\s))[^\n]*\n(?:[^\n]*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)"
)
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
    def preamble(self) -> int:
        """Where the text before the first heading begins: after a front matter or byte order mark."""
        found = _FRONT_MATTER.match(self.text)
        return found.end() if found is not None else int(self.text.startswith(_BOM))

    def chain(self, section: Section) -> list[Section]:
        """The section and those around it, outermost first."""
        found = [section]
        while found[-1].parent is not None:
            found.append(self.sections[found[-1].parent])
        return found[::-1]

    def path(self, section: Section) -> str:
        """The full path in the form operations accept: `## Storage ### Orders`."""
        return " ".join(f"{'#' * part.level} {part.title}" for part in self.chain(section))

    def at(self, offset: int) -> Section | None:
        """The innermost section that holds an offset; None before the first heading."""
        found = None
        for section in self.sections:
            if section.start > offset:
                break
            found = section
        return found

    def path_at(self, offset: int) -> str:
        """Path of the innermost section that holds an offset; empty before the first heading."""
        section = self.at(offset)
        return "" if section is None else self.path(section)

    def line_at(self, offset: int) -> int:
        """1-based line of an offset."""
        return self.text.count("\n", 0, offset) + 1

    @cached_property
    def links(self) -> tuple[tuple[int, str], ...]:
        """Links to nodes outside code, as (line, node id): `[Orders](#node/orders)`."""
        return tuple(_node_links(self.text))


def outline_of(text: str) -> Outline:
    """Derive the outline of a text with LF line ends."""
    starts = line_starts(text)
    found: list[tuple[int, str, int, int]] = []
    tokens = _PARSER.parse(_without_front_matter(text))
    for token, inline in pairwise(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map is not None:
            title = " ".join(line.strip() for line in inline.content.split("\n"))
            found.append((int(token.tag[1]), title.strip(), token.map[0], token.map[1]))
    total = len(text)
    offsets = [starts[line] for _, _, line, _ in found] + [total]
    if offsets[0] == 0 and text.startswith(_BOM):
        offsets[0] = 1
    sections: list[Section] = []
    open_at: list[int] = []
    ends = _ends([level for level, *_ in found], offsets)
    for index, (level, title, line, after) in enumerate(found):
        while open_at and sections[open_at[-1]].level >= level:
            open_at.pop()
        body = starts[after] if after < len(starts) else total
        parent = open_at[-1] if open_at else None
        sections.append(
            Section(
                index,
                parent,
                level,
                title,
                plain_title(title),
                line + 1,
                offsets[index],
                body,
                offsets[index + 1],
                ends[index],
            )
        )
        open_at.append(index)
    return Outline(text, tuple(sections), offsets[0])


def line_starts(text: str) -> list[int]:
    """Offsets at which the lines of a text with LF line ends begin."""
    starts = [0]
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts


def plain_title(title: str) -> str:
    """A heading's text without emphasis, code, link and escape marks, blanks collapsed."""
    return " ".join(_MARKUP.sub(lambda found: found[1] or found[2] or "", title).split())


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
    """Blank the lines of a YAML front matter, so that line numbers stay and its `---` makes no heading.

    A byte order mark goes too: the parser would take it for a letter before the first heading's marks.
    """
    found = _FRONT_MATTER.match(text)
    if found is None:
        return text.removeprefix(_BOM)
    return re.sub(r"[^\n]", "", found[0]) + text[found.end() :]


_NODE_LINK = re.compile(r"\]\(\s*<?#node/([A-Za-z0-9_%-]+)")
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)


def _node_links(text: str) -> Iterator[tuple[int, str]]:
    if "#node/" not in text:
        return
    for token in _PARSER.parse(_without_front_matter(text)):
        if token.type == "inline" and "#node/" in token.content:
            yield from _links_in(token)


def _links_in(token: Token) -> Iterator[tuple[int, str]]:
    line = (token.map or [0])[0] + 1
    content = _CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), token.content)
    for found in _NODE_LINK.finditer(content):
        yield line + content.count("\n", 0, found.start()), found[1]
