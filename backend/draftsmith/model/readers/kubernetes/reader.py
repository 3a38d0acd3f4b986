"""Manifests of Kubernetes as a format that is read (`model.readers`): files that came together are one workspace.

Objects are drawn by the rules by which what runs is drawn (`draftsmith.manifests`). A namespace is a group; what runs
and Ingresses are nodes; a Service is no node but the way from one to another, unless nothing is behind it; volume
claims are nodes beside what mounts them. Not here: how objects stand in files (`files`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from posixpath import basename, commonpath
from typing import Any, Final

from draftsmith.manifests.connections import KubernetesConnections, TooManyConnections
from draftsmith.manifests.objects import RUNNING, Inventory, Object, name_of, namespace_of, part, parts
from draftsmith.manifests.roles import (
    ALLOWED_ALONE,
    EDGE_KINDS,
    HOW_KNOWN,
    IMAGE,
    NAMESPACE,
    NODE_TYPES,
    PORTS,
    REPLICAS,
)
from draftsmith.manifests.running import KubernetesWorkload, Running, id_of, settle_roles
from draftsmith.manifests.services import Services
from draftsmith.manifests.technologies import is_sidecar, product_of
from draftsmith.model.fields import SparseDiagram
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.readers.draft import DiagramDraft
from draftsmith.model.readers.kubernetes.files import ManifestFiles, read_files
from draftsmith.model.readers.limits import MAX_NAME, unread_within
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, SourceSet, UnreadableSource, UnreadPart
from draftsmith.model.vocabulary import GROUP

__all__ = ["read", "recognizes", "sets_of"]

_ENDINGS: Final = (".yaml", ".yml", ".json")
_YAML = (
    re.compile(rb"^[\"']?apiVersion[\"']?[ \t]*:", re.MULTILINE),
    re.compile(rb"^[\"']?kind[\"']?[ \t]*:[ \t]*[\"']?(?!Config\b)\w", re.MULTILINE),
)
_JSON = (re.compile(rb"\"apiVersion\"\s{0,20}:"), re.compile(rb"\"kind\"\s{0,20}:\s{0,20}\"(?!Config\")"))
_NOTHING: Final = "nothing in it is drawn: no workload, no Service, no Ingress, no volume claim"
_MOST_COMPARED: Final = 100_000
"""Pairs of Services and sets of labels."""
_MOST_LOOKS: Final = 2_000_000
"""Services times all that may be behind them by its namespace, labels or none."""
_MOST_FOUND: Final = 60_000
"""How often connections may be found."""
_MOST_POLICIES: Final = 2_000_000
"""Rules of network policies times pairs of workloads."""
_MOST_ROUTED: Final = 10_000
"""Backends of one route times its Gateways."""
_MOST_SETTINGS: Final = 20_000_000
"""Characters of ConfigMaps, counted for each that uses them."""
_SERVICES: Final = "services"
_GATEWAYS: Final = ("ingresses.networking.k8s.io", "gateways.gateway.networking.k8s.io")
_ROUTES: Final = "httproutes.gateway.networking.k8s.io"
_TOO_MANY: Final = "its objects name one another more often than is drawn"


def recognizes(file: SourceFile) -> bool:
    """Whether a file holds objects for an API server; settings of kubectl (`kind: Config`) are none."""
    if not file.path.lower().endswith(_ENDINGS):
        return False
    marks = _JSON if file.content.lstrip()[:1] in (b"{", b"[") else _YAML
    return all(mark.search(file.content) for mark in marks)


def sets_of(files: Sequence[SourceFile]) -> Sequence[SourceSet]:
    """Return all files with objects as one set, since objects name one another."""
    found = [file for file in files if recognizes(file)] or list(files)
    return [SourceSet(found[0], {file.path: file for file in found})] if found else []


def read(sources: SourceSet) -> Sequence[ReadWorkspace]:
    """Read the objects of all files.

    Raises:
        UnreadableSource: nothing of them is drawn, or they hold more than a workspace may.
    """
    path = sources.root.path
    found = read_files(list(sources.files.values()))
    diagram, names = _draw_objects(found, path)
    if not diagram["nodes"]:
        raise found.failure or UnreadableSource(_NOTHING, path)
    return [ReadWorkspace(_name_of(sources), diagram, unread=unread_within(found.unread), sources=names)]


def _name_of(sources: SourceSet) -> str:
    """Return the name of the one file, or of the folder of all."""
    paths = list(sources.files)
    if len(paths) == 1:
        return basename(paths[0]).rpartition(".")[0][:MAX_NAME]
    return (basename(commonpath(paths)) or "Kubernetes")[:MAX_NAME]


@dataclass
class _Connection:
    """The ports and the evidence of all connections with the same ends and label."""

    ports: dict[str, None] = field(default_factory=dict)
    evidence: dict[tuple[str, str], None] = field(default_factory=dict)


def _draw_objects(found: ManifestFiles, path: str) -> tuple[SparseDiagram, Mapping[NodeId | EdgeId, str]]:
    """Draw the objects of some files; what leads nowhere is added to what is unread.

    Raises:
        UnreadableSource: they hold more than a workspace may, or name one another too often.
    """
    drawing = _ObjectDrawing(found, path)
    drawing.add_nodes()
    drawing.add_lines()
    return drawing.draft.diagram(), drawing.draft.sources


class _ObjectDrawing:
    def __init__(self, found: ManifestFiles, path: str) -> None:
        self.draft = DiagramDraft(path)
        self._files, self._path, self._inventory = found, path, found.inventory
        self._check_sizes()
        self._running = Running(self._inventory)
        self._add_lone_services()
        self._services = Services(self._inventory, self._running)
        settle_roles(self._running.workloads.values(), self._services.served_ids())
        self._nodes: dict[str, NodeId] = {}
        self._groups: dict[str, NodeId] = {}
        self._claims: dict[tuple[str, str], NodeId] = {}

    # -- bounds ------------------------------------------------------------------------------------------------------

    def _check_sizes(self) -> None:
        """Refuse, or leave out, what would take time that grows with the square of a file."""
        running = sum(1 for _ in self._inventory.of(*RUNNING))
        services = len(self._inventory.objects.get(_SERVICES, ()))
        # What has no labels is looked at as well: custom kinds, Ingresses, Gateways, and Services that stand alone.
        drawn = services + sum(1 for _ in self._inventory.running()) + sum(1 for _ in self._inventory.of(*_GATEWAYS))
        if running * services > _MOST_COMPARED or drawn * services > _MOST_LOOKS:
            raise UnreadableSource(_TOO_MANY, self._path)
        policies = self._inventory.objects.get("networkpolicies.networking.k8s.io", [])
        peers = sum(
            len(parts(rule, side)) for one in policies for way, side in (("ingress", "from"), ("egress", "to"))
            for rule in parts(one, "spec", way)
        )  # fmt: skip
        if max(peers * running * running, (peers + len(policies)) * drawn) > _MOST_POLICIES:
            policies.clear()
            self._note("network policies are left out: there are too many")
        routes = self._inventory.objects.get(_ROUTES, [])
        kept = [one for one in routes if _backends_of(one) <= _MOST_ROUTED]
        if len(kept) < len(routes):
            self._inventory.objects[_ROUTES] = kept
            self._note("HTTPRoutes are left out that lead to too much")
        if _settings_read(self._inventory) > _MOST_SETTINGS:
            self._inventory.objects["configmaps"] = []
            self._note("hosts in ConfigMaps are not looked for: there is too much in them")

    def _note(self, reason: str) -> None:
        self._files.unread.append(UnreadPart(self._path, "", "", reason))

    # -- nodes -------------------------------------------------------------------------------------------------------

    def _add_lone_services(self) -> None:
        """Let a Service behind which nothing is among the files stand for what it selects."""
        for one in self._inventory.of(_SERVICES):
            selector = part(one, "spec", "selector")
            is_elsewhere = part(one, "spec").get("type") == "ExternalName"
            if selector and not is_elsewhere and not self._running.select_workloads(namespace_of(one), selector):
                made = KubernetesWorkload(id_of(one), _SERVICES, one, {}, [selector], role="gateway")
                self._running.workloads[made.id] = made

    def add_nodes(self) -> None:
        """Add namespaces, what runs, and volume claims."""
        in_front = self._services_in_front()
        for one in self._running.workloads.values():
            is_service = one.resource == _SERVICES
            self._nodes[one.id] = self.draft.draw_node(
                _source(one.kind, one.namespace, one.name),
                "load_balancer" if is_service else NODE_TYPES.get(one.role, "other"),
                one.name,
                parent=self._group_of(one.namespace),
                technology=one.technology or _product_of(one),
                description=str(one.to_json()["description"]),
                properties={
                    **_properties(one),
                    NAMESPACE: one.namespace if one.namespace in self._files.namespaces else "",
                    "services": ", ".join(in_front.get(one.id, ())),
                },
            )
        for namespace, name in self._files.claims:
            self._claim_node(namespace, name)

    def _group_of(self, namespace: str) -> NodeId | None:
        if namespace in self._files.namespaces and namespace not in self._groups:
            properties = {NAMESPACE: namespace}
            source = f"Namespace/{namespace}"
            self._groups[namespace] = self.draft.draw_node(source, GROUP, namespace, properties=properties)
        return self._groups.get(namespace)

    def _services_in_front(self) -> Mapping[str, list[str]]:
        """Return the Services in front of each workload: name, how it is reached from outside, and ports."""
        found: dict[str, list[str]] = {}
        for one in self._inventory.of(_SERVICES):
            service = self._services.get(namespace_of(one), name_of(one))
            kind = str(part(one, "spec").get("type") or "")
            outside = f" ({kind})" if kind in ("LoadBalancer", "NodePort") else ""
            ports = "".join(f" {each.get('port')}" for each in parts(one, "spec", "ports")[:10])
            for workload in service.workloads if service is not None else ():
                found.setdefault(workload.id, []).append(f"{name_of(one)}{outside}{ports}")
        return found

    def _claim_node(self, namespace: str, name: str, template: Object | None = None, label: str = "") -> NodeId:
        """Return the node of a volume claim, which may be in no file; draw it if need be."""
        known = self._claims.get((namespace, name))
        if known is None:
            spec = part(template if template is not None else self._files.claims.get((namespace, name), {}), "spec")
            properties = {
                "kind": "PersistentVolumeClaim",
                "size": str(part(spec, "resources", "requests").get("storage") or ""),
                "storage class": str(spec.get("storageClassName") or ""),
            }
            source = _source("PersistentVolumeClaim", namespace, name)
            parent = self._group_of(namespace)
            known = self.draft.draw_node(source, "storage", label or name, parent=parent, properties=properties)
            self._claims[namespace, name] = known
        return known

    # -- lines -------------------------------------------------------------------------------------------------------

    def add_lines(self) -> None:
        """Add connections, hosts outside, and what is mounted."""
        try:
            found = KubernetesConnections(self._inventory, self._running, self._services, _MOST_FOUND)
        except TooManyConnections:
            raise UnreadableSource(_TOO_MANY, self._path) from None
        for host_id, host in sorted(found.outside.items()):
            self._nodes[host_id] = self.draft.draw_node(host_id, "external", str(host["host"]))
        joined: dict[tuple[str, str, str], _Connection] = {}
        for one in found.all():
            line = joined.setdefault((one.source, one.target, one.label), _Connection())
            line.evidence.update(dict.fromkeys((said["kind"], said["text"]) for said in one.evidence))
            if one.port is not None:
                line.ports[f"{one.port}/{one.protocol}"] = None
        for (source, target, label), line in joined.items():
            self._add_line(source, target, label, line)
        for workload in self._running.workloads.values():
            for claim, path in self._mounts(workload):
                properties = {"mounted at": path}
                self.draft.draw_edge(self._nodes[workload.id], claim, kind="data", properties=properties)
        for sentence in found.missing:
            self._note(sentence.rstrip("."))

    def _add_line(self, source: str, target: str, label: str, line: _Connection) -> None:
        kinds = {kind for kind, _ in line.evidence}
        role = self._running.workloads[target].role if target in self._running.workloads else ""
        kind = "dependency" if kinds and kinds <= ALLOWED_ALONE else EDGE_KINDS.get(role, "sync")
        self.draft.draw_edge(
            self._nodes[source], self._nodes[target], kind=kind,
            label=label or ", ".join(words for one, words in HOW_KNOWN.items() if one in kinds),
            description="\n".join(f"{one}: {text}" for one, text in line.evidence),
            properties={"evidence": ", ".join(sorted(kinds)), "port": ", ".join(line.ports)},
        )  # fmt: skip

    def _mounts(self, workload: KubernetesWorkload) -> Iterator[tuple[NodeId, str]]:
        """Return the claims that a workload mounts, each with the paths."""
        places: dict[str, dict[str, None]] = {}
        for container in (*parts(workload.pod, "containers"), *parts(workload.pod, "initContainers")):
            for mount in parts(container, "volumeMounts"):
                read_only = " (read-only)" if mount.get("readOnly") is True else ""
                path = f"{mount.get('mountPath') or ''}{read_only}"
                places.setdefault(str(mount.get("name")), {}).setdefault(path)
        for volume in parts(workload.pod, "volumes"):
            name = str(part(volume, "persistentVolumeClaim").get("claimName") or "")
            if name:
                yield self._claim_node(workload.namespace, name), ", ".join(places.get(str(volume.get("name")), ()))
        for template in parts(workload.source, "spec", "volumeClaimTemplates"):
            name = name_of(template)
            if name:
                claim = self._claim_node(workload.namespace, f"{name}-{workload.name}", template, name)
                yield claim, ", ".join(places.get(name, ()))


def _source(kind: str, namespace: str, name: str) -> str:
    return "/".join(one for one in (kind, namespace, name) if one)


def _product_of(one: KubernetesWorkload) -> str:
    return product_of(next((image for image in one.images if not is_sidecar(image)), ""))


def _properties(one: KubernetesWorkload) -> Mapping[str, str]:
    facts = one.to_json()
    replicas = facts["replicas"] if one.resource != _SERVICES else None
    desired = None if replicas is None else replicas["desired"]
    ports = [f"{port['port']}/{port['protocol']} {port['name'] or ''}".strip() for port in facts["ports"]]
    hosts = [str(rule["host"]) for rule in parts(one.source, "spec", "rules") if rule.get("host")]
    return {
        "kind": one.kind,
        IMAGE: ", ".join(facts["images"]),
        REPLICAS: "" if desired is None else str(desired),
        PORTS: ", ".join(ports),
        "hosts": ", ".join(hosts),
        "config maps": ", ".join(_names_in(one.pod, "configMap", "name")),
        "secrets": ", ".join(_names_in(one.pod, "secret", "secretName")),
    }


def _names_in(pod: Object, kind: str, key: str) -> list[str]:
    """Return the ConfigMaps or Secrets that a pod names: `kind` is their field of a volume, `key` the name in it."""
    found: list[Any] = []
    for volume in parts(pod, "volumes"):
        found.append(part(volume, kind).get(key))
        found += [part(one, kind).get("name") for one in parts(volume, "projected", "sources")]
    for container in (*parts(pod, "initContainers"), *parts(pod, "containers")):
        found += [part(one, f"{kind}Ref").get("name") for one in parts(container, "envFrom")]
        found += [part(one, "valueFrom", f"{kind}KeyRef").get("name") for one in parts(container, "env")]
    return list(dict.fromkeys(str(one) for one in found if one))


def _backends_of(route: Object) -> int:
    """Count the backends of a route, for each of its Gateways."""
    backends = sum(len(parts(rule, "backendRefs")) for rule in parts(route, "spec", "rules"))
    return backends * len(parts(route, "spec", "parentRefs"))


def _settings_read(inventory: Inventory) -> int:
    """Count the characters of ConfigMaps that are read: of each as often as a container or a volume names it."""
    sizes = {
        (namespace_of(one), name_of(one)): sum(len(str(text)) for text in part(one, "data").values())
        for one in inventory.of("configmaps")
    }
    total = 0
    for resource, one in inventory.running():
        path = ("spec",) if resource == "pods" else ("spec", "template", "spec")
        pod = (
            part(one, "spec", "jobTemplate", "spec", "template", "spec")
            if resource == "cronjobs.batch"
            else part(one, *path)
        )
        count = len(parts(pod, "containers")) + len(parts(pod, "initContainers")) + 1
        names = _names_in(pod, "configMap", "name")
        total += count * sum(sizes.get((namespace_of(one), name), 0) for name in names)
    return total
