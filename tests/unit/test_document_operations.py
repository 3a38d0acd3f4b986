"""What each operation on the document writes, character by character: as a careful writer would have done it."""

from __future__ import annotations

from typing import Any

import pytest

from draftsmith.errors import BatchRejected
from draftsmith.model.document import units
from draftsmith.transform.steps.changeset import replacing
from draftsmith.transform.transaction import Transaction
from tests.builders import Op, refused, run, workspace_of
from tests.kit.documents import append_to_section, edit_section, insert_section, replace_section

DOC = "intro\n\n# Shop\n\nalpha\n\n## Risks\n\n- one\n- two\n\n## Data\n\nrows\n\n### Keys\n\nids\n"


def after(text: str, *operations: Op) -> str:
    """The text after a batch."""
    workspace = workspace_of(text=text)
    run(workspace, *operations, revision=2)
    return workspace.document.text


def match_of(text: str, operation: Op) -> dict[str, Any]:
    """What the result says was matched."""
    tx: Transaction = run(workspace_of(text=text), operation, revision=2)
    found = tx.results[-1].match
    assert found is not None
    return found


# -- edit_section ----------------------------------------------------------------------------------------------------


def test_edit_takes_the_replacement_verbatim() -> None:
    """No escapes, no trimming; line ends become LF; the heading line may be part of what is found."""
    assert after(DOC, edit_section("Shop", "alpha", r"\1 $& 🚀  ")) == DOC.replace("alpha", r"\1 $& 🚀  ")
    assert after(DOC, edit_section("Shop", "# Shop\r\n\r\nalpha", "# Store\r\nbeta")) == DOC.replace(
        "# Shop\n\nalpha", "# Store\nbeta"
    )


def test_edit_looks_at_the_own_text_first() -> None:
    """The section's own text before its subsections: a match there is the one, however often it stands below."""
    text = "# A\n\nword\n\n## B\n\nword word\n"
    assert after(text, edit_section("A", "word", "own")) == "# A\n\nown\n\n## B\n\nword word\n"
    assert refused(workspace_of(text=text.replace("\nword\n", "\n\n", 1)), edit_section("A", "word", "x")) == [
        (0, "find_ambiguous")
    ]


def test_edit_all_replaces_every_one_below_too() -> None:
    """Every occurrence in the section and its subsections; none outside, and overlapping ones are one."""
    assert (
        after("aaa\n# A\naaa a\n## B\na\n# C\na\n", edit_section("A", "aa", "b", all=True))
        == "aaa\n# A\nba a\n## B\na\n# C\na\n"
    )
    assert (
        after("a\n# A\na\n## B\na\n# C\na\n", edit_section("A", "a", "b", all=True)) == "a\n# A\nb\n## B\nb\n# C\na\n"
    )


def test_uniqueness_is_counted_over_text_that_this_batch_has_not_written() -> None:
    """The second edit finds the old word although the first wrote the same word elsewhere."""
    assert (
        after("# A\n\none two\n", edit_section("A", "one", "two"), edit_section("A", "two", "three"))
        == "# A\n\ntwo three\n"
    )


def test_a_section_that_the_batch_made_may_be_edited() -> None:
    """And one that it moved, too: nobody wrote that text."""
    made = after(
        "# A\n",
        insert_section("New", text="draft text", into="A"),
        edit_section("New", "draft", "final"),
        append_to_section("New", "more"),
    )
    assert made == "# A\n\n## New\n\nfinal text\n\nmore\n"
    moved = after(
        "# A\n\none\n\n# B\n", {"op": "move_section", "section": "A", "after": "B"}, edit_section("A", "one", "two")
    )
    assert moved == "# B\n\n# A\n\ntwo\n"


