"""Servers of plain sockets in the loop of a test, which leave no connection behind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

ACCEPTING_TURNS = 5
"""At least as many turns of the loop as pass between the acceptance of a connection and the call with its streams."""

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]


@asynccontextmanager
async def listening(serve: Serve, port: int = 0) -> AsyncIterator[int]:
    """Have connections served at a port of this machine, a free one unless told.

    At the end `serve` is cancelled and every connection is cut, also one that arrives at that moment: a task that never
    began would not close it, and its socket would be found unclosed in a later test.
    """
    tasks: set[asyncio.Task[None]] = set()
    writers: set[asyncio.StreamWriter] = set()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.add(writer)
        task = asyncio.create_task(serve(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(connected, "127.0.0.1", port)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for _ in range(ACCEPTING_TURNS):
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for writer in writers:
            writer.transport.abort()
        await asyncio.sleep(0)  # in which they are closed
