"""Carrying staged operations over what others have committed since, by the rules of undo.

Field by field and stretch by stretch an operation fits where nobody changed what it speaks of; it is carried whole or
not at all, and what depends on one that is not carried is not carried either. A node that came back under the same id
is another one; a text that was deleted and written anew is another one, too. That a node was moved or an edge rerouted
meanwhile keeps nobody from deleting it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from draftsmith.model.document import units
from draftsmith.model.sections import Outline
from draftsmith.model.workspace import Workspace
from draftsmith.transform.changeset import ChangeSet, Part, of_parts, one_after_another
from draftsmith.transform.dependencies import dependencies
from draftsmith.transform.locks import lock_against
from draftsmith.transform.staged import Staged
from draftsmith.transform.steps import Step, take_back
from draftsmith.transform.steps_edge import RemoveEdge, SetEdge
from draftsmith.transform.steps_node import RemoveNode
from draftsmith.transform.steps_text import EditText, net_of

_PLACE = frozenset({"position", "size"})


@dataclass(frozen=True, slots=True)
class Clash:
    """An operation that does not fit any more: which, and why as a sentence."""

    index: int
    why: str


@dataclass(slots=True)
class Carried:
    """What fits, applied to the workspace, and what does not.

    The text is changed once, by all operations together, so that many operations on a long text cost what one does.

    Attributes:
        operations: with the steps as they were applied, oldest first.
        indexes: where each stood among those that were to be carried.
        clashes: the others of the chosen ones.
        text: all changes of the text as one step; None where it stays what it is.
        text_before: the document without them.
        outline_before: its sections, if they were known.
    """

    text_before: str
    outline_before: Outline | None
    operations: list[Staged] = field(default_factory=list)
    indexes: list[int] = field(default_factory=list)
    clashes: list[Clash] = field(default_factory=list)
    text: EditText | None = None

    @property
    def steps(self) -> list[Step]:
        """The applied steps, oldest first, all changes of the text joined into one at the end."""
        others = [step for one in self.operations for step in one.steps if not isinstance(step, EditText)]
        return others if self.text is None else [*others, self.text]

    def take_back(self, workspace: Workspace) -> None:
        """Leave the workspace as it was."""
        for one in reversed(self.operations):
            take_back([step for step in one.steps if not isinstance(step, EditText)], workspace)
        if self.text is not None:
            workspace.document.text = self.text_before
            if self.outline_before is not None:
                workspace.document.take_outline(self.outline_before)


class _Misfit(Exception):
    """A step does not fit."""


def carry(
    workspace: Workspace,
    staged: Sequence[Staged],
    later: Sequence[EditText],
    chosen: Collection[int] | None = None,
) -> Carried:
    """Apply staged operations as far as they fit; the workspace is left changed.

    Args:
        workspace: at the head; changed in place.
        staged: in order, resolved against the base.
        later: the text steps of all commits between the base and the head, oldest first; none are needed where no
            chosen operation changes the text.
        chosen: indexes of those to carry; all if None.
    """
    done = Carried(workspace.document.text, workspace.document.known_outline)
    missing = set() if chosen is None else set(range(len(staged))) - set(chosen)
    wanted = [one for index, one in enumerate(staged) if index not in missing]
    drift = _Drift(workspace, staged, later, is_needed=any(_texts(one) for one in wanted))
    needs = None
    for index, one in enumerate(staged):
        if index in missing:
            drift.pass_over(one)
            continue
        if missing and needs is None:
            needs = dependencies(staged)
        cause = next((other for other in sorted(needs[index]) if other in missing), None) if needs is not None else None
        reason = None if cause is None else f"it builds on “{staged[cause].what or staged[cause].op}”"
        if reason is None:
            reason = _carry_one(workspace, one, drift, done, index)
        if reason is not None:
            missing.add(index)
            done.clashes.append(Clash(index, reason))
            drift.pass_over(one)
    _write_text(workspace, done)
    return done


def _write_text(workspace: Workspace, done: Carried) -> None:
    """Change the text by what all operations do to it, without what cancels out."""
    texts = [step for one in done.operations for step in _texts(one)]
    if len(texts) > 1:
        net = one_after_another([step.changes for step in texts])
        net = net.trimmed(net.deleted(done.text_before))
        texts = [] if net.is_empty else [EditText(net, tuple(net.deleted(done.text_before)))]
    if texts:
        texts[0].write(workspace)
        done.text = texts[0]


def _texts(one: Staged) -> list[EditText]:
    return [step for step in one.steps if isinstance(step, EditText)]


def _carry_one(workspace: Workspace, one: Staged, drift: _Drift, done: Carried, index: int) -> str | None:
    """Apply one operation, whole or not at all; why not, if not."""
    before = drift.mark()
    fitting: list[Step] = []
    applied: list[Step] = []
    try:
        for step in one.steps:
            if isinstance(step, EditText):
                fitting.append(drift.carried(step))
                continue
            fitted = _fitted(workspace, step)
            lock = None if _drops_a_route(fitted) else lock_against(workspace.diagram, fitted)
            if lock is not None:
                raise _Misfit(f"'{lock}' is locked")
            fitted.write(workspace)
            applied.append(fitted)
            fitting.append(fitted)
    except _Misfit as misfit:
        take_back(applied, workspace)
        drift.back_to(before)
        return str(misfit)
    done.operations.append(replace(one, steps=tuple(fitting)))
    done.indexes.append(index)
    return None


def _drops_a_route(step: Step) -> bool:
    """Whether it only follows from another step's move; a lock at the edge's other end does not forbid that."""
    return isinstance(step, SetEdge) and step.fields.keys() == {"route"} and step.fields["route"][1] is None


def _fitted(workspace: Workspace, step: Step) -> Step:
    """The step as it fits the workspace now."""
    step = _where_it_stands(workspace, step)
    reason = step.misfit(workspace)
    if reason is not None:
        raise _Misfit(reason)
    return step


def _where_it_stands(workspace: Workspace, step: Step) -> Step:
    """Something to be taken out, with the place it has now, if nothing else about it has changed."""
    if isinstance(step, RemoveNode):
        now = workspace.diagram.node(step.id)
        if now is not None and now["birth"] == step.birth:
            fields = {name: value for name, value in now.items() if name != "birth"}
            if _without(fields, _PLACE) == _without(step.fields, _PLACE):
                return replace(step, fields=fields)
    if isinstance(step, RemoveEdge):
        edge = workspace.diagram.edge(step.id)
        if edge is not None and edge["birth"] == step.birth:
            fields = {name: value for name, value in edge.items() if name != "birth"}
            if _without(fields, {"route"}) == _without(step.fields, {"route"}):
                return replace(step, fields=fields)
    return step


def _without(fields: object, names: Collection[str]) -> dict[str, object]:
    assert isinstance(fields, dict)
    return {name: value for name, value in fields.items() if name not in names}


_Mark = tuple[ChangeSet, str, tuple[ChangeSet, ...], tuple[tuple[int, int], ...]]


class _Drift:
    """How the text that the operations expect differs from the one that is there, as a ChangeSet between the two.

    `_begin`: the text that the first operation was resolved against; `_since`: the changes from there to the text that
    the next one was resolved against. `_own`: the stretches of that which staged operations wrote, in UTF-16 units.
    """

    def __init__(
        self, workspace: Workspace, staged: Sequence[Staged], later: Sequence[EditText], *, is_needed: bool
    ) -> None:
        self._is_needed = is_needed
        first = next((step for one in staged for step in _texts(one)), None)
        self._since: tuple[ChangeSet, ...] = ()
        self._own: tuple[tuple[int, int], ...] = ()
        self._net, self._begin = of_parts(()), ""
        if first is not None and is_needed:
            self._net, self._begin = net_of(workspace.document.text, first.changes.length, later)

    def mark(self) -> _Mark:
        return self._net, self._begin, self._since, self._own

    def back_to(self, mark: _Mark) -> None:
        self._net, self._begin, self._since, self._own = mark

    def carried(self, step: EditText) -> EditText:
        """The step on the text that is there; both texts are taken to have it from now on.

        Raises:
            _Misfit: somebody changed what it speaks of.
        """
        if self._net.is_empty:
            self._advance(step, of_parts([(step.changes.new_length, None)]))
            return step
        carried = self._moved_along(step)
        self._advance(step, _with_both(self._net, step.changes))
        return carried

    def _moved_along(self, step: EditText) -> EditText:
        parts: list[Part] = []
        deleted: list[str] = []
        at = 0
        for change, old in zip(step.changes.changes(), step.deleted, strict=True):
            span = self._net.map_span(change.start, change.end)
            if span is None or (change.start == change.end and not self._stands(change.start)):
                raise _Misfit("that text has been changed since")
            if span[0] == at and deleted:  # what stood between the two has been deleted by others
                deleted[-1] += old
            else:
                deleted.append(old)
            parts += [(span[0] - at, None), (span[1] - span[0], change.inserted)]
            at = span[1]
        parts.append((self._net.new_length - at, None))
        return EditText(of_parts(parts), tuple(deleted))

    def _stands(self, at: int) -> bool:
        """Whether the line that an insertion follows is still there, at least in part; our own lines do not count."""
        raw = self._expected().encode("utf-16-le")
        end = at
        while end > 0:
            newline = raw.rfind("\n".encode("utf-16-le"), 0, 2 * end)
            while newline >= 0 and newline % 2:
                newline = raw.rfind("\n".encode("utf-16-le"), 0, newline + 1)
            start = newline // 2 + 1 if newline >= 0 else 0
            is_blank = not raw[2 * start : 2 * end].decode("utf-16-le", "replace").strip()
            if not is_blank and not any(begin < end and start < stop for begin, stop in self._own):
                return _survives(self._net, start, end)
            end = start - 1
        return True

    def _expected(self) -> str:
        if self._since:
            self._begin, self._since = one_after_another(self._since).apply(self._begin), ()
        return self._begin

    def pass_over(self, one: Staged) -> None:
        """An operation is left out: its text is expected, but not there."""
        for step in _texts(one) if self._is_needed else ():
            net = step.changes.invert(step.deleted).compose(self._net)
            self._advance(step, net)
            self._net = net.trimmed(net.deleted(self._expected()))

    def _advance(self, step: EditText, net: ChangeSet) -> None:
        moved = [span for begin, end in self._own if (span := _moved(step.changes, begin, end)) is not None]
        new = [(change.new_start, change.new_end) for change in step.changes.changes()]
        self._since, self._own, self._net = (*self._since, step.changes), (*moved, *new), net


def _with_both(net: ChangeSet, made: ChangeSet) -> ChangeSet:
    """What leads from one text to the other when `made`, none of whose stretches `net` touches, is made in both."""
    waiting = list(made.changes())[::-1]
    parts: list[Part] = []
    at = 0
    for length, inserted in net.parts:
        end = at + length
        grown = 0
        # An insertion stands before what others inserted at the same place, as `map_span` has it.
        while waiting and (waiting[-1].end <= end if inserted is None else waiting[-1].end <= at):
            change = waiting.pop()
            size = units(change.inserted) - (change.end - change.start)
            if inserted is None:
                grown += size
            else:
                parts.append((size, None))
        parts.append((length + grown, inserted))
        at = end
    parts += [(units(change.inserted), None) for change in reversed(waiting)]
    return of_parts(parts)


def _moved(changes: ChangeSet, begin: int, end: int) -> tuple[int, int] | None:
    """Where a stretch lies after changes, widened by what reached into it."""
    new_begin, new_end = begin, end
    for change in changes.changes():
        growth = (change.new_end - change.new_start) - (change.end - change.start)
        if change.end <= begin:
            new_begin, new_end = new_begin + growth, new_end + growth
        elif change.start < end:
            new_begin, new_end = min(new_begin, change.new_start), max(new_end + growth, change.new_end)
    return (new_begin, new_end) if new_begin < new_end else None


def _survives(net: ChangeSet, start: int, end: int) -> bool:
    """Whether anything of a stretch is kept."""
    at = 0
    for length, inserted in net.parts:
        if inserted is None and at < end and start < at + length:
            return True
        at += length
    return False
