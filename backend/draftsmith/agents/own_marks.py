"""Marks of what an agent's own commit made, renamed or moved: it has seen them because it wrote them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from draftsmith.agents.marks import TEXT, Marks, edge_mark, field_mark, line_mark, node_mark, section_marks
from draftsmith.model.document import from_units_in_order
from draftsmith.model.markdown.sections import Outline
from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps.changeset import Change
from draftsmith.transform.steps.custom_type import SetType
from draftsmith.transform.steps.edge import InsertEdge, RemoveEdge, SetEdge
from draftsmith.transform.steps.node import InsertNode, RemoveNode, SetNode
from draftsmith.transform.steps.steps import Step, text_step_of
from draftsmith.transform.steps.text import ChangeText
from draftsmith.transform.steps.workspace import Rename


def learned_by(
    steps: Sequence[Step], workspace: Workspace, before: Outline | None, marks: Marks, revision: int
) -> Mapping[int, Sequence[str]]:
    """Marks by revision: of what was made at this one, and of known sections that have another path now at theirs.

    Args:
        steps: of the commit.
        workspace: with it.
        before: the sections of the document without it; None where it does not touch the document.
        marks: what the agent knew.
        revision: of the commit.
    """
    found: dict[int, list[str]] = {revision: list(_marks_of_steps(steps))}
    if before is not None:
        for mark, known_at in _sections(steps, workspace.document.outline, before, marks, revision):
            found.setdefault(known_at, []).append(mark)
    return {at: some for at, some in found.items() if some}


def _marks_of_steps(steps: Sequence[Step]) -> Iterator[str]:
    for step in steps:
        match step:
            case InsertNode():
                yield from (line_mark(step.id), node_mark(step.id))
            case InsertEdge():
                yield edge_mark(step.id)
            case SetNode():
                yield from (field_mark("node", step.id, field) for field in step.fields)
            case SetEdge():
                yield from (field_mark("edge", step.id, field) for field in step.fields)
            case RemoveNode() | RemoveEdge() | ChangeText() | Rename() | SetType():
                pass
            case _:
                assert_never(step)


def _sections(
    steps: Sequence[Step], after: Outline, before: Outline, marks: Marks, revision: int
) -> Iterator[tuple[str, int]]:
    """Sections that were written as a whole, and those that have another mark than before, with what was known."""
    step = text_step_of(steps)
    if step is None:
        return
    old, new = from_units_in_order(before.text), from_units_in_order(after.text)
    spans = [
        Change(old(one.start), old(one.end), new(one.new_start), new(one.new_end), "") for one in step.changes.changes()
    ]
    written = [(one.new_start, one.new_end) for one in spans]
    known = _known_by_start(before, marks, spans)
    for section, mark in section_marks(after):
        start, end = (0, after.preamble_end) if section is None else (section.start, section.own_end)
        if any(one <= start and end <= other for one, other in written):
            yield mark, revision
        elif start in known and known[start][0] != mark:
            yield mark, known[start][1]


def _known_by_start(before: Outline, marks: Marks, spans: Sequence[Change]) -> Mapping[int, tuple[str, int]]:
    """Of the sections that were known: the old mark and the revision, by where each begins now."""
    known: dict[int, tuple[str, int]] = {}
    for section, mark in section_marks(before):
        at = max(marks.get(mark, -1), marks.get(TEXT, -1))
        if at >= 0:
            known[_shift_offset(0 if section is None else section.start, spans)] = mark, at
    return known


def _shift_offset(offset: int, spans: Sequence[Change]) -> int:
    """Where an offset is after changes; one inside a change is where the change begins."""
    shift = 0
    for one in spans:
        if offset < one.start:
            break
        if offset < one.end:
            return one.new_start
        shift = one.new_end - one.end
    return offset + shift
