"""What every store of runs promises about starting, living, settling and ending."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from draftsmith.ports.runs import (
    FINAL_STATUSES,
    OPEN_STATUSES,
    RUNNING,
    SETTLING,
    AlreadyThere,
    Busy,
    Ending,
    RunStart,
    RunStore,
    SwitchedOff,
)
from tests.contracts.lines import new_w
from tests.contracts.run_lines import (
    DONE,
    LONG_MS,
    REQUEST,
    abandoned,
    end,
    new_id,
    row_of,
    start,
    started,
    status_of,
)
from tests.timeouts import until

Stores = tuple[RunStore, RunStore]


async def test_a_started_run_stands_as_it_was_asked_for(runs: RunStore) -> None:
    """Its times are the store's, nothing has come of it, and it is alive for as long as was said."""
    w, run_id = new_w(), new_id()
    assert await runs.run(w, run_id) is None
    assert await start(runs, w, run_id, who="ada") == RunStart()
    row = await row_of(runs, w, run_id)
    assert (row.id, row.status, row.request, row.outcome, row.staged) == (run_id, RUNNING, REQUEST, {}, b"")
    assert (row.worker, row.created_ms, row.alive_until_ms) == ("a", row.updated_ms, row.created_ms + LONG_MS)
    assert row.created_ms <= row.now_ms
    assert not row.is_over
    assert not row.is_abandoned


async def test_starting_again_changes_nothing(runs: RunStore) -> None:
    """A repeat hears of the run as it is, also where it has ended, or the assistant was switched off since."""
    w = new_w()
    run_id = await started(runs, w, who="ada")
    before = await row_of(runs, w, run_id)
    again = await runs.start(w, run_id, {"other": 1}, "b", edits_for="ada", ttl_ms=1, at_most=1)
    assert isinstance(again, AlreadyThere)
    assert replace(again.row, now_ms=before.now_ms) == before
    await end(runs, w, run_id)
    await runs.switch(w, off=True)
    later = await start(runs, w, run_id)
    assert isinstance(later, AlreadyThere)
    assert later.row.status == "answered"


async def test_one_edit_run_per_person(runs: RunStore) -> None:
    """Others may edit, and the same person may read; ids of persons are any text."""
    w, strange = new_w(), "https://id.example|ä 1\n2"
    mine = await started(runs, w, who=strange)
    assert await start(runs, w, who=strange) == Busy("person", [mine])
    assert await start(runs, w, who="ada") == RunStart()
    assert await start(runs, w) == RunStart()
    assert await start(runs, w) == RunStart()
    await end(runs, w, mine)
    assert await start(runs, w, who=strange) == RunStart()
    assert await start(runs, new_w(), who=strange) == RunStart()


async def test_so_many_runs_per_workspace(runs: RunStore) -> None:
    """The one too many hears which ones are in the way; with one of them over there is room."""
    w = new_w()
    alive = [await started(runs, w) for _ in range(4)]
    assert await start(runs, w) == Busy("workspace", sorted(alive))
    assert await start(runs, new_w()) == RunStart()
    await end(runs, w, alive[2])
    late = new_id()
    assert await start(runs, w, late) == RunStart()
    assert await runs.save_decision(w, alive[0], b"s", LONG_MS) == SETTLING
    assert await start(runs, w) == Busy("workspace", sorted([alive[0], alive[1], alive[3], late]))


async def test_who_is_busy_hears_of_it_before_the_workspace_is(runs: RunStore) -> None:
    w = new_w()
    mine = await started(runs, w, who="ada")
    assert await start(runs, w, who="ada", at_most=1) == Busy("person", [mine])


async def test_a_refused_start_leaves_nothing(runs: RunStore) -> None:
    w, run_id = new_w(), new_id()
    await started(runs, w, who="ada")
    await start(runs, w, run_id, who="ada")
    await start(runs, w, run_id, at_most=1)
    await runs.switch(w, off=True)
    assert await start(runs, w, run_id) == SwitchedOff()
    assert await runs.run(w, run_id) is None
    assert len(await runs.runs(w, before=None, count=9)) == len(await runs.open_runs(w)) == 1
    assert (w, run_id) not in await runs.in_flight()
    assert await runs.heartbeat(w, run_id, "a", 1) == ""


async def test_abandoned_runs_are_in_nobodys_way_but_stay_open(runs: RunStore) -> None:
    """They do not count for a start; they are found, and whoever finds them ends them."""
    w = new_w()
    left = [await abandoned(runs, w, who="ada") for _ in range(3)]
    assert await start(runs, w, who="ada", at_most=1) == RunStart()
    rows = await runs.open_runs(w)
    assert [row.id for row in rows if row.is_abandoned] == left
    assert {(w, run_id) for run_id in left} < set(await runs.in_flight())
    assert await end(runs, w, left[0], Ending("failed", {"code": "abandoned"}))
    assert left[0] not in [row.id for row in await runs.open_runs(w)]


