"""An open room: the shell around `collab.room` that follows the log, other workers, runs and proposals.

It stays open while somebody sits in it or follows it. What it learns, it learns from the owner of the workspace's
memory, never from what other workers send: their word, and a look every few seconds, only make it look. Not here: one
page (`live_seat`), and which rooms there are (`live`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import structlog

from draftsmith.collab.listener import Listener
from draftsmith.collab.protocol import VERSION, Ending, ending
from draftsmith.collab.room import SIGN_S, Room
from draftsmith.collab.roster import Roster
from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.history.actor import Actor
from draftsmith.history.commit import Head
from draftsmith.history.replica import Replica
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.coalesce import CoalescedTask
from draftsmith.usecases.commits.log_reader import LogReader
from draftsmith.usecases.live.dependencies import World
from draftsmith.usecases.live.run_updates import News

_log: Final = structlog.get_logger("draftsmith.live")
_SILENCE_S: Final = int(3 * SIGN_S)
_REFRESH_APART_S: Final = 0.025
_SAY_APART_S: Final = 0.05
_GONE: Final = frozenset({"workspace_deleted", "workspace_not_found"})


class OpenRoom:
    """One workspace's room and what keeps it up to date.

    Attributes:
        users: how many sit in it or follow it, or are about to.
        ended: why everybody has to leave; None while nobody has.
    """

    def __init__(self, workspace_id: WorkspaceId, world: World) -> None:
        self.workspace_id, self.world = workspace_id, world
        self.users = 0
        self.ended: Ending | None = None
        self._resyncs = 0
        self._door = asyncio.Lock()
        self._opening: asyncio.Task[None] | None = None
        self._room: Room | None = None
        self._news: News | None = None
        self._bells: dict[str, asyncio.Event] = {}
        self._followers: set[asyncio.Event] = set()
        self._timer: asyncio.Handle | None = None
        self._timer_at = 0.0
        self._is_full = False
        self._told_at: Head | None = None  # where the log was when somebody was last told that it had moved
        self._beating: asyncio.Task[None] | None = None
        clock = world.clock
        self._refreshing = CoalescedTask(self._refresh, clock, _REFRESH_APART_S, f"follow {workspace_id}")
        self._saying = CoalescedTask(self._say, clock, _SAY_APART_S, f"tell workers {workspace_id}")

    @property
    def room(self) -> Room:
        """The room; only while it is open."""
        assert self._room is not None, "the room is closed"
        return self._room

    @property
    def news(self) -> News:
        """Its runs and proposals; only while it is open."""
        assert self._news is not None, "the room is closed"
        return self._news

    @property
    def resyncs(self) -> int:
        """How many whole states were sent to pages that had one already."""
        return self._resyncs + (0 if self._room is None else self._room.resyncs)

    # -- its door ----------------------------------------------------------------------------------------------------

    async def open(self) -> tuple[Replica, LogReader]:
        """Open it unless it is open; the workspace as new as the log, and its past.

        Raises:
            DraftsmithError: as reads.
        """
        if self._room is None:
            if self._opening is None:  # one for all who wait: a store that is away keeps each of them waiting once
                self._opening = asyncio.create_task(self._open(), name=f"open {self.workspace_id}")
                self._opening.add_done_callback(self._opened)
            await asyncio.shield(self._opening)
        found = await self.world.workspaces.log_reader(self.workspace_id)
        self.ended = None  # it may have been in the trash
        return found

    async def _open(self) -> None:
        async with self._door:
            if self._room is not None:
                return
            self.world.workspaces.watch(self.workspace_id, self._moved)
            try:
                replica, _ = await self.world.workspaces.log_reader(self.workspace_id)
            except BaseException:
                self.world.workspaces.unwatch(self.workspace_id)
                raise
            self._begin(replica)
            await self.world.wakes.listen(self.workspace_id, self._woken, self._heard)

    def _opened(self, opening: asyncio.Task[None]) -> None:
        self._opening = None
        if not opening.cancelled():
            opening.exception()  # seen, should nobody wait for it any more

    def _begin(self, replica: Replica) -> None:
        limits = self.world.limits
        sizes = {name: getattr(limits, name) for name in ("operations", "batch_bytes", "document_chars")}
        facts: dict[str, Any] = {"v": VERSION, "w": self.workspace_id, "silence_s": _SILENCE_S, "limits": sizes}
        self._room = Room(facts, Roster(self.world.clock.new_id()), replica)
        self.ended = None
        self._is_full = False
        self._told_at = replica.head
        self._beating = asyncio.create_task(self._beat_for_ever(), name=f"heartbeat {self.workspace_id}")
        self._news = News(self.workspace_id, self.world, self._room, self.stir)

    async def close_if_empty(self) -> None:
        """Close it, if nobody is in it."""
        async with self._door:
            if self.users or self._room is None:
                return
            room, self._room = self._room, None
            self._resyncs += room.resyncs
            self.world.workspaces.unwatch(self.workspace_id)
            await self.world.wakes.unlisten(self.workspace_id)
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if self._beating is not None:
                self._beating.cancel()
                await asyncio.wait([self._beating])
            for one in (self._refreshing, self._saying, self._news):
                if one is not None:
                    await one.close()
            await self.world.wakes.send_presence(self.workspace_id, room.roster.say_end())

    # -- who is in it ------------------------------------------------------------------------------------------------

    def bell_of(self, listener: Listener) -> asyncio.Event:
        """What rings when there is something for a page; it rings at once."""
        bell = self._bells[listener.member] = asyncio.Event()
        bell.set()
        self.stir()
        return bell

    def let_go(self, listener: Listener) -> None:
        """A page has gone."""
        self._bells.pop(listener.member, None)
        if self._room is not None:
            self._room.leave(listener)
            self.news.drop_unwatched()
            self.stir()

    def rename(self, actor: Actor) -> None:
        """Somebody has another name now."""
        if self._room is not None:
            self._room.rename(actor, self.world.clock.now_ms())
            self.stir()

    @contextmanager
    def followed(self) -> Iterator[asyncio.Event]:
        """What rings when the log has moved, or everybody has to leave."""
        bell = asyncio.Event()
        self._followers.add(bell)
        try:
            yield bell
        finally:
            self._followers.discard(bell)

    def end(self, end: Ending) -> None:
        """Everybody has to leave."""
        self.ended = end
        if self._room is not None:
            self._room.end(end)
        for bell in (*self._bells.values(), *self._followers):
            bell.set()

    # -- when something is told --------------------------------------------------------------------------------------

    def stir(self) -> None:
        """Something has changed: have it told when its time comes, here and on other workers."""
        if self._room is None:
            return
        now = self.world.clock.monotonic()
        if self._room.roster.has_to_say(now):
            self._saying.request()
        wait = self._room.wait(now)
        if wait is None:
            return
        loop = asyncio.get_running_loop()
        at = loop.time() + wait
        if self._timer is not None:
            if self._timer_at <= at:
                return
            self._timer.cancel()
        # Also where it may go out at once, so that everything of this turn of the loop goes out together.
        self._timer, self._timer_at = loop.call_at(at, self._flush), at  # uvloop's handles do not tell their time

    def _flush(self) -> None:
        self._timer = None
        if self._room is None:
            return
        for listener in self._room.flush(self.world.clock.monotonic()):
            self._bells[listener.member].set()
        self.stir()

    # -- what has happened -------------------------------------------------------------------------------------------

    def _moved(self, replica: Replica | None) -> None:
        """The workspace's memory has moved, was loaded anew, or was dropped."""
        if self._room is None:
            return
        self._room.follow(replica)  # a page that was given the whole state may have had it follow before
        if replica is None:
            self._refreshing.request()
        elif replica.head != self._told_at:
            self._told_at = replica.head
            self._is_full = False
            self.news.look()
            for bell in self._followers:
                bell.set()
        self.stir()

    def look(self) -> None:
        """Something has happened to a run."""
        if self._room is not None:
            self.news.look()

    def was_full(self) -> None:
        """A write was refused because the store is full; it is so until somebody's gets through."""
        self._is_full = True
        self._light(is_on=False)

    def _light(self, *, is_on: bool) -> None:
        if self._room is not None and self._room.store.put(is_on):
            self._room.notice()
            self.stir()

    async def _refresh(self) -> None:
        """Look where the log ends now."""
        try:
            await self.world.workspaces.refresh(self.workspace_id)
        except StorageError:
            self._light(is_on=False)
        except DraftsmithError as error:
            if error.code in _GONE:
                self.end(ending(error.code, error.detail))
            else:
                _log.warning("follow_put_off", workspace=self.workspace_id, reason=error.detail)
        else:
            self._light(is_on=not self._is_full)

    def _heard(self, content: bytes) -> None:
        """Another worker has told of its members."""
        if self._room is None:
            return
        if self._room.roster.receive(content, self.world.clock.monotonic()):
            self.news.look(hinted=True)
        self.stir()

    def _woken(self) -> None:
        """Another worker says that the log has moved."""
        if self._room is not None:
            self._refreshing.request()

    async def _say(self) -> None:
        """Tell other workers of the members here."""
        now = self.world.clock.monotonic()
        if self._room is not None and self._room.roster.has_to_say(now):
            await self.world.wakes.send_presence(self.workspace_id, self._room.roster.say(now))

    async def _beat_for_ever(self) -> None:
        while True:
            await self.world.clock.sleep(self.world.heartbeat)
            try:
                self._beat()
            except Exception:  # noqa: BLE001  # a defect, and nothing would be looked at again
                _log.exception("heartbeat_failed", workspace=self.workspace_id)

    def _beat(self) -> None:
        """Look at everything, whether or not there is a reason to."""
        now = self.world.clock.monotonic()
        self.room.roster.drop_silent(now)
        for listener in self.room.signs_due(now):
            self._bells[listener.member].set()
        self.news.drop_unwatched()
        self.news.look()
        self._refreshing.request()
        self.stir()
