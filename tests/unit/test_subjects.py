"""A batch with a base that does not fit: stale if others have changed what its problems are about, else wrong."""

from __future__ import annotations

import pytest

from draftsmith.errors import BatchRejected
from draftsmith.model.workspace import Workspace
from draftsmith.transform.resolvers.subjects import changes_to
from draftsmith.transform.steps.changeset import replacing
from tests.builders import Op, edge, group, node, run, update, workspace_of
from tests.kit.documents import edit_section

TEXT = "Before.\n\n# Plan\n\nWe use one queue.\n\n## Risks\n\nNone known, none feared.\n\n## Cost\n\nTen a month.\n"
Cell = tuple[int, str, str, str]


def shop() -> Workspace:
    return workspace_of(
        group("g"),
        node("a", label="Alpha"),
        node("b"),
        node("c", parent="g"),
        edge("a", "b", id="e"),
        edge("b", "c", id="f"),
        text=TEXT,
    )


def changed(since: list[Op], mine: list[Op]) -> tuple[set[str], list[Cell]]:
    """The problems of `mine` at the head, and what was changed since the base (1) of what they are about."""
    workspace = shop()
    done = {1: [(revision, run(workspace, op, revision=revision).steps) for revision, op in enumerate(since, 2)]}
    done |= {base: [one for one in done[1] if one[0] > base] for base in range(2, len(since) + 2)}
    with pytest.raises(BatchRejected) as rejected:
        run(workspace, *mine, revision=9)
    problems = rejected.value.problems
    found = changes_to([subject for one in problems for subject in one.about], 1, done, workspace)
    return {one.code for one in problems}, [(c["revision"], c["part"], c["id"], c["field"]) for c in found]


NEW_RISKS: Op = {"op": "rename_section", "section": "## Risks", "title": "Dangers"}
REMOVE_E: Op = {"op": "delete_edge", "id": "e"}
LOCK_A = update("a", locked=True)
E_BY_ENDS: Op = {"op": "update_edge", "source": "a", "target": "b", "label": "new"}
OF_COST = edit_section("## Cost", "Ten", "Nine")

STALE = [
    # existence: of a node or an edge that is named
    (node("n"), node("n"), "node_exists", [(2, "node", "n", "")]),
    ({"op": "delete_node", "id": "a"}, update("a", label="x"), "node_not_found", [(2, "node", "a", "")]),
    ({"op": "delete_node", "id": "a"}, edge("b", "a"), "node_not_found", [(2, "node", "a", "")]),
    (edge("a", "c", id="n"), edge("c", "a", id="n"), "edge_exists", [(2, "edge", "n", "")]),
    (REMOVE_E, {"op": "update_edge", "id": "e", "label": "x"}, "edge_not_found", [(2, "edge", "e", "")]),
    # a label that was somebody's, or has become another's
    (update("a", label="Old"), {"op": "delete_node", "id": "Alpha"}, "node_not_found", [(2, "node", "a", "label")]),
    ({"op": "delete_node", "id": "a"}, update("ALPHA", label="x"), "node_not_found", [(2, "node", "a", "")]),
    (node("n", label="alpha"), update("Alpha", label="x"), "node_ambiguous", [(2, "node", "n", "")]),
    (update("b", label="Alpha"), edge("b", "Alpha"), "node_ambiguous", [(2, "node", "b", "label")]),
    # edges that are named by their ends
    (REMOVE_E, E_BY_ENDS, "edge_not_found", [(2, "edge", "e", "")]),
    (
        {"op": "rewire_edge", "id": "e", "new_target": "c"},
        E_BY_ENDS,
        "edge_not_found",
        [(2, "edge", "e", "target")],
    ),
    (edge("a", "b", id="second", label="x"), E_BY_ENDS, "edge_ambiguous", [(2, "edge", "second", "")]),
    # a value that forbids it
    (LOCK_A, update("a", label="x"), "locked", [(2, "node", "a", "locked")]),
    (update("b", type="database"), {"op": "ungroup_nodes", "id": "b"}, "not_a_group", [(2, "node", "b", "type")]),
    (
        {"op": "move_to_group", "ids": ["a"], "group": "g"},
        {"op": "group_nodes", "ids": ["a", "b"], "label": "Both"},
        "different_parents",
        [(2, "node", "a", "parent")],
    ),
    (
        {"op": "rewire_edge", "id": "f", "new_target": "a"},
        {"op": "rewire_edge", "id": "f", "new_source": "a"},
        "self_loop",
        [(2, "edge", "f", "target")],
    ),
    # the document
    (NEW_RISKS, edit_section("## Risks", "None", "x"), "section_not_found", [(2, "document", "", "")]),
    (
        {"op": "insert_section", "title": "Risks", "level": 2},
        edit_section("Risks", "None", "x"),
        "section_ambiguous",
        [(2, "document", "", "")],
    ),
    (
        edit_section("## Risks", "None known", "Some"),
        edit_section("## Risks", "None known", "x"),
        "find_not_found",
        [(2, "document", "", "")],
    ),
    (
        edit_section("## Risks", "feared", "None"),
        edit_section("## Risks", "None", "x"),
        "find_ambiguous",
        [(2, "document", "", "")],
    ),
    (
        edit_section("", "Before.", "After."),
        edit_section("", "Before.", "x"),
        "find_not_found",
        [(2, "document", "", "")],
    ),
]


@pytest.mark.parametrize("since,mine,code,cells", STALE)
def test_what_a_problem_is_about_was_changed(since: Op, mine: Op, code: str, cells: list[Cell]) -> None:
    """Each change is named with its revision."""
    assert changed([since], [mine]) == ({code}, cells)


