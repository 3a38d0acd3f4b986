"""An open room: the shell around the pure room (`collab.room`), with its timers and its sources.

It follows the workspace's writer, receives wakes and presence from other workers, and runs the room's timers. Commits
are learned from the writer only; wakes and a heartbeat every few seconds merely make the writer look at the log. Not
here: one page (`connection`), runs (`run_updates`), when a room is opened and closed (`hub`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Final

import structlog

from draftsmith.collab.connection_state import ConnectionState
from draftsmith.collab.gossip_message import InstanceId
from draftsmith.collab.protocol import CloseReason, close_reason
from draftsmith.collab.room import KEEPALIVE_S, Join, Room
from draftsmith.collab.server_messages import LiveLimits, WelcomeBase
from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.history.commit import Head
from draftsmith.history.replica import Replica
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.ports.live import AppendWake
from draftsmith.usecases.coalesce import CoalescedTask
from draftsmith.usecases.live.dependencies import Dependencies
from draftsmith.usecases.live.run_updates import RunUpdates

_log: Final = structlog.get_logger("draftsmith.live")
_SILENCE_S: Final = int(3 * KEEPALIVE_S)
_REFRESH_APART_S: Final = 0.025
_GOSSIP_APART_S: Final = 0.05
_REPLY_S: Final = 0.25  # how long the reply to an append may take before the log is looked at instead
_GONE: Final = frozenset({"workspace_deleted", "workspace_not_found"})


class OpenRoom:
    """One workspace's room while it is open.

    Attributes:
        room: the pure room.
        close_reason: why everybody has to leave; None while nobody has to.
    """

    def __init__(self, workspace_id: WorkspaceId, dependencies: Dependencies, replica: Replica) -> None:
        """Follow the workspace's writer from the state of `replica`; `start` does the rest."""
        self.workspace_id, self.dependencies = workspace_id, dependencies
        clock = dependencies.clock
        self.room = Room(_welcome(workspace_id, dependencies.limits), InstanceId(clock.new_id()), replica)
        self.close_reason: CloseReason | None = None
        self._followers: set[asyncio.Event] = set()
        self._timer: asyncio.Handle | None = None
        self._timer_at = 0.0
        self._full_reason = ""
        self._notified_head: Head = replica.head  # where the log was when followers and run updates were last notified
        self._is_closed = False
        self._heartbeat = asyncio.create_task(self._run_heartbeat(), name=f"heartbeat {workspace_id}")
        self._refreshing = CoalescedTask(self._refresh, clock, _REFRESH_APART_S, f"follow {workspace_id}")
        self._gossiping = CoalescedTask(self._send_gossip, clock, _GOSSIP_APART_S, f"send presence {workspace_id}")
        self.run_updates = RunUpdates(workspace_id, dependencies, self.room, self.schedule)
        dependencies.workspaces.watch(workspace_id, self._workspace_moved)

    async def start(self) -> None:
        """Listen to other workers."""
        self.set_store_status(is_ok=True)
        await self.dependencies.wakes.listen(self.workspace_id, self._on_wake, self._gossip_received)

    async def close(self) -> None:
        """Stop following, and tell other workers that nobody is here any more."""
        self._is_closed = True
        self.dependencies.workspaces.unwatch(self.workspace_id)
        await self.dependencies.wakes.unlisten(self.workspace_id)
        if self._timer is not None:
            self._timer.cancel()
        self._heartbeat.cancel()
        await asyncio.wait([self._heartbeat])
        for one in (self._refreshing, self._gossiping, self.run_updates):
            await one.close()
        await self.dependencies.wakes.send_presence(self.workspace_id, self.room.gossip.last_message())

    # -- pages and followers -----------------------------------------------------------------------------------------

    def join(self, connection: ConnectionState, join: Join) -> None:
        """A page has opened."""
        clock = self.dependencies.clock
        self.room.join(connection, join, clock.monotonic(), clock.now_ms())
        if self.close_reason is not None:  # set while the page was joining
            connection.close(self.close_reason)
        self.schedule()

    def leave(self, connection: ConnectionState) -> None:
        """A page is gone."""
        self.room.leave(connection)
        if not self._is_closed:
            self.run_updates.sync_feeds()
            self.schedule()

    @contextmanager
    def subscribe(self) -> Iterator[asyncio.Event]:
        """An event that is set whenever the log has moved, or everybody has to leave."""
        event = asyncio.Event()
        self._followers.add(event)
        try:
            yield event
        finally:
            self._followers.discard(event)

    def disconnect_all(self, reason: CloseReason) -> None:
        """Everybody has to leave."""
        self.close_reason = reason
        self.room.close(reason)
        for connection in self.room.connections.values():
            connection.wake()
        for event in self._followers:
            event.set()

    # -- timers ------------------------------------------------------------------------------------------------------

    def schedule(self) -> None:
        """The room may have something to send: have it sent when it is due, here and to other workers."""
        if self._is_closed:
            return
        now = self.dependencies.clock.monotonic()
        if self.room.gossip.is_due(now):
            self._gossiping.request()
        wait = self.room.next_tick(now)
        if wait is None:
            return
        loop = asyncio.get_running_loop()
        at = loop.time() + wait
        if self._timer is not None:
            if self._timer_at <= at:
                return
            self._timer.cancel()
        # A timer even where it is due at once, so that everything of this turn of the loop is sent together.
        self._timer, self._timer_at = loop.call_at(at, self._tick), at  # uvloop's handles do not tell their time

    def _tick(self) -> None:
        self._timer = None
        for connection in self.room.tick(self.dependencies.clock.monotonic()):
            connection.wake()
        self.schedule()

    async def _run_heartbeat(self) -> None:
        while True:
            await self.dependencies.clock.sleep(self.dependencies.heartbeat)
            try:
                self._beat()
            except Exception:  # noqa: BLE001  # a defect must not stop the heartbeat
                _log.exception("heartbeat_failed", workspace=self.workspace_id)

    def _beat(self) -> None:
        """Check everything, whether or not there is a reason to."""
        for connection in self.room.heartbeat(self.dependencies.clock.monotonic()):
            connection.wake()
        self.run_updates.sync_feeds()
        self.run_updates.request_read()
        self._refreshing.request()
        self.schedule()

    # -- the log and the store ---------------------------------------------------------------------------------------

    def _workspace_moved(self, replica: Replica | None) -> None:
        """The writer's replica has moved, was loaded again, or was dropped."""
        if self._is_closed:
            return
        self.room.workspace_moved(replica)  # which a page that needed the whole state may have done before
        if replica is None:
            self._refreshing.request()
        elif replica.head != self._notified_head:
            self._notified_head = replica.head
            self._full_reason = ""
            if not self.room.shared.store.is_ok:
                self._refreshing.request()  # which finds that it can be written to again
            self.run_updates.request_read()
            for event in self._followers:
                event.set()
        self.schedule()

    def _on_wake(self, append: AppendWake | None) -> None:
        """The log may have moved; what this worker has appended comes from its writer."""
        if append is None or append.worker != self.dependencies.workspaces.worker:
            self._refreshing.request()
        elif append.revision > self._notified_head.revision and not self._is_closed:
            # The writer's reply is mostly on its way; if it was lost, this is how the commit is learned of.
            asyncio.get_running_loop().call_later(_REPLY_S, self._check_appended, append.revision)

    def _check_appended(self, revision: int) -> None:
        if revision > self._notified_head.revision and not self._is_closed:
            self._refreshing.request()

    async def _refresh(self) -> None:
        """Have the writer look where the log ends now."""
        try:
            await self.dependencies.workspaces.refresh(self.workspace_id)
        except StorageError as error:
            self.set_store_status(is_ok=False, reason=error.detail)
        except DraftsmithError as error:
            if error.code in _GONE:
                self.disconnect_all(close_reason(error.code, error.detail))
            else:
                _log.warning("refresh_failed", workspace=self.workspace_id, reason=error.detail)
        else:
            self.set_store_status(is_ok=not self._full_reason, reason=self._full_reason)

    def set_store_status(self, *, is_ok: bool, reason: str = "", is_full: bool = False) -> None:
        """Whether the store can be written to, else why not; a full one counts as full until a write succeeds."""
        if is_full:
            self._full_reason = reason
        risks = [asdict(risk) for risk in self.dependencies.store_risks()]
        if not self._is_closed and self.room.store_changed(is_ok=is_ok, reason=reason, risks=risks):
            self.schedule()

    # -- presence on other workers -----------------------------------------------------------------------------------

    def _gossip_received(self, content: bytes) -> None:
        """Another worker has sent its members."""
        if self._is_closed:
            return
        if self.room.gossip.receive(content, self.dependencies.clock.monotonic()):
            self.run_updates.request_read(is_announced=True)
        self.schedule()

    async def _send_gossip(self) -> None:
        now = self.dependencies.clock.monotonic()
        if self.room.gossip.is_due(now):
            message = self.room.gossip.next_message(now)
            await self.dependencies.wakes.send_presence(self.workspace_id, message)


def _welcome(workspace_id: WorkspaceId, limits: WorkspaceLimits) -> WelcomeBase:
    """The members of `welcome` that are the same for all pages."""
    sizes: LiveLimits = {
        "operations": limits.operations, "batch_bytes": limits.batch_bytes, "document_chars": limits.document_chars,
    }  # fmt: skip
    return {"w": workspace_id, "silence_s": _SILENCE_S, "limits": sizes}
