"""Plugins beside a worker: found, looked after, told apart; hostile ones harm nothing; without one there is nothing."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from draftsmith.adapters.plugins.connection import HttpPlugin
from draftsmith.adapters.plugins.registered_file import read_registered
from draftsmith.adapters.process.system import SystemClock
from draftsmith.assistant.loop import RunLimits
from draftsmith.cli import group as cli
from draftsmith.errors import DraftsmithError
from draftsmith.ports.plugins import RegisteredPlugin
from draftsmith.usecases.plugins.plugins import PluginHealth, Plugins
from tests import patient
from tests.integration.assistant_workers import assistant_worker, last_results
from tests.integration.plugin_servers import ANSWERS, INJECTION, LOOK, Hostile, hostile, in_python, plugin_process
from tests.integration.servers import WITH_TESTS, running
from tests.standin import Standin, Text, ToolUse, Turn, serve
from tests.timeouts import NEVER_SECONDS, timeout

ATTACKS = {
    "never": "did not answer within 0.4 seconds",
    "trickle": "did not answer within 0.4 seconds",
    "endless": "larger than 2,000,000 bytes",
    "huge": "larger than 2,000,000 bytes",
    "bomb": "compressed",
    "headers": "cannot be reached",
    "hangup": "cannot be reached",
    "status": "status 500",
    "redirect": "another address, which is not followed",
    "deep": "no JSON",
    "html": "no JSON",
    "surrogate": "no JSON",
    "list": "does not say whether it succeeded",
    "unsure": "does not say whether it succeeded",
    "state": "larger than 2,000,000 bytes",
    "big-state": "more than 64,000 bytes",
    "odd-state": "state is no object",
    "failing": "failed: mmm",
    "silent": "failed: without a word",
}


@asynccontextmanager
async def plugins(*registered: RegisteredPlugin) -> AsyncIterator[Plugins]:
    """Plugins that were asked once; nothing looks after them."""
    found = Plugins([PluginHealth(one, HttpPlugin(one)) for one in registered], SystemClock())
    try:
        await asyncio.gather(*(found.look(one) for one in found.health))
        yield found
    finally:
        await found.close()


def plugins_at(url: str, *names: str, **more: Any) -> list[RegisteredPlugin]:
    return [RegisteredPlugin(name=name, url=f"{url}/{name}", **more) for name in names]


async def test_a_hostile_plugin_harms_nothing() -> None:
    """Slow, endless, packed, redirecting, wrong: each call is an error that says so; what it kept before is kept.

    Nothing but the registered addresses is called, and calls of others go on beside.
    """
    async with hostile() as server:
        slow = plugins_at(server.url, "never", "trickle", seconds=0.4)
        others = plugins_at(
            server.url, *(name for name in ATTACKS if name not in ("never", "trickle")), "fine", seconds=120
        )
        await check_attacks(server, [*slow, *others])


async def check_attacks(server: Hostile, registered: Sequence[RegisteredPlugin]) -> None:
    async with plugins(*registered) as found:
        session = found.session("run", "ask")
        assert session is not None
        async with timeout():
            answers = await asyncio.gather(*(session.call(one, {}) for one in session.offered))
        said = {one.plugin: answer for one, answer in zip(session.offered, answers, strict=True)}
        for name, says in ATTACKS.items():
            assert said[name].is_error, name
            assert says in said[name].text, (name, said[name].text)
            assert len(said[name].text) < 2_000
        assert not said["fine"].is_error
        assert not any(path.startswith("/secret") for path in server.paths)
        away = {one.registered.name for one in found.health if one.status == "away"}
        assert away == {"headers", "hangup"}, "what cannot be reached is told at once"


async def test_a_state_that_is_too_large_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next call comes with the state before it."""
    async with hostile() as server, plugins(*plugins_at(server.url, "changing")) as found:
        session = found.session("run", "ask")
        assert session is not None
        for answer in (ANSWERS["fine"], ANSWERS["big-state"], ANSWERS["fine"]):
            monkeypatch.setitem(ANSWERS, "changing", answer)
            await session.call(session.offered[0], {})
        assert server.states == [{}, {"calls": 1}, {"calls": 1}]
        other = found.session("other run", "ask")
        assert other is not None
        await other.call(other.offered[0], {})
        assert server.states[-1] == {}, "another run has a state of its own"


async def test_a_description_that_cannot_be_read_offers_nothing() -> None:
    """Slow, huge, redirected and wrong descriptions alike, with the reason where its health is shown."""
    names = [f"describes-{how}" for how in ("huge", "redirect", "html", "list", "unsure", "hangup")]
    async with hostile() as server, plugins(*plugins_at(server.url, *names)) as found:
        assert found.session("run", "edit") is None
        assert [one.status for one in found.health] == ["away"] * len(names)
        assert all(one.detail for one in found.health)
        assert not any(path.startswith("/secret") for path in server.paths)


