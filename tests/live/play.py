"""One round of the fuzz: a cast, what befalls them, and the verdict. Everything is drawn from one seed."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

from tests.live import verdict
from tests.live.chronicle import Chronicle, chronicle
from tests.live.node import NodeHost, NodePage, node_host
from tests.live.pages import Json, Page, PythonPage, until
from tests.live.people import DOCUMENT, Person
from tests.live.proxy import Odds, Way, bad_way
from tests.live.stage import NAMES, Stage

_MOST_ACTS = 120
_STORMS = (
    Odds(),
    Odds(delay=0.3, delay_seconds=0.05),
    Odds(delay=0.5, delay_seconds=0.2, cut=0.01),
    Odds(delay=0.1, stall=0.02, cut=0.02),
)


class Gate:
    """Lets people act, or keeps them from it."""

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
class Part:
    """Somebody of the cast, the way they have to the server, and the gate before what they do."""

    person: Person
    way: Way
    gate: Gate
    acts: int

    @property
    def page(self) -> Page:
        return self.person.page

    async def play(self, is_over: asyncio.Event) -> None:
        """Work until nothing befalls anybody any more, and then a little longer."""
        acts = 0
        while acts < (self.acts if is_over.is_set() else _MOST_ACTS):
            acts += 1
            async with self.gate.passing():
                await self.person.act()
            await asyncio.sleep(self.person.rng.uniform(0, self.person.habits.pause))


@dataclass
class Round:
    """One workspace and everybody in it."""

    stage: Stage
    rng: random.Random
    story: Chronicle
    gate: Gate = field(default_factory=Gate)
    cast: list[Part] = field(default_factory=list)
    events: list[str] = field(default_factory=list)
    is_over: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def people(self) -> list[Person]:
        return [part.person for part in self.cast]

    async def play(self) -> None:
        """Let everybody work while things happen, and then come to rest."""
        async with asyncio.TaskGroup() as group:
            for part in self.cast:
                group.create_task(part.play(self.is_over))
            group.create_task(self._conduct())
        for part in self.cast:
            part.way.calm()

    async def _conduct(self) -> None:
        """What befalls them: weather, a worker killed, one of them asleep for longer than commits are kept."""
        happenings = ["weather"] * 3 + ["kill"] * self.rng.choice((0, 1, 1)) + ["sleep"] * self.rng.choice((0, 1))
        self.rng.shuffle(happenings)
        for happening in happenings:
            await asyncio.sleep(self.rng.uniform(0.05, 0.4))
            self.events.append(happening)
            await getattr(self, f"_{happening}")()
        self.is_over.set()

    async def _weather(self) -> None:
        for part in self.cast:
            part.way.odds = self.rng.choice(_STORMS)

    async def _kill(self) -> None:
        await self._restart(self.rng.randrange(len(NAMES)))

    async def _restart(self, number: int) -> None:
        await self.stage.kill(number)
        await asyncio.sleep(self.rng.choice((0, 0.2, 0.6)))
        await self.stage.start(number)

    async def _sleep(self) -> None:
        """Somebody's lid is closed; meanwhile everything they knew is trimmed away. They go on working all the same."""
        sleeper = self.rng.choice(self.cast)
        sleeper.person.may_reload = False
        sleeper.gate = Gate()
        sleeper.way.shut()
        known = await self.story.read()
        others = [part.page for part in self.cast if part is not sleeper]
        while self.story.base <= known:
            await asyncio.sleep(self.rng.uniform(0.1, 0.4))
            async with self.gate.closed():
                # Who waits for an answer must hear it before it is forgotten.
                await settle(others)
                await self.stage.commit(self.story.w)
                await self.story.trim()
        # Workers remember commits that the store has forgotten; new ones do not.
        for number in range(len(NAMES)):
            await self._restart(number)
        sleeper.way.is_shut = False
        await until([sleeper.page], lambda told: told[0]["live"], "waking up", _breath)
        sleeper.person.may_reload = True
        sleeper.gate = self.gate

    async def judge(self) -> list[Json]:
        """Wait until all is quiet, and see whether every promise was kept; the pages' reports."""
        pages = [part.page for part in self.cast]
        await settle(pages)
        head = await self.story.read()
        await until(pages, lambda told: all(one["rev"] == head for one in told), "the head", _breath)
        reports = [await page.ask("report") for page in pages]
        verdict.check_equal(self.people, reports, self.story)
        for person, report in zip(self.people, reports, strict=True):
            verdict.check_writes(person, report, self.story)
            verdict.check_deeds(person, report, self.story)
            verdict.check_marks(person, report, self.story)
        shown = await self.stage.read(self.story.w)
        assert all(one == shown[0] for one in shown), "the workers show different things"
        assert not any("Traceback" in log for log in self.stage.logs()), "a worker met what it did not expect"
        return reports


async def settle(pages: Sequence[Page]) -> None:
    """Wait until every page has an answer to everything."""
    await until(list(pages), lambda told: all(one["settled"] for one in told), "that all is saved", _breath)


async def _breath() -> None:
    await asyncio.sleep(0.05)


async def play(stage: Stage, seed: str) -> Json:
    """Play a round; what happened."""
    rng = random.Random(seed)
    async with AsyncExitStack() as stack:
        w = await stage.create(f"Round {seed}", DOCUMENT)
        story = await stack.enter_async_context(chronicle(stage.store_url, w))
        one = Round(stage, rng, story)
        host = await stack.enter_async_context(node_host())
        profiles = [await stage.profile(f"P{number}") for number in range(3)]
        for number in range(rng.randint(2, 6)):
            one.cast.append(await _cast(one, stack, host, seed, number, profiles))
        await one.play()
        reports = await one.judge()
        harm = [part.way.harm for part in one.cast]
        return {**verdict.tally(one.people, reports, story), "events": one.events, "harm": harm}


async def _cast(
    one: Round, stack: AsyncExitStack, host: NodeHost, seed: str, number: int, profiles: Sequence[tuple[str, Json]]
) -> Part:
    """Somebody with a page of their own, perhaps the second one of the same profile."""
    rng = random.Random(f"{seed}/{number}")
    home = rng.randrange(len(NAMES))
    way = await stack.enter_async_context(bad_way(lambda: one.stage.targets(home), rng))
    me, headers = profiles[number % len(profiles)] if rng.random() < 0.8 else profiles[0]
    name = f"c{number}"
    page: Page
    if number % 2:
        node = NodePage(host, name, me)
        await node.open(f"http://127.0.0.1:{way.port}", one.story.w, headers)
        page = node
    else:
        url = f"ws://127.0.0.1:{way.port}/api/v1/workspaces/{one.story.w}/live"
        page = PythonPage(name, me, url, headers, rng)
    stack.push_async_callback(page.close)
    return Part(Person(page, number, rng), way, one.gate, rng.randint(15, 35))
