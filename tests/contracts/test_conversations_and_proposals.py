"""What every store of runs promises about events, the conversation, proposals, the switch, and purging."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from draftsmith.adapters.redis.assistant.run_limits import EVENTS_KEPT, TURNS_KEPT
from draftsmith.errors import DraftsmithError
from draftsmith.ports.runs import AlreadyThere, Ending, GivenRating, RunStart, RunStore, Switch, SwitchedOff
from tests.contracts.lines import new_w
from tests.contracts.run_lines import (
    DONE,
    LONG_MS,
    REQUEST,
    end,
    ids_of,
    new_id,
    row_of,
    start,
    started,
    status_of,
)
from tests.timeouts import until

STRANGE: Mapping[str, object] = {
    "text": "Zürich\n\u0000\u2028 🗄 \\ \"'",
    "big": 2**53,
    "none": None,
    "deep": {"list": [[], {}, 0.1]},
}
NODE = 100
"""Streams are shortened by whole nodes of so many entries."""
WRONG_IDS = ["", "x", "-1", "1-", "1-2-3", "1.5", "99999999999999999999", "１", "+", "(1"]


async def test_events_are_read_from_where_one_stopped(runs: RunStore) -> None:
    """Oldest first, as they were written, under ids that only grow; adding tells the last one's."""
    w = new_w()
    run_id, other = await started(runs, w), await started(runs, w)
    last = await runs.add_events(w, run_id, [{"n": 0}, STRANGE, {"n": 2}])
    await runs.add_events(w, other, [{"n": "other"}])
    later = await runs.add_events(w, run_id, [{"n": 3}])
    found = await runs.events(w, run_id, "0", 99)
    assert [event for _, event in found] == [{"n": 0}, STRANGE, {"n": 2}, {"n": 3}]
    assert [found[2][0], found[3][0]] == [last, later]
    assert await runs.events(w, run_id, last, 99) == found[3:]
    assert await runs.events(w, run_id, found[0][0], 2) == found[1:3]
    assert await runs.events(w, run_id, later, 99) == await runs.events(w, run_id, "0", 0) == []
    assert await runs.events(w, run_id, "18446744073709551615-18446744073709551615", 9) == []
    assert await runs.events(w, run_id, "18446744073709551615-0", 9) == []


async def test_no_events_where_there_is_no_run(runs: RunStore) -> None:
    """Nor after the last ones, which the end has written; the id is empty then, as it is for no events."""
    w = new_w()
    run_id = await started(runs, w)
    assert await runs.add_events(w, new_id(), [{}]) == ""
    assert await runs.add_events(w, run_id, []) == ""
    await end(runs, w, run_id)
    assert await runs.add_events(w, run_id, [{"late": True}]) == ""
    assert [event for _, event in await runs.events(w, run_id, "0", 9)] == list(DONE.events)
    unknown = new_id()
    await runs.add_events(w, unknown, [{}])
    assert await runs.events(w, unknown, "0", 9) == []


async def test_large_events_are_kept_whole(runs: RunStore) -> None:
    w = new_w()
    run_id = await started(runs, w)
    large = {"text": "ä🗄" * 300_000}
    await runs.add_events(w, run_id, [large, large])
    assert [event for _, event in await runs.events(w, run_id, "0", 9)] == [large, large]


async def test_about_ten_thousand_events_are_kept(runs: RunStore) -> None:
    w = new_w()
    run_id = await started(runs, w)
    many = EVENTS_KEPT + 2 * NODE
    for at in range(0, many, 1020):
        await runs.add_events(w, run_id, [{"n": n} for n in range(at, at + 1020)])
    found = [event["n"] for _, event in await runs.events(w, run_id, "0", 10**6)]
    assert EVENTS_KEPT <= len(found) <= EVENTS_KEPT + NODE
    assert found == list(range(found[0], many))


@pytest.mark.parametrize("wrong", WRONG_IDS)
async def test_what_is_no_id_is_refused(runs: RunStore, wrong: str) -> None:
    """It comes from outside, so it is told from a store that does not work and from a mistake of ours."""
    w = new_w()
    run_id = await started(runs, w)
    with pytest.raises(DraftsmithError, match="invalid_request"):
        await runs.events(w, run_id, wrong, 9)
    with pytest.raises(DraftsmithError, match="invalid_request"):
        await runs.conversation(w, before=wrong, count=9)


