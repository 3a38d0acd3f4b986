"""What watches resources for an agent leaves nothing running, whenever it is ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from types import SimpleNamespace
from typing import Any, cast

from draftsmith.adapters.process.system import SystemClock
from draftsmith.agents.resources import Resource, resource_or_none
from draftsmith.api.mcp.listening import _Stream
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.agents.changes import ResourceWatcher


async def never_followed(workspace_id: WorkspaceId, since: object = None) -> AsyncGenerator[Any, None]:
    """The commits of a workspace whose log is not reached."""
    await asyncio.Event().wait()
    yield None


def diagram(w: str) -> Resource:
    found = resource_or_none(f"draftsmith://w/{w * 26}/diagram")
    assert found is not None
    return found


async def left_running(work: asyncio.Task[Any]) -> set[asyncio.Task[Any]]:
    """The tasks that are there a moment after some work was cancelled, but those that were there before it."""
    await asyncio.sleep(0.01)
    work.cancel()
    await asyncio.wait([work])
    await asyncio.sleep(0)
    return asyncio.all_tasks() - {asyncio.current_task()}  # type: ignore[return-value]  # it is a task that runs this


async def test_watching_that_is_ended_leaves_no_task() -> None:
    watcher = ResourceWatcher(cast(Any, None), SystemClock(), never_followed, [diagram("0")])
    assert await left_running(asyncio.create_task(watcher.run(asyncio.Event(), lambda _: None))) == set()


async def test_a_subscription_that_is_ended_before_it_has_begun_leaves_no_task() -> None:
    """An agent that leaves while the first of its workspaces is still read."""

    async def both(_: Any) -> dict[WorkspaceId, tuple[Any, dict[Resource, str]]]:
        return {WorkspaceId(w * 26): (None, {diagram(w): w}) for w in "01"}

    admissions = SimpleNamespace(watch=lambda *_: _Endless())
    live = SimpleNamespace(follow=never_followed)
    context = SimpleNamespace(admissions=admissions, live=live, workspaces=None, clock=SystemClock())
    stream = _Stream(cast(Any, context), cast(Any, None), cast(Any, None))
    stream._readable_resources = both  # type: ignore[method-assign]  # who may read is not the matter here
    assert await left_running(asyncio.create_task(stream.run(["0", "1"]))) == set()


class _Endless:
    """An admission that lasts."""

    def __init__(self) -> None:
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def __enter__(self) -> _Endless:
        return self

    def __exit__(self, *_: object) -> None:
        pass
