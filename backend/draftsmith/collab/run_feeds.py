"""The events of runs that pages watch: kept once for all of them, each page with its own position.

A page that reads slowly has an old position and no queue. Not here: where events come from.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Final

from draftsmith.collab.protocol import encode
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import RunId

MAX_EVENTS: Final = 500
"""Events of one run in one frame."""

EventPosition = tuple[int, int]


def event_position(event_id: str) -> EventPosition:
    """The order of event ids: `<milliseconds>` or `<milliseconds>-<number>`."""
    first, _, second = event_id.partition("-")
    return int(first), int(second or "0")


class RunFeed:
    """The events of one run from its beginning.

    Attributes:
        is_over: whether no more events will come.
    """

    def __init__(self, run: RunId) -> None:
        self.run = run
        self.is_over = False
        self._positions: list[EventPosition] = []
        self._events: list[bytes] = []
        self._gone_message: bytes | None = None

    def add(self, event_id: str, event: Mapping[str, object]) -> None:
        """Append an event."""
        self._positions.append(event_position(event_id))
        self._events.append(encode({"t": "run_event", "run": self.run, "id": event_id, "event": event}))

    def end(self, error: DraftsmithError | None = None) -> None:
        """No more events will come; `error` says why, where the run was not read to its end."""
        self.is_over = True
        if error is not None:
            self._gone_message = run_gone(self.run, error)

    def has_more(self, position: EventPosition) -> bool:
        """Whether there is something to send to a page that has the events up to a position."""
        return self.is_over or (bool(self._positions) and self._positions[-1] > position)

    def messages_after(self, position: EventPosition) -> tuple[list[bytes], EventPosition | None]:
        """The next encoded messages and the position after them; None if nothing will follow."""
        start = bisect_right(self._positions, position)
        end = min(start + MAX_EVENTS, len(self._events))
        messages = self._events[start:end]
        if self.is_over and end == len(self._events):
            return messages + ([self._gone_message] if self._gone_message is not None else []), None
        return messages, self._positions[end - 1] if messages else position


def run_gone(run: RunId, error: DraftsmithError) -> bytes:
    """Encode the message that a run cannot be watched, or not any longer."""
    return encode({"t": "run_gone", "run": run, "code": error.code, "detail": error.detail})
