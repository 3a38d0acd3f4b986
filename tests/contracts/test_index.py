"""What every index of workspaces promises."""

from __future__ import annotations

from tests.contracts.backends import Backend
from tests.contracts.lines import create, new_w


async def test_the_index_is_a_list_of_its_own(backend: Backend) -> None:
    """It holds what was written down, whether that exists or not; twice is once."""
    ghost = new_w()
    w, _ = await create(backend.log)
    assert await backend.index.all() == []
    for each in (ghost, w, w):
        await backend.index.add(each)
    assert sorted(await backend.index.all()) == sorted([ghost, w])
    await backend.index.remove(ghost)
    await backend.index.remove(ghost)
    assert await backend.index.all() == [w]


async def test_a_scan_finds_what_really_exists(backend: Backend) -> None:
    """On every node, without the index, the trash included, purged ones not."""
    made = [(await create(backend.log))[0] for _ in range(30)]
    await backend.log.set_deleted(made[0], True)
    await backend.log.set_deleted(made[1], True)
    await backend.log.purge(made[1])
    await backend.index.add(new_w())
    assert sorted(await backend.index.scan()) == sorted([made[0], *made[2:]])


async def test_a_store_that_works_answers_a_ping(backend: Backend) -> None:
    await backend.store.ping()
