"""What agents pay for the tools and for reading a workspace, in tokens as `tools.lines` and the bench count them.

Published tools of other servers can be counted alike: `python -m tests.agents tokens -- COMMAND ARGUMENT …` starts one
over pipes and lists what it offers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from bench.token_workspaces import case
from tests.agents.crowd_agent import Json
from tests.conftest import running_store
from tests.integration.agents import AgentCaller, agent, text_of
from tests.integration.client import Api
from tests.integration.servers import running

CHARACTERS_A_TOKEN = 4


def tokens_of(value: Any) -> int:
    """Tokens of a text, or of a value as JSON, by the measure of this project's benches."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return round(len(text) / CHARACTERS_A_TOKEN)


def shown(tools: Sequence[Any]) -> list[Json]:
    """Tools as programs give them to a model: name, description and input."""
    return [{"name": one.name, "description": one.description, "input_schema": one.input_schema} for one in tools]


def listed(tools: Sequence[Any]) -> list[Json]:
    """Tools as a server lists them."""
    return [one.model_dump(mode="json", by_alias=True, exclude_none=True) for one in tools]


@dataclass(frozen=True)
class Costs:
    """What ours cost.

    Attributes:
        count: of the tools.
        tools: as programs give them to a model.
        listed: as a server lists them, with titles, hints and the schemas of answers.
        reading: pages of `read_workspace` by what is read.
    """

    count: int
    tools: int
    listed: int
    reading: Mapping[str, Sequence[int]]


async def measured(store: str) -> Costs:
    """Count ours, on a server of its own."""
    large = case(300)
    with running(store, "tokens") as servers, Api(servers[0].url) as api:
        made = {
            "the sample": api.create(name="Sample", template="sample"),
            "300 nodes": api.create(name="300 nodes", diagram=large.diagram, document={"text": large.text}),
        }
        async with agent(servers[0].url) as caller:
            tools = (await caller.client.list_tools()).tools
            reading = {what: await _pages(caller, w) for what, w in made.items()}
    return Costs(len(tools), tokens_of(shown(tools)), tokens_of(listed(tools)), reading)


async def _pages(caller: AgentCaller, w: str) -> list[int]:
    pages, cursor = [], ""
    while cursor is not None:
        answer = await caller.raw("read_workspace", workspace=w, cursor=cursor)
        pages.append(tokens_of(text_of(answer)))
        cursor = (answer.meta or {})["draftsmith/answer"]["next_cursor"]
    return pages


async def ours() -> None:
    """Print what ours cost."""
    with running_store() as store:
        costs = await measured(store)
    print(f"draftsmith: {costs.count} tools, {costs.tools} tokens; as listed {costs.listed}")
    for what, pages in costs.reading.items():
        print(f"read_workspace of {what}: {pages} tokens by page")


async def theirs(command: Sequence[str]) -> None:
    """Print what the tools of another server cost, started over pipes."""
    started = stdio_client(StdioServerParameters(command=command[0], args=list(command[1:])))
    async with Client(started, mode="legacy") as client:
        tools = (await client.list_tools()).tools
    costs = f"{tokens_of(shown(tools))} tokens; as listed {tokens_of(listed(tools))}"
    print(f"{' '.join(command)}: {len(tools)} tools, {costs}")


async def tell(command: Sequence[str] = ()) -> None:
    """Print the costs of ours, or of the server that a command starts."""
    await (theirs(command) if command else ours())
