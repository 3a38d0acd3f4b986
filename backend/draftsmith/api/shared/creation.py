"""What a new workspace starts from: the export form of whatever a body names, and where in the body that stands."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import cast

import orjson

from draftsmith.api.access.gate import AuthorizedCaller
from draftsmith.api.context import Context
from draftsmith.api.forms.schemas import (
    DiagramTextImport,
    DrawioImport,
    ExportBody,
    FilesImport,
    JsonImport,
    TextImport,
    WorkspaceBody,
)
from draftsmith.api.shared.uploads import are_large, source_files, with_charts
from draftsmith.errors import DraftsmithError, Problem
from draftsmith.model.document import LINE_ENDS_MIXED, eol_of
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.images import images_named
from draftsmith.model.readers.reading import SourceFile
from draftsmith.model.shapes import ExportedImageOut
from draftsmith.model.workspace import WorkspaceContent
from draftsmith.usecases.access import members
from draftsmith.usecases.prepare.parsed_charts import MERMAID
from draftsmith.usecases.requests.client import current_client
from draftsmith.usecases.requests.costs import CHARACTERS
from draftsmith.usecases.requests.identity import check_id
from draftsmith.usecases.upkeep.drawio_import import ImportedPage, drawing_warnings, read_drawing, read_drawing_apart
from draftsmith.usecases.upkeep.files_import import ImportedPart, part_warnings, read_part, read_part_apart
from draftsmith.usecases.upkeep.import_export import read_text, read_text_apart, unread_warnings, with_path

NAMELESS = "Untitled"
_MAX_NAME = 200
_BEING_MADE_SECONDS = 2.0
_LOOK_AGAIN_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Start:
    """What a workspace starts from.

    Attributes:
        content: export form; `name`, `diagram` and `document` may be absent.
        source: the door it came through.
        root: JSON Pointer to where in the body `diagram` and `document` stand.
        is_text: the body has one text there, and no diagram or document.
        warnings: what of it was not understood.
        images: of files that were read, by their SHA-256.
    """

    content: WorkspaceContent
    source: str
    root: str = ""
    is_text: bool = False
    warnings: Sequence[Problem] = ()
    images: Mapping[str, ExportedImageOut] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name it brings along."""
        return str(self.content.get("name") or "").strip()[:_MAX_NAME].strip() or NAMELESS

    def content_for(self, name: str) -> WorkspaceContent:
        """The content for a workspace of that name: a template's first heading, where it is its name, follows."""
        document, old = self.content.get("document"), f"# {self.content.get('name')}\n"
        if self.source != "template" or document is None or not document["text"].startswith(old):
            return self.content
        text = f"# {name}\n{document['text'].removeprefix(old)}"
        return {**self.content, "document": {**document, "text": text}}

    def with_body_paths(self, error: DraftsmithError) -> DraftsmithError:
        """A refusal of the first batch with the paths of its problems in the body, since nobody sent operations."""
        parts = [part for part in ("diagram", "document") if self.content.get(part) is not None]
        problems = [self._with_body_path(problem, ["name", *parts]) for problem in error.problems]
        return DraftsmithError(error.code, error.detail, problems, error.extra)

    def _with_body_path(self, problem: Problem, parts: Sequence[str]) -> Problem:
        part = parts[problem.index] if 0 <= problem.index < len(parts) else ""
        head = f"/import/{problem.index}"
        rest = problem.path.removeprefix(head) if problem.path.startswith(head) else ""
        if part == "name":
            path = "/name"
        elif self.is_text or not part:
            path = self.root
        else:
            path = f"{self.root}/{part}{rest}"
        return replace(problem, index=-1, op="", path=path, caused_by=None)


@dataclass(frozen=True, slots=True)
class WorkspaceReservation:
    """A reserved place among the workspaces of an application, held before the workspace is made.

    Attributes:
        workspace_id: the id to make it under.
        is_made: the application has a workspace of that name already, which is this one.
    """

    workspace_id: WorkspaceId
    is_made: bool = False


