"""A whole diagram, compared with what is there: the end counts, not the way to it."""

from __future__ import annotations

from draftsmith.model.workspace import diagram_json
from draftsmith.transform.steps.node import RemoveNode, SetNode
from tests.builders import Op, edge, fields, group, node, place, run, update, workspace_of
from tests.unit.test_operations import edge_of, edges


def replace_diagram(nodes: list[Op], some_edges: list[Op] | None = None) -> Op:
    return {"op": "replace_diagram", "nodes": nodes, "edges": some_edges or []}


def test_replace_diagram_keeps_what_is_omitted_clears_null_and_deletes_what_is_absent() -> None:
    """Compared field by field; what is the same makes no step."""
    workspace = workspace_of(
        node("a", 7, 7, description="d", notes="n", properties={"k": "1", "l": "2"}),
        node("b"),
        edge("a", "b", label="x", id="e"),
    )
    same = diagram_json(workspace.diagram)
    assert run(workspace, replace_diagram(same["nodes"], same["edges"]), revision=2).steps == []
    kept = {"id": "a", "label": "New", "notes": None, "properties": {"k": "2"}}
    tx = run(workspace, replace_diagram([kept]), revision=2)
    found = fields(workspace, "a")
    assert (found["label"], found["description"], found["position"]) == ("New", "d", {"x": 7, "y": 7})
    assert found["properties"] == {"k": "2"}
    assert "notes" not in found
    assert tx.results[0].removed == ["e", "b"]
    assert [type(step) for step in tx.steps if not isinstance(step, SetNode)][-1] is RemoveNode


def test_replace_diagram_matches_edges_by_id_else_by_ends_label_and_kind() -> None:
    """A matched edge is the same edge after it; the rest goes, the new comes."""
    workspace = workspace_of(node("a"), node("b"), node("c"), edge("a", "b", id="e", label="x"), edge("b", "c", id="f"))
    nodes = [{"id": i} for i in "abc"]
    run(
        workspace,
        replace_diagram(
            nodes,
            [
                {"source": "a", "target": "b", "label": "x", "description": "d"},
                {"id": "f", "source": "c", "target": "a"},
            ],
        ),
        revision=2,
    )
    assert edge_of(workspace, "e") == {"ends": ("a", "b"), "label": "x", "description": "d", "birth": 1}
    assert edge_of(workspace, "f") == {"ends": ("c", "a"), "birth": 1}


def test_replace_diagram_lets_edges_change_places() -> None:
    """Two edges that swap ends: no duplicate on the way, both there in the end with their own fields."""
    workspace = workspace_of(
        *(node(i) for i in "abc"),
        edge("a", "b", id="e", description="E", properties={"k": "1"}),
        edge("b", "c", id="f"),
    )
    nodes = [{"id": i} for i in "abc"]
    tx = run(
        workspace,
        replace_diagram(nodes, [{"id": "e", "source": "b", "target": "c"}, {"id": "f", "source": "a", "target": "b"}]),
        revision=2,
    )
    assert edges(workspace) == {"e": ("b", "c"), "f": ("a", "b")}
    assert edge_of(workspace, "e")["description"] == "E"
    assert edge_of(workspace, "e")["properties"] == {"k": "1"}
    assert tx.results[0].removed == []
    assert sorted(tx.results[0].ids) == ["e", "f"]


def test_replace_diagram_keeps_an_edge_whose_end_goes() -> None:
    """The edge is led elsewhere before its old end is deleted."""
    workspace = workspace_of(node("a"), node("b"), node("c"), edge("a", "b", id="e"))
    run(workspace, replace_diagram([{"id": "a"}, {"id": "c"}], [{"id": "e", "source": "a", "target": "c"}]), revision=2)
    assert edge_of(workspace, "e") == {"ends": ("a", "c"), "birth": 1}


def test_replace_diagram_rebuilds_groups_in_any_order() -> None:
    """Groups inside out, a service that becomes a group, a group that becomes a service: the end counts."""
    workspace = workspace_of(group("g"), group("h", 10, 10, parent="g"), node("s"), group("o"), node("x", parent="o"))
    run(
        workspace,
        replace_diagram(
            [
                {"id": "g", "parent": "h"},
                {"id": "o", "type": "service"},
                {"id": "n", "type": "api", "label": "N", "parent": "s"},
                {"id": "h", "parent": None},
                {"id": "x", "parent": "s"},
                {"id": "s", "type": "group"},
            ]
        ),
        revision=2,
    )
    parents = {node_id: fields(workspace, node_id).get("parent") for node_id in workspace.diagram.node_ids()}
    assert parents == {"g": "h", "h": None, "s": None, "o": None, "x": "s", "n": "s"}
    assert fields(workspace, "o")["type"] == "service"


def test_replace_diagram_moves_children_of_what_goes_up() -> None:
    """A node whose group is absent from the list stays where it is on the screen."""
    workspace = workspace_of(group("g", 100, 100), node("a", 10, 10, parent="g"))
    run(workspace, replace_diagram([{"id": "a"}]), revision=2)
    assert place(workspace, "a") == (110, 110)
    assert workspace.diagram.node_count == 1


def test_replace_diagram_unlocks_first_and_locks_last() -> None:
    """A person may unlock, change and lock in one go, groups with what stands in them included."""
    workspace = workspace_of(
        group("g"), node("a", parent="g"), node("b"), edge("a", "b", id="e"), update("g", locked=True)
    )
    listed: list[Op] = [
        {"id": "g", "locked": False, "label": "Open"},
        {"id": "a", "label": "A2"},
        {"id": "b", "locked": True, "label": "B2"},
    ]
    fresh: list[Op] = [
        {"id": "k", "type": "group", "label": "K", "locked": True},
        {"id": "n", "type": "api", "label": "N", "parent": "k"},
    ]
    run(
        workspace,
        replace_diagram([*listed, *fresh], [{"id": "e", "source": "a", "target": "b", "label": "x"}]),
        revision=2,
    )
    locked = [node_id for node_id in workspace.diagram.node_ids() if fields(workspace, node_id).get("locked")]
    assert sorted(locked) == ["b", "k"]
    assert edge_of(workspace, "e")["label"] == "x"


def test_replace_diagram_places_what_comes_without_a_place() -> None:
    """Beside what it is connected to, on nothing that stays, wherever that ends up."""
    workspace = workspace_of(node("a", 0, 0), node("old", 260, 0))
    listed: list[Op] = [
        {"id": "n", "type": "api", "label": "N"},
        {"id": "m", "type": "api", "label": "M"},
        {"id": "a", "position": {"x": 1000, "y": 0}},
    ]
    run(workspace, replace_diagram(listed, [{"source": "a", "target": "n"}]), revision=2)
    assert place(workspace, "n") == (1260, 0)
    spots = {place(workspace, node_id) for node_id in workspace.diagram.node_ids()}
    assert len(spots) == 3
