"""Requests that wait for the writer of a workspace, and which of them are committed together."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Draft
from draftsmith.history.record import Record
from draftsmith.ports import KeptAnswer
from draftsmith.usecases.prepare.preparation import LoadedPreparation
from draftsmith.usecases.requests.client import NOBODY, Client
from draftsmith.usecases.requests.request import PreparedTransaction, Request
from draftsmith.usecases.requests.shapes import WriteAnswer

Answer = WriteAnswer
_UNKNOWN = "The store did not confirm in time; whether this was applied is unknown. Send the same request again."


@dataclass(slots=True, eq=False)
class Hold:
    """Where the writer of a workspace and what is prepared elsewhere wait for each other.

    Attributes:
        reached: the writer waits, so the head does not move by this worker.
        over: the request is prepared, or failed.
    """

    reached: asyncio.Event = field(default_factory=asyncio.Event)
    over: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(slots=True, eq=False)
class QueuedRequest:
    """A request that waits for its answer.

    Attributes:
        request: what is asked for.
        future: its answer to come.
        client: who waits.
        is_sent: it was sent to the log and nothing was heard, so the log may hold it.
        is_known: its id is in the log, so there is nothing to prepare.
        preparation: what it has become in another process.
        rival_heads: how often the head had moved when that came back.
        hold: set where the writer is to wait for it and let nobody else commit meanwhile.
    """

    request: Request[Any]
    future: asyncio.Future[Answer]
    client: Client = NOBODY
    is_sent: bool = False
    is_known: bool = False
    preparation: LoadedPreparation | None = None
    rival_heads: int = 0
    hold: Hold | None = None

    @property
    def must_run_alone(self) -> bool:
        """Whether no uncommitted transaction may come before it."""
        return self.request.must_run_alone or self.preparation is not None or self.hold is not None

    def answer(self, answer: Answer) -> None:
        """Give the answer, unless the caller has gone."""
        if not self.future.done():
            self.future.set_result(answer)

    def fail(self, error: Exception) -> None:
        """Refuse, unless the caller has gone."""
        if not self.future.done():
            self.future.set_exception(error)

    def give_up(self, error: Exception) -> None:
        """Refuse what will not be tried again; if the log may hold it, the caller is told so instead."""
        if self.is_sent:
            error = DraftsmithError("outcome_unknown", _UNKNOWN, extra={"batch_id": self.request.batch_id})
        self.fail(error)


class IdsInFlight:
    """The transaction ids that are queued or being committed on this worker, and for which requests.

    What has been committed is compared by the log; this is for requests of one id that are here at the same time, of
    which the second would otherwise be carried out where the first is refused.
    """

    def __init__(self) -> None:
        self._ids: dict[str, tuple[str, int]] = {}

    def take(self, request: Request[Any]) -> bool:
        """Count a request in; False, and nothing is counted, if another request is in flight under its id."""
        fingerprint, count = self._ids.get(request.txid, (request.fingerprint, 0))
        if not request.can_repeat:
            return True
        if fingerprint != request.fingerprint:
            return False
        self._ids[request.txid] = (fingerprint, count + 1)
        return True

    def give_back(self, request: Request[Any]) -> None:
        """Count a request out that was counted in."""
        if not request.can_repeat:
            return
        fingerprint, count = self._ids.pop(request.txid)
        if count > 1:
            self._ids[request.txid] = (fingerprint, count - 1)


@dataclass(slots=True, eq=False)
class Attempt:
    """A request in one try, and how far it has come.

    Attributes:
        evidence: what it has fetched.
        failure: why it does not fit.
        prepared: the transaction it has become.
        draft, record: what goes into the log; None for a dry run and where nothing changes.
        kept_answer: the answer to be kept, where nothing changes and the request can be repeated.
        needs_more: it takes too long to be prepared while everybody waits.
    """

    queued: QueuedRequest
    evidence: Any = None
    failure: DraftsmithError | None = None
    prepared: PreparedTransaction | None = None
    draft: Draft | None = None
    record: Record | None = None
    kept_answer: KeptAnswer | None = None
    needs_more: bool = False


def next_requests(waiting: Sequence[QueuedRequest]) -> list[QueuedRequest]:
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
