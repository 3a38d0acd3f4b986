"""The assistant of one worker on the real store, talking through the real SDK to the stand-in over a real socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from draftsmith.adapters.anthropic.provider import ANTHROPIC, AnthropicConnection, AnthropicProvider
from draftsmith.adapters.files.prompt_files import read_pattern_files, read_prompts
from draftsmith.adapters.process.system import SystemClock
from draftsmith.adapters.redis.assistant.runs import RedisRuns
from draftsmith.adapters.redis.assistant.usage import RedisUsage
from draftsmith.adapters.redis.commit_log import RedisCommitLog
from draftsmith.adapters.redis.connection import RedisConnection, connect
from draftsmith.adapters.redis.workspace_index import RedisIndex
from draftsmith.assistant.context.focus import Focus
from draftsmith.assistant.loop import RunLimits
from draftsmith.assistant.model_provider import Connections
from draftsmith.assistant.patterns.pattern import Pattern, read_patterns
from draftsmith.assistant.prompts import PromptSet, prompt_set
from draftsmith.assistant.provider import AIProvider, Event, TurnRequest
from draftsmith.history.actor import Actor
from draftsmith.history.replica import Replica
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.ports.runs import EditMode, Mode, Workflow
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.proposals.proposals import Proposals
from draftsmith.usecases.providers.providers import ModelAccess, Providers
from draftsmith.usecases.requests.batch_request import BatchRequest
from draftsmith.usecases.requests.identity import identify
from draftsmith.usecases.requests.undo_requests import UndoRequest
from draftsmith.usecases.runs.assistant import Assistant
from draftsmith.usecases.runs.dependencies import RunDependencies
from draftsmith.usecases.runs.values import RunInput
from draftsmith.usecases.usage.metering import Metering
from tests.builders import Op, canonical
from tests.standin import Standin
from tests.timeouts import NEVER_SECONDS, TIMEOUT_SECONDS, timeout

ANA = Actor("guest:ana", "Ana", "person")
BEN = Actor("guest:ben", "Ben", "person")
DOCUMENT = """# Shop

Orders come in through the API.

## Caching

There is no cache yet.

## Storage

Postgres holds all orders. Retention is 30 days.

## Risks

- The database is one machine.
"""
SHOP: list[Op] = [
    {"op": "add_node", "id": "web", "type": "web", "label": "Shop page"},
    {"op": "add_node", "id": "api", "type": "api", "label": "Orders API"},
    {"op": "add_node", "id": "db", "type": "database", "label": "Orders database", "technology": "PostgreSQL"},
    {"op": "add_node", "id": "queue", "type": "queue", "label": "Order queue", "technology": "RabbitMQ"},
    {"op": "add_node", "id": "worker", "type": "worker", "label": "Mailer"},
    {"op": "add_edge", "source": "web", "target": "api", "label": "orders"},
    {"op": "add_edge", "source": "api", "target": "db", "label": "reads and writes"},
    {"op": "add_edge", "source": "api", "target": "queue", "label": "order events", "kind": "async"},
    {"op": "add_edge", "source": "queue", "target": "worker", "label": "order events", "kind": "async"},
]


class NoKeys:
    """Nobody has entered a key."""

    def __init__(self) -> None:
        self.key: str | None = None

    def read(self) -> str | None:
        return self.key

    def save(self, key: str) -> None:
        self.key = key

    def delete(self) -> None:
        self.key = None


@dataclass
class Rows:
    """The rows of usage, in memory."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    _came: asyncio.Event = field(default_factory=asyncio.Event)

    def write(self, row: Any) -> None:
        self.rows.append(dict(row))
        self._came.set()

    async def until(self, count: int) -> None:
        """Wait for so many rows."""
        async with timeout():
            while len(self.rows) < count:
                self._came.clear()
                await self._came.wait()


