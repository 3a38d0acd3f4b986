"""Workspaces: list, create, read, rename, trash; the document in parts; lint and export."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.api import schemas
from draftsmith.api.context import Context, Ctx, Me, identity_of
from draftsmith.api.reading import checked, given_id, read_body, read_json, takes
from draftsmith.api.responses import cursor, etag, is_unchanged, iso, json_response, read_cursor, written
from draftsmith.api.routes.writes import run
from draftsmith.errors import DraftsmithError
from draftsmith.history.replica import Replica
from draftsmith.model.markdown_import import from_markdown
from draftsmith.model.mermaid import from_mermaid, to_mermaid
from draftsmith.model.rules import lint_all
from draftsmith.model.sections import Section
from draftsmith.model.workspace import FORMAT, diagram_json, export_json
from draftsmith.ports import Meta
from draftsmith.transform.locate import find_section
from draftsmith.transform.transaction import Refused
from draftsmith.usecases.workspaces import fingerprint

router = APIRouter(tags=["workspaces"])
Limit = Annotated[int, Query(ge=1, le=200)]


def _item(w: str, meta: Meta) -> dict[str, Any]:
    summary = meta.summary
    return {
        "id": w,
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


@router.get("/workspaces", response_model=schemas.WorkspaceList)
async def list_workspaces(
    context: Ctx,
    q: Annotated[str, Query(max_length=200)] = "",
    limit: Limit = 50,
    cursor_: Annotated[str | None, Query(alias="cursor", max_length=400)] = None,
    trash: bool = False,
) -> Response:
    """List workspaces, newest change first."""
    after = read_cursor(cursor_, int, str)
    found = await context.workspaces.list(q, trash)
    if after is not None:
        found = [item for item in found if (-item[1].updated_ms, item[0]) > (-after[0], after[1])]
    page = found[:limit]
    last = page[-1] if len(found) > limit else None
    following = None if last is None else cursor(last[1].updated_ms, last[0])
    return json_response({"items": [_item(*item) for item in page], "next_cursor": following})


@router.post(
    "/workspaces", response_model=schemas.WorkspaceItem, status_code=201, openapi_extra=takes(schemas.WorkspaceBody)
)
async def create_workspace(request: Request, context: Ctx, actor: Me) -> Response:
    """Create a workspace: blank, from a template, a copy, an import, or a document and a diagram."""
    raw = await read_json(request)
    body = checked(raw, schemas.WorkspaceBody)
    sources = [body.template, body.copy_of, body.import_, body.document or body.diagram]
    if sum(source is not None for source in sources) > 1:
        raise DraftsmithError("invalid_request", "Give one of template, copy_of, import, or a document and a diagram.")
    content, source = await _content(context, body)
    name = body.name or str(content.get("name") or "").strip()[:200] or "Untitled"
    identity = identity_of(context, actor, request, given_id(request))
    w, answer = await context.workspaces.create(identity, actor, name, content, source, fingerprint(raw))
    headers = {"Location": f"/api/v1/workspaces/{w}"}
    if answer["replayed"]:
        headers["Idempotent-Replayed"] = "true"
    return json_response(_item(w, await context.workspaces.meta(w)), 201, headers)


async def _content(context: Context, body: schemas.WorkspaceBody) -> tuple[Mapping[str, Any], str]:
    """What a new workspace holds, in export form, and where that came from."""
    if body.template is not None:
        return context.template(body.template), "template"
    if body.copy_of is not None:
        content = await context.workspaces.content_of(body.copy_of)
        return {**content, "name": f"Copy of {content['name']}"}, "copy"
    if body.import_ is not None:
        return _imported(body.import_), "import"
    given = {"diagram": body.diagram, "document": body.document.model_dump() if body.document else None}
    return given, "api"


def _imported(body: schemas.ImportBody) -> Mapping[str, Any]:
    if body.format == "json":
        if not isinstance(body.content, dict) or body.content.get("format") != FORMAT:
            raise DraftsmithError("invalid_request", f"JSON to import is an object with format {FORMAT}.")
        _check_shape(body.content)
        return body.content
    if not isinstance(body.content, str):
        raise DraftsmithError("invalid_request", f"{body.format} to import is a text.")
    if body.format == "markdown":
        content = from_markdown(body.content)
        content.pop("unread", None)
        return content
    return {"diagram": from_mermaid(body.content).diagram}


def _check_shape(content: Mapping[str, Any]) -> None:
    diagram, document = content.get("diagram", {}), content.get("document", {})
    parts = (diagram, document)
    if not all(isinstance(part, dict) for part in parts) or not isinstance(content.get("name", ""), str):
        raise DraftsmithError("invalid_request", "name is a text, diagram and document are objects.")


@router.get("/workspaces/{w}", response_model=schemas.WorkspaceOut, responses={304: {"description": "Unchanged"}})
async def get_workspace(w: str, request: Request, context: Ctx) -> Response:
    """Read a whole workspace."""

    def shape(replica: Replica) -> dict[str, Any]:
        workspace = replica.workspace
        return {
            "id": w,
            "name": workspace.name,
            "role": "owner",
            "revision": replica.head.revision,
            "diagram": diagram_json(workspace.diagram),
            "document": {"text": workspace.document.text, "eol": workspace.document.eol},
            "frozen": context.workspaces.owner(w).frozen,
        }

    return await _tagged(w, request, context, shape)


@router.get("/workspaces/{w}/diagram", response_model=schemas.DiagramOut, responses={304: {"description": "Unchanged"}})
async def get_diagram(w: str, request: Request, context: Ctx) -> Response:
    """Read the diagram."""
    return await _tagged(w, request, context, lambda replica: diagram_json(replica.workspace.diagram))


@router.get(
    "/workspaces/{w}/document", response_model=schemas.DocumentOut, responses={304: {"description": "Unchanged"}}
)
async def get_document(w: str, request: Request, context: Ctx) -> Response:
    """Read the document."""
    return await _tagged(w, request, context, _document)


def _document(replica: Replica) -> dict[str, str]:
    document = replica.workspace.document
    return {"text": document.text, "eol": document.eol}


async def _tagged(w: str, request: Request, context: Context, shape: Any) -> Response:
    """An answer with the ETag of the revision it shows; 304 if the caller has it."""

    def read(replica: Replica) -> Response:
        headers = {"ETag": etag(replica.head), "Cache-Control": "private, no-cache"}
        if is_unchanged(request, headers["ETag"]):
            return Response(status_code=304, headers=headers)
        return json_response(shape(replica), headers=headers)

    return await context.workspaces.read(w, read)


@router.get("/workspaces/{w}/outline", response_model=schemas.OutlineOut)
async def get_outline(w: str, context: Ctx) -> Response:
    """List the sections of the document."""

    def read(replica: Replica) -> Response:
        outline = replica.workspace.document.outline
        items = [
            {
                "level": section.level,
                "title": section.plain,
                "path": outline.path(section),
                "line": section.line,
                "chars": section.end - section.start,
            }
            for section in outline.sections
        ]
        return json_response({"items": items, "next_cursor": None})

    return await context.workspaces.read(w, read)


@router.get("/workspaces/{w}/section", response_model=schemas.SectionOut)
async def get_section(w: str, context: Ctx, path: Annotated[str, Query(max_length=2_000)]) -> Response:
    """Read one section."""

    def read(replica: Replica) -> Response:
        outline = replica.workspace.document.outline
        try:
            section = find_section(outline, path, "/path")
        except Refused as refused:
            extra = {"candidates": list(refused.candidates)}
            raise DraftsmithError(refused.code, refused.message, extra=extra) from None
        return json_response({"path": outline.path(section), **_section(outline.text, section)})

    return await context.workspaces.read(w, read)


def _section(text: str, section: Section) -> dict[str, Any]:
    return {
        "level": section.level,
        "title": section.plain,
        "line": section.line,
        "text": text[section.start : section.end],
        "own_text": text[section.body : section.own_end],
    }


@router.get("/workspaces/{w}/lint", response_model=schemas.LintOut)
async def lint(w: str, context: Ctx) -> Response:
    """List all warnings about diagram and document."""

    def read(replica: Replica) -> Response:
        found = [problem.to_json() for problem in lint_all(replica.workspace)]
        return json_response({"items": found, "next_cursor": None})

    return await context.workspaces.read(w, read)


@router.get(
    "/workspaces/{w}/export",
    responses={200: {"model": schemas.ExportOut, "content": {"text/markdown": {}, "text/vnd.mermaid": {}}}},
)
async def export(w: str, context: Ctx, format: Literal["json", "markdown", "mermaid"] = "json") -> Response:  # noqa: A002  # the query's name
    """Export: everything as JSON, the document as Markdown with its own line ends, or the diagram as Mermaid."""

    def read(replica: Replica) -> Response:
        workspace = replica.workspace
        if format == "json":
            return json_response(export_json(workspace))
        if format == "markdown":
            return Response(workspace.document.raw(), media_type="text/markdown; charset=utf-8")
        return Response(to_mermaid(diagram_json(workspace.diagram)), media_type="text/vnd.mermaid; charset=utf-8")

    return await context.workspaces.read(w, read)


@router.patch("/workspaces/{w}", response_model=schemas.WriteAnswer, openapi_extra=takes(schemas.NameBody))
async def rename_workspace(w: str, request: Request, context: Ctx, actor: Me) -> Response:
    """Rename a workspace; a batch of one operation."""
    body = await read_body(request, schemas.NameBody)
    answer = await run(context, w, request, actor, [{"op": "rename_workspace", "name": body.name}])
    return written(request, answer)


@router.delete("/workspaces/{w}", status_code=204)
async def delete_workspace(w: str, context: Ctx, actor: Me) -> Response:
    """Put a workspace into the trash, where it stays for 30 days."""
    await context.workspaces.set_deleted(w, True)
    return Response(status_code=204)


@router.post(
    "/workspaces/{w}/undelete",
    response_model=schemas.WorkspaceItem,
    openapi_extra=takes(schemas.EmptyBody, required=False),
)
async def undelete_workspace(w: str, request: Request, context: Ctx, actor: Me) -> Response:
    """Take a workspace out of the trash."""
    await read_body(request, schemas.EmptyBody)
    await context.workspaces.set_deleted(w, False)
    return json_response(_item(w, await context.workspaces.meta(w)))
