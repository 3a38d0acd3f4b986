"""Typed text: the request behind what pages push while somebody writes in the document.

A push is a ChangeSet for the document as it was at a revision; it is mapped over what has been committed since. The
cost depends on the size of the change: there is no lint and no search, and the outline is updated, not read again. The
commit is of kind `text` and on no undo stack, since the editor undoes typing by itself; it can be reverted afterwards.
Not here: when pages push (`frontend/src/sync`), the mapping itself (`transform.steps.rebase`), reverting typed text
(`undo_requests`).
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import GENESIS, Entry, Head
from draftsmith.history.diff import diff_of, places_of
from draftsmith.history.replica import Replica
from draftsmith.history.sentences import sentence_of
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.markdown.sections import Outline, rereading
from draftsmith.model.utf16 import from_units
from draftsmith.model.work import Work
from draftsmith.transform.steps.applied_steps import apply_changes
from draftsmith.transform.steps.changeset import ChangeSet, from_json
from draftsmith.transform.steps.rebase import rebase_changes
from draftsmith.transform.steps.steps import text_step_of
from draftsmith.transform.steps.text import ChangeText
from draftsmith.usecases.replicas.log_reader import LogReader, reading_text_steps
from draftsmith.usecases.replicas.slices import in_slices
from draftsmith.usecases.requests.costs import CHARACTERS, has_long_text
from draftsmith.usecases.requests.request import PreparedTransaction, Request

_FAR = 5_000  # commits; a page that is further behind merges by itself, which keeps nobody else waiting
_SLICE = 100  # changes that are mapped over without a pause


def typed_changes(shape: object) -> ChangeSet:
    """Read a pushed ChangeSet.

    Raises:
        DraftsmithError: `invalid_request`, if it is none, or holds CR or half a surrogate pair.
    """
    try:
        return from_json(shape)
    except ValueError as error:
        raise DraftsmithError("invalid_request", f"This is no ChangeSet for a document: {error}.") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class TypingRequest(Request[ChangeSet]):
    """Commit typed text, mapped over what has been committed since its base.

    Attributes:
        epoch, base: the state that the changes are for.
        chain: the log's hash there; None if the caller does not say.
        changes: in normal form.
        limits: how long the document may become.
    """

    epoch: str
    base: int
    changes: ChangeSet
    limits: WorkspaceLimits
    chain: str | None = None
    scope: str = ""
    source: str = "page"

    @property
    def must_run_alone(self) -> bool:
        """It is mapped over the transactions ahead of it in its group, so many people's typing is one append."""
        return False

    @property
    def stack(self) -> str:
        """None, whoever asks."""
        return ""

    def is_heavy(self, replica: Replica) -> bool:
        """Where the sections of a long document are not known yet, and where a long block has to be read again.

        What was typed for an earlier state is taken for that, without looking.
        """
        outline = replica.workspace.document.known_outline
        if outline is None or len(outline.text) <= CHARACTERS:
            return has_long_text(replica.workspace)
        if self.base != replica.head.revision:
            return outline.segments.longest > CHARACTERS
        try:
            return _rereading(outline, self.changes) > CHARACTERS
        except ValueError:
            return False  # it is refused

    async def fetch(self, replica: Replica, log: LogReader) -> ChangeSet:
        """Map the changes over what has been committed since their base; the result is for the head.

        Raises:
            DraftsmithError: `base_gone`, `invalid_request`.
        """
        entries = await self._entries_since(replica, log)
        try:
            steps = await in_slices(reading_text_steps(entries))
            return await in_slices(_mapping_over(self.changes, steps))
        except ValueError as error:
            raise self._unfit(error) from error

    async def _entries_since(self, replica: Replica, log: LogReader) -> Sequence[Entry]:
        head = replica.head
        if self.epoch != head.epoch or not head.revision - _FAR <= self.base <= head.revision:
            raise self._base_gone()
        try:
            if self.chain is not None and await self._chain_at_base(head, log) != self.chain:
                raise self._base_gone()  # the store lost the end of the log, and the same revisions were written anew
            return await log.entries_after(self.base)
        except DraftsmithError as error:
            if error.code != "trimmed":
                raise
            raise self._base_gone() from error

    async def _chain_at_base(self, head: Head, log: LogReader) -> str:
        """The log's hash at the base; raises as `LogReader.entry`."""
        if self.base == head.revision:
            return head.chain
        return (await log.entry(self.base)).chain if self.base else GENESIS

    def prepare(
        self, replica: Replica, evidence: ChangeSet, ahead: Sequence[PreparedTransaction] = (), work: Work | None = None
    ) -> PreparedTransaction:
        """Make one text step of the changes.

        Raises:
            DraftsmithError: `limit_document`, `invalid_request`.
        """
        workspace = replica.workspace
        text, outline = workspace.document.text, workspace.document.outline
        steps_ahead = (text_step_of(other.steps) for other in ahead)
        try:
            changes = rebase_changes(evidence, [step.changes for step in steps_ahead if step is not None])
            applied = apply_changes(workspace, changes)
        except ValueError as error:
            raise self._unfit(error) from error
        if not applied.steps:
            return PreparedTransaction(kind="text", diff=diff_of(()))
        if len(workspace.document.text) > max(len(text), self.limits.document_chars):
            applied.roll_back(workspace)
            most = f"{self.limits.document_chars:,}"
            message = f"The document may hold {most} characters; with what was typed it would hold more."
            raise DraftsmithError("limit_document", message)
        places = places_of(text_step_of(applied.steps), text, outline)
        diff = diff_of(applied.steps, places)
        what = sentence_of(diff, workspace.diagram, applied.steps)
        record = self._record(what, steps=applied.steps, places=places)
        return PreparedTransaction(applied=applied, record=record, kind="text", diff=diff)

    def _base_gone(self) -> DraftsmithError:
        message = f"What was typed is for revision {self.base}, from which on nothing is known here any more."
        return DraftsmithError("base_gone", message)

    def _unfit(self, error: ValueError) -> DraftsmithError:
        message = f"These changes do not fit the document as it was at revision {self.base}: {error}."
        return DraftsmithError("invalid_request", message)


def _rereading(outline: Outline, changes: ChangeSet) -> int:
    """About how many characters have to be read again after changes, which are made as one."""
    found = list(changes.changes())
    if not found:
        return 0
    point = from_units(outline.text)
    inserted = found[0].inserted if len(found) == 1 else "\n"
    return rereading(outline, point(found[0].start), point(found[-1].end), inserted)


def _mapping_over(changes: ChangeSet, steps: Sequence[ChangeText]) -> Generator[None, None, ChangeSet]:
    """Changes mapped over others that follow one another."""
    for start in range(0, len(steps), _SLICE):
        if start:
            yield
        changes = rebase_changes(changes, (step.changes for step in steps[start : start + _SLICE]))
    return changes
