"""The write path: a group of requests becomes entries of the log, and everybody gets an answer.

Read from `GroupCommit._try` down: fetch → check and apply → take back → append → publish. The requests are applied in
place, taken back, appended by one script, and applied again, so at every `await` memory holds a confirmed revision and
nothing else. Lost replies are settled by sending the same transaction ids again. See docs/architecture.md, "A commit".

    READY    choose requests → fetch → apply → take back → append
      Appended  apply again, tell the listener, answer
      Known     follow the log; answer those from their entries; the rest is tried again
      Conflict  follow the log; try again; after three conflicts ask for a short lease
      Leased    wait for the lease of another worker; try again
      no answer send the same again until the deadline, then 503 `outcome_unknown`; load anew
    FROZEN   an entry cannot be applied: reads at the revision before it, no writes; each request looks again whether
             it is still there
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.history.commit import Entry, Head, chain_hash, entry_of
from draftsmith.history.replica import CorruptEntry, LogDiverged, Replica
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import Appended, AppendOutcome, Conflict, Gone, KeptAnswer, Known, Leased
from draftsmith.usecases.commits.answers import answer_to, answer_to_keep, answer_to_repeat
from draftsmith.usecases.commits.dependencies import WriterDependencies
from draftsmith.usecases.commits.local_replica import LocalReplica
from draftsmith.usecases.commits.log_reader import LogReader
from draftsmith.usecases.commits.queue import Attempt, QueuedRequest, next_requests
from draftsmith.usecases.commits.request import Prepared

DEADLINE = 10.0  # seconds from the first try until a group is given up
CONFLICTS_BEFORE_LEASE = 3
LEASE_MS = 250
_LEASE_POLL = 0.01  # seconds; a lease mostly ends long before its time, with the one append it was for
_FIRST_PAUSE, _LONGEST_PAUSE = 0.01, 0.5  # seconds between two tries while the store does not answer
_BUSY = "Too many others are writing here; nothing was applied. Try again."
_UNKNOWN = "The store did not confirm in time; whether this was applied is unknown. Send the same request again."


class GroupCommit:
    """One group of requests on its way into the log, over all its tries."""

    def __init__(
        self,
        dependencies: WriterDependencies,
        workspace_id: WorkspaceId,
        local: LocalReplica,
        waiting: Sequence[QueuedRequest],
    ) -> None:
        self._log, self._clock = dependencies.log, dependencies.clock
        self._worker, self._counters = dependencies.worker, dependencies.counters
        self._workspace_id, self._local = workspace_id, local
        self._waiting = deque(waiting)
        self._deadline = self._clock.monotonic() + DEADLINE
        self._pause = _FIRST_PAUSE
        self._conflicts = 0

    async def run(self) -> None:
        """Try until every request has its answer or the deadline has passed.

        Raises:
            DraftsmithError: nobody of this group can write (the workspace is gone); `fail_all` is for the caller.
        """
        while self._waiting:
            if self._clock.monotonic() > self._deadline:
                self.give_up(DraftsmithError("busy", _BUSY))
                return
            try:
                await self._try()
            except StorageError as error:
                await self._wait_or_give_up(error)
            except LogDiverged:
                self._local.drop()
                await self._clock.sleep(self._pause)
            except CorruptEntry as corrupt:
                self._local.freeze(corrupt)

    async def _try(self) -> None:
        """Commit the first requests that wait."""
        replica = await self._local.ready()
        attempts = [Attempt(queued) for queued in next_requests(self._waiting)]
        if self._local.corrupt is not None:
            if await self._local.is_still_frozen(replica):
                await self._refuse_writes(attempts, replica)
            return
        await self._fetch(attempts, replica)
        summary = self._apply_and_take_back(attempts, replica)
        outcome = await self._append(attempts, replica.head, summary)
        await self._publish(outcome, attempts, replica)

    # -- fetch, check, apply -----------------------------------------------------------------------------------------

    async def _fetch(self, attempts: Sequence[Attempt], replica: Replica) -> None:
        log = LogReader(self._log, self._workspace_id, replica)
        for attempt in attempts:
            try:
                attempt.evidence = await attempt.queued.request.fetch(replica, log)
            except StorageError:
                raise
            except DraftsmithError as error:
                attempt.failure = error

    def _apply_and_take_back(self, attempts: Sequence[Attempt], replica: Replica) -> dict[str, Any]:
        """Apply every request that fits, in place, and take all of it back; the summary of the state in between.

        Nothing here waits, so nobody sees the workspace half way.
        """
        applied: list[Prepared] = []
        for attempt in attempts:
            if attempt.failure is not None:
                continue
            request = attempt.queued.request
            try:
                attempt.prepared = prepared = request.prepare(replica, attempt.evidence, applied)
            except DraftsmithError as error:
                attempt.failure = error
                continue
            if request.dry_run or prepared.record is None:
                prepared.applied.roll_back(replica.workspace)
                continue
            attempt.record, attempt.draft = prepared.record, request.draft(prepared, prepared.record)
            applied.append(prepared)
        summary = replica.workspace.summary()
        for prepared in reversed(applied):
            prepared.applied.roll_back(replica.workspace)
        return summary

    # -- commit ------------------------------------------------------------------------------------------------------

    async def _append(self, attempts: Sequence[Attempt], head: Head, summary: Mapping[str, Any]) -> AppendOutcome:
        """Send the drafts; those sent for the first time are marked until the log has said what became of them.

        Answers that change nothing are kept in the same step, as durable as commits.
        """
        drafts = [attempt.draft for attempt in attempts if attempt.draft is not None]
        for one in attempts:
            if one.prepared is not None and one.draft is None and one.queued.request.can_repeat:
                one.kept = answer_to_keep(one.queued.request, one.prepared, head.revision + len(drafts))
        kept = [attempt.kept for attempt in attempts if attempt.kept is not None]
        sent = [one.queued for one in attempts if one.draft is not None and not one.queued.is_sent]
        _mark_sent(sent, is_sent=True)
        try:
            outcome = await self._log.append(self._workspace_id, head, drafts, summary, self._worker, kept)
        except StorageError as error:
            if error.code == "storage_full":  # said after known ids were looked for and before anything is written
                _mark_sent(sent, is_sent=False)
            raise
        _mark_sent(sent, is_sent=False)
        return outcome

    # -- publish -----------------------------------------------------------------------------------------------------

    async def _publish(self, outcome: AppendOutcome, attempts: Sequence[Attempt], replica: Replica) -> None:
        match outcome:
            case Appended():
                await self._appended(outcome, attempts, replica)
            case Known():
                self._counters.repeats += len(outcome.known) + len(outcome.answers)
                await self._known(outcome, attempts, replica)
            case Conflict():
                self._counters.conflicts += 1
                await self._conflict(outcome, attempts, replica)
            case Leased():
                await self._clock.sleep(min(outcome.ttl_ms / 1000, _LEASE_POLL))
            case Gone():
                self._local.drop()
                if outcome.reason == "deleted":
                    raise DraftsmithError("workspace_deleted", "This workspace is in the trash; undelete it first.")
                raise DraftsmithError("workspace_not_found", "There is no such workspace.")

    async def _appended(self, outcome: Appended, attempts: Sequence[Attempt], replica: Replica) -> None:
        """Apply again what is durable now, tell the listener, and answer everybody of this try."""
        has_moved = any(attempt.draft is not None for attempt in attempts)
        self._counters.groups += has_moved
        for attempt in attempts:
            queued, prepared, draft, record = attempt.queued, attempt.prepared, attempt.draft, attempt.record
            if prepared is None or draft is None or record is None:
                continue
            self._waiting.remove(queued)
            head = replica.head
            entry = entry_of(draft, head.revision + 1, chain_hash(head.chain, draft), outcome.ms)
            self._local.commit(replica, prepared.applied, entry, record)
            changed = bool(prepared.steps) or prepared.kind in ("create", "checkpoint")
            queued.answer(answer_to(queued.request, prepared, entry.revision, changed=changed))
        if replica.head != outcome.head:
            self._local.drop()  # memory and log disagree on the hash
        elif has_moved:
            self._local.notify()
        for attempt in attempts:
            if attempt.queued in self._waiting:
                await self._answer_uncommitted(attempt, replica.head.revision)
                self._waiting.remove(attempt.queued)

    async def _known(self, outcome: Known, attempts: Sequence[Attempt], replica: Replica) -> None:
        """Some ids are in the log already, or their answers are kept: answer those from there."""
        await self._local.follow(replica, outcome.head)
        for attempt in attempts:
            txid = attempt.queued.request.txid
            made = outcome.known.get(txid) or outcome.answers.get(txid)
            if made is not None and (attempt.draft is not None or attempt.kept is not None):
                await self._answer_repeat(attempt.queued, made)
                self._waiting.remove(attempt.queued)

    async def _conflict(self, outcome: Conflict, attempts: Sequence[Attempt], replica: Replica) -> None:
        """Another worker was first: follow the log."""
        if outcome.head.epoch != replica.head.epoch or outcome.head.revision < replica.head.revision:
            self._local.drop()
            return
        await self._local.follow(replica, outcome.head, outcome.missed)
        self._conflicts += 1
        if self._conflicts >= CONFLICTS_BEFORE_LEASE and any(attempt.draft is not None for attempt in attempts):
            await self._log.lease(self._workspace_id, self._worker, LEASE_MS)

    # -- answers without a commit of this try ------------------------------------------------------------------------

    async def _refuse_writes(self, attempts: Sequence[Attempt], replica: Replica) -> None:
        """Refuse everything but repeats of what is in the log."""
        for attempt in attempts:
            attempt.failure = self._local.frozen_error()
            await self._answer_uncommitted(attempt, replica.head.revision)
            self._waiting.remove(attempt.queued)

    async def _answer_uncommitted(self, attempt: Attempt, revision: int) -> None:
        """Answer a request that made no commit now; if it was run before, what came of that is its answer.

        A repeat may well not fit any more (its node is there already), so the id decides, not the fit.
        """
        queued, prepared = attempt.queued, attempt.prepared
        request = queued.request
        if request.txid and not request.dry_run and attempt.kept is None:  # the append has looked for those kept
            made = await self._log.find(self._workspace_id, request.txid) or (
                await self._log.find_answer(self._workspace_id, request.txid) if request.can_repeat else None
            )
            if made is not None:
                self._counters.repeats += 1
                await self._answer_repeat(queued, made)
                return
        if attempt.failure is not None or prepared is None:
            queued.fail(attempt.failure or DraftsmithError("internal", "The request was not run."))
            return
        changed = request.dry_run and bool(prepared.steps)
        queued.answer(answer_to(request, prepared, revision, changed=changed, dry_run=request.dry_run))

    async def _answer_repeat(self, queued: QueuedRequest, made: int | KeptAnswer) -> None:
        """Answer from the entry that a transaction id became, or from the answer that was kept."""
        found: Sequence[Entry | KeptAnswer] = (
            [made] if isinstance(made, KeptAnswer) else await self._log.entries(self._workspace_id, made - 1, made, 1)
        )
        try:
            if not found:
                raise DraftsmithError("trimmed", "This request was carried out, longer ago than is kept.")
            queued.answer(answer_to_repeat(queued.request, found[0]))
        except DraftsmithError as error:
            queued.fail(error)
        except ValueError:  # a newer release has carried it out
            queued.fail(self._local.frozen_error())

    async def _wait_or_give_up(self, error: StorageError) -> None:
        if error.code == "storage_full":
            # It will not pass by itself, so nobody is kept waiting for it.
            for queued in [queued for queued in self._waiting if not queued.is_sent]:
                queued.fail(error)
                self._waiting.remove(queued)
        if self._clock.monotonic() + self._pause > self._deadline:
            self.give_up(error)
            return
        await self._clock.sleep(self._pause)
        self._pause = min(self._pause * 2, _LONGEST_PAUSE)

    def give_up(self, error: DraftsmithError) -> None:
        """Stop trying: those that may be in the log are told so, each with its own id to send again."""
        self._local.drop()
        for queued in self._waiting:
            if queued.is_sent:
                self._counters.unknown += 1
                extra = {"batch_id": queued.request.batch_id}
                queued.fail(DraftsmithError("outcome_unknown", _UNKNOWN, extra=extra))
            else:
                queued.fail(error)
        self._waiting.clear()

    def fail_all(self, error: Exception) -> None:
        """Refuse everybody who still waits."""
        for queued in self._waiting:
            queued.fail(error)


def _mark_sent(requests: Sequence[QueuedRequest], *, is_sent: bool) -> None:
    for queued in requests:
        queued.is_sent = is_sent
