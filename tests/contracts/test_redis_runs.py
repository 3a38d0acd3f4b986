"""What the Redis stores of runs promise beyond the port: tidiness, and no harm from lost replies or cancelling."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress

import pytest
import redis

from draftsmith.adapters.redis import scripts
from draftsmith.adapters.redis.assistant.run_limits import RUN_KEPT_MS
from draftsmith.adapters.redis.assistant.runs import RedisRuns
from draftsmith.adapters.redis.assistant.usage import RedisUsage
from draftsmith.adapters.redis.keys import RUNS_IN_FLIGHT, WorkspaceKeys
from draftsmith.errors import StorageError
from draftsmith.ports.runs import RUNNING, SETTLING, AlreadyThere, Busy, Ending, GivenRating, RunStart, Switch
from tests.contracts.backends import RedisBackend, open_redis
from tests.contracts.lines import new_w
from tests.contracts.lossy import lossy_way
from tests.contracts.run_lines import DONE, LONG_MS, REQUEST, end, new_id, row_of, start, started, status_of

STARTS_WITHIN_MS = 60_000


@pytest.fixture
def redis_runs(redis_backend: RedisBackend) -> RedisRuns:
    return RedisRuns(redis_backend.connection)


async def left_ms(backend: RedisBackend, key: str) -> int:
    found: int = await backend.connection.read.command("PTTL", key)
    return found


async def test_keys_of_runs_are_those_agreed_and_no_more(redis_backend: RedisBackend, redis_runs: RedisRuns) -> None:
    """What is not over never expires, what is over does; a purge takes everything, and nothing else."""
    w, keys_of = new_w(), redis_backend.keys
    assert await redis_runs.runs(w, before=None, count=9) == await redis_runs.proposals(w) == []
    assert await keys_of(w) == set()
    run_id, over, recorded = new_id(), new_id(), new_id()
    for each in (run_id, over):
        assert await start(redis_runs, w, each) == RunStart()
        await redis_runs.add_events(w, each, [{}])
    await redis_runs.record(w, recorded, REQUEST, "a", Ending("answered", {}))
    await end(redis_runs, w, over)
    await redis_runs.put_proposal(w, "p", b"", LONG_MS)
    await redis_runs.switch(w, off=True)
    await redis_runs.set_edit_mode(w, "tools")
    for_ever = {"runs", "runs:active", "runs:off", "runs:mode", "talks", f"run:{run_id}", f"events:{run_id}"}
    seven_days = {f"run:{over}", f"events:{over}", f"run:{recorded}"}
    assert await keys_of(w) == for_ever | seven_days | {"proposals", "proposal:p"}
    for name in await keys_of(w):
        left = await left_ms(redis_backend, f"ws:{{{w}}}:{name}")
        if name in for_ever:
            assert left == -1
        elif name in seven_days:
            assert RUN_KEPT_MS - 60_000 < left <= RUN_KEPT_MS
        else:
            assert 0 < left <= LONG_MS
    other = new_w()
    await started(redis_runs, other)
    await redis_runs.purge(w)
    assert await keys_of(w) == set()
    assert await keys_of(other) > {"runs", "runs:active"}


async def test_what_an_earlier_version_stored_is_read(redis_backend: RedisBackend, redis_runs: RedisRuns) -> None:
    """A switch without an edit mode, a run without a rating; an edit mode of a later version counts as none."""
    w = new_w()
    run_id = await started(redis_runs, w)
    keys, write = WorkspaceKeys(w), redis_backend.connection.write
    await write.command("SET", keys.runs_off, b"1")
    assert await redis_runs.switch_of(w) == Switch(is_off=True, edit_mode=None)
    assert await redis_backend.connection.read.command("HEXISTS", keys.run(run_id), "rating") == 0
    assert (await row_of(redis_runs, w, run_id)).rating is None
    await write.command("SET", keys.edit_mode, b"by voice")
    assert await redis_runs.switch_of(w) == Switch(is_off=True, edit_mode=None)


async def test_late_calls_leave_no_keys(redis_backend: RedisBackend, redis_runs: RedisRuns) -> None:
    """A worker that goes on where the workspace is gone brings nothing of it back."""
    w = new_w()
    run_id = await started(redis_runs, w)
    await redis_runs.purge(w)
    await redis_runs.add_events(w, run_id, [{}])
    await redis_runs.heartbeat(w, run_id, "a", LONG_MS)
    await redis_runs.save_decision(w, run_id, b"s", LONG_MS)
    await end(redis_runs, w, run_id)
    await redis_runs.close_proposal(w, "p", "accepted", {})
    await redis_runs.switch(w, off=False)
    await redis_runs.set_edit_mode(w, None)
    await redis_runs.rate(w, run_id, GivenRating("up", "2026-11-22"))
    assert await redis_backend.keys(w) == set()


async def test_the_index_entry_goes_with_the_end(redis_backend: RedisBackend, redis_runs: RedisRuns) -> None:
    """They need not wait for a reader that repairs them."""
    w = new_w()
    run_id, other = await started(redis_runs, w), await started(redis_runs, w)
    await end(redis_runs, w, run_id)
    left = await redis_backend.connection.read.command("ZRANGE", RUNS_IN_FLIGHT, 0, -1)
    assert left == [f"{w} {other}".encode()]


async def test_a_purge_against_a_start(redis_backend: RedisBackend, redis_runs: RedisRuns) -> None:
    """What comes in between the reading and the removing is removed too: a run is there altogether or not at all."""
    async with open_redis(redis_backend.url) as backend:
        other = RedisRuns(backend.connection)
        for _ in range(40):
            w, run_id, proposal_id = new_w(), new_id(), new_id()
            await redis_runs.record(w, new_id(), REQUEST, "a", DONE)
            put = redis_runs.put_proposal(w, proposal_id, b"", LONG_MS)
            await asyncio.gather(other.purge(w), start(redis_runs, w, run_id), other.purge(w), put)
            is_there = await redis_runs.run(w, run_id) is not None
            assert [row.id for row in await redis_runs.runs(w, before=None, count=9)] == [run_id] * is_there
            assert [row.id for row in await redis_runs.open_runs(w)] == [run_id] * is_there
            is_put = await redis_runs.proposal(w, proposal_id) is not None
            assert [row.id for row in await redis_runs.proposals(w)] == [proposal_id] * is_put


async def test_expired_runs_are_passed_over_and_swept(redis_backend: RedisBackend, redis_runs: RedisRuns) -> None:
    """A page is full although some are gone, and the next reader does not find them again."""
    w = new_w()
    made = [new_id() for _ in range(9)]
    for run_id in made:
        await redis_runs.record(w, run_id, REQUEST, "a", DONE)
    alive = await started(redis_runs, w)
    keys = WorkspaceKeys(w)
    for run_id in made[3:]:  # as if seven days had passed
        await redis_backend.connection.write.command("UNLINK", keys.run(run_id), keys.events(run_id))
    rows = await redis_runs.runs(w, before=None, count=3)
    assert [row.id for row in rows] == [alive, made[2], made[1]]
    left = await redis_backend.connection.read.command("ZRANGE", keys.runs, 0, -1)
    assert [name.decode() for name in left] == [*made[:3], alive]
    # One that has come back meanwhile is not swept with those that were found gone.
    pairs = [keys.run(made[0]), keys.events(made[0])]
    await redis_backend.connection.write.script(
        scripts.DROP_RUNS, [keys.runs, keys.active_runs, *pairs], ["0", made[0]]
    )
    assert await status_of(redis_runs, w, made[0]) == "answered"


async def test_the_list_of_proposals_goes_with_the_last_of_them(
    redis_backend: RedisBackend, redis_runs: RedisRuns
) -> None:
    """Also when one that expires sooner comes after it; expired ones leave it at the next."""
    w = new_w()
    keys = WorkspaceKeys(w)
    await redis_runs.put_proposal(w, "long", b"", 3 * LONG_MS)
    await redis_runs.put_proposal(w, "gone", b"", -1)
    await redis_runs.put_proposal(w, "short", b"", LONG_MS)
    assert 2 * LONG_MS < await left_ms(redis_backend, keys.proposals) <= 3 * LONG_MS
    assert await redis_backend.connection.read.command("ZCARD", keys.proposals) == 2


async def test_a_start_that_never_came_is_forgotten_in_time(redis_backend: RedisBackend, redis_runs: RedisRuns) -> None:
    """A worker died between its hint and its start: a minute later the hint goes, but not one written anew."""
    w, connection = new_w(), redis_backend.connection
    refused, fresh, over, alive = [new_id() for _ in range(4)]
    for run_id in (over, alive):
        assert await start(redis_runs, w, run_id) == RunStart()
    for run_id in (refused, fresh):
        assert await start(redis_runs, w, run_id, at_most=1) == Busy("workspace", sorted([over, alive]))
    keys = WorkspaceKeys(w)
    ending = [over, f" {RUNNING} ", "failed", b"{}", b"", LONG_MS, 9, 9]
    # Ended, and its worker died before it removed the index entry.
    await connection.write.script(
        scripts.END_RUN, [keys.run(over), keys.events(over), keys.conversation, keys.active_runs], ending
    )
    for run_id, change in (
        (refused, -STARTS_WITHIN_MS - 1),
        (fresh, -STARTS_WITHIN_MS // 2),
        (alive, -9 * STARTS_WITHIN_MS),
    ):
        await connection.write.command("ZINCRBY", RUNS_IN_FLIGHT, change, f"{w} {run_id}")
    assert await redis_runs.in_flight() == [(w, alive)]
    left = await connection.read.command("ZRANGE", RUNS_IN_FLIGHT, 0, -1)
    assert [member.decode() for member in left] == [f"{w} {alive}", f"{w} {fresh}"]
    score = await connection.read.command("ZSCORE", RUNS_IN_FLIGHT, f"{w} {fresh}")
    await start(redis_runs, w, fresh, at_most=0)
    await connection.write.script(scripts.DROP_FROM_RUN_INDEX, [RUNS_IN_FLIGHT], [f"{w} {fresh}", int(score)])
    assert await connection.read.command("ZCARD", RUNS_IN_FLIGHT) == 2


Call = Callable[[RedisRuns, str, str], Awaitable[object]]


async def _settled(store: RedisRuns, w: str, run_id: str) -> str:
    return await store.save_decision(w, run_id, b"decided", LONG_MS)


async def _ended(store: RedisRuns, w: str, run_id: str) -> bool:
    return await end(store, w, run_id)


@pytest.mark.parametrize("call, answer, status", [(_settled, SETTLING, SETTLING), (_ended, False, "answered")])
async def test_a_lost_reply_is_settled_by_asking_again(redis_url: str, call: Call, answer: object, status: str) -> None:
    """It is not repeated behind the caller's back; the caller's repeat finds it done, once."""
    async with lossy_way(redis_url) as way, open_redis(way.url) as backend:
        store, w = RedisRuns(backend.connection), new_w()
        await call(store, w, await started(store, w))  # so that the server knows the script
        run_id = await started(store, w)
        await store.clear_conversation(w)
        way.lose_after = run_id.encode()
        with pytest.raises(StorageError, match="storage_down"):
            await call(store, w, run_id)
        assert await status_of(store, w, run_id) == status
        assert await call(store, w, run_id) == answer
        assert way.lost == 1
        ends = int(status == "answered")
        assert len(await store.conversation(w, before=None, count=9)) == ends
        assert len(await store.events(w, run_id, "0", 9)) == ends


async def test_a_lost_reply_of_a_start_is_settled_too(redis_url: str) -> None:
    """Whether the hint or the start itself was lost; a record likewise."""
    async with lossy_way(redis_url) as way, open_redis(way.url) as backend:
        store, w = RedisRuns(backend.connection), new_w()
        await started(store, w)
        await store.record(w, new_id(), REQUEST, "a", DONE)
        run_id = new_id()
        way.lose_after = run_id.encode()
        with pytest.raises(StorageError, match="storage_down"):
            await start(store, w, run_id)
        assert await store.run(w, run_id) is None
        way.lose_after = b"Cache"
        with pytest.raises(StorageError, match="storage_down"):
            await start(store, w, run_id)
        assert isinstance(await start(store, w, run_id), AlreadyThere)
        recorded = new_id()
        way.lose_after = recorded.encode()
        with pytest.raises(StorageError, match="storage_down"):
            await store.record(w, recorded, REQUEST, "a", DONE)
        assert not await store.record(w, recorded, REQUEST, "a", DONE)
        assert way.lost == 3
        assert len(await store.conversation(w, before=None, count=9)) == 2


async def test_cancelling_at_any_moment_harms_nothing(redis_backend: RedisBackend, redis_runs: RedisRuns) -> None:
    """Whatever a call had reached, doing it again settles it, and every connection still works."""
    w = new_w()
    for steps in range(0, 40, 2):
        run_id = new_id()
        for call in (
            lambda run_id=run_id: start(redis_runs, w, run_id),
            lambda run_id=run_id: end(redis_runs, w, run_id),
        ):
            task = asyncio.create_task(call())
            for _ in range(steps):
                await asyncio.sleep(0)
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            await call()
        assert await status_of(redis_runs, w, run_id) == "answered"
    assert len(await redis_runs.conversation(w, before=None, count=99)) == 20
    assert await redis_runs.open_runs(w) == await redis_runs.in_flight() == []


async def test_a_full_store_refuses_before_anything_is_written(redis_url: str) -> None:
    """`storage_full`, all or none, and reads go on; with room again, so do writes."""
    async with open_redis(redis_url) as backend:
        store, w = RedisRuns(backend.connection), new_w()
        run_id, settled = await started(store, w), await started(store, w)
        await store.save_decision(w, settled, b"s", LONG_MS)
        before = [await row_of(store, w, each) for each in (run_id, settled)]
        await backend.connection.write.command("CONFIG", "SET", "maxmemory", "1mb")
        try:
            for refused in (
                start(store, w),
                store.heartbeat(w, run_id, "a", LONG_MS),
                store.save_decision(w, run_id, b"s", LONG_MS),
                end(store, w, run_id),
                end(store, w, settled),
                store.record(w, new_id(), REQUEST, "a", DONE),
                store.add_events(w, run_id, [{}]),
                store.put_proposal(w, "p", b"", LONG_MS),
                store.switch(w, off=True),
                RedisUsage(backend.connection).add("2026-11-20", "k", {"n": 1}),
            ):
                with pytest.raises(StorageError, match="storage_full"):
                    await refused
            rows = {row.id: row for row in await store.open_runs(w)}
            for row in before:
                assert (rows[row.id].status, rows[row.id].staged) == (row.status, row.staged)
                assert rows[row.id].alive_until_ms == row.alive_until_ms
            assert len(await store.runs(w, before=None, count=9)) == len(await store.in_flight()) == 2
            assert await store.conversation(w, before=None, count=9) == await store.proposals(w) == []
            await store.purge(w)
        finally:
            await backend.connection.write.command("CONFIG", "SET", "maxmemory", "0")
        assert await backend.keys(w) == set()
        assert await start(store, w) == RunStart()


async def test_a_store_that_refuses_to_tidy_up_is_still_read(redis_url: str) -> None:
    """Sweeping is a favour: a list is read although nothing can be written."""
    async with open_redis(redis_url) as backend:
        store, w = RedisRuns(backend.connection), new_w()
        gone, kept = await started(store, w), await started(store, w)
        await store.end(w, gone, [RUNNING], DONE)
        await backend.connection.write.command("UNLINK", WorkspaceKeys(w).run(gone))
        await backend.connection.write.command("ZADD", RUNS_IN_FLIGHT, 1, f"{w} {gone}")
        await backend.connection.write.command("CONFIG", "SET", "min-replicas-to-write", "1")
        try:
            with pytest.raises(StorageError):
                await store.switch(w, off=True)
            assert [row.id for row in await store.runs(w, before=None, count=9)] == [kept]
            assert await store.in_flight() == [(w, kept)]
        finally:
            await backend.connection.write.command("CONFIG", "SET", "min-replicas-to-write", "0")


async def test_what_must_be_quick_is_one_trip(redis_url: str) -> None:
    """A record is one script; a start is one and its hint."""
    async with open_redis(redis_url) as backend:
        store, w = RedisRuns(backend.connection), new_w()
        await started(store, w)
        await store.record(w, new_id(), REQUEST, "a", DONE)
        with redis.Redis.from_url(redis_url) as client, client.monitor() as monitor:
            await store.record(w, new_id(), REQUEST, "a", DONE)
            await backend.connection.write.command("ECHO", "then")
            await started(store, w)
            await backend.connection.write.command("ECHO", "end")
            seen = iter(monitor.next_command, None)
            asked = [each["command"].split()[0] for each in _until_end(seen) if each["client_type"] != "lua"]
        assert asked == ["EVALSHA", "ECHO", "EVALSHA", "EVALSHA"]


def _until_end(seen: Iterator[dict[str, str] | None]) -> Iterator[dict[str, str]]:
    for each in seen:
        if each is None or each["command"] == "ECHO end":
            return
        yield each
