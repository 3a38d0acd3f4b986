"""How long the event loop works at a stretch while somebody takes back, or looks back to, the morning of a long day."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bench.conftest import Report
from tests.integration.typing_day import KEYS_PER_HOUR, first_row, lived
from tests.integration.typists import ADA, BOB, Typist, workers
from tests.seeds import seed_named

_STALL_SECONDS = 0.5


@asynccontextmanager
async def _longest_stall() -> AsyncIterator[list[float]]:
    """The longest piece of work that the event loop does at a stretch, in seconds of its own processor time."""
    longest = [0.0]

    async def beat() -> None:
        before = time.thread_time()
        while True:
            await asyncio.sleep(0.002)
            now = time.thread_time()
            longest[0], before = max(longest[0], now - before), now

    beating = asyncio.create_task(beat())
    try:
        yield longest
    finally:
        beating.cancel()
        await asyncio.wait([beating])


async def test_nobody_waits_while_a_morning_is_taken_back(redis_url: str, report: Report) -> None:
    """Whoever else is at this worker is served within half a second."""
    async with workers(redis_url, "evening") as [one]:
        w, _, _ = await lived(one.log, int(seed_named("TYPING_DAY_SEED")), KEYS_PER_HOUR)
        row = await first_row(one, w)
        first, last = row["revert"]["rev"], row["revert"]["upto"]
        ada, bob = Typist(one, w, ADA), Typist(one, w, BOB)
        await ada.look()
        await bob.look()
        started = time.perf_counter()
        async with _longest_stall() as stall:
            await ada.revert(first, last)
        print(f"row of {len(row['revisions'])} taken back in {time.perf_counter() - started:.2f} s")
        report("longest stall while a morning is taken back, s", stall[0], "<=", _STALL_SECONDS)
        await ada.undo()
        async with _longest_stall() as stall:
            await ada.revert(first, dry_run=True)
            await bob.edit({"op": "update_node", "id": "api", "notes": "Late."}, base=first)
            await (await one.log_reader(w))[1].state(first)
        report("longest stall while others look back to it, s", stall[0], "<=", _STALL_SECONDS)
