"""No memory, no disk: clients are told that nothing is saved, nothing is done by half, and it goes on afterwards."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from pathlib import Path

import pytest
import redis

from draftsmith.adapters.process.supervise import SupervisedChild
from draftsmith.adapters.redis.usable import DiskRoom
from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.history.commit import Head
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.commits.workspaces import Workspaces
from tests.faults.checks import check, read_line
from tests.faults.disks import as_root_of_a_namespace, bad_disk, can_mount, need, small_disk
from tests.faults.load import Asked, Load, new_workspace
from tests.faults.servers import StoreServer, store_server, workers
from tests.timeouts import NEVER_SECONDS, timeout, until

Disk = tuple[StoreServer, Callable[[], None], Callable[[], None]]


async def test_no_memory_left(redis_url: str, seed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`storage_full` at once and not after a long wait; reads go on; it recovers without anybody's help."""
    monkeypatch.setattr("draftsmith.usecases.commits.group_commit.DEADLINE", NEVER_SECONDS)  # what it would wait for
    async with workers(redis_url, redis_url) as two:
        w = await new_workspace(two[0], seed)
        load, going = Load(w, seed), True
        with redis.Redis.from_url(redis_url) as client:
            async with asyncio.TaskGroup() as group:
                group.create_task(load.run(two, 6, lambda: going))
                try:
                    await asyncio.sleep(0.5)
                    client.config_set("maxmemory", 1)
                    await asyncio.sleep(0.2)
                    before = await read_line(two[0].log, w)
                    with pytest.raises(DraftsmithError, match="storage_full"):
                        async with timeout():
                            await two[0].submit(w, Asked(f"{seed}-full", "ann", "edit", [NODE]).request())
                    assert await two[1].read(w, lambda replica: replica.head) == before.replica.head
                    await until(lambda: load.ledger.codes.get("storage_full", 0) > 6)
                    assert (await read_line(two[0].log, w)).entries == before.entries
                finally:
                    client.config_set("maxmemory", 0)
                made = len(load.ledger.made)
                await until(lambda: len(load.ledger.made) > made)
                going = False
        line = await check(two[0].log, w, load.ledger, two, seed=seed)
        assert "outcome_unknown" not in load.ledger.codes
        assert len(line.entries) > len(before.entries)


NODE = {"op": "add_node", "type": "service", "id": "full", "label": "Full"}


@contextmanager
def stand_in() -> Iterator[Disk]:
    """A disk that says it is full."""
    with bad_disk() as disk, store_server(environment=disk.environment) as server:
        yield server, disk.fill, disk.free


@contextmanager
def real_one() -> Iterator[Disk]:
    """A disk that is full: the server may write a part of what it wants to."""
    with small_disk() as place, store_server(place / "data") as server:
        filler = place / "filler"

        def fill() -> None:
            with filler.open("wb", buffering=0) as file:
                for size in (1 << 16, 1 << 12, 512, 1):
                    try:
                        while True:
                            file.write(b"x" * size)
                    except OSError:
                        continue

        yield server, fill, filler.unlink


needs_small_disk = pytest.mark.skipif(not can_mount(), reason="this user can mount no small disk")
DISKS = [pytest.param(stand_in, id="stand_in"), pytest.param(real_one, id="real_one", marks=needs_small_disk)]


