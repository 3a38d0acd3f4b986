"""Undo, redo, revert and restore, as requests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Entry, Kind
from draftsmith.history.diff import diff_of, places_of
from draftsmith.history.record import decode_record
from draftsmith.history.replica import Replica
from draftsmith.model.workspace import Workspace
from draftsmith.transform.compensate import compensate
from draftsmith.transform.restore import restore
from draftsmith.transform.steps_text import EditText, text_step_of
from draftsmith.usecases.requests import Past, Prepared, Request, warnings_of


@dataclass(slots=True, kw_only=True)
class StepBack(Request):
    """Undo, redo or revert: apply the inverse of an earlier commit as far as it still fits.

    Attributes:
        action: which of the three.
        everyone: undo the newest commit of anyone instead of one's own.
        expect: revision that the caller believes comes next; 409 `undo_moved` if it does not.
        target: for a revert, the commit to take back.
        force: overwrite fields that were changed since.
    """

    action: Kind
    everyone: bool = False
    expect: int | None = None
    target: int | None = None
    force: bool = False
    _entry: Entry | None = None
    _later: Sequence[EditText] = ()

    async def fetch(self, replica: Replica, past: Past) -> None:
        """Find the commit to take back and, if it changed the text, what changed the text since."""
        revision = self._choose(replica)
        self._entry, self._later = None, ()
        if revision is None:
            return
        self._entry = await past.entry(revision)
        if decode_record(self._entry.body).text_step is not None:
            records = [decode_record(entry.body) for entry in await past.after(revision)]
            self._later = [record.text_step for record in records if record.text_step is not None]

    def _choose(self, replica: Replica) -> int | None:
        if self.action == "revert":
            return self.target
        stacks = replica.stacks
        if self.action == "redo":
            item = stacks.next_redo(self.scope)
        else:
            item = stacks.top_of_all() if self.everyone else stacks.top(self.scope)
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
        done = compensate(replica.workspace, record.steps, self._later, force=self.force)
        places = places_of(text_step_of(done.steps), text)
        prepared = Prepared(done.steps, None, self.action, str(entry.revision), diff_of(done.steps, places))
        prepared.left_out = done.left_out
        prepared.warnings = warnings_of(replica.workspace, done.steps)
        if done.steps or self.action != "revert":
            hidden = 0 if done.steps else 1
            prepared.record = self._record(_what(self.action, record.what), prepared, places, hidden)
        return prepared


def _what(action: str, what: str) -> str:
    """A sentence about a step back: says what it took back, once, however often it went to and fro."""
    for said in ("Undid: ", "Redid: ", "Reverted: "):
        what = what.removeprefix(said)
    verb = {"undo": "Undid", "redo": "Redid", "revert": "Reverted"}[action]
    return f"{verb}: {what}"


@dataclass(slots=True, kw_only=True)
class Restore(Request):
    """Make the workspace what it was at a revision, as a new commit that can be undone."""

    target: int
    _wanted: Workspace | None = None

    async def fetch(self, replica: Replica, past: Past) -> None:
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
