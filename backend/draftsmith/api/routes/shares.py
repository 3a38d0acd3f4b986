"""Share links of workspaces, to their pictures, too: list, make, revoke, open."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.access.actions import Action
from draftsmith.access.records import Share, SharedPicture
from draftsmith.access.roles import Role
from draftsmith.api.access.cookies import guest
from draftsmith.api.context import API, Context, Ctx, PathWorkspaceId, Who
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.forms import access_answers as answers
from draftsmith.api.forms.access_schemas import ShareBody, SharedPictureBody, TokenBody
from draftsmith.api.forms.responses import json_response
from draftsmith.api.http.proxies import base_of
from draftsmith.api.shared.given_roles import TOKEN_MODE
from draftsmith.api.shared.picture_answers import PICTURE_BY_LINK, pictures_of
from draftsmith.errors import DraftsmithError
from draftsmith.history.times import iso, iso_or_none
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.access import shares
from draftsmith.usecases.access.standing import opening

router = APIRouter(route_class=Route, prefix=API, tags=["access"])
_W = "/workspaces/{w}"
Named = Annotated[str, Path(max_length=200)]


@router.get(f"{_W}/shares", dependencies=[requires(Action.ACCESS_WRITE)], response_model=answers.ShareList)
async def list_shares(workspace_id: PathWorkspaceId, context: Ctx) -> Response:
    """List the share links of a workspace that have not ended."""
    found = [] if context.gate.mode == "local" else await shares.list_shares(context.access, workspace_id)
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
    """Make a share link: whoever opens it has its role here, or sees its picture, until it ends or is revoked."""
    picture = None if body.picture is None else await _picture_of(context, workspace_id, body.role, body.picture)
    token, share = await shares.create(
        context.access, entered.asking, workspace_id, body.role, body.expires_in_hours, picture
    )
    # In the fragment, which browsers send nowhere: no log and no preview of a link ever has the token. What is to be
    # an image is asked for by its address; the query is in no log of ours, as the path would be.
    place = f"/s#{token}" if picture is None else f"{PICTURE_BY_LINK}.svg?link={token}"
    url = f"{base_of(request)}{place}"
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
        share = await shares.open_share(context.access, body.token)
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


async def _picture_of(
    context: Context, workspace_id: WorkspaceId, role: Role, asked: SharedPictureBody
) -> SharedPicture:
    """What a new link to a picture is to show.

    Raises:
        DraftsmithError: `invalid_request`, `pictures_unavailable`; what it is to show is not there.
    """
    if role != "viewer":
        raise DraftsmithError("invalid_request", "A link to a picture gives no role; send the role viewer with it.")
    return await pictures_of(context).check_link(
        workspace_id, SharedPicture(asked.section, tuple(asked.nodes), asked.revision)
    )


def _share(share: Share, opens: bool = True) -> answers.ShareItem:
    return {
        "id": share.id,
        "role": share.role,
        "made_by": share.made_by_name,
        "created_at": iso(share.created_ms),
        "until": iso_or_none(share.until_ms),
        "used_at": iso_or_none(share.used_ms),
        "opens": opens,
        "picture": None if share.picture is None else _answer_of(share.picture),
    }


def _answer_of(picture: SharedPicture) -> answers.SharedPictureOut:
    return {"section": picture.section, "nodes": list(picture.nodes), "revision": picture.revision}
