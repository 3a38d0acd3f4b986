"""Undo of commits that change one thing more than once: what came of the commit counts, not what it went through."""

from __future__ import annotations

import pytest

from draftsmith.transform.steps.custom_type import SetType
from draftsmith.transform.steps.edge import SetEdge
from draftsmith.transform.steps.steps import Step, apply
from draftsmith.transform.undo.net import net_steps
from tests.builders import Op, Story, canonical, copy_of, edge, fields, group, node, update

DELETE_C: Op = {"op": "delete_node", "id": "c"}


def rewire(edge_id: str, target: str) -> Op:
    return {"op": "rewire_edge", "id": edge_id, "new_target": target}


def test_what_was_added_and_changed_at_once_stays_once_somebody_changed_it() -> None:
    """Another person's value is theirs, also where the commit itself had set the same one on its way."""
    story = Story(node("a"), node("b"))
    story.do("ann", edge("a", "b", id="e", kind="data"), {"op": "update_edge", "id": "e", "kind": "sync"})
    story.do("bob", {"op": "update_edge", "id": "e", "kind": "data"})
    done = story.undo("ann")
    assert done is not None
    assert [left["why"] for left in done.left_out] == ["the edge 'e' has been changed since"]
    assert story.workspace.diagram.ends("e") == ("a", "b")


def test_what_an_edge_was_at_in_between_does_not_matter() -> None:
    """An edge that was added, rewired and rewired back goes without a word about the node that it was at meanwhile."""
    story = Story(node("a"), node("b"), node("c"))
    story.do("ann", edge("a", "b", id="e"), rewire("e", "c"), rewire("e", "b"))
    story.do("bob", DELETE_C)
    done = story.undo("ann")
    assert done is not None
    assert done.left_out == []
    assert story.workspace.diagram.ends("e") is None


def test_an_edge_comes_back_as_it_was_before_or_not_at_all() -> None:
    """An edge that was rewired and deleted at once is not left at the ends that it never had for anybody."""
    story = Story(node("a"), node("b"), node("c"), edge("a", "c", id="e"))
    story.do("ann", rewire("e", "b"), {"op": "delete_edge", "id": "e"})
    story.do("bob", DELETE_C)
    done = story.undo("ann")
    assert done is not None
    assert [left["why"] for left in done.left_out] == ["the node 'c' is gone"]
    assert story.workspace.diagram.ends("e") is None


def test_what_came_into_a_group_that_was_added_after_it_goes_with_it() -> None:
    """Nodes, edges and the group around them, added in an order in which none of the joined steps fits at first."""
    story = Story()
    story.do(
        "ann", node("a"), node("b"), edge("a", "b", id="e"), group("g"),
        {"op": "move_to_group", "ids": ["a", "b"], "group": "g"}, update("a", label="Orders"),
    )  # fmt: skip
    done = story.undo("ann")
    assert done is not None
    assert (done.left_out, list(story.workspace.diagram.node_ids())) == ([], [])


def test_what_left_a_group_that_was_deleted_goes_back_into_it() -> None:
    """The group comes back first, whatever was done to its nodes before and after it went."""
    story = Story(group("g"), group("h"), node("a", parent="g", label="Old"))
    before = dict(fields(story.workspace, "a"))
    story.do(
        "ann", update("a", label="New"), {"op": "move_to_group", "ids": ["a"], "group": "h"},
        {"op": "delete_node", "id": "g"}, update("a", label="Newer"),
    )  # fmt: skip
    done = story.undo("ann")
    assert done is not None
    assert done.left_out == []
    assert fields(story.workspace, "a") == before


@pytest.mark.parametrize(
    "operations",
    [
        [update("a", label="New"), update("a", label="A", technology="Go"), update("a", technology="")],
        [edge("b", "c", id="f"), {"op": "delete_edge", "id": "f"}],
        [node("d"), update("d", label="D"), {"op": "delete_node", "id": "d"}],
        [rewire("e", "c"), rewire("e", "b")],
    ],
)
def test_what_cancels_out_leaves_no_step(operations: list[Op]) -> None:
    """Of a commit that changed one more thing, that alone is left to take back."""
    story = Story(node("a", label="A"), node("b"), node("c"), edge("a", "b", id="e"))
    steps = story.steps_of(story.do("ann", *operations, update("b", label="B")))
    assert [step.ids for step in net_steps(steps)] == [("b",)]


