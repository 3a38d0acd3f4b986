"""What runs, and what it connects to, in the form `workloads/1`: for models, and for a server that draws it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from draftsmith.manifests.connections import KubernetesConnections
from draftsmith.manifests.running import Running, settle_roles
from draftsmith.manifests.services import Services
from draftsmith_kubernetes.inventory import read_inventory
from draftsmith_kubernetes.kinds import Kinds
from draftsmith_kubernetes.kubectl import Kubectl
from draftsmith_kubernetes.names import check_namespace

FORMAT: Final = "workloads/1"
_MOST_WORKLOADS: Final = 2_000
_MOST_CONNECTIONS: Final = 6_000
_MOST_OUTSIDE: Final = 1_000
_MOST_INCOMPLETE: Final = 200


async def read_workloads(kubectl: Kubectl, kinds: Kinds, namespaces: Sequence[str] | None) -> dict[str, Any]:
    """Read what runs in some namespaces; in all that may be read, where none are named.

    Raises:
        PluginError: a namespace may not be read, or the cluster cannot be.
    """
    settings = kubectl.settings
    wanted = list(dict.fromkeys(check_namespace(settings, one) for one in namespaces or settings.namespaces))
    inventory = await read_inventory(kubectl, kinds, wanted)
    running = Running(inventory)
    services = Services(inventory, running)
    settle_roles(running.workloads.values(), services.served_ids())
    found = KubernetesConnections(inventory, running, services)
    incomplete = [*inventory.incomplete, *found.missing]
    workloads = [one.to_json() for one in running.workloads.values()]
    if len(workloads) > _MOST_WORKLOADS:
        incomplete.insert(0, f"{_MOST_WORKLOADS:,} of {len(workloads):,} workloads are told; name fewer namespaces.")
        workloads = workloads[:_MOST_WORKLOADS]
    known = {one["id"] for one in workloads}
    outside = [one for _, one in sorted(found.outside.items()) if one["named_by"] in known]
    if len(outside) > _MOST_OUTSIDE:
        incomplete.insert(0, f"{_MOST_OUTSIDE:,} of {len(outside):,} hosts outside are told; name fewer namespaces.")
        outside = outside[:_MOST_OUTSIDE]
    ends = known | {one["id"] for one in outside}
    connections = [one.to_json() for one in found.all() if one.source in known and one.target in ends]
    if len(connections) > _MOST_CONNECTIONS:
        incomplete.insert(0, f"{_MOST_CONNECTIONS:,} of {len(connections):,} connections are told.")
    return {
        "format": FORMAT,
        "cluster": settings.cluster_name,
        "read_at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "namespaces": wanted,
        "incomplete": incomplete[:_MOST_INCOMPLETE],
        "workloads": workloads,
        "connections": connections[:_MOST_CONNECTIONS],
        "outside": outside,
    }
