"""Workspaces as resources: their addresses, what each holds, and whether it has changed.

    draftsmith://w/{id}/diagram            the diagram as lines
    draftsmith://w/{id}/document           the document
    draftsmith://w/{id}/section/{path}     a section, by its heading with parents, percent-encoded

Functions of addresses and of the workspace alone. Not here: who may read (`api.mcp.resources`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote

import orjson

from draftsmith.agents.answer import NOT_INSTRUCTIONS, ToolAnswer
from draftsmith.agents.marks import LINES, TEXT, line_mark
from draftsmith.agents.reading import pack_answer
from draftsmith.agents.reading_parts import read_sections
from draftsmith.assistant.text_blocks import mark_of, text_block
from draftsmith.assistant.tools.lines import legend, node_line, node_lines, quote_line
from draftsmith.assistant.tools.outline import outline_lines
from draftsmith.model.workspace import Workspace
from draftsmith.transform.matching.locate import find_section
from draftsmith.transform.refusal import OperationRefused

TEMPLATES: Final[Mapping[str, tuple[str, str]]] = {
    "draftsmith://w/{id}/diagram": ("Diagram", "The diagram of a workspace as lines, with its revision."),
    "draftsmith://w/{id}/document": ("Document", "The design document of a workspace, with its revision."),
    "draftsmith://w/{id}/section/{path}": ("Section", "A section, by its heading: %23%23%20Storage for ## Storage."),
}
"""By address with variables: title and description."""
_ADDRESS: Final = re.compile(r"draftsmith://w/([0-9a-hjkmnp-tv-z]{26})/(?:(diagram|document)|section/([^?#]{1,2000}))")
_ROOM: Final = 200_000  # characters of one resource
_MOST_SECTIONS: Final = 100


@dataclass(frozen=True, slots=True)
class Resource:
    """What an address names; `part` is diagram, document or section, `section` the heading with parents."""

    workspace: str
    part: str
    section: str = ""

    @property
    def uri(self) -> str:
        """The address."""
        path = f"section/{quote(self.section, safe='')}" if self.part == "section" else self.part
        return f"draftsmith://w/{self.workspace}/{path}"


def resource_or_none(uri: str) -> Resource | None:
    """What an address names; None for one that is none of ours."""
    found = _ADDRESS.fullmatch(uri)
    if found is None:
        return None
    section = unquote(found[3] or "")
    return Resource(found[1], found[2] or "section", section)


def read_resource(part: str, section: str, workspace: Workspace) -> bytes:
    """What a resource holds, as `reading` shows it."""
    if part == "section":
        return read_sections([section], workspace)
    return pack_answer(_diagram(workspace) if part == "diagram" else _document(workspace))


def _diagram(workspace: Workspace) -> ToolAnswer:
    diagram = workspace.diagram
    lines: list[str] = []
    marks: list[str] = []
    room = _ROOM
    for node_id in sorted(diagram.node_ids()):
        line = node_line(diagram, node_id)
        room -= len(line) + 1
        if room < 0:
            break
        lines.append(line)
        marks.append(line_mark(node_id))
    left = diagram.node_count - len(lines)
    if left:
        lines.append(f"({left} more nodes: read_workspace gives them in pages)")
    about = f" nodes={diagram.node_count} edges={diagram.edge_count}"
    text = "\n".join([legend(diagram), *(lines or ["(empty)"])])
    return _answer(workspace.name, "diagram", text, about, marks if left else [LINES])


def _document(workspace: Workspace) -> ToolAnswer:
    text = workspace.document.text
    if len(text) <= _ROOM:
        return _answer(workspace.name, "document", text or "(empty)", f" characters={len(text)}", [TEXT])
    lines = outline_lines(workspace.document.outline, "read_sections")
    return _answer(workspace.name, "document", "\n".join(lines), f" characters={len(text)} form=outline", [])


def _answer(name: str, tag: str, text: str, about: str, marks: Sequence[str]) -> ToolAnswer:
    block = text_block(tag, mark_of([name, text]), text.rstrip("\n"), about)
    return ToolAnswer({}, "\n".join([f"Workspace {quote_line(name)}.", block, NOT_INSTRUCTIONS]), marks)


def fingerprints(wanted: Sequence[tuple[str, str]], workspace: Workspace) -> bytes:
    """A hash of each of these parts and sections as they stand, as a list of JSON; empty for a section that is none.

    A part is the same as long as what is shown of it is: moving a node leaves the lines of a diagram as they are.
    """
    return orjson.dumps([_fingerprint(part, section, workspace) for part, section in wanted])


def _fingerprint(part: str, section: str, workspace: Workspace) -> str:
    if part == "diagram":
        diagram = workspace.diagram
        return _hash("\n".join([legend(diagram), *node_lines(diagram, diagram.node_ids())]))
    outline = workspace.document.outline
    if part == "document":
        return _hash(outline.text)
    if not section.strip():
        return _hash(outline.text[: outline.preamble_end])
    try:
        found = find_section(outline, section, "/section")
    except OperationRefused:
        return ""
    return _hash(outline.text[found.start : found.end])


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def section_paths(beginning: str, workspace: Workspace) -> bytes:
    """The sections whose heading, with or without its parents, holds a text, as a list of JSON."""
    outline = workspace.document.outline
    wanted = beginning.casefold().strip()
    found = [path for section in outline.sections if wanted in (path := outline.path(section)).casefold()]
    return orjson.dumps(found[:_MOST_SECTIONS])
