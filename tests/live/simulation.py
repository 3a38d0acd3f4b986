"""One simulation of the live fuzz: users, faults, and the checks at its end. Everything is drawn from one seed."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

from tests.live import checks
from tests.live.deployment import NAMES, Deployment
from tests.live.full_log import FullLog, open_full_log
from tests.live.node import NodeHost, NodePage, node_host
from tests.live.pages import Json, Page, PythonPage, until
from tests.live.proxy import FaultyProxy, Odds, faulty_proxy
from tests.live.users import DOCUMENT, User

_MOST_ACTS = 120
_NETWORKS = (
    Odds(),
    Odds(delay=0.3, delay_seconds=0.05),
    Odds(delay=0.5, delay_seconds=0.2, cut=0.01),
    Odds(delay=0.1, stall=0.02, cut=0.02),
)


class Gate:
    """Lets users act, or makes them wait."""

    def __init__(self) -> None:
        self._open = asyncio.Event()
        self._open.set()
        self._inside = 0
        self._idle = asyncio.Event()
        self._idle.set()

    @asynccontextmanager
    async def passing(self) -> AsyncIterator[None]:
        """Act while it is open."""
        await self._open.wait()
        self._inside += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._inside -= 1
            if not self._inside:
                self._idle.set()

    @asynccontextmanager
    async def closed(self) -> AsyncIterator[None]:
        """Nobody acts."""
        self._open.clear()
        try:
            await self._idle.wait()
            yield
        finally:
            self._open.set()


@dataclass
class Participant:
    """One user, their connection to the server, and the gate before their actions."""

    user: User
    proxy: FaultyProxy
    gate: Gate
    acts: int

    @property
    def page(self) -> Page:
        return self.user.page

    async def run(self, is_over: asyncio.Event) -> None:
        """Act until the last disturbance, and then a little longer."""
        acts = 0
        while acts < (self.acts if is_over.is_set() else _MOST_ACTS):
            acts += 1
            async with self.gate.passing():
                await self.user.act()
            await asyncio.sleep(self.user.rng.uniform(0, self.user.behaviour.pause))


@dataclass
class Simulation:
    """One workspace and everybody in it."""

    deployment: Deployment
    rng: random.Random
    full_log: FullLog
    gate: Gate = field(default_factory=Gate)
    participants: list[Participant] = field(default_factory=list)
    events: list[str] = field(default_factory=list)
    is_over: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def users(self) -> list[User]:
        return [participant.user for participant in self.participants]

    async def run(self) -> None:
        """Let everybody act while there are disturbances, and then let everything settle."""
        async with asyncio.TaskGroup() as group:
            for participant in self.participants:
                group.create_task(participant.run(self.is_over))
            group.create_task(self._disturb())
        for participant in self.participants:
            participant.proxy.calm()

    async def _disturb(self) -> None:
        """Bad networks, a killed worker, a page that sleeps for longer than commits are kept."""
        disturbances = ["network"] * 3 + ["kill"] * self.rng.choice((0, 1, 1)) + ["sleep"] * self.rng.choice((0, 1))
        self.rng.shuffle(disturbances)
        for disturbance in disturbances:
            await asyncio.sleep(self.rng.uniform(0.05, 0.4))
            self.events.append(disturbance)
            await getattr(self, f"_{disturbance}")()
        self.is_over.set()

    async def _network(self) -> None:
        for participant in self.participants:
            participant.proxy.odds = self.rng.choice(_NETWORKS)

    async def _kill(self) -> None:
        await self._restart(self.rng.randrange(len(NAMES)))

    async def _restart(self, number: int) -> None:
        await self.deployment.kill(number)
        await asyncio.sleep(self.rng.choice((0, 0.2, 0.6)))
        await self.deployment.start(number)

    async def _sleep(self) -> None:
        """A page sleeps while everything that it knew is trimmed away; its user goes on working."""
        sleeper = self.rng.choice(self.participants)
        sleeper.user.may_reload = False
        sleeper.gate = Gate()
        sleeper.proxy.shut()
        known = await self.full_log.read()
        others = [participant.page for participant in self.participants if participant is not sleeper]
        await self.deployment.commit(self.full_log.w)
        await self.full_log.snapshot()
        await asyncio.sleep(self.rng.uniform(0.2, 0.8))
        async with self.gate.closed():
            await self.deployment.commit(self.full_log.w)
            # Who waits for an answer must hear it before it is forgotten.
            await settle(others)
            await self.deployment.forget(self.full_log)
        assert self.full_log.base > known
        await self.deployment.start_all()
        sleeper.proxy.is_shut = False
        await until([sleeper.page], lambda told: told[0]["live"], "waking up", _pause)
        sleeper.user.may_reload = True
        sleeper.gate = self.gate

    async def check(self) -> list[Json]:
        """Wait until everything has settled, and check every promise; return the reports of the pages."""
        pages = [participant.page for participant in self.participants]
        await settle(pages)
        head = await self.full_log.read()
        await until(pages, lambda told: all(one["rev"] == head for one in told), "the head", _pause)
        reports = [await page.ask("report") for page in pages]
        checks.check_equal(self.users, reports, self.full_log)
        for user, report in zip(self.users, reports, strict=True):
            checks.check_writes(user, report, self.full_log)
            checks.check_actions(user, report, self.full_log)
            checks.check_marks(user, report, self.full_log)
        shown = await self.deployment.read(self.full_log.w)
        assert all(one == shown[0] for one in shown), "the workers show different things"
        assert not any("Traceback" in log for log in self.deployment.logs()), "a worker met what it did not expect"
        return reports


async def settle(pages: Sequence[Page]) -> None:
    """Wait until every page has an answer to everything."""
    await until(list(pages), lambda told: all(one["settled"] for one in told), "that all is saved", _pause)


async def _pause() -> None:
    await asyncio.sleep(0.05)


async def run(deployment: Deployment, seed: str) -> Json:
    """Run one simulation; return a summary."""
    rng = random.Random(seed)
    async with AsyncExitStack() as stack:
        w = await deployment.create(f"Round {seed}", DOCUMENT)
        full_log = await stack.enter_async_context(open_full_log(deployment.store_url, w))
        one = Simulation(deployment, rng, full_log)
        host = await stack.enter_async_context(node_host())
        profiles = [await deployment.profile(f"P{number}") for number in range(3)]
        for number in range(rng.randint(2, 6)):
            one.participants.append(await make_participant(one, stack, host, seed, number, profiles))
        await one.run()
        reports = await one.check()
        harm = [participant.proxy.harm for participant in one.participants]
        return {**checks.summary(one.users, reports, full_log), "events": one.events, "harm": harm}


async def open_page(
    host: NodeHost | None, proxy: FaultyProxy, w: str, name: str, profile: tuple[str, Json], rng: random.Random
) -> Page:
    """A page of a profile behind a proxy: of the TypeScript client where there is a host, else of the Python one."""
    me, headers = profile
    if host is None:
        url = f"ws://127.0.0.1:{proxy.port}/api/v1/workspaces/{w}/live"
        return PythonPage(name, me, url, headers, rng)
    page = NodePage(host, name, me)
    await page.open(f"http://127.0.0.1:{proxy.port}", w, headers)
    return page


async def make_participant(
    one: Simulation, stack: AsyncExitStack, host: NodeHost, seed: str, number: int, profiles: Sequence[tuple[str, Json]]
) -> Participant:
    """A user with a page of their own, perhaps the second one of the same profile."""
    rng = random.Random(f"{seed}/{number}")
    home = rng.randrange(len(NAMES))
    proxy = await stack.enter_async_context(faulty_proxy(lambda: one.deployment.targets(home), rng))
    me, headers = profiles[number % len(profiles)] if rng.random() < 0.8 else profiles[0]
    page = await open_page(host if number % 2 else None, proxy, one.full_log.w, f"c{number}", (me, headers), rng)
    stack.push_async_callback(page.close)
    return Participant(User(page, number, rng), proxy, one.gate, rng.randint(18, 42))
