"""What each operation on the diagram does, where it leaves things on the screen, and what it answers."""

from __future__ import annotations

from typing import Any

import pytest

from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps.edge import SetEdge
from draftsmith.transform.steps.node import InsertNode
from tests.builders import edge, fields, group, node, place, refused, run, update, workspace_of

ROUTE = [{"x": 5, "y": 5}]


def edge_of(workspace: Workspace, edge_id: str) -> dict[str, Any]:
    """Ends and fields of an edge that must be there."""
    ends = workspace.diagram.ends(edge_id)
    assert ends is not None, f"there is no edge '{edge_id}'"
    return {"ends": ends, **(workspace.diagram.edge(edge_id) or {})}


def edges(workspace: Workspace) -> dict[str, tuple[str, str]]:
    return {edge_id: workspace.diagram.ends(edge_id) or ("", "") for edge_id in workspace.diagram.edge_ids()}


# -- nodes -----------------------------------------------------------------------------------------------------------


def test_add_node_keeps_what_is_given_and_makes_the_id() -> None:
    """Fields as given, empty ones absent; the id from the label, numbered where taken, else from the type."""
    workspace = Workspace()
    given = {"op": "add_node", "type": "api", "label": "Orders API"}
    full = {
        "description": "d",
        "technology": "t",
        "notes": "",
        "properties": {"k": "1"},
        "size": {"width": 200, "height": 80},
    }
    tx = run(workspace, given | full, given, {"op": "add_node", "type": "queue", "label": "注文"}, revision=4)
    assert [result.ids for result in tx.results] == [["orders-api"], ["orders-api-2"], ["queue-1"]]
    found = dict(fields(workspace, "orders-api"))
    assert found.pop("position") == {"x": 0, "y": 0}
    assert found == {
        "birth": 4,
        "type": "api",
        "label": "Orders API",
        "description": "d",
        "technology": "t",
        "properties": {"k": "1"},
        "size": {"width": 200, "height": 80},
    }


def test_add_node_is_placed_beside_what_it_belongs_to() -> None:
    """Near a node; else beside what the batch connects it to; else beside one of the newest."""
    workspace = workspace_of(node("a", 0, 0), node("z", 5000, 5000))
    run(
        workspace,
        {"op": "add_node", "id": "n", "type": "api", "label": "N", "near": "a"},
        {"op": "add_node", "id": "m", "type": "api", "label": "M"},
        edge("m", "a"),
        {"op": "add_node", "id": "k", "type": "api", "label": "K"},
        revision=2,
    )
    assert place(workspace, "n") == (260, 0)
    assert abs(place(workspace, "m")[0]) <= 600
    assert abs(place(workspace, "k")[0] - place(workspace, "n")[0]) <= 520


def test_near_takes_the_group_of_what_it_is_near() -> None:
    """In the same group unless `parent` says otherwise."""
    workspace = workspace_of(group("g", 100, 100), node("a", 24, 40, parent="g"))
    run(workspace, {"op": "add_node", "id": "n", "type": "api", "label": "N", "near": "a"}, revision=2)
    assert fields(workspace, "n")["parent"] == "g"


def test_a_hundred_nodes_find_a_place_each() -> None:
    """In a crowd too: none on another, none beyond the range, the ones that stood there untouched."""
    workspace = workspace_of(node("a", 1_000_000, 1_000_000))
    for revision in range(2, 102):
        run(workspace, {"op": "add_node", "type": "api", "label": "N", "near": "a"}, revision=revision)
    spots = [place(workspace, node_id) for node_id in workspace.diagram.node_ids()]
    assert spots[0] == (1_000_000, 1_000_000)
    assert len(set(spots)) == 101
    assert max(x for x, _ in spots) <= 1_000_000


def test_update_node_sets_clears_and_patches() -> None:
    """Given fields only; null clears; properties key by key."""
    workspace = workspace_of(node("a", description="d", notes="n", properties={"k": "1", "l": "2"}))
    run(workspace, update("a", description=None, notes="", properties={"k": None, "m": "3"}, label="New"), revision=2)
    found = fields(workspace, "a")
    assert found["label"] == "New"
    assert found["properties"] == {"l": "2", "m": "3"}
    assert "description" not in found
    assert "notes" not in found
    run(workspace, update("a", properties=None), revision=3)
    assert "properties" not in fields(workspace, "a")


