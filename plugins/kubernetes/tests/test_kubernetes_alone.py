"""The plugin `kubernetes` without a cluster: settings, names, masking, hosts in texts, manifests, tables of kinds.

What it reads with kubectl is in tests/integration/test_plugin_kubernetes.py.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from draftsmith.manifests.addresses import addresses_in, addresses_in_arguments, addresses_in_file, expand
from draftsmith.manifests.masking import MASK, is_secret_name, mask_text, secrets_of, without_secrets
from draftsmith.manifests.technologies import CUSTOM, role_of, with_version
from draftsmith.plugin import PluginError
from draftsmith_kubernetes.bounds import cut_list, cut_text
from draftsmith_kubernetes.dry_run import read_manifest
from draftsmith_kubernetes.kinds import read_table
from draftsmith_kubernetes.kubectl import Kubectl
from draftsmith_kubernetes.names import check_name, check_selector
from draftsmith_kubernetes.settings import Settings, read_settings
from tests.timeouts import TIMEOUT_SECONDS

PACKAGE = Path(__file__).parents[1]


@pytest.mark.parametrize(
    "text, words",
    [
        ("", "namespaces: Field required"),
        ("namespaces = []", "namespaces"),
        ('namespaces = ["*"]', "namespaces.0"),
        ('namespaces = ["shop", "shop"]', "named twice"),
        ('namespaces = ["shop"]', "name 'kubeconfig' and 'context'"),
        ('namespaces = ["shop"]\ncontext = "x"', "name the file"),
        ('namespaces = ["shop"]\nkubeconfig = "kubernetes.toml"', "name the 'context'"),
        ('namespaces = ["shop"]\nkubeconfig = "/none/such"\ncontext = "x"', "there is no file"),
        ('namespaces = ["shop"]\nkubeconfig = "/none/such"\ncontext = "--as=root"', "context"),
        ('namespaces = ["shop"]\nkubectl = "no-such-program"', "name 'kubeconfig'"),
        ("namespace = 1", "namespace: Extra"),
        ("namespaces", "kubernetes.toml"),
    ],
)
def test_settings_that_cannot_be_used_are_told(
    text: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
    file = tmp_path / "kubernetes.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"kubernetes\.toml") as refused:
        read_settings(file)
    assert words in str(refused.value)


def test_the_examples_of_settings_are_read(tmp_path: Path) -> None:
    """That of the file and that of the page, with a kubeconfig that is there; none of them offers `apply`."""
    (tmp_path / "kubeconfig").write_text("{}")
    page = re.search(r"```toml\n(.*?)```", (PACKAGE / "README.md").read_text("utf-8"), re.DOTALL)
    assert page is not None
    for text in ((PACKAGE / "kubernetes.example.toml").read_text("utf-8"), page[1]):
        file = tmp_path / "kubernetes.toml"
        file.write_text(text.replace("/etc/draftsmith/kubeconfig", str(tmp_path / "kubeconfig")))
        settings = read_settings(file)
        assert settings.namespaces == ("shop", "shop-data")
        assert not settings.apply


def test_it_does_not_start_without_settings() -> None:
    """The command says what it lacks."""
    code = f"import sys; sys.path.insert(0, {str(PACKAGE)!r}); from draftsmith_kubernetes.__main__ import main; main()"
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={}, timeout=TIMEOUT_SECONDS, check=False
    )
    assert ended.returncode == 2
    assert "KUBERNETES_SETTINGS" in ended.stderr


async def test_in_a_pod_it_is_the_serviceaccount_that_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file of credentials that the environment or the home folder has is used; nor is its own token passed on."""
    program = tmp_path / "kubectl"
    shown = '{\\"kubeconfig\\": \\"$KUBECONFIG\\", \\"token\\": \\"$PLUGIN_TOKEN\\", \\"arguments\\": \\"$*\\"}'
    program.write_text(f'#!/bin/sh\necho "{shown}"\n')
    program.chmod(0o755)
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")
    monkeypatch.setenv("KUBECONFIG", "/home/somebody/.kube/config")
    monkeypatch.setenv("PLUGIN_TOKEN", "t")
    kubectl = Kubectl(Settings(namespaces=("shop",), kubectl=str(program)))
    said = await kubectl.raw("/apis")
    assert (said["kubeconfig"], said["token"]) == ("/dev/null", "")
    assert said["arguments"].endswith(" get --raw=/apis")
    assert "--kubeconfig" not in said["arguments"]


