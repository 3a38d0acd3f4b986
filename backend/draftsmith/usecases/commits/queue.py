"""Requests that wait for the writer of a workspace, and which of them are committed together."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Draft
from draftsmith.history.record import Record
from draftsmith.usecases.commits.request import Prepared, Request
from draftsmith.usecases.commits.shapes import WriteAnswer

Answer = WriteAnswer


@dataclass(slots=True, eq=False)
class QueuedRequest:
    """A request that waits for its answer.

    Attributes:
        request: what is asked for.
        future: its answer to come.
        is_sent: it was sent to the log and nothing was heard, so the log may hold it.
    """

    request: Request[Any]
    future: asyncio.Future[Answer]
    is_sent: bool = False

    def answer(self, answer: Answer) -> None:
        """Give the answer, unless the caller has gone."""
        if not self.future.done():
            self.future.set_result(answer)

    def fail(self, error: Exception) -> None:
        """Refuse, unless the caller has gone."""
        if not self.future.done():
            self.future.set_exception(error)


@dataclass(slots=True, eq=False)
class Attempt:
    """A request in one try, and how far it has come.

    Attributes:
        evidence: what it has fetched.
        failure: why it does not fit.
        prepared: the transaction it has become.
        draft, record: what goes into the log; None for a dry run and where nothing changes.
    """

    queued: QueuedRequest
    evidence: Any = None
    failure: DraftsmithError | None = None
    prepared: Prepared | None = None
    draft: Draft | None = None
    record: Record | None = None


def next_requests(waiting: Sequence[QueuedRequest]) -> list[QueuedRequest]:
    """The requests of the next try: those before the first that must run alone, and no transaction id twice."""
    chosen: list[QueuedRequest] = []
    txids: set[str] = set()
    for queued in waiting:
        request = queued.request
        if chosen and (request.must_run_alone or (request.txid and request.txid in txids)):
            break
        chosen.append(queued)
        txids.add(request.txid)
        if request.must_run_alone:
            break
    return chosen
