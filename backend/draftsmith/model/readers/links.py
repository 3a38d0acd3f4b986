"""Links and images of Markdown files that came together, led to where their aims are once the files are one document.

What is in code stays as it is. Not here: which files become a document (the readers).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final
from urllib.parse import unquote

from draftsmith.model.markdown.block_parser import PARSER
from draftsmith.model.markdown.blocks import line_starts
from draftsmith.model.markdown.code_spans import without_code

_LINK: Final = re.compile(r"\]\((?:<([^<>\n]*+)>|((?>(?:[^()\s<>]|\([^()\s<>]*+\))*)))")
_CODE: Final = frozenset(("fence", "code_block"))
_NOT_LINE_END: Final = re.compile(r"[^\n]")


def lead_links(text: str, aim_of: Callable[[str], str | None]) -> str:
    """A text whose links and images lead elsewhere.

    Args:
        text: Markdown with LF line ends.
        aim_of: for an address, decoded, the one that is to stand there; None for one that stays.
    """
    if "](" not in text:
        return text
    pieces: list[str] = []
    at = 0
    for start, end, address in _addresses(text):
        aim = aim_of(unquote(address))
        if aim is not None:
            pieces += [text[at:start], aim]
            at = end
    return "".join([*pieces, text[at:]])


def _addresses(text: str) -> Iterator[tuple[int, int, str]]:
    """Where addresses of links stand, and what they are."""
    for found in _LINK.finditer(_without_code(text)):
        group = 2 if found[1] is None else 1
        start, end = found.span(group)
        if start != end:
            yield (start, end, found[group]) if group == 2 else (start - 1, end + 1, found[group])


def _without_code(text: str) -> str:
    """A text of the same length with blanks for code."""
    blank = text
    blocks = [token.map for token in PARSER.parse(text) if token.type in _CODE and token.map]
    if blocks:
        starts = [*line_starts(text), len(text)]
        pieces: list[str] = []
        at = 0
        for first, beyond in blocks:
            begin, end = starts[first], starts[min(beyond, len(starts) - 1)]
            pieces += [text[at:begin], _NOT_LINE_END.sub(" ", text[begin:end])]
            at = end
        blank = "".join([*pieces, text[at:]])
    return without_code(blank)
