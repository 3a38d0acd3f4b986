"""Proposals of the assistant and of people: list, look, accept in whole or in part, reject."""

from __future__ import annotations

import re
from typing import Annotated, TypeVar

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.access.actions import Action
from draftsmith.access.policy import refusal
from draftsmith.api.access.gate import AuthorizedCaller
from draftsmith.api.context import API, Ctx, Me, PathWorkspaceId, Who
from draftsmith.api.contract.describing import answer, examples, in_workspace, problems
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.forms import run_answers as answers
from draftsmith.api.forms import schemas
from draftsmith.api.forms.responses import json_response, write_response
from draftsmith.api.http.guard import note
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import ProposalId
from draftsmith.ports.proposal_shapes import ProposalOut
from draftsmith.usecases.proposals.shapes import AcceptAnswer, ProposalFull

Shape = TypeVar("Shape", ProposalOut, ProposalFull)
router = APIRouter(route_class=Route, prefix=API, tags=["assistant"])
_PROPOSAL = re.compile(r"[0-9a-hjkmnp-tv-z]{26}")


@router.get(
    "/workspaces/{w}/proposals",
    dependencies=[requires(Action.READ)],
    response_model=answers.ProposalList,
    responses={
        200: answer(
            then=dict.fromkeys(
                ("get_proposal", "accept_proposal", "reject_proposal"), in_workspace("proposal_id", "items/0/id")
            )
        )
    },
)
async def list_proposals(workspace_id: PathWorkspaceId, context: Ctx, entered: Who) -> Response:
    """List proposals, newest first; they are kept for 14 days. Whether each fits is looked at now."""
    found = await context.proposals.list(workspace_id)
    return json_response(answers.ProposalList(items=[_as_seen(one, entered) for one in found], next_cursor=None))


@router.get(
    "/workspaces/{w}/proposals/{proposal_id}", dependencies=[requires(Action.READ)], response_model=ProposalFull
)
async def get_proposal(workspace_id: PathWorkspaceId, proposal_id: ProposalId, context: Ctx, entered: Who) -> Response:
    """Read one proposal: its operations, what each builds on, what no longer fits, and what it would change now."""
    _check(proposal_id)
    return json_response(_as_seen(await context.proposals.get(workspace_id, proposal_id), entered))


@router.post(
    "/workspaces/{w}/proposals/{proposal_id}/accept",
    dependencies=[requires(Action.DECIDE)],
    response_model=AcceptAnswer,
)
async def accept_proposal(
    workspace_id: PathWorkspaceId,
    proposal_id: ProposalId,
    body: Annotated[schemas.AcceptBody, examples(all={}, some={"operations": [0, 2]}, look={"dry_run": True})],
    request: Request,
    context: Ctx,
    actor: Me,
) -> Response:
    """Apply a proposal as one commit of whoever accepts; named operations bring along what they build on."""
    _check(proposal_id)
    note(request.scope, batch_id=proposal_id)
    answer = await context.proposals.accept(workspace_id, proposal_id, actor, body.operations, dry_run=body.dry_run)
    return write_response(request, answer)


@router.post(
    "/workspaces/{w}/proposals/{proposal_id}/reject",
    dependencies=[requires(Action.PROPOSE, further=Action.DECIDE, unless="their own")],
    response_model=ProposalFull,
    responses=problems(409),
)
async def reject_proposal(
    workspace_id: PathWorkspaceId,
    proposal_id: ProposalId,
    body: Annotated[schemas.EmptyBody, examples(no={})],
    context: Ctx,
    actor: Me,
    entered: Who,
) -> Response:
    """Close a proposal without applying it; whoever made it may withdraw it so."""
    _check(proposal_id)
    refused = refusal(entered.principal, Action.DECIDE, entered.role)
    if refused is not None and (await context.proposals.get(workspace_id, proposal_id))["actor"]["id"] != actor.id:
        raise refused
    closed = await context.proposals.reject(workspace_id, proposal_id, actor)
    context.assistant.proposals_changed(workspace_id)
    return json_response(_as_seen(closed, entered))


def _as_seen(proposal: Shape, entered: AuthorizedCaller) -> Shape:
    """A proposal without what was asked, for who may not see what others ask."""
    if entered.sees_runs_of(proposal["actor"]["id"]):
        return proposal
    return {**proposal, "prompt": ""}


def _check(proposal_id: ProposalId) -> None:
    """Refuse what cannot be a proposal's id, before it becomes part of a key."""
    if not _PROPOSAL.fullmatch(proposal_id):
        raise DraftsmithError("proposal_not_found", "There is no such proposal.")