def test_the_empty_path_is_what_stands_before_the_first_heading() -> None:
    """Found, replaced, appended to; a front matter is left alone."""
    assert after(DOC, edit_section("", "intro", "hello")) == DOC.replace("intro", "hello")
    front = "---\ntitle: x\n---\n"
    assert after(front + "old\n\n# A\n", replace_section("", "new")) == front + "new\n\n# A\n"
    assert after(front + "# A\n", append_to_section("", "new")) == front + "\nnew\n\n# A\n"
    assert after("# A\n", append_to_section("", "new")) == "new\n\n# A\n"
    assert after("", append_to_section("", "new")) == "new\n"
    assert after("\ufeff# A\n", append_to_section("", "new")) == "\ufeffnew\n\n# A\n"


def test_a_match_says_where_and_how_it_reads_now() -> None:
    """The rung, the section's path, the lines before, the lines now."""
    found = match_of(DOC, edit_section("Risks", "one", "1"))
    assert found == {
        "rung": "exact",
        "section": "# Shop ## Risks",
        "lines": [9, 9],
        "snippet": "## Risks\n\n- 1\n- two\n\n",
    }
    assert match_of(DOC, insert_section("New", text="x", after="Risks"))["section"] == "# Shop ## New"


# -- sections --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "# Shop ## Risks",
        "Shop > Risks",
        "Shop / Risks",
        "Shop → Risks",
        "## Risks",
        "Risks",
        "# Shop\n## Risks",
        "## Risks ##",
        " ## Risks ",
    ],
)
def test_paths(path: str) -> None:
    """Marks or separators, ancestors left out or not."""
    assert match_of(DOC, edit_section(path, "one", "1"))["section"] == "# Shop ## Risks"


@pytest.mark.parametrize("title", ["CI / CD", "A > B", "Part # 2", "C#", "`code` and *stars*", "a → b", "- no list"])
def test_titles_that_hold_what_separates_paths(title: str) -> None:
    """Such a section is found by its title alone and by its full path; marks in a title need not be given."""
    text = f"# Shop\n\n## {title}\n\nx\n"
    for path in (title, f"## {title}", f"# Shop ## {title}"):
        assert after(text, edit_section(path, "x", "y")).endswith("y\n")
    assert after(text.replace(title, "`code` and *stars*"), edit_section("code and stars", "x", "y")).endswith("y\n")


@pytest.mark.parametrize("path", ["", " ", "#", "# ", ">", "\n"])
def test_a_path_that_says_nothing_means_no_section(path: str) -> None:
    """Not even one whose heading is empty, of which there may be several."""
    assert refused(workspace_of(text="#\n\nx\n\n#\n"), {"op": "delete_section", "section": path}) == [
        (0, "section_not_found")
    ]


def test_levels_and_ancestors_tell_equal_titles_apart() -> None:
    """Equal headings are never told apart by the find."""
    text = "# A\n\n## R\n\nx\n\n# B\n\n### R\n\nx\n\n## R\n\ny\n"
    assert after(text, edit_section("# A ## R", "x", "1")).index("1") < text.index("# B")
    assert "### R\n\n1" in after(text, edit_section("# B ### R", "x", "1"))
    assert refused(workspace_of(text=text), edit_section("R", "x", "1")) == [(0, "section_ambiguous")]
    assert refused(workspace_of(text="# A\n\nx\n\n# A\n\ny\n"), edit_section("A", "x", "1")) == [
        (0, "section_ambiguous")
    ]


def test_headings_that_are_none() -> None:
    """In fences, quotes, lists, comments and front matter; setext headings and a byte order mark count."""
    text = "---\n# no: 1\n---\n```\n# no\n```\n> # no\n\n- # no\n\n<!--\n# no\n-->\n\nYes\nand yes\n===\n\nx\n"
    assert refused(workspace_of(text=text), edit_section("no", "x", "y")) == [(0, "section_not_found")]
    assert match_of(text, edit_section("Yes and yes", "x", "y"))["section"] == "# Yes and yes"
    assert match_of("\ufeff# A\n\nx\n", edit_section("A", "x", "y"))["section"] == "# A"
    assert match_of("---\n\n# A\n\nx\n\n---\n", edit_section("A", "x", "y"))["section"] == "# A"


