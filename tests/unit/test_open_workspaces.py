"""Which workspaces a worker holds in memory, and when it lets go of them."""

from __future__ import annotations

import asyncio

import pytest

from draftsmith.adapters.process.system import SystemClock
from draftsmith.usecases.commits import workspaces as module
from draftsmith.usecases.commits.workspaces import IDLE_SECONDS
from draftsmith.usecases.upkeep.housekeeping import Housekeeping
from draftsmith.usecases.upkeep.retention import Policy
from tests.fakes.memory_log import MemoryCommitLog, MemoryIndex, MemoryStore
from tests.integration.edited_workspaces import EditedWorkspace


class Minutes(SystemClock):
    """A clock that is set; whoever sleeps goes on when it is."""

    seconds = 0.0

    def monotonic(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        until = self.seconds + seconds
        while self.seconds < until:  # noqa: ASYNC110  # set by hand, a few turns of the loop later
            await asyncio.sleep(0)

    async def go_on(self, seconds: float) -> None:
        self.seconds += seconds
        for _ in range(3):
            await asyncio.sleep(0)


class NoSnapshots:
    def start(self, workspace_id: str) -> None:
        raise AssertionError(workspace_id)


async def opened(clock: SystemClock, count: int) -> EditedWorkspace:
    store = MemoryStore()
    life = EditedWorkspace(MemoryCommitLog(store), MemoryIndex(store), clock)
    for _ in range(count):
        await life.begin()
        await life.grow(1)
    return life


async def test_what_nobody_uses_is_let_go_of_without_another_being_opened() -> None:
    """By time; what a page has open stays."""
    clock = Minutes()
    life = await opened(clock, 3)
    life.workspaces.watch(life.w, lambda _: None)
    keeping = Housekeeping(
        log=life.log, index=life.index, clock=clock, snapshots=NoSnapshots(), policy=Policy(), trash_days=30,
        close_unused=life.workspaces.close_unused,
    )  # fmt: skip
    keeping.start()
    await asyncio.sleep(0)
    await clock.go_on(IDLE_SECONDS - 1)
    assert life.workspaces.open_count == 3
    await clock.go_on(61)
    assert life.workspaces.open_count == 1
    await keeping.close()


async def test_beyond_the_bound_the_longest_unused_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "OPEN_AT_MOST", 2)
    life = await opened(SystemClock(), 3)
    assert life.workspaces.open_count == 2
