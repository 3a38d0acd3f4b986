"""Objects of the Kubernetes API as they are written in JSON, and those of some namespaces together.

Not here: where they come from, which is a cluster (the plugin `kubernetes`) or files (`model.readers.kubernetes`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from draftsmith.manifests.technologies import CUSTOM

Object = Mapping[str, Any]
RUNNING: Final = (
    "deployments.apps",
    "statefulsets.apps",
    "daemonsets.apps",
    "replicasets.apps",
    "cronjobs.batch",
    "jobs.batch",
    "replicationcontrollers",
    "pods",
)
"""Kinds of Kubernetes itself that run, or belong to something that does, by `plural.group`."""
BESIDE: Final = (
    "services",
    "configmaps",
    "ingresses.networking.k8s.io",
    "networkpolicies.networking.k8s.io",
    "gateways.gateway.networking.k8s.io",
    "httproutes.gateway.networking.k8s.io",
)
"""Kinds that say what connects to what."""
READ: Final = (*RUNNING, *BESIDE, *(one.name for one in CUSTOM))
"""The kinds that are read, by `plural.group`."""


@dataclass
class Inventory:
    """What was read.

    Attributes:
        objects: by `plural.group`, each with its kind and apiVersion.
        incomplete: what could not be read and why, a sentence each.
    """

    namespaces: Sequence[str]
    objects: dict[str, list[Object]] = field(default_factory=dict)
    incomplete: list[str] = field(default_factory=list)

    def of(self, *names: str) -> Iterator[Object]:
        """The objects of some kinds."""
        for name in names:
            yield from self.objects.get(name, ())

    def running(self) -> Iterator[tuple[str, Object]]:
        """What runs, or may belong to something that does, with the name of its kind."""
        for name in (*RUNNING, *(one.name for one in CUSTOM)):
            for one in self.of(name):
                yield name, one


def part(one: Object, *path: str) -> Object:
    """The object at a path; empty where there is none."""
    value: Any = one
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def parts(one: Object, *path: str) -> list[Object]:
    """The objects of the list at a path; empty where there is none."""
    value = part(one, *path[:-1]).get(path[-1])
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []


def value_at(one: Object, path: str) -> Any:
    """What stands at a path such as `kafka.version`; None where nothing does, and for an empty path."""
    *before, last = path.split(".")
    return part(one, *before).get(last) if last else None


def name_of(one: Object) -> str:
    """Its name."""
    return str(part(one, "metadata").get("name", ""))


def namespace_of(one: Object) -> str:
    """Its namespace."""
    return str(part(one, "metadata").get("namespace", ""))
