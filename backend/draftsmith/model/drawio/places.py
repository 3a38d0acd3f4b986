"""How far a page is stretched so that nodes of the usual size do not overlap, where the drawing's are smaller.

The centres of nodes keep their arrangement; each axis is stretched alone, since what stands in a row needs room to the
side only. Not here: which cells are nodes (`sketch`).
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Mapping, Sequence
from typing import Final, TypeVar

from draftsmith.model.drawio.cells import Box, Style
from draftsmith.model.fields import Point, SparseNode, SparseNodeFields, size_for, written_on
from draftsmith.model.readers.limits import FURTHEST, LARGEST
from draftsmith.model.vocabulary import GROUP, GROUP_PADDING, GROUP_TITLE, NODE_HEIGHT, NODE_WIDTH

Shape = TypeVar("Shape", bound=Hashable)

_LEAST: Final = 20
_MOST: Final = 4.0
_STEP: Final = 1.15
_GAP: Final = 24.0
_WIDE_TEXT: Final = 340
_SLACK: Final = 1.25
_MAX_PAIRS: Final = 400_000  # looked at; beyond it the page is stretched for those seen


def stretch_for(boxes: Sequence[Box]) -> tuple[float, float]:
    """The factors for x and y, each from 1 to 4."""
    across = down = 1.0
    by_left = sorted(boxes, key=lambda box: box.x)
    pairs = 0
    for index, one in enumerate(by_left):
        for other in by_left[index + 1 :]:
            if other.x > one.right + NODE_WIDTH + _GAP or pairs >= _MAX_PAIRS:
                break
            pairs += 1
            needs = _factors_needed(one, other)
            if needs is None or needs[0] <= across or needs[1] <= down:
                continue  # they overlap as drawn, or are apart already
            if needs[0] <= needs[1]:
                across = max(across, min(needs[0], _MOST))
            else:
                down = max(down, min(needs[1], _MOST))
    return across, down


def stretched_box(box: Box, factors: tuple[float, float]) -> Box:
    """The box of a node after stretching: around the same centre, and no smaller than a node is."""
    (x, y), (across, down) = box.center, factors
    width, height = max(NODE_WIDTH, box.width * across), max(NODE_HEIGHT, box.height * down)
    return Box(x * across - width / 2, y * down - height / 2, width, height)


def written_box(box: Box, factors: tuple[float, float], style: Style, node: SparseNodeFields) -> Box:
    """The box of a note or a text after stretching: with room for its letters, which are not stretched.

    Args:
        box: as drawn.
        factors: how far the page is stretched.
        style: of its cell: to which side of its box the letters are drawn.
        node: its type and its texts.
    """
    (x, y), (across, down) = box.center, factors
    text = written_on(node)
    if node["type"] == "note":
        width = max(NODE_WIDTH, box.width * across)
        height = max(size_for("note", text, width)["height"], box.height * down)
        return Box(x * across - width / 2, y * down - height / 2, width, height)
    size = size_for("text", text, max(_WIDE_TEXT, box.width * across))
    width, height = size["width"] * _SLACK, size["height"]  # capitals are wider than most letters
    # Where it says nothing, draw.io draws what is of its style `text` from the top left.
    is_text = "text" in style.names[:1]
    side, edge = style.get("align"), style.get("verticalAlign")
    lefts = {"left": box.x * across, "right": box.right * across - width, "center": x * across - width / 2}
    tops = {"top": box.y * down, "bottom": box.bottom * down - height, "middle": y * down - height / 2}
    beside = {"left": box.x * across - width, "right": box.right * across}
    left = lefts[side if side in lefts else "left" if is_text else "center"]
    left = beside.get(style.get("labelPosition"), left)
    return Box(left, tops[edge if edge in tops else "top" if is_text else "middle"], width, height)


def fitted_boxes(
    boxes: Mapping[Shape, Box],
    holders: Mapping[Shape, Shape | None],
    groups: Container[Shape],
    factors: tuple[float, float] = (1.0, 1.0),
    known_boxes: Mapping[Shape, Box] | None = None,
) -> dict[Shape, Box]:
    """The boxes of nodes after stretching, and those of groups, each large enough for what is in it.

    Args:
        boxes: as drawn, each behind that of its group.
        holders: the group of each, None for none.
        groups: which of them are groups.
        factors: how far the page is stretched.
        known_boxes: those that are known already, as they will be.
    """
    placed: dict[Shape, Box] = dict(known_boxes or {})
    inner: dict[Shape, list[Box]] = {}
    for shape, box in reversed(list(boxes.items())):
        if shape not in placed:
            is_group = shape in groups
            placed[shape] = _box_around(box, inner.get(shape, ()), factors) if is_group else stretched_box(box, factors)
        holder = holders.get(shape)
        if holder is not None:
            inner.setdefault(holder, []).append(placed[shape])
    return placed


def factors_apart(
    boxes: Mapping[Shape, Box],
    placed: Mapping[Shape, Box],
    holders: Mapping[Shape, Shape | None],
    groups: Container[Shape],
    factors: tuple[float, float],
) -> tuple[float, float]:
    """The factors for another try: larger on an axis where a group has grown over what it was drawn beside.

    Args:
        boxes: as drawn.
        placed: as they are with these factors.
        holders: the group of each, None for none.
        groups: which of them are groups.
        factors: how far the page is stretched.
    """
    across, down = factors
    looks = 0
    by_left = sorted(boxes, key=lambda shape: placed[shape].x)
    for index, one in enumerate(by_left):
        for other in by_left[index + 1 :]:
            if placed[other].x >= placed[one].right or looks >= _MAX_PAIRS:
                break
            looks += 1
            is_beside = holders.get(one) == holders.get(other) and (one in groups or other in groups)
            drawn = _gaps(boxes[one], boxes[other])
            if not is_beside or max(drawn) < 0 or max(_gaps(placed[one], placed[other])) >= 0:
                continue  # they overlap as drawn, or are apart
            if drawn[0] >= drawn[1]:
                across = min(factors[0] * _STEP, _MOST)
            else:
                down = min(factors[1] * _STEP, _MOST)
    return across, down


def place_nodes(
    nodes: Mapping[Shape, SparseNode], boxes: Mapping[Shape, Box], holders: Mapping[Shape, Shape | None]
) -> None:
    """Set positions, relative to the groups of nodes, and sizes other than the usual one, within the limits of both."""
    for shape, node in nodes.items():
        box, holder = boxes[shape], holders.get(shape)
        left, top = (0.0, 0.0) if holder is None else (boxes[holder].x, boxes[holder].y)
        node["position"] = point_at(box.x - left, box.y - top)
        if node["type"] == GROUP or (box.width, box.height) != (NODE_WIDTH, NODE_HEIGHT):
            node["size"] = {"width": _extent(box.width), "height": _extent(box.height)}


def point_at(x: float, y: float) -> Point:
    """A point of a diagram, to a hundredth of a pixel, as far out as one may be."""
    return {axis: _to_hundredths(min(max(value, -FURTHEST), FURTHEST)) for axis, value in (("x", x), ("y", y))}


def _extent(length: float) -> float:
    return _to_hundredths(min(max(length, _LEAST), LARGEST))


def _to_hundredths(value: float) -> float:
    exact = round(value, 2)
    return int(exact) if exact == int(exact) else exact


def _gaps(one: Box, other: Box) -> tuple[float, float]:
    """How far two boxes are apart to the side, and up and down; below nothing where they overlap."""
    return (
        max(other.x - one.right, one.x - other.right),
        max(other.y - one.bottom, one.y - other.bottom),
    )


def _box_around(box: Box, inner: Sequence[Box], factors: tuple[float, float]) -> Box:
    """The box of a group: as drawn, and large enough for what is in it."""
    across, down = factors
    left, top = box.x * across, box.y * down
    right, bottom = box.right * across, box.bottom * down
    left = min([left, *(one.x - GROUP_PADDING for one in inner)])
    top = min([top, *(one.y - GROUP_TITLE for one in inner)])
    right = max([right, left + NODE_WIDTH, *(one.right + GROUP_PADDING for one in inner)])
    bottom = max([bottom, top + NODE_HEIGHT, *(one.bottom + GROUP_PADDING for one in inner)])
    return Box(left, top, right - left, bottom - top)


def _factors_needed(one: Box, other: Box) -> tuple[float, float] | None:
    """The factor for x with which two boxes lie side by side, and that for y; None if they overlap as drawn."""
    (left, top), (right, bottom) = one.center, other.center
    across = _factor(abs(left - right), one.width, other.width, NODE_WIDTH)
    down = _factor(abs(top - bottom), one.height, other.height, NODE_HEIGHT)
    return None if across == down == float("inf") else (across, down)


def _factor(distance: float, one: float, other: float, usual: float) -> float:
    """The least factor with which two extents around centres that far apart are disjoint; infinite if they overlap.

    An extent grows with the factor, or is the usual one where that is more.
    """
    if distance <= 0 or distance < (one + other) / 2:
        return float("inf")
    needs = [(usual + _GAP) / distance]
    needs += [(usual + _GAP) / (2 * distance - extent) for extent in (one, other) if 2 * distance > extent]
    return max(1.0, *needs)
