"""A section's text that brings its own heading: no heading is stored twice, and none ends the section unseen."""

from __future__ import annotations

import pytest

from draftsmith.errors import BatchRejected
from draftsmith.model.rules import lint_all
from tests.builders import Op, run, workspace_of
from tests.kit.documents import append_to_section, insert_section, replace_section

DOC = "# Shop\n\nIntro.\n\n## Capacity\n\nOne server.\n\n### Peak\n\nTwo.\n\n## Risks\n\nNone.\n"


def written(*operations: Op, text: str = DOC) -> tuple[str, list[tuple[int, str, str]]]:
    """The text after a batch, and its warnings as (index, code, path)."""
    workspace = workspace_of(text=text)
    tx = run(workspace, *operations, revision=2)
    return workspace.document.text, [(one.index, one.code, one.path) for one in tx.warnings]


@pytest.mark.parametrize(
    "own",
    [
        "## Capacity",
        "\n\n## Capacity",
        "# Capacity",
        "## **Capacity** ##",
        "## capacity:",
        "## 3. Capacity",
        "Capacity\n---",
    ],
)
def test_replacing_with_the_own_heading_stores_it_once(own: str) -> None:
    """However it is set; the result says so."""
    after, warnings = written(replace_section("## Capacity", f"{own}\n\nFour servers."))
    assert after == DOC.replace("One server.", "Four servers.")
    assert warnings == [(0, "heading_repeated", "/operations/0/text")]


def test_replacing_everything_below_with_the_own_heading_stores_it_once() -> None:
    """Scope subtree, too; subsections of the text are taken as they are."""
    after, warnings = written(
        replace_section("## Capacity", "## Capacity\n\nFour.\n\n### Off peak\n\nOne.", scope="subtree")
    )
    assert after == DOC.replace("One server.\n\n### Peak\n\nTwo.", "Four.\n\n### Off peak\n\nOne.")
    assert [code for _, code, _ in warnings] == ["heading_repeated"]


def test_inserting_with_the_own_heading_stores_it_once() -> None:
    """At the level it gets, whichever of the same or a higher level the text names."""
    for own in ("## Costs", "# Costs", "## Costs\n"):
        after, warnings = written(insert_section("Costs", text=f"{own}\nTen a month."))
        assert after == f"{DOC}\n## Costs\n\nTen a month.\n"
        assert warnings == [(0, "heading_repeated", "/operations/0/text")]


def test_a_text_without_the_own_heading_is_taken_as_it_is() -> None:
    """A deeper heading of the same title is a subsection; one in code or further down is no first heading."""
    for text in ("### Capacity\n\nx", "```\n## Capacity\n```", "x\n\n### Capacity", "**Capacity**\n\nx"):
        after, warnings = written(replace_section("## Capacity", text))
        assert after == DOC.replace("One server.", text)
        assert warnings == []


@pytest.mark.parametrize(
    "operation",
    [
        replace_section("## Capacity", "## Limits\n\nFour."),
        replace_section("## Capacity", "# Limits\n\nFour.", scope="subtree"),
        insert_section("Costs", text="## Prices\n\nTen."),
    ],
)
def test_another_heading_first_is_a_problem_with_a_remedy(operation: Op) -> None:
    """It would end the section before it begins; what to use instead is named, and nothing is applied."""
    workspace = workspace_of(text=DOC)
    with pytest.raises(BatchRejected) as rejected:
        run(workspace, operation, revision=2)
    [problem] = rejected.value.problems
    assert (problem.code, problem.path, problem.remedy) == ("heading_in_text", "/operations/0/text", "fix")
    assert "rename_section" in problem.message
    assert "insert_section" in problem.message
    assert workspace.document.text == DOC


def refusal(operation: Op, text: str = DOC) -> str:
    """What the refusal says, of a batch that leaves the document as it was."""
    workspace = workspace_of(text=text)
    with pytest.raises(BatchRejected) as rejected:
        run(workspace, operation, revision=2)
    [problem] = rejected.value.problems
    assert (problem.code, problem.path) == ("heading_in_text", "/operations/0/text")
    assert workspace.document.text == text
    return problem.message


@pytest.mark.parametrize(
    "text,line",
    [
        ("x\n\n## Limits\n\nFour.", 3),
        ("x\n\n# Limits", 3),
        ("x\n\nLimits\n---\n", 3),
        ("## Capacity\n\nx\n\n## Limits", 5),
        ("```\n## a\n```\n\n> ## b\n\n- # c\n\n### d\n\n## Limits", 11),
        ("---\ntitle: x\n---\n\nwords", 2),
    ],
)
def test_every_heading_that_would_end_the_section_is_a_problem(text: str, line: int) -> None:
    """Wherever it stands in the text, set in any way; its line is named, in each operation that takes a text."""
    for operation in (
        replace_section("## Capacity", text),
        replace_section("## Capacity", text, scope="subtree"),
        append_to_section("## Capacity", text),
        insert_section("Capacity", text=text),
    ):
        assert refusal(operation).startswith(f"Line {line} of the text is the heading '#")


