"""Compensation: applies the part of an inverse that still fits the current state, and reports the rest.

It works by fields and spans of text: those that somebody changed since are left alone and reported, unless `force`
overwrites fields (never births: a new node with the same id is another node). Locks are respected even with `force`,
except those that the commit itself set: undoing it removes them. A route is dropped when one of its
ends moves; one by hand follows.
Laws: `tests/laws/test_workspace_machine.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from draftsmith.model.fields import field_of
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.routes import MovingRoutes, has_hand_route
from draftsmith.model.workspace import Workspace
from draftsmith.transform.results import LeftOut
from draftsmith.transform.steps.base import Incarnation, Pair
from draftsmith.transform.steps.custom_type import SetType
from draftsmith.transform.steps.edge import InsertEdge, RemoveEdge, SetEdge
from draftsmith.transform.steps.locks import lock_against, locks_put_on
from draftsmith.transform.steps.node import InsertNode, RemoveNode, SetNode
from draftsmith.transform.steps.steps import Step
from draftsmith.transform.steps.text import ChangeText, edit_of
from draftsmith.transform.steps.workspace import Rename
from draftsmith.transform.undo.net import net_steps
from draftsmith.transform.undo.retract import Retraction

_PLACE = frozenset({"parent", "position"})
# Fields that are restored together if the whole step does not fit; all other fields form one more such set.
_PARTS = (("parent", "position", "source", "target", "route"), ("type", "custom_type"), ("label", "kind"))

_Whole = InsertNode | RemoveNode | InsertEdge | RemoveEdge | Rename | SetType
_Set = SetNode | SetEdge


@dataclass(slots=True)
class Compensation:
    """Steps that have been applied, and parts that were left out, as `{what, why, ids?}`.

    Attributes:
        lifted: locks that are ignored, because the commit or its compensation set them.
        moved: nodes that moved on the screen.
        stuck: nodes whose position was not restored.
        moving: routes by hand of edges whose ends moved.
        routes_left: of edges with a route by hand, the former route that was left out; it counts unless that follows.
    """

    steps: list[Step] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    lifted: set[Incarnation] = field(default_factory=set)
    moved: set[NodeId] = field(default_factory=set)
    stuck: set[str] = field(default_factory=set)
    moving: MovingRoutes = field(default_factory=MovingRoutes)
    routes_left: dict[str, LeftOut] = field(default_factory=dict)

    def leave(self, what: str, why: str, ids: Sequence[str] = ()) -> None:
        """Record a part that was left out; `ids`: the nodes and edges concerned."""
        self.left_out.append(_left_part(what, why, ids))

    def do(self, step: Step, workspace: Workspace) -> None:
        """Apply a step that fits."""
        diagram, node_id = workspace.diagram, step.moved_node
        before = None if node_id is None else diagram.origin_of(node_id)
        if node_id is not None:
            self.moving.note_node(diagram, node_id)
        given_up = step.ends_given_up()
        for edge_id in (step.routed_edge, given_up and given_up[0]):
            if edge_id is not None:
                self.moving.note_edge(diagram, edge_id)
        step.write(workspace)
        if node_id is not None and before is not None and not _is_same(before, diagram.origin_of(node_id)):
            self.moved.add(node_id)
        self.lifted |= locks_put_on((step,))
        self.steps.append(step)

    def take_text(self, text: ChangeText | Retraction, workspace: Workspace) -> None:
        """Apply what takes a text step back."""
        if isinstance(text, Retraction):
            self.left_out += text.left_out
        if not text.changes.is_empty:
            self.do(edit_of(workspace.document.text, text.changes), workspace)


def compensate(
    workspace: Workspace, steps: Sequence[Step], text: Retraction | None = None, *, force: bool = False
) -> Compensation:
    """Apply the inverse of `steps` as far as it fits; changes the workspace.

    Args:
        workspace: at the head; changed in place.
        steps: of the commit to undo, as they were applied.
        text: what takes their text step back; None if they have none, or nothing has changed the text since.
        force: overwrite fields that were changed since.
    """
    done = Compensation(lifted=locks_put_on(steps))
    waiting: list[_Whole | _Set] = []
    for step in reversed(net_steps(steps)):
        inverse = step.inverse()
        match inverse:
            case ChangeText():
                done.take_text(inverse if text is None else text, workspace)
            case SetNode() | SetEdge():
                unchanged = _unchanged_fields(done, workspace, inverse, force)
                waiting += [] if unchanged is None else [unchanged]
            case InsertNode() | RemoveNode() | InsertEdge() | RemoveEdge() | Rename() | SetType():
                waiting.append(inverse)
            case _:
                assert_never(inverse)
    # What does not fit is tried again as long as something else fits: its group may come back after it.
    is_over = False
    while not is_over:
        left = [step for step in waiting if not _do_if_fitting(done, workspace, step, force)]
        is_over, waiting = len(left) == len(waiting), left
    for step in waiting:
        match step:
            case SetNode() | SetEdge():
                _put_parts(done, workspace, step)
            case _:
                done.leave(_what(step, workspace), _reason(done, workspace, step) or "", step.ids)
    _keep_routes(done, workspace)
    return done


def _reason(result: Compensation, workspace: Workspace, step: _Whole | _Set) -> str | None:
    """Why a step does not fit now, as a sentence; None if it does."""
    lock = lock_against(workspace.diagram, step, result.lifted)
    return step.conflict(workspace) if lock is None else f"'{lock}' is locked"


def _do_if_fitting(result: Compensation, workspace: Workspace, step: _Whole | _Set, force: bool) -> bool:
    """Apply a step completely; False if it does not fit."""
    reason = _reason(result, workspace, step)
    if reason is not None and force:
        step = _as_it_is_now(step, workspace)
        reason = _reason(result, workspace, step)
    if reason is not None:
        return False
    if step.pairs and all(old == new for old, new in step.pairs.values()):
        result.leave(_what(step, workspace), "it is so already")
    else:
        result.do(step, workspace)
    return True


def _as_it_is_now(step: _Whole | _Set, workspace: Workspace) -> _Whole | _Set:
    """A step with the current fields of what it replaces, for `force`; births are kept."""
    match step:
        case RemoveNode() | RemoveEdge() | Rename() | SetType():
            return step.as_it_is_now(workspace)
        case InsertNode() | InsertEdge() | SetNode() | SetEdge():
            return step
        case _:
            assert_never(step)


def _unchanged_fields(result: Compensation, workspace: Workspace, step: _Set, force: bool) -> _Set | None:
    """A step for the fields that still have the value the commit set, or with `force` for all; None if none has it."""
    now = step.current(workspace.diagram)
    lock = lock_against(workspace.diagram, step, result.lifted)
    if now is None or lock is not None:
        why = f"'{step.id}' is gone" if now is None else f"'{lock}' is locked"
        result.leave(_what(step, workspace), why, step.ids)
        result.stuck |= {step.id} if _is_place(step.fields) else set()
        return None
    pairs = dict(step.fields)
    for name, (old, new) in step.fields.items():
        if field_of(now, name) == old:
            continue
        if force:
            pairs[name] = (field_of(now, name), new)
            continue
        del pairs[name]
        what, why = f"{_field_name(name)} of {_label_of(step, workspace)}", "it has been changed since"
        if step.fields.keys() == {"route"} and has_hand_route(workspace.diagram.edge(EdgeId(step.id))):
            result.routes_left[step.id] = _left_part(what, why, step.ids)
        else:
            result.leave(what, why, step.ids)
    pairs = _without_broken_ties(result, step, pairs, workspace)
    if _is_place(step.fields) and not _is_place(pairs):
        result.stuck.add(step.id)
    pairs = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
    return step.with_fields(workspace.diagram, pairs) if pairs else None


def _put_parts(result: Compensation, workspace: Workspace, step: _Set) -> None:
    """Set the fields set by set, as far as these fit."""
    named = [name for part in _PARTS for name in part]
    for part in (*_PARTS, tuple(name for name in step.fields if name not in named)):
        some = {name: step.fields[name] for name in part if name in step.fields}
        if not some:
            continue
        piece = step.with_fields(workspace.diagram, some)
        reason = _reason(result, workspace, piece)
        if reason is None:
            result.do(piece, workspace)
            continue
        result.leave(_what(piece, workspace), reason, piece.ids)
        result.stuck |= {step.id} if _is_place(some) else set()


def _is_place(fields: Iterable[str]) -> bool:
    return not set(fields).isdisjoint(_PLACE)


def _is_same(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether two positions are equal on screen, apart from rounding."""
    return abs(one[0] - other[0]) < 0.02 and abs(one[1] - other[1]) < 0.02