@asynccontextmanager
async def reserve_workspace(
    context: Context, entered: AuthorizedCaller, workspace_id: WorkspaceId, external_id: str | None = None
) -> AsyncIterator[WorkspaceReservation]:
    """Reserve a place for a workspace while it is made and claimed; where that fails, the place is given up.

    Who is no application needs none.

    Raises:
        DraftsmithError: `quota_reached`.
    """
    application, workspaces = entered.principal.application, context.access.stores.workspaces
    if application is None:
        yield WorkspaceReservation(workspace_id)
        return
    most = context.access.most_of_application
    found = await workspaces.reserve(application, external_id, workspace_id, most)
    if found is None:
        raise DraftsmithError("quota_reached", f"This application has {most} workspaces, as many as it may.")
    try:
        yield WorkspaceReservation(
            found, found != workspace_id and await _is_made(context, entered, found, external_id)
        )
    except BaseException:
        with suppress(DraftsmithError):  # what went wrong is what is told
            await workspaces.release(application, external_id, found)
        raise


async def _is_made(
    context: Context, entered: AuthorizedCaller, workspace_id: WorkspaceId, external_id: str | None
) -> bool:
    """Whether the workspace was made that has a place; one that is being made is waited for.

    Whoever made it may have died before it was theirs: then it is theirs who ask now.
    """
    until = context.access.clock.monotonic() + _BEING_MADE_SECONDS
    while await context.access.stores.workspaces.read(workspace_id) is None:
        if context.access.clock.monotonic() >= until:
            if await context.workspaces.log.meta(workspace_id) is None:
                return False
            await members.claim(context.access, entered.asking, workspace_id, external_id)
            return True
        await asyncio.sleep(_LOOK_AGAIN_SECONDS)
    return True


async def start_from(context: Context, body: WorkspaceBody) -> Start:
    """Read what a body says to start from.

    Raises:
        DraftsmithError: it says more than one thing, or names what is not there.
    """
    sources = (body.template, body.copy_of, body.import_, body.document or body.diagram)
    if sum(source is not None for source in sources) > 1:
        raise DraftsmithError("invalid_request", "Give one of template, copy_of, import, or a document and a diagram.")
    if body.template is not None:
        return Start(context.template(body.template), "template", "/template", is_text=True)
    if body.copy_of is not None:
        export = await context.workspaces.content_of(check_id(body.copy_of))
        content = cast(WorkspaceContent, {**export, "name": f"Copy of {export['name']}"})
        return Start(content, "copy", "/copy_of", is_text=True)
    if isinstance(body.import_, TextImport | DiagramTextImport):
        return await _from_text(context, body.import_)
    if isinstance(body.import_, DrawioImport):
        return await _from_drawing(context, body.import_)
    if isinstance(body.import_, FilesImport):
        return await _from_files(context, body.import_)
    part, source, root = (
        (body.import_.content, "import", "/import/content")
        if isinstance(body.import_, JsonImport)
        else (body, "api", "")
    )
    text = "" if part.document is None else part.document.text
    return Start(_content_parts(part), source, root, warnings=_line_ends(text, f"{root}/document/text"))


async def put_images(context: Context, body: WorkspaceBody, workspace_id: WorkspaceId, start: Start) -> None:
    """Put the images that a workspace begins with: of an export, or of what it is a copy of.

    They come before what names them; of a workspace that is not made then, they go after a day.

    Raises:
        DraftsmithError: as `Images.put`.
    """
    if body.copy_of is not None:
        named = images_named(orjson.dumps(start.content))
        await context.images.copy(WorkspaceId(body.copy_of), workspace_id, named)
    images, root = start.images, start.root
    if isinstance(body.import_, JsonImport) and body.import_.content.images:
        root = "/import/content/images"
        images = {
            name: ExportedImageOut(type=image.type, data=image.data)
            for name, image in body.import_.content.images.items()
        }
    if images:
        try:
            await context.images.put_exported(workspace_id, images)
        except DraftsmithError as error:
            problems = [
                replace(problem, path=root if start.images else f"{root}{problem.path}") for problem in error.problems
            ]
            raise DraftsmithError(error.code, error.detail, problems, error.extra) from None


