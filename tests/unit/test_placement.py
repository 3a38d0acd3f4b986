"""Where new nodes go: the cases that people see first."""

from __future__ import annotations

import math
import re
from itertools import pairwise, product
from pathlib import Path
from random import Random

import pytest

from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.workspace import Workspace
from draftsmith.transform.placement.block_layout import room_for
from draftsmith.transform.placement.surroundings import is_crossed, middle
from draftsmith.transform.transaction import Transaction
from tests.builders import Op, edge, group, node, place, run, update, workspace_of
from tests.drawings import overlaps_of, rects_of

_CACHE = {"id": "x", "type": "cache", "label": "X"}


def unplaced_node(node_id: str, **fields: object) -> Op:
    return {"op": "add_node", "id": node_id, "type": "service", "label": node_id.upper(), **fields}


def row(*names: str, gap: float = 80, **fields: object) -> list[Op]:
    """Nodes in a row, each connected to the next."""
    nodes = [node(name, number * (180 + gap), 0, **fields) for number, name in enumerate(names)]
    return [*nodes, *(edge(one, other) for one, other in pairwise(names))]


def aside(tx: Transaction) -> list[str]:
    return [one for warning in tx.warnings if warning.code == "moved_aside" for one in warning.candidates]


def rerouted(tx: Transaction) -> list[str]:
    return [one for warning in tx.warnings if warning.code == "rerouted" for one in warning.candidates]


def test_three_groups_in_one_batch() -> None:
    """12 nodes, 3 groups, 13 edges, no positions: nothing lies on anything, and the groups follow the edges."""
    workspace = workspace_of()
    nodes = [unplaced_node(f"n{number}", parent=f"g{number // 4}") for number in range(12)]
    links = [edge(f"n{number}", f"n{number + 1}") for number in range(11)]
    groups: list[Op] = [
        {"op": "add_node", "id": f"g{number}", "type": "group", "label": f"G{number}"} for number in range(3)
    ]
    run(workspace, *groups, *nodes, *links, edge("n0", "n5"), edge("n2", "n9"), revision=2)
    assert not overlaps_of(workspace.diagram)
    assert place(workspace, "g0")[0] < place(workspace, "g1")[0] < place(workspace, "g2")[0]


@pytest.mark.parametrize("count", [8, 60, 150])
def test_many_nodes_in_one_batch(count: int) -> None:
    """Into an empty diagram, and into one that has something."""
    random = Random(count)
    nodes = [unplaced_node(f"n{number}") for number in range(count)]
    pairs = {tuple(random.sample(range(count), 2)) for _ in range(count)}
    links = [edge(f"n{one}", f"n{other}") for one, other in sorted(pairs)]
    for workspace in (workspace_of(), workspace_of(*row("a", "b", "c"))):
        ends = [edge("a", "n0")] if "a" in workspace.diagram else []
        run(workspace, *nodes, *links, *ends, revision=2)
        assert not overlaps_of(workspace.diagram)


def test_a_thousand_nodes_are_no_strip() -> None:
    """A chain of all of them can be looked at as a whole."""
    nodes = [{"id": f"n{number}", "type": "service", "label": f"N{number}"} for number in range(1_000)]
    links = [{"source": f"n{number}", "target": f"n{number + 1}"} for number in range(999)]
    workspace = workspace_of({"op": "replace_diagram", "nodes": nodes, "edges": links})
    rects = rects_of(workspace.diagram).values()
    width, height = max(rect[2] for rect in rects), max(rect[3] for rect in rects)
    assert 0.3 < width / height < 4
    assert not overlaps_of(workspace.diagram)


