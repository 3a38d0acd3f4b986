"""What takes long is known by its sizes before it is tried."""

from __future__ import annotations

import pytest

from draftsmith.model.markdown.sections import outline_of
from draftsmith.model.workspace import Workspace
from draftsmith.usecases.requests.costs import LONG_TEXT, SECTIONS, is_large
from tests.builders import workspace_of


def of(text: str) -> Workspace:
    """A workspace with a document whose sections are known."""
    made = workspace_of(text=text)
    made.document.take_outline(outline_of(text))
    return made


@pytest.mark.parametrize("count, expected", [(SECTIONS, False), (SECTIONS + 1, True)])
def test_many_sections_are_large_in_a_text_that_is_not_long(count: int, expected: bool) -> None:
    """Equal titles above all, each of which is looked for among the others."""
    text = "# Notes\n" * count
    assert len(text) < LONG_TEXT
    assert is_large(of(text)) is expected
