"""A commit in words: one sentence made from what it changed."""

from __future__ import annotations

import pytest

from draftsmith.history.diff import diff_of, is_nothing, places_of
from draftsmith.history.sentences import counts_of, sentence_of
from tests.builders import Op, edge, group, node, run, update, workspace_of
from tests.kit.documents import edit_section

TEXT = "intro 🚀\n\n# Shop\n\nalpha\n\n## Risks\n\nlate\n"


def told(*operations: Op) -> str:
    """What history says about a batch on a small shop."""
    workspace = workspace_of(
        group("g", label="Core"),
        node("a", label="Orders"),
        node("b", label="Cart"),
        edge("a", "b"),
        text=TEXT,
    )
    tx = run(workspace, *operations, revision=2)
    step = next((one for one in tx.steps if one.to_json()["k"] == "text"), None)
    return sentence_of(diff_of(tx.steps, places_of(step, TEXT)), workspace.diagram, tx.steps)  # type: ignore[arg-type]  # the text step


@pytest.mark.parametrize(
    "operations,sentence",
    [
        ([node("n", label="New")], "Added node New"),
        (
            [node("n", label="New"), node("m", label="More"), edge("n", "m")],
            "Added nodes New, More; added edge New → More",
        ),
        ([node(f"n{i}") for i in range(4)], "Added 4 nodes"),
        ([{"op": "delete_edge", "id": "a--b"}], "Deleted edge Orders → Cart"),
        ([{"op": "delete_node", "id": "a"}], "Deleted node Orders; deleted edge Orders → Cart"),
        ([update("a", label="Sales", notes="x")], "Changed label, notes of Sales"),
        ([update("a", label="Sales"), update("b", notes="x")], "Changed nodes Sales, Cart"),
        ([update("a", position={"x": 9, "y": 9})], "Moved node Orders"),
        ([{"op": "move_to_group", "ids": ["a"], "group": "g"}], "Regrouped node Orders"),
        (
            [
                {"op": "move_to_group", "ids": ["a"], "group": "g"},
                *[node(f"n{i}") for i in range(4)],
                *[edge("b", f"n{i}") for i in range(4)],
            ],
            "Added 4 nodes; added 4 edges; regrouped node Orders",
        ),
        (
            [update("a", position={"x": 9, "y": 9}), update("b", notes="x"), edit_section("Risks", "late", "new")],
            "Changed notes of Cart; edited “Risks” in the document; moved node Orders",
        ),
        ([update("a", properties={"owner": "x"})], "Changed property owner of Orders"),
        ([update("a", properties={"label": "Y"})], "Changed property label of Orders"),
        ([update("a", label="Sales", properties={"label": "Y"})], "Changed label, property label of Sales"),
        (
            [update("a", label="S", notes="x", technology="Go", description="d")],
            "Changed label, description, technology and 1 more field of S",
        ),
        ([{"op": "rename_workspace", "name": "Bank"}], "Renamed the workspace from “Shop” to “Bank”"),
        ([{"op": "replace_document", "text": TEXT, "eol": "crlf"}], "Set line ends to crlf"),
        ([edit_section("Risks", "late", "new")], "Edited “Risks” in the document"),
        ([edit_section("", "intro", "new")], "Edited 1 place in the document"),
        (
            [update("a"), edit_section("Shop", "alpha", "new"), edit_section("Risks", "late", "new")],
            "Edited “Shop”, “Risks” in the document",
        ),
        ([update("a", label="x"), update("a", label="Orders")], "Nothing changed"),
    ],
)
def test_sentences(operations: list[Op], sentence: str) -> None:
    """Names where there are few, numbers where there are many, nothing about what cancelled out."""
    assert told(*operations) == sentence


def test_a_sentence_stays_short() -> None:
    """However long the names: at most 200 characters."""
    long = [node(f"n{i}", label="x" * 120) for i in range(3)]
    assert len(told(*long)) == 200


def test_what_cancels_out_is_nothing() -> None:
    """Added and deleted, changed and back: no commit would be made of it."""
    workspace = workspace_of(node("a"))
    tx = run(workspace, node("n"), {"op": "delete_node", "id": "n"}, update("a", notes="x"), update("a", notes=None))
    assert is_nothing(diff_of(tx.steps))
    counts = counts_of(diff_of(run(workspace, node("n"), update("a", notes="x"), revision=3).steps))
    assert counts == {"added": 1, "changed": 1, "removed": 0, "text": 0}


def test_places_of_a_change_are_lines_before_it() -> None:
    """The section and the lines, 1-based, behind astral characters too."""
    workspace = workspace_of(text=TEXT)
    tx = run(workspace, edit_section("", "intro", "new"), edit_section("Risks", "late", "new"), revision=2)
    [step] = tx.steps
    assert places_of(step, TEXT) == [["", 1, 1], ["# Shop ## Risks", 9, 9]]  # type: ignore[arg-type]  # the text step
    assert places_of(None, TEXT) == []
