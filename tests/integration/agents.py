"""Agents for tests: the protocol's own client over real HTTP, with one line for a call and for a refusal."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import mcp.client.session
import mcp_types as types
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.integration.client import Api, edge, node
from tests.timeouts import TIMEOUT_SECONDS

mcp.client.session.DISCOVER_TIMEOUT_SECONDS = TIMEOUT_SECONDS
"""After ten seconds without an answer to its first question the client would take the other form of the protocol."""


@dataclass
class AgentCaller:
    """An agent that is connected."""

    client: Client

    async def raw(self, tool: str, **arguments: Any) -> types.CallToolResult:
        """Call a tool, whatever comes of it; the client checks the answer against the tool's schema."""
        return await self.client.call_tool(tool, arguments)

    async def call(self, tool: str, **arguments: Any) -> Any:
        """Call a tool that must answer."""
        result = await self.raw(tool, **arguments)
        assert not result.is_error, text_of(result)
        return answer_of(result)

    async def refused(self, code: str, tool: str, **arguments: Any) -> Any:
        """Call a tool that must refuse with a code; the problem document, which the text says, too."""
        result = await self.raw(tool, **arguments)
        assert result.is_error, f"{tool} was not refused: {text_of(result)}"
        assert result.structured_content is None, "clients would hold it to the schema of the tool's answer"
        problem = problem_of(result)
        assert problem["code"] == code, text_of(result)
        return problem | {"text": text_of(result)}

    async def edit(self, w: str, base: int, *operations: Any, **more: Any) -> Any:
        """Apply a batch."""
        return await self.call("edit", workspace=w, base_revision=base, operations=list(operations), **more)


def orders_shop(api: Api, text: str, *, name: str = "Shop", then: str = "", **database: Any) -> str:
    """A workspace with two nodes and a document, revision 2; `then`: who the client is afterwards."""
    nodes = [node("orders", description="Takes orders"), node("db", **database)]
    w = api.create([*nodes, edge("orders", "db")], name=name, document={"text": text})
    if then:
        api.become(then)
    return w


def text_of(result: types.CallToolResult) -> str:
    """What the model of a program is given."""
    return "\n".join(block.text for block in result.content if isinstance(block, types.TextContent))


def answer_of(result: types.CallToolResult) -> dict[str, Any]:
    """The JSON of an answer, or the facts beside an answer in words, with these as `text`; empty for a refusal."""
    if result.structured_content is not None:
        return dict(result.structured_content)
    facts = (result.meta or {}).get("draftsmith/answer")
    return {} if facts is None else {**facts, "text": text_of(result)}


def block_of(text: str, tag: str) -> list[str]:
    """The lines between the marked tags of an answer in words; empty where there are no such tags."""
    found = re.search(rf"<({tag}-\w+)[^>]*>\n(.*?)\n</\1>", text, re.DOTALL)
    return [] if found is None else found[2].split("\n")


def problem_of(result: types.CallToolResult) -> dict[str, Any]:
    """The problem document of a refusal; empty for an answer."""
    found: dict[str, Any] = (result.meta or {}).get("draftsmith/problem", {})
    return found


@asynccontextmanager
async def agent(
    url: str,
    key: str | None = None,
    *,
    mode: str = "auto",
    program: str = "Tester",
    headers: dict[str, str] | None = None,
) -> AsyncIterator[AgentCaller]:
    """Connect an agent to a server.

    Args:
        url: of the server.
        key: what it shows.
        mode: `auto` for the protocol without sessions, `legacy` for the one that shakes hands.
        program: how the program calls itself.
        headers: further ones.
    """
    try:
        async with _connected(url, key, mode, program, headers or {}) as client:
            yield AgentCaller(client)
    except BaseExceptionGroup as group:  # of the client's tasks; what a test wants to see is the one thing in it
        found: BaseException = group
        while isinstance(found, BaseExceptionGroup) and len(found.exceptions) == 1:
            found = found.exceptions[0]
        raise found from None


@asynccontextmanager
async def _connected(
    url: str, key: str | None, mode: str, program: str, headers: dict[str, str]
) -> AsyncIterator[Client]:
    shown = {"Authorization": f"Bearer {key}"} if key is not None else {}
    async with httpx2.AsyncClient(headers={**shown, **headers}, timeout=TIMEOUT_SECONDS) as http:
        transport = streamable_http_client(f"{url}/mcp", http_client=http)
        info = types.Implementation(name=program, version="1")
        async with Client(transport, mode=mode, client_info=info, read_timeout_seconds=TIMEOUT_SECONDS) as client:
            yield client
