"""Leaves out of a batch what cancels inside it, so that its undo neither does nor reports anything of it.

That is a node or edge that the batch adds and deletes again, with all that it changes of it in between, and a field,
the name or the line ends, if they end up with the value that they began with.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterator, Sequence

from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps.base import Key, Pair
from draftsmith.transform.steps.steps import Step, StepConflict, apply, other_steps, roll_back

_BINDING = frozenset({"parent", "source", "target"})
_BOUND = _BINDING | {"position"}


def leave_out_cancelled(workspace: Workspace, applied: Sequence[Step], steps: Sequence[Step]) -> list[Step]:
    """Replace applied steps by as many as are needed; the workspace stays in the same state.

    Args:
        workspace: with `applied` applied.
        applied: as they were applied.
        steps: the same, the changes of the text joined.

    Returns:
        What is applied now: `steps`, if nothing cancels or the rest does not fit without it.
    """
    if not _may_cancel(steps):
        return list(steps)
    wanted = _without_cancelled(steps)
    if len(wanted) == len(steps) and all(one is other for one, other in zip(wanted, steps, strict=True)):
        return list(steps)
    roll_back(other_steps(applied), workspace)
    done: list[Step] = []
    try:
        for step in other_steps(wanted):
            apply(step, workspace)
            done.append(step)
    except StepConflict:
        roll_back(done, workspace)
        for step in other_steps(applied):
            step.write(workspace)
        return list(steps)
    return wanted


def _may_cancel(steps: Sequence[Step]) -> bool:
    """Whether anything can cancel; most batches need no closer look.

    It takes two steps of one node, of one edge or of the workspace itself, or a field that is set to what it was.
    """
    seen: set[Key] = set()
    for step in steps:
        key = step.key
        if key is None:  # a change of the text
            continue
        if key in seen or any(first == last for _, (first, last) in _pairs(step)):
            return True
        seen.add(key)
    return False


def _without_cancelled(steps: Sequence[Step]) -> list[Step]:
    kept = _without_passing(list(steps), ("edge",))
    kept = _without_passing(kept, ("node",))
    return _without_passing_values(kept)


def _without_passing(steps: list[Step], parts: Sequence[str]) -> list[Step]:
    """Leave out what is inserted and removed again, unless another step speaks of it in between."""
    own: dict[Key, list[int]] = {}  # since it was inserted
    named: dict[str, list[int]] = {}  # by node: where another step speaks of it
    dropped: set[int] = set()
    for index, step in enumerate(steps):
        for node_id in step.named_nodes():
            named.setdefault(node_id, []).append(index)
        key = step.key
        if key is None or key[0] not in parts:
            continue
        if step.inserts:
            own[key] = []
        if key not in own:
            continue
        own[key].append(index)
        if step.removes:
            gone = own.pop(key)
            if key[0] == "edge" or not _is_named(named.get(key[1], ()), gone, dropped):
                dropped.update(gone)
    return [step for index, step in enumerate(steps) if index not in dropped]


def _is_named(named: Sequence[int], own: Sequence[int], dropped: Container[int]) -> bool:
    """Whether a step that stays speaks of a node from its insertion to its removal, besides its own steps."""
    since = named[bisect_left(named, own[0]) :]
    its = frozenset(own)
    return any(at not in dropped and at not in its for at in since)


def _without_passing_values(steps: list[Step]) -> list[Step]:
    """Leave out fields that are set to another value and back."""
    ends: dict[tuple[Key, str], Pair] = {}
    for step in steps:
        for cell, pair in _pairs(step):
            ends[cell] = (ends[cell][0] if cell in ends else pair[0], pair[1])
    passing = {cell for cell, (first, last) in ends.items() if first == last}
    return [kept for step in steps if (kept := _narrow(step, passing)) is not None] if passing else steps


def _narrow(step: Step, passing: Container[tuple[Key, str]]) -> Step | None:
    gone = {cell[1] for cell, _ in _pairs(step) if cell in passing}
    return step.without(gone) if gone else step


def _pairs(step: Step) -> Iterator[tuple[tuple[Key, str], Pair]]:
    """The fields that a step sets, except where births come with them; a position belongs to its group."""
    key, pairs = step.key, step.pairs
    if key is None or not pairs:
        return
    passed_over = frozenset[str]() if pairs.keys().isdisjoint(_BINDING) else _BOUND
    for name, pair in pairs.items():
        if name not in passed_over:
            yield (key, name), pair
