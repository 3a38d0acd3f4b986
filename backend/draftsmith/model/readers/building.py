"""A diagram as it is read, part by part: ids, groups, what is there twice, and lines that lead nowhere.

Every reader whose format has nodes, groups and lines between them builds with it. Not here: what a part says, places,
and how what was left is listed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

from draftsmith.model.fields import SparseDiagram, SparseEdge, SparseEdgeFields, SparseNode, SparseNodeFields
from draftsmith.model.ids import EdgeId, NodeId, edge_id, is_edge_id, slug, unique
from draftsmith.model.readers.limits import MAX_DEPTH, MAX_SOURCE

Key = TypeVar("Key", bound=Hashable)


class EdgeLeft(Exception):
    """An edge was not added; `reason`: why, as the end of a sentence, without a full stop."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class DiagramBuilding:
    """Nodes, groups and edges in the order in which they are added, groups before what is in them.

    Args:
        own_ids: the ids that the format itself gives to nodes; no other node gets one.
        own_edge_ids: the same for edges.
        line: what the format calls an edge.
        end: what it calls a node.

    Attributes:
        nodes: by id.
        edges: by id.
        sources: what the format itself calls a node or an edge.
    """

    def __init__(
        self, own_ids: Iterable[str] = (), own_edge_ids: Iterable[str] = (), *, line: str = "line", end: str = "node"
    ) -> None:
        self.nodes: dict[NodeId, SparseNode] = {}
        self.edges: dict[EdgeId, SparseEdge] = {}
        self.sources: dict[NodeId | EdgeId, str] = {}
        self._line, self._end = line, end
        self._used: set[str] = set(own_ids)
        self._used_edge_ids: set[str] = set(own_edge_ids)
        self._keys: set[tuple[NodeId, NodeId, str, str]] = set()

    def add_node(
        self,
        fields: SparseNodeFields,
        source: str = "",
        *,
        own_id: NodeId | None = None,
        name: str = "",
        parent: NodeId | None = None,
    ) -> NodeId:
        """Add a node or a group, and give its id.

        Args:
            fields: without its group.
            source: what the format calls it for good, empty for nothing.
            own_id: the id that the format itself gives to it, each once.
            name: of which its id is made where it brings none; its label, if that is empty.
            parent: its group.
        """
        base = slug(name or fields["label"]) or f"{fields['type'].replace('_', '-')}-1"
        made = own_id or NodeId(unique(base, self._used))
        self._used.add(made)
        node: SparseNode = {"id": made, **fields}
        if parent is not None:
            node["parent"] = parent
        self.nodes[made] = node
        if source:
            self.sources[made] = source[:MAX_SOURCE]
        return made

    def add_edge(
        self, ends: tuple[NodeId | None, NodeId | None], fields: SparseEdgeFields, source: str = "", own_id: str = ""
    ) -> EdgeId:
        """Add an edge, and give its id.

        Args:
            ends: its source and its target, None where there is none.
            fields: without its ends.
            source: what the format calls it for good, empty for nothing.
            own_id: the id that the format itself gives to it, empty for none.

        Raises:
            EdgeLeft: it lacks an end, leads to where it begins, or is there already.
        """
        begin, end = ends
        if begin is None or end is None:
            which = "neither end" if begin is end else "one end only"
            raise EdgeLeft(
                f"a {self._line} needs a {self._end} at both ends, and {which} of this one is at a {self._end}"
            )
        if begin == end:
            raise EdgeLeft(f"both ends of the {self._line} are at the same {self._end}")
        key = (begin, end, fields.get("label", ""), fields.get("kind", "sync"))
        if key in self._keys:
            raise EdgeLeft(f"the same {self._line} is there already")
        self._keys.add(key)
        is_free = is_edge_id(own_id) and own_id not in self.edges
        made = EdgeId(own_id) if is_free else edge_id(begin, end, self._used_edge_ids)
        self._used_edge_ids.add(made)
        self.edges[made] = {"id": made, "source": begin, "target": end, **fields}
        if source:
            self.sources[made] = source[:MAX_SOURCE]
        return made

    def diagram(self) -> SparseDiagram:
        """What was added."""
        return {"nodes": list(self.nodes.values()), "edges": list(self.edges.values())}


def holders_within(holders: Mapping[Key, Key | None]) -> dict[Key, Key | None]:
    """The group of each part, no deeper than groups may be nested: what is deeper lies in the last one allowed.

    Args:
        holders: the group of each, each behind its own.
    """
    depths: dict[Key, int] = {}
    found: dict[Key, Key | None] = {}
    for key, given in holders.items():
        is_too_deep = given is not None and depths[given] > MAX_DEPTH
        holder = found[given] if given is not None and is_too_deep else given
        found[key] = holder
        depths[key] = 1 if holder is None else depths[holder] + 1
    return found
