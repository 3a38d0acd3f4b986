"""Moves what stood in the way of new nodes, with the routes between what moves alike, and tells what has changed.

Not here: who has to move, and how far (`make_room`), and when (`place_new`).
"""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping
from itertools import islice
from typing import Any, Final

from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.places import Rect
from draftsmith.model.routes import has_hand_route
from draftsmith.transform import costs
from draftsmith.transform.placement.block_layout import shift_route
from draftsmith.transform.placement.late_steps import LateSteps
from draftsmith.transform.placement.make_room import SiblingPush
from draftsmith.transform.placement.surroundings import rect_in
from draftsmith.transform.transaction import Transaction

_TOLD: Final = 5


class SiblingMoves:
    """What one batch moves aside.

    Attributes:
        moved: nodes that have moved, with all inside them → index of the operation that made it necessary.
    """

    def __init__(self, tx: Transaction, own: Container[NodeId], late: LateSteps) -> None:
        """`own`: the nodes of the batch, which were nowhere before."""
        self._tx, self._diagram, self._own, self._late = tx, tx.workspace.diagram, own, late
        self._moved_by_operation: dict[int, dict[NodeId, None]] = {}
        self.moved: dict[NodeId, int] = {}

    def move(self, pushed: SiblingPush, index: int) -> None:
        """Move siblings for the operation of an index."""
        shifts: dict[NodeId, tuple[float, float]] = {}
        for one, rect in pushed.rects.items():
            at, inside = self._diagram.position(one), self._diagram.subtree(one)
            self._tx.work.spend(50 * len(inside), costs.STEPS)
            shifts.update(dict.fromkeys(inside, (rect[0] - at["x"], rect[1] - at["y"])))
            self._late.put(one, rect[0], rect[1], index, stays=True)
            if one not in self._own:
                self._moved_by_operation.setdefault(index, {})[one] = None
        self.moved.update(dict.fromkeys(shifts, index))
        self._carry_routes(shifts, index)

    def _carry_routes(self, shifts: Mapping[NodeId, tuple[float, float]], index: int) -> None:
        """Routes between nodes that have moved alike move along; others at a moved node go, but for those by hand."""
        for edge_id in dict.fromkeys(edge_id for one in shifts for edge_id in self._diagram.edges_at(one)):
            route, ends = self._route(edge_id), self._diagram.ends(edge_id)
            if route and ends is not None and not has_hand_route(self._diagram.edge(edge_id)):
                one, other = (shifts.get(end) for end in ends)
                by = one if one == other else None
                self._late.route(
                    edge_id, None if by is None else shift_route(route, by), index, is_carried=by is not None
                )

    def drop_covered(self, group: NodeId, index: int) -> None:
        """Drop the routes of lines at a frame that has grown over their bends next to it."""
        frame = rect_in(self._diagram, group, None, ())
        for edge_id in self._diagram.edges_at(group) if frame is not None else ():
            route, ends = self._route(edge_id), self._diagram.ends(edge_id)
            if not route or ends is None or has_hand_route(self._diagram.edge(edge_id)):
                continue
            if any(group in self._diagram.ancestors(end) for end in ends):
                continue
            if frame is not None and _holds(frame, route[0] if ends[0] == group else route[-1]):
                self._late.route(edge_id, None, index)
                self.moved.setdefault(group, index)

    def tell(self) -> None:
        """Say what was moved aside, and whose route has become another."""
        for index, nodes in sorted(self._moved_by_operation.items()):
            self._tx.warn("moved_aside", "", f"Moved aside to make room: {name_list(nodes)}.", tuple(nodes), index)
        for index, edges in sorted(self._late.routes_changed().items()):
            message = f"Routed anew around what is new or has moved: {name_list(edges)}."
            self._tx.warn("rerouted", "", message, edges, index)

    def _route(self, edge_id: EdgeId) -> Any:
        return (self._diagram.edge(edge_id) or {}).get("route")


def name_list(ids: Collection[str]) -> str:
    """The first few ids, and how many more there are."""
    names = ", ".join(f"'{one}'" for one in islice(ids, _TOLD))
    return f"{names} and {len(ids) - _TOLD} more" if len(ids) > _TOLD else names


def _holds(frame: Rect, point: Mapping[str, float]) -> bool:
    return frame[0] < point["x"] < frame[2] and frame[1] < point["y"] < frame[3]
