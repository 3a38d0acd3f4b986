"""Lines by hand: how their bends follow when an end moves, and what keeps them: undo, proposals, layout."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.routes import MOST_BENDS, Box, Ends, border_towards, kept_route, line_along
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.transform.staged_operations import stage
from draftsmith.transform.steps.steps import roll_back
from draftsmith.transform.transaction import Transaction
from draftsmith.transform.undo.carry import carry
from tests.builders import Op, Story, edge, group, node, refused, run, update, workspace_of

CASES = json.loads((Path(__file__).parents[1] / "fixtures" / "hand-routes.json").read_text(encoding="utf-8"))
BENDS = [{"x": 300, "y": 30}, {"x": 300, "y": 230}]
BY_HAND: dict[str, Any] = {"id": "e", "route": BENDS, "route_by": "hand"}
E = EdgeId("e")
LINKED = [node("a"), node("b", 500, 200), edge("a", "b", **BY_HAND)]


def box(shape: dict[str, float]) -> Box:
    return shape["x"], shape["y"], shape["width"], shape["height"]


def bends_of(story: Story, name: str = "e") -> Any:
    found = story.workspace.diagram.edge(name) or {}
    return found.get("route"), found.get("route_by")


def moved(**positions: tuple[float, float]) -> Op:
    return {"op": "move_nodes", "positions": {one: {"x": x, "y": y} for one, (x, y) in positions.items()}}


def candidates_told(tx: Transaction, code: str) -> list[str]:
    return [one for warning in tx.warnings if warning.code == code for one in warning.candidates]


def points_at(*points: tuple[float, float]) -> list[dict[str, float]]:
    return [{"x": x, "y": y} for x, y in points]


def ends_of(case: dict[str, Any], name: str) -> Ends:
    source, target = case[name]
    return box(source), box(target)


# -- the rule ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_route_follows_as_in_the_page(case: dict[str, Any]) -> None:
    """The cases that the page's twin passes as well (`frontend/tests/model/drawing/keptRoutes.test.ts`)."""
    before, after = (ends_of(case, name) for name in ("before", "after"))
    kept = kept_route(case["route"], before, after, straight=case.get("shape") == "straight")
    assert kept == case["kept"]
    assert line_along(kept, after) == case.get("line", line_along(kept, after))


places = st.tuples(
    st.integers(-400, 400), st.integers(-400, 400), st.sampled_from([80, 180]), st.sampled_from([40, 72])
)
moves = st.tuples(st.integers(-300, 300), st.integers(-300, 300))


