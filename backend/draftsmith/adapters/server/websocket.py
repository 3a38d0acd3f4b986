"""WebSockets as uvicorn speaks them, with a firmer hand on pages that are gone, slow or wrong.

What is changed, and why: a page that loads much over a thin line answers pings late, so whatever it says counts as a
sign of life; one that says nothing, or does not take its goodbye, is hung up on at once, since an orderly end would
wait for it to read what it does not read; and text that is no UTF-8, or a handshake that was refused, is the page's
affair, for which the log has no room.
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
"""How long a page may say nothing after it was pinged."""
_STOP_SECONDS: Final = 1.0
# What they say of each step names whole addresses, and so tickets, cookies and all that is typed.
_quiet = logging.getLogger("uvicorn.error.sockets")
_quiet.setLevel(logging.WARNING)
_NOT_UTF8: Final = 1007


class _Wire:
    """The last text that was sent, as it goes over the wire: what many pages are told is encoded once for all of them.

    A server's frames carry no mask, and there are no extensions here, so they are the same for everybody.
    """

    def __init__(self) -> None:
        self._text, self._bytes = "", b""

    def of(self, text: str) -> bytes:
        """The frame of a text; known again by being the same object, which costs nothing to see."""
        if text is not self._text:
            self._text, self._bytes = text, Frame(Opcode.TEXT, text.encode()).serialize(mask=False)
        return self._bytes


_wire: Final = _Wire()


class PageSocket(WebSocketsSansIOProtocol):
    """One WebSocket."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.logger = self.conn.logger = _quiet
        self.conn.debug = False
        self._heard_at = 0.0
        self._end: asyncio.TimerHandle | None = None

    def data_received(self, data: bytes) -> None:
        """Take what the page sends as a sign of life."""
        self._heard_at = self.loop.time()
        super().data_received(data)

    def keepalive_timeout(self) -> None:
        """Wait on for a page that has said anything since it was pinged; hang up on one that has not."""
        if self._heard_at > self.ping_sent_at:
            self.ping_sent_at = self.loop.time()
            self.pong_timer = self.loop.call_later(self.ping_timeout or PONG_SECONDS, self.keepalive_timeout)
            return
        super().keepalive_timeout()
        self.transport.abort()

    def send_receive_event_to_app(self) -> None:
        """Pass a message on; text that is none ends the connection."""
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
            self._end = self.loop.call_later(self.close_timeout, self.transport.abort)

    async def send(self, message: ASGISendEvent) -> None:
        """Send; a handshake that was refused with an answer of its own is over, too."""
        if message["type"] == "websocket.send" and self.conn.state is OPEN and self.writable.is_set():
            text = message.get("text")
            if text is not None and not self.disconnected and not self.close_sent:
                self.transport.write(_wire.of(text))
                return
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body"):
            self.handshake_complete = True

    def shutdown(self) -> None:
        """End it as the process stops, which a page that does not read must not hold up."""
        super().shutdown()
        self.loop.call_later(_STOP_SECONDS, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget about it."""
        super().connection_lost(exc)
        if self._end is not None:
            self._end.cancel()
