"""The document as runs of characters with an identity, deleted ones included, replayed over a range of commits.

A deleted run stays in its place as a tombstone and can come back: text that an undo, redo or revert inserts *is* the
text that was deleted, as far as it can be found among the tombstones by what deleted it and how it reads. A restore
leads back to the runs that stood at its revision: it was written as a change of lines, and what stood then tells which
characters these are. Text that the same person puts back exactly where they deleted it comes back, too, as by an
editor's own undo. All other inserted text is new. Everything is derived from the log; nothing of it is stored.

The state of a run is a number: `PRESENT`, `UNBORN`, or the revision that deleted it. Taking a commit back restores the
state from before it, so an undo, its redo and the next undo lead to equal states. Not here: what of a commit can be
taken back (`retract`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from draftsmith.model.document import units
from draftsmith.transform.steps.changeset import ChangeSet, cutter, trimmed_parts
from draftsmith.transform.steps.text import ChangeText
from draftsmith.transform.undo.text_run import (
    NO_CHANGE,
    PRESENT,
    UNBORN,
    Origin,
    RunChange,
    TextCommit,
    TextRun,
    TextRunList,
)
from draftsmith.transform.undo.text_taken_back import Retracting

_UNKNOWN: Final = "\0"  # in place of text that was never written or deleted here, so no change inserts it
_Snapshot = list[tuple[Origin, int]]  # origin and size of each run that is present, in order


class TextRuns:
    """The runs of a document in order, in blocks, so that a change costs little in a long history.

    Attributes:
        first: the first revision that was replayed.
        by_identity: restores, and what took one back, of which is known which runs they changed; their places are not
            those of their steps.
    """

    def __init__(
        self, commits: Sequence[TextCommit], marked: frozenset[int] = frozenset(), since: int | None = None
    ) -> None:
        """Replay `commits`, oldest first; quoted text is marked for the revisions in `marked`.

        Args:
            since: the revision from which on these are all that changed the text; that of the first one by default.
        """
        length = commits[0].step.changes.length
        self.first = commits[0].revision if since is None else since
        self._list = TextRunList([TextRun(length, None, PRESENT)] if length else [])
        self._marked = marked
        self._by: dict[int, str] = {}
        self._typed: dict[str, set[int]] = {}
        self.by_identity: set[int] = set()
        restored_to = {commit.restores for commit in commits if commit.restores is not None}
        awaited = sorted((one for one in restored_to if one >= self.first - 1), reverse=True)
        self._snapshots: dict[int, _Snapshot] = {}
        for commit in commits:
            while awaited and awaited[-1] < commit.revision:
                self._snapshots[awaited.pop()] = _snapshot_of(self._list)
            self._replay(commit)

    def __iter__(self) -> Iterator[TextRun]:
        return iter(self._list)

    # -- replay ------------------------------------------------------------------------------------------------------

    def _replay(self, commit: TextCommit) -> None:
        if commit.reference is None:
            self._by[commit.revision] = commit.by
        if commit.is_typed:
            self._typed.setdefault(commit.by, set()).add(commit.revision)
        runs = self._by_identity(commit)
        if runs is not None:
            self._list = TextRunList(runs)
            self.by_identity.add(commit.revision)
            return
        for number, change in enumerate(commit.step.changes.changes()):
            self._replace(change.new_start, commit.step.deleted[number], change.inserted, commit, number)

    def _by_identity(self, commit: TextCommit) -> list[TextRun] | None:
        """Return the runs after a restore, or after what took one back; None if only its text tells."""
        if commit.restores in self._snapshots:
            return _restore_runs(self._list, self._snapshots[commit.restores], commit)
        if commit.takes_back is None or commit.takes_back[0] not in self.by_identity:
            return None
        return _after_taking_back(list(self), commit)

    def _replace(self, at: int, old: str, new: str, commit: TextCommit, number: int) -> None:
        """Replace `old` at `at`; characters that are equal at its ends keep their identity, unless all comes back."""
        if commit.reference is not None and new and self._change(at, old, new, commit, number, must_come_back=True):
            return
        parts = trimmed_parts(old, new)
        changed = next(((size, text) for size, text in parts if text is not None), None)
        head = parts[0][0] if parts[0][1] is None else 0
        if changed is not None:
            deleted = cutter(old)(head, head + changed[0])
            self._change(at + head, deleted, changed[1] or "", commit, number)
        if commit.revision in self._marked:
            inserted = 0 if changed is None else units(changed[1] or "")
            self._quote(at, at + head, commit.revision, number)
            self._quote(at + head + inserted, at + units(new), commit.revision, number)

    def _quote(self, start: int, end: int, revision: int, number: int) -> None:
        if start < end:
            runs, *place = self._list.cut_out(start, end)
            for run in runs:
                if run.is_present:
                    run.become(PRESENT, revision, number)
            self._list.put(runs, *place)

    def _change(
        self, at: int, deleted: str, new: str, commit: TextCommit, number: int, *, must_come_back: bool = False
    ) -> bool:
        """Replace `deleted` by `new`; return False, with nothing done, if `new` must come back and does not."""
        runs, *place = self._list.cut_out(at, at + units(deleted))
        going = [run for run in runs if run.is_present]
        cut, offset = cutter(deleted), 0
        for run in going:
            run.text = cut(offset, offset + run.size)
            offset += run.size
        back = self._coming_back(runs, new, commit) if new else []
        if must_come_back and not back:
            self._list.put(runs, *place)
            return False
        here = next((index for index, run in enumerate(runs) if run.is_present), len(runs))
        for run in going:
            if not any(run is one for one in back):
                run.become(_state_after(run, commit), commit.revision, number)
        if not back:
            if new:
                mark = RunChange(commit.revision, number, UNBORN, PRESENT)
                runs.insert(here, TextRun(units(new), new, PRESENT, (mark,), (commit.revision, number, 0)))
        elif not _is_in_order(back, runs):
            _move(back, runs, here)
            back = runs[here : here + len(back)]
        for run in back:
            run.become(PRESENT, commit.revision, number)
        self._list.put(runs, *place)
        return True

    def _coming_back(self, runs: Sequence[TextRun], new: str, commit: TextCommit) -> Sequence[TextRun]:
        """Return the tombstones that inserted text brings back; none if it is new."""
        near = [run for run in runs if not run.is_present and run.size]
        if commit.restores is not None and commit.restores >= self.first - 1:
            stood = [run for run in runs if run.was_present_at(commit.restores)]
            return stood if _text(stood) == new else _runs_that_read(stood, new)
        if commit.takes_back is None and commit.restores is None:
            return _newest([run for run in near if self._by.get(run.marks[-1].revision) == commit.by], new)
        if commit.takes_back is None or commit.takes_back[0] < self.first:
            return _newest(near, new)
        deleted_by = self._test_of_deletion(*commit.takes_back)
        found = _spelling([run for run in near if deleted_by(run)], new)
        # A restore that was taken back without what it led back to may have replaced text by itself.
        found = found or _spelling([run for run in runs if run.is_present or deleted_by(run)], new)
        return found or self._from_elsewhere(runs, deleted_by, new, commit.takes_back)

    def _test_of_deletion(self, first: int, last: int) -> Callable[[TextRun], bool]:
        """Return a test for runs that were deleted by one commit, or by all that one person typed in a range."""
        typed = {first} if first == last else self._typed.get(self._by.get(first, ""), set())

        def is_deleted(run: TextRun) -> bool:
            return any(mark[0] in typed and first <= mark[0] <= last and _deletes(mark) for mark in run.marks)

        return is_deleted

    def _from_elsewhere(
        self, runs: Sequence[TextRun], deleted_by: Callable[[TextRun], bool], new: str, revisions: tuple[int, int]
    ) -> Sequence[TextRun]:
        """Return what comes back from anywhere: first from what the text that is deleted now once replaced."""
        everywhere = [run for run in [*self, *runs] if not run.is_present and run.size and deleted_by(run)]
        first, last = revisions
        stood_in = {mark[:2] for run in runs if run.is_present for mark in run.marks if first <= mark.revision <= last}
        same = [run for run in everywhere if any(mark[:2] in stood_in for mark in run.marks)]
        return _spelling(same, new) or _spelling(everywhere, new) or _runs_that_read(everywhere, new)


def _deletes(mark: RunChange) -> bool:
    return mark.after != PRESENT and mark.change != NO_CHANGE


def _text(runs: Sequence[TextRun]) -> str | None:
    return "".join(run.text or "" for run in runs) if all(run.text is not None for run in runs) else None


def _is_in_order(chosen_runs: Sequence[TextRun], runs: Sequence[TextRun]) -> bool:
    """Whether `chosen_runs` are among `runs`, in the same order."""
    places = {id(run): place for place, run in enumerate(runs)}
    found = [places.get(id(run), -1) for run in chosen_runs]
    return found == sorted(found) and found[0] >= 0


def _move(chosen_runs: Sequence[TextRun], runs: list[TextRun], here: int) -> None:
    """Move `chosen_runs`, wherever they are, into `runs`; at their old places nothing is left of them."""
    runs[here:here] = [TextRun(run.size, run.text, run.state, run.marks, run.origin) for run in chosen_runs]
    for run in chosen_runs:
        run.size, run.text, run.state, run.marks = 0, "", UNBORN, ()


def _state_after(run: TextRun, commit: TextCommit) -> int:
    """Return the state of a run that a commit deletes: if it takes back what wrote the run, the state before that."""
    if commit.takes_back is not None:
        first, last = commit.takes_back
        for mark in run.marks:
            if first <= mark.revision <= last and mark.before != mark.after and mark.change != NO_CHANGE:
                return mark.before if mark.before != PRESENT else commit.revision
    return commit.revision


def _spelling(runs: Sequence[TextRun], text: str) -> list[TextRun]:
    """Return those of `runs` that read as `text` in their order; none if they do not."""
    if _text(runs) == text:
        return list(runs)
    found: list[TextRun] = []
    at = 0
    for run in runs:
        if run.text and text.startswith(run.text, at):
            found.append(run)
            at += len(run.text)
    return found if at == len(text) else []


def _runs_that_read(runs: Sequence[TextRun], text: str) -> list[TextRun]:
    """Return those of `runs` that read as `text` in some order; none if they do not."""
    rest = sorted(runs, key=lambda run: len(run.text or ""), reverse=True)
    found: list[TextRun] = []
    at = 0
    while at < len(text):
        run = next((run for run in rest if run.text and text.startswith(run.text, at)), None)
        if run is None:
            return []
        rest.remove(run)
        found.append(run)
        at += len(run.text or "")
    return found


def _newest(runs: Sequence[TextRun], text: str) -> list[TextRun]:
    """Return the most recently deleted of `runs`, whole deletions only, if they read as `text`; none if they do not."""
    for revision in sorted({run.marks[-1].revision for run in runs}, reverse=True):
        found = [run for run in runs if run.marks[-1].revision >= revision]
        size = sum(len(run.text or "") for run in found)
        if size >= len(text):
            return found if _text(found) == text else []
    return []


def _snapshot_of(runs: Iterable[TextRun]) -> _Snapshot:
    """Return which runs are present, so that they are found again however they are split and moved later."""
    return [(run.origin, run.size) for run in runs if run.is_present and run.size]


def _restore_runs(runs: Iterable[TextRun], snapshot: _Snapshot, commit: TextCommit) -> list[TextRun] | None:
    """Return the runs after a restore; None, with nothing changed, if present runs have moved or the sizes differ."""
    before = [run for run in runs if run.size]
    wanted = _present_runs(before, snapshot)
    if commit.restores is None or sum(run.size for run in wanted) != commit.step.changes.new_length:
        return None
    places = {id(run): place for place, run in enumerate(before)}
    stay = [places[id(run)] for run in wanted if run.is_present]
    if stay != sorted(stay):
        return None
    order = [places[id(run)] for run in wanted]
    after = before if order == sorted(order) else _rearrange(before, wanted)
    back = {id(run) for run in wanted}
    return _set_states(
        ((run, PRESENT if id(run) in back else run.state_at(commit.restores)) for run in after), commit.revision
    )


def _present_runs(runs: Sequence[TextRun], snapshot: _Snapshot) -> list[TextRun]:
    """Return the runs of a snapshot, which may have been split since."""
    by_origin = {run.origin: run for run in runs}
    found: list[TextRun] = []
    for (revision, change, start), size in snapshot:
        at = start
        while at < start + size:
            run = by_origin[revision, change, at]
            found.append(run)
            at += run.size
    return found


def _rearrange(runs: Sequence[TextRun], wanted: Sequence[TextRun]) -> list[TextRun]:
    """Return all runs, with those that come back next to the runs that they followed in the snapshot."""
    coming: dict[int, list[TextRun]] = {}  # by the run which they follow; 0 at the start
    last = 0
    for run in wanted:
        if run.is_present:
            last = id(run)
        else:
            coming.setdefault(last, []).append(run)
    moved = {id(run) for some in coming.values() for run in some}
    after = coming.get(0, [])
    for run in runs:
        if id(run) not in moved:
            after += [run, *coming.get(id(run), ())]
    return after


def _after_taking_back(runs: Sequence[TextRun], commit: TextCommit) -> list[TextRun] | None:
    """Return the runs after an undo, redo or revert of a restore, or of one of these; None if only its text tells.

    The retraction is computed again: if it leads to the text of the commit, it changed these runs. In either case
    tombstones get back the state that they had before the restore, or before what took one back.
    """
    first, _ = commit.takes_back or (0, 0)
    work = Retracting(runs, (first,), is_range=False)
    work.run()
    found = (
        _set_states(work.outcome(), commit.revision) if _leads_to_same_text(runs, commit.step, work.changes()) else None
    )
    for run in runs:
        mark = next((mark for mark in run.marks if mark[:2] == (first, NO_CHANGE)), None)
        if mark is not None and mark.after == run.state:
            run.become(mark.before, commit.revision, NO_CHANGE)
    return found


def _leads_to_same_text(runs: Sequence[TextRun], step: ChangeText, changes: ChangeSet) -> bool:
    """Whether changes of the runs that are present lead to the same text as a step that was made there."""
    if changes == step.changes:
        return True
    before = "".join(run.text or _UNKNOWN * run.size for run in runs if run.is_present)
    cut, known, at = cutter(before), [], 0
    for change, deleted in zip(step.changes.changes(), step.deleted, strict=True):
        known += [cut(at, change.start), deleted]
        at = change.end
    before = "".join([*known, cut(at, step.changes.length)])
    return step.changes.apply(before) == changes.apply(before)


def _set_states(outcome: Iterable[tuple[TextRun, int]], revision: int) -> list[TextRun]:
    """Set the state of each run; what changes between two runs that stay is one change."""
    change, is_inside = -1, False
    runs: list[TextRun] = []
    for run, state in outcome:
        comes = state == PRESENT
        if comes and run.is_present:
            is_inside = False
        elif comes or run.is_present:
            change += not is_inside
            is_inside = True
            run.become(state, revision, change)
        elif run.state != state:
            run.become(state, revision, NO_CHANGE)
        runs.append(run)
    return runs
