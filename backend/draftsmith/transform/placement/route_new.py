"""Has the layout engine route the lines that a batch has added, or whose routes it has dropped, in a routed drawing.

What is placed stays where it is. Lines of others change only where something new stands on them. Where there is no
engine, or the lines around have no routes either, the editor draws them. Not here: places (`place_new`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Final

from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.routes import has_hand_route
from draftsmith.transform import costs
from draftsmith.transform.placement.late_steps import LateSteps
from draftsmith.transform.placement.layouts import route_of, routing
from draftsmith.transform.steps.steps import Step
from draftsmith.transform.transaction import Transaction

_MOST_LINES: Final = 200
"""Lines of one batch beyond which none is routed."""

_LOOKED_AT: Final = 50
"""Edges of a node that are looked at for a route."""


def route_new_edges(tx: Transaction, late: LateSteps, placed: Mapping[NodeId, int]) -> None:
    """Find routes for the edges at nodes that were placed.

    Args:
        tx: with everything in its place.
        late: takes the routes.
        placed: nodes that are new where they stand → index of the operation that they belong to.
    """
    if tx.layouts is None or tx.layouts.asks:  # not before everything stands where it will
        return
    diagram = tx.workspace.diagram
    lines = {edge: None for one in placed for edge in diagram.edges_at(one) if not _route(diagram, edge)}
    tx.work.spend(costs.STEP * (len(placed) + len(lines)), costs.PLACES)
    if not lines or len(lines) > _MOST_LINES or not _is_routed(diagram, lines, tx.steps):
        return
    tx.work.spend(costs.LAID_OUT * (diagram.node_count + diagram.edge_count), costs.LAYOUT)
    found = tx.layouts.routes(routing(diagram, lines, placed))
    for edge_id, route in sorted((found or {}).items()):
        ends = diagram.ends(edge_id)
        is_kept = has_hand_route(diagram.edge(edge_id))
        if ends is not None and not is_kept and not any(diagram.lock_on(end) for end in ends):
            causes = [placed[end] for end in ends if end in placed] or placed.values()
            late.route(edge_id, route_of(route), max(causes))


def _is_routed(diagram: Diagram, lines: Iterable[EdgeId], steps: Sequence[Step]) -> bool:
    """Whether the batch has dropped a route, or the lines around have routes."""
    if any(step.routed_edge is not None for step in steps):
        return True
    ends = {end for line in lines for end in diagram.ends(line) or ()}
    return any(has_routes(diagram, end) for end in ends)


def has_routes(diagram: Diagram, node_id: NodeId) -> bool:
    """Whether one of the edges of a node has a route, as far as they are looked at."""
    return any(_route(diagram, edge) for edge in islice(diagram.edges_at(node_id), _LOOKED_AT))


def _route(diagram: Diagram, edge_id: EdgeId) -> object:
    return (diagram.edge(edge_id) or {}).get("route")
