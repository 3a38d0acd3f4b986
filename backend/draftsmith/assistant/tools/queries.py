"""Graph queries on a diagram: neighbours, paths, unconnected nodes, what follows from a failure, what looks wrong.

An edge of direction `none` says only that there is something between the two, so nothing follows from it, and it is
passed over except by `neighbours` (as drawn) and an undirected `paths`. Answers are in an order of their own and the
same every time. Not here: how groups are walked through (`walks`), finding by words (`node_search`).

What follows from a failure is read from the arrows alone. `source → target` of kind sync or dependency: the source
needs the target. Of kind async or data: the source sends to the target. Direction `both` is read both ways. Whoever
needs something that fails breaks, whatever else it needs: an arrow does not say that one thing can stand in for
another. What is fed by several, on the other hand, goes on with those that are left, and so does what it feeds.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from draftsmith.assistant.tools.walks import Place, ReachableNode, door, edges_on, places, steps, walk
from draftsmith.errors import Problem
from draftsmith.model.diagram import NO_ENDS, Diagram
from draftsmith.model.ids import NodeId
from draftsmith.model.rules import lint_all
from draftsmith.model.vocabulary import ANNOTATIONS
from draftsmith.model.workspace import Workspace

if TYPE_CHECKING:
    import networkx as nx

_LONGEST = 15  # edges of the shortest path, up to which others are looked for
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


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


def neighbours(
    workspace: Workspace, node_id: NodeId, direction: str = "both", depth: int = 1
) -> list[tuple[ReachableNode, str]]:
    """What is connected to a node, as (found, `in` or `out`), nearest first.

    `out` follows arrows from the node, `in` goes against them; something may be found both ways.
    """
    diagram = workspace.diagram
    found: list[tuple[ReachableNode, str]] = []
    for way, forward in (("in", False), ("out", True)):
        if direction in (way, "both"):
            rows = walk(diagram, node_id, lambda _: True, forward=forward, depth=depth)
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


def unconnected_nodes(workspace: Workspace) -> list[NodeId]:
    """Nodes without any edge; groups, notes and texts left out."""
    diagram = workspace.diagram
    alone = (node_id for node_id in diagram.node_ids() if not diagram.degree(node_id))
    return sorted(one for one in alone if not diagram.is_group(one) and diagram[one]["type"] not in ANNOTATIONS)


def check_diagram(workspace: Workspace) -> list[Problem]:
    """Every lint warning about the workspace."""
    return lint_all(workspace)


def _shortest(
    workspace: Workspace, source: NodeId, target: NodeId, limit: int, *, undirected: bool
) -> tuple[list[list[NodeId]], bool]:
    """Simple paths and whether there may be more."""
    import networkx as nx

    diagram = workspace.diagram
    ends = (set(diagram.subtree(source)), set(diagram.subtree(target)))
    if ends[0] & ends[1]:
        return [], False  # one stands in the other
    graph = _doors(diagram, ends, undirected=undirected)
    start: Place = NodeId(""), "out"
    goal: Place = NodeId(""), "in"
    graph.add_edges_from((start, door(diagram, node_id, "out")) for node_id in sorted(ends[0]))
    graph.add_edges_from((door(diagram, node_id, "in"), goal) for node_id in sorted(ends[1]))
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
    import networkx as nx

    graph: nx.DiGraph[Place] = nx.DiGraph()
    for node_id in sorted(diagram.node_ids()):
        for place in places(diagram, node_id):
            for other, edges in steps(diagram, place, _leads, forward=True):
                if edges or not any(node_id in end and other[0] in end for end in ends):
                    graph.add_edge(place, other)
    if undirected:
        for edge_id in sorted(diagram.edge_ids()):
            ends_of = diagram.ends(edge_id) or NO_ENDS
            for one, another in (ends_of, ends_of[::-1]):
                graph.add_edge(door(diagram, one, "out"), door(diagram, another, "in"))
    return graph


def _leads(edge: Mapping[str, object]) -> bool:
    return bool(edge.get("direction", "forward") != "none")


@dataclass(frozen=True, slots=True)
class WeakenedNode:
    """A node that loses some of its sources: how many of how many."""

    reached: ReachableNode
    lost: int
    sources: int

    @property
    def in_words(self) -> str:
        """`loses one of its two sources`."""
        return f"loses {_number(self.lost)} of its {_number(self.sources)} sources"


@dataclass(frozen=True, slots=True)
class Impact:
    """What follows if something fails.

    Attributes:
        breaks: what needs it, directly or by what it needs.
        starves: what gets nothing any more, directly or from what starves.
        weakened: what loses some of its sources, and is still fed by others.
        backs_up: what sends to it directly, and has to keep what it cannot send.
    """

    breaks: list[ReachableNode]
    starves: list[ReachableNode]
    weakened: list[WeakenedNode]
    backs_up: list[ReachableNode]


def impact(workspace: Workspace, node_id: NodeId) -> Impact:
    """What breaks, starves, is weakened and backs up if a node, or a group with all in it, fails; notes do not."""
    diagram = workspace.diagram
    starves, weakened = _nodes_without_input(diagram, node_id)

    def parts(rows: Sequence[ReachableNode]) -> list[ReachableNode]:
        return [row for row in rows if diagram[row.id]["type"] not in ANNOTATIONS]

    return Impact(
        breaks=parts(walk(diagram, node_id, _is_need, forward=False)),
        starves=parts(starves),
        weakened=[one for one in weakened if parts([one.reached])],
        backs_up=parts(walk(diagram, node_id, _is_flow, forward=False, depth=1)),
    )


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _is_need(edge: Mapping[str, object]) -> bool:
    return edge.get("kind", "sync") in ("sync", "dependency") and edge.get("direction", "forward") != "none"


def _is_flow(edge: Mapping[str, object]) -> bool:
    return edge.get("kind", "sync") in ("async", "data") and edge.get("direction", "forward") != "none"


def _nodes_without_input(diagram: Diagram, failed: NodeId) -> tuple[list[ReachableNode], list[WeakenedNode]]:
    """What gets nothing any more, and what gets less."""
    downstream = {row.id for row in walk(diagram, failed, _is_flow, forward=True)}
    if not downstream:
        return [], []
    fed = _nodes_with_input(diagram, set(diagram.subtree(failed)), downstream)
    starves: list[ReachableNode] = []
    weakened: list[WeakenedNode] = []
    for row in walk(diagram, failed, _is_flow, forward=True, stops=fed):
        sources = _sources(diagram, row.id, fed)
        lost = sum(not is_fed for is_fed in sources.values())
        if lost == len(sources):
            starves.append(row)
        elif lost:
            weakened.append(WeakenedNode(row, lost, len(sources)))
    return starves, weakened


def _nodes_with_input(diagram: Diagram, failed: Collection[NodeId], downstream: Collection[NodeId]) -> set[NodeId]:
    """The nodes without children that still work: those that nothing failed feeds, and all that these feed in turn.

    So a circle that was fed from outside by what failed alone is not fed by itself.
    """
    leaves = [node_id for node_id in diagram.node_ids() if node_id not in failed and not diagram.has_children(node_id)]
    done: set[Place] = {door(diagram, node_id, "out") for node_id in leaves if node_id not in downstream}
    waiting = list(done)
    while waiting:
        place = waiting.pop()
        for other, edges in steps(diagram, place, _is_flow, forward=True):
            is_through = not edges and other[0] == place[0] and diagram.has_children(place[0])  # its members feed it
            if other not in done and other[0] not in failed and not is_through:
                done.add(other)
                waiting.append(other)
    return {node_id for node_id in leaves if door(diagram, node_id, "out") in done}


def _sources(diagram: Diagram, node_id: NodeId, fed: Collection[NodeId]) -> dict[NodeId, bool]:
    """What feeds a node, and whether it still does; a group of which only a part does counts by what is in it."""
    found: dict[NodeId, bool] = {}
    own = set(diagram.subtree(node_id))
    for target in (node_id, *diagram.ancestors(node_id)):
        for source, _ in edges_on(diagram, target, _is_flow, forward=False):
            inside = diagram.subtree(source)
            members = [one for one in inside if one not in own and not diagram.has_children(one)]
            state = {one in fed for one in members}
            if len(state) == 1:
                found[source] = state.pop()
            else:
                found |= {one: one in fed for one in members}
    return found
