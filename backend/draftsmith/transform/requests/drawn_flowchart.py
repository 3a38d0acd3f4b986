"""The operations that draw a flowchart into a diagram that is there: an ordinary batch, which its caller sends.

Everything drawn is new. A node whose id is taken gets one that is free, and no node is taken for another that is called
like it. Places are found where the batch runs. Not here: reading Mermaid (`model.mermaid`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NotRequired

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from draftsmith.model.diagram import Diagram
from draftsmith.model.fields import SparseDiagram, SparseEdge, SparseNode
from draftsmith.model.ids import NodeId, unique


class DrawnNodeOut(TypedDict):
    """The operation `add_node` of a drawn node or group."""

    op: Literal["add_node"]
    id: NodeId
    type: str
    label: str
    technology: NotRequired[str]
    description: NotRequired[str]
    color: NotRequired[str]
    style: NotRequired[str]
    parent: NotRequired[NodeId]


class DrawnEdgeOut(TypedDict):
    """The operation `add_edge` of a drawn connection."""

    op: Literal["add_edge"]
    source: NodeId
    target: NodeId
    kind: str
    direction: str
    label: NotRequired[str]
    color: NotRequired[str]
    style: NotRequired[str]
    shape: NotRequired[str]


@dataclass(frozen=True, slots=True)
class DrawnFlowchart:
    """A flowchart as operations.

    Attributes:
        operations: groups before what stands in them, nodes before their connections; empty for an empty flowchart.
        new_ids: the ids of the nodes.
        namesakes: those of them whose id in the flowchart, or whose label, a node of the diagram has already.
    """

    operations: Sequence[DrawnNodeOut | DrawnEdgeOut]
    new_ids: Sequence[NodeId]
    namesakes: Sequence[NodeId]


def draw_flowchart(flowchart: SparseDiagram, diagram: Diagram) -> DrawnFlowchart:
    """Make the operations that draw a flowchart, in the export form, beside what a diagram has."""
    nodes = outer_first(flowchart["nodes"])
    ids = free_ids([node["id"] for node in nodes], diagram)
    namesakes = [ids[node["id"]] for node in nodes if node["id"] in diagram or diagram.ids_by_name(node["label"])]
    operations: list[DrawnNodeOut | DrawnEdgeOut] = [_added_node(node, ids) for node in nodes]
    operations += [_added_edge(edge, ids) for edge in flowchart["edges"]]
    return DrawnFlowchart(operations, list(ids.values()), namesakes)


def outer_first(nodes: Sequence[SparseNode]) -> list[SparseNode]:
    """The nodes, each group before what stands in it; the reader bounds how deep they nest."""
    parents = {node["id"]: node.get("parent") for node in nodes}

    def depth(node: SparseNode) -> int:
        found, group = 0, node.get("parent")
        while group is not None:
            found, group = found + 1, parents[group]
        return found

    return sorted(nodes, key=depth)


def free_ids(wanted: Sequence[NodeId], diagram: Diagram) -> dict[NodeId, NodeId]:
    """An id for each wanted one: itself where it is free, else one with a number that neither side has."""
    used = {*diagram.node_ids(), *wanted}
    ids: dict[NodeId, NodeId] = {}
    for one in wanted:
        ids[one] = NodeId(unique(one, used)) if one in diagram else one
        used.add(ids[one])
    return ids


def _added_node(node: SparseNode, ids: Mapping[NodeId, NodeId]) -> DrawnNodeOut:
    added: DrawnNodeOut = {"op": "add_node", "id": ids[node["id"]], "type": node["type"], "label": node["label"]}
    if "technology" in node:
        added["technology"] = node["technology"]
    if "description" in node:
        added["description"] = node["description"]
    _add_looks(added, node)
    if "parent" in node:
        added["parent"] = ids[node["parent"]]
    return added


def _added_edge(edge: SparseEdge, ids: Mapping[NodeId, NodeId]) -> DrawnEdgeOut:
    added: DrawnEdgeOut = {
        "op": "add_edge",
        "source": ids[edge["source"]],
        "target": ids[edge["target"]],
        "kind": edge["kind"],
        "direction": edge["direction"],
    }
    if "label" in edge:
        added["label"] = edge["label"]
    _add_looks(added, edge)
    if "shape" in edge:
        added["shape"] = edge["shape"]
    return added


def _add_looks(added: DrawnNodeOut | DrawnEdgeOut, fields: SparseNode | SparseEdge) -> None:
    if "color" in fields:
        added["color"] = fields["color"]
    if "style" in fields:
        added["style"] = fields["style"]
