"""A workspace is led from any of its states to any other one, births and all."""

from __future__ import annotations

from itertools import permutations

import pytest

from draftsmith.errors import DraftsmithError
from draftsmith.history.replica import copy_workspace
from draftsmith.transform.steps.steps import roll_back
from draftsmith.transform.undo.restore import difference, restore
from tests.builders import Op, Story, assert_sound, canonical, edge, group, node, update
from tests.kit.documents import append_to_section
from tests.unit.test_steps import delete, into

ROUTE = [{"x": 300, "y": 30}, {"x": 300, "y": 230}]


COMMITS: list[list[Op]] = [
    [group("g"), node("a", parent="g"), node("b", 500, 200), edge("a", "b", id="e", label="calls", route=ROUTE)],
    [{"op": "define_type", "id": "crate", "label": "Crate", "type": "database"}, node("c", 900, type="crate")],
    [into(None, "a"), update("g", type="service"), edge("g", "a", id="f", kind="data")],
    [{"op": "rename_workspace", "name": "Store"}, append_to_section("A", "two"), update("b", properties={"k": "1"})],
    [delete("a"), node("a", 0, 900, label="Other"), edge("a", "b", id="e", label="asks")],
    [delete("g"), group("g", 0, 400), group("h", 40, 440, parent="g"), into("h", "a", "b")],
    [{"op": "update_edge", "id": "e", "label": "reads", "description": "x"}, update("b", properties={"l": "2"})],
    [{"op": "move_nodes", "positions": {"b": {"x": 900, "y": 900}}}, {"op": "update_edge", "id": "e", "route": ROUTE}],
    [{"op": "rewire_edge", "id": "e", "new_target": "c"}, update("c", type="database", notes="n")],
    [{"op": "delete_type", "id": "crate"}, delete("h"), {"op": "rename_workspace", "name": "Shop"}],
]


@pytest.fixture(scope="module")
def story() -> Story:
    """Nodes and groups that go and are made anew, edges that move, types, names and text."""
    story = Story(text="# A\n\none\n")
    for operations in COMMITS:
        story.do("ann", *operations)
    return story


def test_every_state_leads_to_every_other_one(story: Story) -> None:
    """Equal to the byte, by steps that are in order and can be taken out again."""
    revisions = range(1, len(story.log) + 1)
    states = {revision: story.at(revision) for revision in revisions}
    for start, end in permutations(revisions, 2):
        workspace = copy_workspace(states[start])
        steps = restore(workspace, states[end])
        assert canonical(workspace) == canonical(states[end])
        assert_sound(workspace)
        roll_back(steps, workspace)
        assert canonical(workspace) == canonical(states[start])


def test_a_state_leads_to_itself_by_no_step(story: Story) -> None:
    for revision in range(1, len(story.log) + 1):
        assert restore(story.at(revision), story.at(revision)) == []


def test_a_locked_node_that_would_change_stays_and_all_else_with_it() -> None:
    """Unless it is only compared, or differs in nothing; one that the state itself has locked is no obstacle."""
    story = Story(group("g"), node("a", parent="g"), node("b", 500))
    story.do("ann", update("a", label="A"), update("b", label="B"))
    story.do("ann", update("g", locked=True))
    locked = story.workspace
    before = canonical(locked)
    with pytest.raises(DraftsmithError) as refusal:
        restore(locked, story.at(1))
    assert (refusal.value.code, "'g' is locked" in str(refusal.value)) == ("locked", True)
    assert canonical(locked) == before
    workspace = copy_workspace(locked)
    assert difference(workspace, story.at(1))
    assert canonical(workspace) == canonical(story.at(1))
    workspace = story.at(1)
    assert restore(workspace, locked)
    assert canonical(workspace) == before
