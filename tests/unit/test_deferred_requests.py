"""Requests that take long and those behind them: in which order they are done, whatever the store does meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from draftsmith.adapters.process.system import SystemClock
from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.ports import AppendOutcome
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.commits.writer import GROUP_SIZE
from draftsmith.usecases.prepare import deferred_requests
from draftsmith.usecases.prepare.deferred_requests import RIVAL_HEADS, DeferredRequests
from draftsmith.usecases.prepare.preparer_pool import PreparerPool
from draftsmith.usecases.prepare.queue import QueuedRequest
from draftsmith.usecases.replicas.dependencies import Counters, WriterDependencies
from draftsmith.usecases.requests import from_input
from draftsmith.usecases.requests.client import Client, set_client
from draftsmith.usecases.requests.identity import identify
from draftsmith.usecases.requests.request import Request
from tests.fakes.memory_log import MemoryCommitLog, MemoryIndex, MemoryStore
from tests.fakes.preparers import PreparerHere
from tests.integration.client import node
from tests.integration.typists import ADA, new_workspace
from tests.timeouts import timeout

CLOCK, LIMITS = SystemClock(), WorkspaceLimits()
EVE, BEN = Client("10.0.0.9", "eve"), Client("10.0.0.2", "ben")
Op = dict[str, Any]


def many(**unfit: Any) -> Op:
    """An operation that is known to take long; `unfit`: fields that replace its own."""
    nodes = [{"id": f"n{number}", "type": "service", "label": f"Node {number}"} for number in range(1_001)]
    return {"op": "replace_diagram", "nodes": nodes, "edges": [], **unfit}


class StoreAway(MemoryCommitLog):
    """A log that answers a moment later, appends only while its gate is open, and gives leases unless told otherwise.

    Attributes:
        reached: an append waits, or has.
    """

    def __init__(self, store: MemoryStore) -> None:
        super().__init__(store)
        self.gate, self.reached, self.has_leases = asyncio.Event(), asyncio.Event(), True
        self.gate.set()

    async def append(self, *arguments: Any, **more: Any) -> AppendOutcome:
        self.reached.set()
        await self.gate.wait()
        await asyncio.sleep(0)
        return await super().append(*arguments, **more)

    async def lease(self, workspace_id: WorkspaceId, worker: str, ttl_ms: int) -> bool:
        if not self.has_leases:
            raise StorageError("gone")
        return await super().lease(workspace_id, worker, ttl_ms)


class Worker:
    """A worker with one preparer or two, and a workspace that another worker writes, too."""

    def __init__(self, preparers: int = 1) -> None:
        store = MemoryStore()
        self.log, index = StoreAway(store), MemoryIndex(store)
        self.preparers = [PreparerHere(self.log, CLOCK) for _ in range(preparers)]
        self.preparer = self.preparers[0]
        pool = PreparerPool(self.preparers)
        self.here = Workspaces(self.log, index, CLOCK, LIMITS, "here", preparer_pool=pool)
        self.there = Workspaces(MemoryCommitLog(store), index, CLOCK, LIMITS, "there")
        self.w = WorkspaceId("")

    def send(
        self, client: Client, operation: Op, given: str | None = None, at: Workspaces | None = None
    ) -> asyncio.Task[Any]:
        """Send a request for a client; the task that waits for its answer."""
        request = self.request(operation, given)

        async def submit() -> Any:
            set_client(client)
            return await (at or self.here).submit(self.w, request)

        return asyncio.create_task(submit())

    def request(self, operation: Op, given: str | None = None) -> Request[Any]:
        batch = parse_batch([operation], LIMITS)
        identity = identify(ADA, given, CLOCK)
        return from_input.edit(identity, ADA, operations=[operation], batch=batch, limits=LIMITS)


def rename_workspace(name: str) -> Op:
    return {"op": "rename_workspace", "name": name}


@asynccontextmanager
async def working(preparers: int = 1) -> AsyncIterator[Worker]:
    one = Worker(preparers)
    one.w = WorkspaceId(await new_workspace(one.there, ""))
    try:
        async with timeout():
            yield one
    finally:
        await one.here.close()
        await one.there.close()


async def test_what_waited_behind_goes_before_what_came_later() -> None:
    """However many requests of others are in the queue by then."""
    async with working() as one:
        ready = asyncio.Event()
        one.preparer.before = ready.wait
        heavy, behind = one.send(EVE, many()), one.send(EVE, node("behind"))
        await one.send(BEN, rename_workspace("Ben's"))
        assert not behind.done()
        one.log.gate.clear()
        one.log.reached.clear()
        ready.set()
        await one.log.reached.wait()  # the heavy one is being appended
        others = [one.send(BEN, rename_workspace(f"Name {number}")) for number in range(GROUP_SIZE)]
        later = one.send(EVE, node("later"))
        for _ in range(3):
            await asyncio.sleep(0)
        one.log.gate.set()
        revisions = [(await task)["revision"] for task in (heavy, behind, later)]
        assert revisions == sorted(revisions)
        await asyncio.gather(*others)


async def test_without_a_lease_it_is_prepared_all_the_same() -> None:
    """Where the store gives none while nobody here commits; and its turn is another's afterwards."""
    async with working() as one:
        one.log.has_leases = False
        rivals = 0

        async def overtake() -> None:
            nonlocal rivals
            if rivals < RIVAL_HEADS:
                rivals += 1
                await one.send(BEN, rename_workspace(f"Name {rivals}"), at=one.there)

        one.preparer.after = overtake
        assert (await one.send(EVE, many()))["revision"] == 1 + RIVAL_HEADS + 1
        assert one.here.counters.prepared_again == RIVAL_HEADS
        assert (await one.send(BEN, many(edges=[{"source": "n0", "target": "n1"}])))["revision"] == RIVAL_HEADS + 3


