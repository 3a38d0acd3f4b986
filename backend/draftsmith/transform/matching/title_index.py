"""Finds the headings that a title may mean, without comparing it with all of them.

Each segment of a text keeps its headings by the forms of their titles. What an edit leaves alone it keeps, so a search
costs one look at each segment, and what it finds. All that it finds may fit; nothing else does.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from draftsmith.model.markdown.segments import HeadingPosition, Segment, Segments, numbers_by
from draftsmith.transform.matching.like_titles import forms_of, sketch_of

_FORMS: Final = "forms of titles"
_SIGNS: Final = "titles with number signs"
_LAST: Final = re.compile(r"(?:\A|(?<= ))#{1,6} ")


def like(segments: Segments, wanted: str) -> list[HeadingPosition]:
    """The headings whose titles may be like a wanted one on any rung."""
    keys: set[Hashable] = {*forms_of(wanted), sketch_of(wanted)}
    found: list[HeadingPosition] = []
    for at, one in enumerate(segments.all):
        if one.headings:
            known = _forms(one)
            if not known.keys().isdisjoint(keys):
                found += _places(at, (known[key] for key in keys if key in known))
    return found


def at_the_end_of(segments: Segments, path: str) -> list[HeadingPosition]:
    """The headings whose full paths may end with a path exactly, as `## Storage ### Orders` does.

    Such a path ends with the heading's title, or the title with the path: "Part # 2".
    """
    titles = {path[mark.end() :] for mark in _LAST.finditer(path)}
    found: list[HeadingPosition] = []
    for at, one in enumerate(segments.all):
        if one.headings:
            numbers = [one.by_title[title] for title in titles if title in one.by_title]
            signs = _with_signs(one)
            if numbers or signs:
                found += _places(at, [*numbers, signs])
    return found


def _places(segment: int, numbers: Iterable[Sequence[int]]) -> Iterator[HeadingPosition]:
    return (HeadingPosition(segment, number) for number in sorted({number for some in numbers for number in some}))


def _forms(one: Segment) -> Mapping[Hashable, Sequence[int]]:
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
