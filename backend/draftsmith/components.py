"""Builds the components of a worker from the settings; `main` puts them together."""

from __future__ import annotations

from functools import lru_cache, partial
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import structlog

from draftsmith.adapters.files.api_key_file import ApiKeyFile
from draftsmith.adapters.files.debug_files import FOLDER, DebugFiles
from draftsmith.adapters.files.editor_folder import static_folder
from draftsmith.adapters.files.entered_server_file import EnteredServerFile
from draftsmith.adapters.files.icon_files import IconFiles
from draftsmith.adapters.files.image_files import ImageFiles
from draftsmith.adapters.files.prompt_files import read_agent_texts, read_pattern_files, read_prompts
from draftsmith.adapters.files.usage_file import UsageFile
from draftsmith.adapters.model_providers import MODEL_PROVIDERS, is_installed
from draftsmith.adapters.openai.provider import OWN, list_models
from draftsmith.adapters.process.system import SystemClock
from draftsmith.adapters.redis.assistant.runs import RedisRuns
from draftsmith.adapters.redis.assistant.usage import RedisUsage
from draftsmith.adapters.redis.connection import RedisConnection
from draftsmith.adapters.s3.image_bucket import Bucket, ImageBucket
from draftsmith.adapters.server.engine_process import (
    ChartProcess,
    LayoutProcess,
    PictureProcess,
    charts_in,
    layout_in,
    missing_for_charts,
    missing_for_layout,
    missing_for_pictures,
    pictures_in,
)
from draftsmith.adapters.server.preparer_process import PreparerProcess
from draftsmith.addresses import resolve_host
from draftsmith.agents.texts import AgentTexts, agent_texts
from draftsmith.api.context import Context
from draftsmith.api.http.agent_endpoint import AgentServing
from draftsmith.api.http.bodies import BodyLimits
from draftsmith.assistant.loop import RunLimits
from draftsmith.assistant.model_provider import ModelProvider, Reach
from draftsmith.assistant.patterns.pattern import Pattern, read_patterns
from draftsmith.assistant.prompts import WORKFLOWS, PromptSet, prompt_set
from draftsmith.errors import DraftsmithError
from draftsmith.history.times import iso
from draftsmith.model.images import ImageLimits
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.ports import Clock
from draftsmith.settings import Settings
from draftsmith.settings_models import comma_list
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.prepare.arranging import Arranging
from draftsmith.usecases.prepare.parsed_charts import ChartParsers
from draftsmith.usecases.prepare.preparer_pool import PreparerPool
from draftsmith.usecases.providers.entered_server import EnteredServers
from draftsmith.usecases.providers.providers import ModelAccess, Providers
from draftsmith.usecases.runs.assistant import Assistant
from draftsmith.usecases.runs.dependencies import RunDependencies
from draftsmith.usecases.staging.suggestions import Suggestions
from draftsmith.usecases.upkeep.images import Images
from draftsmith.usecases.upkeep.pictures import Pictures
from draftsmith.usecases.usage.metering import Metering
from draftsmith.usecases.usage.prices import Price, Prices

if TYPE_CHECKING:
    from draftsmith.adapters.identity.issuers import IssuerClients
    from draftsmith.usecases.plugins.plugins import Plugins
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
        image=settings.max_image_bytes,
        other=min(whole, max(settings.max_small_body_bytes, 2 * settings.max_batch_bytes)),
        client=max(settings.max_client_bodies_bytes, whole, settings.max_image_bytes),
        worker=max(settings.max_bodies_bytes, 2 * whole, 2 * settings.max_image_bytes),
        seconds=settings.body_seconds,
    )


def images_of(settings: Settings) -> Images:
    """The images of this installation, in a folder or in a bucket.

    Raises:
        DraftsmithError: `images_misconfigured`.
    """
    limits = ImageLimits(bytes=settings.max_image_bytes, all_bytes=settings.max_images_bytes)
    if not settings.images_bucket:
        return Images(ImageFiles(settings.images_path), limits)
    if find_spec("boto3") is None:
        raise DraftsmithError("images_misconfigured", "IMAGES_BUCKET needs the extra s3: pip install 'draftsmith[s3]'.")
    name, _, prefix = settings.images_bucket.removeprefix("s3://").partition("/")
    prefix = f"{prefix.rstrip('/')}/" if prefix else ""
    bucket = Bucket(name, prefix, settings.images_bucket_endpoint, settings.images_bucket_region)
    return Images(ImageBucket(bucket), limits)


