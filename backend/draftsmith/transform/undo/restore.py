"""Steps from one whole state to another, births included, so that restored nodes keep their identity."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from draftsmith.errors import DraftsmithError, Problem
from draftsmith.model.diagram import NO_ENDS, Diagram
from draftsmith.model.fields import EdgeAttributes, NodeAttributes, SparseEdgeFields, SparseNodeFields, without_birth
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.routes import has_hand_route
from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps.changeset import replacing
from draftsmith.transform.steps.custom_type import SetType
from draftsmith.transform.steps.edge import InsertEdge, RemoveEdge, SetEdge
from draftsmith.transform.steps.line_changes import line_changes
from draftsmith.transform.steps.node import InsertNode, RemoveNode, SetNode
from draftsmith.transform.steps.steps import Step, apply, roll_back
from draftsmith.transform.steps.text import edit_of
from draftsmith.transform.steps.workspace import Rename

_IDENTITY = frozenset({"label", "kind"})
Do = Callable[[Step], None]


def restore(workspace: Workspace, wanted: Workspace) -> list[Step]:
    """Make a workspace equal to another in place; return the steps.

    Raises:
        DraftsmithError: `locked`, if a locked node would have to change; the workspace is unchanged.
    """
    return _lead(workspace, wanted, respect_locks=True)


def difference(workspace: Workspace, wanted: Workspace) -> list[Step]:
    """The steps from one state to another, locks ignored, for comparison; modifies the first."""
    return _lead(workspace, wanted, respect_locks=False)


def _lead(workspace: Workspace, wanted: Workspace, *, respect_locks: bool) -> list[Step]:
    diagram = workspace.diagram
    # Locks that were set at the start are respected; those that these steps set are part of the restored state.
    held = {i: lock for i in diagram.node_ids() if (lock := diagram.lock_on(i))} if respect_locks else {}
    done: list[Step] = []

    def do(step: Step) -> None:
        lock = next((held[one] for one in step.touched_nodes(diagram) if one in held), None)
        if lock is not None:
            message = f"'{lock}' is locked and differs from that revision; a person has to unlock it first."
            raise DraftsmithError("locked", message, [Problem(-1, "", "locked", "", message, (lock,))])
        apply(step, workspace)
        done.append(step)

    try:
        _walk(workspace, wanted, do)
    except BaseException:
        roll_back(done, workspace)
        raise
    return done


def _walk(workspace: Workspace, wanted: Workspace, do: Do) -> None:
    if workspace.name != wanted.name:
        do(Rename("name", workspace.name, wanted.name))
    for type_id in sorted({*workspace.diagram.types, *wanted.diagram.types}):
        old, new = workspace.diagram.types.get(type_id), wanted.diagram.types.get(type_id)
        if old != new:
            do(SetType(type_id, old, new))
    _restore_diagram(workspace.diagram, wanted.diagram, do)
    if workspace.document.text != wanted.document.text:
        text = workspace.document.text
        do(edit_of(text, replacing(text, line_changes(text, wanted.document.text).spans)))
    if workspace.document.eol != wanted.document.eol:
        do(Rename("eol", workspace.document.eol, wanted.document.eol))


def _restore_diagram(now: Diagram, wanted: Diagram, do: Do) -> None:
    """Make one diagram equal to the other.

    Order: edges that go, what becomes a group, nodes that come, fields, nodes that go, what was a group, edges.
    """
    for edge_id in sorted(now.edge_ids()):
        if not _edge_stays(now, wanted, edge_id):
            do(RemoveEdge(*_edge(now, edge_id)))
        elif _moves(now, wanted, edge_id):
            edge = now.edge(edge_id) or {}
            do(SetEdge(edge_id, edge["birth"], {"route": (edge["route"], None)}))
    kept = _outermost_first(wanted, (i for i in wanted.node_ids() if i in now and _same_birth(now, wanted, i)))
    for node_id in kept:
        if wanted.is_group(node_id):
            _set(now, wanted, node_id, do, only="type")
    _clear_out(now, [i for i in now.node_ids() if i in wanted and not _same_birth(now, wanted, i)], do)
    for node_id in _outermost_first(wanted, (i for i in wanted.node_ids() if i not in now)):
        do(InsertNode(node_id, *_node(wanted, node_id)))
    for node_id in kept:
        _set(now, wanted, node_id, do, without="type")
    for node_id in reversed(_outermost_first(now, (i for i in now.node_ids() if i not in wanted))):
        do(RemoveNode(node_id, *_node(now, node_id)))
    for node_id in kept:  # a former group stays one until all its children have been moved out or removed
        _set(now, wanted, node_id, do)
    for edge_id in sorted(wanted.edge_ids()):
        _put_edge(now, wanted, edge_id, do)


def _clear_out(now: Diagram, reborn: list[NodeId], do: Do) -> None:
    """Remove nodes whose id has another birth in `wanted`; their children move to the top until they are placed."""
    for node_id in reversed(_outermost_first(now, reborn)):
        for child in now.children(node_id):
            birth = now.birth(child)
            do(SetNode(child, birth, {"parent": (node_id, None)}, (now.birth(node_id), None)))
        do(RemoveNode(node_id, *_node(now, node_id)))


def _set(now: Diagram, wanted: Diagram, node_id: NodeId, do: Do, *, only: str = "", without: str = "") -> None:
    old, new = now[node_id], wanted[node_id]
    pairs: dict[str, tuple[Any, Any]] = {
        field: (old.get(field), new.get(field))
        for field in dict.fromkeys([*old, *new])
        if field not in ("birth", "properties") and old.get(field) != new.get(field)
    }
    pairs |= _property_pairs(old, new)
    pairs = {field: pair for field, pair in pairs.items() if field != without and only in ("", field)}
    if not pairs:
        return
    births: tuple[int | None, int | None] = (None, None)
    if "parent" in pairs:
        before, after = pairs["parent"]
        births = now.group_birth(before), now.group_birth(after)
    do(SetNode(node_id, old["birth"], pairs, births))


def _property_pairs(
    old: SparseNodeFields | SparseEdgeFields, new: SparseNodeFields | SparseEdgeFields
) -> dict[str, tuple[Any, Any]]:
    before: Mapping[str, str] = old.get("properties", {})
    after: Mapping[str, str] = new.get("properties", {})
    return {
        f"properties.{key}": (before.get(key), after.get(key))
        for key in dict.fromkeys([*before, *after])
        if before.get(key) != after.get(key)
    }


def _put_edge(now: Diagram, wanted: Diagram, edge_id: EdgeId, do: Do) -> None:
    if now.ends(edge_id) is None:
        do(InsertEdge(*_edge(wanted, edge_id)))
        return
    old, new = now.edge(edge_id) or {}, wanted.edge(edge_id) or {}
    pairs = {
        field: (old.get(field), new.get(field))
        for field in dict.fromkeys([*old, *new])
        if field != "properties" and old.get(field) != new.get(field)
    }
    pairs |= _property_pairs(old, new)
    if pairs:
        do(SetEdge(edge_id, old["birth"], pairs))


def _edge_stays(now: Diagram, wanted: Diagram, edge_id: EdgeId) -> bool:
    """Whether it is the same edge between the same nodes, with the same label and kind."""
    if now.ends(edge_id) != wanted.ends(edge_id):
        return False
    old, new = now.edge(edge_id) or {}, wanted.edge(edge_id) or {}
    ends = now.ends(edge_id) or ()
    same = old["birth"] == new["birth"] and all(old.get(field) == new.get(field) for field in _IDENTITY)
    return same and all(_same_birth(now, wanted, end) for end in ends)


def _moves(now: Diagram, wanted: Diagram, edge_id: EdgeId) -> bool:
    """Whether an end of an edge with a route moves on screen; these steps then drop the route, unless it is by hand."""
    edge = now.edge(edge_id) or {}
    if "route" not in edge or has_hand_route(edge):
        return False
    return any(now.origin_of(end) != wanted.origin_of(end) for end in now.ends(edge_id) or ())


def _same_birth(now: Diagram, wanted: Diagram, node_id: NodeId) -> bool:
    return now.birth(node_id) == wanted.birth(node_id)


def _outermost_first(diagram: Diagram, ids: Iterable[NodeId]) -> list[NodeId]:
    return sorted(ids, key=lambda node_id: (sum(1 for _ in diagram.ancestors(node_id)), node_id))


def _node(diagram: Diagram, node_id: NodeId) -> tuple[int, NodeAttributes, int | None]:
    attributes = diagram[node_id]
    return attributes["birth"], without_birth(attributes), diagram.group_birth(attributes.get("parent"))


def _edge(diagram: Diagram, edge_id: EdgeId) -> tuple[EdgeId, int, NodeId, NodeId, tuple[int, int], EdgeAttributes]:
    source, target = diagram.ends(edge_id) or NO_ENDS
    attributes = diagram.edge(edge_id) or {}
    ends = diagram.birth(source), diagram.birth(target)
    return edge_id, attributes["birth"], source, target, ends, without_birth(attributes)