def test_the_manifest_of_rights_gives_reading_of_all_but_secrets() -> None:
    """Nothing in it may write but the role of dry runs, which a policy holds to them."""
    documents = list(yaml.safe_load_all((PACKAGE / "rbac.example.yaml").read_text("utf-8")))
    roles = {one["metadata"]["name"]: one["rules"] for one in documents if one["kind"] in ("Role", "ClusterRole")}
    reading = [rule for name, rules in roles.items() if "dry-run" not in name for rule in rules]
    assert {verb for rule in reading for verb in rule["verbs"]} == {"get", "list"}
    assert not {"secrets", "*"} & {resource for rule in reading for resource in rule["resources"]}
    [policy] = [one for one in documents if one["kind"] == "ValidatingAdmissionPolicy"]
    assert [one["expression"] for one in policy["spec"]["validations"]] == ["request.dryRun == true"]


@pytest.mark.parametrize("name", ["-n", "--kubeconfig=/etc/passwd", "a b", "a/b", "a,b", "", "x" * 300, "a\nb", "a;b"])
def test_what_is_no_name_never_reaches_kubectl(name: str) -> None:
    with pytest.raises(PluginError) as refused:
        check_name(name)
    assert refused.value.code == "invalid_args"
    with pytest.raises(PluginError):
        check_selector(f"-{name}")


def test_names_and_selectors_are_taken_as_they_are() -> None:
    for name in ("orders-7d9c5-x2x4z", "system:node", "clusters.postgresql.cnpg.io", "0"):
        assert check_name(name) == name
    assert check_selector("app.kubernetes.io/name=orders,tier!=test") == "app.kubernetes.io/name=orders,tier!=test"


@pytest.mark.parametrize("name", ["DB_PASSWORD", "token", "apiKey", "AWS_SECRET_ACCESS_KEY", "client-secret", "PGPASS"])
def test_names_of_secrets(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name", ["secretName", "TOKEN_URL", "passwordPolicy", "tokenExpirationSeconds", "key", "SECRET_PATH", "compass"]
)
def test_names_that_are_none_of_secrets(name: str) -> None:
    assert not is_secret_name(name)


@pytest.mark.parametrize(
    "text, told",
    [
        ("url=postgresql://u:pw@db:5432/x", f"url=postgresql://u:{MASK}@db:5432/x"),
        ("postgresql://u:p/w:1@$(HOST)/x", f"postgresql://u:{MASK}@$(HOST)/x"),
        ('{"password": "a b", "user": "c"}', f'{{"password": {MASK}, "user": "c"}}'),
        ("Authorization: Bearer abc.def-123456", f"Authorization: {MASK} {MASK}"),
        ("DB_PASSWORD: x1\nDB_HOST: y", f"DB_PASSWORD: {MASK}\nDB_HOST: y"),
        ("signed eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", f"signed {MASK}"),
        ("key AKIAIOSFODNN7EXAMPLE.", f"key {MASK}."),
        ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nend", f"{MASK}\nend"),
        ("port: 12 http://a/b?x=1 secretName: tls", "port: 12 http://a/b?x=1 secretName: tls"),
        ("GET http://x/?token=abc&y=1", f"GET http://x/?token={MASK}&y=1"),
        ("error: password: x", f"error: password: {MASK}"),
        ("a=" * 5_000 + "b", "a=" * 5_000 + "b"),
    ],
)
def test_texts_are_masked_where_a_secret_can_be_recognised(text: str, told: str) -> None:
    assert mask_text(text) == told
    assert mask_text(told) == told, "what is masked stays so"


