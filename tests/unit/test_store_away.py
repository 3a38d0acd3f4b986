"""A store that goes away while a write waits for it: what was read before can still be read."""

from __future__ import annotations

import pytest

from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.usecases.commits.group_commit import DEADLINE
from tests.fakes.memory_log import MemoryCommitLog, MemoryIndex, MemoryStore
from tests.integration.edited_workspaces import EditedWorkspace
from tests.scripted import HandClock


class GoneLog(MemoryCommitLog):
    """A log whose store has gone, if it is told so."""

    is_gone = False

    async def append(self, *arguments: object, **more: object) -> object:  # type: ignore[override]
        self._check()
        return await super().append(*arguments, **more)  # type: ignore[arg-type]

    async def meta(self, *arguments: object) -> object:  # type: ignore[override]
        self._check()
        return await super().meta(*arguments)  # type: ignore[arg-type]

    def _check(self) -> None:
        if self.is_gone:
            raise StorageError("gone", is_for_all=True)


class LateClock(HandClock):
    """A clock of a busy machine: whoever sleeps sleeps past every deadline."""

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds + DEADLINE)


@pytest.mark.parametrize("clock", [HandClock(), LateClock()], ids=["on time", "late"])
async def test_memory_is_kept_for_readers(clock: HandClock) -> None:
    """However late the waiting write looks at the clock again; the write is told that its outcome is unknown."""
    store = MemoryStore()
    log = GoneLog(store)
    life = EditedWorkspace(log, MemoryIndex(store), clock)
    await life.begin()
    await life.grow(1)
    head = await life.workspaces.read(life.w, lambda replica: replica.head)
    log.is_gone = True
    with pytest.raises(DraftsmithError) as caught:
        await life.grow(1)
    assert caught.value.code == "outcome_unknown"
    assert await life.workspaces.read(life.w, lambda replica: replica.head) == head
