"""Lint: what is allowed but probably not intended. A write checks only what it touched, at a bounded cost."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Final

from draftsmith.errors import Problem
from draftsmith.model.diagram import NO_ENDS, Diagram
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.images import ADDRESS
from draftsmith.model.markdown.anchors import HeadingLink
from draftsmith.model.markdown.sections import Outline, Section
from draftsmith.model.markdown.segments import HeadingSpan
from draftsmith.model.vocabulary import ANNOTATIONS
from draftsmith.model.workspace import Workspace

_MOST_LOOKS = 100  # edges that each of the two searches of one write may visit
_MOST = 20  # warnings on one write
MOST_READ: Final = 100_000
"""Characters of the document that one write has read for links; in longer sections they are not looked at."""
MOST_HEADINGS: Final = 5_000
"""Headings whose addresses one write has made; where there are more, links to headings are not looked at."""
_MENTIONS = re.compile(r"#node/([A-Za-z0-9_%-]+)")


def lint_touched(
    workspace: Workspace,
    nodes: Iterable[NodeId],
    edges: Iterable[EdgeId],
    parted: Iterable[tuple[NodeId, NodeId]],
    *,
    span: tuple[int, int] | None,
    removed: Iterable[NodeId],
    links_left: Sequence[HeadingLink] = (),
) -> list[Problem]:
    """Warnings about what a change touched.

    Args:
        workspace: after the change.
        nodes, edges: ids that were added or changed, or lost an edge; deleted ids are ignored.
        parted: ends of removed edges.
        span: from the first to the last change, code points of the new document; None if it did not change.
        removed: ids of deleted nodes, to find links to them.
        links_left: links whose headings are gone.
    """
    diagram = workspace.diagram
    found: list[Problem] = []
    found += _orphans(diagram, (node_id for node_id in dict.fromkeys(nodes) if node_id in diagram))
    known = [edge_id for edge_id in dict.fromkeys(edges) if diagram.ends(edge_id) is not None]
    found += _unlabelled_edges(diagram, known)
    found += _circles(diagram, known, _Looks(_MOST_LOOKS))
    found += _disconnected_ends(diagram, parted, _Looks(_MOST_LOOKS))
    text = workspace.document.text
    outline = workspace.document.outline if "#node/" in text else None
    if outline is not None:
        found += _dangling(workspace, _links_to(outline, set(removed)))
    if outline is not None and span is not None and span[1] - span[0] <= MOST_READ:
        found += _dangling(workspace, _links_at(outline, *span, MOST_READ))
    if span is not None:
        found += _dead_anchors(workspace.document.outline, *span, links_left)
        found += _headings_twice(workspace.document.outline, *_sections_at(workspace.document.outline, *span))
    return list(dict.fromkeys(found))[:_MOST]


def lint_all(workspace: Workspace) -> list[Problem]:
    """Every warning about a workspace."""
    diagram = workspace.diagram
    edges = sorted(diagram.edge_ids())
    found = [*_orphans(diagram, sorted(diagram.node_ids())), *_unlabelled_edges(diagram, edges)]
    outline = workspace.document.outline
    found += [*_all_circles(diagram), *_component_warnings(diagram), *_dangling(workspace, outline.links)]
    anchors = outline.anchors
    found += [_dead(link) for link in anchors.links() if anchors.is_dead(link)]
    return [*found, *_headings_twice(outline, 0, outline.count)]


def images_missing(workspace: Workspace, there: Container[str]) -> Iterator[Problem]:
    """Warnings about images that a node or the document names and that are not there.

    Args:
        workspace: which.
        there: the SHA-256 of each image that it has.
    """
    for node_id in sorted(workspace.diagram.node_ids()):
        found = ADDRESS.fullmatch(workspace.diagram[node_id].get("image", ""))
        if found is not None and found[1] not in there:
            yield _warning(
                "image_missing", f"/diagram/nodes/{node_id}", f"'{node_id}' shows an image that is not here."
            )
    text, line, counted = workspace.document.text, 1, 0
    for found in ADDRESS.finditer(text):
        line, counted = line + text.count("\n", counted, found.start()), found.start()
        if found[1] not in there:
            yield _warning("image_missing", f"/document/lines/{line}", f"Line {line} shows an image that is not here.")


def _orphans(diagram: Diagram, nodes: Iterable[NodeId]) -> Iterator[Problem]:
    if diagram.node_count < 2:
        return
    for node_id in nodes:
        if not (diagram.degree(node_id) or diagram.is_group(node_id) or _is_annotation(diagram, node_id)):
            yield _warning("orphan", f"/diagram/nodes/{node_id}", f"Nothing is connected to '{node_id}'.")


def _unlabelled_edges(diagram: Diagram, edges: Iterable[EdgeId]) -> Iterator[Problem]:
    for edge_id in edges:
        is_named = (diagram.edge(edge_id) or {}).get("label")
        if not is_named and not any(_is_annotation(diagram, end) for end in diagram.ends(edge_id) or NO_ENDS):
            message = f"The edge '{edge_id}' does not say what flows."
            yield _warning("unlabelled_edge", f"/diagram/edges/{edge_id}", message)


def _is_annotation(diagram: Diagram, node_id: NodeId) -> bool:
    """Whether a node is a note or a text, which needs no connection, and through whose lines nothing flows."""
    return (diagram.node(node_id) or {}).get("type") in ANNOTATIONS


def _is_call(edge: Mapping[str, object]) -> bool:
    return bool(edge.get("kind", "sync") == "sync" and edge.get("direction", "forward") != "none")


class _Looks:
    """How many edges one check may still visit, so that its cost does not depend on the size of the diagram."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left


