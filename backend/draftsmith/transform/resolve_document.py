"""Resolve operations on the document into changes of its text; what lies outside the edited span never changes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from draftsmith.model.document import units
from draftsmith.model.sections import Outline, Section
from draftsmith.transform import operations as ops
from draftsmith.transform.changeset import from_json, replacing
from draftsmith.transform.locate import find_all, find_section, find_text
from draftsmith.transform.transaction import Refused, Transaction

_ATX = re.compile(r"( {0,3})(#{1,6})(?=[ \t]|\n|\Z)")


def edit_section(tx: Transaction, op: ops.EditSection) -> None:
    """Replace a quoted text in a section, once or everywhere."""
    outline = tx.workspace.document.outline
    section = _section(outline, op.section)
    find = op.find.replace("\r\n", "\n").replace("\r", "\n")
    if op.all:
        hits = find_all(outline, section, find, tx.written, "/find")
        spans = [(hit, hit + len(find), op.replace) for hit in hits]
        _splice(tx, section, spans, "exact")
        return
    found = find_text(outline, section, find, tx.written, "/find")
    _splice(tx, section, [(found.start, found.end, op.replace)], found.rung)


def replace_section(tx: Transaction, op: ops.ReplaceSection) -> None:
    """Replace what stands below a section's heading."""
    outline = tx.workspace.document.outline
    section = _section(outline, op.section)
    start = 0 if section is None else section.body
    end = _own_end(outline, section) if op.scope == "body" or section is None else section.end
    _check_unwritten(tx, start, end, "/text")
    _splice(tx, section, [(start, end, _block(outline.text, start, op.text, end))], "exact")


def append_to_section(tx: Transaction, op: ops.AppendToSection) -> None:
    """Add to the end of a section's own text, before its first subsection."""
    outline = tx.workspace.document.outline
    section = _section(outline, op.section)
    start = 0 if section is None else section.body
    end = _own_end(outline, section)
    at = start + len(outline.text[start:end].rstrip("\n"))
    at = min(at + 1, end) if at < end and at > start else at
    _splice(tx, section, [(at, end, _appended(outline.text, start, at, op.text, end))], "exact")


def _appended(text: str, start: int, at: int, added: str, end: int) -> str:
    """A list goes on with a list item, anything else begins a paragraph of its own."""
    own = text[start:at].rstrip("\n")
    last = own.rpartition("\n")[2]
    joins = _is_item(last) and _is_item(added.partition("\n")[0])
    glue = "" if not own and not start else ("\n" if not own or not joins else "")
    if at > 0 and text[at - 1] != "\n":
        glue = "\n" + glue
    return glue + _closed(added, text, end)


def _is_item(line: str) -> bool:
    return re.match(r"\s*(?:[-*+]|\d+[.)])[ \t]", line) is not None


def insert_section(tx: Transaction, op: ops.InsertSection) -> None:
    """Add a section before, after or into another, or at the end of the document."""
    outline = tx.workspace.document.outline
    at, level = _target(outline, op.before, op.after, op.into, optional=True)
    level = op.level if op.level is not None else level
    body = f"\n{op.text.strip(chr(10))}\n" if op.text and op.text.strip() else ""
    piece = f"{'#' * level} {op.title}\n{body}"
    _splice(tx, None, [(at, at, _standing(outline.text, at, piece))], "exact", created=True)


def delete_section(tx: Transaction, op: ops.DeleteSection) -> None:
    """Delete a section with its subsections."""
    outline = tx.workspace.document.outline
    section = find_section(outline, op.section, "/section")
    tx.result.removed.append(outline.path(section))
    _splice(tx, section, [(section.start, section.end, "")], "exact")


def move_section(tx: Transaction, op: ops.MoveSection) -> None:
    """Move a section with its subsections; levels shift with it."""
    outline = tx.workspace.document.outline
    section = find_section(outline, op.section, "/section")
    at, level = _target(outline, op.before, op.after, op.into, optional=False)
    if section.start < at < section.end:
        raise Refused("section_target", "", "A section cannot be moved into itself.")
    piece = _shifted(outline, section, level - section.level)
    if at in (section.start, section.end):
        _splice(tx, section, [(section.start, section.end, _standing(outline.text, section.start, piece))], "exact")
        return
    cut = (section.start, section.end, "")
    put = (at, at, _standing(outline.text, at, piece))
    _splice(tx, section, sorted([cut, put]), "exact")


def rename_section(tx: Transaction, op: ops.RenameSection) -> None:
    """Change a section's heading, marks and underline kept."""
    outline = tx.workspace.document.outline
    section = find_section(outline, op.section, "/section")
    heading = outline.text[section.start : section.body]
    marks = _ATX.match(heading)
    end = "\n" if heading.endswith("\n") else ""
    if marks is not None:
        new = f"{marks[0]} {op.title}{end}"
    else:  # setext: keep the underline
        underline = heading.rstrip("\n").rpartition("\n")[2]
        new = f"{op.title}\n{underline}{end}"
    _splice(tx, section, [(section.start, section.body, new)], "exact")


