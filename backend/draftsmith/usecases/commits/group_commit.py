"""The write path: commit a group of requests as entries of the log, and answer each of them.

Read from `GroupCommit._try` down: fetch → check and apply → take back → append → publish. A request is *ready* or
*prepared*. One that is ready is applied in place and taken back; one that was prepared for a head is taken as it is if
that is the head here. They are appended by one script and applied again, so at every `await` memory holds a confirmed
revision and nothing else. A ready request that takes long, and a prepared one that is for another head, end the group:
it and those after it are given back. Lost replies are settled by sending the same transaction ids again. See
docs/architecture.md, "A write, file by file".

    READY    choose requests → fetch → apply → take back → append
      AppendSuccess          apply again, tell the listener, answer
      ClaimedElsewhere       the page sends those again over another connection: drop them; the rest is tried again
      DuplicateTransactions  follow the log; answer those from their entries; the rest is tried again
      Conflict               follow the log; try again; after three conflicts ask for a short lease
      LeaseHeld              wait for the lease of another worker; try again
      no answer              send the same again until the deadline, then 503 `outcome_unknown`; load anew
    FROZEN   an entry cannot be applied: reads at the revision before it, no writes; each request looks again whether
             it is still there

Not here: which requests are a group (`writer`), and who prepares those that take long (`prepare`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any

from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.history.commit import Head, chain_hash, entry_of
from draftsmith.history.replica import CorruptEntry, LogDiverged, Replica
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.work import NeedsMore
from draftsmith.model.workspace import WorkspaceSummary
from draftsmith.ports import (
    AppendOutcome,
    AppendSuccess,
    ClaimedElsewhere,
    Conflict,
    DuplicateTransactions,
    LeaseHeld,
    WorkspaceGone,
)
from draftsmith.usecases.commits.answers import UncommittedAnswers, answer_to, answer_to_keep
from draftsmith.usecases.commits.attempts import Attempt, apply_and_take_back, next_requests
from draftsmith.usecases.prepare.queue import QueuedRequest
from draftsmith.usecases.replicas.dependencies import WriterDependencies
from draftsmith.usecases.replicas.local_replica import LocalReplica
from draftsmith.usecases.replicas.log_reader import LogReader
from draftsmith.usecases.requests.costs import COMMITS
from draftsmith.usecases.requests.request import PreparedRequest, Request

DEADLINE = 10.0  # seconds for which the store may be silent until a group is given up
CONFLICTS_BEFORE_LEASE = 3
MOST_DIVERGED = 100  # times that memory was read anew because the log says otherwise
LEASE_MS = 250
_LEASE_POLL = 0.01  # seconds; a lease mostly ends long before its time, with the one append it was for
_FIRST_PAUSE, _LONGEST_PAUSE = 0.01, 0.5  # seconds between two tries while the store does not answer
_NOT_DONE = ("storage_full", "store_emptied")  # refusals of the store that say that nothing was done
_CLAIMED = "This write is sent again over another connection, and carried out from there."
_BUSY = "The log changes otherwise than by commits, as in a recovery; nothing was applied. Try again."

TakesLong = Callable[[Request[Any], Replica], bool]
"""Whether a request is known, without a try, to take long on a state."""


class GroupCommit:
    """One group of requests on its way into the log, over all its tries."""

    def __init__(
        self,
        dependencies: WriterDependencies,
        workspace_id: WorkspaceId,
        local: LocalReplica,
        waiting: Sequence[QueuedRequest],
        takes_long: TakesLong | None = None,
    ) -> None:
        """Begin nothing yet.

        Args:
            dependencies: of the writer.
            workspace_id: which workspace it writes.
            local: what it holds of the workspace.
            waiting: the group, in order.
            takes_long: which requests end the group; None if all are prepared here, whatever they cost.
        """
        self._log, self._clock = dependencies.log, dependencies.clock
        self._worker, self._counters = dependencies.worker, dependencies.counters
        self._workspace_id, self._local = workspace_id, local
        self._waiting = deque(waiting)
        self._takes_long = takes_long
        self._unready: QueuedRequest | None = None  # it ends the group
        self._uncommitted = UncommittedAnswers(dependencies, workspace_id, local)
        self._pause = _FIRST_PAUSE
        self._conflicts = 0
        self._deadline: float | None = None  # while the store is away
        self._diverged = 0

    async def run(self) -> Sequence[QueuedRequest]:
        """Try until every request of the group has its answer, or the store has been silent for too long.

        Returns:
            Those that are given back, in order: the first is to be prepared, or to be prepared for another head.

        Raises:
            DraftsmithError: nobody of this group can write (the workspace is gone); `fail_all` is for the caller.
        """
        while self._waiting and self._waiting[0] is not self._unready:
            began = self._clock.monotonic()
            try:
                await self._try()
                self._deadline = None
            except StorageError as error:
                self._deadline = self._deadline or began + DEADLINE
                await self._wait_or_give_up(error, self._deadline)
            except LogDiverged:
                self._local.drop()
                self._diverged += 1
                if self._diverged > MOST_DIVERGED:
                    self.give_up(DraftsmithError("busy", _BUSY))
                await self._clock.sleep(self._pause)
            except CorruptEntry as corrupt:
                self._local.freeze(corrupt)
        return list(self._waiting)

    async def _try(self) -> None:
        """Commit the first requests that wait."""
        replica = await self._local.ready()
        group = takewhile(lambda queued: queued is not self._unready, self._waiting)
        attempts = [Attempt(queued) for queued in next_requests(group)]
        if self._local.corrupt is not None:
            if await self._local.is_still_frozen(replica):
                await self._refuse_writes(attempts, replica)
            return
        prepared = attempts[0].queued.prepared
        if prepared is not None:
            summary = await self._take_over(attempts[0], prepared, replica)
        else:
            await self._fetch(attempts, replica)
            tried, summary = apply_and_take_back(attempts, replica, is_trial=self._takes_long is not None)
            self._unready = next((one.queued for one in attempts if one.takes_long), self._unready)
            attempts = tried
        if summary is None or not attempts:
            return
        outcome = await self._append(attempts, replica.head, summary)
        await self._publish(outcome, attempts, replica)

    # -- ready -------------------------------------------------------------------------------------------------------

    async def _fetch(self, attempts: Sequence[Attempt], replica: Replica) -> None:
        most = None if self._takes_long is None else COMMITS
        for attempt in attempts:
            request = attempt.queued.request
            if attempt.queued.is_known:
                attempt.failure = DraftsmithError("busy", _BUSY)  # not said: its answer is in the log
                continue
            if self._takes_long is not None and self._takes_long(request, replica):
                attempt.takes_long = True
                return
            try:
                log = LogReader(self._log, self._workspace_id, replica, most)
                attempt.evidence = await request.fetch(replica, log)
            except NeedsMore:
                attempt.takes_long = True
                return
            except StorageError:
                raise
            except DraftsmithError as error:
                attempt.failure = error

    # -- prepared ----------------------------------------------------------------------------------------------------

    async def _take_over(
        self, attempt: Attempt, prepared: PreparedRequest, replica: Replica
    ) -> WorkspaceSummary | None:
        """Take what was prepared; the summary of the state with it, None if it is for another head.

        Where the heads differ memory is brought to where the log ends: either may be behind, or what the log has lost.
        """
        if prepared.head != replica.head:
            await self._local.catch_up(replica)
        if prepared.head != replica.head:
            self._unready = attempt.queued
            return None
        if prepared.failure is not None:
            attempt.failure = prepared.failure
            return replica.workspace.summary()
        attempt.take(prepared.transaction, prepared.body)
        return prepared.summary

    # -- commit ------------------------------------------------------------------------------------------------------

    async def _append(self, attempts: Sequence[Attempt], head: Head, summary: WorkspaceSummary) -> AppendOutcome:
        """Send the drafts; those sent for the first time are marked until the log has said what became of them.

        Answers that change nothing are kept in the same step, as durable as commits.
        """
        drafts = [attempt.draft for attempt in attempts if attempt.draft is not None]
        authors = [attempt.queued.request.actor for attempt in attempts if attempt.draft is not None]
        if authors:
            summary = {**summary, "changed_by": authors[-1].name}
        for one in attempts:
            if one.transaction is not None and one.draft is None and one.queued.request.can_repeat:
                one.kept_answer = answer_to_keep(one.queued.request, one.transaction, head.revision + len(drafts))
        kept = [attempt.kept_answer for attempt in attempts if attempt.kept_answer is not None]
        sent = [one.queued for one in attempts if one.draft is not None and not one.queued.is_sent]
        _mark_sent(sent, is_sent=True)
        try:
            outcome = await self._log.append(
                self._workspace_id, head, drafts, summary, self._worker, kept, _connections(attempts)
            )
        except StorageError as error:
            if error.code in _NOT_DONE:  # said after known ids were looked for and before anything is written
                _mark_sent(sent, is_sent=False)
            raise
        _mark_sent(sent, is_sent=False)
        return outcome

    # -- publish -----------------------------------------------------------------------------------------------------

    async def _publish(self, outcome: AppendOutcome, attempts: Sequence[Attempt], replica: Replica) -> None:
        match outcome:
            case AppendSuccess():
                await self._on_appended(outcome, attempts, replica)
            case DuplicateTransactions():
                self._counters.repeats += len(outcome.known) + len(outcome.answers)
                await self._answer_known(outcome, attempts, replica)
            case ClaimedElsewhere():
                self._drop_claimed(outcome, attempts)
            case Conflict():
                self._counters.conflicts += 1
                await self._conflict(outcome, attempts, replica)
            case LeaseHeld():
                await self._clock.sleep(min(outcome.ttl_ms / 1000, _LEASE_POLL))
            case WorkspaceGone():
                self._local.drop()
                if outcome.reason == "deleted":
                    raise DraftsmithError("workspace_deleted", "This workspace is in the trash; undelete it first.")
                raise DraftsmithError("workspace_not_found", "There is no such workspace.")

    async def _on_appended(self, outcome: AppendSuccess, attempts: Sequence[Attempt], replica: Replica) -> None:
        """Apply again what is durable now, tell the listener, and answer everybody of this try."""
        has_moved = any(attempt.draft is not None for attempt in attempts)
        self._counters.groups += has_moved
        for attempt in attempts:
            queued, transaction, draft, record = attempt.queued, attempt.transaction, attempt.draft, attempt.record
            if transaction is None or draft is None or record is None:
                continue
            self._waiting.remove(queued)
            head = replica.head
            entry = entry_of(draft, head.revision + 1, chain_hash(head.chain, draft), outcome.ms)
            self._local.commit(replica, transaction.applied, entry, record)
            changed = bool(transaction.steps) or transaction.kind in ("create", "checkpoint")
            queued.answer(answer_to(queued.request, transaction, entry.revision, changed=changed))
        if replica.head != outcome.head:
            self._local.drop()  # memory and log disagree on the hash
        elif has_moved:
            self._local.notify()
        for attempt in attempts:
            if attempt.queued in self._waiting:
                await self._uncommitted.answer(attempt, replica.head.revision)
                self._waiting.remove(attempt.queued)

    async def _answer_known(
        self, outcome: DuplicateTransactions, attempts: Sequence[Attempt], replica: Replica
    ) -> None:
        """Some ids are in the log already, or their answers are kept: answer those from there."""
        await self._local.follow(replica, outcome.head)
        for attempt in attempts:
            txid = attempt.queued.request.txid
            made = outcome.known.get(txid) or outcome.answers.get(txid)
            if made is not None and (attempt.draft is not None or attempt.kept_answer is not None):
                await self._uncommitted.answer_repeat(attempt.queued, made)
                self._waiting.remove(attempt.queued)

    def _drop_claimed(self, outcome: ClaimedElsewhere, attempts: Sequence[Attempt]) -> None:
        """Drop writes whose page has another connection now: what it is told over that one is what holds."""
        for attempt in attempts:
            if attempt.queued.request.txid in outcome.txids:
                attempt.queued.fail(DraftsmithError("claimed_elsewhere", _CLAIMED))
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
            await self._uncommitted.answer(attempt, replica.head.revision)
            self._waiting.remove(attempt.queued)

    async def _wait_or_give_up(self, error: StorageError, deadline: float) -> None:
        if error.code in _NOT_DONE:
            # It will not pass by itself, so nobody is kept waiting for it.
            for queued in [queued for queued in self._waiting if not queued.is_sent]:
                queued.fail(error)
                self._waiting.remove(queued)
        if self._clock.monotonic() + self._pause > deadline:
            self.give_up(error, keeps_memory=True)
            return
        await self._clock.sleep(self._pause)
        self._pause = min(self._pause * 2, _LONGEST_PAUSE)

    def give_up(self, error: DraftsmithError, *, keeps_memory: bool = False) -> None:
        """Stop trying; a request whose commit may be in the log is answered with its id, to be sent again under it.

        Memory is kept where it is known to hold what the log had, for readers while the store is away.
        """
        if not keeps_memory:
            self._local.drop()
        for queued in self._waiting:
            self._counters.unknown += queued.is_sent
            queued.give_up(error)
        self._waiting.clear()

    def fail_all(self, error: Exception) -> None:
        """Answer every waiting request with the error."""
        for queued in self._waiting:
            queued.fail(error)


def _connections(attempts: Sequence[Attempt]) -> dict[str, str]:
    """The connections over which pages have sent these writes, by transaction id."""
    requests = (attempt.queued.request for attempt in attempts)
    return {request.txid: request.connection for request in requests if request.connection}


def _mark_sent(requests: Sequence[QueuedRequest], *, is_sent: bool) -> None:
    for queued in requests:
        queued.is_sent = is_sent
