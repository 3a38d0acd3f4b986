"""The composition root: settings → adapters → use cases → application. Only it and its `parts` build."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict
from importlib import import_module
from typing import Any, Literal, TypedDict

import structlog
from fastapi import FastAPI
from starlette.types import ASGIApp

from draftsmith import __version__
from draftsmith.adapters.files.editor_folder import static_folder
from draftsmith.adapters.files.template_files import list_templates, read_template
from draftsmith.adapters.process.event_loop import EventLoopWatch
from draftsmith.adapters.process.logs import configure_logs
from draftsmith.adapters.process.system import SystemClock
from draftsmith.adapters.redis.access.stores import access_stores
from draftsmith.adapters.redis.agents import RedisAgents
from draftsmith.adapters.redis.commit_log import RedisCommitLog
from draftsmith.adapters.redis.connection import connect
from draftsmith.adapters.redis.listing import RedisList
from draftsmith.adapters.redis.secret import cookie_secret
from draftsmith.adapters.redis.usable import room_of
from draftsmith.adapters.redis.wakes import RedisWakes
from draftsmith.adapters.redis.workspace_index import RedisIndex
from draftsmith.adapters.server.snapshot_process import SnapshotStarter
from draftsmith.api.access.admissions import Admissions
from draftsmith.api.access.cookies import Profiles
from draftsmith.api.access.gate import Gate
from draftsmith.api.access.rates import Rates
from draftsmith.api.access.tickets import LiveTickets
from draftsmith.api.app import NetworkOptions, add_guard, build_app
from draftsmith.api.context import Context
from draftsmith.api.http.agent_endpoint import AgentEndpoint
from draftsmith.api.http.metrics import STALLS, AssistantMetrics, Collector, CommitMetrics, LiveMetrics, LoadMetrics
from draftsmith.api.live.socket import CLOSE_SECONDS, OpenSockets
from draftsmith.collab.protocol import live_schema
from draftsmith.components import (
    agent_server,
    agent_texts_read,
    assistant_of,
    body_limits_of,
    chart_parsers_of,
    icons_of,
    identity_for,
    images_of,
    limits_of,
    pictures_of,
    preparer_pool_of,
    workloads_of,
)
from draftsmith.errors import DraftsmithError
from draftsmith.settings import Settings
from draftsmith.settings_models import comma_list
from draftsmith.transform.requests.schema import compact_schema
from draftsmith.usecases.access.dependencies import AccessDependencies
from draftsmith.usecases.agents.dependencies import AgentDependencies
from draftsmith.usecases.agents.presence import AgentPresence
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.live.dependencies import Dependencies
from draftsmith.usecases.live.hub import Live
from draftsmith.usecases.proposals.proposals import Proposals
from draftsmith.usecases.staging.suggestions import Suggestions
from draftsmith.usecases.upkeep.housekeeping import Housekeeping
from draftsmith.usecases.upkeep.kept_images import ImageUpkeep
from draftsmith.usecases.upkeep.listing import Listing
from draftsmith.usecases.upkeep.retention import policy_of
from draftsmith.usecases.upkeep.store_watch import StoreWatch


def contract(what: Literal["openapi", "operations", "live"]) -> dict[str, Any]:
    """What clients are generated from: OpenAPI, or the JSON Schema of operations or of the live protocol."""
    if what == "live":
        return live_schema()
    if what == "operations":
        return dict(compact_schema())
    return build_app("1", None).openapi()  # of the API, not of the product: the file changes only with the contract


def _tune_garbage_collector() -> None:
    """Have the garbage collector run from now on, but seldom, and ignore what was loaded at the start.

    Workspaces are millions of small long-lived objects without cycles; traversing all of them every few hundred
    requests costs more than it frees. What the start has left behind is less than a megabyte.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()


def _load_graphs() -> None:
    """Import networkx in a thread: 0.1 s that neither the start nor the first workspace has to wait for."""
    threading.Thread(target=import_module, args=("networkx",), name="load networkx", daemon=True).start()


