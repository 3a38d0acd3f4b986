"""Finds the lock that forbids a step, for undo and restore, which make steps without an operation."""

from __future__ import annotations

from collections.abc import Container, Iterable

from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import NodeId
from draftsmith.transform.steps.base import Incarnation
from draftsmith.transform.steps.steps import Step


def lock_against(diagram: Diagram, step: Step, lifted: Container[Incarnation] = ()) -> NodeId | None:
    """The lock that forbids a step, or None; a lock does not forbid its own removal.

    `lifted`: locks that are ignored.
    """
    for node_id in step.guarding_nodes(diagram):
        if node_id not in diagram:
            continue
        for one in (node_id, *diagram.ancestors(node_id)):
            attributes = diagram[one]
            if attributes.get("locked") and (one, attributes["birth"]) not in lifted:
                return one
    return None


def locks_put_on(steps: Iterable[Step]) -> set[Incarnation]:
    """The locks that steps set."""
    return {lock for step in steps if (lock := step.lock_put_on()) is not None}
