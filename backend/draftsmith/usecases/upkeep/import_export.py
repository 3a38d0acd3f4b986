"""Import and export of workspaces: JSON export, Markdown, Mermaid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Literal, get_args

import orjson

from draftsmith.errors import DraftsmithError
from draftsmith.model.markdown_import import from_markdown, to_markdown
from draftsmith.model.mermaid import from_mermaid, to_mermaid
from draftsmith.model.workspace import FORMAT, Workspace, diagram_json, export_json

Format = Literal["json", "markdown", "mermaid"]
FORMATS: tuple[Format, ...] = get_args(Format)
_SUFFIXES: Mapping[str, Format] = {
    ".json": "json", ".md": "markdown", ".markdown": "markdown", ".mmd": "mermaid", ".mermaid": "mermaid",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Import:
    """A file that was read.

    Attributes:
        format: what it was read as.
        content: the export form, for creating a workspace directly; parts may be absent.
        body: what `POST /workspaces` takes as `import`.
        name: what the file says it is called, empty for nothing.
        unread: `{line, text, reason}` for what is not in the content.
    """

    format: Format
    content: Mapping[str, Any]
    body: Mapping[str, Any]
    name: str
    unread: list[dict[str, Any]]


def exported(workspace: Workspace, form: Format) -> bytes:
    """Write a workspace; Markdown with the line ends that its document came with."""
    if form == "json":
        return orjson.dumps(export_json(workspace), option=orjson.OPT_INDENT_2) + b"\n"
    diagram = diagram_json(workspace.diagram)
    text = to_mermaid(diagram) if form == "mermaid" else to_markdown(workspace.name, workspace.document.raw(), diagram)
    return text.encode()


def format_of(name: str) -> Format | None:
    """Tell the format from the name of a file; None if it does not say."""
    return _SUFFIXES.get(PurePath(name).suffix.lower())


def imported(raw: bytes, form: Format) -> Import:
    """Read a file.

    Raises:
        DraftsmithError: `file_unreadable`, if it is not UTF-8 or not our JSON.
    """
    if form == "json":
        return _imported_json(raw)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DraftsmithError("file_unreadable", f"The file is not UTF-8: {error}.") from error
    body = {"format": form, "content": text}
    if form == "markdown":
        content = from_markdown(text)
        unread: list[dict[str, Any]] = content.pop("unread")
        return Import(form, content, body, content["name"], unread)
    found = from_mermaid(text)
    unread = [{"line": line.line, "text": line.text, "reason": line.reason} for line in found.unread]
    return Import(form, {"diagram": found.diagram}, body, "", unread)


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
    return Import("json", content, {"format": "json", "content": content}, name, [])
