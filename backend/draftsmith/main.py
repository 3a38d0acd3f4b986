"""The composition root: settings → adapters → use cases → application. Nothing else builds anything."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from functools import lru_cache, partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import structlog
from fastapi import FastAPI
from starlette.types import ASGIApp

from draftsmith.adapters.files.api_key_file import ApiKeyFile
from draftsmith.adapters.files.debug_files import FOLDER, DebugFiles
from draftsmith.adapters.files.editor_folder import static_folder
from draftsmith.adapters.files.prompt_files import read_agent_texts, read_pattern_files, read_prompts
from draftsmith.adapters.files.template_files import list_templates, read_template
from draftsmith.adapters.files.usage_file import UsageFile
from draftsmith.adapters.model_providers import MODEL_PROVIDERS, is_installed
from draftsmith.adapters.process.event_loop import EventLoopWatch
from draftsmith.adapters.process.logs import configure_logs
from draftsmith.adapters.process.system import SystemClock
from draftsmith.adapters.redis.access.stores import access_stores
from draftsmith.adapters.redis.agents import RedisAgents
from draftsmith.adapters.redis.commit_log import RedisCommitLog
from draftsmith.adapters.redis.connection import RedisConnection, connect
from draftsmith.adapters.redis.listing import RedisList
from draftsmith.adapters.redis.runs import RedisRuns
from draftsmith.adapters.redis.secret import cookie_secret
from draftsmith.adapters.redis.usable import room_of
from draftsmith.adapters.redis.usage import RedisUsage
from draftsmith.adapters.redis.wakes import RedisWakes
from draftsmith.adapters.redis.workspace_index import RedisIndex
from draftsmith.adapters.server.layout_process import LayoutProcess, missing_for_layout, script_in
from draftsmith.adapters.server.preparer_process import PreparerProcess
from draftsmith.adapters.server.snapshot_process import SnapshotStarter
from draftsmith.agents.texts import AgentTexts, agent_texts
from draftsmith.api.admissions import Admissions
from draftsmith.api.agent_endpoint import AgentEndpoint, AgentServing
from draftsmith.api.app import Surroundings, build_app, guarded
from draftsmith.api.auth import Profiles
from draftsmith.api.bodies import BodyLimits
from draftsmith.api.context import Context
from draftsmith.api.gate import Gate
from draftsmith.api.live import CLOSE_SECONDS, OpenSockets
from draftsmith.api.live_tickets import LiveTickets
from draftsmith.api.metrics import STALLS, AssistantMetrics, Collector, CommitMetrics, LiveMetrics, LoadMetrics
from draftsmith.api.rates import Rates
from draftsmith.assistant.loop import RunLimits
from draftsmith.assistant.model_provider import ModelProvider, Reach
from draftsmith.assistant.patterns.pattern import Pattern, read_patterns
from draftsmith.assistant.prompts import WORKFLOWS, PromptSet, prompt_set
from draftsmith.collab.protocol import live_schema
from draftsmith.errors import DraftsmithError
from draftsmith.history.times import iso
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.ports import Clock
from draftsmith.settings import Settings
from draftsmith.settings_models import listed
from draftsmith.transform.schema import compact_schema
from draftsmith.usecases.access.dependencies import AccessDependencies
from draftsmith.usecases.agents.dependencies import AgentDependencies
from draftsmith.usecases.agents.presence import AgentPresence
from draftsmith.usecases.commits.arranging import Arranging
from draftsmith.usecases.commits.elsewhere import Elsewhere
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.live.dependencies import Dependencies
from draftsmith.usecases.live.hub import Live
from draftsmith.usecases.proposals.proposals import Proposals
from draftsmith.usecases.runs.assistant import Assistant
from draftsmith.usecases.runs.dependencies import RunDependencies
from draftsmith.usecases.runs.metering import Metering
from draftsmith.usecases.runs.prices import Price, Prices
from draftsmith.usecases.runs.providers import ModelAccess, Providers
from draftsmith.usecases.runs.suggestions import Suggestions
from draftsmith.usecases.upkeep.housekeeping import Housekeeping
from draftsmith.usecases.upkeep.listing import Listing
from draftsmith.usecases.upkeep.retention import policy_of
from draftsmith.usecases.upkeep.store_watch import StoreWatch

if TYPE_CHECKING:
    from draftsmith.adapters.identity.issuers import Identity
    from draftsmith.usecases.runs.plugins import Plugins
    from draftsmith.usecases.workloads.running_workloads import RunningWorkloads


def limits_of(settings: Settings) -> WorkspaceLimits:
    """The limits that settings ask for."""
    return WorkspaceLimits(
        settings.max_nodes,
        settings.max_edges,
        settings.max_operations,
        settings.max_batch_bytes,
        settings.max_document_chars,
        settings.max_work,
    )


def body_limits_of(settings: Settings) -> BodyLimits:
    """The limits on bodies that settings ask for; none makes impossible what another allows."""
    whole = settings.max_body_bytes
    return BodyLimits(
        whole=whole,
        other=min(whole, max(settings.max_small_body_bytes, 2 * settings.max_batch_bytes)),
        client=max(settings.max_client_bodies_bytes, whole),
        worker=max(settings.max_bodies_bytes, 2 * whole),
        seconds=settings.body_seconds,
    )


def identity_for(settings: Settings, clock: Clock) -> Identity | None:
    """What speaks with the issuers that settings name; None without any, and in local mode, where nobody signs in.

    Raises:
        DraftsmithError: `identity_misconfigured`.
    """
    if settings.access_mode == "local" or (settings.oidc_issuer is None and settings.jwt_audience is None):
        return None
    # Here, since few servers need it: cryptography takes 90 ms and 11 MB of each worker.
    from draftsmith.adapters.identity.issuers import TokenOptions, identity_of
    from draftsmith.adapters.identity.open_id import Client
    from draftsmith.adapters.identity.tokens import ClaimRules

    issuer, client, tokens = settings.oidc_issuer, None, None
    if issuer is not None:
        secret = settings.oidc_client_secret
        client = Client(
            id=settings.oidc_client_id or "",
            secret="" if secret is None else secret.get_secret_value(),
            name=settings.oidc_name or urlsplit(issuer).hostname or issuer,
            scopes=settings.oidc_scopes,
        )
    if settings.jwt_audience is not None:
        tokens = TokenOptions(
            issuer=settings.jwt_issuer or issuer or "",
            audience=settings.jwt_audience,
            keys_file=settings.jwt_key_file,
            keys_url=settings.jwt_keys_url,
        )
    claims = ClaimRules(groups_claim=settings.groups_claim, skew_s=settings.clock_skew_seconds)
    return identity_of(clock, issuer=issuer, client=client, tokens=tokens, claims=claims)


def model_access_of(settings: Settings, info: ModelProvider) -> ModelAccess:
    """A provider of models as settings ask for it; nothing of its SDK is imported, and nothing is sent."""
    options = {name: value for name in info.options if (value := settings.option_of(info.name, name))}
    edit, ask = settings.models_of(info.name, *info.models)
    given = settings.option_of(info.name, "base_url")
    has = {**options, "base_url": given, "model": edit}
    missing = [info.variable(name) for name in info.needs if not has.get(name)]
    base_url = given or ("" if missing else info.address(options))
    return ModelAccess(
        info=info,
        env_key=settings.api_key_of(info.name),
        keys=ApiKeyFile(settings.data_dir, info.key_file),
        models={"edit": edit, "generate": edit, "ask": ask, "investigate": edit, "recommend": edit},
        base_url=base_url,
        connections=info.connect(Reach(base_url=base_url, effort=settings.assistant_effort, options=options)),
        is_installed=is_installed(info),
        missing=missing,
        needs_key=info.key_need == "always" or (info.key_need == "at_home" and not given),
    )


def providers_of(settings: Settings) -> Providers:
    """The providers that settings ask for; connections are shared by key and closed at the end."""
    return Providers(
        choice=settings.assistant_provider,
        available=[model_access_of(settings, info) for info in MODEL_PROVIDERS],
        offered=listed(settings.assistant_workspace_providers),
    )


def prices_of(settings: Settings) -> Prices:
    """The prices of tokens that settings name."""
    sent, received, currency = (
        settings.assistant_price_input,
        settings.assistant_price_output,
        settings.assistant_price_currency,
    )
    return Prices(
        of_all=None if sent is None or received is None else Price(sent, received, currency),
        of_models={model: Price(*price, currency) for model, price in settings.prices_of_models().items()},
    )


@lru_cache(maxsize=32)
def prompts_of(workflow: str, folder: Path | None = None) -> PromptSet:
    """The prompts of a workflow, read once; those in the operator's folder are taken first."""
    return prompt_set(workflow, read_prompts(workflow, folder))


