"""How long a test waits for what must happen, on however slow a machine. Only a hang takes longer.

There is one such limit for all Python tests, so that none depends on how fast the machine is. What is to be fast is
measured in `bench`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

TIMEOUT_SECONDS = 150.0
NEVER_SECONDS = 10 * int(TIMEOUT_SECONDS)
"""What would take so long is not waited for: the test would have failed long before."""


def timeout() -> asyncio.Timeout:
    """Let a block take as long as anything may take in a test."""
    return asyncio.timeout(TIMEOUT_SECONDS)


async def until(condition: Callable[[], bool] | Callable[[], Awaitable[bool]]) -> None:
    """Wait for something that others bring about, other processes among them, which announce nothing."""
    async with timeout():
        while True:
            holds = condition()
            if holds if isinstance(holds, bool) else await holds:
                return
            await asyncio.sleep(0.01)
