"""The Anthropic provider through the real SDK and a real socket: what it sends, and what comes of every answer."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, aclosing
from typing import Any

import pytest

from draftsmith.adapters.anthropic.provider import AnthropicProvider
from draftsmith.assistant.provider import (
    Event,
    ProviderError,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolDelta,
    ToolResult,
    ToolStart,
)
from tests.standin import Break, HttpError, Standin, Step, Text, Thinking, ToolUse, Turn, serve
from tests.standin.conversation import EDIT, READ, ended, request, told

pytestmark = pytest.mark.usefixtures("clean_environment")


SONNET, HAIKU, OLD = "claude-sonnet-5-5", "claude-haiku-5-5", "claude-haiku-4-5"
GOOD = {"operations": [{"op": "add_node", "type": "cache", "label": "Redis “ä” 😀"}]}

Start = Callable[..., Any]


@pytest.fixture
async def start() -> AsyncIterator[Start]:
    """Start a stand-in with a script; it and a provider that talks to it, both closed at the end."""
    async with AsyncExitStack() as stack:

        async def begin(
            script: Sequence[Step], model: str = SONNET, key: str = "sk-standin", **options: Any
        ) -> tuple[Standin, AnthropicProvider]:
            standin = Standin(script)
            url = await stack.enter_async_context(serve(standin))
            provider = AnthropicProvider(key, model, base_url=url, **options)
            stack.push_async_callback(provider.close)
            return standin, provider

        yield begin


async def failure(provider: AnthropicProvider, *, after: int = 0) -> ProviderError:
    """Make a turn that fails; how. At least `after` events have come before."""
    came: list[Event] = []
    with pytest.raises(ProviderError) as failed:
        await listen(provider, came.append)
    assert len(came) >= after
    return failed.value


async def listen(provider: AnthropicProvider, hear: Callable[[Event], None]) -> None:
    """Make a turn and hand on everything that is told of it."""
    turn: Any = provider.turn(request(provider.user("hi")))
    async with aclosing(turn) as events:
        async for event in events:
            hear(event)


# What comes of an answer.


async def test_a_turn_is_told_as_it_comes(start: Start) -> None:
    _, provider = await start(
        [Turn([Thinking("Let me look."), Text("Adding “ä” 😀."), ToolUse("edit_diagram", GOOD)], chunk=1)]
    )
    events = await told(provider, request(provider.user("add a cache")))
    kinds = list(dict.fromkeys(type(event).__name__ for event in events))
    assert kinds == ["ThinkingDelta", "TextDelta", "ToolStart", "ToolDelta", "TurnEnd"]
    assert "".join(event.text for event in events if isinstance(event, ThinkingDelta)) == "Let me look."
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "Adding “ä” 😀."
    begun = [event for event in events if isinstance(event, ToolStart)]
    parts = [event for event in events if isinstance(event, ToolDelta)]
    assert json.loads("".join(part.json for part in parts)) == GOOD
    assert {part.id for part in parts} == {begun[0].id}
    end = events[-1]
    assert (end.stop, [(call.id, call.name, call.input) for call in end.calls]) == (
        "tools",
        [(begun[0].id, "edit_diagram", GOOD)],
    )


async def test_what_it_said_is_handed_back_verbatim(start: Start) -> None:
    """Thoughts are signed with all that came before: one changed byte anywhere and the API refuses the history."""
    script = [
        Turn(
            [
                Thinking("First."),
                Text("On it."),
                Thinking(),
                ToolUse("edit_diagram", GOOD),
                ToolUse("read_section", {"section": "A"}),
            ]
        ),
        Turn([Thinking("Second."), ToolUse("edit_diagram", GOOD)]),
        Turn([Text("Done.")]),
    ]
    standin, provider = await start(script)
    messages = [provider.user("add a cache")]
    for _ in range(2):
        end = await ended(provider, request(*messages))
        messages += [end.message, provider.results([ToolResult(call.id, "ok") for call in end.calls], note="Go on.")]
    assert (await ended(provider, request(*messages))).stop == "end"
    assert standin.refused == []
    said = standin.asked[2].body["messages"][1]["content"]
    assert [block["type"] for block in said] == ["thinking", "text", "thinking", "tool_use", "tool_use"]
    assert said[0]["thinking"] == "First."


async def test_a_changed_history_is_found_out(start: Start) -> None:
    """The test before this one could not fail otherwise."""
    _, provider = await start([Turn([Thinking("First."), ToolUse("edit_diagram", GOOD)]), Turn([Text("Done.")])])
    first = provider.user("add a cache")
    end = await ended(provider, request(first))
    results = provider.results([ToolResult(end.calls[0].id, "ok")])
    for history, tools in (
        ((provider.user("add another cache"), end.message, results), (EDIT, READ)),
        ((first, end.message, results), (EDIT,)),
    ):
        with pytest.raises(ProviderError, match="bound to a different conversation") as refused:
            await ended(provider, request(*history, tools=tools))
        assert refused.value.code == "bad_request"


@pytest.mark.parametrize(
    "stop, expected",
    [
        ("end_turn", "end"),
        ("stop_sequence", "end"),
        ("max_tokens", "max_tokens"),
        ("refusal", "refusal"),
        ("pause_turn", "pause"),
        ("model_context_window_exceeded", "context"),
        ("something_new", "end"),
    ],
)
async def test_why_it_stopped(start: Start, stop: str, expected: str) -> None:
    _, provider = await start([Turn([Text("So far.")], stop=stop)])
    assert (await ended(provider, request(provider.user("hi")))).stop == expected


@pytest.mark.parametrize("stop", ["max_tokens", "refusal", "model_context_window_exceeded"])
async def test_no_call_of_a_turn_that_was_cut_is_given(start: Start, stop: str) -> None:
    """The last call may lack its end, and its beginning may be good JSON."""
    _, provider = await start(
        [Turn([ToolUse("edit_diagram", GOOD), ToolUse("edit_diagram", '{"operations": []}')], stop=stop)]
    )
    assert (await ended(provider, request(provider.user("hi")))).calls == []


async def test_a_pause_is_gone_on_from(start: Start) -> None:
    standin, provider = await start([Turn([Text("A moment.")], stop="pause_turn"), Turn([Text("Done.")])])
    first = provider.user("hi")
    paused = await ended(provider, request(first))
    assert (await ended(provider, request(first, paused.message))).stop == "end"
    assert standin.refused == []


async def test_why_it_refuses_is_told(start: Start) -> None:
    details = {"type": "refusal", "category": "cyber", "explanation": "This looks like an attack."}
    _, provider = await start([Turn([Text("I cannot")], stop="refusal", stop_details=details)])
    events = await told(provider, request(provider.user("hi")))
    text = "".join(event.text for event in events if isinstance(event, TextDelta))
    assert text == "I cannot\n\nThis looks like an attack."


async def test_a_call_without_input_has_an_empty_one(start: Start) -> None:
    _, provider = await start([Turn([ToolUse("check_diagram", "", id="toolu_1")])])
    end = await ended(provider, request(provider.user("hi")))
    assert end.calls == [ToolCall("toolu_1", "check_diagram", {}, "")]


async def test_blocks_of_text_are_paragraphs_and_empty_ones_do_not_go_back(start: Start) -> None:
    """The API sends empty texts, and refuses them in a history."""
    standin, provider = await start(
        [Turn([Text("One."), Text(""), Text("Two."), ToolUse("edit_diagram", GOOD)]), Turn([])]
    )
    first = provider.user("hi")
    events = await told(provider, request(first))
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "One.\n\nTwo."
    answer = provider.results([ToolResult(events[-1].calls[0].id, "")])
    empty = await ended(provider, request(first, events[-1].message, answer))
    assert (empty.stop, empty.message["content"]) == ("end", [])
    standin_next = provider.user("And now?")
    with pytest.raises(ProviderError, match="failure of its own"):  # the script is at its end, so it was taken
        await ended(provider, request(first, events[-1].message, answer, empty.message, standin_next))
    assert standin.refused == []


async def test_usage_counts_all_input_and_keeps_what_the_end_leaves_out(start: Start) -> None:
    _, provider = await start([Turn([Thinking("Hm. " * 20), Text("Yes.")], output_tokens=321)])
    asked = request(provider.user("hi"))
    await ended(provider, asked)
    usage = asked.usage
    assert usage.input > 100
    assert usage.cache_write == usage.input
    assert (usage.cache_read, usage.output, usage.thinking > 0) == (0, 321, True)
    assert usage.request_id.startswith("req_")


# What is sent.


async def test_what_is_sent(start: Start) -> None:
    standin, provider = await start([Turn([Text("Yes.")])], effort="low")
    await ended(provider, request(provider.user("hi"), max_tokens=1234))
    body, headers = standin.asked[0].body, standin.asked[0].headers
    assert headers["authorization"] == "Bearer sk-standin"
    assert headers["anthropic-version"] == "2026-10-21"
    assert "x-api-key" not in headers
    assert (body["model"], body["max_tokens"], body["stream"]) == (SONNET, 1234, True)
    assert body["thinking"] == {"type": "adaptive", "display": "summarized"}
    assert body["output_config"] == {"effort": "low"}
    assert body["messages"] == [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]
    eager, plain = body["tools"]
    assert (eager["name"], eager["eager_input_streaming"], eager["input_examples"]) == (
        "edit_diagram",
        True,
        [{"operations": [{"op": "add_node", "type": "cache", "label": "Redis"}]}],
    )
    assert set(plain) == {"name", "description", "input_schema"}


async def test_the_second_turn_reads_the_first_from_the_cache(start: Start) -> None:
    """One mark covers tools and system, one moves with the last message."""
    standin, provider = await start([Turn([Thinking("Hm."), ToolUse("edit_diagram", GOOD)]), Turn([Text("Done.")])])
    first = request(provider.user("add a cache"))
    end = await ended(provider, first)
    second = request(*first.messages, end.message, provider.results([ToolResult(end.calls[0].id, "ok")]))
    await ended(provider, second)
    assert (first.usage.cache_read, first.usage.cache_write) == (0, first.usage.input)
    assert second.usage.cache_read == first.usage.input
    assert second.usage.cache_write == second.usage.input - first.usage.input
    body = standin.asked[0].body
    assert [block.get("cache_control") for block in body["system"]] == [None, {"type": "ephemeral"}]
    assert body["cache_control"] == {"type": "ephemeral"}


async def test_another_conversation_reads_tools_and_system_from_the_cache(start: Start) -> None:
    _, provider = await start([Turn([Text("Yes.")]), Turn([Text("No.")])])
    await ended(provider, request(provider.user("one question")))
    other = request(provider.user("another question"))
    await ended(provider, other)
    assert 0 < other.usage.cache_read < other.usage.input


async def test_without_a_system_text_the_mark_is_on_the_last_tool(start: Start) -> None:
    standin, provider = await start([Turn([Text("Yes.")]), Turn([Text("Yes.")])])
    await ended(provider, request(provider.user("hi"), system=["", "  "]))
    body = standin.asked[0].body
    assert "system" not in body
    assert [tool.get("cache_control") for tool in body["tools"]] == [None, {"type": "ephemeral"}]
    await ended(provider, request(provider.user("hi"), system=[], tools=[]))
    assert not {"system", "tools"} & standin.asked[1].body.keys()


async def test_halves_of_characters_do_not_stop_a_request(start: Start) -> None:
    """JavaScript cuts texts in the middle of a character; UTF-8 cannot say that."""
    standin, provider = await start([Turn([Text("Yes.")])])
    await ended(provider, request(provider.user("a\ud83d"), provider.user("\ud83d\ude00"), system=["s\udc00"]))
    assert [message["content"][0]["text"] for message in standin.asked[0].body["messages"]] == ["a�", "😀"]


@pytest.mark.parametrize("is_checked", [False, True])
@pytest.mark.parametrize("model, thinks", [(SONNET, True), (HAIKU, True), (OLD, False)])
async def test_a_model_is_sent_what_it_takes(start: Start, model: str, thinks: bool, is_checked: bool) -> None:
    """By its name, and by the provider's word once that is known; the stand-in refuses what a model does not take."""
    standin, provider = await start([Turn([Text("Yes.")])], model=model)
    if is_checked:
        assert (await provider.check()).ok
    # How long an answer of a model may be is known from a check alone.
    await ended(provider, request(provider.user("hi"), max_tokens=16_000 if is_checked else 4_000))
    body = standin.asked[0].body
    assert ("thinking" in body, "output_config" in body) == (thinks, thinks)
    assert body["max_tokens"] == ((8_000 if model == OLD else 16_000) if is_checked else 4_000)


