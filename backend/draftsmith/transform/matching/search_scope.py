"""The ranges of a document that are searched for a section, and what they depend on; cached with the outline."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from draftsmith.errors import SectionText, Subject
from draftsmith.model.markdown.sections import Outline, Section
from draftsmith.transform.matching.search_range import SearchRange

_KEPT: Final = 512  # results that are cached for one text


def places_of(outline: Outline, section: Section | None) -> list[SearchRange]:
    """The section's own text and, if it has subsections, its whole text; normal forms are cached by the outline."""
    if section is None:
        ranges = [(0, outline.preamble_end)]
    else:
        ranges = list(dict.fromkeys([(section.start, section.own_end), (section.start, section.end)]))
    return [range_of(outline, start, end) for start, end in ranges]


def range_of(outline: Outline, start: int, end: int) -> SearchRange:
    """A range of the document with its normal forms, cached by the outline."""
    key = ("place", start, end)
    if key not in outline.matches:
        keep(outline, key, SearchRange(outline.text, start, end, outline.segments))
    found: SearchRange = outline.matches[key]
    return found


def text_of(outline: Outline, section: Section | None) -> list[Subject]:
    """The subjects that a search in a section depends on."""
    return [SectionText("" if section is None else outline.path(section))]


def keep(outline: Outline, key: Hashable, value: object) -> None:
    """Cache a result; whatever is asked, a text keeps only so many."""
    if len(outline.matches) >= _KEPT:
        outline.matches.clear()
    outline.matches[key] = value
