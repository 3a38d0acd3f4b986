"""MCP between a desktop program's pipes and a server's `/mcp`: what comes by the one is sent by the other.

Tools, texts and rules are the server's; the bridge knows none. It answers by itself only when the server cannot, and
subscriptions of programs that shake hands (`subscriptions`). A call that is cancelled is abandoned, and whatever it
would have answered is not passed on.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any, Final, cast

import orjson

from draftsmith.adapters.bridge.exchange import Exchange, ServerAwayError
from draftsmith.adapters.bridge.messages import (
    INVALID_REQUEST,
    PARSE_ERROR,
    RpcMessage,
    error,
    params_of,
    refusal,
    version_of,
)
from draftsmith.adapters.bridge.server_locator import ServerLocator
from draftsmith.adapters.bridge.subscriptions import Subscriptions
from draftsmith.errors import DraftsmithError

_AWAY_S: Final = 3.0
_AGAIN_S: Final = 0.3
_FINISH_S: Final = 10.0
_PARENT_EVERY_S: Final = 1.0
_MOST_LINE: Final = 64 * 1024 * 1024


class Bridge:
    """One program's connection."""

    def __init__(self, place: ServerLocator, key: str | None, source: int, target: int) -> None:
        """Prepare.

        Args:
            place: finds the server.
            key: what the server is shown; None for nothing.
            source, target: descriptors of the pipes from and to the program.
        """
        self._place, self._source, self._target = place, source, target
        self._exchange = Exchange(key)
        self._subscriptions = Subscriptions(self._ask, self._write)
        self._negotiated: str | None = None
        self._url: str | None = None
        self._finding: asyncio.Task[str] | None = None
        self._writing = asyncio.Lock()
        self._tasks: dict[Any, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Serve until the program closes its pipe or ends; what is being answered then gets some seconds."""
        try:
            async for line in _lines(self._source):
                await self._take(line)
            pending = [task for task in self._tasks.values() if task.get_name() != "listen"]
            if pending:
                await asyncio.wait(pending, timeout=_FINISH_S)
        finally:
            self._subscriptions.close()
            for task in list(self._tasks.values()):
                task.cancel()
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)
            await self._exchange.close()

    async def _take(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            shape = orjson.loads(line)
        except orjson.JSONDecodeError as problem:
            await self._write(error(None, PARSE_ERROR, f"This line is no JSON: {problem}."))
            return
        if not isinstance(shape, dict) or shape.get("jsonrpc") != "2.0":
            await self._write(error(None, INVALID_REQUEST, "Each line must be one JSON-RPC 2.0 message."))
            return
        message = cast(RpcMessage, shape)
        if message.get("method") == "notifications/cancelled":
            cancelled = self._tasks.pop(_id(params_of(message).get("requestId")), None)
            if cancelled is not None:
                cancelled.cancel()
        elif isinstance(message.get("method"), str) and message.get("id") is not None:
            name = "listen" if message["method"] == "subscriptions/listen" else "request"
            key = _id(message["id"])
            task = asyncio.create_task(self._answer(message), name=name)
            self._tasks[key] = task
            task.add_done_callback(lambda done: self._tasks.pop(key) if self._tasks.get(key) is done else None)
        # Other notifications and responses mean nothing to a server without sessions.

    async def _answer(self, request: RpcMessage) -> None:
        if version_of(request) is None and request["method"] == "resources/subscribe":
            await self._write(await self._subscriptions.subscribe(request))
        elif version_of(request) is None and request["method"] == "resources/unsubscribe":
            await self._write(self._subscriptions.unsubscribe(request))
        else:
            async with aclosing(self._ask(request)) as messages:
                async for message in messages:
                    await self._write(message)

    async def _ask(self, request: RpcMessage) -> AsyncGenerator[RpcMessage, None]:
        """What the server answers; a server that is away is looked for again, and waited for a little."""
        deadline = time.monotonic() + _AWAY_S
        while True:
            try:
                url = self._url or await self._find()
                async with aclosing(self._exchange.ask(url, request, self._negotiated)) as messages:
                    async for message in messages:
                        yield self._note_handshake(request, message)
                return
            except DraftsmithError as problem:
                yield refusal(request, f"Draftsmith cannot be reached ({problem.code}): {problem.detail}")
                return
            except ServerAwayError as problem:
                self._url = None
                if time.monotonic() > deadline:
                    yield refusal(request, f"Draftsmith does not answer at {url} ({problem}). Nothing was done.")
                    return
            await asyncio.sleep(_AGAIN_S)

    async def _find(self) -> str:
        """Find the server, once for all who wait for it."""
        if self._finding is None:
            self._finding = asyncio.create_task(asyncio.to_thread(self._place.find), name="find the server")
        finding = self._finding
        try:
            self._url = await asyncio.shield(finding)
        finally:
            if finding.done() and self._finding is finding:
                self._finding = None
        return self._url

    def _note_handshake(self, request: RpcMessage, message: RpcMessage) -> RpcMessage:
        """Note what a handshake has agreed on, and say that resources can be subscribed to."""
        result = message.get("result")
        if request["method"] != "initialize" or not isinstance(result, dict):
            return message
        if isinstance(result.get("protocolVersion"), str):
            self._negotiated = result["protocolVersion"]
        resources = result.get("capabilities", {}).get("resources")
        if isinstance(resources, dict):
            resources["subscribe"] = True
        return message

    async def _write(self, message: RpcMessage) -> None:
        line = memoryview(orjson.dumps(message) + b"\n")
        async with self._writing:
            # In a thread, since a program that does not read must not hold up the others' calls.
            await asyncio.to_thread(_write_all, self._target, line)


def _id(value: Any) -> Any:
    """An id of a request as a key: 1 and "1" differ, and what is no id is none."""
    return (type(value).__name__, value) if isinstance(value, str | int) else None


def _write_all(target: int, line: memoryview) -> None:
    while line:
        line = line[os.write(target, line) :]


async def _lines(source: int) -> AsyncIterator[bytes]:
    """The lines that come by a descriptor, until its end or until the process that started this one has ended."""
    loop = asyncio.get_running_loop()
    arrived: asyncio.Queue[bytes] = asyncio.Queue()

    def on_data(data: bytes) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(arrived.put_nowait, data)

    for target in (_read, _watch_parent):
        threading.Thread(target=target, args=(source, on_data), daemon=True).start()
    rest = b""
    while data := await arrived.get():
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            yield line
        if len(rest) > _MOST_LINE:
            return
    yield rest


def _read(source: int, on_data: Any) -> None:
    while True:
        try:
            data = os.read(source, 1 << 16)
        except OSError:
            data = b""
        on_data(data)
        if not data:
            return


def _watch_parent(_source: int, on_data: Any) -> None:
    """A pipe may stay open although the program has ended, where another process has inherited it."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(_PARENT_EVERY_S)
    on_data(b"")
