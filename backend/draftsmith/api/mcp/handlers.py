"""What the server of agents answers besides calls of tools: resources, subscriptions, prompts, completion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from starlette.requests import Request

from draftsmith.agents.prompts import AgentPrompt
from draftsmith.api.access.gate import entered_of
from draftsmith.api.context import Context
from draftsmith.api.mcp import resources
from draftsmith.api.mcp.listening import Listening
from draftsmith.api.mcp.view import View, workspace_of_images
from draftsmith.errors import DraftsmithError
from draftsmith.usecases.agents.agent import Agent, agent_of

CallContext = ServerRequestContext[Any, Request]
Paging = types.PaginatedRequestParams | None


class Handlers:
    """Handlers by the names under which the protocol's package takes them (`all`)."""

    def __init__(self, context: Context, view: View, program_of: Callable[[CallContext], str]) -> None:
        """Make them.

        Args:
            context: the use cases.
            view: the page for programs that show such.
            program_of: the calling program as it names itself.
        """
        self._context, self._view, self._program_of = context, view, program_of
        self._listening = Listening(context)
        self._prompts = context.agents.texts.prompts

    def all(self) -> Mapping[str, Any]:
        """All of them."""
        return {
            "on_list_resources": self._list_resources,
            "on_list_resource_templates": self._list_templates,
            "on_read_resource": self._read_resource,
            "on_subscriptions_listen": self._listen,
            "on_list_prompts": self._list_prompts,
            "on_get_prompt": self._get_prompt,
            "on_completion": self._complete,
        }

    def _who(self, asked: CallContext) -> tuple[Request, Agent]:
        assert asked.request is not None
        return asked.request, agent_of(entered_of(asked.request).principal, self._program_of(asked))

    async def _list_resources(self, asked: CallContext, params: Paging) -> types.ListResourcesResult:
        cursor = params.cursor if params is not None else None
        try:
            found = await resources.list_resources(self._context, *self._who(asked), cursor)
        except DraftsmithError as error:
            raise resources.protocol_error(error) from None
        first = [] if cursor else self._view.resources()
        return types.ListResourcesResult(resources=[*first, *found.resources], next_cursor=found.next_cursor)

    async def _list_templates(self, asked: CallContext, params: Paging) -> types.ListResourceTemplatesResult:
        return resources.list_templates()

    async def _read_resource(
        self, asked: CallContext, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        page = self._view.content_or_none(uri)
        if page is not None:
            return types.ReadResourceResult(contents=[page])
        shown = workspace_of_images(uri)
        try:
            if shown is not None:
                return await resources.read_images(self._context, *self._who(asked), uri, shown)
            return await resources.read(self._context, *self._who(asked), uri)
        except DraftsmithError as error:
            raise resources.protocol_error(error, uri=uri[:2_000]) from None

    async def _listen(
        self, asked: CallContext, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        return await self._listening.listen(asked, params, self._who(asked)[1])

    async def _list_prompts(self, asked: CallContext, params: Paging) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[_prompt_entry(prompt) for prompt in self._prompts.values()])

    async def _get_prompt(self, asked: CallContext, params: types.GetPromptRequestParams) -> types.GetPromptResult:
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

    async def _complete(self, asked: CallContext, params: types.CompleteRequestParams) -> types.CompleteResult:
        known = dict(params.context.arguments or {}) if params.context is not None else {}
        asking = params.argument
        try:
            return await resources.complete(self._context, *self._who(asked), asking.name, asking.value, known)
        except DraftsmithError as error:
            raise resources.protocol_error(error) from None


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
