"""At the end of a relay, the two people take back what they did: by undo, and by hand what undo says that it left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import replace

from tests.simulation.relay.checking import Unexpected, check_same, placed_as_in
from tests.simulation.relay.doors import MODEL, Door, State
from tests.simulation.relay.people import Own, Person, typed


async def take_back(door: Door, people: Sequence[Person], truth: State, aside: Container[str]) -> Counter[str]:
    """Take back everything, newest first; returns what is to be counted.

    `aside`: nodes that answers said to have moved aside. One may have stood there already when a person moved it, not
    where it stood when the plan was made; by hand it is put there all the same.

    Raises:
        Unexpected: an undo did something else than taking back what it is for, and did not say so.
    """
    counts: Counter[str] = Counter()
    while any(person.done for person in people):
        person = max((one for one in people if one.done), key=lambda one: one.done[-1].number)
        own = person.done.pop()
        answer = await door.undo(person.name)
        now = await door.state()
        without = _without(own, truth)
        if answer.is_refused or answer.left_out:
            counts["people's edits that undo left, and said so"] += 1
            check_same("an undo that left something out: the document", truth.text, now.text)
            check_same("an undo that left something out: the nodes", truth.nodes, now.nodes)
            await _by_hand(door, own, now)
            now = await door.state()
        else:
            counts["people's edits taken back by undo"] += 1
            if own.field == "position" and own.node in aside:
                without = replace(without, nodes=placed_as_in(without.nodes, now.nodes, {own.node}))
        check_same("a person's undo: the document", without.text, now.text)
        check_same("a person's undo: the nodes", without.nodes, now.nodes)
        check_same("a person's undo: the edges", without.edges, now.edges)
        truth = now
    return counts


def _without(own: Own, truth: State) -> State:
    """The workspace without one edit of a person, by splicing."""
    if not own.written:
        if own.node not in truth.nodes:
            return truth
        return replace(truth, nodes={**truth.nodes, own.node: {**truth.nodes[own.node], own.field: own.old}})
    if truth.text.count(own.written) != 1:
        raise Unexpected(
            "what a person typed", f"   {own.written!r} stands there {truth.text.count(own.written)} times"
        )
    return replace(truth, text=truth.text.replace(own.written, own.instead_of, 1))


async def _by_hand(door: Door, own: Own, now: State) -> None:
    """Take it back by an edit of somebody else, so that it is not the next one on the person's undo stack."""
    if own.written:
        at = now.text.index(own.written)
        changes = typed(now.text, at, at + len(own.written), own.instead_of)
        operation = {"op": "edit_text", "changes": changes, "base_revision": now.revision}
    elif own.field == "position":
        operation = {"op": "move_nodes", "positions": {own.node: own.old}}
    else:
        operation = {"op": "update_node", "id": own.node, own.field: own.old or None}
    answer = await door.batch(MODEL, [operation])
    if answer.is_refused:
        raise Unexpected("an edit by hand was refused", str(answer))
