"""The layered layout for nested groups: each group is laid out separately, innermost first.

An edge between two groups counts for the groups, in the innermost group that holds both ends. Not here: keeping what
a person has placed (`transform`), which calls the layered layout for just what may move.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from draftsmith.model.fields import SparseEdge, SparseNode
from draftsmith.model.ids import NodeId
from draftsmith.model.layered_layout import Direction, layered_positions
from draftsmith.model.readers.limits import FURTHEST, LARGEST
from draftsmith.model.vocabulary import GROUP_PADDING, GROUP_TITLE, NODE_HEIGHT, NODE_WIDTH

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class NestedLayout:
    """Positions relative to the parent's top left corner, and the sizes of groups that are not empty."""

    positions: Mapping[NodeId, Point]
    sizes: Mapping[NodeId, tuple[float, float]]


def nested_layout(
    parents: Mapping[NodeId, NodeId | None],
    edges: Sequence[tuple[NodeId, NodeId]],
    *,
    direction: Direction = "right",
    gap: tuple[float, float] = (80, 48),
) -> NestedLayout:
    """Place nodes of the default drawn size and their groups.

    Args:
        parents: every node, groups included, with its parent group or None; without cycles.
        edges: `(source, target)`; unknown ends are ignored.
        direction: in which edges point, in every group.
        gap: pixels between layers, and between neighbours in a layer.
    """
    children: dict[NodeId | None, list[NodeId]] = {None: []}
    for node, parent in parents.items():
        children.setdefault(parent, []).append(node)
    lifted = _lift_edges(parents, edges)
    positions: dict[NodeId, Point] = {}
    sizes: dict[NodeId, tuple[float, float]] = {}
    for group in _inside_out(children):
        boxes = [(node, *sizes.get(node, (NODE_WIDTH, NODE_HEIGHT))) for node in children[group]]
        placed = layered_positions(boxes, lifted.get(group, ()), direction=direction, gap=gap)
        left, top = (0, 0) if group is None else (GROUP_PADDING, GROUP_TITLE)
        positions.update({node: (x + left, y + top) for node, (x, y) in placed.items()})
        if group is not None:
            right = max(positions[node][0] + width for node, width, _ in boxes)
            bottom = max(positions[node][1] + height for node, _, height in boxes)
            sizes[group] = (right + GROUP_PADDING, bottom + GROUP_PADDING)
    return NestedLayout(positions, sizes)


def place_nested(nodes: Sequence[SparseNode], edges: Sequence[SparseEdge], direction: Direction = "right") -> None:
    """Give nodes their positions, and groups their sizes, in place."""
    layout = nested_layout(
        {node["id"]: node.get("parent") for node in nodes},
        [(edge["source"], edge["target"]) for edge in edges],
        direction=direction,
    )
    for node in nodes:
        x, y = layout.positions[node["id"]]
        node["position"] = {"x": min(x, FURTHEST), "y": min(y, FURTHEST)}
        if node["id"] in layout.sizes:
            width, height = layout.sizes[node["id"]]
            node["size"] = {"width": min(width, LARGEST), "height": min(height, LARGEST)}


def _inside_out(children: Mapping[NodeId | None, Sequence[NodeId]]) -> Iterable[NodeId | None]:
    """The groups that are not empty, each after the groups inside it; None, the diagram itself, last."""
    order: list[NodeId | None] = [None]
    for group in order:  # grows during the iteration
        order.extend(node for node in children[group] if node in children)
    return reversed(order)


def _lift_edges(
    parents: Mapping[NodeId, NodeId | None], edges: Iterable[tuple[NodeId, NodeId]]
) -> dict[NodeId | None, list[tuple[NodeId, NodeId]]]:
    """Edges by the innermost group that contains both ends, as edges between direct members of that group."""
    lifted: dict[NodeId | None, list[tuple[NodeId, NodeId]]] = {}
    for source, target in edges:
        if source not in parents or target not in parents:
            continue
        up, down = _way_up(parents, source), _way_up(parents, target)
        while len(up) > 1 and len(down) > 1 and up[-1] == down[-1]:
            up.pop()
            down.pop()
        if up[-1] != down[-1]:
            lifted.setdefault(parents[up[-1]], []).append((up[-1], down[-1]))
    return lifted


def _way_up(parents: Mapping[NodeId, NodeId | None], node: NodeId) -> list[NodeId]:
    way = [node]
    while (parent := parents[way[-1]]) is not None:
        way.append(parent)
    return way
