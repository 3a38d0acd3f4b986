"""Lays out anew what was imported from a text, which has no positions of its own but a direction in which it flows."""

from __future__ import annotations

from typing import Final, cast

from draftsmith.model.fields import SparseEdge, SparseNode
from draftsmith.model.workspace import WorkspaceContent
from draftsmith.transform.placement.layouts import Layouts, plain, route_of
from draftsmith.usecases.prepare.arranging import Arranging

_DIRECTIONS: Final = {"right": "RIGHT", "down": "DOWN"}
"""As the engine calls them; what flows to the other sides keeps the positions that it was given."""


async def drawn_again(arranging: Arranging, content: WorkspaceContent) -> WorkspaceContent:
    """The same content with the engine's positions, sizes and routes; as it is where the engine has no answer."""
    direction = _DIRECTIONS.get(content.get("flow", ""))
    diagram = content.get("diagram")
    if direction is None or diagram is None or not diagram.get("nodes"):
        return content
    layouts, question = Layouts(), plain(diagram["nodes"], diagram.get("edges", []), direction)
    layouts.arrangement(question)
    found = Layouts(await arranging.answers(layouts.asks)).arrangement(question)
    if found is None:
        return content
    nodes = [
        cast(SparseNode, {**node, "position": found.positions[node["id"]], "size": found.sizes.get(node["id"])})
        for node in diagram["nodes"]
    ]
    edges = [
        cast(SparseEdge, {**edge, "route": route_of(found.routes.get(edge["id"]))}) for edge in diagram.get("edges", [])
    ]
    return {**content, "diagram": {**diagram, "nodes": nodes, "edges": edges}}
