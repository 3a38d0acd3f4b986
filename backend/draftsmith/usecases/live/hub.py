"""Live: the rooms that are open on this worker, who comes in, and how all of them end.

A room is opened by the first who comes and closed after the last who leaves. Not here: what happens in one
(`live_room`), one page (`live_seat`), the socket (`api.live`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Final

from draftsmith.collab.client_messages import Hello
from draftsmith.collab.protocol import ending
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.history.commit import Entry
from draftsmith.history.record import Record
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.limits import Limits
from draftsmith.ports import Clock
from draftsmith.ports.live import Wakes
from draftsmith.usecases.commits.identity import check_id, identify
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.live.connection import Seat
from draftsmith.usecases.live.dependencies import World
from draftsmith.usecases.live.follow import follow
from draftsmith.usecases.live.resume import start_of
from draftsmith.usecases.live.room import OpenRoom
from draftsmith.usecases.proposals.proposals import Proposals
from draftsmith.usecases.runs.assistant import Assistant

__all__ = ["Live", "Seat"]

HEARTBEAT_S: Final = 5.0
_LEAVE_S: Final = 5.0
_RESTARTING: Final = "The server is stopping; another takes over in a moment."


class Live:
    """All rooms, as one worker sees them."""

    def __init__(
        self,
        workspaces: Workspaces,
        wakes: Wakes,
        assistant: Assistant,
        proposals: Proposals,
        clock: Clock,
        worker: str,
        limits: Limits,
        *,
        heartbeat: float = HEARTBEAT_S,
    ) -> None:
        """Open nothing yet; `worker` names this one, `heartbeat`: seconds between two looks without a reason."""
        self.worker = worker
        self._world = World(workspaces, wakes, assistant, proposals, clock, limits, heartbeat)
        self._rooms: dict[str, OpenRoom] = {}
        self._leaving: set[asyncio.Task[None]] = set()
        self._is_closing = False
        self._resyncs = 0
        self._nobody = asyncio.Event()
        assistant.listen(self._look)

    async def sit(self, workspace_id: WorkspaceId, actor: Actor, hello: Hello) -> Seat:
        """Give a page a seat.

        Raises:
            DraftsmithError: as reads; `restarting` while this worker stops.
        """
        room = self._enter(workspace_id)
        try:
            replica, past = await room.open()
            start = await start_of(hello.resume, replica, past)
            clock = self._world.clock
            pending = {identify(actor, one, clock).txid: one for one in hello.pending}
            listener = room.room.sit(
                clock.new_id(), actor, start.place, start.missed, pending,
                clock.monotonic(), clock.now_ms(), start.lack,
                frozen=self._world.workspaces.writer(workspace_id).frozen,
            )  # fmt: skip
            if room.ended is not None:  # in the meantime
                listener.end(room.ended)
            return Seat(room, listener, lambda: self._exit(room))
        except BaseException:
            await self._exit(room)
            raise

    async def follow(
        self, workspace_id: WorkspaceId, after: tuple[str, int] | None
    ) -> AsyncIterator[tuple[Entry, Record] | None]:
        """Commits as they come, after a revision of an epoch or from now on.

        None comes first, when it is known that it can be followed, and then now and then where nothing else does. Ends
        when this worker stops.

        Raises:
            DraftsmithError: `trimmed`; `stale_base` where the history is another one (now); as reads.
        """
        room = self._enter(workspace_id)
        try:
            async with aclosing(follow(room, after)) as found:
                async for one in found:
                    yield one
        finally:
            await self._exit(room)

    def rename(self, actor: Actor) -> None:
        """Somebody has another name now; told in every room of this worker in which they are."""
        for room in self._rooms.values():
            room.rename(actor)

    @property
    def room_count(self) -> int:
        """How many rooms are open."""
        return len(self._rooms)

    @property
    def resyncs(self) -> int:
        """How many whole states were sent to pages that had one already, since this worker started."""
        return self._resyncs + sum(room.resyncs for room in self._rooms.values())

    async def close(self) -> None:
        """Have everybody told that this worker stops, and close every room when they have left."""
        self._is_closing = True
        for room in self._rooms.values():
            room.end(ending("restarting", _RESTARTING, 500))
        if self._rooms:
            try:
                async with asyncio.timeout(_LEAVE_S):
                    await self._nobody.wait()
            except TimeoutError:  # whoever has not left by now is let go of by the end of the process
                for room in list(self._rooms.values()):
                    room.users = 0
                    await room.close_if_empty()
        if self._leaving:
            await asyncio.wait(self._leaving)

    # -- doors -------------------------------------------------------------------------------------------------------

    def _enter(self, workspace_id: WorkspaceId) -> OpenRoom:
        check_id(workspace_id)
        if self._is_closing:
            raise DraftsmithError("restarting", _RESTARTING)
        room = self._rooms.get(workspace_id)
        if room is None:
            room = self._rooms[workspace_id] = OpenRoom(workspace_id, self._world)
        room.users += 1
        self._nobody.clear()
        return room

    async def _exit(self, room: OpenRoom) -> None:
        """Leave a room; where it is closed then, that is brought to its end even if whoever waits for it goes."""
        room.users -= 1
        if room.users <= 0:
            leaving = asyncio.create_task(self._close(room), name=f"close {room.workspace_id}")
            self._leaving.add(leaving)
            leaving.add_done_callback(self._leaving.discard)
            await asyncio.shield(leaving)

    async def _close(self, room: OpenRoom) -> None:
        await room.close_if_empty()
        if not room.users and self._rooms.get(room.workspace_id) is room:
            del self._rooms[room.workspace_id]
            self._resyncs += room.resyncs
        if not self._rooms:
            self._nobody.set()

    def _look(self, workspace_id: WorkspaceId) -> None:
        """Something has happened to a run."""
        room = self._rooms.get(workspace_id)
        if room is not None:
            room.look()