async def talk(runs: RunStore, w: str, number: int) -> None:
    assert await runs.record(w, new_id(), REQUEST, "a", Ending("answered", {}, (), {"n": number}))


async def test_talks_come_newest_first_and_in_pages(runs: RunStore) -> None:
    """As they were written; runs that say nothing leave no turn."""
    w = new_w()
    for number in range(5):
        await talk(runs, w, number)
    await runs.record(w, new_id(), REQUEST, "a", Ending("failed", {}))
    run_id = await started(runs, w)
    await end(runs, w, run_id, Ending("answered", {}, (), STRANGE))
    found = await runs.conversation(w, before=None, count=99)
    assert [each for _, each in found] == [STRANGE, *({"n": number} for number in (4, 3, 2, 1, 0))]
    assert await runs.conversation(w, before=None, count=2) == found[:2]
    assert await runs.conversation(w, before=found[1][0], count=3) == found[2:5]
    assert (
        await runs.conversation(w, before=found[5][0], count=3) == await runs.conversation(w, before="0", count=3) == []
    )
    assert (
        await runs.conversation(w, before=None, count=0) == await runs.conversation(new_w(), before=None, count=9) == []
    )
    assert await runs.conversation(w, before="18446744073709551615", count=99) == found


async def test_about_five_hundred_talks_are_kept(runs: RunStore) -> None:
    w = new_w()
    many = TURNS_KEPT + 2 * NODE
    for number in range(many):
        await talk(runs, w, number)
    found = [each["n"] for _, each in await runs.conversation(w, before=None, count=10**6)]
    assert TURNS_KEPT <= len(found) <= TURNS_KEPT + NODE
    assert found == list(range(many - 1, many - 1 - len(found), -1))


async def test_a_cleared_conversation_begins_anew(runs: RunStore) -> None:
    """Runs and proposals stay; clearing an empty one is nothing."""
    w = new_w()
    await runs.clear_conversation(w)
    await talk(runs, w, 0)
    await runs.put_proposal(w, "p", b"x", LONG_MS)
    await runs.clear_conversation(w)
    assert await runs.conversation(w, before=None, count=9) == []
    assert len(await ids_of(runs, w)) == len(await runs.proposals(w)) == 1
    await talk(runs, w, 1)
    assert [each for _, each in await runs.conversation(w, before=None, count=9)] == [{"n": 1}]


async def test_a_proposal_is_stored_once(runs: RunStore) -> None:
    """Any bytes; the same id again changes nothing, also when it is closed."""
    w, proposal_id, content = new_w(), new_id(), bytes(range(256)) * 8192
    assert await runs.proposal(w, proposal_id) is None
    assert await runs.put_proposal(w, proposal_id, content, LONG_MS)
    row = await runs.proposal(w, proposal_id)
    assert row is not None
    assert (row.id, row.status, row.content, row.outcome) == (proposal_id, "open", content, {})
    assert row.expires_ms == row.created_ms + LONG_MS
    assert not await runs.put_proposal(w, proposal_id, b"other", 1)
    assert await runs.proposal(w, proposal_id) == row
    assert await runs.close_proposal(w, proposal_id, "rejected", {})
    assert not await runs.put_proposal(w, proposal_id, b"other", LONG_MS)
    assert await runs.proposals(new_w()) == []


@pytest.mark.parametrize("status", ["accepted", "rejected"])
async def test_a_proposal_is_closed_once(runs: RunStore, status: str) -> None:
    """It is kept with what came of it, for as long as it would have been."""
    w = new_w()
    await runs.put_proposal(w, "p", b"content", LONG_MS)
    before = await runs.proposal(w, "p")
    assert before is not None
    assert await runs.close_proposal(w, "p", status, STRANGE)
    for again in ("accepted", "rejected"):
        assert not await runs.close_proposal(w, "p", again, {})
    row = await runs.proposal(w, "p")
    assert row is not None
    assert (row.status, row.outcome, row.content) == (status, STRANGE, b"content")
    assert (row.created_ms, row.expires_ms) == (before.created_ms, before.expires_ms)
    assert await runs.proposals(w) == [row]
    assert not await runs.close_proposal(w, "none", status, {})
    with pytest.raises(ValueError, match="cannot be closed as"):
        await runs.close_proposal(w, "p", "open", {})


