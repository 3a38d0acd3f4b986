"""Laws of placement: new nodes never lie on anything, and what was there moves only where the answer says so."""

from __future__ import annotations

import math
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from draftsmith.errors import BatchRejected
from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import NodeId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.workspace import Workspace
from draftsmith.transform.placement.block_place import Search
from draftsmith.transform.placement.layouts import LEAST_NODES, Layouts
from draftsmith.transform.placement.make_room import GroupSiblings, PushBounds
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.transform.resolve import open_transaction, run_batch
from draftsmith.transform.resolvers.engine_use import wants_layout
from draftsmith.transform.steps.steps import apply
from draftsmith.transform.transaction import Transaction
from tests.builders import Op, assert_sound, canonical, copy_of, edge, run, workspace_of
from tests.drawings import batch_for, drawing, overlaps_of, rects_of, regrouping_for
from tests.seeds import examples

seeds = st.integers(0, 2**32)
_BETWEEN = {"id": "x", "type": "cache", "label": "X"}


def told(tx: Transaction) -> set[str]:
    """The nodes of which the answer says that they were moved aside."""
    return {one for warning in tx.warnings if warning.code == "moved_aside" for one in warning.candidates}


def assert_in_place(before: Workspace, after: Workspace, tx: Transaction) -> None:
    """Nothing new lies on anything, what is locked has not moved, and what has moved is told."""
    old, new = overlaps_of(before.diagram), overlaps_of(after.diagram)
    assert new <= old, f"on each other: {sorted(new - old)}"
    was, now = rects_of(before.diagram), rects_of(after.diagram)
    moved = {one for one in was if one in now and was[one][:2] != now[one][:2]}
    fixed = [one for one in moved if before.diagram.lock_on(one) is not None]
    assert not fixed, f"locked and moved: {fixed}"
    aside = told(tx)
    unsaid = [one for one in moved if not aside & {one, *after.diagram.ancestors(one)}]
    assert not unsaid, f"moved without a word: {unsaid}"
    assert_inside(after.diagram)


def assert_inside(diagram: Diagram) -> None:
    """No node waits for its place any more."""
    far: list[NodeId] = [one for one, rect in rects_of(diagram).items() if rect[0] < -100_000]
    assert not far


@given(seeds)
@settings(max_examples=examples(300))
def test_new_nodes_lie_on_nothing(seed: int) -> None:
    """A batch of nodes and groups without positions, connected at random, in a drawing with locks and nested groups."""
    random = Random(seed)
    workspace = drawing(random)
    before, batch = copy_of(workspace), batch_for(random, workspace)
    tx = run(workspace, *batch, revision=2)
    assert_in_place(before, workspace, tx)
    assert_sound(workspace)


@given(seeds)
@settings(max_examples=examples(100))
def test_few_new_nodes_have_their_places_without_the_engine(seed: int) -> None:
    """Fewer than six ask nothing, so they stand in the same places wherever the batch is prepared, and on nothing."""
    random = Random(seed)
    workspace = drawing(random)
    batch = batch_for(random, workspace, 3, LEAST_NODES - 1)
    before, elsewhere = copy_of(workspace), copy_of(workspace)
    assert not wants_layout(parse_batch(batch, WorkspaceLimits()), workspace.diagram)
    tx = run(workspace, *batch, revision=2)
    assert_in_place(before, workspace, tx)
    with_engine = open_transaction(elsewhere, 2, WorkspaceLimits(), by_person=True, layouts=Layouts())
    run_batch(with_engine, parse_batch(batch, WorkspaceLimits()))
    assert with_engine.layouts is not None
    assert with_engine.layouts.asks == {}
    assert canonical(elsewhere) == canonical(workspace)


@given(seeds)
@settings(max_examples=examples(100))
def test_few_that_are_connected_to_nothing_there_move_nothing(seed: int) -> None:
    """Whatever stands there: they find a free place, and all else stays to the byte."""
    random = Random(seed)
    workspace = drawing(random)
    new = {f"x{number}" for number in range(random.randint(1, LEAST_NODES - 1))}
    batch = batch_for(random, workspace_of(), len(new), len(new))
    before = {one: workspace.diagram[one] for one in workspace.diagram.node_ids()}
    old = rects_of(workspace.diagram)
    tx = run(workspace, *batch, revision=2)
    assert told(tx) == set()
    assert {one: workspace.diagram[one] for one in before} == before
    assert {one: rect for one, rect in rects_of(workspace.diagram).items() if one in old} == old
    assert not {pair for pair in overlaps_of(workspace.diagram) if new & set(pair)}


