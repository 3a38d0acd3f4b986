"""What people and operators are told of success over HTTP: ratings, how well batches fit, and debug records of runs."""

from __future__ import annotations

import json
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.integration.client import Api, check_problem, metric, node
from tests.integration.model_beside import SLOW, Model
from tests.integration.servers import Server, running
from tests.kit.fixtures import model_fixture
from tests.standin import Text, Thinking, ToolUse, Turn
from tests.timeouts import TIMEOUT_SECONDS

NOBODY = "0" * 26
BAD = {"operations": [{"op": "update_node", "id": "cahce", "label": "Cache"}]}
GOOD = {"operations": [node("cache", label="Cache", type="cache")]}
STRANGE_KEY = 'sk-standin-"4f1c9a\\0b7d2e'
"""With what JSON has to escape."""


model = model_fixture(key=STRANGE_KEY)


@pytest.fixture(scope="module")
def servers(model: Model, folder: Path, redis_server: str) -> Iterator[list[Server]]:
    """Two workers with a key that keep debug records."""
    environment = {
        "ANTHROPIC_API_KEY": model.key, "ANTHROPIC_BASE_URL": model.url, "DATA_DIR": str(folder),
        "ASSISTANT_DEBUG_RUNS": "1", "ASSISTANT_DEBUG_HOURS": "2",
    }  # fmt: skip
    with running(redis_server, "w-told-one", "w-told-two", **environment) as servers:
        yield servers


@pytest.fixture
def ana(servers: list[Server], model: Model, redis_url: str) -> Iterator[Api]:
    """A person at the first of them; the model has nothing to say yet.

    The store is empty, but for what the workers had counted before and not brought there yet: they bring it now.
    """
    model.script.clear()
    for server in servers:
        with Api(server.url) as api:
            api.ask("GET", "/usage")
    with Api(servers[0].url) as api:
        api.become("Ana")
        yield api


@pytest.fixture
def other(ana: Api, servers: list[Server]) -> Iterator[Api]:
    """The same person at the second."""
    with Api(servers[1].url) as api:
        api.cookies.update(ana.cookies)
        yield api


def run_to_the_end(api: Api, w: str, prompt: str = "Add a cache.", **fields: Any) -> Any:
    """A request that is over."""
    return api.run(w, prompt, **fields)


def rate(api: Api, w: str, run_id: str, rating: str | None) -> Any:
    return api.ask("PUT", f"/workspaces/{w}/runs/{run_id}/rating", json={"rating": rating})


def today(api: Api) -> Any:
    return api.ask("GET", "/usage", params={"days": 1})["quality"]["today"]


