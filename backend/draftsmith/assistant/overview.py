"""The diagram in the first message: every node of a small one, else groups with counts and what is near the request.

Beyond `_WHOLE` nodes a full listing costs more than the questions it saves, so the message holds the counts by type and
group, the nodes that the person selected or named, and what is one edge away from them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from draftsmith.assistant.lines import LEGEND, node_lines, quoted
from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import NodeId

_WHOLE: Final = 300  # nodes
_NEAR: Final = 80  # nodes that are listed of a larger diagram
_GROUPS: Final = 60


def diagram_text(diagram: Diagram, named: Sequence[NodeId], workflow: str) -> str:
    """The diagram as lines, or a large one in outline; `named`: nodes that matter, the most important first."""
    if not diagram.node_count:
        return "(empty)"
    if diagram.node_count <= _WHOLE or workflow == "regenerate":  # nodes that are not written again would be deleted
        return "\n".join([LEGEND, *node_lines(diagram, diagram.node_ids())])
    ways = "find_nodes, neighbours and read_nodes" if workflow == "ask" else "find_nodes and read_nodes"
    near = _near(diagram, named)
    why = "Selected or named, and what is connected to it" if named else "The nodes with the most edges"
    return "\n".join(
        [
            f"Too large to list: {diagram.node_count} nodes, {diagram.edge_count} edges. {ways} show the rest.",
            f"Types: {_counted(diagram, list(diagram.node_ids()))}",
            *_groups(diagram),
            f"{why} ({len(near)} of {diagram.node_count}):",
            LEGEND,
            *node_lines(diagram, near),
        ]
    )


def _groups(diagram: Diagram) -> list[str]:
    """One line for each group, the largest first, with what stands in it at any depth."""
    inside = {node_id: diagram.subtree(node_id)[1:] for node_id in diagram.groups()}
    largest = sorted(inside, key=lambda node_id: (-len(inside[node_id]), node_id))
    lines = []
    for node_id in sorted(largest[:_GROUPS]):
        node = diagram[node_id]
        parent = f" @{node['parent']}" if node.get("parent") else ""
        locked = " !locked" if diagram.lock_on(node_id) is not None else ""
        holds = _counted(diagram, inside[node_id]) or "empty"
        lines.append(f"{node_id} group {quoted(node.get('label', ''))}{parent}{locked}: {holds}")
    if len(largest) > _GROUPS:
        lines.append(f"and {len(largest) - _GROUPS} smaller groups")
    return ["Groups:", *lines] if lines else []


def _counted(diagram: Diagram, node_ids: Sequence[NodeId]) -> str:
    counts = Counter(diagram[node_id]["type"] for node_id in node_ids)
    return ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _near(diagram: Diagram, named: Sequence[NodeId]) -> list[NodeId]:
    """The named nodes and those one edge away, or the ones with the most edges; at most `_NEAR`."""
    if not named:
        return sorted(diagram.node_ids(), key=lambda node_id: (-diagram.degree(node_id), node_id))[: _NEAR // 2]
    found = dict.fromkeys(named[:_NEAR])
    for node_id in named[:_NEAR]:
        found.update(dict.fromkeys([*sorted(diagram.outgoing(node_id)), *sorted(diagram.incoming(node_id))]))
    return list(found)[:_NEAR]
