"""A preparer in this process: what one in a process of its own does, from the log alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from draftsmith.history.replica import Replica
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import Clock, CommitLog
from draftsmith.usecases.prepare.preparation import Preparation, prepare_at_head, prepare_first
from draftsmith.usecases.replicas.dependencies import Counters, WriterDependencies
from draftsmith.usecases.replicas.local_replica import LocalReplica
from draftsmith.usecases.requests.request import Request


class PreparerHere:
    """Implements `Preparer`.

    Attributes:
        before: awaited before a request is prepared.
        after: awaited before what it has become is told.
    """

    def __init__(self, log: CommitLog, clock: Clock) -> None:
        self._dependencies = WriterDependencies(log=log, clock=clock, worker="preparer", counters=Counters())
        self.before: Callable[[], Awaitable[object]] | None = None
        self.after: Callable[[], Awaitable[object]] | None = None

    async def prepare(self, workspace_id: WorkspaceId, request: Request[Any], epoch: str = "") -> Preparation:
        if self.before is not None:
            await self.before()
        if epoch:
            return prepare_first(Replica(epoch), request)
        local = LocalReplica(self._dependencies, workspace_id)
        preparation = await prepare_at_head(local, self._dependencies.log, workspace_id, request)
        if self.after is not None:
            await self.after()
        return preparation

    async def start(self) -> None:
        """Nothing is started."""

    async def close(self) -> None:
        """Nothing is open."""