class TestRatings:
    def test_a_thumb_is_kept_with_the_run_and_with_its_row_of_usage(
        self, ana: Api, other: Api, model: Model, folder: Path
    ) -> None:
        """Up, down and taken back, from any worker; the same twice counts once and is one line."""
        w = ana.create(name="Shop")
        model.script += [Turn([ToolUse("edit_diagram", GOOD)]), Turn([Text("There is a cache.")])]
        run = run_to_the_end(ana, w)
        assert (run["status"], run["rating"]) == ("applied", None)
        before, counts = today(ana)["ratings"], []
        for api, rating in ((ana, "up"), (other, "up"), (other, "down"), (ana, None), (other, None), (other, "up")):
            assert rate(api, w, run["id"], rating)["rating"] == rating
            assert ana.ask("GET", f"/workspaces/{w}/runs/{run['id']}")["rating"] == rating
            totals = [today(one)["ratings"] for one in (other, ana)][-1]
            counts.append((totals["up"] - before["up"], totals["down"] - before["down"]))
        assert counts == [(1, 0), (1, 0), (0, 1), (0, 0), (0, 0), (1, 0)]
        assert [one["rating"] for one in other.ask("GET", f"/workspaces/{w}/runs")["items"]] == ["up"]
        rows = [json.loads(line) for file in (folder / "usage").iterdir() for line in file.read_text().splitlines()]
        rated = sorted(
            (row for row in rows if "rating" in row and row["run_id"] == run["id"]), key=lambda row: row["ts"]
        )
        assert [row["rating"] for row in rated] == ["up", "down", None, "up"]
        call = next(row for row in rows if row["run_id"] == run["id"] and "rating" not in row)
        for name in ("provider", "model", "operation", "person", "workspace", "prompt_hash"):
            assert rated[0][name] == call[name]

    def test_only_who_asked_rates_and_only_what_is_over(self, ana: Api, model: Model, servers: list[Server]) -> None:
        w = ana.create(name="Shop")
        place = f"/workspaces/{w}/runs"
        model.script += [SLOW]
        run = ana.ask("POST", place, 202, json={"prompt": "Add a cache."})
        rating = {"json": {"rating": "up"}}
        problem = check_problem(ana.send_to("PUT", f"{place}/{run['id']}/rating", **rating), 409, "run_busy")
        assert problem["runs"] == [run["id"]]
        ana.ask("POST", f"{place}/{run['id']}/cancel")
        with Api(servers[0].url) as ben:
            ben.become("Ben")
            check_problem(ben.send_to("PUT", f"{place}/{run['id']}/rating", **rating), 403, "forbidden")
        assert ana.ask("GET", f"{place}/{run['id']}")["rating"] is None
        assert rate(ana, w, run["id"], "down")["rating"] == "down"
        check_problem(ana.send_to("PUT", f"{place}/{NOBODY}/rating", **rating), 404, "run_not_found")
        for wrong in ({}, {"rating": "sideways"}, {"rating": "up", "why": "nice"}):
            refused = ana.send_to("PUT", f"{place}/{run['id']}/rating", json=wrong)
            check_problem(refused, 422, "invalid_request")

    def test_a_built_in_command_can_be_rated_too(self, ana: Api) -> None:
        """Once it is over, which is at once."""
        w = ana.create(name="Shop")
        before = today(ana)
        run = run_to_the_end(ana, w, "add a cache called Sessions", provider="builtin")
        assert rate(ana, w, run["id"], "up")["rating"] == "up"
        assert today(ana)["ratings"]["up"] == before["ratings"]["up"] + 1
        assert today(ana)["runs"] == before["runs"], "it is no run of a model"


class TestEditModes:
    def test_a_workspace_says_how_models_edit_there(self, ana: Api, other: Api) -> None:
        """What is left out stays; null is as the server is set; every worker knows."""
        w = ana.create(name="Shop")
        place = f"/workspaces/{w}/assistant"

        def told(found: dict[str, Any]) -> tuple[bool, str | None]:
            return found["enabled"], found["edit_mode"]

        assert told(ana.ask("GET", place)) == (True, None)
        assert told(ana.ask("PATCH", place, json={"edit_mode": "regenerate"})) == (True, "regenerate")
        assert told(ana.ask("PATCH", place, json={"enabled": False})) == (False, "regenerate")
        assert told(other.ask("GET", place)) == (False, "regenerate")
        assert told(ana.ask("PATCH", place, json={"enabled": True, "edit_mode": None})) == (True, None)
        for wrong in ({"edit_mode": "by hand"}, {"enabled": None}, {}):
            check_problem(ana.send_to("PATCH", place, json=wrong), 422, "invalid_request")

    def test_a_request_says_how_it_is_to_be_edited(self, ana: Api, model: Model) -> None:
        w = ana.create(name="Shop")
        model.script += [Turn([Text("Nothing to do.")])] * 2
        assert run_to_the_end(ana, w)["edit_mode"] == "tools"
        assert run_to_the_end(ana, w, edit_mode="regenerate")["edit_mode"] == "regenerate"
        refused = ana.send_to("POST", f"/workspaces/{w}/runs", json={"prompt": "x", "edit_mode": "by hand"})
        check_problem(refused, 422, "invalid_request")
        assert run_to_the_end(ana, w, "add a cache called Sessions", provider="builtin")["edit_mode"] == "tools"


