"""The first message of a run: the workspace, earlier turns, the selection, a finding, and the request last.

Everything that people wrote is enclosed in tags with a mark: a short hash of all of it, computed anew until it occurs
nowhere in the text. So no document, label or earlier request can close a block or open one. The same content gives the
same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

from draftsmith.assistant.context.excerpts import named_sections, selected_section
from draftsmith.assistant.context.focus import Focus, TextRange
from draftsmith.assistant.context.mentions import named_nodes
from draftsmith.assistant.context.message_room import MessageRoom, room_of
from draftsmith.assistant.context.overview import diagram_text
from draftsmith.assistant.prompts import PromptSet
from draftsmith.assistant.text_blocks import mark_of, text_block
from draftsmith.assistant.tools.findings import finding_lines
from draftsmith.assistant.tools.lines import node_shape, one_line, quote_line
from draftsmith.assistant.tools.outline import count_titles, outline_lines, section_name
from draftsmith.assistant.tools.readers import without_empty
from draftsmith.model.document import from_units, units
from draftsmith.model.fields import edge_json
from draftsmith.model.markdown.sections import Section
from draftsmith.model.readers.sources import without_mark
from draftsmith.model.workspace import Workspace
from draftsmith.ports.run_outcomes import FindingOut

_SELECTED: Final = 4_000  # characters of a selected text or section
_FOCUSED: Final = 20  # nodes and edges that are given in full


def first_message(
    prompts: PromptSet,
    workspace: Workspace,
    *,
    revision: int,
    prompt: str,
    focus: Focus | None,
    recap: Sequence[str],
    changed_since: Sequence[str],
    finding: FindingOut | None = None,
    is_small: bool = False,
) -> str:
    """Write the first message of a run.

    Args:
        prompts: of the workflow.
        workspace: as it is now.
        revision: of the workspace.
        prompt: what the person asks.
        focus: what they had selected.
        recap: earlier turns of the conversation, oldest first, one text each.
        changed_since: what people changed since the last run, one sentence each.
        finding: of an earlier run, that a change is asked for.
        is_small: the model can read little.
    """
    focus = focus or Focus()
    room = room_of(prompts.workflow, is_small=is_small)
    whole = _whole_document(workspace, room)
    shown = [] if whole else named_sections(workspace, prompt, focus, room)
    named = named_nodes(workspace.diagram, prompt, focus)
    blocks = {
        "diagram": diagram_text(workspace.diagram, named, prompt, prompts.workflow, room),
        "document": whole or _document_outline(workspace, shown),
        "conversation": "\n".join(recap),
        "changes": "\n".join(f"- {one_line(line)}" for line in changed_since),
        "selection": "" if focus.is_empty else _selection(workspace, focus, is_shown=bool(whole), sections=shown),
        "finding": "" if finding is None else finding_lines(finding),
        "request": prompt.strip(),
    }
    form = "whole" if whole else f"outline sections={len(shown)}"
    name = quote_line(workspace.name)
    mark = mark_of([*blocks.values(), name])
    about = {
        "diagram": f" nodes={workspace.diagram.node_count} edges={workspace.diagram.edge_count}",
        "document": f" characters={len(workspace.document.text)} form={form}",
    }
    written = {tag: text_block(tag, mark, text, about.get(tag, "")) for tag, text in blocks.items()}
    return prompts.render(mark=mark, name=name, revision=str(revision), **written)


def _whole_document(workspace: Workspace, room: MessageRoom) -> str:
    """The text of the document where it is given whole; empty where its outline is given."""
    text = workspace.document.text
    if not text.strip():
        return "(empty)"
    return text.rstrip("\n") if len(text) <= room.document else ""


def _document_outline(workspace: Workspace, sections: Sequence[Section]) -> str:
    """The outline of a long document, and after it the sections that are sent in full, without their subsections."""
    outline = workspace.document.outline
    lines = outline_lines(outline)
    counted = count_titles(outline) if sections else {}
    if sections:
        lines += ["", "Sections that the request may be about, each as it stands, without its subsections:"]
    for section in sections:
        name = section_name(outline, section, counted)
        lines += ["", f"[{name}, from line {section.line}]", outline.text[section.start : section.own_end].strip("\n")]
    return "\n".join(lines)


def _selection(workspace: Workspace, focus: Focus, *, is_shown: bool, sections: Sequence[Section]) -> str:
    """What is selected; `is_shown`: the whole document is in the message, `sections`: these sections are."""
    diagram = workspace.diagram
    said: list[str] = []
    gone: list[str] = [node_id for node_id in focus.nodes if node_id not in diagram]
    there = [node_id for node_id in focus.nodes if node_id in diagram][:_FOCUSED]
    said += [f"node {_json(node_shape(diagram, node_id))}" for node_id in there]
    for edge_id in focus.edges[:_FOCUSED]:
        ends = diagram.ends(edge_id)
        if ends is None:
            gone.append(edge_id)
        else:
            shape = edge_json(edge_id, *ends, diagram.edge(edge_id) or {})
            said.append(f"edge {_json(without_mark(shape))}")
    more = max(0, len(focus.nodes) - _FOCUSED) + max(0, len(focus.edges) - _FOCUSED)
    if more:
        said.append(f"and {more} more")
    section = selected_section(workspace.document.outline, focus)
    said += _selected_text(workspace, focus, gone, is_shown=is_shown or section in sections)
    if gone:
        said.append(f"no longer there: {', '.join(quote_line(one) for one in gone)}")
    return "\n".join(said)


def _json(shape: Mapping[str, object]) -> str:
    return json.dumps(without_empty(shape), ensure_ascii=False)


def _selected_text(workspace: Workspace, focus: Focus, missing: list[str], *, is_shown: bool) -> list[str]:
    """The section the cursor stands in and the selected text; what is gone is added to `missing`.

    `is_shown`: the text of the section is in the message already.
    """
    outline = workspace.document.outline
    said: list[str] = []
    if focus.section is not None and focus.section.strip():
        section = selected_section(outline, focus)
        if section is None:
            missing.append(focus.section)
        else:
            said.append(f"section {outline.path(section)}")
            if not is_shown and focus.range is None:
                said.append(_short(outline.text[section.start : section.own_end].rstrip("\n")))
    if focus.range is not None and focus.range.start < focus.range.end:
        text = _stretch(outline.text, focus.range)
        if text.strip():
            said += ["selected text:", _short(text)]
        else:
            missing.append("the selected text")
    return said


def _stretch(text: str, selected: TextRange) -> str:
    """The selected text; offsets beyond the text or inside a character are moved inwards."""
    to_point = from_units(text)
    size = units(text)
    ends: list[int] = []
    for at in (selected.start, selected.end):
        try:
            ends.append(to_point(min(at, size)))
        except UnicodeDecodeError:
            ends.append(to_point(min(at + 1, size)))
    return text[ends[0] : ends[1]]


def _short(text: str) -> str:
    return text if len(text) <= _SELECTED else f"{text[:_SELECTED]}\n… {len(text) - _SELECTED} more characters"