async def test_two_starts_at_once_for_one_person(run_stores: Stores) -> None:
    """From two workers: exactly one starts, the others hear which."""
    for _ in range(20):
        w = new_w()
        ids = [new_id() for _ in range(6)]
        outcomes = await asyncio.gather(*(start(run_stores[n % 2], w, ids[n], who="ada") for n in range(6)))
        (winner,) = [run_id for run_id, outcome in zip(ids, outcomes, strict=True) if outcome == RunStart()]
        assert [outcome for outcome in outcomes if outcome != RunStart()] == [Busy("person", [winner])] * 5


async def test_two_starts_at_once_of_one_run(run_stores: Stores) -> None:
    w, run_id = new_w(), new_id()
    outcomes = await asyncio.gather(*(start(run_stores[n % 2], w, run_id) for n in range(6)))
    assert Counter(type(outcome) for outcome in outcomes) == {RunStart: 1, AlreadyThere: 5}


async def test_a_beat_prolongs_the_life_of_ones_own_run_alone(runs: RunStore) -> None:
    """Everybody hears the status; one that was given up for dead comes to life again."""
    w = new_w()
    run_id = await abandoned(runs, w)
    dead = await row_of(runs, w, run_id)
    assert await runs.heartbeat(w, run_id, "b", LONG_MS) == RUNNING
    assert (await row_of(runs, w, run_id)).alive_until_ms == dead.alive_until_ms
    assert await runs.heartbeat(w, run_id, "a", LONG_MS) == RUNNING
    row = await row_of(runs, w, run_id)
    assert row.alive_until_ms >= dead.now_ms + LONG_MS
    assert not row.is_abandoned
    assert row.updated_ms == dead.updated_ms
    assert await start(runs, w, at_most=1) == Busy("workspace", [run_id])
    assert await runs.heartbeat(w, new_id(), "a", LONG_MS) == ""


async def test_a_beat_after_the_end_only_tells_the_end(runs: RunStore) -> None:
    w = new_w()
    run_id = await started(runs, w)
    await end(runs, w, run_id, Ending("cancelled", {}))
    row = await row_of(runs, w, run_id)
    assert await runs.heartbeat(w, run_id, "a", 2 * LONG_MS) == "cancelled"
    assert (await row_of(runs, w, run_id)).alive_until_ms == row.alive_until_ms
    assert await runs.open_runs(w) == []
    assert await start(runs, w, at_most=1) == RunStart()


async def test_settling_is_said_only_to_who_decided_so(runs: RunStore) -> None:
    """Large bytes and the same ones again are taken; others are not, and do not replace them."""
    w, staged = new_w(), bytes(range(256)) * 8192
    run_id = await started(runs, w, who="ada", ttl_ms=1)
    assert await runs.save_decision(w, run_id, staged, LONG_MS) == SETTLING
    row = await row_of(runs, w, run_id)
    assert (row.status, row.staged) == (SETTLING, staged)
    assert row.alive_until_ms >= row.updated_ms + LONG_MS
    assert await runs.save_decision(w, run_id, staged, LONG_MS) == SETTLING
    assert await runs.save_decision(w, run_id, staged + b".", LONG_MS) == ""
    assert await runs.save_decision(w, run_id, b"", LONG_MS) == ""
    again = await row_of(runs, w, run_id)
    assert (again.staged, again.updated_ms) == (staged, row.updated_ms)
    assert await runs.heartbeat(w, run_id, "a", LONG_MS) == SETTLING
    assert await start(runs, w, who="ada") == Busy("person", [run_id])
    assert await runs.save_decision(w, new_id(), staged, LONG_MS) == ""


async def test_nothing_to_do_can_be_decided_too(runs: RunStore) -> None:
    w = new_w()
    run_id = await started(runs, w)
    assert await runs.save_decision(w, run_id, b"", LONG_MS) == SETTLING
    assert await runs.save_decision(w, run_id, b"x", LONG_MS) == ""


async def test_a_repeat_of_settling_keeps_it_alive(runs: RunStore) -> None:
    """Whoever takes an abandoned one over says the same again, and then it is in nobody else's hands."""
    w = new_w()
    run_id = await started(runs, w)
    assert await runs.save_decision(w, run_id, b"s", 1) == SETTLING

    async def is_abandoned() -> bool:
        return (await row_of(runs, w, run_id)).is_abandoned

    await until(is_abandoned)
    assert await runs.save_decision(w, run_id, b"s", LONG_MS) == SETTLING
    assert not await is_abandoned()


