"""Finds the one section that a path means, and the one span that a find means; anything but one match is refused.

The rules are in `section_ladder` and `find_ladder`. They are applied here to a document: first to a section's own text,
then to its subsections, excluding text that this batch wrote. A refusal says what to send instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Final

from rapidfuzz import fuzz, process

from draftsmith.errors import SectionPath, SectionText, Subject
from draftsmith.model.markdown.sections import Outline, Section
from draftsmith.model.work import Work
from draftsmith.transform import costs
from draftsmith.transform.costs import Searches
from draftsmith.transform.matching.equivalence import link_elsewhere
from draftsmith.transform.matching.find_ladder import Finder, SearchBudgetExceeded, TextMatch
from draftsmith.transform.matching.like_titles import same_but_for_numbering
from draftsmith.transform.matching.overlay import AmbiguousAlignment, LostMark, UnmatchedDots
from draftsmith.transform.matching.repeated_edits import stands_as_if_made
from draftsmith.transform.matching.replacement import FittedChange, fit_replacement, fitted_everywhere
from draftsmith.transform.matching.search_range import Cost, Payment, SearchRange
from draftsmith.transform.matching.section_ladder import match, parse_path
from draftsmith.transform.refusal import OperationRefused
from draftsmith.transform.steps.written_spans import WrittenPlaces, WrittenSpan

__all__ = ["Found", "changes_of", "find_all", "find_section", "find_text", "not_there", "rung_of"]

Found = TextMatch
_SHOWN = 400  # characters of the document that a refusal quotes
_MOST = 5  # candidates
_CACHED: Final = 512  # results that are cached for one text
_RANKED = 200  # characters of a title that count for a suggestion
_LARGE = 200_000  # characters; in longer documents only exact matches are searched outside the named section


def find_section(outline: Outline, path: str, where: str, *, fuzzy: bool = True, work: Work | None = None) -> Section:
    """Find the one section that a path means.

    Args:
        outline: of the current text.
        path: as operations take it.
        where: JSON Pointer of the path, for the problem.
        fuzzy: whether a similar title is accepted; False for operations that delete or replace a whole section.
        work: what the search is spent on.

    Raises:
        OperationRefused: `section_not_found` or `section_ambiguous`, with full paths as candidates.
    """
    found = match(outline, path, fuzzy=fuzzy, work=work)
    if len(found.sections) == 1:
        return found.sections[0]
    if found.sections:
        places = ", ".join(f"line {section.line}" for section in found.sections[:_MOST])
        message = f"{len(found.sections)} sections match '{_short(path)}' ({places}); give the full path of one."
        paths = [outline.path(section) for section in found.sections[:_MOST]]
        raise OperationRefused("section_ambiguous", where, message, paths, [SectionPath(path, fuzzy)])
    if work is not None:
        ranked = costs.RANKED_TITLE + costs.LIKE_TITLE
        work.spend(len(outline.sections) * ranked + costs.writing(outline.text), costs.TITLES)
    near = _nearest_paths(outline, path)
    raise OperationRefused(
        "section_not_found", where, _no_section_message(outline, path), near, [SectionPath(path, fuzzy)]
    )


def rung_of(outline: Outline, path: str, work: Work | None = None) -> str:
    """Return the rung on which a section path that means one section finds it."""
    return match(outline, path, work=work).rung if path.strip() else "exact"


def _nearest_paths(outline: Outline, path: str) -> list[str]:
    """Return full paths of sections, those with the nearest titles first."""
    segments = parse_path(path)
    wanted = (segments[-1].title if segments else path)[:_RANKED]
    titles = [section.plain[:_RANKED] for section in outline.sections]
    ranked = process.extract(wanted, titles, scorer=fuzz.WRatio, limit=_MOST)
    same = [section.index for section in outline.sections if same_but_for_numbering(wanted, section.title)]
    found = dict.fromkeys([*same, *(index for _, _, index in ranked)])
    return [outline.path(outline.sections[index]) for index in found][:_MOST]


def _no_section_message(outline: Outline, path: str) -> str:
    """Return the message for a path that means no section."""
    if not outline.sections:
        return "The document has no headings; use insert_section, or the empty path for the text before any heading."
    title = re.sub(r"^[#\s]+", "", path).strip()
    hidden = title and re.search(rf"^[ >\t]*#{{1,6}}[ \t]+{re.escape(title)}[ \t#]*$", outline.text, re.MULTILINE)
    note = " A line like it stands in a code block, a quote or a list, where it is no heading." if hidden else ""
    return f"No section is called '{_short(path)}'.{note}"


def find_text(
    outline: Outline,
    section: Section | None,
    find: str,
    own_spans: Sequence[WrittenSpan],
    where: str,
    replace: str = "",
) -> Found:
    """Find the one place a find means: on each rung in the section's own text (heading line included), else below it.

    Args:
        outline: of the current text.
        section: None for the text before the first heading.
        find: the quoted text.
        own_spans: what this batch wrote; not searched, unless it is in a section the batch made.
        where: JSON Pointer of the find, for the problem.
        replace: the replacement; used only to notice that it is already there.

    Raises:
        OperationRefused: `find_empty`, `find_not_found`, `find_ambiguous`, `overlap` or `too_costly`.
    """
    found = find_text_or_none(outline, section, find, own_spans, where)
    if found is None:
        raise not_there(outline, section, find, where, replace)
    return found


def find_text_or_none(
    outline: Outline,
    section: Section | None,
    find: str,
    own_spans: Sequence[WrittenSpan],
    where: str,
    searches: Searches | None = None,
) -> Found | None:
    """As `find_text`; None where that raises `find_not_found`."""
    if not find.strip():
        raise OperationRefused("find_empty", where, "There is nothing to find; quote the text to change.")
    cost = Cost(searches)
    finder, places, before = Finder(find, cost), _ranges_of(outline, section), WrittenPlaces(own_spans)
    try:
        for number in range(len(finder.rungs)):
            for place in places:
                hits = _hits(outline, finder, cost, number, place)
                fresh = [hit for hit in hits if not before.meet(hit.start, hit.end)]
                if len(fresh) > 1:
                    raise _ambiguous(outline, section, fresh, where)
                if fresh:
                    return fresh[0]
                if hits:
                    message = "This text was written by an earlier operation of the batch; join the two."
                    raise OperationRefused("overlap", where, message)
    except SearchBudgetExceeded:
        raise _too_costly(where) from None
    return None


def standing_once(
    outline: Outline, section: Section | None, text: str, searches: Searches | None = None
) -> tuple[int, int] | None:
    """Find a text, or what reads the same, in a section and its subsections; None unless it stands there once."""
    place = _ranges_of(outline, section)[-1]
    finder = Finder(text, Cost(searches))
    try:
        hits = next((found for rung in finder.same_words if (found := rung(place))), [])
    except SearchBudgetExceeded:
        return None
    return (hits[0].start, hits[0].end) if len(hits) == 1 else None


def _hits(outline: Outline, finder: Finder, cost: Cost, number: int, place: SearchRange) -> list[Found]:
    """Return the matches of a rung in a range; they are cached by text, and cost then what they cost to find."""
    key = ("hits", finder.find, number, place.start, place.end)
    known: tuple[list[Found], Sequence[Payment]] | None = outline.matches.get(key)
    if known is not None:
        for payment in known[1]:
            cost.spend(*payment)
        return known[0]
    before = len(cost.payments)
    hits = finder.rungs[number](place)
    _cache(outline, key, (hits, cost.payments[before:]))
    return hits


def find_all(
    outline: Outline,
    section: Section | None,
    find: str,
    own_spans: Sequence[WrittenSpan],
    where: str,
    searches: Searches | None = None,
) -> list[Found]:
    """Find all matches, without overlaps, in a section and its subsections, on the first rung that has any.

    Raises:
        OperationRefused: `find_empty`, `find_not_found`, `overlap` or `too_costly`.
    """
    if not find.strip():
        raise OperationRefused("find_empty", where, "There is nothing to find; quote the text to change.")
    cost = Cost(searches)
    finder, place, before = Finder(find, cost), _ranges_of(outline, section)[-1], WrittenPlaces(own_spans)
    count = outline.text.count(find, place.start, place.end)
    if searches is not None:  # before any of them is made
        searches.work.spend(count * costs.CHANGE, costs.HITS)
    try:
        for rung in finder.same_words:
            hits = _without_overlaps(rung(place))
            if any(before.meet(hit.start, hit.end) for hit in hits):
                message = "Some of this text was written by an earlier operation of the batch."
                raise OperationRefused("overlap", where, message)
            if hits:
                if searches is not None and not count:
                    searches.work.spend(len(hits) * costs.CHANGE, costs.HITS)
                return hits
    except SearchBudgetExceeded:
        raise _too_costly(where) from None
    raise not_there(outline, section, find, where, "", searches)


def changes_of(
    outline: Outline,
    section: Section | None,
    hits: Sequence[Found],
    find: str,
    replace: str,
    *,
    everywhere: bool = False,
    searches: Searches | None = None,
) -> Iterator[FittedChange]:
    """Make the changes that replace matches: the one match of a find, or all of them.

    Raises:
        OperationRefused: `find_not_found`, where only half a pair of marks was quoted; `edit_ambiguous`, where it
            depends on how find and replacement are compared which marks are kept, or which words dots stand for.
    """
    begins = 0 if section is None else section.start
    pay = (lambda _: None) if searches is None else searches.pay
    try:
        if everywhere:
            yield from fitted_everywhere(outline.text, hits, find, replace, begins, pay)
            return
        [found] = hits
        change = fit_replacement(outline.text, found, find, replace, begins, pay)
    except AmbiguousAlignment as unclear:
        message = (
            "The replacement can keep words of the find in more ways than one, and not all of them keep "
            f"{_mark_text(outline, unclear.mark)}. Quote the marks in find, as the candidate has them, and write those "
            "to keep in replace; or quote fewer words."
        )
        raise _edit_ambiguous(outline, section, hits, message) from None
    except UnmatchedDots as unclear:
        words = outline.text[unclear.dots.start : unclear.dots.end].strip()
        what = f"words of '{_short(words)}'" if words else "no words"
        message = (
            f"The dots of find stand for {what} (line {outline.line_at(unclear.dots.start)}), and it is not clear "
            "which dots of replace stand for the same, no more and no less. Quote these words in find, and in replace "
            "where they are to stay: then its dots are text. To delete them, leave the dots out of replace."
        )
        raise _edit_ambiguous(outline, section, hits, message) from None
    if change is None:
        stop = outline.text.find("\n", found.end)
        first, last = outline.text.rfind("\n", 0, found.start) + 1, stop if stop >= 0 else len(outline.text)
        reads = outline.text[first:last].strip()[-_SHOWN:]
        message = f"The quote holds half of a pair of marks; quote both halves or what is between. It reads: {reads}"
        raise OperationRefused("find_not_found", "/find", message, [reads], _subjects_of(outline, section))
    yield change


def _edit_ambiguous(outline: Outline, section: Section | None, hits: Sequence[Found], message: str) -> OperationRefused:
    """Return the refusal of an edit that is found and whose result is not clear, with the text as it reads."""
    reads = outline.text[hits[0].start : hits[-1].end][:_SHOWN]
    return OperationRefused("edit_ambiguous", "/replace", message, [reads], _subjects_of(outline, section))


def marks_lost(outline: Outline, lost_marks: Sequence[LostMark]) -> tuple[str, list[str]] | None:
    """Return the message of the warning `marks_lost`, and the marks as they stood; None if none is lost."""
    if not lost_marks:
        return None
    shown = [_mark_text(outline, one) for one in lost_marks[:_MOST]]
    more = f" and {len(lost_marks) - _MOST} more" if len(lost_marks) > _MOST else ""
    message = (
        f"The find left out marks whose words were replaced, so they are gone: {', '.join(shown)}{more}. To have one "
        "back, write it in replace, around words that are there now."
    )
    return message, [one.reads[:_SHOWN] for one in lost_marks[:_MOST]]


def _mark_text(outline: Outline, mark: LostMark) -> str:
    """Describe a mark: its kind, what it read as, and its line."""
    return f"{mark.kind} {_short(mark.reads)} (line {outline.line_at(mark.at)})"


def _without_overlaps(hits: Sequence[Found]) -> list[Found]:
    kept: list[Found] = []
    for hit in sorted(hits, key=lambda one: one.start):
        if not kept or hit.start >= kept[-1].end:
            kept.append(hit)
    return kept


def _too_costly(where: str) -> OperationRefused:
    return OperationRefused(
        "too_costly", where, "The search would take too long in a section this large; name a smaller one."
    )


def _ambiguous(outline: Outline, section: Section | None, hits: Sequence[Found], where: str) -> OperationRefused:
    lines = ", ".join(str(outline.line_at(hit.start)) for hit in hits[:_MOST])
    message = (
        f"The text stands there {len(hits)} times (lines {lines}); extend it until it is unique, or send all: true."
    )
    candidates = [_line(outline.text, hit.start) for hit in hits[:_MOST]]
    return OperationRefused("find_ambiguous", where, message, candidates, _subjects_of(outline, section))


def not_there(
    outline: Outline,
    section: Section | None,
    find: str,
    where: str,
    replace: str,
    searches: Searches | None = None,
) -> OperationRefused:
    """Make a refusal that quotes where else the text is, or the most similar text and its first difference."""
    finder, place = Finder(find, Cost(searches)), _ranges_of(outline, section)[-1]
    about = _subjects_of(outline, section)
    named = "before the first heading" if section is None else f"in '{outline.path(section)}'"
    is_replaced = stands_as_if_made(outline.text[place.start : place.end], find, replace)
    already = " The replacement stands there already." if is_replaced else ""
    match_outside = _find_in_document(outline, finder)
    if match_outside is not None:
        path, line = outline.path_at(match_outside.start), outline.line_at(match_outside.start)
        other = path or "the text before the first heading"
        message = f"The text does not stand {named}; it stands in '{other}' (line {line})."
        candidates = [path]
        return OperationRefused("find_not_found", where, message + already, candidates, about, find)
    message = f"The text does not stand {named}.{already}"
    nearest = _nearest(place, finder)
    if nearest is None:
        return OperationRefused("find_not_found", where, message, (), about, find)
    quoted, difference = nearest
    message += f" Nearest (line {outline.line_at(quoted.start)}): {outline.text[quoted.start : quoted.end]}"
    candidates = [outline.text[quoted.start : quoted.end]]
    return OperationRefused("find_not_found", where, message + difference, candidates, about, find)


def _find_in_document(outline: Outline, finder: Finder) -> Found | None:
    """Find the text anywhere in the document, or None."""
    whole = _range_of(outline, 0, len(outline.text))
    rungs: list[Callable[[SearchRange], list[TextMatch]]] = [finder.exact]
    if len(outline.text) <= _LARGE:
        rungs += [finder.same_blanks, finder.same_marks]
    try:
        return next((hits[0] for rung in rungs if (hits := rung(whole))), None)
    except SearchBudgetExceeded:
        return None


def _nearest(place: SearchRange, finder: Finder) -> tuple[Found, str] | None:
    """Return the nearest span in whole lines, at most 400 characters around the first difference, and that in words."""
    try:
        nearest = finder.nearest(place)
    except SearchBudgetExceeded:
        return None
    if nearest is None:
        return None
    text, window = place.text, nearest.match
    differs, wants = nearest.differs, nearest.wants
    start = max(text.rfind("\n", 0, window.start) + 1, place.start)
    stop = text.find("\n", window.end)
    end = min(len(text) if stop < 0 else stop, place.end)
    elsewhere = link_elsewhere(finder.find, text[start:end])
    if elsewhere is not None:
        first, last, wants = elsewhere
        differs = TextMatch(start + first, start + last, "nearest")
    if end - start > _SHOWN:
        least, most = (start, end) if elsewhere is not None else (window.start, window.end)
        start = max(least, min(differs.start - _SHOWN // 2, most - _SHOWN))
        end = min(most, start + _SHOWN)
    has, most = text[differs.start : differs.end], 80 if elsewhere is None else _SHOWN // 2
    difference = f" First difference: the document has `{has[:most]}`, find has `{wants[:most]}`."
    return TextMatch(start, end, "nearest"), difference if wants else ""


def _line(text: str, offset: int) -> str:
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    return text[start : end if end >= 0 else len(text)].strip()[:200]


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."


def _ranges_of(outline: Outline, section: Section | None) -> list[SearchRange]:
    """Return the ranges to search: the section's own text and, if it has subsections, its whole text."""
    if section is None:
        ranges = [(0, outline.preamble_end)]
    else:
        ranges = list(dict.fromkeys([(section.start, section.own_end), (section.start, section.end)]))
    return [_range_of(outline, start, end) for start, end in ranges]


def _range_of(outline: Outline, start: int, end: int) -> SearchRange:
    """Return a range of the document with its normal forms, cached by the outline."""
    key = ("place", start, end)
    if key not in outline.matches:
        _cache(outline, key, SearchRange(outline.text, start, end, outline.segments))
    found: SearchRange = outline.matches[key]
    return found


def _subjects_of(outline: Outline, section: Section | None) -> list[Subject]:
    """Return the subjects that a search in a section depends on."""
    return [SectionText("" if section is None else outline.path(section))]


def _cache(outline: Outline, key: Hashable, value: object) -> None:
    """Cache a result; a text keeps a bounded number of them."""
    if len(outline.matches) >= _CACHED:
        outline.matches.clear()
    outline.matches[key] = value
