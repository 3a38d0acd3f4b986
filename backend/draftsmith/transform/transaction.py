"""A transaction: runs a batch. Steps are applied in place as they are made, and rolled back by their inverses.

Cost is O(what the batch touches); nothing is copied. The same path serves a dry run, a commit and a run of the
assistant. Each operation has a savepoint: one that does not fit is rolled back and recorded, and the rest is tried,
so that all problems are reported at once. A problem caused by an earlier failure names it (`caused_by`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final, NamedTuple, Protocol

from draftsmith.errors import Problem
from draftsmith.model.document import from_units_in_order, units
from draftsmith.model.ids import EdgeId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.markdown.sections import Outline
from draftsmith.model.markdown.segments import Segment
from draftsmith.model.routes import MovingRoutes
from draftsmith.model.work import TooCostly, Work
from draftsmith.model.workspace import Workspace
from draftsmith.transform import costs
from draftsmith.transform.placing import LayoutAnswers, PendingPlacement
from draftsmith.transform.refusal import OperationRefused
from draftsmith.transform.results import Result
from draftsmith.transform.steps.cancelling_steps import leave_out_cancelled
from draftsmith.transform.steps.changeset import Change, ChangeSet, of_parts, replacing
from draftsmith.transform.steps.spans import SpanMap
from draftsmith.transform.steps.steps import (
    Step,
    StepConflict,
    apply,
    join_text_steps,
    other_steps,
    roll_back,
    text_steps,
)
from draftsmith.transform.steps.text import ChangeText, TextHistory
from draftsmith.transform.steps.written_spans import WrittenPlaces, WrittenSpan

_START: Final = 0


@dataclass(frozen=True, slots=True)
class KnownAnchors:
    """What a batch did to addresses of headings.

    Attributes:
        now: for addresses that were written anew in links, what they were when the batch began, and what they are.
        gone: addresses that links have and whose headings are gone.
    """

    now: Mapping[str, str] = field(default_factory=dict)
    gone: frozenset[str] = frozenset()


@dataclass(slots=True)
class PaidSegments:
    """Text segments whose links have been read, by identity; reading one is charged once.

    Attributes:
        looked_at: looked through for addresses in links.
        named: their headings' addresses made.
        links: their links read.
    """

    looked_at: dict[int, Segment] = field(default_factory=dict)
    named: dict[int, Segment] = field(default_factory=dict)
    links: dict[int, Segment] = field(default_factory=dict)


class Causes(Protocol):
    """Says which earlier operation is the cause of a refusal; a transaction keeps the steps that show it."""

    def has_not_made(self, element_id: str, index: int) -> None:
        """An operation that was refused would have created this: an id, a label, or the title of a section."""

    def cause_of(
        self, refusal: OperationRefused, fitting: Callable[[], Sequence[tuple[int, Sequence[Step]]]], text: str
    ) -> tuple[int | None, str]:
        """The index of the operation that is the cause of a refusal, if any, and the message that says so."""


class Savepoint(NamedTuple):
    """How far a transaction had come before an operation: counts of steps and so on, and the document."""

    steps: int
    own_spans: list[WrittenSpan]
    followed: list[WrittenSpan]
    anchors: KnownAnchors
    warnings: int
    text: str
    outline: Outline | None


class Transaction:
    """Steps applied to a workspace, in order, with savepoints.

    Attributes:
        workspace: changed in place.
        revision: the revision it will become; births of what it makes.
        by_person: whether a person (and not the assistant) is behind it.
        warnings: what operations did otherwise than they were asked to, and why.
        fitted: of a batch that was refused, the steps of the operations that fitted.
        text_before: the document when it began.
        ends: for each operation that fits, how many steps there were after it; until `finish` joins some.
        since: by base revision, the changes of the text from there to the start of this transaction; a missing
            revision is the one that this transaction starts from.
        past: how the text came to be what it is, with the changes of this transaction.
        work: what it may cost.
        searches: what its searches have read.
        by_id: whether operations name nodes by their ids alone.
        names: names of nodes that are no ids, as operations that fit have used them.
        new: the nodes that wait for a place.
        layouts: what a layout engine is asked and has answered; None without one.
        followed: addresses of links that were written anew since their headings have others, as spans of the text.
        anchors: what happened to addresses of headings.
        paid: the segments that have been spent on for links.
        moving: routes by hand whose ends this operation moves.
        kept_routes: edges whose route by hand has followed an end → index of the last operation that moved it.
    """

    def __init__(
        self,
        workspace: Workspace,
        revision: int,
        limits: WorkspaceLimits,
        *,
        work: Work,
        new: PendingPlacement,
        causes: Causes,
        by_person: bool = True,
        since: dict[int, ChangeSet] | None = None,
        past: TextHistory | None = None,
        layouts: LayoutAnswers | None = None,
        by_id: bool = False,
    ) -> None:
        self.layouts, self.by_id = layouts, by_id
        self.work, self.new, self._causes = work, new, causes
        self.searches = costs.Searches(work)
        self.names: set[str] = set()
        self.workspace, self.revision, self.limits, self.by_person = workspace, revision, limits, by_person
        self.since = since or {}
        self._past = past or TextHistory()
        self.steps: list[Step] = []
        self.results: list[Result] = []
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []
        self.own_spans: list[WrittenSpan] = []
        self.followed: list[WrittenSpan] = []
        self.anchors = KnownAnchors()
        self.paid = PaidSegments()
        self.moving = MovingRoutes()
        self.kept_routes: dict[EdgeId, int] = {}
        self.result = Result(0, "")
        self.ends: list[int] = []
        self.fitted: list[Step] = []
        self._nets: dict[int, tuple[int, ChangeSet]] = {}  # by base revision: own changes so far, and the net
        self._prefix = ""
        self.text_before = workspace.document.text
        self._after: tuple[str, Outline | None] = workspace.document.text, None
        self.outline_before: Outline | None = None

    # -- steps -------------------------------------------------------------------------------------------------------

    def do(self, step: Step) -> None:
        """Apply a step and remember it.

        Raises:
            OperationRefused: `stale_base`, if it does not fit; resolvers check before, so this is rare.
        """
        self.work.spend(costs.STEP, costs.STEPS)
        try:
            apply(step, self.workspace)
        except StepConflict as conflict:
            raise OperationRefused("stale_base", "", f"It does not fit: {conflict.reason}.") from conflict
        self.steps.append(step)

    def change_text(
        self,
        spans: Sequence[tuple[int, int, str]],
        *,
        created: bool = False,
        is_paid: bool = False,
        follows: bool = False,
    ) -> None:
        """Replace spans of the document, in code points and in order, and remember what this batch wrote.

        `is_paid`: their number has been spent on; `follows`: they are addresses of links, which nobody asked to change.

        Raises:
            OperationRefused: `limit_document`; looked at before anything is made.
        """
        document = self.workspace.document
        text = document.text
        size = len(text) + sum(len(new) - (end - start) for start, end, new in spans)
        self.check_length(size)
        if spans:
            self.work.spend(0 if is_paid else costs.CHANGE * len(spans), costs.EDITS)
            self._charge_text_edit(spans)
        changes = replacing(text, spans)
        if changes.is_empty:
            return
        if text is self.text_before:
            self.outline_before = document.outline
        step = ChangeText(changes, tuple(changes.deleted_texts(text)))
        step.write(self.workspace)
        self.steps.append(step)
        self._note_own_spans(text, changes, created, follows)

    def check_length(self, size: int) -> None:
        """Refuse a document of that length, `limit_document`, if it is too long and longer than it is."""
        limit = self.limits.document_chars
        if size > limit and size > len(self.workspace.document.text):
            raise OperationRefused(
                "limit_document", "", f"The document may hold {limit:,} characters; this makes it longer."
            )

    def _charge_text_edit(self, spans: Sequence[tuple[int, int, str]]) -> None:
        """Charge the work of writing the document anew and of reading the headings in some spans."""
        document = self.workspace.document
        self.work.spend(costs.writing(document.text) + costs.WRITTEN * len(self.own_spans), costs.EDITS)
        self.work.spend(costs.reading_again(document.outline, spans), costs.HEADINGS)

    def _note_own_spans(self, text: str, changes: ChangeSet, created: bool, follows: bool) -> None:
        """Move the spans that this batch wrote over some changes, and add the spans of these."""
        spans = list(in_code_points(text, changes))
        now, places = SpanMap(spans), WrittenPlaces(self.own_spans)
        new = [WrittenSpan(one.new_start, one.new_end, created or places.are_created_at(one.start)) for one in spans]
        self.own_spans = _move_spans(self.own_spans, now) + ([] if follows else new)
        self.followed = _move_spans(self.followed, now) + (new if follows else [])

    def changes_since(self, revision: int) -> ChangeSet:
        """All changes of the text from a revision to now, those of this batch included."""
        own = text_steps(self.steps)
        count, net = self._nets.get(revision, (0, self.since.get(revision)))
        self.work.spend(costs.CHANGE * (len(own) - count) + (0 if net is None else 10 * len(net.parts)), costs.EDITS)
        for step in own[count:]:
            net = step.changes if net is None else net.compose(step.changes)
        if net is None:
            return of_parts([(units(self.workspace.document.text), None)])
        self._nets[revision] = len(own), net
        return net

    @property
    def past(self) -> TextHistory:
        """See the class."""
        return TextHistory([*reversed(text_steps(self.steps)), *self._past.pending], self._past.kept_changes)

    def roll_back(self) -> None:
        """Undo all steps, newest first."""
        self._back_to(_START, self.text_before, self.outline_before)

    def _back_to(self, count: int, text: str, outline: Outline | None) -> None:
        """Undo all steps but the first `count`. The text is put back as a whole, however often it was changed."""
        roll_back(other_steps(self.steps[count:]), self.workspace)
        del self.steps[count:]
        self._put_text(text, outline)
        self._nets.clear()

    def suspend(self) -> None:
        """Take everything back for a while; `resume` goes on from here."""
        document = self.workspace.document
        self._after = document.text, document.known_outline
        roll_back(other_steps(self.steps), self.workspace)
        self._put_text(self.text_before, self.outline_before)

    def resume(self) -> None:
        """Apply everything again, to the state that there was before it."""
        for step in other_steps(self.steps):
            step.write(self.workspace)
        self._put_text(*self._after)

    def _put_text(self, text: str, outline: Outline | None) -> None:
        document = self.workspace.document
        if document.text is not text:
            document.text = text
            if outline is not None:
                document.take_outline(outline)

    def finish(self) -> list[Step]:
        """The steps to log: all changes of the text joined into one, at the end; nothing that cancels out."""
        self.steps = leave_out_cancelled(self.workspace, self.steps, join_text_steps(self.steps, self.text_before))
        return self.steps

    def spend_on_answer(self) -> None:
        """Spend on joining the steps, the diff, places, sentences and lint, before any of it is made."""
        texts = text_steps(self.steps)
        if texts:
            whole = costs.writing(self.text_before) + costs.writing(self.workspace.document.text)
            self.work.spend(whole, costs.EDITS)
            self.work.spend(costs.linting(self.workspace.document), costs.HEADINGS)

    # -- operations --------------------------------------------------------------------------------------------------

    def begin(self, index: int, op: str, prefix: str) -> Savepoint:
        """Start an operation; the savepoint to go back to. `prefix`: JSON Pointer of the operations."""
        self.result = Result(index, op)
        self._prefix = prefix
        document = self.workspace.document
        text, outline = document.text, document.known_outline
        return Savepoint(
            len(self.steps), self.own_spans, self.followed, self.anchors, len(self.warnings), text, outline
        )

    def warn(
        self, code: str, path: str, message: str, candidates: Sequence[str] = (), index: int | None = None
    ) -> None:
        """Tell what an operation (this one, or that of an index) does otherwise or more than asked; `path` is in it."""
        result = self.result if index is None else self.results[index]
        pointer = f"{self._prefix}/{result.index}{path}"
        self.warnings.append(Problem(result.index, result.op, code, pointer, message, tuple(candidates)))

    def keep(self) -> None:
        """The operation fits: keep its result."""
        self.results.append(self.result)
        self.ends.append(len(self.steps))

    def refuse(self, savepoint: Savepoint, refusal: OperationRefused, would_make: Sequence[str]) -> None:
        """Roll back an operation that does not fit; record why, and the ids and labels it would have created."""
        self._leave(savepoint)
        for one in (refusal, *refusal.more):
            self._record(one)
        for made in would_make:
            if made and made not in self.workspace.diagram:
                self._causes.has_not_made(made, self.result.index)

    def _record(self, refusal: OperationRefused) -> None:
        index = self.result.index
        cause, message = self._causes.cause_of(refusal, self._fitting_operations, self.workspace.document.text)
        path = f"{self._prefix}/{index}{refusal.path}"
        problem = Problem(index, self.result.op, refusal.code, path, message, refusal.candidates, cause)
        self.problems.append(replace(problem, about=refusal.about))

    def refuse_as_too_costly(self, savepoint: Savepoint, error: TooCostly) -> None:
        """Roll back the operation at which the budget was used up, and record the problem."""
        self._leave(savepoint)
        index = self.result.index
        self.problems.append(costs.too_costly(error, index, self.result.op, f"{self._prefix}/{index}"))

    def _leave(self, savepoint: Savepoint) -> None:
        outline = savepoint.outline
        if outline is None and savepoint.text is self.text_before:
            outline = self.outline_before
        self._back_to(savepoint.steps, savepoint.text, outline)
        self.own_spans, self.followed, self.anchors = savepoint.own_spans, savepoint.followed, savepoint.anchors
        del self.warnings[savepoint.warnings :]
        self.moving = MovingRoutes()

    def _fitting_operations(self) -> list[tuple[int, Sequence[Step]]]:
        """The operations that fitted so far, with their steps."""
        ends = [0, *self.ends]
        return [
            (result.index, self.steps[start:end])
            for result, (start, end) in zip(self.results, pairwise(ends), strict=True)
        ]


def _move_spans(own_spans: Sequence[WrittenSpan], now: SpanMap) -> list[WrittenSpan]:
    spans = ((now.map_clipping(one.start, one.end), one.created) for one in own_spans)
    return [WrittenSpan(*span, created) for span, created in spans if span is not None]


def in_code_points(text: str, changes: ChangeSet) -> Iterator[Change]:
    """The changes with positions in code points instead of UTF-16 units."""
    point = from_units_in_order(text)
    shift = 0
    for change in changes.changes():
        start, end = point(change.start), point(change.end)
        new_start = start + shift
        yield Change(start, end, new_start, new_start + len(change.inserted), change.inserted)
        shift += len(change.inserted) - (end - start)
