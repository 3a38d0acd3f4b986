"""Workspaces of a given size, and the batch that is measured: made the same way every time."""

from __future__ import annotations

from typing import Any

from draftsmith.model.document import Document
from draftsmith.model.workspace import Workspace

COLUMNS = 100


def workspace_of(nodes: int, edges_per_node: int = 2) -> Workspace:
    """A grid of nodes, each connected with the next ones, and a small document."""
    workspace = Workspace("Bench")
    diagram = workspace.diagram
    for number in range(nodes):
        position = {"x": number % COLUMNS * 260, "y": number // COLUMNS * 140}
        fields = {"type": "service", "label": f"Service {number}", "technology": "Go", "position": position, "birth": 1}
        diagram.add_node(f"n{number}", fields)
    for number in range(nodes):
        for step in range(1, edges_per_node + 1):
            other = (number + step) % nodes
            if other != number and diagram.ends(f"n{number}--n{other}") is None:
                diagram.add_edge(f"n{number}--n{other}", f"n{number}", f"n{other}", {"label": "calls", "birth": 1})
    workspace.document = Document("# Bench\n\nText.\n")
    return workspace


def batch_at(node: int) -> list[dict[str, Any]]:
    """Five operations around a node, one without a position, one that deletes an edge."""
    one, other = f"n{node}", f"n{node + 1}"
    return [
        {"op": "add_node", "id": "cache", "type": "cache", "label": "Redis Cache", "technology": "Redis 7"},
        {"op": "add_edge", "source": one, "target": "cache", "label": "reads"},
        {"op": "add_edge", "source": "cache", "target": other, "label": "misses"},
        {"op": "delete_edge", "source": one, "target": other},
        {"op": "update_node", "id": other, "description": "Behind a cache."},
    ]
