"""What runs, from a plugin in a process of its own: drawn as a proposal, compared with a design, and never believed."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.clusters import DB, EDGE, ORDERS, connection, reading, shop_reading, workload
from tests.integration.client import Api, check_problem, edge, node
from tests.integration.plugin_servers import PluginProcess, in_python, plugin_process
from tests.integration.servers import running
from tests.timeouts import TIMEOUT_SECONDS

EAST = {"plugin": "east"}


@dataclass
class Cluster:
    """The plugin, and the file from which it reads."""

    process: PluginProcess
    file: Path

    def runs(self, content: Any) -> None:
        self.file.write_text(json.dumps(content), "utf-8")


@pytest.fixture(scope="module")
def plugin_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    file = tmp_path_factory.mktemp("cluster") / "cluster.json"
    command = in_python("tests.integration.handwritten_cluster:handwritten")
    with plugin_process(command, CLUSTER_FILE=str(file)) as process:
        yield Cluster(process, file)


@pytest.fixture(scope="module")
def url(plugin_cluster: Cluster, redis_server: str) -> Iterator[str]:
    """A worker that knows the plugin by two names, and by a third under which its tool counts as one that writes."""
    registered = [{"name": name, "url": plugin_cluster.process.url} for name in ("east", "west", "writing")]
    registered[2]["tools"] = {"workloads": "writes"}  # type: ignore[assignment]  # as JSON
    file = plugin_cluster.file.parent / "plugins.json"
    file.write_text(json.dumps({"plugins": registered}))
    with running(redis_server, "w-cluster", PLUGINS_FILE=str(file)) as servers:
        with Api(servers[0].url) as client:
            deadline = time.monotonic() + TIMEOUT_SECONDS
            while (able := client.ask("GET", "/assistant")["workload_plugins"]) != ["east", "west"]:
                assert time.monotonic() < deadline, able
                time.sleep(0.05)
        yield servers[0].url


@pytest.fixture
def beside(url: str, redis_url: str) -> Iterator[Api]:
    """A person beside the cluster; the store is empty."""
    with Api(url) as client:
        client.become("Ada")
        yield client


def comparison_with_east(api: Api, w: str, **more: Any) -> Any:
    return api.ask("POST", f"/workspaces/{w}/workloads/compare", json={**EAST, **more})


def rows_of_kind(answer: Any, kind: str) -> dict[str, Any]:
    return {one["title"]: one for one in answer["rows"] if one["kind"] == kind}


def boxes(nodes: Mapping[str, Any], group: str) -> list[tuple[float, float]]:
    return [(one["position"]["x"], one["position"]["y"]) for one in nodes.values() if one["parent"] == group]


def test_what_runs_is_drawn_as_one_proposal(beside: Api, plugin_cluster: Cluster) -> None:
    """Groups, nodes and lines with their evidence, laid out; a repeat is the same proposal; one undo takes it back."""
    plugin_cluster.runs(shop_reading())
    w = beside.create(name="Drawn")
    empty = beside.read(w)["diagram"]
    key = {"Idempotency-Key": "draw-what-runs-1"}
    made = beside.ask("POST", f"/workspaces/{w}/workloads/proposals", 201, json=EAST, headers=key)
    assert (made["status"], made["fit"], made["count"]) == ("open", "fits", 8)
    assert beside.read(w)["diagram"] == empty, "a proposal changes nothing"
    assert made["explanation"] == "Draw what runs in prod (shop), read at 2026-11-24T15:00:00Z."
    plugin_cluster.runs(reading(workload("other")))
    again = beside.ask("POST", f"/workspaces/{w}/workloads/proposals", 201, json=EAST, headers=key)
    assert again["id"] == made["id"], "a repeat asks no cluster"
    plugin_cluster.runs(shop_reading())

    accepted = beside.ask("POST", f"/workspaces/{w}/proposals/{made['id']}/accept")
    diagram = beside.read(w)["diagram"]
    nodes = {one["id"]: one for one in diagram["nodes"]}
    assert {name: one["type"] for name, one in nodes.items()} == {
        "shop": "group", "edge": "gateway", "orders": "service", "db": "database", "api-stripe-com": "external",
    }  # fmt: skip
    assert nodes["db"]["technology"] == "PostgreSQL 16.4"
    assert nodes["db"]["properties"] == {
        "workload": DB, "cluster": "prod", "namespace": "shop", "image": "docker.io/postgres:16.4", "replicas": "1",
        "ports": "8080/TCP http",
    }  # fmt: skip
    places = boxes(nodes, "shop")
    assert len(places) == len(set(places)) == 3
    assert all(
        abs(ax - bx) >= 180 or abs(ay - by) >= 72 for ax, ay in places for bx, by in places if (ax, ay) < (bx, by)
    )
    lines = {(one["source"], one["target"]): one for one in diagram["edges"]}
    assert lines["orders", "db"]["label"] == "PostgreSQL queries"
    assert lines["orders", "db"]["kind"] == "data"
    assert lines["orders", "db"]["properties"] == {"evidence": "environment", "port": "5432/TCP"}
    assert lines["edge", "orders"]["description"].startswith(f"ingress: {EDGE} names {ORDERS}")
    assert lines["orders", "api-stripe-com"]["label"] == "by its environment", "who names a host is connected to it"

    assert {one["kind"] for one in comparison_with_east(beside, w)["rows"]} == {"fits"}
    check_problem(beside.send_to("POST", f"/workspaces/{w}/workloads/proposals", json=EAST), 409, "nothing_to_draw")
    undone = beside.ask("POST", f"/workspaces/{w}/undo")
    assert undone["revision"] == accepted["revision"] + 1
    assert beside.read(w)["diagram"] == empty


def test_rows_become_one_proposal_at_a_named_base(beside: Api, plugin_cluster: Cluster) -> None:
    """What is drawn already is not drawn twice; rows that somebody has overtaken are refused, others are taken."""
    plugin_cluster.runs(shop_reading())
    w = beside.create(name="Compared")
    beside.batch(
        w,
        node("orders-api", label="Orders service", properties={"replicas": "2"}),
        node("store", label="db", type="database", technology="PostgreSQL 15"),
        node("mailer", label="Mailer"),
        edge("orders-api", "store"),
        edge("mailer", "store"),
    )
    answer = comparison_with_east(beside, w)
    assert {one["title"]: (one["kind"], one["by"]) for one in answer["rows"] if "line" not in one["kind"]} == {
        "api.stripe.com": ("not_drawn", None), "edge": ("not_drawn", None), "Orders service": ("differs", "likely"),
        "db": ("differs", "name"), "Mailer": ("not_running", None),
    }  # fmt: skip
    assert answer["fitting_lines"] == 1
    orders, store = rows_of_kind(answer, "differs")["Orders service"], rows_of_kind(answer, "differs")["db"]
    assert orders["reason"] == "The same name without words such as service, or the namespace."
    assert orders["differences"] == [{"field": "replicas", "designed": "2", "running": "3"}]
    assert [one["field"] for one in store["differences"]] == ["technology"]
    line = rows_of_kind(answer, "line_not_drawn")["edge → Orders service"]
    assert line["needs"] == [f"draw:{EDGE}"]
    assert [one["kind"] for one in line["evidence"]] == ["ingress", "service"]

    chosen = [rows_of_kind(answer, "not_drawn")["edge"], orders, line]
    body = {
        "operations": [operation for one in chosen for operation in one["choices"][0]["operations"]],
        "base_revision": answer["revision"], "propose": True,
    }  # fmt: skip
    beside.batch(w, {"op": "update_node", "id": "orders-api", "properties": {"replicas": "5"}})
    stale = beside.send_to("POST", f"/workspaces/{w}/batches", json=body)
    assert check_problem(stale, 409, "stale_base")["changes"]
    read_again = comparison_with_east(beside, w)["revision"]
    beside.batch(w, {"op": "update_node", "id": "mailer", "label": "Mail"})
    made = beside.ask("POST", f"/workspaces/{w}/batches", 201, json={**body, "base_revision": read_again})
    beside.ask("POST", f"/workspaces/{w}/proposals/{made['id']}/accept")
    nodes = {one["id"]: one for one in beside.read(w)["diagram"]["nodes"]}
    assert nodes["orders-api"]["properties"]["replicas"] == "3"
    assert nodes["orders-api"]["properties"]["workload"] == ORDERS
    assert nodes["edge"]["parent"] == "shop"
    after = comparison_with_east(beside, w)
    assert rows_of_kind(after, "fits")["Orders service"]["by"] == "recorded"
    beside.ask("POST", f"/workspaces/{w}/undo")
    assert "edge" not in beside.nodes(w)


def test_namespaces_are_read_by_name(beside: Api, plugin_cluster: Cluster) -> None:
    """Nothing is said of what was drawn from a namespace that is not read."""
    plugin_cluster.runs(reading(workload("orders"), workload("pay", namespace="billing")))
    w = beside.create(name="Namespaces")
    made = beside.ask("POST", f"/workspaces/{w}/workloads/proposals", 201, json=EAST)
    beside.ask("POST", f"/workspaces/{w}/proposals/{made['id']}/accept")
    answer = comparison_with_east(beside, w, namespaces=["shop"])
    assert (answer["namespaces"], [one["title"] for one in answer["rows"]]) == (["shop"], ["orders"])
    assert answer["incomplete"] == ["Nodes of namespaces that were not read are not compared: 1."]
    for wrong in ([], ["Shop"], ["x" * 64], "shop"):
        response = beside.send_to("POST", f"/workspaces/{w}/workloads/compare", json={**EAST, "namespaces": wrong})
        check_problem(response, 422, "invalid_request")


def test_a_large_cluster_is_compared_whole_and_drawn_in_parts(beside: Api, plugin_cluster: Cluster) -> None:
    """It is all there, and too much for one proposal is refused with what to do; a part of it fits."""
    many = [workload(f"w{number}", namespace="one" if number < 40 else "two") for number in range(600)]
    plugin_cluster.runs(reading(*many))
    w = beside.create(name="Large")
    assert len(comparison_with_east(beside, w)["rows"]) == 600
    response = beside.send_to("POST", f"/workspaces/{w}/workloads/proposals", json=EAST)
    [problem] = check_problem(response, 422, "invalid_request")["problems"]
    assert (problem["code"], problem["path"]) == ("limit_operations", "/namespaces")
    one = {**EAST, "namespaces": ["one"]}
    assert beside.ask("POST", f"/workspaces/{w}/workloads/proposals", 201, json=one)["count"] == 41


UNREADABLE: Mapping[str, tuple[Any, str]] = {
    "text": ("everything runs", "must be an object"),
    "other format": ({**shop_reading(), "format": "workloads/2"}, "/format"),
    "unknown id": (shop_reading(connections=[connection(ORDERS, "shop/Deployment/ghost")]), "/connections/0/target"),
    "unknown host": (shop_reading(outside=[{**shop_reading()["outside"][0], "named_by": "x"}]), "/outside/0/named_by"),
    "twice": (reading(workload("a"), workload("a")), "/workloads/0/id"),
    "foreign": (reading(workload("a"), namespaces=["b"]), "/workloads/0/namespace"),
    "number": (reading(workload("a", replicas={"desired": "3"})), "/workloads/0/replicas/desired"),
    "control": (reading(workload("a", description="a\u001b[2Jb")), "/workloads/0/description"),
    "turned": (reading(workload("a", description="a\u202eb")), "/workloads/0/description"),
    "long": (reading(workload("a" * 300)), "/workloads/0"),
    "many": (reading(*(workload(f"a{number}") for number in range(2_001))), "/workloads"),
    "blank": (reading(workload(" ")), "/workloads/0/name"),
}


def test_what_cannot_be_taken_changes_nothing(beside: Api, plugin_cluster: Cluster) -> None:
    """A hostile or broken plugin is a clear error with the place, for the comparison and for the drawing."""
    w = beside.create(name="Hostile")
    before = beside.state(w)
    for name, (content, says) in UNREADABLE.items():
        plugin_cluster.runs(content)
        for route in ("compare", "proposals"):
            response = beside.send_to("POST", f"/workspaces/{w}/workloads/{route}", json=EAST)
            problem = check_problem(response, 502, "workloads_unreadable")
            assert any(says in one["path"] + one["message"] for one in problem["problems"]), (name, problem)
    plugin_cluster.file.unlink()
    response = beside.send_to("POST", f"/workspaces/{w}/workloads/compare", json=EAST)
    assert "'workloads' failed" in check_problem(response, 502, "workloads_unread")["detail"]
    assert beside.state(w) == before
    assert beside.ask("GET", f"/workspaces/{w}/proposals")["items"] == []


def test_which_plugin_is_asked_is_never_guessed(beside: Api, plugin_cluster: Cluster) -> None:
    """Of several one must be named; one whose tool counts as one that writes is not asked; one that is away says so."""
    plugin_cluster.runs(shop_reading())
    w = beside.create(name="Which")
    for body in ({}, {"plugin": "writing"}, {"plugin": "nobody"}):
        response = beside.send_to("POST", f"/workspaces/{w}/workloads/compare", json=body)
        [problem] = check_problem(response, 422, "invalid_request")["problems"]
        assert (problem["path"], problem["candidates"]) == ("/plugin", ["east", "west"])
    nowhere = beside.send_to("POST", f"/workspaces/{'0' * 26}/workloads/compare", json=EAST)
    check_problem(nowhere, 404, "workspace_not_found")
    plugin_cluster.process.kill()
    try:
        away = beside.send_to("POST", f"/workspaces/{w}/workloads/compare", json={"plugin": "west"})
        assert "cannot be reached" in check_problem(away, 502, "workloads_unread")["detail"]
    finally:
        plugin_cluster.process.start()


def test_without_a_plugin_it_is_said_what_to_do(api: Api) -> None:
    """The page shows no button then."""
    w = api.create(name="Alone")
    assert api.ask("GET", "/assistant")["workload_plugins"] == []
    for route in ("compare", "proposals"):
        problem = check_problem(api.send_to("POST", f"/workspaces/{w}/workloads/{route}"), 404, "workloads_unavailable")
        assert "draftsmith plugin add" in problem["detail"]
