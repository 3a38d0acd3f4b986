"""Subscriptions: a stream that tells an agent which of some resources have changed, for as long as it may read them.

One stream is one request (`subscriptions/listen`); the sooner of its end by the client, by this worker's stopping, or
by what is taken from the agent ends it. Which resources it tells of is said first. There is no replay: who listens anew
reads anew.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final, cast

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import SUBSCRIPTION_ID_META_KEY
from starlette.requests import Request

from draftsmith.agents.resources import Resource, resource_or_none
from draftsmith.api.access.gate import AuthorizedCaller, entered_of
from draftsmith.api.context import Context
from draftsmith.api.mcp.actions import RESOURCES
from draftsmith.api.mcp.resources import entered_for, protocol_error
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.agents.agent import Agent
from draftsmith.usecases.agents.changes import ResourceWatcher

MOST_RESOURCES: Final = 50
MOST_STREAMS: Final = 8
"""Of one agent on one worker."""
MOST_STREAMS_OF_ALL: Final = 1_000

Asked = ServerRequestContext[Any, Request]


class Listening:
    """The open streams of one worker."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._open: Counter[str] = Counter()

    async def listen(
        self, asked: Asked, params: types.SubscriptionsListenRequestParams, agent: Agent
    ) -> types.SubscriptionsListenResult:
        """Serve one stream.

        Raises:
            MCPError: it asks for too much, or too many are open.
        """
        request = asked.request
        assert request is not None
        assert asked.request_id is not None
        uris = list(dict.fromkeys(params.notifications.resource_subscriptions or ()))
        if len(uris) > MOST_RESOURCES:
            raise MCPError(types.INVALID_PARAMS, f"No more than {MOST_RESOURCES} resources in one subscription.")
        try:
            await self._context.gate.count_call(entered_of(request), agent.id)
            async with self._count_open(agent.id):
                stream = _Stream(self._context, asked, agent)
                await stream.run(uris)
        except DraftsmithError as error:
            raise protocol_error(error) from None
        return types.SubscriptionsListenResult(meta={SUBSCRIPTION_ID_META_KEY: asked.request_id})

    @asynccontextmanager
    async def _count_open(self, agent_id: str) -> AsyncIterator[None]:
        if self._open[agent_id] >= MOST_STREAMS or self._open.total() >= MOST_STREAMS_OF_ALL:
            raise MCPError(types.INTERNAL_ERROR, "Too many subscriptions are open; end one first.")
        self._open[agent_id] += 1
        try:
            yield
        finally:
            self._open[agent_id] -= 1
            if not self._open[agent_id]:
                del self._open[agent_id]


class _Stream:
    """One of them."""

    def __init__(self, context: Context, asked: Asked, agent: Agent) -> None:
        self._context, self._asked, self._agent = context, asked, agent
        self._changed: dict[str, None] = {}
        self._news = asyncio.Event()

    async def run(self, uris: Sequence[str]) -> None:
        """Say which of these are told of, and tell of them until something ends that."""
        allowed = await self._readable_resources(uris)
        if uris and not allowed:
            raise DraftsmithError("not_found", "None of these resources is there to be read.")
        async with AsyncExitStack() as stack:
            endings: list[asyncio.Future[Any]] = [
                stack.enter_context(
                    self._context.admissions.watch(entered, workspace_id, RESOURCES["resources/read"])
                ).ended
                for workspace_id, (entered, _) in allowed.items()
            ]
            tasks: list[asyncio.Task[None]] = []
            stack.push_async_callback(_cancel_all, tasks)
            await self._begin_following([resources for _, resources in allowed.values()], tasks)
            honored = [uri for _, resources in allowed.values() for uri in resources.values()]
            await self._send(
                types.SubscriptionsAcknowledgedNotification(
                    params=types.SubscriptionsAcknowledgedNotificationParams(
                        notifications=types.SubscriptionFilter(resource_subscriptions=honored or None), meta=self._meta
                    )
                )
            )
            sending = asyncio.create_task(self._send_changes(), name="tell an agent of changes")
            stopping = asyncio.create_task(self._context.stopping.wait(), name="process stops")
            stack.push_async_callback(_cancel_all, [sending, stopping])
            waits = [sending, stopping, *tasks, *(asyncio.shield(one) for one in endings)]
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)

    async def _readable_resources(
        self, uris: Sequence[str]
    ) -> dict[WorkspaceId, tuple[AuthorizedCaller, dict[Resource, str]]]:
        """By workspace, who may read it, and the resources with their addresses as they were given."""
        allowed: dict[WorkspaceId, tuple[AuthorizedCaller, dict[Resource, str]]] = {}
        request = self._asked.request
        assert request is not None
        for uri in uris:
            resource = resource_or_none(uri)
            if resource is None:
                continue
            if WorkspaceId(resource.workspace) not in allowed:
                try:
                    workspace_id = await entered_for(self._context, request, self._agent, resource.workspace)
                    await self._context.workspaces.log_reader(workspace_id)
                except DraftsmithError as error:
                    if error.code.startswith("storage_"):
                        raise
                    continue  # what one may not read, one is not told of
                allowed[workspace_id] = (entered_of(request), {})
            allowed[WorkspaceId(resource.workspace)][1][resource] = uri
        return allowed

    async def _begin_following(self, watched: Sequence[dict[Resource, str]], tasks: list[asyncio.Task[None]]) -> None:
        """Begin to follow workspaces; returns when no change is missed any more.

        Each task is added to `tasks` as it starts, so that the caller can cancel all of them at any moment.
        """
        for resources in watched:
            begun = asyncio.Event()
            task = asyncio.create_task(self._follow(resources, begun), name="follow for an agent")
            tasks.append(task)
            waiting = asyncio.create_task(begun.wait())
            try:
                await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                waiting.cancel()

    async def _follow(self, resources: dict[Resource, str], ready: asyncio.Event) -> None:
        def on_change(changed: Sequence[Resource]) -> None:
            self._changed.update((resources[one], None) for one in changed)
            self._news.set()

        def follow(workspace_id: WorkspaceId) -> AsyncGenerator[Any, None]:
            return cast(AsyncGenerator[Any, None], self._context.live.follow(workspace_id, None))

        changes = ResourceWatcher(self._context.workspaces, self._context.clock, follow, list(resources))
        await changes.run(ready, on_change)

    async def _send_changes(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            changed, self._changed = self._changed, {}
            for uri in changed:
                params = types.ResourceUpdatedNotificationParams(uri=uri, meta=self._meta)
                await self._send(types.ResourceUpdatedNotification(params=params))

    @property
    def _meta(self) -> dict[str, Any]:
        return {SUBSCRIPTION_ID_META_KEY: self._asked.request_id}

    async def _send(self, notification: Any) -> None:
        await self._asked.session.send_notification(notification, related_request_id=self._asked.request_id)


async def _cancel_all(tasks: Sequence[asyncio.Task[Any]]) -> None:
    """End tasks; how they end does not matter."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
