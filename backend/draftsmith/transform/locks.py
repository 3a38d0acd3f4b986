"""Which lock forbids a step: for undo and restore, which make steps without going through an operation."""

from __future__ import annotations

from collections.abc import Container, Iterable

from draftsmith.model.diagram import Diagram
from draftsmith.transform.steps import Step
from draftsmith.transform.steps_edge import RemoveEdge, SetEdge
from draftsmith.transform.steps_node import AddNode, RemoveNode, SetNode

Incarnation = tuple[str, int]  # id and birth


def touched_by(diagram: Diagram, step: Step) -> list[str]:
    """Ids of the nodes whose locks a step has to respect. Adding an edge touches no node."""
    touched: list[str] = []
    if isinstance(step, RemoveNode | SetNode):
        touched.append(step.id)
    if isinstance(step, AddNode):
        touched.append(step.fields.get("parent") or "")
    elif isinstance(step, SetNode) and "parent" in step.fields:
        touched.append(step.fields["parent"][1] or "")
    elif isinstance(step, RemoveEdge | SetEdge):
        touched.extend(diagram.ends(step.id) or ())
    return [node_id for node_id in touched if node_id in diagram]


def lock_against(diagram: Diagram, step: Step, lifted: Container[Incarnation] = ()) -> str | None:
    """The lock that forbids a step, if any; taking back the lock itself is not forbidden by it.

    `lifted`: locks that do not count.
    """
    touched = touched_by(diagram, step)
    if isinstance(step, SetNode) and "locked" in step.fields:
        parent = diagram.graph.nodes[step.id].get("parent") if step.id in diagram else None
        touched = [node_id for node_id in touched if node_id != step.id] + ([] if parent is None else [parent])
    for node_id in touched:
        for one in (node_id, *diagram.ancestors(node_id)):
            attributes = diagram.graph.nodes[one]
            if attributes.get("locked") and (one, attributes["birth"]) not in lifted:
                return one
    return None


def locks_put_on(steps: Iterable[Step]) -> set[Incarnation]:
    """The locks that steps put on."""
    return {
        (step.id, step.birth)
        for step in steps
        if (isinstance(step, AddNode) and step.fields.get("locked"))
        or (isinstance(step, SetNode) and step.fields.get("locked", (None, None))[1])
    }