def _keep_routes(result: Compensation, workspace: Workspace) -> None:
    """Drop newer routes at moved nodes, and restored routes with an end that could not be moved back.

    Those by hand follow from where they were before.
    """
    diagram = workspace.diagram
    put_back = {edge_id for step in result.steps if (edge_id := step.placed_edge) is not None}
    stale = [edge_id for edge_id in put_back if _has_stuck_end(result, workspace, edge_id)]
    for edge_id, route in result.moving.take(diagram):
        if edge_id in put_back and edge_id not in stale:
            continue
        result.routes_left.pop(edge_id, None)
        put_back.add(edge_id)
        stale = [one for one in stale if one != edge_id]
        edge = diagram.edge(edge_id) or {}
        if edge["route"] != route:
            result.do(SetEdge(edge_id, edge["birth"], {"route": (edge["route"], route)}), workspace)
    result.left_out.extend(result.routes_left.values())
    for node_id in sorted(result.moved):
        for inner in diagram.subtree(node_id) if node_id in diagram else ():
            stale.extend(edge_id for edge_id in diagram.edges_at(inner) if edge_id not in put_back)
    for edge_id in sorted(set(stale)):
        edge = diagram.edge(edge_id) or {}
        if "route" in edge:
            result.do(SetEdge(edge_id, edge["birth"], {"route": (edge["route"], None)}), workspace)


