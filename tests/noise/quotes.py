"""Stretches of a document that somebody may quote: the true text of a find."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from tests.noise.samples import Line, Part, Sample, bare

_WORD = re.compile(r"\S+")
_SENTENCE = re.compile(r"(?:(?<=[.!?:][ \n])|\A)[A-Z*`\[][^.!?]{20,400}?[.!?](?=\s|\Z)", re.DOTALL)
_ITEM_MARK = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
Shaper = Callable[[Sample, list[Line], random.Random], tuple[int, int] | None]
SHAPES = ("phrase", "sentence", "line", "lines", "item", "row", "code", "blocks")
_WEIGHTS = (30, 22, 12, 10, 12, 5, 6, 3)


@dataclass(frozen=True)
class Quote:
    """A stretch `[start, end)` of a sample, in a section's own text."""

    sample: Sample
    part: Part
    start: int
    end: int
    shape: str

    @property
    def true(self) -> str:
        return self.sample.text[self.start : self.end]

    @property
    def text(self) -> str:
        """As a model sends it: line ends are LF."""
        return re.sub(r"\r\n?", "\n", self.true)

    @property
    def words(self) -> int:
        return len(bare(self.true).split())

    @cached_property
    def is_prose(self) -> bool:
        """Whether it is running text: no code, no table."""
        lines = self.sample.lines(self.part)
        kinds = {line.kind for line in lines if line.start < self.end and self.start <= line.end}
        return kinds <= {"prose", "item", "quote", "blank"}

    def is_unique_in(self, part: Part) -> bool:
        """Whether its words stand once in a section and its subsections, however they are set."""
        words = bare(self.true)
        return len(words) >= 6 and bare(self.sample.text[part.start : part.end]).count(words) == 1


def quote_from(sample: Sample, rng: random.Random, shapes: tuple[str, ...] = SHAPES) -> Quote | None:
    """A random stretch whose words are unique in its section; None if the dice fell badly."""
    return quote_in(sample, rng.choice(sample.parts), rng, shapes) if sample.parts else None


def quote_in(sample: Sample, part: Part, rng: random.Random, shapes: tuple[str, ...] = SHAPES) -> Quote | None:
    """A random stretch of a section whose words are unique in it; None if the dice fell badly."""
    [shape] = rng.choices(shapes, [_WEIGHTS[SHAPES.index(shape)] for shape in shapes])
    span = _SHAPERS[shape](sample, sample.lines(part), rng)
    if span is None:
        return None
    start, end = _trimmed(sample.text, *span)
    quote = Quote(sample, part, start, end, shape)
    fits = quote.words >= 2 and is_balanced(quote.true) and quote.is_unique_in(part)
    return quote if fits and len(quote.true) <= 1500 else None


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    stretch = text[start:end]
    return start + len(stretch) - len(stretch.lstrip(" \t\r\n")), end - len(stretch) + len(stretch.rstrip(" \t\r\n"))


def is_balanced(text: str) -> bool:
    """Whether no pair of marks is cut in two: nobody quotes half of `**a b**`."""
    unescaped = re.sub(r"\\.", "", text)
    plain = re.sub(r"^\s*[*+-]\s", "", unescaped, flags=re.MULTILINE)
    stars, ticks = len(re.findall(r"\*+", plain)), plain.count("`")
    edges = len(re.findall(r"(?<!\w)_+(?=\w)", plain)) - len(re.findall(r"(?<=\w)_+(?!\w)", plain))
    pairs = ((plain.count(one), plain.count(other)) for one, other in ("[]", "()", "<>"))
    strikes = plain.count("~~")
    return (
        stars % 2 == 0
        and ticks % 2 == 0
        and strikes % 2 == 0
        and edges == 0
        and all(one == other for one, other in pairs)
    )


def _phrase(sample: Sample, lines: list[Line], rng: random.Random) -> tuple[int, int] | None:
    lines = [line for line in lines if line.kind in ("prose", "item", "quote")]
    if not lines:
        return None
    line = rng.choice(lines)
    mark = _ITEM_MARK.match(line.text)
    words = list(_WORD.finditer(line.text, mark.end() if mark else 0))
    count = rng.randint(2, 9)
    if len(words) < count:
        return None
    first = rng.randrange(len(words) - count + 1)
    return line.start + words[first].start(), line.start + words[first + count - 1].end()


def _runs(lines: list[Line], kinds: tuple[str, ...]) -> list[list[Line]]:
    """Neighbouring lines of the same block."""
    runs: list[list[Line]] = []
    for before, line in zip([None, *lines], lines, strict=False):
        if line.kind not in kinds:
            continue
        if before is not None and before.kind == line.kind and runs:
            runs[-1].append(line)
        else:
            runs.append([line])
    return runs


def _sentence(sample: Sample, lines: list[Line], rng: random.Random) -> tuple[int, int] | None:
    runs = _runs(lines, ("prose",))
    if not runs:
        return None
    run = rng.choice(runs)
    start = run[0].start
    found = list(_SENTENCE.finditer(sample.text[start : run[-1].end].replace("\r", " ")))
    if not found:
        return None
    sentence = rng.choice(found)
    return start + sentence.start(), start + sentence.end()


def _line(sample: Sample, lines: list[Line], rng: random.Random) -> tuple[int, int] | None:
    lines = [line for line in lines if line.kind in ("prose", "item", "quote")]
    line = rng.choice(lines) if lines else None
    return (line.start, line.end) if line else None


def _several(sample: Sample, lines: list[Line], rng: random.Random) -> tuple[int, int] | None:
    runs = [run for run in _runs(lines, ("prose", "item", "row", "code")) if len(run) > 1]
    if not runs:
        return None
    run = rng.choice(runs)
    count = rng.randint(2, min(5, len(run)))
    first = rng.randrange(len(run) - count + 1)
    return run[first].start, run[first + count - 1].end


def _item(sample: Sample, lines: list[Line], rng: random.Random) -> tuple[int, int] | None:
    items = [index for index, line in enumerate(lines) if line.kind == "item"]
    if not items:
        return None
    last = first = rng.choice(items)
    while last + 1 < len(lines) and lines[last + 1].kind == "prose":
        last += 1
    return lines[first].start, lines[last].end


def _of(kind: str) -> Shaper:
    def choose(sample: Sample, lines: list[Line], rng: random.Random) -> tuple[int, int] | None:
        fitting = [line for line in lines if line.kind == kind]
        line = rng.choice(fitting) if fitting else None
        return (line.start, line.end) if line else None

    return choose


def _blocks(sample: Sample, lines: list[Line], rng: random.Random) -> tuple[int, int] | None:
    """The end of one block, a blank line, and the beginning of the next."""
    gaps = [
        index
        for index in range(1, len(lines) - 1)
        if lines[index].kind == "blank" and {lines[index - 1].kind, lines[index + 1].kind} <= {"prose", "item"}
    ]
    if not gaps:
        return None
    gap = rng.choice(gaps)
    return lines[gap - 1].start, lines[gap + 1].end


_SHAPERS: dict[str, Shaper] = {
    "phrase": _phrase,
    "sentence": _sentence,
    "line": _line,
    "lines": _several,
    "item": _item,
    "row": _of("row"),
    "code": _of("code"),
    "blocks": _blocks,
}
