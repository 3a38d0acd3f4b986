"""Steps that are applied, taken out and applied again; spans that a batch wrote."""

from __future__ import annotations

import pytest

from draftsmith.model.markdown.sections import outline_of
from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps.applied_steps import NOTHING, AppliedSteps, apply_changes
from draftsmith.transform.steps.changeset import ChangeSet, replacing
from draftsmith.transform.steps.written_spans import WrittenPlaces, WrittenSpan
from tests.builders import canonical, workspace_of

TEXT = "# A\n\none two\n\n## B\n\nthree \U0001f680\n"


def second_title(workspace: Workspace) -> str:
    return workspace.document.outline.sections[1].title


def two_changes(text: str) -> ChangeSet:
    """A change of the second heading and of a word."""
    return replacing(text, [(text.index("B"), text.index("B") + 1, "C"), (text.index("three"), len(text) - 1, "3")])


@pytest.mark.parametrize("is_outline_known", [True, False])
def test_changes_of_a_text_are_taken_out_and_made_again(is_outline_known: bool) -> None:
    """With its outline, whether that was read before or not, as often as it is asked."""
    workspace = workspace_of(text=TEXT)
    before = canonical(workspace)
    if is_outline_known:
        assert second_title(workspace) == "B"
    applied = apply_changes(workspace, two_changes(TEXT))
    after = canonical(workspace)
    assert [step.changes for step in applied.steps if step.ids == ()] == [two_changes(TEXT)]
    for _ in range(2):
        assert second_title(workspace) == "C"
        applied.roll_back(workspace)
        assert canonical(workspace) == before
        assert second_title(workspace) == "B"
        applied.apply_again(workspace)
        assert canonical(workspace) == after
    other = workspace_of(text=TEXT.replace("one", "1 1"))
    assert second_title(other) == "B"
    applied.apply_again(other)
    assert other.document.text == two_changes(TEXT).apply(TEXT).replace("one", "1 1")
    assert second_title(other) == "C"


def test_an_outline_that_was_made_elsewhere_is_taken() -> None:
    """With the steps alone: the text is changed, and nothing of it is read."""
    applied = apply_changes(workspace_of(text=TEXT), two_changes(TEXT))
    outline = outline_of(two_changes(TEXT).apply(TEXT))
    workspace = workspace_of(text=TEXT)
    AppliedSteps(applied.steps, outline=outline).apply_again(workspace)
    assert workspace.document.text == two_changes(TEXT).apply(TEXT)
    assert second_title(workspace) == "C"
    applied.roll_back(workspace)
    assert workspace.document.text == TEXT


def test_changes_that_change_nothing_are_no_steps() -> None:
    """What is replaced by itself is left out, of some changes and of all."""
    workspace = workspace_of(text=TEXT)
    assert apply_changes(workspace, replacing(TEXT, [(5, 8, "one")])) == NOTHING
    assert workspace.document.text == TEXT
    applied = apply_changes(workspace, replacing(TEXT, [(5, 8, "one"), (9, 12, "2")]))
    assert [step.to_json() for step in applied.steps] == [
        step.to_json() for step in apply_changes(workspace_of(text=TEXT), replacing(TEXT, [(9, 12, "2")])).steps
    ]


def test_changes_for_another_text_are_refused() -> None:
    """By its length, in the units of changes; nothing has happened."""
    workspace = workspace_of(text=TEXT)
    for other in (TEXT + " ", TEXT.replace("\U0001f680", "x")):
        with pytest.raises(ValueError, match="another length"):
            apply_changes(workspace, replacing(other, [(0, 1, "x")]))
        assert workspace.document.text == TEXT


def test_spans_that_a_batch_wrote_are_met_wherever_one_overlaps_another() -> None:
    """Every span of a short text is asked for; sections that the batch made are asked for by their places."""
    spans = [
        (9, 10, False),
        (2, 8, False),
        (3, 4, False),
        (13, 13, False),
        (4, 6, True),
        (15, 18, True),
        (16, 17, True),
    ]
    written = WrittenPlaces([WrittenSpan(start, end, created) for start, end, created in spans])
    nothing = WrittenPlaces([])
    for start in range(20):
        made = any(first <= start <= last for first, last, created in spans if created)
        assert written.are_created_at(start) == made
        assert not nothing.are_created_at(start)
        for end in range(start, 20):
            met = any(first < end and start < last for first, last, created in spans if not created)
            assert written.meet(start, end) == met
            assert not nothing.meet(start, end)