async def test_later_runs_know_what_a_check_has_found(start: Start) -> None:
    standin, provider = await start([Turn([Text("Yes.")])], model=OLD)
    await provider.check()
    later = AnthropicProvider("", OLD, connection=provider.connection)
    assert later.label == "Claude Haiku 4.5 (Anthropic)"
    await ended(later, request(later.user("hi"), max_tokens=16_000))
    assert standin.asked[0].body["max_tokens"] == 8_000


async def test_the_environment_decides_nothing(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """The SDK would take a key, a profile and an address from there, an empty address included."""
    standin, provider = await start([Turn([Text("Yes.")])])
    for name, value in (("BASE_URL", ""), ("API_KEY", "sk-other"), ("AUTH_TOKEN", "other"), ("PROFILE", "none")):
        monkeypatch.setenv(f"ANTHROPIC_{name}", value)
    await ended(provider, request(provider.user("hi")))
    assert standin.asked[0].headers["authorization"] == "Bearer sk-standin"


async def test_neither_prompts_nor_keys_nor_addresses_are_logged(
    start: Start, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever the level: the SDK would write prompts, and its HTTP library addresses, which may hold passwords."""
    standin, provider = await start([Turn([Text("Yes.")]), HttpError()])
    with caplog.at_level(logging.DEBUG):
        await provider.check()
        await told(provider, request(provider.user("a private matter")))
        await failure(provider)
    for secret in (standin.key, "private matter", "/v1/messages", "/v1/models"):
        assert secret not in caplog.text


async def test_models_share_a_connection_and_a_closed_one_opens_again(start: Start) -> None:
    standin, provider = await start([Turn([Text("Yes.")])] * 3)
    asking = AnthropicProvider("", HAIKU, connection=provider.connection)
    await asyncio.gather(ended(provider, request(provider.user("a"))), ended(asking, request(asking.user("b"))))
    assert {asked.body["model"] for asked in standin.asked} == {SONNET, HAIKU}
    await provider.close()
    await provider.close()
    await ended(asking, request(asking.user("c")))


# What goes wrong.


@pytest.mark.parametrize(
    "step, code, wait, words",
    [
        (HttpError(headers={"retry-after": "7"}), "rate_limited", 7.0, "Try again in 7 seconds."),
        (HttpError(headers={"retry-after-ms": "400", "retry-after": "1"}), "rate_limited", 0.4, "in 1 second."),
        (HttpError(headers={"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}), "rate_limited", 0.0, "in 1 second."),
        (HttpError(headers={"retry-after": "soon"}), "rate_limited", None, "Try again in a moment."),
        (HttpError(headers={"retry-after": "nan"}), "rate_limited", None, "Try again in a moment."),
        (HttpError(code="enforced_spend_limit_reached"), "billing", None, "spending limit"),
        (HttpError(code="contract_spend_limit_reached"), "billing", None, "spending limit"),
        (HttpError("billing_error", code="linked_organization_billing_unavailable"), "billing", None, "credit"),
        (HttpError("billing_error", "No credit"), "billing", None, "credit"),
        (HttpError("invalid_request_error", "Your credit balance is too low"), "billing", None, "credit"),
        (HttpError("authentication_error", "invalid x-api-key"), "auth", None, "ANTHROPIC_API_KEY"),
        (HttpError("permission_error", "Not for you"), "auth", None, "“Not for you”"),
        (HttpError("not_found_error", "model: x"), "model_not_found", None, SONNET),
        (HttpError("request_too_large", "Too large"), "too_large", None, "too large"),
        (HttpError("invalid_request_error", "prompt is too long: 9 > 8"), "too_large", None, "too large"),
        (HttpError("invalid_request_error", "messages: odd"), "bad_request", None, "“messages: odd”"),
        (HttpError("overloaded_error", "Overloaded"), "overloaded", None, "overloaded"),
        (HttpError("api_error", "Internal"), "provider_down", None, "failure of its own"),
        (HttpError("timeout_error", "Slow"), "timeout", None, "in time"),
        (HttpError("a_new_error", "New", status=429), "rate_limited", None, "no more requests"),
        (HttpError("a_new_error", "New", status=418), "bad_request", None, "“New”"),
        (HttpError("", status=502, body="<html>Bad gateway</html>"), "provider_down", None, "failure of its own"),
        (HttpError("", status=404, body="<html>Nothing here</html>"), "model_not_found", None, "knows no model"),
        (HttpError("", status=413, body=""), "too_large", None, "too large"),
        (HttpError("", status=408, body=""), "timeout", None, "in time"),
        (HttpError("", status=200, body="<html>Please log in</html>"), "network", None, "broke"),
    ],
)
async def test_every_refusal_has_its_code_and_its_sentence(
    start: Start, step: HttpError, code: str, wait: float | None, words: str
) -> None:
    """And none is retried here: the loop does that, where the person sees it."""
    standin, provider = await start([step])
    failed = await failure(provider)
    assert (failed.code, failed.retry_after) == (code, wait)
    assert words in failed.detail
    assert "{" not in failed.detail
    assert failed.request_id.startswith("req_")
    assert len(standin.asked) == 1


@pytest.mark.parametrize(
    "breaks, code",
    [
        (Break(6, "error"), "overloaded"),
        (Break(6, "error", "rate_limit_error", "Slow down"), "rate_limited"),
        (Break(6, "error", "api_error", "Internal"), "provider_down"),
        (Break(6, "error", "a_new_error", "New"), "provider_down"),
        (Break(6, "cut"), "network"),
        (Break(6, "end"), "network"),
        (Break(6, "garbage"), "network"),
    ],
)
async def test_what_breaks_in_the_middle(start: Start, breaks: Break, code: str) -> None:
    """Status 200 has been sent by then, so the classes of the SDK say nothing."""
    standin, provider = await start([Turn([Text("abc" * 50)], breaks=breaks)])
    assert (await failure(provider, after=1)).code == code
    await standin.until(lambda: standin.streaming == 0)


async def test_a_stream_that_ends_before_it_begins_is_no_answer(start: Start) -> None:
    _, provider = await start([Turn([Text("abc")], breaks=Break(0, "end"))])
    assert (await failure(provider)).code == "network"


async def test_silence_is_a_timeout(start: Start) -> None:
    standin, provider = await start([Turn([Text("abc" * 50)], breaks=Break(6, "stall"))], timeout_seconds=2)
    assert (await failure(provider, after=1)).code == "timeout"
    await standin.until(lambda: standin.streaming == 0)
    assert standin.disconnects == 1


async def test_nobody_at_the_address() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    provider = AnthropicProvider("sk-x", SONNET, base_url=f"http://ada:secret@127.0.0.1:{port}")
    failed = await failure(provider)
    assert (failed.code, failed.is_transient) == ("network", True)
    assert f"127.0.0.1:{port}" in failed.detail
    assert "secret" not in failed.detail
    await provider.close()


@pytest.mark.parametrize("key", ["", "sk-ä", "two words", "sk\nx: y"])
async def test_what_cannot_be_a_key_is_not_sent(start: Start, key: str) -> None:
    standin, provider = await start([Turn([Text("Yes.")])], key=key)
    failed = await failure(provider)
    assert failed.code == "auth"
    assert not key or key not in failed.detail
    assert standin.asked == []


async def test_a_wrong_key(start: Start) -> None:
    _, provider = await start([], key="sk-wrong")
    failed = await failure(provider)
    assert failed.code == "auth"
    assert "sk-wrong" not in failed.detail


# Leaving in the middle.


async def test_cancelling_closes_the_connection_and_keeps_what_was_counted(start: Start) -> None:
    standin, provider = await start([Turn([Text("abc" * 50)], breaks=Break(9, "stall"))])
    asked = request(provider.user("hi"))
    turn = asyncio.create_task(told(provider, asked))
    await standin.until(lambda: standin.stalled == 1)
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    await standin.until(lambda: standin.streaming == 0)
    assert standin.disconnects == 1
    assert asked.usage.input > 100
    assert asked.usage.request_id


async def test_leaving_the_iterator_closes_the_connection(start: Start) -> None:
    standin, provider = await start([Turn([Text("abc" * 50)], breaks=Break(9, "stall")), Turn([Text("Yes.")])])
    turn: Any = provider.turn(request(provider.user("hi")))
    async with aclosing(turn) as events:
        assert isinstance(await anext(events), TextDelta)
    await standin.until(lambda: standin.streaming == 0)
    assert standin.disconnects == 1
    assert (await ended(provider, request(provider.user("again")))).stop == "end"


async def test_a_failure_of_the_listener_closes_the_connection(start: Start) -> None:
    standin, provider = await start([Turn([Text("abc" * 50)], breaks=Break(9, "stall"))])

    def fail(_event: Event) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await listen(provider, fail)
    await standin.until(lambda: standin.streaming == 0)
    assert standin.disconnects == 1


# Trying the connection.


async def test_a_check_tells_what_the_model_is(start: Start) -> None:
    standin, provider = await start([])
    assert provider.label == "claude-sonnet-5-5 (Anthropic)"
    found = await provider.check()
    assert (found.ok, found.code) == (True, "")
    facts = dict(found.facts)
    assert facts.pop("latency_ms") >= 0
    assert facts == {
        "display_name": "Claude Sonnet 5.5",
        "max_tokens": 128_000,
        "max_input_tokens": 1_000_000,
        "lifecycle": "active",
    }
    assert provider.label == "Claude Sonnet 5.5 (Anthropic)"
    assert (standin.checked, standin.asked) == ([SONNET], [])


@pytest.mark.parametrize(
    "model, key, code",
    [
        ("claude-nobody-1", "sk-standin", "model_not_found"),
        ("claude-sonnet-4-5", "sk-standin", "model_not_found"),
        (SONNET, "sk-wrong", "auth"),
        (SONNET, "", "auth"),
    ],
)
async def test_a_check_that_fails_says_why(start: Start, model: str, key: str, code: str) -> None:
    _, provider = await start([], model=model, key=key)
    found = await provider.check()
    assert (found.ok, found.code) == (False, code)
    assert found.detail.endswith(".")


async def test_a_check_without_anybody_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    provider = AnthropicProvider("sk-x", SONNET, base_url=f"http://127.0.0.1:{port}")
    found = await provider.check()
    assert (found.ok, found.code) == (False, "network")
    assert f"127.0.0.1:{port}" in found.detail
    await provider.close()
