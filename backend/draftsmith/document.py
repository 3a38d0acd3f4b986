r"""Edits of a Markdown text by section and quoted text, for embedding: the same matching as in a workspace.

Works on any text, byte for byte: line ends, byte order mark and odd characters stay what they are outside the edits.

    >>> apply_edits("# Plan\n\nRedis 7\n", [{"section": "Plan", "find": "Redis 7", "replace": "Redis 8"}])
    '# Plan\n\nRedis 8\n'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from draftsmith.errors import DraftsmithError, Problem
from draftsmith.model.markdown.sections import Outline, outline_of, update_outline
from draftsmith.transform.matching.locate import changes_of, find_all, find_section, find_text, marks_lost
from draftsmith.transform.refusal import OperationRefused
from draftsmith.transform.steps.written_spans import WrittenSpan

__all__ = ["EditError", "Heading", "apply_edits", "headings", "split"]

_FIELDS = {"section": str, "find": str, "replace": str, "all": bool}


class EditError(DraftsmithError):
    """Edits that do not fit; nothing was applied. `code` is that of the first problem, `problems` holds every one."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        detail = f"{problems[0].message} Nothing was applied."
        super().__init__(problems[0].code, detail, tuple(problems))


@dataclass(frozen=True, slots=True)
class Heading:
    """A top-level heading.

    Attributes:
        level: 1 to 6.
        text: as written, without marks.
        line: 1-based.
    """

    level: int
    text: str
    line: int


def headings(text: str) -> list[Heading]:
    """List the top-level headings of a text; those in quotes, lists and code are none."""
    return [Heading(section.level, section.title, section.line) for section in outline_of(text).sections]


def split(text: str) -> list[str]:
    """Split a text before each top-level heading; joined, the pieces are the text again."""
    starts = [section.start for section in outline_of(text).sections]
    borders = [0, *starts, len(text)]
    return [text[start:end] for start, end in pairwise(borders) if start < end]


def apply_edits(text: str, edits: Sequence[Mapping[str, object]], warnings: list[Problem] | None = None) -> str:
    """Apply edits in order, all or none.

    Args:
        text: any text.
        edits: `{section, find, replace, all?}` each. `section` is a path of headings, empty for the text before the
            first one; `find` must stand there exactly once, or read the same as what does; `all` replaces every
            occurrence. A find is not looked for in what earlier edits wrote. Where it does not stand there letter for
            letter, the words that `replace` repeats stay as they are in the text, with their links and other marks.
        warnings: takes what was done otherwise than asked: `marks_lost`, where marks are gone that a find left out.

    Raises:
        EditError: `.code` and `.problems` say why; the problems name what to send instead.
    """
    if not isinstance(text, str):
        raise TypeError("text is a str")
    outline = outline_of(text)
    written: list[WrittenSpan] = []
    problems: list[Problem] = []
    told: list[Problem] = []
    for index, edit in enumerate(edits):
        try:
            _check_form(edit)
            outline, lost = _apply(outline, edit, written)
        except OperationRefused as refused:
            path = f"/edits/{index}{refused.path}"
            problems.append(
                Problem(index, "edit_section", refused.code, path, refused.message, tuple(refused.candidates))
            )
        else:
            if lost is not None:
                message, marks = lost
                told.append(Problem(index, "edit_section", "marks_lost", f"/edits/{index}/find", message, tuple(marks)))
    if problems:
        raise EditError(problems)
    if warnings is not None:
        warnings += told
    return outline.text


def _check_form(edit: Mapping[str, object]) -> None:
    for name in edit:
        if name not in _FIELDS:
            raise OperationRefused("field_unknown", f"/{name}", f"An edit has no field '{name}'.", list(_FIELDS))
    for name, kind in _FIELDS.items():
        if name not in edit and name != "all":
            raise OperationRefused("field_missing", f"/{name}", f"'{name}' is missing.")
        if name in edit and not isinstance(edit[name], kind):
            raise OperationRefused(
                "field_invalid", f"/{name}", f"'{name}' is a {'text' if kind is str else 'boolean'}."
            )


def _apply(
    outline: Outline, edit: Mapping[str, Any], spans: list[WrittenSpan]
) -> tuple[Outline, tuple[str, list[str]] | None]:
    """The outline after an edit, and what to say of marks that are lost by it."""
    path, find, replace, everywhere = edit["section"], edit["find"], edit["replace"], bool(edit.get("all"))
    section = find_section(outline, path, "/section") if path.strip() else None
    if everywhere:
        hits = find_all(outline, section, find, spans, "/find")
    else:
        hits = [find_text(outline, section, find, spans, "/find", replace)]
    changes = list(changes_of(outline, section, hits, find, replace, everywhere=everywhere))
    lost = marks_lost(outline, [one for made in changes for one in made.lost_marks])
    for start, end, new in (made.change for made in reversed(changes)):
        if outline.text[start:end] != new:
            outline = update_outline(outline, start, end, outline.text[:start] + new + outline.text[end:])
            _remember(spans, start, end, new)
    return outline, lost


def _remember(spans: list[WrittenSpan], start: int, end: int, new: str) -> None:
    """Move what was written before along with a change, and add the change."""
    shift = len(new) - (end - start)
    for known in spans:
        if known.start >= end:
            known.start += shift
            known.end += shift
    spans.append(WrittenSpan(start, start + len(new), False))
