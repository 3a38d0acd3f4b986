"""A section's text that brings its own heading: no heading is stored twice, and none ends the section unseen."""

from __future__ import annotations

import pytest

from draftsmith.errors import BatchRejected
from draftsmith.model.rules import lint_all
from tests.builders import Op, run, workspace_of

DOC = "# Shop\n\nIntro.\n\n## Capacity\n\nOne server.\n\n### Peak\n\nTwo.\n\n## Risks\n\nNone.\n"


def written(*operations: Op, text: str = DOC) -> tuple[str, list[tuple[int, str, str]]]:
    """The text after a batch, and its warnings as (index, code, path)."""
    workspace = workspace_of(text=text)
    tx = run(workspace, *operations, revision=2)
    return workspace.document.text, [(one.index, one.code, one.path) for one in tx.warnings]


def replace(text: str, section: str = "## Capacity", **more: str) -> Op:
    return {"op": "replace_section", "section": section, "text": text, **more}


def insert(text: str, title: str = "Costs", **more: object) -> Op:
    return {"op": "insert_section", "title": title, "text": text, **more}


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
    after, warnings = written(replace(f"{own}\n\nFour servers."))
    assert after == DOC.replace("One server.", "Four servers.")
    assert warnings == [(0, "heading_repeated", "/operations/0/text")]


def test_replacing_everything_below_with_the_own_heading_stores_it_once() -> None:
    """Scope subtree, too; subsections of the text are taken as they are."""
    after, warnings = written(replace("## Capacity\n\nFour.\n\n### Off peak\n\nOne.", scope="subtree"))
    assert after == DOC.replace("One server.\n\n### Peak\n\nTwo.", "Four.\n\n### Off peak\n\nOne.")
    assert [code for _, code, _ in warnings] == ["heading_repeated"]


def test_inserting_with_the_own_heading_stores_it_once() -> None:
    """At the level it gets, whichever of the same or a higher level the text names."""
    for own in ("## Costs", "# Costs", "## Costs\n"):
        after, warnings = written(insert(f"{own}\nTen a month."))
        assert after == f"{DOC}\n## Costs\n\nTen a month.\n"
        assert warnings == [(0, "heading_repeated", "/operations/0/text")]


def test_a_text_without_the_own_heading_is_taken_as_it_is() -> None:
    """A deeper heading of the same title is a subsection; one in code or further down is no first heading."""
    for text in ("### Capacity\n\nx", "```\n## Capacity\n```", "x\n\n### Capacity", "**Capacity**\n\nx"):
        after, warnings = written(replace(text))
        assert after == DOC.replace("One server.", text)
        assert warnings == []


@pytest.mark.parametrize(
    "operation",
    [replace("## Limits\n\nFour."), replace("# Limits\n\nFour.", scope="subtree"), insert("## Prices\n\nTen.")],
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


def test_what_a_refused_operation_would_have_warned_of_is_not_said() -> None:
    """Warnings are of what was done."""
    workspace = workspace_of(text=DOC)
    unclosed = insert("## Costs\n\n```\nopen", before="## Risks")
    with pytest.raises(BatchRejected) as rejected:
        run(workspace, unclosed, revision=2)
    assert [problem.code for problem in rejected.value.problems] == ["field_invalid"]


def test_lint_finds_a_heading_that_stands_twice_in_a_row() -> None:
    """At any level, set alike or not; not where text stands between, nor with another heading between."""
    twice = ["## A\n\n## A\n\nx\n", "# A\n## *a*\n", "## A\n\n\n\nA\n---\n"]
    for text in twice:
        assert [one.code for one in lint_all(workspace_of(text=text))] == ["heading_twice"], text
    for text in ("## A\n\nx\n\n## A\n", "## A\n\n## B\n\n## A\n", "## A\n\n## A b\n", DOC):
        assert lint_all(workspace_of(text=text)) == []


def test_a_write_warns_of_a_heading_that_stands_twice_in_a_row() -> None:
    """Where it wrote, and not elsewhere."""
    from draftsmith.usecases.commits.request import warnings_of

    workspace = workspace_of(text=f"{DOC}\n## Old\n\n## Old\n\nx\n")
    append: Op = {"op": "append_to_section", "section": "## Capacity", "text": "## Risks"}
    tx = run(workspace, append, revision=2)
    assert [one["code"] for one in warnings_of(workspace, tx.steps)] == []  # a subsection stands between
    cut: Op = {"op": "delete_section", "section": "### Peak"}
    tx = run(workspace, cut, revision=3)
    assert [one["code"] for one in warnings_of(workspace, tx.steps)] == ["heading_twice"]
