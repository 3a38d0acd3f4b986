"""uvicorn's WebSocket protocol with stricter handling of peers that are gone, slow or wrong.

What is changed, and why: a page that loads much over a slow line answers pings late, so any data counts as a sign of
life; a peer that sends nothing, or does not complete the closing handshake, is aborted, since a regular close would
wait for it to read; and invalid UTF-8 or a refused handshake is the peer's fault and not logged.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Final

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN

MAX_MESSAGE_BYTES: Final = 16 * 1024 * 1024
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


class PageSocket(WebSocketsSansIOProtocol):
    """One WebSocket."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.logger = self.conn.logger = _quiet_logger
        self.conn.debug = False
        self._received_at = 0.0
        self._abort_timer: asyncio.TimerHandle | None = None

    def data_received(self, data: bytes) -> None:
        """Count any data as a sign of life."""
        self._received_at = self.loop.time()
        super().data_received(data)

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
                self.conn.fail(_NOT_UTF8, "a message is text in UTF-8")
                self.handle_parser_exception()
                return
        super().send_receive_event_to_app()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Give the page a moment for the closing handshake once the application is done with it."""
        super().on_task_complete(task)
        if not self.disconnected:
            self._abort_timer = self.loop.call_later(self.close_timeout, self.transport.abort)

    async def send(self, message: ASGISendEvent) -> None:
        """Send; a handshake that the application refused with a response is complete, too."""
        if message["type"] == "websocket.send" and self.conn.state is OPEN and self.writable.is_set():
            text = message.get("text")
            if text is not None and not self.disconnected and not self.close_sent:
                self.transport.write(_frame_cache.frame(text))
                return
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body"):
            self.handshake_complete = True

    def shutdown(self) -> None:
        """Close the connection as the process stops, and abort it if the page does not read."""
        super().shutdown()
        self.loop.call_later(_STOP_SECONDS, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timer."""
        super().connection_lost(exc)
        if self._abort_timer is not None:
            self._abort_timer.cancel()
