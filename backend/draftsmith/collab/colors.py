"""Colours of people: each person has a preferred one, and no two people in one workspace have the same.

Colours are numbered: the first twelve are chosen hues, the others are spread over the colour circle, so there is always
a free one. Not here: who is in a workspace (`roster`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

# Twelve hues that differ from one another and from the canvas, in light and dark.
COLORS: Final = (
    "#c2410c", "#b45309", "#4d7c0f", "#15803d", "#0f766e", "#0e7490",
    "#1d4ed8", "#4338ca", "#7e22ce", "#a21caf", "#be185d", "#b91c1c",
)  # fmt: skip
_GOLDEN_TURN: Final = 137.508  # degrees; neighbours on the circle are far apart in number
_SATURATION, _LIGHTNESS = 0.62, (0.30, 0.38, 0.46)


def preferred_color(principal: str) -> int:
    """The number of the colour that a principal gets if it is free; always the same."""
    return int(hashlib.sha256(principal.encode()).hexdigest(), 16) % len(COLORS)


def color(number: int) -> str:
    """A colour as `#rrggbb`."""
    if number < len(COLORS):
        return COLORS[number]
    further = number - len(COLORS)
    hue = further * _GOLDEN_TURN % 360 / 360
    return _hex(hue, _SATURATION, _LIGHTNESS[further % len(_LIGHTNESS)])


def assign_colors(claims: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Give each principal a colour number of its own.

    Args:
        claims: principals in order of precedence, each with the number that it has or prefers. Claiming the result
            gives the same result again.
    """
    asked = list(claims)
    given: dict[str, int] = {}
    taken: set[int] = set()
    for principal, claim in asked:
        if claim not in taken:
            given[principal] = claim
            taken.add(claim)
    for principal, _ in asked:
        if principal not in given:
            given[principal] = _free(preferred_color(principal), taken)
            taken.add(given[principal])
    return given


def _free(wanted: int, numbers: set[int]) -> int:
    """The wanted number, else the next free hue around the circle, else the first free one beyond."""
    around = ((wanted + step) % len(COLORS) for step in range(len(COLORS)))
    for number in around:
        if number not in numbers:
            return number
    number = len(COLORS)
    while number in numbers:
        number += 1
    return number


def _hex(hue: float, saturation: float, lightness: float) -> str:
    """HSL as `#rrggbb`; see CSS Color 4, "Converting HSL Colors to sRGB"."""
    reach = saturation * min(lightness, 1 - lightness)

    def channel(offset: int) -> int:
        at = (offset + hue * 12) % 12
        return round(255 * (lightness - reach * max(-1, min(at - 3, 9 - at, 1))))

    return "#" + "".join(f"{channel(offset):02x}" for offset in (0, 8, 4))
