"""An edit that was made before is recognised; a find that never stood there is not."""

from __future__ import annotations

from typing import Any

import pytest

from draftsmith.errors import BatchRejected, Problem
from draftsmith.model.document import units
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.workspace import Workspace
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.transform.resolve import open_transaction, run_batch
from draftsmith.transform.steps.steps import text_steps
from draftsmith.transform.steps.text import ChangeText, TextHistory
from draftsmith.transform.transaction import Transaction
from tests.builders import Op, node, run, workspace_of
from tests.kit.documents import edit_section

DOC = (
    "# Shop\n\nOrders are kept for thirty days, then deleted.\n\n## Storage\n\n"
    "Rows are written once. Nobody reads them twice 🚀.\n\n- one 🚀\n- two\n\n## Risks\n\nNone.\n"
)
OLD, NEW = "Rows are written once.", "Rows are written once and never changed by anybody."
SEVEN_YEARS = "Rows are stored for seven years."
EDIT = edit_section("## Storage", OLD, SEVEN_YEARS)


class Notes:
    """A document with its past: every batch is a commit."""

    def __init__(self, text: str = DOC) -> None:
        self.workspace = workspace_of(text=text)
        self.kept: list[ChangeText] = []

    def commit(self, *operations: Op) -> Transaction:
        limits = WorkspaceLimits()
        tx = open_transaction(self.workspace, 2, limits, past=TextHistory(kept_changes=list(self.kept)))
        run_batch(tx, parse_batch(list(operations), limits))
        self.kept[:0] = reversed(text_steps(tx.steps))
        return tx

    def undo(self) -> None:
        step = self.kept[0].inverse()
        step.write(self.workspace)
        self.kept.insert(0, step)

    def problem(self, *operations: Op) -> Problem:
        before = self.workspace.document.text
        with pytest.raises(BatchRejected) as rejected:
            self.commit(*operations)
        assert self.workspace.document.text == before
        [problem] = rejected.value.problems
        return problem


def is_recognised(notes: Notes, operation: Op) -> bool:
    before = notes.workspace.document.text
    tx = notes.commit(operation)
    assert notes.workspace.document.text == before
    assert tx.steps == []
    return [(one.index, one.code, one.path) for one in tx.warnings] == [(0, "already_so", "/operations/0/find")]


def test_the_same_edit_again_changes_nothing_and_says_so() -> None:
    notes = Notes()
    notes.commit(EDIT)
    assert is_recognised(notes, EDIT)
    tx = notes.commit(EDIT)
    assert tx.results[0].match is not None
    assert tx.results[0].match["rung"] == "repeated"
    assert "line 7" in tx.warnings[0].message


def test_it_is_recognised_after_edits_elsewhere_and_after_undo_and_redo() -> None:
    """Wherever its text has moved, and whatever wide characters stand before it."""
    notes = Notes()
    notes.commit(EDIT)
    notes.commit(edit_section("# Shop", "thirty days", "forty 🚀🚀 days in all"))
    notes.commit(edit_section("## Storage", "two", "three"))
    notes.commit(edit_section("## Storage", " Nobody reads them twice 🚀.", ""))  # right at its border
    assert is_recognised(notes, EDIT)
    other = Notes()
    other.commit(EDIT)
    other.undo()
    other.undo()
    assert is_recognised(other, EDIT)


def test_what_was_cut_off_at_a_border_is_seen() -> None:
    """The commit holds nothing but a deletion beside what stays."""
    long = "Nobody reads them twice 🚀.\n\n- one 🚀\n- two"
    for find, replace in ((f"{OLD} {long}", long), (f"{OLD} {long}", f"{OLD} Nobody reads them")):
        notes = Notes()
        notes.commit(edit_section("## Storage", find, replace))
        assert is_recognised(notes, edit_section("## Storage", find, replace))


def test_a_find_that_was_set_otherwise_is_recognised_again() -> None:
    """As it was matched the first time: blanks, marks and wrapping do not count, words do."""
    notes = Notes()
    spoiled = edit_section("## Storage", "**Rows** are\nwritten  once.", SEVEN_YEARS)
    notes.commit(spoiled)
    assert is_recognised(notes, spoiled)


def test_words_that_were_taken_out_of_the_middle_are_seen() -> None:
    """The commit holds nothing but deletions between what stays."""
    both = f"{OLD} Nobody reads them twice 🚀."
    for replace in (both.replace(" once", ""), both.replace(" once", "").replace(" them", "")):
        notes = Notes()
        notes.commit(edit_section("## Storage", both, replace))
        assert is_recognised(notes, edit_section("## Storage", both, replace))


