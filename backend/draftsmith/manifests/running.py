"""Objects of the API as workloads: what belongs to another one is folded into it; each has a role and a technology."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from draftsmith.manifests.masking import mask_text
from draftsmith.manifests.objects import Inventory, Object, name_of, namespace_of, part, parts, value_at
from draftsmith.manifests.technologies import CLASSES, CUSTOM, CustomKind, is_sidecar, role_of, with_version

_CUSTOM: Final = {one.name: one for one in CUSTOM}
_JOBS: Final = frozenset({"jobs.batch", "cronjobs.batch"})
_APPLICATION: Final = ("app.kubernetes.io/part-of", "app.kubernetes.io/instance")
_DESCRIPTION: Final = "kubernetes.io/description"
_OVER: Final = frozenset({"Succeeded", "Failed"})
_MOST_IMAGES: Final = 20
_MOST_PORTS: Final = 100
_MOST_TEXT: Final = 300
_MOST_READ: Final = 5_000


@dataclass
class KubernetesWorkload:
    """Something that runs.

    Attributes:
        source: the object itself.
        pod: the `spec` of its pods; empty where it has none of its own, as a custom kind.
        labels: those of its pods, each set of them that is known.
    """

    id: str
    resource: str
    source: Object
    pod: Object
    labels: list[Object] = field(default_factory=list)
    role: str = ""
    technology: str = ""
    images: list[str] = field(default_factory=list)
    ports: list[dict[str, Any]] = field(default_factory=list)

    @property
    def namespace(self) -> str:
        """Its namespace."""
        return namespace_of(self.source)

    @property
    def name(self) -> str:
        """Its name."""
        return name_of(self.source)

    @property
    def kind(self) -> str:
        """Its kind, such as `Deployment`."""
        return str(self.source.get("kind"))

    @property
    def title(self) -> str:
        """How evidence names it."""
        return f"{self.kind} {self.name}"

    @property
    def custom(self) -> CustomKind | None:
        """What is known of its kind, where that is a custom one."""
        return _CUSTOM.get(self.resource)

    def to_json(self) -> dict[str, Any]:
        """The workload as it stands in the answer."""
        labels = part(self.source, "metadata", "labels")
        own = [labels, *self.labels]
        application = next((str(one[key]) for key in _APPLICATION for one in own if one.get(key)), None)
        description = str(part(self.source, "metadata", "annotations").get(_DESCRIPTION, ""))
        return {
            "id": self.id,
            "namespace": self.namespace,
            "kind": self.kind,
            "name": self.name,
            "application": application,
            "role": self.role,
            "technology": self.technology or None,
            "images": self.images[:_MOST_IMAGES],
            "replicas": self._replicas(),
            "ports": self.ports[:_MOST_PORTS],
            "description": mask_text(" ".join(description[:_MOST_READ].split()))[:_MOST_TEXT],
        }

    def _replicas(self) -> dict[str, Any] | None:
        spec, status = part(self.source, "spec"), part(self.source, "status")
        if self.resource in _JOBS or self.resource.startswith(("ingresses.", "gateways.")):
            return None
        if self.resource == "pods":
            ready = [one.get("ready") is True for one in parts(status, "containerStatuses")]
            return {"desired": 1, "ready": int(bool(ready) and all(ready))}
        if self.resource == "daemonsets.apps":
            return {"desired": _count(status, "desiredNumberScheduled"), "ready": _count(status, "numberReady") or 0}
        if self.custom is None or self.custom.has_template:
            desired = _count(spec, "replicas")
            return {"desired": 1 if desired is None else desired, "ready": _count(status, "readyReplicas") or 0}
        found = {"desired": _count(spec, self.custom.replicas), "ready": _count(status, self.custom.ready)}
        return found if any(one is not None for one in found.values()) else None


class Running:
    """What runs in the namespaces of an inventory.

    Attributes:
        workloads: by id, in the order of namespace, kind and name.
    """

    def __init__(self, inventory: Inventory) -> None:
        self._by_uid: dict[str, tuple[str, Object]] = {}
        for resource, one in inventory.running():
            self._by_uid[str(part(one, "metadata").get("uid"))] = (resource, one)
        found: dict[str, KubernetesWorkload] = {}
        for resource, one in self._by_uid.values():
            if self._owner(one) is None and not _is_over(resource, one):
                made = _workload(resource, one)
                found[made.id] = made
        for resource, one in self._by_uid.values():
            root = self.root_of(one)
            if root is not None and root is not one:
                _fold(found.get(id_of(root)), resource, one)
        for kind in ("ingresses.networking.k8s.io", "gateways.gateway.networking.k8s.io"):
            for one in inventory.of(kind):
                made = KubernetesWorkload(id_of(one), kind, one, {}, role="gateway", technology=_technology_of(one))
                found[made.id] = made
        self.workloads = dict(sorted(found.items()))

    def root_of(self, one: Object) -> Object | None:
        """What an object belongs to in the end; itself where it belongs to nothing that was read."""
        for _ in range(10):
            owner = self._owner(one)
            if owner is None:
                return one
            one = owner
        return None

    def owner_workload(self, one: Object) -> KubernetesWorkload | None:
        """The workload that an object such as a Service was made for, by its owner."""
        owner = self._owner(one, is_controller_needed=False)
        root = None if owner is None else self.root_of(owner)
        return None if root is None else self.workloads.get(id_of(root))

    def select_workloads(self, namespace: str, selector: Object) -> list[KubernetesWorkload]:
        """The workloads of a namespace with pods that these labels select; none for an empty selector."""
        if not selector:
            return []
        return [
            one
            for one in self.workloads.values()
            if one.namespace == namespace and any(selector.items() <= labels.items() for labels in one.labels)
        ]

    def _owner(self, one: Object, is_controller_needed: bool = True) -> Object | None:
        for reference in parts(one, "metadata", "ownerReferences"):
            if reference.get("controller") is True or not is_controller_needed:
                found = self._by_uid.get(str(reference.get("uid")))
                if found is not None:
                    return found[1]
        return None


def settle_roles(workloads: Iterable[KubernetesWorkload], served: set[str]) -> None:
    """Give a role to those whose image says none: what listens or is served is a service, what does not a worker."""
    for one in workloads:
        if one.role:
            continue
        is_listening = bool(one.ports) or one.id in served
        plain = "other" if one.resource in ("pods", "daemonsets.apps") else "worker"
        one.role = "service" if is_listening else plain


def pod_of(resource: str, one: Object) -> tuple[Object, Object]:
    """The `spec` and the labels of the pods that an object makes or is; both empty where it has no template."""
    if resource == "pods":
        return part(one, "spec"), part(one, "metadata", "labels")
    path = ("spec", "jobTemplate", "spec", "template") if resource == "cronjobs.batch" else ("spec", "template")
    template = part(one, *path)
    return part(template, "spec"), part(template, "metadata", "labels")


def _workload(resource: str, one: Object) -> KubernetesWorkload:
    custom = _CUSTOM.get(resource)
    has_template = custom is None or custom.has_template
    pod, labels = pod_of(resource, one) if has_template else ({}, {})
    made = KubernetesWorkload(id_of(one), resource, one, pod, [labels] if labels else [])
    made.images = _images(pod)
    made.ports = _ports(pod)
    if custom is not None and not custom.has_template:
        spec = part(one, "spec")
        image, version = str(value_at(spec, custom.image) or ""), str(value_at(spec, custom.version) or "")
        made.role, made.technology = custom.role, with_version(custom.technology, version or image)
        made.images = [image] if image else []
        return made
    main = next((image for image in made.images if not is_sidecar(image)), "")
    known = role_of(main)
    if known is not None:
        made.role, made.technology = known
    if resource in _JOBS:
        made.role = "job"
    return made


def _fold(into: KubernetesWorkload | None, resource: str, one: Object) -> None:
    """Take over what is known of the pods of something that belongs to this workload."""
    if into is None or _is_over(resource, one):
        return
    pod, labels = pod_of(resource, one)
    if labels and labels not in into.labels:
        into.labels.append(labels)
    if into.custom is not None and not into.custom.has_template:
        is_named = value_at(part(into.source, "spec"), into.custom.image) is not None
        into.images += [] if is_named else [image for image in _images(pod) if image not in into.images]
        into.ports += [port for port in _ports(pod) if port not in into.ports]


def _images(pod: Object) -> list[str]:
    return list(dict.fromkeys(str(one["image"]) for one in parts(pod, "containers") if one.get("image")))


def _ports(pod: Object) -> list[dict[str, Any]]:
    found = []
    for container in parts(pod, "containers"):
        for port in parts(container, "ports"):
            number = port.get("containerPort")
            if isinstance(number, int) and 0 < number < 65_536:
                name = str(port["name"]) if port.get("name") else None
                found.append({"port": number, "protocol": str(port.get("protocol") or "TCP"), "name": name})
    return found


def _technology_of(one: Object) -> str:
    spec = part(one, "spec")
    annotated = part(one, "metadata", "annotations").get("kubernetes.io/ingress.class")
    name = str(spec.get("ingressClassName") or spec.get("gatewayClassName") or annotated or "")
    return CLASSES.get(name.lower(), "")


def _is_over(resource: str, one: Object) -> bool:
    """Whether nothing of it runs any more: a Pod that has ended, a ReplicaSet of an earlier version."""
    if resource == "pods":
        return str(part(one, "status").get("phase")) in _OVER
    if resource in ("replicasets.apps", "replicationcontrollers"):
        return part(one, "spec").get("replicas") == 0
    return False


def id_of(one: Object) -> str:
    """The id of the workload that an object is."""
    return f"{namespace_of(one)}/{one.get('kind')}/{name_of(one)}"


def _count(one: Object, path: str) -> int | None:
    value = value_at(one, path)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