def test_a_locked_node_is_unlocked_and_changed_in_one_go() -> None:
    """A person may unlock and change at once, but not through the lock of a group around it."""
    workspace = workspace_of(group("g"), node("a", parent="g", locked=True))
    run(workspace, update("a", locked=False, label="New"), revision=2)
    assert "locked" not in fields(workspace, "a")
    run(workspace, update("a", locked=True), update("g", locked=True), revision=3)
    assert refused(workspace, update("a", locked=False)) == [(0, "locked")]


def test_edges_may_be_added_to_a_locked_node() -> None:
    """Everything else is refused; a group may be moved although a locked node moves with it."""
    workspace = workspace_of(group("g"), node("a", parent="g", locked=True), node("b"))
    run(workspace, edge("a", "b"), update("g", position={"x": 50, "y": 50}), revision=2)
    assert workspace.diagram.edge_count == 1


def test_moving_an_end_drops_routes_of_it_and_of_all_inside() -> None:
    """Routes at what moved on the screen go; a label changes none."""
    workspace = workspace_of(
        group("g"), node("a", parent="g"), node("b", 900), node("c", 900, 900), edge("a", "b", route=ROUTE),
        edge("b", "c", route=ROUTE),
    )  # fmt: skip
    run(workspace, update("a", label="x"), revision=2)
    assert edge_of(workspace, "a--b")["route"] == ROUTE
    run(workspace, update("g", position={"x": 10, "y": 0}), revision=3)
    assert "route" not in edge_of(workspace, "a--b")
    assert edge_of(workspace, "b--c")["route"] == ROUTE


def test_delete_node_takes_its_edges_and_says_so() -> None:
    """Edges first, then the node; all of it in `removed`."""
    workspace = workspace_of(node("a"), node("b"), node("c"), edge("a", "b"), edge("b", "c"))
    tx = run(workspace, {"op": "delete_node", "id": "b"}, revision=2)
    assert tx.results[0].removed == ["b--c", "a--b", "b"]
    assert edges(workspace) == {}


def test_delete_node_bridges() -> None:
    """Each predecessor with each successor, labelled as what went out; never a self loop, never a duplicate."""
    workspace = workspace_of(
        *(node(i) for i in "abcd"),
        edge("a", "c"),
        edge("b", "c"),
        edge("c", "d", label="writes", kind="async"),
        edge("c", "a"),
        edge("b", "d", label="writes", kind="async", id="there"),
    )
    tx = run(workspace, {"op": "delete_node", "id": "c", "bridge": True}, revision=2)
    assert edges(workspace) == {"there": ("b", "d"), "a--d": ("a", "d"), "b--a": ("b", "a")}
    assert edge_of(workspace, "a--d")["kind"] == "async"
    assert tx.results[0].ids == ["a--d", "b--a"]


def test_delete_nodes_bridges_over_the_set_and_along_paths_only() -> None:
    """What led through the set is connected; strangers that went together stay strangers."""
    workspace = workspace_of(
        *(node(i) for i in ("a", "m", "n", "b", "p", "x", "q")),
        edge("a", "m"),
        edge("m", "n"),
        edge("n", "b"),
        edge("p", "x"),
        edge("x", "q"),
    )
    run(workspace, {"op": "delete_nodes", "ids": ["m", "n", "x"], "bridge": True}, revision=2)
    assert sorted(edges(workspace).values()) == [("a", "b"), ("p", "q")]


