"""What `deploy/kubernetes` says, rendered by kubectl, as far as it can be tried without a cluster."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
import yaml

import draftsmith
from draftsmith.adapters.plugins.registered_file import read_registered
from draftsmith.plugin.testing import PluginCaller
from draftsmith.settings import Settings
from draftsmith_kubernetes.plugin import create as create_kubernetes
from draftsmith_kubernetes.settings import read_settings as read_kubernetes
from draftsmith_versions.plugin import create as create_versions
from draftsmith_versions.settings import read_settings as read_versions
from tests import patient
from tests.conftest import valkey_binary, wait_until_ready
from tests.integration.manifests import (
    FOLDER,
    ROOT,
    Shape,
    Workload,
    documented_secrets,
    of_kind,
    one_of,
    render,
    secret_references,
    selected,
    workloads_of,
)
from tests.integration.people import town
from tests.integration.servers import Server

PLUGINS = {
    "versions": lambda file: create_versions(read_versions(file)),
    "kubernetes": lambda file: create_kubernetes(read_kubernetes(file)),
}
ACCESS = "plugins/kubernetes/access"


@pytest.fixture(scope="module")
def objects() -> list[Shape]:
    """All folders together; `complete` takes in all but two, which it names, and rights in other namespaces."""
    text = (FOLDER / "complete" / "kustomization.yaml").read_text("utf-8")
    others = {f"../{file.parent.relative_to(FOLDER)}" for file in FOLDER.rglob("kustomization.yaml")}
    others -= {"../complete", f"../{ACCESS}"}
    assert set(re.findall(r"- (\.\./\S+)", text)) == others
    return [one for folder in ("complete", "https-out", "metrics") for one in render(FOLDER / folder)]


@pytest.fixture(scope="module")
def workloads(objects: list[Shape]) -> dict[str, Workload]:
    return workloads_of(objects)


@pytest.fixture
def in_a_pod(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Kubernetes tells it."""
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.96.0.1")


def test_every_reference_leads_somewhere(objects: list[Shape], workloads: dict[str, Workload]) -> None:
    """To settings, accounts and claims that are rendered, and to secrets that the documentation has people make."""
    maps = {one["metadata"]["name"]: set(one["data"]) for one in of_kind(objects, "ConfigMap")}
    accounts = {one["metadata"]["name"] for one in of_kind(objects, "ServiceAccount")}
    claims = {"draftsmith-store": {"data"}}
    assert of_kind(objects, "Secret") == [], "secrets are made by hand"
    secrets, used = documented_secrets(), set()
    for name, one in workloads.items():
        for secret, key in secret_references(one):
            keys = secrets[secret]
            assert key is None or keys is None or key in keys, f"{name}: {secret} has no {key}"
            used.add(secret)
        volumes = {volume["name"]: volume for volume in one.spec.get("volumes", ())}
        for volume in volumes.values():
            if wanted := volume.get("configMap"):
                assert {item["key"] for item in wanted.get("items", ())} <= maps[wanted["name"]], name
            assert "persistentVolumeClaim" not in volume, name
        mounted = {mount["name"] for mount in one.container["volumeMounts"]}
        assert mounted == volumes.keys() | claims.get(name, set()), name
        for source in one.container.get("envFrom", ()):
            assert source.get("configMapRef", {"name": next(iter(maps))})["name"] in maps, name
        if account := one.spec.get("serviceAccountName"):
            assert account in accounts, name
    used |= {tls["secretName"] for one in of_kind(objects, "Ingress") for tls in one["spec"]["tls"]}
    assert used == secrets.keys(), "what is documented is read, and the other way round"
    store = one_of(objects, "StatefulSet", "draftsmith-store")["spec"]
    assert {claim["metadata"]["name"] for claim in store["volumeClaimTemplates"]} == claims["draftsmith-store"]
    without = {one["kind"] for one in objects if "namespace" not in one["metadata"]}
    assert without == {"Namespace", "ClusterRole", "ClusterRoleBinding"}
    assert {one["metadata"].get("namespace", "draftsmith") for one in objects} == {"draftsmith"}