def test_a_name_and_a_type_that_are_set_twice_are_one_step_each() -> None:
    """From the name and the definition before to the last ones."""
    story = Story(node("a"))
    name = story.workspace.name
    crate: Op = {"op": "define_type", "id": "crate", "label": "Crate", "type": "database"}
    steps = story.steps_of(
        story.do(
            "ann", {"op": "rename_workspace", "name": "One"}, crate, {"op": "rename_workspace", "name": "Two"},
            {**crate, "label": "Box"},
        )
    )  # fmt: skip
    named, typed = net_steps(steps)
    assert named.pairs == {"name": (name, "Two")}
    assert isinstance(typed, SetType)
    assert (typed.old, typed.new and typed.new["name"]) == (None, "Box")
    assert story.undo("ann") is not None
    assert (story.workspace.name, dict(story.workspace.diagram.types)) == (name, {})


def test_the_net_leads_to_where_the_steps_led() -> None:
    """With each field's first value before and its last one after, births included."""
    story = Story(group("g"), group("h"), node("a", parent="g"), node("b"), edge("a", "b", id="e"))
    before = copy_of(story.workspace)
    steps = story.steps_of(
        story.do(
            "ann", update("a", label="One"), {"op": "move_to_group", "ids": ["a"], "group": None},
            {"op": "move_to_group", "ids": ["a"], "group": "h"}, update("a", label="Two"),
            node("c"), rewire("e", "c"), {"op": "update_edge", "id": "e", "label": "calls"},
        )
    )  # fmt: skip
    net: list[Step] = net_steps(steps)
    assert [step.key and step.key[1] for step in net] == ["a", "c", "e"]
    for step in net:
        apply(step, before)
    assert canonical(before) == canonical(story.workspace)


@pytest.mark.parametrize("is_label_first", [True, False])
def test_the_net_of_an_edge_that_is_rewired_knows_its_ends_before_and_after(is_label_first: bool) -> None:
    """Whichever field is set first: it can be taken back to the very nodes that it was at."""
    story = Story(node("a"), node("b"), node("c"), edge("a", "b", id="e"))
    changes: list[Op] = [{"op": "update_edge", "id": "e", "label": "calls"}, rewire("e", "c")]
    steps = story.steps_of(story.do("ann", *(changes if is_label_first else changes[::-1])))
    [moved] = [step for step in steps if isinstance(step, SetEdge) and "target" in step.fields]
    [net] = net_steps(steps)
    assert isinstance(net, SetEdge)
    assert (net.old_ends, net.new_ends) == (moved.old_ends, moved.new_ends)
    assert net.fields == {"label": (None, "calls"), "target": ("b", "c")}


def test_the_net_of_a_node_that_is_added_fits_the_group_that_it_comes_into() -> None:
    """The one that it is added to, or the one that it is moved to afterwards."""
    story = Story(group("g"), group("h", 900))
    before = copy_of(story.workspace)
    into: Op = {"op": "move_to_group", "ids": ["d"], "group": "h"}
    steps = story.steps_of(story.do("ann", node("c", parent="g"), update("c", label="C"), node("d", 1800), into))
    net = net_steps(steps)
    assert [step.ids for step in net] == [("c",), ("d",)]
    for step in net:
        apply(step, before)
    assert canonical(before) == canonical(story.workspace)


def test_a_node_that_is_deleted_and_added_again_is_another_one() -> None:
    """Two steps, the removal of the old one and the new one with all that was set of it."""
    story = Story(node("a", label="Old"), node("b"))
    gone: Op = {"op": "delete_node", "id": "a"}
    steps = story.steps_of(
        story.do("ann", update("a", notes="x"), gone, node("a", label="New"), update("a", notes="y"))
    )
    removed, added = net_steps(steps)
    assert (removed.removes, added.inserts) == (True, True)
    assert story.undo("ann") is not None
    assert fields(story.workspace, "a")["label"] == "Old"
    assert "notes" not in fields(story.workspace, "a")
