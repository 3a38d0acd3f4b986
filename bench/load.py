"""A load generator in a process of its own: keep-alive connections, each sending its next request when answered.

Run as `python -m bench.load <port> <connections> <seconds>`, workspace ids, bodies and lines of the head as JSON
on standard input; prints requests per second and latencies as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Sequence
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
        answer = whole_answer(self.buffer)
        if answer is None:
            return
        if answer[0] != 200:
            self.done.set_exception(RuntimeError(self.buffer[:500].decode()))
            return
        self.buffer = b""
        now = time.perf_counter()
        self.latencies.append(now - self.sent)
        if now < self.until or self.number % len(self.requests):  # a workspace is left as it was found
            self._send()
        else:
            self.transport.close()
            self.done.set_result(None)


def whole_answer(received: bytes) -> tuple[int, bytes] | None:
    """Status and body of an answer; None while a part of it is still to come."""
    head = received.find(b"\r\n\r\n")
    if head < 0:
        return None
    start = received.lower().find(b"content-length:", 0, head) + 15
    length = int(received[start : received.find(b"\r\n", start)])
    if len(received) < head + 4 + length:
        return None
    return int(received[9:12]), received[head + 4 :]


def batch_request(w: str, body: str, headers: Sequence[str] = ()) -> bytes:
    """A request that sends a batch, whose JSON is ASCII."""
    lines = [
        f"POST /api/v1/workspaces/{w}/batches HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json",
        "Prefer: return=minimal", *headers, f"Content-Length: {len(body)}", "", body,
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
        requests = [batch_request(w, body, work.get("headers", ())) for body in bodies]
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
                "writes": len(latencies),
                "p50_ms": latencies[len(latencies) // 2] * 1e3,
                "p99_ms": latencies[int(len(latencies) * 0.99)] * 1e3,
            }
        )
    )


if __name__ == "__main__":
    uvloop.run(_main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])))
