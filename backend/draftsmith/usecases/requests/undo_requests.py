"""Undo, redo, revert and restore, as requests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Entry, Kind
from draftsmith.history.diff import diff_of, is_nothing, places_of
from draftsmith.history.record import Record, changes_text, decode_record
from draftsmith.history.replica import Replica
from draftsmith.history.sentences import sentence_of
from draftsmith.history.undo_stacks import StackItem
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.work import NeedsMore, Work
from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps.applied_steps import AppliedSteps
from draftsmith.transform.steps.steps import Step, roll_back, text_step_of
from draftsmith.transform.undo.compensate import Compensation, compensate
from draftsmith.transform.undo.restore import restore
from draftsmith.transform.undo.retract import Retraction, retraction
from draftsmith.usecases.replicas.log_reader import LogReader
from draftsmith.usecases.requests.costs import (
    BODY_BYTES,
    CHARACTERS,
    COMMITS,
    ELEMENTS,
    element_count,
    has_long_text,
    is_large_change,
)
from draftsmith.usecases.requests.request import PreparedTransaction, Request, warnings_of
from draftsmith.usecases.requests.size_limits import check_limits, sizes_of
from draftsmith.usecases.requests.text_history import commits_since, typing_retraction
from draftsmith.usecases.requests.typing_runs import newest_run


@dataclass(frozen=True, slots=True)
class Undoable:
    """The commit to take back, and what is needed for it.

    Attributes:
        entry: the commit.
        text: what takes its text, or the range of typed text, back; None if it did not change the text.
        upto: where a range of typed text ends; None for one commit.
    """

    entry: Entry
    text: Retraction | None = None
    upto: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoRequest(Request[Undoable | None]):
    """Undo, redo or revert: apply the inverse of an earlier commit, as far as it still fits.

    Attributes:
        action: which of the three.
        everyone: undo the newest commit of anyone instead of one's own.
        of_document: undo or redo the newest of one's own that changed the document; newer others stay.
        of_typing: undo one's own newest run of typing (`typing_runs`), which is on no stack.
        expect: revision that the caller believes comes next; 409 `undo_moved` if it does not.
        target: for a revert, the commit to take back.
        upto: for a revert of typed text: everything that the same person typed from `target` up to here.
        force: overwrite fields that were changed since; text that was changed since stays in any case.
        limits: how large the workspace may become.
    """

    action: Kind
    limits: WorkspaceLimits = field(default_factory=WorkspaceLimits)
    everyone: bool = False
    of_document: bool = False
    of_typing: bool = False
    expect: int | None = None
    target: int | None = None
    upto: int | None = None
    force: bool = False

    def is_heavy(self, replica: Replica) -> bool:
        """Where the sections of a long document are not known; a large commit is seen when it was read."""
        return has_long_text(replica.workspace)

    async def fetch(self, replica: Replica, log: LogReader) -> Undoable | None:
        """Find the commit to take back and, if it changed the text, what changed the text since; None if there is none.

        A day of typing is tens of thousands of commits, so it takes long where more than a few matter.

        Raises:
            DraftsmithError: `undo_moved`; `not_revertable` or `invalid_request` for a range; as `LogReader.entry`.
        """
        if self.of_typing:
            run = await newest_run(replica, log, self.actor.id)
            self._check_expected(None if run is None else run.last.revision, replica)
            return None if run is None else Undoable(run.first, run.retraction, run.last.revision)
        revision = await self._choose(replica, log)
        if revision is None:
            return None
        entry = await log.entry(revision)
        if self.upto is not None:
            return Undoable(entry, await self._range(entry, self.upto, log), self.upto)
        if changes_text(entry.body):
            commits, since = await commits_since(entry, log)
            return Undoable(entry, retraction(commits, revision, since))
        return Undoable(entry)

    async def _range(self, entry: Entry, upto: int, log: LogReader) -> Retraction:
        """Find what takes a range of typed text back.

        Raises:
            DraftsmithError: `invalid_request` for a range that ends before it begins, `revision_unknown` for one that
                ends above the head, `not_revertable` if it does not begin with typed text.
        """
        if upto < entry.revision:
            raise DraftsmithError("invalid_request", f"A range from {entry.revision} does not end at {upto}.")
        await log.entry(upto)
        if entry.kind != "text":
            message = f"Revision {entry.revision} is not typed text; only what was typed is taken back as a range."
            raise DraftsmithError("not_revertable", message)
        return await typing_retraction(entry, upto, log)

    async def _choose(self, replica: Replica, log: LogReader) -> int | None:
        if self.action == "revert":
            return self.target
        stacks = replica.stacks
        own = tuple((stacks.redo if self.action == "redo" else stacks.undo).get(self.scope, ()))
        if self.everyone:
            item = stacks.top_of_all()
        elif self.of_document:
            item = await newest_of_document(own, log)
        else:
            item = own[-1] if own else None
        revision = None if item is None else item.revision
        self._check_expected(revision, replica)
        return revision

    def _check_expected(self, revision: int | None, replica: Replica) -> None:
        """Refuse if something else comes next than what the caller believes.

        Raises:
            DraftsmithError: `undo_moved`.
        """
        if self.expect is not None and revision != self.expect:
            message = f"What {self.action} would take back has changed; it is now {revision or 'nothing'}."
            extra = {"expected": self.expect, "next": revision, "revision": replica.head.revision}
            raise DraftsmithError("undo_moved", message, extra=extra)

    def prepare(
        self,
        replica: Replica,
        evidence: Undoable | None,
        ahead: Sequence[PreparedTransaction] = (),
        work: Work | None = None,
    ) -> PreparedTransaction:
        """Apply what still fits of the inverse.

        Raises:
            DraftsmithError: `not_revertable`; `limit_nodes`, `limit_edges`, `limit_document`.
        """
        if evidence is None:
            return PreparedTransaction(kind=self.action, diff=diff_of(()))
        entry, workspace = evidence.entry, replica.workspace
        is_trial = work is not None and work.is_trial
        if is_trial and len(entry.body) > BODY_BYTES:
            raise NeedsMore("taking back a large commit")
        if entry.kind in ("create", "checkpoint"):
            what = "created the workspace" if entry.kind == "create" else "is a checkpoint"
            message = f"Revision {entry.revision} {what}; there is nothing to take back."
            raise DraftsmithError("not_revertable", message)
        undone = decode_record(entry.body)
        if is_trial and is_large_change(undone.steps):
            raise NeedsMore("taking back a large commit")
        text, before = workspace.document.text, sizes_of(workspace)
        done = self._compensate(workspace, undone, evidence)
        _check_limits(workspace, before, self.limits, done.steps)
        places = places_of(text_step_of(done.steps), text)
        diff = diff_of(done.steps, places)
        if is_nothing(diff):  # what a forced revert finds as it should be
            roll_back(done.steps, workspace)
            done.steps.clear()
        warnings = warnings_of(workspace, done.steps)
        record = None
        if done.steps or self.action != "revert":
            # A range is told by all that it changes, one commit by what it said itself.
            said = undone.what if evidence.upto is None else sentence_of(diff, workspace.diagram, done.steps)
            record = self._record(
                _what(self.action, said), steps=done.steps, places=places, warnings=warnings, left_out=done.left_out,
                hidden=0 if done.steps else 1, upto=evidence.upto or 0,
            )  # fmt: skip
        return PreparedTransaction(
            applied=AppliedSteps(done.steps), record=record, kind=self.action, ref=str(entry.revision), diff=diff,
            warnings=warnings, left_out=done.left_out,
        )  # fmt: skip

    def _compensate(self, workspace: Workspace, undone: Record, evidence: Undoable) -> Compensation:
        if evidence.upto is None or evidence.text is None:
            return compensate(workspace, undone.steps, evidence.text, force=self.force)
        done = Compensation()
        done.take_text(evidence.text, workspace)
        return done


async def newest_of_document(items: Sequence[StackItem], log: LogReader) -> StackItem | None:
    """The newest item of a stack whose commit changed the document; None if no such commit is kept."""
    for item in reversed(items):
        try:
            entry = await log.entry(item.revision)
        except DraftsmithError:
            return None  # trimmed, and so is everything older
        log.count(1)
        if changes_text(entry.body):
            return item
    return None


def _check_limits(
    workspace: Workspace, before: Mapping[str, int], limits: WorkspaceLimits, steps: Sequence[Step]
) -> None:
    """Refuse applied steps that cross a limit, and take them back."""
    try:
        check_limits(workspace, before, limits, "Nothing was changed, since too much would come back")
    except DraftsmithError:
        roll_back(steps, workspace)
        raise


def _what(action: str, what: str) -> str:
    """The sentence of an undo, redo or revert: names what was taken back, without the verbs of earlier ones."""
    for said in ("Undid: ", "Redid: ", "Reverted: "):
        what = what.removeprefix(said)
    verb = {"undo": "Undid", "redo": "Redid", "revert": "Reverted"}[action]
    return f"{verb}: {what}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreRequest(Request[Workspace]):
    """Make the workspace what it was at a revision, as a new commit that can be undone.

    Attributes:
        target: the revision.
        limits: how large the workspace may become.
    """

    target: int
    limits: WorkspaceLimits = field(default_factory=WorkspaceLimits)

    def is_heavy(self, replica: Replica) -> bool:
        """Whether much is compared, or long ago."""
        workspace = replica.workspace
        is_large = element_count(workspace) > ELEMENTS or len(workspace.document.text) > CHARACTERS
        return is_large or replica.head.revision - self.target > COMMITS

    async def fetch(self, replica: Replica, log: LogReader) -> Workspace:
        """Build the old state.

        Raises:
            DraftsmithError: as `LogReader.state`.
        """
        return await log.state(self.target)

    def prepare(
        self, replica: Replica, evidence: Workspace, ahead: Sequence[PreparedTransaction] = (), work: Work | None = None
    ) -> PreparedTransaction:
        """Apply the difference.

        Raises:
            DraftsmithError: `locked`; `limit_nodes`, `limit_edges`, `limit_document`.
        """
        workspace = replica.workspace
        text, before = workspace.document.text, sizes_of(workspace)
        steps = restore(workspace, evidence)
        _check_limits(workspace, before, self.limits, steps)
        places = places_of(text_step_of(steps), text)
        warnings = warnings_of(workspace, steps)
        what = f"Restored revision {self.target}"
        record = self._record(what, steps=steps, places=places, warnings=warnings) if steps else None
        return PreparedTransaction(
            applied=AppliedSteps(steps), record=record, kind="restore", ref=str(self.target),
            diff=diff_of(steps, places), warnings=warnings,
        )  # fmt: skip
