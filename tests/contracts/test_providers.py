"""What the tool loop may rely on, whoever answers: one suite for every provider.

Each case is a provider that is asked for one change. It knows a request that leads to a call, and one that does not.
"""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from draftsmith.adapters.model_providers import MODEL_PROVIDERS
from draftsmith.adapters.process.system import SystemClock
from draftsmith.assistant.builtin import BuiltinProvider
from draftsmith.assistant.loop import LoopContext, RunLimits, run_once
from draftsmith.assistant.provider import (
    AIProvider,
    Message,
    ToolCall,
    ToolDelta,
    ToolResult,
    ToolSpec,
    ToolStart,
    TurnEnd,
    TurnRequest,
)
from draftsmith.model.workspace import Workspace
from tests.builders import canonical, edge, node, workspace_of
from tests.standin import Step, Text, Thinking, ToolUse, Turn
from tests.standin.conversation import EDIT, SYSTEM, told
from tests.standin.kinds import KINDS, Kind, running

DOCUMENT_EDIT = ToolSpec("edit_document", "Change the document.", EDIT.input_schema, eager=True)
FIND = ToolSpec("find_nodes", "Find nodes.", {"type": "object", "properties": {"text": {"type": "string"}}})
READ = ToolSpec("read_section", "Read a section.", {"type": "object", "properties": {"section": {"type": "string"}}})
READ_NODES = ToolSpec("read_nodes", "Read nodes.", {"type": "object", "properties": {"ids": {"type": "array"}}})
TOOLS = (EDIT, DOCUMENT_EDIT, FIND, READ, READ_NODES)
CHANGE = "add a cache called Redis between API and Orders"
CHAT = "how was your day at the seaside"


@dataclass(frozen=True)
class Case:
    """A provider, what must hold at the end of a test, and one that cannot be reached."""

    provider: AIProvider
    assert_clean: Callable[[], None]
    unreachable: AIProvider


def change_once(body: Mapping[str, Any]) -> Step:
    """A model that changes the diagram if it is asked to and may, and says so afterwards."""
    last = body["messages"][-1]["content"][-1]
    names = {tool["name"] for tool in body.get("tools", ())}
    if last["type"] == "tool_result":
        return Turn([Thinking("It is done."), Text("That did not fit." if last.get("is_error") else "Done.")])
    if CHANGE in last["text"] and "edit_diagram" in names:
        return Turn([Thinking("Easy."), Text("On it."), ToolUse("edit_diagram", {"operations": [{"op": "add_node"}]})])
    return Turn([Text("I only draw diagrams.")])


@asynccontextmanager
async def model_case(kind: Kind) -> AsyncIterator[Case]:
    async with running(kind, change_once) as (standin, provider):
        nowhere = kind.connections("http://127.0.0.1:1")

        def assert_clean() -> None:
            assert standin.refused == []

        try:
            yield Case(provider, assert_clean, nowhere.provider(standin.key, kind.model))
            # Whatever a test left half read is closed upstream, too.
            await standin.until(lambda: standin.streaming == 0)
        finally:
            await nowhere.close()


@asynccontextmanager
async def builtin_case() -> AsyncIterator[Case]:
    workspace = workspace_of(node("api", label="API"), node("orders", 300, label="Orders"), edge("api", "orders"))
    before = canonical(workspace)

    async def look(work: Callable[[Workspace], Any], /) -> Any:
        return work(workspace)

    def assert_clean() -> None:
        assert canonical(workspace) == before

    yield Case(BuiltinProvider(look), assert_clean, BuiltinProvider(look))


@pytest.fixture(params=[*KINDS, "builtin"])
async def case(request: pytest.FixtureRequest) -> AsyncIterator[Case]:
    """Every provider there is, one after the other."""
    kind = KINDS.get(request.param)
    async with builtin_case() if kind is None else model_case(kind) as made:
        yield made
        made.assert_clean()


def turn_request(*messages: Message, tools: tuple[ToolSpec, ...] = TOOLS) -> TurnRequest:
    return TurnRequest(SYSTEM, tools, messages, 4_000)


