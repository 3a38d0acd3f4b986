"""What follows from a failure, read from the arrows alone.

`source → target` of kind sync or dependency: the source needs the target. Of kind async or data: the source sends to
the target. Direction `both` is read both ways; `none` says only that there is something between the two, so nothing
follows from it.

Whoever needs something that fails breaks, whatever else it needs: an arrow does not say that one thing can stand in for
another. What is fed by several, on the other hand, goes on with those that are left, and so does what it feeds.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from draftsmith.assistant.tools.walks import Place, ReachableNode, door, edges_on, steps, walk
from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import NodeId
from draftsmith.model.vocabulary import ANNOTATIONS
from draftsmith.model.workspace import Workspace

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


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
