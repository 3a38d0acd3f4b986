"""What routes depend on: the use cases and a few facts of this process. Built by `main`, read by nothing below."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Depends, Path
from starlette.requests import HTTPConnection, Request

from draftsmith.access.folders import FolderId
from draftsmith.api.access.admissions import Admissions
from draftsmith.api.access.cookies import Profiles
from draftsmith.api.access.gate import AuthorizedCaller, Gate, entered_of
from draftsmith.api.access.tickets import LiveTickets
from draftsmith.api.http.agent_endpoint import AgentEndpoint
from draftsmith.api.http.guard import note
from draftsmith.api.http.metrics import Collector
from draftsmith.api.live.socket import OpenSockets
from draftsmith.history.actor import Actor
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.workspace import WorkspaceContent
from draftsmith.ports import Clock, CommitLog
from draftsmith.ports.store import StoreConnection
from draftsmith.usecases.access.dependencies import AccessDependencies
from draftsmith.usecases.agents.dependencies import AgentDependencies
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.live.hub import Live
from draftsmith.usecases.prepare.parsed_charts import ChartParsers
from draftsmith.usecases.proposals.proposals import Proposals
from draftsmith.usecases.requests.client import Client, set_client
from draftsmith.usecases.requests.identity import RequestIdentity, identify
from draftsmith.usecases.runs.assistant import Assistant
from draftsmith.usecases.staging.suggestions import Suggestions
from draftsmith.usecases.upkeep.images import Images
from draftsmith.usecases.upkeep.listing import Listing
from draftsmith.usecases.upkeep.pictures import Pictures
from draftsmith.usecases.upkeep.store_watch import StoreWatch

if TYPE_CHECKING:  # nothing of plugins is imported where none is registered
    from draftsmith.usecases.workloads.running_workloads import RunningWorkloads

API = "/api/v1"
"""Where the API begins. Each router carries it, so that routes know their whole path (metrics name them by it)."""


@dataclass(frozen=True)
class Context:
    """Everything a route may use.

    Attributes:
        templates: lists what one can start from, as JSON.
        template: reads one, in export form.
        static: folder of the built editor; None if it was not built.
        frame_ancestors: other origins whose pages may show the editor in a frame.
        agents: what the tools of agents need.
        agent_endpoint: the server of agents of this worker, loaded when the first one calls.
        issuer: whose tokens are accepted; None without one.
        images: what documents and nodes refer to.
        stopping: set when this process begins to stop; answers that wait for something are to end then.
        workloads: what runs, from plugins; None where none is registered.
        pictures: draws diagrams; None where this installation cannot.
        charts: Mermaid's own parsers; None where this installation has none.
        icons: files that are served below `icons/` in place of those of the editor, by their names.
    """

    workspaces: Workspaces
    listing: Listing
    log: CommitLog
    store: StoreConnection
    store_watch: StoreWatch
    clock: Clock
    profiles: Profiles
    gate: Gate
    admissions: Admissions
    access: AccessDependencies
    live_tickets: LiveTickets
    limits: WorkspaceLimits
    templates: Callable[[], Sequence[Mapping[str, Any]]]
    template: Callable[[str], WorkspaceContent]
    static: FilePath | None
    frame_ancestors: Sequence[str]
    assistant: Assistant
    proposals: Proposals
    suggestions: Suggestions
    live: Live
    sockets: OpenSockets
    agents: AgentDependencies
    agent_endpoint: AgentEndpoint
    issuer: str | None
    stopping: asyncio.Event
    metrics: Collector
    images: Images
    workloads: RunningWorkloads | None = None
    pictures: Pictures | None = None
    charts: ChartParsers | None = None
    icons: Mapping[str, bytes] = field(default_factory=dict)


def context_of(connection: HTTPConnection) -> Context:
    """What `main` has put together."""
    context: Context = connection.app.state.context
    return context


def actor_of(connection: HTTPConnection, context: Context) -> Actor:
    """Who asks, noted in the log line."""
    entered: AuthorizedCaller | None = getattr(connection.state, "entered", None)
    actor = context.profiles.actor(connection) if entered is None else entered.principal.actor
    note(connection.scope, actor=actor.id)
    set_client(_client_of(connection, actor))
    return actor


def _client_of(connection: HTTPConnection, actor: Actor) -> Client:
    """Whose work this is; programs are told apart by their connections, since they do not say who they are."""
    host, port = connection.client or ("", 0)
    return Client(host, actor.id if actor.is_person else f"{host}:{port}")


# Coroutines although they wait for nothing: FastAPI would run plain functions in a thread, at twice a commit's cost.
async def _context(request: Request) -> Context:
    return context_of(request)


async def _actor(request: Request) -> Actor:
    return actor_of(request, context_of(request))


async def _caller_of(request: Request) -> AuthorizedCaller:
    return entered_of(request)


Ctx = Annotated[Context, Depends(_context)]
Me = Annotated[Actor, Depends(_actor)]
Who = Annotated[AuthorizedCaller, Depends(_caller_of)]
"""Who has passed the gate, with what they may."""
PathFolderId = Annotated[FolderId, Path(alias="f")]
"""The folder that a path names."""
PathWorkspaceId = Annotated[WorkspaceId, Path(alias="w")]
"""The workspace that a path names; the paths of version 1 of the API call it `w`."""


def identity_of(context: Context, actor: Actor, request: Request, key: str | None) -> RequestIdentity:
    """The identity of a write, noted in the log line."""
    identity = identify(actor, key, context.clock)
    note(request.scope, batch_id=identity.batch_id)
    return identity