def _circles(diagram: Diagram, edges: Iterable[EdgeId], looks: _Looks) -> Iterator[Problem]:
    """Cycles of synchronous calls through a new edge, as far as the bound allows to find them."""
    for edge_id in edges:
        source, target = diagram.ends(edge_id) or NO_ENDS
        if _is_call(diagram.edge(edge_id) or {}) and _reaches(diagram, target, source, looks):
            message = f"'{edge_id}' closes a circle of synchronous calls: '{target}' leads back to '{source}'."
            yield _warning("sync_cycle", f"/diagram/edges/{edge_id}", message)


def _reaches(diagram: Diagram, start: NodeId, goal: NodeId, looks: _Looks) -> bool:
    """Whether calls lead from one node to another: a breadth-first search within the bound."""
    seen = {start}
    waiting = deque([start])
    while waiting:
        for other, between in diagram.outgoing(waiting.popleft()).items():
            looks.left -= 1
            if looks.left < 0:
                return False
            if other not in seen and any(map(_is_call, between.values())):
                if other == goal:
                    return True
                seen.add(other)
                waiting.append(other)
    return False


def _all_circles(diagram: Diagram) -> Iterator[Problem]:
    import networkx as nx

    calls: nx.DiGraph[NodeId] = nx.DiGraph()
    calls.add_edges_from(
        diagram.ends(edge_id) for edge_id in diagram.edge_ids() if _is_call(diagram.edge(edge_id) or {})
    )
    for ring in sorted(sorted(part) for part in nx.strongly_connected_components(calls) if len(part) > 1):
        shown = ", ".join(ring[:6]) + (" …" if len(ring) > 6 else "")
        yield _warning("sync_cycle", "/diagram", f"Synchronous calls run in a circle: {shown}.", ring[:6])


def _disconnected_ends(diagram: Diagram, parted: Iterable[tuple[NodeId, NodeId]], looks: _Looks) -> Iterator[Problem]:
    """Ends of removed edges that are no longer connected, as far as the bound allows to find them."""
    said: set[str] = set()
    for one, other in parted:
        if one not in diagram or other not in diagram or not (diagram.degree(one) and diagram.degree(other)):
            continue  # an isolated node is reported as an orphan
        if one in said or _may_meet(diagram, one, other, looks):
            continue
        said.add(one)
        message = f"The diagram fell into parts: nothing connects '{one}' with '{other}' any more."
        yield _warning("disconnected", f"/diagram/nodes/{one}", message, (one, other))


def _may_meet(diagram: Diagram, one: NodeId, other: NodeId, looks: _Looks) -> bool:
    """Whether two nodes are connected, or the bound was reached first. Searches from both sides in turn."""
    sides = [({one}, deque([one])), ({other}, deque([other]))]
    while all(waiting for _, waiting in sides):
        for (seen, waiting), (beyond, _) in (sides, sides[::-1]):
            current = waiting.popleft() if waiting else None
            if current is None:
                continue
            for near in chain(diagram.outgoing(current), diagram.incoming(current)):
                looks.left -= 1
                if near in beyond or looks.left < 0:
                    return True
                if near not in seen:
                    seen.add(near)
                    waiting.append(near)
    return False


