"""Compares the problems of a batch with commits since its base: is the batch wrong, or only stale?

A problem names its subjects (`errors.Subject`). It is stale if a later commit has changed one of them: created or
removed the named thing, or changed the field whose value forbids the operation, the heading that was looked up or the
text that was searched. Not here: clashes of a batch that fits (`footprint`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from draftsmith.errors import EdgesBetween, Existence, SectionPath, SectionText, Subject, TextRange, Value
from draftsmith.model.diagram import NO_ENDS
from draftsmith.model.document import Document
from draftsmith.model.ids import EdgeId
from draftsmith.model.sections import Outline, edited
from draftsmith.model.workspace import Workspace
from draftsmith.transform.footprint import Commits, meets, writes
from draftsmith.transform.section_ladder import match
from draftsmith.transform.spans import SpanMap
from draftsmith.transform.step_base import Cell
from draftsmith.transform.steps import text_steps
from draftsmith.transform.steps_edge import InsertEdge, RemoveEdge, SetEdge
from draftsmith.transform.steps_text import ChangeText, in_one


def changes_to(
    subjects: Iterable[Subject], base: int, since: Mapping[int, Commits], workspace: Workspace
) -> list[dict[str, Any]]:
    """Return the changes after `base` to the subjects of problems.

    Args:
        subjects: of all problems of a batch.
        base: a revision.
        since: by revision, the commits after it, oldest first; those after `base` and any that a `TextRange` names.
        workspace: at the head.

    Returns:
        `[{revision, part, id, field}]`, in the shape of `clashes`: each thing once, with the newest revision.
    """
    commits = since.get(base, ())
    wanted = set(subjects)
    found = [
        *_cells_changed(wanted, commits),
        *(cell for one in wanted if isinstance(one, EdgesBetween) for cell in _edges_changed(one, commits, workspace)),
    ]
    text = _text_changed(wanted, base, since, workspace.document)
    if text is not None:
        found.append((text, ("document", "", "")))
    newest: dict[Cell, int] = {}
    for revision, cell in found:
        newest[cell] = max(revision, newest.get(cell, 0))
    return [
        {"revision": revision, "part": part, "id": key, "field": field}
        for (part, key, field), revision in sorted(newest.items())
    ]


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


def _edge_at_head(workspace: Workspace, edge_id: EdgeId) -> dict[str, str]:
    source, target = workspace.diagram.ends(edge_id) or NO_ENDS
    label = (workspace.diagram.edge(edge_id) or {}).get("label") or ""
    return {"source": source, "target": target, "label": label}


def _text_changed(
    subjects: Iterable[Subject], base: int, since: Mapping[int, Commits], document: Document
) -> int | None:
    """The newest revision that changed the text, if the part that the subjects name has changed; else None."""
    ranges = [one for one in subjects if isinstance(one, TextRange)]
    found = [revision for one in ranges for revision in _range_changed(one, since) if revision > base]
    sections = [one for one in subjects if isinstance(one, SectionPath | SectionText)]
    later = _text_steps(since.get(base, ()))
    if sections and later:
        before = _outline_before([step for _, step in later], document)
        if any(_is_other(one, before, document.outline) for one in sections):
            found.append(later[-1][0])
    return max(found, default=None)


def _text_steps(commits: Commits) -> list[tuple[int, ChangeText]]:
    return [(revision, step) for revision, steps in commits for step in text_steps(steps)]


def _outline_before(later: Sequence[ChangeText], document: Document) -> Outline:
    """The outline before the last steps of the document; the cost depends on the sections touched only."""
    net = in_one(later)
    text = net.inverse().changes.apply(document.text)
    return edited(document.outline, *net.written(document.text), text)


def _is_other(subject: SectionPath | SectionText, before: Outline, now: Outline) -> bool:
    """Whether a path named one section before and does not now, or a section had another text."""
    if isinstance(subject, SectionPath):
        return len(match(before, subject.path, fuzzy=subject.fuzzy).sections) == 1
    return _texts(before, subject.path) != _texts(now, subject.path)


def _texts(outline: Outline, path: str) -> list[str]:
    """The texts of all sections with exactly this path."""
    if not path:
        return [outline.text[: outline.preamble_end]]
    found = [section for section in outline.sections if outline.path(section) == path]
    return [outline.text[section.start : section.end] for section in found]


def _range_changed(subject: TextRange, since: Mapping[int, Commits]) -> Iterator[int]:
    start, end = subject.start, subject.end
    for revision, step in _text_steps(since.get(subject.revision, ())):
        if any(meets(start, end, change.start, change.end) for change in step.changes.changes()):
            yield revision
        start, end = SpanMap(step.changes.changes()).widened(start, end)