def test_every_selector_and_port_meets_a_pod(objects: list[Shape], workloads: dict[str, Workload]) -> None:
    """Of services, policies, budgets, probes and the ingress."""
    services = {one["metadata"]["name"]: one["spec"] for one in of_kind(objects, "Service")}
    for name, spec in services.items():
        (target,) = selected(workloads, spec["selector"])
        assert {port["targetPort"] for port in spec["ports"]} <= workloads[target].ports.keys(), name
    assert one_of(objects, "StatefulSet", "draftsmith-store")["spec"]["serviceName"] in services
    for one in of_kind(objects, "PodDisruptionBudget"):
        (target,) = selected(workloads, one["spec"]["selector"]["matchLabels"])
        replicas = next(
            w["spec"]["replicas"] for w in of_kind(objects, "Deployment") if w["metadata"]["name"] == target
        )
        assert replicas > one["spec"]["minAvailable"], "a node can be drained"
    for one in of_kind(objects, "Ingress"):
        for rule in one["spec"]["rules"]:
            for path in rule["http"]["paths"]:
                backend = path["backend"]["service"]
                assert backend["port"]["name"] in {port["name"] for port in services[backend["name"]]["ports"]}
    for workload in workloads.values():
        for kind in ("startupProbe", "livenessProbe", "readinessProbe"):
            probe = workload.container.get(kind, {})
            port = (probe.get("httpGet") or probe.get("tcpSocket") or {}).get("port")
            assert port is None or port in workload.ports, workload.name
        assert {"livenessProbe", "readinessProbe"} <= workload.container.keys(), workload.name
        assert {"requests", "limits"} == workload.container["resources"].keys(), workload.name


def test_pods_reach_what_they_need_and_are_reached_by_who_needs_them(
    objects: list[Shape], workloads: dict[str, Workload]
) -> None:
    """Every pod is closed by one policy; each opening between two of ours has both ends, at a port that is there."""
    policies = {one["metadata"]["name"]: one["spec"] for one in of_kind(objects, "NetworkPolicy")}
    closed = policies.pop("draftsmith-nothing-else")
    assert closed["policyTypes"] == ["Ingress", "Egress"]
    assert not closed.keys() & {"ingress", "egress"}
    assert selected(workloads, closed["podSelector"]["matchLabels"]) == list(workloads)
    out, into = set(), set()
    for name, spec in policies.items():
        (here,) = selected(workloads, spec["podSelector"]["matchLabels"])
        for side, peers in (("ingress", "from"), ("egress", "to")):
            assert (side in spec) == (side.capitalize() in spec["policyTypes"]), name
            for rule in spec.get(side, ()):
                for peer in [one for one in rule.get(peers, ()) if "podSelector" in one]:
                    (there,) = selected(workloads, peer["podSelector"]["matchLabels"])
                    for port in rule["ports"]:
                        (out if side == "egress" else into).add(
                            (here, there, port["port"]) if side == "egress" else (there, here, port["port"])
                        )
    assert out == into
    assert all(port in workloads[there].ports.values() for _, there, port in out)
    asked = {("draftsmith", name) for name in workloads if name != "draftsmith"}
    assert {(here, there) for here, there, _ in out} == asked, "the server asks all others, and nobody else asks them"


