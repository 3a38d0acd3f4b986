"""Named cases of text that has gone or come back already: no undo, redo or revert doubles it."""

from __future__ import annotations

import pytest

from draftsmith.transform.steps.changeset import from_json
from draftsmith.transform.steps.text import edit_of
from draftsmith.transform.undo.compensate import Compensation
from draftsmith.transform.undo.retract import range_retraction
from draftsmith.transform.undo.text_run import TextCommit
from tests.builders import Op, Story, canonical, edge, fields, group, node, update
from tests.kit.documents import delete_section, edit_section
from tests.unit.test_undo_cases import whys

TEXT = "# Shop\n\nIntro.\n\n## Risks\n\nNone known.\n\n## Costs\n\nLow.\n"
SECTIONS = "# Shop\n\n## Risks\n\nFew of old.\n\n## Costs\n\nLow as yet.\n\n## Dates\n\nSoon enough.\n"
BACK, GONE = "that text is already back", "that text is already gone"
CHANGED = "that text has been changed since"


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
    gone = story.do("ann", delete_section(section))
    story.undo("ann")
    for who in ("ann", "bob"):
        done = story.revert(who, gone, force=force)
        assert whys(done) == [BACK]
        assert done.left_out[0]["what"].startswith("bringing back “#")
        assert story.text == TEXT


def test_a_redo_after_somebody_reverted_the_undo() -> None:
    """The undo of an insertion is reverted by bob: ann's redo finds the text there."""
    story = Story(text=TEXT)
    story.do("ann", edit_section("Risks", "None known.", "None known. Really."))
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
    gone = story.do("ann", delete_section("Risks"))
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
    both = story.do("ann", edit_section("Shop", "Intro.", "Begin."), edit_section("Costs", "Low.", "High."))
    story.do("bob", edit_section("Shop", "Begin.", "Be gin."))
    assert whys(story.undo("ann")) == [CHANGED]
    assert "Low." in story.text
    story.undo("bob")
    assert said(story.revert("ann", both)) == ["bringing back “Low”: that text is already back"]
    assert story.text == TEXT


def test_what_somebody_deleted_of_text_that_came_back_stays_deleted() -> None:
    """Reverting the first deletion once more does not undo the second one."""
    story = Story(text=TEXT)
    gone = story.do("ann", delete_section("Risks"))
    story.undo("ann")
    story.do("bob", edit_section("Risks", "None known.\n", ""))
    before = story.text
    assert whys(story.revert("ann", gone)) == [BACK]
    assert story.text == before
    story.undo("bob")
    assert story.text == TEXT


def test_text_that_came_back_and_was_deleted_again_by_another_commit() -> None:
    """Two commits deleted the same text, one after the other was undone: each of them brings it back, not both."""
    story = Story(text=TEXT)
    first = story.do("ann", delete_section("Risks"))
    story.undo("ann")
    second = story.do("bob", delete_section("Risks"))
    assert whys(story.revert("cleo", first)) == []
    assert story.text == TEXT
    assert whys(story.undo("bob")) == [BACK]
    assert whys(story.revert("cleo", second)) == [BACK]
    assert story.text == TEXT


def test_replaced_text_of_which_a_part_came_back_comes_back_in_its_order() -> None:
    """A word was deleted and came back, was replaced with its neighbours, and came back beside what replaced it."""
    story = Story(text="one two three four five")
    gone = story.do("ann", typed(story, 4, [4], 15))
    story.revert("ann", gone)
    story.do("bob", typed(story, 4, [14, "new"], 5))
    assert whys(story.revert("ann", gone)) == []
    assert story.text == "one newtwo  five"
    assert whys(story.undo("bob")) == []
    assert story.text == "one two three four five"
    assert whys(story.redo("bob")) == []
    assert story.text == "one newtwo  five"


def test_a_restored_revision_has_brought_it_back() -> None:
    """The deletion is not taken back where a restore has brought its text back."""
    story = Story(text=TEXT)
    before = story.replica.head.revision
    gone = story.do("ann", delete_section("Risks"))
    story.do("bob", edit_section("Costs", "Low.", "Lower."))
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


