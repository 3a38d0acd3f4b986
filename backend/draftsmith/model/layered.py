"""A small layered layout: nodes in columns along the edges, each as close to its neighbours as space allows.

The steps are those of Sugiyama et al. (1981) without dummy nodes: reverse the back edges of cycles, put every node one
layer after its last predecessor, sort each layer by the mean position of the neighbours, then move nodes towards these
without changing their order or letting them overlap. Components are stacked; isolated nodes follow in a grid.
Everything is O(V + E) times a fixed number of sweeps (plus sorting), and depends on the arguments' order alone.

Not here: groups (`nested_layout` calls this once for each) and edge routes (the browser's layout makes them).
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal

from draftsmith.model.ids import NodeId

Direction = Literal["right", "left", "down", "up"]
Neighbours = dict[NodeId, list[NodeId]]

_SWEEPS: Final = 8
_SLIDES: Final = 4
_LONGEST: Final = 4_000
"""Pixels of a row of layers that is never cut."""
_SLIMMEST, _SHAPE = 8, 2
"""Length by height from which on a row is cut, and what its pieces make together."""


def layered_positions(
    nodes: Sequence[tuple[NodeId, float, float]],
    edges: Sequence[tuple[NodeId, NodeId]],
    *,
    direction: Direction = "right",
    gap: tuple[float, float] = (80, 48),
) -> dict[NodeId, tuple[float, float]]:
    """Place nodes so that edges run in `direction` and no two nodes overlap.

    Args:
        nodes: `(id, width, height)`, pixels; ids are distinct.
        edges: `(source, target)`; self loops, repeats and unknown ends are ignored.
        direction: in which edges point.
        gap: pixels between layers, and between neighbours in a layer.

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
    for part in _parts(sizes, followers, leaders):
        if len(part) == 1:
            single.append(part[0])
            continue
        own = _lay_out_part(part, sizes, followers, leaders, gap)
        placed.update({node: (x, y + top) for node, (x, y) in own.items()})
        top = math.ceil(max(placed[node][1] + sizes[node][1] for node in part) + gap[1])
    extent = max((placed[node][0] + sizes[node][0] for node in placed), default=0.0)
    placed.update(_grid(single, sizes, top, extent, gap))
    return _turned(placed, sizes, direction)


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


def _parts(nodes: Iterable[NodeId], followers: Neighbours, leaders: Neighbours) -> list[list[NodeId]]:
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
) -> dict[NodeId, tuple[float, float]]:
    """Place one component with its top left corner at (0, 0)."""
    layers = _layers(part, followers, leaders)
    _sort_layers(layers, followers, leaders)
    tops = _slide(layers, sizes, followers, leaders, gap[1])
    lowest = min(tops.values())
    widths = [max(sizes[node][0] for node in layer) for layer in layers]
    height = max(tops[node] - lowest + sizes[node][1] for node in part)
    longest = _row_length(sum(widths) + gap[0] * (len(layers) - 1), height)
    placed: dict[NodeId, tuple[float, float]] = {}
    x, y = 0, 0
    for layer, width in zip(layers, widths, strict=True):
        if x > 0 and x + width > longest:
            x, y = 0, math.ceil(y + height + 2 * gap[1])
        placed.update({node: (x + (width - sizes[node][0]) // 2, y + tops[node] - lowest) for node in layer})
        x = math.ceil(x + width + gap[0])
    return placed


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


def _slide(
    layers: Sequence[Sequence[NodeId]],
    sizes: Mapping[NodeId, tuple[float, float]],
    followers: Neighbours,
    leaders: Neighbours,
    gap: float,
) -> dict[NodeId, int]:
    """Give every node a top near the mean of its neighbours that keeps the layer's order and gaps."""
    middle: dict[NodeId, float] = {}
    for layer in layers:
        total = sum(sizes[node][1] for node in layer) + gap * (len(layer) - 1)
        y = -total / 2
        for node in layer:
            middle[node] = y + sizes[node][1] / 2
            y += sizes[node][1] + gap
    for slide in range(_SLIDES):
        for layer in layers if slide % 2 == 0 else reversed(layers):
            wished = [_mean([middle[o] for o in (*leaders[node], *followers[node])], middle[node]) for node in layer]
            heights = [sizes[node][1] for node in layer]
            middle.update(zip(layer, _apart(wished, heights, gap), strict=True))
    tops: dict[NodeId, int] = {}
    for layer in layers:
        free = -math.inf
        for node in layer:
            tops[node] = round(max(middle[node] - sizes[node][1] / 2, free))
            free = math.ceil(tops[node] + sizes[node][1] + gap)
    return tops


def _apart(wished: Sequence[float], heights: Sequence[float], gap: float) -> list[float]:
    """The middles closest to the wished ones that keep order and gap.

    Pushing only downwards keeps both, pushing only upwards keeps both, and so does the mean of the two results.
    """
    down, up = list(wished), list(wished)
    for index in range(1, len(wished)):
        apart = (heights[index - 1] + heights[index]) / 2 + gap
        down[index] = max(down[index], down[index - 1] + apart)
    for index in range(len(wished) - 2, -1, -1):
        apart = (heights[index] + heights[index + 1]) / 2 + gap
        up[index] = min(up[index], up[index + 1] - apart)
    return [(one + other) / 2 for one, other in zip(down, up, strict=True)]


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


def _turned(
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
