"""Texts and lists cut to what an answer may have, with what was left out told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Told = dict[str, Any]


def cut_text(text: str, most: int, *, from_end: bool = False) -> Told:
    """A text as `text`; where it is cut, `truncated` says how much of it is there.

    Args:
        from_end: the end is kept instead of the beginning, as of a log.
    """
    if len(text) <= most:
        return {"text": text}
    if from_end:
        kept = text[-most:].partition("\n")[2] or text[-most:]
        place = "last"
    else:
        kept = text[:most].rpartition("\n")[0] or text[:most]
        place = "first"
    return {"text": kept, "truncated": f"the {place} {len(kept):,} of {len(text):,} characters"}


def cut_list(items: Sequence[Any], most: int, name: str) -> Told:
    """A list under a name; where it is cut, `truncated` says how many of them are there."""
    if len(items) <= most:
        return {name: list(items)}
    return {name: list(items[:most]), "truncated": f"{most:,} of {len(items):,} {name}"}
