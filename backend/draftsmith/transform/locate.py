"""Find the one section a path means, and the one place a find means. One match or a refusal; never a guess.

Here sections are matched by title (as written or without marks), level and the headings around them; finds character
for character. `rung` in a match says which.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from draftsmith.model.sections import Outline, Section
from draftsmith.transform.transaction import Refused, Written

_MARKED = re.compile(r"(?:^|(?<=[\s>/]))(#{1,6})[ \t]+")
_SEPARATORS = re.compile(r"\s+>\s+|\s+/\s+|\s*→\s*|\n+")
_CLOSING = re.compile(r"[ \t]+#+[ \t]*$")


@dataclass(frozen=True, slots=True)
class Segment:
    """One part of a section path; level 0 where none was given."""

    level: int
    title: str


@dataclass(frozen=True, slots=True)
class Found:
    """A stretch of text in code points and the rung that found it."""

    start: int
    end: int
    rung: str


def parse_path(path: str) -> list[Segment]:
    """Split a section path into its headings."""
    marks = list(_MARKED.finditer(path))
    if marks and not path[: marks[0].start()].strip():
        ends = [mark.start() for mark in marks[1:]] + [len(path)]
        parts = [(len(mark[1]), path[mark.end() : end]) for mark, end in zip(marks, ends, strict=True)]
    else:
        parts = [(0, part) for part in _SEPARATORS.split(path)]
    cleaned = [(level, _CLOSING.sub("", part).strip().rstrip(">/→").strip()) for level, part in parts]
    return [Segment(level, title) for level, title in cleaned if title]


def find_section(outline: Outline, path: str, where: str) -> Section:
    """The one section a path means.

    Raises:
        Refused: `section_not_found` or `section_ambiguous`, with full paths as candidates.
    """
    exact = [section for section in outline.sections if outline.path(section) == path]
    if len(exact) == 1:
        return exact[0]
    segments = parse_path(path)
    matching = [section for section in outline.sections if segments and _matches(outline, section, segments)]
    if segments and not matching:  # a title may hold what separates the parts of a path: "CI / CD", "Part # 2"
        matching = [section for section in outline.sections if _ends_with(outline, section, path.strip())]
    for narrower in (_same_chain, _same_levels):
        if len(matching) > 1:
            matching = [section for section in matching if narrower(outline, section, segments)] or matching
    if len(matching) == 1:
        return matching[0]
    if matching:
        places = ", ".join(f"line {section.line}" for section in matching[:5])
        message = f"{len(matching)} sections match '{_short(path)}' ({places}); give the full path of one."
        raise Refused("section_ambiguous", where, message, [outline.path(section) for section in matching[:5]])
    about = f"# {segments[-1].title}" if segments else ""
    raise Refused("section_not_found", where, _not_found(outline, path), _nearest(outline, path), about)


def _titles(section: Section) -> tuple[str, str]:
    return section.title, section.plain


def _matches(outline: Outline, section: Section, segments: Sequence[Segment]) -> bool:
    """The last part names the section; the others stand around it, in order; missing ones are fine."""
    if segments[-1].title not in _titles(section):
        return False
    around = iter(outline.chain(section)[:-1])
    return all(any(segment.title in _titles(part) for part in around) for segment in segments[:-1])


def _ends_with(outline: Outline, section: Section, path: str) -> bool:
    return path in _titles(section) or (path.startswith("#") and f" {outline.path(section)}".endswith(f" {path}"))


def _same_chain(outline: Outline, section: Section, segments: Sequence[Segment]) -> bool:
    return len(outline.chain(section)) == len(segments)


def _same_levels(outline: Outline, section: Section, segments: Sequence[Segment]) -> bool:
    levels = [part.level for part in outline.chain(section)][-len(segments) :]
    return segments[-1].level == section.level and all(
        segment.level in (0, level) for segment, level in zip(segments, levels, strict=False)
    )


def _nearest(outline: Outline, path: str) -> list[str]:
    paths = [outline.path(section) for section in outline.sections]
    return [str(paths[index]) for _, _, index in process.extract(path, paths, scorer=fuzz.WRatio, limit=5)]


def _not_found(outline: Outline, path: str) -> str:
    if not outline.sections:
        return "The document has no headings; use insert_section, or the empty path for the text before any heading."
    return f"No section is called '{_short(path)}'."


def find_text(outline: Outline, section: Section | None, find: str, written: Sequence[Written], where: str) -> Found:
    """The one place a find means: in the section's own text (heading line included), else in its subsections.

    Args:
        outline: of the current text.
        section: None for the text before the first heading.
        find: taken character for character.
        written: what this batch wrote; not searched, unless it is in a section the batch made.
        where: JSON Pointer of the find, for the problem.

    Raises:
        Refused: `find_empty`, `find_not_found`, `find_ambiguous` or `overlap`.
    """
    if not find.strip():
        raise Refused("find_empty", where, "There is nothing to find; quote the text to change.")
    start, own_end, end = _range(outline, section)
    for upto in dict.fromkeys((own_end, end)):
        hits = occurrences(outline.text, find, start, upto)
        fresh = [hit for hit in hits if not _is_written(hit, len(find), written)]
        if len(fresh) > 1:
            raise _ambiguous(outline, find, fresh, where)
        if fresh:
            return Found(fresh[0], fresh[0] + len(find), "exact")
        if hits:
            raise Refused("overlap", where, "This text was written by an earlier operation of the batch; join the two.")
    raise _not_there(outline, find, where, (start, end), section)


def find_all(outline: Outline, section: Section | None, find: str, written: Sequence[Written], where: str) -> list[int]:
    """Every place, without overlaps, in a section and its subsections.

    Raises:
        Refused: `find_empty`, `find_not_found` or `overlap`.
    """
    if not find.strip():
        raise Refused("find_empty", where, "There is nothing to find; quote the text to change.")
    start, _, end = _range(outline, section)
    hits: list[int] = []
    for hit in occurrences(outline.text, find, start, end):
        if not hits or hit >= hits[-1] + len(find):
            hits.append(hit)
    if any(_is_written(hit, len(find), written) for hit in hits):
        raise Refused("overlap", where, "Some of this text was written by an earlier operation of the batch.")
    if not hits:
        raise _not_there(outline, find, where, (start, end), section)
    return hits


def occurrences(text: str, find: str, start: int, end: int) -> list[int]:
    """Offsets at which `find` stands in `text[start:end]`, overlapping ones included."""
    hits = []
    at = text.find(find, start, end)
    while at >= 0:
        hits.append(at)
        at = text.find(find, at + 1, end)
    return hits


def _range(outline: Outline, section: Section | None) -> tuple[int, int, int]:
    if section is None:
        return 0, outline.preamble_end, outline.preamble_end
    return section.start, section.own_end, section.end


def _is_written(hit: int, length: int, written: Sequence[Written]) -> bool:
    return any(not known.created and hit < known.end and known.start < hit + length for known in written)


def _ambiguous(outline: Outline, find: str, hits: Sequence[int], where: str) -> Refused:
    lines = ", ".join(str(outline.line_at(hit)) for hit in hits[:5])
    message = (
        f"The text stands there {len(hits)} times (lines {lines}); extend it until it is unique, or send all: true."
    )
    return Refused("find_ambiguous", where, message, [_line(outline.text, hit) for hit in hits[:5]])


def _not_there(outline: Outline, find: str, where: str, at: tuple[int, int], section: Section | None) -> Refused:
    """Say where the text stands instead, or which line there is nearest, as it is written."""
    named = "before the first heading" if section is None else f"in '{outline.path(section)}'"
    elsewhere = occurrences(outline.text, find, 0, len(outline.text))
    if elsewhere:
        there = outline.path_at(elsewhere[0]) or "the text before the first heading"
        message = f"The text does not stand {named}; it stands in '{there}' (line {outline.line_at(elsewhere[0])})."
        return Refused("find_not_found", where, message, [outline.path_at(elsewhere[0])])
    message = f"The text does not stand {named}, character for character."
    lines = outline.text[slice(*at)].split("\n")
    best = process.extractOne(find, lines, scorer=fuzz.ratio, score_cutoff=50)
    if best is None:
        return Refused("find_not_found", where, message)
    nearest = best[0].strip()[:400]
    return Refused("find_not_found", where, f"{message} The nearest line there is: {nearest}", [nearest])


def _line(text: str, offset: int) -> str:
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    return text[start : end if end >= 0 else len(text)].strip()[:200]


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."
