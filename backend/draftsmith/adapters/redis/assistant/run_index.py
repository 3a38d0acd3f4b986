"""An index of the runs of all workspaces that may not be over.

One sorted set in a slot of its own, scored by time. A run is added before it starts and removed after it has ended;
what a crash leaves in between is dropped when the index is read.
"""

from __future__ import annotations

from contextlib import suppress

from draftsmith.adapters.redis import scripts
from draftsmith.adapters.redis.connection import RedisConnection
from draftsmith.adapters.redis.keys import RUNS_IN_FLIGHT, WorkspaceKeys
from draftsmith.errors import StorageError
from draftsmith.model.ids import RunId, WorkspaceId
from draftsmith.ports.runs import OPEN_STATUSES

_STARTS_WITHIN_MS = 60_000
"""How long after its entry an indexed run may still start; one that is not in the store by then never did."""
_STEP = 256


class RunIndex:
    """The index of one store."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection

    async def add(self, workspace_id: WorkspaceId, run_id: RunId) -> None:
        """Add a run that is about to start."""
        await self._connection.write.script(scripts.INDEX_RUN, [RUNS_IN_FLIGHT], [f"{workspace_id} {run_id}"])

    async def remove(self, workspace_id: WorkspaceId, run_id: RunId) -> None:
        """Remove a run that is over; a failure does no harm."""
        with suppress(StorageError):
            await self._connection.write.command("ZREM", RUNS_IN_FLIGHT, f"{workspace_id} {run_id}")

    async def read(self) -> list[tuple[WorkspaceId, RunId]]:
        """(workspace, run) of those that exist and are not over, in the order of their starts; drops the others."""
        now, flat = await self._connection.read.script(scripts.READ_RUN_INDEX, [RUNS_IN_FLIGHT], [])
        found: list[tuple[WorkspaceId, RunId]] = []
        stale: list[bytes] = []
        for at in range(0, len(flat), 2 * _STEP):
            entries = [(member, score) for member, score in zip(*[iter(flat[at : at + 2 * _STEP])] * 2, strict=True)]
            names = [_names(member) for member, _ in entries]
            commands = [("HGET", WorkspaceKeys(workspace_id).run(run_id), "status") for workspace_id, run_id in names]
            statuses = await self._connection.read.commands(commands)
            for (member, score), name, status in zip(entries, names, statuses, strict=True):
                if status is not None and status.decode() in OPEN_STATUSES:
                    found.append(name)
                elif status is not None or now - int(score) > _STARTS_WITHIN_MS:
                    stale += [member, score]
        if stale:
            with suppress(StorageError):
                await self._connection.write.script(scripts.DROP_FROM_RUN_INDEX, [RUNS_IN_FLIGHT], stale)
        return found


def _names(member: bytes) -> tuple[WorkspaceId, RunId]:
    workspace_id, _, run_id = member.decode().partition(" ")
    return WorkspaceId(workspace_id), RunId(run_id)
