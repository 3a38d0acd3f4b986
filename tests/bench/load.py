"""A load generator in a process of its own: keep-alive connections, each sending its next request when answered.

Run as `python -m tests.bench.load <port> <connections> <seconds>`, workspace ids and the body as JSON on standard
input; prints requests per second and latencies as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import cast

import uvloop


class _Connection(asyncio.Protocol):
    def __init__(self, requests: list[bytes], until: float, latencies: list[float]) -> None:
        self.requests, self.until, self.latencies = requests, until, latencies
        self.sent = 0.0
        self.number = 0
        self.buffer = b""
        self.done = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is none by inheritance
        self._send()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done.done():
            self.done.set_exception(exc or ConnectionError("closed by the server"))

    def _send(self) -> None:
        self.sent = time.perf_counter()
        self.transport.write(self.requests[self.number % len(self.requests)])
        self.number += 1

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head = self.buffer.find(b"\r\n\r\n")
        if head < 0:
            return
        start = self.buffer.lower().find(b"content-length:") + 15
        length = int(self.buffer[start : self.buffer.find(b"\r\n", start)])
        if len(self.buffer) < head + 4 + length:
            return
        if not self.buffer.startswith(b"HTTP/1.1 200"):
            self.done.set_exception(RuntimeError(self.buffer[:500].decode()))
            return
        self.buffer = b""
        now = time.perf_counter()
        self.latencies.append(now - self.sent)
        if now < self.until:
            self._send()
        else:
            self.transport.close()
            self.done.set_result(None)


def _request(w: str, body: str) -> bytes:
    lines = [
        f"POST /api/v1/workspaces/{w}/batches HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json",
        "Prefer: return=minimal", f"Content-Length: {len(body)}", "", body,
    ]  # fmt: skip
    return "\r\n".join(lines).encode()


async def _main(port: int, connections: int, seconds: float) -> None:
    work = json.load(sys.stdin)
    loop = asyncio.get_running_loop()
    latencies: list[float] = []
    start = time.perf_counter()
    made = []
    for number in range(connections):
        w = work["workspaces"][number % len(work["workspaces"])]
        bodies = [body.replace("@", f"{number}") for body in work["bodies"]]
        requests = [_request(w, body) for body in bodies]
        _, protocol = await loop.create_connection(
            lambda requests=requests: _Connection(requests, start + seconds, latencies), "127.0.0.1", port
        )
        made.append(protocol.done)
    await asyncio.gather(*made)
    took = time.perf_counter() - start
    latencies.sort()
    print(
        json.dumps(
            {
                "rps": len(latencies) / took,
                "p50_ms": latencies[len(latencies) // 2] * 1e3,
                "p99_ms": latencies[int(len(latencies) * 0.99)] * 1e3,
            }
        )
    )


if __name__ == "__main__":
    uvloop.run(_main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])))
