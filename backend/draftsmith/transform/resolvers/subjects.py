"""Compares the problems of a batch with commits since its base: is the batch wrong, or only stale?

A problem names its subjects (`errors.Subject`). It is stale if a later commit has changed one of them: created or
removed the named thing, or changed the field whose value forbids the operation, the heading that was looked up or the
text that was searched. Not here: clashes of a batch that fits (`footprint`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, assert_never

from draftsmith.errors import DocumentRange, EdgesBetween, Existence, SectionPath, SectionText, Subject, Value
from draftsmith.model.diagram import NO_ENDS
from draftsmith.model.document import Document, units
from draftsmith.model.ids import EdgeId
from draftsmith.model.markdown.sections import Outline, update_outline
from draftsmith.model.name_search import name_key
from draftsmith.model.workspace import Workspace
from draftsmith.transform.matching.node_names import names_changed
from draftsmith.transform.matching.section_ladder import match
from draftsmith.transform.steps.base import Cell
from draftsmith.transform.steps.custom_type import SetType
from draftsmith.transform.steps.edge import InsertEdge, RemoveEdge, SetEdge
from draftsmith.transform.steps.footprint import Clash, Commits, meets, writes
from draftsmith.transform.steps.node import InsertNode, RemoveNode, SetNode
from draftsmith.transform.steps.spans import SpanMap
from draftsmith.transform.steps.steps import text_steps
from draftsmith.transform.steps.text import ChangeText, in_one
from draftsmith.transform.steps.workspace import Rename

_ENOUGH: Final = 100  # changes of the text that are told, the newest
_MOST_SECTIONS: Final = 10  # changed sections for which the commits are looked for


def changes_to(
    subjects: Iterable[Subject], base: int, since: Mapping[int, Commits], workspace: Workspace
) -> list[Clash]:
    """Return the changes after `base` to the subjects of problems.

    Args:
        subjects: of all problems of a batch.
        base: a revision.
        since: by revision, the commits after it, oldest first; those after `base` and any that a `DocumentRange` names.
        workspace: at the head.

    Returns:
        `[{revision, part, id, field}]`, in the shape of `clashes`: each thing once, with the newest revision, and each
        commit that changed a section or range that they name.
    """
    commits = since.get(base, ())
    wanted = set(subjects)
    found = [
        *_cells_changed(wanted, commits),
        *_names_changed(wanted, commits),
        *(cell for one in wanted if isinstance(one, EdgesBetween) for cell in _edges_changed(one, commits, workspace)),
    ]
    newest: dict[Cell, int] = {}
    for revision, cell in found:
        newest[cell] = max(revision, newest.get(cell, 0))
    cells: list[Clash] = [
        {"revision": revision, "part": part, "id": key, "field": field}
        for (part, key, field), revision in sorted(newest.items())
    ]
    return cells + _text_changes(wanted, base, since, workspace.document)


def _cells_changed(subjects: Iterable[Subject], commits: Commits) -> Iterator[tuple[int, Cell]]:
    """Changed cells; creating or removing a node or edge changes all its cells."""
    newest: dict[Cell, int] = {}
    for revision, steps in commits:
        newest.update(dict.fromkeys(writes(steps), revision))
    for subject in subjects:
        if isinstance(subject, Existence | Value):
            fields = ("", subject.field) if isinstance(subject, Value) else ("",)
            for field in fields:
                cell = (subject.part, subject.id, field)
                if cell in newest:
                    yield newest[cell], cell


def _names_changed(subjects: Iterable[Subject], commits: Commits) -> Iterator[tuple[int, Cell]]:
    """Nodes that were called like those that subjects name, or are now and were not before."""
    wanted = {name_key(one.id) for one in subjects if isinstance(one, Existence) and one.part == "node"}
    for revision, steps in commits if wanted else ():
        for step in steps:
            if not wanted.isdisjoint(names_changed(step)):
                yield from ((revision, cell) for cell in step.writes() if cell[2] in ("", "label"))


def _edges_changed(subject: EdgesBetween, commits: Commits, workspace: Workspace) -> Iterator[tuple[int, Cell]]:
    """Edges between two nodes that were added or removed: traced back from the head, where all ends are known."""
    known: dict[str, dict[str, str]] = {}

    def is_meant(edge: Mapping[str, str]) -> bool:
        ends = edge["source"], edge["target"]
        return ends == (subject.source, subject.target) and subject.label in (None, edge["label"])

    for revision, steps in reversed(commits):
        for step in reversed(steps):
            match step:
                case InsertEdge() | RemoveEdge():
                    edge = {"source": step.source, "target": step.target, "label": step.fields.get("label") or ""}
                    known[step.id] = edge
                    if is_meant(edge):
                        yield revision, ("edge", step.id, "")
                case SetEdge():
                    after = known.get(step.id) or _edge_at_head(workspace, step.id)
                    old = {field: pair[0] or "" for field, pair in step.fields.items() if field in after}
                    known[step.id] = before = {**after, **old}
                    if is_meant(before) != is_meant(after):
                        yield from ((revision, ("edge", step.id, field)) for field in old)
                case InsertNode() | RemoveNode() | SetNode() | ChangeText() | Rename() | SetType():
                    pass
                case _:
                    assert_never(step)


def _edge_at_head(workspace: Workspace, edge_id: EdgeId) -> dict[str, str]:
    source, target = workspace.diagram.ends(edge_id) or NO_ENDS
    label = (workspace.diagram.edge(edge_id) or {}).get("label") or ""
    return {"source": source, "target": target, "label": label}


def _text_changes(
    subjects: Iterable[Subject], base: int, since: Mapping[int, Commits], document: Document
) -> list[Clash]:
    """The commits after `base` that changed what subjects name of the text, with its range in the text of the head."""
    found: dict[tuple[int, int, int], None] = {}
    for one in subjects:
        if isinstance(one, DocumentRange):
            revisions, span = _changes_of_range(_text_steps(since.get(one.revision, ())), one.start, one.end, meets)
            found.update(dict.fromkeys((revision, *span) for revision in revisions if revision > base))
    sections = [one for one in subjects if isinstance(one, SectionPath | SectionText)]
    later = _text_steps(since.get(base, ()))
    unplaced = False
    if sections and later:
        before = _outline_before([step for _, step in later], document)
        others = [one for one in sections if _is_other(one, before, document.outline)]
        for one in others[:_MOST_SECTIONS]:
            hits = [
                (revision, *span)
                for start, end in _spans(one, before)
                for revisions, span in [
                    _changes_of_range(later, units(before.text[:start]), units(before.text[:end]), _touches)
                ]
                for revision in revisions
            ]
            found.update(dict.fromkeys(hits))
            unplaced = unplaced or not hits
        unplaced = unplaced or len(others) > _MOST_SECTIONS
    rows: list[Clash] = [
        {"revision": revision, "part": "document", "id": "", "field": "", "from": start, "to": end}
        for revision, start, end in sorted(found)[-_ENOUGH:]
    ]
    if unplaced:  # a section that was not there, or another one of that name has come
        rows.append({"revision": later[-1][0], "part": "document", "id": "", "field": ""})
    return rows


def _text_steps(commits: Commits) -> list[tuple[int, ChangeText]]:
    return [(revision, step) for revision, steps in commits for step in text_steps(steps)]


def _outline_before(later: Sequence[ChangeText], document: Document) -> Outline:
    """The outline before the last steps of the document; the cost depends on the sections touched only."""
    net = in_one(later)
    text = net.inverse().changes.apply(document.text)
    return update_outline(document.outline, *net.span_after(document.text), text)


def _is_other(subject: SectionPath | SectionText, before: Outline, now: Outline) -> bool:
    """Whether a path named one section before and does not now, or a section had another text."""
    if isinstance(subject, SectionPath):
        return len(match(before, subject.path, fuzzy=subject.fuzzy).sections) == 1
    return _texts(before, subject.path) != _texts(now, subject.path)


def _spans(subject: SectionPath | SectionText, outline: Outline) -> list[tuple[int, int]]:
    """Where the sections lie that a subject names, in code points; all of the text if it names none."""
    if isinstance(subject, SectionPath):
        found = match(outline, subject.path, fuzzy=subject.fuzzy).sections
    elif not subject.path:
        return [(0, outline.preamble_end)]
    else:
        found = [section for section in outline.sections if outline.path(section) == subject.path]
    return [(section.start, section.end) for section in found]


def _texts(outline: Outline, path: str) -> list[str]:
    """The texts of all sections with exactly this path."""
    return [outline.text[start:end] for start, end in _spans(SectionText(path), outline)]


def _changes_of_range(
    later: Sequence[tuple[int, ChangeText]], start: int, end: int, hits: Callable[[int, int, int, int], bool]
) -> tuple[list[int], tuple[int, int]]:
    """The revisions that changed a range (UTF-16 units of the text before them), and where it is after all of them."""
    found: list[int] = []
    for revision, step in later:
        changes = list(step.changes.changes())
        if any(hits(start, end, change.start, change.end) for change in changes):
            found.append(revision)
        start, end = SpanMap(changes).map_widening(start, end)
    return found, (start, end)


def _touches(start: int, end: int, other_start: int, other_end: int) -> bool:
    """Whether a change is in a section, or at its borders, where something may have been added to it."""
    return other_start <= end and start <= other_end
