"""What staged operations take away from what was there before them, counted over all of them together.

Counted are connections that no longer exist or lead elsewhere, fields that held something and are empty or hold
something else, section titles that are written anew, and text (`text_losses`). Not counted: what the operations made
themselves, and places and routes in the drawing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from draftsmith.assistant.answers.text_losses import TextLoss, large_loss
from draftsmith.history.shapes import ChangedOut, DiffOut
from draftsmith.model.diagram import NO_ENDS, Diagram
from draftsmith.model.fields import EDGE_DEFAULTS, EDGE_TEXTS
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.markdown.sections import Outline
from draftsmith.transform.staged_operations import UNBORN, StagedOperation
from draftsmith.transform.steps.edge import RemoveEdge

Ends = tuple[NodeId, NodeId]
_ENDS: Final = ("source", "target")
_UNCOUNTED: Final = frozenset({"position", "size", "route", "locked", "source", "target"})
_ALWAYS_FILLED: Final = frozenset({"kind", "direction"})  # each of their values says something
_SAYS_NOTHING: Final[Mapping[str, Any]] = {"type": "other"}


@dataclass(frozen=True, slots=True)
class Losses:
    """What is lost.

    Attributes:
        removed: connections that are gone.
        redirected: connections that lead from or to something else.
        cleared: filled fields that are empty, by `node.<field>` or `edge.<field>`.
        replaced: filled fields that hold something else, likewise; `document.title` is a section's title.
        text: the largest loss of text, if it is large.
    """

    removed: int = 0
    redirected: int = 0
    cleared: Counter[str] = field(default_factory=Counter)
    replaced: Counter[str] = field(default_factory=Counter)
    text: TextLoss | None = None


def losses_of(
    staged: Sequence[StagedOperation], diff: DiffOut, diagram: Diagram, text: str, before: Outline, after: Outline
) -> Losses:
    """Count the losses.

    Args:
        staged: the operations.
        diff: what they change together.
        diagram: with them.
        text: the document without them.
        before, after: its sections without and with them.
    """
    cleared: Counter[str] = Counter()
    replaced: Counter[str] = Counter()
    for about, changes in (("node", diff["nodes"]["changed"]), ("edge", diff["edges"]["changed"])):
        for name, old, new in _pairs(changes):
            _count(cleared, replaced, f"{about}.{name}", old, new)
    removed = redirected = 0
    new_nodes = {NodeId(one["id"]) for one in diff["nodes"]["added"]}
    gone = _removed_edges(staged)
    for edge_id, ends in _lost_ends(staged, diff, diagram).items():
        through = _edges_through(diagram, ends, new_nodes)
        if not through:
            removed, redirected = removed + (edge_id in gone), redirected + (edge_id not in gone)
        elif edge_id in gone:
            _count_what_was_not_kept(cleared, replaced, gone[edge_id], [diagram.edge(one) or {} for one in through])
    if diff["document"] and len(after.sections) >= len(before.sections):
        titles = Counter(one.title for one in before.sections) - Counter(one.title for one in after.sections)
        replaced["document.title"] += titles.total()
    text_loss = large_loss(staged, text, before) if diff["document"] else None
    return Losses(removed, redirected, +cleared, +replaced, text_loss)


def _pairs(changes: Sequence[ChangedOut]) -> Iterator[tuple[str, Any, Any]]:
    """Field, old and new value of each change; a property counts as a field of its own."""
    for change in changes:
        for name, (old, new) in change["fields"].items():
            if name == "properties":  # of something that was removed and added again
                for key in {**(old or {}), **(new or {})}:
                    yield name, (old or {}).get(key), (new or {}).get(key)
            elif name not in _UNCOUNTED:
                yield name.partition(".")[0], old, new


def _count(cleared: Counter[str], replaced: Counter[str], name: str, old: Any, new: Any) -> None:
    if _is_filled(name, old) and old != new:
        (replaced if _is_filled(name, new) else cleared)[name] += 1


def _is_filled(name: str, value: Any) -> bool:
    bare = name.partition(".")[2]
    return bare in _ALWAYS_FILLED or value not in (None, "", _SAYS_NOTHING.get(bare))


def _removed_edges(staged: Sequence[StagedOperation]) -> dict[EdgeId, Mapping[str, Any]]:
    """Edges that were there before and are removed, with their fields."""
    steps = [step for one in staged for step in one.steps]
    return {step.id: step.fields for step in steps if isinstance(step, RemoveEdge) and step.birth != UNBORN}


def _lost_ends(staged: Sequence[StagedOperation], diff: DiffOut, diagram: Diagram) -> dict[EdgeId, Ends]:
    """The ends, as they were before, of edges that are gone or lead elsewhere."""
    moved = {EdgeId(one["id"]) for one in diff["edges"]["changed"] if one["fields"].keys() & set(_ENDS)}
    wanted = moved.union(diff["edges"]["removed"])
    known: dict[EdgeId, dict[str, NodeId]] = {edge_id: {} for edge_id in wanted}
    for step in (step for one in staged for step in one.steps):
        given_up = step.ends_given_up()
        if given_up is not None and given_up[0] in known:
            edge_id, old = given_up
            known[edge_id] = {**old, **known[edge_id]}
    found: dict[EdgeId, Ends] = {}
    for edge_id, ends in known.items():
        now = diagram.ends(edge_id) or NO_ENDS
        found[edge_id] = ends.get("source", now[0]), ends.get("target", now[1])
    return found


def _edges_through(diagram: Diagram, ends: Ends, new_nodes: set[NodeId]) -> list[EdgeId]:
    """All edges at the new nodes that were put between the two ends; none if these do not lead to the second end.

    These are the new nodes that edges lead to from the first end, through new nodes alone, those on side branches
    included. A new node with several edges in and several out does not count: what had led where before cannot be seen
    any more.
    """
    source, target = ends
    if source not in diagram or target not in diagram:
        return []
    reached, waiting = {source}, [source]
    while waiting:
        for other in diagram.outgoing(waiting.pop()):
            is_new = other in new_nodes and 1 in (len(diagram.incoming(other)), len(diagram.outgoing(other)))
            if is_new and other not in reached:
                reached.add(other)
                waiting.append(other)
    between = reached - {source}
    if all(target not in diagram.outgoing(one) for one in between):
        return []
    return [edge for one in between for edge in diagram.edges_at(one)]


def _count_what_was_not_kept(
    cleared: Counter[str], replaced: Counter[str], fields: Mapping[str, Any], edges: Sequence[Mapping[str, Any]]
) -> None:
    """Count the fields of an edge that none of the edges in its place has."""
    old = {**EDGE_DEFAULTS, **fields}
    for name in ("label", "kind", "direction", *EDGE_TEXTS):
        if all((one.get(name) or EDGE_DEFAULTS[name]) != old[name] for one in edges):
            new = next((one.get(name) for one in edges if one.get(name)), EDGE_DEFAULTS[name])
            _count(cleared, replaced, f"edge.{name}", old[name], new)
    for key, value in old["properties"].items():
        if all(one.get("properties", {}).get(key) != value for one in edges):
            _count(cleared, replaced, "edge.properties", value, None)
