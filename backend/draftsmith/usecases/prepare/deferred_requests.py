"""Requests to one workspace that its writer defers, since they take long, and those that wait behind them.

Everybody else's requests go on meanwhile. A client's own later requests wait, so that what it sends is done in its
order; and so does a second request under the same id, which is then answered as a repeat. A request comes back to the
writer's queue prepared for a head. If the head has moved by then it is prepared again; the last time the writer waits
for it, so that a busy workspace cannot keep it out for ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from draftsmith.errors import StorageError
from draftsmith.history.replica import Replica
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.work import TRIAL, Work
from draftsmith.ports import CommitLog
from draftsmith.usecases.prepare.preparer_pool import PreparerPool
from draftsmith.usecases.prepare.queue import Hold, QueuedRequest
from draftsmith.usecases.requests.client import NOBODY
from draftsmith.usecases.requests.request import Request

RIVAL_HEADS: Final = 3
"""How often the head may move before the writer waits."""


class DeferredRequests:
    """The requests to one workspace that its writer has deferred."""

    def __init__(
        self,
        pool: PreparerPool | None,
        log: CommitLog,
        workspace_id: WorkspaceId,
        put: Callable[[QueuedRequest], None],
    ) -> None:
        """Set nothing aside yet.

        Args:
            pool: prepares; None if everything is prepared by the writer itself.
            put: puts a request at the end of the writer's queue.
        """
        self._pool, self._log, self._workspace_id, self._put = pool, log, workspace_id, put
        self._heavy: dict[QueuedRequest, asyncio.Task[None]] = {}
        self._behind: list[QueuedRequest] = []

    @property
    def is_possible(self) -> bool:
        """Whether anything can be prepared elsewhere."""
        return self._pool is not None

    def is_for(self, request: Request[Any], replica: Replica) -> bool:
        """Whether a request is set aside without a try."""
        return self._pool is not None and self._pool.is_for(request, replica)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is set aside."""
        return not self._heavy

    def work(self) -> Work | None:
        """What a request may cost where everybody waits for it; None for its whole budget."""
        return Work(TRIAL, is_trial=True) if self.is_possible else None

    # -- behind ------------------------------------------------------------------------------------------------------

    def holds_back(self, queued: QueuedRequest) -> bool:
        """Whether a request waits behind one that is set aside, and keep it here if so."""
        if queued in self._heavy or not any(_is_before(one, queued) for one in (*self._heavy, *self._behind)):
            return False
        self._behind.append(queued)
        return True

    def _release(self, request: QueuedRequest) -> None:
        """Put those back that waited behind a request that has its answer."""
        self._heavy.pop(request, None)
        behind, self._behind = self._behind, []
        for queued in behind:
            if not self.holds_back(queued):
                self._put(queued)

    # -- elsewhere ---------------------------------------------------------------------------------------------------

    def begin(self, queued: QueuedRequest) -> None:
        """Have a request prepared elsewhere; it comes back to the queue."""
        if queued not in self._heavy:
            queued.future.add_done_callback(lambda _: self._release(queued))
        task = asyncio.create_task(self._prepare(queued), name=f"prepare elsewhere {self._workspace_id}")
        self._heavy[queued] = task

    async def _prepare(self, queued: QueuedRequest) -> None:
        try:
            if await self._is_in_log(queued):
                queued.is_known = True
            elif queued.rival_heads < RIVAL_HEADS:
                assert self._pool is not None
                queued.preparation = await self._pool.prepare(queued.client, self._workspace_id, queued.request)
            else:
                await self._prepare_held(queued)
                return
        except asyncio.CancelledError:
            queued.give_up(StorageError("The server is stopping; send the same request again."))
            raise
        except Exception as error:  # noqa: BLE001  # whatever it is, nobody may be left waiting
            queued.give_up(error)
        else:
            self._put(queued)

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

    async def _prepare_held(self, queued: QueuedRequest) -> None:
        """Prepare a request while the writer waits for it. It has its turn before the writer begins to wait."""
        assert self._pool is not None
        async with self._pool.turn(queued.client) as preparer:
            hold = queued.hold = Hold()
            self._put(queued)
            try:
                await hold.reached.wait()
                queued.preparation = await self._pool.prepare_with(preparer, self._workspace_id, queued.request)
            finally:
                hold.over.set()

    async def close(self) -> None:
        """Stop; nothing of what is set aside has been applied."""
        tasks = list(self._heavy.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)


def _is_before(first: QueuedRequest, second: QueuedRequest) -> bool:
    """Whether a request must wait for another that is set aside or waits behind one."""
    request = second.request
    if not request.txid or first is second:
        return False
    return first.request.txid == request.txid or (first.client == second.client and first.client != NOBODY)
