"""A conversation that uses a plugin and asks for a yes: two workers, a plugin, the model's stand-in, all over HTTP."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from draftsmith.cli import group as cli
from tests.integration.client import Api, check_problem
from tests.integration.model_beside import Model, told_events
from tests.integration.plugin_servers import PluginProcess, in_python, plugin_process
from tests.integration.servers import Server, running
from tests.standin import Text, ToolUse, Turn
from tests.timeouts import TIMEOUT_SECONDS

NOTE: dict[str, Any] = {
    "operations": [{"op": "append_to_section", "section": "# Plan", "text": "Redis runs as chart 21.2.5."}],
    "explanation": "The version is the newest one",
}


@pytest.fixture(scope="module")
def installations(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the plugin writes what it has installed."""
    return tmp_path_factory.mktemp("plugin") / "installed"


@pytest.fixture
def installed(installations: Path) -> Path:
    """What the plugin has installed in this test, a line each; the file is there once it did."""
    installations.unlink(missing_ok=True)
    return installations


@pytest.fixture(scope="module")
def process(installations: Path) -> Iterator[PluginProcess]:
    command = in_python("tests.integration.plugin_servers:trial")
    with plugin_process(command, INSTALLED=str(installations), PLUGIN_TOKEN="tok-7") as process:
        yield process


@pytest.fixture(scope="module")
def plugged_workers(
    model: Model, process: PluginProcess, redis_server: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Server]]:
    """Two workers on which the plugin is registered."""
    folder = tmp_path_factory.mktemp("registered")
    (folder / "token").write_text("tok-7\n")
    command = ["plugin", "add", "charts", process.url, "--token-file", str(folder / "token"), "--data-dir", str(folder)]
    added = CliRunner().invoke(cli.main, command)
    assert added.exit_code == 0, added.output
    environment = {
        "ANTHROPIC_API_KEY": model.key,
        "ANTHROPIC_BASE_URL": model.url,
        "PLUGINS_FILE": str(folder / "plugins.json"),
    }
    with running(redis_server, "w-left", "w-right", **environment) as servers:
        yield servers


@pytest.fixture
def two(plugged_workers: list[Server], model: Model, redis_url: str) -> Iterator[list[Api]]:
    """One person at each of the workers, in one browser; the plugin is ready on both."""
    model.script.clear()
    with Api(plugged_workers[0].url) as left, Api(plugged_workers[1].url) as right:
        left.become("Ana")
        right.cookies.update(left.cookies)
        for api in (left, right):
            until_ready(api)
        yield [left, right]


def until_ready(api: Api) -> dict[str, Any]:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while time.monotonic() < deadline:
        [plugin] = api.ask("GET", "/plugins")["items"]
        if plugin["status"] == "ready":
            return dict(plugin)
        time.sleep(0.05)
    raise AssertionError(f"the plugin is not ready: {plugin}")


