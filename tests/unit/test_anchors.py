"""Addresses of headings and the links to them: what they are, how they follow, and what is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from draftsmith.errors import BatchRejected
from draftsmith.model.markdown.anchors import HeadingLink
from draftsmith.model.markdown.sections import outline_of
from draftsmith.model.rules import lint_all
from draftsmith.transform.resolvers.anchors import links_left
from draftsmith.usecases.requests.request import warnings_of
from tests.builders import Op, run, workspace_of
from tests.kit.documents import rename_section
from tests.node.heading_cases import FILE, heading_cases
from tests.node.heading_cases import written as written_cases

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "fixtures" / "headings.json").read_text("utf-8")
)
DOC = (
    "# Shop\n\nSee [old](#old-title), and [r].\n\n## Old title\n\nx\n\n"
    "## Notes\n\n[second](#notes-1)\n\n## Notes\n\ny\n\n[r]: #Old%2Dtitle\n"
)


def written(text: str, *operations: Op) -> tuple[str, list[str], list[tuple[str, str]]]:
    """The text after a batch, its own warnings, and what lint tells of it, as (code, path)."""
    workspace = workspace_of(text=text)
    tx = run(workspace, *operations, revision=2)
    found = warnings_of(workspace, tx.steps, links_left(tx))
    told = [one.message for one in tx.warnings if one.code == "links_followed"]
    return workspace.document.text, told, [(one["code"], one["path"]) for one in found]


@pytest.mark.parametrize("case", CASES, ids=[case["about"] for case in CASES])
def test_headings_have_the_addresses_that_github_gives_them(case: dict[str, Any]) -> None:
    """And are where the page sees them, which has the same cases (`frontend/tests/model/text/anchors.test.ts`)."""
    outline = outline_of(case["markdown"])
    assert list(outline.anchors.names) == case["anchors"]
    if "sections" in case:
        assert [[one.level, one.plain, one.line] for one in outline.sections] == case["sections"]
    assert len(outline.anchors.of_sections) == outline.count


def test_headings_of_generated_documents_are_those_that_the_page_is_held_to() -> None:
    """Around HTML, comments, front matter, footnotes; `python -m tests.node.heading_cases` writes them anew."""
    assert FILE.read_bytes() == written_cases(heading_cases())


def test_what_is_nested_deep_hides_no_heading_behind_it() -> None:
    """Lists, quotes and footnotes in each other, past every bound of the parser."""
    for deep in ("- " * 12, "- " * 300, "> " * 300, "[^1]: " * 300, "> - [^1]: " * 100):
        for between in ("\n", "\n\n"):
            assert [one.title for one in outline_of(f"{deep}a{between}# B\n").sections] == ["B"], deep[:20]


def links(text: str) -> list[tuple[str, int]]:
    """The links to headings: address and line; each stands where it says."""
    found: list[HeadingLink] = list(outline_of(text).anchors.links())
    assert all(text[one.start : one.end] == one.address for one in found)
    return [(one.address, one.line) for one in found]


def test_links_to_headings_are_found_wherever_they_stand() -> None:
    """In paragraphs, headings, quotes, lists, tables, over lines, and as definitions; each with its line."""
    text = (
        "---\nlink: '[x](#front)'\n---\n\n# [a](#a) #\n\n> quote [b](#b \"t\")\n> more [c](<#c d>)\n\n"
        "- item\n\n      [no](#code)\n\n  [d\n  e](\n  #d)\n\n| t | u |\n|---|---|\n| [f](#f) | ` | [g](#g) ` |\n\n"
        "[![i](i.png)](#i)\n\n[h]: #h\n[k]:\n  <#k> 'x'\n[h]: #again\n"
    )
    assert links(text) == [
        ("a", 5), ("b", 7), ("c d", 8), ("d", 16), ("f", 20), ("g", 20), ("i", 22), ("h", 24), ("k", 26), ("again", 27),
    ]  # fmt: skip


def test_what_only_looks_like_a_link_to_a_heading_is_none() -> None:
    """Code, HTML, escapes, images, addresses elsewhere, nodes of the diagram."""
    for text in (
        "`[a](#b)`", "```\n[a](#b)\n```", "    [a](#b)", "<div>\n[a](#b)\n</div>", "\\[a](#b)", "[a\\](#b)", "![a](#b)",
        "[a](/x#b)", "[a](#node/b)", "a](#b)", "[x]: #node/b", "[a] (#b)", "| `[a](#b)` |\n|---|",
    ):  # fmt: skip
        assert links(text) == [], text


def test_renaming_takes_links_along_in_the_same_step() -> None:
    """Definitions, too, each in its own form; the warning says how many, where, and from what to what."""
    after, told, lint = written(DOC, rename_section("Old title", "Über uns"))
    assert after == DOC.replace("## Old title", "## Über uns").replace("(#old-title)", "(#über-uns)").replace(
        "#Old%2Dtitle", "#%C3%BCber-uns"
    )
    assert told == ["2 links to headings followed them (lines 3, 17): '#old-title' is now '#über-uns'."]
    assert lint == []


def test_renaming_is_undone_as_one_step() -> None:
    """The inverse of what is logged brings text and links back."""
    workspace = workspace_of(text=DOC)
    [step] = run(workspace, rename_section("Old title", "New"), revision=2).steps
    step.inverse().write(workspace)
    assert workspace.document.text == DOC


def test_a_heading_that_an_edit_renames_takes_its_links_along() -> None:
    """As many headings in the quotation as in what replaces it are the same ones."""
    edit: Op = {"op": "edit_section", "section": "Old title", "find": "## Old title", "replace": "## New one"}
    assert written(DOC, edit)[0] == DOC.replace("## Old title", "## New one").replace(
        "(#old-title)", "(#new-one)"
    ).replace("#Old%2Dtitle", "#new-one")


def test_equal_headings_keep_their_links_however_they_are_numbered() -> None:
    """An equal one before them, gone, renamed or moved: links lead where they did; those in new text are as written."""
    text = "# S\n\n[1](#notes) [2](#notes-1)\n\n## A\n\n### Notes\n\n1\n\n## B\n\n### Notes\n\n2\n"
    inserted: Op = {"op": "insert_section", "title": "Notes", "before": "A", "text": "[own](#notes)"}
    after, told, lint = written(text, inserted)
    assert "[1](#notes-1) [2](#notes-2)" in after
    assert "[own](#notes)" in after
    assert told == [
        "2 links to headings followed them (line 3): '#notes' is now '#notes-1', '#notes-1' is now '#notes-2'."
    ]
    assert lint == []
    assert "[1](#notes-1) [2](#notes)" in written(text, {"op": "move_section", "section": "A", "after": "B"})[0]
    assert "[1](#first) [2](#notes)" in written(text, rename_section("# S ## A ### Notes", "First"))[0]
    after, told, lint = written(text, {"op": "delete_section", "section": "A"})
    assert "[1](#notes) [2](#notes)" in after
    assert told == ["1 link to headings followed them (line 3): '#notes-1' is now '#notes'."]
    assert lint == [("dangling_anchor", "/document/lines/3")]


def test_a_move_takes_the_links_in_what_is_moved_along() -> None:
    """What it cuts out and puts in is not new text."""
    text = "## Notes\n\n[me](#notes) [other](#notes-1)\n\n## Notes\n\n[first](#notes)\n"
    moved: Op = {"op": "move_section", "section": "## Notes", "after": "## Notes"}
    workspace = workspace_of(text=text.replace("## Notes\n\n[f", "## Last\n\n### Notes\n\n[f"))
    run(workspace, {**moved, "section": "## Notes", "after": "Last"}, revision=2)
    assert workspace.document.text == (
        "## Last\n\n### Notes\n\n[first](#notes-1)\n\n## Notes\n\n[me](#notes-1) [other](#notes)\n"
    )


def test_deleting_warns_of_each_link_that_is_left() -> None:
    """By line, wherever it stands; a link that was dead before is not told again."""
    text = DOC.replace("## Notes\n\n[s", "[dead](#nowhere)\n\n## Notes\n\n[s")
    _, told, lint = written(text, {"op": "delete_section", "section": "Old title"})
    assert told == []
    assert sorted(lint) == [("dangling_anchor", "/document/lines/13"), ("dangling_anchor", "/document/lines/3")]


def test_a_heading_made_again_in_the_batch_is_not_missed() -> None:
    """Deleted and inserted under the same title: the links lead there."""
    again: Op = {"op": "insert_section", "title": "Old title", "text": "new"}
    assert written(DOC, {"op": "delete_section", "section": "Old title"}, again)[1:] == ([], [])


def test_a_title_without_letters_leaves_its_links_dead_and_says_so() -> None:
    """It has no address that a link could have."""
    _, told, lint = written(DOC, rename_section("Old title", "🎉"))
    assert told == []
    assert {code for code, _ in lint} == {"dangling_anchor"}


def test_a_later_edit_may_quote_the_address_that_was() -> None:
    """In find and replace, since the model has read it so; and what followed is nothing that the batch wrote."""
    edit: Op = {
        "op": "edit_section",
        "section": "# Shop",
        "find": "See [old](#old-title),",
        "replace": "[old](#old-title);",
    }
    after, _, _ = written(DOC, rename_section("Old title", "New"), edit)
    assert "[old](#new); and [r]." in after


def test_a_text_of_the_callers_own_is_left_as_it_is() -> None:
    """A whole document is taken as it was written; a link that it leaves without its heading is told."""
    after, told, lint = written(DOC, {"op": "replace_document", "text": DOC.replace("## Old title", "## New")})
    assert after == DOC.replace("## Old title", "## New")
    assert told == []
    assert sorted(lint) == [("dangling_anchor", "/document/lines/17"), ("dangling_anchor", "/document/lines/3")]


def test_an_edit_without_a_heading_reads_no_link() -> None:
    """So it costs what it did."""
    edit: Op = {"op": "edit_section", "section": "Old title", "find": "x", "replace": "xx"}
    tx = run(workspace_of(text=DOC), edit, revision=2)
    assert tx.paid.links == {}
    assert tx.anchors.gone == frozenset()


def test_a_refused_operation_leaves_nothing_known_of_addresses() -> None:
    """What it did to them is taken back with its steps."""
    workspace = workspace_of(text=DOC)
    gone: Op = {"op": "delete_section", "section": "Old title"}
    with pytest.raises(BatchRejected):
        run(workspace, gone, rename_section("No such", "x"), revision=2)
    assert workspace.document.text == DOC


def test_lint_finds_links_to_no_heading() -> None:
    """Not those to the top, to an id of HTML, nor in another form of an address that is there."""
    fine = (
        '# Ü b\n\n[a](#ü-b) [b](#%C3%BC-B) [c](#) [d](#top) [e](#html) [f](&#35;x)\n\n<a id="html"></a>\n\n[r]: #ü-b\n'
    )
    assert lint_all(workspace_of(text=fine)) == []
    found = lint_all(workspace_of(text="# A\n\n[x](#b)\n\n[r]: #A-1\n"))
    assert [(one.code, one.path, one.candidates) for one in found] == [
        ("dangling_anchor", "/document/lines/3", ("#b",)),
        ("dangling_anchor", "/document/lines/5", ("#A-1",)),
    ]


def test_a_write_tells_dead_links_in_what_it_touched() -> None:
    """As it tells links to no node."""
    edit: Op = {"op": "append_to_section", "section": "## Old title", "text": "[x](#nowhere)"}
    assert written(DOC, edit)[2] == [("dangling_anchor", "/document/lines/9")]


def test_many_equal_headings_are_numbered_in_one_pass() -> None:
    """Each look for a free number goes on where the last one ended, also where names with numbers are taken."""
    from draftsmith.model.markdown.anchors import Numbers

    class Counting(dict[str, int]):
        looks = 0

        def __contains__(self, key: object) -> bool:
            Counting.looks += 1
            return super().__contains__(key)

    numbers = Numbers()
    numbers._number_of_address = Counting()
    names = [numbers.next(base) for base in [*(f"a-{n}" for n in range(2_000)), *["a"] * 2_000, *["a-1"] * 2_000]]
    assert len(set(names)) == len(names)
    assert Counting.looks < 5 * len(names)


def test_following_links_costs_little_more_than_the_batch_itself() -> None:
    """Links are read once for each part of the text, so hundreds of renamings stay within the budget of one request."""

    def spent(link: str) -> int:
        text = "# Doc\n\n" + "".join(f"{link % n}\n\n## Part {n}\n\nwords\n\n" for n in range(300))
        workspace = workspace_of(text=text)
        tx = run(workspace, *(rename_section(f"Part {n}", f"Piece {n}") for n in range(0, 300, 3)), revision=2)
        assert lint_all(workspace) == []
        return tx.work.spent

    assert spent("[x](#part-%d)") < 3 * spent("[x](/part-%d)")
