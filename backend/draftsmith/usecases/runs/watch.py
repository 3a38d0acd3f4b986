"""Watching runs from any worker: events as they come, and waiting for the end.

The store is looked at a few times a second; a bell on the worker that runs it saves the wait there.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from weakref import WeakValueDictionary

from draftsmith.model.ids import RunId, WorkspaceId
from draftsmith.ports.runs import RunRow, RunStore

Json = Mapping[str, Any]
_LOOK_SECONDS: Final = 0.2
_QUIET_LOOKS: Final = 25
_PAGE: Final = 500


@dataclass
class Bells:
    """What rings on this worker when something of a run is written; each lives as long as somebody listens.

    `listener` is told of the workspace each time.
    """

    listener: Callable[[WorkspaceId], None] | None = None
    _bells: WeakValueDictionary[tuple[WorkspaceId, RunId], asyncio.Event] = field(default_factory=WeakValueDictionary)

    def of(self, workspace_id: WorkspaceId, run_id: RunId) -> asyncio.Event:
        """The bell of a run."""
        bell = self._bells.get((workspace_id, run_id))
        if bell is None:
            bell = self._bells[workspace_id, run_id] = asyncio.Event()
        return bell

    def ring(self, workspace_id: WorkspaceId, run_id: RunId) -> None:
        """Tell everybody who listens."""
        bell = self._bells.get((workspace_id, run_id))
        if bell is not None:
            bell.set()
        if self.listener is not None:
            self.listener(workspace_id)


async def pause(bell: asyncio.Event) -> None:
    """Wait for the bell, or a moment."""
    try:
        async with asyncio.timeout(_LOOK_SECONDS):
            await bell.wait()
    except TimeoutError:
        return


async def watch(
    store: RunStore,
    workspace_id: WorkspaceId,
    run_id: RunId,
    after: str,
    bell: asyncio.Event,
    look: Callable[[], Awaitable[RunRow]],
) -> AsyncIterator[tuple[str, Json] | None]:
    """Events of a run after an id, until its end; None now and then where nothing comes.

    `look`: the run's row, an abandoned one brought to its end first.
    """
    quiet = 0
    while True:
        bell.clear()
        page = await store.events(workspace_id, run_id, after, _PAGE)
        for event_id, event in page:
            after, quiet = event_id, 0
            yield event_id, event
            if event["type"] == "end":
                return
        if page:
            continue
        row = await look()
        if row.is_over and not await store.events(workspace_id, run_id, after, 1):
            return
        quiet += 1
        if quiet % _QUIET_LOOKS == 0:
            yield None
        await pause(bell)
