"""Streams of Google's SDK that are closed at once when they are left.

The SDK closes a stream that is not read to its end when the garbage collector comes to it; until then the provider
would go on. So the HTTP client remembers the answer that each task has open. Importing this imports the SDK.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import Any, Final
from weakref import WeakKeyDictionary

import httpx2
from google.genai import Client, types

_CONNECT_SECONDS: Final = 10.0


class StreamingClient(httpx2.AsyncClient):
    """An HTTP client that remembers the newest answer of each task, and goes nowhere that an answer names."""

    def __init__(self) -> None:
        super().__init__(follow_redirects=False)
        self._newest: WeakKeyDictionary[asyncio.Task[Any], httpx2.Response] = WeakKeyDictionary()

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send a request; the SDK sets one time limit for everything, which is too long for connecting."""
        timeout = request.extensions.get("timeout")
        if isinstance(timeout, dict) and timeout.get("connect"):
            request.extensions["timeout"] = {**timeout, "connect": min(_CONNECT_SECONDS, timeout["connect"])}
        response = await super().send(request, **options)
        task = asyncio.current_task()
        if task is not None:
            self._newest[task] = response
        return response

    async def close_newest(self) -> None:
        """Close the newest answer of this task, if there is one."""
        task = asyncio.current_task()
        response = None if task is None else self._newest.pop(task, None)
        if response is not None:
            await response.aclose()


@asynccontextmanager
async def open_stream(
    client: Client, http: StreamingClient, model: str, contents: Sequence[str], config: dict[str, Any]
) -> AsyncIterator[AsyncIterator[Any]]:
    """Open the stream of a turn; `contents` are messages as JSON. It is closed when the block is left."""
    messages: list[Any] = [types.Content.model_validate_json(one) for one in contents]
    stream: Any = await client.aio.models.generate_content_stream(
        model=model, contents=messages, config=types.GenerateContentConfig(**config)
    )
    try:
        async with aclosing(stream):
            yield stream
    finally:
        await http.close_newest()
