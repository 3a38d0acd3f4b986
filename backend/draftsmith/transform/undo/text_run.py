"""Runs of characters with their history, a list of them, and what of a commit concerns the text. See `text_runs`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from draftsmith.transform.steps.changeset import cutter
from draftsmith.transform.steps.text import ChangeText

PRESENT: Final = 0
UNBORN: Final = -1
NO_CHANGE: Final = -1  # number of a change that left no trace in the text
_BLOCK: Final = 64  # runs in a block


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


class TextRunList:
    """The runs of a document in order, in blocks, so that a change costs little in a long list.

    Positions count the UTF-16 units of the runs that stand. People type where they have just typed, so the search for a
    position begins at the block that was found last; `_start` is the position at which that begins.
    """

    __slots__ = ("_block", "_blocks", "_sizes", "_start")

    def __init__(self, runs: Sequence[TextRun]) -> None:
        self._blocks: list[list[TextRun]] = [list(runs[at : at + _BLOCK]) for at in range(0, len(runs), _BLOCK)] or [[]]
        self._sizes = [_length(block) for block in self._blocks]
        self._block = self._start = 0

    def __iter__(self) -> Iterator[TextRun]:
        for block in self._blocks:
            yield from block

    def cut_out(self, start: int, end: int) -> tuple[list[TextRun], int, int]:
        """Take out the runs of `[start, end)` with all tombstones at both ends; return them, their block and index."""
        block, index = self._split_after(start)
        last, beyond = self._split_before(end)
        taken = self._blocks[block][index:] if last > block else self._blocks[block][index:beyond]
        for between in range(block + 1, last):
            taken += self._blocks[between]
        if last > block:
            taken += self._blocks[last][:beyond]
            del self._blocks[block][index:]
            self._blocks[last] = self._blocks[last][beyond:]
            del self._blocks[block + 1 : last]
            del self._sizes[block + 1 : last]
            self._sizes[block + 1] = _length(self._blocks[block + 1])
            self._sizes[block] = _length(self._blocks[block])
        else:
            del self._blocks[block][index:beyond]
            self._sizes[block] -= _length(taken)
        return [run for run in taken if run.size], block, index

    def put(self, runs: Sequence[TextRun], block: int, index: int) -> None:
        """Put runs where others were cut out."""
        whole = self._blocks[block]
        whole[index:index] = runs
        self._sizes[block] += _length(runs)
        if len(whole) > 2 * _BLOCK:
            pieces = [whole[at : at + _BLOCK] for at in range(0, len(whole), _BLOCK)]
            self._blocks[block : block + 1] = pieces
            self._sizes[block : block + 1] = [_length(piece) for piece in pieces]

    def _split_after(self, at: int) -> tuple[int, int]:
        """Return block and index directly after the unit before `at`; split a run if need be."""
        if at == 0:
            self._block = self._start = 0
            return 0, 0
        while at <= self._start:
            self._previous()
        while at > self._start + self._sizes[self._block]:
            self._next()
        block, rest = self._block, at - self._start
        runs = self._blocks[block]
        for index, run in enumerate(runs):
            if run.state == PRESENT:
                if rest <= run.size:
                    if rest < run.size:
                        runs.insert(index + 1, run.split(rest))
                    return block, index + 1
                rest -= run.size
        raise ValueError("the changes are for a text of another length")

    def _split_before(self, at: int) -> tuple[int, int]:
        """Return block and index directly before the unit at `at`, or the end; split a run if need be.

        The search begins where `_split_after` ended.
        """
        block, rest = self._block, at - self._start
        while block < len(self._sizes) and rest >= self._sizes[block]:
            rest -= self._sizes[block]
            block += 1
        if block == len(self._sizes):
            return block - 1, len(self._blocks[-1])
        runs = self._blocks[block]
        for index, run in enumerate(runs):
            if run.state == PRESENT:
                if rest < run.size:
                    if rest:
                        runs.insert(index + 1, run.split(rest))
                    return block, index + 1 if rest else index
                rest -= run.size
        raise ValueError("the changes are for a text of another length")

    def _next(self) -> None:
        self._start += self._sizes[self._block]
        self._block += 1

    def _previous(self) -> None:
        self._block -= 1
        self._start -= self._sizes[self._block]


def _length(runs: Sequence[TextRun]) -> int:
    return sum([run.size for run in runs if run.state == PRESENT])
