"""The diagram: a networkx MultiDiGraph and the indexes that keep every operation O(what it touches).

Attributes are stored sparsely: a field that is empty is absent. Values are JSON and never changed in place, only
replaced, so that steps, inverses and readers may share them. Every node and edge has a hidden `birth`, the revision
that created it; it distinguishes a node from an earlier one with the same id.

Indexes: edge id → ends, parent → children, and, built on first use, label → nodes and a grid of places. Only the
methods here change them. Not here: checks of what is allowed (`transform`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Final, cast

from draftsmith.model.custom_types import CustomType, CustomTypes, own_type
from draftsmith.model.fields import ORIGIN, EdgeAttributes, NodeAttributes, Point, set_fields
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.name_search import name_key
from draftsmith.model.places import Places
from draftsmith.model.vocabulary import GROUP, GROUP_PADDING, GROUP_TITLE, NODE_HEIGHT, NODE_WIDTH

if TYPE_CHECKING:
    import networkx as nx

NO_ENDS: Final = (NodeId(""), NodeId(""))
"""Stands for the ends of an edge that has been seen to be there; no node has such an id."""


class Diagram:
    """Nodes, edges and groups of one workspace, and the types of nodes that it has beside the built-in ones."""

    __slots__ = ("_called", "_children", "_ends", "_graph", "_places", "_types")

    def __init__(self) -> None:
        import networkx as nx

        self._graph: nx.MultiDiGraph[NodeId] = nx.MultiDiGraph()
        self._ends: dict[EdgeId, tuple[NodeId, NodeId]] = {}
        self._children: dict[NodeId | None, dict[NodeId, None]] = {None: {}}
        self._called: dict[str, dict[NodeId, None]] | None = None
        self._places: Places | None = None
        self._types: dict[str, CustomType] = {}

    # -- types -------------------------------------------------------------------------------------------------------

    @property
    def types(self) -> CustomTypes:
        """The types of nodes that there are beside the built-in ones. Read only."""
        return self._types

    def set_type(self, type_id: str, definition: CustomType | None) -> None:
        """Define a type, replace it, or with None remove it; nodes keep what they say of it."""
        if definition is None:
            del self._types[type_id]
        else:
            self._types[type_id] = definition

    def custom_type(self, node_id: NodeId) -> str | None:
        """The id of the custom type that a node has; None if what it says of one does not count."""
        node = self[node_id]
        return own_type(node.get("custom_type"), node["type"], self._types)

    def type_of(self, node_id: NodeId) -> str:
        """What a node is called a kind of: the id of its custom type, else its built-in type."""
        return self.custom_type(node_id) or self[node_id]["type"]

    # -- nodes -------------------------------------------------------------------------------------------------------

    def __contains__(self, node_id: object) -> bool:
        return node_id in self._graph

    @property
    def node_count(self) -> int:
        """How many nodes there are, groups included."""
        return len(self._graph)

    @property
    def edge_count(self) -> int:
        """How many edges there are."""
        return len(self._ends)

    def node(self, node_id: NodeId) -> NodeAttributes | None:
        """The sparse attributes of a node, or None. Read only."""
        found: NodeAttributes | None = self._graph._node.get(node_id)
        return found

    def __getitem__(self, node_id: NodeId) -> NodeAttributes:
        """The sparse attributes of an existing node. Read only.

        Returns networkx's dictionary itself, not a view, because this is called most often.
        """
        found: NodeAttributes = self._graph._node[node_id]
        return found

    def birth(self, node_id: NodeId) -> int:
        """The revision that made a node."""
        found: int = self[node_id]["birth"]
        return found

    def group_birth(self, group: NodeId | None) -> int | None:
        """The revision that made a group; None at the top."""
        return None if group is None else self.birth(group)

    def parent(self, node_id: NodeId) -> NodeId | None:
        """The parent group of a node; None at the top."""
        return self[node_id].get("parent")

    def label(self, node_id: NodeId) -> str:
        """The label of a node, or the empty string."""
        found: str = self[node_id].get("label", "")
        return found

    def ids_by_name(self, name: str) -> tuple[NodeId, ...]:
        """Ids of the nodes whose label is a name but for letter case, white space and Unicode's form."""
        if self._called is None:
            self._called = {}
            for node_id in self._graph:
                self._call(node_id, self._called)
        return tuple(self._called.get(name_key(name), ()))

    def _call(self, node_id: NodeId, called: dict[str, dict[NodeId, None]]) -> None:
        called.setdefault(name_key(self.label(node_id)), {})[node_id] = None

    def _call_no_more(self, node_id: NodeId, called: dict[str, dict[NodeId, None]]) -> None:
        key = name_key(self.label(node_id))
        del called[key][node_id]
        if not called[key]:
            del called[key]

    def position(self, node_id: NodeId) -> Point:
        """The position of a node, relative to its parent group."""
        found: Point = self[node_id].get("position", ORIGIN)
        return found

    def is_group(self, node_id: NodeId) -> bool:
        """Whether a node is a group."""
        return bool(self[node_id].get("type") == GROUP)

    def groups(self) -> Iterator[NodeId]:
        """Ids of all groups, in arbitrary order."""
        return (node_id for node_id in self._graph if self.is_group(node_id))

    def nodes(self) -> Mapping[NodeId, NodeAttributes]:
        """All nodes: id → sparse attributes. Read only."""
        found: Mapping[NodeId, NodeAttributes] = self._graph._node
        return found

    def node_ids(self) -> Iterator[NodeId]:
        """All node ids, in arbitrary order."""
        return iter(self._graph)

    def add_node(self, node_id: NodeId, attributes: NodeAttributes) -> None:
        """Add a node; the caller has checked its id and parent."""
        self._graph.add_node(node_id, **attributes)
        self._children.setdefault(attributes.get("parent"), {})[node_id] = None
        if self._called is not None:
            self._call(node_id, self._called)
        if self._places is not None:
            self._places.put(self, node_id)

    def remove_node(self, node_id: NodeId) -> None:
        """Remove a node; the caller has checked that it has neither edges nor children."""
        parent = self.parent(node_id)
        if self._called is not None:
            self._call_no_more(node_id, self._called)
        if self._places is not None:
            self._places.drop(self, node_id)
        del self._children[parent][node_id]
        if not self._children[parent] and parent is not None:
            del self._children[parent]
        self._graph.remove_node(node_id)

    def set_node(self, node_id: NodeId, values: Mapping[str, object]) -> None:
        """Set fields of a node; None removes a field. `properties.<key>` addresses one property."""
        attributes = self[node_id]
        moved = "parent" in values or "position" in values or "size" in values or "type" in values
        called = self._called if "label" in values else None
        if moved and self._places is not None:
            self._places.drop(self, node_id)
        if called is not None:
            self._call_no_more(node_id, called)
        if "parent" in values:
            self._reparent(node_id, attributes.get("parent"), cast(NodeId | None, values["parent"]))
        set_fields(attributes, values)
        if called is not None:
            self._call(node_id, called)
        if moved and self._places is not None:
            self._places.put(self, node_id)

    def _reparent(self, node_id: NodeId, old: NodeId | None, new: NodeId | None) -> None:
        del self._children[old][node_id]
        if not self._children[old] and old is not None:
            del self._children[old]
        self._children.setdefault(new, {})[node_id] = None

    # -- containment -------------------------------------------------------------------------------------------------

    def children(self, parent: NodeId | None) -> tuple[NodeId, ...]:
        """Ids of the direct children of a group, or of the top for None; in insertion order."""
        return tuple(self._children.get(parent, ()))

    def has_children(self, node_id: NodeId) -> bool:
        """Whether the node has children."""
        return bool(self._children.get(node_id))

    def child_count(self, parent: NodeId | None) -> int:
        """How many direct children a group has."""
        return len(self._children.get(parent, ()))

    def ancestors(self, node_id: NodeId) -> Iterator[NodeId]:
        """The groups around a node, innermost first."""
        parent = self.parent(node_id)
        while parent is not None:
            yield parent
            parent = self.parent(parent)

    def subtree(self, node_id: NodeId) -> list[NodeId]:
        """The node and all its descendants, outermost first."""
        found = [node_id]
        for current in found:
            found.extend(self._children.get(current, ()))
        return found

    def lock_on(self, node_id: NodeId) -> NodeId | None:
        """The locked node that covers this one: itself or an ancestor; None if it is not locked."""
        current: NodeId | None = node_id
        while current is not None:
            attributes = self[current]
            if attributes.get("locked"):
                return current
            current = attributes.get("parent")
        return None

    # -- edges -------------------------------------------------------------------------------------------------------

    def ends(self, edge_id: EdgeId) -> tuple[NodeId, NodeId] | None:
        """Source and target of an edge, or None."""
        return self._ends.get(edge_id)

    def edge(self, edge_id: EdgeId) -> EdgeAttributes | None:
        """The sparse attributes of an edge, or None. Read only."""
        ends = self._ends.get(edge_id)
        return None if ends is None else self._graph.get_edge_data(*ends, edge_id)

    def edge_ids(self) -> Iterator[EdgeId]:
        """All edge ids, in arbitrary order."""
        return iter(self._ends)

    def edges(self) -> Iterator[tuple[EdgeId, NodeId, NodeId, EdgeAttributes]]:
        """All edges as (id, source, target, sparse attributes), in arbitrary order."""
        return ((key, source, target, found) for source, target, key, found in self._graph.edges(keys=True, data=True))

    def components(self) -> list[set[NodeId]]:
        """The connected components, edge directions ignored; an isolated node is one."""
        import networkx as nx

        return list(nx.weakly_connected_components(self._graph))

    def edges_between(self, source: NodeId, target: NodeId) -> list[EdgeId]:
        """Ids of the edges from source to target, oldest first."""
        return list(self._graph.get_edge_data(source, target) or ())

    def edges_at(self, node_id: NodeId) -> list[EdgeId]:
        """Ids of the edges that start or end at a node, each once."""
        both = chain(self.outgoing(node_id).values(), self.incoming(node_id).values())
        return [edge_id for between in both for edge_id in between]

    def outgoing(self, node_id: NodeId) -> Mapping[NodeId, Mapping[EdgeId, EdgeAttributes]]:
        """Edges from a node: target → edge id → attributes. Read only.

        Returns networkx's dictionary itself, not views, because searches read many.
        """
        found: Mapping[NodeId, Mapping[EdgeId, EdgeAttributes]] = self._graph._succ[node_id]
        return found

    def incoming(self, node_id: NodeId) -> Mapping[NodeId, Mapping[EdgeId, EdgeAttributes]]:
        """Edges to a node: source → edge id → attributes. Read only."""
        found: Mapping[NodeId, Mapping[EdgeId, EdgeAttributes]] = self._graph._pred[node_id]
        return found

    def degree(self, node_id: NodeId) -> int:
        """The number of edges that start or end at a node."""
        both = chain(self.outgoing(node_id).values(), self.incoming(node_id).values())
        return sum(map(len, both))

    def equal_edge(
        self, source: NodeId, target: NodeId, label: str, kind: str, besides: EdgeId | None = None
    ) -> EdgeId | None:
        """Another edge with the same ends, label and kind, or None."""
        between: Mapping[EdgeId, EdgeAttributes] = self._graph.get_edge_data(source, target) or {}
        for key, other in between.items():
            if key != besides and other.get("label", "") == label and other.get("kind", "sync") == kind:
                return key
        return None

    def add_edge(self, edge_id: EdgeId, source: NodeId, target: NodeId, attributes: EdgeAttributes) -> None:
        """Add an edge; the caller has checked its id and ends."""
        self._graph.add_edge(source, target, edge_id, **attributes)
        self._ends[edge_id] = (source, target)

    def remove_edge(self, edge_id: EdgeId) -> None:
        """Remove an edge."""
        source, target = self._ends.pop(edge_id)
        self._graph.remove_edge(source, target, edge_id)

    def set_edge(self, edge_id: EdgeId, values: Mapping[str, object]) -> None:
        """Set fields of an edge; `source` and `target` move its ends."""
        source, target = self._ends[edge_id]
        attributes = self._graph.get_edge_data(source, target, edge_id)
        if "source" in values or "target" in values:
            ends = cast(tuple[NodeId, NodeId], (values.get("source", source), values.get("target", target)))
            values = {field: value for field, value in values.items() if field not in ("source", "target")}
            self._graph.remove_edge(source, target, edge_id)
            self._graph.add_edge(*ends, edge_id, **attributes)
            self._ends[edge_id] = ends
            attributes = self._graph.get_edge_data(*ends, edge_id)
        set_fields(attributes, values)

    # -- geometry ----------------------------------------------------------------------------------------------------

    @property
    def places(self) -> Places:
        """The grid of places, built on first use and kept up to date after that."""
        if self._places is None:
            places = Places()
            for node_id in self._graph:
                places.put(self, node_id)
            self._places = places
        return self._places

    def size_of(self, node_id: NodeId) -> tuple[float, float]:
        """Width and height as drawn, in pixels: a group is grown to fit its children."""
        attributes = self[node_id]
        size = attributes.get("size")
        width, height = (size["width"], size["height"]) if size else (NODE_WIDTH, NODE_HEIGHT)
        if attributes.get("type") != GROUP or node_id not in self._children:
            return width, height
        right, bottom = self.places.extent(self, node_id)
        return max(width, right + GROUP_PADDING), max(height, bottom + GROUP_PADDING)

    def origin_of(self, parent: NodeId | None) -> tuple[float, float]:
        """The absolute position of a node's top left corner, to which its children's positions are relative."""
        x = y = 0.0
        while parent is not None:
            position = self.position(parent)
            x, y = x + position["x"], y + position["y"]
            parent = self.parent(parent)
        return x, y


def inner_origin() -> tuple[float, float]:
    """The position of the first child of a group, relative to the group's top left corner."""
    return GROUP_PADDING, GROUP_TITLE