def test_children_move_up_and_stay_on_the_screen_or_go_too() -> None:
    """`up` is the default; nested groups keep what is in them."""

    def start() -> Workspace:
        return workspace_of(
            group("g", 100, 100),
            group("h", 50, 50, parent="g"),
            node("a", 24, 40, parent="h"),
            node("b", 10, 10, parent="g"),
        )

    workspace = start()
    before = {node_id: place(workspace, node_id) for node_id in ("h", "a", "b")}
    run(workspace, {"op": "delete_node", "id": "g"}, revision=2)
    assert {node_id: place(workspace, node_id) for node_id in ("h", "a", "b")} == before
    assert fields(workspace, "a")["parent"] == "h"
    workspace = start()
    run(workspace, {"op": "delete_nodes", "ids": ["g", "h"]}, revision=2)
    assert place(workspace, "a") == before["a"]
    assert fields(workspace, "a").get("parent") is None
    workspace = start()
    tx = run(workspace, {"op": "delete_node", "id": "g", "children": "delete"}, revision=2)
    assert workspace.diagram.node_count == 0
    assert tx.results[0].removed == ["a", "h", "b", "g"]


def test_a_locked_child_keeps_its_group() -> None:
    """Deleting a group around a locked node would change its parent or delete it: refused both ways."""
    workspace = workspace_of(group("g"), node("a", parent="g", locked=True))
    for children in ("up", "delete"):
        assert refused(workspace, {"op": "delete_node", "id": "g", "children": children}) == [(0, "locked")]


def test_move_nodes_sets_places_sizes_and_routes_together() -> None:
    """One operation of a tidy layout: routes that come with it stay."""
    workspace = workspace_of(node("a"), node("b"), edge("a", "b", id="e", route=ROUTE))
    new = [{"x": 7, "y": 7.123}]
    run(
        workspace,
        {
            "op": "move_nodes",
            "positions": {"a": {"x": 1.005, "y": 2}, "b": {"x": 300.0, "y": 0}},
            "sizes": {"a": {"width": 100, "height": 50}, "b": None},
            "routes": {"e": new},
        },
        revision=2,
    )
    assert fields(workspace, "a")["size"] == {"width": 100, "height": 50}
    assert fields(workspace, "b")["position"] == {"x": 300, "y": 0}
    assert edge_of(workspace, "e")["route"] == [{"x": 7, "y": 7.12}]


# -- edges -----------------------------------------------------------------------------------------------------------


def test_add_edge_makes_ids_and_keeps_defaults_out() -> None:
    """`<source>--<target>`, numbered; sync and forward are what absence means."""
    workspace = workspace_of(node("a"), node("b"))
    tx = run(
        workspace,
        edge("a", "b", kind="sync", direction="forward", label=""),
        edge(
            "a", "b", label="reads", kind="data", direction="both", description="d", properties={"k": "1"}, route=ROUTE
        ),
        revision=2,
    )
    assert [result.ids for result in tx.results] == [["a--b"], ["a--b-2"]]
    assert edge_of(workspace, "a--b") == {"ends": ("a", "b"), "birth": 2}
    assert edge_of(workspace, "a--b-2")["direction"] == "both"


def test_edges_are_addressed_by_id_or_by_ends_and_label() -> None:
    """The label tells several apart; the empty label means the one without."""
    workspace = workspace_of(node("a"), node("b"), edge("a", "b"), edge("a", "b", label="reads"))
    run(
        workspace,
        {"op": "update_edge", "source": "a", "target": "b", "current_label": "", "label": "calls"},
        revision=2,
    )
    run(
        workspace,
        {"op": "update_edge", "source": "a", "target": "b", "current_label": "reads", "kind": "async"},
        revision=3,
    )
    assert edge_of(workspace, "a--b")["label"] == "calls"
    assert edge_of(workspace, "a--b-2")["kind"] == "async"
    run(workspace, {"op": "delete_edge", "source": "a", "target": "b", "label": "calls"}, revision=4)
    run(workspace, {"op": "delete_edge", "source": "a", "target": "b"}, revision=5)
    assert edges(workspace) == {}


def test_rewire_edge_keeps_the_edge_and_drops_its_route() -> None:
    """Id, label and birth stay; the route goes in the same step."""
    workspace = workspace_of(node("a"), node("b"), node("c"), edge("a", "b", id="e", label="reads", route=ROUTE))
    tx = run(workspace, {"op": "rewire_edge", "id": "e", "new_source": "b", "new_target": "c"}, revision=2)
    assert edge_of(workspace, "e") == {"ends": ("b", "c"), "label": "reads", "birth": 1}
    assert len(tx.steps) == 1
    assert isinstance(tx.steps[0], SetEdge)


