"""Positions that are found after the last operation of a batch, as if the operations had set them themselves.

A node that the batch has given a position already gets another one in the same step. What is moved besides becomes
steps of the operation that made it necessary, or of the last one after it that speaks of the same node or edge, so
that each operation can still be taken without those that it does not build on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.transform.placement.placement import coordinate
from draftsmith.transform.set_fields import drop_routes, set_edge, set_hand_route, set_node
from draftsmith.transform.steps.steps import Step
from draftsmith.transform.transaction import Transaction


class LateSteps:
    """Sets positions when all operations of a batch have been applied."""

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx
        self._first_step = len(tx.steps)
        self._index = 0  # the last operation for which anything was placed
        self._for: list[int] = []  # by late step: the operation that it belongs to
        self._carried: set[EdgeId] = set()  # their routes have moved along
        self._last: dict[NodeId, int] = {}  # the step that has set the position of a node last
        for number, step in enumerate(tx.steps):
            self._note(number, step)

    def put(self, node_id: NodeId, x: float, y: float, index: int, *, stays: bool = False) -> None:
        """Set a position for the operation of an index; routes at the node go, unless it stays on screen."""
        tx, position = self._tx, {"x": coordinate(x), "y": coordinate(y)}
        self._index = max(self._index, index)
        tx.moving.note_node(tx.workspace.diagram, node_id)
        number = self._last.get(node_id)
        if number is None:
            set_node(tx, node_id, {"position": position}, stays=stays)
        elif tx.workspace.diagram.position(node_id) != position:
            tx.steps[number] = tx.steps[number].placed_at(position)
            tx.workspace.diagram.set_node(node_id, {"position": position})
            if not stays:
                drop_routes(tx, node_id)
        self._belongs_to(index)

    def resize(self, node_id: NodeId, size: Mapping[str, float] | None, index: int) -> None:
        """Set the least size of a group."""
        set_node(self._tx, node_id, {"size": size})
        self._belongs_to(index)

    def route(
        self, edge_id: EdgeId, route: Sequence[Mapping[str, float]] | None, index: int, *, is_carried: bool = False
    ) -> None:
        """Set the bend points of an edge; `is_carried`: they move along with both of its ends."""
        set_edge(self._tx, edge_id, {"route": route})
        (self._carried.add if is_carried else self._carried.discard)(edge_id)
        self._belongs_to(index)

    def keep_routes(self) -> None:
        """Let the routes by hand follow what has been placed."""
        for edge_id, route in self._tx.moving.take(self._tx.workspace.diagram):
            set_hand_route(self._tx, edge_id, route)
            self._tx.kept_routes[edge_id] = self._index
            self._carried.add(edge_id)
        self._belongs_to(self._index)

    def routes_changed(self) -> Mapping[int, Sequence[EdgeId]]:
        """The edges that had a route and have another or none now, unless it moved along, by operation."""
        routes: dict[EdgeId, tuple[int, Any, Any]] = {}
        for index, step in zip(self._for, self._tx.steps[self._first_step :], strict=True):
            edge_id, pair = step.routed_edge, step.pairs.get("route")
            if edge_id is not None and pair is not None:
                old, new = pair
                routes[edge_id] = index, routes[edge_id][1] if edge_id in routes else old, new
        found: dict[int, list[EdgeId]] = {}
        for edge_id, (index, old, new) in sorted(routes.items()):
            if old and old != new and edge_id not in self._carried:
                found.setdefault(index, []).append(edge_id)
        return found

    def _belongs_to(self, index: int) -> None:
        """What steps there are more now belong to the operation of an index."""
        tx = self._tx
        for later in range(self._first_step + len(self._for), len(tx.steps)):
            self._for.append(index)
            self._note(later, tx.steps[later])

    def _note(self, number: int, step: Step) -> None:
        if step.placed_node is not None:
            self._last[step.placed_node] = number
        elif step.removed_node is not None:
            self._last.pop(step.removed_node[0], None)

    def give_out(self) -> None:
        """Put the late steps behind those of the operations that they belong to."""
        tx, late = self._tx, self._tx.steps[self._first_step :]
        if not late:
            return
        starts = [0, *tx.ends[:-1]]
        parts = [tx.steps[start:end] for start, end in zip(starts, tx.ends, strict=True)]
        spoken: dict[tuple[str, str], int] = {}
        for index, part in enumerate(parts):
            for step in part:
                spoken.update(dict.fromkeys(_subjects(step), index))
        for index, step in zip(self._for, late, strict=True):
            at = max([index, *(spoken.get(subject, 0) for subject in _subjects(step))])
            spoken.update(dict.fromkeys(_subjects(step), at))
            parts[at].append(step)
        tx.steps[:] = [step for part in parts for step in part]
        tx.ends[:] = _ends(parts)


def _ends(parts: Sequence[Sequence[Step]]) -> list[int]:
    ends, count = [], 0
    for part in parts:
        count += len(part)
        ends.append(count)
    return ends


def _subjects(step: Step) -> list[tuple[str, str]]:
    """The node or edge that a step changes, or the workspace."""
    return [] if step.key is None else [step.key[:2]]
