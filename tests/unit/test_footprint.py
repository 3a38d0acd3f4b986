"""`base_revision`: which two changes clash, and where, when one was made without knowing the other."""

from __future__ import annotations

import pytest

from draftsmith.agents.fence import BatchContext, unread_by
from draftsmith.model.document import units
from draftsmith.transform.resolvers.anchors import following
from draftsmith.transform.steps.footprint import clashes, meets
from tests.builders import Op, edge, group, node, run, update, workspace_of
from tests.kit.documents import edit_section

TEXT = "🚀 one two three four\n"


def clashing_cells(since: list[Op], mine: list[Op]) -> list[tuple[str, str, str]]:
    """The cells at which `mine`, run on the head, clashes with what was done since its base."""
    workspace = workspace_of(
        group("g"), node("a"), node("b"), node("c"), edge("a", "b", id="e"), edge("b", "c", id="f"), text=TEXT
    )
    earlier = [(revision, run(workspace, op, revision=revision).steps) for revision, op in enumerate(since, 2)]
    steps = run(workspace, *mine, revision=9).steps
    return [(clash["part"], clash["id"], clash["field"]) for clash in clashes(steps, earlier)]


@pytest.mark.parametrize(
    "since,mine,cells",
    [
        (update("a", label="1"), update("a", label="2"), [("node", "a", "label")]),
        (update("a", label="1"), update("a", notes="2"), []),
        (update("a", label="1"), update("b", label="2"), []),
        (update("a", properties={"k": "1"}), update("a", properties={"l": "2"}), []),
        (update("a", properties={"k": "1"}), update("a", properties={"k": "2"}), [("node", "a", "properties.k")]),
        (update("a", label="1"), {"op": "delete_node", "id": "a"}, [("node", "a", "label")]),
        (update("b", label="1"), edge("a", "b", label="x"), []),
        (node("n"), edge("n", "a"), [("node", "n", "")]),
        (edge("a", "c", id="n"), {"op": "delete_node", "id": "a"}, [("edge", "n", "")]),
        (edge("a", "c", id="n"), update("a", label="1"), []),
        (group("n"), {"op": "move_to_group", "ids": ["a"], "group": "n"}, [("node", "n", "")]),
        (
            {"op": "update_edge", "id": "e", "label": "1"},
            {"op": "update_edge", "id": "e", "label": "2"},
            [("edge", "e", "label")],
        ),
        (
            {"op": "rewire_edge", "id": "e", "new_target": "c"},
            {"op": "rewire_edge", "id": "e", "new_target": "g"},
            [("edge", "e", "target")],
        ),
        ({"op": "rename_workspace", "name": "1"}, {"op": "rename_workspace", "name": "2"}, [("workspace", "", "name")]),
        ({"op": "delete_node", "id": "a"}, update("b", label="2"), []),
        (edit_section("", "one", "1"), edit_section("", "three", "3"), []),
        (edit_section("", "one", "1"), edit_section("", "1 two", "x"), [("document", "", "")]),
        (edit_section("", "one ", ""), edit_section("", "🚀 two", "x"), [("document", "", "")]),
        (edit_section("", "one", "1"), update("a", label="2"), []),
    ],
)
def test_clashes(since: Op, mine: Op, cells: list[tuple[str, str, str]]) -> None:
    """Only the same field, a referenced existence, or overlapping text; everything else goes together."""
    assert clashing_cells([since], [mine]) == cells


def test_links_that_follow_their_heading_clash_with_nothing() -> None:
    """Nor do they overwrite what an agent has to have read: only the heading itself counts."""
    text = "# A\n\nSee [old](#old).\n\n## Old\n\nx\n"
    workspace = workspace_of(text=text)
    since = [
        (
            2,
            run(
                workspace, {**edit_section("", "See [old](#old).", "Look at [old](#old)!"), "section": "A"}, revision=2
            ).steps,
        )
    ]
    rename: Op = {"op": "rename_section", "section": "Old", "title": "New"}
    before = workspace.document.text
    outline = workspace.document.outline
    tx = run(workspace, rename, revision=3)
    assert "(#new)" in workspace.document.text
    assert clashes(tx.steps, since, (), following(tx)) == []
    assert clashes(tx.steps, since) != []
    around = BatchContext(
        diagram=workspace.diagram, text=before, outline=outline, marks={}, since=since, own=(), floor=0,
        following=following(tx),
    )  # fmt: skip
    assert [one.section for one in unread_by(tx.steps, (), around)] == ["# A ## Old"]
    other = run(workspace, {"op": "edit_section", "section": "# A", "find": "#new", "replace": "#x"}, revision=4)
    assert following(other) == frozenset()


def test_text_that_was_changed_is_followed_to_the_head() -> None:
    """A stretch that others wrote is found where later changes have pushed it, in units of the head's text."""
    workspace = workspace_of(text=TEXT)
    since = [
        (2, run(workspace, edit_section("", "two", "TWO"), revision=2).steps),
        (3, run(workspace, edit_section("", "one", "🚀🚀 longer"), revision=3).steps),
        (4, run(workspace, edit_section("", "three", ""), revision=4).steps),
    ]
    head = workspace.document.text
    steps = run(workspace, edit_section("", "TWO", "2"), revision=9).steps
    [clash] = clashes(steps, since)
    start = units(head[: head.index("TWO")])
    assert clash == {"revision": 2, "part": "document", "id": "", "field": "", "from": start, "to": start + 3}


def test_each_clash_is_named_once_with_its_revision() -> None:
    """Several commits since the base: each clash carries the revision that made it."""
    workspace = workspace_of(node("a"))
    since = [
        (revision, run(workspace, update("a", label=str(revision)), revision=revision).steps) for revision in (2, 3)
    ]
    steps = run(workspace, update("a", label="mine"), update("a", label="mine too"), revision=9).steps
    assert [(clash["revision"], clash["field"]) for clash in clashes(steps, since)] == [(2, "label"), (3, "label")]


@pytest.mark.parametrize(
    "one, other, is_met",
    [
        ((2, 5), (5, 8), False), ((2, 5), (4, 8), True), ((2, 5), (3, 4), True), ((2, 5), (0, 2), False),
        ((2, 5), (0, 9), True), ((2, 5), (2, 5), True),
        ((2, 5), (2, 2), False), ((2, 5), (3, 3), True), ((2, 5), (5, 5), False), ((2, 5), (1, 1), False),
        ((3, 3), (3, 3), True), ((3, 3), (4, 4), False),
    ],
)  # fmt: skip
def test_spans_that_meet(one: tuple[int, int], other: tuple[int, int], is_met: bool) -> None:
    """Those that overlap; an empty one within another, but not at its ends, and two empty ones in one place."""
    assert meets(*one, *other) == is_met
    assert meets(*other, *one) == is_met
