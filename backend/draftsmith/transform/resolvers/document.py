"""Resolves operations on the document into text changes, and the one on the workspace's name.

Text outside the edited span never changes; a document that is replaced keeps the lines that are equal.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from draftsmith.errors import DocumentRange
from draftsmith.model.document import LINE_ENDS_MIXED, eol_of, from_units, from_units_in_order, with_lf
from draftsmith.model.markdown.sections import Outline, Section, line_breaks
from draftsmith.transform import costs
from draftsmith.transform.matching.locate import (
    Found,
    changes_of,
    find_all,
    find_section,
    find_text_or_none,
    marks_lost,
    not_there,
    rung_of,
    standing_once,
)
from draftsmith.transform.matching.overlay import LostMark
from draftsmith.transform.matching.repeated_edits import LEAST, tracing_cost, was_made
from draftsmith.transform.refusal import OperationRefused
from draftsmith.transform.requests import operations as ops
from draftsmith.transform.resolvers.anchors import as_it_stands
from draftsmith.transform.resolvers.headings import (
    DEEPEST,
    flattened_sections,
    heading,
    headings_in,
    one_by_one,
    repeats,
    retitle,
    shift_section,
)
from draftsmith.transform.resolvers.spacing import append_core, cut, replace_core, standing
from draftsmith.transform.results import MatchOut
from draftsmith.transform.steps.changeset import from_json
from draftsmith.transform.steps.line_changes import comparing_cost, line_changes
from draftsmith.transform.steps.spans import SpanMap
from draftsmith.transform.steps.steps import text_steps
from draftsmith.transform.steps.workspace import Rename
from draftsmith.transform.steps.written_spans import WrittenPlaces
from draftsmith.transform.transaction import Transaction

_PLACES: Final = 10  # that a message names
_SHOWN: Final = 100  # operations whose matches are shown
Span = tuple[int, int, str]
_TITLES: Final = 5  # that a warning names


def edit_section(tx: Transaction, op: ops.EditSection) -> None:
    """Replace a quoted text in a section, once or everywhere."""
    op = as_it_stands(tx, op)
    outline = tx.workspace.document.outline
    section = _section(tx, op.section)
    if op.all:
        hits: Sequence[Found] = find_all(outline, section, op.find, tx.own_spans, "/find", tx.searches)
    else:
        hit = find_text_or_none(outline, section, op.find, tx.own_spans, "/find", tx.searches)
        if (hit is None or hit.rung != "exact") and _is_repeated(tx, section, op):
            return
        if hit is None:
            raise not_there(outline, section, op.find, "/find", op.replace, tx.searches)
        hits = [hit]
    spans, lost = _replacements(tx, section, hits, op)
    warning = marks_lost(outline, lost)
    if warning is not None:
        tx.warn("marks_lost", "/find", *warning)
    _splice(tx, section, spans, hits[0].rung, is_paid=op.all)


def _replacements(
    tx: Transaction, section: Section | None, hits: Sequence[Found], op: ops.EditSection
) -> tuple[list[Span], list[LostMark]]:
    """Return what replaces each match, and the marks that are lost; end as soon as the document would be too long."""
    spans: list[Span] = []
    lost: list[LostMark] = []
    length = 0
    outline, searches = tx.workspace.document.outline, tx.searches
    for made in changes_of(outline, section, hits, op.find, op.replace, everywhere=op.all, searches=searches):
        spans.append(made.change)
        lost += made.lost_marks
        length += len(made.change[2])
        tx.check_length(length)
    return spans, lost


def _is_repeated(tx: Transaction, section: Section | None, op: ops.EditSection) -> bool:
    """Whether a commit has made this edit before; then nothing changes, and a warning says so.

    Asked before a text that only resembles the find is changed: the words that were meant are gone.
    """
    outline = tx.workspace.document.outline
    if len(op.replace.strip()) < LEAST:
        return False
    past = tx.past
    tx.work.spend(costs.writing(outline.text) + tracing_cost(past, op.find, op.replace), costs.SEARCH)
    found = standing_once(outline, section, op.replace, tx.searches)
    if found is None:
        return False
    at, end = found
    if not was_made(outline.text, at, op.find, outline.text[at:end], past):
        return False
    line = outline.line_at(at)
    tx.warn("already_so", "/find", f"This edit was made before; line {line} reads so already. Nothing was changed.")
    _splice(tx, section, [(at, end, outline.text[at:end])], "repeated")
    return True


def replace_section(tx: Transaction, op: ops.ReplaceSection) -> None:
    """Replace the text below a section's heading."""
    outline = tx.workspace.document.outline
    section = _section(tx, op.section, fuzzy=False)
    start, end = _own_span(outline, section)
    if section is not None and op.scope == "subtree":
        end = section.end
    _check_unwritten(tx, start, end, "/text")
    level, title = (0, "") if section is None else (section.level, section.title)
    text = _below_heading(tx, op.text, level, title, op.op, _next_level(outline, end))
    _write(tx, section, replace_core(outline.text, start, end, text), end, rung_of(outline, op.section, tx.work))


