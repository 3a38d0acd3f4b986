"""Two hubs on one real store: what happens at one is seen at the other, and so is who is there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
import uvloop

from draftsmith.history.actor import Actor
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import Meta
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


async def test_a_worker_does_not_look_for_what_it_has_committed_itself(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own wakes cost no trip to the store; those of others do."""
    # On a busy machine a reply takes longer than a worker waits for it before it looks, as it should then.
    monkeypatch.setattr("draftsmith.usecases.live.room._REPLY_S", 1_000)
    looks: list[str] = []
    async with two_workers(redis_url, heartbeat=1_000) as (left, right):
        ana, ben = await left.join(ANA), await right.join(BEN)
        log = left.base.workspaces.log
        meta = log.meta

        async def counted(w: WorkspaceId) -> Meta | None:
            looks.append(w)
            return await meta(w)

        monkeypatch.setattr(log, "meta", counted)
        for number in range(10):
            await ana.do("submit", f"write-{number:04}", operations=[add(f"n{number}")])
            await asyncio.sleep(0.03)  # more than between two looks
        answer = await ben.do("submit", "write-0010", operations=[add("n10")])
        await ana.until_rev(answer["rev"])
        assert 1 <= len(looks) <= 3
        assert ana.shape == ben.shape


async def test_a_commit_of_its_own_of_which_a_worker_was_not_told_is_looked_for(redis_url: str) -> None:
    """As when the reply to an append is lost: here another worker of the same name has made it."""
    async with two_workers(redis_url, heartbeat=1_000) as (left, _):
        ana = await left.join(ANA)
        async with worker(redis_url, "left", left.base.w, heartbeat=1_000) as twin:
            ben = await twin.join(BEN)
            answer = await ben.do("submit", "write-0001", operations=[add("a")])
            await ana.until_rev(answer["rev"])
            assert ana.shape == ben.shape


class _Writer:
    """A socket that takes frames at once, or does not."""

    def __init__(self, page: Page) -> None:
        self.page, self.is_writable, self.count = page, True, 0

    def can_write(self) -> bool:
        return self.is_writable

    async def until_writable(self) -> None:
        """Its page takes what it is given."""

    def write(self, text: str) -> None:
        self.count += 1
        self.page.take(text)


async def test_frames_written_at_once_and_frames_waited_for_make_one_order(redis_url: str) -> None:
    """Whatever the socket takes at the moment."""
    async with two_workers(redis_url) as (left, _):
        ana, ben = await left.join(ANA), await left.join(BEN)
        ana.connection.writer = writer = _Writer(ana)
        for number in range(12):
            writer.is_writable = number % 3 != 1
            answer = await ben.do("submit", f"write-{number:04}", operations=[add(f"n{number}")])
            await ana.until_rev(answer["rev"])
            assert ana.shape == ben.shape
        assert 8 <= writer.count < 12
        left.live.rename(Actor(BEN.id, "Benjamin", "person"))
        await ana.until(lambda page: "Benjamin" in people(page).values())


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
