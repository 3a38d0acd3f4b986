"""Run a batch of operations: the request behind every write."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from draftsmith.errors import BatchRejected, DraftsmithError
from draftsmith.history.commit import Entry, Kind
from draftsmith.history.diff import diff_of, is_nothing, places_of
from draftsmith.history.record import decode_record
from draftsmith.history.replica import Replica
from draftsmith.history.sentences import sentence_of
from draftsmith.model.document import units
from draftsmith.model.limits import Limits
from draftsmith.model.sections import Outline, outline_of
from draftsmith.transform.batch import Batch
from draftsmith.transform.changeset import ChangeSet, of_parts, one_after_another
from draftsmith.transform.footprint import clashes
from draftsmith.transform.locate import look_ahead
from draftsmith.transform.resolve import run_batch
from draftsmith.transform.steps import Step, text_step_of
from draftsmith.transform.subjects import changes_to
from draftsmith.transform.transaction import Transaction
from draftsmith.usecases.commits.log_reader import LogReader
from draftsmith.usecases.commits.request import Prepared, Request, warnings_of

_MANY = 100  # commits from which on they are read in a thread
_LARGE = 200_000  # characters of a document from which on it is searched in a thread


@dataclass(slots=True, kw_only=True)
class BatchRequest(Request):
    """Run a batch of operations; `kind` is `create` for the first commit of a workspace."""

    batch: Batch
    limits: Limits
    base: int | None = None
    kind: Kind = "edit"
    prefix: str = "/operations"
    _since: dict[int, _Since] = field(default_factory=dict)

    @property
    def must_run_alone(self) -> bool:
        """Only where it speaks of an older revision."""
        return self.base is not None or bool(self.batch.base_revisions())

    async def fetch(self, replica: Replica, past: LogReader) -> None:
        """Read what has happened since the revisions it speaks of."""
        await self._look_ahead(replica)
        self._since = {}
        for base in {*self.batch.base_revisions(), *([self.base] if self.base is not None else [])}:
            if base > replica.head.revision:
                head = replica.head.revision
                message = f"Revision {base} does not exist; the newest is {head}. Read the workspace again."
                raise DraftsmithError("stale_base", message, extra={"revision": head, "changes": []})
            entries = await past.after(base)
            if entries:
                is_much = len(entries) > _MANY
                self._since[base] = await asyncio.to_thread(_read, entries) if is_much else _read(entries)

    async def _look_ahead(self, replica: Replica) -> None:
        """Search a large document for quoted texts in a thread, so that nobody else waits for it."""
        document = replica.workspace.document
        edits = [one for one in self.batch.operations if one.op == "edit_section" and not one.all]
        if len(document.text) < _LARGE or not edits:
            return

        def search(text: str, outline: Outline | None) -> Outline:
            outline = outline if outline is not None else outline_of(text)
            for edit in edits:
                look_ahead(outline, edit.section, edit.find)
            return outline

        document.take_outline(await asyncio.to_thread(search, document.text, document.known_outline))

    def prepare(self, replica: Replica, revision: int) -> Prepared:
        """Run the batch; compare with what has changed since the base."""
        workspace = replica.workspace
        text = workspace.document.text
        nothing = of_parts([(units(text), None)])
        since = {base: done.text or nothing for base, done in self._since.items()}
        tx = Transaction(workspace, revision, self.limits, by_person=self.actor.is_person, since=since)
        try:
            run_batch(tx, self.batch, self.prefix)
        except BatchRejected as rejected:
            raise self._as_stale(rejected, replica) or rejected from None
        try:
            self._check_base(tx, replica)
        except DraftsmithError:
            tx.roll_back()
            raise
        return self._prepared(tx, text)

    def _prepared(self, tx: Transaction, text: str) -> Prepared:
        steps = tx.steps
        places = places_of(text_step_of(steps), text, tx.outline_before)
        diff = diff_of(steps, places)
        prepared = Prepared(steps, None, self.kind, "", diff, [result.to_json() for result in tx.results])
        prepared.warnings = warnings_of(tx.workspace, steps)
        if not is_nothing(diff) or self.kind == "create":
            what = sentence_of(diff, tx.workspace.diagram, steps) if self.kind != "create" else "Created the workspace"
            prepared.record = self._record(what, prepared, places)
        return prepared

    def _check_base(self, tx: Transaction, replica: Replica) -> None:
        if self.base is None or self.base not in self._since:
            return
        found = clashes(tx.steps, self._since[self.base].steps)
        if found:
            raise self._stale(replica, found)

    def _as_stale(self, rejected: BatchRejected, replica: Replica) -> DraftsmithError | None:
        """A batch that does not fit because of what happened since its base is stale, not wrong."""
        if self.base is None or self.base not in self._since:
            return None
        subjects = (subject for problem in rejected.problems for subject in problem.about)
        since = {base: done.steps for base, done in self._since.items()}
        changed = changes_to(subjects, self.base, since, replica.workspace)
        return self._stale(replica, changed, rejected) if changed else None

    def _stale(
        self, replica: Replica, changes: Sequence[Mapping[str, Any]], rejected: BatchRejected | None = None
    ) -> DraftsmithError:
        message = f"What this batch speaks of has changed since revision {self.base}; read again and send anew."
        extra = {"revision": replica.head.revision, "changes": changes[:100]}
        return DraftsmithError("stale_base", message, rejected.problems if rejected is not None else (), extra)


@dataclass(frozen=True, slots=True)
class _Since:
    """What has been committed since a revision: the steps of each, and all changes of the text as one, if any."""

    steps: Sequence[tuple[int, Sequence[Step]]]
    text: ChangeSet | None


def _read(entries: Sequence[Entry]) -> _Since:
    """Decode entries; while people type, there are thousands of them in an hour."""
    steps = [(entry.revision, decode_record(entry.body).steps) for entry in entries]
    texts = [text.changes for _, some in steps if (text := text_step_of(some)) is not None]
    return _Since(steps, one_after_another(texts) if texts else None)
