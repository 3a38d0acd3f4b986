"""MCP: the protocol's own package around the tools. Nothing else knows it.

Every request stands alone (`stateless`), so that any worker answers it: a client of 2026-07-28 needs no session, and
one that shakes hands is answered without one. Answers are JSON; only a subscription is a
stream.
"""

from __future__ import annotations

import asyncio
from base64 import b64encode
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from draftsmith import __version__
from draftsmith.agents.tools import AgentTool, agent_tools
from draftsmith.api.context import Context
from draftsmith.api.mcp.calls import Outcome, call_tool
from draftsmith.api.mcp.handlers import Handlers
from draftsmith.api.mcp.view import View

PROBLEM = "draftsmith/problem"
"""Where the problem document of a refusal is, in `_meta` of the result."""
ANSWER = "draftsmith/answer"
"""Where the facts about an answer in words are, in `_meta` of the result."""
Asked = ServerRequestContext[Any, Request]


class AgentServer:
    """The running server of one worker."""

    def __init__(self, context: Context) -> None:
        """Make it; `context` gives the use cases."""
        self._context = context
        texts = context.agents.texts
        self._tools = {tool.name: tool for tool in agent_tools(texts)}
        view = View(context.static)
        self._listed = [_tool_entry(tool, view) for tool in self._tools.values()]
        self.server: Server[Any] = Server(
            "draftsmith",
            version=__version__,
            title="Draftsmith",
            instructions=texts.instructions,
            get_tool_input_schema=self._input_schema,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            **Handlers(context, view, _program).all(),
        )
        self.server.extensions = view.extensions()
        whole = 2**31  # sizes are limited before, for every route alike
        self._manager = StreamableHTTPSessionManager(
            self.server, json_response=True, stateless=True, max_request_body_size=whole
        )
        self._stopping = asyncio.Event()
        self._running: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to serve; what the package runs has to end in the task in which it began."""
        started = asyncio.Event()
        self._running = asyncio.create_task(self._run(started), name="server of agents")
        await started.wait()

    async def _run(self, started: asyncio.Event) -> None:
        async with self._manager.run():
            started.set()
            await self._stopping.wait()

    async def close(self) -> None:
        """End it."""
        self._stopping.set()
        if self._running is not None:
            await self._running

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        # The parser of HTTP leaves blanks at the end of values; by RFC 9110 (5.5) they are no part of what is compared.
        scope["headers"] = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
        await self._manager.handle_request(scope, receive, send)

    def _input_schema(self, name: str) -> dict[str, Any] | None:
        tool = self._tools.get(name)
        return None if tool is None else dict(tool.input_schema)

    async def _list_tools(self, asked: Asked, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=self._listed)

    async def _call_tool(self, asked: Asked, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name not in self._tools:
            there = ", ".join(self._tools)
            raise MCPError(types.INVALID_PARAMS, f"There is no tool '{params.name[:80]}'. The tools are: {there}.")
        assert asked.request is not None
        outcome = await call_tool(
            self._context, asked.request, _program(asked), params.name, params.arguments or {}
        )  # fmt: skip
        return _result(outcome, has_schema=self._tools[params.name].output_schema is not None)


def _program(asked: Asked) -> str:
    """As the calling program names itself; empty where it does not say."""
    params = asked.session.client_params
    if params is None:
        return ""
    return params.client_info.title or params.client_info.name


def _tool_entry(tool: AgentTool, view: View) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=dict(tool.input_schema),
        output_schema=None if tool.output_schema is None else dict(tool.output_schema),
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.is_reading,
            destructive_hint=tool.is_destructive,
            idempotent_hint=tool.is_reading,
            open_world_hint=False,
        ),
        meta=view.meta_of(tool.name),
    )


def _result(outcome: Outcome, *, has_schema: bool) -> types.CallToolResult:
    content: list[types.ContentBlock] = [types.TextContent(type="text", text=outcome.text)]
    if outcome.picture:
        image = b64encode(outcome.picture).decode()
        content.append(types.ImageContent(type="image", data=image, mime_type="image/png"))
    if not outcome.is_error and not has_schema:
        # Programs hand their model either structured content or the text, some of them both: long texts go once.
        return types.CallToolResult(content=content, meta={ANSWER: dict(outcome.data)})
    if not outcome.is_error:
        return types.CallToolResult(content=content, structured_content=dict(outcome.data))
    # A problem document is no answer of the tool: clients hold structured content to the output schema, also that of an
    # error, and would tell their model about the schema in place of the problem.
    return types.CallToolResult(content=content, is_error=True, meta={PROBLEM: dict(outcome.data)})
