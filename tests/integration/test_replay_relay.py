"""The relay of `tests.replay`: the real SDK, a stand-in for the model, a server with a real store."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from tests.integration.servers import running
from tests.noise.samples import Sample
from tests.replay.__main__ import KEY, main
from tests.replay.relay_prompts import prompt_of, wanted_of
from tests.simulation.relay.document_edits import DRAWN, document_plan
from tests.simulation.relay.documents import shelf
from tests.standin import Standin, serve
from tests.standin.relaying import relay


def test_what_is_asked_can_be_read_back() -> None:
    """A prompt says every field of its operations; a long quote by its ends alone."""
    chance, looked_up, kinds = random.Random(2), 0, set()
    for name, text in shelf().lasting * 8:
        sample = Sample(name, text.replace("\r\n", "\n"))
        plan = document_plan(sample, chance, 7)
        if plan is None or plan.careful is None:
            continue
        for one, wanted in zip(plan.careful, wanted_of(prompt_of(plan.careful, sample.text)), strict=True):
            given = dict(one)
            kinds.add(one["op"])
            if wanted.ends is not None:
                looked_up += 1
                find = str(given.pop("find"))
                assert find.startswith(wanted.ends[0])
                assert find.endswith(wanted.ends[1])
            assert wanted.operation == given
    assert looked_up > 10
    assert kinds == {*DRAWN}


async def test_a_model_plays_the_relay(
    redis_server: str, redis_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It looks up, misquotes, is refused, corrects itself; the document ends as it began, nothing was corrupted."""
    standin = Standin(relay)
    monkeypatch.setenv(KEY, standin.key)
    async with serve(standin) as url:
        environment = {"ANTHROPIC_API_KEY": standin.key, "ANTHROPIC_BASE_URL": url}
        with running(redis_server, "w-relay", **environment) as servers:
            arguments = ["--relay", "--base-url", servers[0].url, "--count", "1", "--pairs", "12"]
            assert await asyncio.to_thread(main, arguments) == 0
    said = capsys.readouterr().out
    assert said.count("right  ") == 1, said
    assert not standin.refused
    results = [str(asked.body["messages"][-1]["content"]) for asked in standin.asked]
    assert any("Nothing was applied." in result for result in results), "nothing was misquoted"
    calls = [call for asked in standin.asked for call in _called_tools(asked.body["messages"])]
    assert "read_section" in calls, "nothing was looked up"


def _called_tools(messages: list[dict[str, Any]]) -> list[str]:
    """The names of the tools that were called in a conversation."""
    blocks = [block for message in messages if message["role"] == "assistant" for block in message["content"]]
    return [block["name"] for block in blocks if block["type"] == "tool_use"]
