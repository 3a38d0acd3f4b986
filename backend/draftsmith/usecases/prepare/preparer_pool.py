"""Prepares requests in other processes, in turns that are fair to clients.

A process prepares one request at a time, and is waited for as long as it has something to do: no clock refuses a
request, so `busy` means that too many wait. A process whose request nobody waits for any more is killed: nothing it
does is kept anywhere, so that is always safe. Not here: what becomes of a preparation (`deferred_requests`,
`group_commit`), how such a process is run, and when it is taken for hung (`adapters.server.question_process`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Final, Protocol

from draftsmith.errors import DraftsmithError
from draftsmith.history.replica import Replica
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.workspace import Workspace
from draftsmith.usecases.prepare.arranging import TIMES_ASKED, Arranging
from draftsmith.usecases.prepare.fair_queue import FairQueue
from draftsmith.usecases.prepare.preparation import Preparation, taking
from draftsmith.usecases.replicas.slices import in_slices
from draftsmith.usecases.requests.client import Client
from draftsmith.usecases.requests.request import PreparedRequest, Request, read_request

_STARTS: Final = 2
_NONE: Final = WorkspaceId("none")


class PreparerLost(Exception):
    """The process has ended before it answered."""


class Preparer(Protocol):
    """One process that prepares requests, one at a time."""

    async def prepare(self, workspace_id: WorkspaceId, request: Request[Any], epoch: str = "") -> Preparation:
        """Prepare a request at the end of the log; cancelling this kills the process.

        With an epoch it is the first request of a workspace that is not there yet.

        Raises:
            DraftsmithError: the workspace cannot be read.
            PreparerLost: the process has ended; the next call starts another.
        """
        ...

    async def start(self) -> None:
        """Start the process before it is needed."""
        ...

    async def close(self) -> None:
        """End the process."""
        ...


class PreparerPool:
    """The preparer processes of one worker.

    Attributes:
        arranging: the layout engine, if there is one.
        prepared: how many requests were prepared.
        lost: how many processes ended before they answered, or were killed.
    """

    def __init__(self, preparers: Sequence[Preparer], arranging: Arranging | None = None) -> None:
        self.arranging = arranging
        self._preparers = preparers
        self._queue = FairQueue(preparers)
        self._starting: asyncio.Task[None] | None = None
        self.prepared = 0
        self.lost = 0

    @property
    def waiting(self) -> int:
        """How many requests wait for their turn."""
        return self._queue.waiting

    @property
    def layouts(self) -> Mapping[str, int]:
        """How many questions the layout engine has answered, and how many not: `answered`, `failed`."""
        return {} if self.arranging is None else self.arranging.counts

    def is_for(self, request: Request[Any], replica: Replica) -> bool:
        """Whether a request is to be prepared here without a try: it takes long, or asks the layout engine."""
        return request.is_heavy(replica) or (self.arranging is not None and request.wants_layout(replica))

    async def prepare(
        self, client: Client, workspace_id: WorkspaceId, request: Request[Any], epoch: str = ""
    ) -> PreparedRequest:
        """Wait for a turn and prepare a request; with an epoch, as the first of a workspace.

        Raises:
            DraftsmithError: `busy`; or the workspace cannot be read.
        """
        async with self.turn(client) as preparer:
            return await self.prepare_with(preparer, workspace_id, request, epoch)

    async def compute(self, client: Client, work: Callable[[Workspace], bytes]) -> bytes:
        """Wait for a turn and compute something on an empty workspace.

        Args:
            client: whose turn it is.
            work: a function of a module, or a partial one.

        Raises:
            DraftsmithError: `busy`; those of the function.
        """
        computed = await self.prepare(client, _NONE, read_request(work), epoch=_NONE)
        if computed.failure is not None:
            raise computed.failure
        return computed.value

    def turn(self, client: Client) -> AbstractAsyncContextManager[Preparer]:
        """Have one of the processes for the time of the block.

        Raises:
            DraftsmithError: `busy`, if too many wait.
        """
        return self._queue.turn(client)

    async def prepare_with(
        self, preparer: Preparer, workspace_id: WorkspaceId, request: Request[Any], epoch: str = ""
    ) -> PreparedRequest:
        """Prepare a request in a process that one has a turn at; raises as `prepare`."""
        answers: dict[str, bytes | None] = {}
        asked = request if self.arranging is None else request.with_layouts(answers)
        preparation = await self._prepare_in(preparer, workspace_id, asked, epoch)
        for _ in range(TIMES_ASKED):
            if self.arranging is None or not preparation.asks:
                break
            answers |= await self.arranging.answers(preparation.asks)
            preparation = await self._prepare_in(preparer, workspace_id, request.with_layouts(answers), epoch)
        if preparation.asks:  # the head moves faster than the engine answers
            answers |= dict.fromkeys(preparation.asks)
            preparation = await self._prepare_in(preparer, workspace_id, request.with_layouts(answers), epoch)
        self.prepared += 1
        return await in_slices(taking(preparation))

    async def _prepare_in(
        self, preparer: Preparer, workspace_id: WorkspaceId, request: Request[Any], epoch: str
    ) -> Preparation:
        for _ in range(_STARTS):
            try:
                return await preparer.prepare(workspace_id, request, epoch)
            except PreparerLost:
                self.lost += 1
        raise DraftsmithError("busy", "The process that prepares it ended twice; nothing was applied. Try again.")

    def start_in_background(self) -> None:
        """Start the processes before they are needed, one after the other."""

        async def start() -> None:
            for preparer in self._preparers:
                await preparer.start()
            if self.arranging is not None:
                await self.arranging.start()

        self._starting = asyncio.create_task(start(), name="start what prepares")

    async def close(self) -> None:
        """End the processes."""
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.wait([self._starting])
        await asyncio.gather(*(preparer.close() for preparer in self._preparers))
        if self.arranging is not None:
            await self.arranging.close()
