"""What an agent is told of what changed since it read, where documents are short or long."""

from __future__ import annotations

import pytest

from draftsmith.agents.answer import NOT_INSTRUCTIONS, ToolAnswer
from draftsmith.agents.changed_parts import changed_parts, read_changes
from draftsmith.agents.marks import line_mark, section_marks
from draftsmith.agents.reading import unpack_answer
from draftsmith.assistant.tools.lines import LEGEND, node_line
from draftsmith.history.record import decode_record
from draftsmith.model.ids import NodeId
from tests.builders import Op, Story, edge, node, update
from tests.kit.documents import append_to_section, delete_section, edit_section, insert_section, rename_section

NOTHING = "Nothing that these tools show has changed since."


def _answer(story: Story, since: int = 1) -> ToolAnswer:
    steps = [step for entry in story.log[since:] for step in decode_record(entry.body).steps]
    return unpack_answer(read_changes(changed_parts(steps), story.workspace))


def _changes(story: Story, since: int) -> str:
    return _answer(story, since).text


def _gone(story: Story, since: int = 1) -> list[str]:
    """What is named as no longer there."""
    return _changes(story, since).partition("<gone-")[2].partition("\n</gone-")[0].split("\n")[1:]


def _diagram() -> Story:
    return Story(node("a"), node("b", 300), node("c", 600), edge("a", "b", id="e"))


def _shown(*operations: Op) -> list[str]:
    """The ids of the nodes whose lines are shown after some commits, which are all that is marked as read."""
    story = _diagram()
    for operation in operations:
        story.do("ann", operation)
    answer = _answer(story)
    ids = [one for one in ("a", "b", "c", "n") if NodeId(one) in story.workspace.diagram]
    shown = [one for one in ids if f"\n{node_line(story.workspace.diagram, NodeId(one))}\n" in answer.text]
    assert list(answer.marks) == [line_mark(one) for one in shown]
    assert (f"\n{LEGEND}\n" in answer.text) == (f" changed={len(shown)}>" in answer.text) == bool(shown)
    return shown


def _without(text: str, gone: str) -> str:
    """What is told after somebody deleted a part of a text."""
    story = Story(text=text)
    start = text.index(gone)
    changes = [start, [len(gone)], len(text) - start - len(gone)]
    story.do("ann", {"op": "edit_text", "changes": [one for one in changes if one], "base_revision": 1})
    return _changes(story, 1)


@pytest.mark.parametrize("before, after", [("", ""), ("", "last words"), ("first words\n\n", "last words")])
def test_a_heading_that_was_deleted_is_named(before: str, after: str) -> None:
    """Also at the start, where nothing stands after it, or nothing that ends its line."""
    assert "\n# Old\n" in _without(f"{before}# Old\n{after}", "# Old\n")


def test_marks_of_a_heading_within_a_line_are_none() -> None:
    assert "Old" not in _without("We use C# Old and new.\n", "# Old")


def test_as_many_lines_are_shown_as_there_is_room_for_and_the_other_nodes_are_named() -> None:
    """They fill the room to the last line that fits, with the end of each line."""
    story = Story()
    nodes = [node(f"n{number:03}", label="x" * 100) for number in range(150)]
    story.do("ann", *nodes)
    lines, _, named = _changes(story, 0).partition("\nread_nodes shows more that changed: ")
    shown = [line for line in lines.split("\n") if "x" * 100 in line]
    assert len(named.split(", ")) == len(nodes) - len(shown)
    room = 12_000 - sum(len(line) + 1 for line in shown)
    assert 0 <= room < len(shown[0]) + 1


def test_a_section_for_which_there_is_no_room_is_named_and_the_next_is_shown() -> None:
    story = Story(text="start\n\n# Long\n\none\n\n# Short\n\ntwo\n")
    story.do(
        "ann",
        {"op": "replace_document", "text": f"begin\n\n# Long\n\n{'word ' * 3_000}\n\n# Short\n\nthree\n"},
    )
    told = _changes(story, 1)
    assert "read_sections shows more that changed: # Long" in told
    assert "[# Short, from line 7]\n# Short\n\nthree" in told
    assert "[, from line 1]\nbegin" in told


