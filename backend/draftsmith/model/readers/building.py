"""A diagram as it is read, part by part: ids, what is there twice, and what cannot be taken over.

Readers whose formats have nodes, groups and lines between them build with it. Not here: what a part says, and places.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Final, Generic, TypeVar

from draftsmith.model.fields import Point, SparseEdge, SparseEdgeFields, SparseNode, SparseNodeFields
from draftsmith.model.ids import EdgeId, NodeId, edge_id, is_edge_id, slug, unique
from draftsmith.model.readers.limits import MAX_DEPTH, MAX_SOURCE, SHOWN
from draftsmith.model.readers.reading import UnreadPart

Key = TypeVar("Key", bound=Hashable)
_MAX_PLACE: Final = 64


class DiagramBuilding(Generic[Key]):
    """Nodes, groups and edges in the order in which they are added, groups before what is in them.

    Args:
        file: the path of the file that is read.
        own_ids: the ids that the format itself gives to nodes and groups, by their keys, each once; no other gets one.

    Attributes:
        nodes: by key.
        edges: by id.
        sources: what the format itself calls a node or an edge.
        unread: what is in neither.
    """

    def __init__(self, file: str, own_ids: Mapping[Key, NodeId]) -> None:
        self.nodes: dict[Key, SparseNode] = {}
        self.edges: dict[EdgeId, SparseEdge] = {}
        self.sources: dict[NodeId | EdgeId, str] = {}
        self.unread: list[UnreadPart] = []
        self._file = file
        self._own_ids = own_ids
        self._used: set[str] = set(own_ids.values())
        self._keys: set[tuple[NodeId, NodeId, str, str]] = set()

    def add_node(
        self, key: Key, fields: SparseNodeFields, name: str, source: str = "", holder: Key | None = None
    ) -> None:
        """Add a node or a group.

        Args:
            key: by which edges and what is in it refer to it.
            fields: without its place and its group.
            name: of which its id is made where it brings none.
            source: what the format calls it for good, empty for nothing.
            holder: the key of its group, which is there.
        """
        base = slug(name) or f"{fields['type'].replace('_', '-')}-1"
        made = self._own_ids.get(key) or NodeId(unique(base, self._used))
        self._used.add(made)
        node: SparseNode = {"id": made, **fields}
        if holder is not None:
            node["parent"] = self.nodes[holder]["id"]
        self.nodes[key] = node
        if source:
            self.sources[made] = source[:MAX_SOURCE]

    def add_edge(
        self,
        ends: tuple[Key | None, Key | None],
        fields: SparseEdgeFields,
        place: str,
        own_id: str = "",
        route: Sequence[Point] = (),
    ) -> None:
        """Add an edge, or list why it is not taken over.

        Args:
            ends: the keys of its source and its target, None where there is none.
            fields: without its bends.
            place: of the edge in the file, for whoever looks for it.
            own_id: the id that the format itself gives to it, empty for none.
            route: its bends.
        """
        found = [self.nodes.get(end) if end is not None else None for end in ends]
        if found[0] is None or found[1] is None:
            which = "neither end" if found[0] is found[1] else "one end only"
            reason = f"a line needs a node at both ends, and {which} of this one is at a node"
            self.leave(place, fields.get("label", ""), reason)
            return
        source, target = found[0]["id"], found[1]["id"]
        if source == target:
            self.leave(place, fields.get("label", ""), "both ends of the line are at the same node")
            return
        key = (source, target, fields.get("label", ""), fields.get("kind", "sync"))
        if key in self._keys:
            self.leave(place, fields.get("label", ""), "the same line is there already")
            return
        self._keys.add(key)
        is_free = is_edge_id(own_id) and own_id not in self.edges
        made = EdgeId(own_id) if is_free else edge_id(source, target, self.edges)
        edge: SparseEdge = {"id": made, "source": source, "target": target, **fields}
        if route:
            edge["route"] = list(route)
        self.edges[made] = edge
        if is_free:
            self.sources[made] = own_id

    def leave(self, place: str, text: str, reason: str) -> None:
        """List a part that is not taken over."""
        self.unread.append(UnreadPart(self._file, place[:_MAX_PLACE], text[:SHOWN], reason))


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
