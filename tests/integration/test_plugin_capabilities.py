"""The tools of `kubernetes` that find kinds by what they are for; the real kubectl, on a cluster written by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from draftsmith.plugin import Plugin
from draftsmith_kubernetes.plugin import create
from draftsmith_kubernetes.settings import Settings
from tests.integration.kubernetes_api_server import Cluster
from tests.kit.fixtures import cluster_fixture

cluster = cluster_fixture()


def plugin_of(cluster: Cluster, folder: Path, **settings: Any) -> Plugin:
    config = cluster.kubeconfig(folder)
    return create(Settings(namespaces=("shop",), kubeconfig=config, context="reader", **settings))


async def invoke(plugin: Plugin, tool: str, **args: Any) -> Any:
    answer = await plugin.invoke("s", {"tool": tool, "args": args})
    assert answer["success"], answer
    return answer["result"]


async def test_kinds_of_the_cluster_are_found_by_meaning_and_its_definitions_are_read_once(
    cluster: Cluster, tmp_path: Path
) -> None:
    plugin = plugin_of(cluster, tmp_path)
    told = await invoke(plugin, "search_capabilities", query="relational storage")
    broker = await invoke(plugin, "search_capabilities", query="message broker", limit=1)
    filtered = await invoke(plugin, "query_capabilities", filter={"capability": "certificate"})
    best = told["results"][0]
    assert (best["name"], best["provider"]) == ("clusters.postgresql.cnpg.io", "CloudNativePG")
    assert best["fields"][0] == "instances (required): Number of instances required in the cluster"
    assert "incomplete" not in told
    assert [one["name"] for one in broker["results"]] == ["kafkas.kafka.strimzi.io"]
    assert [one["name"] for one in filtered["results"]] == ["certificates.cert-manager.io"]
    lists = [one for one in cluster.asked if "/customresourcedefinitions?" in one]
    assert len(lists) == 1, "the second and third question are answered from what was described"
    assert cluster.written == []


async def test_without_definitions_kinds_are_known_by_their_names(cluster: Cluster, tmp_path: Path) -> None:
    """As where the settings or the cluster do not let them be read; the answer says so."""
    plugin = plugin_of(cluster, tmp_path, cluster_kinds=())
    told = await invoke(plugin, "search_capabilities", query="postgres database")
    assert told["results"][0]["name"] == "clusters.postgresql.cnpg.io"
    assert "complexity" not in told["results"][0]
    assert told["incomplete"].startswith("The settings do not allow reading definitions (CRDs)")
