"""Graph queries on a diagram: neighbours, paths, the impact of a failure, unconnected nodes.

How edges are read. `source → target` of kind sync or dependency: the source needs the target. Of kind async or data:
the source sends to the target. Direction `both` is read both ways; `none` says only that there is something between
the two, so nothing follows from it, and it is passed over except by `neighbours` (as drawn) and an undirected `paths`.

A group stands for everything in it: an edge that ends at a group reaches what is in it, an edge that begins at one
begins at everything in it. It does not connect the things in it with each other. So the search passes each group by two
vertices, `in` and `out`, at no distance.

Answers are in an order of their own and the same every time. Not here: finding by words (`node_search`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import networkx as nx

from draftsmith.assistant.node_search import Match, find_nodes
from draftsmith.errors import Problem
from draftsmith.model.diagram import NO_ENDS, Diagram
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.rules import lint_all
from draftsmith.model.workspace import Workspace

__all__ = [
    "Impact",
    "Match",
    "Paths",
    "Reached",
    "check_diagram",
    "find_nodes",
    "impact",
    "neighbours",
    "paths",
    "unconnected",
]

Side = Literal["", "in", "out"]
Place = tuple[NodeId, Side]  # a node, or a door of a group
Counts = Callable[[Mapping[str, Any]], bool]
_MOST_VIA = 24  # ids of the way to what is reached
_LONGEST = 15  # edges of the shortest path, up to which others are looked for


@dataclass(frozen=True, slots=True)
class Reached:
    """Something found on a walk.

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


@dataclass(frozen=True, slots=True)
class Paths:
    """Ways from one node to another, shortest first.

    Attributes:
        paths: ids from source to target; a group that is walked through is named.
        truncated: there may be more.
        undirected: no way runs along the arrows; these are found without regard to them.
    """

    paths: list[list[NodeId]] = field(default_factory=list)
    truncated: bool = False
    undirected: bool = False


@dataclass(frozen=True, slots=True)
class Impact:
    """What follows if something fails.

    Attributes:
        breaks: what needs it, directly or by what it needs.
        starves: what gets nothing any more, directly or from what starves.
        backs_up: what sends to it directly, and has to keep what it cannot send.
    """

    breaks: list[Reached]
    starves: list[Reached]
    backs_up: list[Reached]


def neighbours(
    workspace: Workspace, node_id: NodeId, direction: str = "both", depth: int = 1
) -> list[tuple[Reached, str]]:
    """What is connected to a node, as (found, `in` or `out`), nearest first.

    `out` follows arrows from the node, `in` goes against them; something may be found both ways.
    """
    diagram = workspace.diagram
    found: list[tuple[Reached, str]] = []
    for way, forward in (("in", False), ("out", True)):
        if direction in (way, "both"):
            rows = _walk(diagram, node_id, lambda _: True, forward=forward, depth=depth)
            found += [(row, way) for row in rows if row.edges]
    return sorted(found, key=lambda item: (item[0].distance, item[1], item[0].id))


def paths(workspace: Workspace, source: NodeId, target: NodeId, limit: int = 5) -> Paths:
    """The ways from one node to another, at most `limit`; against the arrows only if there is no other."""
    if source == target:
        return Paths([[source]])
    for undirected in (False, True):
        found, truncated = _shortest(workspace, source, target, limit, undirected=undirected)
        if found:
            return Paths(found, truncated, undirected)
    return Paths()


def impact(workspace: Workspace, node_id: NodeId) -> Impact:
    """What breaks, starves and backs up if a node, or a group with all in it, fails."""
    diagram = workspace.diagram
    return Impact(
        breaks=_walk(diagram, node_id, _is_need, forward=False),
        starves=_walk(diagram, node_id, _is_flow, forward=True),
        backs_up=_walk(diagram, node_id, _is_flow, forward=False, depth=1),
    )


def unconnected(workspace: Workspace) -> list[NodeId]:
    """Nodes without any edge, groups left out."""
    diagram = workspace.diagram
    alone = (node_id for node_id in diagram.node_ids() if not diagram.degree(node_id))
    return sorted(node_id for node_id in alone if not diagram.is_group(node_id))


def check_diagram(workspace: Workspace) -> list[Problem]:
    """Every lint warning about the workspace."""
    return lint_all(workspace)


def _is_need(edge: Mapping[str, Any]) -> bool:
    return edge.get("kind", "sync") in ("sync", "dependency") and edge.get("direction", "forward") != "none"


def _is_flow(edge: Mapping[str, Any]) -> bool:
    return edge.get("kind", "sync") in ("async", "data") and edge.get("direction", "forward") != "none"


