"""What the model hears: every problem once, with its place and what would fit, in calm words, and never too much."""

from __future__ import annotations

import re
from typing import Any

import pytest

from draftsmith.assistant.answers import feedback
from draftsmith.errors import BatchRejected, DraftsmithError, Problem
from tests.builders import node, run, workspace_of
from tests.shop import shop


def _rejection(*operations: dict[str, Any]) -> str:
    """What is said of a batch that the shop refuses."""
    with pytest.raises(DraftsmithError) as caught:
        run(shop(), *operations, by_person=False)
    return feedback.rejection_text(caught.value)


def test_a_rejection_names_place_code_and_candidates() -> None:
    """As in a program: operations[1].target; nothing was applied; send it all again."""
    said = _rejection(
        {"op": "add_edge", "source": "orders", "target": "metrics", "label": "traces"},
        {"op": "add_edge", "source": "orders", "target": "payment"},
    )
    assert said.startswith("Nothing was applied.\n- operations[1].target (add_edge): There is no node 'payment'.")
    assert "(node_not_found)" in said
    assert "payments" in said
    assert said.endswith("Send the whole batch again, corrected.")


def test_what_follows_from_a_failure_says_so() -> None:
    """And repeats no candidates, which would send the model the wrong way."""
    said = _rejection(
        {"op": "add_node", "id": "Bad Id", "type": "cache", "label": "C"},
        {"op": "add_edge", "source": "orders", "target": "Bad Id"},
    )
    assert "It follows from operations[0]." in said
    assert said.count("Closest:") == 1


def test_a_quote_that_is_not_there_shows_the_nearest() -> None:
    """With the document's own words, once, and where to look."""
    said = _rejection({"op": "edit_section", "section": "## Capacity", "find": "| Orders | 5 | 120 |", "replace": "x"})
    assert "(find_not_found)" in said
    assert re.search(r"Nearest \(line \d+\): \| Orders \| 3 \| 120 \|", said)
    assert "Closest" not in said, "the message quotes it already"
    assert "read_section" in said


def test_locks_are_no_mistake_to_correct() -> None:
    """The rest is to be sent again, and the person to be told."""
    workspace = workspace_of(node("a", locked=True), node("b"))
    for operations, says in (
        ([{"op": "update_node", "id": "a", "label": "B"}], "Leave out what touches the lock"),
        ([{"op": "delete_node", "id": "a"}, {"op": "delete_node", "id": "x"}], "Leave out what touches a lock"),
    ):
        with pytest.raises(BatchRejected) as caught:
            run(workspace, *operations, by_person=False)
        said = feedback.rejection_text(caught.value)
        assert says in said
        assert "unlock" in said


def test_an_error_without_problems_is_told_by_its_detail() -> None:
    """Once, without doubling what is said of applying."""
    said = feedback.rejection_text(DraftsmithError("limit_bytes", "The batch is too large. Nothing was applied."))
    assert said == "Nothing was applied. The batch is too large. Send the whole batch again, corrected."


def test_pointers_are_unescaped() -> None:
    """A property called a/b is called so."""
    problem = Problem(0, "update_node", "field_invalid", "/operations/0/properties/a~1b/2", "Too long.")
    assert "operations[0].properties.a/b[2]" in feedback.rejection_text(BatchRejected([problem])).replace(
        ".a.b", ".a/b"
    )


def test_many_problems_are_counted_not_listed() -> None:
    """About two thousand tokens at most; no problem crowds out the others."""
    some = [Problem(i, "edit_section", "find_not_found", f"/operations/{i}/find", "x" * 3_000) for i in range(100)]
    said = feedback.rejection_text(BatchRejected(some))
    assert len(said) <= 8_000
    assert said.count("\n- operations") >= 7
    assert "more problems" in said


def test_staged_says_what_was_done_and_what_deserves_a_look() -> None:
    """One line for each operation, warnings apart; nothing changed is said so."""
    said = feedback.staging_text(
        ["added node Redis", "added edge Orders → Redis"], [{"message": "The edge says nothing."}]
    )
    assert said.startswith("Done, 2 operations; saved together when you finish.\nadded node Redis\n")
    assert said.endswith("- The edge says nothing.")
    assert "Nothing changed" in feedback.staging_text([], [])
    assert len(feedback.staging_text(["y" * 500] * 200, [{"message": "z" * 5_000}] * 200)) <= 16_000


def test_a_clash_names_what_was_taken_back() -> None:
    """And what to do: look again, send what is still wanted."""
    said = feedback.clash(["Renamed Orders: it was deleted"])
    assert "- Renamed Orders: it was deleted" in said
    assert "taken back" in said
    assert "still wanted" in said


def test_broken_json_shows_its_end() -> None:
    """Not the whole of it again."""
    said = feedback.broken_json('{"operations": [' + "x" * 9_000)
    assert len(said) < 500
    assert "9016 characters" in said


def test_unknown_tools_and_failed_questions() -> None:
    """The right name, the list, the reason."""
    said = feedback.unknown_tool("edit_diagrams", ["find_nodes", "edit_diagram"])
    assert (
        said == "There is no tool 'edit_diagrams'. Did you mean edit_diagram? The tools are: edit_diagram, find_nodes."
    )
    said = feedback.unknown_tool("add_node", ["edit_diagram", "edit_document", "read_nodes"])
    assert "add_node is an operation: send it in the list of edit_diagram." in said
    assert "read_nodes?" not in feedback.unknown_tool("add_node", ["read_nodes", "edit_diagram"])
    assert feedback.read_failure_text("There is no node 'x'") == "No answer. There is no node 'x'."
