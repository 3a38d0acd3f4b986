"""Workers that sleep in the middle of a run and wake when others have brought it to its end: nothing happens twice."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.faults.test_killed_runs import ROOT, RUN, until_abandoned
from tests.forking import create_subprocess_exec
from tests.integration.assistant_workers import BEN, assistant_worker
from tests.integration.test_runs_with_a_model import CACHE, DONE
from tests.standin import Standin, ToolUse, Turn, serve
from tests.timeouts import timeout


@asynccontextmanager
async def sleeper(redis_url: str, url: str, w: str, moment: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A worker that starts the run and stops itself at a moment of it."""
    paths = os.pathsep.join([str(ROOT / "backend"), str(ROOT)])
    process = await create_subprocess_exec(
        sys.executable, "-m", "tests.faults.doomed_run", redis_url, url, w, RUN, moment, "SIGSTOP",
        env={**os.environ, "PYTHONPATH": paths}, stdin=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.mark.parametrize("moment, commits", [("thinking", 0), ("decided", 1), ("committed", 1)])
async def test_a_worker_that_wakes_up_too_late(redis_url: str, moment: str, commits: int) -> None:
    """Two others rescue its run at once; when it goes on, nothing is done or said a second time."""
    standin = Standin([Turn([ToolUse("edit_diagram", CACHE)]), DONE])
    async with (
        serve(standin) as url,
        assistant_worker(redis_url, url) as one,
        assistant_worker(redis_url, url, worker="w2") as two,
    ):
        two.w = await one.make_shop()
        head = await one.head()
        async with sleeper(redis_url, url, one.w, moment) as process:
            await until_abandoned(one)
            first, second = await asyncio.gather(one.assistant.run(one.w, RUN), two.assistant.run(one.w, RUN))
            assert first == second
            assert first["status"] == ("applied" if commits else "failed")
            await one.edit(BEN, {"op": "update_node", "id": "worker", "label": "Letters"})
            state = await one.state()
            process.send_signal(signal.SIGCONT)
            async with timeout():
                assert await process.wait() == 0
        assert await one.head() == head + commits + 1
        assert await one.state() == state
        assert await one.assistant.run(one.w, RUN) == first
        assert [event["type"] for event in await two.events(RUN)].count("end") == 1
        talks = await one.assistant.conversation(one.w, None, 10)
        assert [talk["run"] for _, talk in talks] == [RUN]
