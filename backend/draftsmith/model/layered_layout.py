"""A small layered layout: nodes in columns along the edges, each as close to its neighbours as space allows.

The steps are those of Sugiyama et al. (1981): reverse the back edges of cycles, put every node one layer after its last
predecessor, keep a way free where an edge passes a layer, sort each layer by the mean position of the neighbours, then
move nodes towards these without changing their order or letting them overlap. Components are stacked; isolated nodes
follow in a grid. Everything is O(V + E) times a fixed number of sweeps (plus sorting), and depends on the order of the
arguments alone.

Not here: groups (`nested_layout` calls this once for each) and edge routes (the browser's layout makes them).
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Final, Literal

from draftsmith.model.ids import NodeId

Direction = Literal["right", "left", "down", "up"]
Neighbours = dict[NodeId, list[NodeId]]
Ends = tuple[NodeId, NodeId]

_SWEEPS: Final = 8
_SLIDES, _SLIDES_OF_FEW = 4, 8
_FEW: Final = 60
"""Nodes of a component up to which ways are kept free for edges: thousands take three times as long with them."""
_LANE: Final = 24
"""Pixels between two edges that pass a layer; nodes keep half of that and half the usual gap from them."""
_STRAIGHT: Final = 1_000
"""How much more a way that is kept free weighs than a node that would have to yield."""
_MOST_LANES: Final = 2
"""Layers that edges pass, for each node, beyond which no way is kept free for them."""
_LONGEST: Final = 4_000
"""Pixels of a row of layers that is never cut."""
_SLIMMEST, _SHAPE = 8, 2
"""Length by height from which on a row is cut, and what its pieces make together."""


@dataclass(frozen=True, slots=True)
class EdgeHints:
    """What the layout may know of how edges will be drawn.

    Attributes:
        lengths: how long an edge is to be at least, for its label; by its ends in either order.
        starts: `(node, other)` → how far off the middle of the node its edge to the other begins, across the direction.
        leaving: nodes with an edge that leads out forwards, out of all that is laid out, and where it begins.
        entering: the same for edges that come from outside.
    """

    lengths: Mapping[Ends, float] = field(default_factory=dict)
    starts: Mapping[Ends, float] = field(default_factory=dict)
    leaving: Mapping[NodeId, float] = field(default_factory=dict)
    entering: Mapping[NodeId, float] = field(default_factory=dict)


def layered_positions(
    nodes: Sequence[tuple[NodeId, float, float]],
    edges: Sequence[tuple[NodeId, NodeId]],
    *,
    direction: Direction = "right",
    gap: tuple[float, float] = (80, 48),
    hints: EdgeHints = EdgeHints(),  # it is immutable
) -> dict[NodeId, tuple[float, float]]:
    """Place nodes so that edges run in `direction` and no two nodes overlap.

    Args:
        nodes: `(id, width, height)`, pixels; ids are distinct.
        edges: `(source, target)`; self loops, repeats and unknown ends are ignored.
        direction: in which edges point.
        gap: pixels between layers, and between neighbours in a layer.
        hints: how edges are drawn; by default from middle to middle, without labels.

    Returns:
        The top left corner of every node, whole pixels, from (0, 0) on.
    """
    upright = direction in ("down", "up")
    # Inside, edges always run to the right: for the vertical directions width and height change places.
    # Whole pixels, rounded up: sums of fractions would overlap by less than anybody sees, and by more than nothing.
    whole = {node: (math.ceil(width), math.ceil(height)) for node, width, height in nodes}
    sizes: dict[NodeId, tuple[float, float]] = {node: size[::-1] if upright else size for node, size in whole.items()}
    followers, leaders = _neighbours(sizes, edges)
    placed: dict[NodeId, tuple[float, float]] = {}
    top = 0.0
    single: list[NodeId] = []
    for part in _components(sizes, followers, leaders):
        if len(part) == 1:
            single.append(part[0])
            continue
        own = _lay_out_part(part, sizes, followers, leaders, gap, hints)
        placed.update({node: (x, y + top) for node, (x, y) in own.items()})
        top = math.ceil(max(placed[node][1] + sizes[node][1] for node in part) + gap[1])
    extent = max((placed[node][0] + sizes[node][0] for node in placed), default=0.0)
    placed.update(_grid(single, sizes, top, extent, gap))
    return _rotate(placed, sizes, direction)


def _neighbours(
    sizes: Mapping[NodeId, object], edges: Iterable[tuple[NodeId, NodeId]]
) -> tuple[Neighbours, Neighbours]:
    """Successors and predecessors of each node, without repeats; back edges of cycles are reversed."""
    out: dict[NodeId, dict[NodeId, None]] = {node: {} for node in sizes}
    for source, target in edges:
        if source != target and source in out and target in out:
            out[source][target] = None
    back = _back_edges(out)
    followers: dict[NodeId, dict[NodeId, None]] = {node: {} for node in sizes}
    leaders: dict[NodeId, dict[NodeId, None]] = {node: {} for node in sizes}
    for source, targets in out.items():
        for target in targets:
            first, last = (target, source) if (source, target) in back else (source, target)
            followers[first][last] = None
            leaders[last][first] = None
    return {node: list(them) for node, them in followers.items()}, {node: list(them) for node, them in leaders.items()}


def _back_edges(out: Mapping[NodeId, Mapping[NodeId, None]]) -> set[tuple[NodeId, NodeId]]:
    """The edges that lead to a node on the stack of a depth-first search."""
    back: set[tuple[NodeId, NodeId]] = set()
    inside: set[NodeId] = set()
    seen: set[NodeId] = set()
    entered = {target for targets in out.values() for target in targets}
    for root in sorted(out, key=lambda node: node in entered):  # nodes without predecessors come first
        if root in seen:
            continue
        seen.add(root)
        inside.add(root)
        walk = [(root, iter(out[root]))]
        while walk:
            node, targets = walk[-1]
            target = next(targets, None)
            if target is None:
                inside.discard(node)
                walk.pop()
            elif target in inside:
                back.add((node, target))
            elif target not in seen:
                seen.add(target)
                inside.add(target)
                walk.append((target, iter(out[target])))
    return back


def _components(nodes: Iterable[NodeId], followers: Neighbours, leaders: Neighbours) -> list[list[NodeId]]:
    """The connected components; they and their nodes keep the given order."""
    part_of: dict[NodeId, int] = {}
    parts: list[list[NodeId]] = []
    for root in nodes:
        if root not in part_of:
            part_of[root] = len(parts)
            waiting = deque([root])
            while waiting:
                node = waiting.popleft()
                for other in (*followers[node], *leaders[node]):
                    if other not in part_of:
                        part_of[other] = len(parts)
                        waiting.append(other)
            parts.append([])
        parts[part_of[root]].append(root)
    return parts


def _lay_out_part(
    part: Sequence[NodeId],
    sizes: Mapping[NodeId, tuple[float, float]],
    followers: Neighbours,
    leaders: Neighbours,
    gap: tuple[float, float],
    hints: EdgeHints,
) -> dict[NodeId, tuple[float, float]]:
    """Place one component with its top left corner at (0, 0)."""
    layers = _layers(part, followers, leaders)
    gaps = _gaps(layers, followers, gap[0], hints)
    lanes = _Lanes(layers, followers, leaders, hints)
    _sort_layers(lanes.layers, lanes.followers, lanes.leaders)
    tops = _slide(lanes, {node: sizes[node][1] for node in part} | dict.fromkeys(lanes.passing, _LANE - gap[1]), gap[1])
    lowest = min(tops[node] for node in part)
    widths = [max(sizes[node][0] for node in layer) for layer in layers]
    height = max(tops[node] - lowest + sizes[node][1] for node in part)
    longest = _row_length(sum(widths) + sum(gaps), height)
    placed: dict[NodeId, tuple[float, float]] = {}
    x, y = 0, 0
    for layer, width, after in zip(layers, widths, gaps, strict=True):
        if x > 0 and x + width > longest:
            x, y = 0, math.ceil(y + height + 2 * gap[1])
        placed.update({node: (x + (width - sizes[node][0]) // 2, y + tops[node] - lowest) for node in layer})
        x = math.ceil(x + width + after)
    return placed


def _gaps(layers: Sequence[Sequence[NodeId]], followers: Neighbours, least: float, hints: EdgeHints) -> list[float]:
    """How far the next layer begins after each; nothing follows the last."""
    gaps = [least] * (len(layers) - 1)
    for number, (layer, after) in enumerate(pairwise(layers)):
        there = set(after)
        for ends in ((node, other) for node in layer for other in followers[node] if other in there):
            gaps[number] = max(gaps[number], hints.lengths.get(ends, 0), hints.lengths.get(ends[::-1], 0))
    return [*gaps, 0]


class _Lanes:
    """Layers with what stands in them, and what passes: one more node for each edge in each layer that it passes.

    Attributes:
        passing: those that are no nodes.
        starts: where edges begin, as in `EdgeHints`.
        are_few: whether there is time for ways that are kept free, and for moving everything more often.
    """

    def __init__(
        self, layers: Sequence[Sequence[NodeId]], followers: Neighbours, leaders: Neighbours, hints: EdgeHints
    ) -> None:
        at = {node: number for number, layer in enumerate(layers) for node in layer}
        self.layers = [list(layer) for layer in layers]
        self.followers = {node: list(followers[node]) for node in at}
        self.leaders = {node: list(leaders[node]) for node in at}
        self.passing: set[NodeId] = set()
        self.starts = dict(hints.starts)
        self.are_few = len(at) <= _FEW
        self._most = _MOST_LANES * len(at) if self.are_few else 0
        for node, number in at.items():
            for target in followers[node]:
                self._pass(node, number + 1, target, at[target])
            if node in hints.leaving:
                self._pass(node, number + 1, None, len(layers), hints.leaving[node])
            if node in hints.entering:
                self._pass(None, 0, node, number, hints.entering[node])

    def _pass(self, source: NodeId | None, first: int, target: NodeId | None, last: int, start: float = 0) -> None:
        """Put one edge into the layers from one up to another; None for an end that is not laid out."""
        if first == last or len(self.passing) + last - first > self._most:
            return
        lane = [NodeId(f"{source or ''}>{target or ''}>{number}") for number in range(first, last)]
        self.passing.update(lane)
        for layer, one in zip(self.layers[first:last], lane, strict=True):
            layer.append(one)
        self.followers |= {one: [other] for one, other in pairwise(lane)} | {lane[-1]: [target] if target else []}
        self.leaders |= {other: [one] for one, other in pairwise(lane)} | {lane[0]: [source] if source else []}
        for end, other, passing, beside in (
            (source, target, lane[0], self.followers), (target, source, lane[-1], self.leaders)
        ):  # fmt: skip
            if end is not None and other is not None:
                beside[end][beside[end].index(other)] = passing
                self.starts[end, passing] = self.starts.get((end, other), 0)
            elif end is not None:
                beside[end].append(passing)
                self.starts[end, passing] = start


def _row_length(length: float, height: float) -> float:
    """How long a row of layers may become: a strip that nobody could look at is cut into rows."""
    if length <= _LONGEST or length <= _SLIMMEST * height:
        return length
    return max(_LONGEST / 2, length / math.ceil(math.sqrt(length / (_SHAPE * height))))


def _layers(part: Sequence[NodeId], followers: Neighbours, leaders: Neighbours) -> list[list[NodeId]]:
    """Assign layers by the longest path; a node without predecessors goes just before its first successor."""
    layer = dict.fromkeys(part, 0)
    missing = {node: len(leaders[node]) for node in part}
    ready = deque(node for node in part if not missing[node])
    while ready:
        node = ready.popleft()
        for target in followers[node]:
            layer[target] = max(layer[target], layer[node] + 1)
            missing[target] -= 1
            if not missing[target]:
                ready.append(target)
    for node in part:
        if not leaders[node]:
            layer[node] = min(layer[target] for target in followers[node]) - 1
    layers: list[list[NodeId]] = [[] for _ in range(max(layer.values()) + 1)]
    for node in part:
        layers[layer[node]].append(node)
    return layers


def _sort_layers(layers: list[list[NodeId]], followers: Neighbours, leaders: Neighbours) -> None:
    """Sort each layer by the mean position of the neighbours, sweeping forwards and backwards."""
    place: dict[NodeId, float] = {}

    def remember(layer: list[NodeId]) -> None:
        # Counted from the middle, so that layers of different length can be compared.
        place.update({node: index - (len(layer) - 1) / 2 for index, node in enumerate(layer)})

    for layer in layers:
        remember(layer)
    for sweep in range(_SWEEPS):
        forward = sweep % 2 == 0
        seen_from = leaders if forward else followers
        for layer in layers if forward else reversed(layers):
            mean = {node: _mean([place[other] for other in seen_from[node]], place[node]) for node in layer}
            layer.sort(key=mean.__getitem__)
            remember(layer)


def _slide(lanes: _Lanes, heights: Mapping[NodeId, float], gap: float) -> dict[NodeId, int]:
    """Give every node a top near the mean of its neighbours that keeps the layer's order and gaps."""
    middle: dict[NodeId, float] = {}
    for layer in lanes.layers:
        total = sum(heights[node] for node in layer) + gap * (len(layer) - 1)
        y = -total / 2
        for node in layer:
            middle[node] = y + heights[node] / 2
            y += heights[node] + gap
    for slide in range(_SLIDES_OF_FEW if lanes.are_few else _SLIDES):
        for layer in lanes.layers if slide % 2 == 0 else reversed(lanes.layers):
            wished = [_preferred_middle(node, lanes, middle) for node in layer]
            apart = [(heights[one] + heights[other]) / 2 + gap for one, other in pairwise(layer)]
            weights = [_STRAIGHT if node in lanes.passing else 1 for node in layer]
            middle.update(zip(layer, _spread(wished, apart, weights), strict=True))
    tops: dict[NodeId, int] = {}
    for layer in lanes.layers:
        free = -math.inf
        for node in layer:
            tops[node] = round(max(middle[node] - heights[node] / 2, free))
            free = math.ceil(tops[node] + heights[node] + gap)
    return tops


