"""What network policies allow between workloads that they name. One for all pods of a namespace shows no connection."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from draftsmith_kubernetes.inventory import Inventory, Object, name_of, namespace_of, part, parts
from draftsmith_kubernetes.running import Running, Workload
from draftsmith_kubernetes.services import port_number

Allowed = tuple[Workload, Workload, int | None, str, str]
_NAME_LABEL: Final = "kubernetes.io/metadata.name"


def allowed(inventory: Inventory, running: Running) -> Iterator[Allowed]:
    """Source, target, port, protocol and a sentence of what is allowed between two workloads by their labels."""
    for policy in inventory.of("networkpolicies.networking.k8s.io"):
        own = _selected(running, namespace_of(policy), part(policy, "spec").get("podSelector"))
        for rule in parts(policy, "spec", "ingress"):
            for other in _peers(inventory, running, policy, parts(rule, "from")):
                for one in own:
                    yield from _through(policy, rule, other, one)
        for rule in parts(policy, "spec", "egress"):
            for other in _peers(inventory, running, policy, parts(rule, "to")):
                for one in own:
                    yield from _through(policy, rule, one, other)


def _through(policy: Object, rule: Mapping[str, Any], source: Workload, target: Workload) -> Iterator[Allowed]:
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
    inventory: Inventory, running: Running, policy: Object, peers: Sequence[Mapping[str, Any]]
) -> Iterator[Workload]:
    for peer in peers:
        selector = peer.get("namespaceSelector")
        namespaces = [namespace_of(policy)]
        if isinstance(selector, Mapping):
            # Labels of namespaces are not read, but for the one that is their name.
            wanted = part(selector, "matchLabels").get(_NAME_LABEL)
            namespaces = [one for one in inventory.namespaces if one == wanted]
        for namespace in namespaces:
            yield from _selected(running, namespace, peer.get("podSelector"))


def _selected(running: Running, namespace: str, selector: Any) -> list[Workload]:
    """The workloads that a selector names by labels alone; none where it names all, or has expressions."""
    if not isinstance(selector, Mapping) or selector.get("matchExpressions"):
        return []
    return running.selected(namespace, part(selector, "matchLabels"))
