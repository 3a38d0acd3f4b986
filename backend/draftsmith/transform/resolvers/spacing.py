"""Blank lines around text that is inserted into or removed from a section.

There is one blank line between blocks, never two; lists and tables are continued. Pure functions on text and offsets.

A section's *core* is its text from the first line that is not blank to the end of the last one. Writing replaces or
extends the core alone, so the blank lines around it, tight or wide, are kept.
"""

from __future__ import annotations

import re

from draftsmith.model.markdown.sections import Section

Splice = tuple[int, int, str]  # from, to, new text

_BLANK_LINES = re.compile(r"(?:[ \t]*\n)*")
_ITEM = re.compile(r"[ \t]*(?:([-*+])|\d{1,9}([.)]))(?:[ \t]|$)")
_THEMATIC_BREAK = re.compile(r"[ \t]*+([-*])(?:[ \t]*+\1){2,}+[ \t]*+$")
_DELIMITER_ROW = re.compile(r"\s*+(?:\|\s*+)?:?-++:?\s*+(?:\||$)")
_ATX = re.compile(r" {0,3}#{1,6}(?:[ \t]|\n|\Z)")


def replace_core(text: str, start: int, end: int, new: str) -> Splice:
    """Replace the core of `text[start:end]`, a section's text below its heading, by `new`."""
    new = _without_blank_edges(new)
    first, last = core_of(text, start, end)
    if not new:
        return start, end, "\n" if end < len(text) and _has_text(text, start) else ""
    if first == last:
        return _fill_section(text, start, end, new)
    return first, last, new + _before_next(text, last, end)


def append_core(text: str, start: int, end: int, new: str) -> Splice:
    """Append `new` to the core of `text[start:end]`: a list is continued, anything else becomes a separate block."""
    new = _without_blank_edges(new)
    first, last = core_of(text, start, end)
    if not new:
        return last, last, ""
    if first == last:
        return _fill_section(text, start, end, new)
    return last, last, _glue(text[first:last], new) + new + _before_next(text, last, end)


def standing(text: str, at: int, piece: str) -> str:
    """A section with blank lines for insertion at the start of a line or the end of the text, which may be blank."""
    before, lead = text[:at], ""
    if _has_text(text, at) and not (before.endswith("\n") and before[:-1].rstrip(" \t").endswith("\n")):
        lead = "\n" if before.endswith("\n") else "\n\n"
    elif before.endswith((" ", "\t")):
        lead = "\n"
    return lead + piece.rstrip("\n") + ("\n\n" if at < len(text) else "\n")


def cut(text: str, section: Section) -> Splice:
    """Remove a section; at the end of the text, also the blank lines before it."""
    if section.end < len(text):
        starts_setext = _ATX.match(text, section.end) is None
        joins = starts_setext and _has_text(text, section.start) and not text[: section.start].endswith("\n\n")
        return section.start, section.end, "\n" if joins else ""
    before = text[: section.start].rstrip("\n")
    return min(len(before) + 1, section.start) if before else section.start, section.end, ""


def core_of(text: str, start: int, end: int) -> tuple[int, int]:
    """From the first line that is not blank to the end of the last one, without its line end; equal if none is."""
    body = text[start:end]
    lead = _BLANK_LINES.match(body)
    first = lead.end() if lead is not None else 0
    filled = body.rstrip(" \t\n")
    if len(filled) <= first:
        return start, start
    stop = body.find("\n", len(filled))
    return start + first, start + (len(body) if stop < 0 else stop)


def _fill_section(text: str, start: int, end: int, new: str) -> Splice:
    """Fill an empty section: a blank line before the text and, if anything follows, after it."""
    lead = "\n" if _has_text(text, start) else ""
    if lead and not text[:start].endswith("\n"):
        lead = "\n\n"
    return start, end, lead + new + ("\n\n" if end < len(text) else "\n")


def _before_next(text: str, last: int, end: int) -> str:
    """The separator after a core that keeps the next heading a heading: a setext heading needs a blank line."""
    if end >= len(text) or _ATX.match(text, end) is not None:
        return ""
    return "" if text[last:end].count("\n") > 1 else "\n"


def _has_text(text: str, upto: int) -> bool:
    """Whether there is text before an offset other than a byte order mark and blank lines."""
    return bool(text[:upto].strip("\ufeff \t\n"))


def _without_blank_edges(new: str) -> str:
    lead = _BLANK_LINES.match(new)
    return new[lead.end() if lead is not None else 0 :].rstrip(" \t\n") if new.strip() else ""


def _glue(own: str, new: str) -> str:
    """The separator between a core and appended text."""
    lines, first = own.split("\n"), new.split("\n", 2)
    is_row = lines[-1].lstrip().startswith("|") and first[0].lstrip().startswith("|")
    if is_row and not (len(first) > 1 and _DELIMITER_ROW.match(first[1])):
        return "\n"
    mark = _mark(first[0])
    return "\n\n" if mark is None else _list_glue(lines, mark)


def _list_glue(lines: list[str], mark: str) -> str:
    """A line end if the text ends in a tight list with the same mark; a blank line if the list is loose or another."""
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at]
        if _mark(line) == mark:
            is_apart = at > 0 and not lines[at - 1].strip()
            above = next((one for one in reversed(lines[:at]) if one.strip()), "") if is_apart else ""
            is_loose = bool(above) and (_mark(above) == mark or above[0] in " \t")
            return "\n\n" if is_loose or not all(one.strip() for one in lines[at:]) else "\n"
        if line.strip() and line[0] not in " \t":
            return "\n\n"
    return "\n\n"


def _mark(line: str) -> str | None:
    """The bullet, or the mark after the number, of a line that begins a list item, indented or not; None for others."""
    found = None if _THEMATIC_BREAK.match(line) else _ITEM.match(line)
    return None if found is None else found[1] or found[2]
