"""What undo takes back next, by whose stack is asked."""

from __future__ import annotations

from tests.builders import Story

NODE = {"op": "add_node", "id": "api", "type": "api", "label": "API"}


def test_undo_of_all_takes_the_newest_of_anyone() -> None:
    """Not the oldest top of a stack: whoever comes first by name or has written first is no matter."""
    story = Story(NODE)
    for who, name in (("ann", "First"), ("zoe", "Second"), ("bob", "Third")):
        story.do(who, {"op": "rename_workspace", "name": name})
    story.undo("nobody", everyone=True)
    assert story.replica.workspace.name == "Second"
    story.undo("nobody", everyone=True)
    assert story.replica.workspace.name == "First"
