"""Compensation: the part of an inverse that still fits the state it meets, and in words what does not.

Field by field and stretch by stretch: what somebody changed since is left alone and reported, unless `force` asks to
overwrite fields (never births: a node that came back under the same id is another one). Source of the rules: DESIGN
section 5 and the model in `tests/laws/test_undo_model.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from draftsmith.model.diagram import field_of
from draftsmith.model.workspace import Workspace
from draftsmith.transform.changeset import ChangeSet, of_parts
from draftsmith.transform.locks import lock_against
from draftsmith.transform.steps import Rename, Step
from draftsmith.transform.steps_edge import AddEdge, RemoveEdge, SetEdge
from draftsmith.transform.steps_node import AddNode, RemoveNode, SetNode
from draftsmith.transform.steps_text import EditText, edit_of

_TIED = ("parent", "position")  # a position means nothing without the parent it is relative to


@dataclass(slots=True)
class Compensation:
    """Steps that have been applied, and what was left out, as `{what, why}`."""

    steps: list[Step] = field(default_factory=list)
    left_out: list[dict[str, str]] = field(default_factory=list)

    def leave(self, what: str, why: str) -> None:
        """Note something that was left out."""
        self.left_out.append({"what": what, "why": why})


def compensate(
    workspace: Workspace, steps: Sequence[Step], later: Sequence[EditText], *, force: bool = False
) -> Compensation:
    """Apply the inverse of `steps` as far as it fits; the workspace is left changed.

    Args:
        workspace: at the head; changed in place.
        steps: of the commit to take back, as they were applied.
        later: the text steps of all later commits, oldest first.
        force: overwrite fields that were changed since.
    """
    done = Compensation()
    for step in reversed(steps):
        inverse = step.inverse()
        if isinstance(inverse, EditText):
            _text(done, workspace, inverse, later)
        elif isinstance(inverse, SetNode | SetEdge):
            _fields(done, workspace, inverse, force)
        else:
            _whole(done, workspace, inverse, force)
    return done


def _whole(done: Compensation, workspace: Workspace, step: Step, force: bool) -> None:
    """Put a node or edge back, take one out, or rename: as a whole or not at all."""
    lock = lock_against(workspace, step)
    if lock is not None:
        done.leave(_what(step, workspace), f"'{lock}' is locked")
        return
    reason = step.misfit(workspace)
    if reason is not None and force:
        step = _as_it_is_now(workspace, step)
        reason = step.misfit(workspace)
    if reason is not None:
        done.leave(_what(step, workspace), reason)
        return
    step.write(workspace)
    done.steps.append(step)


def _as_it_is_now(workspace: Workspace, step: Step) -> Step:
    """The same step with the fields that are there now, for `force`; births stay."""
    diagram = workspace.diagram
    if isinstance(step, RemoveNode):
        now = diagram.node(step.id)
        if now is not None and now["birth"] == step.birth:
            parent = now.get("parent")
            birth = None if parent is None else diagram.graph.nodes[parent]["birth"]
            return replace(step, fields={f: v for f, v in now.items() if f != "birth"}, parent_birth=birth)
    if isinstance(step, RemoveEdge):
        edge, ends = diagram.edge(step.id), diagram.ends(step.id)
        if edge is not None and ends is not None and edge["birth"] == step.birth:
            births = diagram.graph.nodes[ends[0]]["birth"], diagram.graph.nodes[ends[1]]["birth"]
            fields = {f: v for f, v in edge.items() if f != "birth"}
            return replace(step, source=ends[0], target=ends[1], ends=births, fields=fields)
    if isinstance(step, Rename):
        return replace(step, old=workspace.name if step.field == "name" else workspace.document.eol)
    return step


def _fields(done: Compensation, workspace: Workspace, step: SetNode | SetEdge, force: bool) -> None:
    """Set back field by field: those that still have the value the commit left."""
    lock = lock_against(workspace, step)
    now = _current(workspace, step)
    if now is None or lock is not None:
        why = f"'{lock}' is locked" if lock is not None else f"'{step.id}' is gone"
        done.leave(_what(step, workspace), why)
        return
    pairs = dict(step.fields)
    for name, (old, new) in step.fields.items():
        if field_of(now, name) == old:
            continue
        if force:
            pairs[name] = (field_of(now, name), new)
            continue
        del pairs[name]
        done.leave(f"{_named(name)} of {_called(step, workspace)}", "it has been changed since")
    pairs = _untied(done, step, pairs, workspace)
    pairs = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
    if pairs:
        _whole(done, workspace, _narrowed(workspace, step, pairs), force=False)


def _untied(
    done: Compensation, step: SetNode | SetEdge, pairs: dict[str, tuple[Any, Any]], workspace: Workspace
) -> dict[str, tuple[Any, Any]]:
    """Parent and position go together or not at all; so do both ends of an edge."""
    tied = _TIED if isinstance(step, SetNode) else ("source", "target")
    if tied[0] not in step.fields and not (isinstance(step, SetEdge) and tied[1] in step.fields):
        return pairs
    wanted = [name for name in tied if name in step.fields]
    if all(name in pairs for name in wanted):
        return pairs
    for name in wanted:
        if pairs.pop(name, None) is not None:
            done.leave(f"{_named(name)} of {_called(step, workspace)}", "it belongs to what has been changed since")
    return pairs


def _narrowed(workspace: Workspace, step: SetNode | SetEdge, pairs: Mapping[str, tuple[Any, Any]]) -> Step:
    """The step with fewer fields, and births only where they are still meant."""
    if isinstance(step, SetNode):
        parents = step.parents if "parent" in pairs else (None, None)
        return replace(step, fields=pairs, parents=parents)
    if "source" in pairs or "target" in pairs:
        return replace(step, fields=pairs)
    return replace(step, fields=pairs, old_ends=None, new_ends=None)


def _current(workspace: Workspace, step: SetNode | SetEdge) -> Mapping[str, Any] | None:
    diagram = workspace.diagram
    if isinstance(step, SetNode):
        now = diagram.node(step.id)
        return now if now is not None and now["birth"] == step.birth else None
    edge, ends = diagram.edge(step.id), diagram.ends(step.id)
    if edge is None or ends is None or edge["birth"] != step.birth:
        return None
    return {**edge, "source": ends[0], "target": ends[1]}


def _text(done: Compensation, workspace: Workspace, inverse: EditText, later: Sequence[EditText]) -> None:
    """Set back each stretch of the text that nobody changed since, where it stands now."""
    since = _net(workspace.document.text, inverse.changes.length, later)
    spans: list[tuple[int, int, str]] = []
    for change in inverse.changes.changes():
        span = since.map_span(change.start, change.end)
        if span is None:
            shown = " ".join((change.inserted or "the added text").split())
            done.leave(f"a change of the document: “{shown[:80]}”", "that text has been changed since")
        else:
            spans.append((*span, change.inserted))
    if not spans:
        return
    parts: list[tuple[int, str | None]] = []
    at = 0
    for start, end, text in spans:
        parts += [(start - at, None), (end - start, text)]
        at = end
    parts.append((since.new_length - at, None))
    step = edit_of(workspace.document.text, of_parts(parts))
    step.write(workspace)
    done.steps.append(step)


def _net(head: str, length: int, later: Sequence[EditText]) -> ChangeSet:
    """All later changes of the text as one, without what cancels out (an edit and its undo leave no trace)."""
    text = head
    for step in reversed(later):
        text = step.inverse().changes.apply(text)
    net = of_parts([(length, None)])
    for step in later:
        net = net.compose(step.changes)
    return of_parts(
        part
        for change_parts in (_trimmed(length, new, old) for (length, new), old in _with_deleted(net, text))
        for part in change_parts
    )


def _with_deleted(net: ChangeSet, text: str) -> list[tuple[tuple[int, str | None], str]]:
    deleted = iter(net.deleted(text))
    return [(part, "" if part[1] is None else next(deleted)) for part in net.parts]


def _trimmed(length: int, new: str | None, old: str) -> list[tuple[int, str | None]]:
    """A replacement without what is the same at both its ends; code points below U+10000 only, so units agree."""
    if new is None:
        return [(length, None)]
    if not new or not old or not (old + new).isascii():
        same = old == new
        return [(length, None)] if same else [(length, new)]
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    middle = (len(old) - head - tail, new[head : len(new) - tail])
    return [(head, None), middle, (tail, None)]


def _what(step: Step, workspace: Workspace) -> str:
    if isinstance(step, AddNode):
        return f"bringing back {_called(step, workspace)}"
    if isinstance(step, AddEdge):
        return f"bringing back the edge {step.source} → {step.target}"
    if isinstance(step, RemoveNode | RemoveEdge):
        return f"taking out {_called(step, workspace)}"
    if isinstance(step, SetNode | SetEdge):
        return f"{', '.join(_named(name) for name in step.fields)} of {_called(step, workspace)}"
    return "the name" if isinstance(step, Rename) and step.field == "name" else "the line ends"


def _called(step: Any, workspace: Workspace) -> str:
    fields = getattr(step, "fields", {})
    label = fields.get("label") if isinstance(step, AddNode | RemoveNode) else None
    node = workspace.diagram.node(step.id)
    if label is None and node is not None:
        label = node.get("label")
    return f"“{label}”" if label else f"'{step.id}'"


def _named(field_name: str) -> str:
    return f"property {field_name[11:]}" if field_name.startswith("properties.") else field_name