@st.composite
def bent_lines(draw: st.DrawFn) -> tuple[list[dict[str, float]], Ends]:
    """A right-angled line between two boxes that are apart, and whose bends lie outside of both."""
    source, target = draw(places), draw(places)
    horizontal = draw(st.booleans())
    x, y = source[0] + draw(st.integers(4, source[2] - 4)), source[1] + draw(st.integers(4, source[3] - 4))
    if horizontal:
        x = draw(st.sampled_from([source[0] - 30, source[0] + source[2] + 30]))
    else:
        y = draw(st.sampled_from([source[1] - 30, source[1] + source[3] + 30]))
    bends = [(x, y)]
    for _ in range(draw(st.integers(0, 3))):
        horizontal = not horizontal
        along = draw(st.integers(-600, 600))
        bends.append((along, bends[-1][1]) if horizontal else (bends[-1][0], along))
    # The last bend faces the target: across the segment before it.
    last = bends[-1]
    if horizontal:
        bends.append((target[0] + target[2] // 2, last[1]))
    else:
        bends.append((last[0], target[1] + target[3] // 2))
    return points_at(*bends), (source, target)


def is_right_angled(points: list[dict[str, float]]) -> bool:
    return all(one["x"] == other["x"] or one["y"] == other["y"] for one, other in pairwise(points))


def is_on_border(box: Box, point: dict[str, float]) -> bool:
    left, top, width, height = box
    inside = left <= point["x"] <= left + width and top <= point["y"] <= top + height
    return inside and (point["x"] in (left, left + width) or point["y"] in (top, top + height))


def are_apart(ends: Ends) -> bool:
    (x, y, width, height), (left, top, wide, high) = ends
    return x + width < left or left + wide < x or y + height < top or top + high < y


def has_a_line(bends: list[dict[str, float]], ends: Ends) -> bool:
    """Whether the line is right-angled and begins and ends on the borders."""
    line: Any = line_along(bends, ends)
    return is_right_angled(line) and is_on_border(ends[0], line[0]) and is_on_border(ends[1], line[-1])


@given(bent_lines(), moves, moves, st.sampled_from(["one", "both", "alike"]))
def test_a_line_stays_at_borders_and_right_angled(
    line: tuple[list[dict[str, float]], Ends], by: tuple[int, int], other: tuple[int, int], which: str
) -> None:
    """It begins and ends at the borders of its nodes after any move, and right-angled stays so; alike nothing bends."""
    bends, before = line
    if not are_apart(before) or not has_a_line(bends, before) or not faces(bends, before):
        return
    there = {"one": (0, 0), "both": other, "alike": by}[which]
    after = (shifted(before[0], by), shifted(before[1], there))
    kept: Any = kept_route(bends, before, after)
    if which == "alike":
        assert kept == [{"x": point["x"] + by[0], "y": point["y"] + by[1]} for point in bends]
    if are_apart(after):
        assert has_a_line(kept, after)


def faces(bends: list[dict[str, float]], ends: Ends) -> bool:
    """Whether the first and the last bend are straight across from their nodes."""
    return all(
        (border["x"] == bend["x"]) != (border["y"] == bend["y"])
        for border, bend in zip(
            (border_towards(ends[0], bends[0]), border_towards(ends[1], bends[-1])), (bends[0], bends[-1]), strict=True
        )
    )


def shifted(box: Box, by: tuple[float, float]) -> Box:
    return box[0] + by[0], box[1] + by[1], box[2], box[3]


def test_a_route_never_has_more_bends_than_may_be_sent() -> None:
    """Where there is no room for one more, the end is shifted all the same."""
    bends = [{"x": 300.0, "y": 30.0}] * MOST_BENDS
    kept = kept_route(bends, ((0, 0, 180, 72), (500, 0, 180, 72)), ((0, 10, 180, 72), (500, 0, 180, 72)))
    assert len(kept) == MOST_BENDS
    assert kept[0] == {"x": 300, "y": 40}


# -- operations --------------------------------------------------------------------------------------------------------


def test_a_line_by_hand_follows_each_end() -> None:
    """A node, both at once, a group around one of them; a route that was found is dropped beside it."""
    story = Story(*LINKED, edge("b", "a", id="f", route=BENDS))
    story.do("ann", moved(a=(0, 50)))
    assert bends_of(story) == (points_at((300, 80), (300, 230)), "hand")
    assert bends_of(story, "f") == (None, None)
    story.do("ann", moved(a=(100, 50), b=(600, 200)))
    assert bends_of(story) == (points_at((400, 80), (400, 230)), "hand")
    story.do("ann", {"op": "group_nodes", "id": "g", "label": "G", "ids": ["b"]})
    assert bends_of(story) == (points_at((400, 80), (400, 230)), "hand")
    corner = story.workspace.diagram.position(NodeId("g"))
    story.do("ann", moved(g=(corner["x"], corner["y"] + 10)))
    assert bends_of(story) == (points_at((400, 80), (400, 240)), "hand")


def test_two_operations_move_one_end_each() -> None:
    """What one operation moves follows it; so the middle stays where two operations move both ends."""
    story = Story(*LINKED)
    story.do("ann", update("a", position={"x": 10, "y": 10}), update("b", position={"x": 510, "y": 210}))
    assert bends_of(story) == (points_at((300, 40), (300, 240)), "hand")


def test_an_end_that_is_rewired_keeps_its_place_along_the_border() -> None:
    """Of a node that is larger, the same share of its side; exchanged ends turn the line around, and its label."""
    large = node("c", 0, 400, size={"width": 200, "height": 144})
    story = Story(*LINKED, large)
    story.do("ann", {"op": "update_edge", "id": "e", "label_at": 0.25})
    story.do("ann", {"op": "rewire_edge", "id": "e", "new_source": "c"})
    assert bends_of(story) == (points_at((300, 460), (300, 230)), "hand")
    story.do("ann", {"op": "rewire_edge", "id": "e", "new_source": "b", "new_target": "c"})
    assert bends_of(story) == (points_at((300, 230), (300, 460)), "hand")
    assert (story.workspace.diagram.edge(E) or {})["label_at"] == 0.75


def test_a_route_without_saying_by_hand_is_an_ordinary_one() -> None:
    """As a client of the last release sends it; it clears what the line was."""
    story = Story(*LINKED)
    story.do("ann", {"op": "move_nodes", "positions": {}, "routes": {"e": [{"x": 1, "y": 2}]}})
    assert bends_of(story) == (points_at((1, 2)), None)
    story.do("ann", {"op": "update_edge", "id": "e", "route_by": "hand"})
    story.do("ann", {"op": "update_edge", "id": "e", "route": None})
    assert bends_of(story) == (None, None)
    story.undo("ann")
    assert bends_of(story) == (points_at((1, 2)), "hand")


def test_by_hand_without_a_route_is_as_if_absent() -> None:
    """It keeps nothing, and a route that is found is none by hand."""
    story = Story(node("a"), node("b", 500, 200), edge("a", "b", id="e", route_by="hand"))
    story.do("ann", moved(a=(0, 50)))
    story.do("ann", {"op": "move_nodes", "positions": {}, "routes": {"e": BENDS}})
    assert bends_of(story) == (BENDS, None)


def test_a_place_of_a_label_is_a_share() -> None:
    """0 and 1 are such; what is not between is refused; null clears."""
    story = Story(*LINKED)
    for share, kept in ((0, 0), (1, 1), (0.333, 0.33), (None, None)):
        story.do("ann", {"op": "update_edge", "id": "e", "label_at": share})
        assert (story.workspace.diagram.edge(E) or {}).get("label_at") == kept
    with pytest.raises(Exception, match="label_at"):
        parse_batch([{"op": "update_edge", "id": "e", "label_at": 1.01}], WorkspaceLimits())


def test_a_line_that_no_longer_fits_is_told() -> None:
    """Through its own node, or through the title of a group; not while it fits."""
    workspace = workspace_of(*LINKED, group("zone", 700, 500, label="A long title of a zone"))
    assert candidates_told(run(workspace, moved(a=(0, 20)), revision=2), "route_strained") == []
    # On the other side of its source, through which the line now leads.
    assert candidates_told(run(workspace, moved(b=(-300, 10)), revision=3), "route_strained") == ["e"]
    assert candidates_told(run(workspace, moved(b=(500, 200)), revision=4), "route_strained") == []
    assert candidates_told(run(workspace, moved(zone=(290, 150)), revision=5), "route_strained") == []
    assert candidates_told(run(workspace, moved(a=(0, 30)), revision=6), "route_strained") == ["e"]


def test_a_slanted_segment_beside_a_title_is_not_through_it() -> None:
    """Though the rectangle around it covers the title."""
    slanted = edge("a", "b", id="e", shape="straight", route=points_at((300, 300)), route_by="hand")
    workspace = workspace_of(node("a"), node("b", 500, 500), slanted, group("zone", 180, 260, label="Zone"))
    assert candidates_told(run(workspace, moved(a=(0, 10)), revision=2), "route_strained") == []
    assert candidates_told(run(workspace, moved(zone=(215, 180)), revision=3), "route_strained") == []
    assert candidates_told(run(workspace, moved(a=(0, 0)), revision=4), "route_strained") == ["e"]


def test_bends_of_a_straight_line_stay_when_one_end_moves() -> None:
    """Also when that is undone, and both ends take them along."""
    story = Story(*LINKED)
    story.do("ann", {"op": "update_edge", "id": "e", "shape": "straight"})
    story.do("ann", moved(a=(0, 50)))
    assert bends_of(story) == (BENDS, "hand")
    story.undo("ann")
    assert bends_of(story) == (BENDS, "hand")
    story.do("ann", moved(a=(10, 10), b=(510, 210)))
    assert bends_of(story) == (points_at((310, 40), (310, 240)), "hand")


def test_layout_keeps_lines_by_hand_and_says_so() -> None:
    """With `redraw` it does not; lines at what is locked stay."""
    story = Story(*LINKED, node("c", 900, 0))
    tx = run(story.workspace, {"op": "layout_diagram", "scope": "all"}, revision=2)
    assert candidates_told(tx, "routes_kept") == ["e"]
    assert bends_of(story)[1] == "hand"
    tx = run(story.workspace, {"op": "layout_diagram", "scope": "ids", "ids": ["a", "c"]}, revision=3)
    assert candidates_told(tx, "routes_kept") == ["e"]
    tx = run(story.workspace, {"op": "layout_diagram", "scope": "all", "redraw": True}, revision=4)
    assert candidates_told(tx, "routes_kept") == []
    assert bends_of(story) == (None, None)


def test_what_moves_aside_takes_lines_by_hand_along() -> None:
    """A node that comes between pushes others; the line of those stays bent, and nobody calls it routed anew."""
    row = [node("a"), node("b", 260, 0), node("c", 520, 0)]
    workspace = workspace_of(*row, edge("a", "b"), edge("b", "c", id="e", route=points_at((480, 36)), route_by="hand"))
    new = {"op": "insert_between", "source": "a", "target": "b", "node": {"id": "x", "type": "cache", "label": "X"}}
    tx = run(workspace, new, revision=2)
    found = workspace.diagram.edge(E) or {}
    assert found["route_by"] == "hand"
    assert candidates_told(tx, "rerouted") == []
    assert candidates_told(tx, "moved_aside") != [], "otherwise this shows nothing"


def test_a_refused_operation_leaves_no_trace_in_the_next() -> None:
    """The one that does not fit is taken back with what its moves would have done to the line."""
    workspace = workspace_of(*LINKED)
    before = dict(workspace.diagram.edge(E) or {})
    moves = {"a": {"x": 5, "y": 5}, "never": {"x": 1, "y": 1}}
    assert refused(workspace, {"op": "move_nodes", "positions": moves}) == [(0, "node_not_found")]
    assert workspace.diagram.edge(E) == before


# -- undo, proposals ---------------------------------------------------------------------------------------------------


def test_undo_brings_a_line_back_to_the_byte() -> None:
    """A move and its undo, its redo, and that once more."""
    story = Story(*LINKED)
    story.do("ann", moved(a=(33.5, 77)))
    there = bends_of(story)
    for _ in range(2):
        done = story.undo("ann")
        assert done is not None
        assert done.left_out == []
        assert bends_of(story) == (BENDS, "hand")
        story.redo("ann")
        assert bends_of(story) == there


def test_undo_after_somebody_else_moved_the_other_end() -> None:
    """The move is taken back, and the line goes along from where it is now; nothing is left out. So does redo."""
    story = Story(*LINKED)
    story.do("ann", moved(a=(0, 50)))
    story.do("bob", moved(b=(500, 300)))
    assert bends_of(story) == (points_at((300, 80), (300, 330)), "hand")
    done = story.undo("ann")
    assert done is not None
    assert done.left_out == []
    assert bends_of(story) == (points_at((300, 30), (300, 330)), "hand")
    story.redo("ann")
    assert bends_of(story) == (points_at((300, 80), (300, 330)), "hand")


def test_undo_of_a_move_that_was_moved_since_leaves_the_line() -> None:
    """The place stays what somebody else made it, so the line stays with it."""
    story = Story(*LINKED)
    story.do("ann", moved(a=(0, 50)))
    story.do("bob", moved(a=(0, 90)))
    story.undo("ann")
    assert bends_of(story) == (points_at((300, 120), (300, 230)), "hand")


def test_undo_of_a_bend_that_was_bent_since_is_told() -> None:
    """It is no consequence of a move: what somebody else bent stays, and the one who undoes is told."""
    story = Story(*LINKED)
    story.do("ann", {"op": "update_edge", "id": "e", "route": points_at((320, 30), (320, 230)), "route_by": "hand"})
    story.do("bob", {"op": "update_edge", "id": "e", "route": points_at((350, 30), (350, 230)), "route_by": "hand"})
    done = story.undo("ann")
    assert done is not None
    assert [left["what"] for left in done.left_out] == ["route of 'e'"]
    assert bends_of(story)[0] == points_at((350, 30), (350, 230))


def test_restore_brings_lines_back() -> None:
    """Whatever was moved and drawn anew since."""
    story = Story(*LINKED)
    story.do("ann", moved(a=(0, 50), b=(500, 300)))
    story.do("ann", {"op": "update_edge", "id": "e", "route": None})
    story.restore("bob", 1)
    assert bends_of(story) == (BENDS, "hand")


@pytest.mark.parametrize("is_bent", [False, True], ids=["moved meanwhile", "bent meanwhile"])
def test_a_proposal_moves_a_line_from_where_it_is(is_bent: bool) -> None:
    """A move that was staged earlier fits, though somebody has moved the other end or bent the line since."""
    workspace = workspace_of(*LINKED)
    operations = [moved(a=(0, 50))]
    staged = stage(workspace, parse_batch(operations, WorkspaceLimits()), operations, WorkspaceLimits())
    roll_back([step for one in staged for step in one.steps], workspace)
    bent = points_at((400, 30), (400, 230))
    since = {"op": "update_edge", "id": "e", "route": bent, "route_by": "hand"} if is_bent else moved(b=(500, 300))
    run(workspace, since, revision=2)
    done = carry(workspace, staged, [])
    assert done.clashes == []
    expected = points_at((400, 80), (400, 230)) if is_bent else points_at((300, 80), (300, 330))
    assert (workspace.diagram.edge(E) or {})["route"] == expected
    done.roll_back(workspace)
    assert (workspace.diagram.edge(E) or {})["route"] == (bent if is_bent else points_at((300, 30), (300, 330)))


def test_undo_names_all_that_was_changed_since_beside_a_route_by_hand() -> None:
    story = Story(*LINKED)
    story.do("ann", {"op": "update_edge", "id": "e", "label": "Ann", "route": points_at((310, 30)), "route_by": "hand"})
    bobs = points_at((320, 30))
    story.do("bob", {"op": "update_edge", "id": "e", "label": "Bob", "route": bobs, "route_by": "hand"})
    done = story.undo("ann")
    assert bends_of(story) == (bobs, "hand")
    assert done is not None
    assert sorted(one["what"].split()[0] for one in done.left_out) == ["label", "route"]
