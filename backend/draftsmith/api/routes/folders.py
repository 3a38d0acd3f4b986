"""Folders of workspaces: make, list, rename, move, delete. Not here: who may what in them (`roles`)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Annotated, Literal, cast

import orjson
from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.access.actions import Action
from draftsmith.access.folders import Folder, FolderId, role_in
from draftsmith.access.policy import check
from draftsmith.access.roles import Role
from draftsmith.api.access.gate import AuthorizedCaller, folder_roles
from draftsmith.api.context import API, Context, Ctx, Me, PathFolderId, Who, identity_of
from draftsmith.api.contract.describing import UNCHANGED, answer, parameters, problems
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.forms import access_answers as answers
from draftsmith.api.forms.access_schemas import FolderBody, FolderChangeBody
from draftsmith.api.forms.reading import Content, given_id
from draftsmith.api.forms.responses import is_unchanged, json_response
from draftsmith.api.http.proxies import root_of
from draftsmith.errors import DraftsmithError, Problem
from draftsmith.history.times import iso
from draftsmith.usecases.access import folders
from draftsmith.usecases.requests.identity import derived_id, fingerprint

router = APIRouter(route_class=Route, prefix=API, tags=["folders"])
_F = "/folders/{f}"
Named = Annotated[str, Path(max_length=200)]


@router.get("/folders", dependencies=[requires(Action.LIST)], response_model=answers.FolderList, responses=UNCHANGED)
async def list_folders(request: Request, context: Ctx, entered: Who) -> Response:
    """List all folders that one sees, by name; there are at most 2,000."""
    tree = await context.access.stores.folders.all()
    roles = folder_roles(entered.principal, tree)
    found = sorted((tree.folders[one] for one in roles), key=lambda folder: (folder.name.casefold(), folder.id))
    items = [_folder(folder, roles[folder.id], is_inside=folder.parent in roles) for folder in found]
    return _response_with_etag(request, answers.FolderList(items=items, next_cursor=None))


@router.post(
    "/folders",
    dependencies=[requires(Action.CREATE)],
    response_model=answers.FolderOut,
    status_code=201,
    responses={**problems(404), 201: answer("Location", "Idempotent-Replayed")},
    openapi_extra=parameters("IdempotencyKey"),
)
async def create_folder(
    content: Content, body: FolderBody, request: Request, context: Ctx, actor: Me, entered: Who
) -> Response:
    """Make a folder, at the top or in another one; whoever makes it owns it."""
    if entered.principal.application is not None:
        raise DraftsmithError("forbidden", "Applications and their people have no folders.")
    if body.parent is not None:
        await context.gate.enter(request, Action.FOLDER_WRITE, folder_id=body.parent)
    identity = identity_of(context, actor, request, given_id(request))
    folder, is_repeat = await folders.create(
        context.access,
        entered.asking,
        FolderId(derived_id("folder", identity.txid)),
        body.name,
        None if body.parent is None else FolderId(body.parent),
        fingerprint(content),
    )
    headers = {"Location": f"{root_of(request)}{API}/folders/{folder.id}"}
    if is_repeat:
        headers["Idempotent-Replayed"] = "true"
    [shown, _] = await _folder_view(context, entered, folder)
    return json_response(shown, 201, headers)


@router.get(_F, dependencies=[requires(Action.FOLDER_READ)], response_model=answers.FolderOut, responses=UNCHANGED)
async def get_folder(folder_id: PathFolderId, request: Request, entered: Who) -> Response:
    """Show a folder."""
    folder, *around = entered.folders
    is_inside = role_in(entered.principal, around) is not None
    return _response_with_etag(request, _folder(folder, entered.role or "viewer", is_inside=is_inside))


@router.patch(
    _F,
    dependencies=[requires(Action.FOLDER_WRITE, further=Action.FOLDER_OWN, unless="its name")],
    response_model=answers.FolderOut,
)
async def change_folder(
    folder_id: PathFolderId, body: FolderChangeBody, request: Request, context: Ctx, entered: Who
) -> Response:
    """Rename a folder; or put it, with all that lies in it, into another one or to the top, which takes its owner."""
    given = body.model_fields_set
    if "name" in given and body.name is None:
        problem = Problem(-1, "", "field_invalid", "/name", "A folder has a name; leave it out to keep it.")
        raise DraftsmithError("invalid_request", f"{problem.message} Nothing was changed.", [problem])
    if "parent" in given:
        check(entered.principal, Action.FOLDER_OWN, entered.role)
        if body.parent is not None:
            await context.gate.enter(request, Action.FOLDER_WRITE, folder_id=body.parent)
    changes = body.model_dump(include=given)
    folder = await folders.change(context.access, entered.asking, folder_id, cast(folders.FolderChanges, changes))
    [shown, _] = await _folder_view(context, entered, folder)
    return json_response(shown)


@router.delete(_F, dependencies=[requires(Action.FOLDER_OWN)], status_code=204, responses=problems(409))
async def delete_folder(
    folder_id: PathFolderId,
    context: Ctx,
    entered: Who,
    contents: Annotated[
        Literal["refuse", "move_up"], Query(description="What becomes of what lies in it; `refuse`: nothing may.")
    ] = "refuse",
) -> Response:
    """Delete a folder: an empty one, or one whose contents move to where it lies."""
    there, trashed = await context.workspaces.ids()
    is_moving = contents == "move_up"
    await folders.remove(context.access, entered.asking, folder_id, there, trashed, moves_up=is_moving)
    return Response(status_code=204)


async def _folder_view(context: Context, entered: AuthorizedCaller, folder: Folder) -> tuple[answers.FolderOut, Role]:
    """A folder that was just written, and the role that its writer has there now."""
    around = [] if folder.parent is None else await context.access.stores.folders.chain(folder.parent)
    role: Role = role_in(entered.principal, [folder, *around]) or "viewer"
    return _folder(folder, role, is_inside=role_in(entered.principal, around) is not None), role


def _folder(folder: Folder, role: Role, *, is_inside: bool) -> answers.FolderOut:
    return {
        "id": folder.id,
        "name": folder.name,
        "parent": folder.parent if is_inside else None,
        "role": role,
        "created_at": iso(folder.created_ms),
    }


def _response_with_etag(request: Request, content: Mapping[str, object]) -> Response:
    """An answer whose ETag is what it says; 304 for who has it already."""
    tag = f'"{hashlib.sha256(orjson.dumps(content)).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if is_unchanged(request, tag):
        return Response(status_code=304, headers=headers)
    return json_response(content, headers=headers)
