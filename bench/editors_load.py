"""Editors in many workspaces in a process of its own: gestures that are timed at the other screens, and typists.

Run as `python -m bench.editors_load`, with a JSON object on standard input: `{ports, workspaces, headers, each,
typists, every, seconds, pacing}`: in each workspace `each` pages are open, of which `typists` type and the others move
a node every `every` seconds, spread over the ports. Prints figures as JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import time
from typing import Any

import uvloop

from bench.cotyping_load import Log, Typist, type_for
from bench.live_load import Socket, join

_KEYS_A_SECOND = 5.0
# Until thousands of pages have arrived, and the first gesture in each workspace has opened it.
_WARM_UP_S = 12.0
_WORDS = "what was asked is kept until whoever asked has been told "


class Editor(Socket):
    """A page whose person moves a node now and then.

    Attributes:
        refused: what the server refused, as it said it.
    """

    def __init__(self, port: int, w: str, headers: list[str], node: str) -> None:
        super().__init__(port, w, headers)
        self.node, self.sent = node, 0
        self.refused: list[str] = []

    def move(self) -> None:
        """Move one's own node; when it was sent stands in its description."""
        self.sent += 1
        stamp = time.perf_counter_ns()
        self.own.add(stamp)
        position = {"x": self.sent % 50 * 10, "y": self.sent % 40 * 10}
        operation = {"op": "update_node", "id": self.node, "position": position, "description": f"@{stamp}@"}
        self.say({"t": "submit", "id": f"bench-{os.getpid()}-{stamp}", "operations": [operation]})

    def _take(self, kind: int, payload: bytes) -> None:
        if b'"t":"rejected"' in payload or b'"t":"bye"' in payload:
            self.refused.append(payload[:300].decode(errors="replace"))
        super()._take(kind, payload)


async def _open(given: dict[str, Any]) -> tuple[list[Editor], list[Typist]]:
    editors: list[Editor] = []
    typists: list[Typist] = []
    ports = given["ports"]
    for number, w in enumerate(given["workspaces"]):
        log = Log()
        for place in range(given["each"]):
            port = ports[(number + place) % len(ports)]
            if place < given["typists"]:
                own = {"port": port, "w": w, "headers": [given["headers"]], "places": [given["place"]], "words": _WORDS,
                       "carets": True, "pacing": given["pacing"], "version": 2, "timed": 0}  # fmt: skip
                typists.append(Typist(0, own, log))
            else:
                editors.append(Editor(port, w, given["headers"], f"n{place}"))
    pages = [*editors, *typists]
    for first in range(0, len(pages), 50):
        await asyncio.gather(*(join(page) for page in pages[first : first + 50]))
    return editors, typists


async def _edit(editors: list[Editor], every: float, until: float) -> None:
    """Gestures of each at its own times."""
    chance = random.Random(1)
    due = [(time.perf_counter() + chance.random() * every, number) for number in range(len(editors))]
    due.sort()
    while (now := time.perf_counter()) < until:
        while due[0][0] <= now:
            at, number = due.pop(0)
            editors[number].move()
            due.append((at + every, number))  # all have the same pace, so the list stays in order
        await asyncio.sleep(0.002)


async def _main() -> None:
    given = json.loads(sys.stdin.readline())
    editors, typists = await _open(given)
    until = time.perf_counter() + _WARM_UP_S + given["seconds"]
    start = time.perf_counter()
    next_at = [start + number / _KEYS_A_SECOND / max(1, len(typists)) for number in range(len(typists))]
    work = [_edit(editors, given["every"], until), type_for(typists, _KEYS_A_SECOND, until, next_at)]

    async def measure() -> int:
        await asyncio.sleep(_WARM_UP_S)
        for one in editors:
            one.is_timed, one.commits = True, 0
        return sum(one.sent for one in editors)

    before, *_ = await asyncio.gather(measure(), *work)
    sent = sum(one.sent for one in editors) - before
    await asyncio.sleep(1.0)
    waits = sorted(wait for one in editors for wait in one.waits) or [0.0]
    refused = [text for one in editors for text in one.refused]
    print(
        json.dumps(
            {
                "sent_rate": sent / given["seconds"],
                "share": len(waits) / max(1, sent * (given["each"] - given["typists"] - 1)),
                "refused": len(refused),
                "example": refused[:1],
                "p50_ms": waits[len(waits) // 2] * 1e3,
                "p95_ms": waits[int(len(waits) * 0.95)] * 1e3,
                "p99_ms": waits[int(len(waits) * 0.99)] * 1e3,
            }
        )
    )
    os._exit(0)  # thousands of sockets need no farewell


if __name__ == "__main__":
    uvloop.run(_main())
