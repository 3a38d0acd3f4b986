"""Preparing a group of requests in the worker: each is applied in place, and all of it is taken back.

A request that costs more than others may wait for ends the group before it (`Attempt.takes_long`). Not here: who
prepares that one instead (`prepare.deferred_requests`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Draft
from draftsmith.history.record import Record
from draftsmith.history.replica import Replica
from draftsmith.model.work import TRIAL, NeedsMore, TooCostly, Work
from draftsmith.model.workspace import WorkspaceSummary
from draftsmith.ports import KeptAnswer
from draftsmith.usecases.prepare.queue import QueuedRequest
from draftsmith.usecases.requests.costs import too_costly
from draftsmith.usecases.requests.request import PreparedTransaction

_AT_ONCE: Final = TRIAL // 2
"""Units after which no further request is prepared before everybody else had a turn."""


@dataclass(slots=True, eq=False)
class Attempt:
    """A request in one try, and how far it has come.

    Attributes:
        evidence: what it has fetched.
        failure: why it does not fit.
        transaction: what it has become.
        draft, record: what goes into the log; None for a dry run and where nothing changes.
        kept_answer: the answer to be kept, where nothing changes and the request can be repeated.
        takes_long: it costs more than may be spent while everybody waits.
    """

    queued: QueuedRequest
    evidence: Any = None
    failure: DraftsmithError | None = None
    transaction: PreparedTransaction | None = None
    draft: Draft | None = None
    record: Record | None = None
    kept_answer: KeptAnswer | None = None
    takes_long: bool = False

    def take(self, transaction: PreparedTransaction, body: bytes = b"") -> None:
        """Note what the request has become; `body`: of its commit, if it is encoded already."""
        request, self.transaction = self.queued.request, transaction
        if transaction.record is not None and not request.dry_run:
            self.record = transaction.record
            self.draft = request.draft(transaction, transaction.record, body)


def next_requests(waiting: Iterable[QueuedRequest]) -> list[QueuedRequest]:
    """The requests of the next try: those before the first that must run alone, and no transaction id twice."""
    chosen: list[QueuedRequest] = []
    txids: set[str] = set()
    for queued in waiting:
        request = queued.request
        if chosen and (queued.must_run_alone or (request.txid and request.txid in txids)):
            break
        chosen.append(queued)
        txids.add(request.txid)
        if queued.must_run_alone:
            break
    return chosen


def apply_and_take_back(
    attempts: Sequence[Attempt], replica: Replica, *, is_trial: bool
) -> tuple[list[Attempt], WorkspaceSummary]:
    """Apply every request that fits, in place, and take all of it back.

    Nothing here waits, so nobody sees the workspace half way. It ends before a request that takes long, and where those
    so far have spent enough; the rest is for another try.

    Args:
        attempts: what they need is fetched.
        replica: as it is before and after.
        is_trial: whether a request may spend only what everybody else may wait for; else it has its whole budget.

    Returns:
        Those that were tried, and the summary of the state with them.
    """
    tried: list[Attempt] = []
    applied: list[PreparedTransaction] = []
    spent = 0
    for attempt in attempts:
        if attempt.takes_long or spent > _AT_ONCE:
            break
        if attempt.failure is None:
            spent += _apply(attempt, replica, applied, Work(TRIAL, is_trial=True) if is_trial else None)
        if attempt.takes_long:
            break
        tried.append(attempt)
    summary = replica.workspace.summary()
    for transaction in reversed(applied):
        transaction.applied.roll_back(replica.workspace)
    return tried, summary


def _apply(attempt: Attempt, replica: Replica, applied: list[PreparedTransaction], work: Work | None) -> int:
    """Apply one request after those that are applied; the units that it has spent where they are counted."""
    try:
        transaction = attempt.queued.request.prepare(replica, attempt.evidence, applied, work)
    except NeedsMore:
        attempt.takes_long = True
    except TooCostly as error:
        attempt.failure = too_costly(error)
    except DraftsmithError as error:
        attempt.failure = error
    else:
        attempt.take(transaction)
        if attempt.draft is None:
            transaction.applied.roll_back(replica.workspace)
        else:
            applied.append(transaction)
    return 0 if work is None else work.spent
