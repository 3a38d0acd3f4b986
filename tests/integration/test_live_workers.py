"""Two workers, pages on both: one workspace for everybody, and a worker that goes takes nothing along."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.integration.client import Api, label, node
from tests.integration.servers import Server, running
from tests.integration.sockets import Page, new_id, page, seated
from tests.timeouts import timeout


def members(one: Page) -> list[str]:
    """The names in the newest roster that a page was told."""
    rosters = [message for message in one.heard if message["t"] == "roster"]
    return sorted(member["name"] for member in rosters[-1]["members"])


@pytest.fixture
def w(two: list[Api]) -> str:
    two[0].become("Ada")
    two[1].become("Ben")
    return two[0].create(name="Shop", document={"text": "# Shop\n"})


@pytest.fixture
def doomed(redis_server: str, redis_url: str) -> Iterator[tuple[list[Server], list[Api]]]:
    """Two workers that a test may end, and a client of each."""
    with running(redis_server, "w-doomed", "w-other") as servers, ExitStack() as stack:
        yield servers, [stack.enter_context(Api(server.url)) for server in servers]


async def test_commits_go_to_every_page_of_every_worker(two: list[Api], w: str) -> None:
    """Those of sockets and of HTTP alike, in one order, each once."""
    async with seated(two[0], w) as left, seated(two[1], w) as right:

        async def write(one: Page, api: Api, side: str) -> None:
            for number in range(20):
                if number % 2:
                    await one.submit(node(f"{side}{number}"))
                else:
                    await asyncio.to_thread(api.batch, w, node(f"{side}{number}"))

        await asyncio.gather(write(left, two[0], "l"), write(right, two[1], "r"))
        for one in (left, right):
            await one.at(41)
            assert [commit["rev"] for commit in one.commits] == list(range(2, 42))
        assert left.commits == right.commits
        assert left.place == right.place


async def test_typing_of_both_converges(two: list[Api], w: str) -> None:
    async with seated(two[0], w) as left, seated(two[1], w) as right:
        assert left.place is not None
        for number in range(5):
            base = {"epoch": left.place["epoch"], "base": 1 + 2 * number}
            length = len(two[0].read(w)["document"]["text"])
            for one, text in ((left, "L"), (right, "R")):
                await one.say("type", id=new_id(), **base, changes=[length, [0, text]])
            for one in (left, right):
                await one.next("committed")
                await one.at(3 + 2 * number)
    text = two[1].read(w)["document"]["text"].removeprefix("# Shop\n")
    assert sorted(text) == ["L"] * 5 + ["R"] * 5


async def test_everybody_is_in_the_roster_and_seen_to_move(two: list[Api], w: str) -> None:
    """And out of it when they leave; people have colours of their own, tabs of one share theirs."""
    async with seated(two[0], w) as left, seated(two[1], w) as right, seated(two[1], w) as tab:
        await left.until(lambda: members(left) == ["Ada", "Ben", "Ben"])
        await right.until(lambda: members(right) == ["Ada", "Ben", "Ben"])

        def colors(one: Page) -> set[tuple[str, str]]:
            """Names and colours in the newest roster; the first may be from before the workers knew of each other."""
            rosters = [m for m in one.heard if m["t"] == "roster"]
            return {(m["name"], m["color"]) for m in rosters[-1]["members"]} if rosters else set()

        async with timeout():
            while not (len(colors(tab)) == 2 and colors(tab) == colors(left) == colors(right)):  # noqa: ASYNC110  # of three sockets
                await asyncio.sleep(0.01)
        assert len({color for _, color in colors(tab)}) == 2
        for number in range(50):
            await left.say("presence", state={"view": "diagram", "cursor": {"x": number, "y": 0}})

        def seen(one: Page) -> list[Any]:
            told = [m["members"] for m in one.heard if m["t"] == "presence"]
            return [state["cursor"]["x"] for each in told for state in each.values()]

        await right.until(lambda: seen(right)[-1:] == [49])
        assert seen(right) == sorted(seen(right))
        assert seen(left) == [], "nobody is told of oneself"
        await tab.leave()
        await left.until(lambda: members(left) == ["Ada", "Ben"])


async def test_another_workers_change_is_there_at_once(two: list[Api], w: str) -> None:
    """It is not found by looking every few seconds."""
    async with seated(two[1], w) as right:
        slow = 0
        for number in range(10):
            answer = two[0].batch(w, node(f"n{number}"))
            began = asyncio.get_running_loop().time()
            await right.at(answer["revision"])
            slow += asyncio.get_running_loop().time() - began > 2
        assert slow <= 2


async def test_a_killed_worker_takes_nothing_along(doomed: tuple[list[Server], list[Api]]) -> None:
    """Pages of the other one have no gap; its own resume there, with what they had sent, which happens once."""
    servers, (left, right) = doomed
    left.become("Ada")
    right.become("Ben")
    w = left.create(name="Shop", document={"text": "# Shop\n"})
    async with seated(right, w) as stays:
        async with page(left, w) as goes:
            await goes.next("roster")
            await goes.submit(node("first"))
            await stays.at(2)
            sent = await goes.say("submit", id=new_id(), operations=[node("second")])
            servers[0].process.kill()
            assert (await goes.closed())[0] == 1006
            place = goes.place
        await stays.submit(label("first", "Changed meanwhile"))
        with Api(servers[1].url) as moved:
            moved.cookies.update(left.cookies)
            async with page(moved, w, resume=place, pending=[sent]) as back:
                welcome = await back.next("welcome")
                assert (welcome["resumed"], welcome["me"]["name"]) == (True, "Ada")
                again = await back.say("submit", id=sent, operations=[node("second")])
                await back.next("committed", id=again)
                await back.submit(node("third"))
                head = moved.read(w)["revision"]
                await back.at(head)
                await stays.at(head)
                assert [commit["rev"] for commit in stays.commits] == list(range(2, head + 1))
                assert sorted(right.nodes(w)) == ["first", "second", "third"]
                assert [m["t"] for m in back.heard].count("state") == 0
                assert [m["t"] for m in stays.heard].count("state") == 1, "the one it began with"
                # Ada's page on the dead worker is taken for gone after a while, the one here stays.
                await stays.until(lambda: members(stays) == ["Ada", "Ben"])


async def test_a_worker_that_stops_tells_its_pages(doomed: tuple[list[Server], list[Api]]) -> None:
    """They hear when to come again, each at another time, and are closed as by a restart; the others notice nothing."""
    servers, (left, right) = doomed
    w = left.create(name="Shop")
    async with seated(right, w) as stays, seated(left, w) as one, seated(left, w) as two_:
        answer = await one.submit(node("a"))
        await asyncio.to_thread(servers[0].stop)
        again = []
        for goes in (one, two_):
            close, reason = await goes.closed()
            bye = goes.heard[-1]
            assert (close, bye["t"], bye["code"]) == (1012, "bye", "restarting"), (close, goes.heard[-3:])
            assert reason.startswith("restarting: ")
            again.append(bye["again_ms"])
        assert all(0 < ms <= 10_000 for ms in again)
        assert servers[0].process.returncode is not None
        assert "Traceback" not in servers[0].log, servers[0].log
        assert "Cancel" not in servers[0].log, servers[0].log
        await stays.at(answer["rev"])
        await stays.until(lambda: len(members(stays)) == 1)
        async with page(right, w, resume=one.place) as back:
            assert (await back.next("welcome"))["resumed"]


async def test_many_pages_are_told_before_the_end(doomed: tuple[list[Server], list[Api]]) -> None:
    """Idle, busy, reading nothing: nobody keeps the worker from ending in its time."""
    servers, (left, _) = doomed
    w = left.create(name="Shop", document={"text": "x" * 500_000})
    async with timeout():
        pages = [seated(left, w) for _ in range(20)]
        found = [await one.__aenter__() for one in pages]
        try:
            await asyncio.to_thread(servers[0].stop)
            for one in found:
                assert (await one.closed())[0] == 1012
                assert one.heard[-1]["t"] == "bye"
            assert len({one.heard[-1]["again_ms"] for one in found}) > 1
        finally:
            for seat in pages:
                await seat.__aexit__(None, None, None)
