"""How far a page is stretched so that nodes of the usual size do not overlap, where the drawing's are smaller.

The centres of nodes keep their arrangement; each axis is stretched alone, since what stands in a row needs room to the
side only. Not here: which cells are nodes (`sketch`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from draftsmith.model.drawio.cells import Box
from draftsmith.model.vocabulary import NODE_HEIGHT, NODE_WIDTH

_MOST: Final = 4.0
_GAP: Final = 24.0
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
