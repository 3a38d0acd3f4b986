"""How it ends, and what is left: nothing. And whoever only follows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import pytest
import redis

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Entry
from draftsmith.history.record import Record
from tests.integration.assistant_workers import ANA, BEN
from tests.integration.live_pages import worker
from tests.integration.stores import OwnStore
from tests.integration.test_live_hub import add
from tests.timeouts import timeout


def tasks() -> set[str]:
    """The tasks that there are, but those of writers and connections, which outlive rooms."""
    names = {task.get_name() for task in asyncio.all_tasks() if not task.done()}
    return {
        name
        for name in names
        if name.startswith(("follow ", "send ", "read ", "heartbeat ", "watch ", "close ", "open "))
    }


async def test_the_last_who_leaves_closes_the_room(redis_url: str) -> None:
    async with worker(redis_url) as one:
        await one.base.make_shop()
        ana, ben = await one.join(ANA), await one.join(BEN)
        ana.send("watch", run="0" * 26)
        await ana.until(lambda page: page.received("run_gone"))
        await ana.leave()
        await ana.leave()
        assert one.live.room_count == 1
        await ben.leave()
        assert one.live.room_count == 0
        assert tasks() == set()
        again = await one.join(ANA, ana)
        assert (await again.do("submit", "write-0001", operations=[add("a")]))["t"] == "committed"


async def test_coming_and_going_at_the_same_time(redis_url: str) -> None:
    """A room that is being closed while somebody comes is there for them."""
    async with worker(redis_url) as one:
        await one.base.make_shop()

        async def visit(number: int) -> None:
            for turn in range(10):
                page = await one.join(ANA)
                if (turn + number) % 3 == 0:
                    name = f"n{number}-{turn}"
                    assert (await page.do("submit", f"write-{name}", operations=[add(name)]))["t"] == "committed"
                await page.leave()

        await asyncio.gather(*(visit(number) for number in range(4)))
        assert one.live.room_count == 0
        assert tasks() == set()


async def test_a_cancelled_arrival_leaves_nothing(redis_url: str) -> None:
    async with worker(redis_url) as one:
        await one.base.make_shop()
        for turns in range(30):
            coming = asyncio.create_task(one.join(ANA, reads=False))
            for _ in range(turns):
                await asyncio.sleep(0)
            coming.cancel()
            await asyncio.wait([coming])
            if not coming.cancelled():
                await coming.result().leave()
        await one.live.close()
        assert one.live.room_count == 0
        assert tasks() == set()


async def test_a_worker_that_stops_says_so_and_lets_go(redis_url: str) -> None:
    async with worker(redis_url) as one:
        await one.base.make_shop()
        ana, ben = await one.join(ANA), await one.join(BEN)

        async def go(page: Any) -> None:
            await page.until(lambda one: one.close_reason)
            await page.leave()

        await asyncio.gather(one.live.close(), go(ana), go(ben))
        for page in (ana, ben):
            assert page.close_reason is not None
            assert (page.close_reason.code, page.close_reason.close) == ("restarting", 1012)
            assert page.messages[-1]["t"] == "bye"
        assert ana.messages[-1]["again_ms"] != ben.messages[-1]["again_ms"]
        assert tasks() == set()
        with pytest.raises(DraftsmithError, match="restarting"):
            await one.join(ANA)


async def test_a_workspace_in_the_trash_sends_everybody_away(redis_url: str) -> None:
    async with (
        worker(redis_url, "left", heartbeat=0.2) as left,
        worker(redis_url, "right", heartbeat=0.2) as right,
    ):
        w = right.base.w = await left.base.make_shop()
        pages = [await left.join(ANA), await right.join(BEN)]
        await left.base.workspaces.set_deleted(w, True)
        for page in pages:
            await page.until(lambda one: one.close_reason)
            assert page.messages[-1]["code"] == "workspace_deleted"
            assert page.messages[-1]["again_ms"] is None
            await page.leave()
        await left.base.workspaces.set_deleted(w, False)
        back = await left.join(ANA, pages[0])
        assert (await back.do("submit", "write-0001", operations=[add("a")]))["t"] == "committed"


async def test_a_store_that_is_away_is_told_and_what_was_written_is_kept_by_the_page() -> None:
    store = OwnStore()
    store.start()
    try:
        async with worker(store.url, heartbeat=0.1) as one:
            await one.base.make_shop()
            page = await one.join(ANA)
            store.kill()
            await page.until(lambda one: one.received("store"))
            told = page.received("store")[-1]
            assert not told["ok"]
            assert "does not run" in told["reason"]
            page.send("submit", id="write-0001", operations=[add("a")])
            store.start()
            answer = await page.answer("write-0001")
            if answer["t"] == "rejected":
                assert answer["retry"]
                answer = await page.do("submit", "write-0001", operations=[add("a")])
            assert answer["t"] == "committed"
            await page.until(lambda one: one.received("store")[-1]["ok"])
    finally:
        store.remove()


async def test_who_comes_while_the_store_is_away_is_told_so_and_may_come_again() -> None:
    """Where the workspace is in no memory; what is in memory is read on without the store."""
    store = OwnStore()
    store.start()
    try:
        async with worker(store.url) as first:
            await first.base.make_shop()
        async with worker(store.url) as one:
            one.base.w = first.base.w
            store.kill()
            refused = await asyncio.gather(*(one.join(ANA) for _ in range(20)), return_exceptions=True)
            assert {getattr(error, "code", error) for error in refused} == {"storage_down"}
            assert one.live.room_count == 0
            assert tasks() == set()
            store.start()
            assert (await (await one.join(ANA)).do("submit", "write-0001", operations=[add("a")]))["t"] == "committed"
    finally:
        store.remove()


@pytest.mark.parametrize("heartbeat", [0.05, 1_000])
async def test_a_full_store_is_told_until_a_write_gets_through(heartbeat: float) -> None:
    """Which pages are told at once, without waiting for a heartbeat."""
    store = OwnStore()
    store.start()
    try:
        async with worker(store.url, heartbeat=heartbeat) as one:
            await one.base.make_shop()
            ana, ben = await one.join(ANA), await one.join(BEN)
            with redis.Redis.from_url(store.url) as client:
                client.config_set("maxmemory", 1)
                refused = await ana.do("submit", "write-0001", operations=[add("a")])
                assert (refused["t"], refused["code"], refused["retry"]) == ("rejected", "storage_full", True)
                for page in (ana, ben):
                    await page.until(lambda one: one.received("store"))
                    assert not page.received("store")[-1]["ok"]
                client.config_set("maxmemory", 0)
            assert (await ana.do("submit", "write-0001", operations=[add("a")]))["t"] == "committed"
            for page in (ana, ben):
                await page.until(lambda one: one.received("store")[-1]["ok"])
                assert len(page.received("store")) == 2, "a look in between does not make it well"
    finally:
        store.remove()


# -- following ---------------------------------------------------------------------------------------------------------


Followed = AsyncIterator[tuple[Entry, Record] | None]


async def next_of(followed: Followed) -> tuple[int, str]:
    """The next commit: its revision and what it says."""
    async with timeout():
        while True:
            found = await anext(followed)
            if found is not None:
                return found[0].revision, found[1].what


async def test_commits_can_be_followed_from_now_on_or_from_a_revision(redis_url: str) -> None:
    async with worker(redis_url) as one:
        w = await one.base.make_shop()
        async with aclosing(one.live.follow(w, None)) as now:  # type: ignore[type-var]
            assert await anext(now) is None
            await one.base.edit(BEN, add("a"))
            assert (await next_of(now))[0] == 3
            epoch = await one.base.look(lambda replica: replica.head.epoch)
            async with aclosing(one.live.follow(w, (epoch, 1))) as earlier:  # type: ignore[type-var]
                assert [(await next_of(earlier))[0] for _ in range(2)] == [2, 3]
                await one.base.edit(BEN, add("b"))
                assert await next_of(earlier) == await next_of(now) == (4, "Added node B")
        assert one.live.room_count == 0
        assert tasks() == set()


async def test_following_reads_from_the_log_what_memory_does_not_hold(redis_url: str) -> None:
    async with worker(redis_url) as one:
        w = await one.base.make_shop()
        for number in range(1_100):
            await one.base.edit(BEN, {"op": "rename_workspace", "name": f"Shop {number}"})
        epoch = await one.base.look(lambda replica: replica.head.epoch)
        async with aclosing(one.live.follow(w, (epoch, 0))) as followed:  # type: ignore[type-var]
            assert [(await next_of(followed))[0] for _ in range(1_102)] == list(range(1, 1_103))


@pytest.mark.parametrize("place", [("another", 1), ("", 99)])
async def test_another_history_cannot_be_followed(redis_url: str, place: tuple[str, int]) -> None:
    async with worker(redis_url) as one:
        w = await one.base.make_shop()
        epoch = place[0] or await one.base.look(lambda replica: replica.head.epoch)
        with pytest.raises(DraftsmithError, match="stale_base"):
            await anext(one.live.follow(w, (epoch, place[1])))
        assert one.live.room_count == 0


async def test_following_ends_with_the_worker_and_with_the_workspace(redis_url: str) -> None:
    async with worker(redis_url) as one:
        w = await one.base.make_shop()
        followed = one.live.follow(w, None)
        assert await anext(followed) is None
        await one.base.workspaces.set_deleted(w, True)
        with pytest.raises(DraftsmithError, match="workspace_deleted"):
            await next_of(followed)
        await one.base.workspaces.set_deleted(w, False)
        followed = one.live.follow(w, None)
        assert await anext(followed) is None
        closing = asyncio.create_task(one.live.close())
        with pytest.raises(StopAsyncIteration):
            await next_of(followed)
        await closing
        assert tasks() == set()
