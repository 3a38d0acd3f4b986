"""Pictures of diagrams, drawn as the page exports them: for who may read a workspace, and by links to pictures."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Final

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.access.actions import Action
from draftsmith.api.context import API, Context, Ctx, Me, PathWorkspaceId
from draftsmith.api.contract.describing import problems
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.forms.answers import OEmbedOut
from draftsmith.api.forms.responses import json_response
from draftsmith.api.http.guard import note
from draftsmith.api.http.proxies import address_of
from draftsmith.api.shared.given_roles import TOKEN_MODE
from draftsmith.api.shared.picture_answers import PICTURE_BY_LINK, Options, picture_response, picture_responses
from draftsmith.api.shared.previews import oembed_of
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.access.shares import open_picture
from draftsmith.usecases.requests.client import Client, set_client
from draftsmith.usecases.upkeep.pictures import PictureOptions, allowed_by

router = APIRouter(route_class=Route, prefix=API, tags=["reading"])
_OWN: Final = {"Cache-Control": "private, no-cache"}
_EMBEDDED: Final = {
    "Cache-Control": "no-cache",  # asked again each time, so that a link that was revoked shows nothing more
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Origin": "*",
}
"""What lets pages of any origin show a picture: it is shown for its link alone, whoever asks."""
_PREVIEW: Final = {"Cache-Control": "no-cache"}
_NOT_THERE: Final = {
    "node_not_found", "node_ambiguous", "section_not_found", "section_ambiguous", "section_without_nodes"
}  # fmt: skip

LinkToken = Annotated[str, Query(min_length=1, max_length=200, description="The token of a link to a picture.")]


@router.get(
    "/workspaces/{w}/picture.svg",
    dependencies=[requires(Action.READ)],
    response_class=Response,
    responses=picture_responses("svg"),
)
async def get_picture_svg(
    workspace_id: PathWorkspaceId, request: Request, context: Ctx, actor: Me, options: Options
) -> Response:
    """Draw the diagram as SVG: byte for byte what the page exports."""
    return await picture_response(workspace_id, request, context, options, _OWN)


@router.get(
    "/workspaces/{w}/picture.png",
    dependencies=[requires(Action.READ)],
    response_class=Response,
    responses=picture_responses("png"),
)
async def get_picture_png(
    workspace_id: PathWorkspaceId, request: Request, context: Ctx, actor: Me, options: Options
) -> Response:
    """Draw the diagram as PNG."""
    return await picture_response(workspace_id, request, context, replace(options, form="png"), _OWN)


@router.get(
    f"{PICTURE_BY_LINK.removeprefix(API)}.svg",
    dependencies=[requires(Action.PUBLIC), TOKEN_MODE],
    response_class=Response,
    responses=picture_responses("svg"),
)
async def get_shared_picture_svg(link: LinkToken, request: Request, context: Ctx, options: Options) -> Response:
    """Show the picture of a link as SVG, to whoever has it and on pages of any origin."""
    return await _by_link(link, request, context, options)


@router.get(
    f"{PICTURE_BY_LINK.removeprefix(API)}.png",
    dependencies=[requires(Action.PUBLIC), TOKEN_MODE],
    response_class=Response,
    responses=picture_responses("png"),
)
async def get_shared_picture_png(link: LinkToken, request: Request, context: Ctx, options: Options) -> Response:
    """Show the picture of a link as PNG, to whoever has it and on pages of any origin."""
    return await _by_link(link, request, context, replace(options, form="png"))


@router.get("/oembed", dependencies=[requires(Action.PUBLIC)], response_model=OEmbedOut, responses=problems(404, 501))
async def get_oembed(
    request: Request,
    context: Ctx,
    url: Annotated[str, Query(min_length=1, max_length=4_000, description="An address of this server.")],
    maxwidth: Annotated[int | None, Query(ge=1, le=10_000, description="Pixels.")] = None,
    maxheight: Annotated[int | None, Query(ge=1, le=10_000, description="Pixels.")] = None,
) -> Response:
    """Preview an address (oEmbed 1.0): the picture of its `link`, or the product's name."""
    return json_response(await oembed_of(context, request, url, maxwidth, maxheight), headers=_PREVIEW)


async def _by_link(token: str, request: Request, context: Context, options: PictureOptions) -> Response:
    """The picture of a link.

    A token that opens nothing does not count as a try: what has been revoked is still asked for by every page that
    shows it, and would lock their readers out.
    """
    share, shows = await open_picture(context.access, token)
    reader = f"link:{share.id}"
    note(request.scope, actor=reader)
    set_client(Client(address_of(request), reader))
    allowed = allowed_by(shows, options)
    try:
        return await picture_response(WorkspaceId(share.workspace_id), request, context, allowed, _EMBEDDED)
    except DraftsmithError as error:
        if shows.is_part and error.code in _NOT_THERE:  # what would be meant instead is no part of the picture
            raise DraftsmithError(error.code, "What this link shows is not there now.") from None
        raise
