"""Finds the one section that a path means, by a series of rungs; a rung must match exactly once.

exact (as written or without marks) · normalised (case, punctuation, quotes, `&`) · without blanks · without leading
numbering · nearly the same, guarded. Headings before the last must be its ancestors, in order; some may be left out.
Ancestors and levels only decide between equal matches; if two remain, the path is refused and both are listed.

Titles are looked up, not compared one by one: each segment of a text keeps its headings by the forms of their titles
for as long as no edit changes it, so a search costs one look at each segment, and what it finds.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from draftsmith.model.markdown.sections import Outline, Section
from draftsmith.model.markdown.segments import HeadingPosition, HeadingSpan, Segment, Segments, numbers_by
from draftsmith.model.work import Work
from draftsmith.transform import costs
from draftsmith.transform.matching.like_titles import (
    Test,
    forms_of,
    is_equal_title,
    is_near_title,
    likeness,
    normal_title,
    same_joined,
    same_normal,
    same_unnumbered,
    sketch_of,
)

_MARKED = re.compile(r"(?:^|(?<=[\s>/]))(#{1,6})(?:(?!\n)\s)+")
_MARKED_TIGHTLY = re.compile(r"(?:^|(?<=[\s>/]))(#{1,6})(?:(?!\n)\s)*(?=[^\s#])")
_SEPARATORS = re.compile(r"(?<!\s)\s++(?:(?:>|/|::?)\s++|[→›»]\s*+)|[→›»]\s*+|\n++")
_CLOSING = re.compile(r"(?<![ \t])[ \t]++#++[ \t]*+$")
_LAST = re.compile(r"(?:\A|(?<= ))#{1,6} ")
_MARGIN = 5
_FORMS: Final = "forms of titles"
_SIGNS: Final = "titles with number signs"


@dataclass(frozen=True, slots=True)
class SectionPathPart:
    """One part of a section path; level 0 if none was given."""

    level: int
    title: str


@lru_cache(maxsize=2048)
def parse_path(path: str, *, tightly: bool = False) -> tuple[SectionPathPart, ...]:
    """Split a section path into its headings; `tightly`: blanks behind number signs may be missing."""
    marks = list((_MARKED_TIGHTLY if tightly else _MARKED).finditer(path))
    if marks and not path[: marks[0].start()].strip():
        ends = [mark.start() for mark in marks[1:]] + [len(path)]
        parts = [(len(mark[1]), path[mark.end() : end]) for mark, end in zip(marks, ends, strict=True)]
    else:
        parts = [(0, part) for part in _SEPARATORS.split(path)]
    cleaned = [(level, _CLOSING.sub("", part).strip().rstrip(">/→").strip()) for level, part in parts]
    return tuple(SectionPathPart(level, title) for level, title in cleaned if title)


RUNGS: tuple[tuple[str, tuple[Test, ...]], ...] = (
    ("exact", (is_equal_title,)),
    ("normalised", (is_equal_title, same_normal)),
    ("joined", (is_equal_title, same_normal, same_joined)),
    ("numbering", (is_equal_title, same_normal, same_joined, same_unnumbered)),
    ("fuzzy", (is_equal_title, same_normal, same_joined, same_unnumbered, is_near_title)),
)


@dataclass(frozen=True, slots=True)
class Matches:
    """The sections a path may mean, and the rung that found them; more than one stays ambiguous."""

    sections: Sequence[Section]
    rung: str


class Candidate(NamedTuple):
    """A heading, and the chain of headings down to it, as their segments have them."""

    place: HeadingPosition
    chain: Sequence[HeadingSpan]


def match(outline: Outline, path: str, *, fuzzy: bool = True, work: Work | None = None) -> Matches:
    """Find the sections that match on the first rung with a match, narrowed by ancestors and levels.

    `work`: what it is spent on.
    """
    segments = parse_path(path)
    if not segments:
        return Matches((), "")
    there, written = outline.segments, path.strip()
    titles = (written, _CLOSING.sub("", written)) if len(segments) > 1 else ()
    named = there.with_title({segments[-1].title, *titles})
    for title in titles:  # a title that contains a path separator: "CI / CD"
        whole = [place for place in named if _has_title(there, place, title)]
        if len(whole) == 1:
            return Matches(outline.at_places(whole), "exact")
        if whole:
            break
    found = _match(outline, path, segments, named, work, fuzzy=fuzzy)
    tight = () if found.sections else parse_path(path, tightly=True)
    if tight and tight != segments:
        found = _match(outline, path, tight, there.with_title({tight[-1].title}), work, fuzzy=fuzzy)
    if not found.sections and len(segments) > 1 and not any(segment.level for segment in segments):
        return _match(
            outline, path, (SectionPathPart(0, written),), named, work, fuzzy=False
        )  # such a title, set otherwise
    return found


def _match(
    outline: Outline,
    path: str,
    segments: Sequence[SectionPathPart],
    places: list[HeadingPosition],
    work: Work | None,
    *,
    fuzzy: bool,
) -> Matches:
    """As `match`; `places`: the headings that may be the last part exactly, and others."""
    there = outline.segments
    for rung, tests in RUNGS:
        if rung == "fuzzy" and not fuzzy:
            break
        if work is not None:
            title = costs.TITLE if rung == "exact" else costs.LIKE_TITLE * len(segments)
            work.spend(outline.count * title, costs.TITLES)
        if rung == "normalised":
            places = _headings_like(there, segments[-1].title)
        found = _fitting(there, places, segments, tests)
        if rung == "exact" and not found:
            found = _ending(there, path.strip())
        if rung == "fuzzy" and len(found) > 1:
            found = ahead(found, segments[-1].title)
        if found:
            return Matches(outline.at_places([one.place for one in narrow_matches(found, segments)]), rung)
    return Matches((), "")


def _has_title(there: Segments, place: HeadingPosition, title: str) -> bool:
    heading = there.local_heading(place)
    return title in (heading.title, heading.plain)


def _fitting(
    there: Segments, places: Sequence[HeadingPosition], segments: Sequence[SectionPathPart], tests: Sequence[Test]
) -> list[Candidate]:
    """Return the headings whose titles match the last part, while the other parts match ancestors, in order."""
    wanted = segments[-1].title
    named = [place for place in places if any(test(wanted, there.local_heading(place).title) for test in tests)]
    candidates = (Candidate(place, there.chain(place)) for place in named)
    return [one for one in candidates if _stands_below(one, segments[:-1], tests)]


def _stands_below(one: Candidate, above: Sequence[SectionPathPart], tests: Sequence[Test]) -> bool:
    around = iter(one.chain[:-1])
    return all(any(any(test(segment.title, part.title) for test in tests) for part in around) for segment in above)


def _ending(there: Segments, path: str) -> list[Candidate]:
    """Return the headings whose full paths end with a path exactly; titles may contain separators: "Part # 2"."""
    if not path.startswith("#"):
        return []
    places = _headings_ending(there, path)
    return [Candidate(one, there.chain(one)) for one in places if f" {there.path(one)}".endswith(f" {path}")]


def ahead(found: list[Candidate], wanted: str) -> list[Candidate]:
    """Return the most similar section, if it is ahead of the next by the margin; else all."""
    ranked = sorted(((likeness(wanted, one.chain[-1].title), one) for one in found), key=lambda pair: -pair[0])
    return [ranked[0][1]] if ranked[0][0] - ranked[1][0] >= _MARGIN else found


def narrow_matches(found: list[Candidate], segments: Sequence[SectionPathPart]) -> list[Candidate]:
    """Choose between equal matches: by the full chain, then by the end of the chain, then by levels."""
    for narrower in (_same_chain, _chain_ends, _same_levels):
        if len(found) > 1:
            found = [one for one in found if narrower(one.chain, segments)] or found
    return found


def _same_chain(chain: Sequence[HeadingSpan], segments: Sequence[SectionPathPart]) -> bool:
    """Whether a path names every heading of a chain: none of the ancestors is left out."""
    return len(chain) == len(segments)


def _chain_ends(chain: Sequence[HeadingSpan], segments: Sequence[SectionPathPart]) -> bool:
    """Whether a path of several parts names the last headings of a chain, with none left out between them."""
    last = chain[-len(segments) :]
    return (
        len(segments) > 1
        and len(last) == len(segments)
        and all(
            normal_title(segment.title) == normal_title(part.title)
            for segment, part in zip(segments, last, strict=True)
        )
    )


def _same_levels(chain: Sequence[HeadingSpan], segments: Sequence[SectionPathPart]) -> bool:
    """Whether the last part of a path has the level of the heading, and each part before it none, or that of its own.

    Its own is found by counting: the parts stand beside the last headings of the chain, so behind an ancestor that is
    left out a level is compared with another heading's. Beside a chain that is shorter than the path, since a title
    holds a separator, counting begins at the front.
    """
    levels = [part.level for part in chain][-len(segments) :]
    return segments[-1].level == chain[-1].level and all(
        segment.level in (0, level) for segment, level in zip(segments, levels, strict=False)
    )


def _headings_like(segments: Segments, wanted: str) -> list[HeadingPosition]:
    """Return the headings whose titles may be like a wanted one on any rung; no other title is."""
    keys: set[Hashable] = {*forms_of(wanted), sketch_of(wanted)}
    found: list[HeadingPosition] = []
    for at, one in enumerate(segments.all):
        if one.headings:
            known = _headings_by_form(one)
            if not known.keys().isdisjoint(keys):
                found += _positions(at, (known[key] for key in keys if key in known))
    return found


def _headings_ending(segments: Segments, path: str) -> list[HeadingPosition]:
    """Return the headings whose full paths may end with a path exactly, as `## Storage ### Orders` does.

    Such a path ends with the heading's title, or the title with the path: "Part # 2".
    """
    titles = {path[mark.end() :] for mark in _LAST.finditer(path)}
    found: list[HeadingPosition] = []
    for at, one in enumerate(segments.all):
        if one.headings:
            numbers = [one.by_title[title] for title in titles if title in one.by_title]
            signs = _with_signs(one)
            if numbers or signs:
                found += _positions(at, [*numbers, signs])
    return found


def _positions(segment: int, numbers: Iterable[Sequence[int]]) -> Iterator[HeadingPosition]:
    return (HeadingPosition(segment, number) for number in sorted({number for some in numbers for number in some}))


def _headings_by_form(one: Segment) -> Mapping[Hashable, Sequence[int]]:
    known: Mapping[Hashable, Sequence[int]] | None = one.notes.get(_FORMS)
    if known is None:
        names = ({*forms_of(heading.title), sketch_of(heading.title)} for heading in one.headings)
        known = one.notes[_FORMS] = numbers_by(names)
    return known


def _with_signs(one: Segment) -> Sequence[int]:
    known: Sequence[int] | None = one.notes.get(_SIGNS)
    if known is None:
        known = one.notes[_SIGNS] = [number for number, heading in enumerate(one.headings) if "#" in heading.title]
    return known