def test_an_edit_is_recognised_after_a_word_of_it_was_typed_over_and_put_back() -> None:
    """Taken out of its middle, written into it, or exchanged, and undone."""
    for start, end, new in ((8, 15, ""), (8, 8, " all"), (9, 15, "kept")):
        notes = Notes()
        notes.commit(EDIT)
        text = notes.workspace.document.text
        at = units(text[: text.index(SEVEN_YEARS)])
        length = units(text)
        kept = [at + start, [end - start, new], length - at - end]
        notes.commit({"op": "edit_text", "changes": kept, "base_revision": 1})
        assert notes.workspace.document.text == text.replace(SEVEN_YEARS, SEVEN_YEARS[:start] + new + SEVEN_YEARS[end:])
        notes.undo()
        assert notes.workspace.document.text == text
        assert is_recognised(notes, EDIT)


def test_a_find_with_a_link_is_recognised_by_where_it_leads() -> None:
    """Without the link it is the same find, as on any rung; with another target it is none."""
    notes = Notes(DOC.replace("Rows", "[Rows](#a)"))
    notes.commit(edit_section("## Storage", OLD.replace("Rows", "[Rows](#a)"), SEVEN_YEARS))
    assert is_recognised(notes, EDIT)
    assert is_recognised(notes, edit_section("## Storage", OLD.replace("Rows are", "[Rows](#a)  are"), SEVEN_YEARS))
    other = notes.problem(edit_section("## Storage", OLD.replace("Rows", "[Rows](#b)"), SEVEN_YEARS))
    assert other.code == "find_not_found"


def test_a_sentence_with_another_sign_at_its_end_is_no_hint() -> None:
    """What was to be shortened by a sign still stands there with another one."""
    shorter = "Rows are written once. Nobody"
    problem = Notes().problem(edit_section("## Storage", f"{shorter}!", shorter))
    assert problem.code == "find_not_found"
    assert "stands there already" not in problem.message
    problem = Notes().problem(edit_section("## Storage", "Nothing of this.", shorter))
    assert "stands there already" in problem.message


@pytest.mark.parametrize(
    "find",
    [
        "Rows are wrtten once.",
        "Rows are written twice.",
        "Rows are written once",
        "Nobody ever wrote this.",
        "Rows are",
    ],
)
def test_a_mistyped_find_never_becomes_a_success(find: str) -> None:
    """Though its replacement stands there, made by a commit: the fact is a hint."""
    notes = Notes()
    notes.commit(EDIT)
    problem = (
        notes.problem(edit_section("## Storage", find, SEVEN_YEARS))
        if find != "Rows are"
        else notes.problem(edit_section("## Storage", "Rows are gone", SEVEN_YEARS))
    )
    assert problem.code == "find_not_found"
    assert "The replacement stands there already." in problem.message


def test_a_replacement_that_no_commit_made_is_a_hint() -> None:
    """It stood there from the beginning, or somebody wrote it otherwise."""
    text = DOC.replace(OLD, NEW)
    assert (
        "stands there already" in Notes(text).problem(edit_section("## Storage", "Rows are held twice.", NEW)).message
    )
    first = Notes(f"{NEW}\n")
    assert "stands there already" in first.problem(edit_section("", "Rows are held twice.", NEW)).message
    typed = Notes(DOC.replace(OLD, ""))
    typed.commit({"op": "append_to_section", "section": "## Storage", "text": NEW})
    assert typed.problem(edit_section("## Storage", "Rows are held twice.", NEW)).code == "find_not_found"


@pytest.mark.parametrize(
    "find, replace",
    [
        ("Rows are wrote once.", "s"),
        ("Rows are wrote once.", "Rows"),
        ("Nothing of this.", "- one"),
        ("Rows were once.", "Rows are written once"),  # four words
        # long, but the beginning or end of the text that was to be shortened, and still stands there
        ("Rows are writen onse. Nobody red them twize and more", "Rows are written once. Nobody reads"),
        ("Rows were writen onse. Nobdy redds them twise 🚀.", "once. Nobody reads them twice 🚀."),
        ("| a | b | c | d |\n| -- |", "| --- | --- | --- | --- |"),
        ("```mermaid\nflowchart TD", "```mermaid\nflowchart LR"),
        ("Each is stored there. No", "as long as the law demands"),  # three times
        ("is kept where nobody looks", "ows are written once. Nobody read"),  # no whole words
    ],
)
def test_what_stands_there_by_chance_is_no_hint(find: str, replace: str) -> None:
    """Short and common texts, parts of words, and what is only a part of the text that was to be shortened."""
    often = "It stays as long as the law demands. " * 3
    notes = Notes(DOC.replace("- one", f"{often}\n\n| a | b | c | e |\n| --- | --- | --- | --- |\n\n- one"))
    notes.commit({"op": "append_to_section", "section": "## Storage", "text": "```mermaid\nflowchart LR\n```"})
    problem = notes.problem(edit_section("## Storage", find, replace))
    assert problem.code == "find_not_found"
    assert "stands there already" not in problem.message


