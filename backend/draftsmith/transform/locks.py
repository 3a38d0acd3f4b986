"""Which lock forbids a step: for undo and restore, which make steps without going through an operation."""

from __future__ import annotations

from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps import Step
from draftsmith.transform.steps_edge import RemoveEdge, SetEdge
from draftsmith.transform.steps_node import AddNode, RemoveNode, SetNode


def lock_against(workspace: Workspace, step: Step) -> str | None:
    """The lock that forbids a step, if any; taking back the lock itself is not forbidden by it."""
    diagram = workspace.diagram
    touched: list[str] = []
    if isinstance(step, RemoveNode | SetNode) and step.id in diagram:
        touched = [step.id]
        if isinstance(step, SetNode) and "locked" in step.fields:
            parent = diagram.graph.nodes[step.id].get("parent")
            touched = [] if parent is None else [parent]
    if isinstance(step, AddNode) or (isinstance(step, SetNode) and "parent" in step.fields):
        parent = step.fields["parent"][1] if isinstance(step, SetNode) else step.fields.get("parent")
        touched += [parent] if parent is not None else []
    if isinstance(step, RemoveEdge | SetEdge):
        touched += list(diagram.ends(step.id) or ())
    return next((lock for one in touched if one in diagram and (lock := diagram.lock_on(one)) is not None), None)