def agent_server(context: Context) -> AgentServing:
    """The server of agents."""
    # Here, since it takes half a second and 20 MB, and most servers are called by no agent.
    from draftsmith.api.mcp.server import AgentServer

    return AgentServer(context)


@lru_cache(maxsize=1)
def patterns_read() -> tuple[Pattern, ...]:
    """The patterns, read once."""
    return read_patterns(read_pattern_files())


@lru_cache(maxsize=1)
def agent_texts_read() -> AgentTexts:
    """What agents are told, read once."""
    return agent_texts(read_agent_texts())


def debug_of(settings: Settings, clock: SystemClock) -> DebugFiles:
    """Where debug records of runs go, if anywhere; the log says so, since they hold everything that people write."""
    folder, until_ms = settings.data_dir / FOLDER, None
    if settings.assistant_debug_runs:
        until_ms = (settings.draftsmith_started_ms or clock.now_ms()) + settings.assistant_debug_hours * 3_600_000
    files = DebugFiles(folder, clock, until_ms)
    if files.until_ms is not None:
        structlog.get_logger("draftsmith.debug").warning(
            "all that models are sent and answer is recorded", folder=str(folder), until=iso(files.until_ms)
        )
    return files


def plugins_of(settings: Settings, clock: Clock) -> Plugins | None:
    """The registered plugins; None where there are none, and then nothing of plugins is imported.

    Raises:
        DraftsmithError: `plugins_misconfigured`.
    """
    path = settings.plugins_path
    if not path.exists():
        if settings.plugins_file is not None:
            raise DraftsmithError("plugins_misconfigured", f"There is no file {path}, which PLUGINS_FILE names.")
        return None
    from draftsmith.adapters.plugins.registered_file import read_registered

    registered = read_registered(path)
    if not registered:
        return None
    from draftsmith.adapters.plugins.connection import HttpPlugin
    from draftsmith.usecases.runs.plugins import PluginHealth, Plugins

    return Plugins([PluginHealth(one, HttpPlugin(one)) for one in registered], clock)