async def test_nobody_commits_while_one_is_prepared_for_the_last_time() -> None:
    """Neither here nor, under the lease, at another worker; both go on afterwards."""
    async with working() as one:
        rivals: list[asyncio.Task[Any]] = []

        async def overtake() -> None:
            place = one.there if len(rivals) < RIVAL_HEADS else one.here
            rivals.append(one.send(BEN, rename_workspace(f"Name {len(rivals)}"), at=place))
            if len(rivals) <= RIVAL_HEADS:
                await rivals[-1]
                return
            rivals.append(one.send(BEN, rename_workspace("At another worker"), at=one.there))
            for _ in range(20):
                await asyncio.sleep(0)
            assert not any(task.done() for task in rivals[RIVAL_HEADS:])

        one.preparer.after = overtake
        assert (await one.send(EVE, many()))["revision"] == 1 + RIVAL_HEADS + 1
        assert sorted([(await task)["revision"] for task in rivals[RIVAL_HEADS:]]) == [6, 7]


async def test_what_was_prepared_for_the_last_time_is_committed_before_another_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two of two clients: the second is prepared on what the first has made, and neither of them in vain."""
    monkeypatch.setattr(deferred_requests, "RIVAL_HEADS", 1)
    async with working(preparers=2) as one:
        both, overtaken = asyncio.Event(), asyncio.Event()
        prepared = 0

        async def overtake_both() -> None:
            nonlocal prepared
            prepared += 1
            if prepared > 2:
                for _ in range(20):  # so the other waits until it may be prepared
                    await asyncio.sleep(0)
                return
            if prepared == 2:
                both.set()
            await overtaken.wait()

        for preparer in one.preparers:
            preparer.after = overtake_both
        heavy = [one.send(EVE, many()), one.send(BEN, many(edges=[{"source": "n0", "target": "n1"}]))]
        await both.wait()
        await one.send(BEN, rename_workspace("Overtakes both"), at=one.there)
        overtaken.set()
        assert sorted([(await task)["revision"] for task in heavy]) == [3, 4]
        assert one.here.counters.prepared_again == 2


async def test_a_refused_request_is_refused_again() -> None:
    """Under the same id: nothing is kept of what did not fit."""
    unfit = many(edges=[{"source": "n0", "target": "gone"}])
    async with working() as one:
        for _ in range(2):
            with pytest.raises(DraftsmithError, match="batch_rejected"):
                await one.send(EVE, unfit, "the-same-id")


async def test_a_worker_that_stops_refuses_what_would_have_to_be_prepared() -> None:
    """What is prepared just then, and what waits behind it and takes long, too; the rest is finished."""
    async with working() as one:
        one.preparer.before = asyncio.Event().wait
        heavy, behind = one.send(EVE, many()), one.send(EVE, many(edges=[{"source": "n0", "target": "n1"}]))
        last = one.send(EVE, rename_workspace("Eve's"))
        await one.send(BEN, rename_workspace("Ben's"))
        await one.here.close()
        for refused in (heavy, behind):
            with pytest.raises(DraftsmithError, match="storage_down"):
                await refused
        assert (await last)["revision"] == 3


async def test_a_request_that_is_deferred_as_the_worker_stops_is_refused() -> None:
    """Before anything was done for it; what waits behind it is put back."""
    async with working() as one:
        put_back: list[QueuedRequest] = []
        dependencies = WriterDependencies(log=one.log, clock=CLOCK, worker="here", counters=Counters())
        pool = PreparerPool([one.preparer])
        deferred = DeferredRequests(pool, dependencies, one.w, asyncio.Lock(), put_back.extend)
        loop = asyncio.get_running_loop()
        heavy, behind = [
            QueuedRequest(one.request(what), loop.create_future(), EVE) for what in (many(), rename_workspace("E"))
        ]
        deferred.begin(heavy)
        assert deferred.holds_back(behind)
        await deferred.close()
        with pytest.raises(DraftsmithError, match="storage_down"):
            heavy.future.result()
        assert put_back == [behind]
