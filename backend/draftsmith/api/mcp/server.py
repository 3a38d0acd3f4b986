"""MCP: the server of agents by the protocol's own package: tools, resources, subscriptions, prompts, completion.

Every request stands alone (`stateless`), so that any worker answers it: a client of 2026-07-28 needs no session, and
one that shakes hands is answered without one. Answers are JSON; only a subscription is a stream. Not here: what a call
of a tool does (`calls`), streams of subscriptions (`listening`), resources (`resources`).
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
from draftsmith.agents.prompts import AgentPrompt
from draftsmith.agents.tools import AgentTool, agent_tools
from draftsmith.api.access.gate import entered_of
from draftsmith.api.context import Context
from draftsmith.api.mcp import resources
from draftsmith.api.mcp.calls import Outcome, call_tool
from draftsmith.api.mcp.listening import Listening
from draftsmith.api.mcp.view import View, workspace_of_images
from draftsmith.errors import DraftsmithError
from draftsmith.usecases.agents.agent import Agent, agent_of

Paging = types.PaginatedRequestParams | None
PROBLEM = "draftsmith/problem"
"""Where the problem document of a refusal is, in `_meta` of the result."""
ANSWER = "draftsmith/answer"
"""Where the facts about an answer in words are, in `_meta` of the result."""
CallContext = ServerRequestContext[Any, Request]
"""A request of the protocol, as its package hands it over."""


class AgentServer:
    """The server of agents of one worker."""

    def __init__(self, context: Context) -> None:
        """Make the server; it serves once `start` has returned."""
        self._context = context
        texts = context.agents.texts
        self._tools = {tool.name: tool for tool in agent_tools(texts)}
        self._view = view = View(context.static)
        self._listed = [_tool_entry(tool, view) for tool in self._tools.values()]
        self._prompts = texts.prompts
        self._listening = Listening(context)
        self.server: Server[Any] = Server(
            "draftsmith",
            version=__version__,
            title="Draftsmith",
            instructions=texts.instructions,
            get_tool_input_schema=self._input_schema,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_subscriptions_listen=self._listen,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_completion=self._complete,
        )
        self.server.extensions = view.extensions()
        whole = 2**31  # sizes are limited before, for every route alike
        self._manager = StreamableHTTPSessionManager(
            self.server, json_response=True, stateless=True, max_request_body_size=whole
        )
        self._stopping = asyncio.Event()
        self._running: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to serve, in a task of its own: what the package runs has to end in the task in which it began."""
        started = asyncio.Event()
        self._running = asyncio.create_task(self._run(started), name="server of agents")
        await started.wait()

    async def _run(self, started: asyncio.Event) -> None:
        async with self._manager.run():
            started.set()
            await self._stopping.wait()

    async def close(self) -> None:
        """Stop serving."""
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

    async def _list_tools(
        self, call: CallContext, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=self._listed)

    async def _call_tool(self, call: CallContext, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name not in self._tools:
            there = ", ".join(self._tools)
            raise MCPError(types.INVALID_PARAMS, f"There is no tool '{params.name[:80]}'. The tools are: {there}.")
        assert call.request is not None
        outcome = await call_tool(
            self._context, call.request, _program(call), params.name, params.arguments or {}
        )  # fmt: skip
        return _result(outcome, has_schema=self._tools[params.name].output_schema is not None)

    def _caller(self, call: CallContext) -> tuple[Request, Agent]:
        """Return the request, and the agent that makes it."""
        assert call.request is not None
        return call.request, agent_of(entered_of(call.request).principal, _program(call))

    async def _list_resources(self, call: CallContext, params: Paging) -> types.ListResourcesResult:
        cursor = params.cursor if params is not None else None
        try:
            found = await resources.list_resources(self._context, *self._caller(call), cursor)
        except DraftsmithError as error:
            raise resources.protocol_error(error) from None
        first = [] if cursor else self._view.resources()
        return types.ListResourcesResult(resources=[*first, *found.resources], next_cursor=found.next_cursor)

    async def _list_templates(self, call: CallContext, params: Paging) -> types.ListResourceTemplatesResult:
        return resources.list_templates()

    async def _read_resource(
        self, call: CallContext, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        page = self._view.content_or_none(uri)
        if page is not None:
            return types.ReadResourceResult(contents=[page])
        shown = workspace_of_images(uri)
        try:
            if shown is not None:
                return await resources.read_images(self._context, *self._caller(call), uri, shown)
            return await resources.read(self._context, *self._caller(call), uri)
        except DraftsmithError as error:
            raise resources.protocol_error(error, uri=uri[:2_000]) from None

    async def _listen(
        self, call: CallContext, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        return await self._listening.listen(call, params, self._caller(call)[1])

    async def _list_prompts(self, call: CallContext, params: Paging) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[_prompt_entry(prompt) for prompt in self._prompts.values()])

    async def _get_prompt(self, call: CallContext, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        prompt = self._prompts.get(params.name)
        try:
            if prompt is None:
                there = ", ".join(self._prompts)
                raise DraftsmithError("not_found", f"There is no prompt {params.name[:80]!r}. There are: {there}.")
            text = prompt.fill(params.arguments or {})
        except DraftsmithError as error:
            raise resources.protocol_error(error) from None
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(description=prompt.description, messages=[message])

    async def _complete(self, call: CallContext, params: types.CompleteRequestParams) -> types.CompleteResult:
        known = dict(params.context.arguments or {}) if params.context is not None else {}
        asking = params.argument
        try:
            return await resources.complete(self._context, *self._caller(call), asking.name, asking.value, known)
        except DraftsmithError as error:
            raise resources.protocol_error(error) from None


def _program(call: CallContext) -> str:
    """As the calling program names itself; empty where it does not say."""
    params = call.session.client_params
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


def _prompt_entry(prompt: AgentPrompt) -> types.Prompt:
    return types.Prompt(
        name=prompt.name,
        title=prompt.title,
        description=prompt.description,
        arguments=[
            types.PromptArgument(name=one.name, description=one.description, required=one.is_required)
            for one in prompt.arguments
        ],
    )
