"""Sections of a plain Markdown text, and where an operation writes: spans `(start, end, new text)`.

Enough for texts of headings with `#` and paragraphs of words. Blank lines as docs/operations.md has them: one between
blocks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

Span = tuple[int, int, str]

_HEADING = re.compile(r"^( {0,3})(#{1,6})(?:[ \t]+([^\n]*?))?[ \t]*(?:\n|\Z)", re.MULTILINE)
_BLANK = re.compile(r"(?:[ \t]*\n)*")


@dataclass(frozen=True)
class Section:
    """A heading at `start`, its own text from `body` to `own_end`, and its subsections up to `end`."""

    start: int
    body: int
    own_end: int
    end: int
    level: int
    title: str
    marks: str


def sections(text: str) -> list[Section]:
    """All sections, in order."""
    found = list(_HEADING.finditer(text))
    made = []
    for at, one in enumerate(found):
        level = len(one[2])
        own_end = found[at + 1].start() if at + 1 < len(found) else len(text)
        end = next((other.start() for other in found[at + 1 :] if len(other[2]) <= level), len(text))
        made.append(Section(one.start(), one.end(), own_end, end, level, one[3] or "", one[1] + one[2]))
    return made


def appended(text: str, section: Section, new: str) -> Span:
    """Where `append_to_section` writes."""
    first, last = _core(text, section)
    return _filled(text, section, new) if first == last else (last, last, f"\n\n{new}")


def replaced(text: str, section: Section, new: str) -> Span:
    """Where `replace_section` writes."""
    first, last = _core(text, section)
    return _filled(text, section, new) if first == last else (first, last, new)


def inserted(text: str, at: int, level: int, title: str, body: str) -> Span:
    """Where `insert_section` writes, for a place at the start of a section or at the end of the text."""
    before = text[:at]
    lead = ""
    if before.strip() and not re.search(r"\n[ \t]*\n\Z", before):
        lead = "\n" if before.endswith("\n") else "\n\n"
    return at, at, f"{lead}{'#' * level} {title}\n\n{body}" + ("\n\n" if at < len(text) else "\n")


def deleted(text: str, section: Section) -> Span:
    """Where `delete_section` writes."""
    if section.end < len(text):
        return section.start, section.end, ""
    before = text[: section.start].rstrip("\n")
    return (min(len(before) + 1, section.start) if before else section.start), section.end, ""


def renamed(text: str, section: Section, title: str) -> Span:
    """Where `rename_section` writes."""
    end = "\n" if text[section.start : section.body].endswith("\n") else ""
    return section.start, section.body, f"{section.marks} {title}{end}"


def _core(text: str, section: Section) -> tuple[int, int]:
    """From the first line with text to the end of the last one; equal if there is none."""
    body = text[section.body : section.own_end]
    lead = _BLANK.match(body)
    first = lead.end() if lead else 0
    filled = body.rstrip(" \t\n")
    if len(filled) <= first:
        return section.body, section.body
    stop = body.find("\n", len(filled))
    return section.body + first, section.body + (len(body) if stop < 0 else stop)


def _filled(text: str, section: Section, new: str) -> Span:
    lead = "\n" if text[: section.body].endswith("\n") else "\n\n"
    tail = "\n\n" if section.own_end < len(text) else "\n"
    return section.body, section.own_end, f"{lead}{new}{tail}"
