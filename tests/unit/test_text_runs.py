"""Which deleted runs come back as an inserted text (`transform/undo/text_runs.py`)."""

from __future__ import annotations

import pytest

from draftsmith.transform.steps.changeset import from_json
from draftsmith.transform.steps.text import edit_of
from draftsmith.transform.undo.text_run import TextCommit, TextRun
from draftsmith.transform.undo.text_runs import TextRuns, _spelling

RUNS = [TextRun(len(text), text, 3) for text in ("ab", "xx", "cd")]


@pytest.mark.parametrize(
    "text, taken", [("abxxcd", [0, 1, 2]), ("abcd", [0, 2]), ("ab", [0]), ("cdab", []), ("abc", []), ("abcde", [])]
)
def test_runs_come_back_in_their_order_without_those_between(text: str, taken: list[int]) -> None:
    """All of the text or none; in another order only where nothing reads as it in this one."""
    assert [RUNS.index(run) for run in _spelling(RUNS, text)] == taken


@pytest.mark.parametrize("back, origin", [("cd", (0, 0, 2)), ("xy", (2, 0, 0)), ("cdxy", (2, 0, 0))])
def test_what_an_undo_writes_is_new_unless_all_of_it_was_deleted(back: str, origin: tuple[int, int, int]) -> None:
    """Text that begins like what was deleted is no more of it than any other."""
    deletion, undo = edit_of("abcdef", from_json([2, [2], 2])), edit_of("abef", from_json([2, [0, back], 2]))
    runs = TextRuns([TextCommit(1, deletion, "ann"), TextCommit(2, undo, "ann", (1, 1))])
    assert [run.origin for run in runs if run.is_present and run.text == back] == [origin]
    assert sum(run.size for run in runs if run.is_present) == len("abef") + len(back)