# -- replace_section -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text,new,expected",
    [
        ("# A\n\nold\n\n# B\n", "new", "# A\n\nnew\n\n# B\n"),
        ("# A\n\nold\n\n# B\n", "\n\nnew\n\n\n", "# A\n\nnew\n\n# B\n"),
        ("# A\nold\n# B\n", "new", "# A\nnew\n# B\n"),
        ("# A\n\n\nold\n\n\n\n# B\n", "new", "# A\n\n\nnew\n\n\n\n# B\n"),
        ("# A\n# B\n", "new", "# A\n\nnew\n\n# B\n"),
        ("# A\n\n\n\n# B\n", "new", "# A\n\nnew\n\n# B\n"),
        ("# A", "new", "# A\n\nnew\n"),
        ("# A\n\nold", "new", "# A\n\nnew"),
        ("# A\n\nold\n\n# B\n", "", "# A\n\n# B\n"),
        ("# A\n\nold\n", " \n", "# A\n"),
        ("A\n===\nold\n\nB\n===\n", "new", "A\n===\nnew\n\nB\n===\n"),
        ("# A\n```\nold\n```\nB\n===\n", "new", "# A\nnew\n\nB\n===\n"),
        ("# A\n\n    code\n\n# B\n", "    more code", "# A\n\n    more code\n\n# B\n"),
        ("# A\n\nold\n\n## C\n\nkeep\n", "new", "# A\n\nnew\n\n## C\n\nkeep\n"),
    ],
)
def test_replace_body(text: str, new: str, expected: str) -> None:
    """Only the section's own text; the blank lines around it stay as they were, none is doubled."""
    assert after(text, replace_section("A", new)) == expected


def test_replace_subtree() -> None:
    """Everything below the heading line, subsections included; the next section stays one."""
    text = "# A\n\nold\n\n## C\n\ngone\n\n# B\n\nkeep\n"
    assert (
        after(text, replace_section("A", "new\n\n## D\n\nx", scope="subtree"))
        == "# A\n\nnew\n\n## D\n\nx\n\n# B\n\nkeep\n"
    )


# -- append_to_section -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text,new,expected",
    [
        ("# A\n\npara\n\n# B\n", "new", "# A\n\npara\n\nnew\n\n# B\n"),
        ("# A\n\npara\n\n\n# B\n", "\nnew\n\n", "# A\n\npara\n\nnew\n\n\n# B\n"),
        ("# A\n\npara\n\n## C\n", "new", "# A\n\npara\n\nnew\n\n## C\n"),
        ("# A\n# B\n", "new", "# A\n\nnew\n\n# B\n"),
        ("# A\n\n# B\n", "new", "# A\n\nnew\n\n# B\n"),
        ("# A", "new", "# A\n\nnew\n"),
        ("# A\n\npara", "new", "# A\n\npara\n\nnew"),
        ("# A\n\n- one\n\n# B\n", "- two\n- three", "# A\n\n- one\n- two\n- three\n\n# B\n"),
        ("# A\n\n- one\n\n- two\n", "- three", "# A\n\n- one\n\n- two\n\n- three\n"),
        ("# A\n\n- one\n  more of one\n", "- two", "# A\n\n- one\n  more of one\n- two\n"),
        ("# A\n\n- one\n\n  more of one\n", "- two", "# A\n\n- one\n\n  more of one\n\n- two\n"),
        ("# A\n\n- one\n  - inner\n", "- two", "# A\n\n- one\n  - inner\n- two\n"),
        ("# A\n\nsome:\n\n- one\n", "- two", "# A\n\nsome:\n\n- one\n- two\n"),
        ("# A\n\n1. one\n", "2. two", "# A\n\n1. one\n2. two\n"),
        ("# A\n\n- one\n", "1. two", "# A\n\n- one\n\n1. two\n"),
        ("# A\n\n- one\n", "* two", "# A\n\n- one\n\n* two\n"),
        ("# A\n\n- one\n", "- - -", "# A\n\n- one\n\n- - -\n"),
        ("# A\n\npara\n\n* * *\n", "* one", "# A\n\npara\n\n* * *\n\n* one\n"),
        ("# A\n\n- one\n", "para", "# A\n\n- one\n\npara\n"),
        ("# A\n\npara\n", "- two", "# A\n\npara\n\n- two\n"),
        ("# A\n\n| a |\n|---|\n| 1 |\n", "| 2 |", "# A\n\n| a |\n|---|\n| 1 |\n| 2 |\n"),
        ("# A\n\n| a |\n|---|\n| 1 |\n", "| b |\n|---|\n| 2 |", "# A\n\n| a |\n|---|\n| 1 |\n\n| b |\n|---|\n| 2 |\n"),
        ("# A\n\npara\nB\n===\n", "new", "# A\n\npara\nB\n===\n\nnew\n"),
        ("# A\n```\nx\n```\nB\n===\n", "new", "# A\n```\nx\n```\n\nnew\n\nB\n===\n"),
        ("# A\n\npara  \n\n# B\n", "new", "# A\n\npara  \n\nnew\n\n# B\n"),
    ],
)
def test_append(text: str, new: str, expected: str) -> None:
    """At the end of the own text: paragraphs apart, lists and tables going on, the headings around untouched."""
    section = "A" if "para\nB" not in text else "para B"
    assert after(text, append_to_section(section, new)) == expected


