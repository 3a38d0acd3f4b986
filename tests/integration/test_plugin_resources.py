"""The tools of `kubernetes` that find objects, and the names that others have; the real kubectl, a cluster by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from draftsmith.plugin import PluginError
from draftsmith.plugin.testing import PluginCaller
from draftsmith_kubernetes.kinds import Kinds
from draftsmith_kubernetes.kubectl import Kubectl
from draftsmith_kubernetes.plugin import create
from draftsmith_kubernetes.resources import ResourceFilter, Resources
from draftsmith_kubernetes.settings import Settings
from tests.integration.kubernetes_api_server import Cluster, handwritten_cluster, serving
from tests.integration.manifests import kubectl_or_skip
from tests.kit.fixtures import cluster_fixture

SEVEN = {
    "kubectl_api_resources", "kubectl_get", "kubectl_describe", "kubectl_logs", "kubectl_events",
    "kubectl_get_crd_schema", "kubectl_apply",
}  # fmt: skip
MANIFEST = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web-nginx, namespace: shop}\ndata: {a: b}\n"


cluster = cluster_fixture()


def settings(cluster: Cluster, folder: Path, **more: Any) -> Settings:
    given = {"namespaces": ("shop", "shop-data"), "kubeconfig": cluster.kubeconfig(folder), "context": "reader", **more}
    return Settings(**given)


@pytest.fixture(scope="module")
def caller(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> PluginCaller:
    return PluginCaller(create(settings(cluster, tmp_path_factory.mktemp("kube"))))


def refused(caller: PluginCaller, tool: str, **args: Any) -> PluginError:
    with pytest.raises(PluginError) as failure:
        caller.invoke(tool, **args)
    return failure.value


def places(told: Any) -> list[str]:
    return [f"{one['namespace']}/{one['kind']}/{one['name']}" for one in told["results"]]


def test_objects_are_found_by_words_and_by_what_they_are_for(caller: PluginCaller) -> None:
    """A `Cluster` is relational storage, a cache is what is called so; a word of a label finds, too."""
    storage = caller.invoke("search_resources", query="relational storage")
    assert places(storage) == ["shop/Cluster/reports-db", "shop-data/Cluster/shop-db"]
    assert "relational-database" in storage["results"][0]["reason"]
    assert storage["results"][0]["is_for"][0] == "relational-database"
    redis = caller.invoke("search_resources", query="redis", limit=3)
    assert "shop-data/StatefulSet/cache" in places(redis)
    front = caller.invoke("search_resources", query="mailer")
    assert places(front)[0] == "shop/Deployment/mailer"
    assert front["results"][0]["labels"]["app"] == "mailer"


def test_no_object_is_an_answer_and_no_words_are_not_asked(caller: PluginCaller) -> None:
    nothing = caller.invoke("search_resources", query="blockchain")
    assert (nothing["results"], nothing["said"]) == ([], "No object fits that, by its words or by what it is for.")
    assert refused(caller, "search_resources", query="of the").code == "empty_query"


@pytest.mark.parametrize(
    "wanted, found",
    [
        ({"kind": "deploy"}, ["shop/Deployment/web", "shop/Deployment/orders", "shop/Deployment/mailer"]),
        ({"kind": "Pod", "labels": {"app": "orders", "tier": "back"}}, ["shop/Pod/orders-7d9c5-x2x4z"]),
        ({"kind": "statefulsets", "namespace": "shop-data", "name": "cache"}, ["shop-data/StatefulSet/cache"]),
        ({"annotations": {"kubernetes.io/description": "Pages of the shop."}}, ["shop/Deployment/web"]),
        ({"kind": "Pod", "labels": {"app": "orders", "tier": "front"}}, []),
    ],
)
def test_a_filter_is_exact(caller: PluginCaller, wanted: dict[str, Any], found: list[str]) -> None:
    """All fields of it; where nothing fits, what could be asked for."""
    told = caller.invoke("query_resources", filter=wanted)
    assert (places(told), told["in_all"]) == (found, len(found))
    assert ("there_are" in told) == (not found)
    if not found:
        assert "shop/orders-7d9c5-x2x4z" in told["there_are"]["names"]
        assert "tier=back" in told["there_are"]["labels"]
        assert "deployments.apps" in told["there_are"]["kinds"]


@pytest.mark.parametrize(
    "wanted, code, words",
    [
        ({}, "empty_filter", "Give at least one of: kind, namespace"),
        ({"label": {"app": "web"}}, "invalid_args", "did you mean 'labels'?"),
        ({"labels": "app=web"}, "invalid_args", "filter.labels"),
        ({"kind": "deploymint"}, "unknown_kind", "deployments.apps"),
        ({"kind": "secrets"}, "kind_not_read", "list it with get"),
        ({"namespace": "kube-system"}, "unknown_namespace", "shop, shop-data"),
    ],
)
def test_a_wrong_filter_is_answered_with_what_would_be_right(
    caller: PluginCaller, wanted: dict[str, Any], code: str, words: str
) -> None:
    error = refused(caller, "query_resources", filter=wanted)
    assert (error.code, words in error.message) == (code, True), error.message


def test_more_than_the_limit_is_counted(caller: PluginCaller) -> None:
    told = caller.invoke("query_resources", filter={"namespace": "shop"}, limit=2)
    assert len(told["results"]) == 2
    assert told["in_all"] > 2


def test_manifests_and_secrets_in_annotations_are_left_out(caller: PluginCaller) -> None:
    """The one of `orders` holds the password of an administrator."""
    [one] = caller.invoke("query_resources", filter={"kind": "deployments", "name": "orders"})["results"]
    assert one["annotations"]["kubectl.kubernetes.io/last-applied-configuration"] == "(left out)"
    assert "hunter2" not in str(caller.invoke("query_resources", filter={"namespace": "shop"}))


async def test_what_was_read_is_kept_for_a_minute_and_told_as_old(tmp_path: Path) -> None:
    """Nothing is asked meanwhile; where the cluster is away then, the old answer says so."""
    kubectl_or_skip()
    now = [1_000_000.0]
    wanted = ResourceFilter(kind="deployments")
    with handwritten_cluster() as own:
        kubectl = Kubectl(settings(own, tmp_path))
        resources = Resources(kubectl, Kinds(kubectl), now=lambda: now[0])
        first = await resources.query(wanted, 9)
        asked = len(own.asked)
        now[0] += 59
        kept = await resources.query(wanted, 9)
        assert (kept["age_seconds"], kept["read_at"], len(own.asked)) == (59, first["read_at"], asked)
        now[0] += 2
        fresh = await resources.query(wanted, 9)
        assert (fresh["age_seconds"], len(own.asked) > asked) == (0, True)
    now[0] += 61
    old = await resources.query(wanted, 9)
    assert (old["in_all"], old["age_seconds"]) == (3, 61)
    assert old["outdated_because"].startswith("cluster_away: ")


def test_of_very_many_objects_the_first_are_looked_at(tmp_path: Path) -> None:
    """And the answer says so."""
    kubectl_or_skip()
    objects = [
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"c-{number}", "namespace": "shop"}}
        for number in range(5_001)
    ]
    with serving(objects, {}) as many:
        caller = PluginCaller(create(settings(many, tmp_path, namespaces=("shop",))))
        told = caller.invoke("query_resources", filter={"kind": "configmaps"}, limit=1)
    assert (told["in_all"], len(told["results"])) == (5_000, 1)
    assert told["incomplete"][0] == "The first 5,000 of 5,001 objects are looked at."


def test_the_same_tools_have_the_names_of_kubectl_where_that_is_set(cluster: Cluster, tmp_path: Path) -> None:
    """Each answers as ours does; the one that tries a manifest needs a yes and its setting, and stores nothing."""
    more = {"kubectl_names": True, "apply": True, "apply_context": "applier"}
    caller = PluginCaller(create(settings(cluster, tmp_path, **more)))
    assert caller.problems() == []
    tools = {tool["name"]: tool for tool in caller.describe()["tools"]}
    assert {name for name in tools if name.startswith("kubectl_")} == SEVEN
    assert [name for name in SEVEN if not tools[name]["readOnly"]] == ["kubectl_apply"]
    assert tools["kubectl_get"]["inputSchema"] == tools["get"]["inputSchema"]
    pods = {"kind": "pods", "namespace": "shop"}
    assert caller.invoke("kubectl_get", **pods) == caller.invoke("get", **pods)
    assert caller.invoke("kubectl_get_crd_schema", kind="Kafka")["fields"] == [{"field": "spec", "type": "object"}]
    tried = caller.invoke("kubectl_apply", manifest=MANIFEST)
    assert tried == caller.invoke("apply", manifest=MANIFEST)
    assert all("dryRun=All" in one for one in cluster.asked if one.startswith("PATCH"))
    without = PluginCaller(create(settings(cluster, tmp_path, kubectl_names=True))).describe()["tools"]
    assert "kubectl_apply" not in {tool["name"] for tool in without}
    assert not {tool["name"] for tool in PluginCaller(create(settings(cluster, tmp_path))).describe()["tools"]} & SEVEN
