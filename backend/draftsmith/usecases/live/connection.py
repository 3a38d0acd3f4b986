"""One page's connection: frames for it are waited for, its messages are handled, its writes go to the writer.

Handling a message never waits; writes are queued at the workspace's writer in the order in which they came. A defect
here closes this connection and no other. Not here: what a frame contains (`collab.connection_state`), sockets
(`api.live`).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import structlog

from draftsmith.collab.client_messages import (
    ClientMessage,
    Hello,
    Redo,
    Resync,
    Revert,
    Submit,
    Type,
    Undo,
    Unwatch,
    Watch,
    Write,
)
from draftsmith.collab.connection_state import ConnectionState
from draftsmith.collab.gossip_message import MemberId
from draftsmith.collab.protocol import CloseReason, ProtocolError, close_reason, encode
from draftsmith.collab.run_feeds import run_gone
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.model.ids import RunId
from draftsmith.ports.live import PageWriter
from draftsmith.usecases.live.requests import ReadBatch, read_batch, request_of
from draftsmith.usecases.live.room import OpenRoom
from draftsmith.usecases.prepare.queue import Answer
from draftsmith.usecases.requests.identity import identify

_log: Final = structlog.get_logger("draftsmith.live")
_FAILED: Final = "Something went wrong here; the server's log says what."
_DEFECT: Final = close_reason("internal", _FAILED, 5_000)
_WRITE_FAILED: Final = DraftsmithError("internal", _FAILED)


class Connection(ConnectionState):
    """One page's connection to an open room.

    Attributes:
        writer: where a frame that is due is written at once, while `next_frame` waits; None for nowhere.
    """

    def __init__(self, room: OpenRoom, actor: Actor, release: Callable[[], Awaitable[None]]) -> None:
        """Connect; `release` gives up the use of the room."""
        super().__init__(MemberId(room.dependencies.clock.new_id()), actor, room.room.shared)
        self._room, self._release = room, release
        self._ready = asyncio.Event()
        self._ready.set()
        self.writer: PageWriter | None = None
        self._is_waited_for = self._has_left = False
        self._unanswered: Counter[str] = Counter()  # writes that the writer has, by transaction id

    def wake(self) -> None:
        """There may be a frame, which is written at once if nothing stands in its way: a task costs more than that."""
        is_plain = self._is_waited_for and self.close_reason is None and self.state_reason is None
        if not is_plain or self.writer is None or not self.writer.can_write():
            self._ready.set()
            return
        frame = self._build_frame()
        try:
            if frame is not None:
                self.writer.write(frame)
        except Exception:  # noqa: BLE001  # a defect, which must concern this page only
            self._fail("frame_failed")

    async def next_frame(self) -> str | CloseReason:
        """Wait for the next frame; a reason if the connection is to be closed, after its `bye` was in a frame.

        It is built once the page takes one: it holds what is newest then, and meanwhile there is none in memory.
        """
        while True:
            self._is_waited_for = True
            await self._ready.wait()
            self._is_waited_for = False
            if self.writer is not None:
                await self.writer.until_writable()
            self._ready.clear()
            if self.is_closed and self.close_reason is not None:
                self._ready.set()
                return self.close_reason
            frame = self._build_frame()
            if frame is not None:
                return frame

    def _build_frame(self) -> str | None:
        room = self._room.room
        try:
            frame = room.frame(self, self._room.dependencies.clock.monotonic())
            if frame is not None and (self.is_closed or self.has_news()):
                self._ready.set()
        except Exception:  # noqa: BLE001  # a defect, which must concern this page only
            self._fail("frame_failed")
            self.is_closed = True
            return f"[{encode(_DEFECT.bye()).decode()}]"
        return frame

    def _fail(self, event: str, **more: str) -> None:
        """Log the exception that is being handled, and have this page alone closed."""
        _log.exception(event, workspace=self._room.workspace_id, member=self.member, **more)
        self.close(_DEFECT)
        self._ready.set()

    async def read_batch(self, message: ClientMessage) -> ReadBatch | None:
        """Read the batch of a message before it is handled, in slices; None for a message of another kind."""
        return await read_batch(message, self._room.dependencies.limits)

    def handle(self, message: ClientMessage, batch: ReadBatch | None = None) -> None:
        """Handle a message of the page, whose batch may have been read; never waits.

        Raises:
            ProtocolError: a second hello.
        """
        if isinstance(message, Hello):
            raise ProtocolError(close_reason("invalid_message", "a second hello"))
        if self._has_left or self.close_reason is not None:
            return
        try:
            match message:
                case Submit() | Type() | Undo() | Redo() | Revert():
                    self._write(message, batch)
                case _:
                    self._pass_to_room(message)
        except Exception:  # noqa: BLE001  # as above
            self._fail("message_failed", kind=message.t)

    def refuse(self, message: ClientMessage, error: DraftsmithError) -> None:
        """Refuse a message that this page may not send; one that is neither a write nor a watch is passed over."""
        if isinstance(message, Watch) and not self._has_left:
            self.send([run_gone(RunId(message.run), error)])
            self._ready.set()
        if isinstance(message, Submit | Type | Undo | Redo | Revert) and not self._has_left:
            identity = identify(self.actor, message.id, self._room.dependencies.clock)
            self.write_sent(identity.txid, message.id)
            self._on_refusal(identity.txid, error)

    def _pass_to_room(self, message: ClientMessage) -> None:
        if self._room.room.handle(self, message):
            self._ready.set()
        if isinstance(message, Watch | Unwatch):
            self._room.run_updates.sync_feeds()
        elif isinstance(message, Resync):
            _log.warning("resync_asked", workspace=self._room.workspace_id, member=self.member, why=message.why)
        self._room.schedule()

    async def leave(self) -> None:
        """Leave the room; writes that are not answered are carried out all the same."""
        if not self._has_left:
            self._has_left = True
            self._room.leave(self)
            await self._release()

    # -- writes ------------------------------------------------------------------------------------------------------

    def _write(self, message: Write, batch: ReadBatch | None) -> None:
        dependencies, workspace_id = self._room.dependencies, self._room.workspace_id
        identity = identify(self.actor, message.id, dependencies.clock, self.member)
        refuse = partial(self._on_refusal, identity.txid)
        if self._unanswered[identity.txid] and identity.txid in self.writes:
            refuse = partial(self._another_refused, identity.txid, message.id)
        else:
            self.write_sent(identity.txid, message.id)
        try:
            request = request_of(message, identity, self.actor, dependencies.limits, batch)
            answer = dependencies.workspaces.enqueue(workspace_id, request)
            if answer.done():  # refused at once
                answer.result()
        except DraftsmithError as error:
            refuse(error)
        except Exception:  # noqa: BLE001  # a defect in reading this one write
            _log.exception("write_failed", workspace=workspace_id, batch_id=message.id)
            refuse(_WRITE_FAILED)
        else:
            self._unanswered[identity.txid] += 1
            answer.add_done_callback(partial(self._on_answer, identity.txid))

    def _another_refused(self, txid: str, write_id: str, error: DraftsmithError) -> None:
        if self.another_refused(txid, write_id, error):
            self._ready.set()

    def _on_answer(self, txid: str, answer: asyncio.Future[Answer]) -> None:
        self._unanswered[txid] -= 1
        is_last = not self._unanswered[txid]
        if is_last:
            del self._unanswered[txid]
        if self._has_left:
            return
        error = answer.exception()
        if error is not None and not is_last:
            return  # a later copy of it waits, whose answer is what holds
        if error is None:
            if self.write_answered(txid, answer.result()):
                self._ready.set()
        elif isinstance(error, DraftsmithError):
            self._on_refusal(txid, error)
        else:
            _log.error("write_failed", workspace=self._room.workspace_id, exc_info=error)
            self._on_refusal(txid, _WRITE_FAILED)

    def _on_refusal(self, txid: str, error: DraftsmithError) -> None:
        if error.code == "storage_full":
            self._room.set_store_status(is_ok=False, reason=error.detail, is_full=True)
        if error.code == "claimed_elsewhere":
            # The hello of an older connection was read later than this one's, or this tab has taken the write over from
            # a closed one. The page claims it when it comes back.
            self.close(close_reason(error.code, error.detail, 0))
            self._ready.set()
        elif self.write_refused(txid, error):
            self._ready.set()
