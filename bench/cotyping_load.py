"""Typists on one document of ours, in a process of its own: keystrokes at a fixed rate, sent as the editor sends them.

Run as `python -m bench.cotyping_load`, with a JSON object on standard input: `{port, w, headers, places, clients,
rate, seconds, timed, words, carets, pacing, version}`; prints `start` and `stop` around what is measured, then figures
as JSON.
A *delivered change* is one keystroke on one other page. What is sent is what `frontend/src/sync` sends: one push in
flight, paced by `pacing` (`quiet`, `latest` and `between` milliseconds, see `sync/text/text.ts`), composed with what is
typed meanwhile, and the caret after each keystroke. Each page follows the commits it is brought, since a push needs the
length of the document at its base; at the end every typist's words must stand in the document as they were typed.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson
import uvloop

from bench.live_load import Socket, join

_WARM_UP_S = 2.0
_STEP_S = 0.002
_SETTLED_S = 5.0


@dataclass
class _Push:
    """What is in flight."""

    keyed: list[float]
    sent: float
    size: int


@dataclass
class Log:
    """What became of pushes, by revision, and when pages were brought it."""

    pushes: dict[int, tuple[int, _Push]] = field(default_factory=dict)
    arrivals: list[tuple[int, int, float]] = field(default_factory=list)
    keys: int = 0
    is_measured: bool = False


class Typist(Socket):
    """One page, with a caret of its own."""

    def __init__(self, number: int, given: dict[str, Any], log: Log) -> None:
        super().__init__(given["port"], given["w"], given["headers"][number])
        self.number, self.given, self.log, self.version = number, given, log, given["version"]
        self.received = self.count = self.rev = self.length = 0
        self.caret, self.epoch, self.h = given["places"][number], "", ""
        self.typed = ""
        self.flight: _Push | None = None
        self.waiting: list[float] = []
        self.pushed_at = self.heard_at = float("-inf")

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        super().data_received(data)

    # -- what the server sends ---------------------------------------------------------------------------------------

    def _take(self, kind: int, payload: bytes) -> None:
        if kind == 1:
            now = time.perf_counter()
            for message in orjson.loads(payload):
                if isinstance(message, list):
                    rev, h, _, _, changes, _ = message
                    self._follow(rev, h, changes, now)
                else:
                    self._hear(message, now)
        super()._take(kind, payload)

    def _hear(self, message: Any, now: float) -> None:
        match message["t"]:
            case "state":
                self.epoch, self.rev, self.h = message["epoch"], message["rev"], message["h"]
                self.length = len(message["workspace"]["text"])
            case "committed":
                assert self.flight is not None
                self.log.pushes[message["rev"]] = (self.number, self.flight)
            case "commit":
                texts = (step["c"] for step in message["steps"] if step["k"] == "text")
                self._follow(message["rev"], message["h"], next(texts, []), now)
            case "rejected" | "bye":
                raise RuntimeError(str(message))

    def _follow(self, rev: int, h: str, changes: Sequence[int | list[Any]], now: float) -> None:
        """One commit: where the caret is after it, and whether it is one's own."""
        assert rev == self.rev + 1, (rev, self.rev)
        self.rev, self.h, self.heard_at = rev, h, now
        author, push = self.log.pushes.get(rev, (None, None))
        at = 0  # the generator types letters alone, so each character is one unit and no line is added
        for part in changes:
            if isinstance(part, int):
                at += part
                continue
            assert part[0] == 0, part
            self.length += len(part[1])
            if author == self.number:
                self.caret = at + len(part[1])
            elif at <= self.caret:
                self.caret += len(part[1])
        if author == self.number and push is self.flight:
            self.flight = None
        elif self.log.is_measured and self.number < self.given["timed"]:
            self.log.arrivals.append((self.number, rev, now))

    # -- what is typed -----------------------------------------------------------------------------------------------

    def key(self, now: float) -> None:
        """Press a key."""
        words = self.given["words"]
        self.typed += words[len(self.typed) % len(words)]
        self.waiting.append(now)
        self.log.keys += self.log.is_measured
        if self.given["carets"]:
            self._present()

    def push_if_due(self, now: float) -> None:
        """Send what was typed, if nothing is in flight and it is time."""
        if self.flight is not None or not self.waiting:
            return
        quiet, latest, between = (self.given["pacing"][name] / 1e3 for name in ("quiet", "latest", "between"))
        soonest = self.pushed_at + between
        if self.given["pacing"].get("joins"):  # when others are heard, or half as often
            soonest = self.heard_at if self.heard_at >= soonest else soonest + between
        due = max(min(self.waiting[-1] + quiet, self.waiting[0] + latest), soonest)
        if due > now:
            return
        self.count += 1
        size = len(self.waiting)
        text = self.typed[-size:]
        parts: list[Any] = [self.caret, [0, text], self.length - self.caret]
        self.flight, self.waiting = _Push(self.waiting, now, size), []
        self.pushed_at = now
        write_id = f"bench-typist-{self.number}-{self.count}"
        self.say({"t": "type", "id": write_id, "epoch": self.epoch, "base": self.rev, "h": self.h,
                  "changes": [part for part in parts if part != 0]})  # fmt: skip

    def _present(self) -> None:
        caret = {"rev": self.rev, "anchor": self.caret, "head": self.caret}
        self.say({"t": "presence", "state": {"view": "split", "cursor": None, "selection": None, "caret": caret,
                                             "drag": None, "editing": "document"}})  # fmt: skip


