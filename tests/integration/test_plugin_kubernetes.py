"""The plugin `kubernetes` with the real kubectl against an API server of ours, and a conversation that uses it."""

from __future__ import annotations

import json
import shutil
import socket
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from draftsmith.cli import group as cli
from draftsmith.plugin import PluginError
from draftsmith.plugin.testing import PluginCaller
from draftsmith_kubernetes.plugin import create
from draftsmith_kubernetes.settings import Settings
from tests.integration.client import Api
from tests.integration.handwritten_registries import handwritten_registries, versions_plugin
from tests.integration.kubernetes_api_server import PACKAGE, Cluster, handwritten_cluster
from tests.integration.model_beside import model_beside
from tests.integration.plugin_servers import ROOT, plugin_process
from tests.integration.processes import wait_for
from tests.integration.servers import BACKEND, running
from tests.standin import Text, ToolUse, Turn

SECRET = "hunter2"
"""How every secret of the objects and logs written by hand begins."""
DEPLOYMENT = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}, namespace: {namespace}}}\nspec: {spec}\n"
SHOP = {
    "shop/Cluster/reports-db",
    "shop/CronJob/nightly-report",
    "shop/Deployment/mailer",
    "shop/Deployment/orders",
    "shop/Deployment/web",
    "shop/Ingress/shop",
    "shop/Pod/debug",
}
SHOP_DATA = {
    "shop-data/Cluster/shop-db",
    "shop-data/Kafka/shop",
    "shop-data/KafkaConnect/archive",
    "shop-data/StatefulSet/cache",
}
READ_ONLY = [
    "api_resources",
    "workloads",
    "get",
    "get_resource",
    "describe",
    "events",
    "logs",
    "schema",
    "search_capabilities",
    "query_capabilities",
    "search_resources",
    "query_resources",
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    assert shutil.which("kubectl"), "these tests need kubectl; Debian's package is kubernetes-client"
    with handwritten_cluster() as cluster:
        yield cluster


@pytest.fixture(scope="module")
def kubeconfig(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return cluster.kubeconfig(tmp_path_factory.mktemp("kube"))


@pytest.fixture(scope="module")
def caller(kubeconfig: Path) -> PluginCaller:
    return calls(kubeconfig, apply=True, apply_context="applier")


@pytest.fixture(autouse=True)
def nothing_is_written(cluster: Cluster) -> Iterator[None]:
    yield
    assert cluster.written == []


def calls(kubeconfig: Path, context: str = "reader", **more: Any) -> PluginCaller:
    given = {"namespaces": ("shop", "shop-data"), "kubeconfig": kubeconfig, "context": context, **more}
    return PluginCaller(create(Settings(**given)))


def refused(caller: PluginCaller, tool: str, **args: Any) -> PluginError:
    with pytest.raises(PluginError) as failure:
        caller.invoke(tool, **args)
    return failure.value


def test_its_tools_only_read_but_the_dry_run_which_must_be_asked_for(caller: PluginCaller, kubeconfig: Path) -> None:
    assert caller.problems() == []
    tools = {tool["name"]: tool["readOnly"] for tool in caller.describe()["tools"]}
    assert [name for name, is_read_only in tools.items() if not is_read_only] == ["apply"]
    assert set(READ_ONLY) <= set(tools)
    assert {tool["name"] for tool in calls(kubeconfig).describe()["tools"]} == set(tools) - {"apply"}


def test_kinds_are_listed_and_found_by_what_people_call_them(caller: PluginCaller) -> None:
    """Custom ones too; a name that is none is answered with close ones."""
    listed = caller.invoke("api_resources", words="postgres")
    assert (listed["cluster"], listed["namespaces"]) == ("reader", ["shop", "shop-data"])
    [kind] = listed["kinds"]
    assert (kind["kind"], kind["name"], kind["namespaced"]) == ("Cluster", "clusters.postgresql.cnpg.io", True)
    for name in ("Cluster", "clusters", "clusters.postgresql.cnpg.io", "postgresql.cnpg.io/v1/Cluster"):
        assert "shop-db" in caller.invoke("get", kind=name, namespace="shop-data")["text"]
    unknown = refused(caller, "get", kind="deploymint", namespace="shop")
    assert (unknown.code, "deployments.apps" in unknown.message) == ("unknown_kind", True)


def test_objects_are_listed_and_read(caller: PluginCaller, cluster: Cluster) -> None:
    """As kubectl's table and as YAML without managedFields; a selector reaches the server, one of flags does not."""
    table = caller.invoke("get", kind="deploy", namespace="shop")
    assert table["objects"] == 3
    assert table["text"].splitlines()[0].split() == ["NAME", "READY", "DESIRED", "AGE"]
    chosen = caller.invoke("get", kind="pods", namespace="shop", selector="app=orders,tier!=front")
    assert chosen["objects"] == 1
    none = caller.invoke("get", kind="jobs", namespace="shop-data")
    assert none == {"kind": "Job", "objects": 0, "text": "There are none."}
    text = caller.invoke("get_resource", kind="Deployment", name="orders", namespace="shop")["text"]
    assert "image: ghcr.io/acme/orders:1.4.2" in text
    assert "managedFields" not in text
    cluster.asked.clear()
    for args in ({"selector": "-A"}, {"kind": "--help"}, {"namespace": "--all-namespaces"}):
        refused(caller, "get", **{"kind": "pods", "namespace": "shop", **args})
    for tool in ("get_resource", "describe", "logs"):
        assert refused(caller, tool, kind="pods", name="-A", namespace="shop").code == "invalid_args"
    assert cluster.asked == []


@pytest.mark.parametrize(
    "tool, args, shown",
    [
        ("get_resource", {"kind": "Deployment", "name": "orders"}, "name: SESSION_SECRET"),
        ("get_resource", {"kind": "secret", "name": "stripe"}, "key: (masked)"),
        ("get_resource", {"kind": "cm", "name": "orders-settings"}, "SIGNING_TOKEN: (masked)"),
        ("describe", {"kind": "secret", "name": "stripe"}, "key:"),
        ("describe", {"kind": "cm", "name": "orders-settings"}, "SIGNING_TOKEN"),
        ("describe", {"kind": "deployment", "name": "orders"}, "--admin-password"),
        ("describe", {"kind": "pod", "name": "orders-7d9c5-x2x4z"}, "Readiness probe failed"),
        ("logs", {"kind": "deployments", "name": "orders"}, "order stored"),
        ("logs", {"name": "orders-7d9c5-x2x4z", "container": "orders", "lines": 3}, "payment refused"),
    ],
)
def test_secrets_are_never_told(caller: PluginCaller, tool: str, args: dict[str, Any], shown: str) -> None:
    """Wherever they stand: in Secrets, environment, arguments, ConfigMaps, manifests in annotations, URLs, logs."""
    text = caller.invoke(tool, namespace="shop", **args)["text"]
    assert shown in text
    assert SECRET not in text
    assert "applied-4711" not in text
    assert "aHVudGVyMi" not in text, "as it is encoded"


def test_events_and_logs(caller: PluginCaller) -> None:
    """Events newest first, of one object or warnings alone; logs say that their masking is not complete."""
    told = caller.invoke("events", namespace="shop")["events"]
    assert [one["reason"] for one in told] == ["Unhealthy", "ScalingReplicaSet"]
    assert (told[0]["object"], told[0]["count"]) == ("Pod/orders-7d9c5-x2x4z", 12)
    assert SECRET not in str(told)
    of_web = caller.invoke("events", namespace="shop", name="web")["events"]
    assert [one["object"] for one in of_web] == ["Deployment/web"]
    assert len(caller.invoke("events", namespace="shop", only_warnings=True)["events"]) == 1
    log = caller.invoke("logs", name="orders-7d9c5-x2x4z", namespace="shop", lines=1)
    assert (log["lines"], "order stored" in log["text"]) == (1, True)
    assert "is not" in log["masking"]
    assert refused(caller, "logs", kind="services", name="web", namespace="shop").code == "refused_kind"


def test_a_schema_is_that_of_the_api_server(caller: PluginCaller) -> None:
    """Of kinds of Kubernetes and custom ones, with defaults and allowed values, at a path."""
    told = caller.invoke("schema", kind="Deployment", path="spec.template.spec.containers")
    by_name = {one["field"]: one for one in told["fields"]}
    assert (by_name["name"]["required"], by_name["imagePullPolicy"]["enum"][0]) == (True, "Always")
    custom = caller.invoke("schema", kind="Cluster", depth=3)["fields"]
    instances = next(one for one in custom if one["field"] == "spec.instances")
    assert (instances["type"], instances["default"], instances["required"]) == ("integer", 1, True)
    assert "spec.storage.size" in {one["field"] for one in custom}
    wrong = refused(caller, "schema", kind="Deployment", path="spec.replicaz")
    assert (wrong.code, "replicas" in wrong.message) == ("unknown_field", True)


def test_what_runs_is_told_with_its_connections(caller: PluginCaller) -> None:
    """In the form that the server draws: what belongs to something is folded into it, each line has its evidence."""
    told = caller.invoke("workloads")
    workloads = {one["id"]: one for one in told["workloads"]}
    assert told["format"] == "workloads/1"
    assert set(workloads) == {*SHOP, *SHOP_DATA}
    database = workloads["shop-data/Cluster/shop-db"]
    assert (database["role"], database["technology"]) == ("database", "PostgreSQL 16.4")
    assert (database["replicas"], database["application"]) == ({"desired": 3, "ready": 3}, "shop")
    assert workloads["shop-data/Kafka/shop"]["technology"] == "Apache Kafka 3.8.0"
    assert workloads["shop/Deployment/orders"]["replicas"] == {"desired": 3, "ready": 2}
    roles = {one["name"]: one["role"] for one in told["workloads"]}
    assert (roles["web"], roles["mailer"], roles["orders"], roles["debug"]) == ("gateway", "worker", "service", "other")
    lines = {
        (one["source"].split("/")[-1], one["target"].split("/")[-1]): (
            one["port"],
            one["label"],
            [each["kind"] for each in one["evidence"]],
        )
        for one in told["connections"]
    }
    assert lines == {
        ("archive", "shop"): (9092, "Kafka messages", ["argument", "service"]),
        ("mailer", "shop"): (9092, "Kafka messages", ["environment", "service"]),
        ("mailer", "cache"): (6379, "Redis commands", ["networkPolicy"]),
        ("nightly-report", "reports-db"): (None, "PostgreSQL queries", ["environment"]),
        ("orders", "api.stripe.com"): (443, "HTTP requests", ["argument"]),
        ("orders", "collector.observability.svc"): (4317, "HTTP requests", ["environment"]),
        ("orders", "smtp.mail.example.org"): (None, "", ["environment"]),
        ("orders", "shop-db"): (5432, "PostgreSQL queries", ["environment", "service", "environment"]),
        ("orders", "shop"): (9092, "Kafka messages", ["configMap", "service"]),
        ("orders", "cache"): (6379, "Redis commands", ["environment", "service", "networkPolicy"]),
        ("web", "cdn.images.example.net"): (443, "HTTP requests", ["configMap"]),
        ("web", "orders"): (8080, "HTTP requests", ["configMap", "service"]),
        ("shop", "orders"): (8080, "HTTP requests", ["ingress", "service"]),
        ("shop", "web"): (80, "HTTP requests", ["ingress", "service"]),
    }
    assert told["incomplete"] == ["OLD_HOST of Deployment orders names gone.shop.svc, and there is no such Service."]
    assert SECRET not in str(told)


def test_of_one_namespace_others_are_outside(caller: PluginCaller) -> None:
    """What it names in a namespace that was not read is a host, and ids are the same as of both."""
    told = caller.invoke("workloads", namespaces=["shop"])
    assert {one["id"] for one in told["workloads"]} == SHOP
    assert "outside/shop-db-rw.shop-data.svc.cluster.local" in {one["id"] for one in told["outside"]}
    known = {one["id"] for one in (*told["workloads"], *told["outside"])}
    assert all({one["source"], one["target"]} <= known for one in told["connections"])


def test_what_may_not_be_read_is_told(kubeconfig: Path, cluster: Cluster) -> None:
    """By the settings, by the cluster's rights, and where a part of the API is away: the rest is still answered."""
    narrow = calls(kubeconfig, "narrow")
    told = narrow.invoke("workloads", namespaces=["shop"])
    assert [one.partition(" is forbidden")[0] for one in told["incomplete"][:2]] == [
        "shop: Error from server (Forbidden): ingresses.networking.k8s.io",
        "shop: Error from server (Forbidden): networkpolicies.networking.k8s.io",
    ]
    assert "shop/Deployment/orders" in {one["id"] for one in told["workloads"]}
    assert refused(narrow, "get", kind="ingresses", namespace="shop").code == "forbidden"
    assert refused(narrow, "get_resource", kind="pods", name="none", namespace="shop").code == "not_found"
    elsewhere = refused(narrow, "get", kind="pods", namespace="observability")
    assert (elsewhere.code, "shop, shop-data" in elsewhere.message) == ("unknown_namespace", True)
    assert refused(narrow, "workloads", namespaces=["observability"]).code == "unknown_namespace"
    assert refused(narrow, "get", kind="pods").code == "unknown_namespace"
    assert refused(narrow, "get", kind="nodes").code == "refused_kind"
    assert "fast" in narrow.invoke("get", kind="sc")["text"]
    assert refused(calls(kubeconfig, "nobody"), "get", kind="pods", namespace="shop").code == "unauthorized"
    cluster.lists_failing.add("kafka.strimzi.io")
    try:
        partly = calls(kubeconfig).invoke("workloads", namespaces=["shop-data"])
    finally:
        cluster.lists_failing.clear()
    assert "kafka.strimzi.io" in partly["incomplete"][0]
    assert "shop-data/Cluster/shop-db" in {one["id"] for one in partly["workloads"]}


def test_time_and_size_are_bounded(kubeconfig: Path, cluster: Cluster) -> None:
    """What is long is cut and says so; too much for one call, a cluster that does not answer or is away are errors."""
    short = calls(kubeconfig, answer_chars=1000)
    cut = short.invoke("get_resource", kind="Deployment", name="orders", namespace="shop")
    assert cut["truncated"].startswith("the first ")
    assert len(cut["text"]) <= 1000
    assert refused(calls(kubeconfig, most_bytes=10_000), "workloads", namespaces=["shop"]).code == "too_large"
    less = calls(kubeconfig, most_bytes=19_000).invoke("workloads", namespaces=["shop"])
    assert "pods, replicasets.apps without an owner are left out" in less["incomplete"][0]
    assert "shop/Deployment/orders" in {one["id"] for one in less["workloads"]}
    slow = calls(kubeconfig, seconds=0.5)
    cluster.go_on.clear()
    cluster.is_slow = True
    try:
        assert refused(slow, "get", kind="pods", namespace="shop").code == "timeout"
    finally:
        cluster.is_slow = False
        cluster.go_on.set()
    gone = json.loads(kubeconfig.read_text("utf-8"))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nobody listens there
        for one in gone["clusters"]:
            one["cluster"]["server"] = f"http://127.0.0.1:{taken.getsockname()[1]}"
        away = kubeconfig.with_name("away")
        away.write_text(json.dumps(gone), "utf-8")
        assert refused(calls(away), "get", kind="pods", namespace="shop").code == "cluster_away"


def test_a_dry_run_says_what_would_change_and_changes_nothing(
    caller: PluginCaller, kubeconfig: Path, cluster: Cluster
) -> None:
    """Accepted, created or refused, each with the reason; only as a dry run on the server, and only where it may."""
    manifest = "---\n".join(
        DEPLOYMENT.format(name=name, namespace="shop", spec=spec)
        for name, spec in (("orders", "{replicas: 5}"), ("fresh", "{replicas: 1}"), ("web", "{replicas: -5}"))
    )
    cluster.asked.clear()
    told = caller.invoke("apply", manifest=manifest)
    assert (told["dry_run"], told["accepted"], told["refused"]) == (True, 2, 1)
    assert "left to the team's own pipeline" in told["note"]
    orders, fresh, web = told["objects"]
    assert orders["action"] == "change"
    assert "-  replicas: 3\n+  replicas: 5" in orders["text"]
    assert fresh["action"] == "create"
    assert (web["code"], "greater than or equal to 0" in web["reason"]) == ("invalid", True)
    patches = [one for one in cluster.asked if not one.startswith("GET ")]
    assert len(patches) == 3
    assert all(one.startswith("PATCH /applier/") and "dryRun=All" in one for one in patches)
    cluster.asked.clear()
    for args, code in (
        ({"namespace": "observability"}, "unknown_namespace"),
        ({"namespace": "''"}, "unknown_namespace"),
    ):
        wrong = DEPLOYMENT.format(name="a", spec="{}", **args)
        assert refused(caller, "apply", manifest=wrong).code == code
    nodes = "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n"
    assert refused(caller, "apply", manifest=nodes).code == "refused_kind"
    assert not any("dryRun" in one for one in cluster.asked)
    may_not = calls(kubeconfig, "narrow", apply=True)
    [one] = may_not.invoke("apply", manifest=DEPLOYMENT.format(name="a", namespace="shop", spec="{}"))["objects"]
    assert (one["accepted"], one["code"]) == (False, "forbidden")


def kubernetes_settings(kubeconfig: Path, folder: Path) -> Path:
    file = folder / "kubernetes.toml"
    named = {"kubeconfig": str(kubeconfig), "context": "reader", "apply_context": "applier", "cluster": "trial"}
    lines = [f"{key} = {json.dumps(value)}" for key, value in named.items()]
    file.write_text("\n".join([*lines, "apply = true", 'namespaces = ["shop", "shop-data"]']), "utf-8")
    return file


def test_a_conversation_with_both_plugins_is_refused_its_yes_and_ends_in_one_proposal(
    cluster: Cluster, kubeconfig: Path, redis_server: str, redis_url: str, tmp_path: Path
) -> None:
    """It looks what runs and which version is newest, asks for a dry run, is told no, and proposes one change.

    Nothing reached the cluster for the call that was declined; each call is in the answer with input, result, seconds.
    Without a model, what this plugin reads is drawn, and fits when it is compared.
    """
    settings = kubernetes_settings(kubeconfig, tmp_path)
    command = [sys.executable, "-m", "draftsmith_kubernetes", "--settings", str(settings), "--port"]
    path = f"{BACKEND}:{ROOT}:{PACKAGE}"
    manifest = DEPLOYMENT.format(name="cache", namespace="shop-data", spec="{replicas: 2}")
    operation = {"op": "append_to_section", "section": "# Plan", "text": "The cache runs redis:7.4.1; 7.4.5 is newer."}
    turns = [
        Turn([ToolUse("kubernetes__workloads", {"namespaces": ["shop-data"]})]),
        Turn([ToolUse("versions__image_versions", {"image": "redis", "line": "7.4"})]),
        Turn([ToolUse("kubernetes__apply", {"manifest": manifest})]),
        Turn([ToolUse("edit_document", {"operations": [operation], "explanation": "The newest of its line"})]),
        Turn([Text("Nothing was tried on the cluster; the document says what runs.")]),
    ]
    with (
        handwritten_registries(tmp_path) as registries,
        versions_plugin(registries, tmp_path) as versions,
        plugin_process(lambda port: [*command, str(port)], PYTHONPATH=path, TMPDIR=str(tmp_path)) as kubernetes,
        model_beside() as model,
    ):
        for name, url in (("versions", versions.url), ("kubernetes", kubernetes.url)):
            added = CliRunner().invoke(cli.main, ["plugin", "add", name, url, "--data-dir", str(tmp_path)])
            assert added.exit_code == 0, added.output
        environment = {"ANTHROPIC_API_KEY": model.key, "ANTHROPIC_BASE_URL": model.url}
        environment["PLUGINS_FILE"] = str(tmp_path / "plugins.json")
        with running(redis_server, "w", **environment) as [server], Api(server.url) as api:
            api.become("Ana")
            wait_for(lambda: {one["status"] for one in api.ask("GET", "/plugins")["items"]} == {"ready"})
            model.script[:] = turns
            w = api.create(name="Plan", document={"text": "# Plan\n\nWe use a cache.\n"})
            body = {"prompt": "Which cache runs, and is it current? Try two replicas.", "mode": "propose"}
            place = f"/workspaces/{w}/runs/{api.ask('POST', f'/workspaces/{w}/runs', 202, json=body)['id']}"
            approval = wait_for(lambda: api.ask("GET", place).get("approval"))
            assert (approval["plugin"], approval["tool"]) == ("kubernetes", "apply")
            assert approval["input"] == {"manifest": manifest}
            api.ask("POST", f"{place}/approvals/{approval['id']}", json={"allow": False})
            run = wait_for(partial(ended_run, api, place))
            assert run["status"] == "proposed", run["outcome"]
            assert len(api.ask("GET", f"/workspaces/{w}/proposals")["items"]) == 1
            check_drawn(api)
    looked, newest, tried, edited = run["outcome"]["tool_calls"]
    assert (looked["name"], looked["status"]) == ("kubernetes__workloads", "ok")
    assert (looked["input"], '"workloads/1"' in looked["result"]) == ('{"namespaces":["shop-data"]}', True)
    assert (newest["status"], '"newest": "7.4.5"' in newest["result"]) == ("ok", True)
    assert (tried["name"], tried["status"], "declined" in tried["result"]) == ("kubernetes__apply", "refused", True)
    assert (edited["name"], edited["status"]) == ("edit_document", "ok")
    assert all(call["seconds"] >= 0 for call in (looked, newest, tried, edited))
    assert not any("cache" in one and "dryRun" in one for one in cluster.asked)
    assert model.standin.refused == []


def ended_run(api: Api, place: str) -> Any:
    """A run, once it has ended; else None."""
    run = api.ask("GET", place, headers={"Prefer": "wait=60"})
    return run if run["outcome"] is not None else None


def check_drawn(api: Api) -> None:
    w = api.create(name="Drawn")
    reading = {"plugin": "kubernetes"}
    made = api.ask("POST", f"/workspaces/{w}/workloads/proposals", 201, json=reading)
    api.ask("POST", f"/workspaces/{w}/proposals/{made['id']}/accept")
    drawn = {one.get("properties", {}).get("workload") for one in api.read(w)["diagram"]["nodes"]}
    assert drawn >= SHOP | SHOP_DATA
    compared = api.ask("POST", f"/workspaces/{w}/workloads/compare", json=reading)
    assert {row["kind"] for row in compared["rows"]} == {"fits"}, compared["rows"]
