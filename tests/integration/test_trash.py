"""The end of deleted workspaces, and an index that is put right, on a real server."""

from __future__ import annotations

from draftsmith.adapters.process.system import ulid
from draftsmith.adapters.redis.assistant.runs import RedisRuns
from draftsmith.adapters.redis.commit_log import RedisCommitLog
from draftsmith.adapters.server.snapshot_process import SnapshotStarter
from draftsmith.usecases.upkeep.housekeeping import Housekeeping, made_ms, purge_trash, repair_index
from draftsmith.usecases.upkeep.retention import Policy
from tests.contracts.backends import RedisBackend
from tests.contracts.run_lines import DONE, LONG_MS, REQUEST, new_id, started
from tests.integration.edited_workspaces import DAY_MS, EditedWorkspace, SetClock

OLD = "0" * 26


async def new_life(store: RedisBackend) -> EditedWorkspace:
    life = EditedWorkspace(store.log, store.index)
    await life.begin()
    await life.grow(3)
    return life


async def deleted_ms(life: EditedWorkspace) -> int:
    meta = await life.log.meta(life.w)
    assert meta is not None
    assert meta.deleted_ms is not None
    return meta.deleted_ms


async def test_the_trash_is_emptied_after_its_days(store: RedisBackend) -> None:
    """Keys and id go; what was deleted later, or not at all, stays."""
    alive, dead, late = [await new_life(store) for _ in range(3)]
    for life in (dead, late):
        await store.log.set_deleted(life.w, True)
    clock = SetClock(await deleted_ms(dead) + 30 * DAY_MS - 1)
    assert await purge_trash(store.log, store.index, clock, 30) == []
    clock.ms += 1
    await store.connection.write.command("HINCRBY", f"ws:{{{late.w}}}:meta", "deleted", 60_000)
    assert await purge_trash(store.log, store.index, clock, 30) == [dead.w]
    assert await store.keys(dead.w) == set()
    assert sorted(await store.index.all()) == sorted([alive.w, late.w])
    assert await purge_trash(store.log, store.index, clock, 30) == []
    await store.log.set_deleted(late.w, False)
    await late.workspaces.read(late.w, lambda replica: replica.head)


class TakenOut(RedisCommitLog):
    """A store in which somebody takes everything out of the trash at the last moment."""

    async def purge(self, w: str) -> None:
        await self.set_deleted(w, False)
        await super().purge(w)


async def test_what_is_taken_out_of_the_trash_at_the_last_moment_stays(store: RedisBackend) -> None:
    life = await new_life(store)
    await store.log.set_deleted(life.w, True)
    clock = SetClock(await deleted_ms(life) + 31 * DAY_MS)
    assert await purge_trash(TakenOut(store.connection), store.index, clock, 30) == []
    assert await store.index.all() == [life.w]
    await life.grow(1)


async def test_the_index_is_put_right(store: RedisBackend) -> None:
    """What exists is listed again; what was never finished is forgotten, but not before ten minutes."""
    life, other = [await new_life(store) for _ in range(2)]
    now = life.clock.now_ms()
    fresh, stale, derived = ulid(now - 60_000, 5), ulid(now - 11 * 60_000, 5), "z" * 26
    await store.index.remove(life.w)
    for w in (fresh, stale, derived, OLD):
        await store.index.add(w)
    added, removed = await repair_index(store.log, store.index, SetClock(now))
    assert added == [life.w]
    assert sorted(removed) == sorted([stale, derived, OLD])
    assert sorted(await store.index.all()) == sorted([life.w, other.w, fresh])
    assert await repair_index(store.log, store.index, SetClock(now)) == ([], [])
    assert await repair_index(store.log, store.index, SetClock(now + 10 * 60_000)) == ([], [fresh])


async def busy_run(runs: RedisRuns, w: str) -> None:
    """Leave a run, its events, a turn of the conversation and a proposal in a workspace."""
    await started(runs, w)
    await runs.record(w, new_id(), REQUEST, "a", DONE)
    await runs.put_proposal(w, new_id(), b"{}", LONG_MS)


async def test_what_the_assistant_keeps_goes_with_its_workspace(store: RedisBackend) -> None:
    """By the background work of a worker; a workspace that stays keeps its own."""
    runs = RedisRuns(store.connection)
    alive, dead = [await new_life(store) for _ in range(2)]
    for life in (alive, dead):
        await busy_run(runs, life.w)
    await store.log.set_deleted(dead.w, True)
    clock = SetClock(await deleted_ms(dead) + 31 * DAY_MS)
    starter = SnapshotStarter(store.log, "test", store.url)
    keeping = Housekeeping(
        log=store.log,
        index=store.index,
        clock=clock,
        snapshots=starter,
        policy=Policy(),
        trash_days=30,
        runs=runs,
    )
    await keeping.sweep()
    assert await store.keys(dead.w) == set()
    assert len(await runs.runs(alive.w, before=None, count=9)) == 2
    assert len(await runs.proposals(alive.w)) == 1
    assert await store.index.all() == [alive.w]


async def test_what_is_taken_out_at_the_last_moment_keeps_its_runs(store: RedisBackend) -> None:
    runs, life = RedisRuns(store.connection), await new_life(store)
    await busy_run(runs, life.w)
    await store.log.set_deleted(life.w, True)
    clock = SetClock(await deleted_ms(life) + 31 * DAY_MS)
    assert await purge_trash(TakenOut(store.connection), store.index, clock, 30, runs) == []
    assert len(await runs.runs(life.w, before=None, count=9)) == 2


async def test_a_purge_that_broke_off_is_finished_by_the_next_sweep(store: RedisBackend) -> None:
    """The workspace is gone, what the assistant keeps of it is still there, and so is the id."""
    runs, life = RedisRuns(store.connection), await new_life(store)
    await busy_run(runs, life.w)
    await store.log.set_deleted(life.w, True)
    await store.log.purge(life.w)
    assert await store.keys(life.w) != set()
    later = SetClock(life.clock.now_ms() + DAY_MS)
    assert await repair_index(store.log, store.index, later, runs) == ([], [life.w])
    assert await store.keys(life.w) == set()


def test_an_id_tells_when_it_was_made() -> None:
    assert made_ms(ulid(1_800_000_000_123, 99)) == 1_800_000_000_123
    assert made_ms("not an id") == 0
