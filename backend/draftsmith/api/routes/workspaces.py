"""Workspaces: list, create, rename, put into the trash and take out."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.access.actions import Action
from draftsmith.access.folders import FolderId
from draftsmith.access.roles import Role, is_at_least
from draftsmith.api.access.gate import AuthorizedCaller, WorkspaceRole
from draftsmith.api.context import API, Context, Ctx, Me, PathWorkspaceId, Who, identity_of
from draftsmith.api.contract.describing import SAME_WORKSPACE, answer, examples, parameters, problems
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.forms import answers, schemas
from draftsmith.api.forms.access_schemas import PlaceBody
from draftsmith.api.forms.body_paths import BodyPaths
from draftsmith.api.forms.reading import Content, given_id
from draftsmith.api.forms.responses import bytes_response, cursor, json_response, read_cursor, write_response
from draftsmith.api.http.proxies import root_of
from draftsmith.api.routes.writes import run_body
from draftsmith.api.shared.creation import put_images, reserve_workspace, start_from
from draftsmith.api.shared.uploads import are_large, source_files, with_charts
from draftsmith.errors import DraftsmithError, Problem, ProblemOut
from draftsmith.history.times import iso
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.name_search import searched_words
from draftsmith.model.readers.registry import READERS
from draftsmith.model.workspace import Workspace
from draftsmith.ports import Meta
from draftsmith.ports.listing import ListQuery
from draftsmith.usecases.access import folders, members
from draftsmith.usecases.requests.client import current_client
from draftsmith.usecases.requests.identity import fingerprint
from draftsmith.usecases.requests.shapes import WriteAnswer
from draftsmith.usecases.upkeep.files_import import read_files
from draftsmith.usecases.upkeep.listing import Item
from draftsmith.usecases.upkeep.shapes import FormatList, FormatOut, ReadFilesOut

router = APIRouter(route_class=Route, prefix=API, tags=["workspaces"])
Limit = Annotated[int, Query(ge=1, le=200)]
_NO_FOLDER = "none"
_MERMAID = "flowchart LR\n  web[Shop] -->|places orders| api[Orders]\n  api --> db[(Orders database)]\n"
_CREATED: answers.CreatedOut = {
    "id": "01j9zq4t6v8w0x2y4z6a8b0c2d",
    "name": "Checkout",
    "role": "owner",
    "folder": None,
    "revision": 1,
    "nodes": 0,
    "edges": 0,
    "chars": 0,
    "created_at": "2026-05-04T09:30:00.000Z",
    "updated_at": "2026-05-04T09:30:00.000Z",
    "changed_by": "Ada",
    "deleted_at": None,
    "warnings": [],
}


def _item(workspace_id: WorkspaceId, meta: Meta, role: Role, folder: str | None) -> answers.WorkspaceItem:
    summary = meta.summary
    return {
        "id": workspace_id,
        "name": summary.get("name", ""),
        "role": role,
        "folder": folder,
        "revision": meta.head.revision,
        "nodes": summary.get("nodes", 0),
        "edges": summary.get("edges", 0),
        "chars": summary.get("chars", 0),
        "created_at": iso(meta.created_ms),
        "updated_at": iso(meta.updated_ms),
        "changed_by": summary.get("changed_by"),
        "deleted_at": None if meta.deleted_ms is None else iso(meta.deleted_ms),
    }


@router.get(
    "/workspaces", dependencies=[requires(Action.LIST)], response_model=answers.WorkspaceList, responses=problems(404)
)
async def list_workspaces(
    request: Request,
    context: Ctx,
    entered: Who,
    q: Annotated[
        str, Query(max_length=200, description="Words, each of which begins a word of the name; in any order.")
    ] = "",
    limit: Limit = 50,
    cursor_: Annotated[str | None, Query(alias="cursor", max_length=400)] = None,
    trash: bool = False,
    sort: Literal["changed", "name"] = "changed",
    folder: Annotated[
        str, Query(max_length=64, description="Only those that lie directly in this folder; `none`: in no folder.")
    ] = "",
) -> Response:
    """List the workspaces that one may see, newest change first, or by name; in the trash those that one owns."""
    if folder not in ("", _NO_FOLDER):
        await context.gate.enter(request, Action.FOLDER_READ, folder_id=folder)
    after = read_cursor(cursor_, str if sort == "name" else int, str)
    wanted = ListQuery(
        in_trash=trash,
        order=sort,
        words=searched_words(q),
        folder={"": None, _NO_FOLDER: ""}.get(folder, folder),
        not_in=await context.gate.seen_folders(entered) if folder == _NO_FOLDER else frozenset(),
    )
    found: list[tuple[Item, WorkspaceRole]] = []
    begin = None if after is None else (after[0], after[1])
    async for chunk in context.listing.walk(wanted, begin, limit + 1):
        places = await context.gate.places(entered, [workspace_id for _, workspace_id, _ in chunk])
        found += [
            (item, place)
            for item, place in zip(chunk, places, strict=True)
            if is_at_least(place.role, "owner" if trash else "viewer") and folder in ("", place.folder or _NO_FOLDER)
        ]
        if len(found) > limit:
            break
    page = found[:limit]
    following = cursor(*page[-1][0][0]) if len(found) > limit else None
    items = [_item(w, meta, place.role, place.folder) for (_, w, meta), place in page if place.role is not None]
    return json_response(answers.WorkspaceList(items=items, next_cursor=following))


@router.post(
    "/workspaces",
    dependencies=[requires(Action.CREATE)],
    response_model=answers.CreatedOut,
    status_code=201,
    responses={**problems(404, 409), 201: answer("Location", "Idempotent-Replayed", example=_CREATED)},
    openapi_extra=parameters("IdempotencyKey"),
)
async def create_workspace(
    body_json: Content,
    body: Annotated[
        schemas.WorkspaceBody,
        examples(
            blank={"name": "Checkout"},
            template={"name": "Checkout", "template": "web-service"},
            mermaid={"name": "Shop", "import": {"format": "mermaid", "content": _MERMAID}},
            markdown={"import": {"format": "markdown", "content": "# Checkout\n\nTakes orders.\n"}},
            parts={
                "name": "Checkout",
                "diagram": {"nodes": [{"id": "orders", "type": "service", "label": "Orders"}], "edges": []},
                "document": {"text": "# Checkout\n"},
            },
        ),
    ],
    request: Request,
    context: Ctx,
    actor: Me,
    entered: Who,
) -> Response:
    """Create a workspace: blank, from a template, a copy, an import, or a document and a diagram."""
    identity, body_hash = identity_of(context, actor, request, given_id(request)), fingerprint(body_json)
    workspace_id = await context.workspaces.find_created(identity, body_hash) if body.copy_of is not None else None
    headers, warnings = {"Idempotent-Replayed": "true"}, list[ProblemOut]()
    if workspace_id is None and body.copy_of is not None:
        await context.gate.enter(request, Action.READ, body.copy_of)
    if workspace_id is None and body.folder is not None:
        await context.gate.enter(request, Action.FOLDER_WRITE, folder_id=body.folder)
    _check_external(entered, body.external_id)
    folder = None if body.folder is None else FolderId(body.folder)
    own_id = workspace_id or context.workspaces.id_for(identity)
    async with reserve_workspace(context, entered, own_id, body.external_id) as place:
        if place.is_made:
            return await _workspace_of_name(request, context, entered, place.workspace_id)
        if workspace_id is None:  # a repeat of a copy finds it even where the original has gone since
            start = await start_from(context, body)
            await put_images(context, body, place.workspace_id, start)
            try:
                name = body.name or start.name
                content = start.content_for(name)
                workspace_id, answer = await context.workspaces.create(
                    identity, actor, name=name, content=content, source=start.source, fingerprint=body_hash,
                    workspace_id=place.workspace_id,
                )  # fmt: skip
            except DraftsmithError as error:
                raise start.with_body_paths(error) from None
            headers = headers if answer["replayed"] else {}
            warnings = [warning.to_json() for warning in start.warnings]
        if context.gate.mode == "token" or folder is not None:
            await members.claim(context.access, entered.asking, workspace_id, body.external_id, folder)
            await folders.check_still_there(context.access, entered.asking, workspace_id, folder)
    headers["Location"] = f"{root_of(request)}{API}/workspaces/{workspace_id}"
    created: answers.CreatedOut = {
        **_item(workspace_id, await context.workspaces.meta(workspace_id), "owner", folder),
        "warnings": warnings,
    }
    return json_response(created, 201, headers)


@router.get("/imports", dependencies=[requires(Action.LIST)], response_model=FormatList)
async def list_formats() -> Response:
    """List the formats that are read, in the order in which they are looked for."""
    items: list[FormatOut] = [
        {"reader": name, "title": entry.title, "endings": list(entry.endings), "media_type": entry.media_type}
        for name, entry in READERS.items()
    ]
    return json_response(FormatList(items=items, next_cursor=None))


@router.post(
    "/imports",
    dependencies=[requires(Action.CREATE)],
    response_model=ReadFilesOut,
)
async def recognize_files(
    body: Annotated[schemas.FilesBody, examples(flowchart={"files": [{"path": "shop.mmd", "content": _MERMAID}]})],
    context: Ctx,
) -> Response:
    """Say what files are and which workspaces would be made of them; nothing is made or kept.

    The files of one set make a workspace by `POST /workspaces`, one for each of its parts.
    """
    files = await with_charts(context, source_files(body.files), body.reader)
    elsewhere = context.workspaces.preparer_pool
    work = partial(read_files, files, body.reader)
    if elsewhere is None or not are_large(files):
        return bytes_response(work(Workspace()))
    return bytes_response(await elsewhere.compute(current_client(), work))


def _check_external(entered: AuthorizedCaller, external_id: str | None) -> None:
    if external_id is not None and entered.principal.application is None:
        problem = Problem(-1, "", "field_invalid", "/external_id", "Only an application's key names workspaces so.")
        raise DraftsmithError("invalid_request", f"{problem.message} Nothing was made.", [problem])


async def _workspace_of_name(
    request: Request, context: Context, entered: AuthorizedCaller, workspace_id: WorkspaceId
) -> Response:
    """The workspace that an application has under the name it gives to a new one."""
    [place] = await context.gate.places(entered, [workspace_id])
    if place.role is None:
        raise DraftsmithError("external_id_taken", "This application calls another workspace so already.")
    location = f"{root_of(request)}{API}/workspaces/{workspace_id}"
    headers = {"Idempotent-Replayed": "true", "Location": location}
    item = _item(workspace_id, await context.workspaces.meta(workspace_id), place.role, place.folder)
    return json_response(answers.CreatedOut(**item, warnings=[]), 201, headers)


@router.patch("/workspaces/{w}", dependencies=[requires(Action.WRITE)], response_model=WriteAnswer)
async def rename_workspace(
    workspace_id: PathWorkspaceId,
    body: Annotated[schemas.NameBody, examples(name={"name": "Checkout platform"})],
    request: Request,
    context: Ctx,
    actor: Me,
) -> Response:
    """Rename a workspace; a batch of one operation."""
    operations = [{"op": "rename_workspace", "name": body.name}]
    paths = BodyPaths({"name": body.name})
    answer = await run_body(context, workspace_id, request, actor, operations, paths)
    return write_response(request, answer)


@router.delete(
    "/workspaces/{w}",
    dependencies=[requires(Action.TRASH)],
    status_code=204,
    responses={204: answer(then={"undelete_workspace": SAME_WORKSPACE})},
)
async def delete_workspace(workspace_id: PathWorkspaceId, context: Ctx, actor: Me) -> Response:
    """Put a workspace into the trash, where it stays for 30 days."""
    await context.workspaces.set_deleted(workspace_id, True)
    return Response(status_code=204)


@router.post(
    "/workspaces/{w}/undelete",
    dependencies=[requires(Action.TRASH)],
    response_model=answers.WorkspaceItem,
)
async def undelete_workspace(
    workspace_id: PathWorkspaceId, body: schemas.EmptyBody, context: Ctx, entered: Who
) -> Response:
    """Take a workspace out of the trash, back into its folder."""
    await context.workspaces.set_deleted(workspace_id, False)
    return await _listed_workspace(context, entered, workspace_id)


@router.put("/workspaces/{w}/folder", dependencies=[requires(Action.MOVE)], response_model=answers.WorkspaceItem)
async def place_workspace(
    workspace_id: PathWorkspaceId, body: PlaceBody, request: Request, context: Ctx, entered: Who
) -> Response:
    """Put a workspace into a folder, whose roles hold in it then, or out of any."""
    await context.workspaces.meta(workspace_id)  # refuses one that is not there, also in local mode
    if body.folder is not None:
        await context.gate.enter(request, Action.FOLDER_WRITE, folder_id=body.folder)
    folder = None if body.folder is None else FolderId(body.folder)
    await folders.put_workspace(context.access, entered.asking, workspace_id, folder)
    return await _listed_workspace(context, entered, workspace_id)


async def _listed_workspace(context: Context, entered: AuthorizedCaller, workspace_id: WorkspaceId) -> Response:
    """A workspace as it is listed."""
    [place] = await context.gate.places(entered, [workspace_id])
    meta = await context.workspaces.meta(workspace_id)
    return json_response(_item(workspace_id, meta, place.role or "viewer", place.folder))
