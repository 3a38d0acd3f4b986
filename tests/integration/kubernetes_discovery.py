"""What an API server of Kubernetes lists of its kinds, version by version and in one piece, and objects as tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

READ: Final = ["get", "list", "watch"]
WRITE: Final = ["create", "delete", "deletecollection", "patch", "update"]
# group/version, plural, kind, short names, whether it is in a namespace
BUILT_IN: Final = [
    ("v1", "configmaps", "ConfigMap", ["cm"], True),
    ("v1", "endpoints", "Endpoints", ["ep"], True),
    ("v1", "events", "Event", ["ev"], True),
    ("v1", "limitranges", "LimitRange", ["limits"], True),
    ("v1", "namespaces", "Namespace", ["ns"], False),
    ("v1", "nodes", "Node", ["no"], False),
    ("v1", "persistentvolumeclaims", "PersistentVolumeClaim", ["pvc"], True),
    ("v1", "pods", "Pod", ["po"], True),
    ("v1", "replicationcontrollers", "ReplicationController", ["rc"], True),
    ("v1", "resourcequotas", "ResourceQuota", ["quota"], True),
    ("v1", "secrets", "Secret", [], True),
    ("v1", "serviceaccounts", "ServiceAccount", ["sa"], True),
    ("v1", "services", "Service", ["svc"], True),
    ("apiextensions.k8s.io/v1", "customresourcedefinitions", "CustomResourceDefinition", ["crd", "crds"], False),
    ("apps/v1", "daemonsets", "DaemonSet", ["ds"], True),
    ("apps/v1", "deployments", "Deployment", ["deploy"], True),
    ("apps/v1", "replicasets", "ReplicaSet", ["rs"], True),
    ("apps/v1", "statefulsets", "StatefulSet", ["sts"], True),
    ("autoscaling/v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler", ["hpa"], True),
    ("batch/v1", "cronjobs", "CronJob", ["cj"], True),
    ("batch/v1", "jobs", "Job", [], True),
    ("networking.k8s.io/v1", "ingresses", "Ingress", ["ing"], True),
    ("networking.k8s.io/v1", "networkpolicies", "NetworkPolicy", ["netpol"], True),
    ("storage.k8s.io/v1", "storageclasses", "StorageClass", ["sc"], False),
]


@dataclass(frozen=True)
class Resource:
    """A kind as discovery lists it."""

    api_version: str
    plural: str
    kind: str
    short_names: tuple[str, ...]
    is_namespaced: bool
    columns: tuple[tuple[str, str], ...] = ()

    @property
    def group(self) -> str:
        return self.api_version.rpartition("/")[0]

    @property
    def version(self) -> str:
        return self.api_version.rpartition("/")[2]


def listed(one: Resource) -> dict[str, Any]:
    names = {"name": one.plural, "singularName": one.kind.lower(), "kind": one.kind, "namespaced": one.is_namespaced}
    return {**names, "verbs": READ + WRITE, "shortNames": list(one.short_names)}


def group(api_version: str) -> dict[str, Any]:
    group, _, version = api_version.rpartition("/")
    told = {"groupVersion": api_version, "version": version}
    return {"name": group, "versions": [told], "preferredVersion": told}


def aggregated(resources: list[Resource], is_core: bool, version: str, failing: set[str]) -> dict[str, Any]:
    items = []
    for api_version in sorted({one.api_version for one in resources if bool(one.group) != is_core}):
        group, _, name = api_version.rpartition("/")
        listed = [
            {
                "resource": one.plural,
                "responseKind": {"group": group, "version": name, "kind": one.kind},
                "scope": "Namespaced" if one.is_namespaced else "Cluster",
                "singularResource": one.kind.lower(),
                "verbs": READ + WRITE,
                "shortNames": list(one.short_names),
            }
            for one in resources
            if one.api_version == api_version
        ]
        is_away = group in failing
        versions = [{"version": name, "resources": [] if is_away else listed, "freshness": "Current"}]
        if is_away:
            versions[0]["freshness"] = "Stale"
        items.append({"metadata": {"name": group}, "versions": versions})
    return {"kind": "APIGroupDiscoveryList", "apiVersion": f"apidiscovery.k8s.io/{version}", "items": items}


def at(value: Any, path: str) -> Any:
    for key in path.strip(".").split("."):
        value = value.get(key, "") if isinstance(value, Mapping) else ""
    return value


def table(resource: Resource, items: list[dict[str, Any]]) -> dict[str, Any]:
    columns = [("Name", ".metadata.name"), *resource.columns, ("Age", ".metadata.creationTimestamp")]
    if resource.kind in ("Deployment", "StatefulSet"):
        columns[1:1] = [("Ready", ".status.readyReplicas"), ("Desired", ".spec.replicas")]
    if resource.kind == "Pod":
        columns.insert(1, ("Status", ".status.phase"))
    definitions = [{"name": name, "type": "string", "format": "", "priority": 0} for name, _ in columns]
    rows = [
        {
            "cells": [str(at(one, path)) for _, path in columns],
            "object": {
                "kind": "PartialObjectMetadata",
                "apiVersion": "meta.k8s.io/v1",
                "metadata": one["metadata"],
            },
        }
        for one in items
    ]
    return {"kind": "Table", "apiVersion": "meta.k8s.io/v1", "columnDefinitions": definitions, "rows": rows}
