"""What a place of a new node costs, in pixels: how far its neighbours are, and what a frame that grows would cover."""

from __future__ import annotations

from collections.abc import Callable

from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import NodeId
from draftsmith.model.places import Rect
from draftsmith.transform.make_room import GAP_ALONG, Room
from draftsmith.transform.placement import GAP
from draftsmith.transform.surroundings import grown, is_movable, middle, overlap, shifted

_OVER, _OVER_LOCKED = 150, 3_000


def frame_over(diagram: Diagram, group: NodeId, room: Room) -> Callable[[Rect], float]:
    """What it costs that the frame of a group grows; to be called with the frame from its own corner."""
    position = diagram.position(group)
    x, y = position["x"], position["y"]
    width, height = diagram.size_of(group)
    now = (x, y, x + width, y + height)

    def covers(frame: Rect) -> float:
        found = room.hits(grown(shifted(frame, x, y), GAP / 2), {group})
        if found is None:
            return _OVER_LOCKED
        hit = [one for one, place in found if not overlap(now, place)]
        return sum(_OVER if is_movable(diagram, one) else _OVER_LOCKED for one in hit)

    return covers


def distance(own: Rect, other: Rect) -> float:
    """How far apart two rectangles are, and how askew; the usual gap costs no less than a smaller one."""
    gap_x = max(own[0] - other[2], other[0] - own[2], 0)
    gap_y = max(own[1] - other[3], other[1] - own[3], 0)
    (ax, ay), (bx, by) = middle(own), middle(other)
    if gap_x and gap_y:
        return 60 + gap_x + gap_y + 0.15 * (abs(ax - bx) + abs(ay - by))
    if gap_x:
        return max(gap_x, GAP_ALONG[0]) + max(0, GAP_ALONG[0] - gap_x) + 0.5 * abs(ay - by)
    if gap_y:
        return max(gap_y, GAP_ALONG[1]) + max(0, GAP_ALONG[1] - gap_y) + 0.5 * abs(ax - bx) + 20
    return 400
