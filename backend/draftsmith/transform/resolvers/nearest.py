"""The error for an id of no edge, with the ids that are nearest to it."""

from __future__ import annotations

from typing import Final

from rapidfuzz import fuzz, process

from draftsmith.errors import Existence
from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.work import Work
from draftsmith.transform import costs
from draftsmith.transform.refusal import OperationRefused

_ALIKE: Final = 55  # of 100, from which on another id is worth naming


def no_edge(diagram: Diagram, edge_id: EdgeId, path: str, work: Work | None = None) -> OperationRefused:
    """`edge_not_found`, with those between the two nodes that the id names, else at one of them, else of a like id.

    `work`: what looking for them is spent on.
    """
    if work is not None:
        work.spend(costs.NAME * diagram.edge_count, costs.NAMES)
    first, last = (NodeId(end) for end in edge_id.partition("--")[::2])
    near = diagram.edges_between(first, last) if first in diagram and last in diagram else []
    at_one = [edge for end in (first, last) if end in diagram for edge in diagram.edges_at(end)]
    near = near or [other for other, _, _ in process.extract(edge_id, at_one, scorer=fuzz.WRatio, limit=5)]
    if not near:
        found = process.extract(edge_id, list(diagram.edge_ids()), scorer=fuzz.WRatio, limit=3, score_cutoff=_ALIKE)
        near = [other for other, _, _ in found]
    about = [Existence("edge", edge_id)]
    return OperationRefused("edge_not_found", path, f"There is no edge '{edge_id[:80]}'.", near, about)
