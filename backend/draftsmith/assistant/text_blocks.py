"""Blocks of what people wrote, for models: enclosed in tags that the text itself can neither close nor open.

The tags carry a mark: a short hash of everything that is enclosed, computed anew until it occurs nowhere in it. The
same content gives the same bytes.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Final

_TAG: Final = re.compile(r"</?[a-z]{4,16}-(?:[0-9a-f]{8}(?![0-9a-z-])[^<>\n]{0,200}>?|[0-9a-f]{0,7}\Z)\n?")


def mark_of(texts: Sequence[str]) -> str:
    """Eight digits that occur in none of the texts and follow from them."""
    together = "\x00".join(texts)
    mark = hashlib.sha256(together.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    while mark in together:
        mark = hashlib.sha256(mark.encode()).hexdigest()[:8]
    return mark


def without_block_tags(text: str) -> str:
    """A text of a model without tags of blocks that it repeats, whole or cut at the end; other tags stay."""
    return _TAG.sub("", text)


def text_block(tag: str, mark: str, text: str, about: str = "") -> str:
    """A block; empty for an empty text. `about`: what stands in the opening tag, with a blank before it."""
    return f"<{tag}-{mark}{about}>\n{text}\n</{tag}-{mark}>" if text else ""
