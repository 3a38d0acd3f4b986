"""Import and export of workspaces: JSON, Markdown, Mermaid, text; and Mermaid as operations for one that is there."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, NotRequired, cast

import orjson
from typing_extensions import TypedDict

from draftsmith.errors import DraftsmithError, Problem
from draftsmith.model.diagram_text.reader import from_text
from draftsmith.model.diagram_text.writer import to_text
from draftsmith.model.dot.writer import to_dot
from draftsmith.model.drawio.files import is_markup
from draftsmith.model.drawio.writer import to_drawio
from draftsmith.model.formats import Format, ImportFormat, TextFormat
from draftsmith.model.markdown_import import from_markdown, to_markdown
from draftsmith.model.mermaid.format_reader import from_chart
from draftsmith.model.mermaid.kinds import FIRST_WORDS
from draftsmith.model.mermaid.reader import MermaidImport, UnreadOut
from draftsmith.model.mermaid.writer import UnreadLine, to_mermaid
from draftsmith.model.readers.document_room import reason_against_reading
from draftsmith.model.shapes import ExportedImageOut
from draftsmith.model.structurizr.writer import to_structurizr
from draftsmith.model.work import TooCostly
from draftsmith.model.workspace import FORMAT, Workspace, WorkspaceContent, diagram_json, export_json
from draftsmith.transform.requests.drawn_flowchart import draw_flowchart
from draftsmith.usecases.requests.costs import too_costly
from draftsmith.usecases.upkeep.drawio_import import drawing_pages, not_taken_over, read_drawing_page

_MAX_WARNINGS: Final = 100
_TEXT: Final = "/text"


class ImportBody(TypedDict):
    """A file as `POST /workspaces` takes it."""

    format: ImportFormat
    content: str | WorkspaceContent
    page: NotRequired[int]


@dataclass(frozen=True, slots=True)
class Import:
    """A file that was read.

    Attributes:
        format: what it was read as.
        content: the export form, for creating a workspace directly; parts may be absent.
        body: what `POST /workspaces` takes as `import`.
        name: what the file says it is called, empty for nothing.
        notices: a sentence for each line or shape that is not in the content.
        images: those of an export or a drawing, which are put apart: those of an export may be larger than a body.
    """

    format: ImportFormat
    content: WorkspaceContent
    body: ImportBody
    name: str
    notices: Sequence[str]
    images: Mapping[str, ExportedImageOut] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FormatWriter:
    """How a format is written.

    Attributes:
        file: as a file of its own, with as much of the workspace as the format can hold.
        part: as the API answers: the part of the workspace that is in this format.
    """

    file: Callable[[Workspace], bytes]
    part: Callable[[Workspace], bytes]


def _json_file(workspace: Workspace) -> bytes:
    return orjson.dumps(export_json(workspace), option=orjson.OPT_INDENT_2) + b"\n"


def _json(workspace: Workspace) -> bytes:
    return orjson.dumps(export_json(workspace))


def _markdown_file(workspace: Workspace) -> bytes:
    return to_markdown(workspace.name, workspace.document.raw(), diagram_json(workspace.diagram)).encode()


def _markdown(workspace: Workspace) -> bytes:
    return workspace.document.raw().encode()


def _mermaid(workspace: Workspace) -> bytes:
    return to_mermaid(diagram_json(workspace.diagram)).encode()


def _drawio(workspace: Workspace) -> bytes:
    return to_drawio(workspace.name, workspace.diagram).encode()


def _dot(workspace: Workspace) -> bytes:
    return to_dot(workspace.name, workspace.diagram).encode()


def _structurizr(workspace: Workspace) -> bytes:
    return to_structurizr(workspace.name, workspace.diagram).encode()


def _text(workspace: Workspace) -> bytes:
    return to_text(diagram_json(workspace.diagram)).encode()


WRITERS: Final[Mapping[Format, FormatWriter]] = {
    "json": FormatWriter(_json_file, _json),
    "markdown": FormatWriter(_markdown_file, _markdown),
    "mermaid": FormatWriter(_mermaid, _mermaid),
    "drawio": FormatWriter(_drawio, _drawio),
    "dot": FormatWriter(_dot, _dot),
    "structurizr": FormatWriter(_structurizr, _structurizr),
    "text": FormatWriter(_text, _text),
}
"""Markdown is written with the line ends that the document came with."""


def import_workspace(raw: bytes, form: Literal["json"] | TextFormat, parsed: bytes = b"") -> Import:
    """Read a file that is no drawing.

    Args:
        raw: the file.
        form: what it is.
        parsed: of Mermaid, what its own parser says of it; empty where that was not asked.

    Raises:
        DraftsmithError: `file_unreadable`, if it is not UTF-8 or not our JSON; `mermaid_unread` as `read_text`.
    """
    if form == "json":
        return _imported_json(raw)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DraftsmithError("file_unreadable", f"The file is not UTF-8: {error}.") from error
    content, unread = read_text(text, form, parsed)
    notices = [f"Line {line['line']} was not taken over: {line['reason']}" for line in unread]
    return Import(form, content, {"format": form, "content": text}, content.get("name", ""), notices)


def import_drawing(raw: bytes, page: int | None) -> Sequence[Import]:
    """Read a page of a drawing of draw.io, or all of them.

    Raises:
        DraftsmithError: `drawio_unread` or `page_unknown`, as `read_drawing_page`.
    """
    sources = drawing_pages(raw)
    numbers = range(1, len(sources) + 1) if page is None else (page,)
    # The server takes a PNG, or text of another encoding, in base 64.
    text = raw.decode("utf-8-sig") if is_markup(raw) else base64.b64encode(raw).decode()
    found = []
    for number in numbers:
        drawing = read_drawing_page(sources, number)
        body: ImportBody = {"format": "drawio", "content": text, "page": number}
        notices = [not_taken_over(cell) for cell in drawing.unread]
        name = drawing.content.get("name", "")
        found.append(Import("drawio", drawing.content, body, name, notices, drawing.images))
    return found


def read_text(text: str, form: TextFormat, parsed: bytes = b"") -> tuple[WorkspaceContent, list[UnreadOut]]:
    """Read a text as the export form, and what of it was not understood: `{line, text, reason}` each.

    `flow` beside `diagram` says in which direction it flows: its positions are found here and may be better elsewhere.

    Args:
        text: what is read.
        form: what it is.
        parsed: of Mermaid, what its own parser says of it; empty where that was not asked.

    Raises:
        DraftsmithError: `mermaid_unread`, if Mermaid is of another kind than we read, or nothing of it can be read;
            `invalid_request`, if no line of a diagram as text can be; `too_costly`, if Markdown is longer, or has
            more blocks, than a document is read with.
    """
    if form == "markdown":
        if reason_against_reading(text):
            raise too_costly(TooCostly("reading a document of so many characters, headings, paragraphs or items"))
        markdown = from_markdown(text)
        unread = markdown.pop("unread")
        return markdown, unread
    if form == "text":
        lines = from_text(text, takes_unknown_types=True)
        if lines.fault is not None:
            raise _nothing_read("invalid_request", lines.fault)
        return {"diagram": lines.diagram, "flow": "right"}, [line.to_json() for line in lines.unread]
    found = _flowchart(text, parsed, is_placed=True)
    content: WorkspaceContent = {"diagram": found.diagram, "flow": found.direction}
    if found.name:
        content["name"] = found.name
    return content, [line.to_json() for line in found.unread]


def read_text_apart(text: str, form: TextFormat, parsed: bytes, _: Workspace) -> bytes:
    """`read_text` as JSON, for another process."""
    return orjson.dumps(read_text(text, form, parsed))


def flowchart_operations(text: str, most: int, workspace: Workspace) -> bytes:
    """Read a Mermaid flowchart as the operations that draw it into a workspace: the JSON of `FlowchartOperationsOut`.

    Args:
        text: the flowchart; its place in the body is `/text`.
        most: how many operations a batch may have.
        workspace: it is not changed; without its revision in the JSON.

    Raises:
        DraftsmithError: `mermaid_unread` as `read_text`; `limit_operations`.
    """
    try:
        found = _flowchart(text, b"", is_placed=False)
    except DraftsmithError as error:
        raise with_path(error, _TEXT) from None
    count = len(found.diagram["nodes"]) + len(found.diagram["edges"])
    if count > most:
        message = (
            f"This flowchart has {count:,} nodes and connections, and one batch draws up to {most}."
            " Draw a part of it, or make a workspace of it."
        )
        raise DraftsmithError("limit_operations", message, [Problem(-1, "", "limit_operations", _TEXT, message)])
    drawn = draw_flowchart(found.diagram, workspace.diagram)
    unread = [line.to_json() for line in found.unread]
    return orjson.dumps(
        {
            "operations": drawn.operations,
            "new_ids": drawn.new_ids,
            "namesakes": drawn.namesakes,
            "warnings": [warning.to_json() for warning in unread_warnings(unread, _TEXT)],
        }
    )


def unread_warnings(unread: Sequence[UnreadOut], path: str) -> list[Problem]:
    """The warnings about lines that were not taken over, up to 100; `path`: where in the body the text stands."""
    return [Problem(-1, "", "line_unread", path, _not_taken_over(line)) for line in unread[:_MAX_WARNINGS]]


def _not_taken_over(line: UnreadOut) -> str:
    quoted = f" “{line['text']}”" if line["text"] else ""
    return f"Line {line['line']} was not taken over: {line['reason']}.{quoted}"


def with_path(error: DraftsmithError, path: str) -> DraftsmithError:
    """A refusal of a text, whose place in the body this is."""
    problems = [replace(problem, path=path) for problem in error.problems]
    return DraftsmithError(error.code, error.detail, problems, error.extra)


def _flowchart(text: str, parsed: bytes, *, is_placed: bool) -> MermaidImport:
    found = from_chart(text, parsed, is_placed=is_placed)
    if found.fault is not None:
        raise _nothing_read("mermaid_unread", found.fault, () if found.is_flowchart else FIRST_WORDS)
    return found


def _nothing_read(code: str, fault: UnreadLine, candidates: tuple[str, ...] = ()) -> DraftsmithError:
    quoted = f" “{fault.text}”" if fault.text else ""
    message = f"Line {fault.line}: {fault.reason}.{quoted}"
    problem = Problem(-1, "", code, "", message, candidates)
    return DraftsmithError(problem.code, f"{message} Nothing was created.", [problem], {"line": fault.line})


def _imported_json(raw: bytes) -> Import:
    try:
        content = orjson.loads(raw.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError as error:
        raise DraftsmithError("file_unreadable", f"The file is not JSON: {error}.") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise DraftsmithError("file_unreadable", f"The file is not an export of Draftsmith ({FORMAT}).")
    name, diagram, document = content.get("name", ""), content.get("diagram", {}), content.get("document", {})
    if not (isinstance(name, str) and isinstance(diagram, dict) and isinstance(document, dict)):
        raise DraftsmithError("file_unreadable", "name must be a text, diagram and document objects.")
    images = content.pop("images", {})
    if not (isinstance(images, dict) and all(_is_exported_image(image) for image in images.values())):
        raise DraftsmithError("file_unreadable", "images must be an object of {type, data}.")
    parts = cast(WorkspaceContent, content)
    return Import("json", parts, {"format": "json", "content": parts}, name, [], images)


def _is_exported_image(image: object) -> bool:
    return isinstance(image, dict) and all(isinstance(image.get(name), str) for name in ("type", "data"))
