"""Compensation: the part of an inverse that still fits the state it meets, and in words what does not.

Field by field and stretch by stretch: what somebody changed since is left alone and reported, unless `force` asks to
overwrite fields (never births: a node that came back under the same id is another one). Locks hold, force or not,
except those that the commit itself put on: taking it back takes them off. A route never outlives a move of its ends.
Laws: `tests/laws/test_workspace_machine.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from draftsmith.model.diagram import Diagram, field_of
from draftsmith.model.workspace import Workspace
from draftsmith.transform.changeset import of_parts
from draftsmith.transform.locks import Incarnation, lock_against, locks_put_on
from draftsmith.transform.steps import Rename, Step
from draftsmith.transform.steps_edge import AddEdge, RemoveEdge, SetEdge
from draftsmith.transform.steps_node import AddNode, RemoveNode, SetNode
from draftsmith.transform.steps_text import EditText, edit_of, net_of

# A position means nothing without the parent it is relative to, nor one end of an edge without the other.
_TIED_NODE, _TIED_EDGE = ("parent", "position"), ("source", "target")
# Fields that are put back together if the step as a whole does not fit; all others are one more such part.
_PARTS = ((*_TIED_NODE, *_TIED_EDGE, "route"), ("type",), ("label", "kind"))


@dataclass(slots=True)
class Compensation:
    """Steps that have been applied, and what was left out, as `{what, why, ids?}`.

    Attributes:
        lifted: locks that do not count, since the commit or its compensation put them on.
        moved: nodes that moved on the screen.
        stuck: nodes whose place was left out.
    """

    steps: list[Step] = field(default_factory=list)
    left_out: list[dict[str, Any]] = field(default_factory=list)
    lifted: set[Incarnation] = field(default_factory=set)
    moved: set[str] = field(default_factory=set)
    stuck: set[str] = field(default_factory=set)

    def leave(self, what: str, why: str, ids: Sequence[str] = ()) -> None:
        """Note something that was left out; `ids`: the nodes and edges that it speaks of."""
        self.left_out.append({"what": what, "why": why, **({"ids": list(ids)} if ids else {})})

    def do(self, step: Step, workspace: Workspace) -> None:
        """Apply a step that fits."""
        diagram = workspace.diagram
        moves = isinstance(step, SetNode) and not step.fields.keys().isdisjoint(_TIED_NODE)
        before = diagram.origin_of(step.id) if isinstance(step, SetNode) and moves else None
        step.write(workspace)
        if isinstance(step, SetNode) and before is not None and not _is_same(before, diagram.origin_of(step.id)):
            self.moved.add(step.id)
        self.lifted |= locks_put_on((step,))
        self.steps.append(step)


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
    done = Compensation(lifted=locks_put_on(steps))
    for step in reversed(steps):
        inverse = step.inverse()
        if isinstance(inverse, EditText):
            _text(done, workspace, inverse, later)
        elif isinstance(inverse, SetNode | SetEdge):
            _fields(done, workspace, inverse, force)
        else:
            _whole(done, workspace, inverse, force)
    _drop_routes(done, workspace)
    return done


def _whole(done: Compensation, workspace: Workspace, step: Step, force: bool) -> None:
    """Put a node or edge back, take one out, or rename: as a whole or not at all."""
    lock = lock_against(workspace.diagram, step, done.lifted)
    if lock is not None:
        done.leave(_what(step, workspace), f"'{lock}' is locked", _ids(step))
        return
    reason = step.misfit(workspace)
    if reason is not None and force:
        step = _as_it_is_now(workspace, step)
        reason = step.misfit(workspace)
    if reason is not None:
        done.leave(_what(step, workspace), reason, _ids(step))
        return
    done.do(step, workspace)


def _as_it_is_now(workspace: Workspace, step: Step) -> Step:
    """The same step with the fields that are there now, for `force`; births stay."""
    diagram = workspace.diagram
    if isinstance(step, RemoveNode):
        now = diagram.node(step.id)
        if now is not None and now["birth"] == step.birth:
            fields = {f: v for f, v in now.items() if f != "birth"}
            return replace(step, fields=fields, parent_birth=_birth(diagram, now.get("parent")))
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
    now = _current(workspace, step)
    lock = lock_against(workspace.diagram, step, done.lifted)
    if now is None or lock is not None:
        why = f"'{step.id}' is gone" if now is None else f"'{lock}' is locked"
        done.leave(_what(step, workspace), why, _ids(step))
        done.stuck |= {step.id} if _is_place(step.fields) else set()
        return
    pairs = dict(step.fields)
    for name, (old, new) in step.fields.items():
        if field_of(now, name) == old:
            continue
        if force:
            pairs[name] = (field_of(now, name), new)
            continue
        del pairs[name]
        done.leave(f"{_named(name)} of {_called(step, workspace)}", "it has been changed since", _ids(step))
    pairs = _untied(done, step, pairs, workspace)
    if _is_place(step.fields) and not _is_place(pairs):
        done.stuck.add(step.id)
    _put(done, workspace, step, {name: pair for name, pair in pairs.items() if pair[0] != pair[1]})


def _put(done: Compensation, workspace: Workspace, step: SetNode | SetEdge, pairs: dict[str, tuple[Any, Any]]) -> None:
    """Set fields at once if they fit together, else part by part."""
    if not pairs:
        return
    whole = _narrowed(workspace, step, pairs)
    if whole.misfit(workspace) is None:
        done.do(whole, workspace)
        return
    named = [name for part in _PARTS for name in part]
    for part in (*_PARTS, tuple(name for name in pairs if name not in named)):
        some = {name: pairs[name] for name in part if name in pairs}
        if not some:
            continue
        piece = _narrowed(workspace, step, some)
        reason = piece.misfit(workspace)
        if reason is None:
            done.do(piece, workspace)
            continue
        done.leave(_what(piece, workspace), reason, _ids(piece))
        done.stuck |= {step.id} if _is_place(some) else set()


def _is_place(fields: Iterable[str]) -> bool:
    return not set(fields).isdisjoint(_TIED_NODE)


def _is_same(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether two places are the same on the screen, rounding aside."""
    return abs(one[0] - other[0]) < 0.02 and abs(one[1] - other[1]) < 0.02