class WorkerState(TypedDict):
    """What the server is told of the application that it serves.

    Attributes:
        stop: closes live connections and streams; called before the server waits for responses.
        ready: imports what the first requests need; called when the server serves.
        max_unsent_bytes: how much a connection may be behind before it is closed.
    """

    stop: Callable[[], Awaitable[None]]
    ready: Callable[[], None]
    max_unsent_bytes: int


def create_app(settings: Settings | None = None) -> ASGIApp:
    """Build the application of one worker; the store's URL comes from the launcher, or from `REDIS_URL`."""
    settings = settings or Settings()
    configure_logs(settings.log_level, settings.log_format)
    url = settings.draftsmith_store_url or settings.redis_url
    if url is None:
        raise DraftsmithError("storage_down", "No store: start with `draftsmith serve`, or set REDIS_URL.")
    metrics = Collector()

    async def open_all(app: FastAPI, opened: AsyncExitStack) -> WorkerState:
        connection = await connect(url, has_room=room_of(url, settings.data_dir, settings.redis_url))
        opened.push_async_callback(connection.close)
        stopping = asyncio.Event()
        clock = SystemClock()
        store_watch = StoreWatch(connection, clock, comma_list(settings.store_risks_accepted))
        log = RedisCommitLog(connection)
        limits = limits_of(settings)
        # No two alike, on other machines either: what a worker hears of its own appends it does not look for.
        worker = f"{settings.draftsmith_worker}-{os.getpid()}-{clock.new_id()[-8:]}"
        elsewhere = preparer_pool_of(settings, url)
        workspaces = Workspaces(log, RedisIndex(connection), clock, limits, worker, preparer_pool=elsewhere)
        snapshots = SnapshotStarter(log, worker, url)
        assistant = assistant_of(settings, workspaces, connection, clock)
        stores = access_stores(connection)
        images = images_of(settings)
        listing = Listing(log, RedisList(connection), workspaces.index, stores.workspaces, clock)
        housekeeping = Housekeeping(
            log=log,
            index=workspaces.index,
            clock=clock,
            snapshots=snapshots,
            policy=policy_of(settings),
            trash_days=settings.trash_days,
            runs=assistant.dependencies.store,
            access=stores.workspaces,
            listing=listing,
            images=ImageUpkeep(blobs=images.blobs, log=log, clock=clock, runs=assistant.dependencies.store),
            close_unused=workspaces.close_unused,
        )
        workspaces.after_commits = housekeeping.check_snapshot
        profiles = Profiles(await cookie_secret(connection), settings.root_path or "/")
        identity = identity_for(settings, clock)
        access = AccessDependencies(
            stores=stores,
            clock=clock,
            verifier=None if identity is None else identity.verifier,
            sign_in=None if identity is None else identity.sign_in,
            issuer_session_ms=settings.session_hours * 3_600_000,
            most_of_application=settings.application_workspaces,
            is_local=settings.access_mode == "local",
        )
        rates = Rates(
            access.stores.rates,
            clock,
            settings.writes_per_minute,
            settings.tries_per_minute,
            settings.agent_calls_per_minute,
        )
        gate = Gate(settings.access_mode, profiles, access, rates)
        admissions = Admissions(gate, settings.max_open)
        proposals = Proposals(workspaces, assistant.dependencies.store, limits)
        wakes, sockets = RedisWakes(connection), OpenSockets()
        suggestions = Suggestions(workspaces, proposals, limits, assistant.proposals_changed)
        agent_presence = AgentPresence(wakes, clock)
        agent_endpoint = AgentEndpoint(lambda: agent_server(app.state.context))
        icons = icons_of(settings)
        for one in () if icons is None else icons.left_out:
            structlog.get_logger("draftsmith.icons").warning("icon_left_out", file=one.file, reason=one.reason)
        pictures = pictures_of(settings, workspaces, images, icons)
        charts = chart_parsers_of(settings, elsewhere)
        live = Live(
            Dependencies(
                workspaces=workspaces,
                wakes=wakes,
                assistant=assistant,
                proposals=proposals,
                clock=clock,
                limits=limits,
                store_risks=lambda: store_watch.notices,
            )
        )
        quality = assistant.dependencies.metering.quality
        watch = EventLoopWatch(STALLS.observe)
        load = LoadMetrics(elsewhere, lambda: watch.longest)
        metrics.add(CommitMetrics(workspaces), LiveMetrics(live), AssistantMetrics(quality), load)
        app.state.context = Context(
            workspaces=workspaces,
            listing=listing,
            log=log,
            store=connection,
            store_watch=store_watch,
            clock=clock,
            profiles=profiles,
            gate=gate,
            admissions=admissions,
            access=access,
            live_tickets=LiveTickets(access.stores.one_time, clock),
            limits=limits,
            templates=lambda: [asdict(template) for template in list_templates()],
            template=read_template,
            static=settings.editor_dir or static_folder(),
            frame_ancestors=comma_list(settings.frame_ancestors),
            assistant=assistant,
            proposals=proposals,
            suggestions=suggestions,
            live=live,
            sockets=sockets,
            agents=AgentDependencies(
                workspaces=workspaces,
                log=log,
                proposals=proposals,
                suggestions=suggestions,
                store=RedisAgents(connection),
                clock=clock,
                limits=limits,
                texts=agent_texts_read(),
                presence=agent_presence,
                assistant=assistant,
                pictures=pictures,
            ),
            agent_endpoint=agent_endpoint,
            issuer=None if settings.access_mode == "local" else settings.jwt_issuer or settings.oidc_issuer,
            stopping=stopping,
            metrics=metrics,
            images=images,
            workloads=workloads_of(assistant, suggestions),
            pictures=pictures,
            charts=charts,
            icons={} if icons is None else icons.own,
        )
        for close in (
            snapshots.close,
            listing.close,
            housekeeping.close,
            *(() if elsewhere is None else (elsewhere.close,)),
            *(() if pictures is None else (pictures.close,)),
            *(() if charts is None else (charts.close,)),
            images.blobs.close,
            workspaces.close,
            assistant.dependencies.providers.close,
            assistant.close,
            wakes.close,
            live.close,
            admissions.close,
            agent_presence.close,
            agent_endpoint.close,
            store_watch.close,
            watch.stop,
        ):
            opened.push_async_callback(close)
        opened.callback(metrics.collect)  # called first: a stack calls in the reverse order
        await store_watch.start()
        housekeeping.start()
        listing.start()
        admissions.start()
        assistant.begin()
        _tune_garbage_collector()
        watch.start()

        def ready() -> None:
            """Import what the first requests need and the start does not; called when the server serves."""
            _load_graphs()
            assistant.dependencies.providers.load_in_background()
            if elsewhere is not None and settings.preparers_start == "ready":
                elsewhere.start_in_background()

        async def stop() -> None:
            """Close live connections and streams; called before the server waits for responses."""
            stopping.set()
            await live.close()
            await sockets.until_none(CLOSE_SECONDS)

        return {"stop": stop, "ready": ready, "max_unsent_bytes": settings.max_unsent_bytes}

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[WorkerState]:
        async with AsyncExitStack() as opened:
            yield await open_all(app, opened)

    around = NetworkOptions(
        hosts=settings.answered_hosts,
        metrics_by_address=settings.access_mode == "token",
        origins=comma_list(settings.allowed_origins),
        proxies=settings.trusted_proxies,
        root=settings.root_path,
        public=settings.public_url,
    )
    return add_guard(
        build_app(__version__, lifespan, settings.root_path),
        around,
        bodies=body_limits_of(settings),
        log_requests=settings.log_level == "debug" or settings.log_format == "json",
        after_request=metrics.soon,
    )
