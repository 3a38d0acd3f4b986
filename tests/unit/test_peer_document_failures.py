"""Edits of documents that went wrong in other systems, each as a test; letters as in their list."""

from __future__ import annotations

from typing import Any

import pytest

from draftsmith.document import headings
from draftsmith.errors import DraftsmithError
from tests.builders import canonical, refusal_of, run, workspace_of
from tests.kit.documents import edited_text

DOC = """\
# Orders

The Data Flow section below says how orders travel; see ## Data Flow.

## Component Details

All of them are stateless.

### Redis Cache

**Technology**: Redis 7.0

#### Eviction

Least recently used first.

### Worker

Takes one job at a time.

## Data Flow

Orders travel through the queue.
"""


def code_and_problems(section: str, find: str, text: str = DOC) -> tuple[str, list[Any]]:
    with pytest.raises(DraftsmithError) as raised:
        edited_text(text, section, find, "x")
    return raised.value.code, list(raised.value.problems)


def test_e_a_section_named_in_a_sentence_is_not_there() -> None:
    """E: the sentence that mentions `## Data Flow` stays; the section of that name is edited."""
    after = edited_text(DOC, "## Data Flow", "Orders travel", "Orders and refunds travel")
    assert after == DOC.replace("Orders travel", "Orders and refunds travel")
    assert "see ## Data Flow." in after
    code, problems = code_and_problems("## Data Flow", "The Data Flow section below says")
    assert code == "find_not_found"
    assert "# Orders" in problems[0].candidates, "the section that does hold it"


def test_f_a_section_ends_at_the_next_of_its_level() -> None:
    """F: `## Component Details` reaches over its `###` subsections and not one line further."""
    after = edited_text(DOC, "## Component Details", "Takes one job at a time.", "Takes two jobs at a time.")
    assert after == DOC.replace("one job", "two jobs")
    assert code_and_problems("## Component Details", "Orders travel through the queue.")[0] == "find_not_found"
    workspace = workspace_of(text=DOC)
    replace = {"op": "replace_section", "section": "Component Details", "text": "New.", "scope": "subtree"}
    run(workspace, replace, revision=2)
    assert [heading.text for heading in headings(workspace.document.text)] == [
        "Orders",
        "Component Details",
        "Data Flow",
    ]


def test_g_deeper_notes_belong_to_their_section() -> None:
    """G: `### Redis Cache` does not stop at its `####`; replacing the whole of it leaves no old deep notes."""
    after = edited_text(DOC, "### Redis Cache", "Least recently used first.", "Least frequently used first.")
    assert after == DOC.replace("recently", "frequently")
    workspace = workspace_of(text=DOC)
    replace = {"op": "replace_section", "section": "Redis Cache", "text": "Memcached.", "scope": "subtree"}
    run(workspace, replace, revision=2)
    assert "Eviction" not in workspace.document.text
    assert "### Worker" in workspace.document.text


def test_h_a_heading_in_a_fence_is_code() -> None:
    """H: the fence that shows the heading first stays whole; the heading after it is the section."""
    text = "# T\n\n```md\n## Setup\n\nold\n```\n\n## Setup\n\nold\n"
    assert edited_text(text, "## Setup", "old", "new") == "# T\n\n```md\n## Setup\n\nold\n```\n\n## Setup\n\nnew\n"
    only_code = "# T\n\n```md\n## Setup\n\nold\n```\n"
    code, problems = code_and_problems("## Setup", "old", only_code)
    assert code == "section_not_found"
    assert "code" in problems[0].message, "it says where such a line stands"


def test_i_new_text_keeps_off_the_heading_and_twins_are_refused() -> None:
    """I: nothing runs into `## Risks`; of two equal headings neither is taken, whatever is quoted."""
    workspace = workspace_of(text="# S\n\n## Risks\n")
    run(workspace, {"op": "append_to_section", "section": "Risks", "text": "NEW RISK"}, revision=2)
    assert workspace.document.text == "# S\n\n## Risks\n\nNEW RISK\n"
    twins = "# S\n\n## Risks\n\nalpha\n\n## Risks\n\nbeta\n"
    code, problems = code_and_problems("## Risks", "beta", twins)
    assert code == "section_ambiguous"
    assert "3" in problems[0].message
    assert "7" in problems[0].message
    assert len(problems[0].candidates) == 2


@pytest.mark.parametrize("find", ["", " ", "\n", "\t\n "])
@pytest.mark.parametrize("section", ["", "# Orders", "## Data Flow"])
def test_j_an_empty_find_wipes_nothing(section: str, find: str) -> None:
    """J: nothing to find is refused, in a section and before the first one."""
    assert code_and_problems(section, find)[0] == "find_empty"


def test_j_an_empty_section_is_the_text_before_the_first_heading() -> None:
    """J: it does not mean the title, nor the whole document."""
    assert code_and_problems("", "# Orders")[0] == "find_not_found"
    assert code_and_problems("", "Takes one job at a time.")[0] == "find_not_found"
    assert edited_text("Intro.\n\n# A\n\nIntro.\n", "", "Intro", "Preface") == "Preface.\n\n# A\n\nIntro.\n"


@pytest.mark.parametrize("section", ["## data flow", "DATA FLOW", "## Data Flow ##", "Orders > data flow"])
def test_k_letter_case_does_not_matter_to_a_section(section: str) -> None:
    """K: a heading in another case is the same heading."""
    assert edited_text(DOC, section, "the queue", "the stream") == DOC.replace("the queue", "the stream")


def test_k_a_section_that_is_not_there_comes_with_paths_that_are_accepted() -> None:
    """K: the refusal lists full paths, nearest first; sent back, each of them is taken."""
    code, problems = code_and_problems("## Dataflows and more", "the queue")
    assert code == "section_not_found"
    assert problems[0].candidates[0] == "# Orders ## Data Flow"
    assert edited_text(DOC, problems[0].candidates[0], "the queue", "the stream") == DOC.replace(
        "the queue", "the stream"
    )
    for candidate in problems[0].candidates:
        assert refusal_of(lambda path=candidate: edited_text(DOC, path, "the queue", "x")) in ("", "find_not_found")


def test_a_refused_edit_changes_nothing_in_a_workspace() -> None:
    """E to K alike: good edits beside a bad one leave diagram and document as they were."""
    workspace = workspace_of(text=DOC)
    before = canonical(workspace)
    good = {"op": "edit_section", "section": "## Data Flow", "find": "the queue", "replace": "the stream"}
    for bad in ({"section": "## Data Flow", "find": ""}, {"section": "Nowhere", "find": "x"}):
        with pytest.raises(DraftsmithError):
            run(workspace, good, {"op": "edit_section", "replace": "x", **bad}, revision=2)
        assert canonical(workspace) == before