@given(seeds)
@settings(max_examples=examples(150))
def test_lines_that_nothing_touches_keep_their_points(seed: int) -> None:
    """A line keeps its bends and moves with both ends; at what moved aside or grew it may get others, and is named."""
    random = Random(seed)
    workspace = drawing(random, locks=False)
    edges = sorted(workspace.diagram.edge_ids())
    routes = {one: [{"x": random.randint(-200, 2_000), "y": random.randint(-200, 1_000)}] for one in edges}
    run(workspace, {"op": "move_nodes", "positions": {}, "routes": routes}, revision=2)
    if edges and random.random() < 0.5:
        source, target = workspace.diagram.ends(random.choice(edges)) or ("", "")
        batch: list[Op] = [{"op": "insert_between", "source": source, "target": target, "node": _BETWEEN}]
    else:
        batch = batch_for(random, workspace)
    before = rects_of(workspace.diagram)
    tx = run(workspace, *batch, revision=3)
    diagram, after = workspace.diagram, rects_of(workspace.diagram)
    named = {one for warning in tx.warnings if warning.code == "rerouted" for one in warning.candidates}
    moved = told(tx) | {one for one in before if diagram.is_group(one) and before[one][2:] != after[one][2:]}
    for one in set(edges) & set(diagram.edge_ids()):
        route, ends = (diagram.edge(one) or {}).get("route"), diagram.ends(one) or ()
        shifts = {(after[end][0] - before[end][0], after[end][1] - before[end][1]) for end in ends}
        if one in named:
            assert moved & {*ends, *(outer for end in ends for outer in diagram.ancestors(end))}
        else:
            (x, y), *others = shifts
            assert not others, f"{one}: an end has moved alone, and nobody says so"
            assert route == [{"x": point["x"] + x, "y": point["y"] + y} for point in routes[one]]


@given(seeds)
@settings(max_examples=examples(100))
def test_between_three_times(seed: int) -> None:
    """`insert_between` again and again: between, never on."""
    random = Random(seed)
    workspace = drawing(random, locks=False)
    for number in range(3):
        edges = sorted(workspace.diagram.edge_ids())
        if not edges:
            return
        source, target = workspace.diagram.ends(random.choice(edges)) or ("", "")
        before = copy_of(workspace)
        new = {"type": "cache", "label": f"Cache {number}"}
        tx = run(
            workspace,
            {"op": "insert_between", "source": source, "target": target, "node": new, "label": ""},
            revision=number + 2,
        )
        assert_in_place(before, workspace, tx)


@given(seeds)
@settings(max_examples=examples(100))
def test_taking_it_back_brings_everything_back(seed: int) -> None:
    """The steps, moved siblings included, lead to the same state elsewhere, and their inverses back."""
    random = Random(seed)
    workspace = drawing(random)
    other, before = copy_of(workspace), canonical(workspace)
    batch = batch_for(random, workspace)
    steps = run(workspace, *batch, revision=2).steps
    for step in steps:
        apply(step, other)
    assert canonical(other) == canonical(workspace)
    for step in reversed(steps):
        apply(step.inverse(), other)
    assert canonical(other) == before


@given(seeds)
@settings(max_examples=examples(50))
def test_the_same_places_whatever_is_cached(seed: int) -> None:
    """A workspace that was loaded answers what one answers that has grown."""
    random = Random(seed)
    workspace = drawing(random)
    loaded, batch = copy_of(workspace), batch_for(random, workspace)
    run(workspace, *batch, revision=2)
    run(loaded, *batch, revision=2)
    assert canonical(workspace) == canonical(loaded)


@given(seeds)
@settings(max_examples=examples(60))
def test_the_short_cut_leads_where_the_search_does(seed: int) -> None:
    """The place right beside a single neighbour is the one that rating all of them finds."""
    random = Random(seed)
    workspace = drawing(random, locks=False)
    for number in range(4):
        other = random.choice(sorted(workspace.diagram.node_ids()))
        ends = [f"new{number}", other] if random.random() < 0.5 else [other, f"new{number}"]
        batch: list[Op] = [{"op": "add_node", "id": f"new{number}", "type": "cache", "label": "New"}, edge(*ends)]
        searched = copy_of(workspace)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Search, "_ideal", lambda _: None)
            run(searched, *batch, revision=number + 2)
        run(workspace, *batch, revision=number + 2)
        assert canonical(workspace) == canonical(searched)


@given(seeds)
@settings(max_examples=examples(150))
def test_a_push_that_is_given_up_would_not_be_taken(seed: int) -> None:
    """Who moves aside, and where to, is the same if each push goes on to its end, whatever it costs."""
    random = Random(seed)
    workspace = drawing(random, locks=random.random() < 0.5)
    batch = random.choice((batch_for, regrouping_for))(random, workspace)
    pushed = copy_of(workspace)
    to_the_end, with_room = GroupSiblings.push, Search._with_room
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            GroupSiblings, "push",
            lambda room, starts, axis, stays, bounds, gap: to_the_end(
                room, starts, axis, stays, PushBounds(bounds.most), gap
            ),
        )  # fmt: skip
        patch.setattr(
            Search, "_with_room",
            lambda search, spot, siblings, axis, least: with_room(search, spot, siblings, axis, math.inf),
        )  # fmt: skip
        _try(pushed, batch)
    _try(workspace, batch)
    assert canonical(workspace) == canonical(pushed)


def _try(workspace: Workspace, batch: list[Op]) -> None:
    """Run a batch that may be refused, since not all that chance makes can be."""
    with suppress(BatchRejected):
        run(workspace, *batch, revision=2)


@given(seeds)
@settings(max_examples=examples(150))
def test_new_frames_hold_nobody_else(seed: int) -> None:
    """A group that is made around nodes holds these on screen, and nobody else; they stay where they are."""
    random = Random(seed)
    workspace = drawing(random, locks=False)
    before, batch = copy_of(workspace), regrouping_for(random, workspace)
    tx = run(workspace, *batch, revision=2)
    assert_in_place(before, workspace, tx)
    assert_sound(workspace)
