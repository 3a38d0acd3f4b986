"""A diagram as text, as the page prints it: nodes with what they hold below them, an empty line, then connections.

Siblings stand from the top left to the bottom right, as they are drawn, and connections in the order of the nodes they
come from, so that a diagram has one text, whatever its history. The text holds names, types, technologies, groups, and
of connections what flows, kind and direction; use the JSON export for everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from draftsmith.model.custom_types import NO_TYPES, own_type
from draftsmith.model.diagram_text.syntax import EdgeLine, End, NodeLine, folded_name, print_edge, print_node
from draftsmith.model.ids import NodeId
from draftsmith.model.shapes import DiagramOut, NodeOut
from draftsmith.model.type_words import type_of_name
from draftsmith.model.vocabulary import GROUP


def to_text(diagram: DiagramOut) -> str:
    """Write `{nodes, edges}` of the export form as lines; empty for an empty diagram."""
    names = {node["id"]: folded_name(node["label"]) for node in diagram["nodes"]}
    counts = Counter(names.values())
    shared = {node_id for node_id, name in names.items() if counts[name] > 1}
    labels = {node["id"]: node["label"] for node in diagram["nodes"]}
    types = diagram.get("types", NO_TYPES)
    lines: list[str] = []
    rank: dict[NodeId, int] = {}
    children = _children(diagram["nodes"])
    # From the last to the first, so that the first is taken next. Groups may be nested too deeply for recursion.
    waiting = [(node, 0) for node in reversed(children.get(None, ()))]
    while waiting:
        node, depth = waiting.pop()
        inside = children.get(node["id"], ())
        rank[node["id"]] = len(rank)
        own = own_type(node.get("custom_type"), node["type"], types)
        lines.append(_node_line(node, own, depth, is_holding=bool(inside), is_shared=node["id"] in shared))
        waiting += [(inner, depth + 1) for inner in reversed(inside)]

    def end(node_id: NodeId) -> End:
        return End("", node_id) if node_id in shared else End(labels[node_id])

    edges = sorted(diagram["edges"], key=lambda edge: (rank[edge["source"]], rank[edge["target"]], edge["id"]))
    if edges:
        lines.append("")
    for edge in edges:
        ends = end(edge["source"]), end(edge["target"])
        lines.append(print_edge(EdgeLine(*ends, edge["label"], edge["kind"], edge["direction"])))
    return "".join(f"{line}\n" for line in lines)


def _children(nodes: Sequence[NodeOut]) -> Mapping[NodeId | None, Sequence[NodeOut]]:
    """The nodes of each group, and of none, in the order of their lines."""
    known = {node["id"] for node in nodes}
    children: dict[NodeId | None, list[NodeOut]] = {}
    for node in sorted(nodes, key=lambda one: (one["position"]["x"] + one["position"]["y"], one["id"])):
        parent = node["parent"]
        children.setdefault(parent if parent in known else None, []).append(node)
    return children


def _node_line(node: NodeOut, own: str | None, depth: int, *, is_holding: bool, is_shared: bool) -> str:
    """A built-in type is left out where the name says it, or what it holds; the id where the name is enough."""
    usual = GROUP if is_holding else type_of_name(node["label"])
    node_type = own or (None if node["type"] == usual else node["type"])
    return print_node(NodeLine(node["label"], node_type, node["technology"], node["id"] if is_shared else None), depth)
