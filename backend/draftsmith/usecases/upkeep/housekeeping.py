"""Background work of a worker: request snapshots where due, let go of memory, empty the trash, repair the index.

Every worker does all of it; repeating it is harmless. A sweep that the store does not answer is left to the next one.

The index lives in another slot than the workspaces do, so neither is changed together with the other: an id is added
before its workspace is created and removed after it is gone. What a crash in between leaves is repaired here. What the
assistant keeps of a workspace, its images, and who may what in it, go after the workspace and before its id, so that a
crash leaves none of it behind.
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
from draftsmith.ports.blobs import Blobs
from draftsmith.ports.runs import RunStore
from draftsmith.usecases.upkeep.kept_images import ImageUpkeep
from draftsmith.usecases.upkeep.listing import Listing
from draftsmith.usecases.upkeep.retention import DAY_MS, Policy, is_due

SWEEP_SECONDS = 3600.0
_RETRY_SECONDS = 30.0
_CLOSE_SECONDS = 60.0
_HALF_MADE_MS = 10 * 60_000  # for which an id without a workspace is left alone
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_DIGITS_OF_TIME = 10
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


async def purge_trash(
    log: CommitLog,
    index: WorkspaceIndex,
    clock: Clock,
    days: int,
    runs: RunStore | None = None,
    access: WorkspaceAccessStore | None = None,
    blobs: Blobs | None = None,
) -> list[WorkspaceId]:
    """Remove what has been in the trash for longer than `days`, with all that is its own; return the ids removed."""
    ids = sorted(await index.all())
    oldest = clock.now_ms() - days * DAY_MS
    purged = []
    for workspace_id, meta in zip(ids, await log.metas(ids), strict=True):
        if meta is None or meta.deleted_ms is None or meta.deleted_ms > oldest:
            continue
        await log.purge(workspace_id)
        if await log.meta(workspace_id) is None:  # it may have been taken out of the trash just now
            await _forget(workspace_id, index, runs, access, blobs)
            purged.append(workspace_id)
    return purged


async def repair_index(
    log: CommitLog,
    index: WorkspaceIndex,
    clock: Clock,
    runs: RunStore | None = None,
    access: WorkspaceAccessStore | None = None,
    blobs: Blobs | None = None,
) -> tuple[list[WorkspaceId], list[WorkspaceId]]:
    """Add the ids of workspaces that are not listed, remove those of workspaces that were never finished or are gone.

    An id without a workspace is left alone for ten minutes, since its workspace may be about to be created.

    Returns:
        The ids added and the ids removed.
    """
    listed = set(await index.all())
    added = [workspace_id for workspace_id in await index.scan() if workspace_id not in listed]
    for workspace_id in added:
        await index.add(workspace_id)
    now = clock.now_ms()
    removed = []
    ids = sorted(listed)
    for workspace_id, meta in zip(ids, await log.metas(ids), strict=True):
        # An id that was derived from a request contains no time; one from the future is such an id.
        if meta is None and not now - _HALF_MADE_MS <= made_ms(workspace_id) <= now + _HALF_MADE_MS:
            await _forget(workspace_id, index, runs, access, blobs)
            removed.append(workspace_id)
            if await log.meta(workspace_id) is not None:  # created between the two after all
                await index.add(workspace_id)
                removed.pop()
    return added, removed


async def _forget(
    workspace_id: WorkspaceId,
    index: WorkspaceIndex,
    runs: RunStore | None,
    access: WorkspaceAccessStore | None,
    blobs: Blobs | None,
) -> None:
    """Remove the runs and images of a workspace that is gone, and who might what in it, then its id."""
    if blobs is not None:
        await blobs.remove_all(workspace_id)
    if runs is not None:
        await runs.purge(workspace_id)
    if access is not None:
        await access.drop(workspace_id)
    await index.remove(workspace_id)


def made_ms(workspace_id: WorkspaceId) -> int:
    """Return when a ULID was made (its first ten characters), in milliseconds since 1970; 0 for another id."""
    number = 0
    for letter in workspace_id[:_DIGITS_OF_TIME]:
        value = _ALPHABET.find(letter)
        if value < 0:
            return 0
        number = number << 5 | value
    return number
