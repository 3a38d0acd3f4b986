"""What steps changed, net: nodes and edges added, changed and removed, and spans of the document.

JSON: `{nodes: {added: [node], changed: [{id, fields: {field: [old, new]}}], removed: [id]}, edges: {…},
document: [{section, from_line, to_line, old, new}], workspace: {field: [old, new]}, types?: {id: [old, new]}}`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar, assert_never, cast

from draftsmith.history.shapes import ChangedOut, DiffOut, TextDiff
from draftsmith.model.custom_types import CustomType
from draftsmith.model.document import from_units_in_order
from draftsmith.model.fields import (
    EDGE_DEFAULTS,
    NODE_DEFAULTS,
    SparseEdge,
    SparseNode,
    edge_json,
    field_of,
    node_json,
    set_fields,
)
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.markdown.sections import Outline, line_breaks, outline_of
from draftsmith.transform.steps.custom_type import SetType
from draftsmith.transform.steps.edge import InsertEdge, RemoveEdge, SetEdge
from draftsmith.transform.steps.node import InsertNode, RemoveNode, SetNode
from draftsmith.transform.steps.steps import Step
from draftsmith.transform.steps.text import ChangeText
from draftsmith.transform.steps.workspace import Rename

_Id = TypeVar("_Id", NodeId, EdgeId)
_Fields = TypeVar("_Fields", SparseNode, SparseEdge)


class _Cell(Generic[_Fields]):
    """One node or edge through a run of steps: as it was before and as it is after; None where it is not there."""

    __slots__ = ("after", "before", "changed")

    def __init__(self, before: _Fields | None, after: _Fields | None) -> None:
        self.before: _Fields | None = before
        self.after: _Fields | None = after
        self.changed: dict[str, list[Any]] = {}

    def set(self, fields: Mapping[str, tuple[Any, Any]]) -> None:
        if self.after is not None:
            set_fields(self.after, {field: new for field, (_, new) in fields.items()})
            return
        for field, (old, new) in fields.items():
            pair = self.changed.setdefault(field, [old, new])
            pair[1] = new
            if pair[0] == new:
                del self.changed[field]


def diff_of(steps: Sequence[Step], places: Sequence[Sequence[Any]] = ()) -> DiffOut:
    """The net change of a run of steps; `places` names the spans of the text step."""
    nodes: dict[NodeId, _Cell[SparseNode]] = {}
    edges: dict[EdgeId, _Cell[SparseEdge]] = {}
    other: dict[str, list[str]] = {}
    types: dict[str, list[CustomType | None]] = {}
    document: list[TextDiff] = []
    for step in steps:
        match step:
            case InsertNode():
                _note_insertion(nodes, step.id, _node_fields(step))
            case RemoveNode():
                _note_removal(nodes, step.id, _node_fields(step))
            case InsertEdge():
                _note_insertion(edges, step.id, _edge_fields(step))
            case RemoveEdge():
                _note_removal(edges, step.id, _edge_fields(step))
            case SetNode():
                nodes.setdefault(step.id, _Cell(None, None)).set(step.fields)
            case SetEdge():
                edges.setdefault(step.id, _Cell(None, None)).set(step.fields)
            case Rename():
                other.setdefault(step.field, [step.old, step.new])[1] = step.new
            case SetType():
                types.setdefault(step.id, [step.old, step.new])[1] = step.new
            case ChangeText():
                document = _document(step, places)
            case _:
                assert_never(step)
    diff: DiffOut = {
        "nodes": {
            "added": [node_json(key, after) for key, after in _additions(nodes)],
            "changed": _field_changes(nodes, NODE_DEFAULTS),
            "removed": _removals(nodes),
        },
        "edges": {
            "added": [edge_json(key, after["source"], after["target"], after) for key, after in _additions(edges)],
            "changed": _field_changes(edges, EDGE_DEFAULTS),
            "removed": _removals(edges),
        },
        "document": document,
        "workspace": {field: pair for field, pair in other.items() if pair[0] != pair[1]},
    }
    changed_types = {type_id: pair for type_id, pair in types.items() if pair[0] != pair[1]}
    if changed_types:
        diff["types"] = changed_types
    return diff


def is_nothing(diff: DiffOut) -> bool:
    """Whether a diff says that nothing changed."""
    parts = [*diff["nodes"].values(), *diff["edges"].values(), diff["document"], diff["workspace"], diff.get("types")]
    return not any(parts)


def _node_fields(step: InsertNode | RemoveNode) -> SparseNode:
    return cast(SparseNode, dict(step.fields))


def _edge_fields(step: InsertEdge | RemoveEdge) -> SparseEdge:
    return cast(SparseEdge, {**step.fields, "source": step.source, "target": step.target})


def _note_insertion(cells: dict[_Id, _Cell[_Fields]], key: _Id, fields: _Fields) -> None:
    if key in cells:
        cells[key].after = fields
    else:
        cells[key] = _Cell(None, fields)


def _note_removal(cells: dict[_Id, _Cell[_Fields]], key: _Id, fields: _Fields) -> None:
    cell = cells.get(key)
    if cell is None:
        cells[key] = _Cell(fields, None)
        return
    if cell.after is None:  # was there from the start: what it was, before this run set fields
        set_fields(fields, {field: old for field, (old, _) in cell.changed.items()})
        cell.before, cell.changed = fields, {}
    cell.after = None


def _additions(cells: Mapping[_Id, _Cell[_Fields]]) -> list[tuple[_Id, _Fields]]:
    return [(key, cell.after) for key, cell in cells.items() if cell.after is not None and cell.before is None]


def _removals(cells: Mapping[_Id, _Cell[_Fields]]) -> list[_Id]:
    return [key for key, cell in cells.items() if cell.before is not None and cell.after is None]


def _field_changes(cells: Mapping[_Id, _Cell[_Fields]], defaults: Mapping[str, object]) -> list[ChangedOut]:
    changed: list[ChangedOut] = []
    for key, cell in cells.items():
        fields: Mapping[str, Sequence[Any]] = {}
        if cell.after is not None and cell.before is not None:
            fields = _differences(cell.before, cell.after)
        elif cell.after is None and cell.before is None:
            fields = cell.changed
        if fields:
            changed.append({"id": key, "fields": _visible_value(fields, defaults)})
    return changed


def _differences(before: SparseNode | SparseEdge, after: SparseNode | SparseEdge) -> dict[str, list[Any]]:
    names = dict.fromkeys([*before, *after])
    return {
        name: [field_of(before, name), field_of(after, name)] for name in names if before.get(name) != after.get(name)
    }


def _visible_value(fields: Mapping[str, Sequence[Any]], defaults: Mapping[str, object]) -> dict[str, list[Any]]:
    """Absent fields as the empty values that readers see."""
    return {
        field: [defaults.get(field) if value is None else value for value in pair] for field, pair in fields.items()
    }


def _document(step: ChangeText, places: Sequence[Sequence[Any]]) -> list[TextDiff]:
    shown: list[TextDiff] = []
    for number, (change, old) in enumerate(zip(step.changes.changes(), step.deleted, strict=True)):
        section, first, last = places[number] if number < len(places) else ("", 0, 0)
        shown.append({"section": section, "from_line": first, "to_line": last, "old": old, "new": change.inserted})
    return shown


def places_of(step: ChangeText | None, text: str, outline: Outline | None = None) -> list[list[Any]]:
    """Where the changes of a step on `text` stand: `[section path, first line, last line]` each, 1-based.

    `outline`: of that text, if it is known already.
    """
    if step is None:
        return []
    outline = outline if outline is not None else outline_of(text)
    point = from_units_in_order(text)
    found = []
    at, line = 0, 0
    for change in step.changes.changes():
        start, end = point(change.start), point(change.end)
        first = line + line_breaks(text, at, start) if line else outline.line_at(start)
        at = max(start, end - 1)
        line = first + line_breaks(text, start, at)
        # What is only inserted belongs to the text before it, not to the heading that it pushes down.
        section = outline.path_at(max(0, start - 1) if start == end else start)
        found.append([section, first, line])
    return found
