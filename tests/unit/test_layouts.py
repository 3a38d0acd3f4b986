"""What a batch asks the layout engine, and what becomes of its answers."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import orjson
import pytest

from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.workspace import Workspace
from draftsmith.transform.placement.layouts import LEAST_NODES, MOST_ELEMENTS, Layouts, arrange_boxes
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.transform.resolve import open_transaction, run_batch
from draftsmith.transform.resolvers.engine_use import wants_layout
from draftsmith.transform.transaction import Transaction
from tests.builders import Op, copy_of, edge, group, node, place, run, workspace_of
from tests.drawings import overlaps_of

LIMITS = WorkspaceLimits()


def chain_of_nodes(count: int, **fields: Any) -> list[Op]:
    nodes = [{"op": "add_node", "id": f"n{i}", "type": "service", "label": f"N{i}", **fields} for i in range(count)]
    return [*nodes, *(edge(f"n{i}", f"n{i + 1}") for i in range(count - 1))]


def resolved(workspace: Workspace, operations: list[Op], layouts: Layouts) -> Transaction:
    tx = open_transaction(workspace, 2, LIMITS, layouts=layouts)
    run_batch(tx, parse_batch(operations, LIMITS))
    return tx


def questions_of(workspace: Workspace, operations: list[Op]) -> dict[str, Any]:
    """The questions of a batch, by key; the workspace stays as it is."""
    layouts = Layouts()
    resolved(copy_of(workspace), operations, layouts)
    return {key: orjson.loads(question) for key, question in layouts.asks.items()}


def layout_answer(**parts: Any) -> bytes:
    return orjson.dumps({"operation": {"op": "move_nodes", **parts}})


def codes(tx: Transaction) -> list[str]:
    return [warning.code for warning in tx.warnings if warning.code == "simple_layout"]


def test_a_block_is_asked_about_once_with_all_that_is_in_it() -> None:
    """Groups with what stands in them, as if they stood at the top."""
    workspace = workspace_of(group("g", 0, 0), node("a", 24, 40, parent="g"))
    inner: Op = {"op": "add_node", "id": "inner", "type": "group", "label": "Inner", "parent": "g"}
    [question] = questions_of(workspace, [inner, *chain_of_nodes(6, parent="inner"), edge("a", "n0")]).values()
    parents = {one["id"]: one["parent"] for one in question["diagram"]["nodes"]}
    assert parents == {"inner": None, **{f"n{i}": "inner" for i in range(6)}}
    assert len(question["diagram"]["edges"]) == 5


def test_a_route_that_becomes_another_is_told() -> None:
    """Of what the engine has routed around something new, and not of what it has routed for the first time."""
    beside = [{"x": 90, "y": 150}]
    workspace = workspace_of(
        node("a", 0, 0), node("b", 0, 200), node("c", 600, 0), node("d", 600, 200),
        edge("a", "b", id="old", route=beside), edge("c", "d", id="far", route=beside),
    )  # fmt: skip
    batch = [*chain_of_nodes(1), edge("a", "n0", id="new")]
    [key] = questions_of(workspace, batch)
    around = [{"x": -50, "y": 36}, {"x": -50, "y": 236}]
    tx = resolved(workspace, batch, Layouts({key: layout_answer(positions={}, routes={"old": around, "new": around})}))
    told = [(one.op, one.candidates, one.message) for one in tx.warnings]
    assert told == [("add_node", ("old",), "Routed anew around what is new or has moved: 'old'.")]
    assert [(workspace.diagram.edge(one) or {})["route"] for one in ("old", "far")] == [around, beside]  # type: ignore[arg-type]


def test_few_are_not_asked_about() -> None:
    """The small layout serves, without a word."""
    workspace = workspace_of()
    assert questions_of(workspace, chain_of_nodes(LEAST_NODES - 1)) == {}
    assert codes(run(workspace, *chain_of_nodes(LEAST_NODES - 1), revision=2)) == []
    assert not wants_layout(parse_batch(chain_of_nodes(LEAST_NODES - 1), LIMITS), workspace.diagram)
    assert wants_layout(parse_batch(chain_of_nodes(LEAST_NODES), LIMITS), workspace.diagram)


def test_an_answer_says_only_what_differs() -> None:
    """What it leaves out stands where the question said."""
    workspace = workspace_of(node("a", 0, 0))
    [key] = questions_of(workspace, chain_of_nodes(6))
    places = {f"n{i}": {"x": 300 * i, "y": 0} for i in range(1, 6)}
    tx = resolved(workspace, chain_of_nodes(6), Layouts({key: layout_answer(positions=places)}))
    xs = [place(workspace, f"n{i}")[0] for i in range(6)]
    assert [x - xs[0] for x in xs] == [300 * i for i in range(6)]
    assert codes(tx) == []
    assert not overlaps_of(workspace.diagram)


def test_the_same_question_whatever_else_has_changed() -> None:
    """So that an answer still counts when others have committed meanwhile."""
    before = questions_of(workspace_of(node("a", 0, 0)), [*chain_of_nodes(6), edge("a", "n0")])
    after = questions_of(workspace_of(node("a", 500, 0), node("b", 900, 0)), [*chain_of_nodes(6), edge("a", "n0")])
    assert before.keys() == after.keys()


@pytest.mark.parametrize("given", [None, b"", b"{", b"[]", b'{"operation": {"positions": {"n0": 1}}}'])
def test_without_an_answer_the_small_layout_serves(given: bytes | None) -> None:
    """And the result says so, at the operation."""
    workspace = workspace_of()
    [key] = questions_of(workspace, chain_of_nodes(6))
    tx = resolved(workspace, chain_of_nodes(6), Layouts({key: given}))
    assert codes(tx) == ["simple_layout"]
    assert not overlaps_of(workspace.diagram)
    alone = workspace_of(*(node(f"n{i}", 0, 0) for i in range(3)))
    assert codes(run(alone, {"op": "layout_diagram", "scope": "all"}, revision=2)) == ["simple_layout"]


def test_a_layout_of_everything_is_taken_over() -> None:
    """Positions, sizes and routes; what is locked stays, and later operations have the last word."""
    workspace = workspace_of(
        group("g", 0, 0), node("a", 24, 40, parent="g"), node("b", 500, 0), node("c", 9, 9, locked=True), edge("a", "b")
    )
    batch: list[Op] = [
        {"op": "layout_diagram", "scope": "all"},
        {"op": "move_nodes", "positions": {"b": {"x": 1, "y": 2}}},
    ]
    [(key, question)] = questions_of(workspace, batch).items()
    assert {one["id"] for one in question["diagram"]["nodes"] if one["locked"]} == {"c"}
    places = {"g": {"x": 70, "y": 80}, "b": {"x": 5, "y": 5}, "c": {"x": 0, "y": 0}, "a": {"x": 30, "y": 50}}
    given = layout_answer(
        positions=places, sizes={"g": {"width": 400, "height": 300}}, routes={"a--b": [{"x": 1, "y": 1}]}
    )
    resolved(workspace, batch[:1], Layouts({key: given}))
    assert (place(workspace, "g"), place(workspace, "a"), place(workspace, "c")) == ((70, 80), (100, 130), (9, 9))
    assert workspace.diagram.size_of("g") == (400, 300)
    assert (workspace.diagram.edge("a--b") or {})["route"] == [{"x": 1, "y": 1}]


def test_what_is_too_large_is_not_asked() -> None:
    """It would not be answered in time."""
    layouts = Layouts()
    sizes = {f"n{i}": (180.0, 72.0) for i in range(MOST_ELEMENTS + 1)}
    assert layouts.arrangement(arrange_boxes(sizes, [])) is None  # type: ignore[arg-type]
    assert (layouts.asks, layouts.has_failed) == ({}, True)


@pytest.mark.parametrize("count, is_asked", [(14, True), (20, False)])
def test_where_everything_leads_to_everything_nothing_is_asked(count: int, is_asked: bool) -> None:
    """Few nodes with very many edges take the engine longer than thousands of nodes with few."""
    layouts = Layouts()
    sizes = {f"n{i}": (180.0, 72.0) for i in range(count)}
    assert layouts.arrangement(arrange_boxes(sizes, permutations(sizes, 2))) is None  # type: ignore[arg-type]
    assert (bool(layouts.asks), layouts.has_failed) == (is_asked, not is_asked)
