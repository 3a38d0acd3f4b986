"""What several test files of this folder ask for."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from draftsmith.adapters.process.system import SystemClock
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.usecases.commits.workspaces import Workspaces
from tests.fakes.memory_log import MemoryCommitLog, MemoryIndex, MemoryStore


@pytest.fixture
async def workspaces() -> AsyncIterator[Workspaces]:
    """A worker's workspaces, on an empty store in memory."""
    store = MemoryStore()
    one = Workspaces(MemoryCommitLog(store), MemoryIndex(store), SystemClock(), WorkspaceLimits(), "w")
    yield one
    await one.close()
