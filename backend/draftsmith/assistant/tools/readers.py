"""The reading tools: their answers as a text for a model and as JSON values for other providers.

Readers change nothing. A question that cannot be answered is a `ToolFault`, whose message says what to ask instead.
Answers are cut at about two thousand tokens, a section at ten thousand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from draftsmith.assistant.tools import queries
from draftsmith.assistant.tools.lines import node_line, node_shape, quote_line
from draftsmith.assistant.tools.node_search import find_nodes
from draftsmith.assistant.tools.outline import count_titles, section_name
from draftsmith.assistant.tools.text_search import MOST_PLACES, TextLocation, TextMatches, find_text
from draftsmith.assistant.tools.tool_arguments import (
    ToolFault,
    named_group,
    named_node,
    named_nodes,
    named_types,
    read_tool_input,
)
from draftsmith.assistant.tools.tool_inputs import (
    FindNodesInput,
    FindTextInput,
    ImpactInput,
    NeighboursInput,
    PathsInput,
    ReadNodesInput,
    ReadSectionInput,
)
from draftsmith.model.diagram import NO_ENDS, Diagram
from draftsmith.model.fields import DRAWN_FIELDS, edge_json
from draftsmith.model.ids import NodeId
from draftsmith.model.markdown.sections import Outline, Section
from draftsmith.model.readers.sources import without_mark
from draftsmith.model.workspace import Workspace
from draftsmith.transform.matching.locate import find_section
from draftsmith.transform.refusal import OperationRefused

_MOST: Final = 8_000  # characters of an answer
_WHOLE: Final = 6_000  # characters of a section that is given with its subsections
_LONGEST: Final = 40_000  # characters of a section's own text


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """What a reading tool answers: `text` for a model, `data` as JSON values."""

    text: str
    data: Any


def _find_nodes(workspace: Workspace, arguments: Mapping[str, object]) -> ReadAnswer:
    asked = read_tool_input(FindNodesInput, arguments)
    group = None if not asked.group else named_group(workspace.diagram, asked.group)
    types = [kind for wanted in asked.types for kind in named_types(wanted, workspace.diagram.types)]
    found = find_nodes(workspace, asked.text, types=types, technology=asked.technology, group=group, limit=asked.limit)
    diagram = workspace.diagram
    data = {"nodes": [_brief(diagram, node_id) for node_id in found.ids], "total": found.total}
    if not found.ids:
        return ReadAnswer(f"No node is like that. {_what_there_is(diagram)}", data)
    shown = f" Here are the best {len(found.ids)}:" if found.total > len(found.ids) else ""
    partly = " None has all of these words." if found.partly else ""
    head = f"{found.total} node{'s' if found.total != 1 else ''} found.{partly}{shown}"
    return ReadAnswer(cut([head, *(node_line(diagram, node_id) for node_id in found.ids)]), data)


def _find_text(workspace: Workspace, arguments: Mapping[str, object]) -> ReadAnswer:
    asked = read_tool_input(FindTextInput, arguments)
    outline = workspace.document.outline
    found = find_text(outline, asked.text, asked.limit)
    counted = count_titles(outline)
    names = ["" if place.section is None else section_name(outline, place.section, counted) for place in found.places]
    rows = [
        {"section": name, "line": place.line, "text": place.text}
        for name, place in zip(names, found.places, strict=True)
    ]
    data = {"places": rows, "total": found.total, "partly": found.partly}
    if not found.places:
        return ReadAnswer(_nothing_like(asked.text, outline), data)
    lines = [_place_line(name, place) for name, place in zip(names, found.places, strict=True)]
    return ReadAnswer(cut([_found_text(found, asked.text), *lines]), data)


def _read_nodes(workspace: Workspace, arguments: Mapping[str, object]) -> ReadAnswer:
    asked = read_tool_input(ReadNodesInput, arguments)
    diagram = workspace.diagram
    there, faults = named_nodes(diagram, asked.ids)
    nodes = [whole_node(diagram, node_id) for node_id in there]
    said = [json.dumps(without_empty(node), ensure_ascii=False) for node in nodes]
    return ReadAnswer(cut([*said, *faults.values()]), {"nodes": nodes, "missing": list(faults)})


def _read_section(workspace: Workspace, arguments: Mapping[str, object]) -> ReadAnswer:
    asked = read_tool_input(ReadSectionInput, arguments)
    outline = workspace.document.outline
    if not asked.section.strip():
        return _section_answer(outline, None, 0, outline.preamble_end, outline.preamble_end)
    try:
        section = find_section(outline, asked.section, "/section")
    except OperationRefused as refused:
        near = f" Sections: {'; '.join(refused.candidates)}." if refused.candidates else ""
        raise ToolFault(f"{refused.message}{near}") from None
    return _section_answer(outline, section, section.start, section.own_end, section.end)


def _section_answer(outline: Outline, section: Section | None, start: int, own_end: int, end: int) -> ReadAnswer:
    """The section whole if it is short; else its own text and the paths of what stands below."""
    is_whole = end - start <= _WHOLE
    text = outline.text[start : end if is_whole else own_end]
    inner = [one for one in outline.sections if section is not None and section.start < one.start < end]
    path = "" if section is None else outline.path(section)
    subsections = [outline.path(one) for one in inner]
    if section is None and outline.sections:
        subsections = []
    said = [text[:_LONGEST] if text.strip() else "(no text)"]
    if len(text) > _LONGEST:
        said.append(f"… {len(text) - _LONGEST} more characters; quote from what you see.")
    if subsections and not is_whole:
        said.append("Subsections, not shown:")
        said.extend(cut(subsections).split("\n"))
    return ReadAnswer("\n".join(said), {"path": path, "text": text, "subsections": subsections})


def _neighbours(workspace: Workspace, arguments: Mapping[str, object]) -> ReadAnswer:
    asked = read_tool_input(NeighboursInput, arguments)
    diagram = workspace.diagram
    node_id = named_node(diagram, asked.id)
    rows = []
    for found, way in queries.neighbours(workspace, node_id, asked.direction, asked.depth):
        edges = [diagram.edge(edge_id) or {} for edge_id in found.edges]
        labels = dict.fromkeys(edge["label"] for edge in edges if edge.get("label"))
        kinds = dict.fromkeys(edge.get("kind", "sync") for edge in edges)
        row = _node_with_name(diagram, found.id) | {"distance": found.distance, "direction": way}
        rows.append(row | {"edge_label": "; ".join(labels), "kind": ", ".join(kinds)})
    if not rows:
        what = {"in": "Nothing points to", "out": "It points to nothing from"}.get(asked.direction, "Nothing touches")
        return ReadAnswer(f"{what} '{node_id}'.", {"id": node_id, "nodes": []})
    lines = [
        f"{row['direction']} {row['distance']}: {row['id']} {row['type']} {quote_line(row['label'])}"
        f" over {row['kind']} {quote_line(row['edge_label'])}"
        for row in rows
    ]
    legend = f"in: points to '{node_id}', out: it points to; then the distance in edges and the last edge."
    return ReadAnswer(cut([legend, *lines]), {"id": node_id, "nodes": rows})


def _paths(workspace: Workspace, arguments: Mapping[str, object]) -> ReadAnswer:
    asked = read_tool_input(PathsInput, arguments)
    source, target = (named_node(workspace.diagram, node_id) for node_id in (asked.source, asked.target))
    found = queries.paths(workspace, source, target, asked.limit)
    data = {
        "source": source,
        "target": target,
        "paths": found.paths,
        "truncated": found.truncated,
        "undirected": found.undirected,
    }
    if not found.paths:
        return ReadAnswer(f"Nothing connects '{source}' with '{target}', in either direction.", data)
    lines = [" - ".join(path) if found.undirected else " -> ".join(path) for path in found.paths]
    if found.undirected:
        lines.insert(0, f"No way along the arrows from '{source}' to '{target}'; without regard to them:")
    if found.truncated:
        lines.append("There may be more.")
    return ReadAnswer(cut(lines), data)


def _impact(workspace: Workspace, arguments: Mapping[str, object]) -> ReadAnswer:
    asked = read_tool_input(ImpactInput, arguments)
    diagram = workspace.diagram
    node_id = named_node(diagram, asked.id)
    found = queries.impact(workspace, node_id)
    data: dict[str, Any] = {"id": node_id}
    lines: list[str] = []
    for name, rows, what in (
        ("breaks", found.breaks, "Breaks, since it needs it (calls and dependencies, also indirectly)"),
        ("starves", found.starves, "Gets no more messages or data (also indirectly)"),
        ("weakened", [one.reached for one in found.weakened], "Loses some of its sources, others still feed it"),
        ("backs_up", found.backs_up, "Cannot deliver to it any more"),
    ):
        data[name] = [
            {**_node_with_name(diagram, row.id), "distance": row.distance, "via": list(row.via)} for row in rows
        ]
        for one, weak in zip(data[name], found.weakened if name == "weakened" else (), strict=False):
            one["loss"] = weak.in_words
        lines.append(f"{what}: {'nothing' if not rows else ''}".rstrip())
        lines += [_affected_text(one) for one in data[name]]
    return ReadAnswer(cut([f"If '{node_id}' fails:", *lines]), data)


def _affected_text(one: Mapping[str, Any]) -> str:
    loss = f" {one['loss']}" if "loss" in one else ""
    return f"- {quote_line(one['label'])}{loss} ({' < '.join(reversed(one['via']))})"


def _check_diagram(workspace: Workspace, arguments: Mapping[str, object]) -> ReadAnswer:
    problems = queries.check_diagram(workspace)
    alone = [_node_with_name(workspace.diagram, node_id) for node_id in queries.unconnected_nodes(workspace)]
    data = {"problems": [problem.to_json() for problem in problems], "unconnected": alone}
    if not problems:
        return ReadAnswer("Nothing looks wrong.", data)
    return ReadAnswer(cut([f"- {problem.message}" for problem in problems]), data)


READERS: Final[Mapping[str, Callable[[Workspace, Mapping[str, Any]], ReadAnswer]]] = {
    "check_diagram": _check_diagram,
    "find_nodes": _find_nodes,
    "find_text": _find_text,
    "impact": _impact,
    "neighbours": _neighbours,
    "paths": _paths,
    "read_nodes": _read_nodes,
    "read_section": _read_section,
}


def without_empty(shape: Mapping[str, Any]) -> dict[str, Any]:
    """A node's or edge's JSON without what is empty, and without its place, which no tool takes."""
    return {
        name: [without_empty(one) for one in value] if name == "edges" else value
        for name, value in shape.items()
        if name not in DRAWN_FIELDS and value not in ("", None, {}, [], False)
    }


def _found_text(found: TextMatches, asked: str) -> str:
    """How many places there are, how well they fit, and how to read them."""
    count = f"{'at least ' if found.total >= MOST_PLACES else ''}{found.total} place{'s' if found.total != 1 else ''}"
    said = [f"No place has all of {quote_line(asked)}; {count} come near." if found.partly else f"{count} found."]
    if found.missing:
        said.append(f"Nowhere: {', '.join(quote_line(word) for word in found.missing)}.")
    if found.total > len(found.places):
        said.append(f"Here are the best {len(found.places)}:")
    if any(place.before or place.after for place in found.places):
        said.append("(… stands where a long line is cut.)")
    return " ".join(said)


def _place_line(name: str, place: TextLocation) -> str:
    """`### Orders, line 12: the text as it stands`."""
    shown = f"{'…' if place.before else ''}{place.text}{'…' if place.after else ''}"
    return f"{name or 'before the first heading'}, line {place.line}: {shown}"


def _nothing_like(asked: str, outline: Outline) -> str:
    if not outline.text.strip():
        return "The document is empty."
    return f"Nothing in the document is like {quote_line(asked)}. Try other words, or fewer."


def _what_there_is(diagram: Diagram) -> str:
    """Which types there are, with how many of each."""
    counts: dict[str, int] = {}
    for node_id in diagram.node_ids():
        kind = diagram.type_of(node_id)
        counts[kind] = counts.get(kind, 0) + 1
    if not counts:
        return "The diagram is empty."
    return f"There are: {', '.join(f'{count} {kind}' for kind, count in sorted(counts.items()))}."


def _node_with_name(diagram: Diagram, node_id: NodeId) -> dict[str, Any]:
    node = diagram[node_id]
    return {"id": node_id, "label": node.get("label", ""), "type": diagram.type_of(node_id)}


def _brief(diagram: Diagram, node_id: NodeId) -> dict[str, Any]:
    node = diagram[node_id]
    return _node_with_name(diagram, node_id) | {"technology": node.get("technology", ""), "parent": node.get("parent")}


def whole_node(diagram: Diagram, node_id: NodeId) -> dict[str, Any]:
    """A node's full JSON with the full JSON of its edges, by id; without what they were imported from."""
    edges = []
    for edge_id in sorted(diagram.edges_at(node_id)):
        source, target = diagram.ends(edge_id) or NO_ENDS
        edges.append(without_mark(edge_json(edge_id, source, target, diagram.edge(edge_id) or {})))
    return node_shape(diagram, node_id) | {"edges": edges}


def cut(lines: Sequence[str]) -> str:
    """The lines there is room for, and how many are left out; one that is too long by itself is cut."""
    kept: list[str] = []
    room = _MOST
    for number, line in enumerate(lines):
        shown = line if len(line) <= _MOST // 2 else f"{line[: _MOST // 2]}…"
        room -= len(shown) + 1
        if room < 0:
            return "\n".join([*kept, f"… {len(lines) - number} more; ask for less."])
        kept.append(shown)
    return "\n".join(kept)