def edit_text(tx: Transaction, op: ops.EditText) -> None:
    """Apply a ChangeSet made against a revision, mapped over what has happened to the text since."""
    try:
        changes = from_json(op.changes)
    except ValueError as error:
        raise Refused("text_invalid", "/changes", f"Not a ChangeSet: {error}.") from error
    since = tx.since.get(op.base_revision)
    base_length = units(tx.workspace.document.text) if since is None else since.length
    if changes.length != base_length:
        message = (
            f"The changes are for a text of {changes.length} units; revision {op.base_revision} has {base_length}."
        )
        raise Refused("text_invalid", "/changes", message)
    spans: list[tuple[int, int, str]] = []
    for change in changes.changes():
        span = (change.start, change.end) if since is None else since.map_span(change.start, change.end)
        if span is None:
            message = f"The text at {change.start} has been changed since revision {op.base_revision}."
            raise Refused("stale_base", "/changes", message)
        spans.append((*span, change.inserted))
    try:
        _apply_units(tx, spans)
    except (ValueError, UnicodeDecodeError) as error:
        raise Refused("text_invalid", "/changes", f"The changes do not fit: {error}.") from error


def _apply_units(tx: Transaction, spans: Sequence[tuple[int, int, str]]) -> None:
    text = tx.workspace.document.text
    raw = text.encode("utf-16-le")
    points = [
        (len(raw[: 2 * start].decode("utf-16-le")), len(raw[: 2 * end].decode("utf-16-le")), new)
        for start, end, new in spans
    ]
    _splice(tx, None, points, "exact")


def _section(outline: Outline, path: str) -> Section | None:
    """The section a path means; None for the text before the first heading."""
    return None if not path.strip() else find_section(outline, path, "/section")


def _own_end(outline: Outline, section: Section | None) -> int:
    return outline.preamble_end if section is None else section.own_end


def _target(
    outline: Outline, before: str | None, after: str | None, into: str | None, *, optional: bool
) -> tuple[int, int]:
    """Where a section goes, as (offset, level)."""
    given = [name for name, path in (("before", before), ("after", after), ("into", into)) if path is not None]
    if len(given) > 1 or (not given and not optional):
        raise Refused("section_target", "", "Name exactly one of before, after and into.")
    if not given:
        last = outline.sections[-1] if outline.sections else None
        top = min((section.level for section in outline.sections), default=1)
        return len(outline.text), top if last is None else max(top, min(2, last.level))
    path = before if before is not None else after if after is not None else into
    section = find_section(outline, path or "", f"/{given[0]}")
    if before is not None:
        return section.start, section.level
    return section.end, section.level if after is not None else min(6, section.level + 1)


def _shifted(outline: Outline, section: Section, by: int) -> str:
    """A section's text with all its headings moved by some levels, between 1 and 6."""
    pieces: list[str] = []
    at = section.start
    for inner in outline.sections[section.index :]:
        if inner.start >= section.end:
            break
        heading = outline.text[inner.start : inner.body]
        pieces += [outline.text[at : inner.start], _releveled(heading, inner, by)]
        at = inner.body
    return "".join([*pieces, outline.text[at : section.end]])


def _releveled(heading: str, section: Section, by: int) -> str:
    level = max(1, min(6, section.level + by))
    if level == section.level:
        return heading
    marks = _ATX.match(heading)
    if marks is not None:
        return f"{marks[1]}{'#' * level}{heading[marks.end() :]}"
    return f"{'#' * level} {section.title}" + ("\n" if heading.endswith("\n") else "")


def _block(text: str, start: int, new: str, end: int) -> str:
    """New text below a heading: a blank line before it, and one before the next heading."""
    if not new.strip():
        return "\n" if end < len(text) else ""
    lead = "\n" if start > 0 and not new.startswith("\n") else ""
    if start > 0 and text[start - 1] != "\n":
        lead = "\n" + lead
    return lead + _closed(new, text, end)


def _closed(new: str, text: str, end: int) -> str:
    """End with a line end, and a blank line if a heading follows."""
    if not new.endswith("\n"):
        new += "\n"
    return new + "\n" if end < len(text) and not new.endswith("\n\n") else new


def _standing(text: str, at: int, piece: str) -> str:
    """A section on lines of its own: a blank line before it, and one before what follows."""
    before, lead = text[:at], ""
    if before and not before.endswith("\n"):
        lead = "\n\n"
    elif before and not before.endswith("\n\n"):
        lead = "\n"
    return lead + _closed(piece, text, at)


def _check_unwritten(tx: Transaction, start: int, end: int, path: str) -> None:
    if any(not known.created and known.start < end and start < known.end for known in tx.written):
        message = "An earlier operation of this batch wrote into this section; join the two."
        raise Refused("overlap", path, message)


def _splice(
    tx: Transaction, section: Section | None, spans: Sequence[tuple[int, int, str]], rung: str, *, created: bool = False
) -> None:
    """Change the text and say in the result what was matched and how it reads now."""
    outline = tx.workspace.document.outline
    text = outline.text
    real = [(start, end, new) for start, end, new in spans if text[start:end] != new]
    tx.result.match = {
        "rung": rung,
        "section": "" if section is None else outline.path(section),
        "lines": [outline.line_at(spans[0][0]), outline.line_at(max(spans[-1][0], spans[-1][1] - 1))],
    }
    if real:
        tx.change_text(replacing(text, real), created=created)
    after = tx.workspace.document.outline
    if section is None and spans:
        tx.result.match["section"] = after.path_at(spans[0][0] + (1 if created else 0))
    tx.result.match["snippet"] = _snippet(after.text, spans)


def _snippet(text: str, spans: Sequence[tuple[int, int, str]]) -> str:
    """The lines that were touched, as they read now, with up to two around; at most 800 characters."""
    start, _, new = spans[0]
    first, last = start, start + len(new)
    for _ in range(3):
        first = text.rfind("\n", 0, max(0, first - 1)) + 1 if first else 0
    for _ in range(3):
        at = text.find("\n", last)
        last = len(text) if at < 0 else at + 1
    piece = text[first:last]
    return piece if len(piece) <= 800 else f"{piece[:797]}..."
