"""Sections of a plain Markdown text, and where an operation writes: spans `(start, end, new text)`.

Enough for texts of headings with `#` and paragraphs of words. Blank lines as docs/operations.md has them: one between
blocks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Span = tuple[int, int, str]

Op = Mapping[str, Any]

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


def written(text: str, op: Mapping[str, Any]) -> Sequence[Span]:
    """Where an operation writes, in order, which names sections by titles that are there once.

    Raises:
        KeyError: it is none of those that are here.
    """
    return _WRITTEN[op["op"]](text, op)


def _section_written(place: Callable[[str, Section, str], Span], field: str) -> Callable[[str, Op], Sequence[Span]]:
    return lambda text, op: [place(text, _titled(text, op["section"]), op[field])]


def _titled(text: str, title: str) -> Section:
    [found] = [one for one in sections(text) if one.title == title]
    return found


def _edited(text: str, op: Op) -> Sequence[Span]:
    section = _titled(text, op["section"])
    at = text.index(op["find"], section.body, section.own_end)
    return [(at, at + len(op["find"]), op["replace"])]


def _put_in(text: str, op: Op) -> Sequence[Span]:
    at = len(text)
    if "before" in op:
        at = _titled(text, op["before"]).start
    elif "after" in op:
        at = _titled(text, op["after"]).end
    return [inserted(text, at, op["level"], op["title"], op["text"])]


def _typed(text: str, op: Op) -> Sequence[Span]:
    """The stretches that a ChangeSet replaces; it counts UTF-16 units."""
    units, done, at = text.encode("utf-16-le"), 0, 0
    spans: list[Span] = []
    for part in op["changes"]:
        count, *lines = part if isinstance(part, list) else [part]
        begin = at
        at += len(units[2 * done : 2 * (done + count)].decode("utf-16-le"))
        done += count
        if isinstance(part, list):
            spans.append((begin, at, "\n".join(lines)))
    return spans


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


_WRITTEN: Mapping[str, Callable[[str, Op], Sequence[Span]]] = {
    "edit_text": _typed,
    "edit_section": _edited,
    "insert_section": _put_in,
    "append_to_section": _section_written(appended, "text"),
    "replace_section": _section_written(replaced, "text"),
    "rename_section": _section_written(renamed, "title"),
    "delete_section": lambda text, op: [deleted(text, _titled(text, op["section"]))],
}
KNOWN = tuple(_WRITTEN)
"""The operations on a text of which it is known here where they write."""
