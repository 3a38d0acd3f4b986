"""Preparing a group of requests: each is applied in place, and all of it is taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from draftsmith.errors import DraftsmithError
from draftsmith.history.replica import Replica
from draftsmith.model.work import TRIAL, NeedsMore, TooCostly
from draftsmith.model.workspace import WorkspaceSummary
from draftsmith.usecases.prepare.deferred_requests import DeferredRequests
from draftsmith.usecases.prepare.queue import Attempt
from draftsmith.usecases.requests.costs import too_costly
from draftsmith.usecases.requests.request import PreparedTransaction

_AT_ONCE: Final = TRIAL // 2
"""Units after which no further request is prepared before everybody else had a turn."""


def apply_and_take_back(
    attempts: Sequence[Attempt], replica: Replica, deferred: DeferredRequests
) -> tuple[list[Attempt], WorkspaceSummary]:
    """Apply every request that fits, in place, and take all of it back.

    Nothing here waits, so nobody sees the workspace half way. It ends before a request that needs more than may be
    spent here (`Attempt.needs_more`), and where those so far have spent enough; the rest is for another try.

    Returns:
        Those that were tried, and the summary of the state with them.
    """
    tried: list[Attempt] = []
    applied: list[PreparedTransaction] = []
    spent = 0
    for attempt in attempts:
        if attempt.needs_more or spent > _AT_ONCE:
            break
        if attempt.failure is None:
            spent += _apply(attempt, replica, applied, deferred)
        if attempt.needs_more:
            break
        tried.append(attempt)
    summary = replica.workspace.summary()
    for prepared in reversed(applied):
        prepared.applied.roll_back(replica.workspace)
    return tried, summary


def _apply(attempt: Attempt, replica: Replica, applied: list[PreparedTransaction], deferred: DeferredRequests) -> int:
    """Apply one request after those that are applied; the units that it has spent where they are counted."""
    request, work = attempt.queued.request, deferred.work()
    try:
        prepared = request.prepare(replica, attempt.evidence, applied, work)
    except NeedsMore:
        attempt.needs_more = True
    except TooCostly as error:
        attempt.failure = too_costly(error)
    except DraftsmithError as error:
        attempt.failure = error
    else:
        attempt.prepared = prepared
        if request.dry_run or prepared.record is None:
            prepared.applied.roll_back(replica.workspace)
        else:
            attempt.record, attempt.draft = prepared.record, request.draft(prepared, prepared.record)
            applied.append(prepared)
    return 0 if work is None else work.spent
