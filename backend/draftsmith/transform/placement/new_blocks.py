"""The new nodes of one group as blocks: what is connected with each other is laid out and placed together."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import NodeId
from draftsmith.model.work import Work
from draftsmith.transform import costs

Outside = tuple[NodeId, NodeId, int]
"""A node in a member, what it is connected to outside, and the way: 1 leads there, -1 comes from there, 0 is near."""


@dataclass(frozen=True, slots=True)
class Block:
    """Nodes of one group that are placed together, and the edges among them, those of what stands in them included."""

    members: tuple[NodeId, ...]
    edges: Sequence[tuple[NodeId, NodeId]]


class Blocks:
    """The waiting nodes of one group with their connections."""

    def __init__(
        self,
        diagram: Diagram,
        members: Sequence[NodeId],
        neighbours: Mapping[NodeId, NodeId],
        work: Work,
    ) -> None:
        """Read the connections; `neighbours`: what nodes were asked to stand near."""
        self._members = members
        box_of = {inner: one for one in members for inner in diagram.subtree(one)}
        work.spend(50 * len(box_of) + costs.LAID_OUT * sum(map(diagram.degree, box_of)), costs.PLACES)
        edges: dict[tuple[NodeId, NodeId], None] = {}
        self._neighbours: dict[NodeId, list[NodeId]] = {one: [] for one in members}
        self._outside: dict[NodeId, dict[Outside, None]] = {one: {} for one in members}
        for inner, box in box_of.items():
            ends = [(other, 1) for other in sorted(diagram.outgoing(inner))]
            ends += [(other, -1) for other in sorted(diagram.incoming(inner))]
            if inner in neighbours and not any(other == neighbours[inner] for other, _ in ends):
                ends.append((neighbours[inner], 0))
            for other, way in ends:
                there = box_of.get(other)
                if there is None:
                    self._outside[box][inner, other, way] = None
                elif there != box:
                    self._neighbours[box].append(there)
                    self._neighbours[there].append(box)
                    if way > 0:
                        edges[box, there] = None
        self.edges = sorted(edges)

    def outside(self, member: NodeId) -> list[Outside]:
        """What a member is connected to outside this group's new nodes."""
        return list(self._outside[member])

    def as_one(self) -> Block:
        """All of them as one block."""
        return Block(tuple(self._members), self.edges)

    def separate(self, grounded: Container[NodeId]) -> list[Block]:
        """The connected ones together: those with a neighbour that has a place first, what is left as one block."""
        held: list[list[NodeId]] = []
        loose: list[NodeId] = []
        for part in self._parts():
            if any(one in grounded for one in part):
                held.append(part)
            else:
                loose += part
        held.sort(key=len, reverse=True)
        parts = [*held, loose] if loose else held
        part_of = {one: number for number, part in enumerate(parts) for one in part}
        among: list[list[tuple[NodeId, NodeId]]] = [[] for _ in parts]
        for edge in self.edges:
            among[part_of[edge[0]]].append(edge)
        return [Block(tuple(part), edges) for part, edges in zip(parts, among, strict=True)]

    def _parts(self) -> Iterator[list[NodeId]]:
        """The connected components, in the order of their first member."""
        order = {one: number for number, one in enumerate(self._members)}
        seen: set[NodeId] = set()
        for start in self._members:
            if start in seen:
                continue
            walk = [start]
            seen.add(start)
            for one in walk:  # grows during the iteration
                for other in self._neighbours[one]:
                    if other not in seen:
                        seen.add(other)
                        walk.append(other)
            yield sorted(walk, key=order.__getitem__)
