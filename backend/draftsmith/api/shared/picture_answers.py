"""Answers that are pictures: what they are asked with, their ETags, their files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from fastapi import Depends, Query
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.api.context import API, Context
from draftsmith.api.contract.describing import UNCHANGED, Part, Responses, problems
from draftsmith.api.forms.responses import is_unchanged
from draftsmith.model.formats import LEAST_SCALE, MOST_SCALE, PictureFormat, Theme
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.upkeep.pictures import PictureOptions, Pictures, check_there

PICTURE_BY_LINK: Final = f"{API}/picture"
"""Where a link to a picture shows it, without the ending that says its form."""
_MEDIA: Final[Mapping[PictureFormat, str]] = {"svg": "image/svg+xml", "png": "image/png"}


def picture_responses(form: PictureFormat) -> Responses:
    """How a picture of a form is answered."""
    schema: Part = {"type": "string"} if form == "svg" else {"type": "string", "format": "binary"}
    content = {_MEDIA[form]: {"schema": schema}}
    return {**UNCHANGED, **problems(501), 200: {"description": "The picture.", "content": content}}


async def picture_options(
    theme: Annotated[Theme, Query(description="Its colours.")] = "light",
    scale: Annotated[
        float, Query(ge=LEAST_SCALE, le=MOST_SCALE, description="Pixels for each pixel of the diagram.")
    ] = 1.0,
    section: Annotated[
        str | None,
        Query(max_length=2_000, description="The path of a section: what its links to nodes name is drawn, no more."),
    ] = None,
    nodes: Annotated[
        list[str],
        Query(
            max_length=500,
            description="Ids or names of nodes: these are drawn with what they hold, no more. With commas between "
            "them, or repeated.",
        ),
    ] = [],  # noqa: B006  # FastAPI copies it
    revision: Annotated[int | None, Query(ge=0, description="As it was then; by itself as it is now.")] = None,
) -> PictureOptions:
    """What all pictures are asked with."""
    names = tuple(name.strip() for part in nodes for name in part.split(",") if name.strip())
    return PictureOptions("svg", theme, scale, section or None, names, revision)


Options = Annotated[PictureOptions, Depends(picture_options)]


async def picture_response(
    workspace_id: WorkspaceId, request: Request, context: Context, options: PictureOptions, headers: Mapping[str, str]
) -> Response:
    """A picture with its ETag and further headers; 304 if the caller has it.

    Raises:
        DraftsmithError: `pictures_unavailable`; as `Pictures.tag` and `Pictures.picture`.
    """
    pictures = pictures_of(context)
    tag = await pictures.tag(workspace_id, options)
    if is_unchanged(request, tag):
        return Response(status_code=304, headers={"ETag": tag, **headers})
    picture = await pictures.picture(workspace_id, tag, options)
    if is_unchanged(request, picture.tag):  # one in which an image is missing has a tag that is known now alone
        return Response(status_code=304, headers={"ETag": picture.tag, **headers})
    return Response(picture.content, headers={"ETag": picture.tag, **headers}, media_type=_MEDIA[options.form])


def pictures_of(context: Context) -> Pictures:
    """What draws pictures here.

    Raises:
        DraftsmithError: `pictures_unavailable`.
    """
    return check_there(context.pictures)
