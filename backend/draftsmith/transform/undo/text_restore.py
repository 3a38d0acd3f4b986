"""What a restore does to the runs of a document: those that stood at its revision stand again, and no others.

The restore itself was written as a change of lines; which characters these are is told by what stood there then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from draftsmith.transform.steps.changeset import ChangeSet, cutter
from draftsmith.transform.steps.text import ChangeText
from draftsmith.transform.undo.text_run import NO_CHANGE, PRESENT, Origin, TextCommit, TextRun
from draftsmith.transform.undo.text_taken_back import Retracting

_UNKNOWN: Final = "\0"  # in place of text that was never written or deleted here, so no change inserts it
Stood = list[tuple[Origin, int]]  # origin and size of each run that stood in the document, in order


def standing(runs: Iterable[TextRun]) -> Stood:
    """What stands in the document now, to be found again however it is split and moved later."""
    return [(run.origin, run.size) for run in runs if run.is_present and run.size]


def restore_runs(runs: Iterable[TextRun], stood: Stood, commit: TextCommit) -> list[TextRun] | None:
    """The runs after a restore; None, and nothing is changed, if what stays has moved since or the sizes differ."""
    before = [run for run in runs if run.size]
    wanted = _present_runs(before, stood)
    if commit.restores is None or sum(run.size for run in wanted) != commit.step.changes.new_length:
        return None
    places = {id(run): place for place, run in enumerate(before)}
    stay = [places[id(run)] for run in wanted if run.is_present]
    if stay != sorted(stay):
        return None
    order = [places[id(run)] for run in wanted]
    after = before if order == sorted(order) else _rearrange(before, wanted)
    back = {id(run) for run in wanted}
    return lead(
        ((run, PRESENT if id(run) in back else run.state_at(commit.restores)) for run in after), commit.revision
    )


def _present_runs(runs: Sequence[TextRun], stood: Stood) -> list[TextRun]:
    """The runs that stood there, which may have been split since."""
    by_origin = {run.origin: run for run in runs}
    found: list[TextRun] = []
    for (revision, change, start), size in stood:
        at = start
        while at < start + size:
            run = by_origin[revision, change, at]
            found.append(run)
            at += run.size
    return found


def _rearrange(runs: Sequence[TextRun], wanted: Sequence[TextRun]) -> list[TextRun]:
    """All runs, with those that come back next to what they stood beside then."""
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


def taken_back(runs: Sequence[TextRun], commit: TextCommit) -> list[TextRun] | None:
    """The runs after an undo, redo or revert of a restore, or of one of these; None if only its text tells.

    It is computed again: these runs are the ones that it changed, if the same text comes out. Tombstones become again
    what the restore, or what takes one back, found them to be, in either case.
    """
    first, _ = commit.takes_back or (0, 0)
    work = Retracting(runs, (first,), is_range=False)
    work.run()
    found = lead(work.outcome(), commit.revision) if _comes_to(runs, commit.step, work.changes()) else None
    for run in runs:
        then = next((mark for mark in run.marks if mark[:2] == (first, NO_CHANGE)), None)
        if then is not None and then.after == run.state:
            run.become(then.before, commit.revision, NO_CHANGE)
    return found


def _comes_to(runs: Sequence[TextRun], step: ChangeText, changes: ChangeSet) -> bool:
    """Whether changes of the runs that stand lead to the same text as a step that was made there."""
    if changes == step.changes:
        return True
    before = "".join(run.text or _UNKNOWN * run.size for run in runs if run.is_present)
    cut, known, at = cutter(before), [], 0
    for change, deleted in zip(step.changes.changes(), step.deleted, strict=True):
        known += [cut(at, change.start), deleted]
        at = change.end
    before = "".join([*known, cut(at, step.changes.length)])
    return step.changes.apply(before) == changes.apply(before)


def lead(outcome: Iterable[tuple[TextRun, int]], revision: int) -> list[TextRun]:
    """Let each run become what is given with it; each place between two runs that stay is a change of its own."""
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
