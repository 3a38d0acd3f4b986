"""Which deleted runs come back as an inserted text (`transform/undo/text_runs.py`)."""

from __future__ import annotations

import pytest

from draftsmith.transform.undo.text_run import TextRun
from draftsmith.transform.undo.text_runs import _spelling

RUNS = [TextRun(len(text), text, 3) for text in ("ab", "xx", "cd")]


@pytest.mark.parametrize(
    "text, taken", [("abxxcd", [0, 1, 2]), ("abcd", [0, 2]), ("ab", [0]), ("cdab", []), ("abc", []), ("abcde", [])]
)
def test_runs_come_back_in_their_order_without_those_between(text: str, taken: list[int]) -> None:
    """All of the text or none; in another order only where nothing reads as it in this one."""
    assert [RUNS.index(run) for run in _spelling(RUNS, text)] == taken
