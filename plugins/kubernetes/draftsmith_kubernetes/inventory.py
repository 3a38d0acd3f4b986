"""All objects that say what runs in some namespaces, by one call of kubectl for each; what cannot be read is told."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from draftsmith.plugin import PluginError
from draftsmith_kubernetes.kinds import Kinds
from draftsmith_kubernetes.kubectl import Kubectl, failed, read_json
from draftsmith_kubernetes.technologies import CUSTOM

Object = Mapping[str, Any]
_RUNNING: Final = (
    "deployments.apps",
    "statefulsets.apps",
    "daemonsets.apps",
    "replicasets.apps",
    "cronjobs.batch",
    "jobs.batch",
    "replicationcontrollers",
    "pods",
)
_BESIDE: Final = (
    "services",
    "configmaps",
    "ingresses.networking.k8s.io",
    "networkpolicies.networking.k8s.io",
    "gateways.gateway.networking.k8s.io",
    "httproutes.gateway.networking.k8s.io",
)
_BULKY: Final = frozenset({"pods", "replicasets.apps", "jobs.batch"})
"""What a namespace may have thousands of, while nearly all of them belong to something else that is read, too."""
_MOST_REASON: Final = 300
READ: Final = (*_RUNNING, *_BESIDE, *(one.name for one in CUSTOM))
"""The kinds that are read, by `plural.group`, where the cluster has them."""


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
        for name in (*_RUNNING, *(one.name for one in CUSTOM)):
            for one in self.of(name):
                yield name, one


async def read_inventory(kubectl: Kubectl, kinds: Kinds, namespaces: Sequence[str]) -> Inventory:
    """Read all of it.

    Raises:
        PluginError: nothing of a namespace can be read, as where the cluster is away.
    """
    inventory = Inventory(namespaces)
    by_name = {one.full_name: one for one in await kinds.all() if "list" in one.verbs and one.is_namespaced}
    wanted = [name for name in READ if name in by_name]
    if kinds.incomplete:
        inventory.incomplete.append(f"Some kinds are not listed: {kinds.incomplete[:_MOST_REASON]}")
    by_kind = {(by_name[name].api_version, by_name[name].kind): name for name in wanted}
    read = await asyncio.gather(*(_read(kubectl, wanted, namespace) for namespace in namespaces))
    for namespace, (found, incomplete) in zip(namespaces, read, strict=True):
        inventory.incomplete += incomplete
        for one in found:
            name = by_kind.get((str(one.get("apiVersion")), str(one.get("kind"))))
            if name is not None and part(one, "metadata").get("namespace") == namespace:
                inventory.objects.setdefault(name, []).append(one)
    return inventory


async def _read(kubectl: Kubectl, wanted: Sequence[str], namespace: str) -> tuple[Iterable[Object], list[str]]:
    """The objects of a namespace, and what could not be read."""
    try:
        return await _list(kubectl, wanted, namespace)
    except PluginError as error:
        if error.code != "too_large":
            raise
    found, incomplete = await _list(kubectl, [name for name in wanted if name not in _BULKY], namespace)
    left = ", ".join(sorted(_BULKY))
    said = f"{namespace}: this is too much to read at once; {left} without an owner are left out."
    return found, [said, *incomplete]


async def _list(kubectl: Kubectl, wanted: Sequence[str], namespace: str) -> tuple[Iterable[Object], list[str]]:
    output = await kubectl.run("get", ",".join(wanted), f"--namespace={namespace}", "--output=json")
    text = output.stdout.decode("utf-8", "replace")
    incomplete: list[str] = []
    if output.failure:
        # What may be read is printed, and each kind that may not is a line of its own.
        if not text.strip():
            raise failed(output.failure)
        lines = dict.fromkeys(re.sub(r"\s+", " ", line).strip() for line in output.failure.splitlines())
        incomplete = [f"{namespace}: {failed(line).message[:_MOST_REASON]}" for line in lines if line][:20]
    read = read_json(text)
    items = read.get("items") if isinstance(read, dict) else None
    return [one for one in items if isinstance(one, dict)] if isinstance(items, list) else [], incomplete


def part(one: Object, *path: str) -> Mapping[str, Any]:
    """The object at a path; empty where there is none."""
    value: Any = one
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def parts(one: Object, *path: str) -> list[Mapping[str, Any]]:
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
