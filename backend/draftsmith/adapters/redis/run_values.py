"""What every store of runs checks of the values it is given, and how they become bytes."""

from __future__ import annotations

from typing import Final

import orjson

from draftsmith.ports.runs import FINAL_STATUSES, Ending, Json

_CLOSED: Final = frozenset({"accepted", "rejected"})


def pack(value: Json) -> bytes:
    """Write an object as JSON: what is stored is no longer the caller's, and what has no bytes is refused.

    Raises:
        TypeError: it is not JSON, or a text in it holds half of a surrogate pair.
    """
    return orjson.dumps(dict(value))


def unpack(content: bytes) -> Json:
    """Read what `pack` wrote."""
    value: Json = orjson.loads(content)
    return value


def check_ending(ending: Ending) -> None:
    """Refuse to end a run with a status that is not a final one.

    Raises:
        ValueError: so it is.
    """
    if ending.status not in FINAL_STATUSES:
        raise ValueError(f"a run cannot end as {ending.status!r}")


def check_closing(status: str) -> None:
    """Refuse to close a proposal as anything but accepted or rejected.

    Raises:
        ValueError: so it is.
    """
    if status not in _CLOSED:
        raise ValueError(f"a proposal cannot be closed as {status!r}")