def _content_parts(body: ExportBody | WorkspaceBody) -> WorkspaceContent:
    """Name, diagram and document as they came: what was left out stays left out."""
    fields = body.model_dump(include={"name", "diagram", "document"}, exclude_unset=True)
    return cast(WorkspaceContent, {name: value for name, value in fields.items() if value is not None})


async def _from_text(context: Context, body: TextImport | DiagramTextImport) -> Start:
    elsewhere = context.workspaces.preparer_pool
    parsed = await _parse_chart(context, body.content) if body.format == "mermaid" else b""
    try:
        if elsewhere is None or len(body.content) + len(parsed) <= CHARACTERS // 2:
            content, unread = read_text(body.content, body.format, parsed)
        else:
            work = partial(read_text_apart, body.content, body.format, parsed)
            content, unread = orjson.loads(await elsewhere.compute(current_client(), work))
    except DraftsmithError as error:
        raise with_path(error, "/import/content") from None
    warnings = unread_warnings(unread, "/import/content")
    if body.format == "markdown":
        warnings += _line_ends(body.content, "/import/content")
    return Start(content, "import", "/import/content", is_text=True, warnings=warnings)


async def _parse_chart(context: Context, chart: str) -> bytes:
    """What Mermaid's own parser says of a chart; empty where there is none."""
    file = SourceFile("chart.mmd", chart.encode("utf-8", "replace"))
    (found,) = await with_charts(context, [file], MERMAID)
    return found.parsed


async def _from_drawing(context: Context, body: DrawioImport) -> Start:
    elsewhere = context.workspaces.preparer_pool
    try:
        if elsewhere is None:
            drawing = read_drawing(body.content, body.page)
        else:  # a small file may be unpacked to a large one
            work = partial(read_drawing_apart, body.content, body.page)
            drawing = ImportedPage(*orjson.loads(await elsewhere.compute(current_client(), work)))
    except DraftsmithError as error:
        raise _with_root(error, "/import") from None
    warnings = drawing_warnings(drawing, "/import/content", is_one_asked_for=body.page is not None)
    return Start(drawing.content, "import", "/import/content", is_text=True, warnings=warnings, images=drawing.images)


async def _from_files(context: Context, body: FilesImport) -> Start:
    elsewhere = context.workspaces.preparer_pool
    try:
        files = await with_charts(context, source_files(body.files), body.reader, body.root)
        if elsewhere is None or not are_large(files):
            part = read_part(files, body.reader, body.part, body.root)
        else:
            work = partial(read_part_apart, files, body.reader, body.part, body.root)
            part = ImportedPart(*orjson.loads(await elsewhere.compute(current_client(), work)))
    except DraftsmithError as error:
        raise _with_root(error, "/import") from None
    warnings = part_warnings(part, "/import/files", is_one_asked_for=body.part is not None)
    return Start(part.content, "import", "/import/files", is_text=True, warnings=warnings, images=part.images)


def _with_root(error: DraftsmithError, root: str) -> DraftsmithError:
    """A refusal of a part of a body, with the paths of its problems in the whole body."""
    problems = [replace(problem, path=f"{root}{problem.path}") for problem in error.problems]
    return DraftsmithError(error.code, error.detail, problems, error.extra)


def _line_ends(text: str, path: str) -> list[Problem]:
    """The warning that line ends are not kept; none for LF or CR LF throughout."""
    is_mixed = "\r" in text and eol_of(text) == "mixed"
    return [Problem(-1, "", "line_ends_mixed", path, LINE_ENDS_MIXED)] if is_mixed else []