def test_objects_are_masked_by_where_values_stand() -> None:
    """Values of Secrets, variables and flags by name, manifests in annotations; names of Secrets are told."""
    applied = '{"kind":"Secret","stringData":{"a":"hidden1"}}'
    one: dict[str, Any] = {
        "kind": "List",
        "items": [
            {"kind": "Secret", "data": {"a": "hidden2"}, "metadata": {"managedFields": [1], "name": "s"}},
            {"metadata": {"annotations": {"x/last-applied-configuration": "hidden3", "y": applied}}},
            {"env": [{"name": "PASSWORD", "value": "hidden4"}, {"name": "A", "valueFrom": {"x": {"key": "p"}}}]},
            {"args": ["--token", "hidden5", "--password=hidden6", "--name", "shown"], "secretName": "shown"},
            {"data": {"app.properties": "user=shown\npassword=hidden7\n", "API_TOKEN": "hidden8"}, "pin_secret": 1234},
        ],
    }  # fmt: skip
    told = str(without_secrets(one))
    assert "hidden" not in told
    assert "managedFields" not in told
    assert "1234" not in told
    assert told.count("shown") == 3
    assert {"hidden2", "hidden4", "hidden5", "hidden8"} <= secrets_of(one)
    assert one["items"][0]["data"] == {"a": "hidden2"}, "the given one is left as it is"


@pytest.mark.parametrize(
    "text, key, found",
    [
        ("postgresql://orders:pw@db:5432/orders", "", ["db:5432"]),
        ("jdbc:postgresql://db.shop.svc/x", "", ["db.shop.svc"]),
        ("mongodb://a:27017,b:27018/x", "", ["a:27017", "b:27018"]),
        ("user:pw@tcp(db:3306)/x", "", ["db:3306"]),
        ("postgresql://orders:p/w@db:5432/x", "", ["db:5432"]),
        ("user:12345@db", "DSN", []),
        ("db", "DB_HOST", ["db"]),
        ("kafka-0.kafka, kafka-1.kafka", "bootstrapServers", ["kafka-0.kafka", "kafka-1.kafka"]),
        ("cache", "CACHE_KIND", []),
        ("the service orders.shop.svc is away", "", ["orders.shop.svc"]),
        ("http://localhost:8080 0.0.0.0:80 127.0.0.1:5432", "URL", []),
        ("http://www.w3.org/2001/XMLSchema", "", []),
        ("ghcr.io/acme/orders:1.4.2", "IMAGE", []),
        ("abc.def:1234", "API_TOKEN", []),
        ("12:30", "AT", []),
    ],
)
def test_hosts_in_texts_are_found_and_not_guessed(text: str, key: str, found: list[str]) -> None:
    assert [one.text for one in addresses_in(text, key)] == found


def test_hosts_in_files_and_arguments() -> None:
    file = "# see http://nginx.org\nupstream a { server orders:8080; }\nredis.host: cache\npassword: a.b:99\n"
    assert [one.text for one in addresses_in_file(file)] == ["orders:8080", "cache"]
    found = list(addresses_in_arguments(["serve", "--db-host", "db", "--pay=https://api.example.com/v1", "-v", "x"]))
    assert [(flag, one.text) for flag, one in found] == [("--db-host", "db"), ("--pay", "api.example.com")]
    assert expand("http://$(A):$(B)/$(C)", {"A": "$(B)x", "B": "1", "C": "$(C)"}) == "http://1x:1/$(C)"


