"""What the Redis adapters promise beyond the ports: wake-ups, tidiness, and no harm from lost replies or cancelling."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, cast

import pytest
import redis
from redis.asyncio.connection import Connection
from redis.crc import key_slot

from draftsmith.adapters.redis.connection import Features, RedisConnection, connect
from draftsmith.adapters.redis.keys import WorkspaceKeys
from draftsmith.adapters.redis.pool import PoolLimits
from draftsmith.errors import StorageError
from draftsmith.history.commit import Head
from draftsmith.ports import AppendOutcome, AppendSuccess, Blob, Conflict, DuplicateTransactions
from tests.contracts.backends import PATIENT, RedisBackend, open_redis
from tests.contracts.lines import EPOCH, SUMMARY, blob_at, create, draft, extend, line_after, new_w
from tests.contracts.lossy import lossy_way
from tests.timeouts import NEVER_SECONDS, timeout


async def append_draft(backend: RedisBackend, w: str, head: Head, txid: str) -> AppendOutcome:
    return await backend.log.append(w, head, [draft(txid)], SUMMARY, "a")


async def test_features_are_found_by_asking(redis_backend: RedisBackend) -> None:
    features = redis_backend.connection.features
    assert features == Features(cluster=redis_backend.url.startswith("redis:"), sharded_publish=True, waitaof=True)
    assert features.publish == "SPUBLISH"


async def test_each_change_wakes_the_listeners(redis_backend: RedisBackend) -> None:
    """With the head it led to, on the workspace's channel; an append with who made it."""
    w, head = await create(redis_backend.log)
    client: Any = await redis_backend.connection.subscriber()
    try:
        async with client.pubsub() as listener:
            await listener.ssubscribe(WorkspaceKeys(w).channel)
            newer = await extend(redis_backend.log, w, head, 2)
            await redis_backend.log.set_deleted(w, True)
            # A cluster's listener has a connection per node, and a call of its own that goes round them.
            receive = getattr(listener, "get_sharded_message", listener.get_message)
            heard: list[bytes] = []
            async with timeout():
                while len(heard) < 2:
                    message = await receive(ignore_subscribe_messages=True, timeout=0.1)
                    if message:
                        heard.append(message["data"])
        assert heard == [f"3 {newer.chain} worker".encode(), f"3 {newer.chain}".encode()]
    finally:
        await client.aclose()


