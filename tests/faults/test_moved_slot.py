"""A workspace moves from one node of a cluster to another while it is edited: clients notice a pause at most."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from typing import Any

import redis
from redis.crc import key_slot

from draftsmith.adapters.redis.keys import WorkspaceKeys
from tests.contracts.cluster import running_cluster
from tests.faults.checks import check
from tests.faults.load import Load, new_workspace
from tests.faults.servers import workers
from tests.timeouts import until

_MOVES = 4
_BETWEEN = 25  # commits before the first move and after each
Node = Any  # a client whose `execute_command` the library has not typed


@contextmanager
def connected_primaries(url: str) -> Iterator[list[Node]]:
    """A plain connection to each primary."""
    with redis.RedisCluster.from_url(url) as client, ExitStack() as stack:
        places = [(node.host, node.port) for node in client.get_primaries()]
        yield [stack.enter_context(redis.Redis(host=host, port=port, decode_responses=True)) for host, port in places]


async def move(slot: int, source: Node, target: Node, others: list[Node]) -> None:
    """Move a slot key by key, as `--cluster reshard` does, with time in between for others to meet it half way."""
    ids = {node: node.execute_command("CLUSTER MYID") for node in (source, target)}
    target.execute_command("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[source])
    source.execute_command("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[target])
    where = target.connection_pool.connection_kwargs
    while keys := source.execute_command("CLUSTER", "GETKEYSINSLOT", slot, 1):
        await asyncio.sleep(0.03)
        source.execute_command("MIGRATE", where["host"], where["port"], keys[0], 0, 5000)
    for node in (target, source, *others):
        node.execute_command("CLUSTER", "SETSLOT", slot, "NODE", ids[target])


async def test_a_slot_moved_under_load(seed: str, rng: random.Random) -> None:
    """There and on and back: every commit once, and no answer but those that the content deserves."""
    await longest_pause(seed, rng)


async def more_commits(load: Load) -> None:
    """Wait until so many more are in the log."""
    enough = len(load.ledger.made) + _BETWEEN
    await until(lambda: len(load.ledger.made) >= enough)


async def longest_pause(seed: str, rng: random.Random) -> float:
    """Move a slot under load, check everything, and give the longest time without any answer, in seconds."""
    with running_cluster() as url, connected_primaries(url) as nodes:
        async with workers(url, url) as two:
            w = await new_workspace(two[0], seed)
            slot = key_slot(WorkspaceKeys(w).meta.encode())
            told = [time.monotonic()]
            load, going = Load(w, seed, heard=lambda what, asked, more: told.append(time.monotonic())), True
            async with asyncio.TaskGroup() as group:
                group.create_task(load.run(two, 6, lambda: going))
                await more_commits(load)
                for _ in range(_MOVES):
                    home = next(node for node in nodes if node.execute_command("CLUSTER", "COUNTKEYSINSLOT", slot))
                    others = [node for node in nodes if node is not home]
                    rng.shuffle(others)
                    await move(slot, home, others[0], others[1:])
                    await more_commits(load)
                going = False
            line = await check(two[0].log, w, load.ledger, two, seed=seed)
        assert not set(load.ledger.codes) - {"batch_rejected", "stale_base"}
        assert len(line.entries) > _BETWEEN * (_MOVES + 1)
        longest = max(after - before for before, after in pairwise(told))
        print(f"{len(line.entries)} commits over {_MOVES} moves; the longest pause was {longest:.2f} s")
        return longest
