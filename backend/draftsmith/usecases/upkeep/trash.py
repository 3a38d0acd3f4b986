"""Purge workspaces that have been in the trash too long, and repair the index of workspaces.

The index lives in another slot than the workspaces do, so neither is changed together with the other: an id is added
before its workspace is created and removed after it is gone. What a crash in between leaves is repaired here. What the
assistant keeps of a workspace, its images, and who may what in it, go after the workspace and before its id, so that a
crash leaves none of it behind.
"""

from __future__ import annotations

from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import Clock, CommitLog, WorkspaceIndex
from draftsmith.ports.access import WorkspaceAccessStore
from draftsmith.ports.blobs import Blobs
from draftsmith.ports.runs import RunStore
from draftsmith.usecases.upkeep.retention import DAY_MS

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_DIGITS_OF_TIME = 10
_HALF_MADE_MS = 10 * 60_000


async def purge_trash(
    log: CommitLog,
    index: WorkspaceIndex,
    clock: Clock,
    days: int,
    runs: RunStore | None = None,
    access: WorkspaceAccessStore | None = None,
    blobs: Blobs | None = None,
) -> list[WorkspaceId]:
    """Remove workspaces that have been in the trash for longer than `days`, with all that is theirs; their ids."""
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

    An id without a workspace is left alone for ten minutes: its workspace may be about to be created.

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
    """When an id was made, milliseconds since 1970: the first ten characters of a ULID. 0 for what is no ULID."""
    number = 0
    for letter in workspace_id[:_DIGITS_OF_TIME]:
        value = _ALPHABET.find(letter)
        if value < 0:
            return 0
        number = number << 5 | value
    return number
