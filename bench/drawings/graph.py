"""A graph to be drawn: what is connected and what stands in what, without places.

It is made by the readers of this folder, and turned into operations (for the product's own interface) or into a diagram
(for the layout engine). Not here: drawing it (`columns.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

Diagram = dict[str, Any]
Operation = dict[str, Any]
_LABEL, _EDGE_LABEL = 120, 80
_NODE: dict[str, Any] = {"technology": "", "description": "", "properties": {}, "position": {"x": 0, "y": 0},
                         "size": None, "parent": None, "locked": False}  # fmt: skip
_EDGE: dict[str, Any] = {"label": "", "kind": "sync", "direction": "forward", "description": "", "properties": {},
                         "route": None}  # fmt: skip


@dataclass
class Graph:
    """Nodes (groups among them) and edges.

    Attributes:
        name: of the row, such as `compose/react-express-mongodb`.
        author: the same graph as a diagram with the places of whoever drew it, where somebody did.
    """

    name: str
    nodes: dict[str, dict[str, Any]] = field(default_factory=dict)
    edges: list[dict[str, Any]] = field(default_factory=list)
    author: Diagram | None = None

    def node(self, given: str, type_: str, label: str = "", parent: str | None = None) -> str:
        """Add a node, unless there is one of this id already; its id, which is one in the product's form."""
        id_ = id_of(given)
        if id_ not in self.nodes:
            text = " ".join((label or given).split())[:_LABEL].strip()
            self.nodes[id_] = {"id": id_, "type": type_, "label": text or id_, "parent": parent}
        return id_

    def edge(self, source: str, target: str, label: str = "", kind: str = "sync") -> None:
        """Add an edge, unless it is one to itself, is there already, or an end is missing."""
        text = " ".join(label.split())[:_EDGE_LABEL].strip()
        known = {(one["source"], one["target"], one["label"], one["kind"]) for one in self.edges}
        ends = source in self.nodes and target in self.nodes and source != target
        if ends and (source, target, text, kind) not in known:
            new = {"id": f"e{len(self.edges)}", "source": source, "target": target, "label": text, "kind": kind}
            self.edges.append(new)

    def outer_first(self) -> Iterator[dict[str, Any]]:
        """The nodes, each after the group in which it stands."""
        children: dict[str | None, list[dict[str, Any]]] = {}
        for one in self.nodes.values():
            children.setdefault(one["parent"], []).append(one)
        waiting: list[str | None] = [None]
        for parent in waiting:  # grows during the iteration
            for one in children.get(parent, ()):
                yield one
                waiting.append(one["id"])

    def without_empty_groups(self) -> Graph:
        """Turn groups that hold nothing into plain nodes where an edge ends there, and leave the others out."""
        ends = {end for edge in self.edges for end in (edge["source"], edge["target"])}
        while True:
            held = {one["parent"] for one in self.nodes.values()}
            empty = [id_ for id_, one in self.nodes.items() if one["type"] == "group" and id_ not in held]
            if not empty:
                return self
            for id_ in empty:
                if id_ in ends:
                    self.nodes[id_]["type"] = "other"
                else:
                    del self.nodes[id_]

    def operations(self) -> list[Operation]:
        """One batch that adds everything, without a place for anything."""
        adds = [{"op": "add_node", **{name: value for name, value in one.items() if value is not None}}
                for one in self.outer_first()]  # fmt: skip
        return [*adds, *({"op": "add_edge", **edge} for edge in self.edges)]

    def diagram(self) -> Diagram:
        """The graph as a diagram in which everything stands in one place."""
        nodes = [{**_NODE, **one} for one in self.outer_first()]
        return {"nodes": nodes, "edges": [{**_EDGE, **edge} for edge in self.edges]}

    def placed(self, boxes: dict[str, tuple[float, float, float, float]]) -> Diagram:
        """The graph as a diagram with these boxes: left, top, width and height, of the diagram and not of a group."""
        diagram = self.diagram()
        for one in diagram["nodes"]:
            x, y, width, height = boxes[one["id"]]
            left, top = boxes[one["parent"]][:2] if one["parent"] else (0.0, 0.0)
            one["position"] = {"x": round(x - left), "y": round(y - top)}
            one["size"] = {"width": max(20, round(width)), "height": max(20, round(height))}
        return diagram


def id_of(given: str) -> str:
    """An id in the product's form, the same for the same word."""
    plain = re.sub(r"[^a-z0-9]+", "-", given.lower()).strip("-")[:60].strip("-")
    return plain if plain and not plain[0].isdigit() else f"n-{plain}".strip("-")


def joined(name: str, graphs: Iterable[Graph]) -> Graph:
    """Several graphs as one, each in a group of its own."""
    whole = Graph(name)
    for graph in graphs:
        title = graph.name.rsplit("/", 1)[-1]
        group = whole.node(f"{title}-all", "group", title)
        for one in graph.outer_first():
            parent = id_of(f"{title}-{one['parent']}") if one["parent"] else group
            whole.node(f"{title}-{one['id']}", one["type"], one["label"], parent)
        for edge in graph.edges:
            source, target = (id_of(f"{title}-{edge[end]}") for end in ("source", "target"))
            whole.edge(source, target, edge["label"], edge["kind"])
    return whole


def moved(diagram: Diagram, operation: Operation | None) -> Diagram:
    """The diagram after a `move_nodes`; the given one stays as it is."""
    if operation is None:
        return diagram
    places, sizes, routes = (operation.get(name) or {} for name in ("positions", "sizes", "routes"))
    nodes = [
        {**one, "position": places.get(one["id"], one["position"]), "size": sizes.get(one["id"], one["size"])}
        for one in diagram["nodes"]
    ]
    edges = [{**one, "route": routes.get(one["id"], one["route"])} for one in diagram["edges"]]
    return {**diagram, "nodes": nodes, "edges": edges}
