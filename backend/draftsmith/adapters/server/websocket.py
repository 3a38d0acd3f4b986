"""uvicorn's WebSocket protocol with stricter handling of peers that are gone, slow or wrong.

What is changed, and why: a page that loads much over a slow line answers pings late, so any data counts as a sign of
life; a peer that sends nothing, or does not complete the closing handshake, is aborted, since a regular close would
wait for it to read, and so is one that reads too little (`slow_clients`); and invalid UTF-8 or a refused handshake is
the peer's fault and not logged. Messages that are too large, or have too many fragments, end the connection with a
reason, for which the peer has a moment, and so do large ones while many wait to be complete on this process.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Final

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import OPEN

from draftsmith.adapters.server.slow_clients import UnsentWatch
from draftsmith.ports.live import WRITER_EXTENSION

MAX_MESSAGE_BYTES: Final = 8 * 1024 * 1024
"""A page sends no more than a text as long as a document may be: 2,000,000 characters of 4 bytes."""
MAX_FRAGMENTS: Final = 4_096
MAX_UNREAD_BYTES: Final = 64 * 1024 * 1024
"""Bytes of messages that are not complete, or not yet taken by the application, of all connections of this process."""
MESSAGE_SECONDS: Final = 120.0
"""How long a large message may take to come."""
_SMALL: Final = 65_536  # up to which nobody is refused because of others, or for being slow
_LINGER_SECONDS: Final = 2.0
_TOO_LARGE: Final = 1009
_TRY_AGAIN: Final = 1013
PING_SECONDS: Final = 20.0
PONG_SECONDS: Final = 60.0
"""How long a page may send nothing after a ping."""
_STOP_SECONDS: Final = 1.0
# Its lines contain whole URLs and messages, and so tickets, cookies and typed text.
_quiet_logger = logging.getLogger("uvicorn.error.sockets")
_quiet_logger.setLevel(logging.WARNING)
_NOT_UTF8: Final = 1007


class _FrameCache:
    """Caches the frame of the last text that was sent, so that a broadcast is encoded once for all pages.

    A server's frames have no mask, and there are no extensions here, so they are the same for every page.
    """

    def __init__(self) -> None:
        self._text, self._bytes = "", b""

    def frame(self, text: str) -> bytes:
        """The frame of a text; it is reused if the text is the same object."""
        if text is not self._text:
            self._text, self._bytes = text, Frame(Opcode.TEXT, text.encode()).serialize(mask=False)
        return self._bytes


_frame_cache: Final = _FrameCache()


class _Unread:
    """The bytes that wait on all connections."""

    total = 0


class PageSocket(WebSocketsSansIOProtocol):
    """One WebSocket."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.logger = self.conn.logger = _quiet_logger
        self.conn.debug = False
        self._received_at = 0.0
        self._abort_timer: asyncio.TimerHandle | None = None
        self._watch: UnsentWatch | None = None
        self._unread = self._queued = 0
        self._large_since: float | None = None
        self._is_refused = False
        self._fail, self.conn.fail = self.conn.fail, self._failing  # type: ignore[method-assign]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to watch whether it reads."""
        super().connection_made(transport)
        self._watch = UnsentWatch(self.transport)

    def handle_connect(self, event: Request) -> None:
        """Offer the application to write at once."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][WRITER_EXTENSION] = {"socket": self}

    def can_write(self) -> bool:
        """Whether a text would go out without waiting."""
        is_open = self.conn.state is OPEN and not self.disconnected and not self.close_sent
        return is_open and self.writable.is_set()

    async def until_writable(self) -> None:
        """Wait until it would, or the page has gone."""
        await self.writable.wait()

    def write(self, text: str) -> None:
        """Send a text; only while `can_write`."""
        self.transport.write(_frame_cache.frame(text))

    def pause_writing(self) -> None:
        """The buffer is full."""
        super().pause_writing()
        if self._watch is not None:
            self._watch.start()

    def resume_writing(self) -> None:
        """There is room again."""
        super().resume_writing()
        if self._watch is not None:
            self._watch.stop()

    def data_received(self, data: bytes) -> None:
        """Count any data as a sign of life; of a refused message, read the rest and let it go."""
        self._received_at = self.loop.time()
        if self._is_refused:
            return
        super().data_received(data)
        self._count_unread()

    def _count_unread(self) -> None:
        """Count what waits here, and refuse it where it is too much or has come too slowly."""
        if self._is_refused:
            return
        now = self.loop.time()
        coming = len(self.conn.reader.buffer) + (self.conn.current_size or 0)
        self._set_unread(coming + self._queued)
        if coming <= _SMALL:
            self._large_since = None
            return
        self._large_since = self._large_since or now
        if _Unread.total > MAX_UNREAD_BYTES or now - self._large_since > MESSAGE_SECONDS:
            self._refuse(_TRY_AGAIN, "bodies_full: the server receives too much, or this too slowly")

    def _set_unread(self, size: int) -> None:
        _Unread.total += size - self._unread
        self._unread = size

    def _failing(self, code: CloseCode | int, reason: str = "") -> None:
        """Fail the connection, in words of ours where a message is too large."""
        if code == _TOO_LARGE:
            reason = f"message_too_large: A message may have {MAX_MESSAGE_BYTES:,} bytes."
        self._fail(code, reason)

    def _refuse(self, code: int, reason: str) -> None:
        self.conn.fail(code, reason)
        self.handle_parser_exception()

    def handle_parser_exception(self) -> None:
        """Send the close frame, and read on for a moment, since a close with unread data could overtake it."""
        if self._is_refused or self.conn.close_sent is None:
            return
        self._is_refused = True
        closed = self.conn.close_sent
        self.frames = []
        self._set_unread(0)
        self.queue.put_nowait({"type": "websocket.disconnect", "code": closed.code, "reason": closed.reason})
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.close_timer = self.loop.call_later(_LINGER_SECONDS, self.transport.abort)

    def handle_cont(self, event: Frame) -> None:
        """Add a fragment to its message."""
        if len(self.frames) >= MAX_FRAGMENTS:
            self._refuse(_TOO_LARGE, "")
            return
        super().handle_cont(event)

    async def receive(self) -> ASGIReceiveEvent:
        """Give the application the next message."""
        message = await super().receive()
        if self._queued and self.queue.empty():
            self._queued = 0
            self._count_unread()
        return message

    def keepalive_timeout(self) -> None:
        """Wait longer for a page that has sent anything since the ping; abort the connection of one that has not."""
        if self._received_at > self.ping_sent_at:
            self.ping_sent_at = self.loop.time()
            self.pong_timer = self.loop.call_later(self.ping_timeout or PONG_SECONDS, self.keepalive_timeout)
            return
        super().keepalive_timeout()
        self.transport.abort()

    def send_receive_event_to_app(self) -> None:
        """Pass a message to the application; invalid UTF-8 ends the connection."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self._refuse(_NOT_UTF8, "a message is text in UTF-8")
                return
        self._queued += sum(map(len, self.frames))
        super().send_receive_event_to_app()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Give the page a moment for the closing handshake once the application is done with it."""
        super().on_task_complete(task)
        if not self.disconnected:
            self._abort_timer = self.loop.call_later(self.close_timeout, self.transport.abort)

    async def send(self, message: ASGISendEvent) -> None:
        """Send; a handshake that the application refused with a response is complete, too."""
        if message["type"] == "websocket.send" and self.can_write():
            text = message.get("text")
            if text is not None:
                self.write(text)
                return
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body"):
            self.handshake_complete = True

    def shutdown(self) -> None:
        """Close the connection as the process stops, and abort it if the page does not read."""
        super().shutdown()
        self.loop.call_later(_STOP_SECONDS, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers, and let go what waits."""
        super().connection_lost(exc)
        self._set_unread(0)
        self._queued = 0
        if self._watch is not None:
            self._watch.stop()
        if self._abort_timer is not None:
            self._abort_timer.cancel()
