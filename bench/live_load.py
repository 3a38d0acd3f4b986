"""Many sockets on one workspace in a process of its own: commits at a fixed rate, counted and timed where they arrive.

Run as `python -m bench.live_load`, with a JSON object on standard input: `{port, writer_port, w, sockets, slow,
rate, seconds, timed}`; prints figures as JSON. WebSocket frames are taken apart here by hand and JSON is not parsed:
the generator must cost little beside the server. The slow ones read about a kilobyte a second.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import re
import socket
import statistics
import struct
import sys
import time
from base64 import b64encode
from collections.abc import Sequence
from typing import Any, cast

import uvloop

_COMMIT = b'"t":"commit"'
_STAMP = re.compile(rb'@(\d{6,})@"\]')  # the new one of two descriptions
_SLOW_SECONDS = 4.0  # the smallest buffer that the kernel grants holds some four kilobytes
_TIMED = 50  # pages of all that latency is read from, the first to the last to be told
_EACH = 40.0  # commits a second that one page asks for


class Socket(asyncio.Protocol):
    """One open page that only listens.

    Attributes:
        commits: how many commits came.
        frames: how many frames.
        waits: seconds from each commit's sending to its coming here.
        is_timed: whether waits are noted.
        own: when its own gestures were sent, which are not waited for.
        version: of the protocol that it speaks.
    """

    version = 1

    def __init__(self, port: int, w: str, headers: Sequence[str] = ()) -> None:
        self.port = port
        self.own: set[int] = set()
        self.commits = self.frames = self.size = 0
        self.waits: list[float] = []
        self.is_timed = False
        self.ready = asyncio.get_running_loop().create_future()
        self.answered: asyncio.Event | None = None
        self._buffer = bytearray()
        self._is_open = False
        self._request = (
            f"GET /api/v1/workspaces/{w}/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {b64encode(os.urandom(16)).decode()}\r\n"
            + "".join(f"{line}\r\n" for line in headers)
            + "\r\n"
        ).encode()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is none by inheritance
        self.transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.ready.done():
            self.ready.set_exception(exc or ConnectionError("closed by the server"))

    def say(self, message: dict[str, Any]) -> None:
        """Send a message; masked by zeros, which leaves it as it is."""
        payload = json.dumps(message).encode()
        size = len(payload)
        head = bytes([0x81, 0x80 | size]) if size < 126 else bytes([0x81, 0xFE]) + struct.pack(">H", size)
        self.transport.write(head + b"\0\0\0\0" + payload)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._is_open:
            head = self._buffer.find(b"\r\n\r\n")
            if head < 0:
                return
            if not self._buffer.startswith(b"HTTP/1.1 101"):
                self.ready.set_exception(RuntimeError(bytes(self._buffer[:500]).decode()))
                return
            del self._buffer[: head + 4]
            self._is_open = True
            self.say({"t": "hello", "v": self.version})
        self._take_frames()

    def _take_frames(self) -> None:
        buffer, at = self._buffer, 0
        while len(buffer) - at >= 2:
            size, start = buffer[at + 1] & 0x7F, at + 2
            if size == 126:
                size, start = int.from_bytes(buffer[start : start + 2], "big"), start + 2
            elif size == 127:
                size, start = int.from_bytes(buffer[start : start + 8], "big"), start + 8
            if len(buffer) < start + size:
                break
            self._take(buffer[at] & 0x0F, bytes(buffer[start : start + size]))
            at = start + size
        del buffer[:at]

    def _take(self, kind: int, payload: bytes) -> None:
        if kind == 9:
            self.transport.write(b"\x8a\x80\0\0\0\0" if not payload else _pong(payload))
            return
        if kind != 1:
            return
        count = payload.count(_COMMIT)
        self.frames += 1
        self.commits += count
        self.size += len(payload)
        if not self.ready.done():
            self.ready.set_result(None)
        if count and self.is_timed:
            now = time.perf_counter_ns()
            stamps = (int(stamp) for stamp in _STAMP.findall(payload))
            self.waits += [(now - stamp) / 1e9 for stamp in stamps if stamp not in self.own]


def _pong(payload: bytes) -> bytes:
    return bytes([0x8A, 0x80 | len(payload)]) + b"\0\0\0\0" + payload


class SlowSocket(Socket):
    """One that reads a kilobyte a second, from when it has been welcomed on."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        raw = transport.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        super().connection_made(transport)

    async def dawdle(self) -> None:
        while True:
            self.transport.pause_reading()
            await asyncio.sleep(_SLOW_SECONDS)
            self.transport.resume_reading()
            await asyncio.sleep(0)


