"""Requests to one workspace that its writer defers, since they take long, and those that wait behind them.

Everybody else's requests go on meanwhile. A client's own later requests wait, so that what it sends is done in its
order; and so does a second request under the same id, which is then answered as a repeat.

    DEFERRED   is its id in the log? → back to the queue, where it is answered as a repeat
               else it is prepared in a process of the pool, for the head of that moment
    PREPARED   back to the front of the queue; the group commit appends it if that is still the head
    OVERTAKEN  else it is deferred again; after three times it is prepared while nobody commits, so that a busy
               workspace cannot keep it out for ever
    ANSWERED   whatever waited behind it goes back to the front of the queue
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final

from draftsmith.errors import StorageError
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.prepare.preparer_pool import PreparerPool
from draftsmith.usecases.prepare.queue import QueuedRequest
from draftsmith.usecases.replicas.dependencies import WriterDependencies
from draftsmith.usecases.requests.client import NOBODY

RIVAL_HEADS: Final = 3
"""How often the head may move before nobody else commits."""

_LEASE_MS: Final = 3_000
"""How long a lease keeps other workers out; it is renewed in half the time."""


@dataclass(slots=True)
class _Deferral:
    """A deferred request: how often it was overtaken, and the task that prepares it."""

    overtaken: int
    task: asyncio.Task[None]

    @property
    def is_alone(self) -> bool:
        """Whether it is prepared while nobody commits."""
        return self.overtaken >= RIVAL_HEADS


class DeferredRequests:
    """The requests to one workspace that its writer has deferred."""

    def __init__(
        self,
        pool: PreparerPool | None,
        dependencies: WriterDependencies,
        workspace_id: WorkspaceId,
        committing: asyncio.Lock,
        put_first: Callable[[Sequence[QueuedRequest]], None],
    ) -> None:
        """Defer nothing yet.

        Args:
            pool: prepares; None if everything is prepared by the writer itself.
            dependencies: of the writer.
            workspace_id: which workspace it writes.
            committing: held by the writer while it commits, and here while it may not.
            put_first: puts requests at the front of the writer's queue.
        """
        self._pool, self._workspace_id = pool, workspace_id
        self._log, self._worker, self._counters = dependencies.log, dependencies.worker, dependencies.counters
        self._committing, self._put_first = committing, put_first
        self._deferrals: dict[QueuedRequest, _Deferral] = {}
        self._behind: list[QueuedRequest] = []
        self._is_closed = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing is deferred."""
        return not self._deferrals

    # -- behind ------------------------------------------------------------------------------------------------------

    def holds_back(self, queued: QueuedRequest) -> bool:
        """Whether a request waits behind one that is deferred, and keep it here if so."""
        if queued in self._deferrals or not any(_is_before(one, queued) for one in (*self._deferrals, *self._behind)):
            return False
        self._behind.append(queued)
        return True

    def _release(self, answered: QueuedRequest) -> None:
        """Put those back that waited behind a request that has its answer, before what has come since."""
        self._deferrals.pop(answered, None)
        behind, self._behind = self._behind, []
        self._put_first([queued for queued in behind if not self.holds_back(queued)])

    # -- prepared by the pool ----------------------------------------------------------------------------------------

    def begin(self, queued: QueuedRequest) -> None:
        """Have a request prepared by the pool, or again if it is here already; it comes back to the queue.

        Once this is closed it is refused.
        """
        if self._is_closed:
            queued.give_up(_stopping())
            return
        before = self._deferrals.get(queued)
        if before is None:
            queued.future.add_done_callback(lambda _: self._release(queued))
        else:
            self._counters.prepared_again += 1
        queued.prepared = None
        overtaken = 0 if before is None else before.overtaken + 1
        task = asyncio.create_task(self._prepare(queued, overtaken), name=f"prepare elsewhere {self._workspace_id}")
        self._deferrals[queued] = _Deferral(overtaken, task)

    async def _prepare(self, queued: QueuedRequest, overtaken: int) -> None:
        assert self._pool is not None
        try:
            if await self._is_in_log(queued):
                queued.is_known = True
            elif overtaken >= RIVAL_HEADS:
                await self._prepare_alone(self._pool, queued)
                return
            else:
                queued.prepared = await self._pool.prepare(queued.client, self._workspace_id, queued.request)
        except asyncio.CancelledError:
            queued.give_up(_stopping())
            raise
        except Exception as error:  # noqa: BLE001  # whatever it is, nobody may be left waiting
            queued.give_up(error)
        else:
            self._put_first([queued])

    async def _is_in_log(self, queued: QueuedRequest) -> bool:
        """Whether the request was carried out before.

        If it was sent for a head and that has moved, it cannot get into the log any more without being sent again.
        """
        request = queued.request
        if not request.can_repeat and not queued.is_sent:
            return False
        if await self._log.find(self._workspace_id, request.txid) is not None:
            return True
        queued.is_sent = False
        return request.can_repeat and await self._log.find_answer(self._workspace_id, request.txid) is not None

    async def _prepare_alone(self, pool: PreparerPool, queued: QueuedRequest) -> None:
        """Prepare a request while nobody commits. It has its turn before anybody waits for that."""
        async with pool.turn(queued.client) as preparer, self._none_but_this():
            queued.prepared = await pool.prepare_with(preparer, self._workspace_id, queued.request)
            self._put_first([queued])  # so it is what the writer commits next

    @asynccontextmanager
    async def _none_but_this(self) -> AsyncIterator[None]:
        """Let nobody commit, once the writer has committed what was prepared alone before."""
        while True:
            async with self._committing:
                if not any(one.prepared and its.is_alone for one, its in self._deferrals.items()):
                    async with self._lease():
                        yield
                    return
            await asyncio.sleep(0)  # the writer has it next

    @asynccontextmanager
    async def _lease(self) -> AsyncIterator[None]:
        """Keep other workers from appending, as far as the store answers; the append that follows ends the lease."""
        await self._renew_lease()
        renewing = asyncio.create_task(self._renew_for_ever(), name=f"lease {self._workspace_id}")
        try:
            yield
        finally:
            renewing.cancel()

    async def _renew_for_ever(self) -> None:
        while True:
            await asyncio.sleep(_LEASE_MS / 2_000)
            await self._renew_lease()

    async def _renew_lease(self) -> None:
        with suppress(StorageError):  # without one others may append first; then it is prepared again
            await self._log.lease(self._workspace_id, self._worker, _LEASE_MS)

    async def close(self) -> None:
        """Stop: refuse what is being prepared, and whatever is to be prepared later; nothing of it has been applied."""
        self._is_closed = True
        deferred = {queued: deferral.task for queued, deferral in self._deferrals.items()}
        for task in deferred.values():
            task.cancel()
        if deferred:
            await asyncio.wait(deferred.values())
        for queued, task in deferred.items():
            if task.cancelled():  # before it began, perhaps, and so has told nobody
                queued.give_up(_stopping())
        await asyncio.sleep(0)  # what waited behind is put back


def _stopping() -> StorageError:
    return StorageError("The server is stopping; send the same request again.")


def _is_before(first: QueuedRequest, second: QueuedRequest) -> bool:
    """Whether a request must wait for another that is deferred or waits behind one."""
    request = second.request
    if not request.txid or first is second:
        return False
    return first.request.txid == request.txid or (first.client == second.client and first.client != NOBODY)
