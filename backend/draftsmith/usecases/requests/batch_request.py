"""Run a batch of operations: the request behind every write."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Self

from draftsmith.errors import BatchRejected, DraftsmithError, Existence, Subject
from draftsmith.history.commit import Entry, Kind
from draftsmith.history.diff import diff_of, is_nothing, places_of
from draftsmith.history.record import decode_record
from draftsmith.history.replica import Replica
from draftsmith.history.sentences import sentence_of
from draftsmith.model.document import units
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.work import Work
from draftsmith.model.workspace import Workspace
from draftsmith.transform.placement.layouts import Layouts
from draftsmith.transform.requests.batch import Batch
from draftsmith.transform.resolve import open_transaction, run_batch
from draftsmith.transform.resolvers.anchors import following, links_left
from draftsmith.transform.resolvers.engine_use import wants_layout, wants_routes
from draftsmith.transform.resolvers.subjects import changes_to
from draftsmith.transform.staged_operations import StagedOperation
from draftsmith.transform.steps.applied_steps import AppliedSteps
from draftsmith.transform.steps.changeset import ChangeSet, of_parts, one_after_another
from draftsmith.transform.steps.footprint import Clash, Commits, clashes
from draftsmith.transform.steps.steps import Step, join_text_steps, text_step_of
from draftsmith.transform.steps.text import ChangeText, TextHistory
from draftsmith.transform.transaction import Transaction
from draftsmith.usecases.replicas.log_reader import LogReader
from draftsmith.usecases.requests.costs import CHARACTERS, COMMITS, ELEMENTS, element_count, has_long_text
from draftsmith.usecases.requests.repeats import kept_changes
from draftsmith.usecases.requests.request import PreparedTransaction, Request, warnings_of

_LARGE = 200_000  # characters of a document from which on it takes long to search it
_TOLD = 100  # changes that a refusal names
_LAID_OUT = 200  # nodes and edges from which on a layout takes long


@dataclass(frozen=True, slots=True)
class CommitsSince:
    """What has been committed after a revision: the steps of each commit, and all changes of the text as one."""

    commits: Commits
    text: ChangeSet | None


@dataclass(frozen=True, slots=True)
class BatchEvidence:
    """What a batch needs from the log.

    Attributes:
        since: what has been committed since its bases, by base; a base with nothing after it is left out.
        kept_changes: changes of the text before the head, newest first; see `repeats.kept_changes`.
        passed_over: revisions after a base with which nothing clashes, since the caller knows them.
    """

    since: Mapping[int, CommitsSince] = field(default_factory=dict)
    kept_changes: Sequence[ChangeText] = ()
    passed_over: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRequest(Request[BatchEvidence]):
    """Run a batch of operations.

    Attributes:
        batch: what to do.
        limits: how large the workspace may become.
        base: the revision that the caller has seen; changes since then that clash refuse the batch.
        kind: `create` for the first commit of a workspace.
        prefix: JSON Pointer of the operations in what the caller has sent.
        by_id: whether nodes are named by their ids alone.
        answers: what the layout engine has answered, by question; None without one.
    """

    batch: Batch
    limits: WorkspaceLimits
    base: int | None = None
    kind: Kind = "edit"
    prefix: str = "/operations"
    by_id: bool = False
    answers: Mapping[str, bytes | None] | None = None

    @property
    def must_run_alone(self) -> bool:
        """Only if it speaks of an older revision."""
        return self.base is not None or bool(self.batch.base_revisions())

    def is_heavy(self, replica: Replica) -> bool:
        """Whether it replaces or searches much, or speaks of a state long ago."""
        workspace, head = replica.workspace, replica.head.revision
        bases = [*self.batch.base_revisions(), *([self.base] if self.base is not None else [])]
        return any(head - base > COMMITS for base in bases) or any(
            _is_heavy(operation, workspace) for operation in self.batch.operations
        )

    def wants_layout(self, replica: Replica) -> bool:
        """Whether it lays out what is there, adds several nodes without positions, or one among routed lines."""
        diagram = replica.workspace.diagram
        return wants_layout(self.batch, diagram) or wants_routes(self.batch, diagram)

    def with_layouts(self, answers: Mapping[str, bytes | None]) -> Self:
        """The same, with what the layout engine has answered so far."""
        return replace(self, answers=answers)

    async def fetch(self, replica: Replica, log: LogReader) -> BatchEvidence:
        """Read what has been committed since the revisions that it speaks of, and whether it was made before.

        Raises:
            DraftsmithError: `stale_base` for a revision that does not exist; as `LogReader.after`.
        """
        since: dict[int, CommitsSince] = {}
        for base in {*self.batch.base_revisions(), *([self.base] if self.base is not None else [])}:
            if base > replica.head.revision:
                head = replica.head.revision
                message = f"Revision {base} does not exist; the newest is {head}. Read the workspace again."
                raise DraftsmithError("stale_base", message, extra={"revision": head, "changes": []})
            entries = await log.entries_after(base)
            if entries:
                log.count(len(entries))
                since[base] = _read(entries)
        return BatchEvidence(since, await kept_changes(self.batch, replica, log))

    def prepare(
        self,
        replica: Replica,
        evidence: BatchEvidence,
        ahead: Sequence[PreparedTransaction] = (),
        work: Work | None = None,
    ) -> PreparedTransaction:
        """Run the batch; compare it with what has changed since its base.

        Raises:
            BatchRejected: it does not fit.
            DraftsmithError: `stale_base`, if it clashes with what has changed, or does not fit because of it.
        """
        workspace = replica.workspace
        text = workspace.document.text
        revision = replica.head.revision + len(ahead) + 1
        unchanged = of_parts([(units(text), None)])
        since = {base: done.text or unchanged for base, done in evidence.since.items()}
        ahead_texts = [step for other in reversed(ahead) if (step := text_step_of(other.steps)) is not None]
        past = TextHistory(
            kept_changes=[*ahead_texts, *evidence.kept_changes]
        )  # what is ahead is kept before this is answered
        tx = open_transaction(
            workspace, revision, self.limits, by_person=self.actor.is_person, since=since, past=past,
            work=work or Work(self.limits.work), layouts=None if self.answers is None else Layouts(self.answers),
            by_id=self.by_id,
        )  # fmt: skip
        try:
            operations = self._run(tx)
        except BatchRejected as rejected:
            raise self._if_stale(rejected, tx, replica, evidence) or rejected from None
        try:
            self._check_base(tx, replica, evidence)
            self._check(tx, operations, replica, evidence, text)
        except DraftsmithError:
            tx.roll_back()
            raise
        return self._prepare_answer(tx, text)

    def _run(self, tx: Transaction) -> Sequence[StagedOperation]:
        """Run the operations; those that `_check` wants to see one by one."""
        run_batch(tx, self.batch, self.prefix)
        return ()

    def _check(
        self,
        tx: Transaction,
        operations: Sequence[StagedOperation],
        replica: Replica,
        evidence: BatchEvidence,
        text: str,
    ) -> None:
        """Refuse what fits and may not be all the same; `text`: the document before."""

    def _check_base(self, tx: Transaction, replica: Replica, evidence: BatchEvidence) -> None:
        found = self._clashes(tx.steps, tx, replica, evidence, following(tx))
        if found:
            raise self._stale(replica, found)

    def _clashes(
        self,
        steps: Sequence[Step],
        tx: Transaction,
        replica: Replica,
        evidence: BatchEvidence,
        followed: Collection[tuple[int, int]] = (),
    ) -> list[Clash]:
        """Where steps clash with what has changed since the base, and which names may have meant other nodes there.

        `followed`: see `clashes`.
        """
        if self.base is None or self.base not in evidence.since:
            return []
        found = clashes(steps, evidence.since[self.base].commits, evidence.passed_over, followed)
        if not tx.names:
            return found
        names = [Existence("node", name) for name in sorted(tx.names)]
        return _with(found, self._changes_to(names, self.base, replica, evidence))

    def _changes_to(
        self, subjects: Iterable[Subject], base: int, replica: Replica, evidence: BatchEvidence
    ) -> list[Clash]:
        """What others have changed of some subjects since the base."""
        commits = {revision: known.commits for revision, known in evidence.since.items()}
        changed = changes_to(subjects, base, commits, replica.workspace)
        return [one for one in changed if one["revision"] not in evidence.passed_over]

    def _if_stale(
        self, rejected: BatchRejected, tx: Transaction, replica: Replica, evidence: BatchEvidence
    ) -> DraftsmithError | None:
        """The refusal of a batch that does not fit because of what has changed since its base; None if it is wrong.

        It names all that has changed: what forbids operations, and what those that fit would overwrite.
        """
        if self.base is None or self.base not in evidence.since:
            return None
        subjects = [subject for problem in rejected.problems for subject in problem.about]
        by_others = self._changes_to(subjects, self.base, replica, evidence)
        if not by_others:
            return None
        further = self._clashes(join_text_steps(tx.fitted, tx.text_before), tx, replica, evidence)
        return self._stale(replica, _with(by_others, further), rejected)

    def _stale(
        self, replica: Replica, changes: Sequence[Clash], rejected: BatchRejected | None = None
    ) -> DraftsmithError:
        message = f"What this batch speaks of has changed since revision {self.base}; read again and send anew."
        extra = {"revision": replica.head.revision, "changes": changes[:_TOLD]}
        return DraftsmithError("stale_base", message, rejected.problems if rejected is not None else (), extra)

    def _prepare_answer(self, tx: Transaction, text: str) -> PreparedTransaction:
        """The transaction as it is answered and recorded; `text` is the document before it."""
        steps = tx.steps
        places = places_of(text_step_of(steps), text, tx.outline_before)
        diff = diff_of(steps, places)
        results = [result.to_json() for result in tx.results]
        warnings = [*(warning.to_json() for warning in tx.warnings), *warnings_of(tx.workspace, steps, links_left(tx))]
        record = None
        if not is_nothing(diff) or self.kind == "create":
            what = sentence_of(diff, tx.workspace.diagram, steps) if self.kind != "create" else "Created the workspace"
            record = self._record(what, steps=steps, places=places, results=results, warnings=warnings)
        return PreparedTransaction(
            applied=AppliedSteps(steps), record=record, kind=self.kind, diff=diff, results=results, warnings=warnings,
            asks={} if tx.layouts is None else tx.layouts.asks,
        )  # fmt: skip


def _with(found: list[Clash], further: Iterable[Clash]) -> list[Clash]:
    known = found[:_TOLD]
    return [*known, *(one for one in islice(further, _TOLD) if one not in known)]


def _is_heavy(operation: Any, workspace: Workspace) -> bool:
    match operation.op:
        case "replace_diagram":
            return element_count(workspace) + len(operation.nodes) + len(operation.edges) > ELEMENTS
        case "replace_document":
            return len(workspace.document.text) + len(operation.text) > CHARACTERS
        case "move_nodes":
            return len(operation.positions) > ELEMENTS
        case "layout_diagram":
            return element_count(workspace) > _LAID_OUT
        case "edit_section":
            return len(workspace.document.text) >= _LARGE or has_long_text(workspace)
        case "add_node" | "update_node" | "add_edge" | "update_edge" | "rename_workspace":
            return False
        case "define_type" | "delete_type":
            return element_count(workspace) > ELEMENTS
    return has_long_text(workspace)  # it changes the document, or asks it for links to what is removed


def _read(entries: Sequence[Entry]) -> CommitsSince:
    """Decode entries; while people type, there are thousands of them in an hour."""
    commits = [(entry.revision, decode_record(entry.body).steps) for entry in entries]
    texts = [text.changes for _, steps in commits if (text := text_step_of(steps)) is not None]
    return CommitsSince(commits, one_after_another(texts) if texts else None)
