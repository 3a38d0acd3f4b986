"""The assistant of one worker on a store in memory with a scripted provider; for what needs no real server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import cast

from draftsmith.adapters.anthropic.provider import ANTHROPIC
from draftsmith.adapters.process.system import SystemClock
from draftsmith.adapters.redis.connection import RedisConnection
from draftsmith.assistant.loop import RunLimits
from draftsmith.assistant.provider import AIProvider
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.ports.runs import RunStore
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.proposals.proposals import Proposals
from draftsmith.usecases.providers.providers import ModelAccess, Providers
from draftsmith.usecases.runs.assistant import Assistant
from draftsmith.usecases.runs.dependencies import RunDependencies
from draftsmith.usecases.usage.metering import Metering
from tests.fakes.memory_log import MemoryCommitLog, MemoryIndex, MemoryStore
from tests.fakes.memory_runs import MemoryRuns
from tests.fakes.memory_usage import MemoryUsage
from tests.integration.assistant_workers import AssistantWorker, NoKeys, Rows, prompts_of
from tests.scripted import Say, Scripted
from tests.timeouts import NEVER_SECONDS


class Stores:
    """What several workers share."""

    def __init__(self) -> None:
        self.memory = MemoryStore()
        self.runs: RunStore = MemoryRuns()
        self.usage = MemoryUsage()


class OneProvider:
    """Connections that always give the same provider."""

    def __init__(self, provider: AIProvider) -> None:
        self._provider = provider

    def provider(self, key: str, model: str) -> AIProvider:
        return self._provider

    async def close(self) -> None:
        """Nothing is open."""


@asynccontextmanager
async def memory_worker(
    script: Sequence[Say] = (),
    *,
    stores: Stores | None = None,
    worker: str = "w0",
    w: str = "",
    regenerate: bool = False,
) -> AsyncIterator[tuple[AssistantWorker, Scripted]]:
    """One worker; every run is answered by the script, from where the last one left it."""
    stores = stores or Stores()
    clock = SystemClock()
    provider = Scripted(script)
    workspaces = Workspaces(
        MemoryCommitLog(stores.memory), MemoryIndex(stores.memory), clock, WorkspaceLimits(), worker
    )
    models = {"edit": "m", "generate": "m", "ask": "m", "investigate": "m"}
    access = ModelAccess(
        info=ANTHROPIC, env_key="key", keys=NoKeys(), models=models, base_url="", connections=OneProvider(provider)
    )
    providers = Providers(choice="auto", available=[access])
    usage = Rows()
    assistant = Assistant(
        RunDependencies(
            workspaces=workspaces,
            store=stores.runs,
            providers=providers,
            metering=Metering(stores.usage, usage, clock),
            prompts=prompts_of,
            run_limits=RunLimits(seconds=NEVER_SECONDS),
            clock=clock,
            edit_mode="regenerate" if regenerate else "tools",
        )
    )
    proposals = Proposals(workspaces, assistant.dependencies.store, workspaces.limits)
    try:
        yield AssistantWorker(workspaces, assistant, proposals, cast(RedisConnection, None), usage, w), provider
    finally:
        await assistant.close()
        await workspaces.close()
