"""Long work in slices: everybody else on the event loop has a turn between two of them.

Below the use cases such work is a generator that yields at the end of each slice and returns its result, so it decides
where it can be interrupted and knows nothing of event loops.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")


async def in_slices(work: Generator[None, None, T]) -> T:
    """Run a generator to its end, giving way at each `yield`; what it returns."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            result: T = done.value
            return result
        await asyncio.sleep(0)
