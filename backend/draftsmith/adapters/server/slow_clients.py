"""Connections whose other end does not read, does not finish the head of a request, or has left in the middle.

A connection may hold unsent bytes as long as they become fewer. One that takes too little for a while is aborted, and
where all together hold too much, those that take least are, one after the other. A page or a program then connects anew
and goes on where it was. For HTTP responses, event streams included, and for WebSockets alike.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import socket
import struct
from typing import Any, Final

from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

WINDOW_SECONDS: Final = 20.0
WINDOW_BYTES: Final = 10_000
"""How many bytes a connection must take in each window while some wait for it."""
MAX_UNSENT_BYTES: Final = 64 * 1024 * 1024
"""Unsent bytes of all connections of this process, unless the application says otherwise."""
_PIECE: Final = 65_536
HEAD_SECONDS: Final = 20.0
MAX_HEAD_BYTES: Final = 65_536
"""How long the head of a request may take, and how long it may be."""
_REFUSALS: Final = {
    "malformed_http": (400, "The request cannot be read", "This is no request of HTTP/1.1."),
    "body_too_slow": (408, "Too slow", f"The head of a request has to come within {HEAD_SECONDS:.0f} seconds."),
    "head_too_large": (431, "Too large", f"The head of a request may have {MAX_HEAD_BYTES:,} bytes."),
}
"""Of heads, which no route sees: by code the status, the title and what is wrong."""


class UnsentBytes:
    """What waits on the connections of this process that are waited for.

    Attributes:
        most: bytes that may wait on all of them; beyond, those that take least are given up first.
    """

    def __init__(self, most: int = MAX_UNSENT_BYTES) -> None:
        self.most = most
        self._waiting: set[UnsentWatch] = set()

    @property
    def total(self) -> int:
        """Bytes that wait, as they were last looked at."""
        return sum(watch.size for watch in self._waiting)

    def add(self, watch: UnsentWatch) -> None:
        """One more is waited for; somebody is given up where that makes it too much."""
        self._waiting.add(watch)
        if self.total <= self.most:
            return
        for other in self._waiting:
            other.measure()
        for slowest in sorted(self._waiting, key=lambda one: (one.rate(), one.since)):
            if self.total <= self.most:
                return
            slowest.give_up()

    def discard(self, watch: UnsentWatch) -> None:
        """One is not waited for any more."""
        self._waiting.discard(watch)


unsent: Final = UnsentBytes()
"""Those of this process."""


class UnsentWatch:
    """Watches one connection from when its buffer is full until it has nearly emptied, or aborts it.

    Attributes:
        size: unsent bytes when last looked at.
        since: when its buffer became full.
    """

    def __init__(self, transport: asyncio.Transport, unsent: UnsentBytes = unsent) -> None:
        self.size, self.since = 0, 0.0
        self._first_size = 0
        self._transport, self._unsent = transport, unsent
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """The buffer is full."""
        if self._timer is None and not self._transport.is_closing():
            self.since = self._loop.time()
            self._timer = self._loop.call_later(WINDOW_SECONDS, self._look)
            self._loop.call_soon(self._begin)  # it may be filled by the first of many pieces

    def _begin(self) -> None:
        if self._timer is not None:
            self.measure()
            self._first_size = self.size
            self._unsent.add(self)

    def stop(self) -> None:
        """The buffer has nearly emptied, or the connection is gone."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._unsent.discard(self)
        self.size = 0

    def measure(self) -> None:
        """Look how much waits now."""
        self.size = self._transport.get_write_buffer_size()

    def rate(self) -> float:
        """Bytes that it has taken in a second, since its buffer became full; over a second at least."""
        return (self._first_size - self.size) / max(1.0, self._loop.time() - self.since)

    def give_up(self) -> None:
        """Abort it, and count it no more."""
        self.stop()
        self._reset()

    def _look(self) -> None:
        before = self.size
        self.measure()
        if before - self.size < WINDOW_BYTES:
            self._reset()
            return
        self._timer = self._loop.call_later(WINDOW_SECONDS, self._look)

    def _reset(self) -> None:
        """Abort the connection; the kernel is to forget what it holds as well, which would wait for the other end."""
        if not self._transport.is_closing():
            with socket.socket(fileno=os.dup(self._transport.get_extra_info("socket").fileno())) as same:
                same.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._transport.abort()


