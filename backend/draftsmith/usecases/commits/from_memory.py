"""Track whether a request read a workspace from memory while the store was unreachable, so that its answer says so.

What another worker had acknowledged in the last moments before may be missing from such an answer.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final


@dataclass(slots=True)
class RequestReads:
    """The reads of one request."""

    is_from_memory: bool = False


_READING: Final[ContextVar[RequestReads | None]] = ContextVar("reading", default=None)


def begin_reading() -> RequestReads:
    """Begin to note what the current request reads."""
    reading = RequestReads()
    _READING.set(reading)
    return reading


def note_read_from_memory() -> None:
    """Note that a workspace was read without the store."""
    reading = _READING.get()
    if reading is not None:
        reading.is_from_memory = True
