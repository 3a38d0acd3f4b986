"""`tests.replay` makes requests in both edit modes and compares them: the real SDK, a stand-in, a real server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from tests.integration.servers import running
from tests.replay.__main__ import KEY, main
from tests.standin import Standin, Step, Text, ToolUse, Turn, serve
from tests.standin.solving import Style, solver


def right_at_second_try(body: Mapping[str, Any]) -> Step:
    """Right at the second try with small operations; with a rewrite it says so and does nothing."""
    offered = {tool["name"] for tool in body["tools"]}
    tries = sum(message["role"] == "assistant" for message in body["messages"])
    if "rewrite_diagram" in offered or tries > 1:
        return Turn([Text("Done.")], output_tokens=700 if "rewrite_diagram" in offered else 20)
    rename = {"op": "update_node", "id": "mailer" if tries else "mail", "label": "Notifications"}
    return Turn([ToolUse("edit_diagram", {"operations": [rename]})], output_tokens=40)


async def test_both_edit_modes_are_made_and_compared(
    redis_server: str, redis_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line for each request and mode, one sum for each mode: right ones, tokens, seconds, refused batches."""
    standin = Standin(right_at_second_try)
    monkeypatch.setenv(KEY, standin.key)
    async with serve(standin) as url:
        environment = {"ANTHROPIC_API_KEY": standin.key, "ANTHROPIC_BASE_URL": url}
        with running(redis_server, "w-modes", **environment) as servers:
            arguments = ["--base-url", servers[0].url, "--only", "rename", "--edit-mode", "both"]
            assert await asyncio.to_thread(main, arguments) == 1
    said = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in said[:2]] == [["right", "rename", "tools"], ["WRONG", "rename", "regenerate"]]
    sums = {line.partition(":")[0]: line for line in said if line.startswith("edit (")}
    assert sums.keys() == {"edit (tools)", "edit (regenerate)"}
    assert "1 of 1 right (100 %)" in sums["edit (tools)"]
    assert "100 out" in sums["edit (tools)"]
    assert "; 1 batches refused" in sums["edit (tools)"]
    assert "0 of 1 right (0 %)" in sums["edit (regenerate)"]
    assert "700 out" in sums["edit (regenerate)"]
    assert "; 0 batches refused" in sums["edit (regenerate)"]


async def test_of_alternatives_the_first_is_accepted(
    redis_server: str, redis_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two are right; what is accepted is what the checks look at, and nothing can be accepted where there is none."""
    style: list[Style] = ["right"]

    def answer_so(body: Mapping[str, Any]) -> Step:
        return solver(style[-1])(body)

    standin = Standin(answer_so)
    monkeypatch.setenv(KEY, standin.key)
    async with serve(standin) as url:
        environment = {"ANTHROPIC_API_KEY": standin.key, "ANTHROPIC_BASE_URL": url}
        with running(redis_server, "w-modes", **environment) as servers:
            arguments = ["--base-url", servers[0].url, "--only", "rec-lost-mails"]
            assert await asyncio.to_thread(main, arguments) == 0
            style.append("idle")
            assert await asyncio.to_thread(main, arguments) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0].split()[:3] == ["right", "rec-lost-mails", "proposed"]
    assert [line.split()[:3] for line in said if line.startswith("WRONG")] == [["WRONG", "rec-lost-mails", "answered"]]
