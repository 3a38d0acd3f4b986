"""The one task per workspace and worker that owns its memory: everything that changes or follows the log happens here.

A group of waiting requests is run in place, taken back, appended by one script, and applied again: at every `await`
memory holds a committed revision and nothing else. Request handlers only wait for a future; cancelling one cancels
nothing here. Lost replies are settled by sending the same transaction ids again. See docs/architecture.md, "A commit".

    READY    take a group → run → take back → append
      Appended  apply again, answer
      Known     follow the log; answer those from their entries; the rest goes round again
      Conflict  follow the log; go round again; after three losses ask for a short lease
      no answer send the same again until the deadline, then 503 `outcome_unknown`; load anew
    FROZEN   an entry cannot be applied: reads at the revision before it, no writes; each request looks again whether
             it is still there
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

import structlog

from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.history.actor import Actor
from draftsmith.history.commit import Draft, Entry, Head, chain_hash, entry_of
from draftsmith.history.replica import Diverged, Poisoned, Replica
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import Appended, AppendOutcome, Clock, CommitLog, Conflict, Gone, Known, Leased
from draftsmith.usecases.commits.answers import answer_to, answer_to_repeat
from draftsmith.usecases.commits.log_reader import FrozenReplica, LogReader, follow, load_or_freeze
from draftsmith.usecases.commits.queue import Answer, Counters, Group, QueuedRequest, next_requests
from draftsmith.usecases.commits.request import Prepared, Request, SyncRequest

T = TypeVar("T")
ReplicaListener = Callable[[Replica | None], None]
_logger: Final = structlog.get_logger("draftsmith.writer")
GROUP = 64
DEADLINE = 10.0  # seconds from the first try until a group is given up
LOSSES_BEFORE_LEASE = 3
LEASE_MS = 250
_LEASE_LOOK = 0.01  # seconds; a lease mostly ends long before its time, with the one append it was for
_READ_TRIES = 3
_NOBODY = Actor("", "", "system")
_BUSY = "Too many others are writing here; nothing was applied. Try again."
_UNKNOWN = "The store did not confirm in time; whether this was applied is unknown. Send the same request again."


class Writer:
    """Owns one workspace's memory on this worker.

    `listener` is told whenever memory has moved along the log or was loaded anew (the replica, which it must neither
    keep waiting nor change), and when it was dropped (None). It is called before the answers of that move are given.
    """

    def __init__(
        self,
        log: CommitLog,
        workspace_id: WorkspaceId,
        worker: str,
        clock: Clock,
        counters: Counters | None = None,
        listener: ReplicaListener | None = None,
    ) -> None:
        self._log, self._workspace_id, self._worker, self._clock, self._listener = (
            log,
            workspace_id,
            worker,
            clock,
            listener,
        )
        self._queue: asyncio.Queue[QueuedRequest] = asyncio.Queue()
        self._replica: Replica | None = None
        self._frozen: Poisoned | None = None
        self._task: asyncio.Task[None] | None = None
        self._moves = 0
        self.counters = counters or Counters()
        self.used_at = clock.monotonic()
        self.entries_since_check = self.bytes_since_check = 0

    # -- what others call --------------------------------------------------------------------------------------------

    async def submit(self, request: Request) -> Answer:
        """Wait for a request to be run and made durable; the answer.

        Cancelling the caller does not cancel the request.

        Raises:
            DraftsmithError: it does not fit, or could not be made durable.
        """
        return await asyncio.shield(self.enqueue(request))

    def enqueue(self, request: Request) -> asyncio.Future[Answer]:
        """Put a request behind those that wait; its answer to come, which is not to be cancelled."""
        self.used_at = self._clock.monotonic()
        ticket = QueuedRequest(request, asyncio.get_running_loop().create_future())
        ticket.future.add_done_callback(_mark_seen)
        self._queue.put_nowait(ticket)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name=f"writer {self._workspace_id}")
        return ticket.future

    async def read(self, reader: Callable[[Replica], T]) -> T:
        """Run a reader on memory that holds at least what the log held when this was called.

        The reader must not wait nor keep what it is given. A frozen workspace is read where it froze.
        """
        return reader(await self._current())

    async def _current(self) -> Replica:
        """The replica, brought up to date."""
        for _ in range(_READ_TRIES):
            await self.refresh()
            # The next group may have dropped it before this reader had its turn.
            if self._replica is not None:
                return self._replica
        raise StorageError("The workspace could not be loaded; try again.")

    async def refresh(self) -> None:
        """Bring memory to where the log ends now, at least."""
        self.used_at = self._clock.monotonic()
        moves = self._moves
        meta = await self._log.meta(self._workspace_id)
        if meta is None:
            raise DraftsmithError("workspace_not_found", "There is no such workspace.")
        if meta.deleted_ms is not None:
            raise DraftsmithError("workspace_deleted", "This workspace is in the trash; undelete it first.")
        if not self._is_as_new(meta.head, moves):
            request = SyncRequest(batch_id="", txid="", fingerprint="", actor=_NOBODY, scope="")
            try:
                await self.submit(request)
            except DraftsmithError as error:
                if error.code != "frozen" or self._replica is None:
                    raise

    def _is_as_new(self, seen: Head, moves: int) -> bool:
        """Whether memory holds at least what the log held when it was asked, `moves` moves ago.

        Memory that is ahead of the log is right only if it moved while the log was asked; else the log has lost its
        tail (a failover), and memory shows what is no longer true.
        """
        own = None if self._replica is None else self._replica.head
        if own is None or own.epoch != seen.epoch:
            return False
        if self._frozen is not None:
            return False
        return own == seen or (own.revision > seen.revision and self._moves != moves)

    async def log_reader(self, *, is_fresh: bool = True) -> tuple[Replica, LogReader]:
        """The replica, brought up to date, and its past; for readers that wait for older entries.

        `is_fresh`: whether the log is asked; else memory is taken as it is, if there is any.
        """
        known = None if is_fresh or self._frozen is not None else self._replica
        replica = known if known is not None else await self._current()
        return replica, LogReader(self._log, self._workspace_id, replica)

    def forget(self) -> None:
        """Drop memory that may be wrong; the log has everything."""
        self._drop()

    @property
    def frozen(self) -> str | None:
        """Why the workspace takes no writes, or None."""
        return None if self._frozen is None else str(self._frozen)

    @property
    def is_idle(self) -> bool:
        """Whether nothing waits and nothing runs."""
        return self._queue.empty() and (self._task is None or self._task.done())

    async def close(self) -> None:
        """Finish what waits."""
        if self._task is not None and not self._task.done():
            await asyncio.wait([self._task], timeout=DEADLINE)

    # -- the task ----------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Serve groups until nothing waits; the next request starts another task."""
        while not self._queue.empty():
            tickets = deque([self._queue.get_nowait()])
            while len(tickets) < GROUP and not self._queue.empty():
                tickets.append(self._queue.get_nowait())
            turn = Group(tickets, self._clock.monotonic() + DEADLINE)
            try:
                await self._serve(turn)
            except DraftsmithError as error:
                self._fail_all(turn, error)
            except asyncio.CancelledError:
                # Only the end of the event loop does this; nobody may be left waiting for what will not come.
                self._give_up(turn, StorageError("The server is stopping; send the same request again."))
                raise
            except Exception as error:  # noqa: BLE001  # a defect, whatever it is, must not leave callers waiting
                # Memory may be half changed, so it is dropped.
                self._drop()
                self._fail_all(turn, error)

    def _fail_all(self, turn: Group, error: Exception) -> None:
        for ticket in turn.waiting:
            ticket.fail(error)

    async def _serve(self, turn: Group) -> None:
        while turn.waiting:
            if self._clock.monotonic() > turn.deadline:
                self._give_up(turn, DraftsmithError("busy", _BUSY))
                return
            try:
                await self._try(turn)
            except StorageError as error:
                await self._wait_or_give_up(turn, error)
            except Diverged:
                self._drop()
                await self._clock.sleep(turn.pause)
            except Poisoned as poisoned:
                self._freeze(poisoned)

    async def _try(self, turn: Group) -> None:
        """One try at the front of the group."""
        replica = await self._ready()
        front = next_requests(turn.waiting)
        if self._frozen is not None:
            if await self._is_still_poisoned(replica):
                await self._refuse_writes(turn, front, replica)
            return
        await self._fetch(front, replica)
        summary = self._prepare(front, replica)
        outcome = await self._append(front, replica, summary)
        await self._after(outcome, turn, front, replica)

    async def _append(
        self, front: Sequence[QueuedRequest], replica: Replica, summary: Mapping[str, Any]
    ) -> AppendOutcome:
        """Send what was prepared; remember what may be in the log although nobody said so."""
        drafts = [ticket.draft for ticket in front if ticket.draft is not None]
        first_sent = [ticket for ticket in front if ticket.draft is not None and not ticket.is_sent]
        for ticket in first_sent:
            ticket.is_sent = True
        try:
            outcome = await self._log.append(self._workspace_id, replica.head, drafts, summary, self._worker)
        except StorageError as error:
            if error.code != "storage_full":
                raise
            # A full store says so after it has looked for known ids and before it writes anything.
            _unsend(first_sent)
            raise
        _unsend(first_sent)
        return outcome

    async def _ready(self) -> Replica:
        if self._replica is None:
            self.counters.reloads += 1
            self._frozen = None
            try:
                self._replica = await load_or_freeze(self._log, self._workspace_id)
            except FrozenReplica as frozen:
                self._replica, self._frozen = frozen.replica, frozen.poisoned
            self._tell()
        return self._replica

    def _drop(self) -> None:
        self._replica = None
        self._tell()

    def _tell(self) -> None:
        """Tell whoever follows; a defect there is none of a commit."""
        if self._listener is None:
            return
        try:
            self._listener(self._replica)
        except Exception:  # whatever it is, the commit is durable and its caller waits
            _logger.exception("listener_failed", workspace=self._workspace_id)

    def _freeze(self, poisoned: Poisoned) -> None:
        self._frozen = poisoned

    async def _is_still_poisoned(self, replica: Replica) -> bool:
        """Look again: a repair, a newer epoch or a failover may have taken the bad entry away. If so, load anew."""
        meta = await self._log.meta(self._workspace_id)
        if meta is not None and meta.head.epoch == replica.head.epoch:
            revision = replica.head.revision
            try:
                for entry in await self._log.entries(self._workspace_id, revision, revision + 1, 1):
                    replica.advance(entry)
            except Poisoned as poisoned:
                self._freeze(poisoned)
                return True
        self._drop()
        return False

    async def _refuse_writes(self, turn: Group, front: Sequence[QueuedRequest], replica: Replica) -> None:
        """Refuse everything but repeats of what is in the log."""
        for ticket in front:
            ticket.failure = self._frozen_error()
            await self._settle_unmade(ticket, replica.head.revision)
            turn.waiting.remove(ticket)

    def _frozen_error(self) -> DraftsmithError:
        reason = self._frozen or "an entry of its log cannot be read"
        return DraftsmithError("frozen", f"This workspace is read only: {reason}. Run `draftsmith recover`.")

    async def _fetch(self, front: Sequence[QueuedRequest], replica: Replica) -> None:
        past = LogReader(self._log, self._workspace_id, replica)
        for ticket in front:
            ticket.failure = None
            try:
                await ticket.request.fetch(replica, past)
            except StorageError:
                raise
            except DraftsmithError as error:
                ticket.failure = error

    def _prepare(self, front: Sequence[QueuedRequest], replica: Replica) -> dict[str, Any]:
        """Run every request in place and take all of it back; the summary of the state in between.

        Nothing here waits, so nobody sees the workspace half way.
        """
        revision = replica.head.revision
        applied: list[Prepared] = []
        for ticket in front:
            ticket.prepared = ticket.draft = None
            if ticket.failure is not None:
                continue
            request = ticket.request
            request.stand_behind(applied)
            try:
                prepared = request.prepare(replica, revision + 1)
            except DraftsmithError as error:
                ticket.failure = error
                continue
            ticket.prepared = prepared
            if request.dry_run or prepared.record is None:
                prepared.take_back(replica.workspace)
                continue
            ticket.draft = request.draft(prepared, prepared.record)
            applied.append(prepared)
            revision += 1
        summary = replica.workspace.summary()
        for prepared in reversed(applied):
            prepared.take_back(replica.workspace)
        return summary

    async def _after(
        self, outcome: AppendOutcome, turn: Group, front: Sequence[QueuedRequest], replica: Replica
    ) -> None:
        match outcome:
            case Appended():
                await self._appended(outcome, turn, front, replica)
            case Known():
                self.counters.repeats += len(outcome.known)
                await self._known(outcome, turn, replica)
            case Conflict():
                self.counters.conflicts += 1
                await self._conflict(outcome, turn, replica)
            case Leased():
                await self._clock.sleep(min(outcome.ttl_ms / 1000, _LEASE_LOOK))
            case Gone():
                self._drop()
                code = "workspace_deleted" if outcome.reason == "deleted" else "workspace_not_found"
                message = "This workspace is in the trash; undelete it first."
                raise DraftsmithError(code, message if code == "workspace_deleted" else "There is no such workspace.")

    async def _appended(self, outcome: Appended, turn: Group, front: Sequence[QueuedRequest], replica: Replica) -> None:
        """Apply again what is durable now, and answer everybody of this try."""
        has_moved = any(ticket.draft is not None for ticket in front)
        self.counters.groups += has_moved
        for ticket in front:
            prepared = ticket.prepared
            if ticket.draft is None or prepared is None or prepared.record is None:
                continue
            turn.waiting.remove(ticket)
            entry = _next_entry(replica.head, ticket.draft, outcome.ms)
            for step in prepared.steps:
                step.write(replica.workspace)
            replica.settle(entry, prepared.record)
            self._moves += 1
            self.counters.commits += 1
            self.entries_since_check += 1
            self.bytes_since_check += len(entry.body)
            changed = bool(prepared.steps) or prepared.kind in ("create", "checkpoint")
            ticket.settle(answer_to(ticket.request, prepared, entry.revision, changed=changed))
        if replica.head != outcome.head:
            self._drop()  # memory and log disagree on the hash, so memory goes
        elif has_moved:
            self._tell()
        for ticket in front:
            if ticket in turn.waiting:
                await self._settle_unmade(ticket, replica.head.revision)
                turn.waiting.remove(ticket)

    async def _settle_unmade(self, ticket: QueuedRequest, revision: int) -> None:
        """Answer a request that made no commit now; if it made one before, that one is its answer.

        A repeat may well not fit any more (its node is there already), so the id decides, not the fit.
        """
        request, prepared = ticket.request, ticket.prepared
        if request.txid and not request.dry_run:
            known = await self._log.find(self._workspace_id, request.txid)
            if known is not None:
                self.counters.repeats += 1
                await self._answer_known(ticket, known)
                return
        if ticket.failure is not None or prepared is None:
            ticket.fail(ticket.failure or DraftsmithError("internal", "The request was not run."))
            return
        changed = request.dry_run and bool(prepared.steps)
        ticket.settle(answer_to(request, prepared, revision, changed=changed, dry_run=request.dry_run))

    async def _answer_known(self, ticket: QueuedRequest, revision: int) -> None:
        """Answer from the entry that a transaction id became."""
        found = await self._log.entries(self._workspace_id, revision - 1, revision, 1)
        if not found:
            ticket.fail(DraftsmithError("trimmed", "This request was carried out, longer ago than is kept."))
        elif found[0].fingerprint != ticket.request.fingerprint:
            ticket.fail(key_reused())
        else:
            try:
                ticket.settle(answer_to_repeat(ticket.request, found[0]))
            except ValueError:  # a newer release has carried it out
                ticket.fail(self._frozen_error())

    async def _known(self, outcome: Known, turn: Group, replica: Replica) -> None:
        """Some ids are in the log already: answer those from their entries."""
        await self._follow(replica, outcome.head)
        for ticket in list(turn.waiting):
            revision = outcome.known.get(ticket.request.txid)
            if revision is None or ticket.draft is None:
                continue
            await self._answer_known(ticket, revision)
            turn.waiting.remove(ticket)

    async def _conflict(self, outcome: Conflict, turn: Group, replica: Replica) -> None:
        if outcome.head.epoch != replica.head.epoch or outcome.head.revision < replica.head.revision:
            self._drop()
            return
        await self._follow(replica, outcome.head, outcome.missed)
        turn.losses += 1
        if turn.losses >= LOSSES_BEFORE_LEASE and any(ticket.draft is not None for ticket in turn.waiting):
            await self._log.lease(self._workspace_id, self._worker, LEASE_MS)

    async def _follow(self, replica: Replica, head: Head, missed: Sequence[Entry] = ()) -> None:
        """Advance along the log, first by those entries that are known already."""
        before = replica.head
        try:
            for entry in missed:
                if entry.revision == replica.head.revision + 1:
                    replica.advance(entry)
            await follow(self._log, self._workspace_id, replica, head.revision)
        finally:
            if replica.head != before:
                self._tell()
        if replica.head.revision == head.revision and replica.head != head:
            raise Diverged("same revision, another history")

    async def _wait_or_give_up(self, turn: Group, error: StorageError) -> None:
        if error.code == "storage_full":
            # It will not pass by itself, so nobody is kept waiting for it.
            for ticket in [ticket for ticket in turn.waiting if not ticket.is_sent]:
                ticket.fail(error)
                turn.waiting.remove(ticket)
        if self._clock.monotonic() + turn.pause > turn.deadline:
            self._give_up(turn, error)
            return
        await self._clock.sleep(turn.pause)
        turn.pause = min(turn.pause * 2, 0.5)

    def _give_up(self, turn: Group, error: DraftsmithError) -> None:
        """Stop trying: those that may be in the log are told so, each with its own id to send again."""
        self._drop()
        for ticket in turn.waiting:
            if ticket.is_sent:
                self.counters.unknown += 1
                extra = {"batch_id": ticket.request.batch_id}
                ticket.fail(DraftsmithError("outcome_unknown", _UNKNOWN, extra=extra))
            else:
                ticket.fail(error)
        turn.waiting.clear()


def _unsend(tickets: Sequence[QueuedRequest]) -> None:
    """An answer has come: it says what became of them."""
    for ticket in tickets:
        ticket.is_sent = False


def _mark_seen(future: asyncio.Future[Answer]) -> None:
    """A refusal that nobody waits for any more is no defect."""
    if not future.cancelled():
        future.exception()


def key_reused() -> DraftsmithError:
    """The refusal of another request under a known id."""
    message = "This id or Idempotency-Key was used for another request; take a new one."
    return DraftsmithError("key_reused", message)


def _next_entry(head: Head, draft: Draft, ms: int) -> Entry:
    return entry_of(draft, head.revision + 1, chain_hash(head.chain, draft), ms)
