"""Whose turn it is among those whose work takes long."""

from __future__ import annotations

import asyncio

import pytest

from draftsmith.errors import DraftsmithError
from draftsmith.usecases.prepare.fair_queue import FairQueue
from draftsmith.usecases.requests.client import Client

ANA, BEN, EVE = Client("10.0.0.1", "ana"), Client("10.0.0.2", "ben"), Client("10.0.0.9", "eve")


class Office:
    """A fair queue, and who has had a turn so far, in order; a turn ends when it is told to."""

    def __init__(self, resources: int = 1, **bounds: int) -> None:
        self.queue = FairQueue(list(range(resources)), **bounds)
        self.served: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []
        self._ends: dict[str, asyncio.Event] = {}

    async def ask(self, client: Client, name: str) -> asyncio.Task[None]:
        """Ask for a turn, and let everybody who can go on do so."""
        self._ends[name] = asyncio.Event()
        task = asyncio.create_task(self._take(client, name))
        self.tasks.append(task)
        await settled()
        return task

    async def _take(self, client: Client, name: str) -> None:
        async with self.queue.turn(client):
            self.served.append(name)
            await self._ends[name].wait()

    async def end(self, name: str) -> None:
        """End a turn."""
        self._ends[name].set()
        await settled()

    async def end_all(self) -> None:
        """End one turn after the other until nobody waits."""
        for number in range(len(self.tasks)):
            await self.end(self.served[number])
        await asyncio.gather(*self.tasks)


async def settled() -> None:
    """Everybody who can go on has done so."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_a_client_who_asks_often_waits_behind_itself() -> None:
    """Whoever asks for the first time is next, however much others have asked for before."""
    office = Office()
    for number in range(5):
        await office.ask(EVE, f"eve{number}")
    await office.ask(ANA, "ana0")
    await office.ask(ANA, "ana1")
    await office.ask(BEN, "ben0")
    await office.end_all()
    assert office.served == ["eve0", "ana0", "ben0", "eve1", "ana1", "eve2", "eve3", "eve4"]


async def test_a_client_has_one_turn_at_a_time() -> None:
    """Also where a resource is free: it is there for the next client."""
    office = Office(resources=2)
    await office.ask(EVE, "eve0")
    await office.ask(EVE, "eve1")
    assert office.served == ["eve0"]
    await office.ask(ANA, "ana0")
    assert office.served == ["eve0", "ana0"]
    await office.end("eve0")
    assert office.served == ["eve0", "ana0", "eve1"]
    await office.end_all()


async def test_many_names_at_one_address_share_its_turns() -> None:
    """Profiles of a browser cost nothing to make."""
    office = Office()
    for number in range(4):
        await office.ask(Client(EVE.address, f"profile{number}"), f"eve{number}")
    await office.ask(ANA, "ana0")
    await office.ask(BEN, "ben0")
    await office.end_all()
    assert office.served == ["eve0", "ana0", "ben0", "eve1", "eve2", "eve3"]


async def test_how_many_wait_is_bounded_for_each_and_in_total() -> None:
    """Beyond it, a request is refused at once and keeps nobody out."""
    office = Office(per_client=2, in_total=3)
    for name in ("eve0", "eve1", "eve2"):
        await office.ask(EVE, name)
    with pytest.raises(DraftsmithError, match="busy"):
        async with office.queue.turn(EVE):
            pass
    await office.ask(ANA, "ana0")
    with pytest.raises(DraftsmithError, match="busy"):
        async with office.queue.turn(BEN):
            pass
    assert office.queue.waiting == 3
    await office.end_all()
    assert office.served == ["eve0", "ana0", "eve1", "eve2"]
    assert office.queue.waiting == 0


@pytest.mark.parametrize("is_served", [False, True])
async def test_who_leaves_gives_its_place_or_its_turn_to_the_next(is_served: bool) -> None:
    """Whether it waits or was given a turn that very moment."""
    office = Office()
    await office.ask(ANA, "ana0")
    leaving = await office.ask(EVE, "eve0")
    await office.ask(BEN, "ben0")
    if is_served:
        office._ends["ana0"].set()
        await asyncio.sleep(0)  # the turn is given to Eve, who has not run since
    leaving.cancel()
    await settled()
    if not is_served:
        await office.end("ana0")
    assert office.served == ["ana0", "ben0"]
    await office.end("ben0")
    await asyncio.wait(office.tasks)
    async with office.queue.turn(EVE):
        assert office.queue.waiting == 0