def append_to_section(tx: Transaction, op: ops.AppendToSection) -> None:
    """Add to the end of a section's own text, before its first subsection."""
    outline = tx.workspace.document.outline
    section = _section(tx, op.section)
    start, end = _own_span(outline, section)
    level, title = (0, "") if section is None else (section.level, section.title)
    text = _below_heading(tx, op.text, level, title, op.op, _next_level(outline, end))
    _write(tx, section, append_core(outline.text, start, end, text), end, rung_of(outline, op.section, tx.work))


def insert_section(tx: Transaction, op: ops.InsertSection) -> None:
    """Add a section before, after or into another, or at the end of the document."""
    outline = tx.workspace.document.outline
    at, level, beside = _target_of(tx, op.before, op.after, op.into, optional=True)
    level = op.level if op.level is not None else level
    if level > DEEPEST and beside is not None:
        level = DEEPEST
        _warn_of_levels(tx, [op.title], f"beside '{beside.title}', not below it")
    body = _below_heading(tx, op.text or "", level, op.title, op.op).strip("\n")
    piece = heading(level, op.title) + (f"\n\n{body}" if body.strip() else "")
    new = standing(outline.text, at, piece)
    _write(tx, None, (at, at, new), at, created=True)
    begins = at + len(new) - len(new.lstrip("\n"))
    made = tx.workspace.document.outline.at(begins)
    if made is None or made.start != begins or made.level != level:
        message = "The text before that place leaves a code block or HTML open, so a heading there would be none."
        raise OperationRefused("section_target", "", message)


def delete_section(tx: Transaction, op: ops.DeleteSection) -> None:
    """Delete a section with its subsections."""
    outline = tx.workspace.document.outline
    section = find_section(outline, op.section, "/section", fuzzy=False, work=tx.work)
    tx.result.removed.append(outline.path(section))
    _splice(tx, section, [cut(outline.text, section)], rung_of(outline, op.section, tx.work))


def move_section(tx: Transaction, op: ops.MoveSection) -> None:
    """Move a section with its subsections; levels shift with it."""
    outline = tx.workspace.document.outline
    section = find_section(outline, op.section, "/section", work=tx.work)
    at, level, beside = _target_of(tx, op.before, op.after, op.into, optional=False)
    if beside is not None and section.start <= beside.start < section.end:
        raise OperationRefused("section_target", "", "A section cannot be moved into or beside itself.")
    rung = rung_of(outline, op.section, tx.work)
    flat = flattened_sections(outline, section, level - section.level)
    if flat:
        _warn_of_levels(tx, [one.plain for one in flat], "beside what they were below or were to be below")
    piece = shift_section(outline, section, level - section.level)
    if at in (section.start, section.end):
        _splice(tx, section, [(section.start, section.end, piece)], rung, created=True)
        return
    put = (at, at, standing(outline.text, at, piece))
    _splice(tx, section, sorted([cut(outline.text, section), put]), rung, created=True)
    if len(tx.workspace.document.outline.sections) != len(outline.sections):
        message = "A code block or HTML that is left open would swallow headings there; close it first."
        raise OperationRefused("section_target", "", message)