# -- insert, delete, move, rename ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text,operation,expected",
    [
        ("", insert_section("A"), "# A\n"),
        ("", insert_section("A", text="x"), "# A\n\nx\n"),
        (" ", insert_section("A", text="x"), " \n# A\n\nx\n"),
        ("\n\t", insert_section("A"), "\n\t\n# A\n"),
        ("\n", insert_section("A"), "\n# A\n"),
        ("intro", insert_section("A", text="x"), "intro\n\n# A\n\nx\n"),
        ("# A\n\nx", insert_section("B"), "# A\n\nx\n\n## B\n"),
        ("# A\n\n## B\n\n### C\n", insert_section("D"), "# A\n\n## B\n\n### C\n\n## D\n"),
        ("# A\n\n# B\n", insert_section("C"), "# A\n\n# B\n\n# C\n"),
        ("## A\n\n### B\n", insert_section("C"), "## A\n\n### B\n\n## C\n"),
        ("# A\n\nx\n\n## B\n", insert_section("N", text="\ny\n", before="B"), "# A\n\nx\n\n## N\n\ny\n\n## B\n"),
        ("# A\nx\n## B\n", insert_section("N", before="B"), "# A\nx\n\n## N\n\n## B\n"),
        ("# A\n\n## B\n\n### C\n\n## D\n", insert_section("N", after="B"), "# A\n\n## B\n\n### C\n\n## N\n\n## D\n"),
        ("# A\n\n## B\n\nb\n\n# C\n", insert_section("N", into="A"), "# A\n\n## B\n\nb\n\n## N\n\n# C\n"),
        ("# A\n", insert_section("N", into="A", level=4), "# A\n\n#### N\n"),
        ("# A\n", insert_section("C #"), "# A\n\n## C \\#\n"),
        ("\ufeff# A\n", insert_section("N", before="A"), "\ufeff# N\n\n# A\n"),
        ("# A\n\n## B\n\nb\n\n## C\n\nc\n", {"op": "delete_section", "section": "B"}, "# A\n\n## C\n\nc\n"),
        ("# A\n\n## B\n\nb\n\n## C\n\nc\n", {"op": "delete_section", "section": "C"}, "# A\n\n## B\n\nb\n"),
        ("# A\n\n## B\n\nb\n", {"op": "delete_section", "section": "A"}, ""),
        ("p\n# A\n\na\nB\n===\n", {"op": "delete_section", "section": "A"}, "p\n\na\nB\n===\n"),
        ("# A\n\na\n\n# B\n\nb", {"op": "move_section", "section": "B", "before": "A"}, "# B\n\nb\n\n# A\n\na\n"),
        ("# A\n\na\n\n# B\n\nb", {"op": "move_section", "section": "A", "after": "B"}, "# B\n\nb\n\n# A\n\na\n"),
        (
            "# A\n\n## B\n\n### C\n\n# D\n",
            {"op": "move_section", "section": "B", "after": "D"},
            "# A\n\n# D\n\n# B\n\n## C\n",
        ),
        (
            "# A\n\n# B\n\n## C\n\n# D\n",
            {"op": "move_section", "section": "B", "into": "A"},
            "# A\n\n## B\n\n### C\n\n# D\n",
        ),
        ("# A\n\n# B\n\n## C\n", {"op": "move_section", "section": "C", "after": "B"}, "# A\n\n# B\n\n# C\n"),
        ("# A\n\n# B\n", {"op": "move_section", "section": "A", "before": "B"}, "# A\n\n# B\n"),
        (
            "A\n===\n\nB\n---\n\n# C\n",
            {"op": "move_section", "section": "B", "after": "A"},
            "A\n===\n\nB\n===\n\n# C\n",
        ),
        ("A\n===\n\nB\n---\n\n# C\n", {"op": "move_section", "section": "A", "into": "C"}, "# C\n\nA\n---\n\n### B\n"),
        ("# A\n\nx\n", {"op": "rename_section", "section": "A", "title": "N"}, "# N\n\nx\n"),
        ("  ## A ##\nx\n", {"op": "rename_section", "section": "A", "title": "C #"}, "  ## C \\#\nx\n"),
        ("# A", {"op": "rename_section", "section": "A", "title": "N"}, "# N"),
        ("A\nB\n---\nx\n", {"op": "rename_section", "section": "A B", "title": "N"}, "N\n---\nx\n"),
        ("A\n---\nx\n", {"op": "rename_section", "section": "A", "title": "- N"}, "## - N\nx\n"),
    ],
)
def test_sections_come_go_move_and_change_names(text: str, operation: Op, expected: str) -> None:
    """Blank lines around, none doubled; levels as their neighbours; the style of a heading kept where it can be."""
    assert after(text, operation) == expected


