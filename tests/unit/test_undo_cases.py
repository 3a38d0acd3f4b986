"""Named cases of undo, redo, revert and restore among several people. The laws are in tests/laws."""

from __future__ import annotations

import dataclasses

from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps.node import SetNode
from draftsmith.transform.steps.steps import Step, apply
from draftsmith.transform.undo.compensate import compensate
from tests.builders import Op, Story, edge, fields, group, node, place, update

DELETE_A: Op = {"op": "delete_node", "id": "a"}


def whys(done: object) -> list[str]:
    """Why things were left out."""
    assert done is not None
    return [left["why"] for left in done.left_out]  # type: ignore[attr-defined]  # a Compensation, which is not None


# -- births ----------------------------------------------------------------------------------------------------------


def test_undo_of_an_old_edit_does_not_hit_a_new_node_under_the_same_id() -> None:
    """An id that was deleted and used again means another node; an old edit is not taken back on it."""
    story = Story(node("a", label="Old"))
    story.do("ann", update("a", label="Mine"))
    story.do("bob", DELETE_A)
    story.do("bob", node("a", label="Mine"))
    done = story.undo("ann")
    assert fields(story.workspace, "a")["label"] == "Mine"
    assert whys(done) == ["'a' is gone"]


def test_without_births_the_old_edit_would_hit_it() -> None:
    """Mutant: the same case with the birth of the new node in the step shows what the check is for."""
    story = Story(node("a", label="Old"))
    edited = story.do("ann", update("a", label="Mine"))
    story.do("bob", DELETE_A)
    born = story.do("bob", node("a", label="Mine"))
    blind = [dataclasses.replace(step, birth=born) for step in story.steps_of(edited) if isinstance(step, SetNode)]
    compensate(story.workspace, blind)
    assert fields(story.workspace, "a")["label"] == "Old"


def test_force_overwrites_fields_but_never_another_incarnation() -> None:
    """`force` overwrites what others changed since; a node that came back under the id stays untouched."""
    story = Story(node("a", label="Old"))
    story.do("ann", update("a", label="Ann"))
    story.do("bob", update("a", label="Bob"))
    story.undo("ann", force=True)
    assert fields(story.workspace, "a")["label"] == "Old"
    story.do("ann", update("a", label="Ann"))
    story.do("bob", DELETE_A, node("a", label="Bob"))
    done = story.undo("ann", force=True)
    assert fields(story.workspace, "a")["label"] == "Bob"
    assert whys(done) == ["'a' is gone"]


def test_force_takes_out_a_node_that_was_changed_since() -> None:
    """Undo of an add leaves a changed node alone; with `force` it goes."""
    story = Story()
    story.do("ann", node("a"))
    story.do("ann", node("c"))
    story.do("bob", update("a", label="Bob"), update("c", label="Bob"))
    assert whys(story.undo("ann")) == ["the node 'c' has been changed since"]
    story.undo("ann", force=True)
    assert list(story.workspace.diagram.node_ids()) == ["c"]


# -- what is gone, and what came since ---------------------------------------------------------------------------------


def test_a_node_does_not_come_back_into_a_deleted_group() -> None:
    """Undo of a delete whose group is gone since leaves the node out, in words, and resurrects nothing half."""
    story = Story(group("g"), node("a", parent="g", label="Orders"))
    story.do("ann", DELETE_A)
    story.do("bob", {"op": "delete_node", "id": "g"})
    done = story.undo("ann")
    assert done is not None
    assert done.left_out == [{"what": "bringing back “Orders”", "why": "the group 'g' is gone", "ids": ["a"]}]
    assert "a" not in story.workspace.diagram


def test_a_node_does_not_move_back_into_another_group_of_the_same_id() -> None:
    """A group that was made anew under the same id is not the group the node stood in."""
    story = Story(group("g"), node("a", parent="g"))
    story.do("ann", {"op": "move_to_group", "ids": ["a"], "group": None})
    story.do("bob", {"op": "delete_node", "id": "g"})
    story.do("bob", group("g"))
    assert whys(story.undo("ann")) == ["the group 'g' is another one than before"]
    assert fields(story.workspace, "a").get("parent") is None


