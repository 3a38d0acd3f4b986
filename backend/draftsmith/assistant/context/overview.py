"""The diagram in the first message: every node of a small one, else as many as there is room for, by importance.

A diagram whose lines have more characters than there is room for (`MessageRoom`) is given in part: counts by type, its
groups, and lines of nodes. First those that are selected or named in the request, with what one edge connects to them;
then those that it speaks of, what is further away, the nearest first, the rest of the groups they stand in, and at last
the busiest. What has no line is counted by type and by group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from draftsmith.assistant.context.mentions import by_distance, spoken_of
from draftsmith.assistant.context.message_room import MessageRoom
from draftsmith.assistant.tools.lines import legend, node_line, quote_line
from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import NodeId

_LEAST: Final = 100  # characters of room below which no further line is tried
_GROUPS: Final = 60
_TARGETS: Final = 40  # of one node, where not every node has a line
_SPOKEN_OF: Final = 40  # nodes that share words with the request
_STARTS: Final = 8  # of these, from which edges are followed


def diagram_text(diagram: Diagram, named: Sequence[NodeId], prompt: str, workflow: str, room: MessageRoom) -> str:
    """The diagram as lines, or what there is room for of a large one.

    Args:
        diagram: of the workspace.
        named: nodes that are selected or named, the most important first.
        prompt: the request.
        workflow: says which tools show the rest.
        room: how much may be given.
    """
    if not diagram.node_count:
        return "(empty)"
    every = _every_line(diagram, room.diagram)
    if every is not None:
        return "\n".join([legend(diagram), *every])
    lines: dict[NodeId, str] = {}
    head = legend(diagram)
    left = room.nodes - sum(len(line) + 1 for line in _around(diagram, {}, workflow)) - len(head)
    for node_id in _by_importance(diagram, named, prompt):
        if left < _LEAST:
            break
        line = node_line(diagram, node_id, _TARGETS)
        if len(line) < left:
            lines[node_id] = line
            left -= len(line) + 1
    return "\n".join([*_around(diagram, lines, workflow), head, *(lines[node_id] for node_id in sorted(lines))])


def _every_line(diagram: Diagram, most: int | None) -> list[str] | None:
    """The lines of all nodes; None where they have more than `most` characters."""
    lines: list[str] = []
    total = 0
    for node_id in sorted(diagram.node_ids()):
        lines.append(node_line(diagram, node_id))
        total += len(lines[-1]) + 1
        if most is not None and total > most:
            return None
    return lines


def _by_importance(diagram: Diagram, named: Sequence[NodeId], prompt: str) -> Iterator[NodeId]:
    """Every node once, the most important first."""
    alike = spoken_of(diagram, prompt, _SPOKEN_OF)
    starts = [*named, *alike[:_STARTS]]
    beside, near = by_distance(diagram, named, 1), by_distance(diagram, starts)
    grouped: set[NodeId] = {diagram[one]["parent"] for one in starts if diagram[one].get("parent")}
    members = (node_id for group in sorted(grouped) for node_id in diagram.subtree(group))
    busiest = sorted(
        diagram.node_ids(), key=lambda node_id: (-diagram.degree(node_id), diagram[node_id]["type"], node_id)
    )
    return iter(dict.fromkeys([*beside, *alike, *near, *members, *busiest]))


def _around(diagram: Diagram, listed: Iterable[NodeId], workflow: str) -> list[str]:
    """What is said before the lines of nodes: how many there are, of which types and groups, and what is left out."""
    shown = set(listed)
    only_reads = workflow in ("ask", "investigate")
    ways = "find_nodes, neighbours and read_nodes" if only_reads else "find_nodes and read_nodes"
    missing = [node_id for node_id in diagram.node_ids() if node_id not in shown]
    return [
        f"Too large to list: {diagram.node_count} nodes, {diagram.edge_count} edges. {ways} show the rest.",
        f"Types: {_type_counts(diagram, list(diagram.node_ids()))}",
        *_groups(diagram, shown),
        f"Not listed here ({len(missing)}): {_type_counts(diagram, missing) or 'none'}",
        f"{len(shown)} of {diagram.node_count} nodes, those nearest to selection and request, then the busiest:",
    ]


def _groups(diagram: Diagram, node_ids: set[NodeId]) -> list[str]:
    """A line for each group, at most the `_GROUPS` largest: what stands in it at any depth, how much is not listed."""
    inside = {node_id: diagram.subtree(node_id)[1:] for node_id in diagram.groups()}
    largest = sorted(inside, key=lambda node_id: (-len(inside[node_id]), node_id))
    lines = []
    for node_id in sorted(largest[:_GROUPS]):
        node = diagram[node_id]
        parent = f" @{node['parent']}" if node.get("parent") else ""
        locked = " !locked" if diagram.lock_on(node_id) is not None else ""
        holds = _type_counts(diagram, inside[node_id]) or "empty"
        left = sum(other not in node_ids for other in inside[node_id])
        rest = f" ({left} not listed)" if left else ""
        lines.append(f"{node_id} group {quote_line(node.get('label', ''))}{parent}{locked}: {holds}{rest}")
    if len(largest) > _GROUPS:
        lines.append(f"and {len(largest) - _GROUPS} smaller groups")
    return ["Groups:", *lines] if lines else []


def _type_counts(diagram: Diagram, node_ids: Sequence[NodeId]) -> str:
    counts = Counter(diagram.type_of(node_id) for node_id in node_ids)
    return ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])))
