"""A transaction: runs a batch. Steps are applied in place as they are made, and rolled back by their inverses.

Cost is O(what the batch touches); nothing is copied. The same path serves a dry run, a commit and a run of the
assistant. Each operation has a savepoint: one that does not fit is rolled back and recorded, and the rest is tried,
so that all problems are reported at once. A problem caused by an earlier failure names it (`caused_by`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from draftsmith.errors import EdgesBetween, Existence, Problem, SectionPath, Subject
from draftsmith.model.document import from_units_in_order, units
from draftsmith.model.ids import NodeId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.sections import Outline
from draftsmith.model.work import Work
from draftsmith.model.workspace import Workspace
from draftsmith.transform.cancelled import leave_out_cancelled
from draftsmith.transform.changeset import Change, ChangeSet, of_parts
from draftsmith.transform.earlier import taken_by
from draftsmith.transform.refusal import Refused, Written
from draftsmith.transform.repeated import Past
from draftsmith.transform.section_ladder import parse_path
from draftsmith.transform.shapes import MatchOut, ResultOut
from draftsmith.transform.spans import SpanMap
from draftsmith.transform.steps import Step, StepConflict, apply, joined, roll_back, text_steps
from draftsmith.transform.steps_text import edit_of

_NOT_FOUND = ("node_not_found", "edge_not_found", "section_not_found")
Savepoint = tuple[int, list[Written], int, int]  # steps, written spans, nodes without a place, warnings


@dataclass(slots=True)
class Result:
    """What one operation did."""

    index: int
    op: str
    ids: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    match: MatchOut | None = None

    def to_json(self) -> ResultOut:
        """`{index, op, ids, removed?, match?}`."""
        shape: ResultOut = {"index": self.index, "op": self.op, "ids": self.ids}
        if self.removed:
            shape["removed"] = self.removed
        if self.match is not None:
            shape["match"] = self.match
        return shape


class Transaction:
    """Steps applied to a workspace, in order, with savepoints.

    Attributes:
        workspace: changed in place.
        revision: the revision it will become; births of what it makes.
        by_person: whether a person (and not the assistant) is behind it.
        warnings: what operations did otherwise than they were asked to, and why.
        ends: for each operation that fits, how many steps there were after it; until `finish` joins some.
        since: by base revision, the changes of the text from there to the start of this transaction; a missing
            revision is the one that this transaction starts from.
        past: how the text came to be what it is, with the changes of this transaction.
        work: what it may cost.
    """

    def __init__(
        self,
        workspace: Workspace,
        revision: int,
        limits: WorkspaceLimits,
        *,
        by_person: bool = True,
        since: dict[int, ChangeSet] | None = None,
        past: Past | None = None,
        work: Work | None = None,
    ) -> None:
        self.work = work or Work()
        self.workspace, self.revision, self.limits, self.by_person = workspace, revision, limits, by_person
        self.since = since or {}
        self._past = past or Past()
        self.steps: list[Step] = []
        self.results: list[Result] = []
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []
        self.written: list[Written] = []
        self.neighbours: dict[NodeId, list[NodeId]] = {}
        self.unplaced: list[NodeId] = []
        self.result = Result(0, "")
        self.ends: list[int] = []
        self._lost: dict[str, int] = {}
        self._prefix = ""
        self._text_before = workspace.document.text
        self.outline_before: Outline | None = None

    # -- steps -------------------------------------------------------------------------------------------------------

    def do(self, step: Step) -> None:
        """Apply a step and remember it.

        Raises:
            Refused: `stale_base`, if it does not fit; resolvers check before, so this is rare.
        """
        try:
            apply(step, self.workspace)
        except StepConflict as conflict:
            raise Refused("stale_base", "", f"It does not fit: {conflict.reason}.") from conflict
        self.steps.append(step)

    def change_text(self, changes: ChangeSet, *, created: bool = False) -> None:
        """Change the document and remember which spans this batch wrote."""
        if changes.is_empty:
            return
        text = self.workspace.document.text
        if text is self._text_before:
            self.outline_before = self.workspace.document.known_outline
        step = edit_of(text, changes)
        size = len(text) + sum(map(len, step.inverse().deleted)) - sum(map(len, step.deleted))
        if size > self.limits.document_chars and size > len(text):
            limit = self.limits.document_chars
            raise Refused("limit_document", "", f"The document may hold {limit:,} characters; this makes it longer.")
        self.do(step)
        self._remember_written(text, changes, created)

    def _remember_written(self, text: str, changes: ChangeSet, created: bool) -> None:
        spans = list(_in_code_points(text, changes))
        now = SpanMap(spans)
        kept = [
            Written(*span, known.created)
            for known in self.written
            if (span := now.clipped(known.start, known.end)) is not None
        ]
        new = [Written(span.new_start, span.new_end, created or self._is_created(span.start)) for span in spans]
        self.written = kept + new

    def changes_since(self, revision: int) -> ChangeSet:
        """All changes of the text from a revision to now, those of this batch included."""
        net = self.since.get(revision)
        for step in text_steps(self.steps):
            net = step.changes if net is None else net.compose(step.changes)
        return net if net is not None else of_parts([(units(self.workspace.document.text), None)])

    @property
    def past(self) -> Past:
        """See the class."""
        return Past([*reversed(text_steps(self.steps)), *self._past.pending], self._past.kept)

    def _is_created(self, offset: int) -> bool:
        return any(known.created and known.start <= offset <= known.end for known in self.written)

    def roll_back(self, to: int = 0) -> None:
        """Undo all steps but the first `to`, newest first."""
        roll_back(self.steps[to:], self.workspace)
        del self.steps[to:]

    def finish(self) -> list[Step]:
        """The steps to log: all changes of the text joined into one, at the end; nothing that cancels out."""
        self.steps = leave_out_cancelled(self.workspace, self.steps, joined(self.steps, self._text_before))
        return self.steps

    # -- operations --------------------------------------------------------------------------------------------------

    def begin(self, index: int, op: str, prefix: str) -> Savepoint:
        """Start an operation; the savepoint to go back to. `prefix`: JSON Pointer of the operations."""
        self.result = Result(index, op)
        self._prefix = prefix
        return len(self.steps), self.written, len(self.unplaced), len(self.warnings)

    def warn(self, code: str, path: str, message: str) -> None:
        """Tell the caller what the operation does otherwise than asked; `path` is relative to the operation."""
        index, op = self.result.index, self.result.op
        self.warnings.append(Problem(index, op, code, f"{self._prefix}/{index}{path}", message))

    def keep(self) -> None:
        """The operation fits: keep its result."""
        self.results.append(self.result)
        self.ends.append(len(self.steps))

    def refuse(self, savepoint: Savepoint, refusal: Refused, would_make: Sequence[str]) -> None:
        """Roll back an operation that does not fit; record the problem and the ids it would have created."""
        self.roll_back(savepoint[0])
        self.written = savepoint[1]
        del self.unplaced[savepoint[2] :]
        del self.warnings[savepoint[3] :]
        index = self.result.index
        cause, message = self._cause_of(refusal), refusal.message
        if cause is None and refusal.code in (*_NOT_FOUND, "find_not_found"):
            taken = taken_by(refusal, self._done(), self.workspace.document.text)
            if taken is not None:
                cause, what = taken
                message = f"{message} operations[{cause}] of this batch {what} it."
        path = f"{self._prefix}/{index}{refusal.path}"
        problem = Problem(index, self.result.op, refusal.code, path, message, refusal.candidates, cause)
        self.problems.append(replace(problem, about=refusal.about))
        for made in would_make:
            if made and made not in self.workspace.diagram:
                self._lost.setdefault(made, index)

    def _done(self) -> list[tuple[int, Sequence[Step]]]:
        """The operations that fitted so far, with their steps."""
        ends = [0, *self.ends]
        return [
            (result.index, self.steps[start:end])
            for result, (start, end) in zip(self.results, pairwise(ends), strict=True)
        ]

    def _cause_of(self, refusal: Refused) -> int | None:
        """The index of the earlier operation that would have created what this one does not find."""
        if refusal.code not in _NOT_FOUND:
            return None
        keys = (_key_of(subject) for subject in refusal.about)
        return next((self._lost[key] for key in keys if key in self._lost), None)


def _key_of(subject: Subject) -> str:
    """The key of a subject among the things a refused operation would have created; empty if it cannot be one."""
    match subject:
        case Existence():
            return subject.id
        case EdgesBetween():
            return f"{subject.source}--{subject.target}"
        case SectionPath():
            segments = parse_path(subject.path)
            return f"# {segments[-1].title}" if segments else ""
        case _:
            return ""


def _in_code_points(text: str, changes: ChangeSet) -> Iterator[Change]:
    """The changes with positions in code points instead of UTF-16 units."""
    point = from_units_in_order(text)
    shift = 0
    for change in changes.changes():
        start, end = point(change.start), point(change.end)
        new_start = start + shift
        yield Change(start, end, new_start, new_start + len(change.inserted), change.inserted)
        shift += len(change.inserted) - (end - start)
