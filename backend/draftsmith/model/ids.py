"""Ids: their syntax, and how one is made from a label.

A node id is `[a-z0-9][a-z0-9_-]{0,63}`; an edge id may be longer, since it is made of two node ids. Given ids
are never changed; an id is made only where none was given, with a number if the plain one is taken.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container
from typing import Final, NewType

WorkspaceId = NewType("WorkspaceId", str)
"""26 characters of Crockford's base 32, lower case; validated on input (`check_id`)."""
RunId = NewType("RunId", str)
"""The id of one request to the assistant."""
ProposalId = NewType("ProposalId", str)
"""The id of staged operations that wait to be accepted."""
NodeId = NewType("NodeId", str)
"""Of a node or a group in one workspace: `[a-z0-9][a-z0-9_-]{0,63}` once it exists; unchecked where it is looked up."""
EdgeId = NewType("EdgeId", str)
"""Of an edge in one workspace; unchecked where it is looked up."""

MAX_ID: Final = 64
MAX_EDGE_ID: Final = 140

_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_EDGE_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,139}")
_NOT_ALPHANUMERIC = re.compile(r"[^a-z0-9]+")

# Letters that NFKD leaves whole although they have a customary spelling in plain letters.
_SPELLINGS = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "ı": "i", "ŋ": "n"}
)
# Numbers tried one by one before the search widens; nearly every label is unique long before.
_TRIED_IN_TURN = 64


def is_id(text: str) -> bool:
    """Whether a text has the form of a node id."""
    return _ID.fullmatch(text) is not None


def is_edge_id(text: str) -> bool:
    """Whether a text has the form of an edge id."""
    return _EDGE_ID.fullmatch(text) is not None


def slug(label: str) -> str:
    """Make an id from a label: `Größe (neu)` becomes `grosse-neu`; empty if no letter or digit is left."""
    plain = unicodedata.normalize("NFKD", label.lower().translate(_SPELLINGS))
    # Once more, for compatibility forms that only now turned into letters.
    plain = plain.lower().translate(_SPELLINGS)
    plain = "".join(character for character in plain if not unicodedata.combining(character))
    return _NOT_ALPHANUMERIC.sub("-", plain).strip("-")[:MAX_ID].rstrip("-")


def unique(base: str, used_ids: Container[str], limit: int = MAX_ID) -> str:
    """Return `base` if it is free, else `base-2`, `base-3`, …, shortened to at most `limit` characters.

    After the first few numbers the search takes growing strides, so thousands of equal labels stay cheap; it may skip
    free numbers in between. The result depends on the arguments alone.
    """
    base = base[:limit]
    if base not in used_ids:
        return base
    for number in range(2, _TRIED_IN_TURN):
        candidate = _with_number(base, number, limit)
        if candidate not in used_ids:
            return candidate
    used, free = _TRIED_IN_TURN - 1, _TRIED_IN_TURN
    while _with_number(base, free, limit) in used_ids:
        used, free = free, free * 2
    while free - used > 1:
        middle = (used + free) // 2
        if _with_number(base, middle, limit) in used_ids:
            used = middle
        else:
            free = middle
    return _with_number(base, free, limit)


def edge_id(source: NodeId, target: NodeId, used: Container[str]) -> EdgeId:
    """Make the id of an edge: `<source>--<target>`, numbered where that is taken; at most 140 characters."""
    return EdgeId(unique(f"{source}--{target}", used, MAX_EDGE_ID))


def _with_number(base: str, number: int, limit: int) -> str:
    ending = f"-{number}"
    return base[: limit - len(ending)].rstrip("-") + ending
