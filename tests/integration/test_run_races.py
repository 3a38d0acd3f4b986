"""Runs at their worst moments: what others do between the last word of the model and the commit, and late repeats."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import pytest

from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.ports.runs import RunRow
from draftsmith.usecases.runs.takeover import take_over, take_over_all
from draftsmith.usecases.staging.staged_values import StagedSummary
from draftsmith.usecases.staging.staging import StagingArea
from tests.fakes.memory_runs import MemoryRuns
from tests.integration.assistant_workers import BEN, AssistantWorker
from tests.memory_worker import Stores, memory_worker
from tests.scripted import HandClock, Say
from tests.timeouts import timeout

T = TypeVar("T")
_ASKED = {
    "workflow": "edit", "mode": "auto", "prompt": "?", "focus": {}, "provider": "", "label": "", "model": "",
    "prompt_hash": "", "base": {"epoch": "e", "revision": 1},
    "actor": {"id": "guest:dan", "name": "Dan", "kind": "person"},
}  # fmt: skip
RENAME = {"op": "update_node", "id": "db", "label": "Ledger"}
CACHE = {"op": "add_node", "id": "cache", "type": "cache", "label": "Cache"}


def edit_turn(*operations: Any) -> Say:
    """A turn that edits the diagram."""
    return Say(calls=[("edit_diagram", {"operations": list(operations)})])


def others_first(monkeypatch: pytest.MonkeyPatch, one: AssistantWorker, moment: str) -> None:
    """Let Ben rename the database just before or just after the last look at what is staged."""
    look = StagingArea.summary
    done: list[bool] = []

    async def overtaken(stage: StagingArea) -> StagedSummary:
        if moment == "before" and not done:
            done.append(True)
            await one.edit(BEN, {"op": "update_node", "id": "db", "label": "Ben's"})
        seen = await look(stage)
        if moment == "after" and not done:
            done.append(True)
            await one.edit(BEN, {"op": "update_node", "id": "db", "label": "Ben's"})
            await one.state()  # memory moves on, too
        return seen

    monkeypatch.setattr(StagingArea, "summary", overtaken)


async def test_what_is_overtaken_before_the_last_look_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model hears what fell away before the rest of it is applied."""
    async with memory_worker([edit_turn(RENAME, CACHE), Say("Done."), Say("Then without.")]) as (one, provider):
        await one.make_shop()
        others_first(monkeypatch, one, "before")
        run = await one.ask("Rename it and add a cache.")
        assert "no longer fit" in str(provider.asked[2].messages[-1])
        assert run["status"] == "applied"
        assert [done["what"] for done in run["outcome"]["operations"]] == ["Added node Cache"]


