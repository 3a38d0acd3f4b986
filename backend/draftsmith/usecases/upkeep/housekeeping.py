"""Background work of a worker: request snapshots where due, let go of memory, empty the trash, repair the index.

Every worker does all of it; repeating it is harmless. A sweep that the store does not answer is left to the next one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog

from draftsmith.errors import StorageError
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import Clock, CommitLog, Snapshots, WorkspaceIndex
from draftsmith.ports.access import WorkspaceAccessStore
from draftsmith.ports.runs import RunStore
from draftsmith.usecases.upkeep.kept_images import ImageUpkeep
from draftsmith.usecases.upkeep.listing import Listing
from draftsmith.usecases.upkeep.retention import Policy, is_due
from draftsmith.usecases.upkeep.trash import purge_trash, repair_index

SWEEP_SECONDS = 3600.0
_RETRY_SECONDS = 30.0
_CLOSE_SECONDS = 60.0
_log = structlog.get_logger("draftsmith.housekeeping")


@dataclass(kw_only=True)
class Housekeeping:
    """The background work of one worker.

    `close_unused` lets go of workspaces that nobody uses. `runs` is None where there is no assistant, `access`,
    `listing` and `images` where nothing of the kind is kept.
    """

    log: CommitLog
    index: WorkspaceIndex
    clock: Clock
    snapshots: Snapshots
    policy: Policy
    trash_days: int
    runs: RunStore | None = None
    access: WorkspaceAccessStore | None = None
    listing: Listing | None = None
    images: ImageUpkeep | None = None
    close_unused: Callable[[], None] = lambda: None
    _checks: set[asyncio.Task[None]] = field(default_factory=set)
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)

    def start(self) -> None:
        """Start to sweep, now and every hour, and to let go of what nobody uses, every minute."""
        self._tasks.append(asyncio.create_task(self._sweep_for_ever(), name="housekeeping"))
        self._tasks.append(asyncio.create_task(self._close_unused_for_ever(), name="close unused"))

    async def close(self) -> None:
        """Stop; the next sweep completes what was begun."""
        tasks = [*self._checks, *self._tasks]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def check_snapshot(self, workspace_id: WorkspaceId) -> None:
        """Check soon whether a snapshot of a workspace is due."""
        task = asyncio.create_task(self._check(workspace_id))
        self._checks.add(task)
        task.add_done_callback(self._checks.discard)

    async def _check(self, workspace_id: WorkspaceId) -> None:
        try:
            meta = await self.log.meta(workspace_id)
        except StorageError:
            return  # the next commits lead to another check
        if meta is not None and is_due(meta, self.policy):
            self.snapshots.start(workspace_id)

    async def _close_unused_for_ever(self) -> None:
        while True:
            await self.clock.sleep(_CLOSE_SECONDS)
            self.close_unused()

    async def _sweep_for_ever(self) -> None:
        while True:
            try:
                await self.sweep()
            except StorageError as error:
                _log.warning("sweep_put_off", reason=error.detail)
                await self.clock.sleep(_RETRY_SECONDS)
            else:
                await self.clock.sleep(SWEEP_SECONDS)

    async def sweep(self) -> None:
        """Repair the index and the list, purge what has been in the trash too long, and images that nothing names."""
        images, blobs = self.images, None if self.images is None else self.images.blobs
        added, removed = await repair_index(self.log, self.index, self.clock, self.runs, self.access, blobs)
        purged = await purge_trash(self.log, self.index, self.clock, self.trash_days, self.runs, self.access, blobs)
        misplaced = 0 if self.listing is None else await self.listing.verify()
        unnamed = 0 if images is None else await images.sweep()
        if added or removed or purged or misplaced or unnamed:
            _log.info(
                "swept", listed_again=added, leftovers=removed, purged=purged, misplaced=misplaced, images=unnamed
            )
