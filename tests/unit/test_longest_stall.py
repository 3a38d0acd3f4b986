"""How long the event loop was held."""

from __future__ import annotations

import asyncio
import time

from draftsmith.adapters.process.event_loop import EventLoopWatch, LongestOf
from tests.timeouts import timeout


def test_it_is_the_longest_of_the_last_minute() -> None:
    """An hour ago does not count, and a shorter one since is then the longest."""
    longest = LongestOf()
    assert longest.longest(0.0) == 0.0
    for now, length in ((0.0, 0.5), (10.0, 0.2), (20.5, 0.3), (30.0, 0.1)):
        longest.note(now, length)
    assert [longest.longest(now) for now in (30.0, 59.0, 61.0, 79.0, 81.0, 91.0)] == [0.5, 0.5, 0.3, 0.3, 0.1, 0.0]


async def test_whoever_holds_the_event_loop_is_seen() -> None:
    """By whatever held it."""
    noted: list[float] = []
    seen = asyncio.Event()

    def note(length: float) -> None:
        noted.append(length)
        seen.set()

    watch = EventLoopWatch(note)
    watch.start()
    async with timeout():
        await seen.wait()
        time.sleep(0.2)  # noqa: ASYNC251  # what is not to be done
        seen.clear()
        await seen.wait()
    assert max(noted) >= 0.1
    assert watch.longest == max(noted)
    await watch.stop()
