"""A diagram as text is read as the page draws it when it is pasted into an empty diagram; never failing.

A line becomes a node or a connection, or is listed with the reason. What stands below a node and is indented is in it,
which makes it a group; a connection to a name that nobody has adds that node. It is a format of `model.readers` too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from draftsmith.model.diagram_text.syntax import (
    BLANKS,
    EdgeLine,
    End,
    NodeLine,
    UnreadableLine,
    folded_name,
    indent_of,
    read_line,
)
from draftsmith.model.document import with_lf
from draftsmith.model.fields import SparseDiagram, SparseEdge, SparseNode
from draftsmith.model.ids import EdgeId, NodeId, edge_id, slug, unique
from draftsmith.model.mermaid.reader import UnreadLine
from draftsmith.model.nested_layout import place_nested
from draftsmith.model.readers.alone import sets_of, text_of
from draftsmith.model.readers.limits import MAX_DEPTH, MAX_UNREAD, SHOWN
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, SourceSet, UnreadableSource, UnreadPart
from draftsmith.model.type_words import type_of_name
from draftsmith.model.vocabulary import GROUP

__all__ = ["ENDING", "MAX_BYTES", "MAX_LINES", "ReadText", "from_text", "read", "recognizes", "sets_of"]

MAX_BYTES: Final = 5_000_000
MAX_LINES: Final = 100_000
ENDING: Final = ".diagram.txt"
_MAX_LINE: Final = 10_000
_MAX_NODES: Final = 10_000
_MAX_EDGES: Final = 20_000


@dataclass(frozen=True, slots=True)
class ReadText:
    """A diagram in the export form, and the lines that are not in it.

    Attributes:
        own_ids: the ids that the text itself has.
        fault: the line for which nothing at all could be read; None for an empty text.
    """

    diagram: SparseDiagram
    unread: Sequence[UnreadLine]
    fault: UnreadLine | None = None
    own_ids: Mapping[NodeId | EdgeId, str] = field(default_factory=dict)


def from_text(text: str, *, is_placed: bool = True, takes_unknown_types: bool = False) -> ReadText:
    """Read a diagram as text of at most 5 MB and 100,000 lines; never raises.

    Args:
        text: with any line ends.
        is_placed: whether nodes get positions and groups sizes; without, whoever draws them finds places.
        takes_unknown_types: whether a node is read whose type may be one of a workspace's own, which a text names
            and does not define; it says so in `custom_type`, and its line is listed all the same.
    """
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "replace")) > MAX_BYTES:
        return _nothing_read("the text is longer than 5 MB; nothing was read")
    # Lone surrogates and NUL cannot be stored.
    clean = text.encode("utf-8", "replace").decode().replace("\x00", "\ufffd")
    lines = with_lf(clean).split("\n")
    if len(lines) > MAX_LINES:
        return _nothing_read(f"the text has more than {MAX_LINES:,} lines; nothing was read")
    reading = _DiagramReading(takes_unknown_types=takes_unknown_types)
    reading.read(lines)
    diagram = reading.diagram()
    if is_placed:
        place_nested(diagram["nodes"], diagram["edges"])
    unread = sorted(reading.unread, key=lambda one: one.line)
    fault = unread[0] if unread and not diagram["nodes"] else None
    return ReadText(diagram, _first_of(unread), fault, reading.own_ids())


@dataclass(slots=True)
class _NewNode:
    """A node of the text; `parent` is the group that its line stands under."""

    label: str
    type: str
    technology: str
    id: NodeId | None
    parent: _NewNode | None
    depth: int
    custom_type: str = ""


@dataclass(slots=True)
class _OpenGroup:
    """A line that others may stand under; `node` is None where it was not read."""

    indent: int
    line: NodeLine
    node: _NewNode | None


_Twin = tuple[int, int, str, str]  # source and target by number, label and kind


@dataclass(slots=True)
class _DiagramReading:
    """First all nodes, then the connections between them, so that a line may speak of what comes later."""

    takes_unknown_types: bool = False
    nodes: list[_NewNode] = field(default_factory=list)
    unread: list[UnreadLine] = field(default_factory=list)
    _edges: list[tuple[_NewNode, _NewNode, EdgeLine]] = field(default_factory=list)
    _twins: set[_Twin] = field(default_factory=set)
    _by_id: dict[NodeId, _NewNode] = field(default_factory=dict)
    _by_name: dict[str, list[_NewNode]] = field(default_factory=dict)
    # Names of each group, by the number of its object; a name stands in a group once.
    _siblings: set[tuple[int, str]] = field(default_factory=set)
    _around: list[_OpenGroup] = field(default_factory=list)

    def read(self, lines: Sequence[str]) -> None:
        """Read all lines."""
        edges: list[tuple[int, str, EdgeLine]] = []
        for number, line in enumerate(lines, 1):
            try:
                found = self._read_bounded(line)
                if isinstance(found, EdgeLine):
                    edges.append((number, line, found))
                elif found is not None:
                    self._add_line(found, indent_of(line))
                    if found.unknown_type:
                        raise UnreadableLine(_unknown_type(found.unknown_type))
            except UnreadableLine as problem:
                self._list(number, line, problem)
        for number, line, edge in edges:
            try:
                self._add_edge(edge)
            except UnreadableLine as problem:
                self._list(number, line, problem)

    def diagram(self) -> SparseDiagram:
        """`{nodes, edges}` in the export form, with ids; a given id is kept, and others are made of labels."""
        used: set[str] = {*self._by_id}
        ids: dict[int, NodeId] = {}
        nodes: list[SparseNode] = []
        for node in self.nodes:
            node_id = node.id or NodeId(unique(slug(node.label) or f"{node.type.replace('_', '-')}-1", used))
            used.add(node_id)
            ids[id(node)] = node_id
            made: SparseNode = {"id": node_id, "type": node.type, "label": node.label}
            if node.custom_type and node.type != GROUP:
                made["custom_type"] = node.custom_type
            if node.technology:
                made["technology"] = node.technology
            if node.parent is not None:
                made["parent"] = ids[id(node.parent)]
            nodes.append(made)
        edges: dict[EdgeId, SparseEdge] = {}
        for one, other, line in self._edges:
            source, target = ids[id(one)], ids[id(other)]
            key = edge_id(source, target, edges)
            edges[key] = {"id": key, "source": source, "target": target, "kind": line.kind, "direction": line.direction}
            if line.label:
                edges[key]["label"] = line.label
        return {"nodes": nodes, "edges": list(edges.values())}

    def own_ids(self) -> Mapping[NodeId | EdgeId, str]:
        """The ids that lines have, as what the text itself calls these nodes."""
        return {node_id: node_id for node_id in self._by_id}

    def _read_bounded(self, line: str) -> NodeLine | EdgeLine | None:
        if len(line) > _MAX_LINE:
            raise UnreadableLine(f"the line is longer than {_MAX_LINE:,} characters")
        return read_line(line, takes_unknown_types=self.takes_unknown_types)

    # -- nodes

    def _add_line(self, line: NodeLine, indent: int) -> None:
        while self._around and self._around[-1].indent >= indent:
            self._around.pop()
        group = self._around[-1] if self._around else None
        opened = _OpenGroup(indent, line, None)
        self._around.append(opened)
        if line.id is not None and line.id in self._by_id:
            raise UnreadableLine(f"there is a node #{line.id} already")
        parent = None if group is None else group.node
        if line.id is None and (group is None or parent is not None) and self._is_taken(line.label, parent):
            raise UnreadableLine(f"“{line.label}” stands here already")
        if group is not None:
            if parent is None:
                raise UnreadableLine("the line that this one stands under has a problem")
            _make_group(parent, group.line)
        depth = 0 if parent is None else parent.depth + 1
        opened.node = self._add_node(
            _NewNode(
                line.label,
                line.type or type_of_name(line.label),
                line.technology,
                line.id,
                parent,
                depth,
                line.unknown_type,
            )
        )

    def _is_taken(self, label: str, parent: _NewNode | None) -> bool:
        return (id(parent), folded_name(label)) in self._siblings

    def _add_node(self, node: _NewNode) -> _NewNode:
        if len(self.nodes) >= _MAX_NODES:
            raise UnreadableLine(f"there are more than {_MAX_NODES:,} nodes")
        if node.depth > MAX_DEPTH:
            raise UnreadableLine(f"groups are nested more than {MAX_DEPTH} deep")
        name = folded_name(node.label)
        self.nodes.append(node)
        self._by_name.setdefault(name, []).append(node)
        self._siblings.add((id(node.parent), name))
        if node.id is not None:
            self._by_id[node.id] = node
        return node

    # -- connections

    def _add_edge(self, line: EdgeLine) -> None:
        source, target = self._find(line.source), self._find(line.target)
        if _is_same_end(line.source, line.target) or (source is not None and source is target):
            raise UnreadableLine("a node cannot be connected with itself")
        if source is not None and target is not None and _twin(source, target, line) in self._twins:
            raise UnreadableLine("they are connected like that already")
        if len(self._edges) >= _MAX_EDGES:
            raise UnreadableLine(f"there are more than {_MAX_EDGES:,} connections")
        source = source or self._add_named(line.source)
        target = target or self._add_named(line.target)
        self._edges.append((source, target, line))
        self._twins.add(_twin(source, target, line))

    def _find(self, end: End) -> _NewNode | None:
        """The node that an end speaks of; None for a name that nobody has."""
        if end.id is not None:
            if end.id not in self._by_id:
                raise UnreadableLine(f"there is no node #{end.id}")
            return self._by_id[end.id]
        found = self._by_name.get(folded_name(end.name), [])
        if len(found) > 1:
            raise UnreadableLine(f"several nodes are called “{end.name}”; say which by an id, as in “Orders #a”")
        return found[0] if found else None

    def _add_named(self, end: End) -> _NewNode:
        label = end.name.strip(BLANKS)
        return self._add_node(_NewNode(label, type_of_name(label), "", None, None, 0))

    def _list(self, number: int, line: str, problem: UnreadableLine) -> None:
        self.unread.append(UnreadLine(number, line.strip()[:SHOWN], str(problem)))


def _unknown_type(word: str) -> str:
    return f"“{word}” is no type that every workspace has; the node itself is read"


def _make_group(node: _NewNode, line: NodeLine) -> None:
    """A node becomes a group by what stands under it, unless its line says what else it is."""
    if node.type != GROUP and line.type is not None:
        raise UnreadableLine(f"“{line.label}” is no group: its line says another type")
    node.type = GROUP


def _is_same_end(one: End, other: End) -> bool:
    return one.id is None and other.id is None and folded_name(one.name) == folded_name(other.name)


def _twin(source: _NewNode, target: _NewNode, line: EdgeLine) -> _Twin:
    return id(source), id(target), line.label, line.kind


def _first_of(unread: Sequence[UnreadLine]) -> Sequence[UnreadLine]:
    """As many as are listed; the last one says how many more there are."""
    kept = list(unread[:MAX_UNREAD])
    if len(unread) > MAX_UNREAD:
        more = f"and {len(unread) - MAX_UNREAD:,} more lines after this one"
        kept.append(UnreadLine(kept[-1].line, "", more))
    return kept


def _nothing_read(reason: str) -> ReadText:
    fault = UnreadLine(1, "", reason)
    return ReadText({"nodes": [], "edges": []}, [fault], fault)


# -- as a format of `model.readers`


def recognizes(file: SourceFile) -> bool:
    """Whether a file is of this format: by its ending alone, since any words could be lines."""
    return file.path.lower().endswith(ENDING) and b"\x00" not in file.content[:_MAX_LINE]


def read(sources: SourceSet) -> Sequence[ReadWorkspace]:
    """Read a file.

    Raises:
        UnreadableSource: it is no text, is too long, or no line of it can be read.
    """
    path = sources.root.path
    found = from_text(text_of(sources.root), is_placed=False, takes_unknown_types=True)
    if found.fault is not None:
        raise UnreadableSource(found.fault.reason, path, found.fault.line)
    unread = [UnreadPart(path, f"line {line.line}", line.text, line.reason) for line in found.unread]
    name = path.rpartition("/")[2]
    name = name[: -len(ENDING)] if name.lower().endswith(ENDING) else name.rpartition(".")[0] or name
    return [ReadWorkspace(name, found.diagram, unread=unread, sources=found.own_ids)]
