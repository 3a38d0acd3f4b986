"""The lives of workspaces: list, create, rename, trash and back."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.api import answers, schemas
from draftsmith.api.body_paths import BodyPaths
from draftsmith.api.context import API, Ctx, Me, PathWorkspaceId, identity_of
from draftsmith.api.creation import start_from
from draftsmith.api.reading import checked, given_id, read_body, read_json, takes
from draftsmith.api.responses import cursor, json_response, read_cursor, write_response
from draftsmith.api.routes.writes import run_body
from draftsmith.errors import DraftsmithError, ProblemOut
from draftsmith.history.times import iso
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import Meta
from draftsmith.usecases.commits.identity import fingerprint
from draftsmith.usecases.commits.shapes import WriteAnswer

router = APIRouter(prefix=API, tags=["workspaces"])
Limit = Annotated[int, Query(ge=1, le=200)]
# So many of a name's characters count when sorting, so that a cursor stays short enough for an address.
_SORTED_CHARS = 60


def _item(workspace_id: WorkspaceId, meta: Meta) -> answers.WorkspaceItem:
    summary = meta.summary
    return {
        "id": workspace_id,
        "name": summary.get("name", ""),
        "role": "owner",
        "revision": meta.head.revision,
        "nodes": summary.get("nodes", 0),
        "edges": summary.get("edges", 0),
        "chars": summary.get("chars", 0),
        "created_at": iso(meta.created_ms),
        "updated_at": iso(meta.updated_ms),
        "deleted_at": None if meta.deleted_ms is None else iso(meta.deleted_ms),
    }


@router.get("/workspaces", response_model=answers.WorkspaceList)
async def list_workspaces(
    context: Ctx,
    q: Annotated[str, Query(max_length=200)] = "",
    limit: Limit = 50,
    cursor_: Annotated[str | None, Query(alias="cursor", max_length=400)] = None,
    trash: bool = False,
    sort: Literal["changed", "name"] = "changed",
) -> Response:
    """List workspaces, newest change first, or by name without regard to case."""
    by_name = sort == "name"
    after = read_cursor(cursor_, str if by_name else int, str)
    keyed = [
        (_sort_key(workspace_id, meta, by_name), workspace_id, meta)
        for workspace_id, meta in await context.workspaces.list(q, trash)
    ]
    found = sorted((item for item in keyed if after is None or item[0] > tuple(after)), key=lambda item: item[0])
    page = found[:limit]
    following = cursor(*page[-1][0]) if len(found) > limit else None
    items = [_item(workspace_id, meta) for _, workspace_id, meta in page]
    return json_response(answers.WorkspaceList(items=items, next_cursor=following))


def _sort_key(workspace_id: WorkspaceId, meta: Meta, by_name: bool) -> tuple[str | int, str]:
    """What the list is sorted by; no two workspaces have the same."""
    return (str(meta.summary.get("name", "")).casefold()[:_SORTED_CHARS] if by_name else -meta.updated_ms, workspace_id)


@router.post(
    "/workspaces", response_model=answers.CreatedOut, status_code=201, openapi_extra=takes(schemas.WorkspaceBody)
)
async def create_workspace(request: Request, context: Ctx, actor: Me) -> Response:
    """Create a workspace: blank, from a template, a copy, an import, or a document and a diagram."""
    raw = await read_json(request)
    body = checked(raw, schemas.WorkspaceBody)
    identity, body_hash = identity_of(context, actor, request, given_id(request)), fingerprint(raw)
    workspace_id = await context.workspaces.created(identity, body_hash) if body.copy_of is not None else None
    headers, warnings = {"Idempotent-Replayed": "true"}, list[ProblemOut]()
    if workspace_id is None:  # a repeat of a copy finds it even where the original has gone since
        start = await start_from(context, body)
        try:
            name = body.name or start.name
            content = start.titled(name)
            workspace_id, answer = await context.workspaces.create(
                identity, actor, name=name, content=content, source=start.source, fingerprint=body_hash
            )
        except DraftsmithError as error:
            raise start.with_body_paths(error) from None
        headers = headers if answer["replayed"] else {}
        warnings = [warning.to_json() for warning in start.warnings]
    headers["Location"] = f"/api/v1/workspaces/{workspace_id}"
    created: answers.CreatedOut = {
        **_item(workspace_id, await context.workspaces.meta(workspace_id)),
        "warnings": warnings,
    }
    return json_response(created, 201, headers)


@router.patch("/workspaces/{w}", response_model=WriteAnswer, openapi_extra=takes(schemas.NameBody))
async def rename_workspace(workspace_id: PathWorkspaceId, request: Request, context: Ctx, actor: Me) -> Response:
    """Rename a workspace; a batch of one operation."""
    body = await read_body(request, schemas.NameBody)
    operations = [{"op": "rename_workspace", "name": body.name}]
    paths = BodyPaths({"name": body.name})
    answer = await run_body(context, workspace_id, request, actor, operations, paths)
    return write_response(request, answer)


@router.delete("/workspaces/{w}", status_code=204)
async def delete_workspace(workspace_id: PathWorkspaceId, context: Ctx, actor: Me) -> Response:
    """Put a workspace into the trash, where it stays for 30 days."""
    await context.workspaces.set_deleted(workspace_id, True)
    return Response(status_code=204)


@router.post(
    "/workspaces/{w}/undelete",
    response_model=answers.WorkspaceItem,
    openapi_extra=takes(schemas.EmptyBody),
)
async def undelete_workspace(workspace_id: PathWorkspaceId, request: Request, context: Ctx, actor: Me) -> Response:
    """Take a workspace out of the trash."""
    await read_body(request, schemas.EmptyBody)
    await context.workspaces.set_deleted(workspace_id, False)
    return json_response(_item(workspace_id, await context.workspaces.meta(workspace_id)))