def _warn_of_levels(tx: Transaction, titles: Sequence[str], where: str) -> None:
    """Warn that sections come to stand at the deepest level, though they belong deeper."""
    shown = ", ".join(f"'{title}'" for title in titles[:_TITLES]) + (" …" if len(titles) > _TITLES else "")
    stand = "stands" if len(titles) == 1 else "stand"
    message = f"Headings have no more than {DEEPEST} levels: {shown} {stand} at level {DEEPEST}, {where}."
    tx.warn("levels_flattened", "", message, [f"{'#' * DEEPEST} {title}" for title in titles[:_TITLES]])


def rename_section(tx: Transaction, op: ops.RenameSection) -> None:
    """Change a section's heading, marks and underline kept."""
    outline = tx.workspace.document.outline
    section = find_section(outline, op.section, "/section", work=tx.work)
    new = retitle(outline.text[section.start : section.body], section, op.title)
    _splice(tx, section, [(section.start, section.body, new)], rung_of(outline, op.section, tx.work))


def edit_text(tx: Transaction, op: ops.EditText) -> None:
    """Apply a ChangeSet made against a revision, mapped over the changes of the text since."""
    try:
        changes = from_json(op.changes)
    except ValueError as error:
        raise OperationRefused("text_invalid", "/changes", f"Not a ChangeSet: {error}.") from error
    since = tx.changes_since(op.base_revision)
    tx.work.spend(50 * (len(since.parts) + len(changes.parts)), costs.EDITS)
    if changes.length != since.length:
        message = (
            f"The changes are for a text of {changes.length} units; revision {op.base_revision} has {since.length}."
        )
        raise OperationRefused("text_invalid", "/changes", message)
    spans: list[Span] = []
    stale: list[DocumentRange] = []
    now = SpanMap(since.changes())
    for change in changes.changes():
        span = now.exact(change.start, change.end)
        if span is None:
            stale.append(DocumentRange(op.base_revision, change.start, change.end))
        else:
            spans.append((*span, change.inserted))
    if stale:
        places = ", ".join(str(one.start) for one in stale[:_PLACES])
        more = f" and {len(stale) - _PLACES} more places" if len(stale) > _PLACES else ""
        message = f"The text at {places}{more} has been changed since revision {op.base_revision}."
        raise OperationRefused("stale_base", "/changes", message, (), stale)
    try:
        _apply_units(tx, spans)
    except (ValueError, UnicodeDecodeError) as error:
        raise OperationRefused("text_invalid", "/changes", f"The changes do not fit: {error}.") from error


def replace_document(tx: Transaction, op: ops.ReplaceDocument) -> None:
    """Replace the document; equal lines stay untouched."""
    document = tx.workspace.document
    tx.check_length(len(op.text) - op.text.count("\r\n"))
    tx.work.spend(
        costs.writing(document.text) + costs.writing(op.text) + comparing_cost(document.text, op.text), costs.LINES
    )
    new = with_lf(op.text)
    if "\r" in op.text and eol_of(op.text) == "mixed":
        tx.warn("line_ends_mixed", "/text", LINE_ENDS_MIXED)
    compared = line_changes(document.text, new)
    if not compared.is_complete:
        message = "The documents differ in too many lines to be compared; what differs was replaced as a whole."
        tx.warn("compared_in_part", "/text", message)
    tx.result.match = {"rung": "whole", "section": "", "lines": [1, document.text.count("\n") + 1], "snippet": ""}
    tx.change_text(compared.spans)
    eol = op.eol if op.eol is not None else eol_of(op.text) if "\r" in op.text else document.eol
    if eol != document.eol:
        tx.do(Rename("eol", document.eol, eol))


