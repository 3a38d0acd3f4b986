"""What it costs to read a text as Markdown, in units of counted work (`model.work`), from the text alone."""

from __future__ import annotations

import re
from typing import Final

BLOCK: Final = 700
"""One block of Markdown that is read: a paragraph, an item, a heading."""

_BLOCKS: Final = re.compile(r"\n(?:[\s#>*+=_[-]|\d{1,9}[.)])")


def reading_cost(text: str, start: int = 0, end: int | None = None) -> int:
    """What it costs to read a span of a text: each character, and each block that may begin in it."""
    stop = len(text) if end is None else end
    return stop - start + BLOCK * len(_BLOCKS.findall(text, start, stop))
