"""The single writer of a workspace on a worker: one queue and one task, through which all its changes go.

Whoever calls waits for a future only; cancelling the caller cancels nothing here. What takes long is taken out of the
queue and comes back prepared (`deferred_requests`). Not here: how a group of requests is committed (`group_commit`),
what is in memory (`local_replica`).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.history.actor import Actor
from draftsmith.history.commit import Head
from draftsmith.history.replica import Replica
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.workspace import Workspace
from draftsmith.usecases.commits.answers import key_reused
from draftsmith.usecases.commits.from_memory import note_read_from_memory
from draftsmith.usecases.commits.group_commit import DEADLINE, GroupCommit
from draftsmith.usecases.prepare.deferred_requests import DeferredRequests
from draftsmith.usecases.prepare.preparer_pool import PreparerPool
from draftsmith.usecases.prepare.queue import Answer, IdsInFlight, QueuedRequest
from draftsmith.usecases.replicas.dependencies import WriterDependencies
from draftsmith.usecases.replicas.local_replica import CommitVolume, LocalReplica, ReplicaListener
from draftsmith.usecases.replicas.log_reader import LogReader
from draftsmith.usecases.requests.client import current_client
from draftsmith.usecases.requests.costs import is_large
from draftsmith.usecases.requests.request import ReadRequest, Request, SyncRequest, read_request

T = TypeVar("T")
GROUP_SIZE = 64  # requests that are committed together, at most
_READ_TRIES = 3
_NOBODY = Actor("", "", "system")


class Writer:
    """Writes one workspace, and holds its memory on this worker.

    The listener is told of each change of that memory (`LocalReplica`), before the answers to those who made it.
    """

    def __init__(
        self,
        dependencies: WriterDependencies,
        workspace_id: WorkspaceId,
        listener: ReplicaListener | None = None,
        pool: PreparerPool | None = None,
    ) -> None:
        self._dependencies, self._workspace_id = dependencies, workspace_id
        self._log, self._clock, self._pool = dependencies.log, dependencies.clock, pool
        self._local = LocalReplica(dependencies, workspace_id, listener)
        self._queue: deque[QueuedRequest] = deque()
        self._committing = asyncio.Lock()  # held by whoever may commit, or lets nobody commit
        self._deferred = DeferredRequests(pool, dependencies, workspace_id, self._committing, self._put_first)
        self._in_flight = IdsInFlight()
        self._task: asyncio.Task[None] | None = None
        self.used_at = self._clock.monotonic()

    # -- writing -----------------------------------------------------------------------------------------------------

    async def submit(self, request: Request[Any]) -> Answer:
        """Run a request, and return its answer once that is durable.

        Cancelling the caller does not cancel the request.

        Raises:
            DraftsmithError: it does not fit, or could not be made durable.
        """
        return await asyncio.shield(self.enqueue(request))

    def enqueue(self, request: Request[Any]) -> asyncio.Future[Answer]:
        """Put a request at the end of the queue; return the future of its answer, which must not be cancelled.

        One whose id is in flight for another request is refused at once (`key_reused`).
        """
        self.used_at = self._clock.monotonic()
        queued = QueuedRequest(request, asyncio.get_running_loop().create_future(), current_client())
        queued.future.add_done_callback(_retrieve_exception)
        if not self._in_flight.take(request):
            queued.fail(key_reused())
            return queued.future
        queued.future.add_done_callback(lambda _: self._in_flight.give_back(request))
        self._queue.append(queued)
        self._start()
        return queued.future

    def _put_first(self, requests: Sequence[QueuedRequest]) -> None:
        """Put requests at the front of the queue, in their order."""
        self._queue.extendleft(reversed(requests))
        self._start()

    def _start(self) -> None:
        if self._queue and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._run(), name=f"writer {self._workspace_id}")

    async def _run(self) -> None:
        """Commit groups until the queue is empty; the next request starts another task."""
        while self._queue:
            async with self._committing:
                await self._commit(self._next_group())

    def _next_group(self) -> Sequence[QueuedRequest]:
        """Take requests from the queue that may be committed together; those behind a deferred one are kept there."""
        group: list[QueuedRequest] = []
        while self._queue and len(group) < GROUP_SIZE:
            queued = self._queue.popleft()
            if not self._deferred.holds_back(queued):
                group.append(queued)
        return group

    async def _commit(self, requests: Sequence[QueuedRequest]) -> None:
        """Commit a group; defer the request that ended it, if one did, and go on with those after it later."""
        takes_long = None if self._pool is None else self._pool.is_for
        group = GroupCommit(self._dependencies, self._workspace_id, self._local, requests, takes_long)
        try:
            unready = await group.run()
        except DraftsmithError as error:
            group.fail_all(error)
        except asyncio.CancelledError:
            # Only the end of the event loop does this; nobody may be left waiting for what will not come.
            group.give_up(StorageError("The server is stopping; send the same request again."))
            raise
        except Exception as error:  # noqa: BLE001  # a defect, whatever it is, must not leave callers waiting
            # Memory may be half changed, so it is dropped.
            self._local.drop()
            group.fail_all(error)
        else:
            if unready:
                self._deferred.begin(unready[0])
                self._put_first(unready[1:])

    # -- reading -----------------------------------------------------------------------------------------------------

    async def read(self, reader: Callable[[Replica], T]) -> T:
        """Call a function with a replica that is at least as new as the log was when this was called.

        The function must not wait nor keep what it is given. A frozen workspace is read where it froze.
        """
        return reader(await self._current())

    async def compute(self, reader: Callable[[Workspace], bytes], *, is_long: bool = False) -> tuple[Head, bytes]:
        """Compute something of a workspace as new as the log, in another process if it is large; and its head.

        Args:
            reader: a function of a module, or a partial one; it changes nothing.
            is_long: it takes long also where the workspace is small.
        """
        replica = await self._current()
        if not self._is_for_elsewhere(replica.workspace, is_long=is_long):
            return replica.head, reader(replica.workspace)
        return await self._computed_elsewhere(read_request(reader))

    async def compute_past(self, reader: Callable[..., bytes], revisions: Sequence[int]) -> bytes:
        """Compute something of a workspace as it was at some revisions, in another process if it is or was large.

        Args:
            reader: a function of a module, or a partial one. It is given a copy of the state at each revision, in
                this order.

        Raises:
            DraftsmithError: `revision_unknown`, `trimmed`; those of the reader.
        """
        replica, past = await self.log_reader()
        if not self._is_for_elsewhere(replica.workspace):
            states = [await past.state(revision) for revision in revisions]
            if not any(map(self._is_for_elsewhere, states)):
                return reader(*states)
        _, content = await self._computed_elsewhere(read_request(reader, revisions))
        return content

    @property
    def computes_elsewhere(self) -> bool:
        """Whether `compute` would do it in another process, as far as is known now."""
        replica = self._local.replica
        return replica is not None and self._is_for_elsewhere(replica.workspace)

    def _is_for_elsewhere(self, workspace: Workspace, *, is_long: bool = False) -> bool:
        return self._pool is not None and self._local.corrupt is None and (is_long or is_large(workspace))

    async def _computed_elsewhere(self, request: ReadRequest) -> tuple[Head, bytes]:
        assert self._pool is not None
        computed = await self._pool.prepare(current_client(), self._workspace_id, request)
        if computed.failure is not None:
            raise computed.failure
        return computed.head, computed.value

    async def log_reader(self, *, is_fresh: bool = True) -> tuple[Replica, LogReader]:
        """The replica and a reader of the log behind it, for those who wait for older entries.

        Args:
            is_fresh: whether the replica is brought up to date; else it is taken as it is, if there is one.
        """
        held = None if is_fresh or self._local.corrupt is not None else self._local.replica
        replica = held if held is not None else await self._current()
        return replica, LogReader(self._log, self._workspace_id, replica)

    async def _current(self) -> Replica:
        """The replica, brought up to date; as it is where nobody can write and so nothing can be newer."""
        for _ in range(_READ_TRIES):
            try:
                await self.refresh()
            except StorageError as error:
                if not error.is_for_all or self._local.replica is None:
                    raise
                note_read_from_memory()
            # The next group may have dropped it before this reader had its turn.
            if self._local.replica is not None:
                return self._local.replica
        raise StorageError("The workspace could not be loaded; try again.")

    async def refresh(self) -> None:
        """Apply the log's entries to the replica, at least up to where the log ends now.

        Raises:
            DraftsmithError: `workspace_not_found`, `workspace_deleted`; `frozen`, if nothing can be read.
        """
        self.used_at = self._clock.monotonic()
        moves = self._local.moves
        meta = await self._log.meta(self._workspace_id)
        if meta is None:
            raise DraftsmithError("workspace_not_found", "There is no such workspace.")
        if meta.deleted_ms is not None:
            raise DraftsmithError("workspace_deleted", "This workspace is in the trash; undelete it first.")
        if not self._local.is_as_new(meta.head, moves):
            request = SyncRequest(batch_id="", txid="", fingerprint="", actor=_NOBODY, scope="")
            try:
                await self.submit(request)
            except DraftsmithError as error:
                if error.code != "frozen" or self._local.replica is None:
                    raise

    # -- its state ---------------------------------------------------------------------------------------------------

    def forget(self) -> None:
        """Drop memory that may be wrong; the log has everything."""
        self._local.drop()

    @property
    def frozen_reason(self) -> str | None:
        """Why the workspace takes no writes, or None."""
        return None if self._local.corrupt is None else str(self._local.corrupt)

    @property
    def volume(self) -> CommitVolume:
        """How much was committed here since the last look for a snapshot."""
        return self._local.volume

    @property
    def is_idle(self) -> bool:
        """Whether nothing waits and nothing runs."""
        return not self._queue and self._deferred.is_empty and (self._task is None or self._task.done())

    async def close(self) -> None:
        """Finish the waiting requests; those that another process prepares are refused."""
        await self._deferred.close()
        if self._task is not None and not self._task.done():
            await asyncio.wait([self._task], timeout=DEADLINE)


def _retrieve_exception(future: asyncio.Future[Answer]) -> None:
    """Keep asyncio from logging a refusal that nobody waits for any more."""
    if not future.cancelled():
        future.exception()