WRONG = [
    # the case that was answered wrongly: the id was taken at the base, and others wrote a note on that node
    (update("a", notes="n"), node("a"), "node_exists"),
    (update("a", notes="n"), edge("a", "nobody"), "node_not_found"),
    (update("a", label="nobody else"), update("nobody", label="x"), "node_not_found"),
    (node("nobody-else"), update("nobody", label="x"), "node_not_found"),
    ({"op": "update_edge", "id": "e", "label": "x"}, edge("b", "a", id="e"), "edge_exists"),
    ({"op": "update_edge", "id": "e", "kind": "async"}, {**E_BY_ENDS, "current_label": "no"}, "edge_not_found"),
    ({"op": "update_edge", "id": "e", "label": "other"}, {**E_BY_ENDS, "current_label": "no"}, "edge_not_found"),
    (edge("a", "c", id="n"), {"op": "update_edge", "source": "b", "target": "a", "label": "x"}, "edge_not_found"),
    (update("a", label="Ax"), {"op": "move_to_group", "ids": ["b"], "group": "a"}, "not_a_group"),
    (update("b", label="Bx"), edge("a", "b"), "edge_duplicate"),
    (update("c", notes="n"), update("g", type="service"), "group_not_empty"),
    (
        update("a", notes="n"),
        {"op": "group_nodes", "ids": ["a", "c"], "label": "Both"},
        "different_parents",
    ),
    (update("a", notes="n"), edge("a", "a"), "self_loop"),
    (update("a", notes="n"), update("a", type="banana"), "type_unknown"),
    (OF_COST, edit_section("## Risks", "nothing like it", "x"), "find_not_found"),
    (OF_COST, edit_section("## Risks", "one", "x"), "find_ambiguous"),
    (OF_COST, edit_section("## Hazards of the sea", "x", "x"), "section_not_found"),
    (update("a", label="Risks"), edit_section("## Risks", "nothing like it", "x"), "find_not_found"),
]


@pytest.mark.parametrize("since,mine,code", WRONG)
def test_an_unrelated_change_makes_nothing_stale(since: Op, mine: Op, code: str) -> None:
    """Another field of the same node, a name that only stands in the message, another section."""
    assert changed([since], [mine]) == ({code}, [])


def test_a_lock_that_was_there_is_no_change() -> None:
    """What was locked before the base stays a plain refusal; moving it under a lock since is one."""
    workspace = workspace_of(group("g", locked=True), node("a"), node("c"))
    first = run(workspace, update("c", notes="n"), revision=2).steps
    moved = run(workspace_of(group("g"), node("a")), {"op": "move_to_group", "ids": ["a"], "group": "g"}, revision=3)
    for step in moved.steps:
        step.write(workspace)
    for node_id, cells in (("g", []), ("a", [("a", "parent")])):
        with pytest.raises(BatchRejected) as rejected:
            run(workspace, update(node_id, label="x"), revision=9)
        [problem] = rejected.value.problems
        assert problem.code == "locked"
        found = changes_to(problem.about, 1, {1: [(2, first), (3, moved.steps)]}, workspace)
        assert [(one["id"], one["field"]) for one in found] == cells


def test_an_edge_is_followed_back_over_all_that_happened_to_it() -> None:
    """It went elsewhere and was deleted there; it was between the two when the base was read."""
    since: list[Op] = [{"op": "rewire_edge", "id": "e", "new_target": "c"}, {"op": "delete_edge", "id": "e"}]
    assert changed(since, [E_BY_ENDS]) == ({"edge_not_found"}, [(2, "edge", "e", "target")])
    relabelled: list[Op] = [
        {"op": "update_edge", "id": "e", "label": "1"},
        {"op": "update_edge", "id": "e", "label": "2"},
    ]
    named = {**E_BY_ENDS, "current_label": "1"}
    assert changed(relabelled, [named]) == ({"edge_not_found"}, [(3, "edge", "e", "label")])


def test_a_range_of_the_text_is_followed_from_its_own_base() -> None:
    """An `edit_text` speaks of a revision of its own; what was changed before the base of the batch does not count."""
    at = TEXT.index("queue")
    changes = replacing(TEXT, [(at, at + 5, "stack")]).to_json()
    mine: Op = {"op": "edit_text", "changes": changes, "base_revision": 1}
    workspace = shop()
    steps = [
        (2, run(workspace, edit_section("# Plan", "We use", "We all use"), revision=2).steps),
        (3, run(workspace, edit_section("# Plan", "one queue", "two"), revision=3).steps),
        (4, run(workspace, OF_COST, revision=4).steps),
    ]
    texts = [step.changes for _, some in steps for step in some]  # type: ignore[attr-defined]
    net = texts[0].compose(texts[1]).compose(texts[2])
    with pytest.raises(BatchRejected) as rejected:
        run(workspace, mine, revision=9, since={1: net})
    [problem] = rejected.value.problems
    assert problem.code == "stale_base"
    for base, revisions in ((1, [3]), (2, [3]), (3, [])):
        since = {start: [one for one in steps if one[0] > start] for start in (1, base)}
        assert [one["revision"] for one in changes_to(problem.about, base, since, workspace)] == revisions


def test_a_section_that_the_batch_itself_makes_is_nobodys_change() -> None:
    """Only what others have committed counts."""
    mine: list[Op] = [
        {"op": "insert_section", "title": "New", "text": "words"},
        edit_section("New", "nothing like it", "x"),
    ]
    assert changed([OF_COST], mine) == ({"find_not_found"}, [])


def test_the_newest_change_of_a_thing_is_named() -> None:
    """Removed, made again and removed again."""
    remove: Op = {"op": "delete_node", "id": "a"}
    assert changed([remove, node("a"), remove], [update("a", label="x")])[1] == [(4, "node", "a", "")]
