"""Two hubs on one real store: what happens at one is seen at the other, and so is who is there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
import uvloop

from draftsmith.history.actor import Actor
from tests.integration.assistant_workers import ANA, BEN
from tests.integration.live_pages import Page, Worker, worker
from tests.integration.test_live_hub import add


@asynccontextmanager
async def two_workers(redis_url: str, heartbeat: float = 5.0) -> AsyncIterator[tuple[Worker, Worker]]:
    async with worker(redis_url, "left", heartbeat=heartbeat) as left:
        await left.base.make_shop()
        async with worker(redis_url, "right", left.base.w, heartbeat=heartbeat) as right:
            yield left, right


def people(page: Page) -> dict[str, str]:
    """Who is there as a page was last told: names by members."""
    return {one["member"]: one["name"] for one in page.received("roster")[-1]["members"]}


async def test_commits_of_both_are_seen_on_both(redis_url: str) -> None:
    async with two_workers(redis_url) as (left, right):
        ana, ben = await left.join(ANA), await right.join(BEN)
        for number in range(20):
            page = (ana, ben)[number % 2]
            page.send("submit", id=f"write-{number:04}", operations=[add(f"n{number}")])
        for number in range(20):
            assert (await (ana, ben)[number % 2].answer(f"write-{number:04}"))["t"] == "committed"
        last = max(ana.rev, ben.rev)
        await ana.until_rev(last)
        await ben.until_rev(last)
        assert ana.shape == ben.shape
        assert len(ana.received("committed")) == len(ben.received("committed")) == 10


async def test_people_and_where_they_are_are_seen_on_both(redis_url: str) -> None:
    async with two_workers(redis_url) as (left, right):
        ana, ben = await left.join(ANA), await right.join(BEN)
        everybody = {ana.connection.member: "Ana", ben.connection.member: "Ben"}
        await ana.until(lambda page: people(page) == everybody)
        await ben.until(lambda page: people(page) == everybody)
        ana.send("presence", state={"view": "split", "cursor": {"x": 1.5, "y": 2}})
        moved = await ben.until(lambda page: page.received("presence"))
        assert moved[-1]["members"] == {ana.connection.member: {"view": "split", "cursor": {"x": 1.5, "y": 2}}}
        assert not ana.received("presence"), "nobody is told where they are themselves"
        newcomer = await right.join(ANA)
        await newcomer.until(lambda page: len(people(page)) == 3)
        shown = {one["member"]: one for one in newcomer.received("roster")[-1]["members"]}
        assert shown[ana.connection.member]["state"]["view"] == "split"
        assert (
            shown[ana.connection.member]["color"]
            == shown[newcomer.connection.member]["color"]
            != shown[ben.connection.member]["color"]
        )
        await ana.leave()
        await ben.until(lambda page: len(people(page)) == 2 and ana.connection.member not in people(page))


async def test_a_new_name_is_seen_everywhere(redis_url: str) -> None:
    async with two_workers(redis_url) as (left, right):
        ana, ben = await left.join(ANA), await right.join(BEN)
        await ben.until(lambda page: len(people(page)) == 2)
        anna = Actor(ANA.id, "Anna", "person")
        left.live.rename(anna)
        for page in (ana, ben):
            await page.until(lambda one: people(one)[ana.connection.member] == "Anna")
        await ana.do("submit", "write-0001", operations=[add("a")])
        await ben.until(lambda page: page.received("commit"))
        assert ben.received("commit")[-1]["by"]["name"] == "Anna"


async def test_a_lost_wake_costs_no_more_than_a_heartbeat(redis_url: str) -> None:
    async with two_workers(redis_url, heartbeat=0.1) as (left, right):
        ana, ben = await left.join(ANA), await right.join(BEN)
        await right.wakes.unlisten(left.base.w)  # from now on it hears nothing
        answer = await ana.do("submit", "write-0001", operations=[add("a")])
        await ben.until_rev(answer["rev"])
        assert ana.shape == ben.shape


async def test_a_worker_that_goes_leaves_no_gap_for_others(redis_url: str) -> None:
    """Its people come back to the other one, with what they had not heard of."""
    async with worker(redis_url, "left") as left:
        await left.base.make_shop()
        ben = await left.join(BEN)
        async with worker(redis_url, "right", left.base.w) as right:
            ana = await right.join(ANA)
            await ana.do("submit", "write-0001", operations=[add("a")])
            await ana.stop()
            ana.send("submit", id="write-0002", operations=[add("b")])
        back = await left.join(ANA, ana, ["write-0002"])
        await back.until_rev(ben.rev)
        again = await back.do("submit", "write-0002", operations=[add("b")])
        assert again["t"] == "committed"
        await ben.until_rev(again["rev"])
        assert back.shape == ben.shape
        assert [node[0] for node in back.shape["nodes"]].count("b") == 1


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_everybody_at_once_on_both(redis_url: str, loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    """Thirty people come, write and go at the same time; every page that stays has it all. On either loop."""
    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(everybody_at_once(redis_url))


async def everybody_at_once(redis_url: str) -> None:
    async with two_workers(redis_url) as (left, right):

        async def live(number: int) -> Page:
            actor = Actor(f"guest:{number}", f"P{number}", "person")
            page = await (left, right)[number % 2].join(actor)
            for turn in range(3):
                name = f"n{number}-{turn}"
                answer = await page.do("submit", f"write-{name}", operations=[add(name)])
                assert answer["t"] == "committed", answer
                page.send("presence", state={"editing": name})
            if number % 3 == 0:
                await page.leave()
            return page

        pages = await asyncio.gather(*(live(number) for number in range(30)))
        stayed = [page for number, page in enumerate(pages) if number % 3]
        last = max(page.rev for page in stayed)
        for page in stayed:
            await page.until_rev(last)
            await page.until(lambda one: len(people(one)) == len(stayed))
            assert page.shape == stayed[0].shape
        assert len(stayed[0].shape["nodes"]) == 5 + 90
        colors = {one["color"] for one in stayed[0].received("roster")[-1]["members"]}
        assert len(colors) == len(stayed)
