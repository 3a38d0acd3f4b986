"""A soak: clients commit as fast as they are answered while everything is killed and started again.

How the load is spread: a fifth of the workspaces are busy, with several times the clients of the others, so that
retention drops commits there within the run; in the last one, one client writes a long text every ten seconds, which a
process beside the worker prepares.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import httpx

from bench.soak.audit import Line
from bench.soak.clients import Client
from bench.soak.outcome import TENTHS, Outcome, Tenth
from bench.soak.places import Place
from draftsmith.adapters.redis.commit_log import RedisCommitLog
from draftsmith.adapters.redis.connection import RedisConnection, connect
from draftsmith.model.ids import WorkspaceId
from tests.hostile.findings import tracebacks
from tests.timeouts import TIMEOUT_SECONDS, timeout

_BUSY_CLIENTS, _CLIENTS = 14, 4
_LONG_TEXT_EVERY_S = 10.0
_LOOK_EVERY_S, _SAMPLE_EVERY_S = 0.02, 1.0
_AHEAD = 2  # entries before those of clients: the workspace, and its first nodes


@dataclass(frozen=True)
class Plan:
    """What to do.

    Attributes:
        commits: how many are to be acknowledged.
        kills: how often everything is killed on the way.
        seconds: after which no more is sent, however many are missing.
    """

    commits: int
    workspaces: int
    kills: int
    seed: str
    seconds: float


class Soak:
    """One run on one place."""

    def __init__(self, plan: Plan, place: Place, say: Callable[[str], None]) -> None:
        self._plan, self._place, self._say = plan, place, say
        self._rng = random.Random(plan.seed)
        self._begin = time.monotonic()
        self._connection: RedisConnection | None = None
        self.outcome = Outcome(tenths=[Tenth()])
        self._lines: list[Line] = []
        self._clients: list[Client] = []

    async def run(self) -> Outcome:
        """Run to the end; what is found on the way ends it, and stands among the findings."""
        try:
            async with httpx.AsyncClient(timeout=TIMEOUT_SECONDS) as http:
                await self._prepare(http)
                await self._work()
                await self._kill(is_last=True)
                await self._judge(http)
        except* AssertionError as found:
            self.outcome.findings += [str(one) for one in _leaves(found)]
        finally:
            await self._disconnect()
        return self.outcome

    # -- before ------------------------------------------------------------------------------------------------------

    async def _prepare(self, http: httpx.AsyncClient) -> None:
        for number in range(self._plan.workspaces):
            made = await http.post(f"{self._api}/workspaces", json={"name": f"Soak {number}"})
            assert made.status_code == 201, made.text
            w = WorkspaceId(made.json()["id"])
            names = [f"c{one}" for one in range(_BUSY_CLIENTS if number % 5 == 0 else _CLIENTS)]
            is_last = number == self._plan.workspaces - 1
            mine = [self._client(name, w, writes_much=is_last and name == "c0") for name in names]
            text = "# Soak\n\n" + "".join(f"## {one.belongings.heading}\n\n" for one in mine)
            first = [{"op": "replace_document", "text": text}, *(one.belongings.first() for one in mine)]
            answer = await http.post(f"{self._api}/workspaces/{w}/batches", json={"operations": first})
            assert answer.status_code == 200, answer.text
            self._clients += mine
            self._lines.append(Line(w, _AHEAD))

    def _client(self, name: str, w: str, *, writes_much: bool) -> Client:
        pause = _LONG_TEXT_EVERY_S if writes_much else 0.0
        return Client(self._plan.seed, name, w, lambda: self._place.server.place, self.outcome.tally, pause)

    @property
    def _api(self) -> str:
        return f"{self._place.server.url}/api/v1"

    # -- the load ----------------------------------------------------------------------------------------------------

    async def _work(self) -> None:
        self._begin = time.monotonic()
        tally, plan = self.outcome.tally, self._plan
        kills = sorted(self._rng.sample(range(plan.commits // 50, plan.commits * 49 // 50), plan.kills))

        def goes_on() -> bool:
            return tally.told < plan.commits and self._second < plan.seconds

        async with asyncio.TaskGroup() as group:
            for client in self._clients:
                group.create_task(client.run(goes_on))
            watching = group.create_task(self._watch())
            while goes_on():
                if kills and tally.told >= kills[0]:
                    kills.pop(0)
                    await self._kill()
                await self._audit_for(_SAMPLE_EVERY_S, lambda: goes_on() and not (kills and tally.told >= kills[0]))
            watching.cancel()
        self.outcome.seconds = self._sample().second

    @property
    def _second(self) -> float:
        return time.monotonic() - self._begin

    async def _audit_for(self, seconds: float, goes_on: Callable[[], bool]) -> None:
        """Read what the logs have got, and wait until the time is over or it does not go on."""
        until, before = time.monotonic() + seconds, self.outcome.tally.told
        await self._audit()
        patience = time.monotonic() + TIMEOUT_SECONDS
        while goes_on() and (time.monotonic() < until or self.outcome.tally.told == before):
            assert time.monotonic() < patience, f"no commit in {TIMEOUT_SECONDS:.0f} s: {self.outcome.tally}"
            await asyncio.sleep(_LOOK_EVERY_S)

    async def _audit(self) -> None:
        if self._connection is None:
            self._connection = await connect(self._place.store_url)
        log = RedisCommitLog(self._connection)
        for line in self._lines:
            await line.read(log)
        self.outcome.tenths[-1].kept = sum(line.kept for line in self._lines)

    async def _disconnect(self) -> None:
        if self._connection is not None:
            await self._connection.close()
        self._connection = None

    async def _watch(self) -> None:
        """Note the most of memory and files, in each tenth of the commits."""
        tenths = self.outcome.tenths
        while True:
            now = self._sample()
            if len(tenths) < TENTHS and now.told * TENTHS >= len(tenths) * self._plan.commits:
                self._say(f"{now.told} commits after {now.second:.0f} s")
                tenths.append(Tenth(kept=now.kept))
            await asyncio.sleep(_SAMPLE_EVERY_S)

    def _sample(self) -> Tenth:
        now = self.outcome.tenths[-1]
        server, store = self._place.memory()
        now.server, now.store = max(now.server, server), max(now.store, store)
        now.stored = max(now.stored, self._place.stored())
        now.told, now.second = self.outcome.tally.told, self._second
        return now

    async def _kill(self, *, is_last: bool = False) -> None:
        """Kill everything, start it again, and look at the logs at once."""
        outcome = self.outcome
        await self._disconnect()
        begin, killed = time.monotonic(), self._place.kill(self._rng)
        await asyncio.sleep(_LOOK_EVERY_S)  # answers that were on their way are taken before what comes is counted
        told = outcome.tally.told
        outcome.kills += 1
        outcome.killed.update(killed.values())
        self._look_at_log()
        starting = time.monotonic()
        await asyncio.to_thread(self._place.start)
        outcome.ready.append(time.monotonic() - starting)
        self._say(f"killed {len(killed)} processes after {told} commits, ready in {outcome.ready[-1]:.1f} s")
        if not is_last:
            async with timeout():
                while outcome.tally.told == told:  # noqa: ASYNC110  # what is waited for is a number of many clients
                    await asyncio.sleep(_LOOK_EVERY_S)
            outcome.resumed.append(time.monotonic() - begin)
        await self._audit()

    # -- after -------------------------------------------------------------------------------------------------------

    def _look_at_log(self) -> None:
        self.outcome.findings += [
            f"in the server's log: {one.text}" for one in tracebacks(self._place.server.take_log())
        ]

    async def _judge(self, http: httpx.AsyncClient) -> None:
        """Compare logs and workspaces, as they came from the disk, with what clients were told and asked for."""
        outcome = self.outcome
        for line in self._lines:
            mine = [client for client in self._clients if client.w == line.w]
            outcome.findings += line.differences(mine)
            answer = await http.get(f"{self._api}/workspaces/{line.w}")
            assert answer.status_code == 200, answer.text
            outcome.findings += [
                f"{line.w}: {one}" for client in mine for one in client.belongings.differences(answer.json())
            ]
        self._look_at_log()
        outcome.commits = sum(map(len, self._lines)) - _AHEAD * len(self._lines)
        outcome.longest = max(line.kept for line in self._lines), max(map(len, self._lines))


def _leaves(found: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    for one in found.exceptions:
        if isinstance(one, BaseExceptionGroup):
            yield from _leaves(one)
        else:
            yield one