def _left_part(what: str, why: str, ids: Sequence[str]) -> LeftOut:
    left: LeftOut = {"what": what, "why": why}
    if ids:
        left["ids"] = list(ids)
    return left


def _has_stuck_end(result: Compensation, workspace: Workspace, edge_id: EdgeId) -> bool:
    diagram = workspace.diagram
    ends = diagram.ends(edge_id) or ()
    return any(one in result.stuck for end in ends for one in (end, *diagram.ancestors(end)))


def _without_broken_ties(
    result: Compensation, step: _Set, pairs: dict[str, Pair], workspace: Workspace
) -> dict[str, Pair]:
    """Leave out tied fields unless all of them can be set; a route alone does not block the others."""
    tied = step.tied_fields
    if all(name in pairs for name in tied if name != "route"):
        return pairs
    for name in tied:
        if pairs.pop(name, None) is not None:
            why = "it belongs to what has been changed since"
            result.leave(f"{_field_name(name)} of {_label_of(step, workspace)}", why, step.ids)
    return pairs


def _what(step: _Whole | _Set, workspace: Workspace) -> str:
    match step:
        case InsertNode():
            return f"bringing back {_label_of(step, workspace)}"
        case InsertEdge():
            return f"bringing back the edge {step.source} → {step.target}"
        case RemoveNode() | RemoveEdge():
            return f"taking out {_label_of(step, workspace)}"
        case SetNode() | SetEdge():
            return f"{', '.join(_field_name(name) for name in step.fields)} of {_label_of(step, workspace)}"
        case Rename():
            return "the name" if step.field == "name" else "the line ends"
        case SetType():
            return f"the type '{step.id}'"
        case _:
            assert_never(step)


def _label_of(step: InsertNode | RemoveNode | RemoveEdge | _Set, workspace: Workspace) -> str:
    """The label of a node, from the step or from the workspace, else the id."""
    match step:
        case InsertNode() | RemoveNode():
            label = {**(workspace.diagram.node(step.id) or {}), **step.fields}.get("label")
        case SetNode():
            label = (workspace.diagram.node(step.id) or {}).get("label")
        case RemoveEdge() | SetEdge():
            label = None
        case _:
            assert_never(step)
    return f"“{label}”" if label else f"'{step.id}'"


def _field_name(field_name: str) -> str:
    return f"property {field_name[11:]}" if field_name.startswith("properties.") else field_name
