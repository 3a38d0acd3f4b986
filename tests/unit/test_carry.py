"""Carrying staged operations: what one that does not fit leaves behind for those after it."""

from __future__ import annotations

import pytest

from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.workspace import Workspace
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.transform.staged_operations import stage
from draftsmith.transform.steps.changeset import replacing
from draftsmith.transform.steps.steps import roll_back
from draftsmith.transform.steps.text import edit_of
from draftsmith.transform.undo.carry import carry
from tests.kit.documents import append_to_section

TEXT = "# Shop\n\n## Storage\n\nPostgres.\n\n## Risks\n\nOne machine.\n\n## Costs\n\nFew.\n"


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