def test_a_short_a_missing_and_a_doubled_replacement_are_not_enough() -> None:
    """Fewer than 20 characters may stand there by chance; two places are not one; elsewhere is not there."""
    short = Notes()
    short.commit(edit_section("## Storage", OLD, "Rows are gone now."))
    assert short.problem(edit_section("## Storage", OLD, "Rows are gone now.")).code == "find_not_found"
    twice = Notes()
    twice.commit(EDIT)
    twice.commit({"op": "append_to_section", "section": "## Storage", "text": EDIT["replace"]})
    problem = twice.problem(EDIT)
    assert problem.code == "find_not_found"
    assert "stands there already" in problem.message
    elsewhere = Notes()
    elsewhere.commit(EDIT)
    assert elsewhere.problem(edit_section("## Risks", OLD, SEVEN_YEARS)).code == "find_not_found"
    gone = Notes()
    gone.commit(edit_section("## Storage", OLD, ""))
    assert gone.problem(edit_section("## Storage", OLD, "")).code == "find_not_found"


def test_it_is_looked_for_before_the_find_is_looked_for_elsewhere() -> None:
    """The same words in another section do not make the repeated edit a mistake."""
    notes = Notes(DOC.replace("None.", f"None. {OLD}"))
    notes.commit(EDIT)
    assert is_recognised(notes, EDIT)
    assert (
        "it stands in '# Shop ## Risks'"
        in notes.problem(edit_section("## Storage", OLD, "Rows are something else.")).message
    )


def test_an_edit_that_comes_again_does_not_take_a_sister_sentence() -> None:
    """Before a sentence that only resembles the find is changed, it is asked whether the edit was made already."""
    notes = Notes(
        "# Shop\n\n## Storage\n\nThe ledger queue is slow since nobody ever drains it on time. "
        "The upload queue is slow because nobody ever drains it on time.\n"
    )
    again = edit_section(
        "## Storage",
        "The upload queue is slow because nobody ever drains it on time.",
        "In the third step something else altogether has taken its place.",
    )
    notes.commit(again)
    assert is_recognised(notes, again)


def test_the_own_batch_makes_no_repeated_edit() -> None:
    """Twice in one batch is a mistake of the batch, which names the first of the two."""
    problem = Notes().problem(EDIT, EDIT)
    assert (problem.index, problem.code, problem.caused_by) == (1, "find_not_found", 0)
    assert "operations[0] of this batch changed it." in problem.message


def _only_problem(workspace: Workspace, *operations: Op) -> Problem:
    with pytest.raises(BatchRejected) as rejected:
        run(workspace, *operations, revision=2)
    [problem] = rejected.value.problems
    return problem


@pytest.mark.parametrize(
    "operations, code",
    [
        ([edit_section("## Storage", OLD, ""), edit_section("## Storage", OLD, "")], "find_not_found"),
        (
            [
                edit_section("## Storage", "- two\n", ""),
                edit_section("## Storage", OLD, "x"),
                edit_section("## Storage", "- two\n", ""),
            ],
            "find_not_found",
        ),
        ([{"op": "delete_section", "section": "## Risks"}] * 2, "section_not_found"),
        ([{"op": "delete_section", "section": "## Storage"}, EDIT], "section_not_found"),
        ([{"op": "delete_node", "id": "a"}, {"op": "delete_node", "id": "a"}], "node_not_found"),
        ([{"op": "delete_node", "id": "a"}, {"op": "delete_edge", "id": "a--b"}], "edge_not_found"),
        ([{"op": "delete_edge", "id": "a--b"}, {"op": "delete_edge", "source": "a", "target": "b"}], "edge_not_found"),
    ],
)
def test_deleting_what_the_batch_deleted_names_the_operation(operations: list[Op], code: str) -> None:
    """Texts, sections, nodes and edges alike."""
    workspace = workspace_of(node("a"), node("b"), {"op": "add_edge", "source": "a", "target": "b"}, text=DOC)
    problem = _only_problem(workspace, *operations)
    assert (problem.index, problem.code, problem.caused_by) == (len(operations) - 1, code, 0)
    assert problem.message.endswith("operations[0] of this batch deleted it.")


def test_what_nobody_deleted_names_no_operation() -> None:
    """Nor does what another operation only renamed count as deleted."""
    wrong: dict[str, Any] = {"op": "delete_section", "section": "## Nowhere"}
    assert _only_problem(workspace_of(text=DOC), EDIT, wrong).caused_by is None
    renamed = {"op": "rename_section", "section": "## Risks", "title": "Dangers"}
    problem = _only_problem(workspace_of(text=DOC), renamed, {"op": "delete_section", "section": "## Risks"})
    assert problem.message.endswith("operations[0] of this batch changed it.")
