"""The outline of a long document for a model: its sections with their sizes; `read_section` returns the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from draftsmith.assistant.tools.lines import one_line
from draftsmith.model.markdown.sections import Outline, Section
from draftsmith.transform.matching.like_titles import normal_title

DOCUMENT_WHOLE: Final = 12_000
"""Characters up to which a document is given whole; a longer one is given as its outline."""
_MOST: Final = 300  # sections that are listed


def outline_lines(outline: Outline, reader: str = "read_section") -> list[str]:
    """`2.1 ### Caching (820 chars, 9 lines)` for each section; sizes without subsections.

    A heading that is unique names its section; one that is not is listed with its full path. Of very long outlines
    the deepest levels are left out, and said so. `reader`: the tool that shows sections.
    """
    lines = []
    if outline.text[: outline.preamble_end].strip():
        lines.append(f'0 "" (text before the first heading, {_size(outline.text[: outline.preamble_end])})')
    shown = _deepest_level(outline)
    counted = count_titles(outline)
    numbers: dict[int, str] = {}
    below: dict[int | None, int] = {}
    for section in outline.sections:
        below[section.parent] = below.get(section.parent, 0) + 1
        around = "" if section.parent is None else f"{numbers[section.parent]}."
        numbers[section.index] = f"{around}{below[section.parent]}"
        if section.level <= shown:
            name = section_name(outline, section, counted)
            lines.append(f"{numbers[section.index]} {name} ({_own(outline, section)})")
    hidden = sum(section.level > shown for section in outline.sections)
    if hidden:
        lines.append(f"{hidden} sections below level {shown} are not listed; {reader} names them.")
    return lines


def count_titles(outline: Outline) -> Mapping[str, int]:
    """How many sections have each title, in any letter case."""
    return Counter(normal_title(section.title) for section in outline.sections)


def section_name(outline: Outline, section: Section, counted: Mapping[str, int]) -> str:
    """The shortest path that names a section: its heading where it is unique, else its full path.

    `counted`: of `count_titles`.
    """
    is_unique = counted[normal_title(section.title)] == 1
    return one_line(f"{'#' * section.level} {section.title}" if is_unique else outline.path(section))


def _deepest_level(outline: Outline) -> int:
    """The deepest level that is listed."""
    levels = sorted({section.level for section in outline.sections})
    for level in reversed(levels):
        if sum(section.level <= level for section in outline.sections) <= _MOST:
            return level
    return levels[0] if levels else 6


def _own(outline: Outline, section: Section) -> str:
    return _size(outline.text[section.body : section.own_end])


def _size(text: str) -> str:
    text = text.strip("\n")
    lines = text.count("\n") + 1 if text else 0
    return f"{len(text)} chars, {lines} line{'s' if lines != 1 else ''}"