def test_the_same_text_written_where_it_was_undone_is_new() -> None:
    """Bob undid ann's word and types the same one there: the revert of hers leaves his alone."""
    story = Story(text="one three")
    made = story.do("ann", typed(story, 4, [0, "two "], 5))
    story.undo("bob", everyone=True)
    story.do("bob", typed(story, 4, [0, "two "], 5))
    assert whys(story.revert("cleo", made)) == [GONE]
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


# -- what a restore led back to --------------------------------------------------------------------------------------


def test_undo_of_what_was_deleted_again_after_a_restore_that_leads_further_back() -> None:
    """The commit that is undone is newer than the restored revision: its text is there once."""
    story = Story(text=TEXT)
    story.do("ann", edit_section("Costs", "Low.", "Lower."))
    kept = story.replica.head.revision
    story.do("bob", edit_section("Shop", "Intro.", "Begin."))
    gone = story.do("bob", delete_section("Risks"))
    story.restore("cleo", kept)
    assert whys(story.revert("ann", gone)) == [BACK]
    assert story.text == TEXT.replace("Low.", "Lower.")


def test_undo_of_a_change_of_text_that_a_restore_brought_back() -> None:
    """Written, deleted by bob, restored: bob's undo brings it back no second time, and ann's takes it out."""
    story = Story(text=TEXT)
    made = story.do("ann", {"op": "replace_section", "section": "Risks", "text": "Fire."})
    after = story.text
    story.do("bob", edit_section("Risks", "Fire.", ""))
    story.restore("cleo", made)
    assert whys(story.undo("bob")) == [BACK]
    assert story.text == after
    assert whys(story.undo("ann")) == []
    assert story.text == TEXT


def test_text_that_a_restore_brought_back_can_be_taken_out_again() -> None:
    """Two places, undone and restored: the revert takes both out."""
    story = Story(text=TEXT)
    section = {"op": "insert_section", "title": "New", "text": "Words.", "after": "Risks"}
    made = story.do("ann", {"op": "append_to_section", "section": "Risks", "text": "Fire."}, section)
    story.undo("ann")
    story.restore("cleo", made)
    assert whys(story.revert("ann", made)) == []
    assert story.text == TEXT


def test_text_that_a_restore_left_alone_is_as_it_was() -> None:
    """The restore changed another section: the redo of a deletion finds its text whole."""
    story = Story(text=TEXT)
    story.do("ann", delete_section("Risks"), delete_section("Costs"))
    after = story.text
    story.do("bob", edit_section("Shop", "Intro.", "Begin."))
    kept = story.replica.head.revision + 1
    story.undo("ann")
    story.do("bob", edit_section("Shop", "Begin.", "Start."))
    story.restore("cleo", kept)
    assert whys(story.redo("ann")) == []
    assert story.text == after.replace("Intro.", "Begin.")


def test_two_restores_one_after_the_other() -> None:
    """The second leads back to text that the first brought back; the undo of what deleted it finds it there."""
    story = Story(text=TEXT)
    first = story.replica.head.revision
    story.do("ann", {"op": "replace_document", "text": "# Shop\n\nIntro.\n\n## Costs\n\nHigh.\n"})
    story.do("ann", edit_section("Shop", "Intro.", "Begin."))
    story.restore("bob", first)
    second = story.replica.head.revision
    story.do("bob", delete_section("Risks"))
    story.do("cleo", edit_section("Costs", "Low.", "Lower."))
    story.restore("ann", second)
    assert whys(story.undo("bob")) == [BACK]
    assert story.text == TEXT


def test_text_deleted_over_a_heading_that_a_restore_brought_back() -> None:
    """A span from one section into the next; somebody writes elsewhere meanwhile."""
    story = Story(text=TEXT)
    first = story.replica.head.revision
    gone = story.do("ann", typed(story, 18, [19], len(TEXT) - 37))
    story.do("bob", edit_section("Costs", "Low.", "Lower."))
    story.restore("ann", first)
    assert whys(story.revert("cleo", gone)) == [BACK]
    assert story.text == TEXT


