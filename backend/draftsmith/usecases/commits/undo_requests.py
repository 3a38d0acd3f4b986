"""Undo, redo, revert and restore, as requests."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import actor_json
from draftsmith.history.commit import Entry, Kind
from draftsmith.history.diff import diff_of, places_of
from draftsmith.history.record import Record, changes_text, decode_record
from draftsmith.history.replica import Replica
from draftsmith.history.sentences import sentence_of
from draftsmith.history.stacks import Item
from draftsmith.model.workspace import Workspace
from draftsmith.transform.compensate import Compensation, compensate
from draftsmith.transform.restore import restore
from draftsmith.transform.retract import Retraction, Typed, retraction
from draftsmith.transform.steps import text_step_of
from draftsmith.transform.steps_text import EditText, edit_of
from draftsmith.usecases.commits.at_head import text_steps_of
from draftsmith.usecases.commits.log_reader import LogReader
from draftsmith.usecases.commits.request import Prepared, Request, warnings_of


@dataclass(slots=True, kw_only=True)
class UndoRequest(Request):
    """Undo, redo or revert: apply the inverse of an earlier commit as far as it still fits.

    Attributes:
        action: which of the three.
        everyone: undo the newest commit of anyone instead of one's own.
        of_document: undo or redo the newest of one's own that changed the document; newer others stay.
        expect: revision that the caller believes comes next; 409 `undo_moved` if it does not.
        target: for a revert, the commit to take back.
        upto: for a revert of typed text: everything that the same person typed from `target` up to here.
        force: overwrite fields that were changed since; text that was changed since stays in any case.
    """

    action: Kind
    everyone: bool = False
    of_document: bool = False
    expect: int | None = None
    target: int | None = None
    upto: int | None = None
    force: bool = False
    _entry: Entry | None = None
    _later: Sequence[EditText] = ()
    _retraction: Retraction | None = None

    async def fetch(self, replica: Replica, past: LogReader) -> None:
        """Find the commit to take back and, if it changed the text, what changed the text since.

        A day of typing is tens of thousands of commits, so they are read and put together in a thread.
        """
        revision = await self._choose(replica, past)
        self._entry, self._later, self._retraction = None, (), None
        if revision is None:
            return
        self._entry = entry = await past.entry(revision)
        if self.upto is not None:
            self._retraction = await self._retract(entry, self.upto, replica, past)
        elif decode_record(entry.body).text_step is not None:
            self._later = await text_steps_of(await past.after(revision))

    async def _retract(self, entry: Entry, upto: int, replica: Replica, past: LogReader) -> Retraction:
        """Find what takes a range of typed text back.

        Raises:
            DraftsmithError: `invalid_request` for a range that ends before it begins, `revision_unknown` for one that
                ends above the head, `not_revertable` if it does not begin with typed text.
        """
        if upto < entry.revision:
            raise DraftsmithError("invalid_request", f"A range from {entry.revision} does not end at {upto}.")
        await past.entry(upto)
        if entry.kind != "text":
            message = f"Revision {entry.revision} is not typed text; only what was typed is taken back as a range."
            raise DraftsmithError("not_revertable", message)
        entries = [entry, *await past.after(entry.revision)]
        typist, text = actor_json(entry.actor)["id"], replica.workspace.document.text
        return await asyncio.to_thread(_retraction_of, entries, upto, typist, text)

    async def _choose(self, replica: Replica, past: LogReader) -> int | None:
        if self.action == "revert":
            return self.target
        stacks = replica.stacks
        own = tuple((stacks.redo if self.action == "redo" else stacks.undo).get(self.scope, ()))
        if self.everyone:
            item = stacks.top_of_all()
        elif self.of_document:
            item = await newest_of_document(own, past)
        else:
            item = own[-1] if own else None
        revision = None if item is None else item.revision
        if self.expect is not None and revision != self.expect:
            message = f"What {self.action} would take back has changed; it is now {revision or 'nothing'}."
            extra = {"expected": self.expect, "next": revision, "revision": replica.head.revision}
            raise DraftsmithError("undo_moved", message, extra=extra)
        return revision

    def prepare(self, replica: Replica, revision: int) -> Prepared:
        """Apply what still fits of the inverse."""
        entry = self._entry
        if entry is None:
            return Prepared((), None, self.action, "", diff_of(()))
        if entry.kind in ("create", "checkpoint"):
            message = (
                f"Revision {entry.revision} {'created the workspace' if entry.kind == 'create' else 'is a checkpoint'}"
            )
            raise DraftsmithError("not_revertable", f"{message}; there is nothing to take back.")
        record = decode_record(entry.body)
        text = replica.workspace.document.text
        done = self._done(replica.workspace, record)
        places = places_of(text_step_of(done.steps), text)
        prepared = Prepared(done.steps, None, self.action, str(entry.revision), diff_of(done.steps, places))
        prepared.left_out = done.left_out
        prepared.warnings = warnings_of(replica.workspace, done.steps)
        if done.steps or self.action != "revert":
            hidden = 0 if done.steps else 1
            prepared.record = self._record(self._said(record, prepared, replica), prepared, places, hidden)
        return prepared

    def _said(self, record: Record, prepared: Prepared, replica: Replica) -> str:
        """A range is told by all that it changes, one commit by what it said itself."""
        if self.upto is None:
            return _what(self.action, record.what)
        return _what(self.action, sentence_of(prepared.diff, replica.workspace.diagram, prepared.steps))

    def _done(self, workspace: Workspace, record: Record) -> Compensation:
        """Apply it."""
        if self._retraction is None:
            return compensate(workspace, record.steps, self._later, force=self.force)
        done = Compensation(left_out=self._retraction.left_out)
        if not self._retraction.changes.is_empty:
            done.do(edit_of(workspace.document.text, self._retraction.changes), workspace)
        return done


async def newest_of_document(items: Sequence[Item], past: LogReader) -> Item | None:
    """The newest on a stack whose commit changed the text of the document; None if there is none any more."""
    for item in reversed(items):
        try:
            entry = await past.entry(item.revision)
        except DraftsmithError:
            return None  # trimmed, and so is everything older
        if changes_text(entry.body):
            return item
    return None


def _retraction_of(entries: Sequence[Entry], upto: int, typist: str, text: str) -> Retraction:
    """What takes the typing of somebody in the first entries, up to a revision, out of the text after all of them."""
    run: list[Typed] = []
    later: list[EditText] = []
    for entry in entries:
        step = decode_record(entry.body).text_step
        if step is None:
            continue
        if entry.revision <= upto:
            run.append(Typed(step, entry.kind == "text" and actor_json(entry.actor)["id"] == typist))
        else:
            later.append(step)
    return retraction(run, later, text)


def _what(action: str, what: str) -> str:
    """A sentence about a step back: says what it took back, once, however often it went to and fro."""
    for said in ("Undid: ", "Redid: ", "Reverted: "):
        what = what.removeprefix(said)
    verb = {"undo": "Undid", "redo": "Redid", "revert": "Reverted"}[action]
    return f"{verb}: {what}"


@dataclass(slots=True, kw_only=True)
class RestoreRequest(Request):
    """Make the workspace what it was at a revision, as a new commit that can be undone."""

    target: int
    _wanted: Workspace | None = None

    async def fetch(self, replica: Replica, past: LogReader) -> None:
        """Build the old state."""
        self._wanted = await past.state(self.target)

    def prepare(self, replica: Replica, revision: int) -> Prepared:
        """Apply the difference."""
        workspace, wanted = replica.workspace, self._wanted or Workspace()
        text = workspace.document.text
        steps = restore(workspace, wanted)
        places = places_of(text_step_of(steps), text)
        prepared = Prepared(steps, None, "restore", str(self.target), diff_of(steps, places))
        prepared.warnings = warnings_of(workspace, steps)
        if steps:
            prepared.record = self._record(f"Restored revision {self.target}", prepared, places)
        return prepared
