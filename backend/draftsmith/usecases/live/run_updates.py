"""What happens beside the log, for one open room: runs, their events, and proposals.

Looked at when somebody has reason to, about once a second at most; events of a run are read once for all who watch it.
Not here: what a page is told of it (`collab.boards`, `collab.feeds`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from typing import Any, Final, cast

import structlog

from draftsmith.collab.feeds import Feed
from draftsmith.collab.listener import Listener
from draftsmith.collab.room import Room
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import RunId, WorkspaceId
from draftsmith.usecases.coalesce import CoalescedTask
from draftsmith.usecases.live.dependencies import World
from draftsmith.usecases.runs.views import proposal_view, run_view

_log: Final = structlog.get_logger("draftsmith.live")
_OVER_MS: Final = 60_000  # how long a run is shown after its end
_LOOK_APART_S: Final = 1.0
_WATCHED_AT_MOST: Final = 32

Events = AsyncGenerator[tuple[str, Mapping[str, Any]] | None, None]


class News:
    """Runs and proposals of one workspace, for the room that is open."""

    def __init__(self, workspace_id: WorkspaceId, world: World, room: Room, stir: Callable[[], None]) -> None:
        """Begin with a look; `stir` is called when something has changed."""
        self._workspace_id, self._world, self._room, self._stir = workspace_id, world, room, stir
        self._looking = CoalescedTask(self._look, world.clock, _LOOK_APART_S, f"look at runs {workspace_id}")
        self._was_hinted = False
        self._pumps: dict[str, asyncio.Task[None]] = {}
        self._dropped: set[asyncio.Task[None]] = set()
        self._looking.request()

    async def close(self) -> None:
        """Look no more."""
        await self._looking.close()
        tasks = {*self._pumps.values(), *self._dropped}
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def look(self, *, hinted: bool = False) -> None:
        """Something may have changed; `hinted`: another worker says so, and needs not be told again."""
        self._was_hinted = self._was_hinted or hinted
        self._looking.request()

    async def _look(self) -> None:
        was_hinted, self._was_hinted = self._was_hinted, False
        try:
            runs = [run_view(run) for run in await self._world.assistant.recent_runs(self._workspace_id, _OVER_MS)]
            listed = await self._world.proposals.list(self._workspace_id)
        except DraftsmithError as error:
            _log.debug("look_put_off", workspace=self._workspace_id, reason=error.detail)
            return
        proposals = [proposal_view(one) for one in listed if one["status"] == "open"]
        changed = [self._room.runs.put(runs), self._room.proposals.put(proposals)]
        if any(changed):
            if not was_hinted:
                self._room.roster.hint()
            self._tell()

    # -- events of runs ----------------------------------------------------------------------------------------------

    def watch(self, listener: Listener, run: RunId, after: str) -> None:
        """A page wants the events of a run that come after one."""
        self.drop_unwatched()
        if len(listener.watched) >= _WATCHED_AT_MOST and run not in listener.watched:
            feed = Feed(run)
            feed.end(DraftsmithError("busy", f"A page watches at most {_WATCHED_AT_MOST} runs; unwatch one."))
            for message in feed.after((0, 0))[0]:
                listener.say(message)
            return
        self._room.watch(listener, run, after)
        feed = self._room.feeds[run]
        if run not in self._pumps and not feed.is_over:
            self._pumps[run] = asyncio.create_task(self._pump(feed), name=f"watch run {run}")

    def unwatch(self, listener: Listener, run: RunId) -> None:
        """A page has seen enough."""
        listener.watched.pop(run, None)
        self.drop_unwatched()

    def drop_unwatched(self) -> None:
        """Read no more of what nobody watches."""
        for run in self._room.drop_unwatched():
            pump = self._pumps.pop(run, None)
            if pump is not None:
                pump.cancel()
                self._dropped.add(pump)
                pump.add_done_callback(self._dropped.discard)

    async def _pump(self, feed: Feed) -> None:
        """Read the events of a run for everybody who watches it."""
        try:
            async with aclosing(cast(Events, self._world.assistant.watch(self._workspace_id, feed.run, "0"))) as events:
                async for event in events:
                    if event is not None:
                        feed.add(*event)
                        self._tell()
            feed.end()
        except DraftsmithError as error:
            feed.end(error)
        except Exception:  # noqa: BLE001  # whatever it is, whoever watches is to hear that nothing more comes
            _log.exception("watch_failed", workspace=self._workspace_id, run=feed.run)
            feed.end(DraftsmithError("internal", "The run could not be watched on."))
        if self._pumps.get(feed.run) is asyncio.current_task():
            del self._pumps[feed.run]
        self._tell()

    def _tell(self) -> None:
        self._room.notice()
        self._stir()
