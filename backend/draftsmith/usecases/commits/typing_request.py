"""Typed text: the request behind what pages push while somebody writes in the document.

A push is a ChangeSet for the document as it was at a revision; what has been committed since comes first. It costs what
it touches: no lint, no search, the outline brought along and not read again. The commit is of kind `text` and on no
stack, since the editor undoes typing by itself; afterwards it can be reverted. Not here: when pages push
(`frontend/src/sync`), the mapping itself (`transform.rebase`), reverting typed text (`usecases.step_back`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import GENESIS, Entry, Head
from draftsmith.history.diff import diff_of, places_of
from draftsmith.history.record import decode_record
from draftsmith.history.replica import Replica
from draftsmith.history.sentences import sentence_of
from draftsmith.model.document import units
from draftsmith.model.limits import Limits
from draftsmith.model.sections import Outline, outline_of
from draftsmith.model.workspace import Workspace
from draftsmith.transform.changeset import ChangeSet, from_json
from draftsmith.transform.rebase import rebased
from draftsmith.transform.steps import text_step_of
from draftsmith.transform.steps_text import EditText
from draftsmith.usecases.commits.log_reader import LogReader
from draftsmith.usecases.commits.request import Prepared, Request

_FAR = 5_000  # commits; a page that is further behind merges by itself, which keeps nobody else waiting
_MANY = 100  # commits from which on they are read in a thread
_LARGE = 200_000  # characters of a document from which on its sections are found in a thread


def typed_changes(shape: object) -> ChangeSet:
    """Read a pushed ChangeSet.

    Raises:
        DraftsmithError: `invalid_request`, if it is none, or holds CR or half a surrogate pair.
    """
    try:
        return from_json(shape)
    except ValueError as error:
        raise DraftsmithError("invalid_request", f"This is no ChangeSet for a document: {error}.") from error


@dataclass(slots=True, kw_only=True)
class TypingRequest(Request):
    """Commit typed text, rebased over what came since.

    Attributes:
        epoch, base: the state that the changes are for.
        chain: the log's hash there; None if the caller does not say.
        changes: in normal form.
        limits: how long the document may become.
    """

    epoch: str
    base: int
    changes: ChangeSet
    limits: Limits
    chain: str | None = None
    scope: str = ""
    source: str = "page"
    _rebased: ChangeSet | None = None
    _ahead: Sequence[ChangeSet] = ()

    def __post_init__(self) -> None:
        """Typed text is on no stack, whoever asks."""
        self.scope = ""

    @property
    def must_run_alone(self) -> bool:
        """It is mapped over what of its group stands before it, so many people's typing goes into the log at once."""
        return False

    def stand_behind(self, others: Sequence[Prepared]) -> None:
        """Remember how they have changed the text."""
        steps = (text_step_of(other.steps) for other in others)
        self._ahead = [step.changes for step in steps if step is not None]

    async def fetch(self, replica: Replica, past: LogReader) -> None:
        """Map the changes over what has been committed since their base."""
        entries = await self._since(replica, past)
        try:
            if len(entries) > _MANY:
                self._rebased = await asyncio.to_thread(_over, self.changes, entries)
            else:
                self._rebased = _over(self.changes, entries)
        except ValueError as error:
            raise self._unfit(error) from error
        document = replica.workspace.document
        if len(document.text) >= _LARGE and document.known_outline is None:
            document.take_outline(await asyncio.to_thread(outline_of, document.text))

    async def _since(self, replica: Replica, past: LogReader) -> Sequence[Entry]:
        head = replica.head
        if self.epoch != head.epoch or not head.revision - _FAR <= self.base <= head.revision:
            raise self._base_gone()
        try:
            if self.chain is not None and await self._chain(head, past) != self.chain:
                raise self._base_gone()  # a store that lost its tail has filled the numbers anew
            return await past.after(self.base)
        except DraftsmithError as error:
            if error.code != "trimmed":
                raise
            raise self._base_gone() from error

    async def _chain(self, head: Head, past: LogReader) -> str:
        """The log's hash at the base; raises as `LogReader.entry`."""
        if self.base == head.revision:
            return head.chain
        return (await past.entry(self.base)).chain if self.base else GENESIS

    def prepare(self, replica: Replica, revision: int) -> Prepared:
        """Make one text step of the changes."""
        workspace = replica.workspace
        outline = workspace.document.outline
        try:
            step = _step(workspace.document.text, rebased(self._rebased or self.changes, self._ahead))
            written = _written(step, workspace)
        except ValueError as error:
            raise self._unfit(error) from error
        if step.changes.is_empty:
            return Prepared((), None, "text", "", diff_of(()))
        if len(written.after) > max(len(written.before), self.limits.document_chars):
            written.take_back(workspace)
            most = f"{self.limits.document_chars:,}"
            message = f"The document may hold {most} characters; with what was typed it would hold more."
            raise DraftsmithError("limit_document", message)
        places = places_of(step, written.before, outline)
        prepared = _PreparedTyping([written], None, "text", "", diff_of([step], places))
        what = sentence_of(prepared.diff, workspace.diagram, [step])
        prepared.record = self._record(what, prepared, places)
        return prepared

    def _base_gone(self) -> DraftsmithError:
        message = f"What was typed is for revision {self.base}, from which on nothing is known here any more."
        return DraftsmithError("base_gone", message)

    def _unfit(self, error: ValueError) -> DraftsmithError:
        message = f"These changes do not fit the document as it was at revision {self.base}: {error}."
        return DraftsmithError("invalid_request", message)


def _over(changes: ChangeSet, entries: Sequence[Entry]) -> ChangeSet:
    """Changes mapped over what some entries did to the text."""
    steps = (decode_record(entry.body).text_step for entry in entries)
    return rebased(changes, (step.changes for step in steps if step is not None))


def _step(text: str, changes: ChangeSet) -> EditText:
    """The step that makes `changes`, without what it would put back as it was.

    Raises:
        ValueError: they are for another text.
    """
    if changes.length != units(text):
        raise ValueError("the changes are for a text of another length")
    changes = changes.trimmed(changes.deleted(text))
    return EditText(changes, tuple(changes.deleted(text)))


@dataclass(frozen=True, slots=True)
class _Written(EditText):
    """A step that knows the document on both sides, so that a long text is written once and the outline found once.

    It is made where it was first written; the owner takes it back and writes it again when it is durable.
    """

    before: str
    outline_before: Outline | None
    after: str
    outline_after: Outline | None

    def write(self, workspace: Workspace) -> None:
        """Change the document."""
        document = workspace.document
        if document.text is not self.before:
            EditText.write(self, workspace)
            return
        document.text = self.after
        if self.outline_after is not None:
            document.take_outline(self.outline_after)

    def take_back(self, workspace: Workspace) -> None:
        """Leave the document as it was."""
        workspace.document.text = self.before
        if self.outline_before is not None:
            workspace.document.take_outline(self.outline_before)


def _written(step: EditText, workspace: Workspace) -> _Written:
    """Write a step, and remember both sides."""
    document = workspace.document
    before, outline_before = document.text, document.known_outline
    step.write(workspace)
    return _Written(step.changes, step.deleted, before, outline_before, document.text, document.known_outline)


@dataclass(slots=True)
class _PreparedTyping(Prepared):
    """A transaction of one such step."""

    def take_back(self, workspace: Workspace) -> None:
        """Leave the document as it was."""
        for step in self.steps:
            if isinstance(step, _Written):
                step.take_back(workspace)
