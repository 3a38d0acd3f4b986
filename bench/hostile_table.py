"""A server, another client beside it, and a table of what each hostile request costs them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.hostile.beside import Beside
from tests.hostile.serving import MIB, Deployed, cpu_seconds, deployed, family
from tests.hostile.wire import Answer, Request, send
from tests.integration.client import Api

LIMIT_S = 60.0
"""After so long a request is not waited for; the server is started anew."""
BESIDE_MS = 100.0
MEMORY_MIB = 300.0
_IDLE_S = 0.25
_IDLE_CPU_S = 0.1
"""In that time; the prober takes about a fifth of it."""


@dataclass
class Measured:
    """One line of the table.

    Attributes:
        beside_ms: the longest wait of another client.
        plain_ms: what that client waits when nothing else happens: the median of half a second before.
        memory_mib: the greatest memory of all processes above what they hold when idle.
    """

    name: str
    answer: str
    seconds: float
    beside_ms: float
    plain_ms: float
    memory_mib: float

    @property
    def ratio(self) -> float:
        """The longest wait as a multiple of a plain one."""
        return self.beside_ms / max(self.plain_ms, 0.01)


class Bench:
    """One server with its prober, for some requests.

    Attributes:
        w: the workspace that the requests are about.
        facts: what was noted for later requests, and for the report.
        beyond: bytes that a process outside the server has held for the request that runs.
    """

    def __init__(self, server: Deployed) -> None:
        self.server = server
        self.w = ""
        self.facts: dict[str, Any] = {}
        self.beyond = 0
        self._beside = Beside(server)
        self._idle = 0

    async def ready(self) -> None:
        """Answer a first few requests, so that what is loaded late is not taken for memory of a request."""
        with Api(self.server.url) as api:
            warm = api.create(name="Warm", document={"text": "# Warm\n\nText.\n"})
            api.batch(warm, {"op": "add_node", "id": "a", "type": "service", "label": "A"})
            api.batch(warm, {"op": "edit_section", "section": "Warm", "find": "Text", "replace": "Words"})
            for path in ("outline", "lint", "diagram", "export"):
                api.ask("GET", f"/workspaces/{warm}/{path}")
        await self.rest()
        self._idle = int(self._beside.stretch()["held"])

    async def send(self, method: str, path: str, body: bytes = b"", patience: float = LIMIT_S, **more: Any) -> Answer:
        """Send a request about the workspace."""
        request = Request(method, path.replace("{w}", self.w), body, **more)
        return await send(self.server.place, request, patience=patience)

    async def rest(self) -> None:
        """Wait until the server does nothing but answer the prober, at most as long as a request may take."""
        until, used = time.monotonic() + LIMIT_S, -1.0
        while (now := cpu_seconds(family(self.server.pid))) - used > _IDLE_CPU_S and time.monotonic() < until:
            used = now
            await asyncio.sleep(_IDLE_S)

    async def measure(self, name: str, act: Callable[[Bench], Awaitable[str]]) -> Measured:
        """Do something and note what it costs; a server that is not done with it is started anew."""
        await self.rest()
        self._beside.stretch()
        await asyncio.sleep(0.5)
        plain = self._beside.stretch()
        began, self.beyond = time.monotonic(), 0
        try:
            async with asyncio.timeout(LIMIT_S):
                answer = await act(self)
        except TimeoutError:
            answer = f"longer than {LIMIT_S:.0f} s"
        seconds = time.monotonic() - began
        await asyncio.sleep(0.3)
        seen = self._beside.stretch()
        if seconds >= LIMIT_S or seen["failures"]:
            await self.restart()
        memory = (seen["peak"] - self._idle + self.beyond) / MIB
        return Measured(name, answer, seconds, seen["longest_ms"], plain["median_ms"], memory)

    async def restart(self) -> None:
        """Start the server anew on the same data."""
        self.close()
        self.server.stop(patience=5)
        self.server.start()
        self._beside = Beside(self.server)
        await self.ready()

    def close(self) -> None:
        """End the prober."""
        self._beside.close()


Act = Callable[[Bench], Awaitable[str]]
Prepare = Callable[[Bench, Api], Awaitable[None]]


@dataclass(frozen=True)
class Group:
    """Requests on one server, which is at rest before each of them."""

    name: str
    prepare: Prepare
    acts: Sequence[tuple[str, Act]]
    settings: dict[str, str] = field(default_factory=dict)


@contextmanager
def bench_of(group: Group) -> Iterator[Bench]:
    """A fresh server for a group."""
    with deployed(**group.settings) as server:
        bench = Bench(server)
        try:
            yield bench
        finally:
            bench.close()


async def run_group(group: Group) -> tuple[list[Measured], dict[str, Any]]:
    """Measure every request of a group; the lines, and what was noted."""
    with bench_of(group) as bench:
        await bench.ready()
        with Api(bench.server.url) as api:
            await group.prepare(bench, api)
        return [await bench.measure(name, act) for name, act in group.acts], bench.facts


def shown(answer: Answer) -> str:
    """An answer as the table shows it."""
    return f"{answer.status or 'none'} {answer.code}".strip()


def table(rows: Sequence[Measured]) -> str:
    """All lines, with the bars: 100 ms beside, 300 MB above idle."""
    lines = [f"{'request':<52} {'answer':<34} {'beside':>9} {'x plain':>8} {'seconds':>8} {'memory':>8}"]
    for row in rows:
        late = "" if row.beside_ms <= BESIDE_MS else " SLOW"
        large = "" if row.memory_mib <= MEMORY_MIB else " LARGE"
        lines.append(
            f"{row.name[:52]:<52} {row.answer[:34]:<34} {row.beside_ms:>6.0f} ms {row.ratio:>8.0f} {row.seconds:>8.2f} "
            f"{row.memory_mib:>5.0f} MB{late}{large}"
        )
    return "\n".join(lines)