def _component_warnings(diagram: Diagram) -> Iterator[Problem]:
    pieces = [sorted(part) for part in diagram.components() if len(part) > 1]
    for piece in sorted(pieces, key=lambda part: (-len(part), part))[1:]:
        message = f"A part of the diagram is connected with nothing else: {', '.join(piece[:6])}."
        yield _warning("disconnected", "/diagram", message, piece[:6])


def _links_to(outline: Outline, gone_anchors: Container[str]) -> Iterator[tuple[int, str]]:
    """The links to some nodes, as far as the bound allows to find them; only sections that name one are read."""
    left, read = MOST_READ, -1
    for mention in _MENTIONS.finditer(outline.text) if gone_anchors else ():
        if mention.start() < read or mention[1] not in gone_anchors:
            continue
        section = outline.at(mention.start())
        begin, read = (0, outline.preamble_end) if section is None else (section.start, section.own_end)
        if read - begin <= left:
            left -= read - begin
            yield from (link for link in outline.links_at(begin, begin) if link[1] in gone_anchors)


def _links_at(outline: Outline, start: int, end: int, most: int) -> Sequence[tuple[int, str]]:
    """The links in the sections that a span overlaps; none if they are longer than `most`."""
    first, last = outline.at(start), outline.at(end)
    begin = 0 if first is None else first.start
    beyond = outline.preamble_end if last is None else last.own_end
    return outline.links_at(start, end) if beyond - begin <= most else ()


def _dangling(workspace: Workspace, links: Iterable[tuple[int, str]]) -> Iterator[Problem]:
    for line, node_id in links:
        if node_id not in workspace.diagram:
            message = f"Line {line} links to '{node_id}', which is no node."
            yield _warning("dangling_link", f"/document/lines/{line}", message, (node_id,))


def _dead_anchors(outline: Outline, start: int, end: int, links_left: Sequence[HeadingLink]) -> Iterator[Problem]:
    """Links without their heading: in the sections that a span touches, within the bounds; and those `links_left`."""
    anchors = outline.anchors
    first, last = outline.at(start), outline.at(end)
    begin = 0 if first is None else first.start
    beyond = outline.preamble_end if last is None else last.own_end
    if beyond - begin <= MOST_READ and (links_left or anchors.count <= MOST_HEADINGS):
        yield from (
            _dead(link)
            for link in anchors.links(begin, beyond)
            if begin <= link.start < beyond and anchors.is_dead(link)
        )
    for link in links_left:
        number = anchors.by_name.get(link.name)
        yield _dead(link) if number is None else _moved_heading_problem(link, anchors.heading(number))


def _dead(link: HeadingLink) -> Problem:
    message = f"Line {link.line} links to '#{link.address}', which is the address of no heading."
    return _warning("dangling_anchor", f"/document/lines/{link.line}", message, (f"#{link.address}",))


def _moved_heading_problem(link: HeadingLink, heading: HeadingSpan) -> Problem:
    message = (
        f"Line {link.line} links to '#{link.address}'; the heading it meant is gone, and now it leads to "
        f"'{heading.plain}' in line {heading.line + 1}."
    )
    return _warning("dangling_anchor", f"/document/lines/{link.line}", message, (f"#{link.address}",))


def _sections_at(outline: Outline, start: int, end: int) -> tuple[int, int]:
    """The first section that a span touches, and the one behind the last, with one more at each side."""
    first, last = outline.at(max(0, start - 1)), outline.at(end)
    return max(0, first.index - 1 if first is not None else 0), (last.index if last is not None else -1) + 2


def _headings_twice(outline: Outline, first: int, beyond: int) -> Iterator[Problem]:
    """Headings of some sections that stand twice in a row, with nothing between them."""
    for one, other in pairwise(outline.sections_between(first, beyond)):
        if one.plain and one.plain.casefold() == other.plain.casefold() and _is_bare(outline, one):
            message = f"The heading '{other.plain}' stands twice in a row, in lines {one.line} and {other.line}."
            yield _warning("heading_twice", f"/document/lines/{other.line}", message, (outline.path(one),))


def _is_bare(outline: Outline, section: Section) -> bool:
    return not outline.text[section.body : section.own_end].strip()


def _warning(code: str, path: str, message: str, about: Sequence[str] = ()) -> Problem:
    return Problem(-1, "", code, path, message, tuple(about))
