"""How much a document may hold that a reader puts together: characters, and blocks that are read as Markdown.

A few megabytes may hold a million headings, which take minutes to read and more memory than a process should have. So
a text is measured before it is read, by what a workspace may be made of.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from draftsmith.model.document import with_lf
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.markdown.reading_cost import reading_cost

_LIMITS: Final = WorkspaceLimits()
_MOST_READ: Final = 10_000_000
"""Characters of a text that is read at all: a document may be longer than by default where it is set so."""
TOO_MANY_BLOCKS: Final = "it has more headings, paragraphs and items than a document is read with"


def reason_against_reading(text: str) -> str:
    """Why a text is not read as Markdown, as the end of a sentence; empty if it is."""
    if len(text) > _MOST_READ:
        return f"it has more than {_MOST_READ:,} characters"
    return TOO_MANY_BLOCKS if reading_cost(with_lf(text)) > _LIMITS.work else ""


@dataclass(slots=True)
class DocumentRoom:
    """What is left of a document for more pages.

    Attributes:
        characters: so many, a line end behind each page included.
        work: units that reading them may cost.
    """

    characters: int = _LIMITS.document_chars
    work: int = _LIMITS.work

    def reason_against(self, text: str, growth: int = 0) -> str:
        """Why a page cannot be added, as the end of a sentence; empty if it can.

        Args:
            text: of the page.
            growth: characters by which it may still grow.
        """
        if len(text) + 1 + growth > self.characters:
            return f"a document has at most {_LIMITS.document_chars:,} characters"
        return TOO_MANY_BLOCKS if reading_cost(text) > self.work else ""

    def take(self, text: str, growth: int = 0) -> None:
        """Add a page."""
        self.characters -= len(text) + 1 + growth
        self.work -= reading_cost(text)