@pytest.mark.parametrize("gap", [24, 80, 200, 400])
def test_between_is_between(gap: float) -> None:
    """Whatever room there is; where there is none, the least moves, which is told."""
    workspace = workspace_of(*row("a", "b", "c", gap=gap))
    tx = run(
        workspace,
        {"op": "insert_between", "source": "a", "target": "b", "node": {"id": "x", "type": "cache", "label": "X"}},
        revision=2,
    )
    rects = rects_of(workspace.diagram)
    assert rects["a"][2] < rects["x"][0]
    assert rects["x"][2] < rects["b"][0]
    assert rects["b"][2] + 23 < rects["c"][0]
    assert place(workspace, "a") == (0, 0)
    assert not overlaps_of(workspace.diagram)
    assert aside(tx) == (["b", "c"] if gap < 180 else [])


def test_between_in_a_group_stays_in_the_group() -> None:
    """The frame grows, what the frame would cover moves aside, and nothing else."""
    workspace = workspace_of(
        group("g", 0, 0), node("a", 24, 40, parent="g"), node("b", 284, 40, parent="g"), edge("a", "b"),
        node("beside", 540, 40), node("below", 0, 180),
    )  # fmt: skip
    tx = run(
        workspace,
        {"op": "insert_between", "source": "a", "target": "b", "node": {"id": "x", "type": "cache", "label": "X"}},
        revision=2,
    )
    assert workspace.diagram.parent("x") == "g"
    assert sorted(aside(tx)) == ["b", "beside"]
    assert place(workspace, "below") == (0, 180)
    assert not overlaps_of(workspace.diagram)


def test_between_moves_nothing_where_there_is_room_beside() -> None:
    """The frame grows downwards, where nothing stands, rather than over what is on its right."""
    workspace = workspace_of(
        group("g", 0, 0), node("a", 24, 40, parent="g"), node("b", 284, 40, parent="g"), edge("a", "b"),
        node("beside", 540, 40), node("below", 0, 400),
    )  # fmt: skip
    places = {name: place(workspace, name) for name in ("g", "a", "b", "beside", "below")}
    tx = run(workspace, {"op": "insert_between", "source": "a", "target": "b", "node": _CACHE}, revision=2)
    assert {name: place(workspace, name) for name in places} == places
    assert places["a"][0] < place(workspace, "x")[0] < places["b"][0]
    assert aside(tx) == []
    assert not overlaps_of(workspace.diagram)


def test_what_has_fewer_lines_moves() -> None:
    """Inserted between two nodes of which one has many lines: what hangs on these stays."""
    leaves = [f"leaf{number}" for number in range(6)]
    workspace = workspace_of(
        *row("a", "b"), node("under", 130, 100), node("over", 130, -100),
        *(node(one, 600, number * 160) for number, one in enumerate(leaves)), *(edge("b", one) for one in leaves),
    )  # fmt: skip
    places = {name: place(workspace, name) for name in ("b", *leaves)}
    tx = run(workspace, {"op": "insert_between", "source": "a", "target": "b", "node": _CACHE}, revision=2)
    assert {name: place(workspace, name) for name in places} == places
    assert not {"b", *leaves} & set(aside(tx))
    assert not overlaps_of(workspace.diagram)


def _grid(columns: int, rows: int) -> Workspace:
    """Nodes with the usual gaps, each connected to the next two."""
    names = [f"n{number}" for number in range(columns * rows)]
    places = product(range(rows), range(columns))
    nodes = [node(name, column * 260, y * 140) for name, (y, column) in zip(names, places, strict=True)]
    return workspace_of(*nodes, *(edge(*two) for step in (1, 2) for two in zip(names, names[step:], strict=False)))


def test_what_does_not_pay_is_not_pushed() -> None:
    """Between two nodes of a dense grid, whose rows could be pushed, costs about what it does in a single row."""
    one_row, many_rows = _grid(10, 1), _grid(54, 3)
    costs = [
        run(workspace, unplaced_node("x"), edge(one, "x"), edge("x", other), revision=2).work.spent
        for workspace, one, other in ((one_row, "n5", "n6"), (many_rows, "n54", "n55"))
    ]
    assert costs[1] < 2 * costs[0]
    assert not overlaps_of(many_rows.diagram)


