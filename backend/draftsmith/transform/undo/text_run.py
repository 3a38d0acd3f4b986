"""A run of characters with its history, and a commit as far as it concerns the text. See `text_runs`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from draftsmith.transform.steps.changeset import cutter
from draftsmith.transform.steps.text import ChangeText

PRESENT: Final = 0
UNBORN: Final = -1
NO_CHANGE: Final = -1  # number of a change that left no trace in the text


@dataclass(frozen=True, slots=True)
class TextCommit:
    """The text step of a commit, and what it compensates.

    Attributes:
        by: who made it.
        takes_back: first and last revision that an undo, redo or revert takes back.
        restores: the revision that a restore leads back to.
        is_typed: whether it was typed into the page.
    """

    revision: int
    step: ChangeText
    by: str = ""
    takes_back: tuple[int, int] | None = None
    restores: int | None = None
    is_typed: bool = False

    @property
    def reference(self) -> int | None:
        """The first commit that has to be replayed to tell the text that this one brings back."""
        if self.takes_back is not None:
            return self.takes_back[0]
        return None if self.restores is None else self.restores + 1


class RunChange(NamedTuple):
    """What one change of a commit did to a run: the states before and after it; equal for text that it quoted only.

    A restore lets tombstones become what they were, too; that is `NO_CHANGE`.
    """

    revision: int
    change: int
    before: int
    after: int


Origin = tuple[int, int, int]  # revision, change, and the offset in the text that this one inserted


class TextRun:
    """Consecutive characters with the same history. `text` is None for text that was never written or deleted here.

    The origin says which characters they are, wherever they stand.
    """

    __slots__ = ("marks", "origin", "size", "state", "text")

    def __init__(
        self, size: int, text: str | None, state: int, marks: tuple[RunChange, ...] = (), origin: Origin = (0, 0, 0)
    ) -> None:
        self.size, self.text, self.state, self.marks, self.origin = size, text, state, marks, origin

    @property
    def is_present(self) -> bool:
        """Whether it stands in the document."""
        return self.state == PRESENT

    def state_at(self, revision: int) -> int:
        """Its state after a revision."""
        known = PRESENT if not self.marks else self.marks[0].before
        for mark in self.marks:
            if mark.revision > revision:
                break
            known = mark.after
        return known

    def was_present_at(self, revision: int) -> bool:
        """Whether it stood in the document after a revision."""
        return self.state_at(revision) == PRESENT

    def become(self, state: int, revision: int, change: int) -> None:
        """Change the state and remember by which change."""
        self.marks = (*self.marks, RunChange(revision, change, self.state, state))
        self.state = state

    def split(self, at: int) -> TextRun:
        """Shorten it to `at` units and return the rest."""
        cut = cutter(self.text) if self.text is not None else None
        revision, change, offset = self.origin
        text = None if cut is None else cut(at, self.size)
        rest = TextRun(self.size - at, text, self.state, self.marks, (revision, change, offset + at))
        self.size, self.text = at, None if cut is None else cut(0, at)
        return rest
