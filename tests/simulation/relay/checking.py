"""Compares what a workspace is with what it must be; a difference that nobody was told of is `Unexpected`."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

from tests.simulation.relay.doors import State
from tests.simulation.relay.naive import Result, difference, results
from tests.simulation.relay.plan import ANY, Fields, Plan


class Unexpected(Exception):
    """The workspace is not what it must be."""

    def __init__(self, what: str, details: str) -> None:
        super().__init__(f"{what}: {details}")
        self.what, self.details = what, details


def check_same(what: str, wanted: Any, found: Any) -> None:
    """Raise unless two values are equal; say where they differ."""
    if wanted == found:
        return
    if isinstance(wanted, str):
        raise Unexpected(what, f"   {difference(wanted, found)}")
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        names = [name for name in {**wanted, **found} if wanted.get(name) != found.get(name)]
        wanted, found = ({name: one.get(name) for name in names} for one in (wanted, found))
    raise Unexpected(what, f"   meant: {wanted!r}\n   found: {found!r}")


def text_after(plan: Plan, before: State, now: State) -> Result:
    """Which of the ways that a plan allows the document took.

    Raises:
        Unexpected: none of them; says whether text outside the named stretches changed, or they came out otherwise.
    """
    allowed = list(results(before.text, plan.changes))
    for result in allowed:
        if result.text == now.text:
            return result
    inside = is_outside_kept(sorted([*plan.touched, *plan.named]), before.text, now.text)
    what = "the named section came out otherwise" if inside else "text outside the named section changed"
    meant = difference(before.text, allowed[0].text)
    raise Unexpected(what, f"   meant: {meant}\n   found: {difference(before.text, now.text)}")


def is_outside_kept(spans: Sequence[tuple[int, int]], before: str, now: str) -> bool:
    """Whether all text outside of some spans still stands there, in its order."""
    pieces, at = [], 0
    for start, end in spans:
        if start >= at:
            pieces.append(before[at:start])
        at = max(at, end)
    last = before[at:]
    if not spans or not now.startswith(pieces[0]) or not now.endswith(last):
        return before == now
    at = 0
    for piece in pieces:
        found = now.find(piece, at, len(now) - len(last))
        if found < 0:
            return False
        at = found + len(piece)
    return True


def diagram_after(plan: Plan, before: State, now: State) -> None:
    """Check that the nodes and edges of a plan came out as it says, and all others stayed but for what moved aside.

    Raises:
        Unexpected: they did not.
    """
    _check_part("node", plan.diagram.nodes, before.nodes, placed_as_in(now.nodes, before.nodes, plan.aside))
    _check_part("edge", plan.diagram.edges, before.edges, now.edges)


def placed_as_in(nodes: Mapping[str, Fields], other: Mapping[str, Fields], names: Container[str]) -> dict[str, Fields]:
    """The nodes, of which those that are named stand where they stood in another state."""
    return {
        name: {**node, "position": other[name]["position"]} if name in names and name in other else node
        for name, node in nodes.items()
    }


def _check_part(
    what: str, named: Mapping[str, Fields | None], before: Mapping[str, Fields], now: Mapping[str, Fields]
) -> None:
    kept = {name: item for name, item in before.items() if name not in named}
    check_same(f"another {what} changed", kept, {name: item for name, item in now.items() if name not in named})
    for name, wanted in named.items():
        found = now.get(name)
        if wanted is not None and found is not None:
            wanted = {**wanted, **{field: found[field] for field, value in wanted.items() if value == ANY}}  # noqa: PLW2901
        check_same(f"the named {what} came out otherwise", wanted, found)