async def test_two_people_close_a_proposal_at_once(run_stores: tuple[RunStore, RunStore]) -> None:
    """One of them does."""
    for _ in range(20):
        w = new_w()
        await run_stores[0].put_proposal(w, "p", b"", LONG_MS)
        verdicts = ("accepted", "rejected") * 3
        answers = await asyncio.gather(
            *(run_stores[n % 2].close_proposal(w, "p", verdict, {"n": n}) for n, verdict in enumerate(verdicts))
        )
        row = await run_stores[1].proposal(w, "p")
        assert row is not None
        assert answers.count(True) == 1
        assert row.outcome == {"n": answers.index(True)}


async def test_proposals_are_listed_newest_first_until_they_expire(runs: RunStore) -> None:
    """However long each lives; an expired one is gone from everywhere, and its id is free."""
    w = new_w()
    for name, ttl_ms in (("z", LONG_MS), ("long", 2 * LONG_MS), ("short", 1), ("a", LONG_MS)):
        assert await runs.put_proposal(w, name, b"", ttl_ms)

    async def is_gone() -> bool:
        return await runs.proposal(w, "short") is None

    await until(is_gone)
    assert [row.id for row in await runs.proposals(w)] == ["a", "long", "z"]
    assert not await runs.close_proposal(w, "short", "accepted", {})
    assert await runs.put_proposal(w, "short", b"new", LONG_MS)
    assert [row.id for row in await runs.proposals(w)] == ["short", "a", "long", "z"]


async def test_the_switch_stops_new_runs_alone(runs: RunStore) -> None:
    """Per workspace; those that are alive go on, records too. Twice is once."""
    w = new_w()
    run_id = await started(runs, w)
    assert not (await runs.switch_of(w)).is_off
    for _ in range(2):
        await runs.switch(w, off=True)
        assert (await runs.switch_of(w)).is_off
    assert await start(runs, w) == SwitchedOff()
    assert await start(runs, new_w()) == RunStart()
    assert await runs.heartbeat(w, run_id, "a", LONG_MS) == "running"
    assert await end(runs, w, run_id)
    assert await runs.record(w, new_id(), REQUEST, "a", DONE)
    for _ in range(2):
        await runs.switch(w, off=False)
        assert not (await runs.switch_of(w)).is_off
    assert await start(runs, w) == RunStart()


async def test_an_edit_mode_is_kept_beside_the_switch(runs: RunStore) -> None:
    """Per workspace, until it is taken back; neither changes the other, and nothing that was set before is lost."""
    w = new_w()
    assert await runs.switch_of(w) == Switch(is_off=False, edit_mode=None)
    await runs.switch(w, off=True)
    await runs.set_edit_mode(w, "regenerate")
    assert await runs.switch_of(w) == Switch(is_off=True, edit_mode="regenerate")
    await runs.switch(w, off=False)
    await runs.set_edit_mode(w, "tools")
    assert await runs.switch_of(w) == Switch(is_off=False, edit_mode="tools")
    assert await runs.switch_of(new_w()) == Switch()
    for _ in range(2):
        await runs.set_edit_mode(w, None)
        assert await runs.switch_of(w) == Switch()
    await runs.set_edit_mode(w, "regenerate")
    await runs.purge(w)
    assert await runs.switch_of(w) == Switch()


