"""Kinds of well-known projects, with their names and the first words of their definitions, shortened by hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from draftsmith.plugin import PluginError
from draftsmith_kubernetes.capabilities import ClusterState
from draftsmith_kubernetes.capabilities_builtin import BUILT_IN
from draftsmith_kubernetes.capabilities_kinds import ApiResource

_TABLE = (Path(__file__).parent / "known_kinds.txt").read_text("utf-8")
_CLUSTERED = {"ClusterIssuer", "ClusterPolicy", "NodePool", "Composition"}
_CORE = {
    "Deployment": "apps",
    "StatefulSet": "apps",
    "DaemonSet": "apps",
    "ReplicaSet": "apps",
    "Job": "batch",
    "CronJob": "batch",
}
_CORE |= {
    "Ingress": "networking.k8s.io",
    "NetworkPolicy": "networking.k8s.io",
    "HorizontalPodAutoscaler": "autoscaling",
}
_CORE |= {"PodDisruptionBudget": "policy", "StorageClass": "storage.k8s.io"}


def definition(
    group: str, kind: str, plural: str, description: Any, fields: Mapping[str, Any], version: str = "1", **spec: Any
) -> dict[str, Any]:
    """A definition (CRD) as the API server gives it, as far as it is read."""
    properties = {name: {"type": "object", "description": about} for name, about in fields.items()}
    schema = {"description": description, "properties": {"spec": {"type": "object", "properties": properties, **spec}}}
    return {
        "metadata": {"name": f"{plural}.{group}", "resourceVersion": version},
        "spec": {
            "group": group,
            "names": {"kind": kind, "plural": plural},
            "versions": [{"name": "v1", "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }


def known() -> tuple[list[ApiResource], list[dict[str, Any]]]:
    """Discovery and definitions of a cluster with all of them, and the kinds of Kubernetes itself."""
    resources = [ApiResource(_CORE.get(kind, ""), kind, f"{kind.lower()}s", namespaced=True) for kind in BUILT_IN]
    definitions = []
    for line in _TABLE.strip().splitlines():
        group, kind, plural, about, told = (part.strip() for part in line.split("|"))
        fields = dict(map(str.strip, one.partition(":")[::2]) for one in told.split(";"))  # type: ignore[misc]
        resources.append(ApiResource(group, kind, plural, kind not in _CLUSTERED))
        definitions.append(definition(group, kind, plural, about, fields))
    return resources, definitions


class Source:
    """A cluster whose state tests change."""

    def __init__(self, state: ClusterState | None = None) -> None:
        self.state = state or ClusterState(*known())
        self.reads = 0
        self.failure: PluginError | None = None

    async def read(self) -> ClusterState:
        self.reads += 1
        if self.failure:
            raise self.failure
        return self.state