@pytest.mark.parametrize(
    "image, role, technology",
    [
        ("postgres:16.4-alpine", "database", "PostgreSQL 16.4"),
        ("docker.io/bitnami/redis@sha256:00", "cache", "Redis"),
        ("registry.example.com:5000/library/nginx", "gateway", "nginx"),
        ("quay.io/prometheus/prometheus:v2.54.1", "monitoring", "Prometheus 2.54.1"),
        ("registry.k8s.io/ingress-nginx/controller:v1.11.2", "gateway", "ingress-nginx 1.11.2"),
        ("postgres:16", "database", "PostgreSQL 16"),
        ("docker.io/library/redis:7", "cache", "Redis 7"),
        ("mirror.example.com/library/postgres:16.4", "database", "PostgreSQL 16.4"),
        ("gcr.io/google-samples/cassandra:v14", "database", "Apache Cassandra"),
        ("acme/mysql:3", "database", "MySQL"),
        ("registry.k8s.io/redis:e2e", "cache", "Redis"),
    ],
)
def test_images_that_are_known(image: str, role: str, technology: str) -> None:
    assert role_of(image) == (role, technology)


def test_images_that_are_not_known_are_not_guessed() -> None:
    """Also where a part of the name is that of a known one; and kinds are told apart, so that ids are."""
    assert role_of("acme/postgres-exporter:1") is None
    assert role_of("acme/controller:1") is None
    assert with_version("PostgreSQL", "latest") == "PostgreSQL"
    assert len({one.name for one in CUSTOM}) == len(CUSTOM)


@pytest.mark.parametrize(
    "manifest, words",
    [
        ("", "this has 0"),
        ("a: [", "no YAML"),
        ("x", "needs apiVersion"),
        ("kind: A\napiVersion: v1", "metadata"),
        ("kind: A\napiVersion: v1\nmetadata: {name: '--all'}", "no name"),
        ("a: &a [1]\nb: *a", "alias"),
        ("---\n".join(["kind: A\napiVersion: v1\nmetadata: {name: a}\n"] * 11), "this has 11"),
    ],
)
def test_manifests_that_cannot_be_tried_are_refused(manifest: str, words: str) -> None:
    with pytest.raises(PluginError) as refused:
        read_manifest(manifest)
    assert words in refused.value.message


def test_kinds_are_read_from_the_tables_of_old_and_new_kubectls() -> None:
    """1.20 writes verbs in brackets, 1.27 adds a column; short names may be missing."""
    old = (
        "NAME          SHORTNAMES   APIVERSION   NAMESPACED   KIND         VERBS\n"
        "pods          po           v1           true         Pod          [get list]\n"
        "clusters                   a.b/v1       false        Cluster      [get]\n"
    )
    new = (
        "NAME          SHORTNAMES   APIVERSION   NAMESPACED   KIND         VERBS      CATEGORIES\n"
        "pods          po           v1           true         Pod          get,list   all\n"
        "clusters                   a.b/v1       false        Cluster      get        \n"
    )
    assert read_table(old) == read_table(new)
    pod, cluster = read_table(new)
    assert (pod.full_name, pod.short_names, pod.is_namespaced, pod.verbs) == ("pods", ("po",), True, ("get", "list"))
    assert (cluster.full_name, cluster.group, cluster.version) == ("clusters.a.b", "a.b", "v1")
    assert not cluster.is_namespaced
    assert cluster.is_called("Cluster")
    assert cluster.is_called("clusters.a.b")
    assert cluster.is_called("a.b/v1/Cluster")
    assert not cluster.is_called("clusters.a")
    assert read_table("error") == ()


def test_what_is_cut_says_so() -> None:
    text = "one\ntwo\nthree"
    assert cut_text(text, 100) == {"text": text}
    assert cut_text(text, 9) == {"text": "one\ntwo", "truncated": "the first 7 of 13 characters"}
    assert cut_text(text, 9, from_end=True) == {"text": "three", "truncated": "the last 5 of 13 characters"}
    assert cut_list([1, 2, 3], 2, "events") == {"events": [1, 2], "truncated": "2 of 3 events"}