def test_headings_never_go_under() -> None:
    """A text that leaves a fence open, or a place inside one, would swallow headings: refused, nothing changed."""
    open_end = "# A\n\n```\ncode\n"
    assert refused(workspace_of(text=DOC), append_to_section("Risks", "```\ncode")) == [(0, "field_invalid")]
    assert refused(workspace_of(text=DOC), replace_section("Risks", "<!-- open")) == [(0, "field_invalid")]
    assert refused(workspace_of(text=DOC), insert_section("N", text="~~~", before="Risks")) == [(0, "field_invalid")]
    assert refused(workspace_of(text=open_end), insert_section("N")) == [(0, "section_target")]
    move = {"op": "move_section", "section": "B", "before": "A"}
    assert refused(workspace_of(text="# A\n\n# B\n\n```\n"), move) == [(0, "section_target")]
    assert after(DOC, append_to_section("Risks", "```\ncode\n```")).count("#") == DOC.count("#")


# -- edit_text and replace_document ----------------------------------------------------------------------------------


def change(text: str, old: str, new: str) -> list[Any]:
    """A ChangeSet, in JSON, that replaces one stretch."""
    start = text.index(old)
    return replacing(text, [(start, start + len(old), new)]).to_json()


def test_edit_text_speaks_in_utf16_units_of_its_base() -> None:
    """Positions behind an astral character; two edits of one base in one batch are mapped over each other."""
    text = "🚀 one two\n"
    assert units(text) == len(text) + 1
    first = {"op": "edit_text", "changes": change(text, "one", "1 🚀"), "base_revision": 1}
    second = {"op": "edit_text", "changes": change(text, "two", "2"), "base_revision": 1}
    assert after(text, first, second) == "🚀 1 🚀 2\n"
    assert after(text, second, first) == "🚀 1 🚀 2\n"
    inside = {"op": "edit_text", "changes": change(text, "n", "N"), "base_revision": 1}
    assert refused(workspace_of(text=text), first, inside) == [(1, "stale_base")]


