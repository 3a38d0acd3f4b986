"""Another client, in a process of its own: asks `GET /healthz` again and again, and watches the server's memory.

Run as `python -m tests.hostile.prober <host> <port> <launcher's pid>`. Each line on standard input ends a stretch of
time and begins the next; what the stretch was like is printed as one line of JSON. A wait that is not over yet counts
as long as it has lasted. Linux only for the memory; elsewhere it is 0.
"""

from __future__ import annotations

import json
import select
import socket
import statistics
import sys
import time
from dataclasses import dataclass, field
from typing import Any

from tests.hostile.serving import family, forget_high_water, high_water, resident

EVERY_S = 0.004
MEMORY_EVERY_S = 0.03


@dataclass
class Stretch:
    """What was seen since the last line.

    Attributes:
        waits: seconds for each answer.
        began: bytes that each process held at its beginning.
        peak: bytes that all of them held together at most, as far as was seen.
        high: the greatest that each process has held, as the kernel counts it.
    """

    waits: list[float] = field(default_factory=list)
    began: dict[int, int] = field(default_factory=dict)
    peak: int = 0
    high: dict[int, int] = field(default_factory=dict)
    failures: int = 0

    def to_json(self, waiting: float) -> dict[str, Any]:
        waits = sorted([*self.waits, waiting] if waiting else self.waits) or [0.0]
        held = sum(self.began.values())
        # What one process held between two looks is known to the kernel; what several held at once only from looking.
        grown = max((high - self.began.get(pid, 0) for pid, high in self.high.items()), default=0)
        return {
            "longest_ms": waits[-1] * 1e3, "median_ms": statistics.median(waits) * 1e3, "count": len(waits),
            "p99_ms": waits[int(len(waits) * 0.99)] * 1e3, "held": held, "peak": max(self.peak, held + grown, held),
            "failures": self.failures,
        }  # fmt: skip


class Prober:
    """One connection, kept; made anew where the server closes it."""

    def __init__(self, host: str, port: int, launcher: int) -> None:
        self._place, self._launcher = (host, port), launcher
        self._request = f"GET /healthz HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode()
        self._socket: socket.socket | None = None
        self._stretch = Stretch()
        self._asked_at = 0.0
        self._looked_at = 0.0

    def run(self) -> None:
        """Ask until standard input ends."""
        self._begin()
        while True:
            try:
                self._ask()
            except OSError:
                self._stretch.failures += 1
                self._socket = None
                if not self._attend(0.02):
                    return
                continue
            if not self._await() or not self._attend(EVERY_S):
                return

    def _ask(self) -> None:
        self._asked_at = time.monotonic()
        if self._socket is None:
            self._socket = socket.create_connection(self._place, timeout=5)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(self._request)

    def _await(self) -> bool:
        """Wait for the answer, attending to commands meanwhile; False where they have ended."""
        assert self._socket is not None
        while not select.select([self._socket], [], [], MEMORY_EVERY_S)[0]:
            if not self._attend(0):
                return False
        try:
            said = self._socket.recv(65536)
        except OSError:
            said = b""
        self._stretch.waits.append(time.monotonic() - self._asked_at)
        self._asked_at = 0.0
        if b" 200 " not in said[:20]:
            self._stretch.failures += 1
            self._socket.close()
            self._socket = None
        return True

    def _attend(self, seconds: float) -> bool:
        """Look at the memory if it is time, and at standard input for so long; False at its end."""
        now = time.monotonic()
        if now - self._looked_at > MEMORY_EVERY_S:
            self._looked_at = now
            self._look()
        if not select.select([sys.stdin], [], [], seconds)[0]:
            return True
        if not sys.stdin.readline():
            return False
        self._look()
        waiting = now - self._asked_at if self._asked_at else 0.0
        print(json.dumps(self._stretch.to_json(waiting)), flush=True)
        self._begin()
        return True

    def _begin(self) -> None:
        pids = family(self._launcher)
        for pid in pids:
            forget_high_water(pid)
        self._stretch = Stretch(began={pid: resident(pid) for pid in pids})

    def _look(self) -> None:
        pids = family(self._launcher)
        self._stretch.peak = max(self._stretch.peak, sum(map(resident, pids)))
        for pid in pids:
            self._stretch.high[pid] = max(self._stretch.high.get(pid, 0), high_water(pid))


if __name__ == "__main__":
    Prober(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])).run()
