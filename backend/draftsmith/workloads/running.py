"""What runs as values that can be matched and drawn: workloads and hosts outside alike, and the lines between them."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

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
from draftsmith.workloads.names import core_of, family_of, plain, words_in
from draftsmith.workloads.reading import ClusterReading, Evidence, OutsideHost, Port, Workload, WorkloadConnection

MOST_LABEL: Final = 120
MOST_TECHNOLOGY: Final = 200
_MOST_PROPERTY: Final = 1_000
_MOST_LINE_LABEL: Final = 200
MOST_TEXT: Final = 10_000
WORKLOAD, CLUSTER = "workload", "cluster"
"""The properties by which a node says what it was drawn from."""


@dataclass(frozen=True, slots=True)
class RunningWorkload:
    """A workload, or a host outside.

    Attributes:
        namespace: empty for a host outside.
        core: the words of its name that say which one it is.
        facts: what is told of it beside its name, a short text each.
        evidence: why it is believed to be there; of a host alone.
        properties: those that a node of it has, and by which it is recognised.
    """

    id: str
    name: str
    namespace: str
    node_type: str
    technology: str
    description: str
    core: Sequence[str]
    facts: Sequence[str]
    evidence: Sequence[Evidence]
    properties: Mapping[str, str]

    @property
    def is_outside(self) -> bool:
        """Whether it is a host outside of the cluster."""
        return self.node_type == "external"

    def is_service_of(self, namespaces: Container[str]) -> bool:
        """Whether it is a host that names a Service of one of these namespaces, as in `db.shop` and `db.shop.svc`."""
        parts = self.name.lower().rstrip(".").split(".")
        is_of_one = len(parts) > 1 and parts[1] in namespaces
        return self.is_outside and is_of_one and (len(parts) == 2 or parts[2] == "svc")

    @property
    def family(self) -> str:
        """What kind of thing it is; see `names.family_of`."""
        return family_of(self.node_type)


@dataclass(frozen=True, slots=True)
class RunningConnection:
    """A connection that runs, with all that speaks for it; one for each label between two ends."""

    source: str
    target: str
    label: str
    kind: str
    ports: Sequence[str]
    evidence: Sequence[Evidence]


def running_in(reading: ClusterReading) -> list[RunningWorkload]:
    """Everything that runs, in the order of the reading."""
    return [
        *(_workload(one, reading.cluster) for one in reading.workloads),
        *(_host(one, reading.cluster) for one in reading.outside),
    ]


def lines_in(reading: ClusterReading) -> list[RunningConnection]:
    """The connections, joined by ends and label; a host that nothing else connects is connected to who names it.

    What connects to itself is left out: a design does not draw it.
    """
    roles = {one.id: one.role for one in reading.workloads}
    connected = {one.target for one in reading.connections}
    named = [
        WorkloadConnection(source=one.named_by, target=one.id, label="", evidence=one.evidence)
        for one in reading.outside
        if one.id not in connected
    ]
    joined: dict[tuple[str, str, str], list[WorkloadConnection]] = {}
    for one in (*reading.connections, *named):
        if one.source != one.target:
            joined.setdefault((one.source, one.target, one.label[:_MOST_LINE_LABEL].strip()), []).append(one)
    lines = [_line(source, target, label, some, roles) for (source, target, label), some in joined.items()]
    return [one if one.label else _with_label(one, joined) for one in lines]


def _with_label(line: RunningConnection, used: Container[tuple[str, str, str]]) -> RunningConnection:
    """A line without a label with one that says how it is known, unless there is another of that label."""
    kinds = {one.kind for one in line.evidence}
    label = ", ".join(words for kind, words in HOW_KNOWN.items() if kind in kinds)
    return line if (line.source, line.target, label) in used else replace(line, label=label)


def _line(
    source: str, target: str, label: str, connections: Sequence[WorkloadConnection], roles: Mapping[str, str]
) -> RunningConnection:
    evidence = list(dict.fromkeys(one for part in connections for one in part.evidence))
    is_allowed_alone = bool(evidence) and all(one.kind in ALLOWED_ALONE for one in evidence)
    kind = "dependency" if is_allowed_alone else EDGE_KINDS.get(roles.get(target, ""), "sync")
    ports = [_port(one) for one in connections if one.port is not None]
    return RunningConnection(source, target, label, kind, list(dict.fromkeys(ports)), evidence)


def _port(one: Port | WorkloadConnection) -> str:
    return f"{one.port}/{one.protocol or 'TCP'}"


def line_fields(line: RunningConnection) -> dict[str, object]:
    """What an edge that is drawn of it carries: evidence as its description, ports and kinds as properties."""
    told = "\n".join(f"{one.kind}: {one.text}" for one in line.evidence)
    properties = {"evidence": ", ".join(sorted({one.kind for one in line.evidence}))}
    if line.ports:
        properties["port"] = ", ".join(line.ports)[:_MOST_PROPERTY]
    fields: dict[str, object] = {"label": line.label, "kind": line.kind, "description": told[:MOST_TEXT]}
    return {**fields, "properties": {key: value for key, value in properties.items() if value}}


def _workload(one: Workload, cluster: str) -> RunningWorkload:
    images = ", ".join(one.images)[:_MOST_PROPERTY]
    ports = ", ".join(f"{_port(port)} {port.name or ''}".strip() for port in one.ports)
    desired = None if one.replicas is None else one.replicas.desired
    properties = {
        WORKLOAD: one.id,
        CLUSTER: cluster,
        NAMESPACE: one.namespace,
        IMAGE: images,
        REPLICAS: "" if desired is None else str(desired),
        PORTS: ports[:_MOST_PROPERTY],
    }
    around = [*words_in(one.namespace), *words_in(one.application or "")]
    return RunningWorkload(
        id=one.id, name=one.name, namespace=one.namespace, node_type=NODE_TYPES[one.role],
        technology=(one.technology or "")[:MOST_TECHNOLOGY].strip(), description=one.description,
        core=core_of(words_in(one.name), around), facts=_facts(one), evidence=(),
        properties={key: value for key, value in properties.items() if value},
    )  # fmt: skip


def _facts(one: Workload) -> list[str]:
    replicas = one.replicas
    ready = ""
    if replicas is not None and replicas.desired is not None:
        ready = f"{replicas.desired} replicas" if replicas.desired != 1 else "1 replica"
        if replicas.ready is not None and replicas.ready != replicas.desired:
            ready += f", {replicas.ready} ready"
    return [text for text in (f"{one.kind} in {one.namespace}", one.technology or "", *one.images[:3], ready) if text]


def _host(one: OutsideHost, cluster: str) -> RunningWorkload:
    parts = [part for part in one.host.lower().split(".") if part]
    is_address = all(part.isdigit() for part in parts)
    core = [one.host] if is_address or len(parts) < 2 else words_in(parts[-2])
    return RunningWorkload(
        id=one.id, name=one.host, namespace="", node_type="external", technology="", description="",
        core=core or [plain(one.host)], facts=["host outside of the cluster"], evidence=one.evidence,
        properties={WORKLOAD: one.id, CLUSTER: cluster},
    )  # fmt: skip
