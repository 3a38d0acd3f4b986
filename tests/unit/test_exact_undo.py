"""Named cases of text that has gone or come back already: no undo, redo or revert doubles it."""

from __future__ import annotations

import pytest

from draftsmith.transform.compensate import Compensation
from tests.builders import Op, Story, canonical, edge, fields, group, node, update
from tests.unit.test_undo_cases import whys
from tests.unit.test_undo_text import edit

TEXT = "# Shop\n\nIntro.\n\n## Risks\n\nNone known.\n\n## Costs\n\nLow.\n"
BACK, GONE = "that text is already back", "that text is already gone"
CHANGED = "that text has been changed since"


def delete(section: str) -> Op:
    return {"op": "delete_section", "section": section}


def typed(story: Story, *parts: object) -> Op:
    return {"op": "edit_text", "changes": list(parts), "base_revision": story.replica.head.revision}


def said(done: Compensation | None) -> list[str]:
    assert done is not None
    return [f"{left['what']}: {left['why']}" for left in done.left_out]


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("section", ["Risks", "Shop"])
def test_a_deletion_that_was_undone_is_not_taken_back_again(section: str, force: bool) -> None:
    """Delete a section, undo, revert the deletion: the text stands there once, however often it is asked for."""
    story = Story(text=TEXT)
    gone = story.do("ann", delete(section))
    story.undo("ann")
    for who in ("ann", "bob"):
        done = story.revert(who, gone, force=force)
        assert whys(done) == [BACK]
        assert done.left_out[0]["what"].startswith("bringing back “#")
        assert story.text == TEXT


def test_a_redo_after_somebody_reverted_the_undo() -> None:
    """The undo of an insertion is reverted by bob: ann's redo finds the text there."""
    story = Story(text=TEXT)
    story.do("ann", edit("None known.", "None known. Really.", "Risks"))
    after = story.text
    story.undo("ann")
    story.revert("bob", story.replica.head.revision)
    assert story.text == after
    assert whys(story.redo("ann")) == [BACK]
    assert story.text == after


def test_an_insertion_that_was_taken_out_already() -> None:
    """Taken out by ann's undo, by bob's revert, again by ann's: gone once, said twice; the redo brings it back once."""
    story = Story(text=TEXT)
    made = story.do("ann", {"op": "insert_section", "title": "New", "text": "Words.", "after": "Risks"})
    after = story.text
    story.undo("ann")
    assert said(story.revert("bob", made)) == ["taking out “## New Words.”: that text is already gone"]
    assert story.text == TEXT
    story.redo("ann")
    assert story.text == after
    assert whys(story.revert("bob", made)) == []
    assert whys(story.revert("ann", made)) == [GONE]
    assert story.text == TEXT


def test_a_revert_of_a_revert_and_the_undo_in_between() -> None:
    """Whoever brings it back first does; the others are told."""
    story = Story(text=TEXT)
    gone = story.do("ann", delete("Risks"))
    back = story._next
    assert whys(story.revert("bob", gone)) == []
    assert whys(story.revert("ann", gone)) == [BACK]
    assert whys(story.revert("cleo", back)) == []
    assert "Risks" not in story.text
    assert whys(story.revert("ann", back)) == [GONE]
    assert whys(story.undo("cleo")) == []
    assert whys(story.revert("ann", gone)) == [BACK]
    assert story.text == TEXT


def test_a_part_that_was_left_out_comes_back_later_and_only_that() -> None:
    """Two places; bob's word keeps one from going back; once it is gone, a revert takes back that one alone."""
    story = Story(text=TEXT)
    both = story.do("ann", edit("Intro.", "Begin.", "Shop"), edit("Low.", "High.", "Costs"))
    story.do("bob", edit("Begin.", "Be gin.", "Shop"))
    assert whys(story.undo("ann")) == [CHANGED]
    assert "Low." in story.text
    story.undo("bob")
    assert said(story.revert("ann", both)) == ["bringing back “Low”: that text is already back"]
    assert story.text == TEXT


def test_what_somebody_deleted_of_text_that_came_back_stays_deleted() -> None:
    """Reverting the first deletion once more does not undo the second one."""
    story = Story(text=TEXT)
    gone = story.do("ann", delete("Risks"))
    story.undo("ann")
    story.do("bob", edit("None known.\n", "", "Risks"))
    before = story.text
    assert whys(story.revert("ann", gone)) == [BACK]
    assert story.text == before
    story.undo("bob")
    assert story.text == TEXT


def test_text_that_came_back_and_was_deleted_again_by_another_commit() -> None:
    """Two commits deleted the same text, one after the other was undone: each of them brings it back, not both."""
    story = Story(text=TEXT)
    first = story.do("ann", delete("Risks"))
    story.undo("ann")
    second = story.do("bob", delete("Risks"))
    assert whys(story.revert("cleo", first)) == []
    assert story.text == TEXT
    assert whys(story.undo("bob")) == [BACK]
    assert whys(story.revert("cleo", second)) == [BACK]
    assert story.text == TEXT


