"""Markdown import and export of a workspace.

The text becomes the document unchanged; its first Mermaid flowchart, if any, also becomes the diagram. It is a format
of `model.readers` too. Not here: the original line ends, which `Document.raw` restores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from draftsmith.model.document import eol_of, with_lf
from draftsmith.model.fields import SparseDiagram
from draftsmith.model.layered_layout import Direction
from draftsmith.model.markdown.block_parser import PARSER
from draftsmith.model.markdown.sections import outline_of
from draftsmith.model.markdown.titles import plain_title
from draftsmith.model.mermaid.format_reader import own_ids
from draftsmith.model.mermaid.reader import UnreadOut
from draftsmith.model.mermaid.writer import from_mermaid, to_mermaid
from draftsmith.model.readers.alone import sets_of, text_of
from draftsmith.model.readers.document_room import reason_against_reading
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, SourceSet, UnreadableSource, UnreadPart
from draftsmith.model.shapes import DiagramOut
from draftsmith.model.workspace import FORMAT, WorkspaceContent

__all__ = ["from_markdown", "read", "recognizes", "sets_of", "to_markdown"]

_MAX_NAME: Final = 200
_NAMELESS: Final = "Untitled"
_SEARCHED_LINES: Final = 100
_SEARCHED_CHARACTERS: Final = 2_000  # of each of them
_LOOKED_AT: Final = 65_536


class ImportedMarkdown(WorkspaceContent, total=False):
    """A Markdown file in export form.

    `unread`: the parts of the first Mermaid flowchart that are not in the diagram, or where there is none, the Mermaid
    blocks that are none; lines are counted in the whole file. `flow`: the direction of that flowchart.
    """

    unread: list[UnreadOut]


def from_markdown(text: str) -> ImportedMarkdown:
    """Read a Markdown file; never raises. The name is the first level 1 heading, else the first line."""
    clean = with_lf(text)
    diagram: SparseDiagram = {"nodes": [], "edges": []}
    unread: list[UnreadOut] = []
    flow: Direction = "right"
    for first_line, flowchart in _mermaid_blocks(clean):
        found = from_mermaid(flowchart)
        lines = [replace(line, line=line.line + first_line).to_json() for line in found.unread]
        if found.diagram["nodes"]:
            diagram, unread, flow = found.diagram, lines, found.direction
            break
        unread += lines
    return {
        "format": FORMAT,
        "name": _name(clean),
        "diagram": diagram,
        "document": {"text": clean, "eol": eol_of(text)},
        "unread": unread,
        "flow": flow,
    }


def to_markdown(name: str, text: str, diagram: DiagramOut | SparseDiagram) -> str:
    """Return the document unchanged; if it is empty, the name as heading and the diagram as Mermaid instead."""
    if text.strip():
        return text
    title = " ".join(name.split())
    if not diagram.get("nodes"):
        return f"# {title}\n"
    return f"# {title}\n\n```mermaid\n{to_mermaid(diagram)}```\n"


def _mermaid_blocks(text: str) -> Iterator[tuple[int, str]]:
    """Fenced `mermaid` blocks as (lines of the file before the content, content)."""
    # Few texts have one, and reading a long text takes long.
    tokens = PARSER.parse(text) if "mermaid" in text.lower() else []
    for token in tokens:
        if token.type == "fence" and token.map and token.info.strip().lower().split(" ")[0] == "mermaid":
            yield token.map[0] + 1, token.content


def _name(text: str) -> str:
    """The first level 1 heading, else the first line with words; on one line, cut to the length of a name."""
    titles = (section.plain for section in outline_of(text).sections if section.level == 1)
    lines = (plain_title(line[:_SEARCHED_CHARACTERS].lstrip("\ufeff#>-*=`~ \t")) for line in text.split("\n"))
    for words in (*titles, *islice(lines, _SEARCHED_LINES)):
        name = " ".join(words.replace("\x00", "").split())[:_MAX_NAME].strip()
        if name:
            return name
    return _NAMELESS


# -- as a format of `model.readers`


def recognizes(file: SourceFile) -> bool:
    """Whether it is called as Markdown is and is a text: every text is Markdown."""
    return b"\x00" not in file.content[:_LOOKED_AT]


def read(sources: SourceSet) -> Sequence[ReadWorkspace]:
    """Read a document.

    Raises:
        UnreadableSource: it is not UTF-8, or is beyond a bound.
    """
    path = sources.root.path
    text = text_of(sources.root)
    if reason := reason_against_reading(text):
        raise UnreadableSource(reason, path)
    found = from_markdown(text)
    diagram, document = found.get("diagram"), found.get("document")
    diagram = diagram or {"nodes": [], "edges": []}
    return [
        ReadWorkspace(
            found.get("name", ""),
            diagram,
            document["text"] if document else "",
            [UnreadPart(path, f"line {one['line']}", one["text"], one["reason"]) for one in found["unread"]],
            own_ids(diagram),
            flow=found.get("flow", "right"),
        )
    ]
