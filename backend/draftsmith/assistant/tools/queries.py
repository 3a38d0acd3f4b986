"""Graph queries on a diagram: neighbours, paths, unconnected nodes, and whatever looks wrong.

An edge of direction `none` says only that there is something between the two, so nothing follows from it, and it is
passed over except by `neighbours` (as drawn) and an undirected `paths`. How groups are walked through: `walks`.

Answers are in an order of their own and the same every time. Not here: finding by words (`node_search`), what follows
from a failure (`failure`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from draftsmith.assistant.tools.failure import Impact, impact
from draftsmith.assistant.tools.node_search import NodeMatches, find_nodes
from draftsmith.assistant.tools.walks import Place, ReachableNode, door, places, steps, walk
from draftsmith.errors import Problem
from draftsmith.model.diagram import NO_ENDS, Diagram
from draftsmith.model.ids import NodeId
from draftsmith.model.rules import lint_all
from draftsmith.model.vocabulary import ANNOTATIONS
from draftsmith.model.workspace import Workspace

if TYPE_CHECKING:
    import networkx as nx

__all__ = [
    "Impact",
    "NodeMatches",
    "Paths",
    "ReachableNode",
    "check_diagram",
    "find_nodes",
    "impact",
    "neighbours",
    "paths",
    "unconnected_nodes",
]

_LONGEST = 15  # edges of the shortest path, up to which others are looked for


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
