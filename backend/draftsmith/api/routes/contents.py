"""What a workspace holds: the whole, its parts, its warnings, and its exports."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.api import answers
from draftsmith.api.context import API, Ctx, PathWorkspaceId
from draftsmith.api.responses import json_response
from draftsmith.api.tagged import missing, tagged
from draftsmith.history.replica import Replica
from draftsmith.model.formats import FORMAT_FACTS, FORMATS, Format
from draftsmith.model.rules import lint_all
from draftsmith.model.sections import Outline, Section
from draftsmith.model.shapes import DiagramOut, DocumentOut, ExportOut
from draftsmith.model.workspace import diagram_json, document_json
from draftsmith.transform.locate import find_section
from draftsmith.transform.refusal import Refused
from draftsmith.usecases.upkeep.import_export import WRITERS

router = APIRouter(prefix=API, tags=["reading"])
_MEDIA: Final = {form: facts.media_type for form, facts in FORMAT_FACTS.items()}


@router.get("/workspaces/{w}", response_model=answers.WorkspaceOut, responses={304: {"description": "Unchanged"}})
async def get_workspace(workspace_id: PathWorkspaceId, request: Request, context: Ctx) -> Response:
    """Read a whole workspace."""

    def shape(replica: Replica) -> answers.WorkspaceOut:
        workspace = replica.workspace
        return {
            "id": workspace_id,
            "name": workspace.name,
            "role": "owner",
            "revision": replica.head.revision,
            "diagram": diagram_json(workspace.diagram),
            "document": document_json(workspace.document),
            "frozen": context.workspaces.writer(workspace_id).frozen,
        }

    return await tagged(workspace_id, request, context, shape)


@router.get("/workspaces/{w}/diagram", response_model=DiagramOut, responses={304: {"description": "Unchanged"}})
async def get_diagram(workspace_id: PathWorkspaceId, request: Request, context: Ctx) -> Response:
    """Read the diagram."""
    return await tagged(workspace_id, request, context, lambda replica: diagram_json(replica.workspace.diagram))


@router.get("/workspaces/{w}/document", response_model=DocumentOut, responses={304: {"description": "Unchanged"}})
async def get_document(workspace_id: PathWorkspaceId, request: Request, context: Ctx) -> Response:
    """Read the document."""
    return await tagged(workspace_id, request, context, lambda replica: document_json(replica.workspace.document))


@router.get("/workspaces/{w}/outline", response_model=answers.OutlineOut)
async def get_outline(workspace_id: PathWorkspaceId, context: Ctx) -> Response:
    """List the sections of the document."""

    def read(replica: Replica) -> Response:
        outline = replica.workspace.document.outline
        items: list[answers.OutlineItem] = [
            {
                "level": section.level,
                "title": section.plain,
                "path": outline.path(section),
                "line": section.line,
                "chars": section.end - section.start,
            }
            for section in outline.sections
        ]
        return json_response(answers.OutlineOut(items=items, next_cursor=None))

    return await context.workspaces.read(workspace_id, read)


@router.get("/workspaces/{w}/section", response_model=answers.SectionOut)
async def get_section(
    workspace_id: PathWorkspaceId, context: Ctx, path: Annotated[str, Query(max_length=2_000)]
) -> Response:
    """Read one section; the empty path is the text before the first heading."""

    def read(replica: Replica) -> Response:
        outline = replica.workspace.document.outline
        if not path.strip():
            return json_response(_preamble(outline))
        try:
            section = find_section(outline, path, "/path")
        except Refused as refused:
            raise missing(refused) from None
        return json_response(_section(outline, section))

    return await context.workspaces.read(workspace_id, read)


def _preamble(outline: Outline) -> answers.SectionOut:
    text = outline.text[outline.preamble : outline.preamble_end]
    line = outline.line_at(outline.preamble)
    return {"path": "", "level": 0, "title": "", "line": line, "text": text, "own_text": text}


def _section(outline: Outline, section: Section) -> answers.SectionOut:
    text = outline.text
    return {
        "path": outline.path(section),
        "level": section.level,
        "title": section.plain,
        "line": section.line,
        "text": text[section.start : section.end],
        "own_text": text[section.body : section.own_end],
    }


@router.get("/workspaces/{w}/lint", response_model=answers.LintOut)
async def get_lint(workspace_id: PathWorkspaceId, context: Ctx) -> Response:
    """List all warnings about diagram and document."""

    def read(replica: Replica) -> Response:
        found = [problem.to_json() for problem in lint_all(replica.workspace)]
        return json_response(answers.LintOut(items=found, next_cursor=None))

    return await context.workspaces.read(workspace_id, read)


@router.get(
    "/workspaces/{w}/export",
    responses={200: {"model": ExportOut, "content": {_MEDIA[form]: {} for form in FORMATS if form != "json"}}},
)
async def export_workspace(
    workspace_id: PathWorkspaceId,
    context: Ctx,
    format: Format = "json",  # noqa: A002  # the query's name
) -> Response:
    """Export a workspace: all as JSON, the document as Markdown with its own line ends, or the diagram as Mermaid."""

    def read(replica: Replica) -> Response:
        return Response(WRITERS[format].part(replica.workspace), media_type=_MEDIA[format])

    return await context.workspaces.read(workspace_id, read)