def test_the_refusal_names_one_operation_for_each_section() -> None:
    """With titles, places, levels and lines of the text that was sent."""
    text = "## Capacity\n\nx\n\n### Peak\n\ny\n\n## Limits\n\nFour.\nFive.\n\n# End"
    assert refusal(replace_section("## Capacity", text, scope="subtree")) == (
        "Line 9 of the text is the heading '## Limits', which ends 'Capacity'. Send one operation a section: "
        "replace_section for 'Capacity', text: lines 1 to 7; insert_section 'Limits' after '## Capacity', text: lines "
        "11 to 12; insert_section 'End' after '## Limits', level 1."
    )


def test_sending_the_operations_that_the_refusal_names_writes_all_of_it() -> None:
    """In the places where the text would have had them."""
    after, warnings = written(
        replace_section("## Capacity", "x\n\n### Peak\n\ny", scope="subtree"),
        insert_section("Limits", text="Four.", after="## Capacity"),
    )
    assert after == DOC.replace("One server.\n\n### Peak\n\nTwo.", "x\n\n### Peak\n\ny\n\n## Limits\n\nFour.")
    assert warnings == []


def test_a_deeper_heading_that_would_take_in_subsections_is_a_problem() -> None:
    """Those that follow the text; one of their level or below is a subsection like them."""
    text = "## A\n\na\n\n#### Deep\n\nb\n\n## B\n"
    for operation in (replace_section("## A", "x\n\n### New"), append_to_section("## A", "### New")):
        assert "takes in the sections after 'A'" in refusal(operation, text)
        assert written({**operation, "text": "#### New"}, text=text)[1] == []
    assert "takes in" in refusal(replace_section("", "x\n\n# New"), "Before.\n\n## A\n")
    assert written(replace_section("", "x\n\n## New"), text="Before.\n\n## A\n")[0] == "x\n\n## New\n\n## A\n"


def test_appending_with_the_own_heading_stores_it_once() -> None:
    """As the other operations do."""
    after, warnings = written(append_to_section("## Capacity", "## Capacity\n\nMore."))
    assert after == DOC.replace("One server.", "One server.\n\nMore.")
    assert warnings == [(0, "heading_repeated", "/operations/0/text")]


def test_what_a_refused_operation_would_have_warned_of_is_not_said() -> None:
    """Warnings are of what was done."""
    workspace = workspace_of(text=DOC)
    unclosed = insert_section("Costs", text="## Costs\n\n```\nopen", before="## Risks")
    with pytest.raises(BatchRejected) as rejected:
        run(workspace, unclosed, revision=2)
    assert [problem.code for problem in rejected.value.problems] == ["field_invalid"]


LEVELS = "# 1\n\n## 2\n\n### 3\n\n#### 4\n\n##### 5\n\n## M\n\n### N\n\n#### O\n"


def levels(*operations: Op, text: str = LEVELS) -> list[tuple[str, ...]]:
    """The sections that warnings of a batch name, since they do not stand as deep as they belong."""
    tx = run(workspace_of(text=text), *operations, revision=2)
    return [one.candidates for one in tx.warnings if one.code == "levels_flattened"]


def test_levels_that_are_flattened_are_told() -> None:
    """Of what is moved or inserted, each section that would be deeper than the sixth; nothing where all fits."""

    def moved(section: str, into: str) -> Op:
        return {"op": "move_section", "section": section, "into": into}

    assert levels(moved("M", "5")) == [("###### N", "###### O")]
    assert levels(moved("N", "5")) == [("###### O",)]
    assert levels(moved("O", "5")) == levels(moved("M", "2")) == []
    deepest = f"{LEVELS}\n###### S\n"
    assert levels(moved("O", "S"), text=deepest.replace("#### O", "#### O\n\n## P")) == [("###### O",)]
    assert levels(insert_section("Costs", text="x", into="S"), text=deepest) == [("###### Costs",)]
    assert levels(insert_section("Costs", text="x", after="S"), text=deepest) == []


def test_lint_finds_a_heading_that_stands_twice_in_a_row() -> None:
    """At any level, set alike or not; not where text stands between, nor with another heading between."""
    twice = ["## A\n\n## A\n\nx\n", "# A\n## *a*\n", "## A\n\n\n\nA\n---\n"]
    for text in twice:
        assert [one.code for one in lint_all(workspace_of(text=text))] == ["heading_twice"], text
    for text in ("## A\n\nx\n\n## A\n", "## A\n\n## B\n\n## A\n", "## A\n\n## A b\n", DOC):
        assert lint_all(workspace_of(text=text)) == []


def test_a_write_warns_of_a_heading_that_stands_twice_in_a_row() -> None:
    """Where it wrote, and not elsewhere."""
    from draftsmith.usecases.requests.request import warnings_of

    workspace = workspace_of(text=f"{DOC}\n## Old\n\n## Old\n\nx\n")
    tx = run(workspace, insert_section("Risks", text="### Gap\n\nz", before="## Risks"), revision=2)
    assert [one["code"] for one in warnings_of(workspace, tx.steps)] == []  # a subsection stands between
    cut: Op = {"op": "delete_section", "section": "### Gap"}
    tx = run(workspace, cut, revision=3)
    assert [one["code"] for one in warnings_of(workspace, tx.steps)] == ["heading_twice"]
