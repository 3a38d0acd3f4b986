"""Providers against a stand-in that nobody here wrote (npm `@copilotkit/aimock`), over the SDKs of their vendors.

Where it and our own stand-ins agree, a mistake would have to be made twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from typing import Any

import pytest

from draftsmith.assistant.provider import (
    AIProvider,
    ProviderError,
    TextDelta,
    ThinkingDelta,
    ToolDelta,
    ToolResult,
    ToolStart,
    TurnEnd,
)
from tests.standin.aimock import AIMOCK_KINDS, aimock, is_there
from tests.standin.conversation import ended, request, told

pytestmark = pytest.mark.skipif(not is_there(), reason="needs Node.js and the editor's packages")

BATCH = {"operations": [{"op": "add_node", "type": "cache", "label": "Redis “ä” 😀"}]}
CALLS = [
    {"name": "edit_diagram", "arguments": BATCH},
    {"name": "read_section", "arguments": {"section": "## Goals"}},
]
LONG = "It goes on and on. " * 40
FIXTURES: list[dict[str, Any]] = [
    {"match": {"userMessage": "two things", "hasToolResult": True}, "response": {"content": "Both are done."}},
    {
        "match": {"userMessage": "two things"},
        "response": {"content": "On it.", "reasoning": "Two calls, then.", "toolCalls": CALLS},
    },
    {"match": {"userMessage": "a question"}, "response": {"content": "An answer.", "reasoning": "Let me think."}},
    {"match": {"userMessage": "too long"}, "response": {"content": "So far", "finishReason": "length"}},
    {"match": {"userMessage": "cut it"}, "response": {"content": LONG}, "truncateAfterChunks": 3},
    {"match": {"userMessage": "take your time"}, "response": {"content": LONG}, "latency": 60},
    {
        "match": {"userMessage": "too many"},
        "response": {"error": {"message": "Slow down", "type": "rate_limit_error"}, "status": 429, "retryAfter": 7},
    },
    {
        "match": {"userMessage": "wrong key"},
        "response": {"error": {"message": "No such key", "type": "authentication_error"}, "status": 401},
    },
    {
        "match": {"userMessage": "no model"},
        "response": {"error": {"message": "No such model", "type": "not_found_error"}, "status": 404},
    },
    {
        "match": {"userMessage": "busy"},
        "response": {"error": {"message": "Try later", "type": "overloaded_error"}, "status": 503},
    },
    {
        "match": {"userMessage": "broken"},
        "response": {"error": {"message": "Internal", "type": "api_error"}, "status": 500},
    },
]
REFUSALS = {
    "too many": "rate_limited",
    "wrong key": "auth",
    "no model": "model_not_found",
    "busy": "overloaded",
    "broken": "provider_down",
}


@pytest.fixture(scope="module")
def aimock_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with aimock(FIXTURES, tmp_path_factory.mktemp("aimock")) as url:
        yield url


@pytest.fixture(params=list(AIMOCK_KINDS))
async def provider(request: pytest.FixtureRequest, aimock_url: str) -> AsyncIterator[AIProvider]:
    """Every provider that it knows, one after the other."""
    kind = AIMOCK_KINDS[request.param]
    connections = kind.connections(aimock_url)
    yield connections.provider("sk-anything", kind.model)
    await connections.close()


@pytest.mark.filterwarnings("ignore:FUNCTION_CALL is not a valid FinishReason")  # as it calls STOP with a call
async def test_parallel_calls_stream_and_are_answered(provider: AIProvider) -> None:
    first = provider.user("do two things")
    asked = request(first)
    events = await told(provider, asked)
    end = events[-1]
    assert isinstance(end, TurnEnd)
    assert [(call.name, call.input) for call in end.calls] == [(one["name"], one["arguments"]) for one in CALLS]
    assert end.stop == "tools"
    assert [event.id for event in events if isinstance(event, ToolStart)] == [call.id for call in end.calls]
    for call in end.calls:
        pieces = [event.json for event in events if isinstance(event, ToolDelta) and event.id == call.id]
        assert "".join(pieces) == call.raw
    assert asked.usage.output >= asked.usage.thinking
    results = provider.results([ToolResult(call.id, "Done.") for call in end.calls])
    answered = await told(provider, request(first, end.message, results))
    assert "".join(event.text for event in answered if isinstance(event, TextDelta)) == "Both are done."


async def test_text_and_thoughts_come_apart(provider: AIProvider) -> None:
    events = await told(provider, request(provider.user("a question")))
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "An answer."
    thought = "".join(event.text for event in events if isinstance(event, ThinkingDelta))
    assert thought in ("", "Let me think.")


async def test_what_is_cut_is_said(provider: AIProvider) -> None:
    """By the provider, or by the connection."""
    assert (await ended(provider, request(provider.user("this is too long")))).stop == "max_tokens"
    with pytest.raises(ProviderError) as cut:
        await told(provider, request(provider.user("cut it")))
    assert cut.value.code == "network"


async def test_refusals_have_their_codes(provider: AIProvider) -> None:
    for words, code in REFUSALS.items():
        with pytest.raises(ProviderError) as refused:
            await told(provider, request(provider.user(words)))
        assert (words, refused.value.code) == (words, code)
        assert "{" not in refused.value.detail


async def test_a_turn_can_be_left_and_another_be_made(provider: AIProvider) -> None:
    begun = asyncio.Event()

    async def take() -> None:
        events: Any = provider.turn(request(provider.user("take your time")))
        async with aclosing(events):
            async for _ in events:
                begun.set()

    taking = asyncio.create_task(take())
    await asyncio.wait({taking, asyncio.ensure_future(begun.wait())}, return_when=asyncio.FIRST_COMPLETED)
    taking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await taking
    assert (await ended(provider, request(provider.user("a question")))).stop == "end"
