"""A worker process that starts one run of the assistant and kills or stops itself at a named moment of it.

Arguments: store URL, provider URL, workspace, run id, moment, signal. Moments: `thinking` (before the second turn),
`decided` (the decision is in the store, the commit is not), `committed` (the commit is in the log, the end of the run
is not). Signals: `SIGKILL`, as if the machine had lost its power; `SIGSTOP`, as if it slept until somebody wakes it.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Collection
from contextlib import suppress

from draftsmith.adapters.redis.assistant.runs import RedisRuns
from draftsmith.errors import StorageError
from draftsmith.ports.runs import Ending
from tests.integration.assistant_workers import assistant_worker

LAST_WORD_MS = 500
"""How long its word still holds when it falls. Before that it holds for long, or a slow machine finds it dead alive."""
WORKER = "doomed"


class DoomedRuns(RedisRuns):
    """Falls on the way."""

    moment = how = ""

    async def fall_at(self, moment: str, w: str, run_id: str) -> None:
        """Send the signal to this process if this is the moment."""
        if self.moment == moment:
            self.moment = ""  # only once: who was woken goes on, and may come by again
            while True:
                with suppress(StorageError):  # a disk that others keep busy may take longer than it is waited for
                    await self.heartbeat(w, run_id, WORKER, LAST_WORD_MS)
                    break
            os.kill(os.getpid(), signal.Signals[self.how])

    async def save_decision(self, w: str, run_id: str, staged: bytes, ttl_ms: int) -> str:
        status = await super().save_decision(w, run_id, staged, ttl_ms)
        await self.fall_at("decided", w, run_id)
        return status

    async def end(self, w: str, run_id: str, expected: Collection[str], ending: Ending) -> bool:
        await self.fall_at("committed", w, run_id)
        return await super().end(w, run_id, expected, ending)


async def main(store_url: str, provider_url: str, w: str, run_id: str, moment: str, how: str = "SIGKILL") -> None:
    """Run until death, or until the run is over."""
    async with assistant_worker(store_url, provider_url, worker=WORKER, w=w) as one:
        runs = DoomedRuns(one.connection)
        runs.moment, runs.how = moment, how
        one.assistant.dependencies.store = runs

        async def before(turn: int) -> None:
            if turn == 2:
                await runs.fall_at("thinking", w, run_id)

        one.before_turn(before)
        await one.start("Add a cache.", run_id=run_id)
        while True:  # not `wait`, which would rescue the run if this process were slow
            row = await runs.run(w, run_id)
            if row is not None and row.is_over:
                return
            await asyncio.sleep(0.05)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
