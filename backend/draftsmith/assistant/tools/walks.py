"""Walks over a diagram: from a node over edges that count, through groups.

A group stands for everything in it: an edge that ends at a group reaches what is in it, an edge that begins at one
begins at everything in it. It does not connect the things in it with each other. So a walk passes each group by two
places, `in` and `out`, at no distance. An edge of direction `both` leads both ways.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import EdgeId, NodeId

Side = Literal["", "in", "out"]
Place = tuple[NodeId, Side]  # a node, or a door of a group
Counts = Callable[[Mapping[str, Any]], bool]
_MOST_VIA = 24  # ids of the way to what is reached


@dataclass(frozen=True, slots=True)
class ReachableNode:
    """A node that a walk has reached.

    Attributes:
        id: of the node.
        distance: edges between it and the start.
        via: ids from it to the start, both included, groups that were walked through among them; the middle of a very
            long way is `…`.
        edges: the edges by which it was reached; none for what was reached as part of a group.
    """

    id: NodeId
    distance: int
    via: tuple[str, ...]
    edges: tuple[EdgeId, ...]


def walk(
    diagram: Diagram,
    start: NodeId,
    counts: Counts,
    *,
    forward: bool,
    depth: int | None = None,
    stops: Container[NodeId] = (),
) -> list[ReachableNode]:
    """Everything that is reached over edges that count, nearest first; what is in the start itself left out.

    `stops`: nodes that are reached, but not passed.
    """
    inside = set(diagram.subtree(start))
    seen = {place: _begin(place, start) for node_id in sorted(inside) for place in places(diagram, node_id)}
    waiting = deque(seen)
    done: set[Place] = set()
    found: dict[NodeId, ReachableNode] = {}
    while waiting:
        place = waiting.popleft()
        if place in done:
            continue
        done.add(place)
        here = seen[place]
        # The door through which things leave the group they are in is no news of the group.
        is_own_door = not here.edges and place[1] == ("out" if forward else "in")
        if here.id not in inside and not is_own_door:
            found.setdefault(here.id, here)
        if here.id in stops:
            continue
        for other, by in steps(diagram, place, counts, forward=forward):
            far = here.distance + bool(by)
            if (depth is not None and far > depth) or (other in seen and seen[other].distance <= far):
                continue
            via = here.via if other[0] == here.id else _longer(other[0], here.via)
            seen[other] = ReachableNode(other[0], far, via, by)
            if by:
                waiting.append(other)
            else:
                waiting.appendleft(other)
    return sorted(found.values(), key=lambda row: (row.distance, row.id))


def _longer(node_id: NodeId, via: tuple[str, ...]) -> tuple[str, ...]:
    """A way with one more id before it; the middle of a very long one is left out."""
    longer = (node_id, *via)
    half = _MOST_VIA // 2
    return longer if len(longer) <= _MOST_VIA else (*longer[:half], "…", *longer[1 - half :])


def _begin(place: Place, start: NodeId) -> ReachableNode:
    return ReachableNode(place[0], 0, (start,) if place[0] == start else (place[0], start), ())


def places(diagram: Diagram, node_id: NodeId) -> list[Place]:
    """The places of a node: both doors of a group."""
    return [(node_id, "in"), (node_id, "out")] if diagram.is_group(node_id) else [(node_id, "")]


def door(diagram: Diagram, node_id: NodeId, side: Side) -> Place:
    """The place at which a node is reached or left on a side."""
    return (node_id, side if diagram.is_group(node_id) else "")


def steps(
    diagram: Diagram, place: Place, counts: Counts, *, forward: bool
) -> Iterator[tuple[Place, tuple[EdgeId, ...]]]:
    """Where one step leads: over edges (with their ids), then through doors (with none)."""
    node_id, side = place
    behind: Side = "out" if forward else "in"  # the door from which edges go on
    ahead: Side = "in" if forward else "out"  # the door that edges reach
    if side in ("", behind):
        for other, edges in edges_on(diagram, node_id, counts, forward=forward):
            yield door(diagram, other, ahead), edges
        parent = diagram.parent(node_id)
        if parent is not None:
            yield (parent, behind), ()
    else:
        yield (node_id, behind), ()
        for child in sorted(diagram.children(node_id)):
            yield door(diagram, child, ahead), ()


def edges_on(
    diagram: Diagram, node_id: NodeId, counts: Counts, *, forward: bool
) -> Iterator[tuple[NodeId, tuple[EdgeId, ...]]]:
    """What edges lead to from a node, by id, with the ids of the edges; those of direction `both` lead both ways."""
    along, against = diagram.outgoing(node_id), diagram.incoming(node_id)
    if not forward:
        along, against = against, along
    found: dict[NodeId, list[EdgeId]] = {}
    for other, between in along.items():
        found.setdefault(other, []).extend(edge_id for edge_id, edge in between.items() if counts(edge))
    for other, between in against.items():
        both = (edge_id for edge_id, edge in between.items() if edge.get("direction") == "both" and counts(edge))
        found.setdefault(other, []).extend(both)
    for other, edges in sorted(found.items()):
        if edges:
            yield other, tuple(sorted(edges))
