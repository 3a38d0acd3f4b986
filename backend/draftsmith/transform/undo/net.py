"""The net of a commit's steps: one for each node, edge, type or name, however often the commit changed it.

A state in between was never anybody's: an edge that one commit adds and rewires comes with its last ends. So what is
taken back is compared with what the commit left, as it is for the document, of which a commit has one step at most.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar, cast

from draftsmith.model.fields import EdgeAttributes, NodeAttributes, set_fields
from draftsmith.transform.steps.base import Pair
from draftsmith.transform.steps.custom_type import SetType
from draftsmith.transform.steps.edge import InsertEdge, RemoveEdge, SetEdge
from draftsmith.transform.steps.node import InsertNode, RemoveNode, SetNode
from draftsmith.transform.steps.steps import Step
from draftsmith.transform.steps.workspace import Rename

_WholeNode = TypeVar("_WholeNode", InsertNode, RemoveNode)
_WholeEdge = TypeVar("_WholeEdge", InsertEdge, RemoveEdge)


def net_steps(steps: Sequence[Step]) -> list[Step]:
    """Join the steps that change the same thing; leave out what cancels out.

    An insertion stays where it was, what is joined otherwise comes where its last step was. It may refer to what is
    inserted or removed between its steps, so the net may fit in another order only.
    """
    net: dict[int, Step] = {}
    places: dict[Hashable, int] = {}
    for index, step in enumerate(steps):
        thing = (step.key, step.field) if isinstance(step, Rename) else step.key
        place = None if thing is None else places.get(thing)
        if place is None or (net[place].removes and step.inserts):
            net[index], places[thing] = step, index
            continue
        joined = _join(net.pop(place), step)
        if joined is None:
            del places[thing]
        else:
            places[thing] = place if joined.inserts else index
            net[places[thing]] = joined
    return [net[index] for index in sorted(net)]


def _join(earlier: Step, later: Step) -> Step | None:
    """One step for two that change the same thing one after the other; None if they cancel out."""
    match earlier, later:
        case (InsertNode(), SetNode()):
            return _node_set(earlier, later)
        case (SetNode(), RemoveNode()):
            return _node_set(later, earlier.inverse())
        case (SetNode(), SetNode()):
            return _both_node(earlier, later)
        case (InsertEdge(), SetEdge()):
            return _edge_set(earlier, later)
        case (SetEdge(), RemoveEdge()):
            return _edge_set(later, earlier.inverse())
        case (SetEdge(), SetEdge()):
            return _both_edge(earlier, later)
        case (SetType(), SetType()):
            return None if earlier.old == later.new else replace(later, old=earlier.old)
        case (Rename(), Rename()):
            return None if earlier.old == later.new else replace(later, old=earlier.old)
        case (InsertNode(), RemoveNode()) | (InsertEdge(), RemoveEdge()):
            return None
        case _:
            raise ValueError(f"one commit has {earlier.to_json()} and then {later.to_json()}")


def _node_set(whole: _WholeNode, step: SetNode) -> _WholeNode:
    """The node of a whole step with the fields that another one sets."""
    fields = cast(NodeAttributes, {**whole.fields})
    set_fields(fields, {name: new for name, (_, new) in step.fields.items()})
    birth = step.parents[1] if "parent" in step.fields else whole.parent_birth
    return replace(whole, fields=fields, parent_birth=birth)


def _edge_set(whole: _WholeEdge, step: SetEdge) -> _WholeEdge:
    """The edge of a whole step with the fields that another one sets, ends included."""
    values = {name: new for name, (_, new) in step.fields.items()}
    source, target = values.pop("source", whole.source), values.pop("target", whole.target)
    fields = cast(EdgeAttributes, {**whole.fields})
    set_fields(fields, values)
    return replace(whole, source=source, target=target, ends=step.new_ends or whole.ends, fields=fields)


def _both_node(earlier: SetNode, later: SetNode) -> SetNode | None:
    pairs = _both(earlier.fields, later.fields)
    first = earlier if "parent" in earlier.fields else later
    last = later if "parent" in later.fields else earlier
    births = (first.parents[0], last.parents[1]) if "parent" in pairs else (None, None)
    return replace(later, fields=pairs, parents=births) if pairs else None


def _both_edge(earlier: SetEdge, later: SetEdge) -> SetEdge | None:
    pairs = _both(earlier.fields, later.fields)
    moves = not pairs.keys().isdisjoint(("source", "target"))
    old = earlier.old_ends or later.old_ends if moves else None
    new = later.new_ends or earlier.new_ends if moves else None
    return replace(later, fields=pairs, old_ends=old, new_ends=new) if pairs else None


def _both(earlier: Mapping[str, Pair], later: Mapping[str, Pair]) -> dict[str, Pair]:
    """From the old values of the earlier pairs to the new ones of the later, without those that are equal."""
    pairs = {**later, **{name: (old, later.get(name, (None, new))[1]) for name, (old, new) in earlier.items()}}
    return {name: (old, new) for name, (old, new) in pairs.items() if old != new}