async def ending(provider: AIProvider, request: TurnRequest) -> TurnEnd:
    end = (await told(provider, request))[-1]
    assert isinstance(end, TurnEnd)
    return end


def fits(call: ToolCall) -> ToolResult:
    staged = [{"index": 0, "op": "add_node", "what": "added 'Redis'"}]
    return ToolResult(call.id, "Staged.", data={"staged": staged, "warnings": []})


def fits_not(call: ToolCall) -> ToolResult:
    problems = [{"index": 0, "op": "add_node", "code": "id_taken", "message": "There is a 'redis' already."}]
    return ToolResult(call.id, "Nothing was applied.", is_error=True, data={"problems": problems}, failed_batch=True)


@pytest.mark.parametrize("prompt", [CHANGE, CHAT])
async def test_the_end_comes_last_and_once(case: Case, prompt: str) -> None:
    events = await told(case.provider, turn_request(case.provider.user(prompt)))
    assert [index for index, event in enumerate(events) if isinstance(event, TurnEnd)] == [len(events) - 1]


async def test_a_request_leads_to_a_call(case: Case) -> None:
    changing = await ending(case.provider, turn_request(case.provider.user(CHANGE)))
    assert (changing.stop, len(changing.calls)) == ("tools", 1)


async def test_chat_leads_to_no_call(case: Case) -> None:
    chatting = await ending(case.provider, turn_request(case.provider.user(CHAT)))
    assert (chatting.stop, list(chatting.calls)) == ("end", [])


async def test_calls_are_told_as_they_are_written(case: Case) -> None:
    """Ghosts are drawn from the pieces, so together they are the input."""
    events = await told(case.provider, turn_request(case.provider.user(CHANGE)))
    end = events[-1]
    assert isinstance(end, TurnEnd)
    begun = [(event.id, event.name) for event in events if isinstance(event, ToolStart)]
    assert begun == [(call.id, call.name) for call in end.calls]
    assert len(set(begun)) == len(begun)
    for call in end.calls:
        pieces = [event.json for event in events if isinstance(event, ToolDelta) and event.id == call.id]
        assert json.loads("".join(pieces)) == call.input
        start = next(i for i, event in enumerate(events) if isinstance(event, ToolStart) and event.id == call.id)
        assert not [event for event in events[:start] if isinstance(event, ToolDelta) and event.id == call.id]


@pytest.mark.parametrize("tools", [TOOLS, (FIND, READ), ()], ids=["all", "reading", "none"])
async def test_only_tools_that_are_offered_are_called(case: Case, tools: tuple[ToolSpec, ...]) -> None:
    end = await ending(case.provider, turn_request(case.provider.user(CHANGE), tools=tools))
    assert {call.name for call in end.calls} <= {tool.name for tool in tools}


@pytest.mark.parametrize("execute", [fits, fits_not])
async def test_results_lead_to_an_answer(case: Case, execute: Callable[[ToolCall], ToolResult]) -> None:
    """The history is handed back as it came, and nothing in it is changed by whoever reads it."""
    messages = [case.provider.user(CHANGE)]
    end = await ending(case.provider, turn_request(*messages))
    messages += [end.message, case.provider.results([execute(call) for call in end.calls])]
    before = copy.deepcopy(messages)
    answered = await told(case.provider, turn_request(*messages))
    assert messages == before
    last = answered[-1]
    assert isinstance(last, TurnEnd)
    assert (last.stop, list(last.calls)) == ("end", [])
    assert [event for event in answered if getattr(event, "text", "")]


