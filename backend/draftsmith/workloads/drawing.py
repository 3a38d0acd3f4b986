"""Operations that draw what runs: groups of namespaces, nodes with their origin, lines with their evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from draftsmith.manifests.roles import NAMESPACE
from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import NodeId, slug, unique
from draftsmith.workloads.matching import WorkloadMatch
from draftsmith.workloads.names import plain
from draftsmith.workloads.running import (
    CLUSTER,
    MOST_LABEL,
    MOST_TEXT,
    RunningConnection,
    RunningWorkload,
    line_fields,
)

Op = dict[str, Any]


class Drawing:
    """New groups and nodes beside what a diagram has, each with an id of its own.

    Attributes:
        locked: namespaces whose group is locked, so that their nodes are drawn beside it.
    """

    def __init__(self, diagram: Diagram, cluster: str, matches: Iterable[WorkloadMatch]) -> None:
        self._diagram, self._cluster = diagram, cluster
        self._used_ids = set(diagram.node_ids())
        self._groups: dict[str, tuple[NodeId | None, list[Op]]] = {}
        self._ids: dict[str, NodeId] = {}
        self.locked: set[str] = set()
        self._settled = Counter(
            (one.running.namespace, group) for one in matches for group in diagram.ancestors(one.node)
        )

    def node_id(self, one: RunningWorkload) -> NodeId:
        """The id of the node that is drawn of it."""
        found = self._ids.get(one.id)
        if found is None:
            found = self._ids[one.id] = self._new_id(one.name, one.namespace, one.node_type)
        return found

    def node(self, one: RunningWorkload) -> list[Op]:
        """The operations that draw a node of it, its group among them if that is new."""
        group, made = self._group(one.namespace) if one.namespace else (None, [])
        told = "\n".join(evidence.text for evidence in one.evidence)
        fields: Op = {
            "op": "add_node", "id": self.node_id(one), "type": one.node_type, "label": one.name[:MOST_LABEL].strip(),
            "technology": one.technology, "description": (one.description or told)[:MOST_TEXT], "parent": group,
            "properties": dict(one.properties),
        }  # fmt: skip
        return [*made, {key: value for key, value in fields.items() if value}]

    def line(self, line: RunningConnection, source: NodeId, target: NodeId) -> Op:
        """The operation that draws a line."""
        return {"op": "add_edge", "source": source, "target": target, **line_fields(line)}

    def _group(self, namespace: str) -> tuple[NodeId | None, list[Op]]:
        """The group of a namespace, and what makes it where there is none."""
        known = self._groups.get(namespace)
        if known is None:
            known = self._groups[namespace] = self._found_group(namespace) or self._made_group(namespace)
        return known

    def _found_group(self, namespace: str) -> tuple[NodeId | None, list[Op]] | None:
        """The group that was drawn of the namespace, or has its name; of several, where most of it stands."""
        groups = sorted(self._diagram.groups())
        recorded = [one for one in groups if self._is_recorded(self._diagram[one].get("properties", {}), namespace)]
        found = recorded or [one for one in groups if plain(self._diagram.label(one)) == plain(namespace)]
        if not found:
            return None
        best = max(found, key=lambda one: self._settled[namespace, one])
        if self._diagram.lock_on(best) is not None:
            self.locked.add(namespace)
            return None, []
        return best, []

    def _is_recorded(self, properties: Mapping[str, str], namespace: str) -> bool:
        return (properties.get(CLUSTER), properties.get(NAMESPACE)) == (self._cluster, namespace)

    def _made_group(self, namespace: str) -> tuple[NodeId, list[Op]]:
        group = self._new_id(namespace, "", "group")
        properties = {CLUSTER: self._cluster, NAMESPACE: namespace}
        label = namespace[:MOST_LABEL].strip()
        return group, [{"op": "add_node", "id": group, "type": "group", "label": label, "properties": properties}]

    def _new_id(self, name: str, namespace: str, otherwise: str) -> NodeId:
        base = slug(name) or otherwise
        if base in self._used_ids and namespace:
            base = slug(f"{namespace}-{name}") or base
        found = NodeId(unique(base, self._used_ids))
        self._used_ids.add(found)
        return found
