"""A diagram of what runs: nodes and edges with texts of one line, within the limits of a workspace."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from draftsmith.model.fields import SparseEdgeFields, SparseNodeFields, shorten_to
from draftsmith.model.ids import NodeId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.readers.building import DiagramBuilding, EdgeLeft
from draftsmith.model.readers.limits import (
    MAX_DESCRIPTION,
    MAX_EDGE_LABEL,
    MAX_LABEL,
    MAX_TECHNOLOGY,
    properties_within,
)
from draftsmith.model.readers.reading import UnreadableSource

_LIMITS: Final = WorkspaceLimits()


class DiagramDraft(DiagramBuilding):
    """Collects what becomes a diagram; places are found later."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path

    def draw_node(
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
        if len(self.nodes) >= _LIMITS.nodes:
            raise UnreadableSource(f"it has more than {_LIMITS.nodes:,} nodes", self._path)
        title = one_line(label) or node_type
        node: SparseNodeFields = {"type": node_type, "label": shorten_to(title, MAX_LABEL)}
        if one_line(technology):
            node["technology"] = shorten_to(one_line(technology), MAX_TECHNOLOGY)
        if one_line(description):
            node["description"] = shorten_to(one_line(description), MAX_DESCRIPTION)
        kept = properties_within({key: one_line(value) for key, value in (properties or {}).items()})
        if kept:
            node["properties"] = kept
        return self.add_node(node, source, name=title, parent=parent)

    def draw_edge(
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
        edge: SparseEdgeFields = {"kind": kind}
        if title:
            edge["label"] = title
        lines = [one_line(line) for line in description.splitlines()]
        if any(lines):
            edge["description"] = shorten_to("\n".join(line for line in lines if line), MAX_DESCRIPTION)
        kept = properties_within({key: one_line(value) for key, value in (properties or {}).items()})
        if kept:
            edge["properties"] = kept
        with suppress(EdgeLeft):
            self.add_edge((source, target), edge)
        if len(self.edges) > _LIMITS.edges:
            raise UnreadableSource(f"it has more than {_LIMITS.edges:,} edges", self._path)


def one_line(text: str) -> str:
    """A text in one line, without characters that are not shown."""
    line = " ".join(text.split())
    return line if line.isprintable() else "".join(one for one in line if one.isprintable())
