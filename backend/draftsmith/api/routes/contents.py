"""What a workspace holds: the whole, its parts, its warnings, and its exports."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from draftsmith.access.actions import Action
from draftsmith.api.context import API, Ctx, PathWorkspaceId, Who
from draftsmith.api.contract.describing import UNCHANGED, Part, problems
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.forms import answers
from draftsmith.api.forms.responses import bytes_response, whole_list, with_fields
from draftsmith.api.shared.etag_reads import read_large_with_etag, read_with_etag
from draftsmith.history.commit import Head
from draftsmith.model.formats import FORMAT_FACTS, FORMATS, ExportFormat
from draftsmith.model.shapes import DiagramOut, DocumentOut, ExportOut
from draftsmith.model.workspace import document_json
from draftsmith.usecases.requests.identity import check_id
from draftsmith.usecases.upkeep import contents
from draftsmith.usecases.upkeep.archives import Archives
from draftsmith.usecases.upkeep.papers import Papers, pdf_unavailable
from draftsmith.usecases.upkeep.shapes import SectionOut

router = APIRouter(route_class=Route, prefix=API, tags=["reading"])
_MEDIA: Final = {form: facts.media_type for form, facts in FORMAT_FACTS.items()}
_PDF: Final = "application/pdf"
_ZIP: Final = "application/zip"
_OTHERS: Final[dict[str, Part]] = {_PDF: {}, _ZIP: {}}


@router.get(
    "/workspaces/{w}",
    dependencies=[requires(Action.READ)],
    response_model=answers.WorkspaceOut,
    responses=UNCHANGED,
)
async def get_workspace(workspace_id: PathWorkspaceId, request: Request, context: Ctx, entered: Who) -> Response:
    """Read a whole workspace."""

    def finish(head: Head, content: bytes) -> bytes:
        frozen = context.workspaces.writer(workspace_id).frozen_reason
        fields = {"id": workspace_id, "role": entered.role, "revision": head.revision, "frozen": frozen}
        return with_fields(fields, content)

    return await read_large_with_etag(workspace_id, request, context, contents.content_json, finish)


@router.get(
    "/workspaces/{w}/diagram",
    dependencies=[requires(Action.READ)],
    response_model=DiagramOut,
    responses=UNCHANGED,
)
async def get_diagram(workspace_id: PathWorkspaceId, request: Request, context: Ctx) -> Response:
    """Read the diagram."""
    return await read_large_with_etag(workspace_id, request, context, contents.diagram)


@router.get(
    "/workspaces/{w}/document",
    dependencies=[requires(Action.READ)],
    response_model=DocumentOut,
    responses=UNCHANGED,
)
async def get_document(workspace_id: PathWorkspaceId, request: Request, context: Ctx) -> Response:
    """Read the document."""
    return await read_with_etag(
        workspace_id, request, context, lambda replica: document_json(replica.workspace.document)
    )


@router.get("/workspaces/{w}/outline", dependencies=[requires(Action.READ)], response_model=answers.OutlineOut)
async def get_outline(workspace_id: PathWorkspaceId, context: Ctx) -> Response:
    """List the sections of the document."""
    _, items = await context.workspaces.compute(workspace_id, contents.outline)
    return bytes_response(whole_list(items))


@router.get("/workspaces/{w}/section", dependencies=[requires(Action.READ)], response_model=SectionOut)
async def get_section(
    workspace_id: PathWorkspaceId, context: Ctx, path: Annotated[str, Query(max_length=2_000)]
) -> Response:
    """Read one section; the empty path is the text before the first heading."""
    _, content = await context.workspaces.compute(workspace_id, partial(contents.section, path))
    return bytes_response(content)


@router.get("/workspaces/{w}/lint", dependencies=[requires(Action.READ)], response_model=answers.LintOut)
async def get_lint(workspace_id: PathWorkspaceId, context: Ctx) -> Response:
    """List all warnings about diagram and document."""
    images = frozenset(image.sha256 for image in await context.images.all(check_id(workspace_id)))
    _, items = await context.workspaces.compute(workspace_id, partial(contents.lint, images))
    return bytes_response(whole_list(items))


@router.get(
    "/workspaces/{w}/export",
    dependencies=[requires(Action.READ)],
    responses={
        200: {"model": ExportOut, "content": {_MEDIA[form]: {} for form in FORMATS if form != "json"} | _OTHERS},
        **problems(501),
    },
)
async def export_workspace(
    workspace_id: PathWorkspaceId,
    context: Ctx,
    format: ExportFormat = "json",  # noqa: A002  # the query's name
    images: Annotated[bool, Query(description="With the images that it names, in JSON.")] = False,
) -> Response:
    """Export a workspace: all as JSON, the document as Markdown as stored, the diagram in others' formats, both as PDF.

    `zip` is one archive with all of these but PDF, pictures of the diagram, and images.
    """
    if format == "pdf":
        if context.pictures is None:
            raise pdf_unavailable("this server draws no pictures; `draftsmith doctor` says what it lacks")
        papers = Papers(context.pictures, context.images, context.clock)
        return Response(await papers.pdf(workspace_id), media_type=_PDF)
    if format == "zip":
        archives = Archives(context.workspaces, context.images, context.pictures, context.clock)
        return StreamingResponse(await archives.archive(workspace_id), media_type=_ZIP)
    _, content = await context.workspaces.compute(workspace_id, partial(contents.export, format))
    if images and format == "json":
        return StreamingResponse(context.images.export(workspace_id, content), media_type=_MEDIA[format])
    return Response(content, media_type=_MEDIA[format])