class TestQuality:
    def test_usage_and_metrics_tell_what_was_refused_and_are_loud(
        self, ana: Api, other: Api, model: Model, servers: list[Server]
    ) -> None:
        """Summed over workers; above a tenth of ten batches it is loud, also in the log, with the numbers."""
        w = ana.create(name="Shop")
        place = {"workflow": "edit", "edit_mode": "tools"}
        refusals = "draftsmith_assistant_refusals_total"
        earlier = ana.ask("GET", "/usage", params={"days": 7})["quality"]["today"]
        before = metric(ana, refusals, **place, code="node_not_found")
        nothing_new = {"operations": [{"op": "update_node", "id": "cache", "label": "Cache"}]}
        for api in (ana, other):
            model.script += [Turn([ToolUse("edit_diagram", BAD)]), Turn([ToolUse("edit_diagram", GOOD)])]
            model.script += [Turn([ToolUse("edit_diagram", nothing_new)])] * 3 + [Turn([Text("Done.")])]
            run = run_to_the_end(api, w)
            assert run["outcome"]["iterations"] == 6, run
            api.ask("POST", f"/workspaces/{w}/undo")
        deadline, is_counted = time.monotonic() + TIMEOUT_SECONDS, False
        while not is_counted and time.monotonic() < deadline:  # a run is counted a moment after it can be read
            for api in (other, ana):  # each brings what it has counted
                totals = api.ask("GET", "/usage", params={"days": 7})["quality"]
            is_counted = totals["today"]["applied"] - earlier["applied"] == 2
        quality = totals["today"]
        names = ("batches", "refused", "repaired", "runs", "applied")
        assert [quality[name] - earlier[name] for name in names] == [10, 2, 2, 2, 2]
        assert 0.1 < quality["refused_share"] <= 0.2
        assert quality["is_loud"]
        assert quality["refused_by_code"] == {"node_not_found": 2}
        assert totals["total"] == quality
        row = next(one for one in totals["by_workflow"] if place.items() <= one.items())
        assert row["calls"]["calls"] >= 12
        assert row["calls"]["input"] > 0 < row["calls"]["output"]
        ops = {one["op"]: one for one in totals["by_op"]}
        assert ops["update_node"]["refused_by_code"] == {"node_not_found": 2}
        assert metric(other, refusals, **place, code="node_not_found") == before + 2
        for server in servers:
            (line,) = server.log_lines(event="assistant_often_wrong")
            assert (line["level"], line["refused"]) == ("warning", quality["refused"])
        other.ask("GET", "/usage")
        assert metric(other, "draftsmith_assistant_is_loud") == 1


class TestDebugRecords:
    def test_all_that_is_sent_and_received_is_kept_and_the_key_never(
        self, ana: Api, other: Api, model: Model, folder: Path, servers: list[Server]
    ) -> None:
        """Also where the model says the key in pieces, in a call, and in an answer that breaks off within it."""
        w = ana.create(name="Shop", document={"text": "# Shop\n"})
        key = model.key
        model.script += [
            Turn([Thinking(f"The key is {key}."), Text(f"I have {key}, you see."), ToolUse("edit_diagram", {
                "operations": [node("cache", label=key)], "explanation": f'{{"deep": "{key}"}}',
            })]),
            Turn([Text("There is a cache.")]),
        ]  # fmt: skip
        run = run_to_the_end(ana, w, "Add a cache, please.")
        assert run["status"] == "applied"
        (path,) = (folder / "debug-runs").glob(f"run-{run['id']}.jsonl")
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        written = path.read_text()
        for form in (key, json.dumps(key)[1:-1], json.dumps(json.dumps(key)[1:-1])[1:-1]):
            assert form not in written
        assert "4f1c9a" not in written
        assert "authorization" not in written.lower()
        assert "x-api-key" not in written.lower()
        entries = [json.loads(line) for line in written.splitlines()]
        assert [one["kind"] for one in entries] == ["request", "answer", "request", "answer"]
        first, answer, second, _ = entries
        assert {tool["name"] for tool in first["tools"]} >= {"edit_diagram", "edit_document"}
        assert "Add a cache, please." in json.dumps(first["messages"])
        assert "I have …, you see." in json.dumps(answer["message"], ensure_ascii=False)
        assert (answer["stop"], answer["usage"]["output"] > 0) == ("tools", True)
        assert "tools" not in second, "what stays the same is written once"
        assert len(second["messages"]) == 1
        assert "tool_result" in json.dumps(second["messages"])
        state = ana.ask("GET", "/assistant")["debug"]
        assert state["until"] > run["updated_at"]
        for server in servers:
            (line,) = server.logged(event="all that models are sent and answer is recorded")
            assert line["level"] == "warning"
            assert line["folder"] == str(folder / "debug-runs")
            assert key not in server.log

    def test_where_nobody_switched_it_on_nothing_is_kept(self, api: Api) -> None:
        assert api.ask("GET", "/assistant")["debug"] is None