def workloads_of(assistant: Assistant, suggestions: Suggestions) -> RunningWorkloads | None:
    """What runs, as plugins can say it; None where none is registered."""
    needs = assistant.dependencies
    if needs.plugins is None:
        return None
    from draftsmith.usecases.workloads.running_workloads import RunningWorkloads
    from draftsmith.usecases.workloads.workload_sources import WorkloadSources

    sources = WorkloadSources(needs.plugins, needs.clock)
    return RunningWorkloads(sources, suggestions.workspaces, suggestions, suggestions.limits)


def assistant_of(
    settings: Settings, workspaces: Workspaces, connection: RedisConnection, clock: SystemClock
) -> Assistant:
    """The assistant of one worker; prompts that cannot be used stop the start, not the first request."""
    for workflow in WORKFLOWS:
        prompts_of(workflow, settings.prompts_dir)
    usage = UsageFile(settings.data_dir / "usage", settings.draftsmith_worker)
    return Assistant(
        RunDependencies(
            workspaces=workspaces,
            store=RedisRuns(connection),
            providers=providers_of(settings),
            metering=Metering(RedisUsage(connection), usage, clock, settings.assistant_day_tokens, prices_of(settings)),
            prompts=partial(prompts_of, folder=settings.prompts_dir),
            patterns=patterns_read(),
            run_limits=RunLimits(
                settings.assistant_turns,
                settings.assistant_seconds,
                settings.assistant_run_tokens,
                settings.assistant_max_tokens,
                approval_seconds=settings.plugin_approval_seconds,
            ),
            clock=clock,
            edit_mode=settings.edit_mode,
            debug=debug_of(settings, clock),
            plugins=plugins_of(settings, clock),
        )
    )


