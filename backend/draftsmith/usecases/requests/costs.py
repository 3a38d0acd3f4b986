"""What is known to take long before it is tried, and the refusal of what would take too long anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from draftsmith.errors import DraftsmithError
from draftsmith.model.work import TooCostly
from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps.steps import Step, text_step_of

ELEMENTS: Final = 1_000
"""Nodes and edges that are compared or made as a whole; more takes long."""

CHARACTERS: Final = 50_000
"""Characters of a text that is read as a whole; more takes long."""

LONG_TEXT: Final = 500_000
"""Characters of a text whose sections are known; to list more takes long."""

SECTIONS: Final = 5_000
"""Sections that are listed; more takes long, most of all where many have one title."""

COMMITS: Final = 100
"""Commits that are read from the log; more takes long."""

BODY_BYTES: Final = 8_192
"""The packed body of a commit that is taken back; more takes long."""


def element_count(workspace: Workspace) -> int:
    """Nodes and edges."""
    return workspace.diagram.node_count + workspace.diagram.edge_count


def has_long_text(workspace: Workspace) -> bool:
    """Whether the sections of the document are not known and take long to derive."""
    document = workspace.document
    return len(document.text) > CHARACTERS and document.known_outline is None


def is_large(workspace: Workspace) -> bool:
    """Whether it takes long to compute something of the whole."""
    return (
        element_count(workspace) > ELEMENTS or len(workspace.document.text) > LONG_TEXT or has_many_sections(workspace)
    )


def has_many_sections(workspace: Workspace) -> bool:
    """Whether it takes long to list the sections of the document, or to derive them where they are not known."""
    known = workspace.document.known_outline
    return has_long_text(workspace) if known is None else known.count > SECTIONS


def is_large_change(steps: Sequence[Step]) -> bool:
    """Whether it takes long to take back some steps."""
    text = text_step_of(steps)
    characters = 0 if text is None else sum(map(len, text.deleted)) + sum(map(len, text.inverse().deleted))
    return len(steps) > ELEMENTS or characters > CHARACTERS


def too_costly(error: TooCostly) -> DraftsmithError:
    """The refusal of a request that would cost more than one may."""
    message = f"This would take too much work: {error.what}. Nothing was applied; ask for less at a time."
    return DraftsmithError("too_costly", message)
