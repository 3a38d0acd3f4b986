"""What becomes of answers that are not as they should be: one suite for every provider of models."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Any
from urllib.parse import quote

import pytest

from draftsmith.assistant.provider import AIProvider, ProviderError, TextDelta, ToolResult, TurnEnd
from tests.standin import Break, HttpError, Step, Text, Thinking, ToolUse, Turn
from tests.standin.conversation import ended, request, told
from tests.standin.kinds import KINDS, Kind, running

GOOD = {"operations": [{"op": "add_node", "type": "cache", "label": "Redis “ä” 😀"}]}
SECTION = {"section": "## Goals"}
WAIT = {"retry-after": "7"}
REFUSALS = [
    (HttpError("rate_limit_error", "Slow down", headers=WAIT), "rate_limited", "Try again in 7 seconds."),
    (HttpError("authentication_error", "no such key"), "auth", "_API_KEY"),
    (HttpError("permission_error", "Not for you"), "auth", "“Not for you”"),
    (HttpError("not_found_error", "no such model"), "model_not_found", "knows no model"),
    (HttpError("overloaded_error", "Busy"), "overloaded", "overloaded"),
    (HttpError("api_error", "Internal"), "provider_down", "failure of its own"),
    (HttpError("timeout_error", "Slow"), "timeout", "in time"),
    (HttpError("invalid_request_error", "odd field"), "bad_request", "“odd field”"),
    (HttpError("", status=502, body="<html>Bad gateway</html>"), "provider_down", "failure of its own"),
]
"""What every API says in its own form. What they say in words of their own is below."""
TOO_LONG = {
    "anthropic": HttpError("invalid_request_error", "prompt is too long: 9 > 8"),
    "bedrock": HttpError("invalid_request_error", "Input is too long for requested model."),
    "google": HttpError("invalid_request_error", "The input token count (9) exceeds the maximum number of tokens (8)."),
    "loose": HttpError("invalid_request_error", "This model's maximum context length is 8 tokens."),
}
OF_AN_ENTERED_SERVER = {"auth": "Enter the key", "model_not_found": "has no model", "timeout": "in time"}
"""No setting is at fault there."""
NO_CREDIT = {
    "google": HttpError("rate_limit_error", "Your project has exceeded its monthly spending cap."),
    "loose": HttpError("billing_error", "Insufficient credits"),
}


@pytest.fixture(params=list(KINDS))
def kind(request: pytest.FixtureRequest) -> Kind:
    """Every provider of models, one after the other."""
    return KINDS[request.param]


def name_of(kind: Kind) -> str:
    return next(name for name, one in KINDS.items() if one is kind)


async def failure(provider: AIProvider) -> ProviderError:
    with pytest.raises(ProviderError) as failed:
        await told(provider, request(provider.user("hi")))
    return failed.value


async def test_every_refusal_has_its_code_and_its_sentence(kind: Kind) -> None:
    """Nothing is retried here, the key is quoted to nobody, and no sentence is half filled in."""
    name = name_of(kind)
    too_long = TOO_LONG.get(name, HttpError("request_too_large", "Too long"))
    no_credit = NO_CREDIT.get(name, HttpError("billing_error", "No credit"))
    cases = [*REFUSALS, (too_long, "too_large", "too large"), (no_credit, "billing", "credit")]
    async with running(kind, [step for step, _, _ in cases]) as (standin, provider):
        for step, code, words in cases:
            failed = await failure(provider)
            assert (failed.code, step) == (code, step)
            assert (OF_AN_ENTERED_SERVER.get(code, words) if name == "own" else words) in failed.detail
            assert "{" not in failed.detail
            assert standin.key not in failed.detail
            assert failed.retry_after == (7.0 if step.headers else None)
        assert len(standin.asked) == len(cases)
        if standin.key:
            wrong = kind.connections("")  # nothing is asked with a key that cannot be one
            assert (await wrong.provider("no key", kind.model).check()).code == "auth"


@pytest.mark.parametrize(
    "step, code, words",
    [
        (
            HttpError("invalid_request_error", "registry.ollama.ai/library/gemma3:latest does not support tools"),
            "bad_request",
            "Editing needs a model that can call tools",
        ),
        (
            HttpError(
                "invalid_request_error", '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser'
            ),
            "bad_request",
            "Start that server with --enable-auto-tool-choice",
        ),
        (
            HttpError("not_found_error", "model 'qwen3' not found, try pulling it first"),
            "model_not_found",
            "ollama pull qwen3",
        ),
        (
            HttpError("api_error", "tools param requires --jinja flag"),
            "provider_down",
            "Start that server with --jinja",
        ),
        (
            HttpError("api_error", "model requires more system memory (5.6 GiB) than is available (3.1 GiB)"),
            "provider_down",
            "Choose a smaller model",
        ),
        (
            HttpError("api_error", "Error: the history does not fit the context size."),
            "too_large",
            "let the server read more",
        ),
    ],
)
async def test_a_server_of_ones_own_is_quoted_with_what_to_do(step: HttpError, code: str, words: str) -> None:
    """Ollama, vLLM and llama.cpp have words and no codes for what is wrong; it is never called a defect of ours."""
    async with running(KINDS["ollama"], [step]) as (_, provider):
        failed = await failure(provider)
    assert failed.code == code
    assert step.message in failed.detail
    assert words in failed.detail
    assert "defect" not in failed.detail


async def test_a_stream_that_breaks_is_no_answer(kind: Kind) -> None:
    """However it breaks, and however much has come: it is said what happened, and there is no end of the turn."""
    answer = [Text("So far so good."), ToolUse("edit_diagram", GOOD)]
    cases: list[tuple[Break, str]] = [
        (Break(4, "cut"), "network"),
        (Break(4, "end"), "network"),
        (Break(4, "garbage"), "network"),
        (Break(4, "error"), "overloaded"),
        (Break(4, "error", "rate_limit_error", "Slow down"), "rate_limited"),
        (Break(4, "error", "api_error", "Internal"), "provider_down"),
    ]
    async with running(kind, [Turn(answer, breaks=breaks) for breaks, _ in cases]) as (standin, provider):
        for breaks, code in cases:
            failed = await failure(provider)
            assert (failed.code, breaks) == (code, breaks)
            assert failed.is_transient
        await standin.until(lambda: standin.streaming == 0)


async def test_parallel_calls_are_answered_in_one_message(kind: Kind) -> None:
    """And what the model said goes back as it came: reasoning with its signatures, of two turns and in order."""
    turns = [
        Turn([Thinking("First."), Text("On it."), ToolUse("edit_diagram", GOOD), ToolUse("read_section", SECTION)]),
        Turn([Thinking("Second."), ToolUse("edit_diagram", GOOD)]),
        Turn([Text("Done.")]),
    ]
    async with running(kind, turns) as (standin, provider):
        messages = [provider.user("add a cache")]
        found = []
        for _ in range(2):
            end = await ended(provider, request(*messages))
            found.append([(call.name, call.input) for call in end.calls])
            results = [ToolResult(call.id, "ok" if at == 0 else "") for at, call in enumerate(end.calls)]
            messages += [end.message, provider.results(results, note="Go on.")]
        assert (await ended(provider, request(*messages))).stop == "end"
        assert found == [[("edit_diagram", GOOD), ("read_section", SECTION)], [("edit_diagram", GOOD)]]
        assert standin.refused == []


async def test_a_changed_history_is_found_out(kind: Kind) -> None:
    """Where reasoning is carried; the test before this one could not fail otherwise."""
    if not kind.info.capabilities.carries_reasoning or name_of(kind) in ("chat", "loose", "ollama"):
        pytest.skip("its reasoning is not carried")
    turns = [Turn([Thinking("First."), ToolUse("edit_diagram", GOOD)]), Turn([Text("Done.")])]
    async with running(kind, turns) as (standin, provider):
        end = await ended(provider, request(provider.user("add a cache")))
        results = provider.results([ToolResult(end.calls[0].id, "ok")])
        with pytest.raises(ProviderError) as refused:
            await ended(provider, request(provider.user("add another"), end.message, results))
        assert refused.value.code == "bad_request"
        assert len(standin.refused) == 1


async def test_a_turn_that_was_cut_short_has_no_calls(kind: Kind) -> None:
    """The last call may lack its end, and its beginning may be good JSON."""
    calls = [Text("Well."), ToolUse("edit_diagram", GOOD), ToolUse("edit_diagram", {"operations": []})]
    stops = {"max_tokens": "max_tokens", "refusal": "refusal"} if name_of(kind) != "loose" else {}
    async with running(kind, [Turn(calls, stop=stop) for stop in stops]) as (_, provider):
        for expected in stops.values():
            events = await told(provider, request(provider.user("hi")))
            end = events[-1]
            assert isinstance(end, TurnEnd)
            assert (end.stop, list(end.calls)) == (expected, [])
            assert "Well." in "".join(event.text for event in events if isinstance(event, TextDelta))


NO_OBJECTS = {
    "cut": '{"operations": [', "array": "[1, 2]", "null": "null", "text": '"text"', "nan": '{"operations": [NaN]}',
    "surrogate": '{"a": "\\ud800"}', "nested": '{"a": ' + "[" * 5_000 + "]" * 5_000 + "}",
}  # fmt: skip


@pytest.mark.parametrize("raw", NO_OBJECTS.values(), ids=NO_OBJECTS)
async def test_input_that_is_no_object_comes_as_it_was_and_can_go_back(kind: Kind, raw: str) -> None:
    if name_of(kind) == "google":
        pytest.skip("its calls are objects")
    script: list[Step] = [Turn([ToolUse("edit_diagram", raw)], chunk=500), Turn([Text("Oh.")])]
    async with running(kind, script) as (standin, provider):
        first = provider.user("hi")
        end = await ended(provider, request(first))
        assert end.stop == "tools"
        assert [(call.input, call.raw) for call in end.calls] == [(None, raw)]
        answer = provider.results([ToolResult(end.calls[0].id, "Not valid JSON.", is_error=True)])
        await ended(provider, request(first, end.message, answer))
        assert '"INVALID_JSON' in json.dumps(standin.asked[-1].body).replace("\\", "")
        if name_of(kind) == "anthropic":
            assert standin.asked[1].body["messages"][1]["content"][0]["input"] == {"INVALID_JSON": raw}
        assert standin.refused == []


async def test_input_that_the_server_of_google_could_not_read_is_a_failure_that_may_pass() -> None:
    async with running(KINDS["google"], [Turn([Text("Hm.")], stop="MALFORMED_FUNCTION_CALL")]) as (_, provider):
        assert (await failure(provider)).code == "provider_down"


async def test_a_turn_that_is_left_is_closed_upstream_at_once(kind: Kind) -> None:
    """Left by its reader or cancelled, while the provider still has something to say."""
    turn = Turn([Text("One two three four five six seven."), Text("More.")], holds="end")
    async with running(kind, [turn, turn]) as (standin, provider):
        for is_cancelled in (False, True):
            begun = asyncio.Event()

            async def take(begun: asyncio.Event = begun, *, waits: bool = is_cancelled) -> None:
                events: Any = provider.turn(request(provider.user("hi")))
                async with aclosing(events):
                    await anext(events)
                    begun.set()
                    while waits:
                        await anext(events)

            taking = asyncio.create_task(take())
            await begun.wait()
            if is_cancelled:
                taking.cancel()
            await asyncio.wait([taking])
            await standin.until(lambda: standin.streaming == 0)
        assert standin.disconnects == 2


class Sender:
    """A server that answers everything with a redirect, or counts who comes; at an address of its own."""

    def __init__(self, status: int = 200, location: str = "") -> None:
        self.came: list[bytes] = []
        self._answer = f"HTTP/1.1 {status} X\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.came.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(self._answer.encode())
        await writer.drain()
        writer.close()


@asynccontextmanager
async def listening(sender: Sender) -> AsyncIterator[str]:
    server = await asyncio.start_server(sender.serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_neither_key_nor_request_goes_where_a_provider_sends(kind: Kind, status: int) -> None:
    """Another origin gets nothing at all; what to set is said, and nobody tries again by itself."""
    elsewhere = Sender()
    async with listening(elsewhere) as url, listening(sender := Sender(status, f"{url}/v1/more")) as near:
        connections = kind.connections(near)
        try:
            provider = connections.provider("sk-of-the-first", kind.model)
            error = await failure(provider)
            checked = await provider.check()
        finally:
            await connections.close()
    assert (error.code, error.is_transient, checked.code) == ("provider_redirects", False, "provider_redirects")
    assert ("Enter the address" if name_of(kind) == "own" else "_BASE_URL") in error.detail
    assert (len(sender.came) >= 2, elsewhere.came) == (True, [])


async def test_an_error_that_repeats_the_key_is_not_passed_on(kind: Kind) -> None:
    """In whatever spelling; what kind of error it was is said all the same, while it is refused and in a stream."""
    if not (key := kind.standin([]).key):
        pytest.skip("it has none")
    spelled = [base64.b64encode(f"Bearer {key}".encode()).decode(), key[::-1], " ".join(key), quote(f"key={key}")]
    steps: list[Step] = [HttpError("permission_error", f"Not with {one}.") for one in spelled]
    steps.append(Turn([Text("So far.")], breaks=Break(2, "error", "invalid_request_error", f"Not with {spelled[0]}.")))
    async with running(kind, steps) as (_, provider):
        for step, one in zip(steps, [*spelled, spelled[0]], strict=True):
            failed = await failure(provider)
            assert one not in failed.detail
            if isinstance(step, HttpError):
                assert (failed.code, "repeats the key" in failed.detail) == ("auth", True)