@pytest.mark.parametrize("disk", DISKS)
async def test_no_disk_left(
    disk: Callable[[], AbstractContextManager[Disk]], seed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `always` the server ends; reads go on from memory, and all that was acknowledged is there afterwards."""
    monkeypatch.setattr("draftsmith.usecases.commits.group_commit.DEADLINE", 0.7)
    with disk() as (server, fill, free):
        async with workers(*[server.url] * 3) as (*two, reader), kept_running(server) as kept:
            w = await new_workspace(two[0], seed)
            load, going = Load(w, seed), True
            async with asyncio.TaskGroup() as group:
                group.create_task(load.run(two, 6, lambda: going))
                await asyncio.sleep(0.5)
                fill()
                await until(lambda: kept.deaths > 1)
                made = len(load.ledger.made)
                read = await _reads_while_dead(server, two[0], w, 20)
                await asyncio.sleep(0.3)
                # On the real disk what a server had written whole when it failed may count once it is started again,
                # and in the last block of its file there may be room for one more.
                assert read == sorted(read, key=lambda head: head.revision)
                if disk is stand_in:
                    assert len(load.ledger.made) == made, "something was acknowledged that cannot be on the disk"
                free()
                await until(lambda: len(load.ledger.made) > made + 20)
                going = False
            assert kept.deaths > 0
            line = await check(reader.log, w, load.ledger, [*two, reader], seed=seed)
            # Where the worker had not followed the log to its end when the disk was full, it does so when the server is
            # started again: what it showed is what the log says.
            assert [line.heads[head.revision] for head in read] == read
            print(f"the server ended {kept.deaths} times; {len(load.ledger.made)} acknowledged")


@asynccontextmanager
async def kept_running(server: StoreServer) -> AsyncIterator[SupervisedChild]:
    """Start the server again whenever it ends, as the launcher does."""
    kept = SupervisedChild("store", server.spawn)
    kept.adopt(server.child)

    async def watch() -> None:
        while True:
            kept.tick()
            await asyncio.sleep(0.02)

    watching = asyncio.create_task(watch())
    try:
        yield kept
    finally:
        watching.cancel()


async def _reads_while_dead(server: StoreServer, worker: Workspaces, w: str, count: int) -> list[Head]:
    """What so many reads are answered with that begin and end while the server does not run."""
    heads: list[Head] = []
    async with timeout():
        while len(heads) < count:
            if not server.has_ended():
                await asyncio.sleep(0.005)
                continue
            read = asyncio.gather(worker.read(w, lambda replica: replica.head), return_exceptions=True)
            (head,) = await read
            if server.has_ended():
                assert isinstance(head, Head), head
                heads.append(head)
    return heads


@needs_small_disk
async def test_the_server_survives_a_disk_that_is_nearly_full(seed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Writes are refused (`storage_full`) while there is still room for the store to live; it recovers by itself."""
    monkeypatch.setattr("draftsmith.usecases.commits.group_commit.DEADLINE", NEVER_SECONDS)
    with small_disk(4) as place, store_server(place / "data") as server:
        room = DiskRoom(place, 1 << 20)
        async with workers(server.url, has_room=room) as (one,):
            w = await new_workspace(one, seed)
            filler = place / "filler"
            filler.write_bytes(b"x" * (3 << 20))
            await until(lambda: not room())
            for number in range(50):
                with pytest.raises(DraftsmithError, match="storage_full"):
                    async with timeout():
                        await one.submit(w, Asked(f"{seed}-{number}", "ann", "edit", [NODE]).request())
            assert await one.read(w, lambda replica: replica.head.revision) == 1
            with pytest.raises(StorageError, match="storage_full"):
                await one.log.lease(WorkspaceId(w), "w", 10)
            filler.unlink()
            await until(room)
            await one.submit(w, Asked(f"{seed}-after", "ann", "edit", [NODE]).request())
            assert not server.has_ended()


@pytest.mark.skipif(can_mount(), reason="the tests above have had a real disk")
def test_a_real_disk_of_somebody_who_is_not_root() -> None:
    """Who cannot mount a disk runs the tests that need one as root of a namespace, where Linux lets them."""
    as_root = as_root_of_a_namespace()
    need(as_root, "small disk: its user can mount none, nor in a namespace of its own (unshare -Urm)")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    tests = ["-m", "pytest", "-n", "0", "-p", "no:cacheprovider", __file__, "-k", "real_one or nearly"]
    done = subprocess.run(
        [*as_root, sys.executable, *tests],
        cwd=Path(__file__).parents[2], env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "2 passed" in done.stdout, done.stdout + done.stderr
