"""Carrying staged operations: what one that does not fit leaves behind for those after it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest

from draftsmith.model.document import units
from draftsmith.model.ids import EdgeId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.workspace import Workspace
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.transform.staged_operations import StagedOperation, stage
from draftsmith.transform.steps.changeset import replacing
from draftsmith.transform.steps.steps import roll_back
from draftsmith.transform.steps.text import edit_of
from draftsmith.transform.undo.carry import carry
from tests.builders import Op, canonical, edge, node, place, run, update, workspace_of
from tests.kit.documents import append_to_section, edit_section

TEXT = "# Shop\n\n## Storage\n\nPostgres.\n\n## Risks\n\nOne machine.\n\n## Costs\n\nFew.\n"
BENDS = [{"x": 300, "y": 30}, {"x": 300, "y": 230}]


def test_an_operation_that_does_not_fit_leaves_those_after_it_as_they_were() -> None:
    """The first fits, the line that the second follows is gone, the third fits again."""
    workspace = Workspace("Shop")
    workspace.document.text = TEXT
    operations = [
        append_to_section("Storage", "Redis."),
        append_to_section("Risks", "One network."),
        append_to_section("Costs", "Fewer."),
    ]
    staged = stage(workspace, parse_batch(operations, WorkspaceLimits()), operations, WorkspaceLimits())
    roll_back([step for one in staged for step in one.steps], workspace)
    start = TEXT.index("One machine.")
    foreign = edit_of(TEXT, replacing(TEXT, [(start, start + len("One machine."), "")]))
    foreign.write(workspace)

    done = carry(workspace, staged, [foreign])

    assert [(clash.index, clash.why) for clash in done.clashes] == [(1, "that text has been changed since")]
    assert done.indexes == [0, 2]
    text = workspace.document.text
    assert "Postgres.\n\nRedis.\n" in text
    assert "Few.\n\nFewer.\n" in text
    assert "One network." not in text


@pytest.mark.parametrize("line", ["x", "a line"])
def test_what_was_written_behind_a_line_that_is_gone_does_not_fit(line: str) -> None:
    """Also where that line was a single character at the start of the document."""
    workspace = Workspace("Shop")
    workspace.document.text = f"{line}\n\nrest\n"
    change = {"op": "edit_text", "changes": [len(line), [0, " more"], 7], "base_revision": 0}
    staged = stage(workspace, parse_batch([change], WorkspaceLimits()), [change], WorkspaceLimits())
    roll_back([step for one in staged for step in one.steps], workspace)
    foreign = edit_of(workspace.document.text, replacing(workspace.document.text, [(0, len(line), "")]))
    foreign.write(workspace)

    done = carry(workspace, staged, [foreign])

    assert [clash.index for clash in done.clashes] == [0]
    assert workspace.document.text == "\n\nrest\n"


def _carried_over_a_lock(operation: Op) -> tuple[list[str], Workspace]:
    """Why a staged operation does not fit once somebody has locked the end of an edge with a route."""
    workspace = workspace_of(node("a"), node("b", 500, 200), edge("a", "b", id="e", route=BENDS))
    staged = stage(workspace, parse_batch([operation], WorkspaceLimits()), [operation], WorkspaceLimits())
    roll_back([step for one in staged for step in one.steps], workspace)
    run(workspace, update("b", locked=True))
    return [clash.why for clash in carry(workspace, staged, []).clashes], workspace


def test_a_lock_on_the_other_end_does_not_keep_a_node_in_its_place() -> None:
    """That a move drops the route of an edge is no change of its other node."""
    whys, workspace = _carried_over_a_lock({"op": "move_nodes", "positions": {"a": {"x": 0, "y": 400}}})
    assert (whys, place(workspace, "a")) == ([], (0, 400))
    assert "route" not in (workspace.diagram.edge(EdgeId("e")) or {})


@pytest.mark.parametrize(
    "change", [{"label": "calls"}, {"route": [{"x": 300, "y": 90}]}, {"route": None, "label": "x"}]
)
def test_a_lock_on_an_end_keeps_an_edge_as_it_is(change: Op) -> None:
    whys, workspace = _carried_over_a_lock({"op": "update_edge", "id": "e", **change})
    assert whys == ["'b' is locked"]
    assert (workspace.diagram.edge(EdgeId("e")) or {}).get("route") == BENDS


def _staged_one_by_one(workspace: Workspace, operations: Sequence[Op]) -> list[StagedOperation]:
    """Each operation made on what those before it left; the workspace stays as it was."""
    staged: list[StagedOperation] = []
    for one in operations:
        staged += stage(workspace, parse_batch([one], WorkspaceLimits()), [one], WorkspaceLimits())
    roll_back([step for one in staged for step in one.steps], workspace)
    return staged


def _staged_over(text: str, operations: list[Op], foreign: list[tuple[str, str]]) -> tuple[list[str], str]:
    """Why staged operations do not fit once others have replaced some words, and the text then."""
    workspace = workspace_of(text=text)
    staged = _staged_one_by_one(workspace, operations)
    assert workspace.document.text == text
    later = []
    for old, new in foreign:
        now = workspace.document.text
        at = now.index(old)
        later.append(edit_of(now, replacing(now, [(at, at + len(old), new)])))
        later[-1].write(workspace)
    before = workspace.document.text
    done = carry(workspace, staged, later)
    whys, after = [clash.why for clash in done.clashes], workspace.document.text
    assert (before if done.text is None else done.text.inverse().changes.apply(after)) == before
    done.roll_back(workspace)
    assert workspace.document.text == before
    return whys, after


def _typed(length: int, *changes: tuple[int, int, str]) -> Op:
    """An `edit_text` with some changes: from, to, new text, in UTF-16 units."""
    parts: list[Any] = []
    at = 0
    for start, end, new in changes:
        parts += [start - at] if start > at else []
        parts.append([end - start, new])
        at = end
    return {"op": "edit_text", "changes": [*parts, *([length - at] if length > at else [])], "base_revision": 0}


def test_two_changes_between_which_all_is_gone_are_one() -> None:
    """Others have deleted what stood between: both fit, one right behind the other."""
    text = "one two three four five\n"
    change = _typed(len(text), (4, 7, "2"), (14, 18, "4"))
    assert _staged_over(text, [change], [(" three ", "")]) == ([], "one 24 five\n")
    assert _staged_over(text, [change], [("hre", "")]) == ([], "one 2 te 4 five\n")
    assert _staged_over(text, [change], [("two", "2.0")])[0] == ["that text has been changed since"]


def test_operations_on_text_that_earlier_ones_wrote_follow_them_over_what_others_did() -> None:
    """Each is made on what those before it left, wherever that has moved."""
    text = "# A\n\none two\n\n# B\n\nthree\n"
    operations = [
        append_to_section("A", "four five"),
        {"op": "edit_section", "section": "A", "find": "four", "replace": "4"},
        append_to_section("A", "six"),
        {"op": "edit_section", "section": "B", "find": "three", "replace": "3"},
    ]
    after = "# A\n\none two\n\n4 five\n\nsix\n\n# B\n\n3\n"
    assert _staged_over(text, operations, []) == ([], after)
    assert _staged_over(text, operations, [("one", "1 and more")]) == ([], after.replace("one", "1 and more"))
    assert _staged_over(text, operations, [("two", "2"), ("# A", "# AA")]) == (
        [],
        after.replace("two", "2").replace("# A", "# AA"),
    )


@pytest.mark.parametrize("chosen", [some for size in range(5) for some in combinations(range(4), size)])
@pytest.mark.parametrize("foreign", ["", "and more "])
def test_texts_that_do_not_build_on_one_another_come_in_any_choice(chosen: tuple[int, ...], foreign: str) -> None:
    """As if the others had never been staged, also with text of others before them."""
    text = "# A\n\none\n\n# B\n\ntwo\n"
    operations = [append_to_section(section, word) for section, word in ("Ax", "Bx", "Ay", "By")]
    workspace = workspace_of(text=text)
    staged = _staged_one_by_one(workspace, operations)
    later = [edit_of(text, replacing(text, [(5, 5, foreign)]))] if foreign else []
    for step in later:
        step.write(workspace)
    alone = workspace_of(text=workspace.document.text)
    for index in chosen:
        run(alone, operations[index])
    done = carry(workspace, staged, later, chosen)
    assert done.clashes == []
    assert workspace.document.text == alone.document.text


@pytest.mark.parametrize("above", ["", "\n", "first\n", "\n\nfirst\n\n", "\U0001f680 first\n"])
@pytest.mark.parametrize("rest", ["ab", "\u0a41", "\u0100\u0a41"])
def test_what_is_written_behind_a_line_stays_while_any_of_it_does(above: str, rest: str) -> None:
    """Blank lines between do not count; the letters of the line are of any script, and it may be the first one."""
    line = f"{rest}\u0100cd"
    text = f"{above}{line}\n\nend\n"
    at = units(f"{above}{line}\n")
    insertion = _typed(units(text), (at, at, "new\n"))
    expected = f"{above}{rest}\nnew\n\nend\n"
    assert _staged_over(text, [insertion], [("\u0100cd\n", "\n")]) == ([], expected)
    whys, _ = _staged_over(text, [insertion], [(line, "")])
    assert whys == ["that text has been changed since"]


@pytest.mark.parametrize(
    "first, second",
    [
        (update("a", label="A"), update("a", label="AA")),
        (append_to_section("Storage", "Redis and more."), edit_section("Storage", "and more", "alone")),
    ],
)
def test_what_builds_on_an_operation_that_was_not_chosen_says_so(first: Op, second: Op) -> None:
    workspace = workspace_of(node("a"), text=TEXT)
    staged = _staged_one_by_one(workspace, [first, second, update("a", notes="n")])
    done = carry(workspace, staged, [], [1, 2])
    what = staged[0].what or staged[0].op
    assert [(clash.index, clash.why) for clash in done.clashes] == [(1, f"it builds on “{what}”")]
    assert done.indexes == [2]


@pytest.mark.parametrize(
    "change, why",
    [
        ({"op": "move_nodes", "positions": {"a": {"x": 9, "y": 9}}}, None),
        (update("a", label="other"), "the node 'a' has been changed since"),
    ],
)
def test_a_node_that_moved_is_deleted_and_one_that_was_changed_is_not(change: Op, why: str | None) -> None:
    """Where a node stands is no reason to keep it; the deletion can be taken back to where it stood."""
    workspace = workspace_of(node("a"), node("b", 300))
    staged = _staged_one_by_one(workspace, [{"op": "delete_node", "id": "a"}])
    run(workspace, change)
    done = carry(workspace, staged, [])
    assert [clash.why for clash in done.clashes] == ([] if why is None else [why])
    done.roll_back(workspace)
    assert place(workspace, "a") == ((9, 9) if why is None else (0, 0))


@pytest.mark.parametrize(
    "change, why",
    [
        ({"op": "update_edge", "id": "e", "route": [{"x": 300, "y": 90}]}, None),
        ({"op": "update_edge", "id": "e", "description": "x"}, "the edge 'e' has been changed since"),
        ({"op": "rewire_edge", "id": "e", "new_target": "c"}, "the edge 'e' has been changed since"),
    ],
)
def test_an_edge_that_is_drawn_otherwise_is_deleted_and_one_that_was_changed_is_not(
    change: Op, why: str | None
) -> None:
    """Its route is no reason to keep it, another end is one."""
    workspace = workspace_of(node("a"), node("b", 500, 200), node("c", 900), edge("a", "b", id="e", route=BENDS))
    staged = _staged_one_by_one(workspace, [{"op": "delete_edge", "id": "e"}])
    run(workspace, change)
    before = canonical(workspace)
    done = carry(workspace, staged, [])
    assert [clash.why for clash in done.clashes] == ([] if why is None else [why])
    assert (workspace.diagram.ends(EdgeId("e")) is None) == (why is None)
    done.roll_back(workspace)
    assert canonical(workspace) == before