def identity_for(settings: Settings, clock: Clock) -> IssuerClients | None:
    """What speaks with the issuers that settings name; None without any, and in local mode, where nobody signs in.

    Raises:
        DraftsmithError: `identity_misconfigured`.
    """
    if settings.access_mode == "local" or (settings.oidc_issuer is None and settings.jwt_audience is None):
        return None
    # Here, since few servers need it: cryptography takes 90 ms and 11 MB of each worker.
    from draftsmith.adapters.identity.issuers import TokenOptions, identity_of
    from draftsmith.adapters.identity.open_id import OpenIdClient
    from draftsmith.adapters.identity.tokens import ClaimRules

    issuer, client, tokens = settings.oidc_issuer, None, None
    if issuer is not None:
        secret = settings.oidc_client_secret
        client = OpenIdClient(
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
        connections=info.connect(
            Reach(
                base_url=base_url,
                effort=settings.assistant_effort,
                run_seconds=settings.run_seconds_of(info.name),
                options=options,
            )
        ),
        is_installed=is_installed(info),
        missing=missing,
        needs_key=info.key_need == "always" or (info.key_need == "at_home" and not given),
    )


def entered_servers_of(settings: Settings) -> EnteredServers:
    """The server of models that can be entered in the page, as far as settings allow one; nothing is sent."""
    hosts = comma_list(settings.model_hosts)
    return EnteredServers(
        info=OWN,
        store=EnteredServerFile(settings.data_dir),
        keys=ApiKeyFile(settings.data_dir, OWN.key_file),
        list_models=list_models,
        resolve=resolve_host,
        hosts=hosts if hosts or settings.access_mode == "token" else None,
        is_installed=is_installed(OWN),
        is_asked=settings.assistant_provider not in ("builtin", "off"),
        effort=settings.assistant_effort,
        run_seconds=settings.run_seconds_of(OWN.name),
    )


def providers_of(settings: Settings) -> Providers:
    """The providers that settings ask for; connections are shared by key and closed at the end."""
    return Providers(
        choice=settings.assistant_provider,
        entered=entered_servers_of(settings),
        available=[model_access_of(settings, info) for info in MODEL_PROVIDERS],
        offered=comma_list(settings.assistant_workspace_providers),
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
    from draftsmith.usecases.plugins.plugins import PluginHealth, Plugins

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
                provider_context={"openai": settings.openai_context},
                provider_seconds={info.name: settings.run_seconds_of(info.name) for info in MODEL_PROVIDERS},
            ),
            clock=clock,
            edit_mode=settings.edit_mode,
            debug=debug_of(settings, clock),
            plugins=plugins_of(settings, clock),
        )
    )


def preparer_pool_of(settings: Settings, url: str) -> PreparerPool | None:
    """The processes that prepare what takes long, and the layout engine; none of them is started yet."""
    if not settings.preparers:
        return None
    static = settings.editor_dir or static_folder()
    missing = missing_for_layout(static)
    engine = None if missing or static is None else Arranging(LayoutProcess(layout_in(static)))
    return PreparerPool([PreparerProcess(url) for _ in range(settings.preparers)], arranging=engine)


_PICTURE_PROCESSES = 2
"""One client has a turn at one of them, so the other is there for everybody else."""


def chart_parsers_of(settings: Settings, pool: PreparerPool | None) -> ChartParsers | None:
    """Mermaid's own parsers; None where something for them is missing. No process is started yet."""
    static = settings.editor_dir or static_folder()
    if not settings.preparers or static is None or missing_for_charts(static):
        return None
    return ChartParsers(ChartProcess(charts_in(static)), pool)


def icons_of(settings: Settings) -> IconFiles | None:
    """The icons of technologies, those of the folder that settings name among them; None without a built editor."""
    static = settings.editor_dir or static_folder()
    return None if static is None else IconFiles(static, settings.icons_dir)


def pictures_of(settings: Settings, workspaces: Workspaces, images: Images, icons: IconFiles | None) -> Pictures | None:
    """What draws pictures; None where something for it is missing. No process is started yet."""
    static = settings.editor_dir or static_folder()
    if not settings.preparers or static is None or missing_for_pictures(static):
        return None
    folder = pictures_in(static)
    engines = [PictureProcess(folder) for _ in range(_PICTURE_PROCESSES)]
    version = sha256((folder / "picture.js").read_bytes()).hexdigest()[:8]
    if icons is not None:
        version += icons.version
    return Pictures(workspaces, images, engines, version=version, icons=icons)
