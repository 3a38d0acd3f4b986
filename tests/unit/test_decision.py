"""When a run waits for a yes: by what it does, not by what is left to see of it afterwards."""

from __future__ import annotations

import pytest

from draftsmith.assistant.decision import Mode, reason_to_propose
from draftsmith.history.diff import diff_of, places_of
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.workspace import Workspace
from draftsmith.transform.batch import parse_batch
from draftsmith.transform.carry import carry
from draftsmith.transform.staged import stage
from draftsmith.transform.steps import roll_back
from tests.builders import Op, workspace_of

TEXT = """# Shop

Orders come in.

## Risks

One machine.

## Storage

Postgres.
"""
LONG = "# Shop\n\n" + "".join(f"## Part {n}\n\n{'Words of it. ' * 20}\n\n" for n in range(6))
NODES: list[Op] = [
    {"op": "add_node", "id": "a", "type": "service", "label": "A", "notes": "kept by hand"},
    {"op": "add_node", "id": "b", "type": "database", "label": "B"},
    {"op": "add_edge", "source": "a", "target": "b"},
    {"op": "group_nodes", "id": "g", "label": "Group", "ids": ["a"]},
]


def reason(
    *batches: list[Op] | Op, mode: Mode = "auto", text: str = TEXT, nodes: list[Op] = NODES, is_first: bool = False
) -> str | None:
    """Why what is staged batch by batch waits; None if it does not."""
    workspace = workspace_of(*nodes, text=text) if nodes else Workspace("Shop")
    workspace.document.text = text
    count, chars = workspace.diagram.node_count, len(text.strip())
    before = len(workspace.document.outline.sections)
    staged = []
    for batch in batches:
        operations = [batch] if isinstance(batch, dict) else batch
        staged += stage(workspace, parse_batch(operations, WorkspaceLimits()), operations, WorkspaceLimits())
    roll_back([step for one in staged for step in one.steps], workspace)
    done = carry(workspace, staged, ())
    diff = diff_of(done.steps, places_of(done.text, text))
    lost = max(0, before - len(workspace.document.outline.sections))
    return reason_to_propose(mode, staged, diff, nodes=count, chars=chars, sections_lost=lost, is_first=is_first)


def edit(section: str, find: str, new: str) -> Op:
    return {"op": "edit_section", "section": section, "find": find, "replace": new}


@pytest.mark.parametrize(
    "batches",
    [
        [{"op": "update_node", "id": "a", "label": "Orders"}],
        [{"op": "delete_edge", "source": "a", "target": "b"}],
        [edit("## Risks", "One machine.", "Two machines.")],
        [{"op": "rename_section", "section": "## Risks", "title": "Dangers"}],
        [{"op": "rename_section", "section": f"## {name}", "title": f"The {name}"} for name in ("Risks", "Storage")],
        [{"op": "move_section", "section": "## Risks", "after": "## Storage"}],
        [edit("## Risks", "## Risks", "## Dangers")],
        [{"op": "add_node", "id": "x", "type": "cache", "label": "X"}, {"op": "delete_node", "id": "x"}],
        [{"op": "insert_section", "title": "New", "text": "x", "after": "## Risks"}, edit("## New", "x", "y")],
        [{"op": "replace_section", "section": "## Risks", "text": "Another text."}],
    ],
)  # fmt: skip
def test_small_changes_are_applied(batches: list[Op]) -> None:
    """Changes, renames, moves, and what the run itself made and took away, need nobody's yes."""
    assert reason(*batches) is None


