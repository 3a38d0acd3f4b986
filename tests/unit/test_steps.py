"""What each kind of step needs, writes and touches, and why it does not fit once others have changed something."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from draftsmith.model.ids import EdgeId
from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps.base import Cell
from draftsmith.transform.steps.custom_type import SetType
from draftsmith.transform.steps.edge import RemoveEdge, SetEdge
from draftsmith.transform.steps.node import RemoveNode
from draftsmith.transform.steps.steps import Step, apply, roll_back, step_from_json
from draftsmith.transform.steps.workspace import Rename
from tests.builders import Op, assert_sound, canonical, edge, group, node, place, run, update, workspace_of

ROUTE = [{"x": 700, "y": 30}, {"x": 700, "y": 330}]


def shop() -> Workspace:
    """Groups, nodes in and beside them, an edge with a route."""
    return workspace_of(
        {"op": "define_type", "id": "crate", "label": "Crate", "type": "database"},
        group("g"),
        node("in", parent="g"),
        group("h", 0, 600),
        node("b", 400, properties={"k": "1"}),
        node("c", 600),
        node("d", 800, 300, notes="old"),
        edge("c", "d", id="e", label="calls", route=ROUTE),
        edge("d", "c", id="f"),
    )


def delete(node_id: str) -> Op:
    return {"op": "delete_node", "id": node_id}


def into(group_id: str | None, *ids: str) -> Op:
    return {"op": "move_to_group", "ids": list(ids), "group": group_id}


def change(**fields: Any) -> Op:
    return {"op": "update_edge", "id": "e", **fields}


def rewire(target: str) -> Op:
    return {"op": "rewire_edge", "id": "e", "new_target": target}


def called(name: str) -> Op:
    return {"op": "rename_workspace", "name": name}


def crate(**fields: str) -> Op:
    return {"op": "define_type", "id": "crate", "label": "Crate", "type": "database", **fields}


CUT: Op = {"op": "delete_edge", "id": "e"}


def step_of(operation: Op) -> Step:
    """The first step of an operation on the shop."""
    return run(shop(), operation, revision=2).steps[0]


@pytest.mark.parametrize(
    "operation, since, reason",
    [
        (node("n"), [node("n")], "the id 'n' is taken"),
        (node("n"), [node("m")], None),
        (node("n", parent="g"), [delete("g")], "the group 'g' is gone"),
        (node("n", parent="h"), [delete("h"), group("h")], "the group 'h' is another one than before"),
        (delete("b"), [delete("b")], "the node 'b' is gone"),
        (delete("b"), [delete("b"), node("b", 400, properties={"k": "1"})], "the node 'b' is gone"),
        (delete("b"), [edge("b", "c")], "the node 'b' has edges"),
        (delete("b"), [update("b", label="B")], "the node 'b' has been changed since"),
        (delete("b"), [update("c", label="C")], None),
        (delete("h"), [into("h", "b")], "the group 'h' is not empty"),
        (update("b", label="B"), [delete("b")], "the node 'b' is gone"),
        (update("b", label="B"), [delete("b"), node("b")], "the node 'b' is gone"),
        (update("b", label="B"), [update("b", label="BB")], "the label of 'b' has been changed since"),
        (update("b", label="B"), [update("b", notes="x")], None),
        (update("b", properties={"k": "2"}), [update("b", properties={"k": "3"})],
         "the property 'k' of 'b' has been changed since"),
        (update("b", properties={"k": "2"}), [update("b", properties={"l": "3"})], None),
        (update("h", type="service"), [into("h", "b")], "the group 'h' is not empty"),
        (into("h", "b"), [delete("h")], "the group 'h' is gone"),
        (into("h", "b"), [delete("h"), group("h")], "the group 'h' is another one than before"),
        (into("h", "g"), [into("g", "h")], "the group 'g' would stand in itself"),
        (into("h", "in"), [into(None, "in")], "the parent of 'in' has been changed since"),
        (edge("b", "c", id="n"), [edge("b", "d", id="n")], "the id 'n' is taken"),
        (edge("b", "c"), [delete("b")], "the node 'b' is gone"),
        (edge("b", "c"), [delete("c")], "the node 'c' is gone"),
        (edge("b", "c"), [delete("c"), node("c")], "the node 'c' is another one than before"),
        (edge("b", "c"), [edge("b", "c", id="m")], "the edge 'm' is the same: b to c, '', sync"),
        (edge("b", "c"), [edge("b", "c", id="m", label="x"), edge("c", "b", id="l")], None),
        (CUT, [CUT], "the edge 'e' is gone"),
        (CUT, [CUT, edge("c", "d", id="e", label="calls", route=ROUTE)], "the edge 'e' is gone"),
        (CUT, [change(label="x")], "the edge 'e' has been changed since"),
        (CUT, [rewire("b")], "the edge 'e' has been changed since"),
        (change(label="x"), [CUT], "the edge 'e' is gone"),
        (change(label="x"), [CUT, edge("c", "d", id="e", label="calls")], "the edge 'e' is gone"),
        (change(label="x"), [change(label="y")], "the label of edge 'e' has been changed since"),
        (change(label="x"), [change(description="y")], None),
        (change(label="x"), [edge("c", "d", id="m", label="x")], "the edge 'm' is the same: c to d, 'x', sync"),
        (change(description="x"), [edge("c", "d", id="m", label="x")], None),
        (rewire("b"), [delete("b")], "the node 'b' is gone"),
        (rewire("b"), [delete("b"), node("b")], "the node 'b' is another one than before"),
        (rewire("b"), [rewire("in")], "the target of edge 'e' has been changed since"),
        ({**rewire("b"), "id": "f"}, [{"op": "rewire_edge", "id": "f", "new_source": "b"}],
         "the edge 'f' would begin and end at 'b'"),
        (rewire("b"), [edge("c", "b", id="m", label="calls")], "the edge 'm' is the same: c to b, 'calls', sync"),
        (called("Store"), [called("Market")], "the name has been changed since"),
        (called("Store"), [node("n")], None),
        (crate(label="Box"), [crate(label="Case")], "the type 'crate' has been changed since"),
        (crate(label="Box"), [node("n", type="crate")], None),
    ],
)  # fmt: skip
def test_a_step_fits_unless_what_it_is_about_was_changed(operation: Op, since: list[Op], reason: str | None) -> None:
    """The same field, what it refers to, an id or an equal edge; a node or edge that was made anew is another one."""
    step, workspace = step_of(operation), shop()
    run(workspace, *since, revision=3)
    before = canonical(workspace)
    assert step.conflict(workspace) == reason
    if reason is None:
        step.write(workspace)
        assert_sound(workspace)
        assert canonical(workspace) != before
        step.inverse().write(workspace)
        assert canonical(workspace) == before


def _cells(cells: Iterable[Cell]) -> str:
    return " ".join(sorted(f"{part}:{key}{'.' if field else ''}{field}" for part, key, field in cells))


@pytest.mark.parametrize(
    "operation, writes, needs, frees, overwrites",
    [
        (node("n"), "node:n", "", "", ""),
        (node("n", parent="g"), "node:n", "node:g", "", ""),
        (node("n", type="crate"), "node:n", "type:crate", "", ""),
        (delete("b"), "node:b node:b.*", "", "", "node:b.*"),
        (update("d", notes="x"), "node:d.notes", "node:d", "", "node:d.notes"),
        (update("d", technology="x"), "node:d.technology", "node:d", "", ""),
        (update("d", type="crate"), "node:d.custom_type node:d.type", "node:d type:crate", "", "node:d.type"),
        (edge("b", "c", id="n"), "edge:n", "node:b node:c", "", ""),
        (CUT, "edge:e edge:e.*", "", "node:c.*edges node:d.*edges", "edge:e.*"),
        (change(label="x"), "edge:e.label", "edge:e", "", "edge:e.label"),
        (change(description="x"), "edge:e.description", "edge:e", "", ""),
        (rewire("b"), "edge:e.route edge:e.target", "edge:e node:b", "node:d.*edges", "edge:e.route edge:e.target"),
        (called("Store"), "workspace:.name", "", "", "workspace:.name"),
        (crate(label="Box"), "type:crate.name", "type:crate", "", "type:crate.name"),
        (crate(id="box", label="Box"), "type:box", "", "", ""),
        ({"op": "delete_type", "id": "crate"}, "type:crate type:crate.*", "", "", "type:crate.*"),
    ],
)
def test_the_cells_that_a_step_is_about(operation: Op, writes: str, needs: str, frees: str, overwrites: str) -> None:
    """What exists (no field), all of it (`*`), or one field; what it frees is an edge less, or room in a group."""
    step = step_of(operation)
    found = _cells(step.writes()), _cells(step.needs()), _cells(step.frees()), _cells(step.overwrites())
    assert found == (writes, needs, frees, overwrites)


@pytest.mark.parametrize(
    "operation, expected",
    [
        (node("n", parent="g"), {"new_parent": "g", "placed_node": "n", "node_growth": 1, "named": ("g",),
                                 "touched": ["g"], "guarding": ["g"]}),
        (node("n", locked=True), {"placed_node": "n", "node_growth": 1, "lock": ("n", 2)}),
        (delete("b"), {"removed_node": ("b", 1), "node_growth": -1, "touched": ["b"], "guarding": ["b"]}),
        (delete("in"), {"removed_node": ("in", 1), "node_growth": -1, "named": ("g",), "touched": ["in"],
                        "guarding": ["in"]}),
        (update("b", label="B"), {"touched": ["b"], "guarding": ["b"]}),
        (update("in", locked=True), {"touched": ["in"], "guarding": ["g"], "lock": ("in", 1)}),
        (update("b", locked=True), {"touched": ["b"], "lock": ("b", 1)}),
        (edge("b", "c", id="n", label="x", kind="data"), {"placed_edge": "n", "named": ("b", "c"),
                                                          "made": ("b", "c", "x", "data", 1, 1)}),
        (into("h", "in"), {"new_parent": "h", "moved_node": "in", "placed_node": "in", "named": ("g", "h"),
                           "touched": ["in", "h"], "guarding": ["in", "h"]}),
        (edge("b", "c", id="n"), {"placed_edge": "n", "named": ("b", "c"),
                                  "made": ("b", "c", "", "sync", 1, 1)}),
        (CUT, {"routed_edge": "e", "given_up": ("e", {"source": "c", "target": "d"}), "named": ("c", "d"),
               "touched": ["c", "d"], "guarding": ["c", "d"], "lost": ("c", "d", "calls", "sync", 1, 1)}),
        (change(description="x"), {"touched": ["c", "d"], "guarding": ["c", "d"]}),
        (change(label="x", kind="data"), {"touched": ["c", "d"], "guarding": ["c", "d"],
                                          "made": (None, None, "x", "data", None, None),
                                          "lost": (None, None, "calls", "sync", None, None)}),
        (change(label=""), {"touched": ["c", "d"], "guarding": ["c", "d"],
                            "made": (None, None, "", None, None, None),
                            "lost": (None, None, "calls", None, None, None)}),
        (change(route=None), {"routed_edge": "e", "touched": ["c", "d"], "guarding": ["c", "d"], "drops": True}),
        (change(route=[{"x": 1, "y": 2}]), {"routed_edge": "e", "placed_edge": "e", "touched": ["c", "d"],
                                            "guarding": ["c", "d"]}),
        (rewire("b"), {"routed_edge": "e", "given_up": ("e", {"target": "d"}), "named": ("d", "b"),
                       "touched": ["c", "d"], "guarding": ["c", "d"],
                       "made": (None, "b", None, None, 1, 1), "lost": (None, "d", None, None, 1, 1)}),
        (called("Store"), {}),
        (crate(label="Box"), {}),
    ],
)  # fmt: skip
def test_what_a_step_does_to_nodes_and_edges(operation: Op, expected: dict[str, object]) -> None:
    """Everything that is not named here it does not."""
    step, diagram = step_of(operation), shop().diagram
    found = {
        "new_parent": step.new_parent,
        "moved_node": step.moved_node,
        "removed_node": step.removed_node,
        "placed_node": step.placed_node,
        "placed_edge": step.placed_edge,
        "routed_edge": step.routed_edge,
        "given_up": step.ends_given_up(),
        "node_growth": step.node_growth,
        "named": step.named_nodes(),
        "touched": step.touched_nodes(diagram),
        "guarding": step.guarding_nodes(diagram),
        "lock": step.lock_put_on(),
        "made": step.identity_made(),
        "lost": step.identity_given_up(),
        "drops": step.only_drops_route,
    }
    nothing: dict[str, object] = dict.fromkeys(found)
    nothing |= {"node_growth": 0, "named": (), "touched": [], "guarding": [], "drops": False}
    assert found == {**nothing, **expected}


def test_a_step_on_a_node_may_be_placed_elsewhere() -> None:
    """A new node, and one that moves: from where it was."""
    elsewhere = {"x": 7.0, "y": 8.0}
    for operation in (node("n"), {"op": "move_nodes", "positions": {"b": {"x": 1, "y": 2}}}):
        workspace = shop()
        before = canonical(workspace)
        step = step_of(operation).placed_at(elsewhere)
        assert step.conflict(workspace) is None
        step.write(workspace)
        assert place(workspace, step.ids[0]) == (7, 8)
        step.inverse().write(workspace)
        assert canonical(workspace) == before


def test_the_bytes_of_a_step_tell_apart_nodes_of_one_id() -> None:
    """Births of both ends and groups, before and after, come out as they went in."""
    workspace = shop()
    run(workspace, node("n"), group("m", 2000), revision=2)
    steps = [
        *run(workspace, rewire("n"), into("m", "b"), revision=3).steps,
        *run(workspace, delete("n"), delete("m"), crate(label="Box"), called("Store"), revision=4).steps,
    ]
    assert [step_from_json(step.to_json()) for step in steps] == steps


@pytest.mark.parametrize("shape", ["crate", ["crate"], {"name": 1, "base": "database"}, {"name": "Crate"}, {}])
def test_a_damaged_definition_of_a_type_is_found(shape: Any) -> None:
    """Before anything is made of it."""
    step: Any = {"k": "type", "id": "crate", "v": [None, shape]}
    with pytest.raises(ValueError, match="damaged step"):
        step_from_json(step)


@pytest.mark.parametrize(
    "operations, kinds",
    [
        ([update("b", label="B"), update("b", label="b")], []),
        ([update("b", label="B", notes="n"), update("b", label="b")], ["node="]),
        ([edge("b", "c", id="n"), {**CUT, "id": "n"}], []),
        ([node("n"), edge("n", "c", id="m"), {**change(label="x"), "id": "m"}, delete("n")], []),
        ([node("n"), edge("n", "c", id="m"), {**CUT, "id": "m"}], ["node+"]),
        ([node("n"), delete("n"), node("n")], ["node+"]),
        ([group("n"), node("m", parent="n"), delete("m"), delete("n")], []),
        ([group("n"), into("n", "b"), into(None, "b"), delete("n")], ["node+", "node=", "node=", "node-"]),
        ([group("n"), node("m", parent="n"), delete("n")], ["node+", "node+", "node=", "node-"]),
        ([group("n"), into("n", "in"), delete("in"), delete("n")], ["node+", "node=", "node-", "node-"]),
        ([crate(label="Box"), crate(label="Crate")], []),
        ([called("Store"), called("Shop")], []),
        ([called("Store"), crate(label="Box"), called("Shop")], ["type"]),
    ],
)
def test_what_a_batch_makes_and_takes_back_is_no_step_of_it(operations: list[Op], kinds: list[str]) -> None:
    """Unless another step speaks of it, which stays: its group, for one that moved in and out, or is gone."""
    workspace = shop()
    before = canonical(workspace)
    steps = run(workspace, *operations, revision=2).steps
    assert [step.to_json()["k"] for step in steps] == kinds
    after = canonical(workspace)
    roll_back(steps, workspace)
    assert canonical(workspace) == before
    for step in steps:
        apply(step, workspace)
    assert canonical(workspace) == after


@pytest.mark.parametrize(
    "operation, since, again",
    [
        (delete("b"), [update("b", label="B", notes="n")], [delete("b"), node("b")]),
        (delete("b"), [into("g", "b")], [delete("b"), node("b")]),
        (CUT, [change(description="x"), rewire("b")], [CUT, edge("c", "d", id="e", label="x")]),
        (called("Store"), [called("Market")], []),
        (crate(label="Box"), [crate(label="Case")], []),
        ({"op": "delete_type", "id": "crate"}, [crate(label="Case")], []),
    ],
)
def test_a_step_on_what_is_there_now(operation: Op, since: list[Op], again: list[Op]) -> None:
    """It fits whatever others made of its node or edge, and leads back there; never another one of that id."""
    step, workspace = step_of(operation), shop()
    assert isinstance(step, RemoveNode | RemoveEdge | Rename | SetType)
    run(workspace, *since, revision=3)
    before = canonical(workspace)
    assert step.conflict(workspace) is not None
    now = step.as_it_is_now(workspace)
    apply(now, workspace)
    assert canonical(workspace) != before
    apply(now.inverse(), workspace)
    assert canonical(workspace) == before
    if again:
        run(workspace, *again, revision=4)
        assert step.as_it_is_now(workspace).conflict(workspace) == step.conflict(workspace) is not None


def test_a_step_on_a_node_that_is_gone_stays_as_it_was() -> None:
    """Also where another one has its id."""
    step, workspace = step_of(delete("b")), shop()
    assert isinstance(step, RemoveNode)
    for batch, revision in ((delete("b"), 3), (node("b", label="Other"), 4)):
        run(workspace, batch, revision=revision)
        assert step.as_it_is_now(workspace) == step


def test_a_part_of_a_step_on_an_edge_knows_the_ends_that_it_is_about() -> None:
    """The new end as the step has it, the other as it is now; without an end it is about none."""
    workspace = shop()
    run(workspace, node("n"), revision=2)
    run(workspace, node("m", 200), revision=3)
    [step] = run(workspace, {"op": "rewire_edge", "id": "f", "new_source": "n", "new_target": "m"}, revision=4).steps
    assert isinstance(step, SetEdge)
    roll_back([step], workspace)
    before = canonical(workspace)
    for end, ends, births in (("source", ("n", "c"), (2, 1)), ("target", ("d", "m"), (1, 3))):
        part = step.with_fields(workspace.diagram, {end: step.fields[end]})
        assert (part.old_ends, part.new_ends) == ((1, 1), births)
        apply(part, workspace)
        assert workspace.diagram.ends(EdgeId("f")) == ends
        apply(part.inverse(), workspace)
        assert canonical(workspace) == before
    apply(step, workspace)
    for end, births in (("source", (1, 3)), ("target", (2, 1))):
        part = step.inverse().with_fields(workspace.diagram, {end: step.inverse().fields[end]})
        assert (part.old_ends, part.new_ends) == ((2, 3), births)
    assert step.with_fields(workspace.diagram, {"label": (None, "x")}).new_ends is None
