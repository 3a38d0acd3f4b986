"""What a name in the cluster leads to: Services, the workloads that they select, and hosts that are none of ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from draftsmith.manifests.objects import Inventory, Object, name_of, namespace_of, part, parts
from draftsmith.manifests.running import KubernetesWorkload, Running

_SVC: Final = "svc"


@dataclass(frozen=True)
class Service:
    """A Service with the workloads behind it.

    Attributes:
        why: how it is known that they are behind it, as a sentence for each.
        leads_to: the host of an ExternalName; empty for others.
    """

    source: Object
    workloads: Sequence[KubernetesWorkload]
    why: Mapping[str, str]
    leads_to: str

    @property
    def name(self) -> str:
        """Its name."""
        return name_of(self.source)

    @property
    def is_headless(self) -> bool:
        """Whether its pods have names of their own."""
        return part(self.source, "spec").get("clusterIP") == "None"

    def port(self, wanted: int | str | None) -> tuple[int | None, str, str]:
        """Number, protocol and name of a port, by number or name; its only one where none is asked for."""
        ports = parts(self.source, "spec", "ports")
        found = [one for one in ports if wanted is None or wanted in (one.get("port"), one.get("name"))]
        if len(found) == 1 and isinstance(found[0].get("port"), int):
            one = found[0]
            name = str(one.get("appProtocol") or one.get("name") or "").removeprefix("kubernetes.io/")
            return one["port"], str(one.get("protocol") or "TCP"), name
        return (wanted if isinstance(wanted, int) else None), "TCP", ""

    def has_port(self, number: int) -> bool:
        """Whether it listens there; behind one without an address of its own, pods may listen anywhere."""
        return self.is_headless or any(one.get("port") == number for one in parts(self.source, "spec", "ports"))


class Services:
    """The Services of an inventory, by the names that pods may use for them."""

    def __init__(self, inventory: Inventory, running: Running) -> None:
        self._namespaces = set(inventory.namespaces)
        self._by_name: dict[tuple[str, str], Service] = {}
        for one in inventory.of("services"):
            self._by_name[namespace_of(one), name_of(one)] = _service(one, running)

    def served_ids(self) -> set[str]:
        """The ids of the workloads that some Service leads to."""
        return {workload.id for one in self._by_name.values() for workload in one.workloads}

    def get(self, namespace: str, name: str) -> Service | None:
        """A Service by its name."""
        return self._by_name.get((namespace, name))

    def find(self, host: str, namespace: str) -> Service | None:
        """The Service that a host is for a pod of this namespace; also by the name of one of its pods."""
        labels = host.rstrip(".").split(".")
        if _SVC in labels[2:]:
            place = labels.index(_SVC, 2)
            return self.get(labels[place - 1], labels[place - 2])
        found = self.get(namespace, labels[0]) if len(labels) == 1 else None
        if len(labels) in (2, 3):
            found = self.get(labels[-1], labels[-2])
        if found is None and len(labels) == 2:
            of_pod = self.get(namespace, labels[1])
            found = of_pod if of_pod is not None and of_pod.is_headless else None
        return found

    def is_missing(self, host: str) -> bool:
        """Whether a host says that it is a Service of a namespace that was read, whose Services do not have it."""
        labels = host.rstrip(".").split(".")
        return _SVC in labels[2:] and labels[labels.index(_SVC, 2) - 1] in self._namespaces


def _service(one: Object, running: Running) -> Service:
    spec = part(one, "spec")
    leads_to = str(spec.get("externalName") or "") if spec.get("type") == "ExternalName" else ""
    owner = running.owner_workload(one)
    selector = part(spec, "selector")
    if owner is not None and owner.custom is not None:
        said = f"Service {name_of(one)} belongs to {owner.title}."
        return Service(one, [owner], {owner.id: said}, leads_to)
    found = running.select_workloads(namespace_of(one), selector)
    words = ", ".join(f"{key}={value}" for key, value in selector.items())
    why = {each.id: f"Service {name_of(one)} selects {each.title} by {words}." for each in found}
    return Service(one, found, why, leads_to)


def port_number(value: Any) -> int | None:
    """A value where it is the number of a port."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and 0 < value < 65_536 else None
