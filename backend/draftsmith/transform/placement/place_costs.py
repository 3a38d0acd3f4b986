"""What a place of a new node costs, in pixels, where the frame of its group grows over others."""

from __future__ import annotations

from collections.abc import Callable

from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import NodeId
from draftsmith.model.places import Rect
from draftsmith.transform.placement.make_room import LINE_MOVED, GroupSiblings
from draftsmith.transform.placement.placement import GAP
from draftsmith.transform.placement.surroundings import grow_rect, is_movable, overlap, shift_rect

_OVER, _OVER_LOCKED = 150, 3_000


def frame_growth_cost(diagram: Diagram, group: NodeId, room: GroupSiblings) -> Callable[[Rect], float]:
    """Return the cost of growing a group to a frame, as a function of that frame, given from its own corner."""
    position = diagram.position(group)
    x, y = position["x"], position["y"]
    width, height = diagram.size_of(group)
    now = (x, y, x + width, y + height)

    def covers(frame: Rect) -> float:
        found = room.hits(grow_rect(shift_rect(frame, x, y), GAP / 2), {group})
        if found is None:
            return _OVER_LOCKED
        hit = [one for one, place in found if not overlap(now, place)]
        movable = [one for one in hit if is_movable(diagram, one)]
        aside = _OVER * len(movable) + LINE_MOVED * room.lines_at(movable)
        return aside + _OVER_LOCKED * (len(hit) - len(movable))

    return covers
