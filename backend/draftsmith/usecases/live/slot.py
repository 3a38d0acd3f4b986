"""One workspace's place among the rooms of a worker: the first user opens the room, the last one closes it."""

from __future__ import annotations

import asyncio

from draftsmith.history.replica import Replica
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.live.dependencies import Dependencies
from draftsmith.usecases.live.room import OpenRoom
from draftsmith.usecases.replicas.log_reader import LogReader


class RoomSlot:
    """A room that may be open.

    Attributes:
        users: how many pages and followers use it, or are about to.
        room: the room; None while it is closed.
    """

    def __init__(self, workspace_id: WorkspaceId, dependencies: Dependencies) -> None:
        self.workspace_id = workspace_id
        self.users = 0
        self.room: OpenRoom | None = None
        self._dependencies = dependencies
        self._lock = asyncio.Lock()
        self._opening: asyncio.Task[None] | None = None
        self._closed_resyncs = 0

    @property
    def resyncs(self) -> int:
        """How many whole states were sent to pages that had one already."""
        return self._closed_resyncs + (0 if self.room is None else self.room.room.shared.resyncs)

    async def open(self) -> tuple[OpenRoom, Replica, LogReader]:
        """Open the room unless it is open; return it, the workspace as new as the log, and a reader of its log.

        Raises:
            DraftsmithError: as reads.
        """
        if self.room is None:
            if self._opening is None:  # one for all who wait, so that an absent store delays each of them only once
                self._opening = asyncio.create_task(self._open(), name=f"open {self.workspace_id}")
                self._opening.add_done_callback(self._on_opened)
            await asyncio.shield(self._opening)
        replica, reader = await self._dependencies.workspaces.log_reader(self.workspace_id)
        assert self.room is not None, "a room with users stays open"
        self.room.close_reason = None  # the workspace may have been in the trash
        return self.room, replica, reader

    async def _open(self) -> None:
        async with self._lock:
            if self.room is not None:
                return
            workspaces = self._dependencies.workspaces
            workspaces.watch(self.workspace_id, lambda _: None)  # keeps it in memory
            try:
                replica, _ = await workspaces.log_reader(self.workspace_id)
            except BaseException:
                workspaces.unwatch(self.workspace_id)
                raise
            self.room = OpenRoom(self.workspace_id, self._dependencies, replica)
            await self.room.start()

    def _on_opened(self, opening: asyncio.Task[None]) -> None:
        self._opening = None
        if not opening.cancelled():
            opening.exception()  # retrieved here in case nobody waits for it any more

    async def close_if_unused(self) -> None:
        """Close the room, if it has no users."""
        async with self._lock:
            if self.users or self.room is None:
                return
            room, self.room = self.room, None
            self._closed_resyncs += room.room.shared.resyncs
            await room.close()
