"""Connections between workloads, each with what shows it. Nothing is guessed: a name leads to a Service that is there.

Found by what workloads name (`mentions`), by what Ingresses and HTTPRoutes lead to, and by what network policies allow;
that something is allowed does not say that it is used, and its evidence says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from draftsmith.manifests.addresses import Address
from draftsmith.manifests.mentions import ConfigMaps, Mention, mentions_of
from draftsmith.manifests.objects import Inventory, Object, name_of, namespace_of, part, parts
from draftsmith.manifests.running import KubernetesWorkload, Running, id_of
from draftsmith.manifests.services import Service, Services, port_number
from draftsmith.manifests.technologies import flow

Allowed = tuple[KubernetesWorkload, KubernetesWorkload, int | None, str, str]
_NAME_LABEL: Final = "kubernetes.io/metadata.name"
_MOST_EVIDENCE: Final = 20
_MOST_TEXT: Final = 500
_MOST_MISSING: Final = 50
_CHARACTERS: Final = 100
"""Of values into which others were written: so many count as one connection that is found."""
_INGRESS: Final = "ingress"
_HTTP: Final = "http"


@dataclass
class KubernetesConnection:
    """From a workload to another one, or to a host outside."""

    source: str
    target: str
    port: int | None
    protocol: str
    label: str
    evidence: list[dict[str, str]] = field(default_factory=list)

    def add(self, kind: str, text: str) -> None:
        """Add what shows it, once."""
        _add_evidence(self.evidence, kind, text)

    def to_json(self) -> dict[str, Any]:
        """The connection as it stands in the answer."""
        return asdict(self)


def _add_evidence(evidence: list[dict[str, str]], kind: str, text: str) -> None:
    one = {"kind": kind, "text": text[:_MOST_TEXT]}
    if one not in evidence and len(evidence) < _MOST_EVIDENCE:
        evidence.append(one)


class TooManyConnections(Exception):
    """There are more than somebody wants to look at."""


class KubernetesConnections:
    """All connections of an inventory.

    Attributes:
        outside: hosts that are none of the cluster's, by id.
        missing: names of the cluster that lead nowhere, a sentence each.
    """

    def __init__(self, inventory: Inventory, running: Running, services: Services, most: int | None = None) -> None:
        """Find them.

        Args:
            most: how often one may be found, the same one counted each time, and how much may be read of values
                into which others were written; None for any number.

        Raises:
            TooManyConnections: they were found more often.
        """
        self._running, self._services = running, services
        self._remaining = most
        self._by_ends: dict[tuple[str, str], KubernetesConnection] = {}
        self._found: dict[tuple[str, str, int | None], KubernetesConnection] = {}
        self.outside: dict[str, dict[str, Any]] = {}
        self.missing: list[str] = []
        self._public = dict(_hosts_of(inventory, running))
        self._made_secrets = dict(_secrets_of(running.workloads.values()))
        for one in inventory.of("ingresses.networking.k8s.io"):
            self._lead(running.workloads.get(id_of(one)), _rules(one), namespace_of(one))
        self._add_routes(inventory)
        maps = ConfigMaps(inventory)
        for workload in running.workloads.values():
            for mention in mentions_of(workload, maps, self._spend):
                self._add_mention(workload, mention)
        for source, target, port, protocol, text in _allowed_by_policies(inventory, running):
            self._add_allowed(source, target, port, protocol, text)

    def all(self) -> list[KubernetesConnection]:
        """The connections, in the order of their ends."""
        return [self._found[key] for key in sorted(self._found, key=lambda one: (one[0], one[1], one[2] or 0))]

    def _add(self, source: str, target: str, port: int | None, protocol: str, label: str) -> KubernetesConnection:
        self._count()
        known = self._found.get((source, target, port))
        if known is None and port is None:
            # Without a port it is the one that is there with a port, and the other way round.
            known = self._by_ends.get((source, target))
        elif known is None and (source, target, None) in self._found:
            known = self._found[source, target, port] = self._found.pop((source, target, None))
            known.port, known.protocol = port, protocol
        if known is None:
            known = self._found[source, target, port] = KubernetesConnection(source, target, port, protocol, label)
            self._by_ends.setdefault((source, target), known)
        known.label = known.label or label
        return known

    def _spend(self, characters: int) -> None:
        self._count(characters // _CHARACTERS)

    def _count(self, number: int = 1) -> None:
        if self._remaining is not None:
            self._remaining -= number
            if self._remaining < 0:
                raise TooManyConnections

    def _add_mention(self, workload: KubernetesWorkload, mention: Mention) -> None:
        if mention.secret:
            self._add_secret(workload, mention)
            return
        address = mention.address
        service = self._services.find(address.host, workload.namespace)
        if service is not None and self._is_meant(service, address):
            self._add_service(workload, mention, service)
        elif service is None and self._services.is_missing(address.host):
            self._miss(f"{mention.place} names {address.text}, and there is no such Service.")
        elif service is None and address.is_whole:
            self._add_host(workload, mention)

    def _is_meant(self, service: Service, address: Address) -> bool:
        """A word with a port is a Service only where that listens there; what says that it is an address is one."""
        is_said = address.is_whole or address.port is None
        return is_said or service.has_port(address.port or 0)

    def _add_service(self, workload: KubernetesWorkload, mention: Mention, service: Service) -> None:
        said = f"{mention.place} names {mention.address.text}."
        if service.leads_to:
            leads = f"{said} Service {service.name} leads to {service.leads_to}."
            self._outside(workload, service.leads_to, mention.address, mention.kind, leads)
            return
        if not service.workloads:
            self._miss(f"{said} Service {service.name} leads to nothing that was read.")
        port, protocol, port_name = service.port(mention.address.port)
        for target in service.workloads:
            if target is workload:
                continue
            label = flow(mention.address.scheme, target.technology, port, port_name)
            connection = self._add(workload.id, target.id, port, protocol, label)
            connection.add(mention.kind, said)
            connection.add("service", service.why[target.id])

    def _add_secret(self, workload: KubernetesWorkload, mention: Mention) -> None:
        made = self._made_secrets.get((workload.namespace, mention.secret))
        if made is None or made is workload or made.custom is None:
            return
        port = next((one["port"] for one in made.ports), None)
        connection = self._add(workload.id, made.id, port, "TCP", flow("", made.technology, port, ""))
        text = f"{mention.place} comes from Secret {mention.secret}, which {made.custom.maker} makes for {made.title}."
        connection.add(mention.kind, text)

    def _add_host(self, workload: KubernetesWorkload, mention: Mention) -> None:
        host, said = mention.address.host, f"{mention.place} names {mention.address.text}."
        public = self._public.get(host)
        if public is not None:
            if (public.id, workload.id) not in self._by_ends:
                label = flow(mention.address.scheme or _HTTP, "", None, "")
                self._add(workload.id, public.id, mention.address.port, "TCP", label).add(mention.kind, said)
        elif "." in host.strip("."):
            self._outside(workload, host, mention.address, mention.kind, said)

    def _outside(self, workload: KubernetesWorkload, host: str, address: Address, kind: str, said: str) -> None:
        outside_id = f"outside/{host}"
        entry = {"id": outside_id, "host": host, "named_by": workload.id, "evidence": []}
        _add_evidence(self.outside.setdefault(outside_id, entry)["evidence"], kind, said)
        port = address.port or {"https": 443, _HTTP: 80}.get(address.scheme)
        self._add(workload.id, outside_id, port, "TCP", flow(address.scheme, "", port, "")).add(kind, said)

    def _lead(self, gateway: KubernetesWorkload | None, rules: Iterable[tuple[str, str, Any]], namespace: str) -> None:
        """From an Ingress or a Gateway to what is behind the Services that its rules name."""
        for place, name, wanted in rules:
            service = self._services.get(namespace, name)
            if gateway is None or service is None:
                self._miss(
                    f"{place} leads to Service {name}, which was not read." if gateway else f"{place}: no Gateway."
                )
                continue
            port, protocol, _ = service.port(port_number(wanted) or (wanted if isinstance(wanted, str) else None))
            for target in service.workloads:
                connection = self._add(gateway.id, target.id, port, protocol, flow(_HTTP, "", port, ""))
                connection.add(_INGRESS, f"{place} leads to Service {name}.")
                connection.add("service", service.why[target.id])

    def _add_routes(self, inventory: Inventory) -> None:
        for route in inventory.of("httproutes.gateway.networking.k8s.io"):
            for parent in parts(route, "spec", "parentRefs"):
                place = str(parent.get("namespace") or namespace_of(route))
                gateway = self._running.workloads.get(f"{place}/Gateway/{parent.get('name')}")
                self._lead(gateway, _backends(route), namespace_of(route))

    def _add_allowed(
        self, source: KubernetesWorkload, target: KubernetesWorkload, port: int | None, protocol: str, text: str
    ) -> None:
        label = flow("", target.technology, port, "")
        self._add(source.id, target.id, port, protocol, label).add("networkPolicy", text)

    def _miss(self, sentence: str) -> None:
        if sentence not in self.missing and len(self.missing) < _MOST_MISSING:
            self.missing.append(sentence[:_MOST_TEXT])


def _rules(ingress: Object) -> Iterator[tuple[str, str, Any]]:
    """The place, the Service and the port of each rule of an Ingress."""
    title = f"Ingress {name_of(ingress)}"
    for rule in parts(ingress, "spec", "rules"):
        for path in parts(rule, "http", "paths"):
            to = part(path, "backend", "service")
            place = f"{title} for {rule.get('host') or '*'}{path.get('path') or '/'}"
            if to.get("name"):
                yield place, str(to["name"]), _port_of(part(to, "port"))
    default = part(ingress, "spec", "defaultBackend", "service")
    if default.get("name"):
        yield f"{title} for all else", str(default["name"]), _port_of(part(default, "port"))


def _backends(route: Object) -> Iterator[tuple[str, str, Any]]:
    hosts = part(route, "spec").get("hostnames")
    named = ", ".join(str(one) for one in hosts) if isinstance(hosts, list) else "*"
    for rule in parts(route, "spec", "rules"):
        for to in parts(rule, "backendRefs"):
            if to.get("kind", "Service") == "Service" and to.get("name"):
                yield f"HTTPRoute {name_of(route)} for {named}", str(to["name"]), to.get("port")


def _port_of(port: Object) -> Any:
    return port.get("number") or port.get("name")


def _hosts_of(inventory: Inventory, running: Running) -> Iterator[tuple[str, KubernetesWorkload]]:
    """The hosts that lead into the cluster, with the Ingress of each."""
    for one in inventory.of("ingresses.networking.k8s.io"):
        workload = running.workloads.get(id_of(one))
        for rule in parts(one, "spec", "rules"):
            if workload is not None and rule.get("host"):
                yield str(rule["host"]), workload


def _secrets_of(workloads: Iterable[KubernetesWorkload]) -> Iterator[tuple[tuple[str, str], KubernetesWorkload]]:
    """The Secrets that operators make for those that connect, by namespace and name."""
    for one in workloads:
        for ending in one.custom.secrets if one.custom is not None else ():
            yield (one.namespace, f"{one.name}-{ending}"), one


def _allowed_by_policies(inventory: Inventory, running: Running) -> Iterator[Allowed]:
    """Yield what network policies allow between two workloads that they name by labels.

    A policy for all pods of a namespace shows no connection.
    """
    for policy in inventory.of("networkpolicies.networking.k8s.io"):
        own = _selected_by(running, namespace_of(policy), part(policy, "spec").get("podSelector"))
        for rule in parts(policy, "spec", "ingress"):
            for other in _peers_of(inventory, running, policy, parts(rule, "from")):
                for one in own:
                    yield from _allowed_by_rule(policy, rule, other, one)
        for rule in parts(policy, "spec", "egress"):
            for other in _peers_of(inventory, running, policy, parts(rule, "to")):
                for one in own:
                    yield from _allowed_by_rule(policy, rule, one, other)


def _allowed_by_rule(
    policy: Object, rule: Object, source: KubernetesWorkload, target: KubernetesWorkload
) -> Iterator[Allowed]:
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


def _peers_of(
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
            yield from _selected_by(running, namespace, peer.get("podSelector"))


def _selected_by(running: Running, namespace: str, selector: Any) -> list[KubernetesWorkload]:
    """Return the workloads that a selector names by labels; none where it names all, or has expressions."""
    if not isinstance(selector, Mapping) or selector.get("matchExpressions"):
        return []
    return running.select_workloads(namespace, part(selector, "matchLabels"))
