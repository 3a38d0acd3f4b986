"""Architecture patterns: list, search, fill in for a selection. What is filled in is sent as a batch like any other."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import StringConstraints
from starlette.responses import Response

from draftsmith.access.actions import Action
from draftsmith.api.context import API, Context, Ctx, PathWorkspaceId
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.forms import run_answers as answers
from draftsmith.api.forms.responses import json_response
from draftsmith.assistant.patterns.pattern import Pattern, pattern_json
from draftsmith.assistant.patterns.search import find_patterns
from draftsmith.assistant.patterns.shape import MOST_SELECTED, FilledPattern, fill_pattern
from draftsmith.assistant.patterns.shapes import FilledPatternOut
from draftsmith.errors import DraftsmithError
from draftsmith.history.replica import Replica
from draftsmith.model.ids import EdgeId, NodeId

router = APIRouter(route_class=Route, prefix=API, tags=["assistant"])
_Id = StringConstraints(max_length=200)
_Nodes = Annotated[list[Annotated[NodeId, _Id]] | None, Query(alias="node", max_length=MOST_SELECTED)]
_Edges = Annotated[list[Annotated[EdgeId, _Id]] | None, Query(alias="edge", max_length=MOST_SELECTED)]


@router.get("/patterns", dependencies=[requires(Action.LIST)], response_model=answers.PatternList)
async def list_patterns(context: Ctx, q: Annotated[str, Query(max_length=1_000)] = "") -> Response:
    """List architecture patterns and anti-patterns by name; with `q` those that share words with it, best first."""
    found = find_patterns(context.assistant.dependencies.patterns, q)
    return json_response(answers.PatternList(items=[pattern_json(one) for one in found], next_cursor=None))


@router.get(
    "/workspaces/{w}/patterns/{pattern_id}", dependencies=[requires(Action.READ)], response_model=FilledPatternOut
)
async def fill_in_pattern(
    workspace_id: PathWorkspaceId,
    pattern_id: str,
    context: Ctx,
    nodes: _Nodes = None,
    edges: _Edges = None,
) -> Response:
    """Give the operations of a pattern for selected nodes and edges, to be sent to `…/batches`; nothing is changed."""
    pattern = _pattern(context, pattern_id)

    def fill(replica: Replica) -> tuple[int, FilledPattern]:
        return replica.head.revision, fill_pattern(pattern, replica.workspace.diagram, nodes or (), edges or ())

    revision, filled = await context.workspaces.read(workspace_id, fill)
    answer: FilledPatternOut = {
        "pattern": pattern.id,
        "revision": revision,
        "operations": filled.operations,
        "explanation": f"Pattern: {pattern.name}" if pattern.kind == "pattern" else f"Instead of: {pattern.name}",
        "roles": {name: list(some) for name, some in filled.roles.items()},
        "made": list(filled.new_ids),
        "unused": list(filled.unused),
    }
    return json_response(answer)


def _pattern(context: Context, pattern_id: str) -> Pattern:
    for one in context.assistant.dependencies.patterns:
        if one.id == pattern_id:
            return one
    raise DraftsmithError("not_found", f"There is no pattern '{pattern_id[:80]}'; GET {API}/patterns lists them.")
