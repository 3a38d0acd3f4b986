"""Runs, their events and proposals of one workspace, passed to the room that is open for it.

They are read again when there is a reason to, about once a second at most; the events of a run are read once for all
pages that watch it. Not here: what pages are sent (`collab.shared_state`, `collab.run_feeds`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Final, cast

import structlog

from draftsmith.collab.room import Room
from draftsmith.collab.run_feeds import RunFeed
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports.run_events import RunEventFields
from draftsmith.usecases.coalesce import CoalescedTask
from draftsmith.usecases.live.dependencies import Dependencies

_log: Final = structlog.get_logger("draftsmith.live")
_SHOWN_MS: Final = 60_000  # how long a run is listed after its end
_READ_APART_S: Final = 1.0

Events = AsyncGenerator[tuple[str, RunEventFields] | None, None]


class RunUpdates:
    """Reads runs and proposals for one open room."""

    def __init__(
        self, workspace_id: WorkspaceId, dependencies: Dependencies, room: Room, schedule: Callable[[], None]
    ) -> None:
        """Start with a first read; `schedule` is called when the room has something new."""
        self._workspace_id, self._dependencies = workspace_id, dependencies
        self._room, self._schedule = room, schedule
        self._reading = CoalescedTask(self._read, dependencies.clock, _READ_APART_S, f"read runs {workspace_id}")
        self._is_announced = False
        self._feed_tasks: dict[RunFeed, asyncio.Task[None]] = {}
        self._reading.request()

    async def close(self) -> None:
        """Read no more."""
        await self._reading.close()
        tasks = list(self._feed_tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def request_read(self, *, is_announced: bool = False) -> None:
        """Runs or proposals may have changed; `is_announced`: another worker says so, and need not be told."""
        self._is_announced = self._is_announced or is_announced
        self._reading.request()

    async def _read(self) -> None:
        is_announced, self._is_announced = self._is_announced, False
        assistant, proposals = self._dependencies.assistant, self._dependencies.proposals
        try:
            runs = await assistant.recent_runs(self._workspace_id, _SHOWN_MS)
            listed = await proposals.list(self._workspace_id)
        except DraftsmithError as error:
            _log.debug("read_runs_failed", workspace=self._workspace_id, reason=error.detail)
            return
        open_ones = [one for one in listed if one["status"] == "open"]
        if self._room.runs_changed(runs, open_ones, is_announced=is_announced):
            self._schedule()

    # -- events of runs ----------------------------------------------------------------------------------------------

    def sync_feeds(self) -> None:
        """Read the events of the runs that are watched now, and of no others."""
        self._room.drop_unwatched()
        watched = set(self._room.shared.feeds.values())
        for feed in self._feed_tasks.keys() - watched:
            self._feed_tasks[feed].cancel()
        for feed in watched - self._feed_tasks.keys():
            if not feed.is_over:
                task = asyncio.create_task(self._read_feed(feed), name=f"watch run {feed.run}")
                self._feed_tasks[feed] = task
                task.add_done_callback(lambda _, feed=feed: self._feed_tasks.pop(feed))  # type: ignore[misc]

    async def _read_feed(self, feed: RunFeed) -> None:
        """Read the events of a run for all pages that watch it."""
        watch = self._dependencies.assistant.watch
        try:
            async with aclosing(cast(Events, watch(self._workspace_id, feed.run, "0"))) as events:
                async for event in events:
                    if event is not None:
                        feed.add(*event)
                        self._feed_changed()
            feed.end()
        except DraftsmithError as error:
            feed.end(error)
        except Exception:  # noqa: BLE001  # a defect; whoever watches must learn that nothing more comes
            _log.exception("watch_failed", workspace=self._workspace_id, run=feed.run)
            feed.end(DraftsmithError("internal", "The run could not be watched on."))
        self._feed_changed()

    def _feed_changed(self) -> None:
        self._room.feed_changed()
        self._schedule()
