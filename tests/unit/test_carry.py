"""Carrying staged operations: what one that does not fit leaves behind for those after it."""

from __future__ import annotations

import pytest

from draftsmith.model.ids import EdgeId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.workspace import Workspace
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.transform.staged_operations import stage
from draftsmith.transform.steps.changeset import replacing
from draftsmith.transform.steps.steps import roll_back
from draftsmith.transform.steps.text import edit_of
from draftsmith.transform.undo.carry import carry
from tests.builders import Op, edge, node, place, run, update, workspace_of
from tests.kit.documents import append_to_section

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