async def test_a_single_round_carries_its_call_out(case: Case) -> None:
    """The call is executed, once, and told with its result; what it says with it is the answer, and nobody is asked."""
    executed: list[ToolCall] = []

    async def execute(call: ToolCall) -> ToolResult:
        executed.append(call)
        return fits(call)

    async def ignore(_: object) -> None:
        return None

    async def done() -> None:
        raise AssertionError("a single round does not ask whether it is done")

    context = LoopContext(
        provider=case.provider, system=SYSTEM, tools=TOOLS, execute=execute, on_event=ignore, on_turn=ignore,
        on_done=done, clock=SystemClock(), limits=RunLimits(answer_tokens=4_000),
    )  # fmt: skip
    result = await run_once(context, CHANGE)
    assert [(one.tool, one.status, one.result) for one in result.executed] == [("edit_diagram", "ok", "Staged.")]
    assert (result.iterations, result.tools_used, len(executed)) == (1, ["edit_diagram"], 1)


async def test_the_same_turn_can_be_made_again(case: Case) -> None:
    """As the loop does when a turn failed before anything of it had come."""
    request = turn_request(case.provider.user(CHANGE))
    first, second = await ending(case.provider, request), await ending(case.provider, turn_request(*request.messages))
    assert [(call.name, call.input) for call in first.calls] == [(call.name, call.input) for call in second.calls]


async def test_messages_outlive_their_object(case: Case) -> None:
    """A history is data: it can be copied, and goes on with the copy."""
    messages = [case.provider.user(CHANGE)]
    end = await ending(case.provider, turn_request(*messages))
    messages += [end.message, case.provider.results([fits(call) for call in end.calls], note="Go on.")]
    assert (await ending(case.provider, turn_request(*json.loads(json.dumps(messages))))).stop == "end"


async def test_a_turn_can_be_left_and_another_be_made(case: Case) -> None:
    turn: Any = case.provider.turn(turn_request(case.provider.user(CHANGE)))
    async with aclosing(turn) as events:
        await anext(events)
    assert (await ending(case.provider, turn_request(case.provider.user(CHANGE)))).stop == "tools"


async def test_a_cancelled_turn_stops_and_another_can_be_made(case: Case) -> None:
    begun = asyncio.Event()

    async def take() -> None:
        turn: Any = case.provider.turn(turn_request(case.provider.user(CHANGE)))
        async with aclosing(turn) as events:
            async for _event in events:
                begun.set()
                await asyncio.Event().wait()

    taking = asyncio.create_task(take())
    await begun.wait()
    taking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await taking
    assert (await ending(case.provider, turn_request(case.provider.user(CHANGE)))).stop == "tools"


async def test_turns_do_not_disturb_each_other(case: Case) -> None:
    ends = await asyncio.gather(*(ending(case.provider, turn_request(case.provider.user(CHANGE))) for _ in range(4)))
    assert [end.stop for end in ends] == ["tools"] * 4
    assert len({json.dumps(end.calls[0].input) for end in ends}) == 1


@pytest.mark.parametrize("prompt", [CHANGE, CHAT])
async def test_usage_is_whole(case: Case, prompt: str) -> None:
    request = turn_request(case.provider.user(prompt))
    await told(case.provider, request)
    usage = request.usage
    assert min(usage.input, usage.cache_read, usage.cache_write, usage.output, usage.thinking) >= 0
    assert usage.cache_read + usage.cache_write <= usage.input
    assert usage.thinking <= usage.output
    assert (usage.input > 0) == (case.provider.model != "")


async def test_a_check_answers_whatever_is_the_matter(case: Case) -> None:
    for provider in (case.provider, case.unreachable):
        found = await provider.check()
        assert found.ok == (found.code == "")
        assert found.detail
        json.dumps(dict(found.facts))


async def test_a_provider_says_who_it_is(case: Case) -> None:
    provider = case.provider
    assert provider.name in {"builtin", "own", *(one.name for one in MODEL_PROVIDERS)}
    assert provider.model in provider.label
    assert isinstance(provider.reads_context, bool)
    assert (provider.model == "") == (provider.name == "builtin")


async def test_a_turn_without_tools_is_words_alone(case: Case) -> None:
    """A single turn may be asked for, with nothing to call; APIs refuse a list of tools that is empty."""
    end = await ending(case.provider, turn_request(case.provider.user(CHAT), tools=()))
    assert (end.stop, list(end.calls)) == ("end", [])