def test_an_insertion_comes_back_where_it_stood_though_all_around_it_was_replaced_and_restored() -> None:
    """Appended and undone; then the section is rewritten and restored: the redo appends it as before."""
    story = Story(text=TEXT)
    first = story.replica.head.revision
    story.do("ann", {"op": "append_to_section", "section": "Risks", "text": "Fire."})
    after = story.text
    story.undo("ann")
    story.do("bob", {"op": "replace_section", "section": "Risks", "text": "Many."})
    story.restore("bob", first)
    assert story.text == TEXT
    assert whys(story.redo("ann")) == []
    assert story.text == after


def test_a_restore_that_was_undone_leads_back_to_what_it_replaced() -> None:
    """Equal lines among those that go and those that come: the undo of the restore, then the one of the deletion."""
    story = Story(text=TEXT)
    first = story.replica.head.revision
    gone = story.do("ann", delete_section("Risks"))
    made = story.do("bob", {"op": "insert_section", "title": "New", "text": "None known.", "after": "Costs"})
    after = story.text
    story.restore("cleo", first)
    assert story.text == TEXT
    story.undo("cleo")
    assert story.text == after
    assert whys(story.revert("ann", gone)) == []
    assert whys(story.revert("bob", made)) == []
    assert story.text == TEXT


def test_words_that_were_not_yet_written_at_the_restored_revision_stay_away() -> None:
    """They were deleted with the section that the restore brought back without them: the revert brings back nothing."""
    story = Story(text=TEXT)
    first = story.replica.head.revision
    story.do("ann", edit_section("Risks", "None known.", "None at all known."))
    story.do("ann", edit_section("Risks", "None at all k", "K"))
    before = story.text
    gone = story.do("bob", delete_section("Risks"))
    story.restore("cleo", first)
    assert whys(story.revert("ann", gone)) == [BACK]
    assert story.text == TEXT
    story.undo("cleo")
    assert whys(story.revert("ann", gone)) == []
    assert story.text == before


def test_a_restore_and_its_undo_change_nothing_for_what_was_deleted_before_them() -> None:
    """A word went, then all around it; a restore of then and its undo: the word still has no place to come back to."""
    story = Story(text=SECTIONS)
    kept = story.replica.head.revision
    gone = story.do("ann", edit_section("Risks", "of old", ""))
    story.do("bob", delete_section("Risks"))
    before = story.text
    for _ in range(2):
        assert whys(story.revert("ann", gone)) == [CHANGED]
        story.restore("cleo", kept)
        story.undo("cleo")
        assert story.text == before


def test_words_of_a_part_that_a_restore_took_out_do_not_come_back_alone() -> None:
    """A word of a new section was deleted; the restore takes the section out: the revert has no place for the word."""
    story = Story(text=SECTIONS)
    kept = story.replica.head.revision
    story.do("bob", {"op": "insert_section", "title": "New", "text": "Many words."})
    gone = story.do("ann", edit_section("New", "words", ""))
    story.restore("cleo", kept)
    assert whys(story.revert("ann", gone)) == [CHANGED]
    assert story.text == SECTIONS


def test_a_redo_of_a_restore_is_as_the_restore_was_for_what_was_not_yet_written_then() -> None:
    """Between a restore's undo and its redo, the deletion of a section is undone and redone.

    The redo of the restore brings the section back without its newest paragraph; the undo of the deletion adds none.
    """
    story = Story(text=SECTIONS)
    kept = story.do("ann", edit_section("Dates", "Soon enough.", "Soon."))
    story.do("bob", {"op": "append_to_section", "section": "Dates", "text": "Bygone."})
    story.do("bob", delete_section("Dates"))
    story.restore("ann", kept)
    restored = story.text
    story.undo("ann")
    assert whys(story.undo("bob")) == []
    assert "Bygone." in story.text
    assert whys(story.redo("bob")) == []
    assert whys(story.redo("ann")) == []
    assert story.text == restored
    assert whys(story.undo("bob")) == [BACK]
    assert story.text == restored


