"""What a batch has added without a position, and where it stands until places are found after its last operation.

Until then such a node waits far from everything, so that it is in nobody's way. Whatever gives it a position ends that.
Not here: finding the places (`place_new`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from draftsmith.model.ids import NodeId
from draftsmith.transform.placement.placement import FARTHEST, STEP_X, STEP_Y


@dataclass(slots=True)
class NewNodes:
    """The nodes of a batch whose places are found at its end.

    Attributes:
        waiting: node → index of the operation that has added it, in that order.
        neighbours: for some of them, the node that they were asked to stand near.
        frames: new groups around nodes that have a place → index of the operation; their corner follows from these.
        laid_out: the operation that has laid out the whole diagram, if any.
    """

    waiting: dict[NodeId, int] = field(default_factory=dict)
    neighbours: dict[NodeId, NodeId] = field(default_factory=dict)
    frames: dict[NodeId, int] = field(default_factory=dict)
    laid_out: int | None = None

    def __bool__(self) -> bool:
        """Whether there is anything to find a place for."""
        return bool(self.waiting or self.frames)

    def wait(self, node_id: NodeId, index: int, neighbour: NodeId | None = None) -> None:
        """Let a node wait for its place."""
        self.waiting[node_id] = index
        if neighbour is not None:
            self.neighbours[node_id] = neighbour

    def has_place(self, node_id: NodeId) -> None:
        """Something has given the node a position."""
        self.waiting.pop(node_id, None)

    def spot(self) -> dict[str, float]:
        """Where the next one waits."""
        number = len(self.waiting)
        return {"x": -FARTHEST + number % 1_000 * STEP_X, "y": -FARTHEST + number // 1_000 * STEP_Y}