async def _join(given: dict[str, Any], log: Log) -> list[Typist]:
    typists = []
    for number in range(given["clients"]):
        typist = Typist(number, given, log)
        await join(typist)
        typists.append(typist)
    return typists


async def type_for(typists: Sequence[Typist], rate: float, until: float, next_at: list[float]) -> None:
    """Press keys at a rate until then, each typist from its own time on."""
    while (now := time.perf_counter()) < until:
        for number, typist in enumerate(typists):
            while next_at[number] <= now:
                typist.key(now)
                next_at[number] += 1 / rate
            typist.push_if_due(now)
        await asyncio.sleep(_STEP_S)


async def _settle(typists: Sequence[Typist]) -> None:
    until = time.perf_counter() + _SETTLED_S
    while any(typist.waiting or typist.flight for typist in typists) and time.perf_counter() < until:
        for typist in typists:
            typist.push_if_due(time.perf_counter())
        await asyncio.sleep(_STEP_S)


def _figures(log: Log, size: int, clients: int) -> dict[str, float]:
    served, seen = [], []
    for number, rev, at in log.arrivals:
        author, push = log.pushes[rev]
        if author != number:
            served.append((at - push.sent) * 1e3)
            seen += [(at - keyed) * 1e3 for keyed in push.keyed]
    served.sort()
    seen.sort()
    return {
        "keys": log.keys, "delivered": log.keys * (clients - 1), "bytes": size,
        "server_p50_ms": served[len(served) // 2], "server_p99_ms": served[int(len(served) * 0.99)],
        "key_p50_ms": seen[len(seen) // 2],
    }  # fmt: skip


async def _main() -> None:
    given = json.loads(sys.stdin.readline())
    log = Log()
    typists = await _join(given, log)
    await asyncio.sleep(0.5)
    rate, began = given["rate"], time.perf_counter()
    next_at = [began + number / rate / len(typists) for number in range(len(typists))]
    await type_for(typists, rate, began + _WARM_UP_S, next_at)
    before, log.is_measured = sum(typist.received for typist in typists), True
    print("start", flush=True)
    await type_for(typists, rate, time.perf_counter() + given["seconds"], next_at)
    log.is_measured = False
    size = sum(typist.received for typist in typists) - before
    print("stop", flush=True)
    await _settle(typists)
    figures = _figures(log, size, len(typists))
    print(json.dumps({**figures, "typed": [typist.typed for typist in typists]}))


if __name__ == "__main__":
    uvloop.run(_main())