@pytest.mark.parametrize(
    "operations,shown",
    [
        ([update("a", label="New")], ["a"]),
        ([node("n", 900)], ["n"]),
        ([edge("b", "c")], ["b"]),
        ([{"op": "update_edge", "id": "e", "label": "calls"}], ["a"]),
        ([{"op": "delete_edge", "id": "e"}], ["a"]),
        ([{"op": "rewire_edge", "id": "e", "new_target": "c"}], ["a"]),
        ([{"op": "rewire_edge", "id": "e", "new_source": "c"}], ["a", "c"]),
        ([{"op": "delete_node", "id": "b"}], ["a"]),
        ([edge("b", "c", id="n"), {"op": "delete_edge", "id": "n"}, update("a", label="New")], ["a"]),
        ([update("a", label="New"), update("a", label="a"), update("c", label="New")], ["c"]),
        ([update("a", description="New"), update("c", label="New")], ["a", "c"]),
    ],
)
def test_the_lines_of_nodes_are_shown_that_read_differently(operations: list[Op], shown: list[str]) -> None:
    """An edge stands on the line of its source, also of the one that it had; what cancels out is not there."""
    assert _shown(*operations) == shown


@pytest.mark.parametrize(
    "operations",
    [
        [{"op": "move_nodes", "positions": {"a": {"x": 0, "y": 400}}}],
        [update("a", label="New"), update("a", label="a")],
        [edge("b", "c", id="n"), {"op": "delete_edge", "id": "n"}],
        [node("n", 900), {"op": "delete_node", "id": "n"}],
    ],
)
def test_what_cancels_out_and_where_things_stand_is_nothing(operations: list[Op]) -> None:
    story = _diagram()
    for operation in operations:
        story.do("ann", operation)
    answer = _answer(story)
    assert (answer.text, answer.marks) == (NOTHING, [])


@pytest.mark.parametrize(
    "operation,named",
    [
        (update("b", description="New"), "b"),
        (update("b", label="New"), ""),
        (update("b", label="New", description="New"), "b"),
        ({"op": "update_edge", "id": "e", "description": "New"}, "a"),
        ({"op": "update_edge", "id": "e", "label": "New"}, ""),
    ],
)
def test_a_node_is_named_of_which_more_changed_than_its_line_shows(operation: Op, named: str) -> None:
    """And the source of such an edge."""
    story = _diagram()
    story.do("ann", operation)
    _, _, told = _changes(story, 1).partition("read_nodes shows more that changed: ")
    assert told.partition("\n")[0] == named


def test_nodes_that_went_are_named_and_those_that_came_back_are_not() -> None:
    story = _diagram()
    story.do("ann", {"op": "delete_node", "id": "c"})
    story.do("ann", {"op": "delete_node", "id": "b"})
    story.do("ann", node("b", 300, label="Again"))
    assert _gone(story) == ["node c"]


def test_a_new_name_and_own_types_are_told_without_any_line() -> None:
    """The legend alone says which types there are; a name that was changed back is not new."""
    story = _diagram()
    story.do("ann", {"op": "rename_workspace", "name": 'The "Shop"'})
    assert _changes(story, 1) == 'It is called "The \\"Shop\\"" now.'
    story.do("ann", {"op": "rename_workspace", "name": "Shop"})
    assert _changes(story, 2) == 'It is called "Shop" now.'
    assert "called" not in _changes(story, 3)
    story.do("ann", {"op": "define_type", "id": "ledger", "label": "Ledger", "type": "database"})
    told = _changes(story, 3)
    assert "\nown types: ledger (database)\n" in told
    assert " changed=0>" in told


@pytest.mark.parametrize(
    "operation",
    [update("a", label="New"), append_to_section("# One", "More."), delete_section("# Two")],
)
def test_what_people_wrote_is_enclosed_and_said_to_be_material(operation: Op) -> None:
    """A line, a section, or the name of one that went: whichever there is alone."""
    story = Story(node("a"), text="# One\n\none\n\n# Two\n\ntwo\n")
    story.do("ann", operation)
    assert _changes(story, 1).count(NOT_INSTRUCTIONS) == 1


