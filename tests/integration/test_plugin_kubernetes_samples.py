"""The plugin `kubernetes` on manifests that others wrote, where `SAMPLES=/folder` names a folder of samples.

Each folder of `kubernetes/*/*` there is an application, applied to a cluster of its own: what names no namespace is in
`default`. What must be told of it is read from the manifests here, without the code of the plugin.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from bench.drawings.graphs import VARIABLE, samples_folder
from draftsmith.plugin.testing import PluginCaller
from draftsmith.workloads.reading import read_workloads
from draftsmith_kubernetes.plugin import create
from draftsmith_kubernetes.settings import Settings
from tests.integration.kubernetes_api_server import serving
from tests.integration.kubernetes_discovery import BUILT_IN

Object = dict[str, Any]
RUNS = {"Deployment", "StatefulSet", "DaemonSet", "ReplicationController", "ReplicaSet", "Job", "CronJob", "Pod"}
_NAME = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?")
_SERVED = {(version, kind): is_namespaced for version, _, kind, _, is_namespaced in BUILT_IN}
_FOLDER = samples_folder()
APPLICATIONS = sorted(_FOLDER.glob("kubernetes/*/*")) if _FOLDER else []
needs_samples = pytest.mark.skipif(
    not APPLICATIONS, reason=f"{VARIABLE} names no folder with kubernetes/*/*: nothing of others was tried"
)


def applied(folder: Path) -> list[Object]:
    """What a cluster would hold after `kubectl apply -R -f`: the last of each name; templates are no manifests."""
    found: dict[tuple[str, str, str], Object] = {}
    for file in sorted([*folder.rglob("*.yaml"), *folder.rglob("*.yml")]):
        try:
            documents = list(yaml.load_all(file.read_text("utf-8"), yaml.CSafeLoader))
        except yaml.YAMLError:
            continue
        for one in [item for each in documents if isinstance(each, dict) for item in each.get("items", [each])]:
            is_namespaced = _SERVED.get((one.get("apiVersion"), one.get("kind")))
            if is_namespaced is None or not _NAME.fullmatch(str(one.get("metadata", {}).get("name"))):
                continue
            if is_namespaced:
                one["metadata"].setdefault("namespace", "default")
            found[one["metadata"].get("namespace", ""), one["kind"], one["metadata"]["name"]] = one
    return list(found.values())


@dataclass(frozen=True)
class Tried:
    """An application, and what the plugin says of it."""

    objects: list[Object]
    told: Mapping[str, Any]

    @property
    def workloads(self) -> dict[str, Mapping[str, Any]]:
        return {one["id"]: one for one in self.told["workloads"]}

    def of_kind(self, *kinds: str) -> list[Object]:
        return [one for one in self.objects if one["kind"] in kinds]


@pytest.fixture(scope="module", params=APPLICATIONS or [Path()], ids=lambda folder: folder.name or "none")
def tried(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tried]:
    objects = applied(request.param)
    assert shutil.which("kubectl"), "these tests need kubectl; Debian's package is kubernetes-client"
    namespaces = sorted({one["metadata"]["namespace"] for one in objects if "namespace" in one["metadata"]})
    if not namespaces:
        pytest.skip("nothing in it can be applied")
    with serving(objects, {}) as cluster:
        kubeconfig = cluster.kubeconfig(tmp_path_factory.mktemp("kube"))
        settings = Settings(namespaces=tuple(namespaces), kubeconfig=kubeconfig, context="reader")
        yield Tried(objects, PluginCaller(create(settings)).invoke("workloads"))
        assert cluster.written == []


def id_of(one: Object) -> str:
    return f"{one['metadata']['namespace']}/{one['kind']}/{one['metadata']['name']}"


def pods_of(one: Object) -> Object:
    """The template of the pods of something that runs."""
    spec: Object = one["spec"]
    if one["kind"] == "CronJob":
        spec = spec["jobTemplate"]["spec"]
    return one if one["kind"] == "Pod" else spec["template"]


def services_of(tried: Tried) -> dict[str, list[str]]:
    """The services by name, each with the ids of what it selects."""
    found = {}
    for service in tried.of_kind("Service"):
        wanted = (service["spec"].get("selector") or {}).items()
        found[service["metadata"]["name"]] = [
            id_of(one)
            for one in tried.of_kind(*RUNS)
            if wanted and wanted <= (pods_of(one)["metadata"].get("labels") or {}).items()
        ]
    return found


@needs_samples
def test_a_server_reads_what_is_told(tried: Tried) -> None:
    """It is of the format, whole, and nothing was passed over."""
    assert len(read_workloads(tried.told).workloads) == len(tried.told["workloads"])
    assert tried.told["incomplete"] == []


@needs_samples
def test_everything_that_runs_is_told_once_as_it_is_written(tried: Tried) -> None:
    """With its images and how many there should be."""
    runs = tried.of_kind(*RUNS)
    assert sorted(one["id"] for one in tried.told["workloads"]) == sorted(map(id_of, runs))
    for one in runs:
        told = tried.workloads[id_of(one)]
        assert told["images"] == list(dict.fromkeys(each["image"] for each in pods_of(one)["spec"]["containers"]))
        if one["kind"] not in ("Pod", "Job", "CronJob", "DaemonSet"):
            assert told["replicas"]["desired"] == one["spec"].get("replicas", 1)


@needs_samples
def test_ports_are_those_of_its_services_or_containers(tried: Tried) -> None:
    services = services_of(tried)
    for one in tried.of_kind(*RUNS):
        written = {
            port["containerPort"]
            for container in pods_of(one)["spec"]["containers"]
            for port in container.get("ports", ())
        }
        for service in tried.of_kind("Service"):
            if id_of(one) in services[service["metadata"]["name"]]:
                written |= {port["port"] for port in service["spec"]["ports"]}
                written |= {port["targetPort"] for port in service["spec"]["ports"] if port.get("targetPort")}
        assert {port["port"] for port in tried.workloads[id_of(one)]["ports"]} <= written, id_of(one)


@needs_samples
def test_a_variable_that_is_the_name_of_a_service_is_a_connection(tried: Tried) -> None:
    """And every connection has evidence; nothing is connected with itself."""
    services = services_of(tried)
    expected = set()
    for one in tried.of_kind(*RUNS):
        for container in pods_of(one)["spec"]["containers"]:
            for variable in container.get("env", ()):
                named = str(variable.get("value", "")).partition(":")[0]
                is_host = re.search(r"(HOST|ADDR|SERVER|URL|SERVICE)(_NAME)?$", variable["name"])
                expected |= {(id_of(one), target) for target in services.get(named, ()) if is_host}
    told = {(one["source"], one["target"]) for one in tried.told["connections"]}
    assert {pair for pair in expected if pair[0] != pair[1]} <= told
    assert all(source != target for source, target in told)
    assert all(one["evidence"] for one in tried.told["connections"])


@needs_samples
def test_only_hosts_of_elsewhere_are_outside(tried: Tried) -> None:
    """No service of the cluster, in any way to write it, and no pod behind one."""
    names = set(services_of(tried))
    inside = re.compile(r"(?:[a-z0-9-]+\.)*?([a-z0-9-]+)\.([a-z0-9-]+)\.svc(?:\.cluster\.local)?")
    namespaces = set(tried.told["namespaces"])
    for one in tried.told["outside"]:
        found = inside.fullmatch(one["host"])
        assert one["host"] not in names
        assert found is None or found[2] not in namespaces or found[1] not in names, one["host"]


@needs_samples
def test_a_version_is_none_that_a_publisher_counts_for_themselves(tried: Tried) -> None:
    """`google-samples/cassandra:v14` is no Cassandra 14, and `registry.k8s.io/redis:e2e` no Redis e2e."""
    for one in tried.workloads.values():
        version = re.search(r" (\d[\d.]*)$", one["technology"] or "")
        if version is not None:
            assert any(re.search(rf":v?{re.escape(version[1])}\b", image) for image in one["images"])
            assert "." in version[1] or not any("/" in image for image in one["images"]), one["technology"]
