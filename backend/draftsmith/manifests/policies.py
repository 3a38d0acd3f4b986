"""What network policies allow between workloads that they name. One for all pods of a namespace shows no connection."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from draftsmith.manifests.objects import Inventory, Object, name_of, namespace_of, part, parts
from draftsmith.manifests.running import KubernetesWorkload, Running
from draftsmith.manifests.services import port_number

Allowed = tuple[KubernetesWorkload, KubernetesWorkload, int | None, str, str]
_NAME_LABEL: Final = "kubernetes.io/metadata.name"


def allowed_between(inventory: Inventory, running: Running) -> Iterator[Allowed]:
    """Source, target, port, protocol and a sentence of what is allowed between two workloads by their labels."""
    for policy in inventory.of("networkpolicies.networking.k8s.io"):
        own = _with_labels(running, namespace_of(policy), part(policy, "spec").get("podSelector"))
        for rule in parts(policy, "spec", "ingress"):
            for other in _peers(inventory, running, policy, parts(rule, "from")):
                for one in own:
                    yield from _through(policy, rule, other, one)
        for rule in parts(policy, "spec", "egress"):
            for other in _peers(inventory, running, policy, parts(rule, "to")):
                for one in own:
                    yield from _through(policy, rule, one, other)


def _through(policy: Object, rule: Object, source: KubernetesWorkload, target: KubernetesWorkload) -> Iterator[Allowed]:
    if source is target:
        return
    text = (
        f"NetworkPolicy {name_of(policy)} allows {source.title} to reach {target.title}; it does not say that it does."
    )
    ports = parts(rule, "ports")
    for one in ports:
        wanted = one.get("port")
        named = next((each["port"] for each in target.ports if wanted and each["name"] == wanted), None)
        yield source, target, port_number(wanted) or named, str(one.get("protocol") or "TCP"), text
    if not ports:
        yield source, target, None, "TCP", text


def _peers(
    inventory: Inventory, running: Running, policy: Object, peers: Sequence[Object]
) -> Iterator[KubernetesWorkload]:
    for peer in peers:
        selector = peer.get("namespaceSelector")
        namespaces = [namespace_of(policy)]
        if isinstance(selector, Mapping):
            # Labels of namespaces are not read, but for the one that is their name.
            wanted = part(selector, "matchLabels").get(_NAME_LABEL)
            namespaces = [one for one in inventory.namespaces if one == wanted]
        for namespace in namespaces:
            yield from _with_labels(running, namespace, peer.get("podSelector"))


def _with_labels(running: Running, namespace: str, selector: Any) -> list[KubernetesWorkload]:
    """The workloads that a selector names by labels alone; none where it names all, or has expressions."""
    if not isinstance(selector, Mapping) or selector.get("matchExpressions"):
        return []
    return running.select_workloads(namespace, part(selector, "matchLabels"))