def _drop_routes(done: Compensation, workspace: Workspace) -> None:
    """Drop routes of what moved that were made since, and routes put back to where an end does not stand."""
    diagram = workspace.diagram
    put_back = {
        step.id for step in done.steps if isinstance(step, SetEdge) and step.fields.get("route", (None, None))[1]
    } | {step.id for step in done.steps if isinstance(step, AddEdge)}
    stale = [edge_id for edge_id in put_back if _has_stuck_end(done, workspace, edge_id)]
    for node_id in sorted(done.moved):
        for inner in diagram.subtree(node_id) if node_id in diagram else ():
            stale.extend(edge_id for edge_id in diagram.edges_at(inner) if edge_id not in put_back)
    for edge_id in sorted(set(stale)):
        edge = diagram.edge(edge_id) or {}
        if "route" in edge:
            done.do(SetEdge(edge_id, edge["birth"], {"route": (edge["route"], None)}), workspace)


def _has_stuck_end(done: Compensation, workspace: Workspace, edge_id: str) -> bool:
    diagram = workspace.diagram
    ends = diagram.ends(edge_id) or ()
    return any(one in done.stuck for end in ends for one in (end, *diagram.ancestors(end)))


def _untied(
    done: Compensation, step: SetNode | SetEdge, pairs: dict[str, tuple[Any, Any]], workspace: Workspace
) -> dict[str, tuple[Any, Any]]:
    """Parent and position go together or not at all; so do both ends of an edge, and its route with them."""
    if isinstance(step, SetNode):
        wanted = [name for name in _TIED_NODE if name in step.fields] if "parent" in step.fields else []
    else:
        ends = [name for name in _TIED_EDGE if name in step.fields]
        wanted = [*ends, "route"] if ends and "route" in step.fields else ends
    needed = [name for name in wanted if name != "route"]
    if all(name in pairs for name in needed):
        return pairs
    for name in wanted:
        if pairs.pop(name, None) is not None:
            why = "it belongs to what has been changed since"
            done.leave(f"{_named(name)} of {_called(step, workspace)}", why, _ids(step))
    return pairs


def _narrowed(workspace: Workspace, step: SetNode | SetEdge, pairs: Mapping[str, tuple[Any, Any]]) -> Step:
    """The step with other fields; births on record for what it leads to, those of now for what it leads away from."""
    diagram = workspace.diagram
    if isinstance(step, SetNode):
        if "parent" not in pairs:
            return replace(step, fields=pairs, parents=(None, None))
        old = pairs["parent"][0]
        return replace(step, fields=pairs, parents=(_birth(diagram, old), step.parents[1]))
    ends = diagram.ends(step.id)
    if ends is None or step.new_ends is None or ("source" not in pairs and "target" not in pairs):
        return replace(step, fields=pairs, old_ends=None, new_ends=None)
    now = diagram.graph.nodes[ends[0]]["birth"], diagram.graph.nodes[ends[1]]["birth"]
    source = step.new_ends[0] if "source" in pairs else now[0]
    target = step.new_ends[1] if "target" in pairs else now[1]
    return replace(step, fields=pairs, old_ends=now, new_ends=(source, target))


def _birth(diagram: Diagram, node_id: str | None) -> int | None:
    return None if node_id is None else diagram.graph.nodes[node_id]["birth"]


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
    since = net_of(workspace.document.text, inverse.changes.length, later)[0]
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
    done.do(edit_of(workspace.document.text, of_parts(parts)), workspace)


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


def _ids(step: Any) -> list[str]:
    """The node or edge of a step; none for what belongs to the workspace as a whole."""
    found = getattr(step, "id", None)
    return [] if found is None else [found]


def _called(step: Any, workspace: Workspace) -> str:
    fields = getattr(step, "fields", {})
    label = fields.get("label") if isinstance(step, AddNode | RemoveNode) else None
    node = workspace.diagram.node(step.id)
    if label is None and node is not None:
        label = node.get("label")
    return f"“{label}”" if label else f"'{step.id}'"


def _named(field_name: str) -> str:
    return f"property {field_name[11:]}" if field_name.startswith("properties.") else field_name
