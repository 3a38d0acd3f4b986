"""Which runs may be under way, over all workspaces.

One sorted set in a slot of its own, scored by when the hint was written. It is written before a run starts and removed
after it has ended; what a crash in between leaves is dropped when it is read.
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
"""A run that is not there is about to start, for as long as a start may be on its way; then it has never started."""
_STEP = 256


class RunHints:
    """The runs of every workspace that may not be over."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection

    async def add(self, workspace_id: WorkspaceId, run_id: RunId) -> None:
        """Write down that a run is about to start."""
        await self._connection.write.script(scripts.HINT_RUN, [RUNS_IN_FLIGHT], [f"{workspace_id} {run_id}"])

    async def remove(self, workspace_id: WorkspaceId, run_id: RunId) -> None:
        """Forget a run that is over; failing to is no harm."""
        with suppress(StorageError):
            await self._connection.write.command("ZREM", RUNS_IN_FLIGHT, f"{workspace_id} {run_id}")

    async def read(self) -> list[tuple[WorkspaceId, RunId]]:
        """(workspace, run) of those that are there and not over, in the order of their starts; drops the others."""
        now, flat = await self._connection.read.script(scripts.READ_HINTS, [RUNS_IN_FLIGHT], [])
        found: list[tuple[WorkspaceId, RunId]] = []
        stale: list[bytes] = []
        for at in range(0, len(flat), 2 * _STEP):
            hints = [(member, score) for member, score in zip(*[iter(flat[at : at + 2 * _STEP])] * 2, strict=True)]
            names = [_names(member) for member, _ in hints]
            commands = [("HGET", WorkspaceKeys(workspace_id).run(run_id), "status") for workspace_id, run_id in names]
            statuses = await self._connection.read.commands(commands)
            for (member, score), name, status in zip(hints, names, statuses, strict=True):
                if status is not None and status.decode() in OPEN_STATUSES:
                    found.append(name)
                elif status is not None or now - int(score) > _STARTS_WITHIN_MS:
                    stale += [member, score]
        if stale:
            with suppress(StorageError):
                await self._connection.write.script(scripts.DROP_HINTS, [RUNS_IN_FLIGHT], stale)
        return found


def _names(member: bytes) -> tuple[WorkspaceId, RunId]:
    workspace_id, _, run_id = member.decode().partition(" ")
    return WorkspaceId(workspace_id), RunId(run_id)
