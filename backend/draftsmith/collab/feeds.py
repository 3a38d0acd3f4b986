"""The events of a run as pages watch them: read once for all of them, each page with its own place in them.

A page that reads slowly costs nothing: it has a place, not a queue. Not here: where events come from.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Any, Final

from draftsmith.collab.protocol import encode
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import RunId

AT_ONCE: Final = 500
"""Events that go into one frame at most."""

Place = tuple[int, int]


def place_of(event_id: str) -> Place:
    """The order of event ids: `<milliseconds>` or `<milliseconds>-<number>`."""
    first, _, second = event_id.partition("-")
    return int(first), int(second or "0")


class Feed:
    """The events of one run from its beginning."""

    def __init__(self, run: RunId) -> None:
        self.run = run
        self.is_over = False
        self._places: list[Place] = []
        self._events: list[bytes] = []
        self._gone: bytes | None = None

    def add(self, event_id: str, event: Mapping[str, Any]) -> None:
        """Another event has come."""
        self._places.append(place_of(event_id))
        self._events.append(encode({"t": "run_event", "run": self.run, "id": event_id, "event": event}))

    def end(self, error: DraftsmithError | None = None) -> None:
        """Nothing more will come, because of an error perhaps."""
        self.is_over = True
        if error is not None:
            self._gone = encode({"t": "run_gone", "run": self.run, "code": error.code, "detail": error.detail})

    def has_more(self, seen: Place) -> bool:
        """Whether there is something to tell a page that has seen the events up to a place."""
        return self.is_over or (bool(self._places) and self._places[-1] > seen)

    def after(self, seen: Place) -> tuple[list[bytes], Place | None]:
        """What comes next, and what has been seen then; None if that was all there will be."""
        start = bisect_right(self._places, seen)
        upto = min(start + AT_ONCE, len(self._events))
        messages = self._events[start:upto]
        if self.is_over and upto == len(self._events):
            return messages + ([self._gone] if self._gone is not None else []), None
        return messages, self._places[upto - 1] if messages else seen
