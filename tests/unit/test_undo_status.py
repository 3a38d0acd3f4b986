"""Whether a commit stands, told from the log: undo, redo, revert, in any order, whole and in part."""

from __future__ import annotations

from typing import Any

from draftsmith.history.undo_status import undo_status_of
from tests.builders import Story

TEXT = "# Shop\n\nOrders come in.\n\n## Storage\n\nKept in Postgres.\n"
START = [
    {"op": "add_node", "id": "api", "type": "api", "label": "API"},
    {"op": "add_node", "id": "db", "type": "database", "label": "Database"},
]
THREE = [
    {"op": "add_node", "id": "cache", "type": "cache", "label": "Cache"},
    {"op": "update_node", "id": "db", "label": "Ledger"},
    {"op": "edit_section", "section": "Storage", "find": "Postgres", "replace": "MySQL"},
]
LABEL = {"op": "update_node", "id": "db", "label": "Ben's"}


def begun_story() -> Story:
    return Story(*START, text=TEXT)


def undone(story: Story, revision: int) -> Any:
    found = undo_status_of(story.log[revision - 1], story.log[revision:])
    return None if found is None else (found.revision, found.left_out, found.of)


def head(story: Story) -> int:
    return story.replica.head.revision


def test_what_nobody_took_back_stands() -> None:
    """However much others do, and whatever else is undone."""
    story = begun_story()
    run = story.do("ann", *THREE)
    story.do("bob", LABEL)
    story.undo("bob")
    assert undone(story, run) is None
    assert undone(story, run + 1) == (run + 2, 0, 1)


def test_undo_redo_and_undo_again() -> None:
    """A redo makes it stand again; an undo of the redo takes it back again, and is the one that is named."""
    story = begun_story()
    run = story.do("ann", *THREE)
    told = []
    for _ in range(30):
        story.undo("ann")
        told.append(undone(story, run))
        assert told[-1] == (head(story), 0, 3)
        story.redo("ann")
        assert undone(story, run) is None


def test_somebody_elses_revert_and_its_undo() -> None:
    """A revert takes it back for whoever made it; undoing the revert makes it stand."""
    story = begun_story()
    run = story.do("ann", *THREE)
    story.revert("bob", run)
    assert undone(story, run) == (run + 1, 0, 3)
    story.undo("bob")
    assert undone(story, run) is None
    assert undone(story, run + 1) == (run + 2, 0, 3)
    story.redo("bob")
    assert undone(story, run) == (head(story), 0, 3)


def test_in_part() -> None:
    """What others changed since is left, and counted; the rest of it may be taken back by force."""
    story = begun_story()
    run = story.do("ann", *THREE)
    story.do("bob", LABEL)
    story.undo("ann")
    assert undone(story, run) == (run + 2, 1, 3)
    story.revert("ann", run, force=True)
    assert undone(story, run) == (run + 3, 0, 3)
    story.undo("ann")
    assert undone(story, run) == (run + 2, 1, 3), "the force is taken back, the undo before it stands"


def test_in_part_and_brought_back() -> None:
    """A redo after an undo in part leaves nothing undone."""
    story = begun_story()
    run = story.do("ann", *THREE)
    story.do("bob", LABEL)
    story.undo("ann")
    story.redo("ann")
    assert undone(story, run) is None


def test_a_redo_in_part() -> None:
    """What a redo could not bring back is still undone."""
    story = begun_story()
    run = story.do("ann", *THREE)
    story.undo("ann")
    story.do("bob", LABEL)
    story.redo("ann")
    assert undone(story, run) == (run + 1, 2, 3), "the label is still undone, the other two are back"


def test_a_field_that_was_left_counts_for_its_node() -> None:
    story = begun_story()
    run = story.do("ann", {"op": "update_node", "id": "db", "label": "Ledger", "technology": "MySQL"}, THREE[0])
    story.do("bob", LABEL)
    story.undo("ann")
    assert undone(story, run) == (run + 2, 1, 2)


def test_stretches_of_the_document_are_counted() -> None:
    """Two changes of the text, one of which somebody has written over."""
    story = begun_story()
    run = story.do("ann", {"op": "edit_section", "section": "Shop", "find": "Orders", "replace": "Carts"}, THREE[2])
    story.do("bob", {"op": "edit_section", "section": "Storage", "find": "MySQL", "replace": "MariaDB"})
    story.undo("ann")
    assert undone(story, run) == (run + 2, 1, 2)
    story.undo("bob")
    story.revert("ann", run)
    assert undone(story, run) == (run + 4, 0, 2)


def test_an_undo_that_finds_nothing_left_takes_nothing_back() -> None:
    story = begun_story()
    run = story.do("ann", THREE[0])
    story.do("bob", {"op": "delete_node", "id": "cache"})
    story.undo("ann")
    assert undone(story, run) is None


def test_routes_that_a_move_drops_are_no_things() -> None:
    story = begun_story()
    story.do("ann", {"op": "add_edge", "id": "e", "source": "api", "target": "db", "route": [{"x": 1, "y": 2}]})
    run = story.do("ann", {"op": "move_nodes", "positions": {"db": {"x": 900, "y": 900}}})
    story.undo("ann")
    assert undone(story, run) == (run + 1, 0, 1)
