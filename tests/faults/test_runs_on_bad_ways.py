"""Runs whose worker reaches the store on a way that loses, cuts and delays: each ends once, with one commit at most."""

from __future__ import annotations

import asyncio
import random

import pytest
import redis

from draftsmith.errors import DraftsmithError, StorageError
from tests.faults.ways import BadWay, Odds, bad_way
from tests.integration.assistant_workers import ANA, BEN, AssistantWorker, assistant_worker
from tests.integration.test_runs_with_a_model import CACHE, DONE, SAY_SO
from tests.standin import Standin, Text, ToolUse, Turn, serve
from tests.timeouts import timeout

# The ways here are cut while connections are being made; one that is given up half made is closed by the collector.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Exception ignored in. <function AbstractConnection.__del__:pytest.PytestUnraisableExceptionWarning"
)

RUN = "0123456789abcdefghjkmnpqrs"
EDITS = Turn([Text("I add it."), ToolUse("edit_diagram", CACHE), ToolUse("edit_document", SAY_SO)], chunk=40)


async def start_at_last(one: AssistantWorker, way: BadWay, odds: Odds) -> None:
    """Ask until the request has gone through, under one id."""
    way.odds = odds
    for _ in range(60):
        try:
            await one.start("Add a cache.", run_id=RUN)
        except StorageError:
            continue
        else:
            return
    way.odds = Odds()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "odds",
    [Odds(lose_reply=0.15), Odds(lose_request=0.15), Odds(cut_reply=0.1, hold=0.2, hold_seconds=0.1)],
    ids=["replies", "requests", "cuts"],
)
async def test_a_run_ends_once_whatever_gets_lost(redis_url: str, odds: Odds, seed: int) -> None:
    """Applied means one commit, with everything in it; failed means none; and somebody who looks on sees its end."""
    standin = Standin(lambda body: DONE if len(body["messages"]) > 1 else EDITS)
    async with (
        bad_way(redis_url, random.Random(seed)) as way,
        serve(standin) as url,
        assistant_worker(redis_url, url, worker="watcher") as two,
        assistant_worker(way.url, url, worker="unlucky") as one,
    ):
        one.w = await two.make_shop()
        before, head = await two.state(), await two.head()
        one.assistant.starter.alive_ms = two.assistant.starter.alive_ms = 1_500
        await start_at_last(one, way, odds)
        if await two.assistant.dependencies.store.run(two.w, RUN) is None:
            assert await two.state() == before, "what was never entered has changed nothing"
            return
        async with timeout():
            events = await two.events(RUN)
        way.odds = Odds()
        run = await two.assistant.run(two.w, RUN)
        assert [event["type"] for event in events].count("end") == 1
        assert events[-1]["status"] == run["status"]
        commits = 1 if run["status"] == "applied" else 0
        assert await two.head() == head + commits, run
        if commits:
            assert run["outcome"]["revision"] == head + 1
            assert "order-cache" in await two.nodes()
            assert "answers reads" in await two.text()
            assert (await two.undo(ANA))["changed"]
        else:
            assert run["outcome"]["error"]["code"] in ("worker_lost", "storage_down", "storage_full"), run
        assert await two.state() == before
        assert await two.assistant.dependencies.store.open_runs(two.w) == []


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("moment", ["phase", "tool", "staged", "usage", "settling"])
async def test_stopped_is_stopped(redis_url: str, moment: str, seed: int) -> None:
    """Whoever hears that a run was stopped never finds its commit; whoever hears that it was too late finds it."""
    standin = Standin(lambda body: DONE if len(body["messages"]) > 1 else EDITS)
    async with (
        bad_way(redis_url, random.Random(seed)) as way,
        serve(standin) as url,
        assistant_worker(way.url, url, worker="slow") as one,
        assistant_worker(redis_url, url, worker="other") as two,
    ):
        one.w = await two.make_shop()
        before, head = await two.state(), await two.head()
        way.odds = Odds(hold=0.5, hold_seconds=0.05)
        run = await one.start("Add a cache.")
        if moment == "settling":
            await until_settling(two, run["id"])
        else:
            await two.until_event(run["id"], moment)
        is_stopped = await stop_in_time(two, run["id"])
        ended = await two.over(run["id"])
        assert ended["status"] == ("cancelled" if is_stopped else "applied")
        await one.workspaces.close()  # what was on its way has arrived
        assert await two.head() == head + (not is_stopped)
        assert (await two.state() == before) is is_stopped


async def until_settling(one: AssistantWorker, run_id: str) -> None:
    """Wait until a run has decided."""
    async with timeout():
        while True:
            row = await one.assistant.dependencies.store.run(one.w, run_id)
            if row is not None and row.status != "running":
                return
            await asyncio.sleep(0.002)


async def stop_in_time(one: AssistantWorker, run_id: str) -> bool:
    """Stop a run; False if it was too late."""
    try:
        await one.assistant.cancel(one.w, run_id, BEN)
    except DraftsmithError as error:
        if error.code != "run_finished":
            raise
        return False
    return True


async def test_a_run_touches_no_other_workspace(redis_url: str) -> None:
    """Neither state nor any key of another workspace changes, whatever becomes of the run."""
    standin = Standin([EDITS, DONE, EDITS, DONE])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        other = await one.make_shop()
        await one.start("list all databases", provider="builtin", workflow="ask")
        mine = await one.make_shop()
        assert mine != other
        with redis.Redis.from_url(redis_url) as store:
            keys = sorted(store.scan_iter(f"*{{{other}}}*"))
            assert keys
            before = {key: store.dump(key) for key in keys}
            assert (await one.ask("Add a cache."))["status"] == "applied"
            run = await one.ask("Add a cache.", mode="propose", actor=BEN)
            assert run["status"] in ("proposed", "answered", "failed")
            assert sorted(store.scan_iter(f"*{{{other}}}*")) == keys
            assert {key: store.dump(key) for key in keys} == before
        one.w = other
        with pytest.raises(DraftsmithError) as error:
            await one.assistant.run(other, run["id"])
        assert error.value.code == "run_not_found"