def _walk(diagram: Diagram, start: NodeId, counts: Counts, *, forward: bool, depth: int | None = None) -> list[Reached]:
    """Everything that is reached over edges that count, nearest first; what is in the start itself left out."""
    inside = set(diagram.subtree(start))
    seen = {place: _begin(place, start) for node_id in sorted(inside) for place in _places(diagram, node_id)}
    waiting = deque(seen)
    done: set[Place] = set()
    found: dict[NodeId, Reached] = {}
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
        for other, by in _steps(diagram, place, counts, forward=forward):
            far = here.distance + bool(by)
            if (depth is not None and far > depth) or (other in seen and seen[other].distance <= far):
                continue
            via = here.via if other[0] == here.id else _longer(other[0], here.via)
            seen[other] = Reached(other[0], far, via, by)
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


def _begin(place: Place, start: NodeId) -> Reached:
    return Reached(place[0], 0, (start,) if place[0] == start else (place[0], start), ())


def _places(diagram: Diagram, node_id: NodeId) -> list[Place]:
    return [(node_id, "in"), (node_id, "out")] if diagram.is_group(node_id) else [(node_id, "")]


def _door(diagram: Diagram, node_id: NodeId, side: Side) -> Place:
    return (node_id, side if diagram.is_group(node_id) else "")


def _steps(
    diagram: Diagram, place: Place, counts: Counts, *, forward: bool
) -> Iterator[tuple[Place, tuple[EdgeId, ...]]]:
    """Where one step leads: over edges (with their ids), then through doors (with none)."""
    node_id, side = place
    behind: Side = "out" if forward else "in"  # the door from which edges go on
    ahead: Side = "in" if forward else "out"  # the door that edges reach
    if side in ("", behind):
        for other, edges in _edges_on(diagram, node_id, counts, forward=forward):
            yield _door(diagram, other, ahead), edges
        parent = diagram.parent(node_id)
        if parent is not None:
            yield (parent, behind), ()
    else:
        yield (node_id, behind), ()
        for child in sorted(diagram.children(node_id)):
            yield _door(diagram, child, ahead), ()


def _edges_on(
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


def _shortest(
    workspace: Workspace, source: NodeId, target: NodeId, limit: int, *, undirected: bool
) -> tuple[list[list[NodeId]], bool]:
    """Simple paths and whether there may be more."""
    diagram = workspace.diagram
    ends = (set(diagram.subtree(source)), set(diagram.subtree(target)))
    if ends[0] & ends[1]:
        return [], False  # one stands in the other
    graph = _doors(diagram, ends, undirected=undirected)
    start: Place = NodeId(""), "out"
    goal: Place = NodeId(""), "in"
    graph.add_edges_from((start, _door(diagram, node_id, "out")) for node_id in sorted(ends[0]))
    graph.add_edges_from((_door(diagram, node_id, "in"), goal) for node_id in sorted(ends[1]))
    found: list[list[NodeId]] = []
    try:
        for path in nx.shortest_simple_paths(graph, start, goal):
            ids = _ids(path, source, target)
            if ids in found:
                continue
            if len(found) == limit:
                return sorted(found, key=len), True
            found.append(ids)
            if len(ids) > _LONGEST:
                return found, True
    except nx.NetworkXNoPath:
        return [], False
    return sorted(found, key=len), False


def _ids(path: Sequence[Place], source: NodeId, target: NodeId) -> list[NodeId]:
    """The ids along a path of doors, each once in a row, from source to target."""
    ids = [source]
    for node_id, _ in path[1:-1]:
        if node_id != ids[-1]:
            ids.append(node_id)
    return ids if ids[-1] == target else [*ids, target]


def _doors(diagram: Diagram, ends: Sequence[set[NodeId]], *, undirected: bool) -> nx.DiGraph[Place]:
    """The diagram as a graph of places; inside the groups that a path begins or ends with, no doors are needed."""
    graph: nx.DiGraph[Place] = nx.DiGraph()
    for node_id in sorted(diagram.node_ids()):
        for place in _places(diagram, node_id):
            for other, edges in _steps(diagram, place, _leads, forward=True):
                if edges or not any(node_id in end and other[0] in end for end in ends):
                    graph.add_edge(place, other)
    if undirected:
        for edge_id in sorted(diagram.edge_ids()):
            ends_of = diagram.ends(edge_id) or NO_ENDS
            for one, another in (ends_of, ends_of[::-1]):
                graph.add_edge(_door(diagram, one, "out"), _door(diagram, another, "in"))
    return graph


def _leads(edge: Mapping[str, Any]) -> bool:
    return bool(edge.get("direction", "forward") != "none")
