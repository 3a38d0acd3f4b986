"""Named cases of locks against undo, and of restoring an old revision."""

from __future__ import annotations

import pytest

from draftsmith.errors import DraftsmithError
from tests.builders import Story, canonical, edge, fields, group, node, update
from tests.unit.test_undo_cases import whys


def test_a_lock_that_came_since_is_respected_even_with_force() -> None:
    """Bob locked the node; ann's change stays, and she is told which lock."""
    story = Story(group("g"), node("a", parent="g"))
    story.do("ann", update("a", label="Ann"))
    story.do("bob", update("g", locked=True))
    assert whys(story.undo("ann", force=True)) == ["'g' is locked"]
    assert fields(story.workspace, "a")["label"] == "Ann"


def test_undo_takes_its_own_lock_back() -> None:
    """The commit that locked can be undone, with everything it did beside it, and redone."""
    story = Story(node("b"))
    before = canonical(story.workspace)
    story.do("ann", node("a", locked=True), edge("a", "b"))
    after = canonical(story.workspace)
    assert whys(story.undo("ann")) == []
    assert canonical(story.workspace) == before
    assert whys(story.redo("ann")) == []
    assert canonical(story.workspace) == after


def test_undo_of_unlocking_locks_again() -> None:
    """Unlock and change in one commit: both go back."""
    story = Story(node("a", locked=True))
    before = canonical(story.workspace)
    story.do("ann", update("a", locked=False), update("a", label="Ann"))
    story.undo("ann")
    assert canonical(story.workspace) == before


def test_an_edge_comes_back_to_a_locked_node() -> None:
    """Adding edges is never locked, so undoing a delete of one is not either; its redo is."""
    story = Story(node("a"), node("b"), edge("a", "b"))
    story.do("ann", {"op": "delete_edge", "id": "a--b"})
    story.do("bob", update("a", locked=True))
    assert whys(story.undo("ann")) == []
    assert story.workspace.diagram.edge_count == 1
    assert whys(story.redo("ann")) == ["'a' is locked"]


def test_restore_does_not_go_over_a_lock() -> None:
    """What is locked and differs from the old state stops the restore before anything changes."""
    story = Story(node("a"), node("b"))
    story.do("ann", update("a", label="Ann"), update("b", label="Ann"))
    story.do("bob", update("a", locked=True))
    before = canonical(story.workspace)
    with pytest.raises(DraftsmithError) as refusal:
        story.restore("ann", 1)
    assert refusal.value.code == "locked"
    assert refusal.value.problems[0].candidates == ("a",)
    assert canonical(story.workspace) == before


def test_restore_passes_by_what_is_locked_and_the_same() -> None:
    """A locked node that is as it was stops nothing, and neither does one whose lock the old state has."""
    story = Story(node("a", locked=True), group("g", locked=True), node("b"))
    story.do("ann", update("b", label="Ann"))
    story.do("ann", update("g", locked=False), node("c", parent="g"))
    assert story.restore("bob", 1) is not None
    assert canonical(story.workspace) == canonical(story.at(1))


def test_restore_brings_back_a_locked_group_with_its_children() -> None:
    """The lock that comes back does not stand in the way of what comes back with it; nor does it of undoing that."""
    story = Story(group("g"), node("a", parent="g", label="In g"), node("b"), edge("a", "b"))
    story.do("ann", update("g", locked=True))
    story.do("ann", update("g", locked=False), {"op": "delete_node", "id": "g", "children": "delete"})
    left = canonical(story.workspace)
    story.restore("bob", 2)
    assert canonical(story.workspace) == canonical(story.at(2))
    assert whys(story.undo("bob")) == []
    assert canonical(story.workspace) == left
    assert whys(story.redo("bob")) == []
    assert canonical(story.workspace) == canonical(story.at(2))


def test_restore_across_types_that_changed() -> None:
    """What is a service now was a group with children then, and the other way round."""
    story = Story(group("g"), node("a", parent="g"), node("s"))
    story.do("ann", {"op": "delete_node", "id": "a"}, update("g", type="service"), update("s", type="group"))
    story.do("ann", node("x", parent="s"))
    story.restore("ann", 1)
    assert canonical(story.workspace) == canonical(story.at(1))


def test_restore_turns_groups_inside_out() -> None:
    """Group g stood in h and h stands in g now: no circle on the way."""
    story = Story(group("g"), group("h", parent="g"), node("a", parent="h"))
    out = {"op": "move_to_group", "ids": ["h"], "group": None}
    story.do("ann", out, {"op": "move_to_group", "ids": ["g"], "group": "h"})
    before = canonical(story.workspace)
    story.restore("ann", 1)
    assert canonical(story.workspace) == canonical(story.at(1))
    story.undo("ann")
    assert canonical(story.workspace) == before


def test_restore_brings_back_who_it_was() -> None:
    """A node whose id was used again comes back as the old one, so that old edits can be undone again."""
    story = Story(group("g"), node("a", label="One", parent="g"), node("b"), edge("a", "b"))
    story.do("ann", update("a", label="Two"))
    story.do("bob", {"op": "delete_node", "id": "g", "children": "delete"}, node("a"), group("g"), edge("a", "b"))
    story.restore("bob", 2)
    assert whys(story.undo("ann")) == []
    assert fields(story.workspace, "a")["label"] == "One"
