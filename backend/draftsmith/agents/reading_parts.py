"""What the tools show of parts of a workspace: sections, nodes, what words are found in, what looks wrong, files.

Functions of the workspace alone, as in `reading`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from draftsmith.agents.answer import NOT_INSTRUCTIONS, ToolAnswer
from draftsmith.agents.marks import line_mark, node_mark, section_marks
from draftsmith.agents.reading import pack_answer
from draftsmith.assistant.text_blocks import mark_of, text_block
from draftsmith.assistant.tools.lines import legend, node_line, one_line, quote_line
from draftsmith.assistant.tools.readers import READERS, whole_node, without_empty
from draftsmith.assistant.tools.tool_arguments import named_nodes
from draftsmith.model.formats import Format
from draftsmith.model.ids import NodeId
from draftsmith.model.markdown.sections import Outline, Section
from draftsmith.model.rules import lint_all
from draftsmith.model.workspace import Workspace
from draftsmith.transform.matching.locate import find_section
from draftsmith.transform.refusal import OperationRefused

_WITH_SUBSECTIONS: Final = 6_000  # characters of a section that is given with its subsections
_ROOM: Final = 40_000  # characters of one answer
_WARNINGS: Final = 50
_TOO_MUCH: Final = "too much for one answer; ask for it in another"


def read_sections(names: Sequence[str], workspace: Workspace) -> bytes:
    """Sections as they stand, as many as there is room for."""
    outline = workspace.document.outline
    rows: list[dict[str, Any]] = []
    not_read: list[str] = []
    shown: set[int | None] = set()
    room = _ROOM
    for name in dict.fromkeys(names):
        try:
            section = None if not name.strip() else find_section(outline, name, "/sections")
        except OperationRefused as refused:
            near = f" Sections: {'; '.join(refused.candidates)}." if refused.candidates else ""
            not_read.append(f"{refused.message}{near}")
            continue
        row, contained = _section(outline, section)
        if len(row["text"]) > room:
            called = row["section"] or "The text before the first heading"
            not_read.append(f"{called}: {_TOO_MUCH}, or find a place in it.")
            continue
        room -= len(row["text"])
        rows.append(row)
        shown |= contained
    marks = [mark for section, mark in section_marks(outline) if (section and section.index) in shown]
    blocks = [("", f"[{one_line(row['section'])}, from line {row['line']}]\n{_with_below(row)}") for row in rows]
    text = _blocks("section", blocks)
    said = [text or "No section was read.", *not_read]
    return pack_answer(ToolAnswer({"sections": rows, "not_read": not_read}, "\n".join(said), marks))


def _section(outline: Outline, section: Section | None) -> tuple[dict[str, Any], set[int | None]]:
    """A section as it is shown, and which sections are in it; short ones come with what stands below."""
    if section is None:
        text = outline.text[: outline.preamble_end]
        return {"section": "", "line": 1, "text": text, "is_whole": True, "below": []}, {None}
    inner = [one for one in outline.sections if section.start < one.start < section.end]
    is_whole = section.end - section.start <= _WITH_SUBSECTIONS or not inner
    end = section.end if is_whole else section.own_end
    row = {
        "section": outline.path(section),
        "line": section.line,
        "text": outline.text[section.start : end],
        "is_whole": is_whole,
        "below": [] if is_whole else [outline.path(one) for one in inner],
    }
    return row, {section.index, *((one.index for one in inner) if is_whole else ())}


def _with_below(row: Mapping[str, Any]) -> str:
    below = row["below"]
    text = str(row["text"]).rstrip("\n") or "(no text)"
    return "\n".join([text, *(["Subsections, not shown:", *below] if below else [])])


def read_nodes(ids: Sequence[str], workspace: Workspace) -> bytes:
    """Nodes with everything about them and their edges, as many as there is room for."""
    diagram = workspace.diagram
    rows: list[dict[str, Any]] = []
    there, faults = named_nodes(diagram, ids)
    not_read = list(faults.values())
    room = _ROOM
    for node_id in there:
        row = without_empty(whole_node(diagram, node_id))
        size = len(json.dumps(row, ensure_ascii=False))
        if size > room:
            not_read.append(f"{node_id}: {_TOO_MUCH}.")
            continue
        room -= size
        rows.append(row)
    lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    said = [_blocks("nodes", [("", lines)]) if rows else "No node was read.", *not_read]
    marks = [node_mark(row["id"]) for row in rows]
    return pack_answer(ToolAnswer({"nodes": rows, "not_read": not_read}, "\n".join(said), marks))


def find(text: str, within: str, limit: int, workspace: Workspace) -> bytes:
    """Lines of nodes, and places in the document."""
    data: dict[str, Any] = {"nodes": [], "nodes_total": 0, "places": [], "places_total": 0}
    blocks: list[tuple[str, str]] = []
    marks: list[str] = []
    if within != "document":
        found = READERS["find_nodes"](workspace, {"text": text.replace('"', " "), "limit": limit}).data
        ids = [NodeId(one["id"]) for one in found["nodes"]]
        data["nodes"] = [node_line(workspace.diagram, node_id) for node_id in ids]
        data["nodes_total"] = found["total"]
        marks = [line_mark(node_id) for node_id in ids]
        if ids:
            blocks.append((f" nodes={found['total']}", "\n".join([legend(workspace.diagram), *data["nodes"]])))
    if within != "diagram":
        found = READERS["find_text"](workspace, {"text": text, "limit": limit}).data
        data["places"], data["places_total"] = found["places"], found["total"]
        lines = [
            f"{one['section'] or 'before the first heading'}, line {one['line']}: {one['text']}"
            for one in data["places"]
        ]
        if lines:
            blocks.append((f" places={found['total']}", "\n".join(lines)))
    nothing = f"Nothing is like {quote_line(text)}. Try other words."
    return pack_answer(ToolAnswer(data, _blocks("found", blocks) or nothing, marks))


def check(after: int, workspace: Workspace) -> bytes:
    """A page of what looks wrong."""
    found = lint_all(workspace)
    page = found[after : after + _WARNINGS]
    following = str(after + _WARNINGS) if len(found) > after + _WARNINGS else None
    rows = [{"code": problem.code, "message": problem.message} for problem in page]
    lines = "\n".join(f"- {row['message']} ({row['code']})" for row in rows)
    text = _blocks("warnings", [(f" of={len(found)}", lines)]) if rows else "Nothing looks wrong."
    return pack_answer(ToolAnswer({"warnings": rows, "next_cursor": following}, text))


def file_page(form: Format, content: str, start: int) -> ToolAnswer:
    """A page of a file."""
    page = content[start : start + _ROOM]
    end = start + len(page)
    following = str(end) if end < len(content) else None
    text = _blocks("file", [(f" format={form} characters={len(content)} from={start}", page)])
    return ToolAnswer({"format": form, "text": page, "next_cursor": following}, text)


def _blocks(tag: str, blocks: Sequence[tuple[str, str]]) -> str:
    """Blocks of what people wrote, marked as such; empty for none."""
    if not blocks:
        return ""
    mark = mark_of([part for block in blocks for part in block])
    return "\n".join([*(text_block(tag, mark, text, about) for about, text in blocks), NOT_INSTRUCTIONS])
