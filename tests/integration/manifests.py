"""The manifests of `deploy/kubernetes` as kubectl renders them, and what is read in them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tests.timeouts import TIMEOUT_SECONDS

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy" / "kubernetes"
Shape = Mapping[str, Any]


def kubectl_or_skip() -> str:
    """Where kubectl is; a desk without one skips the test, CI may not."""
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        assert "CI" not in os.environ, "kubectl is to be installed there (.ci/run)"
        pytest.skip("kubectl is not installed; on Debian: apt install kubernetes-client")
    return kubectl


def render(folder: Path) -> list[Shape]:
    """The objects of a folder."""
    command = [kubectl_or_skip(), "kustomize", str(folder)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    assert done.returncode == 0, done.stderr
    return list(yaml.safe_load_all(done.stdout))


class Workload(NamedTuple):
    """A template of pods, by the name of what makes them."""

    name: str
    labels: Shape
    spec: Shape

    @property
    def container(self) -> Shape:
        """The one that there is."""
        assert len(self.spec["containers"]) == 1, self.name
        assert "initContainers" not in self.spec, self.name
        container: Shape = self.spec["containers"][0]
        return container

    @property
    def ports(self) -> dict[str, int]:
        """By name."""
        return {port["name"]: port["containerPort"] for port in self.container["ports"]}


def of_kind(objects: list[Shape], *kinds: str) -> list[Shape]:
    return [one for one in objects if one["kind"] in kinds]


def one_of(objects: list[Shape], kind: str, name: str) -> Shape:
    (found,) = [
        one for one in of_kind(objects, kind) if re.fullmatch(rf"{name}(-[a-z0-9]{{10}})?", one["metadata"]["name"])
    ]
    return found


def workloads_of(objects: list[Shape]) -> dict[str, Workload]:
    """By name; the labels of each are those that it selects."""
    made = of_kind(objects, "Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob", "Pod")
    assert {one["kind"] for one in made} == {"Deployment", "StatefulSet"}
    found = {}
    for one in made:
        template, name = one["spec"]["template"], one["metadata"]["name"]
        found[name] = Workload(name, template["metadata"]["labels"], template["spec"])
        assert one["spec"]["selector"]["matchLabels"].items() <= template["metadata"]["labels"].items()
    return found


def selected(workloads: Mapping[str, Workload], labels: Shape) -> list[str]:
    """The workloads that labels select, of which a selector of ours must find some."""
    return [name for name, one in workloads.items() if labels.items() <= one.labels.items()]


def documented_secrets() -> dict[str, set[str] | None]:
    """What docs/kubernetes.md has people make: names, and keys where they are told."""
    text = (ROOT / "docs" / "kubernetes.md").read_text("utf-8")
    rows = re.findall(r"^\| `(draftsmith-[a-z]+)` \| ([^|]+) \|", text, re.MULTILINE)
    return {name: set(re.findall(r"`([^`]+)`", keys)) or None for name, keys in rows}


def secret_references(workload: Workload) -> Iterator[tuple[str, str | None]]:
    """Names and keys of secrets that a workload reads, in volumes and variables; the key is none for all of them."""
    for volume in workload.spec.get("volumes", ()):
        if secret := volume.get("secret"):
            yield from ((secret["secretName"], item["key"]) for item in secret.get("items", [{"key": None}]))
    yield from ((one["secretRef"]["name"], None) for one in workload.container.get("envFrom", ()) if "secretRef" in one)
    for variable in workload.container.get("env", ()):
        if key := variable.get("valueFrom", {}).get("secretKeyRef"):
            yield key["name"], key["key"]
