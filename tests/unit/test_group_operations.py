"""What groups and layouts do, and that nothing else moves on the screen."""

from __future__ import annotations

from tests.builders import Op, edge, fields, group, node, place, run, update, workspace_of
from tests.unit.test_operations import ROUTE, edge_of


def test_grouping_and_ungrouping_move_nothing_on_the_screen() -> None:
    """The group is drawn around its children; dissolving it leaves them, and their routes, where they are."""
    workspace = workspace_of(
        group("o", 1000, 1000),
        node("a", 10.25, 20, parent="o"),
        node("b", 300, 200, parent="o"),
        edge("a", "b", route=ROUTE),
    )
    before = [place(workspace, node_id) for node_id in "ab"]
    tx = run(workspace, {"op": "group_nodes", "id": "g", "label": "G", "ids": ["a", "b"]}, revision=2)
    assert tx.results[0].ids == ["g", "a", "b"]
    assert fields(workspace, "g")["parent"] == "o"
    assert [place(workspace, node_id) for node_id in "ab"] == before
    assert workspace.diagram.size_of("g") == (24 + 289.75 + 180 + 24, 40 + 180 + 72 + 24)
    tx = run(workspace, {"op": "ungroup_nodes", "id": "g"}, revision=3)
    assert tx.results[0].ids == ["a", "b"]
    assert [place(workspace, node_id) for node_id in "ab"] == before
    assert edge_of(workspace, "a--b")["route"] == ROUTE


def test_move_to_group_in_out_and_with_places() -> None:
    """Without positions nothing moves on the screen; positions are those in the new group."""
    workspace = workspace_of(group("g", 100, 100), group("h", 10, 10, parent="g"), node("a", 500, 500), node("b", 0, 0))
    run(
        workspace,
        {"op": "move_to_group", "ids": ["a", "b"], "group": "h", "positions": {"b": {"x": 24, "y": 40}}},
        revision=2,
    )
    assert place(workspace, "a") == (500, 500)
    assert fields(workspace, "a")["position"] == {"x": 390, "y": 390}
    assert place(workspace, "b") == (134, 150)
    run(workspace, {"op": "move_to_group", "ids": ["a"], "group": None}, revision=3)
    assert fields(workspace, "a")["position"] == {"x": 500, "y": 500}
    assert run(workspace, {"op": "move_to_group", "ids": ["a"], "group": None}, revision=4).steps == []


def test_a_group_grows_with_its_children_and_never_below_its_size() -> None:
    """The stored size is a minimum; groups in groups grow outwards."""
    workspace = workspace_of(
        group("g", 0, 0, size={"width": 300, "height": 900}),
        group("h", 24, 40, parent="g"),
        node("a", 24, 40, parent="h"),
    )
    assert workspace.diagram.size_of("h") == (228, 136)
    assert workspace.diagram.size_of("g") == (300, 900)
    run(workspace, update("a", position={"x": 400, "y": 40}), revision=2)
    assert workspace.diagram.size_of("g") == (24 + 400 + 180 + 24 + 24, 900)
    run(workspace, update("h", position={"x": 500, "y": 40}), revision=3)
    assert workspace.diagram.size_of("g") == (500 + 400 + 180 + 24 + 24, 900)


def test_layout_of_what_is_new_leaves_the_rest() -> None:
    """`new`: what this batch added without a position, beside everything else, flowing from left to right."""
    workspace = workspace_of(node("a", 3, 3), node("b", 40, 40))
    new: list[Op] = [{"op": "add_node", "id": i, "type": "api", "label": i} for i in ("x", "y", "z")]
    tx = run(workspace, *new, edge("y", "x"), edge("x", "z"), {"op": "layout_diagram", "scope": "new"}, revision=2)
    assert (place(workspace, "a"), place(workspace, "b")) == ((3, 3), (40, 40))
    xs = [place(workspace, node_id)[0] for node_id in "yxz"]
    assert xs == sorted(set(xs))
    assert min(place(workspace, node_id)[0] for node_id in "xyz") > 40 + 180
    assert sorted(tx.results[-1].ids) == ["x", "y", "z"]


def test_layout_of_some_does_not_land_on_others() -> None:
    """From where they stand if there is room, else below."""
    workspace = workspace_of(node("a", 0, 0), node("b", 0, 100), node("c", 230, 0), edge("a", "b"))
    run(workspace, {"op": "layout_diagram", "scope": "ids", "ids": ["a", "b"]}, revision=2)
    assert place(workspace, "c") == (230, 0)
    assert place(workspace, "a")[1] > 72
    free = workspace_of(node("a", 50, 60), node("b", 0, 100), node("c", 0, 900), edge("a", "b"))
    run(free, {"op": "layout_diagram", "scope": "ids", "ids": ["a", "b"]}, revision=2)
    assert (place(free, "a"), place(free, "b")) == ((0, 60), (260, 60))


def test_layout_leaves_locked_nodes_where_they_are() -> None:
    """And puts the others where they meet none of them, new ones included."""
    workspace = workspace_of(node("a", 0, 0, locked=True), node("b", 10, 10))
    fixed = {"op": "add_node", "id": "n", "type": "api", "label": "N", "locked": True}
    run(workspace, fixed, {"op": "layout_diagram", "scope": "new"}, revision=2)
    before = place(workspace, "n")
    run(workspace, {"op": "layout_diagram", "scope": "all"}, revision=3)
    assert (place(workspace, "a"), place(workspace, "n")) == ((0, 0), before)
    assert place(workspace, "b")[1] > 72