async def join(page: Socket) -> None:
    """Open a page's connection, until it is welcomed."""
    await asyncio.get_running_loop().create_connection(lambda: page, "127.0.0.1", page.port)
    await asyncio.wait_for(page.ready, 60)


async def _open(kind: type[Socket], port: int, w: str) -> Socket:
    page = kind(port, w)
    await join(page)
    return page


async def _write(writers: list[Socket], rate: float, until: float) -> int:
    """Commits at a rate, whatever comes back; how many."""
    sent, start = 0, time.perf_counter()
    while (now := time.perf_counter()) < until:
        while sent < (now - start) * rate:
            stamp = time.perf_counter_ns()
            operation = {"op": "update_node", "id": "a", "description": f"@{stamp}@"}
            writers[sent % len(writers)].say(
                {"t": "submit", "id": f"bench-{os.getpid()}-{stamp}", "operations": [operation]}
            )
            sent += 1
        await asyncio.sleep(min(0.002, 1 / rate))
    return sent


async def _main() -> None:
    given = json.loads(sys.stdin.readline())
    port, w = given["port"], given["w"]
    sockets: list[Socket] = []
    for first in range(0, given["sockets"], 50):
        group = range(first, min(first + 50, given["sockets"]))
        sockets += await asyncio.gather(*(_open(Socket, port, w) for _ in group))
    slow = [await _open(SlowSocket, port, w) for _ in range(given["slow"])]
    dawdling = [asyncio.create_task(one.dawdle()) for one in slow if isinstance(one, SlowSocket)]
    # A page that says more than some dozens of things a second is read more slowly.
    writers = [await _open(Socket, given["writer_port"], w) for _ in range(math.ceil(given["rate"] / _EACH))]
    await asyncio.sleep(1.0)  # rosters have settled
    if given.get("hold"):
        print("open", flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await _write(writers, given["rate"], time.perf_counter() + 0.5)
    if given["timed"]:
        heard = sockets[:: max(1, len(sockets) // _TIMED)]
        for one in set(sockets) - set(heard):
            one.transport.pause_reading()  # what comes stays with the kernel, so that reading it costs nothing here
        sockets = heard
    for one in sockets:
        one.is_timed, one.commits, one.frames, one.size = given["timed"], 0, 0, 0
    for one in (writers[0], *slow):
        one.commits = 0
    start = time.perf_counter()
    sent = await _write(writers, given["rate"], start + given["seconds"])
    took = time.perf_counter() - start
    commits, frames, size = (sum(getattr(one, name) for one in sockets) for name in ("commits", "frames", "size"))
    for task in dawdling:
        task.cancel()
    waits = sorted(wait for one in sockets for wait in one.waits) or [0.0]
    print(
        json.dumps(
            {
                "sent_rate": sent / took,
                "commit_rate": writers[0].commits / took,
                "deliveries_rate": commits / took,
                "share": commits / max(1, sent * len(sockets)),
                "slow_share": sum(one.commits for one in slow) / max(1, sent * len(slow)),
                "frames_rate": frames / took,
                "megabytes_rate": size / took / 1e6,
                "p50_ms": statistics.median(waits) * 1e3,
                "p99_ms": waits[int(len(waits) * 0.99)] * 1e3,
            }
        )
    )
    os._exit(0)  # hundreds of sockets need no farewell


if __name__ == "__main__":
    uvloop.run(_main())
