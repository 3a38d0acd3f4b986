"""Failures that comparable systems have been seen to have, each as a case that cannot happen here.

The letters are those of tests/SPEC.md. Lost updates of several writers are a matter of the commit path, tested there.
"""

from __future__ import annotations

from typing import Any

import pytest

from draftsmith.errors import BatchRejected, DraftsmithError
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.workspace import Workspace
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.transform.resolve import open_transaction, run_batch
from tests.builders import (
    Op,
    Story,
    assert_sound,
    canonical,
    edge,
    group,
    node,
    refusal_of,
    refused,
    run,
    update,
    workspace_of,
)


def test_a_batch_whose_last_operation_fails_leaves_nothing_half_done() -> None:
    """A: four operations, the fourth fails; the direct edge is still there and the graph as connected as before."""
    workspace = workspace_of(node("web"), node("api"), edge("web", "api"))
    batch: list[Op] = [
        node("lb"),
        edge("web", "lb"),
        {"op": "delete_edge", "source": "web", "target": "api"},
        edge("lb", "apis"),
    ]
    assert refused(workspace, *batch, revision=2) == [(3, "node_not_found")]
    assert_sound(workspace)


def test_a_run_that_ends_early_leaves_nothing_half_done() -> None:
    """B: work that is staged and then given up, for whatever reason, is taken back whole: diagram, text and name."""
    workspace = workspace_of(node("a"), text="# A\n\nx\n")
    before = canonical(workspace)
    tx = open_transaction(workspace, 2, WorkspaceLimits())
    first: list[Op] = [node("b"), edge("a", "b"), {"op": "edit_section", "section": "A", "find": "x", "replace": "y"}]
    run_batch(tx, parse_batch(first, WorkspaceLimits()))
    tx.roll_back()
    assert canonical(workspace) == before
    assert_sound(workspace)


def test_a_caller_that_never_stops_adds_nothing_it_did_not_commit() -> None:
    """C: thirteen batches in a row that each go wrong leave no stray node."""
    story = Story(node("a"))
    before = story.replica.dump()
    for number in range(13):
        with pytest.raises(BatchRejected):
            story.commit("ai", [node(f"stray-{number}"), edge("a", "nowhere")])
    assert story.replica.dump() == before


@pytest.mark.parametrize(
    "operation,code",
    [
        (node("n", type="banana"), "type_unknown"),
        (node("n", label=""), "field_invalid"),
        (node("n", label="x" * 100_000), "field_invalid"),
        (edge("a", "a"), "self_loop"),
        (edge("a", "b"), "edge_duplicate"),
        ({"op": "delete_edge", "id": "ghost"}, "edge_not_found"),
        (node("n", position={"x": float("nan"), "y": 0}), "field_invalid"),
        (node("a b"), "id_invalid"),
    ],
)
def test_nonsense_is_refused(operation: Op, code: str) -> None:
    """D: unknown types, empty and endless labels, self loops, equal edges and ghosts are problems, not data."""
    workspace = workspace_of(node("a"), node("b"), edge("a", "b"))
    before = canonical(workspace)
    codes: list[str] = []
    try:
        run(workspace, operation, revision=2)
    except DraftsmithError as refusal:
        codes = [problem.code for problem in refusal.problems]
    assert codes == [code]
    assert canonical(workspace) == before


def test_grouping_and_ungrouping_keep_every_connection() -> None:
    """L: edges belong to their nodes; making a group and dissolving it, by whichever door, loses none."""
    workspace = workspace_of(*(node(i) for i in "abc"), edge("a", "b"), edge("b", "c"), edge("c", "a"))
    before = {edge_id: workspace.diagram.ends(edge_id) for edge_id in workspace.diagram.edge_ids()}
    run(workspace, {"op": "group_nodes", "id": "g", "label": "G", "ids": ["a", "b"]}, revision=2)
    run(workspace, {"op": "delete_node", "id": "g"}, revision=3)
    run(workspace, {"op": "group_nodes", "id": "g", "label": "G", "ids": ["b", "c"]}, revision=4)
    run(workspace, {"op": "ungroup_nodes", "id": "g"}, revision=5)
    assert {edge_id: workspace.diagram.ends(edge_id) for edge_id in workspace.diagram.edge_ids()} == before
    assert_sound(workspace)


def test_a_deleted_child_leaves_its_group() -> None:
    """M: a group does not list what is gone; there is one record of who stands where."""
    workspace = workspace_of(group("g"), node("a", parent="g"), node("b", parent="g"))
    run(workspace, {"op": "delete_node", "id": "a"}, revision=2)
    assert workspace.diagram.children("g") == ("b",)
    run(workspace, {"op": "delete_node", "id": "b"}, revision=3)
    assert not workspace.diagram.has_children("g")
    run(workspace, update("g", type="service"), revision=4)
    assert_sound(workspace)