def waiting(api: Api, w: str, run_id: str) -> dict[str, Any]:
    """The run once it waits for a yes, as this worker shows it."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while time.monotonic() < deadline:
        run = api.ask("GET", f"/workspaces/{w}/runs/{run_id}")
        assert run["status"] == "running", run
        if "approval" in run:
            return dict(run)
        time.sleep(0.02)
    raise AssertionError(f"nothing waits: {run}")


def over(api: Api, w: str, run_id: str) -> dict[str, Any]:
    return dict(api.ended(w, run_id))


def events_of(api: Api, w: str, run_id: str) -> list[dict[str, Any]]:
    with api.stream("GET", f"/api/v1/workspaces/{w}/runs/{run_id}/events") as response:
        return [event for _, event in told_events(response)]


def begin(model: Model, api: Api, *turns: Turn) -> tuple[str, str]:
    """A workspace, and a run in it with these turns."""
    model.script[:] = [*turns, Turn([Text("The document names the chart; nothing was installed.")])]
    w = api.create(name="Plan", document={"text": "# Plan\n\nWe use a cache.\n"})
    body = {"prompt": "Which chart of Redis? Install it, and say so.", "mode": "propose"}
    return w, api.ask("POST", f"/workspaces/{w}/runs", 202, json=body)["id"]


LOOK = Turn([ToolUse("charts__newest", {"chart": "redis"})])
INSTALL = Turn([ToolUse("charts__install", {"chart": "redis"})])


def test_a_conversation_asks_for_a_yes_is_refused_and_ends_in_one_proposal(
    two: list[Api], model: Model, installed: Path
) -> None:
    """The question stands in the run on every worker and in its events; the no of another worker is taken.

    Nothing was called, the model goes on, and every call is in the answer with input, result and seconds.
    """
    left, right = two
    w, run_id = begin(model, left, LOOK, INSTALL, Turn([ToolUse("edit_document", NOTE)]))
    approval = waiting(right, w, run_id)["approval"]
    assert (approval["id"], approval["plugin"], approval["tool"]) == ("1", "charts", "install")
    assert approval["input"] == {"chart": "redis"}
    run = right.ask("POST", f"/workspaces/{w}/runs/{run_id}/approvals/1", json={"allow": False})
    assert "approval" not in run
    run = over(left, w, run_id)
    assert run["status"] == "proposed", run
    assert not installed.exists()
    assert len(left.ask("GET", f"/workspaces/{w}/proposals")["items"]) == 1
    newest, install, edit = run["outcome"]["tool_calls"]
    assert (newest["name"], newest["input"], newest["status"]) == ("charts__newest", '{"chart":"redis"}', "ok")
    assert '"version": "21.2.5"' in newest["result"]
    assert (install["name"], install["status"]) == ("charts__install", "refused")
    assert "declined" in install["result"]
    assert [(one["tool"], one["why"]) for one in run["outcome"]["refused"]] == [("charts__install", "It was declined.")]
    assert (edit["name"], edit["status"]) == ("edit_document", "ok")
    assert all(call["seconds"] >= 0 for call in (newest, install, edit))
    assert run["outcome"]["tools_used"] == ["charts__newest", "edit_document"]
    events = events_of(right, w, run_id)
    assert [event["state"] for event in events if event["type"] == "approval"] == ["asked", "no"]
    assert [event["tool"] for event in events if event["type"] == "called"] == ["charts__newest"]
    late = right.send_to("POST", f"/workspaces/{w}/runs/{run_id}/approvals/1", json={"allow": True})
    check_problem(late, 409, "approval_closed")
    assert model.standin.refused == []


def test_a_yes_makes_that_one_call_and_the_next_one_asks_again(two: list[Api], model: Model, installed: Path) -> None:
    """The first answer counts; the same again changes nothing, another one is refused; only who asked may say it."""
    left, right = two
    w, run_id = begin(model, left, INSTALL, INSTALL)
    waiting(right, w, run_id)
    answers: list[int] = []
    place = f"/workspaces/{w}/runs/{run_id}/approvals/1"

    def press() -> None:
        with Api(str(right.base_url)) as tab:
            tab.cookies.update(left.cookies)
            answers.append(tab.send_to("POST", place, json={"allow": True}).status_code)

    with Api(str(right.base_url)) as stranger:
        stranger.become("Ben")
        if Api.token_mode is None:
            check_problem(stranger.send_to("POST", place, json={"allow": True}), 403, "forbidden")
    check_problem(right.send_to("POST", place, json={"allow": "yes"}), 422, "invalid_request")
    presses = [threading.Thread(target=press) for _ in range(3)]
    for one in presses:
        one.start()
    for one in presses:
        one.join()
    assert 200 in answers
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while waiting(left, w, run_id)["approval"]["id"] != "2":
        assert time.monotonic() < deadline
    assert installed.read_text() == "redis\n"
    run = left.ask("POST", f"/workspaces/{w}/runs/{run_id}/cancel")
    assert "install of charts" in run["outcome"]["reason"], "what was done outside stays, and is said"
    assert installed.read_text() == "redis\n"


def test_a_cancelled_run_stops_waiting(two: list[Api], model: Model, installed: Path) -> None:
    left, right = two
    w, run_id = begin(model, left, INSTALL)
    waiting(left, w, run_id)
    asked = len(model.standin.asked)
    run = right.ask("POST", f"/workspaces/{w}/runs/{run_id}/cancel")
    assert run["status"] == "cancelled"
    assert "approval" not in run
    assert "reason" not in run["outcome"]
    late = left.send_to("POST", f"/workspaces/{w}/runs/{run_id}/approvals/1", json={"allow": True})
    check_problem(late, 409, "approval_closed")
    assert not installed.exists()
    assert len(model.standin.asked) == asked, "the model is not told of a no that nobody said"


def test_the_health_says_what_is_offered(two: list[Api], process: PluginProcess) -> None:
    """As the administrator registered it, with where its arguments go; the token is never told."""
    plugin = until_ready(two[0])
    assert (plugin["name"], plugin["describes"], plugin["detail"]) == ("charts", "trial 1.2.3", "")
    assert plugin["sends_to"] == process.url.removeprefix("http://")
    assert plugin["tools"] == [
        {"name": "charts__newest", "writes": False},
        {"name": "charts__install", "writes": True},
    ]
    [sent] = [line for line in two[0].ask("GET", "/assistant")["sends"]["what"] if "plugin" in line]
    assert sent == f"To the plugin charts at {plugin['sends_to']}: what the model calls its tools with."
    assert "tok-7" not in two[0].get("/api/v1/plugins").text
