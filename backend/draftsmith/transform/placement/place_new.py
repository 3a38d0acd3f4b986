"""Finds places for the nodes that a batch has added without a position, after its last operation.

The nodes of a group that are connected with each other are laid out as one block, groups inside first, and each block
goes beside what it is connected to (`block_place`). Where a group grows over its neighbours, or no place is free close
by, the least is moved aside (`make_room`), which the batch tells with the warning `moved_aside`. Nothing else moves.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from draftsmith.model.diagram import Diagram, inner_origin
from draftsmith.model.ids import NodeId
from draftsmith.model.places import Rect
from draftsmith.model.vocabulary import GROUP_PADDING, GROUP_TITLE
from draftsmith.transform import costs
from draftsmith.transform.placement.block_layout import BlockLayouts, LaidOut, shift_route
from draftsmith.transform.placement.block_place import BlockPlacement, Search
from draftsmith.transform.placement.late_steps import LateSteps
from draftsmith.transform.placement.make_room import LINE_MOVED, GroupSiblings, PushBounds, SiblingPush
from draftsmith.transform.placement.move_aside import SiblingMoves
from draftsmith.transform.placement.new_blocks import Block, Blocks
from draftsmith.transform.placement.place_rating import NeighbourLink
from draftsmith.transform.placement.placement import FARTHEST, GAP, free_place
from draftsmith.transform.placement.route_new import route_new_edges
from draftsmith.transform.placement.surroundings import (
    MOST_OBSTACLES,
    RIGHT,
    Flow,
    flow_around,
    grow_rect,
    is_movable,
    overlap,
    rect_in,
    shift_rect,
    sibling_in,
)
from draftsmith.transform.transaction import Transaction

_MOST_LOOKING: Final = 40_000_000
"""Units that may be spent on places beside others; the blocks that are left then go below everything."""

_MOST_LINKS: Final = 8
_ASKED: Final = 20  # nodes whose edges tell the direction, where no neighbour does
_FRAME_GAP: Final = 40
_OVER, _OVER_LOCKED = 150, 3_000  # pixels, for each node that a group would grow over
_NOTHING: Final = (-math.inf, -math.inf)  # the size of a frame that covers nothing yet, not even a point


def place_new(tx: Transaction) -> None:
    """Find a place for each node that waits for one, and fit new groups around what they hold."""
    if tx.new:
        placing = _Placing(tx)
        placing.run()


class _Placing:
    """Finds the places of one batch."""

    def __init__(self, tx: Transaction) -> None:
        self._tx, self._diagram, self._work = tx, tx.workspace.diagram, tx.work
        self._new = tx.new
        self._waiting = {one: index for one, index in tx.new.waiting.items() if one in self._diagram}
        self._late = LateSteps(tx)
        self._own = dict(self._waiting)
        self._sibling_moves = SiblingMoves(tx, self._own, self._late)
        self._inner = BlockLayouts(tx, self._own, self._late)
        self._spent_before = tx.work.spent

    def run(self) -> None:
        """Place innermost groups first, since a group is as large as what stands in it."""
        frames = {one: index for one, index in self._new.frames.items() if one in self._diagram}
        groups: dict[NodeId | None, list[NodeId]] = {one: [] for one in frames if one not in self._waiting}
        for one in self._waiting:
            groups.setdefault(self._diagram.parent(one), []).append(one)
        self._work.spend(costs.ANCESTOR * len(groups) + costs.STEP * len(self._waiting), costs.PLACES)
        for group in sorted(groups, key=self._depth_first):
            around = [] if group is None else [group, *self._diagram.ancestors(group)]
            sizes = {one: self._diagram.size_of(one) for one in around}
            if group is not None and group in frames:
                self._fit(group, frames[group])
                sizes[group] = _NOTHING
            members = groups[group]
            if members:
                self._place_in(group, members)
            if group is not None:
                index = max([frames.get(group, 0), *(self._new.waiting.get(one, 0) for one in members)])
                self._settle(sizes, index)
        self._late.keep_routes()
        route_new_edges(self._tx, self._late, {**self._sibling_moves.moved, **self._own})
        self._sibling_moves.tell()
        self._late.give_out()

    def _depth_first(self, group: NodeId | None) -> tuple[int, str]:
        return (1, "") if group is None else (-sum(1 for _ in self._diagram.ancestors(group)), group)

    # -- blocks ------------------------------------------------------------------------------------------------------

    def _place_in(self, group: NodeId | None, members: Sequence[NodeId]) -> None:
        """Place the waiting nodes of one group."""
        blocks = Blocks(self._diagram, members, self._new.neighbours, self._work)
        if self._diagram.child_count(group) == len(members):
            flow = self._flow_of(group, ()) or RIGHT
            block = blocks.as_one()
            corner = inner_origin() if group is not None else (0, 0)
            self._put(group, block, self._lay_out(group, block, flow), corner)
            return
        grounded = {one: links for one in members if (links := self._links(group, one, blocks))}
        for block in blocks.separate(grounded):
            if self._work.spent - self._spent_before > _MOST_LOOKING:
                break
            self._place_block(group, block, grounded)
        left = [one for one in members if one in self._waiting]
        if left:
            block = Block(tuple(left), blocks.edges)
            laid = self._lay_out(group, block, RIGHT).with_lines()
            self._put(group, block, laid, self._below(group, laid.size(self._boxes(block, laid.places))))

    def _place_block(
        self, group: NodeId | None, block: Block, grounded: Mapping[NodeId, Sequence[tuple[NodeId, NodeId, int]]]
    ) -> None:
        neighbours = [link for one in block.members for link in grounded.get(one, ())]
        flow = self._flow_of(group, [other for _, other, _ in neighbours]) or RIGHT
        laid = self._lay_out(group, block, flow).with_lines()
        boxes = self._boxes(block, laid.places)
        size = laid.size(boxes)
        links = self._rects(group, neighbours, dict(zip(block.members, boxes, strict=True)))
        if not links:
            links = self._beside_newest(group, size)
        room, covers = self._siblings_in(group), self._covers(group)
        search = Search(self._diagram, group, size, boxes, links, flow, room, self._work, covers)
        found = search.best() if links else None
        if found is None:
            found = BlockPlacement(self._free(group, links, size))
        if found.pushed is not None:
            self._sibling_moves.move(found.pushed, self._index(block))
        self._put(group, block, laid, found.spot)

    def _covers(self, group: NodeId | None) -> Callable[[Rect], float]:
        if group is None or group in self._waiting:
            return lambda _: 0.0
        return _frame_growth_cost(self._diagram, group, self._siblings_in(self._diagram.parent(group)))

    def _siblings_in(self, group: NodeId | None) -> GroupSiblings:
        """Return the siblings in a group, for the search for a place among them."""
        return GroupSiblings(self._diagram, group, self._waiting, self._work)

    def _links(self, group: NodeId | None, member: NodeId, blocks: Blocks) -> list[tuple[NodeId, NodeId, int]]:
        """Return (inner node, neighbour, way) for each connection of a member to a placed node outside the block."""
        return [
            link for link in blocks.outside(member)
            if link[1] in self._diagram and rect_in(self._diagram, link[1], group, self._waiting) is not None
            and link[1] != group and link[1] not in self._diagram.ancestors(member)
        ]  # fmt: skip

    def _rects(
        self,
        group: NodeId | None,
        neighbours: Sequence[tuple[NodeId, NodeId, int]],
        boxes: Mapping[NodeId, Rect],
    ) -> list[NeighbourLink]:
        links: dict[NeighbourLink, None] = {}
        for inner, other, way in neighbours[: 4 * _MOST_LINKS]:
            member = sibling_in(self._diagram, inner, group)
            rect = rect_in(self._diagram, other, group, self._waiting)
            if member is None or rect is None:
                continue
            own = boxes[member]
            if inner != member:
                within = rect_in(self._diagram, inner, member, ())
                if within is not None:
                    own = (own[0] + within[0], own[1] + within[1], own[0] + within[2], own[1] + within[3])
            links[NeighbourLink(own, rect, sibling_in(self._diagram, other, group), way)] = None
        return sorted(links, key=lambda link: (link.way == 0, link.sibling is None))[:_MOST_LINKS]

    def _beside_newest(self, group: NodeId | None, size: tuple[float, float]) -> list[NeighbourLink]:
        """Return the link of a block that is connected to nothing: to the newest node, of several the lowest."""
        self._work.spend(20 * self._diagram.child_count(group), costs.PLACES)
        placed = [one for one in self._diagram.children(group) if one not in self._waiting]
        newest = max(placed, key=self._newness)
        rect = rect_in(self._diagram, newest, group, self._waiting)
        return [] if rect is None else [NeighbourLink((0, 0, *size), rect, newest, 0)]

    def _newness(self, node_id: NodeId) -> tuple[int, float, float, NodeId]:
        position = self._diagram.position(node_id)
        return self._diagram.birth(node_id), position["y"], position["x"], node_id

    def _boxes(self, block: Block, places: Mapping[NodeId, tuple[float, float]]) -> list[Rect]:
        sizes = [self._diagram.size_of(one) for one in block.members]
        return [
            (places[one][0], places[one][1], places[one][0] + width, places[one][1] + height)
            for one, (width, height) in zip(block.members, sizes, strict=True)
        ]

    def _flow_of(self, group: NodeId | None, neighbours: Sequence[NodeId]) -> Flow | None:
        self._work.spend(costs.SPOT * (1 + min(len(neighbours), _ASKED)), costs.PLACES)
        known = flow_around(self._diagram, neighbours[:_ASKED], self._waiting)
        if known is not None:
            return known
        self._work.spend(10 * self._diagram.child_count(group) + _ASKED * costs.SPOT, costs.PLACES)
        inside = [one for one in sorted(self._diagram.children(group)) if one not in self._waiting][:_ASKED]
        return flow_around(self._diagram, inside, self._waiting)

    def _free(
        self, group: NodeId | None, links: Sequence[NeighbourLink], size: tuple[float, float]
    ) -> tuple[float, float]:
        anchor = None
        if links:
            anchor = (links[0].other[2] + 80, links[0].other[1])
        self._work.spend(10 * self._diagram.child_count(group), costs.PLACES)
        return free_place(self._diagram, group, anchor, size, self._waiting, work=self._work)

    def _below(self, group: NodeId | None, size: tuple[float, float]) -> tuple[float, float]:
        return free_place(self._diagram, group, None, size, self._waiting, work=self._work, goes_below=True)

    def _put(self, group: NodeId | None, block: Block, laid: LaidOut, corner: tuple[float, float]) -> None:
        index = self._index(block)
        frame = None if group is None else rect_in(self._diagram, group, None, self._waiting)
        x0, y0 = (0, 0) if frame is None else frame[:2]
        for one in block.members:
            x, y = laid.places[one]
            self._late.put(one, corner[0] + x, corner[1] + y, self._waiting[one])
        for edge_id, route in sorted(laid.routes.items()):
            self._late.route(edge_id, shift_route(route, (x0 + corner[0], y0 + corner[1])), index)
        for one in block.members:
            del self._waiting[one]

    def _lay_out(self, group: NodeId | None, block: Block, flow: Flow) -> LaidOut:
        is_outermost = group is None or group not in self._waiting
        return self._inner.lay_out(block, flow, self._index(block), is_outermost=is_outermost)

    def _index(self, block: Block) -> int:
        """Return the operation that a block belongs to: the last that has added a part of it."""
        return max(self._new.waiting[one] for one in block.members)

    # -- frames and room ---------------------------------------------------------------------------------------------

    def _fit(self, group: NodeId, index: int) -> None:
        """Put the corner of a new group where its children need it; they stay on screen."""
        inside = [one for one in self._diagram.children(group) if one not in self._waiting]
        if not inside:
            return
        places = [self._diagram.position(one) for one in inside]
        now = self._diagram.position(group)
        left = max(min(place["x"] for place in places) - GROUP_PADDING, -FARTHEST - now["x"])
        top = max(min(place["y"] for place in places) - GROUP_TITLE, -FARTHEST - now["y"])
        if left == 0 and top == 0:
            return
        self._late.put(group, now["x"] + left, now["y"] + top, index, stays=True)
        for one, place in zip(inside, places, strict=True):
            self._late.put(one, place["x"] - left, place["y"] - top, index, stays=True)

    def _settle(self, sizes: Mapping[NodeId, tuple[float, float]], index: int) -> None:
        """Move aside what the frames of groups that have grown, innermost first, would cover; `sizes`: before that."""
        for group, before in sizes.items():
            size = self._diagram.size_of(group)
            if group in self._waiting or (size[0] <= before[0] and size[1] <= before[1]):
                return
            self._sibling_moves.drop_covered(group, index)
            self._make_room_for(group, self._diagram.parent(group), before, index)

    def _make_room_for(self, group: NodeId, outer: NodeId | None, before: tuple[float, float], index: int) -> None:
        room = self._siblings_in(outer)
        position, (width, height) = self._diagram.position(group), self._diagram.size_of(group)
        x, y = position["x"], position["y"]
        now, was = (x, y, x + width, y + height), (x, y, x + before[0], y + before[1])
        hit = [one for one, place in room.hits(now, {group}) or () if not overlap(was, place)]
        if not hit:
            return
        passed = {one for one, place in room.hits(now, {group}) or () if overlap(was, place)}
        tries: list[SiblingPush] = []
        for axis in (0, 1):
            bounds = PushBounds(MOST_OBSTACLES, min((one.cost() for one in tries), default=math.inf))
            pushed = room.push([now], axis, {group, *passed}, bounds, _FRAME_GAP)
            tries += [] if pushed is None else [pushed]
        if tries:
            self._sibling_moves.move(min(tries, key=SiblingPush.cost), index)
        elif is_movable(self._diagram, group):
            spot = free_place(self._diagram, outer, (x, y), (width, height), {group, *self._waiting}, work=self._work)
            self._sibling_moves.move(SiblingPush({group: (*spot, spot[0] + width, spot[1] + height)}), index)


def _frame_growth_cost(diagram: Diagram, group: NodeId, room: GroupSiblings) -> Callable[[Rect], float]:
    """Return what it costs, in pixels, to grow a group to a frame that is given from the group's own corner."""
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
