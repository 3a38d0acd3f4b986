"""What wakes over pub/sub promise beyond the port: after any failure of a connection they are received again."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest
import redis
from redis.crc import key_slot

from draftsmith.adapters.redis.commit_log import RedisCommitLog
from draftsmith.adapters.redis.keys import WorkspaceKeys
from draftsmith.adapters.redis.pool import PoolLimits
from draftsmith.adapters.redis.wakes import RedisWakes
from draftsmith.ports import CommitLog
from draftsmith.ports.live import AppendWake, Wakes
from tests.contracts.backends import RedisBackend, open_redis
from tests.contracts.lines import create, draft, extend, new_w
from tests.contracts.wake_listener import WakeListener, listen_at, presence_so_far
from tests.faults.ways import bad_way
from tests.integration.stores import OwnStore
from tests.timeouts import TIMEOUT_SECONDS, timeout

MANY = 20


async def check_received_by(
    wakes: Wakes, log: CommitLog, w: str, listener: WakeListener, *, is_settled: bool = True
) -> None:
    """A commit and presence reach a listener, each once; what is subscribed anew meanwhile may wake it besides."""
    meta = await log.meta(w)
    assert meta is not None
    before = listener.wakes, len(listener.presence)
    await extend(log, w, meta.head, 1)
    await listener.woken(before[0])
    await wakes.send_presence(w, b"here")
    assert (await presence_so_far(wakes, listener, w))[before[1] :] == [b"here"]
    assert listener.wakes == before[0] + 1 or (listener.wakes > before[0] and not is_settled)


def clients_of_primaries(backend: RedisBackend) -> list[Any]:
    client: Any = backend.connection.read.client
    return client.get_primaries() if backend.connection.features.cluster else [client]


@pytest.fixture(params=["own_store", "cluster_url"], ids=["server", "cluster"])
async def unshared_backend(request: pytest.FixtureRequest) -> AsyncIterator[RedisBackend]:
    """Stores at which nobody else listens, as servers of other tests do at the common one."""
    store = request.getfixturevalue(request.param)
    async with open_redis(store.url if isinstance(store, OwnStore) else store) as backend:
        yield backend


async def subscriber_count(backend: RedisBackend) -> int:
    """How many connections of any client are subscribed, over all nodes."""
    found = [await node.execute_command("CLIENT LIST", "TYPE", "pubsub") for node in clients_of_primaries(backend)]
    return sum(len(each) for each in found)


async def test_one_connection_for_each_node_serves_every_workspace(unshared_backend: RedisBackend) -> None:
    wakes = RedisWakes(unshared_backend.connection)
    try:
        for w in [new_w() for _ in range(MANY * len(clients_of_primaries(unshared_backend)))]:
            await listen_at(wakes, w)
        assert await subscriber_count(unshared_backend) == len(clients_of_primaries(unshared_backend))
    finally:
        await wakes.close()


async def test_connections_cut_by_the_server_are_made_anew(unshared_backend: RedisBackend) -> None:
    """Every listener is woken, because it may have missed something, and receives again; time after time."""
    wakes = RedisWakes(unshared_backend.connection)
    try:
        ws = [(await create(unshared_backend.log))[0] for _ in range(MANY)]
        by_workspace = {w: await listen_at(wakes, w) for w in ws}
        for _ in range(3):
            before = {w: listener.wakes for w, listener in by_workspace.items()}
            for node in clients_of_primaries(unshared_backend):
                await node.execute_command("CLIENT KILL", "TYPE", "pubsub")
            for w, listener in by_workspace.items():
                await listener.woken(before[w])
            for w, listener in by_workspace.items():
                await check_received_by(wakes, unshared_backend.log, w, listener)
        assert await subscriber_count(unshared_backend) <= len(clients_of_primaries(unshared_backend))
    finally:
        await wakes.close()


async def test_an_append_is_told_with_who_made_it(redis_backend: RedisBackend) -> None:
    """So whoever made it need not look for it; of the trash and back nobody is told that they did it."""
    wakes = RedisWakes(redis_backend.connection)
    try:
        w, head = await create(redis_backend.log)
        listener = await listen_at(wakes, w)
        newer = await extend(redis_backend.log, w, head, 1)
        await listener.woken(1)
        await redis_backend.log.set_deleted(w, True)
        await listener.woken(2)
        assert listener.appends == [AppendWake(newer.revision, "worker")]
    finally:
        await wakes.close()


async def test_the_store_goes_and_comes_back(own_store: OwnStore) -> None:
    """Listening begins while it is away, sending is dropped without an error, and both work once it is there."""
    async with open_redis(own_store.url) as backend:
        wakes = RedisWakes(backend.connection)
        try:
            w, _ = await create(backend.log)
            listener, late = await listen_at(wakes, w), WakeListener()
            await asyncio.to_thread(own_store.kill)
            before, other = listener.wakes, new_w()
            await wakes.listen(other, late.wake, late.receive)
            await wakes.send_presence(w, b"lost")
            assert late.wakes == 0
            await asyncio.to_thread(own_store.start)
            await listener.woken(before)
            await late.woken()
            await check_received_by(wakes, backend.log, w, listener)
            assert b"lost" not in listener.presence
        finally:
            await wakes.close()


async def test_closing_does_not_wait_for_a_store_that_is_away(own_store: OwnStore) -> None:
    async with open_redis(own_store.url) as backend:
        wakes = RedisWakes(backend.connection)
        await listen_at(wakes, new_w())
        await asyncio.to_thread(own_store.kill)
        async with timeout():
            await wakes.close()


async def test_a_connection_that_died_silently_is_noticed(redis_url: str) -> None:
    """Once it has received nothing for a while, another takes its place."""
    async with (
        bad_way(redis_url, random.Random(1)) as proxy,
        open_redis(proxy.url) as backend,
        open_redis(redis_url) as other,
    ):
        wakes = RedisWakes(backend.connection, ping_seconds=0.2)
        try:
            w, _ = await create(other.log)
            listener = await listen_at(wakes, w)
            before = listener.wakes
            proxy.odds.swallow = 1.0
            await wait_until_unsubscribed(other, w)
            proxy.odds.swallow = 0.0
            await listener.woken(before)
            await check_received_by(wakes, other.log, w, listener)
        finally:
            await wakes.close()


async def wait_until_unsubscribed(backend: RedisBackend, w: str) -> None:
    """Wait until nobody listens for a workspace."""
    async with timeout():
        channel = WorkspaceKeys(w).channel
        while True:
            _, count = await backend.connection.read.command("PUBSUB", "SHARDNUMSUB", channel)
            if not count:
                return
            await asyncio.sleep(0.01)


async def test_an_idle_connection_is_kept(redis_url: str) -> None:
    """Pings are answered, with subscriptions and without."""
    async with open_redis(redis_url) as backend:
        wakes = RedisWakes(backend.connection, ping_seconds=3.0)
        try:
            w, _ = await create(backend.log)
            listener = await listen_at(wakes, w)
            await calls_of(backend, "ping", 2)
            assert listener.wakes == 1
            await wakes.unlisten(w)
            await calls_of(backend, "ping", 1)
            await check_received_by(wakes, backend.log, w, await listen_at(wakes, w))
        finally:
            await wakes.close()


async def calls_of(backend: RedisBackend, command: str, more: int, kind: str = "calls") -> int:
    """Wait until a command was called some more times; how often it was then, in all."""
    start = -1
    async with timeout():
        while True:
            stats = await backend.connection.read.command("INFO", "commandstats")
            calls = int(stats.get(f"cmdstat_{command}", {}).get(kind, 0))
            start = calls if start < 0 else start
            if calls >= start + more:
                return calls
            await asyncio.sleep(0.01)


async def test_a_store_without_shard_channels_is_heard_too(unshared_backend: RedisBackend) -> None:
    """As before version 7; on a cluster any node has every message then."""
    connection = unshared_backend.connection
    connection.features = replace(connection.features, sharded_publish=False)
    log, wakes = RedisCommitLog(connection), RedisWakes(connection)
    try:
        by_workspace = {w: await listen_at(wakes, w) for w in [(await create(log))[0] for _ in range(MANY)]}
        for w, listener in by_workspace.items():
            await check_received_by(wakes, log, w, listener)
        assert await subscriber_count(unshared_backend) == 1
    finally:
        await wakes.close()


async def test_who_may_not_listen_is_no_burden(redis_url: str) -> None:
    """A user whom the store refuses every channel: tries get rare, sending is dropped, and commits work."""
    with redis.Redis.from_url(redis_url) as admin:
        admin.acl_setuser("mute", enabled=True, passwords=["+pass"], keys=["*"], commands=["+@all"], reset=True)
        try:
            async with open_redis(redis_url.replace("unix://", "unix://mute:pass@")) as backend:
                wakes, listener = RedisWakes(backend.connection), WakeListener()
                try:
                    w, head = await create(backend.log)
                    await wakes.listen(w, listener.wake, listener.receive)
                    await wakes.send_presence(w, b"x")
                    before = await calls_of(backend, "ssubscribe", 2, "rejected_calls")
                    await asyncio.sleep(1)
                    assert await calls_of(backend, "ssubscribe", 0, "rejected_calls") - before < 12
                    await extend(backend.log, w, head, 1)
                    assert listener.wakes == 0
                finally:
                    await wakes.close()
        finally:
            admin.acl_deluser("mute")


async def test_presence_takes_no_connections_from_commits(redis_url: str) -> None:
    """However much is said while the store hangs, most of the connections stay free."""
    async with open_redis(redis_url, PoolLimits(connections=10, write_seconds=TIMEOUT_SECONDS)) as backend:
        wakes = RedisWakes(backend.connection)
        with redis.Redis.from_url(redis_url) as admin:
            w, head = await create(backend.log)
            admin.client_pause(60_000, all=False)  # whatever writes; publishing counts as that
            try:
                sending = [asyncio.create_task(wakes.send_presence(w, b"x")) for _ in range(100)]
                await asyncio.sleep(0.05)
                assert sum(not task.done() for task in sending) < 10
                append = asyncio.create_task(backend.log.append(w, head, [draft()], {}, "a"))
            finally:
                admin.client_unpause()
            await asyncio.gather(*sending)
            await append
        await wakes.close()


async def test_a_moved_slot_is_followed(cluster_url: str) -> None:
    """Once the old node says that it serves it no more; other workspaces of that node are heard throughout."""
    async with open_redis(cluster_url) as backend:
        wakes = RedisWakes(backend.connection)
        try:
            w, _ = await create(backend.log)
            listener = await listen_at(wakes, w)
            beside = {one: await listen_at(wakes, one) for one in [(await create(backend.log))[0] for _ in range(MANY)]}
            for _ in range(3):
                before = listener.wakes
                await asyncio.to_thread(move_slot, cluster_url, w)
                await listener.woken(before)
                # Nodes hear of the move one after the other: the slot may be unsubscribed, and subscribed, twice.
                await check_received_by(wakes, backend.log, w, listener, is_settled=False)
            assert [one.wakes for one in beside.values()] == [1] * MANY
        finally:
            await wakes.close()


def move_slot(url: str, w: str) -> None:
    """Move the slot of a workspace to another node, in one go."""
    slot = key_slot(WorkspaceKeys(w).meta.encode())
    with redis.RedisCluster.from_url(url) as client, ExitStack() as stack:
        home = client.get_node_from_key(WorkspaceKeys(w).meta)
        places = {one.name: (one.host, one.port) for one in client.get_primaries()}
        nodes = {name: stack.enter_context(redis.Redis(host=host, port=port)) for name, (host, port) in places.items()}
        names = {name: node.execute_command("CLUSTER MYID").decode() for name, node in nodes.items()}
        source, target = home.name, next(name for name in nodes if name != home.name)
        nodes[target].execute_command("CLUSTER SETSLOT", slot, "IMPORTING", names[source])
        nodes[source].execute_command("CLUSTER SETSLOT", slot, "MIGRATING", names[target])
        host, port = places[target]
        while keys := nodes[source].execute_command("CLUSTER GETKEYSINSLOT", slot, 1):
            nodes[source].execute_command("MIGRATE", host, port, keys[0], 0, 2000)
        for name in [target, source, *nodes]:
            nodes[name].execute_command("CLUSTER SETSLOT", slot, "NODE", names[target])
