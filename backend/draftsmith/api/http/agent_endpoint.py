"""The endpoint `/mcp`: loads the MCP server at the first request, and passes requests on to it.

A process that no agent calls imports nothing of the protocol. Who calls has passed the gate by then; host, origin and
size were checked before. Not here: the protocol (`api.mcp`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from draftsmith.errors import DraftsmithError

NOT_INSTALLED: Final = (
    "Agents are not served here: the package of their protocol is not installed. Install draftsmith[mcp]."
)


class AgentServing(Protocol):
    """A running MCP server."""

    async def start(self) -> None:
        """Begin to serve."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

    async def close(self) -> None:
        """End, and what is still answered."""


class AgentEndpoint:
    """The MCP server of this process, created at the first request."""

    def __init__(self, load: Callable[[], AgentServing]) -> None:
        """Serve by what `load` makes; it is called in a thread, so that nobody else waits for its imports.

        Args:
            load: raises `ModuleNotFoundError` where the package of the protocol is not installed.
        """
        self._load = load
        self._loading: asyncio.Task[AgentServing] | None = None

    async def open(self) -> AgentServing:
        """The running server.

        Raises:
            DraftsmithError: `agents_unavailable`, where the package is not installed.
        """
        if self._loading is None:
            self._loading = asyncio.create_task(self._start_serving(), name="load the server of agents")
        loading = self._loading
        try:
            return await asyncio.shield(loading)
        except ModuleNotFoundError as error:
            raise DraftsmithError("agents_unavailable", NOT_INSTALLED) from error
        finally:
            if loading.done() and (loading.cancelled() or loading.exception() is not None):
                self._loading = None  # the next one tries again

    async def _start_serving(self) -> AgentServing:
        server = await asyncio.to_thread(self._load)
        await server.start()
        return server

    async def close(self) -> None:
        """End it."""
        if self._loading is not None:
            await (await self._loading).close()


class HandedOn(Response):
    """A response that the MCP server sends itself."""

    def __init__(self, server: AgentServing) -> None:
        """Have a server answer."""
        super().__init__()
        self._server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on."""
        await self._server.handle(scope, receive, send)
