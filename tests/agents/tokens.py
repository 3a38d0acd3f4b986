"""What agents pay for the tools and for reading a workspace, in tokens as `assistant.lines` and the bench count them.

Published tools of other servers can be counted alike: `python -m tests.agents tokens COMMAND ARGUMENT …` starts one
over pipes and lists what it offers.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.agents.crowd_agent import Json
from tests.bench.token_workspaces import case
from tests.conftest import running_store
from tests.integration.agents import agent, text_of
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


async def ours() -> None:
    """Print what ours cost."""
    with running_store() as store, running(store, "tokens") as servers, Api(servers[0].url) as api:
        async with agent(servers[0].url) as caller:
            tools = (await caller.client.list_tools()).tools
            print(f"draftsmith: {len(tools)} tools, {tokens_of(shown(tools))} tokens")
            sample = api.create(name="Sample", template="sample")
            result = await caller.raw("read_workspace", workspace=sample)
            print(f"read_workspace of the sample: {tokens_of(text_of(result))} tokens")
            large = case(300)
            made = api.create(name="300 nodes", diagram=large.diagram, document={"text": large.text})
            pages, cursor = [], ""
            while cursor is not None:
                answer = await caller.raw("read_workspace", workspace=made, cursor=cursor)
                pages.append(tokens_of(text_of(answer)))
                cursor = (answer.structured_content or {})["next_cursor"]
            print(f"read_workspace of 300 nodes: {pages} tokens by page")


async def theirs(command: Sequence[str]) -> None:
    """Print what the tools of another server cost, started over pipes."""
    started = stdio_client(StdioServerParameters(command=command[0], args=list(command[1:])))
    async with Client(started, mode="legacy") as client:
        tools = (await client.list_tools()).tools
    print(f"{' '.join(command)}: {len(tools)} tools, {tokens_of(shown(tools))} tokens")


async def tell(command: Sequence[str] = ()) -> None:
    """Print the costs of ours, or of the server that a command starts."""
    await (theirs(command) if command else ours())
