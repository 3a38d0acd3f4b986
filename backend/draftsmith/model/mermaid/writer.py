"""A diagram as a Mermaid flowchart, for README files and wikis.

`to_mermaid` keeps ids, labels, what is written on notes and texts, technologies, types, looks, nesting, kinds
and directions; `from_mermaid` reads them back.
Mermaid cannot express positions, descriptions, notes, properties, locks and routes; use the JSON export for these.

How an edge is drawn: sync `-->`, async `-.->`, dependency `-..->` (dotted, one step longer), data `==>`; both ways
`<-->`, without direction `---`. Its colour, style and shape are a `linkStyle` line, those of a node a `style` line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from draftsmith.model.fields import SparseDiagram, SparseEdge, SparseNode, written_on
from draftsmith.model.ids import unique
from draftsmith.model.mermaid.looks import EDGE_DECLARATIONS, NODE_DECLARATIONS, looks_of
from draftsmith.model.mermaid.reader import MermaidImport, UnreadLine, from_mermaid
from draftsmith.model.mermaid.text import quote_label
from draftsmith.model.shapes import DiagramOut, EdgeOut, NodeOut
from draftsmith.model.vocabulary import ANNOTATIONS, GROUP

__all__ = ["MermaidImport", "UnreadLine", "from_mermaid", "to_mermaid"]

_Node = NodeOut | SparseNode
_RECTANGLE: Final = ("[", "]")
_SHAPES: Final[Mapping[str, tuple[str, str]]] = {
    "client": ("([", "])"),
    "web": ("([", "])"),
    "mobile": ("([", "])"),
    "user": ("((", "))"),
    "external": ("{{", "}}"),
    "gateway": ("[/", "\\]"),
    "load_balancer": ("[/", "\\]"),
    "cdn": ("{{", "}}"),
    "worker": ("[[", "]]"),
    "function": ("(", ")"),
    "scheduler": ("(", ")"),
    "database": ("[(", ")]"),
    "cache": ("[(", ")]"),
    "storage": ("[(", ")]"),
    "search": ("[(", ")]"),
    "queue": ("[/", "/]"),
    "stream": ("[/", "/]"),
    "monitoring": (">", "]"),
    "note": (">", "]"),
}
_ARROWS: Final[Mapping[tuple[str, str], str]] = {
    ("sync", "forward"): "-->",
    ("sync", "both"): "<-->",
    ("sync", "none"): "---",
    ("async", "forward"): "-.->",
    ("async", "both"): "<-.->",
    ("async", "none"): "-.-",
    ("dependency", "forward"): "-..->",
    ("dependency", "both"): "<-..->",
    ("dependency", "none"): "-..-",
    ("data", "forward"): "==>",
    ("data", "both"): "<==>",
    ("data", "none"): "===",
}
# Words that Mermaid's lexer reads as keywords even at the beginning of an id.
_RESERVED: Final = re.compile(r"(?:end|graph|subgraph|flowchart|style|class|click|href|interpolate)(?![a-z0-9_])")
# Dashes that would be read as a link or as part of the shape that follows.
_LINK_LIKE: Final = re.compile(r"-(?=-|$)")
_DEEPEST_INDENT: Final = 16


def to_mermaid(diagram: DiagramOut | SparseDiagram) -> str:
    """Write `{nodes, edges}` of the export form as a flowchart from left to right.

    Nodes and edges keep the given order, and groups enclose their members, so equal diagrams give equal text.
    """
    nodes: Sequence[_Node] = diagram.get("nodes", ())
    names = _names([node["id"] for node in nodes])
    lines = ["flowchart LR"]
    lines += [f"  %% id {name}: {node_id}" for node_id, name in names.items() if name != node_id]
    lines += _node_lines(nodes, names)
    edges: Sequence[EdgeOut | SparseEdge] = diagram.get("edges", ())
    for edge in edges:
        arrow = _ARROWS[edge.get("kind", "sync"), edge.get("direction", "forward")]
        label = f"|{quote_label(edge['label'])}|" if edge.get("label") else ""
        lines.append(f"  {names[edge['source']]} {arrow}{label} {names[edge['target']]}")
    for node in nodes:
        if said := NODE_DECLARATIONS.get(looks_of(node)):
            lines.append(f"  style {names[node['id']]} {said}")
    for number, edge in enumerate(edges):
        if said := EDGE_DECLARATIONS.get(looks_of(edge)):
            lines.append(f"  linkStyle {number} {said}")
    return "\n".join(lines) + "\n"


def _names(ids: Sequence[str]) -> dict[str, str]:
    """The Mermaid name of each id: the id itself unless Mermaid cannot parse it."""
    taken = set(ids)
    names: dict[str, str] = {}
    for node_id in ids:
        names[node_id] = node_id
        if _LINK_LIKE.search(node_id) or _RESERVED.match(node_id):
            names[node_id] = unique("n_" + _LINK_LIKE.sub("_", node_id), taken)
            taken.add(names[node_id])
    return names


def _node_lines(nodes: Sequence[_Node], names: Mapping[str, str]) -> list[str]:
    """Nodes and groups, each group's members between its `subgraph` and `end`. Walks without recursion."""
    members: dict[str | None, list[_Node]] = {}
    for member in nodes:
        parent = member.get("parent")
        members.setdefault(parent if parent in names else None, []).append(member)
    lines: list[str] = []
    open_groups: list[Iterator[_Node]] = [iter(members.get(None, ()))]
    while open_groups:
        node = next(open_groups[-1], None)
        if node is None:
            open_groups.pop()
            if open_groups:
                lines.append(_indent(len(open_groups)) + "end")
            continue
        name, text = names[node["id"]], quote_label(_label(node), node.get("technology", "").strip())
        if node["type"] == GROUP:
            lines.append(f"{_indent(len(open_groups))}subgraph {name}[{text}]")
            open_groups.append(iter(members.get(node["id"], ())))
        else:
            left, right = _SHAPES.get(node["type"], _RECTANGLE)
            lines.append(f"{_indent(len(open_groups))}{name}{left}{text}{right}:::{node['type']}")
    return lines


def _label(node: _Node) -> str:
    text = written_on(cast(SparseNode, node)) if node["type"] in ANNOTATIONS else node.get("label", "")
    return str(text.strip() or node["id"])


def _indent(depth: int) -> str:
    return "  " * min(depth, _DEEPEST_INDENT)
