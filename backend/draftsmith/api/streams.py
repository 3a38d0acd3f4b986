"""Server-sent events: an answer that goes on while something happens, and ends as soon as anybody wants it to.

It ends when there is nothing more to tell, when the client goes, and when this process begins to stop; whoever still
wants to know asks again with the id of the last event. Not here: what is told.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, Final

import orjson
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from draftsmith.errors import DraftsmithError

Events = AsyncGenerator[tuple[str, Mapping[str, Any]] | None, None]
EVENT_STREAM: Final = "text/event-stream"
_AGAIN_MS: Final = 1_000  # how long a browser waits before it asks again
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # a proxy is to pass events on as they come
}


class EventStream(Response):
    """Events `(id, {…})` as they come, named by their `type` or all by one name; None stands for a sign of life."""

    media_type = EVENT_STREAM

    def __init__(self, events: Events, stopping: asyncio.Event, name: str | None = None) -> None:
        super().__init__(headers=_HEADERS)
        del self.headers["content-length"]
        self._events, self._stopping, self._name = events, stopping, name

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Tell until there is a reason to end."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        telling = asyncio.create_task(self._tell(send), name="tell events")
        leaving = asyncio.create_task(_until_gone(receive), name="client leaves")
        stopping = asyncio.create_task(self._stopping.wait(), name="process stops")
        tasks = (telling, leaving, stopping)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            is_gone = leaving.done()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
        if not telling.cancelled():
            telling.result()
        if not is_gone:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _tell(self, send: Send) -> None:
        await _say(send, b"retry: %d\n\n" % _AGAIN_MS)
        try:
            async with aclosing(self._events) as events:
                async for event in events:
                    await _say(send, b": still here\n\n" if event is None else encode(*event, self._name))
        except DraftsmithError as error:
            await _say(send, f": {error.code}\n\n".encode())  # the status is out; asking again says more


def encode(event_id: str, event: Mapping[str, Any], name: str | None = None) -> bytes:
    """One event as it stands in a stream; JSON written by orjson has no line ends."""
    kind = str(event["type"] if name is None else name)
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (event_id.encode(), kind.encode(), orjson.dumps(event))


async def _say(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
