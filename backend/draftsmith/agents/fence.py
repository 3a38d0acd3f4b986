"""May an agent change this? Only what it was shown as it is now. Finds what a batch overwrites and it has not seen.

Each cell of a node or an edge, and each stretch of the document, that a batch replaces or removes needs a mark
(`marks`). It is unread where it was never shown, or where somebody else has changed it since it was shown. What a batch
adds needs none, and what others changed elsewhere does not matter. Where things stand in the drawing counts only for
what the batch speaks of, since others are merely moved out of the way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from draftsmith.agents.marks import (
    LINES,
    TEXT,
    Marks,
    commit_mark,
    edge_mark,
    field_mark,
    line_mark,
    node_mark,
    section_marks,
)
from draftsmith.model.diagram import NO_ENDS, Diagram
from draftsmith.model.document import from_units_in_order
from draftsmith.model.fields import DRAWN_FIELDS
from draftsmith.model.ids import EdgeId
from draftsmith.model.markdown.sections import Outline, Section
from draftsmith.transform.steps.footprint import Commits, clashes
from draftsmith.transform.steps.steps import Step, text_step_of

_ON_LINES: Final = frozenset({"", "*", "type", "custom_type", "label", "technology", "parent", "locked", *DRAWN_FIELDS})
_OF_EDGES_ON_LINES: Final = frozenset({"", "*", "label", "kind", "direction", "source", "target", *DRAWN_FIELDS})
_NEVER: Final = -1  # in place of the revision at which something was shown


@dataclass(frozen=True, slots=True)
class Unread:
    """Something that a batch would overwrite and the agent has not seen as it is.

    Attributes:
        part: node, edge, workspace or document.
        id: of the node or edge.
        field: which one; empty for all of it.
        node: the node with which it is read.
        section: path of the section, for the document.
        revision: who changed it last since it was shown; None where it was never shown.
    """

    part: str
    id: str = ""
    field: str = ""
    node: str = ""
    section: str = ""
    revision: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The JSON shape, with what says something."""
        found = {"part": self.part, "id": self.id, "field": self.field, "node": self.node}
        shape: dict[str, Any] = {name: value for name, value in found.items() if value}
        if self.part == "document":
            shape["section"] = self.section
        return shape if self.revision is None else {**shape, "revision": self.revision}


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchContext:
    """What a batch was run on.

    Attributes:
        diagram: with the batch.
        text: the document without it.
        outline: its sections; None where the batch does not touch the document.
        marks: what the agent was shown.
        since: commits after `floor`, oldest first, with the agent's own.
        own: revisions of the agent's own.
        floor: from there on `since` is known; what was shown before counts as not shown.
        following: changes of the text that only take links along with their headings, which need no mark.
    """

    diagram: Diagram
    text: str
    outline: Outline | None
    marks: Marks
    since: Commits
    own: Collection[int]
    floor: int
    following: Collection[tuple[int, int]] = ()


def unread_by(steps: Sequence[Step], spoken_of: Collection[str], around: BatchContext) -> list[Unread]:
    """What steps overwrite that was not seen; `spoken_of`: ids that the operations name or made."""
    cells = _Cells(steps, around)
    found = [*_never_shown(steps, spoken_of, cells), *_never_read(steps, around)]
    for clash in clashes(steps, around.since, around.own, around.following):
        revision, part, key, field = clash["revision"], clash["part"], clash["id"], clash["field"]
        if part == "document":
            found += _changed_text(around, revision, clash["from"], clash["to"])
        elif field in DRAWN_FIELDS and key not in spoken_of:
            continue
        elif cells.seen_at(part, key, field) < revision:
            found.append(Unread(part, key, field, cells.node_of(part, key), revision=revision))
    return list(dict.fromkeys(found))