def test_undo_makes_no_circle_of_groups() -> None:
    """Ann took h out of g; bob put g into h; undoing ann's step would make a circle and is left out."""
    story = Story(group("g"), group("h", parent="g"))
    story.do("ann", {"op": "move_to_group", "ids": ["h"], "group": None})
    story.do("bob", {"op": "move_to_group", "ids": ["g"], "group": "h"})
    assert whys(story.undo("ann")) == ["the group 'h' would stand in itself"]
    assert list(story.workspace.diagram.ancestors("g")) == ["h"]


def test_undo_makes_no_equal_edge() -> None:
    """An edge that somebody drew anew is not doubled by undoing the delete of the old one."""
    story = Story(node("a"), node("b"), edge("a", "b", label="reads"))
    story.do("ann", {"op": "delete_edge", "id": "a--b"})
    story.do("bob", edge("a", "b", label="reads", id="other"))
    assert whys(story.undo("ann")) == ["the edge 'other' is the same: a to b, 'reads', sync"]
    assert story.workspace.diagram.edge_count == 1


def test_undo_of_a_label_makes_no_equal_edge() -> None:
    """The same by label: the label is left out, the description that changed with it comes back."""
    story = Story(node("a"), node("b"), edge("a", "b", id="e", label="reads", description="old"))
    story.do("ann", {"op": "update_edge", "id": "e", "label": "writes", "description": "new"})
    story.do("bob", edge("a", "b", id="f", label="reads"))
    done = story.undo("ann")
    assert whys(done) == ["the edge 'f' is the same: a to b, 'reads', sync"]
    found = story.workspace.diagram.edge("e") or {}
    assert (found["label"], found["description"]) == ("writes", "old")


def test_undo_of_an_add_to_which_others_attached_is_left_out_in_words() -> None:
    """A node that somebody connected since stays; the edge is not deleted behind their back."""
    story = Story(node("b"))
    story.do("ann", node("a", label="Orders"))
    story.do("bob", edge("a", "b"))
    done = story.undo("ann")
    assert done is not None
    assert done.left_out == [{"what": "taking out “Orders”", "why": "the node 'a' has edges", "ids": ["a"]}]
    assert done.steps == []
    assert story.workspace.diagram.edge_count == 1
    assert story.replica.stacks.top("ann") is None, "an undo with nothing left is consumed"


def test_undo_of_a_group_into_which_others_put_something_is_left_out() -> None:
    """A group that is not empty any more stays."""
    story = Story(node("a"))
    story.do("ann", group("g"))
    story.do("bob", {"op": "move_to_group", "ids": ["a"], "group": "g"})
    assert whys(story.undo("ann")) == ["the group 'g' is not empty"]


def test_undo_leaves_alone_what_somebody_else_changed() -> None:
    """Field by field: ann's label goes back, the description that bob changed since stays his."""
    story = Story(node("a", label="Old", description="old"))
    story.do("ann", update("a", label="Ann", description="Ann"))
    story.do("bob", update("a", description="Bob"))
    done = story.undo("ann")
    assert whys(done) == ["it has been changed since"]
    now = fields(story.workspace, "a")
    assert (now["label"], now["description"]) == ("Old", "Bob")


def test_properties_are_undone_key_by_key() -> None:
    """One key that changed since does not hold the others back."""
    story = Story(node("a", properties={"k": "1", "l": "1"}))
    story.do("ann", update("a", properties={"k": "2", "l": None, "m": "2"}))
    story.do("bob", update("a", properties={"k": "3"}))
    story.undo("ann")
    assert fields(story.workspace, "a")["properties"] == {"k": "3", "l": "1"}


def test_place_and_group_go_back_together_or_not_at_all() -> None:
    """A position means nothing in another group: with the place changed since, the group is left out too."""
    story = Story(group("g", 500, 500), node("a", 10, 10))
    story.do("ann", {"op": "move_to_group", "ids": ["a"], "group": "g", "positions": {"a": {"x": 30, "y": 50}}})
    story.do("bob", update("a", position={"x": 90, "y": 90}))
    done = story.undo("ann")
    assert sorted(whys(done)) == ["it belongs to what has been changed since", "it has been changed since"]
    assert place(story.workspace, "a") == (590, 590)


def test_a_field_that_does_not_fit_does_not_take_the_others_with_it() -> None:
    """Undo of a restore that set group and label in one step: the group is gone, the label still comes back."""
    story = Story(group("g"), node("a", label="One", parent="g"))
    story.do("", update("a", label="Two"), {"op": "move_to_group", "ids": ["a"], "group": None})
    story.restore("ann", 1)
    story.do("bob", {"op": "move_to_group", "ids": ["a"], "group": None})
    story.undo("ann")
    assert fields(story.workspace, "a")["label"] == "Two"


