"""Images of a workspace: put by the hash of their bytes, and shown as what they are and nothing else."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from draftsmith.access.actions import Action
from draftsmith.api.context import API, Context, Ctx, Me, PathWorkspaceId
from draftsmith.api.contract.describing import UNCHANGED, Part, answer
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.forms import answers
from draftsmith.api.forms.responses import is_unchanged, json_response
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.images import IMAGE_TYPES, address_of
from draftsmith.ports.blobs import StoredImage

router = APIRouter(route_class=Route, prefix=API, tags=["images"])
_BYTES: Final[Part] = {kind: {"schema": {"type": "string", "format": "binary"}} for kind in IMAGE_TYPES}
_HEADERS: Final = {
    "Cache-Control": "private, max-age=31536000, immutable",
    # Whoever opens it in a tab opens it in an origin of its own, without scripts; an <img> never runs them.
    "Content-Security-Policy": "sandbox; default-src 'none'",
}
_PUT: Final[answers.ImageOut] = {
    "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "type": "image/png",
    "bytes": 20_480,
    "width": 640,
    "height": 400,
}
Sha256 = Annotated[str, Path(max_length=80, description="The SHA-256 of its bytes: 64 hex digits in lower case.")]
Name = Annotated[
    str, Path(alias="sha256", max_length=80, description="Its SHA-256, with the extension of its type or without.")
]


@router.get("/workspaces/{w}/images", dependencies=[requires(Action.READ)], response_model=answers.ImageList)
async def list_images(workspace_id: PathWorkspaceId, context: Ctx) -> Response:
    """List the images of a workspace, with what they take and what they may."""
    await _check_usable(context, workspace_id)
    images, limits = await context.images.all(workspace_id), context.images.limits
    listed = answers.ImageList(
        items=[_item(image) for image in images],
        next_cursor=None,
        bytes=sum(image.size for image in images),
        limits={
            "types": list(IMAGE_TYPES),
            "bytes": limits.bytes,
            "side": limits.side,
            "all_bytes": limits.all_bytes,
            "count": limits.count,
        },
    )
    return json_response(listed)


@router.put(
    "/workspaces/{w}/images/{sha256}",
    dependencies=[requires(Action.WRITE)],
    response_model=answers.ImageOut,
    status_code=201,
    responses={
        201: answer(example=_PUT),
        200: answer(example=_PUT, model=answers.ImageOut, description="It was there already."),
    },
    openapi_extra={"requestBody": {"required": True, "content": _BYTES}},
)
async def put_image(
    workspace_id: PathWorkspaceId, sha256: Sha256, request: Request, context: Ctx, actor: Me
) -> Response:
    """Put an image, named by the hash of its bytes; repeating it changes nothing.

    Its bytes must be of the type of `Content-Type`: PNG, JPEG, GIF, WebP or SVG. A text or a node refers to it by
    `images/{sha256}.{ext}`, in an ordinary write. What nothing kept names goes after a day.
    """
    await _check_usable(context, workspace_id)
    declared = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if declared not in IMAGE_TYPES:
        raise DraftsmithError("media_type", f"Images are sent with their own Content-Type: {', '.join(IMAGE_TYPES)}.")
    image = await context.images.put(workspace_id, sha256, declared, content := await request.body())
    header = image.header
    shape: answers.ImageOut = {
        "sha256": sha256,
        "type": header.type,
        "bytes": len(content),
        "width": header.width,
        "height": header.height,
    }
    return json_response(shape, 201 if image.is_new else 200)


@router.get(
    "/workspaces/{w}/images/{sha256}",
    dependencies=[requires(Action.READ)],
    response_class=Response,
    responses={**UNCHANGED, 200: {"description": "The image.", "content": _BYTES}},
)
async def get_image(workspace_id: PathWorkspaceId, name: Name, request: Request, context: Ctx) -> Response:
    """Show an image, as the type that its bytes are; an extension says nothing."""
    await _check_usable(context, workspace_id)
    image = await context.images.find(workspace_id, name.partition(".")[0])
    headers = {**_HEADERS, "ETag": f'"{image.sha256}"'}
    if is_unchanged(request, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    chunks = await context.images.chunks(workspace_id, image)
    headers["Content-Length"] = str(image.size)
    return StreamingResponse(chunks, headers=headers, media_type=image.type)


async def _check_usable(context: Context, workspace_id: WorkspaceId) -> None:
    """Refuse a workspace that is not there, or in the trash.

    Raises:
        DraftsmithError: `workspace_not_found`, `workspace_deleted`.
    """
    meta = await context.workspaces.meta(workspace_id)
    if meta.deleted_ms is not None:
        raise DraftsmithError("workspace_deleted", "This workspace is in the trash; undelete it first.")


def _item(image: StoredImage) -> answers.ImageItem:
    return {
        "sha256": image.sha256,
        "type": image.type,
        "bytes": image.size,
        "address": address_of(image.sha256, image.type),
    }