def rename_workspace(tx: Transaction, op: ops.RenameWorkspace) -> None:
    """Give the workspace another name."""
    if op.name != tx.workspace.name:
        tx.do(Rename("name", tx.workspace.name, op.name))


def _apply_units(tx: Transaction, spans: Sequence[Span]) -> None:
    text = tx.workspace.document.text
    point = from_units_in_order(text)
    _splice(tx, None, [(point(start), point(end), new) for start, end, new in spans], "exact")


def _section(tx: Transaction, path: str, *, fuzzy: bool = True) -> Section | None:
    """Find the section a path means; None for the text before the first heading."""
    outline = tx.workspace.document.outline
    return None if not path.strip() else find_section(outline, path, "/section", fuzzy=fuzzy, work=tx.work)


def _target_of(
    tx: Transaction, before: str | None, after: str | None, into: str | None, *, optional: bool
) -> tuple[int, int, Section | None]:
    """Return where a section is put, as (offset, level, the section named); its level may be too deep for a heading."""
    outline = tx.workspace.document.outline
    targets = [name for name, path in (("before", before), ("after", after), ("into", into)) if path is not None]
    if len(targets) > 1 or (not targets and not optional):
        raise OperationRefused("section_target", "", "Name exactly one of before, after and into.")
    if not targets:
        return len(outline.text), _last_level(outline), None
    path = before if before is not None else after if after is not None else into
    section = find_section(outline, path or "", f"/{targets[0]}", work=tx.work)
    if before is not None:
        return section.start, section.level, section
    return section.end, section.level + (after is None), section


def _last_level(outline: Outline) -> int:
    """Return the level of a new section at the end: that of the top sections, or below a single title of the text."""
    levels = [section.level for section in outline.sections]
    top = min(levels, default=1)
    covers = bool(levels) and levels[0] == top == 1 and levels.count(top) == 1
    return top + 1 if covers else top


def _below_heading(tx: Transaction, text: str, level: int, title: str, op: str, next_level: int = 0) -> str:
    """Return a caller's text for below a heading, without that heading if it begins with it.

    Args:
        tx: to warn of that.
        text: as it was sent.
        level, title: of the heading; 0 for the text before the first one.
        op: the operation's name.
        next_level: of the heading that follows the text; 0 for none.

    Raises:
        OperationRefused: `heading_in_text`, if another heading in it would end the section, or take in what follows.
    """
    tx.work.spend(costs.reading(text, 0, len(text)), costs.HEADINGS)
    found = headings_in(text)
    is_own = bool(found) and not text[: found[0].start].strip() and repeats(found[0], level, title)
    ending = [one for one in found[is_own:] if one.level <= level or (level < one.level < next_level)]
    if ending:
        raise OperationRefused("heading_in_text", "/text", one_by_one(text, ending, op, level, title))
    if not is_own:
        return text
    message = f"The text began with the section's own heading '{title}', which stands there; it was left out."
    tx.warn("heading_repeated", "/text", message)
    return text[found[0].body :]


def _next_level(outline: Outline, end: int) -> int:
    """Return the level of the heading that begins where a section's text ends; 0 at the end of the document."""
    number = outline.count_before(end)
    return outline.heading(number).level if number < outline.count else 0


def _own_span(outline: Outline, section: Section | None) -> tuple[int, int]:
    """Return start and end of a section's own text; front matter belongs to no section."""
    return (outline.preamble, outline.preamble_end) if section is None else (section.body, section.own_end)


def _write(
    tx: Transaction, section: Section | None, span: Span, end: int, rung: str = "exact", *, created: bool = False
) -> None:
    """Insert a caller's text; the headings after `end` must stay headings."""
    before = tx.workspace.document.outline
    _splice(tx, section, [span], rung, created=created)
    after = tx.workspace.document.outline
    shift = len(after.text) - len(before.text)
    if not _are_same_after(before, end, after, shift):
        message = "The text leaves a code block or HTML open, which would swallow the headings after it; close it."
        raise OperationRefused("field_invalid", "/text", message)


