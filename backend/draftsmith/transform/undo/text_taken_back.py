"""Takes text changes back one after another on runs of characters that have an identity.

What a change inserted goes, what it deleted comes back, unless others have changed it since: then it is left as it is.
Not here: the runs (`text_runs`, which plays what took a restore back by this, too), what is said of what is left out
(`retract`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from draftsmith.transform.steps.changeset import ChangeSet, Part, of_parts
from draftsmith.transform.undo.text_run import NO_CHANGE, PRESENT, RunChange, TextRun

CHANGED: Final = "that text has been changed since"
BACK: Final = "that text is already back"
GONE: Final = "that text is already gone"


@dataclass(slots=True)
class ChangedRuns:
    """One change of a commit: the indexes of the runs that it inserted, deleted and quoted."""

    revision: int
    change: int
    inserted: list[int] = field(default_factory=list)
    deleted: list[int] = field(default_factory=list)
    quoted: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ChangeLeftOut:
    """A change that is left out, why, the text that it inserted, and the one that it deleted."""

    unit: ChangedRuns
    why: str
    inserted: str
    deleted: str

    @property
    def place(self) -> tuple[int, int]:
        """From its first run to its last."""
        runs = self.unit.inserted or self.unit.deleted
        return (runs[0], runs[-1] + 1) if runs else (-1, -1)


class Retracting:
    """Takes changes back one after another, on the states of the runs, which themselves stay as they are.

    Attributes:
        missed: what is left out, newest first.
    """

    def __init__(self, runs: Iterable[TextRun], revisions: Collection[int], *, is_range: bool) -> None:
        self._runs = list(runs)
        self._state = [run.state for run in self._runs]
        self._moved: dict[int, int] = {}
        self._revisions, self._is_range = frozenset(revisions), is_range
        self.missed: list[ChangeLeftOut] = []
        self._units = _changed_runs(self._runs, self._revisions)
        if is_range:
            self._leave_out_settled()

    def run(self) -> None:
        """Take all of them back, the newest first."""
        for _, unit in sorted(self._units.items(), reverse=True):
            why = self._take_back(unit)
            if why:
                self.missed.append(ChangeLeftOut(unit, why, self._text(unit.inserted), self._text(unit.deleted)))
        if self._is_range:
            self._stay_within()

    def _stay_within(self) -> None:
        """Change no text but towards the state from before the range, whatever was left out in between."""
        for index, run in enumerate(self._runs):
            is_present = self._is_present(index)
            if is_present != run.is_present and is_present != self._was_there(index):
                self._state[index] = run.state

    def changes(self) -> ChangeSet:
        """The difference between the states before and after."""
        return of_parts(self._parts())

    def outcome(self) -> list[tuple[TextRun, int]]:
        """The runs in the order that they have afterwards, each with its state then."""
        return [(self._runs[index], self._state[index]) for index in self._order()]

    def _parts(self) -> Iterator[Part]:
        for run, state in self.outcome():
            if run.is_present:
                yield run.size, None if state == PRESENT else ""
            elif state == PRESENT:
                yield 0, run.text

    def _order(self) -> Iterator[int]:
        moved: dict[int, list[int]] = {}
        for index, anchor in sorted(self._moved.items()):
            if self._is_present(index):
                moved.setdefault(anchor, []).append(index)
        elsewhere = {index for beside in moved.values() for index in beside}
        for index in range(len(self._runs)):
            beside = moved.get(index, ())
            yield from (other for other in beside if other < index)
            if index not in elsewhere:
                yield index
            yield from (other for other in beside if other > index)

    def _leave_out_settled(self) -> None:
        """Leave changes alone whose text is in the state from before the range already, not in the one it left."""
        for index, run in enumerate(self._runs):
            marks = [mark for mark in run.marks if mark.revision in self._revisions]
            if marks and marks[0].before == run.state != marks[-1].after:
                for mark in marks:
                    self._units.pop(mark[:2], None)
                if run.is_present:
                    last = ChangedRuns(*marks[-1][:2], deleted=[index])
                    self.missed.append(ChangeLeftOut(last, BACK, "", run.text or ""))

    # -- one change --------------------------------------------------------------------------------------------------

    def _take_back(self, unit: ChangedRuns) -> str:
        """Take one change back if it fits; why not, or the empty text."""
        gone = [index for index in unit.deleted if not self._is_present(index)]
        if unit.inserted and not any(map(self._is_present, unit.inserted)):
            if unit.deleted:
                return self._unless_own(unit, CHANGED if gone else BACK)
            return "" if self._is_range else GONE
        if not self._is_intact([*unit.inserted, *unit.quoted]):
            return CHANGED
        back = self._still_gone(unit, gone)
        if not unit.inserted:
            if not back:
                return self._unless_own(unit, CHANGED if len(gone) == len(unit.deleted) else BACK)
            if not self._stands_beside(back, unit):
                return CHANGED
        else:
            self._move(unit, back)
        for index in unit.inserted:
            self._state[index] = next(mark.before for mark in self._marks(index, unit) if mark.after == PRESENT)
        for index in back:
            self._state[index] = PRESENT
        return ""

    def _move(self, unit: ChangedRuns, run_indexes: Sequence[int]) -> None:
        """Let what comes back stand where the text that replaced it stands, if that has got away from its place."""
        own = self._with_own_text_beside(unit)
        here = own | {one for one in run_indexes if self._runs[one].is_present or self._is_beside(one, own)}
        for index in run_indexes:
            if index not in here:
                before = max((one for one in here if one < index), default=-1)
                anchor = before if before >= 0 else min(here)
                self._moved[index] = self._moved.get(anchor, anchor)

    def _with_own_text_beside(self, unit: ChangedRuns) -> set[int]:
        """What a change inserted and quoted, with what of its deleted text is back already and stands next to that."""
        own, deleted = {*unit.inserted, *unit.quoted}, set(unit.deleted)
        for end, step in ((min(own), -1), (max(own), 1)):
            while (end := self._next_present(end, step)) in deleted:
                own.add(end)
        return own

    def _is_beside(self, index: int, own: Collection[int]) -> bool:
        """Whether a run would come back next to one of `own`."""
        return any(self._next_present(index, step) in own for step in (-1, 1))

    def _next_present(self, index: int, step: int) -> int:
        """The nearest run that stands in the document, in one direction; -1 if there is none."""
        index += step
        while 0 <= index < len(self._runs):
            if self._is_present(index):
                return index
            index += step
        return -1

    def _still_gone(self, unit: ChangedRuns, run_indexes: Sequence[int]) -> list[int]:
        """Of what it deleted: what has not been back since; for a single commit all, if none of it is there."""
        if not self._is_range and len(run_indexes) == len(unit.deleted):
            return list(run_indexes)
        return [
            index for index in run_indexes if any(mark.after == self._state[index] for mark in self._marks(index, unit))
        ]

    def _unless_own(self, unit: ChangedRuns, why: str) -> str:
        """The reason, unless the range itself wrote all the text that the change deleted."""
        return why if any(self._was_there(index) for index in unit.deleted) else ""

    def _was_there(self, index: int) -> bool:
        """Whether a run stood in the document before what is taken back."""
        return next(mark.before for mark in self._runs[index].marks if mark.revision in self._revisions) == PRESENT

    def _is_intact(self, members: Sequence[int]) -> bool:
        """Whether all of it stands, and nothing else between."""
        known = set(members)
        between = range(min(members), max(members) + 1) if members else ()
        return all(self._is_present(index) == (index in known) for index in between)

    def _stands_beside(self, run_indexes: Sequence[int], unit: ChangedRuns) -> bool:
        """Whether text that stood directly before or after it still does, or it stood at an end of the document."""
        first, last, when = run_indexes[0], run_indexes[-1], unit.revision
        for indexes in (range(first - 1, -1, -1), range(last + 1, len(self._runs))):
            beside = next((i for i in indexes if self._runs[i].size and self._runs[i].was_present_at(when)), None)
            if beside is None or self._is_present(beside):
                return True
        return False

    def _marks(self, index: int, unit: ChangedRuns) -> Iterator[RunChange]:
        return (mark for mark in self._runs[index].marks if mark[:2] == (unit.revision, unit.change))

    def _is_present(self, index: int) -> bool:
        return self._state[index] == PRESENT

    def _text(self, indexes: Sequence[int]) -> str:
        return "".join(self._runs[index].text or "" for index in indexes)


def _changed_runs(runs: Sequence[TextRun], revisions: frozenset[int]) -> dict[tuple[int, int], ChangedRuns]:
    """The runs that each change of some revisions touched, by revision and number of the change."""
    found: dict[tuple[int, int], ChangedRuns] = {}
    for index, run in enumerate(runs):
        for mark in run.marks:
            if mark.revision in revisions and mark.change != NO_CHANGE:
                unit = found.setdefault(mark[:2], ChangedRuns(*mark[:2]))
                if mark.before == mark.after:
                    unit.quoted.append(index)
                elif mark.after == PRESENT:
                    unit.inserted.append(index)
                else:
                    unit.deleted.append(index)
    return found
