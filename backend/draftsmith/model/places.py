"""A spatial hash grid over siblings, for finding a free place without comparing all nodes.

Each group (and the top) has a separate grid, because positions are relative to the parent. Leaves are in cells of 256
pixels; the child groups of a parent, whose drawn size depends on their children, are in one list, as they are few. The
extent of a parent's children (right and bottom) is a running maximum, recomputed only after the outermost child is
removed or a group inside is added, removed or changed. `Diagram` maintains it; nothing else writes it.
"""

from __future__ import annotations

import math
from collections.abc import Container
from operator import itemgetter
from typing import Final, Protocol

from draftsmith.model.fields import NodeAttributes
from draftsmith.model.ids import NodeId
from draftsmith.model.vocabulary import GROUP, NODE_HEIGHT, NODE_WIDTH

Rect = tuple[float, float, float, float]  # left, top, right, bottom
BY_PLACE: Final = itemgetter(1, 0)
"""The order of (node, rectangle): by where they are, then by id."""

_LEAF, _GROUP = 256, 0  # side of a cell in pixels; groups are in one list


class Siblings(Protocol):
    """The part of a diagram that is read here: attributes, children and drawn sizes."""

    def __contains__(self, node_id: object) -> bool:
        """Whether there is such a node."""
        ...

    def __getitem__(self, node_id: NodeId) -> NodeAttributes:
        """The attributes of a node."""
        ...

    def parent(self, node_id: NodeId) -> NodeId | None:
        """The parent group of a node."""
        ...

    def children(self, parent: NodeId | None) -> tuple[NodeId, ...]:
        """The direct children of a group."""
        ...

    def size_of(self, node_id: NodeId) -> tuple[float, float]:
        """Width and height as drawn."""
        ...


class Places:
    """Occupied places by parent."""

    __slots__ = ("_cells", "_extents", "_rects")

    def __init__(self) -> None:
        self._cells: dict[tuple[NodeId | None, int, int, int], set[NodeId]] = {}
        self._extents: dict[NodeId | None, tuple[float, float] | None] = {}
        self._rects: dict[NodeId, tuple[NodeId | None, int, Rect]] = {}

    def put(self, diagram: Siblings, node_id: NodeId) -> None:
        """Occupy a node's place, by its current attributes."""
        attributes = diagram[node_id]
        parent = attributes.get("parent")
        position, size = attributes.get("position"), attributes.get("size")
        x, y = (position["x"], position["y"]) if position else (0, 0)
        width, height = (size["width"], size["height"]) if size else (NODE_WIDTH, NODE_HEIGHT)
        cell = _GROUP if attributes.get("type") == GROUP else _LEAF
        rect = (x, y, x + width, y + height)
        self._rects[node_id] = (parent, cell, rect)
        for key in _cells(parent, cell, rect):
            self._cells.setdefault(key, set()).add(node_id)
        known = self._extents.get(parent, (0.0, 0.0))
        if cell == _GROUP:  # drawn larger than stored, so its rectangle does not give the extent
            self._extents[parent] = None
        elif known is not None:
            self._extents[parent] = (max(known[0], rect[2]), max(known[1], rect[3]))
        self._outgrow(diagram, parent)

    def drop(self, diagram: Siblings, node_id: NodeId) -> None:
        """Free a node's place."""
        parent, cell, rect = self._rects.pop(node_id)
        for key in _cells(parent, cell, rect):
            here = self._cells[key]
            here.discard(node_id)
            if not here:
                del self._cells[key]
        known = self._extents.get(parent)
        if cell == _GROUP or (known is not None and (rect[2] >= known[0] or rect[3] >= known[1])):
            self._extents[parent] = None
        self._outgrow(diagram, parent)

    def _outgrow(self, diagram: Siblings, group: NodeId | None) -> None:
        """Discard cached extents of a group and its ancestors: a group's drawn size depends on its children."""
        while group is not None and group in diagram:
            group = diagram.parent(group)
            self._extents[group] = None

    def extent(self, diagram: Siblings, parent: NodeId | None) -> tuple[float, float]:
        """Right and bottom edge of a group's children, relative to the group; (0, 0) if it is empty."""
        known = self._extents.get(parent, (0.0, 0.0))
        if known is None:
            right = bottom = 0.0
            for child in diagram.children(parent):
                _, _, rect = self._rects[child]
                width, height = diagram.size_of(child)
                right, bottom = max(right, rect[0] + width), max(bottom, rect[1] + height)
            known = self._extents[parent] = (right, bottom)
        return known

    def group_count(self, parent: NodeId | None) -> int:
        """How many groups stand in a group; each look for a free place looks at all of them."""
        return len(self._cells.get((parent, _GROUP, 0, 0), ()))

    def is_free(
        self, diagram: Siblings, parent: NodeId | None, rect: Rect, gap: float, besides: Container[NodeId] = ()
    ) -> bool:
        """Whether a rectangle with a gap around it is empty; some nodes may be ignored."""
        wide = (rect[0] - gap, rect[1] - gap, rect[2] + gap, rect[3] + gap)
        for key in _cells(parent, _LEAF, wide):
            for other in self._cells.get(key, ()):
                if _overlap(wide, self._rects[other][2]) and other not in besides:
                    return False
        for other in self._cells.get((parent, _GROUP, 0, 0), ()):
            if other in besides:
                continue
            left, top, _, _ = self._rects[other][2]
            width, height = diagram.size_of(other)
            if _overlap(wide, (left, top, left + width, top + height)):
                return False
        return True

    def within(
        self, diagram: Siblings, parent: NodeId | None, rect: Rect, most: int
    ) -> list[tuple[NodeId, Rect]] | None:
        """The children of a group that overlap a rectangle, as drawn, sorted; None for more than `most` plain nodes."""
        found: dict[NodeId, Rect] = {}
        left, top, right, bottom = rect
        for key in _cells(parent, _LEAF, rect):
            for other in self._cells.get(key, ()):
                place = self._rects[other][2]
                if place[0] < right and left < place[2] and place[1] < bottom and top < place[3]:
                    found[other] = place
            if len(found) > most:
                return None
        for other in self._cells.get((parent, _GROUP, 0, 0), ()):
            x, y, _, _ = self._rects[other][2]
            width, height = diagram.size_of(other)
            place = (x, y, x + width, y + height)
            if _overlap(rect, place):
                found[other] = place
        return sorted(found.items(), key=BY_PLACE)


def _cells(parent: NodeId | None, cell: int, rect: Rect) -> list[tuple[NodeId | None, int, int, int]]:
    if cell == _GROUP:
        return [(parent, _GROUP, 0, 0)]
    left, top = math.floor(rect[0] / cell), math.floor(rect[1] / cell)
    right, bottom = math.floor(rect[2] / cell), math.floor(rect[3] / cell)
    return [(parent, cell, column, row) for column in range(left, right + 1) for row in range(top, bottom + 1)]


def _overlap(one: Rect, other: Rect) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
