"""The documents that edits are tried on, and what is known of them without asking the product.

Sections are read here with markdown-it-py directly, so that a defect of the product's own reading shows as a wrong
result instead of agreeing with itself.
"""

from __future__ import annotations

import os
import random
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt

REPOSITORY = Path(__file__).parents[2]
OWN = [
    *sorted((REPOSITORY / "tests/fixtures/documents").glob("*.md")),
    REPOSITORY / "backend/draftsmith/templates/sample.md",
]
CORPUS = "DRAFTSMITH_CORPUS"

_BREAK = re.compile(r"\r\n|\n|\r")
_FRONT = re.compile(r"---\r?\n\w[^\n]*:[^\n]*\n(?:[^\n]*\n)*?---\r?\n")
_LINK = re.compile(r"!?\[([^\]\n]*)\](?:\([^)\n]*\)|\[[^\]\n]*\])")
_LEADING_NUMBER = re.compile(r"^\s*\d+(?:\.\d+)*[.):]?\s+")


def bare(text: str) -> str:
    """Nothing but words: what two texts share however they are set. Links count as their text."""
    text = unicodedata.normalize("NFKC", _LINK.sub(r"\1", text)).casefold()
    return " ".join(re.findall(r"[^\W_]+", text))


def occurrences(text: str, part: str) -> list[int]:
    """Offsets of a part, overlapping ones included."""
    return [found.start() for found in re.finditer(f"(?={re.escape(part)})", text)]


@dataclass(frozen=True)
class Line:
    """A line of a section's own text: offsets without its line end, and what it is part of."""

    start: int
    end: int
    text: str
    kind: str  # prose, item, row, code, quote, blank, other


@dataclass(frozen=True)
class Part:
    """A section: the headings down to it as (level, title), and offsets."""

    chain: tuple[tuple[int, str], ...]
    line: int
    start: int
    body: int
    own_end: int
    end: int

    @property
    def title(self) -> str:
        return self.chain[-1][1]

    @property
    def path(self) -> str:
        """Marked headings, outermost first."""
        return " ".join(f"{'#' * level} {title}" for level, title in self.chain)

    def holds(self, other: Part) -> bool:
        return self.start <= other.start and other.end <= self.end