@pytest.mark.parametrize(
    "batches, said",
    [
        ([{"op": "delete_node", "id": "b"}], "deletes 1 node"),
        ([{"op": "delete_nodes", "ids": ["a", "b"]}], "deletes 2 nodes"),
        ([{"op": "delete_node", "id": "g", "children": "delete"}], "deletes 2 nodes"),
        ([{"op": "ungroup_nodes", "id": "g"}], "deletes 1 node"),
        (
            [{"op": "delete_node", "id": "a"}, {"op": "add_node", "id": "a", "type": "service", "label": "A"}],
            "deletes 1 node",
        ),
        ([{"op": "delete_section", "section": "## Risks"}], "deletes a section"),
        (
            [
                {"op": "delete_section", "section": "## Risks"},
                {"op": "insert_section", "title": "Costs", "text": "x", "after": "## Storage"},
            ],
            "deletes a section",
        ),
        ([{"op": "replace_section", "section": "# Shop", "scope": "subtree", "text": "Short."}], "deletes a section"),
        (
            [{"op": "replace_section", "section": "# Shop", "scope": "subtree", "text": "## X\n\nx\n\n## Y\n\ny"}],
            "deletes a section",
        ),
        ([edit("## Risks", "## Risks", "Risks")], "deletes a section"),
        ([{"op": "replace_document", "text": TEXT.replace("One", "Two")}], "whole"),
    ],
)  # fmt: skip
def test_losses_wait(batches: list[Op], said: str) -> None:
    """Nodes, groups and sections that go, also where something else stands in their place afterwards."""
    found = reason(*batches)
    assert found is not None
    assert said in found
    assert reason(*batches, mode="apply") is None or "whole" not in said


def test_the_share_of_a_short_text_says_nothing() -> None:
    """Below a few hundred characters nobody is asked because of a share."""
    assert reason(edit("## Storage", "Postgres.", ""), text="# Shop\n\n## Storage\n\nPostgres.\n") is None


def test_a_large_part_of_the_text_waits_however_it_goes() -> None:
    """Emptying sections by edits is a loss as well as deleting them; in mode apply it was asked for."""
    empty: list[Op] = [{"op": "replace_section", "section": f"## Part {n}", "text": "x"} for n in range(3)]
    found = reason(*empty, text=LONG)
    assert found is not None
    assert "30 %" in found
    assert reason(*empty, text=LONG, mode="apply") is None
    assert reason(*empty[:1], text=LONG) is None


def test_a_rewrite_that_removes_much_waits_in_every_mode() -> None:
    """Wholes come from models that forget; more than 30 % never goes without a yes."""
    for mode in ("auto", "apply"):
        found = reason({"op": "replace_document", "text": "# Shop\n"}, mode=mode)  # type: ignore[arg-type]
        assert found is not None
        assert "30 %" in found
    whole: Op = {"op": "replace_diagram", "nodes": [{"id": "b", "type": "database", "label": "B"}], "edges": []}
    assert "30 %" in str(reason(whole, mode="apply"))


def test_the_first_content_of_a_workspace_is_applied_whatever_its_size() -> None:
    """There is nothing to lose; unless others have put something in meanwhile, which the run then takes away."""
    many: list[Op] = [{"op": "add_node", "id": f"n{n}", "type": "service", "label": f"N{n}"} for n in range(40)]
    assert reason(many, nodes=[], text="", is_first=True) is None
    assert "40 things" in str(reason(many, nodes=[], text=""))
    assert "deletes 1 node" in str(reason(many, {"op": "delete_node", "id": "b"}, is_first=True))
    assert "deletes a section" in str(reason({"op": "delete_section", "section": "## Risks"}, is_first=True))


def test_twenty_changes_are_few_and_one_more_is_many() -> None:
    """The bound is on what is different in the end."""
    many: list[Op] = [{"op": "add_node", "id": f"n{n}", "type": "service", "label": f"N{n}"} for n in range(21)]
    assert reason(many[:20]) is None
    assert "21 things" in str(reason(many))
    assert reason(many, {"op": "delete_node", "id": "n0"}) is None


def test_who_asks_for_a_proposal_gets_one() -> None:
    """Whatever it does."""
    assert reason({"op": "update_node", "id": "a", "label": "Z"}, mode="propose") == "You asked for a proposal."
