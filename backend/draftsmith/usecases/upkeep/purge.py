"""Purge the history of a workspace: what stands in it now goes on under a new epoch, and nothing before can be read.

For a secret that somebody wrote down and has deleted: it still stands in the log, in kept states, in requests to the
assistant and in proposals, and in copies that were made of the workspace. Those are other workspaces: they are found,
and left to their people. Backups, debug records and the store's own files are for the caller.
"""

from __future__ import annotations

from dataclasses import dataclass

import orjson

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Entry, Head, body_json
from draftsmith.history.replica import Replica
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import Blob, Clock, CommitLog, Meta, WorkspaceIndex
from draftsmith.ports.blobs import Blobs
from draftsmith.ports.runs import RunStore
from draftsmith.usecases.replicas.log_reader import PAGE, FrozenReplica, load_or_freeze
from draftsmith.usecases.upkeep.kept_images import ImageUpkeep
from draftsmith.usecases.upkeep.recover import writers_blocked


@dataclass(frozen=True, slots=True)
class PurgeResult:
    """The result: the name of the workspace, the revision that it stands at, how many older states and images went."""

    name: str
    revision: int
    states: int
    images: int = 0


@dataclass(frozen=True, slots=True)
class TextHolder:
    """Another workspace that holds a text.

    Attributes:
        is_deleted: it is in the trash.
        stands: the text stands in it now, not only in its history.
    """

    id: WorkspaceId
    name: str
    is_deleted: bool
    stands: bool


async def holders(log: CommitLog, index: WorkspaceIndex, but: WorkspaceId, secret: str) -> list[TextHolder]:
    """The other workspaces, those in the trash included, in whose state or history a text stands."""
    found = []
    ids = [one for one in sorted(await index.all()) if one != but]
    for workspace_id, meta in zip(ids, await log.metas(ids), strict=True):
        if meta is None:
            continue
        now = await _newest(log, workspace_id)
        stands = now is not None and _stands(secret, now)
        if stands or await _is_in_history(log, workspace_id, meta, secret):
            name = str(meta.summary.get("name", ""))
            found.append(TextHolder(workspace_id, name, meta.deleted_ms is not None, stands))
    return found


async def _newest(log: CommitLog, workspace_id: WorkspaceId) -> bytes | None:
    try:
        replica = await load_or_freeze(log, workspace_id)
    except (FrozenReplica, DraftsmithError):
        return None  # what cannot be loaded is looked for in its log
    return replica.dump()


async def _is_in_history(log: CommitLog, workspace_id: WorkspaceId, meta: Meta, secret: str) -> bool:
    after = meta.base
    while page := await log.entries(workspace_id, after, meta.head.revision, PAGE):
        if any(_stands(secret, _unpacked_body(entry)) for entry in page):
            return True
        after = page[-1].revision
    blobs = [await log.snapshot(workspace_id, revision) for revision in {meta.snap, meta.snap_prev} if revision]
    blobs += [await log.read_kept(workspace_id, revision) for revision, _, _ in await log.kept_states(workspace_id)]
    return any(blob is not None and _stands(secret, blob.content) for blob in blobs)


def _unpacked_body(entry: Entry) -> bytes:
    """The JSON of a commit; of a damaged one its bytes."""
    try:
        return body_json(entry.body)
    except ValueError:
        return entry.body


async def purge_history(
    log: CommitLog,
    runs: RunStore,
    clock: Clock,
    workspace_id: WorkspaceId,
    secret: str = "",
    *,
    blobs: Blobs | None = None,
) -> PurgeResult:
    """Forget everything of a workspace but what stands in it now: history, undo stacks, checkpoints, runs, proposals.

    Args:
        log: the store.
        runs: what the assistant keeps.
        clock: for the new epoch.
        workspace_id: which workspace.
        secret: must not stand in it any more; empty for not to look.
        blobs: its images, of which those go that it does not name now; None for none.

    Raises:
        DraftsmithError: `workspace_not_found`; `secret_stands` if it does, and nothing was changed; `busy`; `frozen`.
    """
    async with writers_blocked(log, workspace_id, clock):
        meta = await log.meta(workspace_id)
        if meta is None:
            raise DraftsmithError("workspace_not_found", "There is no such workspace.")
        try:
            replica = await load_or_freeze(log, workspace_id)
        except FrozenReplica as frozen:
            message = "This workspace is frozen; run `draftsmith recover --repair` first."
            raise DraftsmithError("frozen", message) from frozen
        state = Replica(clock.new_id())
        state.workspace = replica.workspace
        head = state.head = Head(state.head.epoch, replica.head.revision, replica.head.chain)
        content = state.dump()
        if secret and _stands(secret, content):
            raise DraftsmithError("secret_stands", "It still stands in the workspace; delete it there first.")
        facts = {
            "summary": replica.workspace.summary(),
            "created_ms": meta.created_ms,
            "updated_ms": meta.updated_ms,
            "deleted_ms": meta.deleted_ms,
        }
        kept = [revision for revision, _, _ in await log.kept_states(workspace_id)]
        blob = Blob(head.epoch, head.revision, head.chain, meta.updated_ms, content)
        await log.replace(workspace_id, blob, [], facts)
        for revision in kept:
            await log.drop_kept(workspace_id, revision)
    await runs.purge(workspace_id, keeps_switch=True)
    upkeep = None if blobs is None else ImageUpkeep(blobs=blobs, log=log, clock=clock, runs=runs)
    images = 0 if upkeep is None else await upkeep.remove_all_unnamed(workspace_id)
    return PurgeResult(replica.workspace.name, head.revision, len(kept), images)


def _stands(secret: str, content: bytes) -> bool:
    """Whether a text stands in a state, which is JSON."""
    return orjson.dumps(secret)[1:-1] in content
