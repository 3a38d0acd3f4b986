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
        thing = (step.key, *step.pairs) if step.key == Rename.key else step.key
        place = None if thing is None else places.get(thing)
        if place is None or net[place].removes:  # nothing but its insertion follows a removal
            net[index], places[thing] = step, index
            continue
        joined = _join(net.pop(place), step)
        if joined is None:
            del places[thing]
        else:
            places[thing] = place if joined.inserts else index
            net[places[thing]] = joined
    return [net[index] for index in sorted(net)]


def _join(first: Step, second: Step) -> Step | None:
    """One step for two that change the same thing one after the other; None if they cancel out."""
    match first, second:
        case (InsertNode(), SetNode()):
            return _node_set(first, second)
        case (SetNode(), RemoveNode()):
            return _node_set(second, first.inverse())
        case (SetNode(), SetNode()):
            return _both_node(first, second)
        case (InsertEdge(), SetEdge()):
            return _edge_set(first, second)
        case (SetEdge(), RemoveEdge()):
            return _edge_set(second, first.inverse())
        case (SetEdge(), SetEdge()):
            return _both_edge(first, second)
        case (SetType(), SetType()):
            return None if first.old == second.new else replace(second, old=first.old)
        case (Rename(), Rename()):
            return None if first.old == second.new else replace(second, old=first.old)
        case (InsertNode(), RemoveNode()) | (InsertEdge(), RemoveEdge()):
            return None
        case _:
            raise ValueError(f"one commit has {first.to_json()} and then {second.to_json()}")


def _node_set(node: _WholeNode, step: SetNode) -> _WholeNode:
    """The insertion or removal of a node with the fields that another one sets."""
    fields = cast(NodeAttributes, {**node.fields})
    set_fields(fields, {name: new for name, (_, new) in step.fields.items()})
    birth = step.parents[1] if "parent" in step.fields else node.parent_birth
    return replace(node, fields=fields, parent_birth=birth)


def _edge_set(edge: _WholeEdge, step: SetEdge) -> _WholeEdge:
    """The insertion or removal of an edge with the fields that another one sets, ends included."""
    values = {name: new for name, (_, new) in step.fields.items()}
    source, target = values.pop("source", edge.source), values.pop("target", edge.target)
    fields = cast(EdgeAttributes, {**edge.fields})
    set_fields(fields, values)
    return replace(edge, source=source, target=target, ends=step.new_ends or edge.ends, fields=fields)


def _both_node(first: SetNode, second: SetNode) -> SetNode | None:
    pairs = _both(first.fields, second.fields)
    leaves = first if "parent" in first.fields else second
    enters = second if "parent" in second.fields else first
    births = (leaves.parents[0], enters.parents[1]) if "parent" in pairs else (None, None)
    return replace(second, fields=pairs, parents=births) if pairs else None


def _both_edge(first: SetEdge, second: SetEdge) -> SetEdge | None:
    pairs = _both(first.fields, second.fields)
    moves = not pairs.keys().isdisjoint(("source", "target"))
    old = first.old_ends or second.old_ends if moves else None
    new = second.new_ends or first.new_ends if moves else None
    return replace(second, fields=pairs, old_ends=old, new_ends=new) if pairs else None


def _both(first: Mapping[str, Pair], second: Mapping[str, Pair]) -> dict[str, Pair]:
    """From the old values of the first pairs to the new ones of the second, without those that are equal."""
    pairs = {**second, **{name: (old, second.get(name, (None, new))[1]) for name, (old, new) in first.items()}}
    return {name: (old, new) for name, (old, new) in pairs.items() if old != new}