def test_rewire_edge_may_turn_it_around() -> None:
    """Both ends at once: never a self loop on the way."""
    workspace = workspace_of(node("a"), node("b"), edge("a", "b", id="e"))
    run(workspace, {"op": "rewire_edge", "id": "e", "new_source": "b", "new_target": "a"}, revision=2)
    assert edges(workspace) == {"e": ("b", "a")}


@pytest.mark.parametrize("fresh", [True, False])
def test_insert_between(fresh: bool) -> None:
    """The direct edge goes, two of its kind take its place, labelled as asked, else as the old one."""
    workspace = workspace_of(node("a"), node("b", 600), node("m", 300), edge("a", "b", label="reads", kind="async"))
    between: Any = {"id": "n", "type": "cache", "label": "Cache"} if fresh else "m"
    tx = run(
        workspace,
        {"op": "insert_between", "source": "a", "target": "b", "node": between, "in_label": "asks"},
        revision=2,
    )
    middle = "n" if fresh else "m"
    assert edges(workspace) == {f"a--{middle}": ("a", middle), f"{middle}--b": (middle, "b")}
    assert edge_of(workspace, f"a--{middle}")["label"] == "asks"
    assert edge_of(workspace, f"{middle}--b")["label"] == "reads"
    assert edge_of(workspace, f"{middle}--b")["kind"] == "async"
    assert tx.results[0].removed == ["a--b"]
    assert tx.results[0].ids == ([middle] if fresh else []) + [f"a--{middle}", f"{middle}--b"]


@pytest.mark.parametrize("direction", ["both", "none"])
def test_insert_between_keeps_where_the_arrow_points(direction: str) -> None:
    """Both edges are drawn as the one whose place they take."""
    workspace = workspace_of(node("a"), node("b", 600), node("m", 300), edge("a", "b", direction=direction))
    run(workspace, {"op": "insert_between", "source": "a", "target": "b", "node": "m"}, revision=2)
    assert [edge_of(workspace, edge_id)["direction"] for edge_id in ("a--m", "m--b")] == [direction, direction]


@pytest.mark.parametrize("parents,expected", [(("g", "g"), "g"), (("g", None), None), ((None, None), None)])
def test_insert_between_stands_where_both_ends_stand(parents: tuple[str | None, ...], expected: str | None) -> None:
    """A new node goes into the group of both ends; with ends in different groups, to the top."""
    ends = [
        node(node_id) | ({"parent": parent} if parent else {})
        for node_id, parent in zip(("a", "b"), parents, strict=True)
    ]
    workspace = workspace_of(group("g"), *ends, edge("a", "b"))
    between = {"id": "n", "type": "cache", "label": "Cache"}
    run(workspace, {"op": "insert_between", "source": "a", "target": "b", "node": between}, revision=2)
    assert fields(workspace, "n").get("parent") == expected


# -- the batch -------------------------------------------------------------------------------------------------------


def test_operations_see_what_earlier_ones_left() -> None:
    """Add, connect, group, rename in one batch; one answer per operation, in order."""
    workspace = Workspace()
    tx = run(
        workspace,
        node("a"),
        node("b"),
        edge("a", "b"),
        {"op": "group_nodes", "label": "Core", "ids": ["a", "b"]},
        update("core", label="Kern"),
        {"op": "rename_workspace", "name": "Shop"},
    )
    assert [(result.index, result.op, result.ids) for result in tx.results] == [
        (0, "add_node", ["a"]),
        (1, "add_node", ["b"]),
        (2, "add_edge", ["a--b"]),
        (3, "group_nodes", ["core", "a", "b"]),
        (4, "update_node", ["core"]),
        (5, "rename_workspace", []),
    ]
    assert isinstance(tx.steps[0], InsertNode)
    assert workspace.name == "Shop"
    assert tx.results[0].to_json() == {"index": 0, "op": "add_node", "ids": ["a"]}
