"""A diagram in the making: nodes and edges as a reader finds them, each with an id of its own, within the limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from draftsmith.model.fields import SparseDiagram, SparseEdge, SparseNode, shorten_to
from draftsmith.model.ids import EdgeId, NodeId, edge_id, slug, unique
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.readers.limits import (
    MAX_DESCRIPTION,
    MAX_EDGE_LABEL,
    MAX_LABEL,
    MAX_SOURCE,
    MAX_TECHNOLOGY,
    properties_within,
)
from draftsmith.model.readers.reading import UnreadableSource

_LIMITS: Final = WorkspaceLimits()


class DiagramDraft:
    """Collects what becomes a diagram; places are found later.

    Attributes:
        sources: what the source itself calls nodes.
    """

    def __init__(self, path: str) -> None:
        self.sources: dict[NodeId | EdgeId, str] = {}
        self._path = path
        self._nodes: dict[NodeId, SparseNode] = {}
        self._edges: dict[EdgeId, SparseEdge] = {}
        self._keys: set[tuple[NodeId, NodeId, str, str]] = set()

    def add_node(
        self,
        source: str,
        node_type: str,
        label: str,
        *,
        parent: NodeId | None = None,
        technology: str = "",
        description: str = "",
        properties: Mapping[str, str] | None = None,
    ) -> NodeId:
        """Add a node or a group, and give its id.

        Raises:
            UnreadableSource: there are more than a workspace may have.
        """
        if len(self._nodes) >= _LIMITS.nodes:
            raise UnreadableSource(f"it has more than {_LIMITS.nodes:,} nodes", self._path)
        title = one_line(label) or node_type
        made = NodeId(unique(slug(title) or f"{node_type.replace('_', '-')}-1", self._nodes))
        node: SparseNode = {"id": made, "type": node_type, "label": shorten_to(title, MAX_LABEL)}
        if parent is not None:
            node["parent"] = parent
        if one_line(technology):
            node["technology"] = shorten_to(one_line(technology), MAX_TECHNOLOGY)
        if one_line(description):
            node["description"] = shorten_to(one_line(description), MAX_DESCRIPTION)
        kept = properties_within({key: one_line(value) for key, value in (properties or {}).items()})
        if kept:
            node["properties"] = kept
        self._nodes[made] = node
        self.sources[made] = source[:MAX_SOURCE]
        return made

    def add_edge(
        self,
        source: NodeId,
        target: NodeId,
        *,
        label: str = "",
        kind: str = "sync",
        description: str = "",
        properties: Mapping[str, str] | None = None,
    ) -> None:
        """Add an edge, unless it leads to where it begins or is there already.

        Raises:
            UnreadableSource: there are more than a workspace may have.
        """
        title = shorten_to(one_line(label), MAX_EDGE_LABEL)
        key = (source, target, title, kind)
        if source == target or key in self._keys:
            return
        if len(self._edges) >= _LIMITS.edges:
            raise UnreadableSource(f"it has more than {_LIMITS.edges:,} edges", self._path)
        self._keys.add(key)
        made = edge_id(source, target, self._edges)
        edge: SparseEdge = {"id": made, "source": source, "target": target, "kind": kind}
        if title:
            edge["label"] = title
        lines = [one_line(line) for line in description.splitlines()]
        if any(lines):
            edge["description"] = shorten_to("\n".join(line for line in lines if line), MAX_DESCRIPTION)
        kept = properties_within({key: one_line(value) for key, value in (properties or {}).items()})
        if kept:
            edge["properties"] = kept
        self._edges[made] = edge

    def diagram(self) -> SparseDiagram:
        """The diagram, each group before what is in it as far as it was added so."""
        return {"nodes": list(self._nodes.values()), "edges": list(self._edges.values())}


def one_line(text: str) -> str:
    """A text in one line, without characters that are not shown."""
    line = " ".join(text.split())
    return line if line.isprintable() else "".join(one for one in line if one.isprintable())
