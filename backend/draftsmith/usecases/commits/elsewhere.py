"""Prepares requests in other processes, in turns that are fair to clients.

A process prepares one request at a time. One that takes too long, or whose request nobody waits for any more, is
killed: nothing it does is kept anywhere, so that is always safe. Not here: what becomes of a preparation (`aside`,
`group_commit`), how such a process is run (`adapters.server.preparer_process`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol

from draftsmith.errors import DraftsmithError
from draftsmith.history.replica import Replica
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.workspace import Workspace
from draftsmith.usecases.commits.arranging import TIMES_ASKED, Arranging
from draftsmith.usecases.commits.client import Client
from draftsmith.usecases.commits.fair_queue import FairQueue
from draftsmith.usecases.commits.preparation import Preparation, Taken, taking
from draftsmith.usecases.commits.request import Request, read_request
from draftsmith.usecases.commits.slices import in_slices

SECONDS: Final = 30.0
"""How long one preparation may take, and how long one may wait for its turn; the budget ends earlier."""

HOLD_SECONDS: Final = 3.0
"""How long everybody who writes to a workspace waits for one request that was overtaken too often."""

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

    async def close(self) -> None:
        """End the process."""
        ...


class Elsewhere:
    """The processes of one worker.

    Attributes:
        hold_seconds: see `HOLD_SECONDS`.
        arranging: the layout engine, if there is one.
        prepared: how many requests were prepared.
        lost: how many processes ended before they answered, or were killed.
    """

    def __init__(
        self,
        preparers: Sequence[Preparer],
        seconds: float = SECONDS,
        hold_seconds: float = HOLD_SECONDS,
        arranging: Arranging | None = None,
    ) -> None:
        self.arranging = arranging
        self._preparers, self._seconds, self.hold_seconds = preparers, seconds, hold_seconds
        self._queue = FairQueue(preparers)
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

    async def prepare(self, client: Client, workspace_id: WorkspaceId, request: Request[Any], epoch: str = "") -> Taken:
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
        taken = await self.prepare(client, _NONE, read_request(work), epoch=_NONE)
        if taken.preparation.failure is not None:
            raise taken.preparation.failure
        return taken.preparation.value

    @asynccontextmanager
    async def turn(self, client: Client) -> AsyncIterator[Preparer]:
        """Have one of the processes for the time of the block.

        Raises:
            DraftsmithError: `busy`, if too many wait or it takes too long.
        """
        async with asyncio.timeout(self._seconds) as waiting:
            turn = self._queue.turn(client)
            try:
                preparer = await turn.__aenter__()
            except asyncio.CancelledError:
                if waiting.expired():
                    raise _busy("It has waited too long for its turn") from None
                raise
        try:
            yield preparer
        finally:
            await turn.__aexit__(None, None, None)

    async def prepare_with(
        self, preparer: Preparer, workspace_id: WorkspaceId, request: Request[Any], epoch: str = ""
    ) -> Taken:
        """Prepare a request in a process that one has a turn at; raises as `prepare`."""
        answers: dict[str, bytes | None] = {}
        asked = request if self.arranging is None else request.with_layouts(answers)
        preparation = await self._prepared(preparer, workspace_id, asked, epoch)
        for _ in range(TIMES_ASKED):
            if self.arranging is None or not preparation.asks:
                break
            answers |= await self.arranging.answers(preparation.asks)
            preparation = await self._prepared(preparer, workspace_id, request.with_layouts(answers), epoch)
        if preparation.asks:  # the head moves faster than the engine answers
            answers |= dict.fromkeys(preparation.asks)
            preparation = await self._prepared(preparer, workspace_id, request.with_layouts(answers), epoch)
        self.prepared += 1
        return await in_slices(taking(preparation))

    async def _prepared(
        self, preparer: Preparer, workspace_id: WorkspaceId, request: Request[Any], epoch: str
    ) -> Preparation:
        for _ in range(_STARTS):
            try:
                async with asyncio.timeout(self._seconds):
                    return await preparer.prepare(workspace_id, request, epoch)
            except PreparerLost:
                self.lost += 1
            except TimeoutError:
                self.lost += 1
                raise _busy("It takes too long at the moment") from None
        raise _busy("The process that prepares it ended twice")

    async def close(self) -> None:
        """End the processes."""
        await asyncio.gather(*(preparer.close() for preparer in self._preparers))
        if self.arranging is not None:
            await self.arranging.close()


def _busy(why: str) -> DraftsmithError:
    return DraftsmithError("busy", f"{why}; nothing was applied. Try again.")
