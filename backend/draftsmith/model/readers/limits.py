"""How long fields of nodes and edges may be, and how much a reader says of what it did not read.

What a caller may send has the same limits (`transform.requests.operation_fields`); a reader cuts to them, since what is
written by others is not refused for being long. How many nodes, edges and characters a workspace may have is in
`model.limits`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from draftsmith.model.readers.reading import UnreadPart

MAX_NAME: Final = 200
"""Characters of the name of a workspace."""
MAX_LABEL: Final = 120
"""Characters of the label of a node."""
MAX_EDGE_LABEL: Final = 200
MAX_TECHNOLOGY: Final = 200
MAX_DESCRIPTION: Final = 10_000
"""Characters of a description, and of notes."""
MAX_PROPERTIES: Final = 50
"""Properties of one node or edge."""
MAX_KEY: Final = 64
"""Characters of the key of a property."""
MAX_PROPERTY: Final = 1_000
"""Characters of the value of a property."""
MAX_SOURCE: Final = 400
"""Characters of what the source itself calls a node or an edge."""
MAX_DEPTH: Final = 32
"""How deep groups are nested."""
FURTHEST: Final = 1_000_000
"""Of a place: pixels to each side of the origin."""
LARGEST: Final = 20_000
"""Of a size: pixels a side."""
SHOWN: Final = 200
"""Characters that are quoted of something that was not read."""
MAX_UNREAD: Final = 1_000
"""Parts that were not read which are listed; the others are counted."""


def properties_within(found: Mapping[str, str]) -> dict[str, str]:
    """Properties cut to their limits; those without a key or a value are left out."""
    kept = {key[:MAX_KEY]: value[:MAX_PROPERTY] for key, value in found.items() if key and value.strip()}
    return dict(list(kept.items())[:MAX_PROPERTIES])


def unread_within(found: Sequence[UnreadPart], what: str = "parts") -> list[UnreadPart]:
    """What was not read, as far as it is listed; the last one says how many more there are.

    Args:
        found: all of it.
        what: what the others are called, in the plural.
    """
    kept = list(found[:MAX_UNREAD])
    if len(found) > MAX_UNREAD:
        kept.append(UnreadPart(found[MAX_UNREAD].file, "", "", f"and {len(found) - MAX_UNREAD:,} more {what}"))
    return kept
