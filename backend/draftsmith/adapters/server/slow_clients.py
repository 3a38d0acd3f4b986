"""Connections whose other end does not read: what is written for them waits in memory, so they are cut off.

A connection may hold unsent bytes as long as they become fewer. One that takes too little for a while is aborted, and
so is one that would add much to what this process holds unsent already. For HTTP responses, event streams included,
and for WebSockets alike.
"""

from __future__ import annotations

import asyncio
import os
import socket
import struct
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

WINDOW_SECONDS: Final = 20.0
WINDOW_BYTES: Final = 10_000
"""How many bytes a connection must take in each window while some wait for it."""
MAX_UNSENT_BYTES: Final = 128 * 1024 * 1024
"""Unsent bytes of all connections of this process."""
_MUCH: Final = 1024 * 1024


class UnsentBytes:
    """The unsent bytes of connections that are waited for, as they were last looked at."""

    def __init__(self) -> None:
        self.total = 0


_unsent: Final = UnsentBytes()


class UnsentWatch:
    """Watches one connection from when its buffer is full until it has nearly emptied, or aborts it.

    `size`: unsent bytes when last looked at.
    """

    def __init__(self, transport: asyncio.Transport, unsent: UnsentBytes = _unsent) -> None:
        self.size = 0
        self._transport, self._unsent = transport, unsent
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """The buffer is full."""
        if self._timer is None and not self._transport.is_closing():
            self._measure()
            if self._unsent.total > MAX_UNSENT_BYTES and self.size > _MUCH:
                self._loop.call_soon(self._reset)  # not while it is being written to
            self._timer = self._loop.call_later(WINDOW_SECONDS, self._look)

    def stop(self) -> None:
        """The buffer has nearly emptied, or the connection is gone."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._unsent.total -= self.size
        self.size = 0

    def _measure(self) -> None:
        self._unsent.total -= self.size
        self.size = self._transport.get_write_buffer_size()
        self._unsent.total += self.size

    def _look(self) -> None:
        before = self.size
        self._measure()
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


class WatchedHttp(HttpToolsProtocol):
    """HTTP as uvicorn speaks it; a client that does not read its answer is cut off."""

    _watch: UnsentWatch | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to watch."""
        super().connection_made(transport)
        self._watch = UnsentWatch(transport)

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
        """Stop watching."""
        super().connection_lost(exc)
        if self._watch is not None:
            self._watch.stop()