def test_what_is_locked_stays_where_it_is() -> None:
    """Room is made around it."""
    workspace = workspace_of(*row("a", "b", "c"), update("b", locked=True))
    run(workspace, unplaced_node("x"), edge("a", "x"), edge("x", "c"), revision=2)
    assert (place(workspace, "a"), place(workspace, "b")) == ((0, 0), (260, 0))
    assert not overlaps_of(workspace.diagram)


def _placed(at: Op, flow: str) -> tuple[Diagram, tuple[float, float, float, float]]:
    """A drawing in a direction and the rectangle of the new node X, with an edge to or from the node `b`."""
    vertical = flow == "down"
    nodes = [node(name, 0 if vertical else i * 300, i * 200 if vertical else 0) for i, name in enumerate("abc")]
    workspace = workspace_of(*nodes, edge("a", "b"), edge("b", "c"))
    run(workspace, unplaced_node("x"), at, revision=2)
    return workspace.diagram, rects_of(workspace.diagram)["x"]


@pytest.mark.parametrize("flow", ["right", "down"])
def test_before_is_left_of_or_above(flow: str) -> None:
    """What points to a node stands before it, in the direction in which the others flow."""
    diagram, x = _placed(edge("x", "b"), flow)
    b = rects_of(diagram)["b"]
    assert x[2] <= b[0] or x[3] <= b[1]


@pytest.mark.parametrize("flow", ["right", "down"])
def test_after_is_right_of_or_below(flow: str) -> None:
    """What a node points to stands after it."""
    diagram, x = _placed(edge("b", "x"), flow)
    b = rects_of(diagram)["b"]
    assert x[0] >= b[2] or x[1] >= b[3]


def test_a_new_group_goes_around_what_is_moved_into_it() -> None:
    """Who was there stays on screen, whether the group came before or with them."""
    workspace = workspace_of(node("a", 300, 200), node("b", 600, 200), node("c", 1000, 200))
    made: Op = {"op": "add_node", "id": "g", "type": "group", "label": "G"}
    run(
        workspace,
        made,
        unplaced_node("n", parent="g"),
        {"op": "move_to_group", "ids": ["a", "b"], "group": "g"},
        revision=2,
    )
    assert (place(workspace, "a"), place(workspace, "b")) == ((300, 200), (600, 200))
    assert place(workspace, "g") == (276, 160)
    assert not overlaps_of(workspace.diagram)


def test_positions_that_operations_give_are_kept() -> None:
    """Whichever operation gives them: later ones win, and only what is left is placed."""
    workspace = workspace_of(node("a", 0, 0))
    run(
        workspace, unplaced_node("x"), unplaced_node("y"), unplaced_node("z"), update("x", position={"x": 500, "y": 0}),
        {"op": "move_nodes", "positions": {"y": {"x": 900, "y": 0}}}, revision=2,
    )  # fmt: skip
    assert (place(workspace, "x"), place(workspace, "y")) == ((500, 0), (900, 0))
    assert not overlaps_of(workspace.diagram)


def test_a_single_step_tells_the_place() -> None:
    """The node is inserted where it stands in the end; nothing of its way is logged."""
    workspace = workspace_of(node("a", 0, 0))
    tx = run(
        workspace,
        unplaced_node("x"),
        {"op": "group_nodes", "id": "g", "label": "G", "ids": ["x"]},
        edge("a", "x"),
        revision=2,
    )
    assert [type(step).__name__ for step in tx.steps].count("InsertNode") == 2
    assert place(workspace, "x")[0] > 180


def _shown(workspace: Workspace) -> list[tuple[str, tuple[float, float]]]:
    return sorted((one, place(workspace, one)) for one in workspace.diagram.node_ids())


def test_the_order_of_edges_does_not_matter() -> None:
    """Places are found from the end state."""
    one, other = workspace_of(*row("a", "b")), workspace_of(*row("a", "b"))
    run(one, unplaced_node("x"), unplaced_node("y"), edge("b", "x"), edge("x", "y"), revision=2)
    run(other, unplaced_node("x"), unplaced_node("y"), edge("x", "y"), edge("b", "x"), revision=2)
    assert _shown(one) == _shown(other)


