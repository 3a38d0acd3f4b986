"""Whether a batch may ask the layout engine something, seen by its operations alone, before it is run."""

from __future__ import annotations

from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import NodeId
from draftsmith.transform.placement.layouts import LEAST_NODES
from draftsmith.transform.placement.route_new import has_routes
from draftsmith.transform.requests.batch import Batch
from draftsmith.transform.resolvers.names import nodes_named


def wants_layout(batch: Batch, diagram: Diagram) -> bool:
    """Whether a batch may ask the engine something: it lays out what is there, or adds several nodes without places."""
    new = 0
    for operation in batch.operations:
        match operation.op:
            case "layout_diagram":
                if operation.scope != "new":
                    return True
            case "add_node":
                new += operation.position is None
            case "insert_between":
                new += not isinstance(operation.node, str)
            case "group_nodes":
                new += 1
            case "replace_diagram":
                new += sum(1 for node in operation.nodes if node.position is None and node.id not in diagram)
    return new >= LEAST_NODES


def wants_routes(batch: Batch, diagram: Diagram) -> bool:
    """Whether a batch connects something new with nodes whose lines have routes."""
    is_new = False
    ends: dict[NodeId, None] = {}
    for operation in batch.operations:
        match operation.op:
            case "add_node":
                is_new = is_new or operation.position is None
            case "insert_between":
                is_new = is_new or not isinstance(operation.node, str)
                ends.update(dict.fromkeys(nodes_named(diagram, operation)))
            case "add_edge":
                ends.update(dict.fromkeys(nodes_named(diagram, operation)))
    return is_new and any(has_routes(diagram, one) for one in ends)