async def test_what_is_over_cannot_settle(runs: RunStore) -> None:
    w = new_w()
    run_id = await started(runs, w)
    await end(runs, w, run_id, Ending("cancelled", {}))
    assert await runs.save_decision(w, run_id, b"s", LONG_MS) == "cancelled"
    assert (await row_of(runs, w, run_id)).staged == b""


@pytest.mark.parametrize("status", sorted(FINAL_STATUSES))
async def test_an_end_comes_in_one_step(runs: RunStore, status: str) -> None:
    """Outcome, last events and talk; what was staged is let go."""
    w = new_w()
    run_id = await started(runs, w, who="ada")
    await runs.save_decision(w, run_id, b"s", LONG_MS)
    await runs.add_events(w, run_id, [{"type": "text", "text": "…"}])
    assert await end(runs, w, run_id, replace(DONE, status=status))
    row = await row_of(runs, w, run_id)
    assert (row.status, row.outcome, row.staged, row.request) == (status, DONE.outcome, b"", REQUEST)
    assert row.is_over
    assert [event["type"] for _, event in await runs.events(w, run_id, "0", 9)] == ["text", "end"]
    assert [talk for _, talk in await runs.conversation(w, before=None, count=9)] == [DONE.turn]
    assert await runs.open_runs(w) == await runs.in_flight() == []
    assert await start(runs, w, who="ada", at_most=1) == RunStart()


async def test_a_run_ends_once(runs: RunStore) -> None:
    """A repeat is told no, and neither events nor talk come twice."""
    w = new_w()
    run_id = await started(runs, w)
    assert await end(runs, w, run_id)
    assert not await end(runs, w, run_id)
    assert not await end(runs, w, run_id, Ending("failed", {"late": True}, [{"type": "late"}], {"late": True}))
    assert not await runs.end(w, run_id, ["answered"], Ending("failed", {}))
    assert (await row_of(runs, w, run_id)).outcome == DONE.outcome
    assert len(await runs.events(w, run_id, "0", 9)) == len(await runs.conversation(w, before=None, count=9)) == 1
    assert not await end(runs, w, new_id())


async def test_an_end_from_another_status_changes_nothing(runs: RunStore) -> None:
    """A cancel comes too late for what is settling; a settled end is refused to what only runs."""
    w = new_w()
    run_id = await started(runs, w)
    for expected, other in (([RUNNING], SETTLING), ({SETTLING}, "")):
        if other:
            await runs.save_decision(w, run_id, b"s", LONG_MS)
            assert not await runs.end(w, run_id, expected, DONE)
            assert await status_of(runs, w, run_id) == other
        else:
            assert not await runs.end(w, await started(runs, w), expected, DONE)
    assert not await runs.end(w, run_id, [], DONE)
    assert await runs.conversation(w, before=None, count=9) == await runs.events(w, run_id, "0", 9) == []
    assert await runs.end(w, run_id, [SETTLING], DONE)


@pytest.mark.parametrize("status", [RUNNING, SETTLING, "done", ""])
async def test_an_end_is_a_final_status(runs: RunStore, status: str) -> None:
    """Anything else is our own mistake and is said so before anything happens."""
    w = new_w()
    run_id = await started(runs, w)
    with pytest.raises(ValueError, match="cannot end as"):
        await runs.end(w, run_id, OPEN_STATUSES, Ending(status, {}))
    with pytest.raises(ValueError, match="cannot end as"):
        await runs.record(w, new_id(), REQUEST, "a", Ending(status, {}))
    assert await status_of(runs, w, run_id) == RUNNING


async def test_a_cancel_against_a_settle(run_stores: Stores) -> None:
    """From two workers at once: either it is cancelled and nothing is staged, or it settles and the cancel hears no."""
    one, other = run_stores
    seen: set[bool] = set()
    for number in range(60):
        w = new_w()
        run_id = await started(one, w)
        calls = [one.save_decision(w, run_id, b"s", LONG_MS), other.end(w, run_id, [RUNNING], Ending("cancelled", {}))]
        if number % 2:
            cancelled, settled = await asyncio.gather(*reversed(calls))
        else:
            settled, cancelled = await asyncio.gather(*calls)
        row = await row_of(other, w, run_id)
        assert (settled, row.status) == (("cancelled",) * 2 if cancelled else (SETTLING,) * 2)
        assert row.staged == (b"" if cancelled else b"s")
        seen.add(bool(cancelled))
    assert seen == {True, False}
