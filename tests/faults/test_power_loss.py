"""A power cut takes what no sync had finished. `kill -9` alone would not show it: the page cache survives that.

The disk is a stand-in that notes how much of each file a *finished* sync has made safe; after the kill the files are
cut to that. The controls run the same way under weaker settings and must lose acknowledged commits: were they to pass,
this file would prove nothing.
"""

from __future__ import annotations

import asyncio
import random

import pytest
import redis

from draftsmith.adapters.redis.pool import PoolLimits
from tests.faults.checks import check, lost_of, read_line
from tests.faults.disks import Disk, bad_disk
from tests.faults.load import Load, new_workspace
from tests.faults.servers import StoreServer, store_server, workers
from tests.timeouts import timeout

_LIMITS = PoolLimits(write_seconds=1.0, read_seconds=2.0)
_CUTS = 3


def setting(server: StoreServer, change: str | None = None) -> str:
    """How the server syncs its file, after a change if one is given."""
    with redis.Redis.from_url(server.url, decode_responses=True) as client:
        if change is not None:
            client.config_set("appendfsync", change)
        return str(client.config_get("appendfsync")["appendfsync"])


async def cut_power(server: StoreServer, disk: Disk) -> int:
    """Kill the server while a sync hangs, cut its files, bring it back; how many bytes were lost."""
    disk.slow(60_000)
    async with timeout():
        while not disk.unsafe(server.append_only):  # noqa: ASYNC110  # the server announces nothing
            await asyncio.sleep(0.01)
    server.kill()
    lost = disk.lose_power(server.append_only)
    disk.slow(0)
    server.restart()
    return lost


async def test_a_power_cut_loses_nothing_acknowledged(seed: str, rng: random.Random) -> None:
    """With the settings the product starts its server with; clients repeat what they heard nothing of."""
    with bad_disk() as disk, store_server(environment=disk.environment) as server:
        assert setting(server) == "always"
        async with workers(server.url, server.url, limits=_LIMITS) as two:
            w = await new_workspace(two[0], seed)
            load, going = Load(w, seed), True
            lost = 0
            async with asyncio.TaskGroup() as group:
                group.create_task(load.run(two, 6, lambda: going))
                for _ in range(_CUTS):
                    disk.slow(rng.choice((0, 5, 30, 80)))
                    await asyncio.sleep(rng.uniform(0.4, 0.9))
                    lost += await cut_power(server, disk)
                async with timeout():
                    while len(load.ledger.made) <= 50:  # noqa: ASYNC110  # the load has no event for it
                        await asyncio.sleep(0.05)
                going = False
            line = await check(two[0].log, w, load.ledger, two, seed=seed)
        assert any(path.name.endswith(".incr.aof") for path in disk.synced), "the stand-in saw no sync"
        assert lost > 0, "no cut came between a write and its sync"
        print(f"{len(line.entries)} commits, {lost} bytes cut off")


@pytest.mark.parametrize("policy", ["everysec", "no"])
async def test_the_control_loses_what_was_acknowledged(policy: str, seed: str) -> None:
    """A weaker setting does lose; what is left is whole, and workers that knew more notice and follow it."""
    with bad_disk() as disk, store_server(environment=disk.environment) as server:
        async with workers(server.url, server.url, limits=_LIMITS) as two:
            w = await new_workspace(two[0], seed)
            assert setting(server, policy) == policy
            load = Load(w, seed)
            disk.slow(60_000)
            await load.run(two, 6, lambda: len(load.ledger.made) < 30)
            assert await cut_power(server, disk) > 0
            lost = lost_of(await read_line(two[0].log, w), load.ledger)
            assert len(lost) > 10, "the control did not lose anything, so the test above shows nothing"
            again = Load(w, f"{seed}-again")
            await again.run_count(two, 6, 50)
            line = await check(two[0].log, w, again.ledger, two, seed=seed)
            print(f"lost {len(lost)} of {len(load.ledger.made)} acknowledged; {len(line.entries)} commits now")