def test_a_restored_revision_has_brought_it_back() -> None:
    """The deletion is not taken back where a restore has brought its text back."""
    story = Story(text=TEXT)
    before = story.replica.head.revision
    gone = story.do("ann", delete("Risks"))
    story.do("bob", edit("Low.", "Lower.", "Costs"))
    story.restore("bob", before)
    assert whys(story.revert("ann", gone)) == [BACK]
    assert story.text == TEXT
    story.undo("bob")
    assert "Risks" not in story.text
    assert whys(story.revert("ann", gone)) == []
    assert story.text == TEXT.replace("Low.", "Lower.")


def test_text_that_the_same_person_puts_back_in_its_place() -> None:
    """As the page's own undo does, which pushes the deleted text as an insertion."""
    story = Story(text="one two three")
    gone = story.do("ann", typed(story, 4, [4], 5))
    story.do("ann", typed(story, 4, [0, "two "], 5))
    assert story.text == "one two three"
    assert whys(story.revert("ann", gone)) == [BACK]
    assert story.text == "one two three"


def test_an_insertion_that_was_undone_and_redone_stands_between_edited_neighbours() -> None:
    """Both neighbours were edited since: the text itself is as it was written, so it can be taken out."""
    story = Story(text="left right")
    made = story.do("ann", typed(story, 5, [0, "middle "], 5))
    story.undo("ann")
    story.redo("ann")
    story.do("bob", typed(story, [5, "LEFT "], 7, [5, "RIGHT"]))
    assert story.text == "LEFT middle RIGHT"
    assert whys(story.revert("ann", made)) == []
    assert story.text == "LEFT RIGHT"


def test_an_undone_replacement_goes_on_where_the_word_stands() -> None:
    """Words written before it and after it meanwhile stay before and after what the redo brings back."""
    story = Story(text="a beta b")
    story.do("ann", typed(story, 2, [4, "BETA"], 2))
    story.undo("ann")
    story.do("bob", typed(story, 2, [0, "very "], 4, [0, " indeed"], 2))
    story.redo("ann")
    assert story.text == "a very BETA indeed b"
    story.undo("ann")
    assert story.text == "a very beta indeed b"


def test_text_does_not_come_back_where_all_around_it_is_gone() -> None:
    """The paragraph around a deleted word was deleted: the word stays deleted until that is back."""
    story = Story(text="one two three\n\nend\n")
    word = story.do("ann", typed(story, 4, [4], 11))
    story.do("bob", typed(story, [9], 6))
    assert whys(story.revert("ann", word)) == [CHANGED]
    story.undo("bob")
    assert whys(story.revert("ann", word)) == []
    assert story.text == "one two three\n\nend\n"


# -- what cancels inside a batch -------------------------------------------------------------------------------------


def kinds(story: Story) -> list[str]:
    return [step.to_json()["k"] for step in story.steps_of(story.replica.head.revision)]


def test_an_edge_that_never_was_outside_its_batch_is_not_reported() -> None:
    """Added and deleted with its end by one batch; bob takes the id of that: only the node is left out."""
    story = Story(node("a"), node("b"))
    story.do("ann", edge("a", "b"), {"op": "delete_node", "id": "b"})
    assert kinds(story) == ["node-"]
    story.do("bob", node("b"))
    assert said(story.undo("ann")) == ["bringing back “b”: the id 'b' is taken"]


def test_what_a_batch_adds_and_deletes_leaves_no_step() -> None:
    """A node with its edges and fields, a group around another node, a value that is set and set back."""
    story = Story(node("a"), node("b"), update("b", notes="old"))
    before = canonical(story.workspace)
    story.do(
        "ann",
        node("c"),
        edge("a", "c"),
        update("c", label="C"),
        update("b", notes="new"),
        {"op": "delete_node", "id": "c"},
        update("b", notes="old"),
        update("a", label="A"),
    )
    assert kinds(story) == ["node="]
    story.undo("ann")
    assert canonical(story.workspace) == before


def test_what_else_needs_it_keeps_its_steps() -> None:
    """A node that was moved through a group which the batch made and deleted comes back to where it stood."""
    story = Story(node("a"))
    before = canonical(story.workspace)
    move = {"op": "move_to_group", "ids": ["a"], "group": "g"}
    story.do("ann", group("g"), move, {"op": "ungroup_nodes", "id": "g"}, update("a", label="A"))
    after = canonical(story.workspace)
    assert whys(story.undo("ann")) == []
    assert canonical(story.workspace) == before
    story.redo("ann")
    assert canonical(story.workspace) == after


def test_a_label_that_made_room_meanwhile_keeps_its_steps() -> None:
    """Without the change and its reverse the batch would not fit: two edges would be the same in between."""
    story = Story(node("a"), node("b"), edge("a", "b", id="e", label="reads"))
    story.do(
        "ann",
        {"op": "update_edge", "id": "e", "label": "writes"},
        edge("a", "b", id="f", label="reads"),
        {"op": "update_edge", "id": "f", "label": "calls"},
        {"op": "update_edge", "id": "e", "label": "reads"},
    )
    assert {key: (story.workspace.diagram.edge(key) or {})["label"] for key in ("e", "f")} == {
        "e": "reads",
        "f": "calls",
    }
    assert whys(story.undo("ann")) == []
    assert fields(story.workspace, "a")["label"] == "a"
