"""How much of its limits a workspace uses, and the refusal of what would cross one of them."""

from __future__ import annotations

from collections.abc import Mapping

from draftsmith.errors import DraftsmithError, Problem
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.workspace import Workspace


def sizes_of(workspace: Workspace) -> dict[str, int]:
    """How much of each limit is used, by the code of its refusal."""
    diagram = workspace.diagram
    return {
        "limit_nodes": diagram.node_count,
        "limit_edges": diagram.edge_count,
        "limit_document": len(workspace.document.text),
    }


def check_limits(workspace: Workspace, before: Mapping[str, int], limits: WorkspaceLimits, cause: str) -> None:
    """Refuse a workspace that has grown beyond a limit; one that was beyond it before may stay so.

    Args:
        workspace: with the change.
        before: `sizes_of` it without the change.
        limits: what it may hold.
        cause: a sentence that says what has made it grow.

    Raises:
        DraftsmithError: the code of the limit.
    """
    most = {
        "limit_nodes": (limits.nodes, "nodes"),
        "limit_edges": (limits.edges, "edges"),
        "limit_document": (limits.document_chars, "characters in its document"),
    }
    for code, size in sizes_of(workspace).items():
        limit, what = most[code]
        if size > limit and size > before[code]:
            message = f"{cause}; the workspace may hold {limit:,} {what} and would have {size:,}."
            raise DraftsmithError(code, message, [Problem(-1, "", code, "", message)])
