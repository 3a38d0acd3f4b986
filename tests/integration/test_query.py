"""Queries over HTTP and by agents: a question in, an answer out with what ran for it, of a model or without one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.integration.agents import agent, text_of
from tests.integration.client import Api, check_problem, edge, node
from tests.integration.model_beside import Model
from tests.integration.servers import Server
from tests.kit.fixtures import asked_server_fixture
from tests.standin import HttpError, Text, ToolUse, Turn

LOOKED_UP = "Orders keeps its rows in the database Db."


asked = asked_server_fixture("w-query")


def made(api: Api) -> str:
    """A workspace at revision 2."""
    w = api.create(name="Shop")
    api.batch(w, node("orders"), node("db", type="database"), edge("orders", "db", label="order rows"))
    return w


def ask(api: Api, w: str, intent: str, **more: Any) -> Any:
    response = api.send_to("POST", f"/workspaces/{w}/query", json={"intent": intent, **more})
    assert response.status_code == 200, response.text
    return response.json()


def test_what_ran_for_an_answer_is_told_whatever_the_model_says(ana: Api, model: Model, folder: Path) -> None:
    """Tools and turns are those of the run, which is there to read; nothing changes; each turn has its row."""
    w = made(ana)
    says = Text(f"{LOOKED_UP} I used impact and paths in nine rounds.")
    model.script[:] = [Turn([ToolUse("find_nodes", {"text": "database"}), ToolUse("nothing", {})]), Turn([says])]
    found = ask(ana, w, "Where do orders end up?")
    assert found == {
        "success": True, "run": found["run"], "summary": says.text, "tools_used": ["find_nodes"], "iterations": 2,
    }  # fmt: skip
    run = ana.ask("GET", f"/workspaces/{w}/runs/{found['run']}")
    assert (run["status"], run["workflow"], run["prompt"]) == ("answered", "ask", "Where do orders end up?")
    assert ana.read(w)["revision"] == 2
    offered = {tool["name"] for tool in model.standin.asked[-1].body["tools"]}
    assert not {name for name in offered if name.startswith(("edit", "rewrite", "propose"))}
    rows = [json.loads(line) for file in folder.glob("usage/*.jsonl") for line in file.read_text().splitlines()]
    names = ("timestamp", "provider", "operation", "input_tokens", "output_tokens", "duration_ms")
    told = [[row[name] for name in names] for row in rows if row["run_id"] == found["run"]]
    assert [row[1:3] for row in told] == [["anthropic", "ask"]] * 2
    assert all(row[0].endswith("+00:00") and row[3] > 0 and row[4] > 0 and row[5] >= 0 for row in told)


def test_a_query_that_fails_is_an_answer_with_its_cause(ana: Api, model: Model) -> None:
    """A provider that refuses, and a sentence that is not understood without a model; what ran is told as well."""
    w = made(ana)
    model.script[:] = [Turn([ToolUse("find_nodes", {"text": "db"})]), HttpError("authentication_error", "no")]
    found = ask(ana, w, "Where is it?")
    assert found["error"]["message"]
    assert (found["success"], found["summary"], found["tools_used"]) == (False, "", ["find_nodes"])
    assert (found["error"]["code"], found["error"]["cause"]) == ("QUERY_FAILED", "auth")
    told = ask(ana, w, "how was your day at the seaside", provider="builtin")
    assert (told["success"], told["error"]["code"], told["error"]["cause"]) == (False, "QUERY_FAILED", "not_understood")


def test_no_result_is_an_answer(ana: Api) -> None:
    """Built-in commands say in a sentence that nothing is so."""
    w = made(ana)
    found = ask(ana, w, "what is unconnected", provider="builtin")
    assert found["success"]
    assert found["summary"]
    assert "error" not in found


def test_the_same_query_is_asked_once(ana: Api, model: Model) -> None:
    """The answer is that of the run of this id; another question under it is refused."""
    w = made(ana)
    model.script[:] = [Turn([Text(LOOKED_UP)])]
    first = ask(ana, w, "Where do orders end up?", id="query-0001")
    assert ask(ana, w, "Where do orders end up?", id="query-0001") == first
    again = {"intent": "And mails?", "id": "query-0001"}
    check_problem(ana.send_to("POST", f"/workspaces/{w}/query", json=again), 422, "key_reused")


def test_what_cannot_be_asked_is_refused(ana: Api) -> None:
    w = made(ana)
    for body in ({}, {"intent": " "}, {"intent": "x", "mode": "apply"}, {"prompt": "x"}):
        check_problem(ana.send_to("POST", f"/workspaces/{w}/query", json=body), 422, "invalid_request")
    ana.ask("PATCH", f"/workspaces/{w}/assistant", json={"enabled": False})
    check_problem(ana.send_to("POST", f"/workspaces/{w}/query", json={"intent": "x"}), 403, "assistant_off")


async def test_an_agent_asks_and_is_answered(asked: Server, ana: Api, model: Model) -> None:
    """The same answer by the same run, in words as material; a failure is an answer as well; nothing counts as read."""
    w = made(ana)
    model.script[:] = [Turn([ToolUse("find_nodes", {"text": "db"})]), Turn([Text(LOOKED_UP)])]
    async with agent(asked.url) as one:
        result = await one.raw("query", workspace=w, intent="Where do orders end up?")
        found = result.structured_content
        assert found is not None
        assert (found["success"], found["tools_used"], found["iterations"]) == (True, ["find_nodes"], 2)
        assert found["summary"] == LOOKED_UP
        assert LOOKED_UP in text_of(result)
        assert "never instructions" in text_of(result)
        assert ana.ask("GET", f"/workspaces/{w}/runs/{found['run']}")["status"] == "answered"
        failed = await one.call("query", workspace=w, intent="And now?")  # the model says nothing more
        assert (failed["success"], failed["error"]["code"]) == (False, "QUERY_FAILED")
        await one.refused("unread_change", "edit", workspace=w, base_revision=2, operations=[
            {"op": "update_node", "id": "db", "label": "Rows"},
        ])  # fmt: skip
        ana.ask("PATCH", f"/workspaces/{w}/assistant", json={"enabled": False})
        await one.refused("assistant_off", "query", workspace=w, intent="And now?")
