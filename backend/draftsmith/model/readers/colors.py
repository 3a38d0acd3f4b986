"""The nearest of the colours of nodes and edges, by hue, for colours that other tools write."""

from __future__ import annotations

import re
from typing import Final

_HEX = re.compile(r"#([0-9a-fA-F]{6}|[0-9a-fA-F]{3})")
# From this hue in degrees on, up to the next.
_HUES: Final = (
    (15, "red"), (40, "orange"), (66, "yellow"), (160, "green"), (195, "teal"), (250, "blue"), (295, "violet"),
    (345, "pink"), (361, "red"),
)  # fmt: skip


def nearest_color(text: str, least_chroma: float) -> str:
    """The colour that is nearest to the first hexadecimal one in a text; empty for none, and for a nearly grey one.

    Args:
        text: as it is written.
        least_chroma: how far apart the strongest and the weakest of red, green and blue are at least; all is 1.
    """
    found = _HEX.search(text)
    if found is None:
        return ""
    digits = found[1] if len(found[1]) == 6 else "".join(digit * 2 for digit in found[1])
    red, green, blue = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    most, least = max(red, green, blue), min(red, green, blue)
    chroma = most - least
    if chroma < least_chroma:
        return ""
    if most == red:
        sector = (green - blue) / chroma % 6
    elif most == green:
        sector = (blue - red) / chroma + 2
    else:
        sector = (red - green) / chroma + 4
    return next(name for beyond, name in _HUES if sector * 60 < beyond)
