"""What a node says of itself and what runs, side by side: technology, image, replicas, and what it was drawn from.

Only what a node says is compared: one without a number of replicas promises none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from draftsmith.manifests.roles import IMAGE, NAMESPACE, REPLICAS
from draftsmith.workloads.running import CLUSTER, MOST_TECHNOLOGY, WORKLOAD, RunningWorkload
from draftsmith.workloads.shapes import WorkloadDifferenceOut
from draftsmith.workloads.technologies import adapted_technology

MARK: Final = "running"
"""The property that marks a node of which nothing was found."""
_COMPARED: Final = (IMAGE, REPLICAS)


def differences_of(
    attributes: Mapping[str, Any], running: RunningWorkload, cluster: str
) -> list[WorkloadDifferenceOut]:
    """Where a node says something else than what runs."""
    properties: Mapping[str, str] = attributes.get("properties", {})
    found: list[WorkloadDifferenceOut] = []
    if _technology(attributes, running) is not None:
        found.append({"field": "technology", "designed": attributes["technology"], "running": running.technology})
    compared = [(name, properties.get(name), running.properties.get(name)) for name in _COMPARED]
    if properties.get(CLUSTER) == cluster and not running.is_outside:
        compared.append((WORKLOAD, properties.get(WORKLOAD), running.id))
    for name, designed, runs in compared:
        if designed and runs and designed.strip() != runs:
            found.append({"field": name, "designed": designed, "running": runs})
    if MARK in properties:
        found.append({"field": MARK, "designed": properties[MARK], "running": "runs"})
    return found


def updates_of(
    attributes: Mapping[str, object], running: RunningWorkload, differences: Sequence[WorkloadDifferenceOut]
) -> dict[str, Any]:
    """The fields of `update_node` that take over what runs, and keep what it is."""
    fields = {one["field"]: one["running"] for one in differences}
    technology = _technology(attributes, running) if fields.pop("technology", None) else None
    patch = {**fields, **identity_of(running), **({MARK: None} if MARK in fields else {})}
    return {**({"technology": technology} if technology else {}), "properties": patch}


def identity_of(running: RunningWorkload) -> dict[str, str]:
    """The properties by which a node is recognised as this."""
    return {key: running.properties[key] for key in (WORKLOAD, CLUSTER, NAMESPACE) if key in running.properties}


def _technology(attributes: Mapping[str, Any], running: RunningWorkload) -> str | None:
    """What a node should say of its technology now; None where nothing differs."""
    is_whole = running.family not in ("compute", "")
    found = adapted_technology(attributes.get("technology", ""), running.technology, is_whole=is_whole)
    return None if found is None else found[:MOST_TECHNOLOGY].strip()