def test_text_that_a_restore_brought_back_which_was_undone_and_redone() -> None:
    """The redo is written shorter than the restore, since both sides end alike: the undo of the deletion finds it."""
    story = Story(text=SECTIONS)
    first = story.do("ann", delete_section("Risks"))
    story.revert("bob", first)
    story.do("ann", delete_section("Costs"))
    gone = story.do("ann", delete_section("Dates"))
    story.restore("cleo", first)
    restored = story.text
    story.undo("cleo")
    story.redo("cleo")
    assert story.text == restored
    assert whys(story.revert("ann", gone)) == [BACK]
    assert story.text == restored


# -- ranges of typing ------------------------------------------------------------------------------------------------


def test_ranges_that_overlap_bring_text_back_once() -> None:
    """The first brought "Ll m " back that push 5 had deleted: the second, which holds that push, too, does not."""
    pushes: list[tuple[list[object], tuple[int, int] | None]] = [
        ([1, [2, "hIi j"], 8], None),
        ([1, [5, "b "], 8], (1, 1)),
        ([1, [2, "hIi j"], 8], (2, 2)),
        ([4, [2, "k"], 3, [0, "Ll m "], 5], None),
        ([4, [1, " j"], 3, [5], 5], None),
        ([[2, "n"], 9, [3, "Oo p q"]], None),
        ([[1, "ah"], 9, [6, "Ffg"]], (6, 6)),
        ([9, [0, "Rr "], 5], None),
        ([4, [2, "k"], 3, [3, "Ll m "], 5], (5, 8)),
        ([4, [1, " j"], 13], (4, 4)),
    ]
    text = "ab Cc deFfg"
    commits: list[TextCommit] = []
    for revision, (parts, taken) in enumerate(pushes, 1):
        step = edit_of(text, from_json(parts))
        commits.append(TextCommit(revision, step, "bob" if taken else "ann", taken, is_typed=taken is None))
        text = step.changes.apply(text)
    assert text == "ahIi jCc Ll m deFfg"
    again = range_retraction(commits, [5, 6, 8]).changes.apply(text)
    assert again.count("Ll m ") == 1


@pytest.mark.parametrize("properties", [{"queue": "orders"}, {"queue": "orders", "retries": "2"}, {}])
def test_a_restore_brings_back_the_properties_of_nodes_and_edges(properties: dict[str, str]) -> None:
    story = Story(node("a", properties=properties), node("b"), edge("a", "b", id="e", properties=properties))
    before = canonical(story.workspace)
    changed = {"queue": "payments", "retries": None}
    story.do("ann", update("a", properties=changed), {"op": "update_edge", "id": "e", "properties": changed})
    assert canonical(story.workspace) != before
    story.restore("bob", 1)
    assert canonical(story.workspace) == before


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


# -- what cannot be taken out ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("force", [False, True])
def test_a_node_that_stays_is_as_its_batch_left_it(force: bool) -> None:
    """Added and labelled by one batch, connected by bob: the undo leaves it, and its label, whatever is forced."""
    story = Story(node("a"))
    made = story.do("ann", node("b"), update("b", label="Called"))
    story.do("bob", edge("a", "b"))
    before = canonical(story.workspace)
    assert whys(story.revert("ann", made, force=force)) == ["the node 'b' has edges"]
    assert canonical(story.workspace) == before


def test_an_edge_that_stays_is_as_its_batch_left_it() -> None:
    """Added and labelled by one batch; bob gives it a kind: the undo leaves it, and its label."""
    story = Story(node("a"), node("b"))
    made = story.do("ann", edge("a", "b", id="e"), {"op": "update_edge", "id": "e", "label": "reads"})
    story.do("bob", {"op": "update_edge", "id": "e", "kind": "async"})
    before = canonical(story.workspace)
    assert whys(story.revert("ann", made)) == ["the edge 'e' has been changed since"]
    assert canonical(story.workspace) == before