async def test_a_connection_that_the_library_closes_while_it_opens_is_a_lost_one(
    redis_backend: RedisBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As to a cluster that has just changed; the same error of our own is a defect."""

    async def closed(*_: object) -> None:
        await Connection()._send_packed_command([b"PING"])

    async def ours(*_: object) -> None:
        cast(Any, None).nothing()

    pool = redis_backend.connection.write
    for send, error, words in ((closed, StorageError, "hung up"), (ours, AttributeError, "nothing")):
        monkeypatch.setattr(pool.client, "execute_command", send)
        with pytest.raises(error, match=words):
            await pool.command("PING")


async def test_a_server_that_forgot_the_scripts_is_told_again(redis_backend: RedisBackend) -> None:
    w, head = await create(redis_backend.log)
    client: Any = redis_backend.connection.write.client
    for number in range(3):
        for node in client.get_primaries() if redis_backend.connection.features.cluster else [client]:
            await node.execute_command("SCRIPT FLUSH")
        outcome = await append_draft(redis_backend, w, head, f"t{number}")
        assert isinstance(outcome, AppendSuccess)
        head = outcome.head


async def test_keys_of_a_workspace_are_those_agreed_and_no_more(redis_backend: RedisBackend) -> None:
    """Refused states leave nothing behind, nothing expires by accident, and a purge takes everything."""
    log, (w, head) = redis_backend.log, await create(redis_backend.log)
    await extend(log, w, head, 5)
    good = await blob_at(log, w, 3)
    for blob in (good, good, await blob_at(log, w, 5), await blob_at(log, w, 2)):
        await log.put_snapshot(w, blob)
    for reason in ("day", "hour"):
        await log.keep(w, good, reason)
    states = {"snap:3", "snap:5", "kept:3"}
    assert await redis_backend.keys(w) == {"meta", "log", "txn", "kept", *states}
    for name in await redis_backend.keys(w):
        assert await redis_backend.connection.read.command("TTL", f"ws:{{{w}}}:{name}") == -1
    whole = Blob("e2", 4, "ab" * 8, 1, b"w")
    line = line_after(whole, 1)
    for _ in range(2):
        await log.replace(w, whole, line, {})
    assert await redis_backend.keys(w) == {"meta", "log", "txn", "kept", "kept:3", "snap:4"}
    for name in await redis_backend.keys(w):
        assert await redis_backend.connection.read.command("TTL", f"ws:{{{w}}}:{name}") == -1
    await log.lease(w, "a", 60_000)
    await log.lock_snapshotter(w, "a", 60_000)
    await log.set_deleted(w, True)
    await log.purge(w)
    assert await redis_backend.keys(w) == set()


@pytest.mark.parametrize("harm", [("HSET", "0", b"other"), ("HDEL", "0"), ("HDEL", "n"), ("HSET", "n", b"x")])
async def test_a_damaged_snapshot_is_none(redis_backend: RedisBackend, harm: tuple[str | bytes, ...]) -> None:
    """Readers then go by the older one; they never get wrong bytes."""
    log, (w, _) = redis_backend.log, await create(redis_backend.log)
    await log.put_snapshot(w, await blob_at(log, w, 1, b"right"))
    command, *rest = harm
    await redis_backend.connection.write.command(command, WorkspaceKeys(w).snapshot(1), *rest)
    assert await log.snapshot(w, 1) is None


async def test_a_lost_reply_is_settled_by_sending_again(redis_url: str) -> None:
    """The append is not repeated behind the caller's back; the caller's repeat finds it done, once."""
    async with lossy_way(redis_url) as way, open_redis(way.url) as backend:
        w, head = await create(backend.log)
        # Once with its reply, so that the server knows the script and what gets lost is no NOSCRIPT.
        head = await extend(backend.log, w, head, 1)
        for number in range(5):
            txid = f"lost-{number}"
            way.lose_after = txid.encode()
            with pytest.raises(StorageError, match="storage_down"):
                await append_draft(backend, w, head, txid)
            answer = await append_draft(backend, w, head, txid)
            assert isinstance(answer, DuplicateTransactions)
            assert answer.known == {txid: head.revision + 1}
            head = answer.head
        assert way.lost == 5
        assert [entry.revision for entry in await backend.log.entries(w, 0, 100)] == [1, 2, 3, 4, 5, 6, 7]


async def test_a_lost_reply_of_create_is_settled_too(redis_url: str) -> None:
    async with lossy_way(redis_url) as way, open_redis(way.url) as backend:
        await create(backend.log)
        w, first = new_w(), draft("first")
        way.lose_after = b"first"
        with pytest.raises(StorageError, match="storage_down"):
            await backend.log.create(w, EPOCH, first, SUMMARY)
        assert isinstance(await backend.log.create(w, EPOCH, first, SUMMARY), DuplicateTransactions)


async def test_cancelling_at_any_moment_harms_no_connection(redis_backend: RedisBackend) -> None:
    """Whatever an append had reached, sending it again settles it, and every connection still works."""
    w, head = await create(redis_backend.log)
    for steps in [*range(25), *range(25)]:
        txid = f"cancelled-{steps}-{head.revision}"
        task = asyncio.create_task(append_draft(redis_backend, w, head, txid))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        answer = await append_draft(redis_backend, w, head, txid)
        assert isinstance(answer, AppendSuccess | DuplicateTransactions)
        head = answer.head
    entries = await redis_backend.log.entries(w, 0, 1000)
    assert [entry.revision for entry in entries] == list(range(1, 52))
    busy = (redis_backend.connection.write.command("GET", WorkspaceKeys(new_w()).lease) for _ in range(200))
    assert await asyncio.gather(*busy) == [None] * 200


@asynccontextmanager
async def all_in_use(backend: RedisBackend, url: str) -> AsyncIterator[None]:
    """Let commands that wait at the server hold both connections of a pool."""
    pool = backend.connection.write
    blocked = [asyncio.create_task(pool.command("BLPOP", f"nothing-{number}", 0)) for number in range(2)]
    with redis.Redis.from_url(url) as beside:
        async with timeout():
            while beside.info("clients")["blocked_clients"] < 2:  # noqa: ASYNC110  # the store announces nothing
                await asyncio.sleep(0.01)
        yield
        for number in range(2):
            beside.lpush(f"nothing-{number}", "at last")
    assert len(await asyncio.gather(*blocked)) == 2


async def test_who_waits_too_long_for_a_connection_is_told_so(redis_url: str) -> None:
    async with open_redis(redis_url, PoolLimits(connections=2, queue_seconds=0.2)) as backend:
        w, head = await create(backend.log)
        async with all_in_use(backend, redis_url):
            with pytest.raises(StorageError, match="in use"):
                await append_draft(backend, w, head, "too long")


async def test_waiting_in_line_for_a_connection_can_be_cancelled(redis_url: str) -> None:
    """The place in the queue is given back."""
    async with open_redis(redis_url, PoolLimits(connections=2, queue_seconds=NEVER_SECONDS)) as backend:
        w, head = await create(backend.log)
        async with all_in_use(backend, redis_url):
            waiting = asyncio.create_task(append_draft(backend, w, head, "waits"))
            await asyncio.sleep(0.05)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
        for number in range(10):
            outcome = await append_draft(backend, w, head, f"after-{number}")
            assert isinstance(outcome, AppendSuccess)
            head = outcome.head


async def test_connections_cut_by_the_server_are_made_anew(redis_backend: RedisBackend) -> None:
    """A commit may fail once; sent again it is settled, and reads do not notice at all."""
    w, head = await create(redis_backend.log)
    await asyncio.gather(*(redis_backend.log.meta(w) for _ in range(8)))
    client: Any = await redis_backend.connection.subscriber()
    for node in client.get_primaries() if redis_backend.connection.features.cluster else [client]:
        await node.execute_command("CLIENT KILL", "TYPE", "normal", "SKIPME", "yes")
    await client.aclose()
    assert await redis_backend.log.meta(w) is not None
    for _ in range(3):
        try:
            outcome = await append_draft(redis_backend, w, head, "once")
        except StorageError:
            continue
        assert isinstance(outcome, AppendSuccess | DuplicateTransactions)
        break
    else:
        pytest.fail("the pool did not recover")
    assert len(await redis_backend.log.entries(w, 0, 9)) == 2


async def test_a_full_store_refuses_before_anything_is_written(redis_url: str) -> None:
    """`storage_full`, all or none, and reads go on; with room again, so do writes."""
    async with open_redis(redis_url) as backend:
        w, head = await create(backend.log)
        await backend.connection.write.command("CONFIG", "SET", "maxmemory", "1mb")
        try:
            with pytest.raises(StorageError) as refused:
                await backend.log.append(w, head, [draft() for _ in range(64)], SUMMARY, "a")
            assert refused.value.code == "storage_full"
            with pytest.raises(StorageError, match="storage_full"):
                await backend.log.create(new_w(), EPOCH, draft(), SUMMARY)
            with pytest.raises(StorageError, match="storage_full"):
                await backend.log.put_snapshot(w, await blob_at(backend.log, w, 1))
            with pytest.raises(StorageError, match="storage_full"):
                await backend.store.ping()
            meta = await backend.log.meta(w)
            assert meta is not None
            assert meta.head == head
            assert len(await backend.log.entries(w, 0, 100)) == 1
        finally:
            await backend.connection.write.command("CONFIG", "SET", "maxmemory", "0")
        assert (await extend(backend.log, w, head, 64)).revision == 65


async def test_a_store_that_may_evict_is_refused(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url) as client:
        client.config_set("maxmemory-policy", "allkeys-lru")
        client.config_set("maxmemory", "1gb")
        try:
            with pytest.raises(StorageError, match="storage_unsafe"):
                await connect(redis_url)
        finally:
            client.config_set("maxmemory", "0")
            client.config_set("maxmemory-policy", "noeviction")


async def test_nobody_there_is_storage_down() -> None:
    with pytest.raises(StorageError, match="storage_down"):
        await connect("unix:///nonexistent/s?db=0", PoolLimits(connect_seconds=0.5))


async def test_a_slow_answer_is_storage_down_and_settled_later(redis_url: str) -> None:
    """A write is given up after its time, though the server carries it out."""
    async with open_redis(redis_url) as patient, open_redis(redis_url, PoolLimits(write_seconds=0.15)) as hasty:
        w, head = await create(patient.log)
        with redis.Redis.from_url(redis_url) as client:
            client.execute_command("CLIENT PAUSE", 3_600_000, "WRITE")
            try:
                with pytest.raises(StorageError, match="in time"):
                    await append_draft(hasty, w, head, "slow")
            finally:
                client.execute_command("CLIENT UNPAUSE")
        answer = await append_draft(patient, w, head, "slow")
        assert isinstance(answer, AppendSuccess | DuplicateTransactions)
        assert len(await patient.log.entries(w, 0, 9)) == 2


async def test_a_slot_moves_between_nodes_under_commits(cluster_url: str) -> None:
    """Commits wait or follow; none is lost, doubled or reported wrongly."""
    async with open_redis(cluster_url) as backend:
        w, head = await create(backend.log)
        moved = asyncio.Event()

        async def commit_until_moved() -> list[str]:
            at, done = head, []
            while not moved.is_set() or len(done) < 50:
                txid = f"moving-{len(done)}"
                try:
                    outcome = await append_draft(backend, w, at, txid)
                except StorageError:
                    continue
                assert not isinstance(outcome, Conflict)
                assert isinstance(outcome, AppendSuccess | DuplicateTransactions)
                at = outcome.head
                done.append(txid)
            return done

        commits = asyncio.create_task(commit_until_moved())
        await asyncio.to_thread(_move_slot, cluster_url, w)
        moved.set()
        done = await commits
        entries = [entry.txid for entry in await backend.log.entries(w, 1, 1_000_000, 1_000_000)]
        assert entries == done
        assert w in await backend.index.scan()


def _move_slot(url: str, w: str) -> None:
    slot = key_slot(WorkspaceKeys(w).meta.encode())
    with redis.RedisCluster.from_url(url) as client:
        primaries = client.get_primaries()
        source = client.get_node_from_key(WorkspaceKeys(w).meta)
        target = next(node for node in primaries if node.name != source.name)
        nodes = {node.name: redis.Redis(host=node.host, port=node.port) for node in primaries}
        names = {name: node.execute_command("CLUSTER MYID").decode() for name, node in nodes.items()}
        nodes[target.name].execute_command("CLUSTER SETSLOT", slot, "IMPORTING", names[source.name])
        nodes[source.name].execute_command("CLUSTER SETSLOT", slot, "MIGRATING", names[target.name])
        while keys := nodes[source.name].execute_command("CLUSTER GETKEYSINSLOT", slot, 1):
            nodes[source.name].execute_command("MIGRATE", target.host, target.port, keys[0], 0, 2000)
        for node in [target, source, *primaries]:
            nodes[node.name].execute_command("CLUSTER SETSLOT", slot, "NODE", names[target.name])
        for node in nodes.values():
            node.close()


class SilentServer:
    """Accepts connections and never answers.

    Attributes:
        url: where it listens.
        open: how many connections are open now.
        accepted: set once there was one.
        none_open: set whenever the last of them is closed.
    """

    def __init__(self) -> None:
        self.url = ""
        self.open = 0
        self.accepted, self.none_open = asyncio.Event(), asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open += 1
        self.accepted.set()
        self.none_open.clear()
        with suppress(ConnectionError):
            while await reader.read(1 << 16):
                pass
        self.open -= 1
        if not self.open:
            self.none_open.set()
        writer.close()


@asynccontextmanager
async def silent_server() -> AsyncIterator[SilentServer]:
    silent = SilentServer()
    server = await asyncio.start_server(silent.serve, "127.0.0.1", 0)
    async with server:
        silent.url = f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield silent
        async with timeout():
            await silent.none_open.wait()
    gc.collect()  # a connection that nobody has closed warns now


async def test_a_read_under_way_leaves_no_connection_behind_when_all_are_closed() -> None:
    """The client tries it again over a new one, which would be nobody's; what comes later is refused."""
    async with silent_server() as server:
        features = Features(cluster=False, sharded_publish=True, waitaof=True)
        connection = RedisConnection(server.url, features, PATIENT)
        reading = asyncio.create_task(connection.read.command("GET", "anything"))
        async with timeout():
            await server.accepted.wait()
            await connection.close()
        with pytest.raises(StorageError):
            await reading
        with pytest.raises(StorageError, match="closed"):
            await connection.read.command("GET", "anything")


@pytest.mark.parametrize("url", ["redis://127.0.0.1:6379", "rediss://127.0.0.1:6379", "unix:///run/valkey.sock"])
async def test_commands_are_packed_as_the_client_packs_them(url: str) -> None:
    """Over each kind of connection: names of several words, every kind of argument, alone and in a pipeline."""
    connection = RedisConnection(url, Features(cluster=False, sharded_publish=True, waitaof=True), PATIENT)
    commands: list[tuple[str | bytes | int, ...]] = [
        ("PING",),
        ("CONFIG GET", "maxmemory policy"),
        ("CLIENT SETINFO", "LIB-NAME", "client"),
        ("SET", "größe", "x" * 70_000, "PX", -1),
        ("EVALSHA", "0" * 40, 2, "ws:{a}:log", b"\x00\r\n$3", "", b"", 9_007_199_254_740_993),
    ]
    for pool in (connection.write, connection.read):
        client: Any = pool.client
        ours = client.connection_pool.make_connection()
        theirs = type(ours).__mro__[2]()
        assert type(theirs).__module__ == "redis.asyncio.connection"
        for command in commands:
            assert b"".join(ours.pack_command(*command)) == b"".join(theirs.pack_command(*command))
        assert b"".join(ours.pack_commands(commands)) == b"".join(theirs.pack_commands(commands))
    await connection.close()
