"""What an edit may have damaged beside its words: half pairs of marks, seen by another reader than the product's."""

from __future__ import annotations

import re
from collections import Counter

from markdown_it import MarkdownIt

_READER = MarkdownIt("commonmark")
_GAP = re.compile(r"(?:\r\n|\n|\r)[ \t>]*(?:\r\n|\n|\r)")
_MARK = re.compile(r"\*\*|`")


def leaves_half_a_pair(before: str, after: str, new: str) -> bool:
    """Whether more stars or ticks are read as letters than before and than the new text has by itself."""
    start, back = 0, 0
    shorter = min(len(before), len(after))
    while start < shorter and before[start] == after[start]:
        start += 1
    while back < shorter - start and before[-1 - back] == after[-1 - back]:
        back += 1
    old_block, new_block = (_block(text, start, len(text) - back) for text in (before, after))
    return bool(_letters(new_block) - _letters(old_block) - _letters(new))


def _block(text: str, start: int, end: int) -> str:
    """The blocks that a span touches."""
    ends = [found.end() for found in _GAP.finditer(text, 0, start)]
    following = _GAP.search(text, end)
    return text[ends[-1] if ends else 0 : following.start() if following else len(text)]


def _letters(text: str) -> Counter[str]:
    """Marks that a reader sees as letters in running text."""
    found: Counter[str] = Counter()
    for token in _READER.parse(text):
        for part in token.children or ():
            if part.type == "text":
                found.update(_MARK.findall(part.content))
    return found
