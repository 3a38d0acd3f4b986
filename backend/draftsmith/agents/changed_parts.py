"""What of a workspace has changed since a revision, for an agent that had read it: made of the commits since then.

`changed_parts` sums up the commits, `read_changes` shows those parts of the workspace as they are now. Neither builds
an old state. Not here: reading the log (`usecases.agents.reading`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from draftsmith.agents.answer import NOT_INSTRUCTIONS, ToolAnswer
from draftsmith.agents.fence import sections_touched
from draftsmith.agents.marks import line_mark
from draftsmith.agents.reading import pack_answer
from draftsmith.assistant.text_blocks import mark_of, text_block
from draftsmith.assistant.tools.lines import legend, node_line, one_line, quote_line
from draftsmith.history.diff import diff_of
from draftsmith.history.shapes import ChangedOut, DiffOut
from draftsmith.model.diagram import Diagram
from draftsmith.model.document import from_units_in_order
from draftsmith.model.fields import DRAWN_FIELDS
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.markdown.sections import Outline, outline_of
from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps.spans import Span
from draftsmith.transform.steps.steps import Step, other_steps, text_steps
from draftsmith.transform.steps.text import in_one

_ROOM: Final = 12_000  # characters of lines, and of sections
_NAMED: Final = 100  # nodes and sections that are named only, and authors
_ON_LINES: Final = frozenset(
    {"type", "custom_type", "label", "technology", "parent", "locked", "kind", "direction", "source", "target"}
)


@dataclass(frozen=True, slots=True)
class ChangedParts:
    """What some commits changed, net; what cancels out is not there.

    Attributes:
        nodes: that came, or of which a field changed that is no place in the drawing.
        unlined: of those, the ones of which a field changed that lines do not show.
        edges: that came or changed; their sources' lines read differently.
        unlined_edges: of those, the ones of which a field changed that lines do not show.
        sources: of edges that went, or that began at another node.
        removed: nodes that went.
        spans: what is new in the document, in UTF-16 units of the text after; empty ones where text went.
        deleted: texts with headings that were deleted, each with where it stood in the text after, in UTF-16 units.
        name: of the workspace, where it was renamed.
        types: of the workspace's own that came, changed or went.
    """

    nodes: tuple[NodeId, ...] = ()
    unlined: tuple[NodeId, ...] = ()
    edges: tuple[EdgeId, ...] = ()
    unlined_edges: tuple[EdgeId, ...] = ()
    sources: tuple[NodeId, ...] = ()
    removed: tuple[NodeId, ...] = ()
    spans: tuple[Span, ...] = ()
    deleted: tuple[tuple[int, str], ...] = ()
    name: str = ""
    types: tuple[str, ...] = ()


def changed_parts(steps: Sequence[Step]) -> ChangedParts:
    """Sum up the steps of consecutive commits, oldest first."""
    diff = diff_of(other_steps(steps))
    nodes, edges = _beyond_places(diff["nodes"]["changed"]), _beyond_places(diff["edges"]["changed"])
    changed = {*diff["edges"]["removed"], *(one["id"] for one in edges)}
    given_up = [ends for step in steps if (ends := step.ends_given_up()) is not None]
    sources = [NodeId(old["source"]) for edge_id, old in given_up if edge_id in changed and "source" in old]
    spans, deleted = _text_changes(steps)
    return ChangedParts(
        nodes=tuple(NodeId(one["id"]) for one in (*diff["nodes"]["added"], *nodes)),
        unlined=tuple(NodeId(one["id"]) for one in nodes if _is_unlined(one)),
        edges=tuple(EdgeId(one["id"]) for one in (*diff["edges"]["added"], *edges)),
        unlined_edges=tuple(EdgeId(one["id"]) for one in edges if _is_unlined(one)),
        sources=tuple(sources),
        removed=tuple(map(NodeId, diff["nodes"]["removed"])),
        spans=spans,
        deleted=deleted,
        name=_new_name(diff),
        types=tuple(diff.get("types", ())),
    )


def _beyond_places(changed: Iterable[ChangedOut]) -> list[ChangedOut]:
    """Those of which more changed than their place in the drawing."""
    return [one for one in changed if one["fields"].keys() - DRAWN_FIELDS]


def _is_unlined(one: ChangedOut) -> bool:
    return bool(one["fields"].keys() - _ON_LINES - DRAWN_FIELDS)


def _new_name(diff: DiffOut) -> str:
    return str(diff["workspace"]["name"][1]) if "name" in diff["workspace"] else ""


def _text_changes(steps: Sequence[Step]) -> tuple[tuple[Span, ...], tuple[tuple[int, str], ...]]:
    """Where the text is new, and what was deleted that may be headings."""
    texts = text_steps(steps)
    if not texts:
        return (), ()
    net = in_one(texts)
    trimmed = net.changes.trim(net.deleted)
    pairs = zip(net.changes.changes(), net.deleted, strict=True)
    deleted = tuple((change.new_start, text) for change, text in pairs if "#" in text)
    return tuple((change.new_start, change.new_end) for change in trimmed.changes()), deleted


def read_changes(parts: ChangedParts, workspace: Workspace) -> bytes:
    """Show the parts as they are now; what there is no room for is named, to be read by other tools."""
    diagram, outline = workspace.diagram, workspace.document.outline
    lines, unshown = _lines(diagram, parts)
    texts, unread, marks = _sections(outline, parts.spans)
    gone = _removed_names(parts, outline, diagram)
    data: dict[str, Any] = {
        "name": workspace.name, "nodes": diagram.node_count, "edges": diagram.edge_count,
        "document": {"characters": len(workspace.document.text), "form": "changes"}, "next_cursor": None,
    }  # fmt: skip
    more = (*unshown, *parts.unlined, *_sources(diagram, parts.unlined_edges))
    whole = [node_id for node_id in dict.fromkeys(more) if node_id in diagram]
    said = [
        *([f"It is called {quote_line(parts.name)} now."] if parts.name else []),
        *_blocks(legend(diagram) if lines or parts.types else "", lines, texts, gone),
        *([f"read_nodes shows more that changed: {_joined_names(whole)}"] if whole else []),
        *([f"read_sections shows more that changed: {_joined_names(unread, '; ')}"] if unread else []),
    ]
    text = "\n".join(said) or "Nothing that these tools show has changed since."
    return pack_answer(ToolAnswer(data, text, [*map(line_mark, lines), *marks]))


def _lines(diagram: Diagram, parts: ChangedParts) -> tuple[Mapping[NodeId, str], list[NodeId]]:
    """The lines of nodes that may read differently, as many as there is room for, and the others."""
    changed = (*parts.nodes, *parts.sources, *_sources(diagram, parts.edges))
    wanted = sorted({one for one in changed if one in diagram})
    lines: dict[NodeId, str] = {}
    room = _ROOM
    for at, node_id in enumerate(wanted):
        line = node_line(diagram, node_id)
        room -= len(line) + 1
        if room < 0:
            return lines, wanted[at:]
        lines[node_id] = line
    return lines, []


def _sources(diagram: Diagram, edges: Iterable[EdgeId]) -> list[NodeId]:
    return [ends[0] for edge_id in edges if (ends := diagram.ends(edge_id)) is not None]


def _sections(outline: Outline, spans: Sequence[Span]) -> tuple[list[str], list[str], list[str]]:
    """The own texts of sections that changed, as many as there is room for, the names of others, and the marks."""
    texts, unread, marks = list[str](), list[str](), list[str]()
    room = _ROOM
    for section, mark in sections_touched(outline, spans):
        start, end = (0, outline.preamble_end) if section is None else (section.start, section.own_end)
        path = "" if section is None else outline.path(section)
        if end - start > room:
            unread.append(one_line(path) or '""')
            continue
        room -= end - start
        line = 1 if section is None else section.line
        texts.append(f"[{one_line(path)}, from line {line}]\n{outline.text[start:end].rstrip()}")
        marks.append(mark)
    return texts, unread, marks


def _removed_names(parts: ChangedParts, outline: Outline, diagram: Diagram) -> list[str]:
    there = set(_headings(outline))
    point = from_units_in_order(outline.text)
    headings = dict.fromkeys(
        heading
        for at, text in parts.deleted
        if at == 0 or outline.text[point(at) - 1] == "\n"  # else it was no line of its own
        for heading in _headings(outline_of(text))
        if heading not in there
    )
    removed = [f"node {node_id}" for node_id in parts.removed if node_id not in diagram]
    return [*removed, *map(one_line, headings)][:_NAMED]


def _headings(outline: Outline) -> Iterator[str]:
    return (f"{'#' * section.level} {section.title}" for section in outline.sections)


def _blocks(head: str, lines: Mapping[NodeId, str], texts: Sequence[str], removed: Sequence[str]) -> Iterator[str]:
    """Blocks of what people wrote, marked as such; `head`: what stands above lines, empty for no block of them."""
    shown = "\n".join([head, *lines.values()])
    mark = mark_of([shown, *texts, *removed])
    if head:
        yield text_block("diagram", mark, shown, f" changed={len(lines)}")
    for text in texts:
        yield text_block("section", mark, text, "")
    if removed:
        yield text_block("gone", mark, "\n".join(removed), "")
    if head or texts or removed:
        yield NOT_INSTRUCTIONS


def _joined_names(names: Sequence[str], separator: str = ", ") -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return separator.join(names[:_NAMED]) + more
