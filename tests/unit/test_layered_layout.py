"""The layered layout: nothing overlaps, edges run one way, and it is the same every time."""

from __future__ import annotations

import itertools
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draftsmith.model.layered_layout import Direction, EdgeHints, layered_positions

Nodes = list[tuple[str, float, float]]
Edges = list[tuple[str, str]]
Places = dict[str, tuple[float, float]]

NAMES = [f"n{number}" for number in range(12)]
sizes = st.floats(20, 400, allow_nan=False)
graphs = st.lists(st.sampled_from(NAMES), unique=True).flatmap(
    lambda names: st.tuples(
        st.tuples(*(st.tuples(st.just(name), sizes, sizes) for name in names)).map(list),
        st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=30),
    )
)
directions = st.sampled_from(get_args(Direction))


def boxes(*names: str) -> Nodes:
    return [(name, 180, 72) for name in names]


def overlapping(nodes: Nodes, placed: Places) -> list[tuple[str, str]]:
    found = []
    for index, (one, width, height) in enumerate(nodes):
        x, y = placed[one]
        for other, other_width, other_height in nodes[index + 1 :]:
            u, v = placed[other]
            if x < u + other_width and u < x + width and y < v + other_height and v < y + height:
                found.append((one, other))
    return found


@given(graphs, directions, st.integers(0, 100), st.integers(0, 100))
def test_nothing_overlaps(graph: tuple[Nodes, Edges], direction: Direction, along: int, across: int) -> None:
    """Any sizes, any edges (cycles, loops, repeats, unknown ends): all nodes placed, from zero on, none touching."""
    nodes, edges = graph
    placed = layered_positions(nodes, edges, direction=direction, gap=(along, across))
    assert list(placed) == [name for name, _, _ in nodes]
    assert overlapping(nodes, placed) == []
    assert all(x >= 0 and y >= 0 and x == int(x) and y == int(y) for x, y in placed.values())
    assert placed == layered_positions(nodes, edges, direction=direction, gap=(along, across))


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=25))
def test_edges_without_a_cycle_run_to_the_right(pairs: list[tuple[int, int]]) -> None:
    """Where there is no cycle, every edge ends at least a gap to the right of where it starts."""
    edges = [(NAMES[min(pair)], NAMES[max(pair)]) for pair in pairs if pair[0] != pair[1]]
    placed = layered_positions(boxes(*NAMES[:10]), edges)
    for source, target in edges:
        assert placed[source][0] + 180 + 80 <= placed[target][0]


def test_a_chain_is_a_straight_line() -> None:
    """Golden: three in a row stand in a row."""
    placed = layered_positions(boxes("a", "b", "c"), [("a", "b"), ("b", "c")])
    assert placed == {"a": (0, 0), "b": (260, 0), "c": (520, 0)}


@pytest.mark.parametrize(
    "direction,expected",
    [
        ("left", {"a": (260, 0), "b": (0, 0)}),
        ("down", {"a": (0, 0), "b": (0, 152)}),
        ("up", {"a": (0, 152), "b": (0, 0)}),
    ],
)
def test_directions(direction: Direction, expected: Places) -> None:
    """Golden: the same chain in the other three directions."""
    assert layered_positions(boxes("a", "b"), [("a", "b")], direction=direction) == expected


def test_a_fan_is_balanced() -> None:
    """Golden: one before three stands at the height of the middle one."""
    placed = layered_positions(boxes("a", "b", "c", "d"), [("a", "b"), ("a", "c"), ("a", "d")])
    assert placed == {"a": (0, 120), "b": (260, 0), "c": (260, 120), "d": (260, 240)}


def test_crossings_are_undone() -> None:
    """Two pairs given crosswise are untangled."""
    placed = layered_positions(boxes("hub", "a", "b", "x", "y"), [("hub", "a"), ("hub", "b"), ("a", "y"), ("b", "x")])
    assert (placed["a"][1] < placed["b"][1]) == (placed["y"][1] < placed["x"][1])


def test_a_late_source_stands_beside_its_follower() -> None:
    """What nothing leads to stands just before what it leads to, not at the far left."""
    placed = layered_positions(boxes("a", "b", "c", "d"), [("a", "b"), ("b", "c"), ("d", "c")])
    assert placed["d"][0] == placed["b"][0]


