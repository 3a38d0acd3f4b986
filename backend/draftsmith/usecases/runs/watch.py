"""Watch runs from any worker: their events as they come, and their end.

The store is read a few times a second; a notification on the worker that executes the run saves that wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final
from weakref import WeakValueDictionary

from draftsmith.model.ids import RunId, WorkspaceId
from draftsmith.ports.run_events import RunEventFields
from draftsmith.ports.runs import RunRow, RunStore

_POLL_SECONDS: Final = 0.2
_POLLS_UNTIL_NONE: Final = 25
_PAGE: Final = 500


@dataclass
class RunNotifier:
    """Notifies the tasks of this worker that something of a run was written.

    Each `asyncio.Event` lives as long as somebody holds it. `listener` is called with the workspace each time.
    """

    listener: Callable[[WorkspaceId], None] | None = None
    _events: WeakValueDictionary[tuple[WorkspaceId, RunId], asyncio.Event] = field(default_factory=WeakValueDictionary)

    def event(self, workspace_id: WorkspaceId, run_id: RunId) -> asyncio.Event:
        """The event that is set whenever something of the run was written; whoever waits clears it."""
        event = self._events.get((workspace_id, run_id))
        if event is None:
            event = self._events[workspace_id, run_id] = asyncio.Event()
        return event

    def notify(self, workspace_id: WorkspaceId, run_id: RunId) -> None:
        """Say that something of the run was written."""
        event = self._events.get((workspace_id, run_id))
        if event is not None:
            event.set()
        if self.listener is not None:
            self.listener(workspace_id)


async def wait_briefly(event: asyncio.Event) -> None:
    """Wait until the event is set, or until the store is to be read again."""
    try:
        async with asyncio.timeout(_POLL_SECONDS):
            await event.wait()
    except TimeoutError:
        return


@dataclass(frozen=True)
class RunWatch:
    """One run that is being watched.

    Attributes:
        change_event: set whenever something of it was written on this worker.
        read_row: reads its row; an abandoned run is finished first.
    """

    store: RunStore
    workspace_id: WorkspaceId
    run_id: RunId
    change_event: asyncio.Event
    read_row: Callable[[], Awaitable[RunRow]]

    async def events(self, after: str) -> AsyncIterator[tuple[str, RunEventFields] | None]:
        """Events after an id until the run is over; None every few seconds in which there are none."""
        quiet = 0
        while True:
            self.change_event.clear()
            page = await self.store.events(self.workspace_id, self.run_id, after, _PAGE)
            for event_id, event in page:
                after, quiet = event_id, 0
                yield event_id, event
                if event["type"] == "end":
                    return
            if page:
                continue
            row = await self.read_row()
            if row.is_over and not await self.store.events(self.workspace_id, self.run_id, after, 1):
                return
            quiet += 1
            if quiet % _POLLS_UNTIL_NONE == 0:
                yield None
            await wait_briefly(self.change_event)
