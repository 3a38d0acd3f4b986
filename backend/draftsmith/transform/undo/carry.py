"""Rebase staged operations onto what others have committed since, by the rules of undo.

An operation fits if nobody has changed the fields and spans of text that it uses. It is carried completely or not at
all, and operations that depend on one that is not carried are not carried either. A new node with the same id counts as
another node, and a text that was deleted and written again as another text. A node that was moved meanwhile, or an edge
that was rerouted, can still be deleted. Routes by hand follow their ends from where they are now.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from draftsmith.model.fields import DRAWN_FIELDS
from draftsmith.model.markdown.sections import Outline
from draftsmith.model.routes import MovingRoutes
from draftsmith.model.workspace import Workspace
from draftsmith.transform.staged_operations import StagedOperation
from draftsmith.transform.steps.changeset import ChangeSet, of_parts, one_after_another, replacing_units
from draftsmith.transform.steps.custom_type import SetType
from draftsmith.transform.steps.edge import InsertEdge, RemoveEdge, SetEdge
from draftsmith.transform.steps.locks import lock_against
from draftsmith.transform.steps.node import InsertNode, RemoveNode, SetNode
from draftsmith.transform.steps.rebase import map_changes
from draftsmith.transform.steps.spans import Span, SpanMap
from draftsmith.transform.steps.steps import Step, other_steps, roll_back, text_steps
from draftsmith.transform.steps.text import ChangeText, net_of
from draftsmith.transform.steps.workspace import Rename
from draftsmith.transform.undo.dependencies import dependencies


@dataclass(frozen=True, slots=True)
class Clash:
    """An operation that no longer fits: its index, and the reason as a sentence."""

    index: int
    why: str


@dataclass(slots=True)
class CarryResult:
    """The operations that fit, applied to the workspace, and the clashes.

    The text is changed once, by all operations together, so that many operations on a long text cost what one does.

    Attributes:
        operations: with the steps as they were applied, oldest first.
        indexes: the index of each among the staged operations.
        clashes: the chosen operations that do not fit.
        text: all changes of the text as one step; None if it does not change.
        text_before: the document without them.
        outline_before: its sections, if cached.
    """

    text_before: str
    outline_before: Outline | None
    operations: list[StagedOperation] = field(default_factory=list)
    indexes: list[int] = field(default_factory=list)
    clashes: list[Clash] = field(default_factory=list)
    text: ChangeText | None = None

    @property
    def steps(self) -> list[Step]:
        """The applied steps, oldest first, all changes of the text joined into one at the end."""
        others = [step for one in self.operations for step in other_steps(one.steps)]
        return others if self.text is None else [*others, self.text]

    def roll_back(self, workspace: Workspace) -> None:
        """Restore the workspace to its state before."""
        for one in reversed(self.operations):
            roll_back(other_steps(one.steps), workspace)
        if self.text is not None:
            workspace.document.text = self.text_before
            if self.outline_before is not None:
                workspace.document.take_outline(self.outline_before)


class _Conflict(Exception):
    """A step does not fit."""


def carry(
    workspace: Workspace,
    staged: Sequence[StagedOperation],
    later: Sequence[ChangeText],
    chosen: Collection[int] | None = None,
) -> CarryResult:
    """Apply the staged operations that fit; changes the workspace.

    Args:
        workspace: at the head; changed in place.
        staged: in order, resolved against the base.
        later: the text steps of all commits between the base and the head, oldest first; may be empty if no chosen
            operation changes the text.
        chosen: indexes of those to carry; all if None.
    """
    done = CarryResult(workspace.document.text, workspace.document.known_outline)
    missing = set() if chosen is None else set(range(len(staged))) - set(chosen)
    wanted = [one for index, one in enumerate(staged) if index not in missing]
    rebase = _TextRebase(workspace, staged, later, is_needed=any(text_steps(one.steps) for one in wanted))
    needs = None
    for index, one in enumerate(staged):
        if index in missing:
            rebase.pass_over(one)
            continue
        if missing and needs is None:
            needs = dependencies(staged)
        cause = next((other for other in sorted(needs[index]) if other in missing), None) if needs is not None else None
        reason = None if cause is None else f"it builds on “{staged[cause].what or staged[cause].op}”"
        if reason is None:
            reason = _carry_one(workspace, one, rebase, done, index)
        if reason is not None:
            missing.add(index)
            done.clashes.append(Clash(index, reason))
            rebase.pass_over(one)
    _write_text(workspace, done)
    return done


def _write_text(workspace: Workspace, result: CarryResult) -> None:
    """Apply the text changes of all operations as one, without those that cancel out."""
    texts = [step for one in result.operations for step in text_steps(one.steps)]
    if len(texts) > 1:
        net = one_after_another([step.changes for step in texts])
        net = net.trim(net.deleted_texts(result.text_before))
        texts = [] if net.is_empty else [ChangeText(net, tuple(net.deleted_texts(result.text_before)))]
    if texts:
        texts[0].write(workspace)
        result.text = texts[0]


def _carry_one(
    workspace: Workspace, one: StagedOperation, rebase: _TextRebase, result: CarryResult, index: int
) -> str | None:
    """Apply one operation completely or not at all; return the reason if it does not fit."""
    before = rebase.mark()
    fitting: list[Step] = []
    applied: list[Step] = []
    moving, diagram = MovingRoutes(), workspace.diagram
    try:
        for step in one.steps:
            if isinstance(step, ChangeText):
                fitting.append(rebase.map_step(step))
                continue
            if step.routed_edge in moving and step.pairs.keys() == {"route"}:
                continue  # it follows its ends anew below
            fitted = _adapt(workspace, step)
            # A lock on an edge's other end does not prevent a move from dropping the edge's route.
            lock = None if fitted.only_drops_route else lock_against(workspace.diagram, fitted)
            if lock is not None:
                raise _Conflict(f"'{lock}' is locked")
            given_up = fitted.ends_given_up()
            if fitted.moved_node is not None:
                moving.note_node(diagram, fitted.moved_node)
            elif given_up is not None:
                moving.note_edge(diagram, given_up[0])
            fitted.write(workspace)
            applied.append(fitted)
            fitting.append(fitted)
        for kept in _kept_routes(workspace, moving):
            kept.write(workspace)  # after which nothing conflicts
            fitting.append(kept)
    except _Conflict as conflict:
        roll_back(applied, workspace)
        rebase.back_to(before)
        return str(conflict)
    result.operations.append(replace(one, steps=tuple(fitting)))
    result.indexes.append(index)
    return None


def _kept_routes(workspace: Workspace, moving: MovingRoutes) -> list[SetEdge]:
    """Steps that let routes by hand follow their ends."""
    diagram, found = workspace.diagram, list[SetEdge]()
    for edge_id, route in moving.take(diagram):
        edge = diagram.edge(edge_id) or {}
        if edge["route"] != route:
            found.append(SetEdge(edge_id, edge["birth"], {"route": (edge["route"], route)}))
    return found


def _adapt(workspace: Workspace, step: Step) -> Step:
    """The step, adapted to the current workspace."""
    step = _where_it_stands(workspace, step)
    reason = step.conflict(workspace)
    if reason is not None:
        raise _Conflict(reason)
    return step


def _where_it_stands(workspace: Workspace, step: Step) -> Step:
    """A removal with the current position or route of its node or edge, if nothing else about that has changed."""
    match step:
        case RemoveNode():
            node = step.as_it_is_now(workspace)
            return node if _is_same_elsewhere(step.fields, node.fields) else step
        case RemoveEdge():
            edge = step.as_it_is_now(workspace)
            has_ends = (edge.source, edge.target) == (step.source, step.target)
            return edge if has_ends and _is_same_elsewhere(step.fields, edge.fields) else step
        case InsertNode() | SetNode() | InsertEdge() | SetEdge() | ChangeText() | Rename() | SetType():
            return step
        case _:
            assert_never(step)


def _is_same_elsewhere(one: Mapping[str, object], other: Mapping[str, object]) -> bool:
    """Whether two nodes or edges differ at most in position or route."""
    return all(one.get(name) == other.get(name) for name in one.keys() | other.keys() if name not in DRAWN_FIELDS)


_Mark = tuple[ChangeSet, str, tuple[ChangeSet, ...], tuple[Span, ...]]


class _TextRebase:
    """The difference between the text that the operations expect and the current text, as a ChangeSet.

    `_begin`: the text that the first operation was resolved against; `_since`: the changes from there to the text that
    the next one was resolved against. `_own`: the spans of the latter that staged operations wrote, in UTF-16 units.
    """

    def __init__(
        self, workspace: Workspace, staged: Sequence[StagedOperation], later: Sequence[ChangeText], *, is_needed: bool
    ) -> None:
        self._is_needed = is_needed
        first = next((step for one in staged for step in text_steps(one.steps)), None)
        self._since: tuple[ChangeSet, ...] = ()
        self._own: tuple[Span, ...] = ()
        self._net, self._begin = of_parts(()), ""
        if first is not None and is_needed:
            self._net, self._begin = net_of(workspace.document.text, first.changes.length, later)

    def mark(self) -> _Mark:
        return self._net, self._begin, self._since, self._own

    def back_to(self, mark: _Mark) -> None:
        self._net, self._begin, self._since, self._own = mark

    def map_step(self, step: ChangeText) -> ChangeText:
        """Map the step to the current text; it then counts as applied to both texts.

        Raises:
            _Conflict: somebody changed the text that it changes.
        """
        if self._net.is_empty:
            self._note_applied(step, of_parts([(step.changes.new_length, None)]))
            return step
        carried = self._moved_along(step)
        self._note_applied(step, map_changes(self._net, step.changes))
        return carried

    def _moved_along(self, step: ChangeText) -> ChangeText:
        spans: list[tuple[int, int, str]] = []
        deleted: list[str] = []
        now = SpanMap(self._net.changes())
        for change, old in zip(step.changes.changes(), step.deleted, strict=True):
            span = now.exact(change.start, change.end)
            if span is None or (change.start == change.end and not self._stands(change.start)):
                raise _Conflict("that text has been changed since")
            if deleted and span[0] == spans[-1][1]:  # others have deleted the text between the two
                deleted[-1] += old
            else:
                deleted.append(old)
            spans.append((*span, change.inserted))
        return ChangeText(replacing_units(self._net.new_length, spans), tuple(deleted))

    def _stands(self, at: int) -> bool:
        """Whether part of the line before an insertion still exists; lines of staged operations do not count."""
        raw = self._expected_text().encode("utf-16-le")
        end = at
        while end > 0:
            newline = raw.rfind("\n".encode("utf-16-le"), 0, 2 * end)
            while newline >= 0 and newline % 2:
                newline = raw.rfind("\n".encode("utf-16-le"), 0, newline + 1)
            start = newline // 2 + 1 if newline >= 0 else 0
            is_blank = not raw[2 * start : 2 * end].decode("utf-16-le", "replace").strip()
            if not is_blank and not any(begin < end and start < stop for begin, stop in self._own):
                return not SpanMap(self._net.changes()).is_deleted(start, end)
            end = start - 1
        return True

    def _expected_text(self) -> str:
        if self._since:
            self._begin, self._since = one_after_another(self._since).apply(self._begin), ()
        return self._begin

    def pass_over(self, one: StagedOperation) -> None:
        """Leave an operation out: later ones expect its text, but the current text lacks it."""
        for step in text_steps(one.steps) if self._is_needed else ():
            net = step.changes.invert(step.deleted).compose(self._net)
            self._note_applied(step, net)
            self._net = net.trim(net.deleted_texts(self._expected_text()))

    def _note_applied(self, step: ChangeText, net: ChangeSet) -> None:
        """Note that a step is applied: the spans that carried operations wrote, and the changes that others made."""
        now = SpanMap(step.changes.changes())
        moved = [span for begin, end in self._own if (span := now.map_widening(begin, end)) and span[0] < span[1]]
        new = [(change.new_start, change.new_end) for change in step.changes.changes()]
        self._since, self._own, self._net = (*self._since, step.changes), (*moved, *new), net