def test_sections_that_changed_are_shown_and_marked_and_no_others() -> None:
    story = Story(text="start\n\n# One\n\none\n\n# Two\n\ntwo\n\n# Three\n\nthree\n")
    story.do("ann", edit_section("# One", "one", "1"))
    story.do("ann", edit_section("# Three", "three", "3 🚀"))
    story.do("ann", edit_section("# Three", "3 🚀", "3 🚀 3"))
    answer = _answer(story)
    assert "[# One, from line 3]\n# One\n\n1\n" in answer.text
    assert "[# Three, from line 11]\n# Three\n\n3 🚀 3\n" in answer.text
    assert "two" not in answer.text
    assert "start" not in answer.text
    marks = [mark for _, mark in section_marks(story.workspace.document.outline)]
    assert list(answer.marks) == [marks[1], marks[3]]


def test_text_that_was_written_and_taken_away_again_is_nothing() -> None:
    story = Story(text="# One\n\none\n")
    story.do("ann", edit_section("# One", "one", "one two"))
    story.do("ann", edit_section("# One", "one two", "one"))
    assert _changes(story, 1) == NOTHING


def test_headings_that_went_are_named_as_they_were_and_those_that_moved_are_not() -> None:
    """A section that got another name is another; the line above may be a paragraph."""
    story = Story(text="🚀 words\n# Old\n\nold\n\n## Moved\n\nmoved\n")
    story.do("ann", rename_section("# Old", "New"))
    story.do("ann", delete_section("## Moved"))
    assert _gone(story) == ["# Old", "## Moved"]
    story.do("ann", insert_section("Moved", text="moved", level=2))
    assert _gone(story) == ["# Old"]


def test_lines_fill_the_room_to_the_last_character() -> None:
    """The last line that fits ends with the room; one character more, and it is only named, and not marked as read."""
    story = Story()
    ids = [f"n{number:03}" for number in range(100)]
    story.do("ann", *(node(one, label="x") for one in ids))
    bare = sum(len(node_line(story.workspace.diagram, NodeId(one))) + 1 for one in ids)
    longer, rest = divmod(12_000 - bare, 100)
    story.do("ann", *(update(one, label="x" * (1 + longer + (one == "n000") * rest)) for one in ids))
    answer = _answer(story, 0)
    assert list(answer.marks) == [line_mark(one) for one in ids]
    assert "read_nodes" not in answer.text
    story.do("ann", update("n000", label="x" * (2 + longer + rest)))
    answer = _answer(story, 0)
    assert list(answer.marks) == [line_mark(one) for one in ids[:-1]]
    assert answer.text.endswith("\nread_nodes shows more that changed: n099")


@pytest.mark.parametrize("more,told", [(0, ""), (1, "\nread_sections shows more that changed: # Two")])
def test_sections_fill_the_room_to_the_last_character(more: int, told: str) -> None:
    """Two that fill it together are shown; of one character more the second is only named, and not marked as read."""
    story = Story(text="# One\n\n1\n\n# Two\n\n2\n")
    frame = len(story.text) - len("12")
    story.do("ann", edit_section("# One", "1", "x" * 5_000))
    story.do("ann", edit_section("# Two", "2", "x" * (7_000 - frame + more)))
    assert len(story.text) == 12_000 + more
    answer = _answer(story)
    marks = [mark for _, mark in section_marks(story.workspace.document.outline)]
    assert list(answer.marks) == marks[1 : 3 - more]
    assert answer.text.partition(NOT_INSTRUCTIONS)[2] == told


def test_a_long_text_before_the_first_heading_is_named_without_a_path() -> None:
    story = Story(text="start\n\n# One\n\none\n")
    story.do("ann", edit_section("", "start", "words " * 2_001))
    assert _changes(story, 1) == 'read_sections shows more that changed: ""'


@pytest.mark.parametrize("count,more", [(100, ""), (101, " and 1 more")])
def test_a_hundred_are_named_and_the_others_counted(count: int, more: str) -> None:
    story = Story(*(node(f"n{number:03}") for number in range(count)))
    story.do("ann", *(update(f"n{number:03}", description="New") for number in range(count)))
    _, _, told = _changes(story, 1).partition("read_nodes shows more that changed: ")
    assert told == ", ".join(f"n{number:03}" for number in range(100)) + more