class _Cells:
    """When each cell was shown."""

    def __init__(self, steps: Sequence[Step], around: BatchContext) -> None:
        self._around = around
        self._ends: dict[str, tuple[str, str]] = {}
        for step in reversed(steps):  # as they were before all of them
            given_up = step.ends_given_up()
            if given_up is not None:
                edge_id, old = given_up
                now = self._ends_of(edge_id)
                self._ends[edge_id] = old.get("source", now[0]), old.get("target", now[1])

    def seen_at(self, part: str, key: str, field: str) -> int:
        """The revision at which a cell was shown last; `_NEVER` if it was not."""
        return _newest(self._around, self._marks_of(part, key, field))

    def node_of(self, part: str, key: str) -> str:
        """The node with which a cell is read; empty for the workspace's name."""
        return {"node": key, "edge": self._ends_of(key)[0]}.get(part, "")

    def _ends_of(self, key: str) -> tuple[str, str]:
        return self._ends.get(key) or self._around.diagram.ends(EdgeId(key)) or NO_ENDS

    def _marks_of(self, part: str, key: str, field: str) -> Iterator[str]:
        yield field_mark(part, key, field)
        if part == "node":
            yield node_mark(key)
            if field in _ON_LINES:
                yield from (LINES, line_mark(key))
        elif part == "edge":
            source, target = self._ends_of(key)
            yield from (edge_mark(key), node_mark(source), node_mark(target))
            if field in _OF_EDGES_ON_LINES:
                yield from (LINES, line_mark(source))
        else:  # the name of the workspace stands above everything that is shown
            yield from self._around.marks


def _newest(around: BatchContext, marks: Iterator[str]) -> int:
    revision = max((around.marks[mark] for mark in marks if mark in around.marks), default=_NEVER)
    return revision if revision >= around.floor else _NEVER


def _never_shown(steps: Sequence[Step], spoken_of: Collection[str], cells: _Cells) -> Iterator[Unread]:
    """Cells that hold something, are overwritten, and were never shown."""
    made = {one for step in steps if step.inserts for one in step.ids}
    for part, key, field in (cell for step in steps for cell in step.overwrites()):
        if key in made or (field in DRAWN_FIELDS and key not in spoken_of):
            continue
        if cells.seen_at(part, key, field) == _NEVER:
            yield Unread(part, key, field.replace("*", ""), cells.node_of(part, key))


def _never_read(steps: Sequence[Step], around: BatchContext) -> Iterator[Unread]:
    """Sections of which text is replaced or removed, and that were never shown."""
    step = text_step_of(steps)
    if step is None or _newest(around, iter((TEXT,))) != _NEVER:
        return
    spans = ((change.start, change.end) for change in step.changes.changes())
    replaced = [span for span in spans if span[0] < span[1] and span not in around.following]
    for section, seen in _sections_at(around, replaced):
        if seen == _NEVER:
            yield Unread("document", section=section)


def _changed_text(around: BatchContext, revision: int, start: int, end: int) -> Iterator[Unread]:
    """Sections in which a stretch was changed by a commit and not shown since."""
    whole = _newest(around, iter((TEXT,)))
    if whole >= revision or commit_mark(revision) in around.marks:
        return
    for section, seen in _sections_at(around, [(start, end)]):
        if seen < revision:
            yield Unread("document", section=section, revision=revision)


def _sections_at(around: BatchContext, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[str, int]]:
    """The sections whose own text some spans touch (UTF-16 units, in order), and when each was shown, or `_NEVER`."""
    outline = around.outline
    if outline is None:
        return
    for section, mark in sections_touched(outline, spans):
        path = "" if section is None else outline.path(section)
        yield path, _newest(around, iter((mark,)))


def sections_touched(outline: Outline, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[Section | None, str]]:
    """The sections whose own text some spans touch (UTF-16 units, in order), with their marks; None as in `marks`."""
    if not spans:
        return
    point = from_units_in_order(outline.text)
    points = [(point(start), point(end)) for start, end in spans]
    for section, mark in section_marks(outline):
        start, end = (0, outline.preamble_end) if section is None else (section.start, section.own_end)
        is_last = end >= len(outline.text)
        if any(_touches(one, other, start, end, is_last) for one, other in points):
            yield section, mark


def _touches(start: int, end: int, begins: int, ends: int, is_last: bool) -> bool:
    if start == end:  # where something was deleted
        return begins <= start < ends or (is_last and start == ends)
    return start < ends and begins < end