async def test_a_rating_is_kept_with_a_run_that_is_over(run_stores: tuple[RunStore, RunStore]) -> None:
    """The one before is returned once, whichever worker asks, so that it counts once; the same keeps its day."""
    runs, other = run_stores
    w = new_w()
    run_id = await started(runs, w)
    up, down = GivenRating("up", "2026-11-22"), GivenRating("down", "2026-11-23")
    assert await runs.rate(w, run_id, up) is None
    assert (await row_of(runs, w, run_id)).rating is None, "it was not over"
    assert await runs.rate(w, new_id(), up) is None
    await end(runs, w, run_id)
    assert await runs.rate(w, run_id, up) is None
    assert await other.rate(w, run_id, GivenRating("up", "2026-11-24")) == up
    assert [row.rating for row in await other.runs(w, before=None, count=9)] == ["up"]
    assert await other.rate(w, run_id, down) == up
    assert (await row_of(runs, w, run_id)).rating == "down"
    assert await runs.rate(w, run_id, None) == down
    assert await runs.rate(w, run_id, None) is None
    assert (await row_of(runs, w, run_id)).rating is None
    assert (await row_of(runs, w, run_id)).status == DONE.status


async def test_of_many_ratings_at_once_each_replaces_one(run_stores: tuple[RunStore, RunStore]) -> None:
    """Nothing is counted twice and nothing is left over: what was given and not replaced is what stands."""
    w = new_w()
    run_id = await started(run_stores[0], w)
    await end(run_stores[0], w, run_id)
    given = [GivenRating("up" if number % 2 else "down", f"2026-11-{number:02}") for number in range(10, 20)]
    before = await asyncio.gather(*(run_stores[n % 2].rate(w, run_id, one) for n, one in enumerate(given)))
    counts = {"up": 0, "down": 0}
    for old, new in zip(before, given, strict=True):
        if old is None or old.rating != new.rating:
            counts[new.rating] += 1
            if old is not None:
                counts[old.rating] -= 1
    stands = (await row_of(run_stores[1], w, run_id)).rating
    assert counts == {"up": int(stands == "up"), "down": int(stands == "down")}


async def test_a_purge_takes_everything_of_one_workspace(runs: RunStore) -> None:
    """Whoever still works on a run of it hears that there is none; other workspaces keep theirs."""
    w, other = new_w(), new_w()
    for each in (w, other):
        await talk(runs, each, 1)
        await runs.put_proposal(each, "p", b"", LONG_MS)
        await runs.switch(each, off=True)
        await runs.switch(each, off=False)
    run_id, kept = await started(runs, w), await started(runs, other)
    await runs.add_events(w, run_id, [{}])
    await runs.switch(w, off=True)
    for _ in range(2):
        await runs.purge(w)
    assert await ids_of(runs, w) == await runs.open_runs(w) == await runs.proposals(w) == []
    assert await runs.conversation(w, before=None, count=9) == await runs.events(w, run_id, "0", 9) == []
    assert not (await runs.switch_of(w)).is_off
    assert await runs.in_flight() == [(other, kept)]
    assert await runs.heartbeat(w, run_id, "a", LONG_MS) == await runs.save_decision(w, run_id, b"", LONG_MS) == ""
    assert await runs.add_events(w, run_id, [{}]) == ""
    assert not await end(runs, w, run_id)
    assert len(await ids_of(runs, other)) == 2
    assert len(await runs.proposals(other)) == len(await runs.conversation(other, before=None, count=9)) == 1
    assert isinstance(await start(runs, other, kept), AlreadyThere)


async def test_what_is_stored_is_no_longer_the_callers(runs: RunStore) -> None:
    """Changing an object afterwards, given or got, changes nothing that is stored."""
    w, run_id, inner = new_w(), new_id(), [1]
    await runs.start(w, run_id, {"list": inner}, "a", edits_for="", ttl_ms=LONG_MS, at_most=4)
    inner.append(2)
    for _ in range(2):
        row = await runs.run(w, run_id)
        assert row is not None
        assert row.request["list"] == [1]
        row.request["list"].append(3)


async def test_half_a_surrogate_pair_has_no_bytes(runs: RunStore) -> None:
    """It is refused before anything is written, not stored as something else."""
    w = new_w()
    run_id = await started(runs, w)
    half = {"text": "\ud83d"}
    with pytest.raises(TypeError):
        await runs.add_events(w, run_id, [{"n": 1}, half])
    with pytest.raises(TypeError):
        await end(runs, w, run_id, Ending("answered", {}, [{"n": 1}], half))
    assert await runs.events(w, run_id, "0", 9) == []
    assert await status_of(runs, w, run_id) == "running"
