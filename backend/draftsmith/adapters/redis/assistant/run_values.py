"""Checks and encoding of values, shared by every store of runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson

from draftsmith.ports.runs import FINAL_STATUSES, Ending

_CLOSED: Final = frozenset({"accepted", "rejected", "withdrawn"})


def pack(value: Mapping[str, object]) -> bytes:
    """Encode an object as JSON.

    Raises:
        TypeError: it is not JSON, or a text in it holds half of a surrogate pair.
    """
    return orjson.dumps(dict(value))


def unpack(content: bytes) -> Any:
    """Read what `pack` wrote."""
    return orjson.loads(content)


def check_ending(ending: Ending) -> None:
    """Refuse to end a run with a status that is not a final one.

    Raises:
        ValueError: it is another status.
    """
    if ending.status not in FINAL_STATUSES:
        raise ValueError(f"a run cannot end as {ending.status!r}")


def check_closing(status: str) -> None:
    """Refuse to close a proposal as anything but accepted, rejected or withdrawn.

    Raises:
        ValueError: it is another status.
    """
    if status not in _CLOSED:
        raise ValueError(f"a proposal cannot be closed as {status!r}")
