"""An operation costs what it touches, not what there is: looks at nodes and edges are counted, not time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps.steps import Step, apply
from draftsmith.transform.undo.compensate import compensate
from tests.builders import Op, edge, group, node, run, update, workspace_of

SIZES = (20, 2_000)


class Counting(dict[Any, Any]):
    """A dictionary that counts how often it is asked, and every element that is walked over."""

    looks = 0

    def __getitem__(self, key: Any) -> Any:
        Counting.looks += 1
        return super().__getitem__(key)

    def get(self, key: Any, default: Any = None) -> Any:
        Counting.looks += 1
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        Counting.looks += 1
        return super().__contains__(key)

    def _walk(self, walked: Iterator[Any]) -> Iterator[Any]:
        for item in walked:
            Counting.looks += 1
            yield item

    def __iter__(self) -> Iterator[Any]:
        return self._walk(super().__iter__())

    def items(self) -> Any:
        return self._walk(iter(super().items()))

    def values(self) -> Any:
        return self._walk(iter(super().values()))


def town(size: int) -> Workspace:
    """Groups of ten nodes each with room for more, connected in a row, the grid of places built; its big tables count.

    A frame that grows looks at all groups beside it; these need not grow.
    """
    places: list[Op] = []
    for number in range(size):
        if number % 10 == 0:
            places.append(group(f"g{number}", number * 300, 0, size={"width": 2_600, "height": 400}))
        places.append(node(f"n{number}", 24 + number % 10 * 220, 40, parent=f"g{number - number % 10}"))
    links = [edge(f"n{number}", f"n{number + 1}") for number in range(size - 1)]
    workspace = workspace_of()
    batch = [*places, *links]
    for start in range(0, len(batch), 500):
        run(workspace, *batch[start : start + 500])
    diagram = workspace.diagram
    _ = diagram.places
    diagram.size_of("g0")
    for owner, name in ((diagram._graph, "_node"), (diagram._graph, "_adj"), (diagram._graph, "_pred")):
        setattr(owner, name, Counting(getattr(owner, name)))
    diagram._graph._succ = diagram._graph._adj
    diagram._ends = Counting(diagram._ends)
    diagram._children = Counting(diagram._children)
    diagram.places._rects = Counting(diagram.places._rects)
    diagram.places._cells = Counting(diagram.places._cells)
    return workspace


BATCHES: dict[str, list[Op]] = {
    "add, connect, change, move, delete": [
        node("new", 0, 500),
        edge("new", "n5"),
        update("n5", label="Five"),
        {"op": "move_nodes", "positions": {"n4": {"x": 0, "y": 900}}},
        {"op": "delete_node", "id": "n3", "bridge": True},
    ],
    "place": [{"op": "add_node", "id": "new", "type": "api", "label": "New", "near": "n5"}],
    "group and dissolve": [
        {"op": "group_nodes", "id": "inner", "label": "Inner", "ids": ["n1", "n2"]},
        {"op": "move_to_group", "ids": ["n2"], "group": "g0"},
        {"op": "ungroup_nodes", "id": "inner"},
        update("n1", label="One"),
    ],
    "group": [
        {"op": "group_nodes", "id": "inner", "label": "Inner", "ids": ["n1", "n2"]},
        {"op": "move_to_group", "ids": ["n2"], "group": "g0"},
    ],
    "dissolve": [{"op": "ungroup_nodes", "id": "g0"}],
    "edges": [
        {"op": "rewire_edge", "id": "n1--n2", "new_target": "n7"},
        {"op": "update_edge", "source": "n2", "target": "n3", "label": "x"},
        {"op": "insert_between", "source": "n4", "target": "n5", "node": {"type": "cache", "label": "C"}},
        {"op": "delete_edge", "id": "n5--n6"},
    ],
}


def looks_of(work: Callable[[], object]) -> int:
    """How often tables of nodes and edges are asked while something is done."""
    Counting.looks = 0
    work()
    return Counting.looks


def _apply_all(workspace: Workspace, steps: list[Step]) -> None:
    for step in steps:
        apply(step, workspace)


def costs_of(workspace: Workspace, batch: list[Op]) -> dict[str, int]:
    """Looks for running a batch, undoing it, applying its steps again, and taking them back."""
    made: list[Step] = []
    return {
        "run": looks_of(lambda: made.extend(run(workspace, *batch, revision=2).steps)),
        "undo": looks_of(lambda: compensate(workspace, made)),
        "apply": looks_of(lambda: _apply_all(workspace, made)),
        "take back": looks_of(lambda: _apply_all(workspace, [step.inverse() for step in reversed(made)])),
    }


@pytest.mark.parametrize("name", BATCHES)
def test_a_batch_costs_the_same_in_a_large_diagram(name: str) -> None:
    """Resolving, undoing, applying and taking back look at as many nodes and edges at 2,000 as at 20."""
    small, large = (costs_of(town(size), BATCHES[name]) for size in SIZES)
    assert min(small.values()) > 0
    assert large == small


def test_a_refused_batch_costs_what_it_tried() -> None:
    """Rolling back is as flat as going forward; only looking for a near id asks all nodes, and is not counted here."""
    taken = [*BATCHES["edges"], edge("n7", "n8")]
    counts = []
    for size in SIZES:
        workspace = town(size)

        def attempt(workspace: Workspace = workspace) -> None:
            with pytest.raises(Exception, match="1 problem"):
                run(workspace, *taken, revision=2)

        counts.append(looks_of(attempt))
    assert counts[0] == counts[1]
