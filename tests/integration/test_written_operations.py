"""A model that writes its operations down instead of calling the tool: asked once to make the call."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.integration.assistant_workers import assistant_worker
from tests.standin import Standin, Step, Text, ToolUse, Turn, serve

RENAME: dict[str, Any] = {"operations": [{"op": "update_node", "id": "worker", "label": "Notifications"}]}
WRITTEN = f"I rename the mailer:\n\n```json\n{json.dumps(RENAME)}\n```\n\nDone."
NOTE = "Your answer holds an operation as text. Text changes nothing."


async def played(redis_url: str, *script: Step, **more: Any) -> tuple[dict[str, Any], Standin, list[dict[str, Any]]]:
    """A run, what the model was sent, and its events."""
    standin = Standin(list(script))
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        run = await one.ask("Call the mailer Notifications.", **more)
        assert standin.refused == []
        return run, standin, await one.events(run["id"])


def told_in_turn(standin: Standin, turn: int) -> str:
    return json.dumps(standin.asked[turn].body["messages"][-1])


async def test_operations_that_were_only_written_down_are_asked_for_as_a_call(redis_url: str) -> None:
    """The model calls the tool then, and what happened on the way is among what was repaired."""
    script = [Turn([Text(WRITTEN)]), Turn([ToolUse("edit_diagram", RENAME)]), Turn([Text("Renamed.")])]
    run, standin, events = await played(redis_url, *script)
    assert run["status"] == "applied", run
    assert "refused" not in run["outcome"], "it was done in the end"
    assert NOTE in told_in_turn(standin, 1)
    refused = [event for event in events if event["type"] == "refused"]
    assert [one["problems"][0]["code"] for one in refused] == ["operations_as_text"]
    assert [one["problems"][0]["message"] for one in refused] == [
        "The operations stood in the answer as text, where they change nothing."
    ]


@pytest.mark.parametrize("mode", ["auto", "apply"])
async def test_what_is_written_again_is_proposed(redis_url: str, mode: str) -> None:
    """A model that cannot call tools has its operations looked at by a person, whatever mode was asked for."""
    run, standin, _ = await played(redis_url, Turn([Text(WRITTEN)]), Turn([Text(WRITTEN)]), mode=mode)
    assert run["status"] == "proposed"
    assert len(standin.asked) == 2
    assert run["outcome"]["reason"] == "The model wrote it down as text and called no tool."
    assert "refused" not in run["outcome"]


async def test_what_is_written_again_must_fit(redis_url: str) -> None:
    """It is checked like a call: the model is told why not, and nothing is proposed."""
    unknown = WRITTEN.replace('"worker"', '"walker"')
    run, standin, _ = await played(redis_url, Turn([Text(unknown)]), Turn([Text(unknown)]), Turn([Text("I cannot.")]))
    assert run["status"] == "answered"
    assert len(standin.asked) == 3
    [refused] = run["outcome"]["refused"]
    assert "walker" in refused["why"]


async def test_a_model_that_says_why_is_asked_once(redis_url: str) -> None:
    """It may only have shown them: then it has answered, and what was not done is told."""
    run, standin, _ = await played(redis_url, Turn([Text(WRITTEN)]), Turn([Text("You asked to see them.")]))
    assert run["status"] == "answered"
    assert len(standin.asked) == 2
    [refused] = run["outcome"]["refused"]
    assert refused["why"] == "The operations stood in the answer as text, where they change nothing."
    assert run["outcome"]["parts"] == {"done": 0, "of": 1}


async def test_a_quote_of_what_was_done_is_no_request(redis_url: str) -> None:
    """Operations that are staged already may stand in the last answer."""
    script = [Turn([ToolUse("edit_diagram", RENAME)]), Turn([Text(WRITTEN)])]
    run, standin, _ = await played(redis_url, *script)
    assert run["status"] == "applied"
    assert len(standin.asked) == 2


async def test_a_question_may_be_answered_with_operations(redis_url: str) -> None:
    """Where nothing can be changed, text that holds operations is an answer like any other."""
    run, standin, _ = await played(redis_url, Turn([Text(WRITTEN)]), workflow="ask")
    assert run["status"] == "answered"
    assert len(standin.asked) == 1
