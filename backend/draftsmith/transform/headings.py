"""Rewrites headings with another title or level. The style (ATX or setext) is kept where possible."""

from __future__ import annotations

import re

from draftsmith.model.sections import Outline, Section, outline_of
from draftsmith.transform.like_titles import is_same_title

_ATX = re.compile(r"( {0,3})(#{1,6})(?=[ \t]|\n|\Z)")
_CLOSING = re.compile(r"(?:^|(?<=[ \t]))(#+)[ \t]*$")
_UNDERLINE = re.compile(r"(?:(?<!=)=++|(?<!-)-++)(?=[ \t]*+\Z)")


def heading(level: int, title: str) -> str:
    """An ATX heading without its line end; marks that would be read as its closing ones are escaped."""
    return f"{'#' * level} {_CLOSING.sub(lambda found: chr(92) + found[1], title)}"


def retitled(old: str, section: Section, title: str) -> str:
    """The heading's lines with another title; a setext heading stays one where the title allows it."""
    end = "\n" if old.endswith("\n") else ""
    marks = _ATX.match(old)
    if marks is not None:
        return f"{marks[1]}{heading(section.level, title)}{end}"
    underlined = f"{title}\n{old.rstrip(chr(10)).rpartition(chr(10))[2]}{end}"
    return underlined if _reads(underlined, section.level, title) else heading(section.level, title) + end


def releveled(old: str, section: Section, by: int) -> str:
    """The heading's lines with its level moved, between 1 and 6."""
    level = max(1, min(6, section.level + by))
    if level == section.level:
        return old
    marks = _ATX.match(old)
    if marks is not None:
        return f"{marks[1]}{'#' * level}{old[marks.end() :]}"
    end = "\n" if old.endswith("\n") else ""
    if level > 2:
        return heading(level, section.title) + end
    sign = "=" if level == 1 else "-"
    return _UNDERLINE.sub(lambda found: sign * max(3, len(found[0])), old.rstrip("\n")) + end


def shifted(outline: Outline, section: Section, by: int) -> str:
    """A section's text, subsections included, with all its headings moved by some levels."""
    pieces: list[str] = []
    at = section.start
    for inner in outline.sections[section.index :]:
        if inner.start >= section.end:
            break
        old = outline.text[inner.start : inner.body]
        pieces += [outline.text[at : inner.start], releveled(old, inner, by)]
        at = inner.body
    return "".join([*pieces, outline.text[at : section.end]])


def first_heading(text: str) -> Section | None:
    """The heading that a text begins with, blank lines apart; None if it begins with anything else."""
    sections = outline_of(text).sections
    return sections[0] if sections and not text[: sections[0].start].strip() else None


def repeats(first: Section, level: int, title: str) -> bool:
    """Whether the first heading of a section's text is the section's own heading once more.

    A deeper one of the same title is a subsection.
    """
    return first.level <= level and is_same_title(first.title, title)


def _reads(text: str, level: int, title: str) -> bool:
    """Whether a text is read as one heading of that level and title."""
    sections = outline_of(text).sections
    return [(one.level, one.title) for one in sections] == [(level, title)]
