"""What the kinds of Kubernetes itself are for. They have no definitions (CRDs), so it is told here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class BuiltIn(NamedTuple):
    """A kind of Kubernetes."""

    description: str
    capabilities: tuple[str, ...]


_TABLE: Final = """
Pod | containers that run together on one node | workload
Deployment | keeps equal pods of a stateless application running, and replaces them when it changes | workload
ReplicaSet | keeps a number of equal pods running; usually made by a Deployment | workload
ReplicationController | the older form of a ReplicaSet | workload
StatefulSet | pods of a stateful application, each with its own name and volume, started in order | stateful-workload
DaemonSet | one pod on every node, for agents | node-agent
Job | runs pods until their work is done | batch-job
CronJob | makes a Job at given times | scheduled-job
Service | one stable internal address, name and load balancing for a set of pods | service-discovery, load-balancing
Endpoints | the addresses behind a Service, in their older form | service-discovery
EndpointSlice | addresses behind a Service | service-discovery
Ingress | routes HTTP and HTTPS from outside to Services by host and path | http-routing
IngressClass | which controller carries out an Ingress | http-routing
NetworkPolicy | which pods may connect to which, in and out | network-policy
ConfigMap | settings of applications that are no secrets | configuration
Secret | passwords, tokens and keys of applications | secret-management
PersistentVolumeClaim | asks for a volume that outlives its pod | block-storage
PersistentVolume | a piece of storage of the cluster | block-storage
StorageClass | a sort of storage that volumes are made of | block-storage
VolumeAttachment | a volume that is attached to a node | block-storage
CSIDriver | a driver of storage | block-storage
HorizontalPodAutoscaler | more or fewer pods by load | autoscaling
PodDisruptionBudget | how many pods of a set may be away at a time, such as while a node is drained | disruption-budget
ResourceQuota | what a namespace may use in all | resource-limits
LimitRange | what a container of a namespace may use, and its defaults | resource-limits
PriorityClass | which pods go before others | resource-limits
ServiceAccount | who a pod is towards the cluster | identity
Role | rights within a namespace | access-control
RoleBinding | gives somebody the rights of a role within a namespace | access-control
ClusterRole | rights in the whole cluster | access-control
ClusterRoleBinding | gives somebody the rights of a role in the whole cluster | access-control
ValidatingWebhookConfiguration | asks a server whether an object may be made or changed | policy
MutatingWebhookConfiguration | has a server change objects before they are made | policy
ValidatingAdmissionPolicy | rules for objects that may be made or changed | policy
CertificateSigningRequest | asks for a certificate of the cluster's own authority | certificate
Namespace | a part of a cluster with names of its own | namespace
Node | a machine of the cluster | node-provisioning
"""


def _read() -> dict[str, BuiltIn]:
    rows = [[part.strip() for part in line.split("|")] for line in _TABLE.strip().splitlines()]
    return {kind: BuiltIn(about, tuple(names.split(", "))) for kind, about, names in rows}


BUILT_IN: Final[Mapping[str, BuiltIn]] = _read()
