"""Eight hours of three people typing into one document: in the evening the morning can still be taken back.

`TYPING_DAY_KEYS` says how many keys each of them presses, 5,000 an hour: 40,000 are a whole day and take a minute or
two. `TYPING_DAY_SEED` repeats a day.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from draftsmith.history.commit import GENESIS
from draftsmith.history.rows import PageCursor
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.ports import Blob, CommitLog
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.upkeep.history import list_rows
from draftsmith.usecases.upkeep.snapshot import Policy, make_snapshot
from tests.fakes.memory_log import MemoryCommitLog, MemoryIndex, MemoryStore
from tests.integration.lives import SetClock
from tests.integration.typing_day import ALPHABETS, Day
from tests.integration.typists import ADA, BOB, Typist, assert_sound, workers

KEYS = int(os.environ.get("TYPING_DAY_KEYS", "5000"))
KEYS_PER_HOUR, KEYS_PER_DAY = 5_000, 3 * 40_000
STALL_SECONDS = 0.5


@asynccontextmanager
async def longest_stall() -> AsyncIterator[list[float]]:
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


async def lived(log: CommitLog, seed: int) -> tuple[str, Day, SetClock]:
    """A day, in a store whose clock can be set, and then moved to a real one with its times."""
    clock = SetClock()
    store = MemoryStore(clock)
    there = Workspaces(MemoryCommitLog(store), MemoryIndex(store), clock, WorkspaceLimits(), "day")
    day = Day(there, clock, seed, KEYS / KEYS_PER_HOUR, KEYS)
    await day.run()
    meta = await there.log.meta(day.w)
    assert meta is not None
    entries = await there.log.entries(day.w, 0, meta.head.revision, meta.head.revision)
    await log.replace(day.w, Blob(meta.head.epoch, 0, GENESIS, 0, b""), entries, {"summary": meta.summary})
    return day.w, day, clock


def of_others(text: str) -> str:
    """What Ada has not written of a document."""
    return "".join(letter for letter in text if letter not in f"{ALPHABETS[ADA]}# \n")


async def first_row(workspaces: Workspaces, w: str) -> dict[str, Any]:
    """The first row of Ada's typing."""
    head = await workspaces.read(w, lambda replica: replica.head.revision)
    rows, _ = await list_rows(workspaces.log, w, PageCursor(head + 1), 100_000)
    return [row for row in rows if row["kind"] == "text" and row["actor"]["id"] == ADA.id][-1]


async def test_a_morning_can_be_taken_back_in_the_evening(redis_url: str) -> None:
    """By the rules of retention as they stand; what others wrote into it stays, in words; the loop goes on."""
    seed = int(os.environ.get("TYPING_DAY_SEED") or random.SystemRandom().randrange(2**32))
    print(f"TYPING_DAY_SEED={seed}")
    async with workers(redis_url, "evening") as [one]:
        w, day, clock = await lived(one.log, seed)
        pushes = day.pushes / (3 * KEYS)
        meta = await one.log.meta(w)
        assert meta is not None
        policy = Policy()
        for _ in range(2):  # commits go up to the snapshot before the newest
            assert (await make_snapshot(one.log, w, policy, clock)).base == 0
        assert pushes * KEYS_PER_DAY < policy.max_entries
        assert meta.log_bytes / (3 * KEYS) * KEYS_PER_DAY < policy.max_bytes

        row = await first_row(one, w)
        ada, bob = Typist(one, w, ADA), Typist(one, w, BOB)
        before = await ada.look()
        shown = await ada.revert(row["revert"]["rev"], row["revert"]["upto"], dry_run=True)
        typed = max((change["old"] for change in shown["diff"]["document"]), key=len)
        middle = before.index(typed) + len(typed) // 2
        await bob.look()
        await bob.push(*((middle + at, middle + at, "N") for at in range(8)))
        before = await ada.look()
        first, last = row["revert"]["rev"], row["revert"]["upto"]
        started = time.perf_counter()
        async with longest_stall() as stall:
            answer = await ada.revert(first, last)
        seconds = time.perf_counter() - started
        print(
            f"{day.pushes} pushes and {day.edits} edits, {pushes:.2f} commits a key, {meta.log_bytes / 1e6:.1f} MB, "
            f"{len(before)} characters; row of {len(row['revisions'])} taken back in {seconds:.2f} s, "
            f"longest stall {stall[0] * 1000:.0f} ms, {len(answer['left_out'])} left out: {answer['left_out'][:3]}"
        )
        assert stall[0] < STALL_SECONDS
        after = await assert_sound([one], w)
        assert answer["left_out"]
        assert all(left["why"] == "that text has been changed since" for left in answer["left_out"])
        assert of_others(after) == of_others(before)
        assert len(after) < len(before)
        await ada.undo()
        assert await assert_sound([one], w) == before

        # Whatever else looks back to the morning keeps nobody waiting either.
        async with longest_stall() as stall:
            await ada.revert(first, dry_run=True)
            await bob.edit({"op": "update_node", "id": "api", "notes": "Late."}, base=first)
            await (await one.log_reader(w))[1].state(first)
        print(f"longest stall of others that look back {stall[0] * 1000:.0f} ms")
        assert stall[0] < STALL_SECONDS