class Sample:
    """One document."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        found = list(_BREAK.finditer(text))
        self.starts = [0, *(one.end() for one in found)]
        self.ends = [*(one.start() for one in found), len(text)]
        self._lines: dict[Part, list[Line]] = {}
        self._kinds: list[str] = ["prose"] * len(self.starts)
        self.parts = list(self._read())
        own = [bare(part.title) for part in self.parts]
        without = [bare(_LEADING_NUMBER.sub("", part.title)) for part in self.parts]
        self._titles = [*own, *without]
        self._chains = [tuple(bare(title) for _, title in part.chain) for part in self.parts]

    @cached_property
    def newline(self) -> str:
        """The line end most lines have."""
        return max(("\n", "\r\n", "\r"), key=_BREAK.findall(self.text).count)

    def line_at(self, offset: int) -> int:
        return len(_BREAK.findall(self.text, 0, offset)) + 1

    def is_title_unique(self, part: Part) -> bool:
        """Whether no other section has this title, however it is set and with or without its number."""
        names = {bare(part.title), bare(_LEADING_NUMBER.sub("", part.title))}
        return sum(title in names for title in self._titles) == (2 if len(names) == 1 else len(names))

    def is_chain_unique(self, part: Part) -> bool:
        return self._chains.count(tuple(bare(title) for _, title in part.chain)) == 1

    def lines(self, part: Part) -> list[Line]:
        """The lines of a section's own text, heading left out."""
        if part not in self._lines:
            self._lines[part] = [
                Line(
                    self.starts[index],
                    self.ends[index],
                    self.text[self.starts[index] : self.ends[index]],
                    self._kind(index),
                )
                for index in range(bisect_left(self.starts, part.body), bisect_left(self.starts, part.own_end))
            ]
        return self._lines[part]

    def _kind(self, index: int) -> str:
        text = self.text[self.starts[index] : self.ends[index]]
        if self._kinds[index] != "prose":
            return self._kinds[index]
        if not text.strip():
            return "blank"
        if re.match(r"\s*>", text):
            return "quote"
        if re.match(r"\s*\|.*\|\s*$", text):
            return "row" if re.search(r"[^\W_]", text) else "other"
        if re.match(r"\s*(?:[-*+]|\d+[.)])\s+\S", text):
            return "item"
        return "prose"

    def _read(self) -> Iterator[Part]:
        parser = MarkdownIt("commonmark")
        parser.core.ruler.enableOnly(["normalize", "block"])
        front = _FRONT.match(self.text)
        text = re.sub(r"[^\r\n]", "", front[0]) + self.text[front.end() :] if front else self.text
        tokens = parser.parse(text)
        found = []
        for token, following in pairwise(tokens):
            if token.type == "heading_open" and token.level == 0 and token.map:
                title = " ".join(following.content.split("\n")).strip()
                found.append((int(token.tag[1]), title, token.map[0], token.map[1]))
            if token.type in ("fence", "code_block", "html_block") and token.map:
                kind = "other" if token.type == "html_block" else "code"
                for line in range(*token.map):
                    self._kinds[line] = kind
                if token.type == "fence":
                    self._kinds[token.map[0]] = self._kinds[token.map[1] - 1] = "other"
        if tokens and tokens[-1].type == "fence" and tokens[-1].map:
            self._kinds[tokens[-1].map[0]] = "other"
        chain: list[tuple[int, str]] = []
        for index, (level, title, line, after) in enumerate(found):
            chain = [*(one for one in chain if one[0] < level), (level, title)]
            following_parts = found[index + 1 :]
            own_end = self.starts[following_parts[0][2]] if following_parts else len(self.text)
            end = next((self.starts[at] for deep, _, at, _ in following_parts if deep <= level), len(self.text))
            body = self.starts[after] if after < len(self.starts) else len(self.text)
            yield Part(tuple(chain), line + 1, self.starts[line], body, own_end, end)


def numbered(sample: Sample) -> Sample:
    """The same document with numbers before its headings."""
    counts = [0] * 7
    text, at = [], 0
    for part in sample.parts:
        level = part.chain[-1][0]
        counts[level] += 1
        counts[level + 1 :] = [0] * (6 - level)
        heading = re.compile(r" {0,3}#{2,6}[ \t]+(?=\S)").match(sample.text, part.start)
        if heading and not re.match(r"\d", part.title):
            number = ".".join(str(count) for count in counts[2 : level + 1])
            text += [sample.text[at : heading.end()], number + ("." if level == 2 else ""), " "]
            at = heading.end()
    return Sample(f"{sample.name} (numbered)", "".join(text) + sample.text[at:])


def with_crlf(sample: Sample) -> Sample:
    """The same document with the line ends of Windows."""
    return Sample(f"{sample.name} (CRLF)", _BREAK.sub("\r\n", sample.text))


class Library:
    """All documents, plain and altered; `pick` favours the plain ones."""

    def __init__(self, files: list[Path]) -> None:
        self.plain = [Sample(file.stem, file.read_bytes().decode("utf-8")) for file in files]
        self.numbered = [numbered(sample) for sample in self.plain]
        self.crlf = [with_crlf(sample) for sample in self.plain if "\r" not in sample.text]

    def pick(self, rng: random.Random) -> Sample:
        [shelf] = rng.choices([self.plain, self.numbered, self.crlf], [8, 1, 1])
        return rng.choice(shelf)


def corpus_files() -> list[Path]:
    """Markdown files of the folder that DRAFTSMITH_CORPUS names; none where it names none."""
    folder = os.environ.get(CORPUS)
    return sorted(file for file in Path(folder).glob("*.md") if file.name != "SOURCES.md") if folder else []


def library() -> Library:
    """The documents of the corpus where there is one, and always our own."""
    return Library([*corpus_files(), *OWN])