def elsewhere_of(settings: Settings, url: str) -> Elsewhere | None:
    """The processes that prepare what takes long, and the layout engine; none of them is started yet."""
    if not settings.preparers:
        return None
    static = settings.editor_dir or static_folder()
    missing = missing_for_layout(static)
    engine = None if missing or static is None else Arranging(LayoutProcess(script_in(static)))
    return Elsewhere([PreparerProcess(url) for _ in range(settings.preparers)], arranging=engine)


def product_version() -> str:
    """The version of the installed package."""
    try:
        return version("draftsmith")
    except PackageNotFoundError:
        return "0.0.0"


def contract(what: Literal["openapi", "operations", "live"]) -> dict[str, Any]:
    """What clients are generated from: OpenAPI, or the JSON Schema of operations or of the live protocol."""
    if what == "live":
        return live_schema()
    if what == "operations":
        return compact_schema()
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


def create_app(settings: Settings | None = None) -> ASGIApp:
    """Build the application of one worker; the store's URL comes from the launcher, or from `REDIS_URL`."""
    settings = settings or Settings()
    configure_logs(settings.log_level, settings.log_format)
    url = settings.draftsmith_store_url or settings.redis_url
    if url is None:
        raise DraftsmithError("storage_down", "No store: start with `draftsmith serve`, or set REDIS_URL.")
    metrics = Collector()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
        connection = await connect(url, has_room=room_of(url, settings.data_dir, settings.redis_url))
        stopping = asyncio.Event()
        clock = SystemClock()
        store_watch = StoreWatch(connection, clock, listed(settings.store_risks_accepted))
        log = RedisCommitLog(connection)
        limits = limits_of(settings)
        # No two alike, on other machines either: what a worker hears of its own appends it does not look for.
        worker = f"{settings.draftsmith_worker}-{os.getpid()}-{clock.new_id()[-8:]}"
        elsewhere = elsewhere_of(settings, url)
        workspaces = Workspaces(log, RedisIndex(connection), clock, limits, worker, elsewhere=elsewhere)
        snapshots = SnapshotStarter(log, worker, url)
        assistant = assistant_of(settings, workspaces, connection, clock)
        stores = access_stores(connection)
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
        admissions = Admissions(gate)
        proposals = Proposals(workspaces, assistant.dependencies.store, limits)
        wakes, sockets = RedisWakes(connection), OpenSockets()
        suggestions = Suggestions(workspaces, proposals, limits, assistant.proposals_changed)
        agent_presence = AgentPresence(wakes, clock)
        agent_endpoint = AgentEndpoint(lambda: agent_server(app.state.context))
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
        await store_watch.start()
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
            live_tickets=LiveTickets(access.stores.once, clock),
            limits=limits,
            templates=lambda: [asdict(template) for template in list_templates()],
            template=read_template,
            static=settings.editor_dir or static_folder(),
            frame_ancestors=listed(settings.frame_ancestors),
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
            ),
            agent_endpoint=agent_endpoint,
            issuer=None if settings.access_mode == "local" else settings.jwt_issuer or settings.oidc_issuer,
            stopping=stopping,
            metrics=metrics,
            workloads=workloads_of(assistant, suggestions),
        )
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

        async def stop() -> None:
            """Close live connections and streams; called before the server waits for responses."""
            stopping.set()
            await live.close()
            await sockets.until_none(CLOSE_SECONDS)

        try:
            yield {"stop": stop, "ready": ready}
        finally:
            metrics.collect()
            await watch.stop()
            await store_watch.close()
            await agent_endpoint.close()
            await agent_presence.close()
            await admissions.close()
            if identity is not None:
                await identity.close()
            await live.close()
            await wakes.close()
            await assistant.close()
            await assistant.dependencies.providers.close()
            await workspaces.close()
            if elsewhere is not None:
                await elsewhere.close()
            await housekeeping.close()
            await listing.close()
            await snapshots.close()
            await connection.close()

    around = Surroundings(
        hosts=[name.lower() for name in listed(settings.allowed_hosts)],
        origins=listed(settings.allowed_origins),
        proxies=settings.trusted_proxies,
        root=settings.root_path,
    )
    return guarded(
        build_app(product_version(), lifespan, settings.root_path),
        around,
        bodies=body_limits_of(settings),
        log_requests=settings.log_level == "debug" or settings.log_format == "json",
        after_request=metrics.soon,
    )
