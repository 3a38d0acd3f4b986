"""Reads a folder of Kubernetes manifests: what runs, what routes to it and what it is given, by labels and names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from bench.drawings.graph import Graph, id_of

_RUNS = {"Deployment": "service", "StatefulSet": "database", "DaemonSet": "worker", "ReplicationController": "service",
         "ReplicaSet": "service", "Job": "function", "CronJob": "scheduler", "Pod": "service"}  # fmt: skip
_GIVEN = {"ConfigMap": "storage", "Secret": "auth", "PersistentVolumeClaim": "storage", "StorageClass": "storage"}


def read_kubernetes(name: str, folder: Path) -> Graph:
    """The graph of all manifests in a folder; those with the same tier or app stand in a group."""
    graph = Graph(name)
    manifests = [one for file in sorted(folder.rglob("*.y*ml")) for one in _all(file)]
    found = {(one["kind"], one["metadata"]["name"]): one for one in manifests}
    groups = _groups(graph, list(found.values()))
    for (kind, title), one in found.items():
        if kind in {**_RUNS, **_GIVEN, "Service": "", "Ingress": ""}:
            type_ = {**_RUNS, **_GIVEN, "Service": "load_balancer", "Ingress": "gateway"}[kind]
            graph.node(f"{kind} {title}", type_, f"{title} ({kind})", groups.get(_app(one)))
    for (kind, title), one in found.items():
        _edges(graph, f"{kind} {title}", one, found)
    return graph.without_empty_groups()


def _all(file: Path) -> list[dict[str, Any]]:
    """The manifests of a file; what a template leaves open in braces is read as a number."""
    text = re.sub(r"\{\{.*?\}\}", "1", file.read_text("utf-8"))
    try:
        found = list(yaml.safe_load_all(text))
    except yaml.YAMLError:
        return []
    flat = [inner for one in found if isinstance(one, dict) for inner in (one.get("items") or [one])]
    whole = [one for one in flat if isinstance(one, dict) and one.get("kind")]
    return [one for one in whole if (one.get("metadata") or {}).get("name")]


def _template(one: dict[str, Any]) -> dict[str, Any]:
    """What its pods are made from; itself for a pod."""
    spec = one.get("spec") or {}
    return spec.get("template") or (one if one["kind"] == "Pod" else {})


def _labels(one: dict[str, Any]) -> dict[str, str]:
    return (_template(one).get("metadata") or {}).get("labels") or (one["metadata"].get("labels") or {})


def _app(one: dict[str, Any]) -> str:
    selector = (one.get("spec") or {}).get("selector") or {}
    labels = _labels(one) or (selector if one["kind"] == "Service" else {})
    return str(labels.get("tier") or labels.get("app") or "")


def _groups(graph: Graph, manifests: list[dict[str, Any]]) -> dict[str, str]:
    apps = [app for one in manifests if (app := _app(one))]
    shared = {app for app in apps if apps.count(app) > 1}
    return {app: graph.node(f"app {app}", "group", app) for app in sorted(shared)}


def _edges(graph: Graph, own: str, one: dict[str, Any], found: dict[tuple[str, str], dict[str, Any]]) -> None:
    source = id_of(own)
    spec = one.get("spec") or {}
    if one["kind"] == "Service":
        for (kind, title), other in found.items():
            selector = spec.get("selector") or {}
            if kind in _RUNS and selector and selector.items() <= _labels(other).items():
                port = next((str(port.get("port", "")) for port in spec.get("ports") or ()), "")
                graph.edge(source, id_of(f"{kind} {title}"), port)
    text = yaml.safe_dump(_template(one) if one["kind"] in _RUNS else spec)
    for kind, title in found:
        is_named = kind in ("Service", *_GIVEN) and re.search(rf"(?<![\w-]){re.escape(title)}(?![\w-])", text)
        if is_named and one["kind"] in (*_RUNS, "Ingress") and not _is_own_name(one, title):
            graph.edge(source, id_of(f"{kind} {title}"), "uses" if kind in _GIVEN else "calls")


def _is_own_name(one: dict[str, Any], title: str) -> bool:
    """Whether a name in a manifest is that of itself, which its labels repeat."""
    return title == one["metadata"]["name"] or title in _labels(one).values()
