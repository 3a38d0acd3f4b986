"""Server-sent events: a streaming response that ends with its events, with the client, or with this process.

A client that wants more reconnects with the id of the last event. Not here: where events come from.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractContextManager, aclosing
from typing import Final

import orjson
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from draftsmith.api.access.admissions import Admission
from draftsmith.errors import DraftsmithError
from draftsmith.ports.run_events import RunEventFields

Watched = AbstractContextManager[Admission]
Events = AsyncGenerator[tuple[str, RunEventFields] | None, None]
EVENT_STREAM: Final = "text/event-stream"
_AGAIN_MS: Final = 1_000  # how long a browser waits before it reconnects
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # a proxy is to pass events on as they come
}


class EventStream(Response):
    """Sends events `(id, {…})` as they come, named by their `type` or all by one name; None is sent as a comment."""

    media_type = EVENT_STREAM

    def __init__(self, events: Events, stopping: asyncio.Event, watched: Watched, name: str | None = None) -> None:
        """Send events; `watched` keeps an eye on whether the client may still have them."""
        super().__init__(headers=_HEADERS)
        del self.headers["content-length"]
        self._events, self._stopping, self._name = events, stopping, name
        self._watched = watched

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until there is a reason to end; none where the client has too many streams open."""
        async with aclosing(self._events):
            with self._watched as admission:
                await self._send_all(receive, send, admission)

    async def _send_all(self, receive: Receive, send: Send, admission: Admission) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        sending = asyncio.create_task(self._send_events(send), name="send events")
        leaving = asyncio.create_task(until_disconnected(receive), name="client leaves")
        stopping = asyncio.create_task(self._stopping.wait(), name="process stops")
        ending = asyncio.create_task(_until_ended(admission), name="client may not any more")
        tasks = (sending, leaving, stopping, ending)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            is_disconnected = leaving.done()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
        if not sending.cancelled():
            sending.result()
        if not is_disconnected:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_events(self, send: Send) -> None:
        await _send_body(send, b"retry: %d\n\n" % _AGAIN_MS)
        try:
            async with aclosing(self._events) as events:
                async for event in events:
                    await _send_body(send, b": still here\n\n" if event is None else encode(*event, self._name))
        except DraftsmithError as error:
            await _send_body(
                send, f": {error.code}\n\n".encode()
            )  # the status was sent; the next request is refused properly


def encode(event_id: str, event: Mapping[str, object], name: str | None = None) -> bytes:
    """Encode one event; JSON written by orjson contains no line breaks."""
    kind = str(event["type"] if name is None else name)
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (event_id.encode(), kind.encode(), orjson.dumps(event))


async def _send_body(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def _until_ended(admission: Admission) -> None:
    await asyncio.shield(admission.ended)


async def until_disconnected(receive: Receive) -> None:
    """Wait until the client has left; its body was read before."""
    while (await receive())["type"] != "http.disconnect":
        pass