def _are_same_after(before: Outline, start: int, after: Outline, shift: int) -> bool:
    """Whether the headings from a place on are the same, moved along with the text."""
    first = bisect_left(before.sections, start, key=lambda section: section.start)
    moved = bisect_left(after.sections, start + shift, key=lambda section: section.start)
    if len(before.sections) - first != len(after.sections) - moved:
        return False
    pairs = zip(before.sections[first:], after.sections[moved:], strict=True)
    return all(one.start + shift == other.start and one.level == other.level for one, other in pairs)


def _check_unwritten(tx: Transaction, start: int, end: int, path: str) -> None:
    if WrittenPlaces(tx.own_spans).meet(start, end):
        message = "An earlier operation of this batch wrote into this section; join the two."
        raise OperationRefused("overlap", path, message)


def _splice(
    tx: Transaction,
    section: Section | None,
    spans: Sequence[Span],
    rung: str,
    *,
    created: bool = False,
    is_paid: bool = False,
) -> None:
    """Change the text and record the match and the new lines in the result; `is_paid`: see `change_text`."""
    outline = tx.workspace.document.outline
    text = outline.text
    real = [(start, end, new) for start, end, new in spans if text[start:end] != new]
    first, last = (spans[0][0], max(spans[-1][0], spans[-1][1] - 1)) if spans else (0, 0)
    line = outline.line_at(first)
    match: MatchOut = {
        "rung": rung,
        "section": "" if section is None else outline.path(section),
        "lines": [line, line + line_breaks(text, first, last)],
        "snippet": "",
    }
    if real:
        tx.change_text(real, created=created, is_paid=is_paid)
    after = tx.workspace.document.outline
    if section is None and spans:
        new = spans[0][2] if created else ""
        match["section"] = after.path_at(first + len(new) - len(new.lstrip("\n")))
    start, _, new = spans[0] if spans else (0, 0, "")
    match["snippet"] = _snippet(after.text, start, start + len(new)) if spans else ""
    tx.result.match = match


def show_matches_at_end(tx: Transaction) -> None:
    """Give the matches of a batch the section, lines and text that they have after its last operation.

    Each is made when its operation is run; later ones move it, rename its section and change what stands around it.
    The steps have to be those of the operations still (`Transaction.ends`).
    """
    outline = tx.workspace.document.outline
    point = from_units(outline.text)
    by_operation = [text_steps(tx.steps[start:end]) for start, end in pairwise([0, *tx.ends])]
    later = [SpanMap(step.changes.changes()) for steps in by_operation for step in steps]
    for result, steps in zip(tx.results[:_SHOWN], by_operation, strict=False):
        if not steps or result.match is None or not result.match["snippet"]:
            del later[: len(steps)]
            continue
        change = next(steps[0].changes.changes())
        span = change.new_start, change.new_end
        for step in later[1:]:
            span = step.map_widening(*span)
        del later[: len(steps)]
        start, end = point(span[0]), point(span[1])
        last = max(start, end - 1)
        line = outline.line_at(start)
        place = start + len(written := outline.text[start:end]) - len(written.lstrip("\n"))
        result.match = {
            "rung": result.match["rung"],
            "section": outline.path_at(place),
            "lines": [line, line + line_breaks(outline.text, start, last)],
            "snippet": _snippet(outline.text, start, end),
        }


def _snippet(text: str, start: int, end: int) -> str:
    """Return the lines of a changed span, with up to two lines around; at most 800 characters."""
    first, last = start, end
    for _ in range(3):
        first = text.rfind("\n", 0, max(0, first - 1)) + 1 if first else 0
    for _ in range(3):
        at = text.find("\n", last)
        last = len(text) if at < 0 else at + 1
    piece = text[first:last]
    return piece if len(piece) <= 800 else f"{piece[:797]}..."