class InPieces:
    """A transport that is written to in pieces: one that was sent in part is held as a whole until its end."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Write it, and hold no more of it than is unsent."""
        if len(data) <= _PIECE:
            self._transport.write(data)
            return
        for start in range(0, len(data), _PIECE):
            self._transport.write(bytes(data[start : start + _PIECE]))


class WatchedHttp(HttpToolsProtocol):
    """HTTP as uvicorn speaks it, with an end for who does not read an answer and for heads that are not finished.

    A client that sends several requests at once and leaves has left all of them; uvicorn tells the newest alone.
    """

    _watch: UnsentWatch | None = None
    _head_timer: asyncio.TimerHandle | None = None
    _head_size = 0
    _is_in_head = True
    _answering: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to watch; WebSockets begin here as well."""
        super().connection_made(InPieces(transport))  # type: ignore[arg-type]  # it passes all else on
        self._watch = UnsentWatch(transport)
        self._time_head()

    def data_received(self, data: bytes) -> None:
        """Parse it; a head may have so many bytes and take so long."""
        if self._is_in_head:
            self._head_size += len(data)
            if not self._is_answering:  # a blank line behind a request is not the beginning of another
                self._time_head()
        super().data_received(data)
        if self._is_in_head and self._head_size > MAX_HEAD_BYTES:
            self._refuse("head_too_large")

    def on_message_begin(self) -> None:
        """A head begins."""
        super().on_message_begin()
        self._time_head()

    def on_headers_complete(self) -> None:
        """The head is complete."""
        self._is_in_head = False
        self._untime_head()
        super().on_headers_complete()  # which refuses an address that is too long for the parser
        self._head_size = 0

    def on_message_complete(self) -> None:
        """The next head may begin."""
        super().on_message_complete()
        self._is_in_head = True

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    @property
    def _is_answering(self) -> bool:
        return self._answering is not None and not self._answering.response_complete

    def _time_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(HEAD_SECONDS, self._give_up_head)

    def _untime_head(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _give_up_head(self) -> None:
        self._head_timer = None
        if self._is_answering:
            self.cycle.keep_alive = False  # the answers that are due are the last
        elif self._head_size:
            self._refuse("body_too_slow")
        else:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, or has an address that is longer than the parser takes."""
        self._refuse("head_too_large" if self._head_size > MAX_HEAD_BYTES else "malformed_http")

    def _refuse(self, code: str) -> None:
        """Say why a head is not taken, and close; nothing else can be said of a request that has not begun."""
        self._untime_head()
        if self.transport.is_closing():
            return
        if not self._is_answering:
            status, title, detail = _REFUSALS[code]
            problem = {
                "type": f"urn:draftsmith:problem:{code}", "title": title, "status": status, "code": code,
                "detail": detail, "problems": [], "request_id": secrets.token_hex(8),
            }  # fmt: skip
            head = STATUS_LINE[status] + b"content-type: application/problem+json\r\nconnection: close\r\n"
            content = json.dumps(problem).encode()
            self.transport.write(b"%scontent-length: %d\r\n\r\n%s" % (head, len(content), content))
        self.transport.close()

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

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop watching, and tell the request that is being answered that its client has left."""
        super().connection_lost(exc)
        self._untime_head()
        if self._watch is not None:
            self._watch.stop()
        self.pipeline.clear()
        if self._answering is not None and not self._answering.response_complete:
            self._answering.disconnected = True
            self._answering.message_event.set()
