"""Find the position at which a section is inserted, or to which it is moved."""

from __future__ import annotations

from draftsmith.model.markdown.sections import Outline, Section
from draftsmith.transform.matching.locate import find_section
from draftsmith.transform.refusal import OperationRefused
from draftsmith.transform.transaction import Transaction


def target_of(
    tx: Transaction, before: str | None, after: str | None, into: str | None, *, optional: bool
) -> tuple[int, int, Section | None]:
    """The target of an insertion, as (offset, level, the section named); the level may be deeper than headings go."""
    outline = tx.workspace.document.outline
    given = [name for name, path in (("before", before), ("after", after), ("into", into)) if path is not None]
    if len(given) > 1 or (not given and not optional):
        raise OperationRefused("section_target", "", "Name exactly one of before, after and into.")
    if not given:
        return len(outline.text), _last_level(outline), None
    path = before if before is not None else after if after is not None else into
    section = find_section(outline, path or "", f"/{given[0]}", work=tx.work)
    if before is not None:
        return section.start, section.level, section
    return section.end, section.level + (after is None), section


def _last_level(outline: Outline) -> int:
    """The level of a new section at the end: that of the top sections, but below a single title for the document."""
    levels = [section.level for section in outline.sections]
    top = min(levels, default=1)
    covers = bool(levels) and levels[0] == top == 1 and levels.count(top) == 1
    return top + 1 if covers else top