def test_edit_text_after_other_operations_of_the_batch() -> None:
    """What the batch did to the text before is mapped over, and what did not fit leaves no trace in the mapping."""
    typed = {"op": "edit_text", "changes": change(DOC, "rows", "columns"), "base_revision": 1}
    assert after(DOC, edit_section("Shop", "alpha", "a longer text"), typed) == DOC.replace(
        "alpha", "a longer text"
    ).replace("rows", "columns")
    assert refused(workspace_of(text=DOC), edit_section("Shop", "nowhere", "x"), typed) == [(0, "find_not_found")]


def test_replace_document_touches_only_lines_that_differ() -> None:
    """So that others' edits elsewhere, and undo, go on."""
    new = DOC.replace("alpha", "beta").replace("ids\n", "ids\nand more\n")
    tx = run(workspace_of(text=DOC), {"op": "replace_document", "text": new}, revision=2)
    [step] = [step.to_json() for step in tx.steps]
    assert step["d"] == ("alpha\n", "")
    assert [part[1:] for part in step["c"] if isinstance(part, list)] == [["beta", ""], ["and more", ""]]


@pytest.mark.parametrize(
    "text,given,eol",
    [("a\r\nb\r\n", None, "crlf"), ("a\r\nb\n", None, "mixed"), ("a\nb", "crlf", "crlf"), ("a\nb", None, "lf")],
)
def test_replace_document_remembers_line_ends(text: str, given: str | None, eol: str) -> None:
    """Inside they are LF; what came in is remembered unless it is named."""
    workspace = workspace_of(text="x")
    run(workspace, {"op": "replace_document", "text": text} | ({"eol": given} if given else {}), revision=2)
    assert "\r" not in workspace.document.text
    assert workspace.document.eol == eol


@pytest.mark.parametrize(
    "text,codes", [("a\r\nb\n", ["line_ends_mixed"]), ("a\rb", ["line_ends_mixed"]), ("a\r\n", [])]
)
def test_line_ends_that_are_not_kept_are_told(text: str, codes: list[str]) -> None:
    """Of several kinds, or CR alone: exports have LF."""
    tx = run(workspace_of(text="x"), {"op": "replace_document", "text": text}, revision=2)
    assert [one.code for one in tx.warnings] == codes


def test_all_changes_of_a_batch_are_one_step() -> None:
    """However many operations wrote: one step on the text, after those on the diagram, and none if nothing is left."""
    workspace = workspace_of(text=DOC)
    rename = {"op": "rename_workspace", "name": "Bank"}
    tx = run(
        workspace, edit_section("Shop", "alpha", "beta"), rename, append_to_section("Risks", "- three"), revision=2
    )
    assert [step.to_json()["k"] for step in tx.steps] == ["name", "text"]
    there_and_back = [insert_section("New", text="x", after="Risks"), {"op": "delete_section", "section": "New"}]
    assert run(workspace, *there_and_back, revision=3).steps == []


def test_a_section_operation_names_the_rung_that_found_the_section() -> None:
    """Exact, normalised, and for an addition even fuzzy; what deletes does not go that far."""
    text = "# Shop\n\n## Data Flows\n\nx\n"
    for path, rung in (("Data Flows", "exact"), ("data flows", "normalised"), ("Data Flow", "fuzzy")):
        added = {"op": "append_to_section", "section": path, "text": "y"}
        assert match_of(text, added)["rung"] == rung
    with pytest.raises(BatchRejected):
        after(text, {"op": "delete_section", "section": "Data Flow"})
