"""What every store of runs promises about runs that are recorded whole, and about lists of runs."""

from __future__ import annotations

import asyncio

from draftsmith.adapters.redis.assistant.run_limits import RUN_KEPT_MS, RUNS_KEPT, RUNS_SLACK
from draftsmith.ports.runs import OPEN_STATUSES, RUNNING, AlreadyThere, Ending, RunStart, RunStore
from tests.contracts.lines import new_w
from tests.contracts.run_lines import DONE, LONG_MS, REQUEST, end, ids_of, new_id, row_of, start, started, status_of
from tests.fakes.memory_runs import MemoryRuns
from tests.integration.edited_workspaces import SetClock


async def test_a_record_is_a_whole_run_in_one_step(runs: RunStore) -> None:
    """It stands in the list and in the conversation, is in nobody's way, and its id is taken."""
    w, run_id = new_w(), new_id()
    assert await runs.record(w, run_id, REQUEST, "a", DONE)
    row = await row_of(runs, w, run_id)
    assert (row.id, row.status, row.request, row.outcome, row.worker) == (
        run_id,
        "answered",
        REQUEST,
        DONE.outcome,
        "a",
    )
    assert row.is_over
    assert row.created_ms == row.updated_ms
    assert [event for _, event in await runs.events(w, run_id, "0", 9)] == list(DONE.events)
    assert [talk for _, talk in await runs.conversation(w, before=None, count=9)] == [DONE.turn]
    assert [each.id for each in await runs.runs(w, before=None, count=9)] == [run_id]
    assert await runs.open_runs(w) == await runs.in_flight() == []
    assert not await runs.record(w, run_id, {}, "b", Ending("failed", {}, [{}], {}))
    assert (await row_of(runs, w, run_id)).status == "answered"
    assert len(await runs.conversation(w, before=None, count=9)) == len(await runs.events(w, run_id, "0", 9)) == 1
    assert isinstance(await start(runs, w, run_id), AlreadyThere)
    assert await start(runs, w, at_most=1) == RunStart()


async def test_a_record_of_a_started_run_is_refused(runs: RunStore) -> None:
    w = new_w()
    run_id = await started(runs, w)
    assert not await runs.record(w, run_id, REQUEST, "a", DONE)
    assert await status_of(runs, w, run_id) == RUNNING


async def test_many_records_of_one_id_at_once(run_stores: tuple[RunStore, RunStore]) -> None:
    w, run_id = new_w(), new_id()
    answers = await asyncio.gather(*(run_stores[n % 2].record(w, run_id, REQUEST, "a", DONE) for n in range(6)))
    assert sorted(answers) == [False] * 5 + [True]
    assert len(await run_stores[0].conversation(w, before=None, count=9)) == 1


async def test_runs_in_flight_are_those_of_every_workspace(run_stores: tuple[RunStore, RunStore]) -> None:
    """Settling ones too, ended ones not, whoever asks."""
    one, other = run_stores
    places = [(w, await started(one, w)) for w in (new_w() for _ in range(5))]
    await one.save_decision(*places[1], b"s", LONG_MS)
    await one.end(*places[2], OPEN_STATUSES, DONE)
    assert sorted(await other.in_flight()) == sorted([*places[:2], *places[3:]])


async def test_runs_are_listed_newest_first_and_in_pages(runs: RunStore) -> None:
    """Whatever their state and their ids; new ones at the front do not shift a page."""
    w = new_w()
    made = [await started(runs, w) for _ in range(4)]
    for run_id in ("0" * 26, "z" * 26):
        assert await runs.record(w, run_id, REQUEST, "a", DONE)
        made.append(run_id)
    await end(runs, w, made[1])
    newest_first = made[::-1]
    assert await ids_of(runs, w) == newest_first
    first = await ids_of(runs, w, count=2)
    fresh = await started(runs, w)
    pages = [*first, *await ids_of(runs, w, first[-1], 3), *await ids_of(runs, w, newest_first[4], 3)]
    assert pages == newest_first
    assert await ids_of(runs, w, made[0]) == await ids_of(runs, w, new_id()) == await ids_of(runs, new_w()) == []
    assert await ids_of(runs, w, count=0) == await ids_of(runs, w, count=-1) == []
    assert await ids_of(runs, w, count=1) == [fresh]


async def test_open_runs_come_oldest_first(runs: RunStore) -> None:
    w = new_w()
    made = [await started(runs, w) for _ in range(3)]
    await runs.save_decision(w, made[0], b"s", LONG_MS)
    await end(runs, w, made[1])
    assert {row.id for row in await runs.open_runs(w)} == {made[0], made[2]}
    assert await runs.open_runs(new_w()) == []


async def test_only_the_newest_thousand_runs_are_kept(runs: RunStore) -> None:
    """But never is one dropped that is not over; what goes is known no more, its events neither."""
    w = new_w()
    alive = await started(runs, w)
    made = [new_id() for _ in range(RUNS_KEPT + RUNS_SLACK - 1)]
    for run_id in made:
        assert await runs.record(w, run_id, REQUEST, "a", DONE)
    assert await ids_of(runs, w) == [*made[::-1], alive]
    last = await started(runs, w)
    assert await ids_of(runs, w) == [last, *made[:-RUNS_KEPT:-1], alive]
    assert await runs.run(w, made[0]) is None
    assert await runs.events(w, made[0], "0", 9) == []
    assert await status_of(runs, w, alive) == "running"
    assert await runs.record(w, made[0], REQUEST, "a", DONE)


async def test_runs_are_kept_seven_days_after_they_are_over() -> None:
    """And their events; those that are not over stay. In Redis the store's own expiry sees to it."""
    clock, w = SetClock(), new_w()
    runs = MemoryRuns(clock)
    alive, over = await started(runs, w), await started(runs, w)
    clock.ms += RUN_KEPT_MS
    await end(runs, w, over)
    clock.ms += RUN_KEPT_MS - 1
    assert await ids_of(runs, w) == [over, alive]
    clock.ms += 1
    assert await ids_of(runs, w) == [alive]
    assert await runs.run(w, over) is None
    assert await runs.events(w, over, "0", 9) == []
