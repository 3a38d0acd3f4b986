"""The composition root: settings → adapters → use cases → application. Nothing else builds anything."""

from __future__ import annotations

import gc
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

from fastapi import FastAPI
from starlette.types import ASGIApp

from draftsmith.adapters.logs import configure_logs
from draftsmith.adapters.redis_connection import connect
from draftsmith.adapters.redis_index import RedisIndex
from draftsmith.adapters.redis_log import RedisCommitLog
from draftsmith.adapters.redis_secret import cookie_secret
from draftsmith.adapters.snapshot_process import SnapshotStarter
from draftsmith.adapters.system import SystemClock
from draftsmith.adapters.template_files import list_templates, read_template
from draftsmith.api.app import build_app, guarded
from draftsmith.api.auth import Profiles
from draftsmith.api.context import Context
from draftsmith.api.metrics import CommitMetrics
from draftsmith.errors import DraftsmithError
from draftsmith.model.limits import Limits
from draftsmith.settings import Settings
from draftsmith.transform.schema import compact_schema
from draftsmith.usecases.housekeeping import Housekeeping
from draftsmith.usecases.retention import policy_of
from draftsmith.usecases.workspaces import Workspaces

PACKAGE = Path(__file__).parent


def limits_of(settings: Settings) -> Limits:
    """The limits that settings ask for."""
    return Limits(
        settings.max_nodes,
        settings.max_edges,
        settings.max_operations,
        settings.max_batch_bytes,
        settings.max_document_chars,
    )


def static_folder() -> Path | None:
    """The built editor: inside the wheel, or in the checkout beside the package."""
    for folder in (PACKAGE / "_static", PACKAGE.parents[1] / "frontend" / "dist"):
        if (folder / "index.html").is_file():
            return folder
    return None


def product_version() -> str:
    """The version of the installed package."""
    try:
        return version("draftsmith")
    except PackageNotFoundError:
        return "0.0.0"


def contract(what: Literal["openapi", "operations"]) -> dict[str, Any]:
    """The contract that clients are generated from: OpenAPI, or the compact JSON Schema of operations."""
    if what == "operations":
        return compact_schema()
    return build_app("1", None).openapi()  # of the API, not of the product: the file changes only with the contract


def _calm_collector() -> None:
    """Let the garbage collector look less often, and never at what was loaded at the start.

    Workspaces are millions of small objects that live long and hold no cycles; looking at all of them every few
    hundred requests costs more than it finds.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def create_app(settings: Settings | None = None) -> ASGIApp:
    """Build the application of one worker; the store's URL comes from the launcher, or from `REDIS_URL`."""
    settings = settings or Settings()
    configure_logs(settings.log_level, settings.log_format)
    url = settings.draftsmith_store_url or settings.redis_url
    if url is None:
        raise DraftsmithError("storage_down", "No store: start with `draftsmith serve`, or set REDIS_URL.")
    metrics: list[CommitMetrics] = []

    def collect() -> None:
        for one in metrics:
            one.collect()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        connection = await connect(url)
        clock = SystemClock()
        log = RedisCommitLog(connection)
        limits = limits_of(settings)
        worker = f"{settings.draftsmith_worker}-{os.getpid()}"
        workspaces = Workspaces(log, RedisIndex(connection), clock, limits, worker)
        snapshots = SnapshotStarter(log, worker, url)
        keeping = Housekeeping(log, workspaces.index, clock, snapshots, policy_of(settings), settings.trash_days)
        workspaces.after_commits = keeping.look_at
        metrics.append(CommitMetrics(workspaces))
        app.state.context = Context(
            workspaces=workspaces,
            log=log,
            store=connection,
            clock=clock,
            profiles=Profiles(await cookie_secret(connection)),
            limits=limits,
            templates=lambda: [asdict(template) for template in list_templates()],
            template=read_template,
            static=static_folder(),
        )
        keeping.start()
        _calm_collector()
        try:
            yield
        finally:
            await workspaces.close()
            await keeping.close()
            await snapshots.close()
            await connection.close()

    return guarded(
        build_app(product_version(), lifespan),
        max_body=settings.max_body_bytes,
        hosts=[host.strip().lower() for host in settings.allowed_hosts.split(",") if host.strip()],
        log_requests=settings.log_level == "debug" or settings.log_format == "json",
        after_request=collect,
    )
