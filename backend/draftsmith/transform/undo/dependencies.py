"""Dependencies between staged operations: which others are needed when only some are accepted.

An operation depends on an earlier one if it needs or changes what that one made or changed: the same node, edge or
field, an edge whose equal had to be removed first, overlapping text, or text next to a section that the earlier one
wrote. The result may contain too many dependencies, never too few.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from draftsmith.transform.staged_operations import StagedOperation
from draftsmith.transform.steps.base import Cell, EdgeIdentity
from draftsmith.transform.steps.footprint import needs, writes
from draftsmith.transform.steps.spans import SpanMap
from draftsmith.transform.steps.steps import Step, text_steps
from draftsmith.transform.steps.text import ChangeText

_WrittenSpan = tuple[int, int, int, bool]  # operation, start, end (UTF-16 units), whether it begins a section


def dependencies(staged: Sequence[StagedOperation]) -> list[set[int]]:
    """For each operation the earlier ones it depends on, directly or indirectly."""
    found: list[set[int]] = [set() for _ in staged]
    written: dict[tuple[str, str], list[tuple[int, str]]] = {}
    left: list[tuple[int, EdgeIdentity]] = []
    spans: list[_WrittenSpan] = []
    for index, one in enumerate(staged):
        own = writes(one.steps)
        for cell in _looks_at(one.steps, own):
            found[index] |= {other for other, field in written.get(cell[:2], ()) if _meets(field, cell[2])}
        for part, key, field in own | {cell for step in one.steps for cell in step.frees()}:
            written.setdefault((part, key), []).append((index, field))
        for step in one.steps:
            if (made := step.identity_made()) is not None:
                found[index] |= {other for other, room in left if _may_be_equal(room, made)}
            if (given_up := step.identity_given_up()) is not None:
                left.append((index, given_up))
        for text in text_steps(one.steps):
            found[index] |= _texts_below(text, spans)
            spans = _spans_after(text, index, spans)
        found[index].discard(index)
        for other in list(found[index]):
            found[index] |= found[other]
    return found


def with_what_they_need(staged: Sequence[StagedOperation], chosen: Iterable[int]) -> list[int]:
    """The chosen operations and their dependencies, in order."""
    needed = dependencies(staged)
    return sorted({index for one in chosen for index in (one, *needed[one])})


def _meets(field: str, looked_at: str) -> bool:
    """Whether a written field affects another: existence and "*" affect all, a field does not affect existence."""
    return field == looked_at or field in ("", "*") or looked_at == "*"


def _looks_at(steps: Sequence[Step], own: set[Cell]) -> set[Cell]:
    """Cells that steps change or rely on, contents of groups included."""
    entered = {("inside", step.new_parent, "") for step in steps if step.new_parent is not None}
    emptied = {("inside", key, "") for part, key, field in own if part == "node" and field == "*"}
    return own | needs(steps) | entered | emptied


def _may_be_equal(one: EdgeIdentity, other: EdgeIdentity) -> bool:
    return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))


def _texts_below(step: ChangeText, spans: Sequence[_WrittenSpan]) -> set[int]:
    """Operations whose text a change overlaps, or next to whose new section it is."""
    return {
        index
        for change in step.changes.changes()
        for index, start, end, is_section in spans
        if (change.start < end and start < change.end)
        or (start < change.start == change.end < end)
        or (is_section and start <= change.end and change.start <= end)
    }


def _spans_after(step: ChangeText, index: int, spans: Sequence[_WrittenSpan]) -> list[_WrittenSpan]:
    now = SpanMap(step.changes.changes())
    moved = [(other, *now.map_widening(start, end), is_section) for other, start, end, is_section in spans]
    new = [
        (index, change.new_start, change.new_end, _begins_section(change.inserted)) for change in step.changes.changes()
    ]
    return [*moved, *new]


def _begins_section(text: str) -> bool:
    return any(line.startswith("#") for line in text.split("\n"))
