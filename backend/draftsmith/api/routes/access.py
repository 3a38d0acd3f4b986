"""Who may what in a workspace: members, groups, everybody, share links, ownership, audit."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.access.actions import Action
from draftsmith.access.records import Share
from draftsmith.access.roles import Role
from draftsmith.access.workspace_access import WorkspaceAccess
from draftsmith.api import access_answers as answers
from draftsmith.api.access_schemas import AccessBody, RoleBody, ShareBody, TokenBody, TransferBody
from draftsmith.api.audit_answers import AUDIT_RESPONSES, audit_response
from draftsmith.api.auth import guest
from draftsmith.api.context import API, Ctx, PathWorkspaceId, Who
from draftsmith.api.gate import Entered
from draftsmith.api.given_roles import TOKEN_MODE, given_by, inherited_of
from draftsmith.api.proxies import base_of
from draftsmith.api.responses import json_response
from draftsmith.api.route import Route, requires
from draftsmith.api.times import iso_or_none
from draftsmith.errors import DraftsmithError
from draftsmith.history.times import iso
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.access import members, shares
from draftsmith.usecases.access.role_records import WorkspaceRoles
from draftsmith.usecases.access.standing import opening

router = APIRouter(route_class=Route, prefix=API, tags=["access"])
_W = "/workspaces/{w}"
Named = Annotated[str, Path(max_length=200)]


@router.get(f"{_W}/access", dependencies=[requires(Action.ACCESS_READ)], response_model=answers.AccessOut)
async def get_access(workspace_id: PathWorkspaceId, context: Ctx, entered: Who) -> Response:
    """Say who may what in a workspace."""
    access = WorkspaceAccess() if context.gate.mode == "local" else await members.read(context.access, workspace_id)
    return json_response(_access(access, entered.role or "viewer", entered))


@router.patch(
    f"{_W}/access", dependencies=[requires(Action.ACCESS_WRITE), TOKEN_MODE], response_model=answers.AccessOut
)
async def change_access(workspace_id: PathWorkspaceId, body: AccessBody, context: Ctx, entered: Who) -> Response:
    """Give everybody who is signed in a role, or none; let readers see what others asked the assistant, or not."""
    given = body.model_dump(include=body.model_fields_set)
    access = await members.set_options(WorkspaceRoles(context.access, entered.asking, workspace_id), given)
    return json_response(_access(access, "owner", entered))


@router.put(
    f"{_W}/members/{{principal:path}}",
    dependencies=[requires(Action.ACCESS_WRITE), TOKEN_MODE],
    response_model=answers.AccessOut,
)
async def set_member(
    workspace_id: PathWorkspaceId, principal: Named, body: RoleBody, context: Ctx, entered: Who
) -> Response:
    """Give somebody a role."""
    access = await members.set_member(
        WorkspaceRoles(context.access, entered.asking, workspace_id), principal, body.role
    )
    return json_response(_access(access, "owner", entered))


@router.delete(
    f"{_W}/members/{{principal:path}}",
    dependencies=[requires(Action.ACCESS_WRITE), TOKEN_MODE],
    response_model=answers.AccessOut,
)
async def remove_member(workspace_id: PathWorkspaceId, principal: Named, context: Ctx, entered: Who) -> Response:
    """Take somebody's role away."""
    access = await members.drop_member(WorkspaceRoles(context.access, entered.asking, workspace_id), principal)
    return json_response(_access(access, "owner", entered))


@router.put(
    f"{_W}/groups/{{group}}", dependencies=[requires(Action.ACCESS_WRITE), TOKEN_MODE], response_model=answers.AccessOut
)
async def set_group(
    workspace_id: PathWorkspaceId, group: Named, body: RoleBody, context: Ctx, entered: Who
) -> Response:
    """Give a group, as the issuer names it, a role."""
    access = await members.set_group(WorkspaceRoles(context.access, entered.asking, workspace_id), group, body.role)
    return json_response(_access(access, "owner", entered))


@router.delete(
    f"{_W}/groups/{{group}}", dependencies=[requires(Action.ACCESS_WRITE), TOKEN_MODE], response_model=answers.AccessOut
)
async def remove_group(workspace_id: PathWorkspaceId, group: Named, context: Ctx, entered: Who) -> Response:
    """Take a group's role away."""
    access = await members.set_group(WorkspaceRoles(context.access, entered.asking, workspace_id), group, None)
    return json_response(_access(access, "owner", entered))


