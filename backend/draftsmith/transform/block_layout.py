"""Lays out a block of new nodes within itself: by the layout engine if there is one and it is worth it, else simply.

The engine is asked for a block with everything in its groups, as it lays out across their frames. Not here: where the
block goes (`block_place`), and the small layout (`model.layered`).
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field

from draftsmith.model.fields import Point
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.layered import layered_positions
from draftsmith.model.places import Rect
from draftsmith.transform import costs
from draftsmith.transform.late_steps import LateSteps
from draftsmith.transform.layouts import LEAST_NODES, arrange, route_of
from draftsmith.transform.new_blocks import Block
from draftsmith.transform.simple_layout import warn_of_simple_layout
from draftsmith.transform.surroundings import Flow
from draftsmith.transform.transaction import Transaction

Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A block's members, from (0, 0) on, and the routes of edges among them, from there too."""

    places: Mapping[NodeId, Spot]
    routes: Mapping[EdgeId, Sequence[Point] | None] = field(default_factory=dict)

    def with_lines(self) -> LaidOut:
        """The same, from (0, 0) on with the lines that run around the members."""
        bends = [point for route in self.routes.values() for point in route or ()]
        by = tuple(max(0.0, -min((point[axis] for point in bends), default=0.0)) for axis in ("x", "y"))
        places = {one: (x + by[0], y + by[1]) for one, (x, y) in self.places.items()}
        return LaidOut(places, {edge: moved(route, (by[0], by[1])) for edge, route in self.routes.items()})

    def size(self, boxes: Sequence[Rect]) -> Spot:
        """How far the members' rectangles and the lines reach."""
        bends = [point for route in self.routes.values() for point in route or ()]
        right = max([*(box[2] for box in boxes), *(point["x"] for point in bends)])
        return right, max([*(box[3] for box in boxes), *(point["y"] for point in bends)])


class BlockLayouts:
    """The inner layouts of one batch's blocks."""

    def __init__(self, tx: Transaction, own: Container[NodeId], late: LateSteps) -> None:
        """`own`: the nodes of the batch that had no position; nothing else is laid out."""
        self._tx, self._diagram, self._own, self._late = tx, tx.workspace.diagram, own, late

    def lay_out(self, block: Block, flow: Flow, index: int, *, is_outermost: bool) -> LaidOut:
        """Lay out a block; what stands in its groups gets its places, too, if the engine has found them.

        `is_outermost`: whether the block stands in a group that has a place.
        """
        members = block.members
        if is_outermost:
            nodes = [inner for one in members for inner in self._diagram.subtree(one)]
            if len(nodes) >= LEAST_NODES and all(one in self._own for one in nodes):
                found = self._by_engine(members, nodes, index)
                if found is not None:
                    return found
                warn_of_simple_layout(self._tx, index)
        self._tx.work.spend(costs.LAID_OUT * (len(members) + len(block.edges)), costs.LAYOUT)
        if len(members) == 1:
            return LaidOut({members[0]: (0, 0)})
        boxes = [(one, *self._diagram.size_of(one)) for one in members]
        return LaidOut(layered_positions(boxes, block.edges, direction=flow.direction, gap=(80, 48)))

    def _by_engine(self, members: Sequence[NodeId], nodes: Sequence[NodeId], index: int) -> LaidOut | None:
        if self._tx.layouts is None:
            return None
        self._tx.work.spend(costs.LAID_OUT * len(nodes), costs.LAYOUT)
        found = self._tx.layouts.arranged(arrange(self._diagram, nodes, set(members)))
        if found is None or not all(one in found.positions for one in members):
            return None
        for one in nodes:
            if found.sizes.get(one) is not None and self._diagram.is_group(one):
                self._late.resize(one, found.sizes[one], index)
            if one in found.positions and one not in members:
                self._late.put(one, found.positions[one]["x"], found.positions[one]["y"], index)
        left, top = (min(found.positions[one][axis] for one in members) for axis in ("x", "y"))
        places = {one: (found.positions[one]["x"] - left, found.positions[one]["y"] - top) for one in members}
        routes = {
            edge: moved(route, (-left, -top)) for edge, route in found.routes.items() if self._diagram.ends(edge)
        }  # fmt: skip
        return LaidOut(places, routes)


def moved(route: Sequence[Point] | None, by: Spot) -> Sequence[Point] | None:
    """A route elsewhere; None for a straight one."""
    return route_of([{"x": point["x"] + by[0], "y": point["y"] + by[1]} for point in route] if route else None)
