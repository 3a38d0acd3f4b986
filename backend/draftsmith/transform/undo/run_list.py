"""A list of runs in blocks, addressed by the text that stands; a change costs little in a long list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from draftsmith.transform.undo.text_run import PRESENT, TextRun

_FULL: Final = 64  # runs in a block


class TextRunList:
    """The runs of a document in order.

    Positions count the UTF-16 units of the runs that stand. People type where they have just typed, so the search for a
    position begins at the block that was found last; `_start` is the position at which that begins.
    """

    __slots__ = ("_block", "_blocks", "_sizes", "_start")

    def __init__(self, runs: Sequence[TextRun]) -> None:
        self._blocks: list[list[TextRun]] = [list(runs[at : at + _FULL]) for at in range(0, len(runs), _FULL)] or [[]]
        self._sizes = [_length(block) for block in self._blocks]
        self._block = self._start = 0

    def __iter__(self) -> Iterator[TextRun]:
        for block in self._blocks:
            yield from block

    def cut_out(self, start: int, end: int) -> tuple[list[TextRun], int, int]:
        """Take out the runs of `[start, end)` with all tombstones at both ends; the runs, the block and the index."""
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
        if len(whole) > 2 * _FULL:
            pieces = [whole[at : at + _FULL] for at in range(0, len(whole), _FULL)]
            self._blocks[block : block + 1] = pieces
            self._sizes[block : block + 1] = [_length(piece) for piece in pieces]

    def _split_after(self, at: int) -> tuple[int, int]:
        """Directly after the unit before `at`: block and index; splits a run if need be."""
        if at == 0:
            self._block = self._start = 0
            return 0, 0
        while at <= self._start:
            self._previous()
        while at > self._start + self._sizes[self._block]:
            self._forward()
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
        """Directly before the unit at `at`, or the end, not before the last `_after`; splits a run if need be."""
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

    def _forward(self) -> None:
        self._start += self._sizes[self._block]
        self._block += 1

    def _previous(self) -> None:
        self._block -= 1
        self._start -= self._sizes[self._block]


def _length(runs: Sequence[TextRun]) -> int:
    return sum([run.size for run in runs if run.state == PRESENT])
