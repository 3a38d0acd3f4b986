"""What an edit may have damaged beside its words, seen by another reader than the product's: half pairs, lost marks."""

from __future__ import annotations

import re
from collections import Counter

from markdown_it import MarkdownIt

_READER = MarkdownIt("commonmark")
_GAP = re.compile(r"(?:\r\n|\n|\r)[ \t>]*(?:\r\n|\n|\r)")
_MARK = re.compile(r"\*\*|`")
# What a quotation may lose of escapes in code: backslashes alone, or also the letter behind one (`\\n` for a line end).
_DASHES = re.compile("[‐‑‒–—―−]")  # as typography makes them of the ones in an address
_BACKSLASHES = re.compile(r"[\\\s]")
_ESCAPES = re.compile(r"\\+[nrt]|[\\\s]")


def leaves_half_a_pair(before: str, after: str, new: str) -> bool:
    """Whether more stars or ticks are read as letters than before and than the new text has by itself."""
    start, back = _changed(before, after)
    old_block, new_block = (_block(text, start, len(text) - back) for text in (before, after))
    return bool(_letters(new_block) - _letters(old_block) - _letters(new))


def _changed(before: str, after: str) -> tuple[int, int]:
    """How many characters two texts share at their beginning, and at their end."""
    start, back = 0, 0
    shorter = min(len(before), len(after))
    while start < shorter and before[start] == after[start]:
        start += 1
    while back < shorter - start and before[-1 - back] == after[-1 - back]:
        back += 1
    return start, back


def lost_marks(before: str, after: str, find: str) -> Counter[tuple[str, str]]:
    """The links, images, code spans and emphasis of a text that are gone and that the find did not quote."""
    start, end = _changed(before, after)
    old, new = _block(before, start, len(before) - end), _block(after, start, len(after) - end)
    lost, quoted = _marks(old) - _marks(new), _marks(find) | _marks(_DASHES.sub("-", find))
    as_quoted = {_BACKSLASHES.sub("", content) for kind, content in quoted if kind == "code_inline"}
    for kind, content in list(lost):
        if kind == "code_inline" and as_quoted & {escapes.sub("", content) for escapes in (_BACKSLASHES, _ESCAPES)}:
            del lost[kind, content]
    return lost - quoted


def _marks(text: str) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for token in _READER.parse(text):
        for part in token.children or ():
            if part.type in ("link_open", "image"):
                found[part.type, str(part.attrs.get("href", part.attrs.get("src")))] += 1
            elif part.type in ("em_open", "strong_open"):
                found[part.type, ""] += 1
            elif part.type == "code_inline":
                found[part.type, " ".join(part.content.split())] += 1
    return found


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
