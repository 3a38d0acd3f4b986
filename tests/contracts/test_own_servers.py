"""Servers of one's own that speak as OpenAI does: what they cut in silence, and how long they are waited for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from draftsmith.adapters.openai.provider import DEFAULT_BASE_URL, OPENAI, OpenAIConnection, OpenAIProvider
from draftsmith.assistant.model_provider import Reach
from draftsmith.assistant.provider import ProviderError, ToolResult, Usage
from draftsmith.components import entered_servers_of, model_access_of
from draftsmith.ports.runs import EnteredServer
from draftsmith.settings import Settings
from draftsmith.usecases.providers.trial import run_trial
from tests.standin import Step, Text, ToolUse, Turn
from tests.standin.conversation import ended, request, told
from tests.standin.kinds import KINDS, running

GOOD = {"operations": [{"op": "delete_node", "id": "a"}]}
AT_HOME = "http://localhost:11434/v1"


@pytest.mark.parametrize("name", ["chat", "loose"])
async def test_what_was_answered_to_a_part_of_a_request_is_not_used(name: str) -> None:
    """The turn has no end, so no call of it is carried out; the words say how much was read, and what to set."""
    script = [Turn([ToolUse("edit_diagram", GOOD)], read_tokens=2_050), Turn([Text("Done.")])]
    async with running(KINDS[name], script) as (_, provider):
        with pytest.raises(ProviderError) as failed:
            await told(provider, request(provider.user("word " * 8_800)))
        assert (failed.value.code, failed.value.is_transient) == ("too_large", False)
        assert "read only 2,050 of about 11,000 tokens" in failed.value.detail
        assert "OLLAMA_CONTEXT_LENGTH" in failed.value.detail
        end = await ended(provider, request(provider.user("word " * 8_800)))
        assert end.stop == "end"


@pytest.mark.parametrize("name", ["chat", "loose"])
async def test_what_was_cut_while_a_conversation_grew_is_not_used(name: str) -> None:
    """By less than half, and by a server that counts: the second turn is longer and counted no longer."""
    script = [Turn([ToolUse("edit_diagram", GOOD)], read_tokens=4_096), Turn([Text("Done.")], read_tokens=4_096)]
    async with running(KINDS[name], script) as (_, provider):
        first = provider.user("word " * 3_600)
        end = await ended(provider, request(first))
        results = provider.results([ToolResult(end.calls[0].id, "deleted " * 200)])
        with pytest.raises(ProviderError) as failed:
            await told(provider, request(first, end.message, results))
        assert (failed.value.code, failed.value.is_transient) == ("too_large", False)
        assert "read only 4,096 of about" in failed.value.detail


async def test_what_is_known_to_lose_its_beginning_is_not_sent() -> None:
    """Nothing is asked, also in a later turn; the words say how long it is, what is read, and what to set."""
    async with running(KINDS["own"], [Turn([Text("Hello.")])]) as (standin, provider):
        asked = request(provider.user("word " * 3_600))
        asked.cut_beyond = 4_000
        with pytest.raises(ProviderError) as failed:
            await told(provider, asked)
        assert (failed.value.code, failed.value.is_transient, standin.asked) == ("too_large", False, [])
        for words in ("longer than 4,000", "nothing was sent", "OLLAMA_CONTEXT_LENGTH", "Connect a model"):
            assert words in failed.value.detail
        asked.cut_beyond = 6_000
        await told(provider, asked)
        assert len(standin.asked) == 1


@pytest.mark.parametrize(
    "repeated, is_lost",
    [(slice(-1, None), False), (slice(-2, None), True), (slice(0, 2), False), (slice(0, None, 2), False)],
)
async def test_a_lost_beginning_is_told_from_a_model_that_repeats_little(repeated: slice, is_lost: bool) -> None:
    """Two marks or more have to come back, and they have to be the last."""

    def answer(body: Mapping[str, Any]) -> Step:
        marks = re.findall(r"The code word is (\w+)\.", body["messages"][-1]["content"][0]["text"])
        return Turn([Text(", ".join(marks[repeated]))])

    async with running(KINDS["own"], answer) as (_, provider):
        found = await run_trial(provider, "reads_4k", Usage())
    assert (found.code, found.facts["is_beginning_lost"]) == ("cut", is_lost)


async def test_a_server_that_was_entered_is_waited_for_as_long_as_a_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What settings say of runs holds for it, too."""
    monkeypatch.setenv("ASSISTANT_SECONDS", "900")
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    servers = entered_servers_of(Settings())
    servers.store.save(EnteredServer(address=AT_HOME, model="qwen3"))
    access = servers.access()
    assert access is not None
    provider = cast(OpenAIProvider, access.open("edit"))
    try:
        assert getattr((await provider.connection.client()).timeout, "read", None) == 900
    finally:
        await servers.close()


@pytest.mark.parametrize(
    "base_url, options, seconds",
    [(AT_HOME, {}, 900), (DEFAULT_BASE_URL, {}, 120), (AT_HOME, {"silence_seconds": "30"}, 30),
     (DEFAULT_BASE_URL, {"silence_seconds": "30"}, 30)],
)  # fmt: skip
async def test_a_server_of_ones_own_is_waited_for_as_long_as_a_run(
    base_url: str, options: dict[str, str], seconds: float
) -> None:
    """A vendor for two minutes; what is set wins."""
    connection = OpenAIConnection("key", Reach(base_url=base_url, run_seconds=900, options=options))
    try:
        timeout = (await connection.client()).timeout
        assert getattr(timeout, "read", None) == seconds
    finally:
        await connection.close()


async def test_settings_say_how_long_a_run_with_it_may_take(monkeypatch: pytest.MonkeyPatch) -> None:
    """And so how long it may be silent; other providers keep theirs."""
    monkeypatch.setenv("OPENAI_BASE_URL", AT_HOME)
    monkeypatch.setenv("OPENAI_SECONDS", "900")
    settings = Settings()
    assert (settings.run_seconds_of("openai"), settings.run_seconds_of("anthropic")) == (900, 300)
    connections = model_access_of(settings, OPENAI).connections
    provider = cast(OpenAIProvider, connections.provider("", "qwen3"))
    try:
        assert getattr((await provider.connection.client()).timeout, "read", None) == 900
    finally:
        await connections.close()
