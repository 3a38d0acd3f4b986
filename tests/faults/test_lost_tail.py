"""A failover loses the newest commits, and their numbers go to others: nobody may serve or commit on the old ones.

The store is replaced by an older copy of itself while workers hold what came after the copy. Another worker writes on
from there. Equal numbers then mean unequal histories; only the chain tells.
"""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from draftsmith.usecases.commits.workspaces import Workspaces
from tests.faults.checks import check, digest, lost_of, read_line
from tests.faults.load import Asked, Load, new_workspace
from tests.faults.servers import StoreServer, store_server, workers


def copy_store(server: StoreServer, place: Path) -> None:
    """Copy what is on disk; with `always` that is all that was acknowledged."""
    shutil.copytree(server.append_only, place)


def bring_back(server: StoreServer, copy: Path) -> None:
    """End the server and let an older copy of its data take its place."""
    server.kill()
    shutil.rmtree(server.append_only)
    shutil.copytree(copy, server.append_only)
    server.restart()


@pytest.mark.parametrize("refill", ["nothing", "fewer", "as-many", "more"])
async def test_stale_workers_notice(refill: str, seed: str, rng: random.Random, tmp_path: Path) -> None:
    """One worker reads first, one writes first, one undoes what is gone: none of them goes on where it was."""
    with store_server() as server:
        async with workers(*[server.url] * 4) as (reader, writer, undoer, other):
            warm = [reader, writer, undoer]
            w = await new_workspace(reader, seed)
            load = Load(w, seed)
            await load.run_count(warm, 6, 60)
            copy_store(server, tmp_path / "copy")
            await Load(w, f"{seed}-tail", load.ledger).run_count(warm, 6, rng.randint(20, 60))
            ann = await undoer.submit(w, adding_node(f"{seed}-ann", "gone").request())
            held = [await worker.read(w, lambda replica: (replica.head, digest(replica.dump()))) for worker in warm]
            assert len(set(held)) == 1
            bring_back(server, tmp_path / "copy")
            tail = ann["revision"] - (await read_line(other.log, w)).replica.head.revision
            wanted = {"nothing": 0, "fewer": tail // 2, "as-many": tail, "more": tail + 30}[refill]
            for number in range(wanted):
                await other.submit(w, adding_node(f"{seed}-refill-{number}", f"r{number}").request())
            await the_stale_go_on(warm, w, seed, held[0][1])
            fresh = Load(w, f"{seed}-after")
            await fresh.run_count([*warm, other], 6, 40)
            line = await check(other.log, w, fresh.ledger, [*warm, other], seed=seed)
            assert lost_of(line, load.ledger)
            for worker in warm:
                assert worker.counters.reloads > 1


async def the_stale_go_on(warm: list[Workspaces], w: str, seed: str, stale: str) -> None:
    """What each stale worker is asked first."""
    reader, writer, undoer = warm
    # Nothing of hers is left, so nothing is undone.
    undone = await undoer.submit(w, Asked(f"{seed}-undo", "ann", "undo").request())
    assert undone["changed"] is False
    # The commit that is gone can be made again under its own id.
    again = await writer.submit(w, adding_node(f"{seed}-ann", "gone").request())
    assert (again["changed"], again["replayed"]) == (True, False)
    line = await read_line(reader.log, w)
    head, content = await reader.read(w, lambda replica: (replica.head, digest(replica.dump())))
    assert (head, content) == (line.replica.head, line.digests[head.revision])
    assert content != stale


def adding_node(name: str, node: str) -> Asked:
    return Asked(name, "ann" if "-ann" in name else "bob", "edit", [NODE | {"id": node}])


NODE = {"op": "add_node", "type": "service", "label": "N"}


async def test_the_store_falls_back_under_load(seed: str, tmp_path: Path) -> None:
    """Clients go on through it; what the workers then hold is what the log says, and new commits are made once."""
    with store_server() as server:
        async with workers(server.url, server.url) as two:
            w = await new_workspace(two[0], seed)
            await Load(w, seed).run_count(two, 6, 40)
            copy_store(server, tmp_path / "copy")
            for number in range(3):
                load = Load(w, f"{seed}-{number}")
                await load.run_count(two, 6, 30)
                bring_back(server, tmp_path / "copy")
            last = Load(w, f"{seed}-last")
            await last.run_count(two, 6, 50)
            await check(two[0].log, w, last.ledger, two, seed=seed)


async def test_a_write_torn_at_any_byte(seed: str, rng: random.Random, tmp_path: Path) -> None:
    """What a group of commits wrote is there whole or not at all, wherever the file breaks off."""
    with store_server() as server:
        async with workers(server.url) as one:
            w = await new_workspace(one[0], seed)
            load = Load(w, seed)
            await load.run_count(one, 8, 60)
            line = await read_line(one[0].log, w)
            copy_store(server, tmp_path / "copy")
            (file,) = (tmp_path / "copy").glob("*.incr.aof")
            whole = file.read_bytes()
            start = whole.rindex(b"XADD", 0, whole.rindex(b":log\r\n"))  # answers may have been kept after it
            end = whole.index(b"EXEC", start) + len(b"EXEC\r\n")
            for cut in sorted(rng.sample(range(start - 200, end), 8)):
                file.write_bytes(whole[:cut])
                bring_back(server, tmp_path / "copy")
                left = await read_line(one[0].log, w)
                assert left.entries == line.entries[: len(left.entries)]
                assert len(left.entries) < len(line.entries)
                assert (await one[0].read(w, lambda replica: replica.head)) == left.replica.head