def test_a_cycle_is_laid_out() -> None:
    """In a cycle one edge runs backwards, the rest forwards."""
    placed = layered_positions(boxes("a", "b", "c"), [("a", "b"), ("b", "c"), ("c", "a")])
    assert [placed[name][0] for name in "abc"] == [0, 260, 520]


def test_parts_are_stacked_and_single_nodes_come_below() -> None:
    """Unconnected parts do not mix; nodes without edges stand in rows under them."""
    nodes = boxes("s1", "a", "b", "s2", "c", "d")
    placed = layered_positions(nodes, [("a", "b"), ("c", "d")])
    assert placed["a"][1] < placed["c"][1] < placed["s1"][1] == placed["s2"][1]


def test_an_edge_that_passes_a_layer_has_a_way_of_its_own() -> None:
    """A straight line from the first to the last of a triangle keeps clear of the one between them."""
    placed = layered_positions(boxes("a", "b", "c"), [("a", "b"), ("b", "c"), ("a", "c")])
    assert placed["a"][1] == placed["c"][1]
    assert placed["b"][1] + 72 + 20 <= placed["a"][1] + 36


def test_what_leads_out_has_a_way_of_its_own() -> None:
    """Before, behind or both: an edge to outside does not run through what else is laid out."""
    row = [("a", "b"), ("b", "c")]
    out = layered_positions(boxes("a", "b", "c"), row, hints=EdgeHints(leaving={"a": 0}))
    into = layered_positions(boxes("a", "b", "c"), row, hints=EdgeHints(entering={"c": 0}))
    assert all(abs(out[one][1] - out["a"][1]) >= 36 + 20 for one in "bc")
    assert all(abs(into[one][1] - into["c"][1]) >= 36 + 20 for one in "ab")


def test_edges_are_as_long_as_they_need_to_be() -> None:
    """The layers around the longest label move apart, the others do not; in either order of its ends."""
    edges = [("a", "b"), ("b", "c"), ("c", "d")]
    drawn = EdgeHints(lengths={("a", "b"): 150, ("d", "c"): 110})
    placed = layered_positions(boxes("a", "b", "c", "d"), edges, hints=drawn)
    assert [placed[one][0] for one in "abcd"] == [0, 180 + 150, 590, 590 + 180 + 110]


def test_edges_are_straight_from_where_they_begin() -> None:
    """What is connected to the lower part of a large box stands level with that, not with its middle."""
    nodes = [("box", 400, 300), ("a", 180, 72)]
    placed = layered_positions(nodes, [("box", "a")], hints=EdgeHints(starts={("box", "a"): 90}))
    assert placed["a"][1] + 36 == placed["box"][1] + 150 + 90


@given(graphs, directions, st.data())
def test_nothing_overlaps_however_edges_are_drawn(
    graph: tuple[Nodes, Edges], direction: Direction, data: st.DataObject
) -> None:
    """Any lengths and starts, and edges to outside."""
    nodes, edges = graph
    offsets = st.integers(-200, 200)
    drawn = EdgeHints(
        {ends: data.draw(st.integers(0, 300)) for ends in edges},
        {ends: data.draw(offsets) for ends in edges},
        data.draw(st.dictionaries(st.sampled_from(NAMES), offsets)),
        data.draw(st.dictionaries(st.sampled_from(NAMES), offsets)),
    )
    placed = layered_positions(nodes, edges, direction=direction, hints=drawn)
    assert overlapping(nodes, placed) == []
    assert all(x >= 0 and y >= 0 for x, y in placed.values())


def test_nothing_gives_nothing() -> None:
    """No nodes, no positions."""
    assert layered_positions([], [("a", "b")]) == {}


def lay_out_thousands() -> None:
    """Lay out a long chain and a wide fan; how long that takes is measured in `bench`."""
    names = [f"n{number}" for number in range(5_000)]
    chain = list(itertools.pairwise(names[:2501]))
    fan = [("n0", name) for name in names[2501:]]
    assert len(layered_positions(boxes(*names), chain + fan)) == 5_000


def test_five_thousand_nodes_do_not_recurse() -> None:
    """Neither a long chain nor a wide fan of thousands."""
    lay_out_thousands()
