"""Run work that is cancelled when the client disconnects or this process is to stop."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request

from draftsmith.api.live.streams import until_disconnected
from draftsmith.errors import DraftsmithError

T = TypeVar("T")


async def while_waited_for(request: Request, stopping: asyncio.Event, work: Coroutine[Any, Any, T]) -> T:
    """Give the result of some work; cancel it where nobody would read that. The body was read before.

    Raises:
        ClientDisconnect: the client has left.
        DraftsmithError: `restarting`; those of the work.
    """
    working = asyncio.create_task(work, name="work for a client")
    leaving = asyncio.create_task(until_disconnected(request.receive), name="client leaves")
    stop = asyncio.create_task(stopping.wait(), name="process stops")
    tasks = (working, leaving, stop)
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        if leaving.done():
            raise ClientDisconnect
        raise DraftsmithError("restarting", "This server is being stopped; ask again in a moment.")
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