def _preferred_middle(node: NodeId, lanes: _Lanes, middle: Mapping[NodeId, float]) -> float:
    """Where a node would stand if it were alone: where its edges are straight, those that pass a layer first."""
    beside = [*lanes.leaders[node], *lanes.followers[node]]
    passing = [] if node in lanes.passing else [one for one in beside if one in lanes.passing]
    starts = lanes.starts
    return _mean(
        [middle[one] + starts.get((one, node), 0) - starts.get((node, one), 0) for one in passing or beside],
        middle[node],
    )


def _spread(wished: Sequence[float], gaps: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The middles closest to the wished ones, by weighted squares, that keep order and distances.

    Without the distances that is isotonic regression: neighbours that want to pass each other share their mean.
    """
    pools: list[tuple[float, float, int]] = []  # mean, weight, count
    offsets = [0.0, *accumulate(gaps)]
    for wish, offset, weight in zip(wished, offsets, weights, strict=True):
        mean, total, count = wish - offset, weight, 1
        while pools and pools[-1][0] > mean:
            last_mean, last_total, last_count = pools.pop()
            mean = (last_mean * last_total + mean * total) / (last_total + total)
            total, count = last_total + total, last_count + count
        pools.append((mean, total, count))
    means = [mean for mean, _, count in pools for _ in range(count)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]


def _grid(
    single: Sequence[NodeId],
    sizes: Mapping[NodeId, tuple[float, float]],
    top: float,
    extent: float,
    gap: tuple[float, float],
) -> dict[NodeId, tuple[float, float]]:
    """Put isolated nodes in rows below the rest, about as wide as it, or about square if there is no rest."""
    if not single:
        return {}
    area = sum((sizes[node][0] + gap[1]) * (sizes[node][1] + gap[1]) for node in single)
    widest = max(extent, math.sqrt(area * 1.6))
    placed: dict[NodeId, tuple[float, float]] = {}
    x, y, row = 0.0, top, 0.0
    for node in single:
        width, height = sizes[node]
        if x > 0 and x + width > widest:
            x, y, row = 0.0, math.ceil(y + row + gap[1]), 0.0
        placed[node] = (x, y)
        x, row = math.ceil(x + width + gap[1]), max(row, height)
    return placed


def _rotate(
    placed: Mapping[NodeId, tuple[float, float]], sizes: Mapping[NodeId, tuple[float, float]], direction: Direction
) -> dict[NodeId, tuple[float, float]]:
    """Rotate positions of a rightward layout into `direction`, in the order of `sizes`."""
    extent = max((math.ceil(placed[node][0] + sizes[node][0]) for node in placed), default=0)
    turned: dict[NodeId, tuple[float, float]] = {}
    for node, (width, _) in sizes.items():
        x, y = placed[node]
        if direction in ("left", "up"):
            x = extent - x - width
        turned[node] = (int(y), int(x)) if direction in ("down", "up") else (int(x), int(y))
    return turned


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise
