"""Says what has become of lines that were bent by hand: which ones a layout has kept, and which no longer fit.

Not here: how they follow their ends (`model.routes`, `set_fields.keep_routes`).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Final

from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.routes import has_hand_route, is_strained, title_boxes
from draftsmith.transform import costs
from draftsmith.transform.placement.move_aside import name_list
from draftsmith.transform.set_fields import set_edge
from draftsmith.transform.transaction import Transaction

_MOST_JUDGED: Final = 200
"""Lines of one batch of which it is said whether they still fit."""


def warn_of_strained_routes(tx: Transaction) -> None:
    """Warn of lines by hand that lead through a node of their own, or through a title, since their ends have moved."""
    diagram = tx.workspace.diagram
    kept = [(edge, index) for edge, index in sorted(tx.kept_routes.items()) if has_hand_route(diagram.edge(edge))]
    if not kept:
        return
    tx.work.spend(10 * diagram.node_count, costs.PLACES)
    titles = list(title_boxes(diagram))
    strained: dict[int, list[EdgeId]] = {}
    for edge_id, index in islice(kept, _MOST_JUDGED):
        tx.work.spend(costs.STEP + 10 * len(titles), costs.PLACES)
        if is_strained(diagram, edge_id, titles):
            strained.setdefault(index, []).append(edge_id)
    for index, edges in sorted(strained.items()):
        message = f"Bent by hand, and now through a title or a node of its own: {name_list(edges)}."
        tx.warn("route_strained", "", message, edges, index)


def settle_hand_routes(tx: Transaction, nodes: Iterable[NodeId], *, redraw: bool) -> None:
    """Say which lines by hand a layout of some nodes, with what stands in them, has kept; or drop them all.

    `redraw`: lines are drawn anew, those by hand too.
    """
    diagram = tx.workspace.diagram
    inside = [inner for one in nodes if one in diagram for inner in diagram.subtree(one)]
    edges = dict.fromkeys(edge for one in inside for edge in diagram.edges_at(one))
    kept = sorted(edge for edge in edges if has_hand_route(diagram.edge(edge)))
    free = [edge for edge in kept if not any(diagram.lock_on(end) for end in diagram.ends(edge) or ())]
    if redraw:
        for edge_id in free:
            set_edge(tx, edge_id, {"route": None})
    elif kept:
        message = f"Kept as they were bent by hand: {name_list(kept)}. With redraw they are drawn anew."
        tx.warn("routes_kept", "", message, kept)