# -- routes ----------------------------------------------------------------------------------------------------------

ROUTE = [{"x": 50, "y": 50}]
LINKED = [node("a"), node("b", 400), edge("a", "b", id="e", route=ROUTE)]


def route(story: Story) -> object:
    return (story.workspace.diagram.edge("e") or {}).get("route")


def test_a_route_comes_back_with_the_move_that_dropped_it() -> None:
    """Moving an end drops the route; undoing the move brings both back."""
    story = Story(*LINKED)
    story.do("ann", update("a", position={"x": 0, "y": 300}))
    assert route(story) is None
    story.undo("ann")
    assert route(story) == ROUTE


def test_a_route_that_was_drawn_since_is_dropped_by_the_undo_of_a_move() -> None:
    """A route made for the new place would lead through nowhere at the old one; redo brings it back."""
    story = Story(*LINKED)
    story.do("ann", update("a", position={"x": 0, "y": 300}))
    tidied = [{"x": 9, "y": 9}]
    story.do("bob", {"op": "move_nodes", "positions": {}, "routes": {"e": tidied}})
    story.undo("ann")
    assert route(story) is None
    story.redo("ann")
    assert route(story) == tidied


def test_a_route_does_not_come_back_to_where_its_end_no_longer_stands() -> None:
    """The place was changed since and stays; so the old route stays away."""
    story = Story(*LINKED)
    story.do("ann", update("a", position={"x": 0, "y": 300}))
    story.do("bob", update("a", position={"x": 0, "y": 600}))
    story.undo("ann")
    assert route(story) is None


def test_a_route_stays_when_a_group_is_undone_around_its_end() -> None:
    """Grouping moves nothing on the screen, nor does its undo."""
    story = Story(*LINKED)
    story.do("ann", {"op": "group_nodes", "id": "g", "label": "G", "ids": ["a"]})
    assert route(story) == ROUTE
    story.undo("ann")
    assert route(story) == ROUTE


# -- whose -----------------------------------------------------------------------------------------------------------


def test_undo_mine_skips_what_others_did() -> None:
    """Undo takes my newest commit, however much others did after it."""
    story = Story(node("a"), node("b"))
    story.do("ann", update("a", label="Ann"))
    story.do("bob", update("b", label="Bob"))
    story.undo("ann")
    assert fields(story.workspace, "a")["label"] == "a"
    assert fields(story.workspace, "b")["label"] == "Bob"
    assert story.undo("ann") is None


def test_undo_all_takes_anothers_change_off_its_owners_stack() -> None:
    """The newest of anyone; afterwards either of the two may redo it, once."""
    story = Story(node("a"))
    story.do("bob", update("a", label="Bob"))
    story.undo("ann", everyone=True)
    stacks = story.replica.stacks
    assert fields(story.workspace, "a")["label"] == "a"
    assert stacks.top("bob") is None
    assert stacks.next_redo("ann") is not None
    assert stacks.next_redo("bob") is not None
    story.redo("ann")
    assert fields(story.workspace, "a")["label"] == "Bob"
    assert stacks.next_redo("bob") is None
    top = stacks.top("bob")
    assert top is not None
    assert top.owner == "bob", "a redo by somebody else gives the change back to its owner"
    assert stacks.top("ann") is None


def test_a_new_edit_clears_my_redo_and_nobody_elses() -> None:
    """Redo is gone after I edit; bob's is still there."""
    story = Story(node("a"), node("b"))
    story.do("ann", update("a", label="Ann"))
    story.do("bob", update("b", label="Bob"))
    story.undo("ann")
    story.undo("bob")
    story.do("ann", update("a", label="Anew"))
    assert story.redo("ann") is None
    assert story.redo("bob") is not None


def test_revert_and_its_undo() -> None:
    """A revert takes the commit off its owner's stack, onto the doer's; undoing it puts it back where it was."""
    story = Story(node("a"), node("b"))
    first = story.do("ann", update("a", label="Ann"))
    second = story.do("ann", update("b", label="Ann"))
    story.revert("bob", first)
    stacks = story.replica.stacks
    assert fields(story.workspace, "a")["label"] == "a"
    assert [item.revision for item in stacks.undo["ann"]] == [second]
    story.undo("bob")
    assert fields(story.workspace, "a")["label"] == "Ann"
    assert [item.revision for item in stacks.undo["ann"]] == [first, second]
    story.redo("bob")
    assert fields(story.workspace, "a")["label"] == "a"
    assert [item.revision for item in stacks.undo["ann"]] == [second]
    story.undo("bob")
    assert [item.revision for item in stacks.undo["ann"]] == [first, second]


