"""A diagram as a model reads it: one line for each node, with what it points to; ids, types and groups explicit.

About four tenths of the size of compact JSON. Positions, sizes and routes are left out, since no tool takes them, and
descriptions, notes and properties, which `read_nodes` gives. Everything that people typed is made safe for one line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from draftsmith.model.custom_types import CustomType
from draftsmith.model.diagram import Diagram
from draftsmith.model.fields import node_json
from draftsmith.model.ids import EdgeId, NodeId, slug
from draftsmith.model.readers.sources import without_mark

LEGEND: Final = (
    'id type "label" [technology] @group !locked -> target(what flows), …   '
    "after a target: ~ async, = data, ^ dependency, otherwise a synchronous call; <> both ways, -- no direction; "
    "#edge-id where nothing else tells two edges apart"
)
_KINDS: Final[Mapping[str, str]] = {"async": "~", "data": "=", "dependency": "^"}
_DIRECTIONS: Final[Mapping[str, str]] = {"both": "<>", "none": "--"}
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_UNCLEAR = re.compile(r'[()"]')


def legend(diagram: Diagram) -> str:
    """What stands above lines: how to read them, and which types of nodes the workspace has of its own."""
    own = ", ".join(_own_type(type_id, one) for type_id, one in sorted(diagram.types.items()))
    return f"{LEGEND}\nown types: {own}" if own else LEGEND


def _own_type(type_id: str, definition: CustomType) -> str:
    """A type as `id (base)`, with its name where the id does not say it."""
    name = "" if slug(definition["name"]) == type_id else f" {quote_line(definition['name'])}"
    return f"{type_id}{name} ({definition['base']})"


def node_lines(diagram: Diagram, node_ids: Iterable[NodeId]) -> list[str]:
    """The lines of some nodes, in order of their ids."""
    return [node_line(diagram, node_id) for node_id in sorted(node_ids)]


def node_line(diagram: Diagram, node_id: NodeId, most_targets: int | None = None) -> str:
    """The line of a node with its outgoing edges, of which `most_targets` are named and the rest are counted."""
    node = diagram[node_id]
    parts = [node_id, diagram.type_of(node_id), quote_line(node.get("label", ""))]
    if node.get("technology"):
        parts.append(f"[{one_line(node['technology']).replace(']', ')')}]")
    if node.get("parent"):
        parts.append(f"@{node['parent']}")
    if diagram.lock_on(node_id) is not None:
        parts.append("!locked")
    targets = [
        _target(target, edge_id, edge, _has_twin(between, edge_id, edge))
        for target, between in sorted(diagram.outgoing(node_id).items())
        for edge_id, edge in sorted(between.items())
    ]
    if most_targets is not None and len(targets) > most_targets:
        targets = [*targets[:most_targets], f"… and {len(targets) - most_targets} more"]
    return " ".join(parts) + (f" -> {', '.join(targets)}" if targets else "")


def node_shape(diagram: Diagram, node_id: NodeId) -> dict[str, object]:
    """The JSON of a node for models: of the type that its line has, and without what it was imported from."""
    shape = without_mark(node_json(node_id, diagram[node_id]))
    kept = {name: value for name, value in shape.items() if name != "custom_type"}
    return {**kept, "type": diagram.type_of(node_id)}


def quote_line(text: str) -> str:
    """A text in quotes on one line, its own quotes and backslashes escaped."""
    escaped = one_line(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def one_line(text: str) -> str:
    """A text with every line break and control character turned into a blank."""
    return _CONTROL.sub(" ", text)


def _target(target: NodeId, edge_id: EdgeId, edge: Mapping[str, Any], has_twin: bool) -> str:
    marks = _KINDS.get(edge.get("kind", ""), "") + _DIRECTIONS.get(edge.get("direction", ""), "")
    label = one_line(edge.get("label", ""))
    shown = quote_line(label) if _UNCLEAR.search(label) else label
    named = f"#{edge_id}" if has_twin else ""
    return f"{target}{marks}{named}" + (f"({shown})" if label else "")


def _has_twin(edges: Mapping[EdgeId, Mapping[str, object]], edge_id: EdgeId, edge: Mapping[str, object]) -> bool:
    """Whether another edge has the same ends and label, so that only the id tells them apart."""
    label = edge.get("label", "")
    return any(other_id != edge_id and other.get("label", "") == label for other_id, other in edges.items())