class Interrupted:
    """A provider before each of whose turns something happens: what others do while the model thinks."""

    def __init__(self, inner: AnthropicProvider, before_turn: Callable[[int], Awaitable[None]]) -> None:
        self._inner, self._before_turn, self._turn = inner, before_turn, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def turn(self, request: TurnRequest) -> AsyncIterator[Event]:
        self._turn += 1
        await self._before_turn(self._turn)
        async with aclosing(self._inner.turn(request)) as events:  # type: ignore[type-var]
            async for event in events:
                yield event


class StandinConnections:
    """One connection to the stand-in."""

    def __init__(self, base_url: str | None) -> None:
        self._upstream = AnthropicConnection("sk-standin", base_url, 20.0)

    def provider(self, key: str, model: str) -> AIProvider:
        return AnthropicProvider(key, model, connection=self._upstream)

    async def close(self) -> None:
        await self._upstream.close()


@dataclass
class InterruptedConnections:
    """Connections whose providers are interrupted before each turn."""

    inner: Connections
    happens: Callable[[int], Awaitable[None]]

    def provider(self, key: str, model: str) -> AIProvider:
        return Interrupted(self.inner.provider(key, model), self.happens)

    async def close(self) -> None:
        await self.inner.close()


@dataclass
class AssistantWorker:
    """One worker and what tests do with it."""

    workspaces: Workspaces
    assistant: Assistant
    proposals: Proposals
    connection: RedisConnection
    usage: Rows
    w: str = ""

    def before_turn(self, happens: Callable[[int], Awaitable[None]]) -> None:
        """Let something happen before each turn with the model, by its number from 1."""
        (access,) = self.assistant.dependencies.providers.available
        access.connections = InterruptedConnections(access.connections, happens)

    async def make_shop(self, operations: Sequence[Op] = SHOP, text: str = DOCUMENT) -> str:
        """A workspace to work on."""
        clock = self.workspaces.clock
        content = {"document": {"text": text}}
        self.w, _ = await self.workspaces.create(
            identify(ANA, None, clock), ANA, name="Shop", content=content, source="test", fingerprint=""
        )
        if operations:
            await self.edit(ANA, *operations)
        return self.w

    async def edit(self, actor: Actor, *operations: Op) -> dict[str, Any]:
        """A batch of a person."""
        identity = identify(actor, None, self.workspaces.clock)
        limits = self.workspaces.limits
        request = BatchRequest(
            batch_id=identity.batch_id, txid=identity.txid, fingerprint="", actor=actor, scope=actor.id,
            batch=parse_batch(list(operations), limits), limits=limits,
        )  # fmt: skip
        return await self.workspaces.submit(self.w, request)

    async def undo(self, actor: Actor) -> dict[str, Any]:
        """Undo the newest commit of a person."""
        identity = identify(actor, None, self.workspaces.clock)
        request = UndoRequest(
            batch_id="u", txid=identity.txid, fingerprint="", actor=actor, scope=actor.id, action="undo"
        )
        return await self.workspaces.submit(self.w, request)

    async def start(
        self, prompt: str, *, actor: Actor = ANA, workflow: Workflow = "edit", mode: Mode = "auto",
        provider: str = "", run_id: str = "", focus: Focus | None = None, edit_mode: EditMode | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Start a run."""
        identity = run_id or self.workspaces.clock.new_id()
        run_input = RunInput(
            id=identity,
            is_given=bool(run_id),
            workflow=workflow,
            prompt=prompt,
            mode=mode,
            focus=focus or Focus(),
            provider=provider,
            edit_mode=edit_mode,
        )
        return await self.assistant.start(self.w, actor, run_input)

    async def ask(self, prompt: str, **more: Any) -> dict[str, Any]:
        """Start a run and wait for its end."""
        run = await self.start(prompt, **more)
        return await self.over(run["id"])

    async def over(self, run_id: str) -> dict[str, Any]:
        """A run once it is over."""
        run = await self.assistant.wait(self.w, run_id, TIMEOUT_SECONDS)
        assert run["outcome"] is not None, f"the run did not end: {run}"
        return run

    async def events(self, run_id: str) -> list[dict[str, Any]]:
        """All events of a run until its end."""
        return [dict(one[1]) async for one in self.assistant.watch(self.w, run_id, "0") if one is not None]

    async def until_event(self, run_id: str, kind: str) -> dict[str, Any]:
        """The first event of a kind."""
        async with timeout():
            async for one in self.assistant.watch(self.w, run_id, "0"):
                if one is not None and one[1]["type"] == kind:
                    return dict(one[1])
        raise AssertionError(f"no event {kind}")

    async def state(self) -> bytes:
        """The workspace as bytes."""
        return await self.workspaces.read(self.w, lambda replica: canonical(replica.workspace))

    async def head(self) -> int:
        """The newest revision."""
        return await self.workspaces.read(self.w, lambda replica: replica.head.revision)

    async def look(self, look: Callable[[Replica], Any]) -> Any:
        """Something about the workspace."""
        return await self.workspaces.read(self.w, look)

    async def text(self) -> str:
        """The document."""
        return str(await self.look(lambda replica: replica.workspace.document.text))

    async def nodes(self) -> set[str]:
        """The ids of all nodes."""
        return set(await self.look(lambda replica: set(replica.workspace.diagram.node_ids())))

    async def edges(self) -> set[tuple[str, str]]:
        """The ends of all edges."""
        return set(
            await self.look(
                lambda replica: {replica.workspace.diagram.ends(one) for one in replica.workspace.diagram.edge_ids()}
            )
        )


@cache
def patterns_read() -> tuple[Pattern, ...]:
    """The product's patterns."""
    return read_patterns(read_pattern_files())


@cache
def prompts_of(workflow: str) -> PromptSet:
    """The product's prompts."""
    return prompt_set(workflow, read_prompts(workflow))


@asynccontextmanager
async def assistant_worker(
    redis_url: str,
    base_url: str = "",
    *,
    worker: str = "w0",
    w: str = "",
    choice: str = "auto",
    run_limits: RunLimits | None = None,
    day_tokens: int = 0,
    regenerate: bool = False,
) -> AsyncIterator[AssistantWorker]:
    """One worker; with `base_url` its model is the stand-in there, without it has no key."""
    connection = await connect(redis_url)
    clock = SystemClock()
    workspaces = Workspaces(RedisCommitLog(connection), RedisIndex(connection), clock, WorkspaceLimits(), worker)
    access = ModelAccess(
        info=ANTHROPIC,
        env_key="sk-standin" if base_url else "",
        keys=NoKeys(),
        models={
            "edit": "claude-sonnet-5-5",
            "generate": "claude-sonnet-5-5",
            "ask": "claude-haiku-5-5",
            "investigate": "claude-sonnet-5-5",
        },
        base_url=base_url,
        connections=StandinConnections(base_url or None),
    )
    providers = Providers(choice=choice, available=[access])
    usage = Rows()
    assistant = Assistant(
        RunDependencies(
            workspaces=workspaces,
            store=RedisRuns(connection),
            providers=providers,
            metering=Metering(RedisUsage(connection), usage, clock, day_tokens),
            prompts=prompts_of,
            patterns=patterns_read(),
            run_limits=run_limits or RunLimits(seconds=NEVER_SECONDS),
            clock=clock,
            edit_mode="regenerate" if regenerate else "tools",
        )
    )
    proposals = Proposals(workspaces, assistant.dependencies.store, workspaces.limits)
    try:
        yield AssistantWorker(workspaces, assistant, proposals, connection, usage, w)
    finally:
        await assistant.close()
        await workspaces.close()
        await assistant.dependencies.providers.close()
        await connection.close()


def last_results(standin: Standin, request: int = -1) -> list[dict[str, Any]]:
    """The tool results that a request ends with, the newest one by default."""
    content = standin.asked[request].body["messages"][-1]["content"]
    return [block for block in content if block["type"] == "tool_result"]


def said(standin: Standin, request: int = -1) -> str:
    """Everything that the newest message of a request says, as text."""
    content = standin.asked[request].body["messages"][-1]["content"]
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    return "\n".join(str(block.get("text", block.get("content", ""))) for block in blocks)
