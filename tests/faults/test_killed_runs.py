"""Workers killed in the middle of a run: whoever looks next brings it to its end, once, and says what happened."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from draftsmith.errors import DraftsmithError
from tests.faults.doomed_run import LAST_WORD_MS
from tests.forking import create_subprocess_exec
from tests.integration.assistant_workers import ANA, BEN, AssistantWorker, assistant_worker
from tests.integration.test_runs_with_a_model import CACHE, DONE
from tests.standin import Standin, ToolUse, Turn, serve
from tests.timeouts import timeout

ROOT = Path(__file__).parents[2]
RUN = "0123456789abcdefghjkmnpqrs"


async def killed(redis_url: str, url: str, w: str, moment: str) -> None:
    """Let a worker start the run and die."""
    paths = os.pathsep.join([str(ROOT / "backend"), str(ROOT)])
    process = await create_subprocess_exec(
        sys.executable, "-m", "tests.faults.doomed_run", redis_url, url, w, RUN, moment,
        env={**os.environ, "PYTHONPATH": paths}, stdin=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    async with timeout():
        assert await process.wait() == -signal.SIGKILL


async def until_abandoned(one: AssistantWorker) -> None:
    """Wait until the dead worker's word has run out."""
    async with timeout():  # the worker has to start first, and its last word but one may hold for a while
        while True:
            row = await one.assistant.dependencies.store.run(one.w, RUN)
            # A worker that looks for such runs by itself may have been here first.
            if row is not None and (row.is_abandoned or (row.is_over and row.updated_ms > row.alive_until_ms)):
                return
            assert row is None or not row.is_over, f"it ended before it could be left: {row.status} {row.outcome}"
            await asyncio.sleep(LAST_WORD_MS / 5_000)  # the store's clock, not ours, decides


@pytest.mark.parametrize("moment, commits", [("thinking", 0), ("decided", 1), ("committed", 1)])
async def test_a_worker_is_killed(redis_url: str, moment: str, commits: int) -> None:
    """Before the decision nothing has changed; after it exactly one commit is there, whoever made it."""
    standin = Standin([Turn([ToolUse("edit_diagram", CACHE)]), DONE])
    async with (
        serve(standin) as url,
        assistant_worker(redis_url, url) as one,
        assistant_worker(redis_url, url, worker="w2") as two,
    ):
        two.w = await one.make_shop()
        before, head = await one.state(), await one.head()
        await killed(redis_url, url, one.w, moment)
        await until_abandoned(one)
        first, second = await asyncio.gather(one.assistant.run(one.w, RUN), two.assistant.run(one.w, RUN))
        assert first == second, "both workers tell the same"
        assert await one.head() == head + commits
        events = await two.events(RUN)
        assert [event["type"] for event in events].count("end") == 1
        if commits:
            assert first["status"] == "applied"
            assert first["outcome"]["revision"] == head + 1
            assert "order-cache" in await two.nodes()
            assert (await one.undo(ANA))["changed"]
            assert await one.state() == before
        else:
            assert first["status"] == "failed"
            assert first["outcome"]["error"]["code"] == "worker_lost"
            assert await one.state() == before


async def test_a_dead_run_blocks_nobody(redis_url: str) -> None:
    """The person whose run died can ask again at once when it is found dead."""
    standin = Standin([Turn([ToolUse("edit_diagram", CACHE)]), Turn([ToolUse("edit_diagram", CACHE)]), DONE])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        await killed(redis_url, url, one.w, "thinking")
        await until_abandoned(one)
        run = await one.ask("Add a cache.")
        assert run["status"] == "applied"
        assert (await one.assistant.run(one.w, RUN))["status"] == "failed"


async def test_cancel_from_another_worker(redis_url: str) -> None:
    """Any worker cancels: the state says so at once, and the worker that runs it lets go of the provider."""
    slow = Turn([ToolUse("edit_diagram", CACHE)], chunk=1, delay=0.02)
    standin = Standin([slow])
    async with (
        serve(standin) as url,
        assistant_worker(redis_url, url) as one,
        assistant_worker(redis_url, url, worker="w2") as two,
    ):
        two.w = await one.make_shop()
        one.assistant.starter.alive_ms = 4_000  # so that it hears of the end within a second
        before = await one.state()
        run = await one.start("Add a cache.")
        await one.until_event(run["id"], "tool")
        cancelled = await two.assistant.cancel(two.w, run["id"], BEN)
        assert cancelled["status"] == "cancelled"
        assert "Ben" in cancelled["outcome"]["detail"]
        await standin.until(lambda: standin.disconnects == 1)
        assert await one.state() == before
        assert (await two.events(run["id"]))[-1]["status"] == "cancelled"


async def test_one_edit_run_for_each_person_and_four_for_a_workspace(redis_url: str) -> None:
    """A second request of the same person waits for the first, on whichever worker; questions are not counted so."""
    hold = Turn([ToolUse("edit_diagram", CACHE)], chunk=1, delay=0.05)
    standin = Standin(lambda body: hold)
    async with (
        serve(standin) as url,
        assistant_worker(redis_url, url) as one,
        assistant_worker(redis_url, url, worker="w2") as two,
    ):
        two.w = await one.make_shop()
        await one.start("One.")
        with pytest.raises(DraftsmithError) as error:
            await two.start("Two.")
        assert error.value.code == "run_busy"
        assert error.value.extra["whose"] == "person"
        await two.start("Three.", actor=BEN)
        await two.start("A question?", workflow="ask")
        await one.start("Another?", workflow="ask", actor=BEN)
        with pytest.raises(DraftsmithError) as error:
            await one.start("A fifth?", workflow="ask", actor=BEN)
        assert error.value.extra["whose"] == "workspace"


async def test_the_same_request_twice_is_one_run(redis_url: str) -> None:
    """A repeat under the same id, on another worker, is told of the first; another request under it is refused."""
    standin = Standin([Turn([ToolUse("edit_diagram", CACHE)]), DONE])
    async with (
        serve(standin) as url,
        assistant_worker(redis_url, url) as one,
        assistant_worker(redis_url, url, worker="w2") as two,
    ):
        two.w = await one.make_shop()
        head = await one.head()
        runs = await asyncio.gather(one.start("Add a cache.", run_id=RUN), two.start("Add a cache.", run_id=RUN))
        assert {run["id"] for run in runs} == {RUN}
        assert (await two.over(RUN))["status"] == "applied"
        assert await one.head() == head + 1
        with pytest.raises(DraftsmithError) as error:
            await two.start("Something else.", run_id=RUN)
        assert error.value.code == "key_reused"


async def test_a_server_that_stops_ends_its_runs(redis_url: str) -> None:
    """A stop in good order tells the person at once instead of after a time-out."""
    slow = Turn([ToolUse("edit_diagram", CACHE)], chunk=1, delay=0.05)
    async with serve(Standin([slow])) as url, assistant_worker(redis_url, url, worker="w2") as two:
        async with assistant_worker(redis_url, url) as one:
            two.w = await one.make_shop()
            run = await one.start("Add a cache.")
            await one.until_event(run["id"], "tool")
        ended = await two.assistant.run(two.w, run["id"])
        assert ended["status"] == "failed"
        assert ended["outcome"]["error"]["code"] == "worker_lost"
