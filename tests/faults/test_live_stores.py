"""The store goes and comes back, or moves, under open pages: nothing is lost, doubled or left out."""

from __future__ import annotations

import asyncio
import random
from contextlib import ExitStack, suppress
from typing import Any

from redis.crc import key_slot
from websockets.exceptions import ConnectionClosed

from draftsmith.adapters.redis.keys import WorkspaceKeys
from tests.contracts.cluster import running_cluster
from tests.faults.test_moved_slot import connected_primaries, move
from tests.integration.client import Api, node
from tests.integration.servers import running
from tests.integration.sockets import Page, new_id, page, seated
from tests.integration.stores import OwnStore
from tests.timeouts import timeout, until


async def persist(one: Page, operation: Any) -> int:
    """Send a batch for as long as it may yet be done; the revision it became."""
    write = new_id()
    while True:
        mark = len(one.heard)
        await one.say("submit", id=write, operations=[operation])
        answer = await one.until(
            lambda mark=mark: next((message for message in one.heard[mark:] if message.get("id") == write), None)
        )
        if answer["t"] == "committed":
            return int(answer["rev"])
        assert answer["retry"], answer
        await asyncio.sleep(0.2)


async def test_the_store_is_away_for_a_while(own_store: OwnStore) -> None:
    """Pages stay open and are told; what they write meanwhile is refused for now, and done once when sent again."""
    with running(own_store.url, "w-left", "w-right") as servers, Api(servers[0].url) as left:
        w = left.create(name="Shop")
        with Api(servers[1].url) as right:
            async with seated(left, w) as one, seated(right, w) as two:
                for number in range(3):
                    done = await asyncio.gather(persist(one, node(f"a{number}")), persist(two, node(f"b{number}")))
                    await asyncio.to_thread(own_store.kill)
                    writes = [
                        asyncio.create_task(persist(each, node(f"{side}{number}-meanwhile")))
                        for each, side in ((one, "a"), (two, "b"))
                    ]
                    for each in (one, two):
                        await each.next("store", ok=False)
                    await asyncio.to_thread(own_store.start)
                    for each in (one, two):
                        await each.next("store", ok=True)
                    await asyncio.gather(*writes)
                    for each in (one, two):
                        await each.at(max(done) + 2)
                head = left.read(w)["revision"]
                assert head == 1 + 3 * 4
                for each in (one, two):
                    await each.at(head)
                    assert [commit["rev"] for commit in each.commits] == list(range(2, head + 1))
                    assert each.end is None
                assert one.commits == two.commits
        assert all("Traceback" not in server.log for server in servers)


async def test_who_comes_while_the_store_is_away_is_told_to_come_again(own_store: OwnStore) -> None:
    """A room that is not open here cannot be opened without the store."""
    with running(own_store.url, "w-lone") as (server,), Api(server.url) as api:
        w = api.create(name="Shop")
        await asyncio.to_thread(own_store.kill)
        async with page(api, w) as one:
            assert (await one.closed())[0] == 4503
            assert (one.heard[-1]["code"], one.heard[-1]["again_ms"] > 0) == ("storage_down", True)
        await asyncio.to_thread(own_store.start)
        async with timeout():
            while True:
                with suppress(AssertionError, ConnectionClosed):
                    async with seated(api, w) as one:
                        assert (await one.submit(node("a")))["changed"]
                        break
        assert "Traceback" not in server.log


async def test_a_slot_moved_under_open_pages(seed: str, rng: random.Random) -> None:
    """A workspace goes from one node of a cluster to another and on; pages of two workers miss nothing."""
    with ExitStack() as stack:
        url = stack.enter_context(running_cluster())
        nodes = stack.enter_context(connected_primaries(url))
        servers = stack.enter_context(running(url, "w-left", "w-right"))
        left, right = (stack.enter_context(Api(server.url)) for server in servers)
        w = left.create(name="Shop")
        async with seated(left, w) as one, seated(right, w) as two:
            for each in (one, two):
                await each.until(lambda each=each: [m for m in each.heard if len(m.get("members", ())) == 2])
            slot, going = key_slot(WorkspaceKeys(w).meta.encode()), True

            counts = {"a": 0, "b": 0}

            async def write(each: Page, side: str) -> None:
                while going:
                    await persist(each, node(f"{side}{counts[side]}"))
                    counts[side] += 1
                    await asyncio.sleep(rng.uniform(0, 0.02))

            writing = [asyncio.create_task(write(each, side)) for each, side in ((one, "a"), (two, "b"))]
            for _ in range(3):
                home = next(node for node in nodes if node.execute_command("CLUSTER", "COUNTKEYSINSLOT", slot))
                others = [node for node in nodes if node is not home]
                rng.shuffle(others)
                await move(slot, home, others[0], others[1:])
                enough = {side: count + rng.randint(5, 15) for side, count in counts.items()}
                await until(lambda enough=enough: all(counts[side] >= count for side, count in enough.items()))
            going = False
            await asyncio.gather(*writing)
            head = left.read(w)["revision"]
            assert head == 1 + sum(counts.values())
            for each in (one, two):
                await each.at(head)
                assert [commit["rev"] for commit in each.commits] == list(range(2, head + 1))
            assert one.commits == two.commits
            await one.say("presence", state={"view": "document"})
            await two.next("presence")