@pytest.mark.parametrize(
    "section,text,expected",
    [
        ("Data Flow", "new", "# S\n\nSee ## Data Flow.\n\n## Data Flow\n\nnew\n"),
        ("S", "new", "# S\n\nnew\n\n## Data Flow\n\nold\n"),
    ],
)
def test_a_section_is_a_heading_and_not_a_piece_of_text(section: str, text: str, expected: str) -> None:
    """E: a heading that is also quoted in a sentence is not found there."""
    workspace = workspace_of(text="# S\n\nSee ## Data Flow.\n\n## Data Flow\n\nold\n")
    run(workspace, {"op": "replace_section", "section": section, "text": text}, revision=2)
    assert workspace.document.text == expected


def test_replacing_a_section_with_its_subsections_leaves_none_behind() -> None:
    """F, G: the whole of it goes, down to the next heading of its level; deeper ones do not end it."""
    text = "# S\n\n## C\n\nold\n\n### D\n\nold\n\n#### E\n\nold\n\n## F\n\nkept\n"
    workspace = workspace_of(text=text)
    run(workspace, {"op": "replace_section", "section": "C", "text": "new", "scope": "subtree"}, revision=2)
    assert workspace.document.text == "# S\n\n## C\n\nnew\n\n## F\n\nkept\n"


def test_a_heading_in_a_fence_is_none() -> None:
    """H: the fence stays whole, and so does the rest of the document."""
    text = "# S\n\n```\n## C\ncode\n```\n\n## C\n\nold\n"
    workspace = workspace_of(text=text)
    run(workspace, {"op": "replace_section", "section": "C", "text": "new"}, revision=2)
    assert workspace.document.text == text.replace("old", "new")


def test_new_text_does_not_run_into_the_heading_and_equal_headings_are_not_guessed() -> None:
    """I: text without a leading line end comes below the heading; of two equal ones neither is taken."""
    workspace = workspace_of(text="# S\n\n## Risks")
    run(workspace, {"op": "append_to_section", "section": "Risks", "text": "NEW RISK"}, revision=2)
    assert workspace.document.text == "# S\n\n## Risks\n\nNEW RISK\n"
    double = workspace_of(text="## Risks\n\na\n\n## Risks\n\nb\n")
    assert refused(double, {"op": "append_to_section", "section": "Risks", "text": "x"}) == [(0, "section_ambiguous")]


def test_an_empty_find_wipes_nothing() -> None:
    """J: nothing to find is a problem."""
    nothing = {"op": "edit_section", "section": "S", "find": "", "replace": ""}
    assert refused(workspace_of(text="# S\n\nx\n"), nothing) == [(0, "find_empty")]


def test_a_section_in_the_wrong_case_is_found() -> None:
    """K: case and blanks make no other section."""
    workspace = workspace_of(text="# S\n\n## Data Flow\n\nx\n")
    run(workspace, {"op": "edit_section", "section": "## dataflow", "find": "x", "replace": "y"}, revision=2)
    assert workspace.document.text == "# S\n\n## Data Flow\n\ny\n"


def test_a_section_that_is_nearly_named_is_not_deleted_but_suggested() -> None:
    """K: not found says what is there, in the form that is accepted."""
    workspace = workspace_of(text="# S\n\n## Data Flow\n\nx\n")
    with pytest.raises(BatchRejected) as rejected:
        run(workspace, {"op": "delete_section", "section": "## Data Flaw"}, revision=2)
    candidate = rejected.value.problems[0].candidates[0]
    assert candidate == "# S ## Data Flow"
    assert refusal_of(lambda: run(workspace, {"op": "delete_section", "section": candidate}, revision=2)) == ""


def test_undo_gives_the_bytes_back() -> None:
    """Undo of a batch over diagram and document is byte-identical, and no undo resurrects an orphan."""
    story = Story(group("g"), node("a", parent="g"), node("b"), edge("a", "b"), text="# S\r\n\r\nx 🚀\r\n")
    before = canonical(story.workspace)
    work: list[Any] = [
        {"op": "delete_node", "id": "g", "children": "delete"},
        {"op": "append_to_section", "section": "S", "text": "more 🚀"},
    ]
    story.do("ai", *work)
    story.undo("ai")
    assert canonical(story.workspace) == before
    story.do("ai", update("a", position={"x": 5, "y": 5}))
    story.do("bob", {"op": "delete_node", "id": "g", "children": "delete"})
    story.undo("ai")
    assert "a" not in story.workspace.diagram
    assert_sound(story.workspace)


def test_what_a_workspace_is_does_not_hang_on_how_it_was_reached() -> None:
    """One executor for every door: the same content by operations, as a whole, and by restore, is sound alike."""
    workspace = workspace_of(group("g"), node("a", parent="g"), node("b"), edge("a", "b"))
    whole: Op = {
        "op": "replace_diagram",
        "nodes": [
            {"id": "a", "type": "service", "label": "a", "position": {"x": 0, "y": 0}, "parent": "g"},
            {"id": "b", "type": "service", "label": "b", "position": {"x": 0, "y": 0}},
            {"id": "g", "type": "group", "label": "g", "position": {"x": 0, "y": 0}},
        ],
        "edges": [{"source": "a", "target": "b"}],
    }
    other = Workspace("Shop")
    run(other, whole)
    assert canonical(other) == canonical(workspace)