def test_between_goes_into_the_group_around_both() -> None:
    """Also where one end stands in a group inside it."""
    inside = [group("outer", 0, 0), group("inner", 300, 40, parent="outer"), node("a", 24, 40, parent="outer")]
    workspace = workspace_of(*inside, node("b", 24, 40, parent="inner"), edge("a", "b"))
    run(workspace, {"op": "insert_between", "source": "a", "target": "b", "node": _CACHE}, revision=2)
    assert workspace.diagram.parent(NodeId("x")) == "outer"
    assert not overlaps_of(workspace.diagram)


def test_routes_move_along_with_what_moves_aside() -> None:
    """Between nodes that move alike; at a node that moves alone the route goes, elsewhere it stays."""
    route = [{"x": 400, "y": -40}]
    workspace = workspace_of(*row("a", "b", "c"), node("far", 0, 900), node("off", 600, 900))
    run(
        workspace,
        edge("b", "c", id="alike", label="second", route=route),
        edge("a", "c", id="alone", route=route),
        edge("far", "off", id="elsewhere", route=route),
        revision=2,
    )
    tx = run(workspace, {"op": "insert_between", "source": "a", "target": "b", "node": _CACHE}, revision=3)
    assert set(aside(tx)) == {"b", "c"}
    assert rerouted(tx) == ["alone"]
    by = place(workspace, "b")[0] - 260
    assert by > 0
    routes = {
        name: (workspace.diagram.edge(EdgeId(name)) or {}).get("route") for name in ("alike", "alone", "elsewhere")
    }
    assert routes == {"alike": [{"x": 400 + by, "y": -40}], "alone": None, "elsewhere": route}


def routed_square() -> Workspace:
    """Four nodes whose connections lead far around, as somebody has drawn them."""
    places = {"a": (0, 0), "b": (500, 0), "c": (500, 400), "d": (0, 400)}
    return workspace_of(
        *(node(name, x, y) for name, (x, y) in places.items()),
        edge("a", "b", id="above", route=[{"x": 250, "y": -200}]),
        edge("b", "c", id="right", route=[{"x": 900, "y": 200}]),
        edge("d", "c", id="below", route=[{"x": 300, "y": 700}]),
        edge("c", "b", id="corner", route=[{"x": 360, "y": 436}, {"x": 360, "y": 36}]),
    )


@pytest.mark.parametrize("end", ["a", "b", "c", "d"])
@pytest.mark.parametrize("leads", ["to", "from"])
def test_new_nodes_keep_off_routes(end: str, leads: str) -> None:
    """Not off a straight line where there is none: routes are where they are drawn."""
    workspace = routed_square()
    run(workspace, unplaced_node("n"), edge(end, "n") if leads == "to" else edge("n", end), revision=2)
    rects = rects_of(workspace.diagram)
    own = rects[NodeId("n")]
    for name in ("above", "right", "below", "corner"):
        source, target = workspace.diagram.ends(EdgeId(name)) or ("", "")
        bends = [(point["x"], point["y"]) for point in (workspace.diagram.edge(EdgeId(name)) or {})["route"]]
        points = [middle(rects[NodeId(source)]), *bends, middle(rects[NodeId(target)])]
        assert not any(is_crossed(own, *piece) for piece in pairwise(points)), name


def test_new_nodes_keep_off_routes_in_a_group() -> None:
    """Routes are relative to the diagram, places to the group."""
    inside = [group("g", 1_000, 1_000), node("a", 24, 40, parent="g"), node("b", 600, 40, parent="g")]
    route = [{"x": 1_300, "y": 1_040}, {"x": 1_420, "y": 1_040}]
    workspace = workspace_of(*inside, edge("a", "b", id="e", route=route))
    run(workspace, unplaced_node("n", parent="g"), edge("a", "n"), revision=2)
    rects = rects_of(workspace.diagram)
    points = [middle(rects[NodeId("a")]), (1_300, 1_040), (1_420, 1_040), middle(rects[NodeId("b")])]
    assert not any(is_crossed(rects[NodeId("n")], *piece) for piece in pairwise(points))


