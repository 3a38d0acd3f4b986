"""Who watches a workspace's memory is told of every move of it, before the answers, and keeps it in memory."""

from __future__ import annotations

from draftsmith.history.commit import Head
from draftsmith.history.replica import Replica
from draftsmith.usecases.commits import workspaces as module
from draftsmith.usecases.commits.workspaces import Workspaces
from tests.integration.edited_workspaces import EditedWorkspace, in_memory


class Watcher:
    """Keeps where memory stood each time; None where it was dropped."""

    def __init__(self) -> None:
        self.heads: list[Head | None] = []

    def __call__(self, replica: Replica | None) -> None:
        self.heads.append(None if replica is None else replica.head)

    @property
    def revisions(self) -> list[int | None]:
        return [None if head is None else head.revision for head in self.heads]


async def watched_workspace() -> tuple[EditedWorkspace, Watcher]:
    life, _ = in_memory()
    await life.begin()
    watcher = Watcher()
    life.workspaces.watch(life.w, watcher)
    return life, watcher


def second(life: EditedWorkspace) -> EditedWorkspace:
    """Another worker on the same store."""
    other = EditedWorkspace(life.log, life.index, life.clock)
    other.workspaces = Workspaces(life.log, life.index, life.clock, life.workspaces.limits, "other")
    other.w = life.w
    return other


async def test_own_commits_are_told_before_they_are_answered() -> None:
    life, watcher = await watched_workspace()
    answer = await life.edit({"op": "rename_workspace", "name": "One"})
    assert watcher.revisions == [1, 2]  # loaded, committed
    assert answer["revision"] == 2
    await life.edit({"op": "rename_workspace", "name": "One"})
    assert watcher.revisions == [1, 2], "nothing to do is no move"


async def test_what_others_commit_is_told_once_it_is_followed() -> None:
    life, watcher = await watched_workspace()
    await life.edit({"op": "rename_workspace", "name": "One"})
    other = second(life)
    for number in range(3):
        await other.edit({"op": "rename_workspace", "name": f"N{number}"})
    assert watcher.revisions == [1, 2]
    await life.workspaces.refresh(life.w)
    assert watcher.revisions == [1, 2, 5]
    await other.edit({"op": "rename_workspace", "name": "More"})
    await life.edit({"op": "add_node", "id": "a", "type": "service", "label": "A"})
    assert watcher.revisions == [1, 2, 5, 6, 7]


async def test_memory_that_is_dropped_and_loaded_anew_is_told() -> None:
    life, watcher = await watched_workspace()
    await life.workspaces.refresh(life.w)
    life.workspaces.forget(life.w)
    await life.workspaces.refresh(life.w)
    assert watcher.revisions == [1, None, 1]
    life.workspaces.unwatch(life.w)
    await life.edit({"op": "rename_workspace", "name": "One"})
    assert watcher.revisions == [1, None, 1]


async def test_a_watcher_with_a_defect_stops_no_commit() -> None:
    life, _ = await watched_workspace()

    def broken(_replica: Replica | None) -> None:
        raise RuntimeError("a defect")

    life.workspaces.watch(life.w, broken)
    assert (await life.edit({"op": "rename_workspace", "name": "One"}))["changed"]


async def test_what_is_watched_stays_in_memory() -> None:
    life, watcher = await watched_workspace()
    await life.workspaces.refresh(life.w)
    writer = life.workspaces.writer(life.w)
    first = life.w
    for _ in range(module.OPEN_AT_MOST + 1):
        await life.begin()
        await life.workspaces.refresh(life.w)
    assert life.workspaces.writer(first) is writer
    assert watcher.revisions == [1]
    life.workspaces.unwatch(first)
    for _ in range(2):
        await life.begin()
        await life.workspaces.refresh(life.w)
    assert first not in life.workspaces._writers
