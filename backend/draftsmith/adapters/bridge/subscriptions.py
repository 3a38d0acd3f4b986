"""Subscriptions of programs that shake hands: each becomes a stream of the newer form, begun anew when it breaks off.

The server keeps no sessions, so `resources/subscribe` is answered here. What was missed while a stream was broken off
is told as one change, since nobody knows better.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, Final

from draftsmith.adapters.bridge.messages import INVALID_PARAMS, RpcMessage, error, listen_request, params_of

MOST: Final = 32
_FIRST_S: Final = 0.5
_LONGEST_S: Final = 30.0

Ask = Callable[[RpcMessage], AsyncGenerator[RpcMessage, None]]
Write = Callable[[RpcMessage], Awaitable[None]]


class Subscriptions:
    """What one program has subscribed to."""

    def __init__(self, ask: Ask, write: Write) -> None:
        """Begin with none.

        Args:
            ask: asks the server.
            write: sends a message to the program.
        """
        self._ask, self._write = ask, write
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def subscribe(self, request: RpcMessage) -> RpcMessage:
        """The response to `resources/subscribe`, once the server has accepted or refused."""
        uri = params_of(request).get("uri")
        if not isinstance(uri, str):
            return error(request["id"], INVALID_PARAMS, "Which resource? Give its uri.")
        if uri in self._tasks:
            return _empty_result(request)
        if len(self._tasks) >= MOST:
            return error(request["id"], INVALID_PARAMS, f"No more than {MOST} subscriptions; end one first.")
        accepted: asyncio.Future[RpcMessage | None] = asyncio.get_running_loop().create_future()
        self._tasks[uri] = asyncio.create_task(self._follow(uri, accepted), name=f"follow {uri}")
        refused = await accepted
        if refused is None:
            return _empty_result(request)
        self._drop(uri)
        return {"jsonrpc": "2.0", "id": request["id"], "error": refused["error"]}

    def unsubscribe(self, request: RpcMessage) -> RpcMessage:
        """The response to `resources/unsubscribe`."""
        self._drop(str(params_of(request).get("uri")))
        return _empty_result(request)

    def close(self) -> None:
        """End all."""
        for uri in list(self._tasks):
            self._drop(uri)

    def _drop(self, uri: str) -> None:
        task = self._tasks.pop(uri, None)
        if task is not None:
            task.cancel()

    async def _follow(self, uri: str, accepted: asyncio.Future[RpcMessage | None]) -> None:
        """Pass on changes until it is refused; what the first stream is answered with decides `accepted`."""
        pause = _FIRST_S
        for number in range(2**31):
            async with aclosing(self._ask(listen_request(f"listen-{number}", uri))) as messages:
                async for message in messages:
                    if "method" in message:
                        pause = _FIRST_S
                        await self._relay(message, uri, accepted, is_again=number > 0)
                    elif "error" in message and not accepted.done():
                        accepted.set_result(message)
                        return
                    elif "error" in message and message["error"].get("code") == INVALID_PARAMS:
                        self._drop(uri)  # it may not be read any more
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_S)

    async def _relay(self, message: RpcMessage, uri: str, accepted: asyncio.Future[Any], *, is_again: bool) -> None:
        if message["method"] == "notifications/subscriptions/acknowledged":
            if not accepted.done():
                accepted.set_result(None)
            if is_again:
                await self._write(_update_message(uri))
        elif message["method"] == "notifications/resources/updated":
            await self._write(_update_message(uri))


def _update_message(uri: str) -> RpcMessage:
    return {"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": uri}}


def _empty_result(request: RpcMessage) -> RpcMessage:
    return {"jsonrpc": "2.0", "id": request["id"], "result": {}}