def test_every_container_is_confined(workloads: dict[str, Workload]) -> None:
    """As the level `restricted` demands, with a read-only root and images by tag."""
    for name, one in workloads.items():
        pod, container = one.spec["securityContext"], one.container["securityContext"]
        assert pod["runAsNonRoot"] is True, name
        assert pod["runAsUser"] > 0, name
        assert pod["seccompProfile"] == {"type": "RuntimeDefault"}, name
        confined = {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert container == confined, name
        assert not {"hostNetwork", "hostPID", "hostIPC", "hostPath"} & one.spec.keys(), name
        assert re.fullmatch(r"[a-z0-9./-]+:\d+\.\d+\.\d+(\.dev0)?(@sha256:[0-9a-f]{64})?", one.container["image"]), name
        # The token of an account is in a pod only where the account is one of ours with rules of its own.
        assert one.spec["automountServiceAccountToken"] is ("serviceAccountName" in one.spec), name
        assert one.spec["enableServiceLinks"] is False, f"{name}: DRAFTSMITH_… would be set for each service"


def test_the_account_of_a_plugin_reads_and_sees_no_secrets(
    objects: list[Shape], tmp_path: Path, in_a_pod: None
) -> None:
    """By name, what its settings let it read; bindings lead to its roles, and in other namespaces only on demand."""
    roles = {one["metadata"]["name"]: one["rules"] for one in of_kind(objects, "ClusterRole", "Role")}
    (access,) = render(FOLDER / ACCESS)
    assert access["kind"] == "RoleBinding"
    assert "namespace" not in access["metadata"], "it is that of whoever applies it"
    bindings = [*of_kind(objects, "ClusterRoleBinding", "RoleBinding"), access]
    assert {one["roleRef"]["name"] for one in bindings} == roles.keys()
    accounts = [(one["metadata"]["namespace"], one["metadata"]["name"]) for one in of_kind(objects, "ServiceAccount")]
    assert accounts == [("draftsmith", "draftsmith-kubernetes")]
    for one in bindings:
        assert [(who["namespace"], who["name"]) for who in one["subjects"]] == accounts
    rules = [rule for each in roles.values() for rule in each]
    assert {verb for rule in rules for verb in rule["verbs"]} == {"get", "list"}
    assert not {"*", "secrets"} & {name for rule in rules for name in (*rule["resources"], *rule["apiGroups"])}
    (wide,) = [one["roleRef"]["name"] for one in of_kind(objects, "ClusterRoleBinding")]
    may = {f"{name}.{group}" for rule in roles[wide] for group in rule["apiGroups"] for name in rule["resources"]}
    file = tmp_path / "kubernetes.toml"
    file.write_text(one_of(objects, "ConfigMap", "draftsmith-kubernetes")["data"][file.name])
    assert may == set(read_kubernetes(file).cluster_kinds)


def test_images_and_their_users_are_those_of_the_image_files(
    objects: list[Shape], workloads: dict[str, Workload]
) -> None:
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
    assert workloads["draftsmith-store"].container["image"] == compose["services"]["redis"]["image"]
    for name, one in workloads.items():
        if name == "draftsmith-store":
            continue
        folder = ROOT if name == "draftsmith" else ROOT / "plugins" / name.removeprefix("draftsmith-")
        project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
        version = project.get("version", draftsmith.__version__)
        assert (one.container["image"]).endswith(f"/{project['name']}:{version}")
        image = (folder / "Dockerfile").read_text("utf-8")
        assert f"--uid {one.spec['securityContext']['runAsUser']} " in image
        assert f"EXPOSE {one.ports['http']}\n" in image
        for variable, path in re.findall(r"^ENV (\w+_SETTINGS)=(\S+)$", image, re.MULTILINE):
            mounts = {mount["mountPath"]: mount["name"] for mount in one.container["volumeMounts"]}
            volume = next(v for v in one.spec["volumes"] if v["name"] == mounts[str(Path(path).parent)])
            config = one_of(objects, "ConfigMap", volume["configMap"]["name"].rpartition("-")[0])
            assert Path(path).name in config["data"], variable


def test_the_server_understands_its_settings(
    objects: list[Shape], workloads: dict[str, Workload], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told the host of the ingress, its store at the port of that service, and its password by a file."""
    given = one_of(objects, "ConfigMap", "draftsmith-settings")["data"]
    assert {name.lower() for name in given} <= set(Settings.model_fields)
    (tmp_path / "password").write_text("abc\n")
    for name, value in given.items():
        monkeypatch.setenv(name, value.replace("/run/store", str(tmp_path)))
    settings = Settings()
    (ingress,) = of_kind(objects, "Ingress")
    assert settings.draftsmith_mode == "token"
    (host,) = settings.answered_hosts
    assert settings.public_url == f"https://{host}", "which the ingress serves over TLS"
    assert {host} == {rule["host"] for rule in ingress["spec"]["rules"]}
    assert [one["hosts"] for one in ingress["spec"]["tls"]] == [[host]]
    port = one_of(objects, "Service", "draftsmith-store")["spec"]["ports"][0]["port"]
    assert settings.redis_url == f"redis://:abc@draftsmith-store:{port}/0"
    mounted = {mount["mountPath"] for mount in workloads["draftsmith"].container["volumeMounts"]}
    paths = {str(settings.plugins_path.parent), "/run/store"}
    image = (ROOT / "Dockerfile").read_text("utf-8")
    assert paths | set(re.findall(r"^VOLUME (\S+)$", image, re.MULTILINE)) | {"/tmp"} <= mounted


def test_a_probe_is_answered_by_the_server_at_the_address_of_its_pod(
    workloads: dict[str, Workload], server: Server
) -> None:
    """Which is no name that it answers to, so a probe says one that is."""
    container = workloads["draftsmith"].container
    with patient.client(base_url=server.url) as client:
        assert client.get("/healthz", headers={"Host": "10.1.2.3:8000"}).json()["code"] == "bad_host"
        for kind, path in (("startupProbe", "/healthz"), ("livenessProbe", "/healthz"), ("readinessProbe", "/readyz")):
            probe = container[kind]["httpGet"]
            headers = {header["name"]: header["value"] for header in probe["httpHeaders"]}
            assert probe["path"] == path
            assert client.get(path, headers=headers).status_code == 200


def test_prometheus_reaches_the_metrics_of_a_pod_by_its_address(
    objects: list[Shape], workloads: dict[str, Workload], redis_server: str
) -> None:
    """Once its namespace is let in: with an administrator's key that only reads, at the port that the policy opens."""
    policy = one_of(objects, "NetworkPolicy", "draftsmith-metrics")["spec"]
    assert selected(workloads, policy["podSelector"]["matchLabels"]) == ["draftsmith"]
    (rule,) = policy["ingress"]
    assert [port["port"] for port in rule["ports"]] == [workloads["draftsmith"].ports["http"]]
    with town(redis_server, "pod") as place:
        prometheus = place.caller(key=place.key(admin=True, personal=False, role="viewer"))
        asked = prometheus.get("/metrics", headers={"Host": f"10.1.2.3:{rule['ports'][0]['port']}"})
        assert asked.status_code == 200, asked.text


@pytest.fixture
def store_files(workloads: dict[str, Workload], tmp_path: Path) -> Iterator[Path]:
    """A folder with the password and the socket of the store, which was started by the command of its container."""
    container = workloads["draftsmith-store"].container
    (tmp_path / "password").write_text("0123456789abcdef\n")
    script = container["args"][0].replace("/run/store", str(tmp_path)).replace("--dir /data", f"--dir {tmp_path}")
    script = script.replace("--port 6379", f"--port 0 --unixsocket {tmp_path}/s --logfile {tmp_path}/l")
    server = subprocess.Popen([*container["command"], script.replace("valkey-server", str(valkey_binary()), 1)])
    try:
        wait_until_ready(server, f"unix://:0123456789abcdef@{tmp_path}/s", tmp_path / "l")
        yield tmp_path
    finally:
        server.kill()
        server.wait()


def test_the_store_asks_for_its_password_and_loses_nothing(store_files: Path, workloads: dict[str, Workload]) -> None:
    """The script becomes the store, which is set as the server demands, and refuses before its pod is killed."""
    with redis.Redis(unix_socket_path=f"{store_files}/s") as nobody, pytest.raises(redis.AuthenticationError):
        nobody.ping()
    wanted = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction", "save": ""}
    with redis.Redis(unix_socket_path=f"{store_files}/s", password="0123456789abcdef", decode_responses=True) as ours:
        assert ours.config_get(*wanted) == wanted
        most = int(ours.config_get("maxmemory")["maxmemory"])
    limit = workloads["draftsmith-store"].container["resources"]["limits"]["memory"]
    assert 0 < most <= 0.7 * int(limit.removesuffix("Gi")) * (1 << 30)


def test_plugins_are_registered_where_they_are_with_the_tools_that_they_have(
    objects: list[Shape], tmp_path: Path, in_a_pod: None
) -> None:
    """At the port of their service, with a token in a file that is mounted, and nothing that writes."""
    tokens = documented_secrets()["draftsmith-plugins"] or set()
    for name in tokens:
        (tmp_path / name).write_text("abc\n")
    file = tmp_path / "plugins.json"
    text: str = one_of(objects, "ConfigMap", "draftsmith-plugins")["data"]["plugins.json"]
    file.write_text(text.replace("/run/plugins", str(tmp_path)))
    registered = {one.name: one for one in read_registered(file)}
    assert registered.keys() == tokens
    for name, one in registered.items():
        port = one_of(objects, "Service", f"draftsmith-{name}")["spec"]["ports"][0]["port"]
        assert one.url == f"http://draftsmith-{name}:{port}"
        assert one.token == "abc"
        settings = tmp_path / f"{name}.toml"
        settings.write_text(one_of(objects, "ConfigMap", f"draftsmith-{name}")["data"][settings.name])
        described = PluginCaller(PLUGINS[name](settings)).describe()["tools"]
        assert one.tools == {tool["name"]: "reads" for tool in described if tool["readOnly"]}