async def test_what_a_plugin_grows_or_claims_later_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tools that were not registered are not offered, and one that was registered as writing needs a yes for ever."""
    pinned = {"look": "writes", "gone": "reads"}
    async with hostile() as server, plugins(*plugins_at(server.url, "fine", tools=pinned)) as found:
        more = {"name": "x", "version": "2", "tools": [LOOK, {**LOOK, "name": "erase"}]}
        monkeypatch.setattr("tests.integration.plugin_servers.DESCRIPTION", more)
        await found.look(found.health[0])
        assert found.session("run", "ask") is None, "nothing that writes is offered to a question"
        assert found.session("run", "edit", may_write=False) is None, "nor to who cannot say yes"
        session = found.session("run", "edit")
        assert session is not None
        assert [(one.name, one.writes) for one in session.offered] == [("fine__look", True)]
        assert found.health[0].refusal_reasons == ["erase: it is not among the tools that were registered"]


async def test_results_are_data(redis_url: str) -> None:
    """Ten plugins with one tool of the same name are told apart; what a result says stays inside tags it cannot close.

    The state goes with the run, a tool that went away is a clear error to the model, and the run goes on.
    """
    async with hostile() as server:
        names = [f"p{number}" for number in range(8)]
        for name in names:
            ANSWERS[name] = json.dumps({"success": True, "result": name}).encode()
        registered = [
            *plugins_at(server.url, *names, "inject", "long"),
            RegisteredPlugin(name="gone", url=server.url + "/fine"),
        ]
        async with plugins(*registered) as found:
            found.health[-1].connection = HttpPlugin(replace(registered[-1], url="http://127.0.0.1:9"))
            calls = [ToolUse(f"{name}__look", {}) for name in ("p3", "p7", "inject", "long", "gone", "nobody")]
            standin = Standin([Turn(calls), Turn([Text("Two versions.")])])
            async with serve(standin) as url, assistant_worker(redis_url, url) as one:
                one.assistant.dependencies.plugins = found
                await one.make_shop()
                run = await one.ask("Which versions are there?", workflow="ask")
                check_results(run, standin)
                events = await one.events(run["id"])
        for name in names:
            del ANSWERS[name]
    called = [event for event in events if event["type"] == "called"]
    assert [(event["plugin"], event["ok"]) for event in called][:3] == [("p3", True), ("p7", True), ("inject", True)]
    assert all(event["seconds"] >= 0 for event in called)


def check_results(run: dict[str, Any], standin: Standin) -> None:
    assert run["status"] == "answered", run
    assert standin.refused == []
    told = [tool["name"] for tool in standin.asked[0].body["tools"]]
    assert len([name for name in told if name.endswith("__look")]) == 11
    assert any("two underscores" in block["text"] for block in standin.asked[0].body["system"])
    results = [str(one["content"]) for one in last_results(standin)]
    assert "p3" in results[0]
    assert "p7" in results[1]
    tag = results[2].split("<plugin-result-", 1)[1][:8]
    assert results[2].count(f"</plugin-result-{tag}>") == 1, "the text cannot close its block"
    assert INJECTION.splitlines()[2] in results[2].replace("\\n", "\n")
    assert "more characters; ask for less" in results[3]
    assert len(results[3]) < 17_000
    assert "'gone' did not do it" in results[4]
    assert "cannot be reached" in results[4]
    assert "no tool" in results[5].lower() or "nobody__look" in results[5]
    calls = run["outcome"]["tool_calls"]
    assert [call["status"] for call in calls] == ["ok"] * 4 + ["refused", "unknown_tool"]
    assert all(call["seconds"] >= 0 and call["result"] for call in calls)


async def test_a_killed_plugin_is_told_and_comes_back_by_itself(tmp_path: Path) -> None:
    """It is looked after every few seconds; nobody has to do anything."""
    command = in_python("tests.integration.plugin_servers:trial")
    with plugin_process(command, INSTALLED=str(tmp_path / "installed")) as process:
        one = RegisteredPlugin(name="trial", url=process.url)
        found = Plugins([PluginHealth(one, HttpPlugin(one))], SystemClock())
        health = found.health[0]
        found.start()
        try:
            await becomes(health, "ready")
            assert [tool.name for tool in health.tools] == ["newest", "install"]
            process.kill()
            await becomes(health, "away")
            assert "cannot be reached" in health.detail
            assert found.session("run", "ask") is not None, "its tools are offered, so that a call says what is wrong"
            await asyncio.to_thread(process.start)
            await becomes(health, "ready")
            assert health.detail == ""
        finally:
            await found.close()


async def becomes(health: PluginHealth, status: str) -> None:
    async with timeout():
        while health.status != status:  # noqa: ASYNC110  # it has no event for tests alone
            await asyncio.sleep(0.02)


def run_plugin_command(folder: Path, *arguments: str) -> Any:
    return CliRunner().invoke(cli.main, ["plugin", *arguments, "--data-dir", str(folder)])


async def test_an_administrator_registers_lists_tries_and_removes(tmp_path: Path) -> None:
    """What is registered are the tools that it has at that time; what is wrong is said before anything is written."""
    async with hostile() as server:
        url = f"{server.url}/fine"

        def play() -> None:
            added = run_plugin_command(tmp_path, "add", "charts", url, "--workflow", "ask", "--seconds", "7")
            assert added.exit_code == 0, added.output
            assert "look: reads" in added.output
            [registered] = read_registered(tmp_path / "plugins.json")
            assert registered == RegisteredPlugin(
                name="charts", url=url, tools={"look": "reads"}, workflows=["ask"], seconds=7
            )
            assert (tmp_path / "plugins.json").stat().st_mode & 0o077 == 0
            assert "already" in run_plugin_command(tmp_path, "add", "charts", url).output
            assert run_plugin_command(tmp_path, "add", "charts", url, "--replace").exit_code == 0
            assert "1 tools" in run_plugin_command(tmp_path, "list").output
            assert run_plugin_command(tmp_path, "check").exit_code == 0
            for wrong in (["b", "ftp://x"], ["B", url], ["b", url, "--workflow", "all"], ["b", url, "--seconds", "0"]):
                assert "[plugins_misconfigured]" in run_plugin_command(tmp_path, "add", *wrong).output, wrong
            gone = run_plugin_command(tmp_path, "add", "b", "http://127.0.0.1:9")
            assert gone.exit_code == 1
            assert "[plugin_away]" in gone.output
            assert run_plugin_command(tmp_path, "check", "http://127.0.0.1:9").exit_code == 1
            assert [one.name for one in read_registered(tmp_path / "plugins.json")] == ["charts"]
            assert run_plugin_command(tmp_path, "remove", "charts").exit_code == 0
            assert "No plugins." in run_plugin_command(tmp_path, "list").output

        await asyncio.to_thread(play)


@pytest.mark.parametrize(
    "content, says",
    [
        ("{", "cannot be read"),
        ("[]", "it must be"),
        ('{"plugins": [7]}', "no object"),
        ('{"plugins": [{"name": "a", "url": "http://x", "read": 1}]}', "'read'"),
        ('{"plugins": [{"name": "a", "url": "http://u:p@x"}]}', "without a user"),
        ('{"plugins": [{"name": "a", "url": "http://x"}, {"name": "a", "url": "http://y"}]}', "two plugins"),
        ('{"plugins": [{"name": "a", "url": "http://x", "tools": {"t": "both"}}]}', "reads"),
        ('{"plugins": [{"name": "a", "url": "http://x", "token_file": "/nowhere"}]}', "token_file"),
    ],
)
def test_a_file_that_cannot_be_used_stops_the_start_with_the_reason(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "plugins.json"
    path.write_text(content)
    with pytest.raises(DraftsmithError, match=says) as refused:
        read_registered(path)
    assert refused.value.code == "plugins_misconfigured"


async def test_no_answer_is_a_no(redis_url: str) -> None:
    """After the deadline the call was not made, and the model is told; the run goes on."""
    standin = Standin([Turn([ToolUse("fine__look", {})]), Turn([Text("Nothing was done.")])])
    async with (
        hostile() as server,
        plugins(*plugins_at(server.url, "fine", tools={"look": "writes"})) as found,
        serve(standin) as url,
        assistant_worker(redis_url, url, run_limits=RunLimits(seconds=NEVER_SECONDS, approval_seconds=0.01)) as one,
    ):
        one.assistant.dependencies.plugins = found
        await one.make_shop()
        run = await one.ask("Do it.")
        assert run["status"] == "answered", run
        assert "Nobody said yes" in str(last_results(standin)[0]["content"])
        asked = [event for event in await one.events(run["id"]) if event["type"] == "approval"]
        assert [event["state"] for event in asked] == ["asked", "late"]
        assert server.states == [], "the plugin was not called"


def test_without_a_plugin_nothing_of_them_is_there(redis_url: str) -> None:
    """No module of theirs is imported, no tool is offered, and the list is empty."""
    app = "tests.integration.server_with_modules:create_app"
    with (
        running(redis_url, "w", app=app, start=subprocess.Popen, PYTHONPATH=WITH_TESTS) as (server,),
        patient.client(base_url=server.url, headers={"X-Requested-With": "test"}) as client,
    ):
        assert client.get("/api/v1/plugins").json()["items"] == []
        found = {name for name in client.get("/imported").json() if "plugin" in name or "workload" in name}
    assert {name for name in found if name.startswith("draftsmith.")} == {
        "draftsmith.api.routes.plugins",
        "draftsmith.api.routes.workloads",
        "draftsmith.workloads",
        "draftsmith.workloads.shapes",
    }
