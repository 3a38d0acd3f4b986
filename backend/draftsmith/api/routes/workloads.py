"""What runs beside a workspace: compared with its diagram, and drawn as a proposal. No model is asked.

Both read a cluster by a registered plugin and change nothing. The operations of a row are sent as a batch like any
other, at once or with `propose`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.access.actions import Action
from draftsmith.api.context import API, Context, Ctx, Me, PathWorkspaceId, identity_of
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.forms import schemas
from draftsmith.api.forms.reading import given_id
from draftsmith.api.forms.responses import json_response
from draftsmith.errors import DraftsmithError
from draftsmith.usecases.proposals.shapes import ProposalFull
from draftsmith.workloads.shapes import WorkloadComparisonOut

if TYPE_CHECKING:  # nothing of plugins is imported where none is registered
    from draftsmith.usecases.workloads.running_workloads import RunningWorkloads

router = APIRouter(route_class=Route, prefix=API, tags=["workloads"])


@router.post(
    "/workspaces/{w}/workloads/compare",
    dependencies=[requires(Action.PROPOSE)],
    response_model=WorkloadComparisonOut,
)
async def compare_with_what_runs(workspace_id: PathWorkspaceId, body: schemas.WorkloadsBody, context: Ctx) -> Response:
    """Compare the diagram with what runs: each row with its evidence and the operations that would settle it."""
    compared = await _workloads(context).compare(workspace_id, body.plugin, body.namespaces)
    return json_response(compared)


@router.post(
    "/workspaces/{w}/workloads/proposals",
    dependencies=[requires(Action.PROPOSE)],
    response_model=ProposalFull,
    status_code=201,
)
async def draw_what_runs(
    workspace_id: PathWorkspaceId, body: schemas.WorkloadsBody, request: Request, context: Ctx, actor: Me
) -> Response:
    """Propose to draw everything that runs and is not drawn: groups, nodes, and lines with their evidence."""
    workloads = _workloads(context)
    identity = identity_of(context, actor, request, given_id(request))
    made = await workloads.draw(workspace_id, identity, actor, body.plugin, body.namespaces)
    return json_response(made, 201)


def _workloads(context: Context) -> RunningWorkloads:
    if context.workloads is None:
        raise DraftsmithError(
            "workloads_unavailable",
            "What runs cannot be read here: no plugin is registered. Register one with 'draftsmith plugin add"
            " kubernetes <address>'; docs/what-runs.md says more.",
        )
    return context.workloads
