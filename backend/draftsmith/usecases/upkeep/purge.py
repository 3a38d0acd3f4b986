"""Purge the history of a workspace: what stands in it now goes on under a new epoch, and nothing before can be read.

For a secret that somebody wrote down and has deleted: it still stands in the log, in kept states, in requests to the
assistant and in proposals. Backups and the store's own files are for the caller to name.
"""

from __future__ import annotations

from dataclasses import dataclass

import orjson

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Head
from draftsmith.history.replica import Replica
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import Blob, Clock, CommitLog
from draftsmith.ports.runs import RunStore
from draftsmith.usecases.commits.log_reader import FrozenReplica, load_or_freeze
from draftsmith.usecases.upkeep.recover import writers_blocked


@dataclass(frozen=True, slots=True)
class Purged:
    """The result: the name of the workspace, the revision that it stands at, and how many older states went."""

    name: str
    revision: int
    states: int


async def purge_history(
    log: CommitLog, runs: RunStore, clock: Clock, workspace_id: WorkspaceId, secret: str = ""
) -> Purged:
    """Forget everything of a workspace but what stands in it now: history, undo stacks, checkpoints, runs, proposals.

    Args:
        log: the store.
        runs: what the assistant keeps.
        clock: for the new epoch.
        workspace_id: which workspace.
        secret: must not stand in it any more; empty for not to look.

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
        kept = [revision for revision, _, _ in await log.kept(workspace_id)]
        blob = Blob(head.epoch, head.revision, head.chain, meta.updated_ms, content)
        await log.replace(workspace_id, blob, [], facts)
        for revision in kept:
            await log.drop_kept(workspace_id, revision)
    await runs.purge(workspace_id, keeps_switch=True)
    return Purged(replica.workspace.name, head.revision, len(kept))


def _stands(secret: str, content: bytes) -> bool:
    """Whether a text stands in a state, which is JSON."""
    return orjson.dumps(secret)[1:-1] in content