async def test_what_is_overtaken_after_the_last_look_refuses_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of what the model believes to have done is never applied without a word."""
    async with memory_worker([edit_turn(RENAME, CACHE), Say("Done.")]) as (one, _):
        await one.make_shop()
        others_first(monkeypatch, one, "after")
        run = await one.ask("Rename it and add a cache.")
        assert run["status"] == "failed"
        assert run["outcome"]["error"]["code"] == "run_conflict"
        assert run["outcome"]["error"]["conflicts"][0]["index"] == 0
        assert "cache" not in await one.nodes()


class Hooked(MemoryRuns):
    """A store of runs before or after whose writes something happens; what it raises is what the caller hears.

    Its clock moves by hand: no run is taken over because the machine stood still for longer than one counts as alive.
    """

    def __init__(self) -> None:
        self.clock = HandClock()
        super().__init__(self.clock)
        self.before: dict[str, Callable[[], Awaitable[None]]] = {}
        self.after: dict[str, Callable[[], Awaitable[None]]] = {}

    async def _hooked(self, name: str, write: Awaitable[T]) -> T:
        if name in self.before:
            try:
                await self.before.pop(name)()
            except BaseException:
                asyncio.ensure_future(write).cancel()
                raise
        answer = await write
        if name in self.after:
            await self.after.pop(name)()
        return answer

    async def save_decision(self, *given: Any, **more: Any) -> str:
        return await self._hooked("save_decision", super().save_decision(*given, **more))

    async def end(self, *given: Any, **more: Any) -> bool:
        return await self._hooked("end", super().end(*given, **more))

    async def close_proposal(self, *given: Any, **more: Any) -> bool:
        return await self._hooked("close_proposal", super().close_proposal(*given, **more))


async def away() -> None:
    """The store does not answer."""
    raise StorageError("The store is away.")


async def gone() -> None:
    """As if the process were gone."""
    raise asyncio.CancelledError


@asynccontextmanager
async def hooked(*script: Say) -> AsyncIterator[tuple[AssistantWorker, Hooked, Stores]]:
    """A worker on a store with hooks."""
    stores = Stores()
    runs = stores.runs = Hooked()
    async with memory_worker(script, stores=stores) as (one, _):
        await one.make_shop()
        yield one, runs, stores


async def until(one: AssistantWorker, run_id: str, holds: Callable[[RunRow], bool]) -> None:
    """Wait until something is so of a run."""
    async with timeout():
        while True:
            row = await one.assistant.dependencies.store.run(one.w, run_id)
            if row is not None and holds(row):
                return
            await asyncio.sleep(0.005)


async def abandoned(one: AssistantWorker, runs: Hooked, run_id: str) -> None:
    """Wait until the worker of a run is gone without having ended it, and let time pass until that shows."""
    await until(one, run_id, lambda _: "end" not in runs.before)

    def is_over(row: RunRow) -> bool:
        runs.clock.ms += one.assistant.starter.alive_ms + 1  # each time: a last heartbeat may have been on its way
        return row.is_abandoned

    await until(one, run_id, is_over)


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("write", ["save_decision", "end"])
async def test_a_store_that_is_away_for_a_moment_costs_no_run(write: str, moment: str) -> None:
    """What minutes of work have come to is written again; lost requests and lost replies alike give one commit."""
    async with hooked(edit_turn(RENAME), Say("Done.")) as (one, runs, _):
        head = await one.head()
        getattr(runs, moment)[write] = away
        run = await one.ask("Rename it.")
        assert run["status"] == "applied", run
        assert await one.head() == head + 1
        assert [event["type"] for event in await one.events(run["id"])].count("end") == 1


async def test_a_commit_is_told_as_one_even_if_the_workspace_is_in_the_trash_by_then() -> None:
    """The worker dies after the commit, somebody throws the workspace away: the rescue looks before it says no."""
    async with hooked(edit_turn(RENAME), Say("Done.")) as (one, runs, _):
        runs.before["end"] = gone
        run = await one.start("Rename it.")
        await abandoned(one, runs, run["id"])
        head = await one.head()
        await one.workspaces.log.set_deleted(one.w, True)
        await take_over(runs, one.assistant.dependencies.finisher, one.w)
        row = await runs.run(one.w, run["id"])
        assert row is not None
        assert (row.status, row.outcome["revision"]) == ("applied", head)


async def test_a_decision_that_nobody_can_read_does_not_hide_its_commit() -> None:
    """Who finds bytes of another release looks into the log before they say that nothing was changed."""
    async with hooked(edit_turn(RENAME), Say("Done.")) as (one, runs, _):
        runs.before["end"] = gone
        run = await one.start("Rename it.")
        await abandoned(one, runs, run["id"])
        runs._of(one.w).runs[run["id"]].staged = b"\x00new"
        found = await one.assistant.run(one.w, run["id"])
        assert found["status"] == "applied"
        assert found["outcome"]["revision"] == await one.head()


async def test_one_run_that_cannot_be_ended_keeps_no_other_from_ending(monkeypatch: pytest.MonkeyPatch) -> None:
    """A defect in one row is logged; the other rows are brought to their end, and new runs start."""
    async with hooked(edit_turn(RENAME), Say("Done."), Say("Hello.")) as (one, runs, _):
        for name, request in (("bad", {"prompt": "no actor"}), ("good", {**_ASKED})):
            await runs.start(one.w, name, request, "dead", edits_for="", ttl_ms=0, at_most=4)
        await abandoned(one, runs, "good")
        run = await one.ask("Rename it.")
        assert run["status"] == "applied"
        good = await runs.run(one.w, "good")
        assert good is not None
        assert good.status == "failed"
        await take_over_all(runs, one.assistant.dependencies.finisher)  # nor does it end the looking after runs
        assert [one.id for one in await runs.open_runs(one.w)] == ["bad"]


async def test_too_late_to_stop_while_it_is_carried_out() -> None:
    """Nobody is told that nothing was changed while the commit may still come."""
    async with hooked(edit_turn(RENAME), Say("Done.")) as (one, runs, _):
        held = asyncio.Event()

        async def hold() -> None:
            await held.wait()

        runs.after["save_decision"] = hold
        run = await one.start("Rename it.")
        await until(one, run["id"], lambda row: row.status == "settling")
        one.assistant.dependencies.clock = HandClock()
        with pytest.raises(DraftsmithError) as error:
            await one.assistant.cancel(one.w, run["id"], BEN)
        assert error.value.code == "run_finished"
        assert "nothing was changed" not in error.value.detail
        held.set()
        one.assistant.dependencies.clock = one.workspaces.clock
        assert (await one.over(run["id"]))["status"] == "applied"


async def test_an_id_of_long_ago_is_none_of_a_new_request() -> None:
    """When the first run is no longer listed, its commit is not taken for that of another request under its id."""
    identity = "0123456789abcdefghjkmnpqrs"
    async with hooked(edit_turn(RENAME), Say("Done."), edit_turn(CACHE), Say("Done.")) as (one, runs, _):
        first = await one.start("Rename it.", run_id=identity)
        await one.over(first["id"])
        await runs.purge(one.w)  # as after seven days
        before = await one.state()
        again = await one.start("Add a cache.", run_id=identity, actor=BEN)
        ended = await one.over(again["id"])
        assert ended["status"] == "failed"
        assert ended["outcome"]["error"]["code"] == "key_reused"
        assert await one.state() == before


async def test_an_acceptance_that_was_not_written_down_is_found() -> None:
    """The worker dies between the commit and the row: the proposal shows as accepted, by whom and which operations."""
    async with hooked(edit_turn(RENAME, CACHE), Say("Done.")) as (one, runs, _):
        run = await one.ask("Rename it and add a cache.", mode="propose")
        runs.before["close_proposal"] = away
        with pytest.raises(StorageError):
            await one.proposals.accept(one.w, run["id"], BEN, [1])
        assert (await one.proposals.list(one.w))[0]["status"] == "accepted"
        shown = await one.proposals.get(one.w, run["id"])
        assert shown["outcome"]["revision"] == await one.head()
        assert shown["outcome"]["operations"] == [1]
        assert shown["outcome"]["by"]["id"] == BEN.id
        with pytest.raises(DraftsmithError) as error:
            await one.proposals.reject(one.w, run["id"], BEN)
        assert error.value.code == "proposal_closed"
        assert (await one.proposals.accept(one.w, run["id"], BEN, None))["operations"] == [1]


async def test_yes_and_no_at_the_same_moment() -> None:
    """Where a rejection is written between a commit and its row, the log decides, for all who look."""
    async with hooked(edit_turn(RENAME), Say("Done.")) as (one, runs, _):
        run = await one.ask("Rename it.", mode="propose")

        async def accept() -> None:
            await one.proposals.accept(one.w, run["id"], BEN, None)

        async def reject_wins() -> None:  # the acceptance is in the log, the rejection in the row
            runs._of(one.w).proposals[run["id"]].status = "open"
            await MemoryRuns.close_proposal(runs, one.w, run["id"], "rejected", {"by": {"id": "x"}})

        runs.before["close_proposal"] = reject_wins
        await accept()
        assert (await one.proposals.get(one.w, run["id"]))["status"] == "accepted"
        assert (await one.proposals.list(one.w))[0]["status"] == "accepted"
        with pytest.raises(DraftsmithError) as error:
            await one.proposals.reject(one.w, run["id"], BEN)
        assert error.value.code == "proposal_closed"


async def test_a_proposal_that_nobody_can_read_hides_no_other() -> None:
    """It is not in the list and not found by itself; the others are."""
    async with hooked(edit_turn(RENAME), Say("Done.")) as (one, runs, _):
        run = await one.ask("Rename it.", mode="propose")
        await runs.put_proposal(one.w, "newer", b"\x00new", 60_000)
        assert [shown["id"] for shown in await one.proposals.list(one.w)] == [run["id"]]
        for call in (one.proposals.get(one.w, "newer"), one.proposals.accept(one.w, "newer", BEN, None)):
            with pytest.raises(DraftsmithError) as error:
                await call
            assert error.value.code == "proposal_not_found"


async def test_a_proposal_of_long_ago_is_none_of_a_new_request() -> None:
    """Proposals are kept longer than runs: another request under the same id does not pass one off as its own."""
    identity = "0123456789abcdefghjkmnpqrs"
    async with hooked(edit_turn(RENAME), Say("Done."), edit_turn(CACHE), Say("Done.")) as (one, runs, _):
        first = await one.start("Rename it.", run_id=identity, mode="propose")
        await one.over(first["id"])
        runs._of(one.w).runs.pop(identity)  # as after seven days
        again = await one.start("Add a cache.", run_id=identity, mode="propose")
        ended = await one.over(again["id"])
        assert ended["status"] == "failed"
        assert ended["outcome"]["error"]["code"] == "key_reused"
