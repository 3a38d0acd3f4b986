"""Manifests of Kubernetes: what is drawn of them, by the rules by which what runs is drawn, and that no file fails."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from draftsmith.model.readers.kubernetes import reader
from draftsmith.model.readers.reading import ReadWorkspace, UnreadableSource
from tests.kit.readers import damaged, ends, files_of, nodes_by_label, read_or_refused, read_sets, unread
from tests.seeds import examples

SHOP = """\
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: shop, namespace: shop}
spec:
  ingressClassName: nginx
  rules:
    - host: shop.example.com
      http:
        paths:
          - {path: /, backend: {service: {name: web, port: {number: 80}}}}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {type: LoadBalancer, selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  annotations: {kubernetes.io/description: Sells things.}
spec:
  replicas: 3
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: web
          image: ghcr.io/acme/web:1.2
          ports: [{containerPort: 8080, name: http}]
          env:
            - {name: DB_HOST, value: db}
            - {name: DB_PASSWORD, value: s3cr3t}
            - name: TOKEN
              valueFrom: {secretKeyRef: {name: tokens, key: web}}
            - {name: PAYMENTS_URL, value: "https://user:pw@api.stripe.com/v1"}
          envFrom: [{configMapRef: {name: settings}}]
          volumeMounts: [{name: files, mountPath: /files, readOnly: true}]
      volumes:
        - {name: files, persistentVolumeClaim: {claimName: files}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
data: {CACHE_URL: "redis://cache.shop.svc:6379/0", MODE: quick}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: files, namespace: shop}
spec: {storageClassName: fast, resources: {requests: {storage: 5Gi}}}
---
apiVersion: v1
kind: List
items:
  - apiVersion: apps/v1
    kind: StatefulSet
    metadata: {name: db, namespace: shop}
    spec:
      template:
        metadata: {labels: {app: db}}
        spec:
          containers:
            - {name: db, image: "postgres:16.4", volumeMounts: [{name: data, mountPath: /var/lib/postgresql}]}
      volumeClaimTemplates:
        - {metadata: {name: data}, spec: {resources: {requests: {storage: 10Gi}}}}
  - apiVersion: v1
    kind: Service
    metadata: {name: db, namespace: shop}
    spec: {clusterIP: None, selector: {app: db}, ports: [{port: 5432}]}
  - apiVersion: v1
    kind: Service
    metadata: {name: cache, namespace: shop}
    spec: {selector: {app: cache}, ports: [{port: 6379}]}
---
apiVersion: v1
kind: Secret
metadata: {name: tokens, namespace: shop}
stringData: {web: top-secret}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
"""


def read(text: str, path: str = "shop.yaml") -> ReadWorkspace:
    """The only workspace of one file."""
    (found,) = read_sets(reader, {path: text})
    return found


def workload(name: str, kind: str = "Deployment", env: str = "", labels_: str = "") -> str:
    return (
        f"---\napiVersion: apps/v1\nkind: {kind}\nmetadata: {{name: {name}}}\nspec:\n  template:\n"
        f"    metadata: {{labels: {{app: {labels_ or name}}}}}\n    spec:\n"
        f"      containers: [{{name: a, image: acme/a, env: [{env}]}}]\n"
    )


def service(name: str, selected: str = "", port: int = 80) -> str:
    return (
        f"---\napiVersion: v1\nkind: Service\nmetadata: {{name: {name}}}\n"
        f"spec: {{selector: {{app: {selected or name}}}, ports: [{{port: {port}}}]}}\n"
    )


def test_what_runs_and_what_keeps_data_are_nodes() -> None:
    found = read(SHOP)
    assert found.name == "shop"
    nodes = nodes_by_label(found.diagram)
    ingress = next(one for one in found.diagram["nodes"] if one.get("technology") == "nginx")
    assert (ingress["type"], ingress["properties"]["hosts"]) == ("gateway", "shop.example.com")
    told = {label: (node["type"], node.get("technology", "")) for label, node in nodes.items() if label != "shop"}
    assert told == {
        "web": ("service", ""),
        "db": ("database", "PostgreSQL 16.4"),
        "cache": ("load_balancer", ""),
        "files": ("storage", ""),
        "data": ("storage", ""),
        "api.stripe.com": ("external", ""),
    }
    assert nodes["web"]["description"] == "Sells things."
    assert nodes["web"]["properties"] == {
        "kind": "Deployment", "namespace": "shop", "image": "ghcr.io/acme/web:1.2", "replicas": "3",
        "ports": "8080/TCP http", "config maps": "settings", "secrets": "tokens", "services": "web (LoadBalancer) 80",
    }  # fmt: skip
    assert nodes["files"]["properties"] == {"kind": "PersistentVolumeClaim", "size": "5Gi", "storage class": "fast"}


def test_sources_are_kind_namespace_and_name() -> None:
    found = read(SHOP)
    assert sorted(found.sources.values()) == [
        "Deployment/shop/web", "Ingress/shop/shop", "Namespace/shop", "PersistentVolumeClaim/shop/data-db",
        "PersistentVolumeClaim/shop/files", "Service/shop/cache", "StatefulSet/shop/db", "outside/api.stripe.com",
    ]  # fmt: skip


def test_a_namespace_is_a_group() -> None:
    found = read(SHOP)
    (group,) = [node for node in found.diagram["nodes"] if node["type"] == "group"]
    assert group["label"] == "shop"
    outside = {node["label"] for node in found.diagram["nodes"] if "parent" not in node} - {"shop"}
    assert outside == {"api.stripe.com"}


def test_services_are_the_way_from_one_to_another() -> None:
    """An Ingress leads to what is behind its Service, and so does the host in a variable or a ConfigMap."""
    assert ends(read(SHOP)) == {
        ("shop", "web", "HTTP requests", "sync"),
        ("web", "db", "PostgreSQL queries", "data"),
        ("web", "cache", "Redis commands", "sync"),
        ("web", "api.stripe.com", "HTTP requests", "sync"),
        ("web", "files", "", "data"),
        ("db", "data", "", "data"),
    }


def test_where_a_claim_is_mounted_is_a_property() -> None:
    found = read(SHOP)
    places = {one["properties"].get("mounted at") for one in found.diagram["edges"]} - {None}
    assert places == {"/files (read-only)", "/var/lib/postgresql"}


def test_no_value_of_a_secret_or_a_variable_comes_in() -> None:
    text = repr(read(SHOP))
    for value in ("s3cr3t", "top-secret", "quick", "user:pw", "pw@"):
        assert value not in text


def test_what_is_not_drawn_is_listed_with_its_line() -> None:
    assert unread(read(SHOP)) == {
        "ConfigMap/shop/settings": ("line 43", "its values are not taken over; hosts of Services in them are lines"),
        "Secret/shop/tokens": ("line 76", "nothing of a Secret is taken over but its name, at what uses it"),
        "HorizontalPodAutoscaler/shop/web": ("line 81", "objects of kind HorizontalPodAutoscaler are not drawn"),
    }


def test_files_that_came_together_are_one_workspace() -> None:
    """What one names is found in another; what several hold is drawn once, and listed."""
    files = {
        "app/web.yaml": workload("web", env="{name: API_HOST, value: api}"),
        "app/api.yml": service("api"),
        "app/api-run.yaml": workload("api"),
        "app/again.yaml": workload("api"),
        "values.yaml": "replicas: 3\n",
    }
    (found,) = read_sets(reader, files)
    assert found.name == "app"
    assert {(source, target) for source, target, _, _ in ends(found)} == {("web", "api")}
    assert unread(found)["Deployment/default/api"] == ("line 2", "it is in app/api-run.yaml already")


@pytest.mark.parametrize(
    "value, is_one",
    [("api", True), ("http://api", True), ("http://api.example.com", False), ("api2", False)],
)
def test_only_a_host_that_is_exactly_a_service_counts(value: str, is_one: bool) -> None:
    text = workload("web", env=f"{{name: API_URL, value: '{value}'}}") + workload("api") + service("api")
    assert (("web", "api") in {one[:2] for one in ends(read(text))}) is is_one


def test_json_lists_old_versions_and_owned_pods_are_read() -> None:
    """What `kubectl get -o json` prints is drawn as what it was applied from: pods are a part of what made them."""
    template = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "a", "image": "nginx:1.25"}]}}
    items = [
        {"apiVersion": "extensions/v1beta1", "kind": "Deployment", "metadata": {"name": "web", "uid": "1"},
         "spec": {"template": template}},
        {"apiVersion": "v1", "kind": "Pod", "spec": template["spec"],
         "metadata": {"name": "web-x", "uid": "2", "labels": {"app": "web"},
                      "ownerReferences": [{"uid": "1", "controller": True}]}},
        {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}, "spec": {"selector": {"app": "web"}}},
        {"apiVersion": "extensions/v1beta1", "kind": "Ingress", "metadata": {"name": "in"},
         "spec": {"backend": {"serviceName": "web", "servicePort": 80}}},
        {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"generateName": "nightly-"},
         "spec": {"jobTemplate": {"spec": {"template": {"spec": template["spec"]}}}}},
        {"apiVersion": "postgresql.cnpg.io/v1", "kind": "Cluster", "metadata": {"name": "pg"},
         "spec": {"instances": 3, "imageName": "ghcr.io/cloudnative-pg/postgresql:16.4"}},
    ]  # fmt: skip
    found = read(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}, indent="\t"), "all.json")
    nodes = nodes_by_label(found.diagram)
    assert {label: (node["type"], node.get("technology", "")) for label, node in nodes.items()} == {
        "web": ("gateway", "nginx 1.25"), "in": ("gateway", ""), "nightly": ("scheduler", "nginx 1.25"),
        "pg": ("database", "PostgreSQL 16.4"),
    }  # fmt: skip
    assert {one[:2] for one in ends(found)} == {("in", "web")}


def test_a_service_alone_stands_for_what_it_selects() -> None:
    found = read(service("web") + service("web-admin", "web"))
    assert {label: node["properties"]["services"] for label, node in nodes_by_label(found.diagram).items()} == {
        "web": "web 80, web-admin 80"
    }  # fmt: skip


def test_what_stands_before_a_fault_is_drawn() -> None:
    found = read(workload("web") + "---\napiVersion: v1\nkind: [\n")
    assert set(nodes_by_label(found.diagram)) == {"web"}
    (part,) = found.unread
    assert (part.place, part.reason) == ("line 13", "from here on: it is no YAML: did not find expected node content")


@pytest.mark.parametrize(
    "text, reason",
    [
        ("apiVersion: v1\nkind: Role\nmetadata: {name: a}\n",
         "nothing in it is drawn: no workload, no Service, no Ingress, no volume claim"),
        ("apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Values.name }}\n  {{- if x }}\n",
         "it is a template with `{{` left in it; of a chart, read what `helm template` makes"),
        ("apiVersion: v1\nkind: Pod\nmetadata: [", "it is no YAML: did not find expected node content"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_in_words(text: str, reason: str) -> None:
    (sources,) = reader.sets_of(files_of({"a.yaml": text}))
    with pytest.raises(UnreadableSource) as refused:
        reader.read(sources)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    "path, text, is_one",
    [
        ("a.yaml", "apiVersion: v1\nkind: Pod\n", True),
        ("a.yaml", "# made by helm\n---\nkind: Pod\napiVersion: v1\n", True),
        ("a.json", '{"kind": "Pod", "apiVersion": "v1"}', True),
        ("config.yaml", "apiVersion: v1\nkind: Config\nusers: []\n", False),
        ("Chart.yaml", "apiVersion: v2\nname: shop\n", False),
        ("values.yaml", "image:\n  kind: x\n  apiVersion: y\n", False),
        ("a.json", '{"type": "Pod"}', False),
        ("a.txt", "apiVersion: v1\nkind: Pod\n", False),
    ],
)
def test_files_are_recognized_by_what_is_in_them(path: str, text: str, is_one: bool) -> None:
    assert reader.recognizes(files_of({path: text})[0]) is is_one


@settings(max_examples=examples(300))
@given(st.integers(0, 2**32))
def test_no_damage_makes_it_fail(seed: int) -> None:
    """Files cut off, with bits turned over and pieces twice, are read to something valid, or refused in words."""
    read_or_refused(reader, {"a.yaml": damaged(SHOP.encode(), random.Random(seed)), "b.yaml": workload("web")})


_ALL = "".join(service(f"s{n}", "a", 1000 + n) for n in range(200))
_HOSTS = ", ".join(f"{{name: H{n}_HOST, value: s{n % 200}}}" for n in range(2_000))


@pytest.mark.parametrize(
    "text",
    [
        "".join(workload(f"w{n}", labels_="a") for n in range(2_000)) + _ALL + service("more", "a"),
        "".join(workload(f"w{n}", labels_="a") for n in range(400)) + _ALL + workload("w", env=_HOSTS),
        "".join(workload(f"w{n}") for n in range(2_001)),
        "".join(workload(f"w{n}", labels_="a", env="{name: S_HOST, value: s1}") for n in range(600))
        + service("s1", "a"),
    ],
    ids=["many Services over many workloads", "many hosts of many workloads", "many workloads", "all name all"],
)
def test_files_in_which_everything_names_everything_are_refused(text: str) -> None:
    """What would take time or room with the square of a file is counted before it is done."""
    assert not read_or_refused(reader, {"a.yaml": text})


def test_variables_that_repeat_one_another_stay_small() -> None:
    env = [f"{{name: V0, value: {'x' * 5_000}}}"]
    env += [f"{{name: V{n}, value: '{f'$(V{n - 1})' * 1_000}'}}" for n in range(1, 20)]
    found = read(workload("web", env=", ".join(env)))
    assert set(nodes_by_label(found.diagram)) == {"web"}


def test_variables_that_make_every_other_one_long_are_counted() -> None:
    """Many that are written out of one long one are refused as soon as they hold too much, and a few are not."""

    def texts(count: int) -> dict[str, str]:
        env = [f"{{name: A, value: {'x.' * 9_900}svc}}", *(f"{{name: V{n}, value: $(A)}}" for n in range(count))]
        return {"a.yaml": workload("web", env=", ".join(env))}

    assert len(read_or_refused(reader, texts(100))) == 1
    assert not read_or_refused(reader, texts(5_000))


def test_objects_are_told_apart_by_their_api_and_copies_by_their_names() -> None:
    """A Service of Knative is no Service, and what was copied with its `uid` is something else."""
    knative = "---\napiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {name: web}\n"
    uid = "  uid: 0f8fad5b-d9cb-469f-a165-70867728950e\n"
    copies = [workload(name).replace(f"{{name: {name}}}\n", f"\n  name: {name}\n{uid}", 1) for name in ("web", "db")]
    found = read(knative + "".join(copies) + service("web"))
    assert sorted(nodes_by_label(found.diagram)) == ["db", "web"]
    assert [one.reason for one in found.unread if "already" in one.reason] == []


def test_objects_without_a_namespace_are_in_default_and_in_no_group() -> None:
    """As kubectl applies them, so a host in `default` is one of theirs; a group is drawn where the files name it."""
    text = workload("web", env="{name: API_URL, value: 'http://api.default.svc.cluster.local'}")
    text += workload("api") + service("api")
    found = read(text)
    assert {one[:2] for one in ends(found)} == {("web", "api")}
    assert not [node for node in found.diagram["nodes"] if node["type"] == "group" or "parent" in node]
    assert sorted(found.sources.values()) == ["Deployment/default/api", "Deployment/default/web"]
    assert "namespace" not in nodes_by_label(found.diagram)["web"]["properties"]
    named = read(text.replace("{name: api}", "{name: api, namespace: default}"))
    assert {node["label"] for node in named.diagram["nodes"] if "parent" in node} == {"web", "api"}
