"""Callers that go away at any moment: a commit is there once or not at all, and the next read is right."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any

from draftsmith.adapters.redis.pool import PoolLimits
from draftsmith.errors import DraftsmithError
from draftsmith.ports import CommitLog
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.requests.identity import fingerprint, identify
from tests.fakes.memory_log import MemoryCommitLog, MemoryIndex, MemoryStore
from tests.faults.checks import check
from tests.faults.load import CLOCK, LIMITS, Asked, Ledger, actor, new_workspace
from tests.faults.servers import workers
from tests.timeouts import timeout

_STEPS_OF_THE_LOG = 3


class SteppingLog:
    """A log in memory whose every answer takes the same number of loop steps, half of them after the deed."""

    def __init__(self, log: CommitLog) -> None:
        self._log = log

    def __getattr__(self, name: str) -> Callable[..., Coroutine[Any, Any, Any]]:
        method = getattr(self._log, name)

        async def call(*arguments: Any) -> Any:
            await steps(_STEPS_OF_THE_LOG)
            answer = await method(*arguments)
            await steps(_STEPS_OF_THE_LOG)
            return answer

        return call


async def steps(count: int) -> None:
    """Let the event loop go round."""
    for _ in range(count):
        await asyncio.sleep(0)


def stepping(count: int) -> tuple[CommitLog, list[Workspaces]]:
    """Some workers on one log in memory that takes its time; the log without its manners too."""
    store = MemoryStore()
    log = MemoryCommitLog(store)
    slow: Any = SteppingLog(log)
    return log, [Workspaces(slow, MemoryIndex(store), CLOCK, LIMITS, f"w{number}") for number in range(count)]


def request_of_some_kind(seed: str, number: int) -> Asked:
    """One request out of several kinds, so that cancelling meets more than one path."""
    node = [{"op": "add_node", "type": "service", "id": f"n{number}", "label": "N"}]
    if number % 4 == 3:
        return Asked(f"{seed}-{number}", "ann", "undo")
    if number % 4 == 2:
        node.append({"op": "append_to_section", "section": "Notes", "text": f"\n{number}\n"})
    return Asked(f"{seed}-{number}", "ann", "edit", node)


async def cancel_after(count: int, work: Coroutine[Any, Any, Any]) -> bool:
    """Start some work and cancel it after so many loop steps; whether it was still going on."""
    task = asyncio.create_task(work)
    await steps(count)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        return True
    return False


async def settle(ledger: Ledger, worker: Workspaces, w: str, asked: Asked) -> None:
    """Send a request again; it must be answered now, and as what it became."""
    answer = await worker.submit(w, asked.request())
    ledger.note_answer(asked.txid, answer["revision"], is_commit=True)


async def test_a_caller_cancelled_at_every_step(seed: str) -> None:
    """Every await of a commit, one after the other; repeated at another worker, which may have to wait its turn."""
    log, two = stepping(2)
    w = await new_workspace(two[0], seed)
    ledger, number, finished = Ledger(), 0, 0
    while finished < 4:
        asked = request_of_some_kind(seed, number)
        # The other worker's memory is behind here, so that a conflict is on the way too.
        was_cancelled = await cancel_after(number, two[number % 2].submit(w, asked.request()))
        finished += not was_cancelled
        before = await two[1].read(w, lambda replica: replica.head)
        assert before == (await two[0].read(w, lambda replica: replica.head))
        await settle(ledger, two[(number + 1) % 2], w, asked)
        number += 1
    assert number > 3 * _STEPS_OF_THE_LOG
    await check(log, w, ledger, two, seed=seed)
    print(f"{number} places to be cancelled at")


async def test_an_owner_cancelled_at_every_step(seed: str) -> None:
    """As at the end of the event loop: its callers hear so, its memory stays true, and the next request finds it so."""
    log, (worker,) = stepping(1)
    w = await new_workspace(worker, seed)
    ledger, number, finished = Ledger(), 0, 0
    while finished < 4:
        asked = request_of_some_kind(seed, number)
        call = asyncio.create_task(worker.submit(w, asked.request()))
        await steps(number + 1)
        writer_task = worker.writer(w)._task
        assert writer_task is not None
        if not writer_task.cancel():
            finished += 1
        with suppress(asyncio.CancelledError):
            await writer_task
        # One that had not even begun leaves its request to the next.
        await settle(ledger, worker, w, asked)
        with suppress(DraftsmithError):
            async with timeout():
                await call
        number += 1
    assert number > 2 * _STEPS_OF_THE_LOG
    await check(log, w, ledger, [worker], seed=seed)


async def test_a_creation_cancelled_at_every_step(seed: str) -> None:
    """Repeated with the same id it leads to one workspace, which is listed."""
    log, (worker,) = stepping(1)
    for number in range(8 * _STEPS_OF_THE_LOG):
        identity = identify(actor("ann"), f"{seed}-{number}", CLOCK)
        mark = fingerprint("Shop")
        create = partial(worker.create, identity, actor("ann"), name="Shop", content={}, source="api", fingerprint=mark)
        await cancel_after(number, create())
        w, _ = await create()
        assert (await create())[0] == w
        assert len(await log.entries(w, 0, 10)) == 1
    there, _ = await worker.ids()
    assert len(there) == 8 * _STEPS_OF_THE_LOG


async def test_callers_cancelled_while_the_store_is_asked(redis_url: str, seed: str, rng: random.Random) -> None:
    """On real connections, readers among them; no connection is lost by it, though there are few."""
    async with workers(redis_url, redis_url, limits=PoolLimits(connections=2, queue_seconds=2.0)) as two:
        w = await new_workspace(two[0], seed)
        ledger, caught = Ledger(), 0
        for number in range(160):
            asked, count = request_of_some_kind(seed, number), rng.randrange(number * 2 + 1)
            readers = [
                asyncio.create_task(cancel_after(rng.randrange(100), worker.read(w, lambda replica: None)))
                for worker in two
            ]
            caught += await cancel_after(count, two[0].submit(w, asked.request()))
            await asyncio.gather(*readers)
            await settle(ledger, rng.choice(two), w, asked)
        assert caught > 20
        async with timeout():
            await asyncio.gather(*(worker.read(w, lambda replica: None) for worker in two * 8))
        await check(two[0].log, w, ledger, two, seed=seed)
