"""What a restore does to the runs of a document: those that stood at its revision stand again, and no others.

The restore itself was written as a change of lines; which characters these are is told by what stood there then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from draftsmith.transform.text_run import NO_CHANGE, PRESENT, Origin, Run, TextCommit

Stood = list[tuple[Origin, int]]  # origin and size of each run that stood in the document, in order


def standing(runs: Iterable[Run]) -> Stood:
    """What stands in the document now, to be found again however it is split and moved later."""
    return [(run.origin, run.size) for run in runs if run.is_present and run.size]


def restored(runs: Iterable[Run], stood: Stood, commit: TextCommit) -> list[Run] | None:
    """The runs after a restore; None, and nothing is changed, if what stays has moved since or the sizes differ."""
    before = [run for run in runs if run.size]
    wanted = _found(before, stood)
    if commit.restores is None or sum(run.size for run in wanted) != commit.step.changes.new_length:
        return None
    places = {id(run): place for place, run in enumerate(before)}
    stay = [places[id(run)] for run in wanted if run.is_present]
    if stay != sorted(stay):
        return None
    order = [places[id(run)] for run in wanted]
    after = before if order == sorted(order) else _rearranged(before, wanted)
    _change(after, {id(run) for run in wanted}, commit.restores, commit.revision)
    return after


def _found(runs: Sequence[Run], stood: Stood) -> list[Run]:
    """The runs that stood there, which may have been split since."""
    by_origin = {run.origin: run for run in runs}
    found: list[Run] = []
    for (revision, change, start), size in stood:
        at = start
        while at < start + size:
            run = by_origin[revision, change, at]
            found.append(run)
            at += run.size
    return found


def _rearranged(runs: Sequence[Run], wanted: Sequence[Run]) -> list[Run]:
    """All runs, with those that come back next to what they stood beside then."""
    coming: dict[int, list[Run]] = {}  # by the run which they follow; 0 at the start
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


def taken_back(runs: Iterable[Run], restoring: int, revision: int) -> None:
    """Let tombstones become again what a restore, or what takes one back, found them to be."""
    for run in runs:
        if run.marks and run.marks[-1][:2] == (restoring, NO_CHANGE):
            run.become(run.marks[-1].before, revision, NO_CHANGE)


def _change(runs: Sequence[Run], wanted: set[int], restores: int, revision: int) -> None:
    """Let each run become what it was; each place between two runs that stay is a change of its own."""
    change, is_inside = -1, False
    for run in runs:
        comes = id(run) in wanted
        if comes and run.is_present:
            is_inside = False
        elif comes or run.is_present:
            change += not is_inside
            is_inside = True
            run.become(PRESENT if comes else run.state_at(restores), revision, change)
        elif run.state != (then := run.state_at(restores)):
            run.become(then, revision, NO_CHANGE)