def test_creation_and_checkpoints_are_on_no_stack() -> None:
    """There is nothing to undo after them."""
    story = Story(node("a"))
    story.mark("first")
    assert story.undo("ann") is None
    assert story.undo("ann", everyone=True) is None


def test_stacks_hold_two_hundred() -> None:
    """The oldest falls off; what is left is undone in order."""
    story = Story(node("a"))
    for number in range(203):
        story.do("ann", update("a", label=f"n{number}"))
    count = 0
    while story.undo("ann") is not None:
        count += 1
    assert count == 200
    assert fields(story.workspace, "a")["label"] == "n2"


# -- steps -----------------------------------------------------------------------------------------------------------


def test_steps_come_apart_in_any_order_that_fits() -> None:
    """Compensation runs the inverses from the last to the first; the first one would not fit before."""
    story = Story()
    revision = story.do("ann", node("a"), node("b"), edge("a", "b"))
    workspace = Workspace()
    steps: list[Step] = list(story.steps_of(revision))
    for step in steps:
        apply(step, workspace)
    done = compensate(workspace, steps)
    assert whys(done) == []
    assert workspace.diagram.node_count == 0


# -- parts, and what is said of them -----------------------------------------------------------------------------------


def test_all_parts_of_a_change_that_fit_are_taken_back() -> None:
    """The group does not fit, the label and the notes behind it do."""
    story = Story(group("g"), group("h", parent="g", label="H"))
    out: Op = {"op": "move_to_group", "ids": ["h"], "group": None}
    story.do("ann", out, update("h", label="Ann", notes="by ann", technology="Go"))
    story.do("bob", {"op": "move_to_group", "ids": ["g"], "group": "h"})
    done = story.undo("ann")
    assert whys(done) == ["the group 'h' would stand in itself"]
    after = fields(story.workspace, "h")
    assert (after["label"], after.get("notes"), after.get("technology")) == ("H", None, None)


def test_what_is_so_already_is_said_with_force() -> None:
    """Somebody else has given the workspace its old name meanwhile."""
    story = Story({"op": "rename_workspace", "name": "Shop"})
    story.do("ann", {"op": "rename_workspace", "name": "Store"})
    story.do("bob", {"op": "rename_workspace", "name": "Shop"})
    done = story.undo("ann", force=True)
    assert done is not None
    assert (done.left_out, done.steps) == ([{"what": "the name", "why": "it is so already"}], [])
    assert story.workspace.name == "Shop"


def test_each_part_that_is_left_out_is_named_with_what_it_is_of() -> None:
    """The field or fields and the label of the node, the id of an edge without one, a property by its name."""
    story = Story(node("a", label="Orders"), node("b"), edge("a", "b", id="e"))
    story.do(
        "ann", update("a", notes="x", properties={"team": "one"}), {"op": "update_edge", "id": "e", "description": "x"},
        {"op": "define_type", "id": "crate", "label": "Crate", "type": "database"},
    )  # fmt: skip
    story.do(
        "bob", update("a", notes="y", properties={"team": "two"}), {"op": "update_edge", "id": "e", "description": "y"},
        {"op": "define_type", "id": "crate", "label": "Box", "type": "database"},
    )  # fmt: skip
    done = story.undo("ann")
    assert done is not None
    assert sorted(left["what"] for left in done.left_out) == [
        "description of 'e'", "notes of “Orders”", "property team of “Orders”", "the type 'crate'",
    ]  # fmt: skip
    assert done.steps == []


def test_a_locked_node_is_named_with_all_that_is_left_out() -> None:
    """By its label and the fields, and so is what an edge at it had."""
    story = Story(node("a", label="Orders"), node("b"), edge("a", "b", id="e"))
    story.do("ann", update("a", notes="x", technology="Go"), {"op": "update_edge", "id": "e", "label": "x"})
    story.do("bob", update("a", locked=True))
    done = story.undo("ann")
    assert done is not None
    assert {(left["what"], left["why"]) for left in done.left_out} == {
        ("technology, notes of “Orders”", "'a' is locked"),
        ("label of 'e'", "'a' is locked"),
    }
