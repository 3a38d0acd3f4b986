"""What the reading tools show of a workspace: functions of the workspace alone, so that another process can run them.

Each answer is JSON with `data`, `text` and `marks`, as `ToolAnswer` has them. What is cut off has no mark.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson

from draftsmith.agents.answer import NOT_INSTRUCTIONS, ToolAnswer
from draftsmith.agents.marks import LINES, TEXT, line_mark
from draftsmith.assistant.text_blocks import mark_of, text_block
from draftsmith.assistant.tools.lines import legend, node_line, quote_line
from draftsmith.assistant.tools.outline import DOCUMENT_WHOLE, outline_lines
from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import NodeId
from draftsmith.model.workspace import Workspace

_ROOM: Final = 24_000  # characters of lines in one answer


def pack_answer(answer: ToolAnswer) -> bytes:
    """An answer as another process sends it."""
    return orjson.dumps({"data": answer.data, "text": answer.text, "marks": list(answer.marks)})


def unpack_answer(content: bytes) -> ToolAnswer:
    """Read what `pack_answer` wrote."""
    shape = orjson.loads(content)
    return ToolAnswer(shape["data"], shape["text"], shape["marks"])


def read_workspace(after: str, workspace: Workspace) -> bytes:
    """The diagram as lines and the document, whole or as its outline; `after`: the last node of the page before."""
    diagram = workspace.diagram
    lines, following = _page_of_lines(diagram, after)
    is_whole = not after and not following
    marks = [LINES] if is_whole else [line_mark(node_id) for node_id in lines]
    shown = "\n".join(lines.values()) or "(empty)"
    data: dict[str, Any] = {
        "name": workspace.name,
        "nodes": diagram.node_count,
        "edges": diagram.edge_count,
        "next_cursor": following or None,
    }
    blocks = {"diagram": f"{legend(diagram)}\n{shown}"}
    about = {"diagram": f" nodes={diagram.node_count} edges={diagram.edge_count}"}
    if following or after:
        about["diagram"] += f" shown={len(lines)} types={_count_types(diagram)}"
    if not after:
        form, blocks["document"] = _document(workspace)
        data["document"] = {"characters": len(workspace.document.text), "form": form}
        about["document"] = f" characters={len(workspace.document.text)} form={form}"
        marks += [TEXT] if form != "outline" else []
    return pack_answer(ToolAnswer(data, _text_blocks(workspace.name, blocks, about), marks))


def _page_of_lines(diagram: Diagram, after: str) -> tuple[dict[NodeId, str], str]:
    """The lines of nodes after one, as many as there is room for, and the last one if there are more."""
    lines: dict[NodeId, str] = {}
    room = _ROOM
    last = ""
    for node_id in sorted(node_id for node_id in diagram.node_ids() if node_id > after):
        line = node_line(diagram, node_id)
        room -= len(line) + 1
        if room < 0 and lines:
            return lines, last
        lines[node_id] = line
        last = node_id
    return lines, ""


def _document(workspace: Workspace) -> tuple[str, str]:
    """In which form the document is shown, and that: whole if it is short, else its outline."""
    text = workspace.document.text
    if not text.strip():
        return "empty", "(empty)"
    if len(text) <= DOCUMENT_WHOLE:
        return "whole", text.rstrip("\n")
    return "outline", "\n".join(outline_lines(workspace.document.outline, "read_sections"))


def _count_types(diagram: Diagram) -> str:
    """`cache:2,service:12`."""
    counted = Counter(diagram.type_of(node_id) for node_id in diagram.node_ids())
    return ",".join(f"{name}:{count}" for name, count in sorted(counted.items()))


def _text_blocks(name: str, blocks: Mapping[str, str], about: Mapping[str, str]) -> str:
    """Blocks of what people wrote, marked as such."""
    mark = mark_of([name, *blocks.values()])
    parts: Sequence[str] = [text_block(tag, mark, text, about.get(tag, "")) for tag, text in blocks.items()]
    return "\n".join([f"Workspace {quote_line(name)}.", *filter(None, parts), NOT_INSTRUCTIONS])
