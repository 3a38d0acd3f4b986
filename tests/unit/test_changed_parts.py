"""What an agent is told of what changed since it read, where documents are short or long."""

from __future__ import annotations

import pytest

from draftsmith.agents.changed_parts import changed_parts, read_changes
from draftsmith.agents.reading import unpack_answer
from draftsmith.history.record import decode_record
from tests.builders import Story, node


def _changes(story: Story, since: int) -> str:
    steps = [step for entry in story.log[since:] for step in decode_record(entry.body).steps]
    return unpack_answer(read_changes(changed_parts(steps), story.workspace)).text


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