def test_a_route_inside_a_frame_that_has_grown_goes() -> None:
    """A line at the frame would begin inside it; one that still begins outside stays."""
    workspace = workspace_of(group("g", 0, 0), node("a", 24, 40, parent="g"), node("b", 24, 400), node("c", -400, 0))
    right, left = [{"x": 300, "y": 60}, {"x": 300, "y": 436}], [{"x": -60, "y": 60}]
    run(workspace, edge("g", "b", id="right", route=right), edge("g", "c", id="left", route=left), revision=2)
    tx = run(
        workspace,
        unplaced_node("n", parent="g"),
        edge("a", "n"),
        unplaced_node("m", parent="g"),
        edge("n", "m"),
        revision=3,
    )
    assert rerouted(tx) == ["right"]
    assert rects_of(workspace.diagram)[NodeId("g")][2] > 300
    routes = [(workspace.diagram.edge(EdgeId(name)) or {}).get("route") for name in ("right", "left")]
    assert routes == [None, left]


def test_labels_of_few_new_nodes_have_room() -> None:
    """The two ends are as far apart as the label needs, in two lines where it has two words or more."""
    for label, least in (("publishes order events", 12 * 6.9 + 14), ("synchronisation", 15 * 6.9 + 14)):
        workspace = workspace_of()
        run(
            workspace,
            unplaced_node("a"),
            unplaced_node("b"),
            unplaced_node("c"),
            edge("a", "b", label=label),
            edge("b", "c"),
            revision=2,
        )
        gaps = [place(workspace, other)[0] - place(workspace, one)[0] - 180 for one, other in pairwise("abc")]
        assert least <= gaps[0] < least + 24
        assert gaps[1] == 80


def test_labels_of_two_edges_between_the_same_are_in_one_line() -> None:
    """They are too close to each other for two; of three, the labels stand one beside the other."""
    texts = ("reads all orders", "writes them")
    gaps = []
    for labels in (texts, (*texts, "waits for both")):
        workspace = workspace_of()
        run(
            workspace,
            unplaced_node("a"),
            unplaced_node("b"),
            *(edge("a", "b", label=label) for label in labels),
            revision=2,
        )
        gaps.append(place(workspace, "b")[0] - 180)
    assert gaps[0] >= 16 * 6.9 + 14
    assert gaps[1] >= sum(len(label) * 6.9 + 14 for label in (*texts, "waits for both"))


def test_a_new_group_leaves_a_way_for_what_leads_out_of_it() -> None:
    """A line from the first in a new group to what stands behind it is level, and runs beside the second."""
    workspace = workspace_of()
    made = {"op": "add_node", "id": "g", "type": "group", "label": "G"}
    inside = [unplaced_node("a", parent="g"), unplaced_node("b", parent="g")]
    run(workspace, made, *inside, unplaced_node("out"), edge("a", "b"), edge("a", "out"), revision=2)
    rects = rects_of(workspace.diagram)
    start, end = middle(rects["a"]), middle(rects["out"])
    assert start[1] == end[1]
    assert not is_crossed(rects["b"], start, end)


def test_labels_are_as_wide_as_the_page_draws_them() -> None:
    """The figures here are those of the page."""
    page = (Path(__file__).parents[2] / "frontend/src/model/drawing/labels.ts").read_text("utf-8")
    patterns = (r"LETTER_WIDTH = ([\d.]+)", r"PADDING = \{ x: (\d+)", r"MAX_WIDTH = (\d+)")
    letter, padding, widest = (float(re.findall(pattern, page)[0]) for pattern in patterns)
    beside = room_for(["x" * 10]) - math.ceil(10 * letter) - padding
    assert beside == 12
    assert room_for(["x" * 80]) == widest + beside
