"""How much of a document's text is gone after staged operations: counted character by character, not by the net length.

A character counts as kept if it is still there afterwards: untouched, moved along with its section, or in a stretch of
at least three words that the new text repeats at that place. What the operations wrote and took out again themselves
is not lost.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import Final

from rapidfuzz.distance import Indel

from draftsmith.model.document import from_units_in_order, units
from draftsmith.model.markdown.sections import Outline
from draftsmith.transform.staged_operations import StagedOperation
from draftsmith.transform.steps.changeset import one_after_another
from draftsmith.transform.steps.steps import text_steps
from draftsmith.transform.steps.text import ChangeText, edit_of

LEAST_LOSS: Final = 500
"""Characters; below that nobody is asked because of a share."""
LARGE_SHARE: Final = 0.3
_WORDS_IN_A_ROW: Final = 3
_MOST_PAIRS: Final = 100_000_000  # words of the old times words of the new; each costs a bit of memory for a moment
_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")

_Run = tuple[int, int]  # where it was in the text before (NEW: nowhere), length; in UTF-16 units
_NEW: Final = -1


@dataclass(frozen=True, slots=True)
class TextLoss:
    """A large loss: of a section by its title, or of the whole document (an empty title)."""

    title: str
    lost: int
    chars: int


def large_loss(staged: Sequence[StagedOperation], text: str, outline: Outline) -> TextLoss | None:
    """The loss to tell of: of the document if that is large, else the largest of a section; None if all are small.

    Args:
        staged: the operations, resolved one after the other from `text` on.
        text: the document without them.
        outline: of that text.
    """
    if sum(len(part) for one in staged for step in text_steps(one.steps) for part in step.deleted) < LEAST_LOSS:
        return None
    gone = _RemovedSpans(text, staged)
    whole = TextLoss("", gone.within(0, len(text)), len(text))
    if _is_large(whole):
        return whole
    spans = [(one.title, one.start, end) for one in outline.sections for end in {one.own_end, one.end}]
    losses = [TextLoss(title, gone.within(start, end), end - start) for title, start, end in spans]
    return max(filter(_is_large, losses), key=lambda loss: (loss.lost, -loss.chars), default=None)


def _is_large(loss: TextLoss) -> bool:
    return loss.lost >= LEAST_LOSS and loss.lost > LARGE_SHARE * loss.chars


class _RemovedSpans:
    """The spans of a text that are gone after operations, in code points."""

    def __init__(self, text: str, staged: Sequence[StagedOperation]) -> None:
        point = from_units_in_order(text)
        self._starts: list[int] = []
        self._ends: list[int] = []
        at = 0
        for start, length in [*sorted(run for run in _runs_after(text, staged) if run[0] != _NEW), (units(text), 0)]:
            if start > at:
                self._starts.append(point(at))
                self._ends.append(point(start))
            at = max(at, start + length)
        lengths = (end - start for start, end in zip(self._starts, self._ends, strict=True))
        self._before = list(accumulate(lengths, initial=0))

    def within(self, start: int, end: int) -> int:
        """How many characters of a span are gone."""
        return self._up_to(end) - self._up_to(start)

    def _up_to(self, offset: int) -> int:
        place = bisect_right(self._starts, offset)
        over = max(0, self._ends[place - 1] - offset) if place else 0
        return self._before[place] - over


def _runs_after(text: str, staged: Sequence[StagedOperation]) -> list[_Run]:
    """The text after all operations, as runs of the text before and of what is new."""
    runs: list[_Run] = [(0, units(text))]
    for is_move, group in groupby(staged, key=lambda one: one.op == "move_section"):
        steps = [step for one in group for step in text_steps(one.steps)]
        if not steps:
            continue
        if not is_move:  # composed, so that what they wrote and took out again does not count
            net = one_after_another([step.changes for step in steps])
            steps = [edit_of(text, net.trim(net.deleted_texts(text)))]
        for step in steps:
            runs = _runs_after_step(_Runs(runs), step, is_move=is_move)
            text = step.changes.apply(text)
    return runs


class _Runs:
    """Runs of a text, and where each ends in it."""

    def __init__(self, runs: Sequence[_Run]) -> None:
        self.runs = runs
        self._ends = list(accumulate(length for _, length in runs))

    def cut(self, start: int, end: int) -> Iterator[_Run]:
        """The runs of a span."""
        for place in range(bisect_right(self._ends, start), len(self.runs)):
            origin, length = self.runs[place]
            begins = self._ends[place] - length
            if begins >= end:
                return
            first, last = max(start, begins), min(end, self._ends[place])
            yield origin if origin == _NEW else origin + first - begins, last - first


def _runs_after_step(before: _Runs, step: ChangeText, *, is_move: bool) -> list[_Run]:
    """The runs after a step; a moved section is sought in all that the step deletes, other text where it stood."""
    changes = list(step.changes.changes())
    moved = _Runs([run for change in changes for run in before.cut(change.start, change.end)] if is_move else [])
    after: list[_Run] = []
    at = 0
    for change, old in zip(changes, step.deleted, strict=True):
        after += before.cut(at, change.start)
        if is_move:
            after += _repeated_runs(moved, "".join(step.deleted), change.inserted, _LINE, 1)
        else:
            gone = _Runs(list(before.cut(change.start, change.end)))
            after += _repeated_runs(gone, old, change.inserted, _TOKEN, _WORDS_IN_A_ROW)
        at = change.end
    return [*after, *before.cut(at, step.changes.length)]


def _repeated_runs(runs: _Runs, old: str, new: str, pattern: re.Pattern[str], least: int) -> Iterator[_Run]:
    """The runs of `new`: those of `old` where it repeats at least that many words or lines of it in a row.

    Very long texts are compared by lines, and beyond that not at all: then all of the old text counts as gone.
    """
    before, after = pattern.findall(old), pattern.findall(new)
    if len(before) * len(after) > _MOST_PAIRS:
        before, after = _LINE.findall(old), _LINE.findall(new)
    if len(before) * len(after) > _MOST_PAIRS:
        yield _NEW, units(new)
        return
    at = list(accumulate(map(units, before), initial=0))
    for code in Indel.opcodes(before, after):
        same = before[code.src_start : code.src_end]
        if code.tag == "equal" and sum(not token.isspace() for token in same) >= least:
            yield from runs.cut(at[code.src_start], at[code.src_end])
        elif code.dest_end > code.dest_start:
            yield _NEW, sum(map(units, after[code.dest_start : code.dest_end]))
