"""The stand-in refuses what the API refuses: without that, tests against it would prove nothing."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anthropic
import pytest
from anthropic import AsyncAnthropic

from draftsmith.adapters.anthropic.provider import AnthropicProvider
from draftsmith.adapters.files.prompt_files import read_prompts
from draftsmith.assistant.context.context import first_message
from draftsmith.assistant.prompts import prompt_set
from draftsmith.assistant.provider import ToolResult, TurnEnd, TurnRequest
from draftsmith.assistant.tools.tools import tools_of
from draftsmith.model.workspace import Workspace
from tests.builders import edge, group, node, workspace_of
from tests.standin import Standin, Text, Thinking, ToolUse, Turn, serve
from tests.standin.conversation import told
from tests.standin.demonstration import demonstrate
from tests.standin.reading import read_first
from tests.timeouts import TIMEOUT_SECONDS

TOOL = {"name": "edit", "description": "Edit.", "input_schema": {"type": "object", "properties": {}}}
USER = {"role": "user", "content": "hi"}
CALL = {"type": "tool_use", "id": "t1", "name": "edit", "input": {}}
CALLED = {"role": "assistant", "content": [CALL]}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "ok"}
NOTE = {"type": "text", "text": "and"}
MARKED = {"type": "text", "text": "s", "cache_control": {"type": "ephemeral"}}


@pytest.fixture
async def standin() -> Standin:
    return Standin(lambda _body: Turn([Text("yes")]))


@pytest.fixture
async def client(standin: Standin) -> AsyncIterator[AsyncAnthropic]:
    async with (
        serve(standin) as url,
        AsyncAnthropic(api_key=standin.key, base_url=url, max_retries=0) as made,
    ):
        yield made


async def message_of(client: AsyncAnthropic, **changes: Any) -> Any:
    body = {"model": "claude-sonnet-5-5", "max_tokens": 100, "messages": [USER], "tools": [TOOL], **changes}
    return await client.messages.create(**body)


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"messages": []}, "at least one message"),
        ({"messages": [USER, CALLED, USER]}, "without `tool_result`"),
        ({"messages": [USER, CALLED]}, "prefill"),
        ({"messages": [USER, CALLED, {"role": "user", "content": [NOTE, RESULT]}]}, "must come first"),
        ({"messages": [USER, CALLED, {"role": "user", "content": [RESULT, RESULT]}]}, "duplicate"),
        ({"messages": [{"role": "user", "content": [RESULT]}]}, "unexpected `tool_use_id`"),
        ({"messages": [USER, CALLED, {"role": "user", "content": [RESULT]}], "tools": []}, "must define tools"),
        ({"messages": [USER, {"role": "assistant", "content": "So"}]}, "prefill"),
        ({"messages": [{"role": "user", "content": "  "}]}, "non-whitespace"),
        ({"messages": [USER, {"role": "assistant", "content": []}, USER]}, "non-empty content"),
        ({"messages": [{"role": "assistant", "content": "Hi"}, USER]}, "first message"),
        (
            {"messages": [USER, {"role": "assistant", "content": [{**CALL, "input": "text"}]}, USER]},
            "valid dictionary",
        ),
        (
            {
                "messages": [
                    USER,
                    {
                        "role": "assistant",
                        "content": [{"type": "thinking", "thinking": "x", "signature": "forged"}, NOTE],
                    },
                    USER,
                ]
            },
            "bound to a different conversation",
        ),
        ({"tool_choice": {"type": "any"}}, "forced tool use"),
        ({"thinking": {"type": "disabled"}}, "thinking.type"),
        ({"extra_body": {"temperature": 0}}, "temperature"),
        ({"extra_body": {"invented": 0}}, "Extra inputs"),
        ({"output_config": {"effort": "extreme"}}, "effort"),
        ({"model": "claude-haiku-4-5", "max_tokens": 8_001}, "max_tokens"),
        ({"tools": [{**TOOL, "name": "a b"}]}, "bad name"),
        ({"tools": [TOOL, TOOL]}, "unique"),
        ({"tools": [{**TOOL, "input_schema": {"type": "object", "oneOf": [{}]}}]}, "top level"),
        ({"tools": [{**TOOL, "input_schema": {"type": "objekt"}}]}, "Input should be 'object'"),
        ({"tools": [{**TOOL, "input_schema": {"type": "object", "required": 1}}]}, "JSON schema is invalid"),
        ({"tools": [{**TOOL, "input_examples": [[1]]}]}, "does not fit"),
        ({"tools": [{**TOOL, "strict": True}]}, "additionalProperties"),
        ({"tools": [{**TOOL, "invented": True}]}, "Extra inputs"),
        ({"system": [MARKED] * 4, "cache_control": {"type": "ephemeral"}}, "maximum of 4"),
    ],
)
async def test_what_the_api_refuses_is_refused(
    standin: Standin, client: AsyncAnthropic, changes: dict[str, Any], words: str
) -> None:
    with pytest.raises(anthropic.BadRequestError, match=re.escape(words)):
        await message_of(client, **changes)
    assert len(standin.refused) == 1
    assert standin.asked == []


async def test_what_the_api_takes_is_taken(standin: Standin, client: AsyncAnthropic) -> None:
    """Messages of one role in a row are one turn, so results and what is said beside them may come apart."""
    history = [USER, USER, CALLED, {"role": "user", "content": [RESULT]}, {"role": "user", "content": [NOTE]}]
    answer = await message_of(client, messages=history, system=[MARKED] * 3, cache_control={"type": "ephemeral"})
    assert [block.text for block in answer.content] == ["yes"]
    assert standin.refused == []


async def test_the_other_routes(client: AsyncAnthropic) -> None:
    counted = await client.messages.count_tokens(model="claude-sonnet-5-5", messages=[USER], tools=[TOOL])  # type: ignore[list-item]
    assert counted.input_tokens > 10
    models = [model.id async for model in client.models.list()]
    assert "claude-haiku-5-5" in models
    with pytest.raises(anthropic.NotFoundError):
        await client.models.retrieve("claude-nobody-1")


async def test_thoughts_are_shown_only_where_that_is_asked_for() -> None:
    standin = Standin([Turn([Thinking("Hm."), Text("Yes.")])] * 2)
    async with serve(standin) as url, AsyncAnthropic(api_key=standin.key, base_url=url, max_retries=0) as client:
        silent = await message_of(client)
        spoken = await message_of(client, thinking={"type": "adaptive", "display": "summarized"})
    assert [answer.content[0].thinking for answer in (silent, spoken)] == ["", "Hm."]


async def test_the_sdks_own_stream_understands_it() -> None:
    standin = Standin([Turn([Thinking("Hm."), Text("Yes."), ToolUse("edit", {"a": ["ä"]})])])
    async with (
        serve(standin) as url,
        AsyncAnthropic(api_key=standin.key, base_url=url, max_retries=0) as client,
        client.messages.stream(model="claude-sonnet-5-5", max_tokens=10, messages=[USER], tools=[TOOL]) as stream,  # type: ignore[list-item]
    ):
        message = await stream.get_final_message()
    assert message.content[-1].input == {"a": ["ä"]}  # type: ignore[union-attr]
    assert message.usage.output_tokens > 1


def sample() -> Workspace:
    return workspace_of(
        group("core", label="Core"),
        node("api", label='The "API"', technology="Go [1]", type="api", parent="core"),
        node("orders", 300, label="Orders"),
        node("db", 600, label="Postgres", type="database"),
        edge("api", "orders", label="places (async)", kind="async"),
        edge("orders", "db", label="reads, writes", direction="both"),
        text="# Shop\n\n## Orders\n\nWhat it does.\n",
    )


def first(workflow: str, workspace: Workspace, prompt: str) -> str:
    prompts = prompt_set(workflow, read_prompts(workflow))
    options: dict[str, Any] = {"revision": 3, "focus": None, "recap": (), "changed_since": ()}
    return first_message(prompts, workspace, prompt=prompt, **options)


def test_the_demonstration_reads_the_workspace_that_it_is_shown() -> None:
    """If the form of the first message changes, this says so."""
    shown = sample()
    asked = read_first([{"role": "user", "content": first("edit", shown, "Rename it")}])
    assert asked.request == "Rename it"
    read = asked.workspace

    def told_of(workspace: Workspace) -> Any:
        diagram = workspace.diagram
        nodes = {i: (n["type"], n["label"], n.get("parent")) for i, n in diagram.nodes().items()}
        return nodes, {(s, t, e.get("label", "")) for _, s, t, e in diagram.edges()}, workspace.document.text

    assert told_of(read) == told_of(shown)


@pytest.mark.parametrize(
    "workflow, prompt, tools",
    [
        ("edit", "add a cache called Redis between Orders and Postgres", ["edit_diagram"]),
        ("ask", "what calls Orders", ["neighbours"]),
        ("edit", "tell me a joke", []),
        ("ask", "add a cache called Redis", []),
    ],
)
async def test_the_demonstration_answers(workflow: str, prompt: str, tools: list[str]) -> None:
    """With the tools and the prompts of the product, which the stand-in's checks hold to the API's rules, too."""
    standin = Standin(lambda body: _at_once(demonstrate(body)))
    prompts = prompt_set(workflow, read_prompts(workflow))
    async with serve(standin) as url:
        provider = AnthropicProvider(standin.key, "claude-sonnet-5-5", base_url=url)
        messages = [provider.user(first(workflow, sample(), prompt))]
        asked = TurnRequest(prompts.system, tools_of(workflow, prompts), messages, 4_000)
        end = (await told(provider, asked))[-1]
        assert isinstance(end, TurnEnd)
        assert [call.name for call in end.calls] == tools
        if end.calls:
            results = provider.results([ToolResult(call.id, "Staged.") for call in end.calls])
            asked = TurnRequest(asked.system, asked.tools, [*messages, end.message, results], 4_000)
            end = (await told(provider, asked))[-1]
            assert isinstance(end, TurnEnd)
        assert end.stop == "end"
        assert end.message["content"][0]["text"]
        await provider.close()
    assert standin.refused == []


def _at_once(step: Any) -> Any:
    return replace(step, delay=0.0) if isinstance(step, Turn) else step


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_demonstration_ends_with_the_command_it_runs(number: signal.Signals) -> None:
    """The command gets the signal once, and what it made of it is the exit code."""
    program = (
        "import os, signal, sys\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])\n"
        "print('key', os.environ['ANTHROPIC_API_KEY'], flush=True)\n"
        "signal.sigwait([signal.SIGTERM])\n"  # also one that came before: a sleep would sleep on after it
        "sys.exit(7)\n"
    )
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "tests.standin", sys.executable, "-c", program]
    with subprocess.Popen(
        command, cwd=root, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": "backend"}
    ) as demo:
        assert demo.stdout is not None
        assert "no AI behind it: http://127.0.0.1:" in demo.stdout.readline()
        assert demo.stdout.readline() == "key sk-demonstration\n"
        demo.send_signal(number)
        assert demo.wait(TIMEOUT_SECONDS) == 7


def test_the_demonstration_drafts_a_first_diagram() -> None:
    """Its batches are operations that the executor takes."""
    said = {"role": "user", "content": first("generate", Workspace(), "A photo shop with a login and a queue")}
    tools = [{"name": "edit_diagram"}, {"name": "edit_document"}]
    step: Any = demonstrate({"messages": [said], "tools": tools})
    calls = [block for block in step.blocks if isinstance(block, ToolUse)]
    operations = [operation for call in calls for operation in call.input["operations"]]  # type: ignore[index]
    drafted = workspace_of(*operations)
    assert {"web", "gateway", "service", "database", "queue", "auth", "storage"} == set(drafted.diagram.node_ids())
    assert "## Components" in drafted.document.text or "# Components" in drafted.document.text
