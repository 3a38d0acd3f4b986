"""A command to the store that is cancelled is cancelled, at whichever of its awaits that happens."""

from __future__ import annotations

import asyncio

import pytest

from draftsmith.adapters.redis.connection import connect
from tests.timeouts import TIMEOUT_SECONDS

_AWAITS = 12


@pytest.mark.parametrize("kind", ["command", "commands", "script"])
async def test_no_cancellation_is_lost(redis_url: str, kind: str) -> None:
    """Whoever cancels once and waits, as streams and runs do when they end, never waits for what goes on regardless."""
    from draftsmith.adapters.redis import scripts

    connection = await connect(redis_url)

    async def use() -> None:
        if kind == "command":
            await connection.read.command("XRANGE", "k", "-", "+")
        elif kind == "commands":
            await connection.read.commands([("GET", "k"), ("GET", "l")])
        else:
            await connection.write.script(scripts.HEARTBEAT_RUN, ["{w}:run:x", "{w}:active"], ["x", "worker", 1000])
        await asyncio.Event().wait()

    for turns in range(_AWAITS):
        task = asyncio.create_task(use())
        for _ in range(turns):
            await asyncio.sleep(0)
        assert task.cancel()
        done, _ = await asyncio.wait([task], timeout=TIMEOUT_SECONDS)
        assert done, f"lost after {turns} turns of the loop"
        assert task.cancelled()
    await connection.close()
