"""Import and export of workspaces: JSON export, Markdown, Mermaid."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypedDict, cast

import orjson

from draftsmith.errors import DraftsmithError, Problem
from draftsmith.model.formats import Format, TextFormat
from draftsmith.model.markdown_import import from_markdown, to_markdown
from draftsmith.model.mermaid.kinds import FIRST_WORDS
from draftsmith.model.mermaid.reader import UnreadOut
from draftsmith.model.mermaid.writer import UnreadLine, from_mermaid, to_mermaid
from draftsmith.model.shapes import ExportedImageOut
from draftsmith.model.workspace import FORMAT, Workspace, WorkspaceContent, diagram_json, export_json


class ImportBody(TypedDict):
    """A file as `POST /workspaces` takes it."""

    format: Format
    content: str | WorkspaceContent


@dataclass(frozen=True, slots=True)
class Import:
    """A file that was read.

    Attributes:
        format: what it was read as.
        content: the export form, for creating a workspace directly; parts may be absent.
        body: what `POST /workspaces` takes as `import`.
        name: what the file says it is called, empty for nothing.
        unread: `{line, text, reason}` for what is not in the content.
        images: those of an export, which are put apart: all of them may be larger than a body.
    """

    format: Format
    content: WorkspaceContent
    body: ImportBody
    name: str
    unread: list[UnreadOut]
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


WRITERS: Final[Mapping[Format, FormatWriter]] = {
    "json": FormatWriter(_json_file, _json),
    "markdown": FormatWriter(_markdown_file, _markdown),
    "mermaid": FormatWriter(_mermaid, _mermaid),
}
"""Markdown is written with the line ends that the document came with."""


def import_workspace(raw: bytes, form: Format) -> Import:
    """Read a file.

    Raises:
        DraftsmithError: `file_unreadable`, if it is not UTF-8 or not our JSON; `mermaid_unread` as `read_text`.
    """
    if form == "json":
        return _imported_json(raw)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DraftsmithError("file_unreadable", f"The file is not UTF-8: {error}.") from error
    content, unread = read_text(text, form)
    return Import(form, content, {"format": form, "content": text}, content.get("name", ""), unread)


def read_text(text: str, form: TextFormat) -> tuple[WorkspaceContent, list[UnreadOut]]:
    """Read a text as the export form, and what of it was not understood: `{line, text, reason}` each.

    `flow` beside `diagram` says in which direction it flows: its positions are found here and may be better elsewhere.

    Raises:
        DraftsmithError: `mermaid_unread`, if Mermaid is of another kind than we read, or nothing of it can be read.
    """
    if form == "markdown":
        markdown = from_markdown(text)
        unread = markdown.pop("unread")
        return markdown, unread
    found = from_mermaid(text)
    if found.fault is not None:
        raise _nothing_read(found.fault, () if found.is_flowchart else FIRST_WORDS)
    return {"diagram": found.diagram, "flow": found.direction}, [line.to_json() for line in found.unread]


def read_text_apart(text: str, form: TextFormat, _: Workspace) -> bytes:
    """`read_text` as JSON, for another process."""
    return orjson.dumps(read_text(text, form))


def _nothing_read(fault: UnreadLine, candidates: tuple[str, ...]) -> DraftsmithError:
    quoted = f" “{fault.text}”" if fault.text else ""
    message = f"Line {fault.line}: {fault.reason}.{quoted}"
    problem = Problem(-1, "", "mermaid_unread", "", message, candidates)
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
