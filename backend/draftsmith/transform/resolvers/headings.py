"""Rewrites headings with another title or level. The style (ATX or setext) is kept where possible."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from draftsmith.model.markdown.sections import Outline, Section, outline_of
from draftsmith.transform.matching.like_titles import is_same_title

_ATX = re.compile(r"( {0,3})(#{1,6})(?=[ \t]|\n|\Z)")
_CLOSING = re.compile(r"(?:^|(?<=[ \t]))(#+)[ \t]*$")
DEEPEST: Final = 6
_LISTED = 4  # operations that a message names one by one
_UNDERLINE = re.compile(r"(?:(?<!=)=++|(?<!-)-++)(?=[ \t]*+\Z)")


def heading(level: int, title: str) -> str:
    """An ATX heading without its line end; marks that would be read as its closing ones are escaped."""
    return f"{'#' * level} {_CLOSING.sub(lambda found: chr(92) + found[1], title)}"


def retitle(old: str, section: Section, title: str) -> str:
    """The heading's lines with another title; a setext heading stays one where the title allows it."""
    end = "\n" if old.endswith("\n") else ""
    marks = _ATX.match(old)
    if marks is not None:
        return f"{marks[1]}{heading(section.level, title)}{end}"
    underlined = f"{title}\n{old.rstrip(chr(10)).rpartition(chr(10))[2]}{end}"
    return underlined if _reads(underlined, section.level, title) else heading(section.level, title) + end


def relevel(old: str, section: Section, by: int) -> str:
    """The heading's lines with its level moved, between 1 and 6."""
    level = max(1, min(DEEPEST, section.level + by))
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


def shift_section(outline: Outline, section: Section, by: int) -> str:
    """A section's text, subsections included, with all its headings moved by some levels."""
    pieces: list[str] = []
    at = section.start
    for inner in outline.sections[section.index :]:
        if inner.start >= section.end:
            break
        old = outline.text[inner.start : inner.body]
        pieces += [outline.text[at : inner.start], relevel(old, inner, by)]
        at = inner.body
    return "".join([*pieces, outline.text[at : section.end]])


def flattened_sections(outline: Outline, section: Section, by: int) -> list[Section]:
    """The sections of a section, itself included, that would be deeper than headings go if it moved by some levels."""
    inner = outline.sections_between(section.index, outline.count_before(section.end))
    return [one for one in inner if one.level + by > DEEPEST]


def headings_in(text: str) -> list[Section]:
    """The headings that a text has where it comes to stand in a document: nothing at its begin is a front matter."""
    return [
        replace(one, line=one.line - 1, start=one.start - 1, body=one.body - 1)
        for one in outline_of(f"\n{text}").sections
    ]


def repeats(first: Section, level: int, title: str) -> bool:
    """Whether the first heading of a section's text is the section's own heading once more.

    A deeper one of the same title is a subsection.
    """
    return first.level <= level and is_same_title(first.title, title)


def one_by_one(text: str, ending: Sequence[Section], op: str, level: int, title: str) -> str:
    """What is wrong with a text for a section whose headings would end it, and the operations that do it right.

    Args:
        text: as it was sent.
        ending: the headings that would end the section, or take in what follows it.
        op, level, title: the operation, and the heading of its section; 0 for the text before the first one.
    """
    first = ending[0]
    own = f"'{title}'" if level else "the text before the first heading"
    takes = "ends" if first.level <= level else "takes in the sections after"
    message = f"Line {first.line} of the text is the heading '{'#' * first.level} {first.title}', which {takes} {own}."
    lead = _lines(text, 0, first.start)
    sent = [f"{op} for {own}{lead}"] if lead else []
    place = f" after '{'#' * level} {title}'" if level else " before the first section"
    ends = [*(one.start for one in ending[1:]), len(text)]
    for one, end in list(zip(ending, ends, strict=True))[:_LISTED]:
        body = _lines(text, one.body, end)
        level_too = f", level {one.level}" if one.level != level else ""
        sent.append(f"insert_section '{one.title}'{place}{level_too}{body}")
        place = f" after '{'#' * one.level} {one.title}'"
    more = f"; and so on for {len(ending) - _LISTED} more" if len(ending) > _LISTED else ""
    renamed = "" if lead else " rename_section changes a title."
    return f"{message} Send one operation a section: {'; '.join(sent)}{more}.{renamed}"


def _lines(text: str, start: int, end: int) -> str:
    """Which lines of a text stand in a span, as the text of an operation; empty if it is blank."""
    words = text[start:end]
    if not words.strip():
        return ""
    first = text.count("\n", 0, start + len(words) - len(words.lstrip())) + 1
    last = text.count("\n", 0, start + len(words.rstrip())) + 1
    return f", text: line {first}" if first == last else f", text: lines {first} to {last}"


def _reads(text: str, level: int, title: str) -> bool:
    """Whether a text is read as one heading of that level and title."""
    sections = outline_of(text).sections
    return [(one.level, one.title) for one in sections] == [(level, title)]
