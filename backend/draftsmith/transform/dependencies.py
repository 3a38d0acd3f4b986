"""Which staged operations build on which: what must come along when only some of them are taken.

One builds on an earlier one if it needs or changes what that one made or changed: the same node, edge or field, an
edge whose equal had to go first, overlapping text, or text beside a section that the earlier one wrote. Rather one
dependency too many than one too few.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from draftsmith.transform.footprint import Cell, carried, needs, writes
from draftsmith.transform.staged import Staged
from draftsmith.transform.steps import Step
from draftsmith.transform.steps_edge import AddEdge, RemoveEdge, SetEdge
from draftsmith.transform.steps_node import AddNode, SetNode
from draftsmith.transform.steps_text import EditText

_ENDS = ("source", "target")
_IDENTITY = frozenset({*_ENDS, "label", "kind"})
_Likeness = tuple[str | None, str | None, str | None, str | None, int | None, int | None]
"""What two equal edges share: source, target, label, kind, births of the ends; None for what a step does not say."""
_Stretch = tuple[int, int, int, bool]  # operation, start, end (UTF-16 units), whether it begins a section


def dependencies(staged: Sequence[Staged]) -> list[set[int]]:
    """For each operation the earlier ones it builds on, directly or not."""
    found: list[set[int]] = [set() for _ in staged]
    written: dict[tuple[str, str], list[tuple[int, str]]] = {}
    left: list[tuple[int, _Likeness]] = []
    stretches: list[_Stretch] = []
    for index, one in enumerate(staged):
        own = writes(one.steps)
        for cell in _looks_at(one.steps, own):
            found[index] |= {other for other, field in written.get(cell[:2], ()) if _meets(field, cell[2])}
        for part, key, field in own | _made_room(one.steps):
            written.setdefault((part, key), []).append((index, field))
        for step in one.steps:
            if (like := _becomes(step)) is not None:
                found[index] |= {other for other, room in left if _may_be_equal(room, like)}
            if (like := _stops_being(step)) is not None:
                left.append((index, like))
            if isinstance(step, EditText):
                found[index] |= _texts_below(step, stretches)
                stretches = _after(step, index, stretches)
        found[index].discard(index)
        for other in list(found[index]):
            found[index] |= found[other]
    return found


def with_what_they_need(staged: Sequence[Staged], chosen: Iterable[int]) -> list[int]:
    """The chosen operations and everything that they build on, in order."""
    needed = dependencies(staged)
    return sorted({index for one in chosen for index in (one, *needed[one])})


def _meets(written: str, looked_at: str) -> bool:
    """Fields meet where they are the same, or where one is the whole; a mere existence is not touched by a field."""
    return written == looked_at or written in ("", "*") or looked_at == "*"


def _looks_at(steps: Sequence[Step], own: set[Cell]) -> set[Cell]:
    """What steps change or rely on, contents of groups included."""
    found = own | needs(steps)
    for step in steps:
        if isinstance(step, AddNode | SetNode) and (parent := _new_parent(step)) is not None:
            found.add(("inside", parent, ""))
    return found | {("inside", key, "") for part, key, field in own if part == "node" and field == "*"}


def _made_room(steps: Sequence[Step]) -> set[Cell]:
    """Where something else can come or go now: nodes that lost edges, groups that were left."""
    room: set[Cell] = set()
    for step in steps:
        if isinstance(step, RemoveEdge):
            room |= {("node", end, "*edges") for end in (step.source, step.target)}
        elif isinstance(step, SetEdge):
            room |= {("node", pair[0], "*edges") for end in _ENDS if (pair := step.fields.get(end)) is not None}
        elif isinstance(step, SetNode) and "parent" in step.fields and step.fields["parent"][0]:
            room.add(("inside", step.fields["parent"][0], ""))
    return room


def _becomes(step: Step) -> _Likeness | None:
    """What an edge is like from this step on, as far as the step says; None where that does not change."""
    return _likeness(step) if isinstance(step, AddEdge) else _set_likeness(step, 1)


def _stops_being(step: Step) -> _Likeness | None:
    """What no edge need be like any more after this step, as far as it says."""
    return _likeness(step) if isinstance(step, RemoveEdge) else _set_likeness(step, 0)


def _likeness(step: AddEdge | RemoveEdge) -> _Likeness:
    label, kind = step.fields.get("label") or "", step.fields.get("kind") or "sync"
    return step.source, step.target, label, kind, *step.ends


def _set_likeness(step: Step, which: int) -> _Likeness | None:
    """Before (0) or after (1) fields of an edge were set; None for other steps and other fields."""
    if not isinstance(step, SetEdge) or _IDENTITY.isdisjoint(step.fields):
        return None
    source, target, label, kind = (
        step.fields[name][which] or default if name in step.fields else None
        for name, default in (("source", None), ("target", None), ("label", ""), ("kind", "sync"))
    )
    ends = (step.old_ends, step.new_ends)[which] or (None, None)
    return source, target, label, kind, *ends


def _may_be_equal(one: _Likeness, other: _Likeness) -> bool:
    return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))


def _new_parent(step: AddNode | SetNode) -> str | None:
    if isinstance(step, AddNode):
        return step.fields.get("parent")
    parent: str | None = step.fields.get("parent", (None, None))[1]
    return parent


def _texts_below(step: EditText, stretches: Sequence[_Stretch]) -> set[int]:
    """Operations whose text a change reaches into, or beside whose new section it stands."""
    return {
        index
        for change in step.changes.changes()
        for index, start, end, is_section in stretches
        if (change.start < end and start < change.end)
        or (start < change.start == change.end < end)
        or (is_section and start <= change.end and change.start <= end)
    }


def _after(step: EditText, index: int, stretches: Sequence[_Stretch]) -> list[_Stretch]:
    moved = [(other, *carried(step, start, end), is_section) for other, start, end, is_section in stretches]
    new = [
        (index, change.new_start, change.new_end, _begins_section(change.inserted)) for change in step.changes.changes()
    ]
    return [*moved, *new]


def _begins_section(text: str) -> bool:
    return any(line.startswith("#") for line in text.split("\n"))
