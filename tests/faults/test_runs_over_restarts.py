"""The store is killed and comes back while the assistant works: the run goes on or ends, and nothing is half done."""

from __future__ import annotations

import asyncio

import pytest

from draftsmith.errors import DraftsmithError
from tests.integration.assistant_workers import ANA, BEN, AssistantWorker, assistant_worker
from tests.integration.stores import OwnStore
from tests.integration.test_runs_with_a_model import CACHE, DONE, SAY_SO
from tests.standin import Standin, ToolUse, Turn, serve
from tests.timeouts import timeout


async def restart(store: OwnStore) -> None:
    """Kill the store and start it again on what is on disk."""
    await asyncio.to_thread(store.kill)
    await asyncio.to_thread(store.start)


async def start_at_last(one: AssistantWorker, prompt: str, run_id: str) -> None:
    """Start a run; asked again with the same id where the store goes away before it has answered."""
    async with timeout():
        while True:
            try:
                await one.start(prompt, run_id=run_id)
                return
            except DraftsmithError:
                await asyncio.sleep(0.05)


async def over_at_last(one: AssistantWorker, run_id: str) -> dict[str, object]:
    """The run when it is over, asked for as often as the store does not answer."""
    async with timeout():
        while True:
            try:
                return await one.over(run_id)
            except DraftsmithError:
                await asyncio.sleep(0.05)  # the connection comes back by itself


@pytest.mark.parametrize("turn", [1, 2, 3])
async def test_the_store_restarts_while_the_model_thinks(own_store: OwnStore, turn: int) -> None:
    """Before each turn: everything that was staged is in the worker's memory, so the run goes on to its one commit."""
    standin = Standin([Turn([ToolUse("edit_diagram", CACHE)]), Turn([ToolUse("edit_document", SAY_SO)]), DONE])
    async with serve(standin) as url, assistant_worker(own_store.url, url) as one:
        await one.make_shop()
        before, head = await one.state(), await one.head()

        async def happens(number: int) -> None:
            if number == turn:
                await restart(own_store)

        one.before_turn(happens)
        await start_at_last(one, "Add a cache and say so.", "run-over-a-restart")
        over = await over_at_last(one, "run-over-a-restart")
        assert over["status"] in ("applied", "failed"), over
        commits = int(over["status"] == "applied")
        assert await one.head() == head + commits
        if commits:
            assert (await one.undo(ANA))["changed"]
        assert await one.state() == before
        events = await one.events("run-over-a-restart")
        assert [event["type"] for event in events].count("end") == 1


async def test_proposals_and_runs_are_there_after_a_restart(own_store: OwnStore) -> None:
    """A proposal survives the store and the worker; another worker accepts it, once."""
    standin = Standin([Turn([ToolUse("edit_diagram", CACHE)]), DONE])
    async with serve(standin) as url:
        async with assistant_worker(own_store.url, url) as one:
            w = await one.make_shop()
            run = await one.ask("Add a cache.", mode="propose")
            head = await one.head()
        await restart(own_store)
        async with assistant_worker(own_store.url, url, worker="w2", w=w) as two:
            assert (await two.assistant.run(w, run["id"]))["status"] == "proposed"
            assert (await two.assistant.conversation(w, None, 10))[0][1]["prompt"] == "Add a cache."
            answer = await two.proposals.accept(w, run["outcome"]["proposal"], BEN, None)
            assert answer["revision"] == head + 1
            assert "order-cache" in await two.nodes()