@router.post(
    f"{_W}/transfer", dependencies=[requires(Action.ACCESS_WRITE), TOKEN_MODE], response_model=answers.AccessOut
)
async def transfer(workspace_id: PathWorkspaceId, body: TransferBody, context: Ctx, entered: Who) -> Response:
    """Make somebody else the owner; who was it stays as an editor."""
    access = await members.transfer(WorkspaceRoles(context.access, entered.asking, workspace_id), body.to)
    [role] = await context.gate.roles(entered, [workspace_id])
    return json_response(_access(access, role or "viewer", entered))


# -- share links -----------------------------------------------------------------------------------------------------


@router.get(f"{_W}/shares", dependencies=[requires(Action.ACCESS_WRITE)], response_model=answers.ShareList)
async def list_shares(workspace_id: PathWorkspaceId, context: Ctx) -> Response:
    """List the share links of a workspace that have not ended."""
    found = [] if context.gate.mode == "local" else await shares.listed(context.access, workspace_id)
    opens = await opening(context.access, workspace_id, found)
    items = [_share(one, does_open) for one, does_open in zip(found, opens, strict=True)]
    return json_response(answers.ShareList(items=items, next_cursor=None))


@router.post(
    f"{_W}/shares",
    dependencies=[requires(Action.ACCESS_WRITE), TOKEN_MODE],
    response_model=answers.ShareMade,
    status_code=201,
)
async def create_share(
    workspace_id: PathWorkspaceId, body: ShareBody, request: Request, context: Ctx, entered: Who
) -> Response:
    """Make a share link: whoever opens it has its role here, until it ends or is revoked."""
    token, share = await shares.create(context.access, entered.asking, workspace_id, body.role, body.expires_in_hours)
    # In the fragment, which browsers send nowhere: no log and no preview of a link ever has the token.
    url = f"{base_of(request)}/s#{token}"
    return json_response(answers.ShareMade(**_share(share), token=token, url=url), 201)


@router.delete(f"{_W}/shares/{{share_id}}", dependencies=[requires(Action.ACCESS_WRITE), TOKEN_MODE], status_code=204)
async def revoke_share(workspace_id: PathWorkspaceId, share_id: Named, context: Ctx, entered: Who) -> Response:
    """Revoke a share link; pages that are open with it are closed at once."""
    await shares.revoke(context.access, entered.asking, workspace_id, share_id)
    return Response(status_code=204)


@router.post("/shares/open", dependencies=[requires(Action.SIGN_IN), TOKEN_MODE], response_model=answers.OpenedOut)
async def open_share(body: TokenBody, request: Request, context: Ctx, entered: Who) -> Response:
    """Open a share link in this browser, whose profile remembers it."""
    try:
        share = await shares.opened(context.access, body.token)
    except DraftsmithError:
        await context.gate.count_try(entered)
        raise
    workspace_id = WorkspaceId(share.workspace_id)
    [role] = await context.gate.roles(entered, [workspace_id])
    opened = json_response(answers.OpenedOut(workspace_id=workspace_id, role=role or share.role))
    profile = context.profiles.profile(request)
    actor = guest(context.clock.new_id()) if profile is None else profile.actor
    links = {} if profile is None else {w: id_ for w, id_ in profile.links.items() if w != workspace_id}
    is_secure = request.url.scheme == "https"
    context.profiles.remember(opened, actor, secure=is_secure, links={**links, workspace_id: share.id})
    return opened


@router.get(
    f"{_W}/audit",
    dependencies=[requires(Action.AUDIT_READ)],
    response_model=answers.AuditList,
    responses=AUDIT_RESPONSES,
)
async def get_workspace_audit(
    workspace_id: PathWorkspaceId,
    request: Request,
    context: Ctx,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    cursor: Annotated[str | None, Query(max_length=400)] = None,
) -> Response:
    """List who changed who may what here, newest first; as JSON lines for `Accept: application/x-ndjson`."""
    return await audit_response(request, context, workspace_id, cursor, limit)


def _share(share: Share, opens: bool = True) -> answers.ShareItem:
    return {
        "id": share.id,
        "role": share.role,
        "made_by": share.made_by_name,
        "created_at": iso(share.created_ms),
        "until": iso_or_none(share.until_ms),
        "used_at": iso_or_none(share.used_ms),
        "opens": opens,
    }


def _access(access: WorkspaceAccess, role: Role, entered: Entered) -> answers.AccessOut:
    inherited = inherited_of(entered.principal, entered.folders)
    return {**given_by(access), "role": role, "shows_runs": access.shows_runs, "inherited": inherited}
